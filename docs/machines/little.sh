#!/bin/sh
# little.sh WHAT ROOT BUILD: the course on little machines and in awkward homes: `check` and `grade` of lab 03 by an installed scanlab.
#
#   memory     2 GiB of memory (a control group)            links     a home without hard links and locks (as some NFS homes)
#   core       one core                                     offline   no network
#   full       a home of 1 GiB (an ext4 file system), then full, then with some room
#   nfs        a home on an NFS server, which is this machine; with locks, and without
#   stick      a home on exFAT, as USB sticks have: no links of any kind, no rights
#
# Exit code 0: everything is judged as on any machine, and a full home is said to be full. 77: skipped, with the reason.
set -u
case ${1:-} in
  -h | --help | '') sed -n '2,9s/^# \{0,1\}//p' "$0"; [ -n "${1:-}" ]; exit ;;
  memory | core | full | links | offline | nfs | stick) ;;
  *) echo "little.sh: $1: no such machine (little.sh --help)"; exit 2 ;;
esac
[ $# = 3 ] || { echo "little.sh: $1 ROOT BUILD: the course's folder and the one that it is built in"; exit 2; }
what=$1 root=$2 build=$3
tmp=$(mktemp -d) || exit 4
home=$tmp/home group='' failed=0
cleanup() {
  ! mountpoint -q "$home" 2> /dev/null || umount "$home"
  [ -z "${loop:-}" ] || losetup -d "$loop"
  [ "$what" != nfs ] || exportfs -u "localhost:$tmp/server" 2> /dev/null
  [ -z "$group" ] || rmdir "$group"
  chmod -R u+w "$tmp" && rm -rf "$tmp"
}
trap cleanup EXIT
skip() { echo "skipped: $1"; exit 77; }
fail() { echo "$what: $1"; [ ! -f "$tmp/said" ] || tail -n 20 "$tmp/said" | sed 's/^/  /'; failed=1; }

# user COMMAND..: the installed scanlab, in the home, under what $under says.
user() {
  # shellcheck disable=SC2086 # words
  (cd "$home" && $under env -u SCANLAB_ROOT -u SCANLAB_BUILD -u SCANLAB_LABS -u XDG_CACHE_HOME HOME="$home" \
    SCANLAB_OFFLINE=1 SCANLAB_NVCC="$nvcc" "$tmp/prefix/bin/scanlab" "$@") > "$tmp/said" 2>&1
}

# judged: the solution passes and scores 100, the skeleton does not pass.
judged() {
  user check 03 --file class/ada/03_blelloch/kernel.cu || fail "check of the solution: exit code $?"
  user check 03
  code=$?
  [ $code -eq 1 ] || fail "check of the skeleton: exit code $code, not 1"
  user grade class $key --no-plots --lab 03 --json results.json || fail "grade: exit code $?"
  grep -q '"score": 100' "$home/results.json" || fail "grade gives the solution no full score"
}

# full_or CODE: the last command ended with CODE, if there was room enough; else with 4, and said that there is no space.
full_or() {
  code=$? wanted=$1
  [ $room = 0 ] || [ $code -ne "$wanted" ] || return 0
  [ $code -eq 4 ] || fail "with $room KiB left: exit code $code, not 4"
  grep -qiE 'no space|disk .*full|free some space' "$tmp/said" || fail "it does not say that the disk is full"
}

# nfs_home OPTIONS: the home, from a server that keeps it in $tmp/server.
nfs_home() {
  ! mountpoint -q "$home" || umount "$home"
  mount -t nfs -o "$1" "localhost:$tmp/server" "$home" > "$tmp/said" 2>&1
}

# two_graders: the second of two that use one folder ends with 4 and says why, where there are locks. The first is not disturbed.
two_graders() {
  mkdir -p "$home/out"
  (exec 9> "$home/out/lock" && flock 9 && exec sleep 60) &
  other=$!
  sleep 2
  user grade class $key --no-plots --lab 03 --out out
  [ $? -eq 4 ] || fail "grade beside another grading: not exit code 4"
  grep -q 'another grading is writing there' "$tmp/said" || fail "it does not say that another grading is writing there"
  kill $other
  wait $other 2> /dev/null
}

# book CODE WORDS: a gradebook in the home takes the grades, or says what is amiss.
book() {
  user grade class $key --no-plots --lab 03 --out graded || fail "grade: exit code $?"
  user gradebook import graded
  code=$?
  [ $code -eq "$1" ] && grep -q "$2" "$tmp/said" || fail "gradebook import: exit code $code, not $1 and '$2'"
}

root_only() { [ "$(id -u)" = 0 ] || skip "only root can $1"; }

cmake --install "$build" --prefix "$tmp/prefix" > "$tmp/said" 2>&1 || { fail "cmake --install"; exit 1; }
nvcc=$(sed -n 's/^nvcc=//p' "$build/course") under= key=
mkdir "$home"
case $what in
  memory)
    root_only "make a control group"
    for group in /sys/fs/cgroup/memory /sys/fs/cgroup; do [ -w "$group/cgroup.procs" ] && break; done
    group=$group/scanlab-little.$$
    mkdir "$group" 2> /dev/null || { group=; skip "no control group can be made here"; }
    for limit in memory.limit_in_bytes memory.max; do [ ! -f "$group/$limit" ] || echo 2147483648 > "$group/$limit"; done
    [ -f "$group/memory.limit_in_bytes" ] || [ -f "$group/memory.max" ] || skip "control groups here limit no memory"
    printf '#!/bin/sh\necho $$ > "%s/cgroup.procs" && exec "$@"\n' "$group" > "$tmp/within" && chmod +x "$tmp/within" && under=$tmp/within ;;
  core) under='taskset -c 0' ;;
  links)
    printf '%s\n' '#define _GNU_SOURCE' '#include <errno.h>' '#include <dlfcn.h>' '#include <fcntl.h>' '#include <stdarg.h>' \
      'int link(const char *a, const char *b) { (void)a, (void)b; errno = EPERM; return -1; }' \
      'int linkat(int d, const char *a, int e, const char *b, int f) { (void)d, (void)a, (void)e, (void)b, (void)f; errno = EPERM; return -1; }' \
      'int flock(int fd, int how) { (void)fd, (void)how; errno = ENOLCK; return -1; }' \
      'int lockf(int fd, int how, off_t n) { (void)fd, (void)how, (void)n; errno = ENOLCK; return -1; }' \
      '#define LOCKED(NAME) int NAME(int fd, int what, ...) { va_list a; va_start(a, what); void *p = va_arg(a, void *); va_end(a); \' \
      '  if (what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK) { errno = ENOLCK; return -1; } \' \
      '  return ((int (*)(int, int, void *))dlsym(RTLD_NEXT, #NAME))(fd, what, p); }' \
      'LOCKED(fcntl)' 'LOCKED(fcntl64)' > "$tmp/without.c"
    cc -shared -fPIC -o "$tmp/without.so" "$tmp/without.c" -ldl || fail "cc"
    under="env LD_PRELOAD=$tmp/without.so" ;;
  offline) root_only "take the network away" && under='unshare -n' ;;
  nfs)
    root_only "export a folder"
    mkdir "$tmp/server" && chmod 755 "$tmp"
    command -v exportfs > /dev/null || skip "there is no NFS server (nfs-kernel-server)"
    exportfs -i -o rw,no_root_squash,no_subtree_check,insecure,fsid=77 "localhost:$tmp/server" > "$tmp/said" 2>&1 || skip "no folder can be exported here"
    nfs_home vers=4.2 || skip "no NFS can be mounted here: $(tail -n 1 "$tmp/said")" ;;
  stick)
    root_only "mount a file system"
    truncate -s 1G "$tmp/disk" && mkfs.exfat "$tmp/disk" > "$tmp/said" 2>&1 && loop=$(losetup -f --show "$tmp/disk") || skip "no exFAT can be made here (exfatprogs)"
    mount -t exfat "$loop" "$home" 2> /dev/null || mount.exfat-fuse "$loop" "$home" > "$tmp/said" 2>&1 || skip "no exFAT can be mounted here (exfat-fuse)" ;;
  full)
    root_only "mount a file system"
    truncate -s 1G "$tmp/disk" && mkfs.ext4 -qm 0 "$tmp/disk" && mount -o loop "$tmp/disk" "$home" 2> /dev/null || skip "no file system can be made and mounted here" ;;
esac
mkdir -p "$home/class/ada/03_blelloch" && cp "$root/solutions/03_blelloch/kernel.cu" "$home/class/ada/03_blelloch" || exit 4
user start || fail "start"
if [ "$what" = stick ]; then
  user grade class --no-plots --lab 03
  [ $? -eq 4 ] && grep -q 'others may read every file of that disk' "$tmp/said" || fail "grade does not say that its key cannot lie there"
  key="--key $tmp/key"
fi
judged
[ "$what" != offline ] || { user doctor || fail "doctor"; }
[ "$what" != stick ] || { two_graders; book 0 '1 new attempt'; }
[ "$what" != links ] || book 4 'its file system has no locks'
if [ "$what" = nfs ]; then
  two_graders
  book 0 '1 new attempt'
  # An NFS server of version 3 whose locks do not work.
  if nfs_home vers=3,lock; then
    judged
    rm -f "$home/gradebook.db"
    if flock -n "$home/probe" true 2> /dev/null; then book 0 '1 new attempt'; else book 4 'its file system has no locks'; fi
  else echo "nfs: version 3 was not tried: $(tail -n 1 "$tmp/said")"
  fi
fi
if [ "$what" = full ]; then
  kernel=$home/class/ada/03_blelloch/kernel.cu
  cp "$kernel" "$tmp/kernel.cu" && echo '// changed' >> "$kernel"
  for room in 0 64 1024; do
    dd if=/dev/zero of="$home/full" bs=4k 2> /dev/null
    [ $room = 0 ] || truncate -s -${room}K "$home/full"
    user check 03 --file "$kernel"
    full_or 0
    user grade class $key --no-plots --lab 03 --fresh --json new.json
    full_or 0
    user check 03
    full_or 1
  done
  cmp -s "$root/labs/03_blelloch/kernel.cu" "$home/labs/03_blelloch/kernel.cu" || fail "the lab's file was changed"
  rm "$home/full"
  judged
fi
exit $failed
