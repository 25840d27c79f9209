#!/bin/sh
# No comment in the sources is wider than 110 columns, but for rows of harness/corpus/labs/right and the kernel.cu of labs, whose
# TODO markers are one line each (harness/judge/skeleton.c). Those in C are formatted as
# .clang-format says, by the clang-format of Debian 12. Skipped (77) where there is none, or another one: versions differ in
# details. Usage: format.sh ROOT
set -u
cd "$1" || exit 4
find harness grader datasets labs solutions/*/further ! -path 'labs/*/kernel.cu' \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' \) -exec env LC_ALL=C awk '
  { gsub(/[\200-\277]/, "") } # UTF-8: one byte a letter
  /^ *\/\// && !/^\/\/ right [0-9]/ && length($0) > 110 { print FILENAME ":" FNR ": the comment is " length($0) " columns wide" }' {} + | grep . && exit 1
format=$(command -v clang-format-14 || command -v clang-format) || { echo "skipped: there is no clang-format"; exit 77; }
case $("$format" --version) in
  *'version 14.'*) ;;
  *) echo "skipped: this is $("$format" --version), not version 14"; exit 77 ;;
esac
find harness grader datasets labs -name '*.[ch]' -exec "$format" --dry-run -Werror {} +
