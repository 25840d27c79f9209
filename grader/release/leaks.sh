#!/bin/sh
# leaks.sh COURSE FOLDER [FILE..]: lines of the course's solutions, wrong kernels, corpus and attacks, or of FILE.., that
# stand in a file below FOLDER. Prints each with its two places; exits 1 if there is one, 4 if there is nothing to look for.
#
# A line is compared without its indentation. Lines that say nothing are passed over: those shorter than 10 characters,
# rulers, those that a pattern of idioms.txt describes, and those of the skeletons, which students are given
# (labs/tests/check_regions.sh says that the skeletons are skeletons). Pages show small programs of the corpus on
# purpose; no kernel of a lab is among them, but short lines are alike.
set -u
course=$1 folder=$2
shift 2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 4
lists=$(mktemp -d) || exit 4
trap 'rm -rf "$lists"' EXIT
cd "$course" || exit 4
{ find harness/corpus \( -name '*.cu' -o -name '*.cuh' -o -name '*.diff' \) -print
  find grader/tests/attacks -name '*.cu'
  find solutions -type f
  for file; do printf '%s\n' "$file"; done; } 2>/dev/null >"$lists/secret"
find labs -name kernel.cu >"$lists/given"
(cd "$folder" && find . -type f) | sed 's|^\./||' >"$lists/handed"
# shellcheck disable=SC2015
[ -s "$lists/secret" ] && [ -s "$lists/handed" ] || { echo "leaks.sh: no files to compare in $course and $folder" >&2; exit 4; }
LC_ALL=C awk -v folder="$folder" -v lists="$lists" -v idioms="$here/idioms.txt" '
  function bare(s, diff) {
    if (diff) sub(/^[+-]/, "", s)
    gsub(/[ \t\r]+/, " ", s); sub(/^ /, "", s); sub(/ $/, "", s)
    return s
  }
  function says(s,   k) {
    if (length(s) < 10 || s ~ /-----/ || s ~ /^[|:# -]*$/ || s in given) return 0
    for (k = 1; k <= n_idioms; k++) if (s ~ idiom[k]) return 0
    return 1
  }
  function is_shown(line, handed,   secret) {
    secret = from[line]
    if (handed !~ /^docs\/.*[.]md$/) return 0
    return length(line) < 20 || (secret ~ /^harness\/corpus\/[a-z]/ && secret !~ /^harness\/corpus\/labs\//)
  }
  BEGIN {
    while ((getline line < idioms) > 0) idiom[++n_idioms] = line
    while ((getline name < (lists "/given")) > 0)
      while ((getline line < name) > 0) given[bare(line)] = 1
    while ((getline name < (lists "/secret")) > 0)
      while ((getline line < name) > 0) { line = bare(line, name ~ /\.diff$/); if (says(line)) from[line] = name }
    while ((getline name < (lists "/handed")) > 0) {
      for (at = 1; (getline line < (folder "/" name)) > 0; at++) {
        line = bare(line)
        if (!(line in from) || is_shown(line, name)) continue
        printf "%s:%d: a line of %s: %s\n", name, at, from[line], line
        found++
      }
      close(folder "/" name)
    }
    exit found > 0
  }'
