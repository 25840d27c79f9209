#!/bin/sh
# package.sh ROOT WORK KIND [OPTION..]: `scanlab package`. The students' tree, an overlay and what a submission system asks for, as one
# archive of fixed bytes. A row of `kinds` is one system; its function makes the folder STAGE/NAME from the templates beside this file.
# shellcheck disable=SC2015
set -u
root=$1 work=$2
shift 2
here=$root/grader/package
# shellcheck source=grader/release/common.sh
. "$root/grader/release/common.sh"
kinds='gradescope github autolab prairielearn container'

usage() {
  cat <<EOF
usage: ./scanlab package KIND [OPTION...]

What a submission system needs to grade this course, as one archive. The same
tree gives the same bytes.

  gradescope     a zip to upload: setup.sh, run_autograder
  github         a template repository with a workflow for GitHub Classroom
  autolab        autograde-Makefile, autograde.tar
  prairielearn   a question for each lab
  container      Dockerfile, Apptainer recipe

  --lab NN          this lab only (repeatable); for one lab, a kernel.cu alone
                    may be handed in
  --overlay FILE    hidden cases, points, seeds: docs/instructor/handing-out.md
  --accept-misplaced
                    take a kernel in another place too, if it can be of one lab
                    only
  --no-sandbox      grade even where submissions cannot be kept from other files
  --out FILE        the archive (default: build/scanlab-KIND.zip or .tar.gz)

example:
  ./scanlab package gradescope --lab 03 --out lab03.zip
EOF
}

# folder_of LAB: the folder of a lab that is named by its number or its folder.
folder_of() {
  for try in "$root/labs/$1" "$root/labs/$1"_*; do
    [ -f "$try/lab.json" ] && { basename "$try"; return; }
  done
  die 2 "option --lab: there is no lab '$1'" "./scanlab list names them"
}

title_of() { sed -n 's/^[^"]*"lab": [^,]*, *"title": "\([^"]*\)".*/\1/p; s/^ *"title": "\([^"]*\)".*/\1/p' "$root/labs/$1/lab.json" | head -n 1; }

# What each package has: the one script that grades, the options, the overlay.
grading_files() { # FOLDER LAB..
  folder=$1
  shift
  mkdir -p "$folder" && cp "$here/grade_one.sh" "$folder" || die 4 "cannot write $folder"
  : >"$folder/options"
  for lab; do printf '%s\n' --lab "$lab" >>"$folder/options"; done
  for option in $more; do echo "$option" >>"$folder/options"; done
  [ -z "$overlay" ] || cp "$overlay" "$folder/overlay.json" || die 4 "cannot copy $overlay"
}

# An overlay that does not fit is refused here, not after the upload: it is tried on a submission of nothing.
check_overlay() {
  for lab in $labs; do mkdir -p "$stage/nothing/$lab"; done
  "$root/scanlab" grade "$stage/nothing" --overlay "$overlay" --no-plots --out "$stage/tried" >"$stage/said" 2>&1
  code=$?
  [ $code -eq 1 ] || { cat "$stage/said" >&2; exit $code; }
  rm -rf "$stage/nothing" "$stage/tried" "$stage/said"
}

make_gradescope() {
  stage_students "$root" "$stage/scanlab"
  # shellcheck disable=SC2086 # words
  grading_files "$stage" $labs
  cp "$here/gradescope/setup.sh" "$here/gradescope/run_autograder" "$stage"
}

make_github() {
  [ -z "$overlay" ] || die 2 "option --overlay: students own the repository, and would see it" "grade with the overlay elsewhere"
  stage_students "$root" "$stage/scanlab"
  grading_files "$stage/scanlab/.github/scanlab"
  cp "$here/github/step.sh" "$stage/scanlab/.github/scanlab"
  mkdir "$stage/scanlab/.github/workflows"
  # shellcheck disable=SC2086 # words
  printf '%s\n' $labs | awk '
    function id(lab) { return "lab-" substr(lab, 1, 2) }
    NR == FNR { lab[++n] = $0; next }
    /^@STEPS@$/ { for (k = 1; k <= n; k++) printf "      - name: %s\n        id: %s\n        run: .github/scanlab/step.sh %s\n", lab[k], id(lab[k]), lab[k]; next }
    /^@RESULTS@$/ { for (k = 1; k <= n; k++) printf "          %s_RESULTS: ${{ steps.%s.outputs.result }}\n", toupper(id(lab[k])), id(lab[k]); next }
    /@RUNNERS@/ { for (k = 1; k <= n; k++) all = all (k > 1 ? "," : "") id(lab[k]); sub(/@RUNNERS@/, all) }
    { print }' - "$here/github/classroom.yml" >"$stage/scanlab/.github/workflows/classroom.yml"
}

make_autolab() {
  # shellcheck disable=SC2086 # words
  grading_files "$stage/inner/autograde" $labs
  cp "$here/autolab/run.sh" "$stage/inner/autograde"
  mkdir "$stage/autolab"
  pack_plain "$stage/inner" autograde "$stage/autolab/autograde.tar"
  cp "$here/autolab/autograde-Makefile" "$stage/autolab"
  make_container "$stage/autolab/image"
}

make_prairielearn() {
  for lab in $labs; do
    question=$stage/prairielearn/questions/scanlab_$lab
    grading_files "$question/tests" "$lab"
    cp "$here/prairielearn/run.sh" "$question/tests"
    uuid=$(printf 'scanlab prairielearn %s' "$lab" | sha256sum | sed 's/^\(.\{8\}\)\(.\{4\}\).\(.\{3\}\).\(.\{3\}\)\(.\{12\}\).*/\1-\2-4\3-8\4-\5/')
    for file in info.json question.html; do
      sed "s/@UUID@/$uuid/; s/@NUMBER@/${lab%%_*}/g; s/@TITLE@/$(title_of "$lab")/g" "$here/prairielearn/$file" >"$question/$file"
    done
  done
  make_container "$stage/prairielearn/image"
}

make_container() { # [FOLDER]
  image=${1:-$stage/container}
  mkdir -p "$image" || die 4 "cannot write $image"
  stage_students "$root" "$image/scanlab"
  cp "$here"/container/* "$image"
}

case ${1:-} in
  -h|--help) usage || exit 4; exit 0 ;;
  '') usage >&2; exit 2 ;;
esac
kind=$1
shift
case " $kinds " in *" $kind "*) ;; *) die 2 "there is no package '$kind'" "$kinds" ;; esac
labs='' overlay='' more='' out=''
while [ $# -gt 0 ]; do
  case $1 in
    -h|--help) usage || exit 4; exit 0 ;;
    --no-sandbox|--accept-misplaced) more="$more $1"; shift; continue ;;
    --lab=*|--overlay=*|--out=*) option=${1%%=*} value=${1#*=}; shift ;;
    --lab|--overlay|--out) [ $# -ge 2 ] || die 2 "option $1: expected a value"; option=$1 value=$2; shift 2 ;;
    *) die 2 "unexpected argument '$1'" "./scanlab package --help lists the options" ;;
  esac
  case $option in
    --lab) lab=$(folder_of "$value") || exit 2; labs="$labs $lab" ;;
    --overlay) overlay=$value ;;
    --out) out=$value ;;
  esac
done
[ -n "$labs" ] || labs=$(cd "$root/labs" && echo [0-9]*_*)
case $kind in gradescope) form=zip ;; *) form=gzip ;; esac
case $form in zip) suffix=zip ;; gzip) suffix=tar.gz ;; esac
[ -n "$out" ] || out=$work/scanlab-$kind.$suffix
[ -z "$overlay" ] || [ -f "$overlay" ] || die 3 "$overlay: there is no such file"
check_out "$out" $form
stage=$(mktemp -d) || die 4 "no temporary folder can be made"
trap 'rm -rf "$stage"' EXIT
if [ -n "$overlay" ]; then check_overlay; fi
"make_$kind"
case $kind in
  gradescope) pack_zip "$stage" "$out" ;;
  github) pack_tar "$stage" scanlab "$out" ;;
  *) pack_tar "$stage" "$kind" "$out" ;;
esac
printf '%s: %s bytes\nsha256 %s\n' "$out" "$(wc -c <"$out")" "$(sha256sum <"$out" | cut -c1-64)"
