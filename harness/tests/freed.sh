#!/bin/sh
# freed.sh ROOT: what SL_FREED declares are pointers, each with its first value. The attribute goes to every name of a
# declaration: an array would be freed by its first bytes, a pointer without a value by what stood there before.
set -u
cd "$1" || exit 4
find harness grader datasets -name '*.[ch]' -print0 | xargs -0 awk '
  function judge(  n, part, k) {
    sub(/;.*/, "", text)
    while (gsub(/\([^()]*\)|\{[^{}]*\}/, "v", text)) continue
    n = split(text, part, ", *")
    for (k = 1; k <= n; k++)
      if (part[k] !~ /^[a-zA-Z0-9_ ]*\*+[a-z_0-9]+ = ./) {
        print where ": SL_FREED takes a pointer and its first value, found \"" part[k] "\""
        bad = 1
      }
    text = ""
  }
  FNR == 1 { text = "" }
  /^ *SL_FREED / && text == "" { where = FILENAME ":" FNR; text = " " }
  text != "" {
    gsub(/"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047/, "s")
    sub(/ *\/\/.*/, ""); sub(/^ *(SL_FREED )?/, "")
    text = (text == " " ? "" : text) $0 " "
    if (text ~ /;/) judge()
  }
  END { exit bad }'
