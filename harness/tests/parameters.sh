#!/bin/sh
# parameters.sh ROOT: no function has more than six parameters: what belongs together is a struct. The functions of the CUDA runtime
# have those that CUDA gives them.
set -u
cd "$1" || exit 4
find harness grader datasets \( -name '*.c' -o -name '*.h' \) -exec awk '
  # The most parameters of one pair of outermost brackets in [head], the beginning of a function up to its body.
  function parameters(head,   n, most, depth, k, c) {
    n = most = depth = 0
    for (k = 1; k <= length(head); k++) {
      c = substr(head, k, 1)
      if (c == "(" && ++depth == 1) n = 1
      else if (c == "," && depth == 1) n++
      else if (c == ")" && --depth == 0 && n > most) most = n
    }
    return most
  }
  function open_brackets(s,   t) { t = s; return gsub(/\(/, "", t) - gsub(/\)/, "", s) }
  FNR == 1 { head = ""; outside = 1 }
  { sub(/\/\/.*/, "") }
  /^#/ || /\\$/ { directive = /\\$/; head = ""; next }
  directive { directive = 0; next }
  /^[A-Za-z_]/ && head == "" { head = $0; line = FNR }
  /^[ \t]/ && head != "" { head = head " " $0 }
  head != "" && (/[{;]/ || !open_brackets(head) && /\)$/) {
    at = index(head, "{")
    if (at && head !~ /^(typedef|struct|union|enum)/ && head !~ /=.*\{/ && head !~ /[ *(](__)?cuda[A-Z][A-Za-z0-9_]*[(,]/) {
      n = parameters(substr(head, 1, at - 1))
      if (n > 6) { print FILENAME ":" line ": " n " parameters: " substr(head, 1, 80); bad = 1 }
    }
    head = ""
  }
  END { exit bad }' {} +
