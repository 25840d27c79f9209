#!/bin/sh
# What the gradebook does when things go wrong: a class of 300 is imported and killed at random moments, the disk is
# full, the book is locked, damaged, foreign or read-only, two programs import at once, the clock goes backwards. In the
# end it is the same book, nothing lost or doubled; each fault is one message with its exit code.
#   usage: faults.sh SL_BOOK MAKE_CLASS WORK [KILLS]
set -u
. "$(dirname "$0")/../../tests/problems.sh"
book=$1 make_class=$2 work=$3 kills=${4:-12}
begin_in "$work"
# expect CODE TEXT ARGS..: runs the gradebook.
expect() {
  want=$1 text=$2
  shift 2
  "$book" "$@" >said 2>&1
  got=$?
  if [ $got -ne "$want" ] || ! grep -qF -- "$text" said; then problem "$*: exit $got, expected $want and '$text'"; cat said; fi
  [ "$(grep -c 'error:' said)" -le 1 ] || { problem "$*: several messages"; cat said; }
}
# All that a book holds but the times of its imports.
content() { sqlite3 "$1" .dump | grep -v '^INSERT INTO imports'; }

"$make_class" class 300 6 6 1 && "$make_class" small 6 2 6 1 || exit 4

# A whole class, undisturbed.
start=$(date +%s%N)
expect 0 '300 students: 1800 new attempts, 1800 new gradings, 0 known' import class --book whole.db
took=$((($(date +%s%N) - start) / 1000000))
echo "300 students, 10800 tests: $took ms"
content whole.db >whole.txt
expect 0 '0 new attempts, 0 new gradings, 1800 known' import class --book whole.db
content whole.db | cmp -s - whole.txt || problem "the same import twice is another book"
expect 0 'student299' show --book whole.db
expect 0 '150 of 300' stats --book whole.db

# Exports hold one student at a time in memory. (A book of sanitizers cannot even be shown in as little.)
limited() { (ulimit -v 30000 && exec "$book" "$@" --book whole.db) >said 2>&1; }
if limited show; then
  for format in csv json junit; do limited export $format --out limited.$format || { problem "$format in 30 MB"; cat said; }; done
  [ "$(grep -c '<testcase ' limited.junit)" = 10800 ] || problem "tests are missing in JUnit's file"
fi
# One that cannot be finished is not there.
(ulimit -f 100; trap '' XFSZ; "$book" export junit --out half.xml --book whole.db >said 2>&1; echo $? >code)
[ "$(cat code)" = 4 ] && grep -q 'error: half.xml: cannot write' said && [ -z "$(ls half.xml* 2>/dev/null)" ] ||
  { problem "half of an export: exit $(cat code)"; ls half.xml*; cat said; }

# Killed at moments spread over the whole import, each time into the book of the time before.
k=0
while [ $k -lt "$kills" ]; do
  "$book" import class --book killed.db >/dev/null 2>&1 &
  pid=$!
  sleep "$(awk -v k=$k -v n="$kills" -v ms="$took" -v s="$$" 'BEGIN { srand(s + k); printf "%.3f", (k + rand()) / n * ms / 1000 }')"
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
  if [ -s killed.db ]; then
    n=$(sqlite3 killed.db 'SELECT count(*) FROM gradings' 2>/dev/null || echo 0)
    case $n in 0|1800) ;; *) problem "killed: $n gradings of 1800" ;; esac
  fi
  k=$((k + 1))
done
expect 0 '1800' import class --book killed.db
content killed.db | cmp -s - whole.txt || problem "killed and imported again: another book"
[ ! -e killed.db-journal ] || problem "a journal is left"

# Two at once: one waits for the other, and the book is that of one.
"$book" import class --book two.db >one.txt 2>&1 &
first=$!
"$book" import class --book two.db >two.txt 2>&1 || { problem "the second of two"; cat two.txt; }
wait $first || { problem "the first of two"; cat one.txt; }
content two.db | cmp -s - whole.txt || problem "two at once: another book"

# While a grading writes into the folder, of all of it or of a part, what is there is added, and what is missing is told once.
cp -r small making && rm making/students/*1/graded.json && touch making/lock making/lock.2.3
for how in '-x making/lock' '-x making/lock.2.3'; do
  (flock ${how} sh -c 'touch held; while [ -e held ]; do sleep 0.05; done') &
  while [ ! -e held ]; do sleep 0.05; done
  rm -f making.db
  expect 1 'making: a grading is still writing there: 1 of 6 is not graded yet' import making --book making.db
  [ "$(grep -c warning said)" -eq 1 ] && grep -q '10 new gradings' said || { problem "an import while $how"; cat said; }
  rm held
  wait $!
done
expect 1 'student001: is not graded yet' import making --book making.db
! grep -q 'still writing' said || problem "a grading that has ended still writes"

# Disk full: a limit on the size of files is as good.
(ulimit -f 512; trap '' XFSZ; "$book" import class --book full.db >said 2>&1; echo $? >code)
[ "$(cat code)" = 4 ] && grep -q 'disk' said || { problem "disk full: exit $(cat code)"; cat said; }
expect 0 '1800 new gradings' import class --book full.db
content full.db | cmp -s - whole.txt || problem "after a full disk: another book"

# Locked by a program that does not end (the wait is 20 s; here it is cut).
mkfifo hold
sqlite3 two.db <hold >/dev/null 2>&1 &
holder=$!
exec 9>hold
echo 'BEGIN IMMEDIATE; SELECT 1;' >&9
sleep 0.3
SCANLAB_BOOK_WAIT_MS=300 expect 4 'another program is using the gradebook' import small --book two.db
SCANLAB_BOOK_WAIT_MS=2000 expect 4 'waiting for it, at most 2 s' import small --book two.db
for time in x -1 1e3 '5 s' 99999999; do
  SCANLAB_BOOK_WAIT_MS=$time expect 2 "SCANLAB_BOOK_WAIT_MS: expected a whole number from 0 to 3600000, found '$time'" import small --book two.db
done
echo 'COMMIT; BEGIN EXCLUSIVE; SELECT 1;' >&9 # now not even reading goes on: several statements wait in turn
sleep 0.3
SCANLAB_BOOK_WAIT_MS=2000 expect 4 'waiting for it, at most 2 s' import small --book two.db
[ "$(grep -c 'waiting for it' said)" -eq 1 ] || { problem "it waits more than once"; cat said; }
exec 9>&-
wait $holder

# On a file system without locks, which SQLite takes for a busy one. LD_PRELOAD takes no path with a blank.
for call in fcntl fcntl64; do
  printf '%s\n' "int $call(int fd, int what, ...) {" '  va_list more;' '  va_start(more, what);' '  void *value = va_arg(more, void *);' '  va_end(more);' \
    "  int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, \"$call\");" \
    '  if (what != F_SETLK && what != F_SETLKW && what != F_GETLK) return real(fd, what, value);' '  errno = ENOLCK;' '  return -1;' '}'
done >calls.c
printf '#include <%s>\n' dlfcn.h errno.h fcntl.h stdarg.h | cat - calls.c >nolocks.c && cc -D_GNU_SOURCE -shared -fPIC -o nolocks.so nolocks.c -ldl || problem "cc"
export LD_PRELOAD=./nolocks.so ASAN_OPTIONS=verify_asan_link_order=0
expect 4 'its file system has no locks' import small --book two.db
unset LD_PRELOAD ASAN_OPTIONS

# Damaged, foreign, missing, of another kind, of a later form.
cp whole.db damaged.db
dd if=/dev/urandom of=damaged.db bs=4096 seek=3 count=40 conv=notrunc 2>/dev/null
cp damaged.db before.db
expect 3 'the gradebook is damaged' show --book damaged.db
expect 3 'the gradebook is damaged' import small --book damaged.db
cmp -s damaged.db before.db || problem "a damaged book was written to"
head -c 50000 whole.db >cut.db
expect 3 'damaged' show --book cut.db
echo 'these are my notes' >notes.txt
cp notes.txt notes.old
expect 3 'it is no gradebook' import small --book notes.txt
cmp -s notes.txt notes.old || problem "a file of another kind was written to"
sqlite3 other.db 'CREATE TABLE mine(x); INSERT INTO mine VALUES (1);'
expect 3 'it is no gradebook' import small --book other.db
[ "$(sqlite3 other.db 'SELECT count(*) FROM sqlite_schema')" = 1 ] || problem "another program's database was written to"
expect 3 'there is no such gradebook' show --book missing.db
[ ! -e missing.db ] || problem "show made a book"
expect 3 'no regular file' import small --book hold
expect 3 'no regular file' import small --book .
expect 3 'cannot be opened' import small --book nowhere/b.db
expect 3 "the gradebook's name is empty" import small --book ''
for name in :memory: 'file:b.db?mode=memory'; do # SQLite would keep them in memory
  expect 0 '12 new gradings' import small --book "$name"
  expect 0 '12 known' import small --book "$name"
done
cp two.db later.db
sqlite3 later.db 'PRAGMA user_version = 9'
expect 3 'a gradebook of form 9' show --book later.db

# A book of form 1, which had no column "edited": it is read, renewed and added to, and keeps its rows.
cp two.db first.db
sqlite3 first.db 'ALTER TABLE gradings DROP COLUMN edited; PRAGMA user_version = 1'
cp first.db first.old
"$book" show --book two.db >two.all 2>&1
for words in show stats 'show student001' 'history student001'; do
  "$book" $words --book two.db >two.said 2>&1
  "$book" $words --book first.db >first.said 2>&1 || { problem "$words of a book of form 1"; cat first.said; }
  cmp -s two.said first.said || problem "$words of a book of form 1 says something else"
done
"$book" export json --student student001 --out two.json --book two.db && "$book" export json --student student001 --out first.json --book first.db &&
  cmp -s two.json first.json || problem "a book of form 1 exports something else"
cmp -s first.db first.old || problem "a book of form 1 was written to where it was only read"
expect 0 '0 new attempts, 0 new gradings, 1800 known' import class --book first.db
[ "$(sqlite3 first.db 'PRAGMA user_version')" = 2 ] || problem "a book of form 1 was not renewed"
content first.db | grep '^INSERT' >first.rows
content two.db | grep '^INSERT' | cmp -s - first.rows || problem "a book of form 1 lost rows"
expect 3 'there are no results of a grading' import nowhere --book two.db

# A book that nobody can write to, of both forms, in a folder that nobody can write to. (root may write anywhere.)
as_user() { "$@"; }
[ "$(id -u)" -ne 0 ] || as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
locked=$(mktemp -d) && cp "$book" "$locked/sl-book" && cp two.db first.old "$locked" && chmod 444 "$locked"/*[dbl] && chmod 555 "$locked" "$locked/sl-book"
for file in two.db first.old; do
  as_user "$locked/sl-book" show --book "$locked/$file" >said 2>&1 || { problem "$file is read-only: show: exit $?"; cat said; }
  cmp -s two.all said || { problem "$file is read-only: show says something else"; head -3 said; }
  as_user "$locked/sl-book" override student001 01 3 --reason r --who w --book "$locked/$file" >said 2>&1
  code=$?
  [ $code -eq 3 ] && [ "$(grep -c 'error:' said)" = 1 ] && grep -q 'the gradebook cannot be written' said ||
    { problem "$file is read-only: override: exit $code"; cat said; }
done
chmod 755 "$locked" && rm -rf "$locked"

# A grader is compared with itself where lab.json, an overlay or the key, by which inputs are drawn, has changed, and only there.
for what in lab_json key; do
  rm -rf changed.db changed && cp -r small changed
  expect 0 '12 new gradings' import small --book changed.db
  expect 3 'one grader has graded all of it' diff --book changed.db
  sed -i "s/\"$what\": *\"[^\"]*\"/\"$what\": \"another\"/" changed/students/student000/graded.json
  expect 0 '2 new gradings' import changed --book changed.db
  expect 0 'one grader, by another lab.json, overlay or key than before' diff --book changed.db
  grep -q ': 2 attempts graded by both, 0 differ' said || problem "not the two gradings by another $what are compared"
done

# A kernel that could not be read has 0 points in the statistics, which say so, and no part in those of the tests.
rm -rf unread.db unread && cp -r small unread
expect 0 '12 new gradings' import small --book unread.db
"$book" stats --book unread.db >all.stats 2>&1
grep -q 'could not be read' all.stats && problem "stats: a kernel that was read is called unread"
tests_of_6=$(grep -c ' of 6$' all.stats)
rm unread.db
sed -i -e 's/"sha256": *"[^"]*"/"sha256": null/' -e 's/"pass"/"fail"/' unread/students/student000/graded.json unread/manifest.json
"$book" import unread --book unread.db >said 2>&1
expect 0 '01_naive_scan: 1 could not be read: 0 points above, not in the tests below' stats --book unread.db
[ "$tests_of_6" -gt 0 ] && ! grep -q ' of 6$' said && grep -q ' of 5$' said || problem "stats: a kernel that could not be read counts as one that fails"

# The clock goes backwards: it is said, and the order of the book stays.
sqlite3 clock.db '' && rm clock.db
expect 0 '12 new gradings' import small --book clock.db
sqlite3 clock.db "INSERT INTO imports VALUES (99, '2099-01-01T00:00:00Z', 'x', NULL, NULL, NULL, NULL, NULL)"
"$make_class" later 6 2 6 2
expect 0 'the clock says' import later --book clock.db
expect 0 '12 attempts graded by both, 0 differ' diff 1 2 --book clock.db

# Of many names some are told, whole.
expect 2 'unknown student "zzz"' show zzz --book whole.db
grep -q 'one of: student000 .* student0[0-9]* and 2[0-9]* more$' said || { problem "the names of 300 students"; cat said; }

# A name that several have is not unknown: their ids are told.
cp whole.db twins.db && sqlite3 twins.db "DROP TRIGGER IF EXISTS students_update; UPDATE students SET name = 'Ann Lee' WHERE student IN ('student001', 'student002')" 2>said
expect 2 '2 students are called "lee, ann"' show 'lee, ann' --book twins.db
grep -q 'by the id which one: student001, student002$' said || { problem "the ids of two with one name"; cat said; }

# An extension for somebody whom the book does not know is told; one by full name is given.
late='"deadline": "2020-01-01T00:00:00Z", "percent_a_day": 100, "extensions": [{"until": "2199-01-01T00:00:00Z", "reason": "ill", "student":'
echo "{$late \"student0001\"}]}" >rules.json
expect 0 'rules.json: extensions: unknown student "student0001": nobody has this extension; did you mean student' show student001 --book whole.db --policy rules.json
grep -q '^total 0 /' said || { problem "a student without an extension"; cat said; }
cp whole.db set.db
for points in 0x10 1e1 inf nan ' 5' 5,5; do expect 2 "'$points' are no points" override student001 01 "$points" --reason ill --who TA --book set.db; done
expect 0 'student001' override student001 01 5 --reason ill --who TA --book set.db --policy rules.json
[ "$(grep -c 'nobody has this extension' said)" -eq 1 ] || { problem "the warning of an override is told twice"; cat said; }
expect 3 'student000 has no override of 01_naive_scan that could be withdrawn' override student000 01 --withdraw --reason x --who TA --book set.db
expect 2 'an override is either POINTS or --withdraw' override student001 01 5 --withdraw --reason x --who TA --book set.db
expect 0 'student001' override student001 01 --withdraw --reason x --who TA --book set.db
expect 3 'student001 has no override' override student001 01 --withdraw --reason x --who TA --book set.db
sqlite3 whole.db "INSERT INTO students SELECT NULL, import, student, 'Ann Lee', source, handed_in, status, reason, 'x' FROM students WHERE student = 'student001'"
echo "{$late \"Ann Lee\"}]}" >rules.json
expect 0 'student001  Ann Lee' show student001 --book whole.db --policy rules.json
! grep -q 'warning\|^total 0 /' said || { problem "an extension by full name"; cat said; }

# Output that cannot be written.
for words in '--help' 'show --book whole.db'; do
  "$book" $words >/dev/full 2>said
  [ $? -eq 4 ] && grep -q 'error:' said || { problem "$words >/dev/full"; cat said; }
done

no_problems
