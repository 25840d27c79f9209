#!/bin/sh
# From a system's download to its upload (docs/instructor/grading.md): what Canvas and Moodle export of one assignment is graded, kept, and
# filled into their tables. Names with marks, an apostrophe, three surnames, a suffix; somebody absent, somebody unknown, somebody late.
#   usage: systems.sh SL_GRADE SL_BOOK WORK
set -u
. "$(dirname "$0")/../../tests/problems.sh"
grade=$1 book=$2 work=$3
rm -rf "$work" && mkdir -p "$work/canvas" "$work/moodle" && cd "$work" || exit 4
right=$SCANLAB_ROOT/solutions/01_naive_scan/kernel.cu
cp "$right" canvas/mullerbjorn_12_801_kernel.cu
cp "$right" canvas/smithjohnjr_14_803_kernel-1.cu
cp "$right" canvas/strangerann_77_805_kernel.cu
echo 'int x = ;' >canvas/obriensean_LATE_13_802_kernel.cu
tar -cf canvas/garciamarquezlopezgabriel_15_804_work.tar -C "$SCANLAB_ROOT/solutions" 01_naive_scan
cat >canvas.csv <<'END'
Student,ID,SIS User ID,SIS Login ID,Section,Scan 1 (4711),Current Score
    Points Possible,,,,,100,(read only)
"Müller, Björn",12,u12,bm,"Lab A",,
"O'Brien, Seán",13,u13,sob,"Lab A",,
"Smith, John Jr.",14,u14,jsmith,"Lab A",,
"García Márquez López, Gabriel",15,u15,ggm,B,,
"Müller, Anna",16,u16,anna,B,,
END
cat >late.csv <<'END'
Student Name,Student ID,Student SIS ID,Assignment Name,Due Date,Submitted Date
"O'Brien, Seán",13,u13,Scan 1,2026-10-30T22:00:00Z,2026-10-31T08:00:00Z
END
mkdir 'moodle/Björn Müller_4711_assignsubmission_file_' && cp "$right" 'moodle/Björn Müller_4711_assignsubmission_file_/kernel.cu'
echo 'int x = ;' >"moodle/Seán O'Brien_4712_assignsubmission_file_kernel.cu"
cp "$right" 'moodle/John Smith, Jr._4713_assignsubmission_file_kernel.cu'
mkdir 'moodle/Gabriel García Márquez López_4714_assignsubmission_file_' &&
  tar -cf 'moodle/Gabriel García Márquez López_4714_assignsubmission_file_/a.tar' -C "$SCANLAB_ROOT/solutions" 01_naive_scan
cat >moodle.csv <<'END'
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 4711","Björn Müller",bm@example.edu,"Submitted for grading - ",,100.00,Yes,"Friday, 30 October 2026, 5:20 PM",-,
"Participant 4712","Seán O'Brien",sob@example.edu,"Submitted for grading - ",,100.00,Yes,"Saturday, 31 October 2026, 9:00 AM",-,
"Participant 4713","John Smith, Jr.",js@example.edu,"Submitted for grading - ",,100.00,Yes,"Saturday, 31 October 2026, 9:00 AM",-,
"Participant 4714","Gabriel García Márquez López",ggm@example.edu,"Submitted for grading - ",,100.00,No,"Friday, 30 October 2026, 5:20 PM",-,
"Participant 4715","Abe Sent",abs@example.edu,"No submission",,100.00,Yes,-,-,
END
for system in canvas moodle; do
  case $system in
    canvas) set -- --times late.csv && column='Scan 1' ;;
    moodle) set -- --times moodle.csv --zone Europe/Berlin && column=Grade ;;
  esac
  "$grade" $system --lab 01 --no-plots --accept-misplaced --roster $system.csv "$@" --out out.$system >$system.table 2>&1
  [ $? -eq 1 ] || { problem "$system: grade"; cat $system.table; }
  echo '{"deadline": "2026-10-30T22:00:00Z", "percent_a_day": 10}' >$system.db.policy.json
  "$book" import out.$system --book $system.db >said 2>&1 || { problem "$system: import"; cat said; }
  "$book" export $system --from $system.csv --column "$column" --lab 01 --out $system.up --book $system.db 2>$system.told
  [ $? -eq 1 ] || problem "$system: export"
  diff $system.csv $system.up | sed -n 's/^> //p' >$system.filled
done
cat >canvas.want <<'END'
"Müller, Björn",12,u12,bm,"Lab A",100,
"O'Brien, Seán",13,u13,sob,"Lab A",0,
"Smith, John Jr.",14,u14,jsmith,"Lab A",100,
"García Márquez López, Gabriel",15,u15,ggm,B,100,
END
# The one who was late has lost 10 percent of it; a locked grade stays.
cat >moodle.want <<'END'
"Participant 4711","Björn Müller",bm@example.edu,"Submitted for grading - ",100,100.00,Yes,"Friday, 30 October 2026, 5:20 PM",-,
"Participant 4712","Seán O'Brien",sob@example.edu,"Submitted for grading - ",0,100.00,Yes,"Saturday, 31 October 2026, 9:00 AM",-,
"Participant 4713","John Smith, Jr.",js@example.edu,"Submitted for grading - ",90,100.00,Yes,"Saturday, 31 October 2026, 9:00 AM",-,
END
for system in canvas moodle; do
  cmp -s $system.want $system.filled || { problem "$system: what is filled"; diff $system.want $system.filled; cat $system.table; }
done
grep -q 'warning: strangerann_77: has a score, and the file has no row' canvas.told || { problem "canvas: a stranger"; cat canvas.told; }
grep -q 'ggm@example.edu: the grade cannot be changed there' moodle.told || { problem "moodle: a locked grade"; cat moodle.told; }
"$book" show 13 --book canvas.db | grep -q '2026-10-31T08:00:00Z, 1 day late' || { problem "canvas: the time of a late one"; "$book" show 13 --book canvas.db; }
# Without the option nothing is graded that is not in its place, and nobody is passed over.
"$grade" canvas --lab 01 --no-plots --roster canvas.csv --out plain >said 2>&1
[ "$(grep -c 'no kernel.cu in its place: there is kernel.*cu, which belongs into 01_naive_scan/kernel.cu' said)" = 4 ] || { problem "canvas: files in other places"; cat said; }
no_problems
