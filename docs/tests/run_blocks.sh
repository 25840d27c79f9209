#!/bin/sh
# run_blocks.sh PAGE.md [LAB|students]: runs every ```sh block of a page as a user would, from the top of the course tree. A block
# that fails fails the test, and so does a page without a block. A line "<!-- not run here: WHY -->" right before a block skips
# it. With LAB (03_blelloch) the blocks run in a copy of the tree in which that lab is solved, as a student has it in the end; with
# `students` in one in which all labs are, and which has no solutions/.
set -u
page=$1
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
blocks=$(mktemp -d)
trap 'rm -rf "$blocks"' EXIT
if [ $# -gt 1 ]; then
  tree=$blocks/tree
  mkdir "$tree"
  for entry in "$root"/* "$root"/CMakePresets.json; do
    case $2${entry##*/} in *build*|*labs|studentssolutions) ;; *) ln -sf "$entry" "$tree/" ;; esac
  done
  cp -R "$root/labs" "$tree/labs"
  rm "$tree/scanlab"
  cp "$root/scanlab" "$tree/scanlab"  # it finds the tree by its own place
  ln -s "$root/build" "$tree/build"
  for lab in "$root"/labs/0*; do
    case $2 in students|"${lab##*/}") cp "$root/solutions/${lab##*/}/kernel.cu" "$tree/labs/${lab##*/}/kernel.cu" || exit 4 ;; esac
    cp "$lab/kernel.cu" "$tree/labs/${lab##*/}/.skeleton"
  done
  root=$tree
fi
awk -v dir="$blocks" '
  /^<!-- not run here: ..*-->$/ { skip = 1; next }
  /^```sh$/ { if (!skip) { out = sprintf("%s/%03d.sh", dir, ++n) } else { out = "/dev/null" } inside = 1; skip = 0; next }
  /^```/ { inside = 0; skip = 0; next }
  inside { print > out }
' "$page"
ran=0
cd "$root" || exit 4
for block in "$blocks"/*.sh; do
  [ -e "$block" ] || continue
  ran=$((ran + 1))
  echo "== $page, block $ran"
  cat "$block"
  if ! sh -e "$block"; then
    echo "$page: block $ran failed"
    exit 1
  fi
done
echo "$page: $ran blocks"
[ "$ran" -gt 0 ]
