#!/bin/sh
# gather.sh FOLDER [FILE.cu]: prints one CUDA program of all files of a folder, or of one of them: each mistake in its wrong
# form, and each file corrected (corpus.h). A file that has one form, because it says "expect: nothing" or marks no line, is
# in it once.
# gather.sh --names FILE.cu..: the mistakes, a line each: NAME FILE.cu
set -eu
names() { # FILE: those that it names, or its own
  sed -n 's|^// expect \([a-z0-9_]*\): .*|\1|p' "$1" | grep . || basename "$1" .cu
}
has() { # wrong|twin FILE
  if grep -q '^// expect: nothing$' "$2"; then [ "$1" = twin ]; elif [ "$1" = twin ]; then grep -qE '// (wrong|twin|not .*)$' "$2"; fi
}
form() { # wrong|twin NAME FILE: in a namespace; lines of other forms are left empty
  printf 'namespace %s_%s {\n#line 1 "%s"\n' "$1" "$2" "$3"
  if [ "$1" = twin ]; then sed 's|.*// wrong\( [a-z0-9_]*\)\?$||' "$3"
  else sed -e "/\/\/ wrong $2\$/b" -e 's|.*// wrong [a-z0-9_]*$||' -e 's|.*// twin$||' -e "s|.*// not .*\b$2\b.*||" "$3"; fi
  grep -q '\<run(' "$3" || printf '%s { return %s; }\n' "$run" "$usual"
  echo '}'
}
forms() { # FILE: all of its forms
  ! has wrong "$1" || for name in $(names "$1"); do form wrong "$name" "$1"; done
  ! has twin "$1" || form twin "$(basename "$1" .cu)" "$1"
}
rows() { # FILE: {"NAME", [TASK,] wrong, twin} for each mistake
  for name in $(names "$1"); do
    wrong=wrong_$name twin=twin_$(basename "$1" .cu)
    has wrong "$1" || wrong=$twin
    has twin "$1" || twin=$wrong
    printf '  {"%s", ' "$name"
    [ $kind = program ] || printf '%s::TASK, ' "$twin"
    printf '%s::run, %s::run},\n' "$wrong" "$twin"
  done
}
if [ "$1" = --names ]; then
  shift
  for file; do names "$file" | sed "s|\$| $file|"; done
  exit
fi
dir=$(CDPATH='' cd -- "$1" && pwd -P)
[ $# = 1 ] && set -- "$dir"/*.cu || set -- "$dir/$2"
kind=case run='static cudaError_t run(const int *in, int *out, int n)'
grep -q '^static const task TASK' "$1" || kind=program run='static int run()'
usual=$(cat "$dir/../corpus.h" "$dir"/*.cuh 2>/dev/null | sed -n 's|^// run: ||p' | tail -n 1)
echo "#include \"$(dirname "$dir")/corpus.h\""
for file in "$dir"/*.cuh; do
  [ ! -e "$file" ] || echo "#include \"$file\""
done
for file; do forms "$file"; done
echo "static const corpus_$kind cases[] = {"
for file; do rows "$file"; done
echo '};'
echo 'int main(int argc, char **argv) { return corpus_main(argc, argv, cases); }'
