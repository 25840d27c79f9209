#!/bin/sh
# The page of all commands and options, made of what each command says with --help.
#   docs/reference/commands.sh            makes docs/reference/commands.md and the man page scanlab.1 anew
#   docs/reference/commands.sh --check    fails when one of them is not what it would make, or is wider than 80 columns
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 4
page=$root/docs/reference/commands.md
tmp=$(mktemp) || exit 4
trap 'rm -f "$tmp" "$tmp.usage" "$tmp.man"' EXIT
failed=0

# section "COMMAND.." "what explains it": the help, indented.
section() {
  printf '\n## %s\n\n%s\n\n' "$1" "$2"
  # shellcheck disable=SC2086 # words
  "$root/scanlab" $1 --help 2>/dev/null </dev/null | sed 's/^/    /; s/ *$//'
}

{
  cat <<'EOF'
# Commands and options

`./scanlab help` lists the commands, `./scanlab COMMAND --help` prints what stands here (this page is made of it, by
`docs/reference/commands.sh`; a test compares the two). A lab is its number, its folder's name with or without the number, or a path of it: `03`, `03_blelloch`, `blelloch`, `labs/03_blelloch/`, `.`. Sizes
may be written as `2^20` or `64k`. Options may stand before or after the other words; `--` ends them. What commands
return: [exit codes](exit-codes.md).

| environment | meaning |
|---|---|
| `SCANLAB_PRESET` | `sim` (default), `gpu` (commands use the real GPU unless told otherwise) or `asan`, each with a build folder of its own, `build/PRESET`; or `places` (for a second compiler: in `build/sim`, `test` builds and runs only what names places in files) |
| `SCANLAB_NVCC` | folder of the CUDA compiler, where it is not on the path |
| `SCANLAB_FETCH_NVCC=1` | the compiler that is fetched, even if the machine has one |
| `SCANLAB_LABS` | folder of the labs that you work on (default: `labs` of the course) |
| `SCANLAB_JOBS` | builds and tests at a time (default: one for each core, and two tests more, as many wait) |
| `SCANLAB_OFFLINE=1` | install and fetch nothing |
| `SCANLAB_CORES` | cores of one program on the simulated GPU |
| `SCANLAB_SANDBOX=off` | run programs without their sandbox, to see whether it is the cause of something; not for grading. `landlock` or `bubblewrap` chooses one |
| `NO_COLOR` | no colours |
EOF
  section check 'Explained in [first steps](../student/first-steps.md).'
  section run 'Explained in [first steps](../student/first-steps.md).'
  section profile 'Explained in [looking at a kernel](../student/tools.md#profile-what-each-line-costs).'
  section trace 'Explained in [looking at a kernel](../student/tools.md#trace-what-a-kernel-does-to-its-arrays); --html: [a picture that moves](../student/moving-picture.md).'
  section diff 'Explained in [looking at a kernel](../student/tools.md#diff-two-versions-side-by-side).'
  for command in list status hint reset doctor; do section $command 'Used in [first steps](../student/first-steps.md).'; done
  section grade 'Explained in [grading](../instructor/grading.md).'
  section export 'Explained in [grading](../instructor/grading.md#copies).'
  section gradebook 'Explained in [a term](../instructor/term.md).'
  for command in import show history diff override export stats; do section "gradebook $command" 'Explained in [a term](../instructor/term.md).'; done
  section sim 'Explained in [sim](sim.md).'
  section selftest 'Explained in [selftest](selftest.md).'
  section bench 'Explained in [bench](bench.md).'
  section 'bench sim' 'Figures in [speed of the simulator](../internals/simulator-speed.md).'
  section 'bench cpu' 'Explained in [bench](bench.md).'
  section 'bench rank' 'Explained in [the model of speed](../internals/model.md).'
  section 'bench grade' 'Explained in [grading](../instructor/grading.md).'
  section 'bench check' 'Explained in [bench](bench.md).'
  section datasets 'Explained in [datasets](../../datasets/README.md).'
  for command in list generate verify measure manifest; do section "datasets $command" 'Explained in [datasets](../../datasets/README.md).'; done
  section mutants 'Explained in [mutants](../results/mutants.md).'
  section new-lab 'Explained in [how to add a lab](../internals/adding-a-lab.md).'
  for command in release package; do section $command 'Explained in [handing out](../instructor/handing-out.md).'; done
  for command in test setup build clean; do section $command 'One of the four commands about the course tree itself.'; done
  section completion 'For `~/.bashrc`, `~/.zshrc` or `~/.config/fish/completions/scanlab.fish`.'
  section version 'Also `--version`.'
} >"$tmp"
"$root/scanlab" help | sed 's|\./scanlab|scanlab|g' >"$tmp.usage"
awk -v usage="$tmp.usage" -f "$root/docs/reference/man.awk" "$tmp" >"$tmp.man"

# Every command of the list has its section.
for command in $("$root/scanlab" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  [ "$command" = help ] || grep -q "^## $command\$" "$tmp" || { echo "commands.md: no section for $command"; failed=1; }
done
if [ "${1:-}" = --check ]; then
  awk 'length > 80 { print "help of more than 80 columns: " $0; bad = 1 } END { exit bad }' "$tmp.usage" || failed=1
  sed -n 's/^    //p' "$tmp" | awk 'length > 80 { print "help of more than 80 columns: " $0; bad = 1 } END { exit bad }' || failed=1
  if command -v groff >/dev/null; then
    for columns in 80 40; do # only a single word may be longer
      groff -man -Tascii -P-cbou -rLL=${columns}n "$tmp.man" 2>/dev/null |
        awk -v n=$columns 'length > n && NF > 1 { print "man page of more than " n " columns: " $0; bad = 1 } END { exit bad }' || failed=1
    done
  fi
  diff "$root/docs/reference/scanlab.1" "$tmp.man" || { echo "scanlab.1 is out of date: docs/reference/commands.sh makes it anew"; failed=1; }
  diff "$page" "$tmp" || { echo "commands.md is out of date: docs/reference/commands.sh makes it anew"; failed=1; }
else
  cat "$tmp" >"$page"
  cat "$tmp.man" >"$root/docs/reference/scanlab.1"
fi
exit $failed
