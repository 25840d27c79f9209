# Asynchronous copies under weak visibility: late_test.sh SL_SIM PROGRAM. Right programs stay right, a wait that is missing gives
# a wrong result; with strong visibility all are right by luck.
set -u
sim=$1 prog=$2 failed=0
run() { "$sim" --no-checks --no-counters --profile h100 --visibility "$1" -- "$prog" "$2" > /dev/null 2>&1; }
for case in groups:0 all:1 too_few:1 arrivals:0 arrivals_no_wait:1 bulk:0 bulk_no_wait:1; do
  run strong "${case%:*}" || { echo "FAILED: ${case%:*} with strong visibility"; failed=1; }
  run weak "${case%:*}"
  got=$?
  [ $got = "${case#*:}" ] || { echo "FAILED: ${case%:*} with weak visibility ends with $got, not ${case#*:}"; failed=1; }
done
exit $failed
