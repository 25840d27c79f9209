#!/bin/sh
# names.sh ROOT: every type with the prefix sl_ is defined in one file, so a name means one thing in the whole tree; and what
# a comment names with that prefix is there.
set -u
cd "$1" || exit 4
find harness grader datasets \( -name '*.[ch]' -o -name '*.def' -o -name '*.cu' -o -name '*.txt' \) -exec awk '
  {
    code = $0; comment = ""
    if (at = index($0, "//")) { code = substr($0, 1, at - 1); comment = substr($0, at) }
    while (match(code, /sl_[a-z0-9_]+/)) { known[substr(code, RSTART, RLENGTH)]; code = substr(code, RSTART + RLENGTH) }
    while (match(comment, /sl_[a-z0-9_]*[a-z0-9]([^A-Za-z0-9_*.-]|$)/)) { # sl_name_* and sl_NAME stand for several
      name = substr(comment, RSTART, RLENGTH); sub(/[^a-z0-9_]$/, "", name)
      if (!(name in said)) said[name] = FILENAME ":" FNR
      comment = substr(comment, RSTART + RLENGTH)
    }
  }
  END { for (n in said) if (!(n in known)) { print said[n] ": there is no " n; bad = 1 } exit bad }' {} + || exit 1
find harness grader datasets -name '*.[ch]' ! -path '*/tests/*' ! -path 'harness/corpus/*' -exec awk '
  /^typedef (struct|union|enum) sl_/ { name = $3 }
  /^} sl_[a-z0-9_]*;/ { name = $2; sub(/;.*/, "", name) }
  name != "" { print name, FILENAME; name = "" }' {} + | sort -u |
  awk '
    NF == 2 { count[$1]++; where[$1] = where[$1] " " $2 }
    # A header may declare what its source defines.
    END {
      for (n in count) if (count[n] > 1) { print n " is defined in" where[n]; bad = 1 }
      exit bad
    }'
