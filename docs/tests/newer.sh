#!/bin/sh
# newer.sh ROOT NVCC: the entry script on systems that are newer than NVIDIA's compiler: a C library that declares rsqrt() as noexcept,
# and a g++ that nvcc does not take; on one whose cmake is too old, and with a toolkit of another release. All are imitated.
set -u
root=$1 nvcc=$2 failed=0
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
said=$tmp/said
unset SCANLAB_NVCC SCANLAB_PRESET SCANLAB_FETCH_NVCC NVCC_CCBIN CPATH
export SCANLAB_OFFLINE=1
fail() { echo "newer.sh: $*"; cat "$said"; failed=1; }

# The C library as it is from version 2.42 on.
mkdir -p "$tmp/libc/bits" "$tmp/first/bits" && printf '%s\n' '#include_next <bits/mathcalls.h>' '__MATHCALL (rsqrt,, (_Mdouble_ __x));' > "$tmp/libc/bits/mathcalls.h"
sed -n "/mathcalls.h\"; } <<'END'/,/^END\$/p" "$root/scanlab" | sed '1d; $d' > "$tmp/first/bits/mathcalls.h"
printf '%s\n' '#include <cmath>' '__global__ void roots(float *x, double *y) { x[0] = rsqrtf(x[0]), y[0] = rsqrt(y[0]) + cos(y[1]); }' \
  'double host(double x) { return rsqrt(x) + cos(x); }' > "$tmp/roots.cu"
compiled() { "$nvcc" -std=c++17 -arch=compute_75 -ptx "$@" "$tmp/roots.cu" -o "$tmp/ptx" > "$said" 2>&1; }
compiled || fail "nvcc refuses a source that has nothing special"
mv "$tmp/ptx" "$tmp/as_ever"
if [ -z "${nvcc##*/build/cuda/*}" ]; then echo "newer.sh: this compiler has the header already"
elif ! grep -q ' rsqrt(double x);' "${nvcc%/bin/nvcc}/include/crt/math_functions.h"; then echo "newer.sh: this toolkit declares rsqrt() as the C library does"
elif compiled -isystem "$tmp/libc"; then fail "nvcc takes the newer C library: the header has no use"
fi
compiled -I "$tmp/first" -isystem "$tmp/libc" || fail "nvcc refuses the newer C library, with the header"
cmp -s "$tmp/ptx" "$tmp/as_ever" || fail "the header changes what nvcc makes"

# A machine with both: a copy of the entry script that looks for headers there, and a toolkit that only says what it is.
mkdir -p "$tmp/tree" "$tmp/toolkit/bin" "$tmp/toolkit/include/crt" "$tmp/farm" && echo 'cmake_minimum_required(VERSION 3.25)' > "$tmp/tree/CMakeLists.txt"
sed "s|^header_folders=\"|&$tmp/libc |" "$root/scanlab" > "$tmp/tree/scanlab" && chmod +x "$tmp/tree/scanlab"
printf '#!/bin/sh\necho "#$ TOP=%s/bin/.." >&2\n' "$tmp/toolkit" > "$tmp/toolkit/bin/nvcc" && chmod +x "$tmp/toolkit/bin/nvcc"
echo 'extern double                 rsqrt(double x);' > "$tmp/toolkit/include/crt/math_functions.h"
ln -s /usr/local/bin/* /usr/bin/* /bin/* "$tmp/farm" 2> /dev/null
rm -f "$tmp"/farm/nvcc "$tmp"/farm/g++-* "$tmp"/farm/gcc "$tmp"/farm/cmake
printf '#!/bin/sh\n[ $1 != --version ] || { echo "cmake version $CMAKE_IS"; exit; }\necho "g++ for nvcc: ${NVCC_CCBIN:-as ever}"\nexit 1\n' > "$tmp/farm/cmake"
printf '#!/bin/sh\necho 17.2.0\n' > "$tmp/farm/gcc" && chmod +x "$tmp/farm/cmake" "$tmp/farm/gcc"
rm -f "$tmp/farm/python3" && printf '#!/bin/sh\nexit 0\n' > "$tmp/farm/python3" && chmod +x "$tmp/farm/python3" # it has pip, which a machine with a toolkit may lack
setup() { PATH=$tmp/farm "$@" "$tmp/tree/scanlab" setup > "$said" 2>&1 < /dev/null; }
export CMAKE_IS=3.25.0
says() { grep -q -- "$1" "$said" || fail "it does not say: $1"; }

setup env SCANLAB_NVCC="$tmp/toolkit/bin/nvcc"
[ $? = 4 ] || fail "a compiler that compiles nothing here is taken"
says 'compiles nothing here'
says 'of CUDA 13, version 13.2 or later, or unset SCANLAB_NVCC'
# The compiler of another release of CUDA: one that was named is refused, one that is only there is left alone.
cp "$tmp/toolkit/bin/nvcc" "$tmp/kept"
sed -i '2i echo "Cuda compilation tools, release 12.5, V12.5.82"' "$tmp/toolkit/bin/nvcc"
setup env SCANLAB_NVCC="$tmp/toolkit/bin/nvcc"
[ $? = 4 ] || fail "a compiler of CUDA 12 is taken"
says 'is of CUDA 12: its programs want another runtime library'
says 'of CUDA 13, version 13.0 or later, or unset SCANLAB_NVCC'
ln -s "$tmp/toolkit/bin/nvcc" "$tmp/farm/nvcc"
setup env SCANLAB_OFFLINE=1
[ $? = 4 ] || fail "a compiler of CUDA 12 on the path is taken"
says 'nvcc is missing'
rm "$tmp/farm/nvcc" && mv "$tmp/kept" "$tmp/toolkit/bin/nvcc"
echo 'extern double rsqrt(double x) _NV_RSQRT_SPECIFIER;' > "$tmp/toolkit/include/crt/math_functions.h"
setup env SCANLAB_NVCC="$tmp/toolkit/bin/nvcc"
says 'g++ for nvcc: as ever'
CMAKE_IS=3.22.1
setup env SCANLAB_NVCC="$tmp/toolkit/bin/nvcc"
[ $? = 4 ] || fail "an old cmake is taken"
says 'cmake 3.22.1 is too old: the course needs 3.25 or newer'
CMAKE_IS=4.1.0

# Several commands at once: one configures, the others wait and find it done.
cp "$tmp/farm/cmake" "$tmp/cmake" && cat > "$tmp/farm/cmake" <<END
#!/bin/sh
[ \$1 != --version ] || { echo "cmake version 4.1.0"; exit; }
echo begins >> "$tmp/configured"; sleep 1; echo ends >> "$tmp/configured"; : > build/sim/build.ninja
END
for k in 1 2 3; do
  PATH=$tmp/farm SCANLAB_NVCC=$tmp/toolkit/bin/nvcc "$tmp/tree/scanlab" setup > "$tmp/said$k" 2>&1 < /dev/null &
done
wait
[ "$(cat "$tmp"/said? | grep -c 'ready: ')" = 3 ] || fail "three at once: $(cat "$tmp"/said?)"
[ "$(tr '\n' ' ' < "$tmp/configured")" = 'begins ends ' ] || fail "three at once: $(cat "$tmp/configured")"
grep -q 'waiting for another build' "$tmp"/said? || fail 'three at once: nobody waits'
rm -rf "$tmp/tree/build" && mv "$tmp/cmake" "$tmp/farm/cmake"

# g++ 17, and an nvcc that takes 15.
echo '#if __GNUC__ > 15' > "$tmp/toolkit/include/crt/host_config.h"
: > "$tmp/farm/g++-14" && : > "$tmp/farm/g++-16" && chmod +x "$tmp/farm/g++-14" "$tmp/farm/g++-16"
setup env SCANLAB_NVCC="$tmp/toolkit/bin/nvcc"
says "g++ for nvcc: $tmp/farm/g++-14"
setup env SCANLAB_NVCC="$tmp/toolkit/bin/nvcc" NVCC_CCBIN=/usr/bin/clang++
says 'g++ for nvcc: /usr/bin/clang++'
rm "$tmp/farm/g++-14"
rm -f "$tmp/farm/apt-get" "$tmp/farm/dnf" "$tmp/farm/pacman" "$tmp/farm/zypper"
setup env SCANLAB_NVCC="$tmp/toolkit/bin/nvcc"
[ $? = 4 ] || fail "a compiler is taken that nvcc does not take"
says 'nvcc takes g++ up to version 15, and this machine has 17'
for names in 'apt-get g++-15' 'dnf gcc15-c++' 'pacman gcc15' 'zypper gcc15-c++'; do
  manager=${names%% *}
  printf '#!/bin/sh\nexit 1\n' > "$tmp/farm/$manager" && chmod +x "$tmp/farm/$manager"
  setup env SCANLAB_NVCC="$tmp/toolkit/bin/nvcc"
  says "missing packages: ${names#* }"
  says "$manager .*${names#* }"
  rm "$tmp/farm/$manager"
done
exit $failed
