#!/bin/sh
# Checkouts in folders with unusual names: they work, or are refused at once with the character named. And a copied
# tree never builds what the original has. Usage: paths.sh refused|works ROOT
#
# The refusals need no build: the entry script and CMakeLists.txt look at the path first.
set -u
what=$1 root=$2
tmp=$(mktemp -d) || exit 4
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$1"; [ ! -f "$tmp/said" ] || sed 's/^/  /' "$tmp/said"; failed=1; }

# copy FOLDER: a tree of the course without its build.
copy() { mkdir -p "$1" && (cd "$root" && tar -cf - --exclude=./build --exclude=./.git .) | tar -xf - -C "$1"; }

# refused NAME WORD: a checkout in folder NAME is refused, and WORD names why.
refused() {
  mkdir -p "$tmp/$1" && cp "$root/scanlab" "$root/CMakeLists.txt" "$root/CMakePresets.json" "$tmp/$1" || exit 4
  mkdir -p "$tmp/$1/harness" && ln -s "$root/harness/cmake" "$tmp/$1/harness/cmake"
  "$tmp/$1/scanlab" list >"$tmp/said" 2>&1 && fail "$1: not refused by ./scanlab"
  grep -q "holds the character $2" "$tmp/said" || fail "$1: ./scanlab does not name the character"
  (cd "$tmp/$1" && cmake --preset sim) >"$tmp/said" 2>&1 && fail "$1: not refused by cmake"
  rm -rf "$tmp/${1:?}"
}
if [ "$what" = refused ]; then
refused "an apostrophe's" "'"
refused 'a "quote"' '"'
refused 'a $dollar' '\$'
refused 'hash #' '#'
refused 'semicolon;' ';'
refused 'back\slash' '\\'
refused 'comma,' ','
refused 'co:lon' ':'
refused 'new
line' 'a newline'
refused 'tab	' 'a tab'

# A file system without symbolic links, imitated by an ln that says what the real one says there.
mkdir -p "$tmp/stick" "$tmp/farm" && cp "$root/scanlab" "$root/CMakeLists.txt" "$root/CMakePresets.json" "$tmp/stick" || exit 4
for says in 'Operation not permitted' 'Function not implemented'; do
  printf '#!/bin/sh\necho "ln: failed to create symbolic link: %s" >&2\nexit 1\n' "$says" > "$tmp/farm/ln" && chmod +x "$tmp/farm/ln"
  PATH="$tmp/farm:$PATH" "$tmp/stick/scanlab" list > "$tmp/said" 2>&1
  [ $? -eq 4 ] && grep -q 'has no symbolic links' "$tmp/said" || fail "without symbolic links: not refused"
done
exit $failed
fi

# A name that is unusual and right.
tree="$tmp/blank ü+@=~%"
copy "$tree"
"$tree/scanlab" check 01 --file "$root/labs/01_naive_scan/kernel.cu" >"$tmp/said" 2>&1
[ $? -eq 1 ] || fail "check of a skeleton in '$tree': exit code"
if [ -d "$root/solutions" ]; then
  "$tree/scanlab" check 01 --file "$tree/solutions/01_naive_scan/kernel.cu" >"$tmp/said" 2>&1 || fail "check in '$tree'"
fi

# Its copy, build folder and all, in which the labs have another name: that is what it prints.
cp -r "$tree" "$tmp/copy"
sed -i 's/"title": "/&Copied: /' "$tmp/copy/labs/01_naive_scan/lab.json"
sed -i 's/Lists the labs: /Lists the copied labs: /' "$tmp/copy/harness/tools/student/status.c"
ninja -C "$tmp/copy/build/sim" tools >"$tmp/said" 2>&1 && fail "ninja builds in a copied build folder"
grep -q 'is a copy of' "$tmp/said" || fail "ninja does not say that the build folder is a copy"
mv "$tree" "$tmp/original" # nothing of it is needed
"$tmp/copy/scanlab" list >"$tmp/said" 2>&1 && grep -q 'Copied: ' "$tmp/said" && grep -q 'building anew' "$tmp/said" ||
  fail "a copied tree does not list its own labs"
"$tmp/copy/scanlab" list --help >"$tmp/said" 2>&1 && grep -q 'the copied labs' "$tmp/said" ||
  fail "a copied tree does not run what its own sources say"
exit $failed
