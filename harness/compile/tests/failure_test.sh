#!/bin/sh
# failure_test.sh SL_RUN CACHE: a source that does not compile is compiled once, and says the same the next time, under the name
# that it has then. What a fault of the machine may have caused is compiled again, and is no fault of the source.
run=$1 cache=$2 failed=0
tmp=$(mktemp -d) || exit 1
forget() { grep -l "_$$[ .]" "$cache"/*.failed 2>/dev/null | while read -r f; do rm -f "$f"; done; }
trap 'forget; rm -rf "$tmp"' EXIT
fail() { echo "FAILED: $*"; failed=1; }

# told FOLDER TEXT: what is said of a kernel in the folder that holds the text
mkdir "$tmp/a" "$tmp/b"
told() {
  printf '#include <scanlab/lab.h>\n%s\n' "$2" >"$tmp/$1/kernel.cu"
  "$run" 01 --n 1 --file "$tmp/$1/kernel.cu" >"$tmp/$1/said" 2>&1
  code=$?
}
remembered() { grep -l "_$$[ .]" "$cache"/*.failed 2>/dev/null; }

told a "int failure_test_$$ = missing;"
[ $code -eq 3 ] || fail "a wrong source: exit $code"
grep -q "$tmp/a/kernel.cu does not compile: kernel.cu(2): error: identifier" "$tmp/a/said" || fail "its message: $(cat "$tmp/a/said")"
file=$(remembered)
[ -f "$file" ] || fail "it is not remembered"

# It is not compiled again: what is remembered is told, with the path of now.
sed -i 's/identifier "missing"/identifier "remembered"/' "$file"
told b "int failure_test_$$ = missing;"
[ $code -eq 3 ] || fail "again: exit $code"
sed "s,$tmp/b,$tmp/a,; s/\"remembered\"/\"missing\"/" "$tmp/b/said" | diff "$tmp/a/said" - || fail "it says something else the second time"
grep -q '"remembered"' "$tmp/b/said" || fail "it was compiled again"

# Remembered by another compiler, or damaged: compiled anew.
for harm in '1s/^/other/' '2,$d' '1,$d'; do
  sed -i "$harm" "$file"
  told a "int failure_test_$$ = missing;"
  [ $code -eq 3 ] && grep -q '"missing"' "$tmp/a/said" || fail "after $harm: exit $code, $(cat "$tmp/a/said")"
done

# A function of later GPUs: why it is not there is told, also the second time. Not of a name that nobody has.
forget
for time in first second; do
  told a "__device__ unsigned failure_test_$$(unsigned x) { return __reduce_add_sync(~0u, x); }"
  [ $code -eq 3 ] && grep -q 'compiled for compute capability 7.5' "$tmp/a/said" || fail "later GPUs, $time time: $(cat "$tmp/a/said")"
done
told a "__device__ unsigned failure_test_$$(unsigned x) { return __reduce_it(x); }"
grep -q 'compute capability' "$tmp/a/said" && fail "a name that nobody has: $(cat "$tmp/a/said")"

# The assembler's messages name a line of the source, also of an asm outside of functions, whose file has another name each time.
forget
for time in first second; do
  told a "// failure_test_$$
asm(\"nop\\nnonsense %eax\");"
  grep -q 'does not compile: kernel.cu(3): error: no such instruction: .nonsense %eax' "$tmp/a/said" && ! grep -q 'cc.*\.s:' "$tmp/a/said" ||
    fail "asm outside of functions, $time time: $(cat "$tmp/a/said")"
done
told a "// failure_test_$$
int f() {
  asm volatile(\"more nonsense\");
  return 0;
}"
grep -q 'does not compile: kernel.cu(4): error: no such instruction: .more nonsense' "$tmp/a/said" || fail "asm in a function: $(cat "$tmp/a/said")"

# An error behind more warnings than are kept is told, and kept.
forget
told a "$(yes '#warning here' | head -2000)
int failure_test_$$ = missing;"
[ $code -eq 3 ] && grep -q 'does not compile: kernel.cu(2002): error: identifier "missing"' "$tmp/a/said" || fail "behind warnings: exit $code, $(head -c 2000 "$tmp/a/said")"
file=$(remembered)
grep -q 'error: identifier "missing"' "$file" && [ "$(wc -c <"$file")" -lt 66000 ] || fail "behind warnings: $(wc -c <"$file") bytes are kept"

# Words of a source are no limit that was reached.
forget
told a "#warning out of memory
int failure_test_$$ = missing;"
[ $code -eq 3 ] && grep -q 'does not compile: kernel.cu(3): error: identifier "missing"' "$tmp/a/said" || fail "words of a limit: exit $code, $(cat "$tmp/a/said")"

# A file that is not there may be there tomorrow.
forget
told a '#include "no_such_file_'$$'.h"'
[ $code -eq 3 ] || fail "a missing file: exit $code"
[ -z "$(remembered)" ] || fail "a missing file is remembered"

# A compiler that fails and names no error is not the source's fault; nor is a library that the machine loads into every program.
forget
printf '#!/bin/sh\necho "libx: no shared memory" >&2\nexit 1\n' >"$tmp/nvcc" && chmod +x "$tmp/nvcc"
SCANLAB_NVCC=$tmp/nvcc told a "int failure_test_$$ = 1;"
[ $code -eq 4 ] && grep -q 'ended with code 1 and named no error: libx: no shared memory' "$tmp/a/said" || fail "no error is named: exit $code, $(cat "$tmp/a/said")"
printf '%s\n' '#include <fcntl.h>' '#include <unistd.h>' '__attribute__((constructor)) static void look(void) {' \
  '  if (open("/etc/passwd", O_RDONLY) < 0) _exit(1);' '}' >"$tmp/look.c"
cc -shared -fPIC -o "$tmp/look.so" "$tmp/look.c" || fail "no library"
LD_PRELOAD=$tmp/look.so told a "extern \"C\" cudaError_t lab01_naive_scan(const float *, float *, int) { static int failure_test_$$; return failure_test_$$++, cudaSuccess; }"
[ $code -eq 1 ] || fail "a library that is loaded into every program: exit $code, $(cat "$tmp/a/said")"
exit $failed
