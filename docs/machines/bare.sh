#!/bin/sh
# bare.sh FOLDER [CASE..]: the README's commands on systems with nothing installed, made by debootstrap in FOLDER.
#
# A case is SYSTEM/USER/COMMAND: bookworm or trixie; root, sudo (a plain user who may use sudo) or plain (who may not, on a system
# where root has run ./scanlab setup); grade (./scanlab grade solutions) or quick (./scanlab test -L quick) or all (./scanlab test).
# For plain and sudo the path of the tree has a blank. Without cases: all of bookworm/{root,sudo,plain}/grade, trixie/root/grade and
# bookworm/root/all. BARE_TOOLKIT=DIR: a toolkit that is mounted as /usr/local/cuda; without it NVIDIA's compiler is fetched.
# BARE_CERTIFICATE=FILE: a further certificate that pip trusts. A line a case: what it was, seconds, the last words. Exit code 0: all
# passed. 77, skipped: no root or no debootstrap.
set -u
case ${1:-} in -h | --help | '') sed -n '2,11s/^# \{0,1\}//p' "$0"; [ -n "${1:-}" ]; exit ;; esac
[ "$(id -u)" = 0 ] || { echo "skipped: only root can enter root folders"; exit 77; }
command -v debootstrap > /dev/null || { echo "skipped: there is no debootstrap"; exit 77; }
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
mkdir -p "$1" && folder=$(CDPATH='' cd -- "$1" && pwd -P) || exit 4
shift
[ $# -gt 0 ] || set -- bookworm/root/grade bookworm/sudo/grade bookworm/plain/grade trixie/root/grade bookworm/root/all
failed=0

# within ROOT COMMAND: as root in the root folder, with a bare environment, in a namespace of mounts of its own.
within() {
  unshare -m -- sh -c '
    root=$0
    mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" || exit 4
    [ -z "${BARE_TOOLKIT:-}" ] || { mkdir -p "$root/usr/local/cuda" && mount --rbind "$BARE_TOOLKIT" "$root/usr/local/cuda"; } || exit 4
    certificate=
    [ -z "${BARE_CERTIFICATE:-}" ] || { cp "$BARE_CERTIFICATE" "$root/etc/bare.crt" && certificate=PIP_CERT=/etc/bare.crt; }
    exec chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      $certificate /bin/sh -c "$1"' "$1" "$2"
}

# make SYSTEM ROOT: a fresh system, copied from one that debootstrap has made once.
make() {
  if [ ! -d "$folder/$1" ]; then
    debootstrap --variant=minbase "$1" "$folder/$1.new" http://deb.debian.org/debian > "$folder/$1.log" 2>&1 || { tail -3 "$folder/$1.log"; return 1; }
    cp /etc/resolv.conf "$folder/$1.new/etc/resolv.conf"
    mv "$folder/$1.new" "$folder/$1"
  fi
  rm -rf --one-file-system "$2" && cp -a "$folder/$1" "$2"
}

# put USER ROOT: the tree as it is committed, where that user has it. Prints the path.
put() {
  case $1 in root) place=/root/scanlab ;; *) place='/home/student/my course/scanlab' ;; esac
  mkdir -p "$2$place" && git -C "$tree" archive HEAD | tar -x -C "$2$place" && echo "$place"
}

for one; do
  system=${one%%/*} rest=${one#*/} command=${one##*/}
  user=${rest%%/*}
  case $command in grade) run='./scanlab grade solutions' ;; quick) run='./scanlab test -L quick' ;; all) run='./scanlab test' ;; *) echo "bare.sh: $one?"; exit 2 ;; esac
  root=$folder/run
  make "$system" "$root" && place=$(put "$user" "$root") || { echo "$one: the system could not be made"; failed=1; continue; }
  as=
  case $user in
    root) ;;
    sudo | plain) as='setpriv --reuid student --regid student --init-groups env HOME=/home/student '
      within "$root" "useradd -m -s /bin/sh student; chown -R student /home/student" || exit 4 ;;
    *) echo "bare.sh: $one?"; exit 2 ;;
  esac
  case $user in
    sudo) within "$root" "apt-get update -q && apt-get install -qy --no-install-recommends sudo && echo 'student ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/student" > "$folder/sudo.log" 2>&1 || exit 4 ;;
    plain) within "$root" "cd '$place' && ./scanlab setup && chown -R student /home/student" > "$folder/setup.log" 2>&1 || { echo "$one: setup failed"; tail -3 "$folder/setup.log"; failed=1; continue; } ;;
  esac
  began=$(date +%s)
  log=$folder/$(echo "$one" | tr / -).log
  within "$root" "cd '$place' && $as$run" > "$log" 2>&1
  code=$?
  said=$(grep -E 'tests passed|^Score|/600|600' "$log" | tail -n 1)
  echo "$one${BARE_TOOLKIT:+ with a toolkit}: exit code $code, $(($(date +%s) - began)) s: ${said:-$(tail -n 1 "$log")}"
  [ $code -eq 0 ] || failed=1
done
exit $failed
