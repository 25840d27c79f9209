#!/bin/sh
# bare.sh FOLDER [CASE..]: the README's commands on systems with nothing installed, made by debootstrap in FOLDER.
#
# A case is SYSTEM/USER/COMMAND. SYSTEM: bookworm, trixie, forky (Debian 12, 13, 14); jammy, noble, resolute (Ubuntu 22.04, 24.04,
# 26.04, from its own archive). With "+toolkit" behind it this machine's toolkit (BARE_TOOLKIT, else /usr/local/cuda) is mounted
# there, read-only; otherwise NVIDIA's compiler is fetched. USER: root; sudo, a plain user who may use sudo; plain, one who may not,
# where root has run ./scanlab setup. The path of a user's tree has a blank. COMMAND: grade (./scanlab grade solutions), all
# (./scanlab test), quick (those labelled quick), or tests:REGEX.
# Without cases: grade and all of both Debians in every combination, which takes hours.
# A line a case: what it was, seconds with all installing, the last words. FOLDER keeps them; `bare.sh FOLDER --page` prints them as
# the first part of docs/results/machines.md. BARE_CERTIFICATE=FILE: a certificate that pip trusts.
# BARE_MIRROR=URL: the archive to take systems and packages from, instead of the system's own. The root folders see file:/FOLDER at the
# same path, and take it without a signature.
# BARE_BUNDLE=FILE: a bundle of that system (./scanlab setup --offline-bundle). Root runs setup --from it before the command, which then
# fetches nothing (SCANLAB_OFFLINE=1).
# Exit code 0: all passed. 77, skipped: no root or no debootstrap.
set -u
case ${1:-} in -h | --help | '') sed -n '2,17s/^# \{0,1\}//p' "$0"; [ -n "${1:-}" ]; exit ;; esac
[ "$(id -u)" = 0 ] || { echo "skipped: only root can enter root folders"; exit 77; }
command -v debootstrap > /dev/null || { echo "skipped: there is no debootstrap"; exit 77; }
bundle=${BARE_BUNDLE:+$(readlink -f "$BARE_BUNDLE")} archive=
[ -f "${bundle:-$0}" ] || { echo "bare.sh: BARE_BUNDLE=$BARE_BUNDLE: there is no such file"; exit 3; }
case ${BARE_MIRROR:-} in file:*) archive=${BARE_MIRROR#file:}; [ -d "$archive/dists" ] || { echo "bare.sh: $BARE_MIRROR is no archive: it has no folder dists"; exit 3; } ;; esac
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
mkdir -p "$1" && folder=$(CDPATH='' cd -- "$1" && pwd -P) || exit 4
shift
figures=$folder/figures

# page: the kept lines as the page of results.
page() {
  cat << END
# Bare machines

Root folders that debootstrap makes, with nothing installed. The commands of the [README](../../README.md) run there, as
\`docs/machines/bare.sh --help\` says; \`docs/machines/bare.sh FOLDER --page\` made this part of the lines that its runs kept. Seconds count all
installing and building, on 2 to 4 cores that did other work as well.

| system | user | path with a blank | compiler | command | result | seconds | commit |
|---|---|---|---|---|---|---|---|
END
  sort "$figures" | awk -F'\t' '{ print "| " $1 " | " $2 " | " $3 " | " $4 " | " $5 " | " $6 " | " $7 " | " $8 " |" }'
}
case ${1:-} in --page) page; exit ;; esac
if [ $# = 0 ]; then
  for system in bookworm trixie bookworm+toolkit trixie+toolkit; do
    for user in root sudo plain; do set -- "$@" $system/$user/grade $system/$user/all; done
  done
fi
failed=0

# within ROOT COMMAND: as root in the root folder, with a bare environment, in a namespace of mounts of its own.
within() {
  unshare -m -- sh -c '
    root=$0
    mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" || exit 4
    [ -z "$2" ] || { mkdir -p "$root/usr/local/cuda" && mount --rbind "$2" "$root/usr/local/cuda" && mount -o remount,bind,ro "$root/usr/local/cuda"; } || exit 4
    [ -z "$3" ] || { mkdir -p "$root/$3" && mount --rbind "$3" "$root/$3"; } || exit 4
    [ -z "$4" ] || { : > "$root/bundle" && mount --bind "$4" "$root/bundle"; } || exit 4
    certificate=
    [ -z "${BARE_CERTIFICATE:-}" ] || { cp "$BARE_CERTIFICATE" "$root/etc/bare.crt" && certificate=PIP_CERT=/etc/bare.crt; }
    exec chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      $certificate ${4:+SCANLAB_OFFLINE=1} /bin/sh -c "$1"' "$1" "$2" "$toolkit" "$archive" "$bundle"
}

# make SYSTEM ROOT: a fresh system, copied from one that debootstrap has made once.
make() {
  # Debian 12's debootstrap does not know newer systems: every Ubuntu has the script that is called gutsy, every Debian that of sid.
  from=http://deb.debian.org/debian script=sid parts=main
  case $1 in resolute | noble | jammy) from=http://archive.ubuntu.com/ubuntu script=gutsy parts='main universe' ;; esac
  from=${BARE_MIRROR:-$from}
  if [ ! -d "$folder/$1" ]; then
    debootstrap --variant=minbase ${archive:+--no-check-gpg} "$1" "$folder/$1.new" "$from" /usr/share/debootstrap/scripts/$script > "$folder/$1.log" 2>&1 ||
      { tail -3 "$folder/$1.log"; return 1; }
    mv "$folder/$1.new" "$folder/$1"
  fi
  rm -rf --one-file-system "$2" && cp -a "$folder/$1" "$2" && cp /etc/resolv.conf "$2/etc/resolv.conf" &&
    echo "deb ${archive:+[trusted=yes] }$from $1 $parts" > "$2/etc/apt/sources.list"
}

# put USER ROOT: the tree as it is in $commit, where that user has it. Prints the path.
put() {
  case $1 in root) place=/root/scanlab ;; *) place='/home/student/my course/scanlab' ;; esac
  mkdir -p "$2$place" && git -C "$tree" archive "$commit" | tar -x -C "$2$place" && echo "$place"
}

# begin USER ROOT PLACE: makes the user and what is there before the first command.
begin() {
  log=$root.begin.log
  : > "$log"
  [ "$1" = root ] || within "$2" "useradd -m -s /bin/sh student && chown -R student /home/student" >> "$log" 2>&1 || return 1
  [ "$1" != sudo ] || within "$2" "apt-get update -q && apt-get install -qy --no-install-recommends sudo && echo 'student ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/student" >> "$log" 2>&1 || return 1
  case $1${bundle:+ from} in
    plain) within "$2" "cd '$3' && ./scanlab setup && chown -R student /home/student" >> "$log" 2>&1 ;;
    root' from') within "$2" "cd '$3' && ./scanlab setup --from /bundle" >> "$log" 2>&1 ;;
    *' from') within "$2" "cd '$3' && ./scanlab setup --from /bundle && chown -R student /home/student" >> "$log" 2>&1 ;;
  esac
}

# keep CASE ..: the line of a case, in place of an older one.
keep() {
  line=$(printf '%s\t' "$@")
  { [ ! -f "$figures" ] || awk -F'\t' -v new="$line" 'BEGIN { split(new, n) } $1 != n[1] || $2 != n[2] || $4 != n[4] || $5 != n[5]' "$figures"; echo "$line"; } > "$figures.new" &&
    mv "$figures.new" "$figures"
}

for one; do
  system=${one%%/*} rest=${one#*/}
  user=${rest%%/*} command=${rest#*/} toolkit=
  case $system in *+toolkit)
    system=${system%+toolkit} toolkit=$(readlink -f "${BARE_TOOLKIT:-/usr/local/cuda}")
    [ -x "$toolkit/bin/nvcc" ] || { echo "$one: there is no toolkit to mount"; failed=1; continue; } ;;
  esac
  case $command in
    grade) run='./scanlab grade solutions' ;; quick) run='./scanlab test -L quick' ;; all) run='./scanlab test' ;;
    tests:?*) run="./scanlab test -R '${command#tests:}'" ;;
    *) echo "bare.sh: $one: no such command"; exit 2 ;;
  esac
  case $user in
    root) as='' blank=no ;;
    sudo | plain) as='setpriv --reuid student --regid student --init-groups env HOME=/home/student ' blank=yes ;;
    *) echo "bare.sh: $one: no such user"; exit 2 ;;
  esac
  name=$(echo "$one" | tr -c 'a-z0-9+\n' -)
  root=$folder/run-$name log=$folder/$name.log
  began=$(date +%s) commit=$(git -C "$tree" rev-parse --short=8 HEAD)
  make "$system" "$root" && place=$(put "$user" "$root") && begin "$user" "$root" "$place" || { echo "$one: the system could not be made: $(tail -n 3 "$root.begin.log")"; failed=1; continue; }
  within "$root" "cd '$place' && $as$run" > "$folder/$name.log" 2>&1
  code=$?
  said=$(grep -E 'tests passed|^total' "$folder/$name.log" | tail -n 1)
  echo "$one: exit code $code, $(($(date +%s) - began)) s: ${said:=$(tail -n 1 "$folder/$name.log")}"
  release=$(. "$root/etc/os-release" && echo "$PRETTY_NAME")
  compiler=${bundle:+of a bundle} && [ -z "$toolkit" ] || compiler=toolkit
  keep "$release" "$user" $blank "${compiler:-fetched}" "\`$run\`" "$said" $(($(date +%s) - began)) "$commit"
  if [ $code -eq 0 ]; then rm -rf --one-file-system "$root" "$root.begin.log"; else failed=1; fi
done
exit $failed
