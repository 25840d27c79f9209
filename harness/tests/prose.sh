#!/bin/sh
# prose.sh ROOT: no program looks for words that another prints for people: facts travel as fields. No longer literal of the
# tree holds a text of two words or more that strstr, fnmatch or their kin look for. Tests may look.
set -u
cd "$1" || exit 4
find harness grader datasets -name '*.[ch]' -o -name '*.def' -o -name '*.cu' | grep -vE '/(tests|corpus|fuzz)/|_test\.c$' | sort |
  xargs awk '
    function literals(    rest, one, between) { # appends those of the line to [said]; one that goes on stays one
      for (rest = $0; match(rest, /"([^"\\]|\\.)*"/); rest = substr(rest, RSTART + RLENGTH)) {
        between = substr(rest, 1, RSTART - 1)
        one = substr(rest, RSTART + 1, RLENGTH - 2)
        said = said (between ~ /^ *$/ ? "" : "\n") one
      }
      if (rest !~ /^ *$/) said = said "\n"
    }
    function within(word,    rest, at) { # is it a part of something longer?
      for (rest = said; (at = index(rest, word)) > 0; rest = substr(rest, at + length(word)))
        if (substr(rest, at - 1, 1) != "\n" || substr(rest, at + length(word), 1) != "\n") return 1
      return 0
    }
    function ask(rest,    k, c, depth, word, inside) { # the literals up to the end of the call
      for (k = depth = 1; depth && (c = substr(rest, k, 1)) != ""; k++) {
        if (inside && c == "\\") { k++; continue }
        if (c == "\"") { if (inside && word ~ /[a-z] [a-z]/) asked[FILENAME ":" FNR] = word; inside = !inside; word = "" }
        else if (inside) word = word c
        else depth += (c == "(") - (c == ")")
      }
    }
    /^ *(#include|\/\/)/ { next }
    { literals() }
    match($0, /(strstr|strcasestr|strn?cmp|memmem|fnmatch)\(/) { ask(substr($0, RSTART + RLENGTH)) }
    END {
      said = "\n" said "\n"
      for (place in asked) {
        word = asked[place]
        gsub(/^[*]+|[*]+$/, "", word)
        if (within(word)) { print place ": \"" word "\" is printed for people: let it travel as a field"; bad = 1 }
      }
      exit bad
    }'
