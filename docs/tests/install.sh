#!/bin/sh
# An installed scanlab, read-only, used by an ordinary user with a fresh home. And what a .deb holds.
# Usage: install.sh tree|package ROOT BUILD
set -u
what=$1 root=$2 build=$3
tmp=$(mktemp -d) || exit 4
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$1"; [ ! -f "$tmp/said" ] || tail -n 20 "$tmp/said" | sed 's/^/  /'; failed=1; }

if [ "$what" = package ]; then
  command -v dpkg-deb >/dev/null || { echo "skipped: there is no dpkg-deb"; exit 77; }
  cpack --config "$build/CPackConfig.cmake" -B "$tmp/deb" >"$tmp/said" 2>&1 || fail "cpack"
  dpkg-deb -c "$tmp"/deb/*.deb >"$tmp/said" || fail "dpkg-deb"
  for file in bin/scanlab lib/scanlab/bin/sl-judge lib/scanlab/lib/libcudart.so.13 lib/scanlab/lib/sl_runner_06.o \
      lib/scanlab/course share/scanlab/labs/03_blelloch/kernel.cu share/scanlab/harness/include/scanlab/lab.h \
      share/scanlab/datasets/manifest.json share/scanlab/grader/report.css share/scanlab/docs/student/first-steps.md; do
    grep -q " ./usr/$file\$" "$tmp/said" || fail "the package has no $file"
  done
  grep -E 'solutions|/tests/|CMakeLists' "$tmp/said" && fail "the package holds what it should not"
  dpkg-deb -f "$tmp"/deb/*.deb Depends | grep -q libseccomp2 || fail "the package names no libraries"
  exit $failed
fi

prefix=$tmp/prefix home=$tmp/home
cmake --install "$build" --prefix "$prefix" >"$tmp/said" 2>&1 || fail "cmake --install"
mkdir -p "$home/class/ada/01_naive_scan"
cp "$root/solutions/01_naive_scan/kernel.cu" "$home/class/ada/01_naive_scan" || exit 77
chmod -R a-w,a+rX "$prefix"
chmod 755 "$tmp"
as=
if [ "$(id -u)" = 0 ]; then
  chown -R 65534:65534 "$home"
  as='setpriv --reuid 65534 --regid 65534 --clear-groups'
fi
nvcc=$(sed -n 's/^nvcc=//p' "$build/course")
$as test -x "$nvcc" || { echo "skipped: an ordinary user cannot reach $nvcc"; exit 77; }
# user COMMAND..: the installed scanlab in the user's home.
user() {
  (cd "$home" && $as env -u SCANLAB_ROOT -u SCANLAB_BUILD -u SCANLAB_LABS -u XDG_CACHE_HOME HOME="$home" \
     SCANLAB_OFFLINE=1 SCANLAB_NVCC="$nvcc" "$prefix/bin/scanlab" "$@") >"$tmp/said" 2>&1
}

user list && grep -q '^labs/01_naive_scan/' "$tmp/said" || fail "list"
user check 01 --file class/ada/01_naive_scan/kernel.cu || fail "check of a solution"
user check 01; [ $? -eq 3 ] && grep -q 'scanlab start' "$tmp/said" || fail "check without labs does not name start"
user start || fail "start"
user start; [ $? -eq 3 ] || fail "start over labs that are there"
user status || fail "status"
user hint 01.1 || fail "hint"
# Help and hints name the command as the user calls it, and commands that are there.
for words in help 'hint 01' 'check --help' 'run --help' 'sim --help' 'datasets --help' 'grade --help' 'setup --help' nonsense 'hint 09'; do
  user $words
  if grep -F './scanlab' "$tmp/said"; then fail "scanlab $words names ./scanlab"; fi
done
user help && grep -q '^  start ' "$tmp/said" && ! grep -q '^  selftest ' "$tmp/said" || fail "help names other commands than there are"
user check 01; [ $? -eq 1 ] && grep -q '  hint   scanlab hint 01.1' "$tmp/said" || fail "check of a skeleton"
cp "$root/solutions/01_naive_scan/kernel.cu" "$home/labs/01_naive_scan/kernel.cu"
[ -z "$as" ] || chown 65534:65534 "$home/labs/01_naive_scan/kernel.cu"
user check 01 || fail "check of a lab of one's own"
user reset 01 && grep -q 'SL_TODO("lab01' "$home/labs/01_naive_scan/kernel.cu" || fail "reset"
user run 01 --n 100 --file class/ada/01_naive_scan/kernel.cu || fail "run"
user profile 01 --file class/ada/01_naive_scan/kernel.cu || fail "profile"
user trace 01 --n 8 --file class/ada/01_naive_scan/kernel.cu || fail "trace"
user datasets list || fail "datasets"
user grade class --no-plots --lab 01 --json results.json || fail "grade"
grep -q '"score": 100' "$home/results.json" || fail "grade gives a solution no full score"
user test; [ $? -eq 2 ] && grep -q 'source tree' "$tmp/said" || fail "test is no command of an installation"
[ -d "$home/.cache/scanlab/cache" ] || fail "kernels are not built in the user's cache folder"
# Without HOME, too, programs are run from the user's own folder alone, and not from one that anybody can make.
[ -e /tmp/.cache/scanlab ] && before=1 || before=
for program in bin/scanlab\ run lib/scanlab/bin/sl-run; do
  (cd "$home" && $as env -u SCANLAB_ROOT -u SCANLAB_BUILD -u SCANLAB_LABS -u XDG_CACHE_HOME -u HOME SCANLAB_OFFLINE=1 SCANLAB_NVCC="$nvcc" \
     $prefix/$program 01 --n 10 --file class/ada/01_naive_scan/kernel.cu) >"$tmp/said" 2>&1
  [ -n "$before" ] || [ ! -e /tmp/.cache/scanlab ] || fail "$program without HOME works below /tmp"
done
find "$prefix" -newer "$home/class/ada/01_naive_scan/kernel.cu" -type f -mmin -0.01 | grep . && fail "files were changed"
exit $failed
