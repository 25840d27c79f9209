#!/bin/sh
# gather.sh FOLDER: prints one CUDA program of all kernels of a lab's folder, each wrong and corrected (see corpus.h). Of a
# folder named right, whose kernels have nothing wrong, they are the corrected ones alone.
set -eu
dir=$(CDPATH='' cd -- "$1" && pwd -P)
each() { # FORMAT: printed for every file, with its name twice
  for file in "$dir"/*.cu; do
    name=$(basename "$file" .cu)
    # shellcheck disable=SC2059
    printf "$1" "$name" "$2$name"
  done
}
echo "#include \"$(dirname "$dir")/corpus.h\""
for file in "$dir"/*.cuh; do
  [ ! -e "$file" ] || echo "#include \"$file\""
done
wrong=wrong
[ "$(basename "$dir")" != right ] || wrong=twin
[ $wrong = twin ] || each "namespace wrong_%s {\n#include \"%s.cu\"\n}\n" "$dir/"
echo '#define SL_TWIN'
each "namespace twin_%s {\n#include \"%s.cu\"\n}\n" "$dir/"
echo 'static const corpus_case cases[] = {'
for file in "$dir"/*.cu; do
  name=$(basename "$file" .cu)
  echo "  {\"$name\", twin_$name::TASK, ${wrong}_$name::run, twin_$name::run},"
done
echo '};'
echo 'int main(int argc, char **argv) { return corpus_main(argc, argv, cases, sizeof cases / sizeof *cases); }'
