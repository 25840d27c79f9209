#!/bin/sh
# arm64.sh TREE: the preset arm64 configures, builds CUDA programs for arm64 whatever the environment says, has the tests that this
# machine has (but one), and starts all by within.sh.
# Exit code 77: skipped, where its compilers or its libraries are missing (`cmake --preset arm64` fetches those).
set -u
tree=$1
command -v aarch64-linux-gnu-g++ > /dev/null || { echo "skipped: there is no compiler for arm64"; exit 77; }
[ -f "$tree/build/sim/CTestTestfile.cmake" ] || { echo "skipped: nothing is configured in build/sim, whose tests should be those of arm64"; exit 77; }
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
ctest --test-dir "$tree/build/sim" --show-only=json-v1 > "$tmp/here.json" || exit 1
SL_SLOW="5 minutes" "$tree/harness/cmake/arm64/within.sh" true | grep -q '^skipped: qemu needs 5 minutes' || { echo "a slow test is not skipped"; exit 1; }
python3 - "$tmp/tests.json" "$tmp/here.json" "$tree/harness/cmake/arm64/slow.txt" << 'END'
import json, sys
tests, here = [json.load(open(name))["tests"] for name in sys.argv[1:3]]
slow = sorted(line.split()[0] for line in open(sys.argv[3]) if line[0] != "#")
marked = sorted(t["name"] for t in tests if any(p["name"] == "ENVIRONMENT_MODIFICATION" and "SL_SLOW=set:" in str(p) for p in t["properties"]))
if slow != marked: sys.exit(f"slow.txt names {slow}, and {marked} are passed over")
bad = [t["name"] for t in tests if not t.get("command", [""])[0].endswith("/within.sh") or "$<" in "".join(t["command"])]
print(len(tests), "tests,", len(bad), "not started by within.sh", *bad[:9])
missing = {t["name"] for t in here} - {t["name"] for t in tests} - {"host_ldflags"}  # how programs are linked on the machine itself
if missing: sys.exit(f"the preset sim has these tests, arm64 has not: {sorted(missing)}")
sys.exit(bool(bad))
END
