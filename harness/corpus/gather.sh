#!/bin/sh
# gather.sh FOLDER [FILE.cu]: prints one CUDA program of all files of a folder, or of one of them: each wrong and corrected
# (corpus.h). A file that has one form, because it says "expect: nothing" or marks no line, is in it once.
set -eu
dir=$(CDPATH='' cd -- "$1" && pwd -P)
[ $# = 1 ] && set -- "$dir"/*.cu || set -- "$dir/$2"
has() { # VARIANT FILE
  if grep -q '^// expect: nothing$' "$2"; then [ "$1" = twin ]; elif [ "$1" = twin ]; then grep -qE '// (wrong|twin)$' "$2"; fi
}
variant() { # VARIANT OTHER FILE..: lines of the other form are left empty
  variant=$1 other=$2
  shift 2
  for file; do
    has "$variant" "$file" || continue
    printf 'namespace %s_%s {\n#line 1 "%s"\n' "$variant" "$(basename "$file" .cu)" "$file"
    sed "s|.*// $other\$||" "$file"
    echo '}'
  done
}
row() { # FILE: {"NAME", [TASK,] wrong, twin}
  name=$(basename "$1" .cu) wrong=wrong twin=twin
  has wrong "$1" || wrong=twin
  has twin "$1" || twin=wrong
  printf '  {"%s", ' "$name"
  [ $kind = program ] || printf '%s_%s::TASK, ' $twin "$name"
  printf '%s_%s::run, %s_%s::run},\n' $wrong "$name" $twin "$name"
}
kind=case
grep -q '^static const task TASK' "$1" || kind=program
echo "#include \"$(dirname "$dir")/corpus.h\""
for file in "$dir"/*.cuh; do
  [ ! -e "$file" ] || echo "#include \"$file\""
done
variant wrong twin "$@"
variant twin wrong "$@"
echo "static const corpus_$kind cases[] = {"
for file; do row "$file"; done
echo '};'
echo 'int main(int argc, char **argv) { return corpus_main(argc, argv, cases); }'
