#!/bin/sh
# Grading a class and importing it, killed at random moments and started again: each time all its processes are gone, and in the end it is
# the book of an undisturbed term, nothing lost or doubled.   usage: killed.sh SL_GRADE SL_BOOK WORK KILLS [SEED]
#
# A round begins with an empty folder and an empty book. Each of its attempts imports what lies there from before, grades, and imports. It
# is killed (SIGKILL, to the whole process group) at a random moment: every third time while it imports, else anywhere. The attempt that
# comes through ends the round, whose book is compared. Rounds follow until there were KILLS kills.
set -u
. "$(dirname "$0")/problems.sh"
grade=$1 book=$2 work=$3 kills=$4 seed=${5:-$$}
begin_in "$work"
place=01_naive_scan
hand_in() { mkdir -p "class/$1/$place" && cat >"class/$1/$place/kernel.cu"; }
hand_in anna <"$SCANLAB_ROOT/solutions/$place/kernel.cu"
echo 'int x = ;' | hand_in carla
tar -czf class/bert.tar.gz -C "$SCANLAB_ROOT/labs" $place
printf 'id,name\nanna,A\nbert,B\ncarla,C\nemil,E\n' >roster.csv

cat >attempt.sh <<'ATTEMPT'
grade=$1 book=$2 out=$3
rm -f "$out.importing"
if [ -e "$out/manifest.json" ]; then # what an earlier attempt left, finished or not
  "$book" import "$out" --book "$out.db" >"$out.early" 2>&1
  [ $? -le 1 ] || exit 9
fi
"$grade" class --lab 01 --no-plots --roster roster.csv --out "$out" >"$out.said" 2>&1
[ $? -eq 1 ] || exit 8 # points are lost in this class
: >"$out.importing"
"$book" import "$out" --book "$out.db" >>"$out.said" 2>&1 || exit 7
ATTEMPT

# All that a book holds but times, and the order in which things became known.
content() {
  sqlite3 "$1" "PRAGMA integrity_check; PRAGMA foreign_key_check;
    SELECT 's', student, name, source, status, reason FROM students ORDER BY 2;
    SELECT 'g', student, lab, kernel, score, max, errors, problem, tools, (SELECT count(*) FROM handins h WHERE h.attempt = a.id)
      FROM attempts a LEFT JOIN gradings g ON g.attempt = a.id ORDER BY 2;
    SELECT 't', student, t.name, status, points, t.max, reason, message, t.seed FROM tests t JOIN gradings g ON t.grading = g.id
      JOIN attempts a ON g.attempt = a.id ORDER BY 2, 3;
    SELECT 'f', student, place, nr, kind, text FROM findings f JOIN gradings g ON f.grading = g.id JOIN attempts a ON g.attempt = a.id
      ORDER BY 2, 3, 4"
}
# Not every date(1) has %3N.
now_ms() { echo $(($(date "$@" +%s%N) / 1000000)); }
undisturbed() { sh attempt.sh "$grade" "$book" "$work/$1" || { problem "undisturbed: exit $?"; cat "$1.said"; exit 1; }; }
undisturbed whole # compiles what later ones find in the cache
start=$(now_ms)
undisturbed timed
end=$(now_ms)
took=$((end - start)) import_took=$((end - $(now_ms -r timed.importing)))
content whole.db >whole.txt
[ "$(grep -c '^s' whole.txt)" -eq 4 ] && [ "$(grep -c '^g' whole.txt)" -eq 3 ] && [ "$(grep -c '^t' whole.txt)" -gt 100 ] ||
  { problem "the undisturbed book"; cat whole.txt; exit 1; }

# Processes of the session of the attempt that still run (the session's number is the fourth word behind the name).
count_left() { cat /proc/[0-9]*/stat 2>/dev/null | awk -v s="$pid" '{ sub(/.*\) /, "") } $1 != "Z" && $4 == s { n++ } END { print n + 0 }'; }
is_gone() {
  tries=50
  while [ "$(count_left)" -gt 0 ]; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || return 1
    sleep 0.1
  done
}
sleep_ms() { sleep "$(awk -v ms="$1" -v part="$2" 'BEGIN { printf "%.3f", ms * part / 1000 }')"; }
# wait_for_moment PART: to a moment of the attempt, PART (0 to 1) of its time.
wait_for_moment() {
  [ $((k % 3)) -eq 2 ] || { sleep_ms "$took" "$1"; return; }
  while [ ! -e "$name.importing" ] && kill -0 $pid 2>/dev/null; do sleep 0.01; done
  sleep_ms "$import_took" "$1"
}
k=0 round=0 importing=0
# shellcheck disable=SC2046 # words
set -- $(awk -v n=$((20 * kills + 20)) -v s="$seed" 'BEGIN { srand(s); while (n-- > 0) print rand() }')
while [ $k -lt "$kills" ] && [ $# -gt 0 ]; do
  round=$((round + 1)) name=round$round before=$k
  while [ $# -gt 0 ]; do
    start=$(now_ms)
    setsid sh attempt.sh "$grade" "$book" "$work/$name" &
    pid=$!
    [ $k -ge "$kills" ] || wait_for_moment "$1"
    shift
    if [ $k -lt "$kills" ] && kill -KILL -$pid 2>/dev/null; then
      wait $pid 2>/dev/null
      k=$((k + 1))
      [ ! -e $name.importing ] || importing=$((importing + 1))
      is_gone || problem "kill $k: $(count_left) processes go on"
      continue
    fi
    wait $pid || { problem "round $round, after kill $k: exit $?"; cat $name.early $name.said; }
    # Without a kill in this round, the moment was too late: other work on the machine has ended since the time was taken.
    [ "$k" -gt "$before" ] || took=$(((took + $(now_ms -r $name.importing) - start) / 2))
    break
  done
  content $name.db >$name.txt
  cmp -s whole.txt $name.txt || { problem "round $round: another book"; diff whole.txt $name.txt | head -n 20; }
  rm -rf $name
done
[ $k -eq "$kills" ] || problem "$k kills instead of $kills"
[ $importing -gt 0 ] && [ $importing -lt "$kills" ] || problem "$importing of $kills kills while it imported"
echo "$kills kills in $round rounds of $took ms, $importing of them while importing (seed $seed)"
no_problems
