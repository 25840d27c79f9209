#!/bin/sh
# entry.sh ROOT: the entry script's help and misuse: texts, streams, exit codes.
set -u
[ -z "${SL_EMULATED:-}" ] || unset SCANLAB_SANDBOX # what the preset arm64 sets is not for this machine's programs
root=$1
failed=0
tmp=$(mktemp -d) || exit 1
out=$tmp/out err=$tmp/err
trap 'rm -rf "$tmp"' EXIT

# expect CODE STREAM PATTERN ARGS..: runs ./scanlab ARGS.
expect() {
  code=$1 stream=$2 pattern=$3
  shift 3
  "$root/scanlab" "$@" >"$out" 2>"$err" </dev/null
  got=$?
  file=$out
  [ "$stream" = err ] && file=$err
  if [ "$got" -ne "$code" ] || ! grep -q -- "$pattern" "$file"; then
    echo "scanlab $*: exit $got (want $code), no '$pattern' on std$stream"
    cat "$out" "$err"
    failed=1
  fi
}

expect 0 out 'usage: ./scanlab' help
expect 0 out 'usage: ./scanlab' --help
expect 2 err 'usage: ./scanlab'
expect 0 out 'usage: ./scanlab check' help check
expect 2 err "did you mean 'check'" help chekc
expect 0 out '^scanlab [0-9]*[.][0-9]*[.][0-9]*$' --version
expect 2 err 'takes none' version 3
expect 2 err 'which shell' completion
expect 2 err "no completion for 'tcsh'" completion tcsh
expect 0 out 'complete -c scanlab' completion fish
expect 4 err '/dev/full: cannot write: No space left' run 01 --n 2 --file "$root/solutions/01_naive_scan/kernel.cu" --report /dev/full
expect 0 out 'compdef _scanlab' completion zsh
expect 0 out 'usage: ./scanlab completion' completion --help
expect 2 err "did you mean 'grade'" grdae
expect 2 err 'unknown command' xyzzy
expect 0 out 'example' grade --help
expect 0 out 'Remove the build folder' clean --help
expect 0 out 'Build everything' build --help
expect 0 out 'example' test --help
expect 2 err 'takes none' clean everything
expect 0 out 'example' check --help
expect 0 out 'example' doctor --help
expect 0 out 'labs/03_blelloch/kernel.cu        100 points  Work-efficient scan' list
expect 0 out '03_blelloch' status
expect 2 err "did you mean 'status'" statsu
expect 2 err 'did you mean 03_blelloch' hint 03_bleloch
expect 0 out 'example' run --help
expect 0 out 'example' sim --help
expect 0 out 'example' datasets --help
expect 2 err 'did you mean' run 03 --sede 4
expect 2 err 'error' run 99
expect 2 err 'error' run 03 --n -5
expect 2 err 'error' run 03 --n many
expect 2 err 'error' run 03 --n 99999999999999999999
expect 2 err 'error' run 03 --dist no_such_distribution
expect 2 err 'error' run 03 --type f99
expect 3 err 'error' run 03 --file no/such/file.cu
expect 3 err 'error' run 03 --file "$root/labs"
expect 3 err 'error' run 03 --file /dev/null
expect 3 err 'unknown dataset' run 03 --data no_such_dataset
expect 3 err 'is no .npy file, and no name of a dataset' run 03 --data "$root/README.md"
expect 2 err 'error' grade
expect 3 err 'error' grade /no/such/folder
expect 2 err 'error' grade solutions --lab 97
expect 2 err 'error' datasets frobnicate
expect 2 err 'error' sim
expect 125 err 'error' sim -- /no/such/program
expect 0 out 'Usage' sim -- ls --help

# Output that is lost is an error, and said.
for words in help 'version' 'test --help' 'setup --help' 'completion bash' 'list' 'release --help' 'new-lab --help'; do
  "$root/scanlab" $words >/dev/full 2>"$err" </dev/null
  got=$?
  [ $got -eq 4 ] && grep -q 'error' "$err" || { echo "scanlab $words >/dev/full: exit $got"; cat "$err"; failed=1; }
done
for number in x 0 00 1.5 99999999999999999999 ' '; do
  SCANLAB_JOBS=$number "$root/scanlab" version >"$out" 2>"$err"
  got=$?
  [ $got -eq 2 ] && grep -q 'is no number of jobs' "$err" || { echo "SCANLAB_JOBS='$number': exit $got"; failed=1; }
done

# refuses NAME=VALUE WORDS: the script refuses a value that means nothing before it does anything.
refuses() {
  env "$1" "$root/scanlab" version >"$out" 2>"$err"
  got=$?
  [ $got -eq 2 ] && grep -qF "$2" "$err" || { echo "$1: exit $got"; cat "$err"; failed=1; }
}
refuses SCANLAB_PRESET=simm 'sim, gpu, asan or places'
refuses SCANLAB_OFFLINE=yes 'SCANLAB_OFFLINE=yes is neither 0 nor 1'
refuses SCANLAB_FETCH_NVCC=2 'SCANLAB_FETCH_NVCC=2 is neither 0 nor 1'
SCANLAB_OFFLINE=0 SCANLAB_FETCH_NVCC=0 "$root/scanlab" version >"$out" 2>&1 || { echo "0 is refused"; cat "$out"; failed=1; }

# What the completion of bash proposes. completes WORDS WANTED: the last word is being typed.
completes() {
  said=$(bash -c 'source <("$0" completion bash); COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _scanlab; echo "${COMPREPLY[*]}"' \
    "$root/scanlab" "$1")
  [ "$said" = "$2" ] || { echo "completion of '$1': '$said', not '$2'"; failed=1; }
}
completes './scanlab che' 'check'
completes './scanlab check 03' '03_blelloch 03'
completes './scanlab check 03 --wa' '--watch'
completes './scanlab sim --thor' '--thorough'
completes './scanlab hint 17.' '17.1 17.2 17.3 17.4 17.5'
completes './scanlab check labs/06_radix_sort --part D' 'D'
completes './scanlab check 16 --part s' 'sort'
completes './scanlab run 03 --dist few' 'few_distinct'
completes './scanlab run 05 --tile n' 'naive'
completes './scanlab run 05 --backend s' 'sim'
completes './scanlab sim --warps gr' 'greedy'
completes './scanlab completion f' 'fish'
completes './scanlab gradebook s' 'show stats'
completes './scanlab check --file c' ''
for shell in zsh fish; do
  if command -v $shell >/dev/null; then "$root/scanlab" completion $shell | $shell -n || { echo "$shell cannot read its completion"; failed=1; }; fi
done
# The same words in the other shells, where they are.
same() { [ "$2" = 'D digits' ] || { echo "completion of $1: '$2'"; failed=1; }; }
if command -v fish >/dev/null; then
  same fish "$(fish -c '"$argv[1]" completion fish | source; complete -C "scanlab check 06 --part d"' "$root/scanlab" | cut -f 1 | sort | paste -sd ' ')"
fi
if command -v zsh >/dev/null; then
  said=$(ZDOTDIR=$tmp zsh -fc 'eval "$("$1" completion zsh)" && print ${_comps[scanlab]}' zsh "$root/scanlab" 2>&1) # ~/.zshrc has no compinit
  [ "$said" = _scanlab ] || { echo "a bare zsh does not know its completion: $said"; failed=1; }
  same zsh "$(zsh -fc 'compdef() {}; eval "$("$1" completion zsh)"; _scanlab_choices check --part "scanlab check 06 --part "; print ${${=choices}[(r)D]} ${${=choices}[(r)d*]}' zsh "$root/scanlab")"
fi

# Without gnuplot: only commands that draw ask for it. farm: all programs of the machine but that.
farm=$tmp/farm
mkdir "$farm"
ln -s /usr/local/bin/* /usr/bin/* /bin/* "$farm" 2>/dev/null
rm -f "$farm"/gnuplot*
nvcc=$(sed -n 's/^SL_NVCC:FILEPATH=//p' "${SCANLAB_BUILD:-$root/build/sim}/CMakeCache.txt")
without_gnuplot() { PATH=$farm SCANLAB_OFFLINE=1 SCANLAB_NVCC=$nvcc "$root/scanlab" "$@" >"$out" 2>"$err" </dev/null; }
without_gnuplot list || { echo "list asks for gnuplot"; cat "$err"; failed=1; }
without_gnuplot bench sim --help || { echo "bench sim asks for gnuplot"; cat "$err"; failed=1; }
without_gnuplot bench 03 && { echo "bench draws without gnuplot"; failed=1; }
grep -q 'missing packages: gnuplot-nox' "$err" || { echo "bench does not name gnuplot"; cat "$err"; failed=1; }
# Other package managers have other names; without one the commands and headers are named. Images of other systems lack what is
# always there on Debian.
rm -f "$farm/apt-get" "$farm/g++" "$farm/find" "$farm/cmp" "$farm/gzip"
without_gnuplot bench 03 && { echo "bench draws without a package manager"; failed=1; }
grep -q 'are missing: g++ find gzip cmp gnuplot' "$err" || { echo "what is missing is not named without a package manager"; cat "$err"; failed=1; }
for names in 'dnf gcc-c++ findutils gzip diffutils gnuplot' 'pacman gcc findutils gzip diffutils gnuplot' 'zypper gcc-c++ findutils gzip diffutils gnuplot'; do
  manager=${names%% *}
  printf '#!/bin/sh\nexit 1\n' >"$farm/$manager"
  chmod +x "$farm/$manager"
  without_gnuplot bench 03 && { echo "bench draws without gnuplot"; failed=1; }
  grep -q "missing packages: ${names#* }" "$err" && grep -q "^ *$manager .* ${names#* }" "$err" || { echo "packages of $manager are not named"; cat "$err"; failed=1; }
  rm "$farm/$manager"
done

# Bundles for machines without a network: what is none is refused, and nothing changes.
tells() { # CODE WORDS ARGS..
  code=$1 words=$2
  shift 2
  "$root/scanlab" setup "$@" >"$out" 2>"$err" </dev/null
  [ $? = "$code" ] && grep -q "$words" "$err" || { echo "setup $*: expected $code, $words"; cat "$err"; failed=1; }
}
echo text >"$tmp/text"
mkdir -p "$tmp/other/cuda/bin" && : >"$tmp/other/cuda/bin/nvcc" && chmod +x "$tmp/other/cuda/bin/nvcc" && echo "plan9 4 mips" >"$tmp/other/system"
tar -czf "$tmp/other.tgz" -C "$tmp/other" system cuda
tells 2 'needs the name of a file' --from
tells 3 'there is no such file' --from "$tmp/none"
tells 3 'is no bundle' --from "$tmp/text"
tells 3 'is for plan9 4 mips' --from "$tmp/other.tgz"
tells 3 'is there already' --offline-bundle "$tmp/text"

# An nvcc on the path that is a script elsewhere: the compiler behind it is used, also by the sandbox.
real=$(sed -n 's/^SL_NVCC:FILEPATH=//p' "${SCANLAB_BUILD:-$root/build/sim}/CMakeCache.txt")
mkdir -p "$tmp/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$real" >"$tmp/bin/nvcc"
chmod +x "$tmp/bin/nvcc"
said=$(PATH=$tmp/bin:/usr/bin:/bin "$root/scanlab" setup 2>&1 </dev/null)
case $said in
  *"ready: $real,"*) ;;
  *) echo "nvcc behind a script: not found at home ($real): $said"; failed=1 ;;
esac
# A long build, into a file: how long it takes, and each quarter; a short one is one line, and none where nothing is done.
{ sed -n '/^step() /p; /^tell_progress() {/,/^}/p' "$root/scanlab"
  echo 'seq 1 510 | sed "s|.*|[&/510] Building|" | tell_progress long'
  echo 'printf "[1/2] x\n[2/2] y\n" | tell_progress short; echo "ninja: no work to do." | tell_progress none'; } >"$tmp/progress.sh"
said=$(build=$tmp sh "$tmp/progress.sh" 2>&1 | tr '\n' ';')
[ "$said" = "scanlab: long, 510 steps: some minutes the first time;scanlab: long 128/510;scanlab: long 255/510;scanlab: long 383/510;scanlab: long 510/510;scanlab: short;" ] ||
  { echo "progress of a build: $said"; failed=1; }
[ "$failed" -eq 0 ] && echo "entry script: all as documented"
exit "$failed"
