#!/bin/sh
# same_bytes.sh OTHER BUILD TREE WHAT..: does another simulated GPU give the same bytes as the one that BUILD takes on this machine?
# OTHER: the build for arm64, whose programs qemu runs; "any": the program of BUILD that runs on every processor; "wide": the
# one for processors with AVX2.
#
#   selftest               every instruction form, against computed results
#   programs 'NAME ARGS'.. CUDA programs: their output, digests, findings, and the report with the counters of every line
#   solutions              the six reference solutions: their records and reports
#
# A program that leaves no report fails: equal errors are no equal results.
# The client is the one of BUILD both times, so both execute the same PTX. Times are left out of the comparison. Exit code 77:
# skipped.
set -u
other=$1 build=$2 tree=$3 what=$4
shift 4
skip() { echo "skipped: $1"; exit 77; }
[ -x "$build/bin/sl-gpu" ] && [ -x "$build/bin/corpus_06" ] || skip "$build is not built (./scanlab build): the programs that both GPUs run are there"
case $other in
any) [ -x "$build/bin/sl-gpu-wide" ] && grep -q '^flags.* avx2 ' /proc/cpuinfo || skip "on this machine there is no other program" ;;
wide) [ -x "$build/bin/sl-gpu-widest" ] && grep -q '^flags.* avx512vl ' /proc/cpuinfo || skip "on this machine there is no wider program" ;;
*)
  qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || skip "there is no qemu-aarch64"
  [ -x "$other/bin/sl-gpu" ] || skip "$other is not built (cmake --preset arm64; cmake --build --preset arm64)" ;;
esac
# A folder of tools for each GPU; a program looks for others where it lies itself. The names are of one length: the environment
# lies on the stack of the program, so their length moves the addresses of its variables, which a finding may name.
mixed=$(dirname -- "$build")/same_bytes.$what.$$
trap 'rm -rf "$mixed".first "$mixed".other' EXIT
for side in "$mixed.first" "$mixed.other"; do
  mkdir -p "$side/bin"
  for tool in "$build"/bin/sl-*; do ln "$tool" "$side/bin/" || exit 4; done
  ln -s "$build"/bin/selftest_vectors_* "$side/bin/"
  ln -s "$build/lib" "$build/runner" "$side/" 2> /dev/null
  cp "$build/course" "$side/"
done
rm -f "$mixed.other/bin/sl-gpu-wide" "$mixed.other/bin/sl-gpu-widest"
gpu=$build/bin/sl-gpu # under each name, whichever this machine takes
if [ "$other" = wide ]; then gpu=$build/bin/sl-gpu-wide
elif [ "$other" != any ]; then
  rm "$mixed.other/bin/sl-gpu"
  printf '#!/bin/sh\nexec "%s" "%s/bin/sl-gpu" "$@"\n' "$qemu" "$other" > "$mixed.other/bin/sl-gpu"
  chmod +x "$mixed.other/bin/sl-gpu"
  gpu=$mixed.other/bin/sl-gpu
  export SCANLAB_SANDBOX=off # qemu knows no filter of system calls
fi
for width in wide widest; do ln "$gpu" "$mixed.other/bin/sl-gpu-$width"; done
export SCANLAB_ROOT="$tree" SCANLAB_BUILD="$build"

# untimed FILE..: without times, and without the folders of tools and of one compilation.
untimed() {
  sed -E -i -e 's/"(seconds|processor_seconds|reference_ms)": ?[-0-9.e+]+/"\1": 0/g; s/"(times_ms|effort_s)": ?[{][^}]*[}]/"\1": {}/g' \
    -e "s#/cache/tmp[.][0-9]*/#/cache/#g; s#$mixed[.](first|other)#TOOLS#g" "$@"
}

# both NAME COMMAND..: the command with each build's tools, whose folder stands in it as @, and OUT for the folder of its output.
both() {
  name=$1
  shift
  for side in "$mixed.first" "$mixed.other"; do
    out=$side/out
    rm -rf "$out" && mkdir -p "$out"
    (
      cd "$build/bin" && for word; do
        shift
        case $word in @*) word=$side/bin/${word#@} ;; OUT*) word=$out/${word#OUT} ;; esac
        set -- "$@" "$word"
      done
      "$@" > "$out/said" 2> "$out/error"
      echo "exit code $?" >> "$out/said"
    )
    untimed "$out"/*
  done
  if [ ! -s "$out/report.json" ]; then
    echo "there is no report: $name"
    tail -n 6 "$out"/* | cut -c 1-300
    bad=1
  elif diff -r "$mixed.first/out" "$mixed.other/out" > "$mixed.other/diff"; then echo "the same: $name ($(cat "$out"/* | wc -c) bytes)"
  else
    echo "differs: $name"
    head -n 6 "$mixed.other/diff" | cut -c 1-300
    bad=1
  fi
}

bad=0
case $what in
selftest) "$mixed.other/bin/sl-selftest" "$@" || bad=1 ;;
programs)
  for one; do both "$one" @sl-sim --lines --timeout 300 --report OUTreport.json --digest OUTdigest --findings OUTfindings -- $one; done ;;
solutions)
  for lab in "$tree"/solutions/0*; do
    number=$(basename "$lab" | cut -c 1-2)
    case $number in 05 | 06) sizes='1 4099' ;; *) sizes='1 1000' ;; esac
    case $other in any | wide) sizes=${sizes#1 } ;; esac
    for n in $sizes; do
      both "$number, n = $n" @sl-run "$number" --file "$lab/kernel.cu" --n $n --check --lines --report OUTreport.json --record OUTrecord.json
    done
  done ;;
*) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
[ $bad -eq 0 ]
