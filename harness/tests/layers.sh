#!/bin/sh
# Checks that includes and links keep to the layers of layers.txt. Prints file, line and rule of each violation.
# Usage: layers.sh ROOT LINKS   (LINKS: written by harness/cmake/ScanlabLinks.cmake)
set -u
root=$1 links=$2
cd "$root" || exit 4
folders='harness datasets grader labs solutions' absent=
[ -d solutions ] || folders='harness datasets grader labs' absent='-path harness/nsight -prune -o' # it includes solutions

{
  sed 's/^/rule /' harness/tests/layers.txt
  find $folders -type f | sed 's/^/file /'
  find $folders $absent -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' \) \
    -exec awk '/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print "include", FILENAME, FNR, part[2] }' {} +
  sed 's/^/link /' "$links"
} | awk '
  # The row of a path: the longest one that fits. Sets own to the part of the path that the row covers.
  function row_of(path,   r, best, n, k, part, word, fits, prefix) {
    best = ""
    for (r in sees) {
      n = split(r, word, "/")
      if (split(path, part, "/") < n) continue
      fits = 1; prefix = ""
      for (k = 1; k <= n && fits; k++) {
        fits = word[k] == part[k] || word[k] == "*"
        prefix = prefix (k > 1 ? "/" : "") part[k]
      }
      if (fits && length(r) > length(best)) { best = r; own = prefix }
    }
    return best
  }
  # May files of folder [from] use those of folder [to]?
  function may(from, to,   row, mine, theirs) {
    row = row_of(to); theirs = own
    row = row_of(from); mine = own
    if (mine == theirs || theirs == "harness/base" || theirs == "harness/include") return 1
    if (theirs ~ /^harness\/tools\//) return 0
    if ((from "/") ~ /\/tests\// || row == "") return 1
    return index(" " sees[row] " ", " all ") || index(" " sees[row] " ", " " theirs " ")
  }
  function folder_of(file) { sub("/[^/]*$", "", file); return file }
  function violation(where, what, from,   row) {
    row = row_of(from)
    printf "%s: %s; %s may see: itself%s\n", where, what, row, sees[row] == "" ? "" : " " sees[row]
    bad++
  }
  # Where an include leads: beside the file, or under one of the folders that the compiler is given.
  function resolve(from, name,   k, n, dir, path) {
    n = split(folder_of(from) " harness harness/include datasets grader", dir, " ")
    for (k = 1; k <= n; k++) {
      path = dir[k] "/" name
      while (match(path, "[^/]+/[.][.]/")) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
      if (path in file) return path
    }
    return ""
  }
  # Does [target] link [library]? Keeps the way in chain.
  function reaches(target, library,   k, n, part) {
    if (seen[target]++) return 0
    n = split(linked[target], part, " ")
    for (k = 1; k <= n; k++)
      if (part[k] == library || reaches(part[k], library)) { chain = part[k] (chain == "" ? "" : " -> " chain); return 1 }
    return 0
  }

  $1 == "rule" && $2 == "never" { for (k = 4; k <= NF; k++) never[$3, $k] = 1; next }
  $1 == "rule" && $2 ~ /^[a-z]/ { r = $2; sub(/^rule +[^ ]+ */, ""); gsub(/ +/, " "); sees[r] = $0; next }
  $1 == "file" { file[$2] = 1; next }
  $1 == "include" {
    to = resolve($2, $4)
    if (to == "" && $4 ~ /\//) { printf "%s:%d: there is no %s\n", $2, $3, $4; bad++ }
    else if (to != "" && !may(folder_of($2), folder_of(to))) violation($2 ":" $3, "includes " $4, $2)
    next
  }
  $1 == "link" { home[$2] = $3; linked[$2] = $0; sub(/^link [^ ]+ [^ ]+ ?/, "", linked[$2]); next }
  END {
    for (target in linked) {
      n = split(linked[target], part, " ")
      for (k = 1; k <= n; k++)
        if (part[k] in home && !may(home[target] (target ~ /_test$/ ? "/tests" : ""), home[part[k]]))
          violation(home[target] "/CMakeLists.txt", target " links " part[k] " of " home[part[k]], home[target])
    }
    for (pair in never) {
      split(pair, name, SUBSEP)
      delete seen; chain = ""
      if (!(name[1] in home) || !(name[2] in home)) { printf "layers.txt: never %s %s: there is no such target\n", name[1], name[2]; bad++ }
      else if (reaches(name[1], name[2])) { printf "%s links %s, which it never may: %s -> %s\n", name[1], name[2], name[1], chain; bad++ }
    }
    exit bad > 0
  }'
