#!/bin/sh
# host_gxx.sh ROOT BUILD: cmake, ninja, ctest and the programs of a build, called without the entry script where g++ is newer than
# nvcc takes it. The machine is imitated: a gcc that says 17, a g++-14 and a g++-16, an nvcc that takes 15 and writes how it was called.
set -u
root=$1 build=$2 failed=0
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
unset NVCC_CCBIN SCANLAB_NVCC
fail() { echo "FAILED: $*"; cat "$tmp/said"; failed=1; }
mkdir -p "$tmp/bin" "$tmp/toolkit/bin" "$tmp/toolkit/include/crt"
echo '#if __GNUC__ > 15' > "$tmp/toolkit/include/crt/host_config.h"
: > "$tmp/toolkit/include/cuda_runtime_api.h"
cat > "$tmp/toolkit/bin/nvcc" << END
#!/bin/sh
case " \$* " in
*' --dryrun '*) echo "#\$ TOP=$tmp/toolkit/bin/.." >&2 ;;
*' -v '*) printf 'search starts here:\n /usr/include\nEnd of search list.\n' >&2 ;;
*) for out; do :; done; echo "called: \$*" > "\$out" ;;
esac
END
printf '#!/bin/sh\necho 17.2.0\n' > "$tmp/bin/gcc"
for name in g++-14 g++-16; do : > "$tmp/bin/$name"; done
chmod +x "$tmp"/bin/* "$tmp/toolkit/bin/nvcc"
: > "$tmp/one.cu"
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(plain LANGUAGES NONE)' 'enable_testing()' "list(APPEND CMAKE_IGNORE_PATH /usr/bin /bin /usr/local/bin)" \
  "include([[$root/harness/cmake/ScanlabCuda.cmake]])" 'sl_add_cuda_program(one SOURCES one.cu)' 'add_test(NAME told COMMAND printenv NVCC_CCBIN)' > "$tmp/CMakeLists.txt"

# plain [NAME=VALUE]: configures with that in the environment, builds and tests without it.
plain() {
  rm -rf "$tmp/b"
  (cd "$tmp" && PATH=$tmp/bin:$PATH env "$@" cmake -G Ninja -DSL_NVCC="$tmp/toolkit/bin/nvcc" -B b && PATH=$tmp/bin:$PATH ninja -C b && cat b/bin/one && ctest --test-dir b -V) > "$tmp/said" 2>&1
}
says() { grep -qF -- "$1" "$tmp/said" || fail "$2: not said: $1"; }
plain || fail "a too new g++, and an older one beside it"
says "called: -ccbin $tmp/bin/g++-14 " "ninja"
says "1: $tmp/bin/g++-14" "ctest"
plain NVCC_CCBIN=/usr/bin/clang++ || fail "NVCC_CCBIN"
says 'called: -ccbin /usr/bin/clang++ ' "NVCC_CCBIN"
rm "$tmp/bin/g++-14"
plain && fail "there is no g++ that nvcc takes, and cmake goes on"
says 'nvcc takes g++ up to version 15, and this machine has 17' "no g++"
printf '#!/bin/sh\necho 15.2.0\n' > "$tmp/bin/gcc"
plain
says 'called: -arch=' "a g++ that nvcc takes"

# Configured with another toolkit, the folder has nothing of the first.
mkdir -p "$tmp/other/bin" && cp -r "$tmp/toolkit/include" "$tmp/other" && sed "s|$tmp/toolkit|$tmp/other|" "$tmp/toolkit/bin/nvcc" > "$tmp/other/bin/nvcc"
chmod +x "$tmp/other/bin/nvcc"
(cd "$tmp" && PATH=$tmp/bin:$PATH cmake -DSL_NVCC="$tmp/other/bin/nvcc" b && cat b/CMakeCache.txt) > "$tmp/said" 2>&1 || fail "another toolkit"
says "SL_CUDA_INCLUDE:PATH=$tmp/other/include" "another toolkit"

# The build's own programs, which have no entry script to tell them: their file `course` does.
mkdir -p "$tmp/moved/bin" && cp "$build"/bin/sl-* "$tmp/moved/bin/"
for part in lib runner; do [ ! -e "$build/$part" ] || ln -s "$build/$part" "$tmp/moved/$part"; done
sed "s|^root=.*|root=$(realpath --relative-to="$tmp/moved" "$root")|" "$build/course" | grep -v '^host=' > "$tmp/moved/course"
echo "host=/usr/bin/no-such-g++" >> "$tmp/moved/course"
env -u SCANLAB_ROOT -u SCANLAB_BUILD "$tmp/moved/bin/sl-run" 01 --n 4 --file "$root/solutions/01_naive_scan/kernel.cu" > "$tmp/said" 2>&1
says 'no-such-g++' "a kernel is compiled by the g++ of the build"
exit $failed
