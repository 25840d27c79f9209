#!/bin/sh
# check_test.sh CORPUS_CHECK SL-SIM PROGRAM FOLDER: what corpus_check lets pass, and what not: files of FOLDER (PROGRAM holds them)
# with another expectation.
set -u
check=$1 sim=$2 program=$3 folder=$4
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
changed=$dir/$(basename "$folder")
mkdir "$changed"
cd "$folder/.." || exit 2 # from here on, findings name files as NAME-OF-FOLDER/FILE
failed=0
says() { # accepted|refused VARIANT FILE[:NAME] EXPECTATION
  file=${3%:*} name=${3#"${3%:*}"}
  sed "s|^// expect${name:+ ${name#:}}: .*|// expect${name:+ ${name#:}}: $4|" "$folder/$file.cu" >"$changed/$file.cu"
  if "$check" "$sim" "$program" "$2" "$changed/$file.cu" >"$dir/out" 2>&1; then got=accepted; else got=refused; fi
  [ $got = "$1" ] && return
  echo "FAILED: $got: $2 $3: $4"
  cat "$dir/out"
  failed=1
}
says accepted wrong ticket_without_barrier 'race.shared at here, memory.uninit'
says accepted wrong ticket_without_barrier 'memory.uninit at 10, race.shared at each here'
says accepted wrong ticket_without_barrier 'race.shared, memory.uninit'
says accepted twin ticket_without_barrier 'race.shared at here, memory.uninit'
says refused wrong ticket_without_barrier 'race.shared at here'                       # another kind is found
says refused wrong ticket_without_barrier 'race.shared at here, memory.uninit, memory.leak' # one is not found
says refused wrong ticket_without_barrier 'race.shared at 9, memory.uninit'           # another line
says refused wrong ticket_without_barrier 'race.shared at there, memory.uninit'       # no such mark
says refused wrong ticket_without_barrier 'race.shared near here, memory.uninit'      # not the grammar
says refused wrong ticket_without_barrier 'race.shared at only 9, memory.uninit'      # not all findings are there
says refused wrong ticket_without_barrier nothing
says accepted wrong streams_ordered nothing
says refused wrong streams_ordered 'race.global at 5'
says accepted wrong chain:publisher_without_fence 'order.fence at here'
says refused wrong chain:publisher_without_fence nothing                              # one mistake of several
says refused wrong chain:reader_without_fence 'order.fence at 9'
says accepted twin chain:reader_without_fence 'order.fence at 9'
says accepted wrong trip_of_other_block 'race.global at each here'
sed -i 's/trip 5/trip 6/' "$changed/trip_of_other_block.cu"
"$check" "$sim" "$program" wrong "$changed/trip_of_other_block.cu" >"$dir/out" && { echo "FAILED: another trip is accepted"; failed=1; }
"$check" --clean "$sim" "$program" >"$dir/out" && { echo "FAILED: exit status 3 is accepted"; failed=1; }
# Tests run at the same time, this one beside those of the programs: each run has a report of its own.
printf '#!/bin/sh\nwhile [ "$1" != --report ]; do shift; done\necho "$2" >> "%s"\n' "$dir/reports" >"$dir/sim" && chmod +x "$dir/sim"
for k in 1 2; do "$check" "$dir/sim" "$program" twin "$folder/streams_ordered.cu" >"$dir/out"; done
[ "$(sort -u "$dir/reports" | wc -l)" = 2 ] || { echo "FAILED: two runs share a report: $(cat "$dir/reports")"; failed=1; }
exit $failed
