#!/bin/sh
# bare_archive.sh TREE: docs/machines/bare.sh takes systems from the archive that BARE_MIRROR names, and packages from BARE_BUNDLE.
# Stand-ins make a system and enter it: each prints what it was asked for. Exit code 77: skipped, with the reason.
set -u
tree=$1
git -C "$tree" rev-parse HEAD > /dev/null 2>&1 || { echo "skipped: the tree is no checkout of git"; exit 77; }
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/bin" "$tmp/archive/dists" && : > "$tmp/bundle.tar.gz"
tool() { printf '#!/bin/sh\n%s\n' "$2" > "$tmp/bin/$1" && chmod +x "$tmp/bin/$1"; }
tool id 'echo 0'
tool unshare 'shift 2; exec "$@"'
tool mount 'echo "mount $*" >> "$LOG"'
tool chroot 'shift; echo "chroot $*" >> "$LOG"; echo "total 600 / 600"'
tool debootstrap 'echo "debootstrap $*" >> "$LOG"; for one; do case $one in *.new) mkdir -p "$one/etc/apt" "$one/bin" && echo PRETTY_NAME=imitated > "$one/etc/os-release" ;; esac; done'
export LOG="$tmp/log"
fail() { echo "bare_archive.sh: $1"; sed 's/^/  /' "$tmp/said" "$tmp/log"; exit 1; }

# bare CODE CASE [NAME=VALUE..]: bare.sh with those variables ends with the code.
bare() {
  code=$1 case=$2
  shift 2
  : > "$LOG"
  rm -rf "$tmp/folder"
  env -u BARE_MIRROR -u BARE_BUNDLE -u BARE_CERTIFICATE "$@" PATH="$tmp/bin:$PATH" "$tree/docs/machines/bare.sh" "$tmp/folder" "$case" > "$tmp/said" 2>&1
  got=$?
  [ $got -eq "$code" ] || fail "$case $*: exit code $got, not $code"
}
does() { grep -q -e "$1" "$LOG" || fail "it did not: $1"; }
never() { ! grep -q -e "$1" "$LOG" || fail "it did: $1"; }
source_is() { # of the last system, which failed and so is kept
  [ "$(cat "$tmp"/folder/run-*/etc/apt/sources.list)" = "$1" ] || fail "sources.list: $(cat "$tmp"/folder/run-*/etc/apt/sources.list)"
}

bare 0 bookworm/root/grade
does '^debootstrap .* http://deb.debian.org/debian '
never 'no-check-gpg\|--from\|SCANLAB_OFFLINE\|mount .*archive'
tool chroot 'shift; echo "chroot $*" >> "$LOG"; case $* in *grade*) exit 1 ;; esac'
bare 1 bookworm/root/grade BARE_MIRROR=http://mirror.example/debian
does '^debootstrap .* http://mirror.example/debian '
never no-check-gpg
source_is 'deb http://mirror.example/debian bookworm main'
bare 1 noble/plain/grade BARE_MIRROR="file:$tmp/archive" BARE_BUNDLE="$tmp/bundle.tar.gz"
does "^debootstrap .*--no-check-gpg .* file:$tmp/archive "
does "^mount --rbind $tmp/archive $tmp/folder/run-[^ ]*$tmp/archive\$"
does "^mount --bind $tmp/bundle.tar.gz $tmp/folder/run-[^ ]*/bundle\$"
does '^chroot .* SCANLAB_OFFLINE=1 .*scanlab setup --from /bundle'
source_is "deb [trusted=yes] file:$tmp/archive noble main universe"
bare 3 bookworm/root/grade BARE_MIRROR="file:$tmp/none"
bare 3 bookworm/root/grade BARE_BUNDLE="$tmp/none"
never debootstrap
