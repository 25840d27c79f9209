#!/bin/sh
# arm64.sh TREE: the preset arm64 configures, builds CUDA programs for arm64 whatever the environment says, has the tests that this
# machine has, and starts all by within.sh.
# Exit code 77: skipped, where its compilers or its libraries are missing (`cmake --preset arm64` fetches those).
set -u
tree=$1
command -v aarch64-linux-gnu-g++ > /dev/null || { echo "skipped: there is no compiler for arm64"; exit 77; }
[ -f "$tree/build/arm64-root/made" ] || { echo "skipped: there are no libraries of arm64 in build/arm64-root"; exit 77; }
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
cd "$tree" && cmake --preset arm64 -B "$tmp" > "$tmp/log" 2>&1 || { tail -n 20 "$tmp/log"; exit 1; }
for host in -uNVCC_CCBIN NVCC_CCBIN=/usr/bin/g++; do
  rm -f "$tmp/bin/cudart_fresh"
  env $host cmake --build "$tmp" --target cudart_fresh > "$tmp/log" 2>&1 || { tail -n 20 "$tmp/log"; exit 1; }
  machine=$(od -An -tx1 -j18 -N2 "$tmp/bin/cudart_fresh" | tr -d ' ')
  [ "$machine" = b700 ] || { echo "env $host builds a CUDA program for machine $machine, not for arm64 (b700)"; exit 1; }
done
ctest --test-dir "$tmp" --show-only=json-v1 > "$tmp/tests.json" || exit 1
SL_SLOW="5 minutes" "$tree/harness/cmake/arm64/within.sh" true | grep -q '^skipped: qemu needs 5 minutes' || { echo "a slow test is not skipped"; exit 1; }
python3 - "$tmp/tests.json" "$tree/harness/cmake/arm64/slow.txt" << 'END'
import json, sys
tests = json.load(open(sys.argv[1]))["tests"]
slow = sorted(line.split()[0] for line in open(sys.argv[2]) if line[0] != "#")
marked = sorted(t["name"] for t in tests if any(p["name"] == "ENVIRONMENT_MODIFICATION" and "SL_SLOW=set:" in str(p) for p in t["properties"]))
if slow != marked: sys.exit(f"slow.txt names {slow}, and {marked} are passed over")
bad = [t["name"] for t in tests if not t.get("command", [""])[0].endswith("/within.sh") or "$<" in "".join(t["command"])]
print(len(tests), "tests,", len(bad), "not started by within.sh", *bad[:9])
sys.exit(bool(bad) or len(tests) < 500)
END
