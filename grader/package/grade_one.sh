#!/bin/sh
# shellcheck disable=SC2015
# grade_one.sh COURSE SUBMISSION WORK FORMAT RESULT [OPTION..]: one submission on a submission system. Writes RESULT in any case, in
# FORMAT (gradescope, github, autolab, prairielearn): the score, also 0 for an empty or wrong submission, or that the autograder could
# not do its work, which is no score. OPTION.. are those of `grade`; where they choose one lab, its kernel.cu may lie flat in SUBMISSION.
# Exit code: that of `grade`. WORK is for what is made on the way; nothing of SUBMISSION is run or followed here.
set -u
course=$1 submission=$2 work=$3 format=$4 result=$5
shift 5

# What each system is told when there is no result.
broken='The autograder could not do its work, and gave no score. This is no fault of your submission: tell your instructors.'
tell_broken() {
  case $format in
    gradescope) printf '{"output": "%s", "output_format": "text", "stdout_visibility": "hidden"}\n' "$broken" ;;
    github) printf '{"version": 1, "status": "error", "tests": [{"name": "autograder", "status": "error", "message": "%s"}]}\n' "$broken" ;;
    autolab) printf '{"error": "%s"}\n' "$broken" ;;
    prairielearn) printf '{"gradable": false, "message": "%s", "output": "%s"}\n' "$broken" "$broken" ;;
    *) echo "grade_one.sh: unknown format $format" >&2; exit 2 ;;
  esac >"$result.new" && mv -f "$result.new" "$result"
}
mkdir -p "$(dirname -- "$result")" && tell_broken || { echo "grade_one.sh: cannot write $result" >&2; exit 4; }

# The labs that OPTION.. choose: all, if they choose none. In these packages a lab is its folder's name.
chosen='' before=''
for option; do
  case $before in --lab) chosen="$chosen $option" ;; esac
  before=$option
done
# shellcheck disable=SC2086 # words
set -- $chosen -- "$@"
labs=
while [ "$1" != -- ]; do labs="$labs $1"; shift; done
shift
[ -n "$labs" ] || labs=$(cd "$course/labs" && echo [0-9]*_*)

# The .cu files and archives of the submission in a folder of their own. The grader finds the labs in it, and opens archives where there
# is no .cu file beside them.
stage=$work/submission
rm -rf "$stage" && mkdir -p "$stage" || { echo "grade_one.sh: cannot write $work" >&2; exit 4; }
(cd "$submission" 2>/dev/null && find . -maxdepth 6 -type f -size -2048k \( -name '*.cu' -o -name '*.zip' -o -name '*.tar' -o -name '*.tar.?z' -o -name '*.t?z' \) -print0 2>/dev/null | head -z -n 500 |
  tar --null --no-recursion -cf - -T - 2>/dev/null) | tar -xf - -C "$stage" --no-same-owner --no-same-permissions 2>/dev/null
lab=${labs# }
case $lab in
  *' '*) ;;
  *) if [ -f "$stage/kernel.cu" ] && ! [ -e "$stage/$lab/kernel.cu" ]; then mkdir -p "$stage/$lab" && mv "$stage/kernel.cu" "$stage/$lab"; fi ;;
esac

# What the grader prints is for instructors. A result that it left counts only with the exit codes of a grading that was done.
rm -f "$work/result"
program=$course/scanlab # a source tree's, or the installed one
[ -x "$program" ] || program=scanlab
"$program" grade "$stage" --one --no-plots --out "$work/graded" "--$format" "$work/result" "$@" </dev/null
code=$?
case $code in
  0|1) [ -s "$work/result" ] && cp "$work/result" "$result.new" && mv -f "$result.new" "$result" || exit 4 ;;
  *) echo "grade_one.sh: the grader ended with exit code $code" >&2 ;;
esac
exit $code
