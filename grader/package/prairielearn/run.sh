#!/bin/sh
# PrairieLearn runs this in the container for each submission: /grade/student holds kernel.cu, /grade/tests this file.
grade=${SCANLAB_GRADE:-/grade}
course=${SCANLAB_COURSE:-/usr/local/share/scanlab}
tests=$grade/tests
set --
while IFS= read -r option; do set -- "$@" "$option"; done <"$tests/options"
[ ! -f "$tests/overlay.json" ] || set -- "$@" --overlay "$tests/overlay.json"
"$tests/grade_one.sh" "$course" "$grade/student" "${TMPDIR:-/tmp}/scanlab" prairielearn "$grade/results/results.json" "$@"
exit 0
