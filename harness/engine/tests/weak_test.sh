# Weak visibility: weak_test.sh SL_SIM PROGRAM. Right programs are right under every seed, wrong ones wrong under
# some; with strong visibility and the blocks in their order all are right.
set -u
sim=$1 prog=$2 seeds=8 failed=0
run() { "$sim" --no-checks --no-counters --warps random --visibility "$1" --seed "$2" -- "$prog" "$3" > /dev/null 2>&1; }
for case in chain last_block release one_word passed_on by_another_warp never_back same_value own_view entered; do
  for seed in $(seq $seeds); do
    run weak "$seed" $case || { echo "FAILED: $case is right, but not with seed $seed (status $?)"; failed=1; }
  done
done
for case in chain_no_publisher_fence chain_block_fence chain_no_reader_fence last_block_no_fence \
            last_block_wrong_thread_fences release_relaxed entered_no_fence; do
  wrong=0
  run strong 1 $case || { echo "FAILED: $case with strong visibility (status $?)"; failed=1; }
  for seed in $(seq $seeds); do run weak "$seed" $case; [ $? = 1 ] && wrong=$((wrong + 1)); done
  echo "$case: wrong for $wrong of $seeds seeds"
  [ $wrong -gt 0 ] || { echo "FAILED: $case is wrong, but was never seen to be"; failed=1; }
done
# The observers see the same with both: a finding belongs to the program, not to the schedule.
for case in chain last_block release one_word same_value own_view; do
  "$sim" --checks kernel --warps random --visibility weak --seed 3 -- "$prog" $case 2>&1 | grep 'error\[' && { echo "FAILED: a finding in $case"; failed=1; }
done
for case in chain_no_reader_fence last_block_no_fence last_block_wrong_thread_fences; do
  "$sim" --checks kernel --visibility weak --seed 3 -- "$prog" $case 2>&1 | grep -q 'error\[order.fence' || { echo "FAILED: nothing found in $case"; failed=1; }
done
exit $failed
