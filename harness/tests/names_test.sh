#!/bin/sh
# names_test.sh ROOT: names.sh passes the tree, and names a type that stands in two files, and one that a comment made up. So does
# prose.sh, and tells who looks for words that another prints, parameters.sh, which tells of functions with too many, and freed.sh.
set -u
here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd -P)
"$here/names.sh" "$1" || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/harness/a" "$tmp/harness/b" "$tmp/grader" "$tmp/datasets"
printf 'typedef struct sl_twice {\n  int a;\n} sl_twice;\n' >"$tmp/harness/a/a.h"
printf 'typedef enum sl_twice { ONE } sl_twice;\ntypedef struct sl_once sl_once;\n' >"$tmp/harness/b/b.h"
if "$here/names.sh" "$tmp" >"$tmp/said"; then echo "two types of one name pass"; exit 1; fi
grep -q '^sl_twice is defined in harness/a/a.h harness/b/b.h$' "$tmp/said" || { cat "$tmp/said"; exit 1; }
printf '// sl_once is used by sl__gone, see sl_on* and sl_NAME.\ntypedef struct sl_once sl_once;\n' >"$tmp/harness/b/b.h"
if "$here/names.sh" "$tmp" >"$tmp/said"; then echo "a comment names what is not there, and passes"; exit 1; fi
[ "$(cat "$tmp/said")" = 'harness/b/b.h:1: there is no sl__gone' ] || { cat "$tmp/said"; exit 1; }

"$here/prose.sh" "$1" || exit 1
printf 'void say(void) { printf("stopped: it starts "\n         "kernels again and again"); }\n' >"$tmp/harness/a/a.c"
printf 'bool b(const char *s) { return strstr(text_of(s, "what"), "kernels again"); }\n' >"$tmp/harness/b/b.c"
"$here/prose.sh" "$tmp" >"$tmp/said" && { echo "a program reads what another says, and passes"; exit 1; }
[ "$(cut -d: -f1,2 "$tmp/said")" = 'harness/b/b.c:1' ] || { cat "$tmp/said"; exit 1; }

"$here/parameters.sh" "$1" || exit 1
printf 'int seven(int a, int (*b)(int, int), int c, int d, // one\n          int e, int f, int g) {\n  return 0;\n}\n' >"$tmp/harness/a/a.c"
printf 'int six(int a, int (*b)(int, int), int c, int d, int e, int f) { return 0; }\n' >>"$tmp/harness/a/a.c"
printf 'cudaError_t cudaMany(int a, int b, int c, int d, int e, int f, int g) { return 0; }\n' >>"$tmp/harness/a/a.c"
"$here/parameters.sh" "$tmp" >"$tmp/said" && { echo "a function with seven parameters passes"; exit 1; }
[ "$(cut -d: -f1-3 "$tmp/said")" = 'harness/a/a.c:1: 7 parameters' ] || { cat "$tmp/said"; exit 1; }

"$here/freed.sh" "$1" || exit 1
printf 'int f(void) {\n  SL_FREED char *a = text("a;", 1), *b = NULL;\n  SL_FREED char *c =\n      text(1), d[3];\n  SL_FREED char *e;\n}\n' >"$tmp/harness/a/a.c"
"$here/freed.sh" "$tmp" >"$tmp/said" && { echo "an array is freed, and passes"; exit 1; }
[ "$(cut -d, -f2 "$tmp/said")" = ' found "d[3]"
 found "char *e"' ] || { cat "$tmp/said"; exit 1; }
