#!/bin/sh
# within.sh COMMAND..: the command where the kernel starts programs for arm64, by qemu. A kernel that does so anyway is left alone;
# elsewhere the command gets a user namespace of its own, in which qemu is registered. That needs no rights, but Linux 6.7.
# Exit code 77: skipped, with the reason. So are tests of slow.txt, which say in SL_SLOW what qemu needs for them; SCANLAB_SLOW=1
# runs them all the same.
set -u
[ -z "${SL_SLOW:-}" ] || [ -n "${SCANLAB_SLOW:-}" ] ||
  { echo "skipped: qemu needs $SL_SLOW for it (SCANLAB_SLOW=1 runs it)"; exit 77; }
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../../build/arm64-root/root" && pwd -P) || exit 4
export SL_EMULATED=aarch64 # the machine whose programs run: for tests that would start this machine's programs
export probe="$root/lib/ld-linux-aarch64.so.1"
# qemu notes something of each page of addresses. A simulated GPU reserves 256 GiB of them where it may, for which qemu takes 1.6 GB of
# memory and seconds; it is content with less, and so are the tests, but the one of arrays beyond 4 GiB.
[ -n "${SL_SLOW:-}" ] || [ "${1##*/}" = reference_large_test ] || ulimit -S -v $((6 << 20)) 2> /dev/null
if "$probe" --version > /dev/null 2>&1; then exec "$@"; fi
skip() { echo "skipped: this kernel starts no programs for arm64: $1"; exit 77; }
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || skip "there is no qemu-aarch64"
unregistered="qemu is not registered (qemu-user-static does that), and a user namespace can do it only from Linux 6.7 on"
unshare -rm true 2> /dev/null || skip "$unregistered"
# What an ELF file for arm64 begins with, the bits of it that count, and P: qemu is told the program's name as it was given.
export unregistered row=":arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$qemu:P"
exec unshare -rm sh -c '
  { mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc && printf %s "$row" > /proc/sys/fs/binfmt_misc/register && "$probe" --version; } > /dev/null 2>&1 ||
    { echo "skipped: this kernel starts no programs for arm64: $unregistered"; exit 77; }
  unset row probe unregistered
  exec "$@"' sh "$@"
