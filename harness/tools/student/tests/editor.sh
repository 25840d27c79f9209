#!/bin/sh
# What editors get: clangd reads each skeleton, and the largest solution, without errors, and the pattern of .vscode/tasks.json finds the
# lines that `check` and the compiler name.  Usage: editor.sh BIN SOURCE [CLANGD]. 77: there is no clangd.
set -u
bin=$1 source=$2 clangd=${3:-clangd}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# The pattern, as an extended one of grep; the tasks have it alike.
pattern=$(sed -n 's/^ *"regexp": "\(.*\)",$/\1/p' "$source/.vscode/tasks.json" | sort -u)
[ "$(printf '%s\n' "$pattern" | wc -l)" -eq 1 ] || fail "the tasks have different patterns"
pattern=$(printf '%s\n' "$pattern" | sed 's/\\\\/\\/g; s/(?:/(/g; s/\\d/[0-9]/g; s/\\\[\[^\\\]\]\*\\\]/\\[[^]]*\\]/')
finds() { grep -qE -- "$pattern" "$tmp/out" && grep -qE -- "$1" "$tmp/out" || { fail "no \"$1\" that the editor finds"; cat "$tmp/out"; }; }
check() { SCANLAB_ROOT=$source "$bin/sl-student" check 01 --part sync --file "$1" >"$tmp/out" 2>&1; }
k01=$source/solutions/01_naive_scan/kernel.cu
awk '/__syncthreads/ && ++n == 2 { next } { print }' "$k01" >"$tmp/race.cu" && check "$tmp/race.cu"
finds 'race[.]cu:[0-9]+:[0-9]+: error\[race.shared\]: '
sed 's/if (t < n) d_out/if (t < 1) d_out/' "$k01" >"$tmp/wrong.cu" && check "$tmp/wrong.cu"
finds 'wrong[.]cu:[0-9]+:1: '
sed 's/if (t < n) d_out/if (t < n d_out/' "$k01" >"$tmp/broken.cu" && check "$tmp/broken.cu"
finds 'broken[.]cu:[0-9]+:13: error: '

sed 's/<<<1, [^,>]*/<<<1, 2000/' "$k01" >"$tmp/launch.cu" && check "$tmp/launch.cu"
finds 'launch[.]cu:[0-9]+: warning\[host.error\]: '

# A place is told from the folder that the command was given in, so that it can be opened there.
mkdir -p "$tmp/labs/01_naive_scan" && cp "$tmp/race.cu" "$tmp/labs/01_naive_scan/kernel.cu"
(cd "$tmp" && check labs/01_naive_scan/kernel.cu)
finds '^  labs/01_naive_scan/kernel[.]cu:[0-9]+:[0-9]+: error\[race.shared\]: '
(cd "$tmp/labs" && check 01_naive_scan/kernel.cu)
finds '^  01_naive_scan/kernel[.]cu:[0-9]+:[0-9]+: error\[race.shared\]: '

command -v "$clangd" >/dev/null 2>&1 || { echo "clangd is not installed: the skeletons were not read"; [ $failed = 0 ] && exit 77 || exit 1; }
[ -f "$source/build/editor/compile_commands.json" ] || { echo "this build folder is not in build/"; [ $failed = 0 ] && exit 77 || exit 1; }
for kernel in "$source"/labs/0*/kernel.cu "$source/solutions/06_radix_sort/kernel.cu"; do
  (cd "$source" && XDG_CACHE_HOME=$tmp HOME=$tmp "$clangd" --check="$kernel" --check-lines=1-1 --enable-config) >"$tmp/out" 2>&1 || { fail "clangd finds errors in $kernel"; grep -E '^E|error' "$tmp/out" | head -n 5; }
  grep -q 'editor/compile_commands.json\|Compile command from CDB' "$tmp/out" || fail "clangd does not take the command of build/editor for $kernel"
done
# One that is wrong is told so: the test would see an error.
mkdir -p "$tmp/build/editor" && cp "$source/.clangd" "$tmp"
sed 's/__syncthreads();/__syncthreds();/' "$k01" >"$tmp/kernel.cu"
awk -v from="$k01" -v to="$tmp/kernel.cu" '{ while ((at = index($0, from))) $0 = substr($0, 1, at - 1) to substr($0, at + length(from)) } 1' \
  "$source/build/editor/compile_commands.json" >"$tmp/build/editor/compile_commands.json"
(cd "$tmp" && XDG_CACHE_HOME=$tmp HOME=$tmp "$clangd" --check="$tmp/kernel.cu" --check-lines=1-1 --enable-config) >"$tmp/out" 2>&1 && fail "clangd does not find a wrong name"
grep -q '__syncthreds' "$tmp/out" || fail "clangd does not name the wrong name"
exit $failed
