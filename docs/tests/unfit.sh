#!/bin/sh
# unfit.sh ROOT NVCC: what keeps a first build from working is told as what it is, before anything is built.
#
# A disk whose programs cannot be started is tried where namespaces of mounts can be made.
set -u
root=$1
export SCANLAB_NVCC="$2" SCANLAB_OFFLINE=1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fresh() { rm -rf "$1" && mkdir -p "$1" && cp "$root/scanlab" "$1" && echo "cmake_minimum_required(VERSION 3.25)" >"$1/CMakeLists.txt"; }

# tells CASE WORDS COMMAND..: ends with 4, and the error says WORDS.
tells() {
  case=$1 words=$2
  shift 2
  "$@" >"$tmp/said" 2>&1 </dev/null
  got=$?
  [ $got -eq 4 ] && grep -qF -- "$words" "$tmp/said" && return 0
  echo "$case: exit $got, and it does not say '$words':"
  cat "$tmp/said"
  failed=1
}

fresh "$tmp/tree"
tells 'no TMPDIR' "no file can be made in $tmp/none" env TMPDIR="$tmp/none" sh "$tmp/tree/scanlab" setup

touch -d '2 days' "$tmp/tree/CMakeLists.txt"
tells 'a clock that is late' "the file $tmp/tree/CMakeLists.txt is newer than this machine's clock" sh "$tmp/tree/scanlab" setup

# A command that the entry script itself works with is missing: its package is named, or it, where no manager is known.
for row in 'sed sed' 'grep grep' 'sort coreutils'; do
  lacking=${row% *} package=${row#* }
  fresh "$tmp/tree"
  rm -rf "$tmp/farm" && mkdir "$tmp/farm" && ln -s /usr/local/bin/* /usr/bin/* /bin/* "$tmp/farm" 2>/dev/null
  rm -f "$tmp/farm/$lacking"
  tells "no $lacking" "missing packages: $package" env PATH="$tmp/farm" sh "$tmp/tree/scanlab" setup
  rm -f "$tmp"/farm/apt-get "$tmp"/farm/dnf "$tmp"/farm/pacman "$tmp"/farm/zypper
  tells "no $lacking, no manager" "are missing: $lacking" env PATH="$tmp/farm" sh "$tmp/tree/scanlab" setup
done

# A tree that somebody else has built and that this user may only read. (root may write anywhere.)
as_user() { "$@"; }
[ "$(id -u)" -ne 0 ] || as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
fresh "$tmp/tree"
mkdir -p "$tmp/tree/build/sim" && chmod 755 "$tmp" && chmod -R a+rX,a-w "$tmp/tree"
tells 'a tree that cannot be written' "cannot write to $tmp/tree/build" as_user sh "$tmp/tree/scanlab" setup
for file in build.ninja .configured .lock; do chmod u+w "$tmp/tree/build/sim" && touch "$tmp/tree/build/sim/$file"; done
printf '%s' "$(command -v "$SCANLAB_NVCC" || echo "$SCANLAB_NVCC/nvcc")" >"$tmp/tree/build/sim/.configured"
chmod -R a+rX,a-w "$tmp/tree"
tells 'a built tree that cannot be written' "cannot write to $tmp/tree/build/sim" as_user sh "$tmp/tree/scanlab" list
chmod -R u+w "$tmp/tree"

mkdir "$tmp/disk"
inside='mount -t tmpfs -o noexec none "$1" && mkdir "$1/tree" && cp "$2/scanlab" "$2/CMakeLists.txt" "$1/tree" && exec sh "$1/tree/scanlab" setup'
map=
[ "$(id -u)" = 0 ] || map=-r
if unshare $map -m mount -t tmpfs none "$tmp/disk" 2>/dev/null; then
  tells 'a disk without programs' "no program can be started on the disk of $tmp/disk/tree" unshare $map -m sh -c "$inside" sh "$tmp/disk" "$tmp/tree"
fi
exit $failed
