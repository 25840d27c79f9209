#!/bin/sh
# names.sh ROOT: every type with the prefix sl_ is defined in one file, so a name means one thing in the whole tree.
set -u
cd "$1" || exit 4
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
