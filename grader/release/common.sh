# shellcheck shell=sh disable=SC2015,SC2154
# What release.sh and the packages share: errors, the students' tree, archives of fixed bytes. Read by `.`, after `root`.

# die CODE TEXT [HINT]
die() {
  printf 'scanlab: error: %s\n' "$2" >&2
  [ $# -lt 3 ] || printf '  hint: %s\n' "$3" >&2
  exit "$1"
}

# check_out FILE KIND: FILE can be written; if it is there, it is an archive (gzip, tar or zip) and may be replaced.
check_out() {
  [ ! -d "$1" ] || die 3 "$1: is a folder" "name a file"
  if [ -e "$1" ]; then
    case $2 in gzip) magic=1f8b begin=2 ;; zip) magic=504b begin=2 ;; esac
    [ -f "$1" ] && [ "$(od -An -tx1 -N "$begin" "$1" | tr -d ' ')" = "$magic" ] ||
      die 3 "$1: is there, and no archive that could be made anew" "name another file"
  fi
  mkdir -p "$(dirname -- "$1")" 2>/dev/null
  [ -w "$(dirname -- "$1")" ] || die 3 "$1: its folder cannot be written" "name another file"
}

# The files of the tree ROOT, relative to it: those that git tracks, else all but those that commands make.
tree_files() {
  git -C "$root" ls-files 2>/dev/null | grep . ||
    (cd "$root" && find . \( -name .git -o -path './build*' -o -name '*.bak.*' \) -prune -o -type f -print | sed 's|^\./||')
}

# allowed, undecided: those of the names on stdin that allow.txt lets pass; that it says nothing of.
allowed() { decide 1; }
undecided() { decide ''; }
decide() {
  awk -v want="$1" -v list="$root/grader/release/allow.txt" '
    BEGIN {
      while ((getline line < list) > 0) {
        if (line ~ /^(#|$)/) continue
        back = sub(/^!/, "", line)
        gsub(/[.]/, "[.]", line)
        gsub(/[*]/, back ? ".*" : "[^/]*", line)
        pattern[++n] = "^" line "$"
        lets[n] = !back
      }
    }
    { got = ""; for (k = 1; k <= n; k++) if ($0 ~ pattern[k]) got = lets[k]; if (got "" == want) print }'
}

# unlink_pages FOLDER: links of its pages that lead out of it become their text. Where nothing but the link was said, nothing
# stays: brackets around it, "([measured](..))", or a sentence of its own, "[How it works](..)." or "Explained in [a term](..).".
unlink_pages() {
  (cd "$1" && find . -name '*.md' -type f -print) | while read -r page; do
    awk -v folder="$(dirname -- "$1/$page")" '
      function leads(link) {
        sub(/#.*/, "", link)
        if (link == "" || link ~ /:/) return 1
        return system("test -e \"" folder "/" link "\"") == 0
      }
      # The line so far and the rest of it, joined without the link or with its text alone.
      function unlink(before, text, after) {
        if (before ~ /\($/ && after ~ /^\)/) {
          sub(/ ?\($/, "", before)
          rest = substr(after, 2)
        } else if (before ~ /(^|[.:] )([A-Z][a-z]* in |See )?$/ && after ~ /^[.]( |$)/) {
          sub(/([A-Z][a-z]* in |See )?$/, "", before)
          rest = substr(after, 3)
          if (rest == "") sub(/ $/, "", before)
        } else {
          rest = after
          return before text
        }
        gone = 1
        return before
      }
      # What is printed lags by a line: a line that begins with what stood behind a link ends the one before it.
      function put(line) {
        if (gone && line == "") { dropped = 1; return }
        if (dropped && line == "" && held == "") return
        dropped = 0
        if (gone && line ~ /^[.,;:]/) { held = held line; return }
        if (NR > 1) print held
        held = line
      }
      {
        out = ""; gone = 0
        while (match($0, /\[[^][]*\]\([^() ]+\)/)) {
          whole = substr($0, RSTART, RLENGTH)
          cut = index(whole, "](")
          before = out substr($0, 1, RSTART - 1)
          rest = substr($0, RSTART + RLENGTH)
          out = leads(substr(whole, cut + 2, length(whole) - cut - 2)) ? before whole : unlink(before, substr(whole, 2, cut - 2), rest)
          $0 = rest
        }
        put(out $0)
      }
      END { if (NR) print held }' "$1/$page" >"$1/$page.new" && mv "$1/$page.new" "$1/$page" || die 4 "cannot write $1/$page"
  done
}

# stage_students ROOT FOLDER: makes FOLDER with the tree that students get; refuses what they must not get.
stage_students() {
  [ -d "$root/solutions" ] || die 3 "there are no solutions in this tree" "only the course's own tree knows what must not be handed out"
  mkdir -p "$2" || die 4 "cannot write $2"
  tree_files | allowed | sort >"$2.names"
  said=$("$root/labs/tests/check_regions.sh" "$root/labs" "$root/solutions") ||
    die 3 "the labs are not as students should get them: $(printf '%s\n' "$said" | head -n 3)" "./scanlab reset LAB gives a skeleton back"
  said=$(grep -l '"visibility"' "$root"/labs/*/lab.json) &&
    die 3 "$said: a case that is not public cannot be in it" "put it into an overlay: docs/instructor/handing-out.md"
  (cd "$root" && tar -cf - -T "$2.names") | tar -xf - -C "$2" || die 4 "cannot copy the tree to $2"
  rm -f "$2.names"
  for lab in "$2"/labs/*/kernel.cu; do # what `reset` and `hint` go by where a student has damaged the markers
    cp "$lab" "${lab%/*}/.skeleton" || die 4 "cannot write $lab"
  done
  cp "$root/grader/release/README.md.in" "$2/README.md" || die 4 "cannot write $2"
  unlink_pages "$2"
  said=$("$root/grader/release/leaks.sh" "$root" "$2") ||
    die 3 "what students must not get is in it: $(printf '%s\n' "$said" | head -n 5)" "take it out; a line that says nothing belongs into grader/release/idioms.txt"
}

# plain_tar FOLDER NAME: FOLDER/NAME on stdout, with sorted names, fixed times, owners and rights.
plain_tar() {
  (cd "$1" && LC_ALL=C tar --sort=name --format=ustar --mtime=@946684800 --owner=0 --group=0 --numeric-owner \
     --mode=u=rwX,go=rX -cf - "$2")
}

# place FILE: FILE.new is whole and becomes FILE, or nothing is left. Its status is that of what made it.
place() {
  [ $? -eq 0 ] && mv "$1.new" "$1" && return
  rm -f "$1.new"
  die 4 "cannot write $1" "is the disk full?"
}

# pack_plain FOLDER NAME FILE, pack_tar FOLDER NAME FILE, pack_zip FOLDER FILE: archives of fixed bytes, whole or not at all.
pack_plain() { plain_tar "$1" "$2" >"$3.new"; place "$3"; }
pack_tar() {
  plain_tar "$1" "$2" >"$1/.tar" && gzip -9 -n <"$1/.tar" >"$3.new"
  place "$3"
}
pack_zip() {
  command -v zip >/dev/null || die 4 "zip is missing" "apt-get install -y zip"
  rm -f "$2.new"
  (cd "$1" && chmod -R u=rwX,go=rX . && TZ=UTC && export TZ && find . -exec touch -h -d '2000-01-01 00:00:00' {} + &&
     find . -type f | sed 's|^\./||' | LC_ALL=C sort | zip -q -X -D -@ - >"$stage.zip") && mv "$stage.zip" "$2.new"
  place "$2"
}
