#!/bin/sh
# arm64.sh ARM64_BUILD X86_BUILD TREE WHAT..: does the simulated GPU of arm64, run by qemu, give the same bytes as this machine's?
#
#   selftest               every instruction form, against computed results
#   programs 'NAME ARGS'.. CUDA programs: their output, digests, findings, and the report with the counters of every line
#   solutions              the six reference solutions: their records and reports
#
# The client is the one of X86_BUILD both times, so both execute the same PTX. Times are left out of the comparison. Exit code 77:
# skipped.
set -u
arm=$1 x86=$2 tree=$3 what=$4
shift 4
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || { echo "skipped: there is no qemu-aarch64"; exit 77; }
[ -x "$arm/bin/sl-gpu" ] || { echo "skipped: $arm is not built (cmake --preset arm64; cmake --build --preset arm64)"; exit 77; }
[ -x "$x86/bin/sl-gpu" ] && [ -x "$x86/bin/corpus_06" ] || {
  echo "skipped: $x86 is not built (./scanlab build): the programs that both GPUs run are there"
  exit 77
}
# A folder of tools for each GPU; a program looks for others where it lies itself. The names are of one length: the environment
# lies on the stack of the program, so their length moves the addresses of its variables, which a finding may name.
mixed=$(dirname -- "$x86")/arm64-mixed.$what.$$
trap 'rm -rf "$mixed".x8664 "$mixed".arm64' EXIT
for side in "$mixed.x8664" "$mixed.arm64"; do
  mkdir -p "$side/bin"
  for tool in sl-sim sl-run sl-jail sl-selftest sl-gpu; do ln "$x86/bin/$tool" "$side/bin/" || exit 4; done
  ln -s "$x86"/bin/selftest_vectors_* "$side/bin/"
  ln -s "$x86/lib" "$x86/runner" "$side/" 2> /dev/null
  cp "$x86/course" "$side/"
done
rm "$mixed.arm64/bin/sl-gpu"
printf '#!/bin/sh\nexec "%s" "%s/bin/sl-gpu" "$@"\n' "$qemu" "$arm" > "$mixed.arm64/bin/sl-gpu"
chmod +x "$mixed.arm64/bin/sl-gpu"
# qemu knows no filter of system calls.
export SCANLAB_SANDBOX=off SCANLAB_ROOT="$tree" SCANLAB_BUILD="$x86"

# untimed FILE..: without times, and without the folders of tools and of one compilation.
untimed() {
  sed -E -i -e 's/"(seconds|reference_ms)": ?[-0-9.e+]+/"\1": 0/g; s/"(times_ms|effort_s)": ?[{][^}]*[}]/"\1": {}/g' \
    -e "s#/cache/tmp[.][0-9]*/#/cache/#g; s#$mixed[.](x8664|arm64)#TOOLS#g" "$@"
}

# both NAME COMMAND..: the command with each build's tools, whose folder stands in it as @, and OUT for the folder of its output.
both() {
  name=$1
  shift
  for side in "$mixed.x8664" "$mixed.arm64"; do
    out=$side/out
    rm -rf "$out" && mkdir -p "$out"
    (
      cd "$x86/bin" && for word; do
        shift
        case $word in @*) word=$side/bin/${word#@} ;; OUT*) word=$out/${word#OUT} ;; esac
        set -- "$@" "$word"
      done
      "$@" > "$out/said" 2> "$out/error"
      echo "exit code $?" >> "$out/said"
    )
    untimed "$out"/*
  done
  if diff -r "$mixed.x8664/out" "$mixed.arm64/out" > "$mixed.arm64/diff"; then echo "the same: $name ($(cat "$out"/* | wc -c) bytes)"
  else
    echo "differs: $name"
    head -n 6 "$mixed.arm64/diff" | cut -c 1-300
    bad=1
  fi
}

bad=0
case $what in
selftest) "$mixed.arm64/bin/sl-selftest" "$@" || bad=1 ;;
programs)
  for one; do both "$one" @sl-sim --lines --timeout 300 --report OUTreport.json --digest OUTdigest --findings OUTfindings -- $one; done ;;
solutions)
  for lab in "$tree"/solutions/0*; do
    number=$(basename "$lab" | cut -c 1-2)
    case $number in 05 | 06) sizes='1 4099' ;; *) sizes='1 1000' ;; esac
    for n in $sizes; do
      both "$number, n = $n" @sl-run "$number" --file "$lab/kernel.cu" --n $n --check --lines --report OUTreport.json --record OUTrecord.json
    done
  done ;;
*) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
[ $bad -eq 0 ]
