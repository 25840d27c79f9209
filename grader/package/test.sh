#!/bin/sh
# test.sh KIND ROOT [NVCC]: the packages of `scanlab package`, used as the systems use them, in folders that stand for theirs. For
# gradescope, github, autolab and prairielearn the course's own build grades; setup builds the tree that is in the zip, with setup.sh.
# What needs the system itself (images, uploads) is not tried here: docs/instructor/handing-out.md says so.
# shellcheck disable=SC2015,SC2016,SC2181,SC2317
set -u
kind=$1 root=$2
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$1"; [ ! -f "$tmp/said" ] || tail -n 15 "$tmp/said" | sed 's/^/  /'; failed=1; }
unset SCANLAB_ROOT SCANLAB_BUILD
for program in python3 zip unzip make; do
  command -v $program >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done
solution=$root/solutions/01_naive_scan/kernel.cu
package() { "$root/scanlab" package "$@" >"$tmp/said" 2>&1; }
# holds FILE EXPRESSION: is the Python expression true of the JSON file r?
holds() { python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); assert eval(" ".join(sys.argv[2].split())), r' "$1" "$2" >>"$tmp/said" 2>&1; }
# scripts_fine FOLDER: every script is one for sh.
scripts_fine() {
  grep -rlE '^#!/bin/sh' "$1" >"$tmp/scripts"
  [ -s "$tmp/scripts" ] || fail "no script in $1"
  while read -r script; do
    sh -n "$script" && [ -x "$script" ] || fail "$script: is no script that can run"
  done <"$tmp/scripts"
}
# wrong: a kernel that loses points
wrong() { sed 's|    if (active) s\[t\] += left;|    s[t] += left;|; 0,/__syncthreads();/s///' "$solution"; }

rules_gradescope='set(r) <= {"score", "execution_time", "output", "output_format", "stdout_visibility", "extra_data", "tests"} and "scanlab " in r["extra_data"]["made_by"] and all(
  set(t) <= {"name", "score", "max_score", "status", "output", "output_format", "name_format", "visibility"} and 0 <= t["score"] <= t["max_score"]
  and t["status"] in ("passed", "failed") and t["visibility"] in ("visible", "after_due_date") for t in r["tests"])
  and abs(sum(t["score"] for t in r["tests"]) - r["score"]) < 0.01'
rules_gradescope=$(echo "$rules_gradescope" | tr '\n' ' ')

# --- Gradescope: a folder that stands for /autograder
autograder() { # FOLDER: unpacks the zip as Gradescope does
  mkdir -p "$1/source" "$1/submission" "$1/results" && (cd "$1/source" && unzip -q "$tmp/package.zip") && cp "$1/source/run_autograder" "$1"
}
# submit EXPRESSION: runs run_autograder on $auto/submission; results.json must be there, keep to the rules, and EXPRESSION must hold
submit() {
  rm -f "$auto/results/results.json"
  (cd "$auto" && SCANLAB_AUTOGRADER=$auto ./run_autograder) >"$tmp/said" 2>&1 || fail "run_autograder ends with $?"
  holds "$auto/results/results.json" "$1" || fail "results.json: not: $1"
  case $1 in *'"tests" not in r'*) ;; *) holds "$auto/results/results.json" "$rules_gradescope" || fail "results.json keeps not to the rules" ;; esac
  rm -rf "$auto/submission" && mkdir "$auto/submission"
}

gradescope() {
  cat >"$tmp/overlay.json" <<'END'
{ "due": "2999-12-01T22:59:59Z", "labs": { "01": { "points": 105, "parts": {
    "scan": { "cases": [ { "id": "odd_n779", "n": 779, "points": 2 } ] },
    "late": { "title": "Later", "kind": "correct", "points": 5, "defaults": { "type": "f32", "scan": "inclusive" },
              "cases": [ { "id": "n640", "n": 640, "visibility": "after_due" } ] } } } } }
END
  package gradescope --lab 01 --overlay "$tmp/overlay.json" --out "$tmp/package.zip" || { fail "package gradescope"; return; }
  package gradescope --lab 01_naive_scan --overlay "$tmp/overlay.json" --out "$tmp/again.zip"
  cmp "$tmp/package.zip" "$tmp/again.zip" || fail "two packages of the same tree differ"
  auto=$tmp/autograder
  autograder "$auto" || fail "the zip cannot be unpacked"
  [ -x "$auto/source/setup.sh" ] && [ -x "$auto/source/run_autograder" ] || fail "setup.sh and run_autograder are not at the top"
  [ ! -e "$auto/source/scanlab/solutions" ] || fail "the package has solutions"
  scripts_fine "$auto/source"
  if command -v shellcheck >/dev/null; then
    shellcheck -e SC2015 "$auto/source/setup.sh" "$auto/source/run_autograder" "$auto/source/grade_one.sh" >"$tmp/said" || fail "shellcheck"
  fi
  rm -r "$auto/source/scanlab" && ln -s "$root" "$auto/source/scanlab" # the course's own build
  all='r["score"] == 105'
  none='r["score"] == 0 and len(r["tests"]) > 30'
  submit "$none" # nothing was handed in
  mkdir "$auto/submission/01_naive_scan" && cp "$solution" "$auto/submission/01_naive_scan"
  submit "$all and any(t['name'] == '01.scan.hidden1.sim' and '779' not in t['output'] for t in r['tests'])"
  cp "$solution" "$auto/submission/kernel.cu"
  submit "$all and [t for t in r['tests'] if t['visibility'] == 'after_due_date'][0]['max_score'] == 5"
  tar -czf "$auto/submission/work.tar.gz" -C "$root/solutions" 01_naive_scan # one rule for folders and archives
  submit "$all"
  for around in . lab-anna; do # a repository: the students' tree, which has .cu files of its own
    mkdir -p "$auto/submission/$around/labs" "$auto/submission/$around/harness"
    cp -r "$root/labs/02_double_buffer" "$root/solutions/01_naive_scan" "$auto/submission/$around/labs"
    cp "$root/harness/judge/contest_kernels.cu" "$auto/submission/$around/harness"
    submit "$all"
  done
  echo 'no archive' >"$auto/submission/work.zip"
  submit "$none"
  wrong >"$auto/submission/kernel.cu"
  submit '0 < r["score"] < 100'
  echo 'int x = ;' >"$auto/submission/kernel.cu"
  submit "$none and 'does not compile' in r['tests'][0]['output']"
  ln -s "$solution" "$auto/submission/kernel.cu"
  submit "$none"
  mkfifo "$auto/submission/kernel.cu"
  submit "$none"
  mkdir -p "$auto/submission/homework" && cp "$solution" "$auto/submission/homework/lab01.cu"
  submit "$none and 'homework/lab01.cu' in r['tests'][0]['output']"
  rm -r "$auto/submission"
  submit "$none" # there is not even a folder
  echo --accept-misplaced >>"$auto/source/options" # what `package --accept-misplaced` does
  mkdir -p "$auto/submission/homework" && cp "$solution" "$auto/submission/homework/lab01.cu"
  submit "$all"
  # A machine that cannot grade gives no score, and a result in any case.
  cp "$solution" "$auto/submission/kernel.cu"
  mv "$auto/source/scanlab" "$auto/source/away"
  submit '"score" not in r and "tests" not in r and "no fault of your submission" in r["output"]'
  mv "$auto/source/away" "$auto/source/scanlab"
  cp "$solution" "$auto/submission/kernel.cu"
  SCANLAB_NVCC=$tmp/none submit '"score" not in r and "tests" not in r'
  cp "$solution" "$auto/submission/kernel.cu"
  (cd "$auto" && SCANLAB_AUTOGRADER=$auto timeout -s KILL 0.3 ./run_autograder) >"$tmp/said" 2>&1
  holds "$auto/results/results.json" '"score" not in r or r["score"] == 105' || fail "no result when the autograder is killed"
  sed -i 's/"points": 105/"points": 104/' "$tmp/overlay.json"
  package gradescope --lab 01 --overlay "$tmp/overlay.json" --out "$tmp/again.zip"; [ $? -eq 3 ] || fail "an overlay that does not fit is packed"
}

# The tree in the zip is built by setup.sh itself. Packages and the compiler are those of this machine.
setup() {
  package gradescope --lab 01 --out "$tmp/package.zip" || { fail "package gradescope"; return; }
  auto=$tmp/autograder
  autograder "$auto" || fail "the zip cannot be unpacked"
  mkdir "$tmp/bin" && printf '#!/bin/sh\nexit 0\n' >"$tmp/bin/apt-get" && chmod +x "$tmp/bin/apt-get"
  (cd "$auto/source" && PATH=$tmp/bin:$PATH SCANLAB_NVCC=$1 SCANLAB_OFFLINE=1 SCANLAB_AUTOGRADER=$auto ./setup.sh) >"$tmp/said" 2>&1 || fail "setup.sh"
  export SCANLAB_NVCC="$1"
  cp "$solution" "$auto/submission/kernel.cu"
  submit 'r["score"] == 100'
  submit 'r["score"] == 0'
}

# --- GitHub: the template repository; a step's output, decoded
github() {
  package github --lab 01 --lab 02 --out "$tmp/github.tar.gz" || { fail "package github"; return; }
  tar -xzf "$tmp/github.tar.gz" -C "$tmp"
  repository=$tmp/scanlab
  workflow=$repository/.github/workflows/classroom.yml
  scripts_fine "$repository/.github/scanlab"
  grep -q '@' "$workflow" && grep -E '@[A-Z]+@' "$workflow" && fail "the workflow has open places"
  if python3 -c 'import yaml' 2>/dev/null; then
    python3 -c 'import json, sys, yaml; json.dump(yaml.load(open(sys.argv[1]), yaml.BaseLoader), open(sys.argv[2], "w"))' "$workflow" "$tmp/workflow.json" &&
      holds "$tmp/workflow.json" 'set(r) == {"name", "on", "permissions", "jobs"} and all("uses" in s or "run" in s for s in r["jobs"]["grade"]["steps"])' &&
      holds "$tmp/workflow.json" '[s["id"] for s in r["jobs"]["grade"]["steps"] if "id" in s] == r["jobs"]["grade"]["steps"][-1]["with"]["runners"].split(",") == ["lab-01", "lab-02"]' &&
      holds "$tmp/workflow.json" 'r["jobs"]["grade"]["steps"][-1]["env"] == {"LAB-0%d_RESULTS" % k: "${{ steps.lab-0%d.outputs.result }}" % k for k in (1, 2)}' ||
      fail "the workflow keeps not to the rules"
    # A checkout is newer than what the cache has built of it: without that step everything would be built at each push.
    python3 -c 'import json, sys; print([s["run"] for s in json.load(open(sys.argv[1]))["jobs"]["grade"]["steps"] if "older" in s.get("name", "")][0])' "$tmp/workflow.json" >"$tmp/older.sh"
    mkdir "$repository/build" && touch "$repository/build/made" && touch -d 2021-01-01 "$tmp/cached" && (cd "$repository" && sh -e "$tmp/older.sh") &&
      (cd "$repository" && find . -type f -newer "$tmp/cached" | grep -v '^./labs/[^/]*/kernel.cu$') >"$tmp/newer"
    [ "$(cat "$tmp/newer")" = ./build/made ] || fail "newer than the cache: $(head -n 3 "$tmp/newer" | tr '\n' ' ')"
  fi
  rm "$repository/scanlab" && ln -s "$root/scanlab" "$repository/scanlab" # the course's own build
  rules='r["version"] == 1 and "scanlab " in r["made_by"] and r["max_score"] == 100 and sum(t["score"] for t in r["tests"]) <= 100 + 1e-9 and all(t["status"] in ("pass", "fail") for t in r["tests"])'
  step() { # EXPRESSION
    (cd "$repository" && GITHUB_OUTPUT=$tmp/output .github/scanlab/step.sh 01_naive_scan) >"$tmp/said" 2>&1 || fail "step.sh"
    sed -n 's/^result=//p' "$tmp/output" | tail -n 1 | base64 -d >"$tmp/result.json"
    holds "$tmp/result.json" "$1" || fail "the step's result: not: $1"
  }
  step "$rules and r['status'] == 'fail' and sum(t['score'] for t in r['tests']) == 0"
  cp "$solution" "$repository/labs/01_naive_scan/kernel.cu"
  step "$rules and r['status'] == 'pass' and abs(sum(t['score'] for t in r['tests']) - 100) < 0.01"
  SCANLAB_NVCC=$tmp/none step 'r["status"] == "error" and "score" not in r and "max_score" not in r'
  package github --no-sandbox --accept-misplaced --lab 01 --out "$tmp/y.tar.gz" &&
    [ "$(tar -xzOf "$tmp/y.tar.gz" scanlab/.github/scanlab/options | tr '\n' ' ')" = '--no-sandbox --accept-misplaced ' ] || fail "package github with options"
  package github --overlay "$root/CMakePresets.json" --out "$tmp/x.tar.gz"; [ $? -ne 0 ] || fail "an overlay in a student's repository"
}

# --- Autolab: make in a folder with autograde.tar and the handed-in file; the last line is the result
autolab() {
  package autolab --lab 01 --out "$tmp/autolab.tar.gz" || { fail "package autolab"; return; }
  tar -xzf "$tmp/autolab.tar.gz" -C "$tmp"
  [ -f "$tmp/autolab/image/Dockerfile" ] || fail "no image"
  # Autolab's semantic feedback: stages, in each the tests, of those that failed a hint.
  rules='r["_presentation"] == "semantic" and set(r) == {"_presentation", "stages"} | set(r["stages"]) and len(set(r["stages"])) == len(r["stages"])'
  rules="$rules and all(type(t['passed']) is bool and set(t) == ({'passed'} if t['passed'] else {'passed', 'hint'}) for s in r['stages'] if s != 'Grader' for t in r[s].values()) and 'scanlab ' in r['Grader']['made by']"
  passed='[t["passed"] for s in r["stages"] if s != "Grader" for t in r[s].values()]'
  result() { # EXPRESSION FEEDBACK: of what was put into $job
    cp "$tmp/autolab/autograde-Makefile" "$job/Makefile" && cp "$tmp/autolab/autograde.tar" "$job"
    (cd "$job" && SCANLAB_COURSE=$root make) >"$tmp/said" 2>&1 || fail "make"
    tail -n 1 "$tmp/said" >"$tmp/last.json"
    holds "$tmp/last.json" "$1" || fail "the last line: not: $1"
    tail -n 2 "$tmp/said" | head -n 1 >"$tmp/feedback.json"
    [ -z "${2:-}" ] || holds "$tmp/feedback.json" "$rules and $2" || fail "the line before it: not: $rules and $2"
    scripts_fine "$job/autograde"
    rm -rf "$job" && mkdir "$job"
  }
  job=$tmp/job && mkdir "$job"
  result 'r == {"scores": {"01_naive_scan": 0}}' "len($passed) > 30 and not any($passed) and 'no kernel.cu' in r['01 scan']['01.scan.n1.sim']['hint']"
  cp "$solution" "$job/kernel.cu"
  result 'r == {"scores": {"01_naive_scan": 100}}' "len($passed) > 30 and all($passed) and r['stages'][0] == '01 scan'"
  mkdir "$tmp/01_naive_scan" && cp "$solution" "$tmp/01_naive_scan" && tar -cf "$job/handin.tar" -C "$tmp" 01_naive_scan
  result 'r == {"scores": {"01_naive_scan": 100}}'
  printf '#include <stdio.h>\n__attribute__((destructor)) static void bye() { puts("{\\"scores\\": {\\"01_naive_scan\\": 100}}"); }\n' >"$job/kernel.cu"
  wrong >>"$job/kernel.cu"
  result '0 <= r["scores"]["01_naive_scan"] < 100' "not all($passed)"
  cp "$solution" "$job/kernel.cu"
  SCANLAB_NVCC=$tmp/none result '"scores" not in r and "no fault of your submission" in r["error"]'
}

# --- PrairieLearn: a question a lab; a folder that stands for /grade
prairielearn() {
  package prairielearn --lab 01 --lab 05 --out "$tmp/prairielearn.tar.gz" || { fail "package prairielearn"; return; }
  tar -xzf "$tmp/prairielearn.tar.gz" -C "$tmp"
  for question in "$tmp"/prairielearn/questions/scanlab_*; do
    holds "$question/info.json" 'len(r["uuid"].split("-")) == 5 and len(r["uuid"]) == 36 and r["type"] == "v3" and r["gradingMethod"] == "External" and r["externalGradingOptions"]["timeout"] <= 600 and r["title"] and r["topic"]
        and set(r) <= {"uuid", "title", "topic", "type", "gradingMethod", "singleVariant", "externalGradingOptions"}
        and {"image", "entrypoint"} <= set(r["externalGradingOptions"]) <= {"enabled", "image", "entrypoint", "timeout", "enableNetworking"}' ||
      fail "$question/info.json"
    grep -q 'pl-file-upload file-names="kernel.cu"' "$question/question.html" || fail "$question/question.html"
    scripts_fine "$question/tests"
  done
  python3 -c 'import sys; from xml.dom import minidom; [minidom.parseString("<q>" + open(f).read() + "</q>") for f in sys.argv[1:]]' \
    "$tmp"/prairielearn/questions/*/question.html >"$tmp/said" 2>&1 || fail "question.html"
  grade=$tmp/grade
  mkdir -p "$grade/student" && cp -r "$tmp/prairielearn/questions/scanlab_01_naive_scan/tests" "$grade"
  result() { # EXPRESSION
    (SCANLAB_GRADE=$grade SCANLAB_COURSE=$root TMPDIR=$tmp "$grade/tests/run.sh") >"$tmp/said" 2>&1 || fail "run.sh"
    holds "$grade/results/results.json" "$1" || fail "results.json: not: $1"
    [ "$(wc -c <"$grade/results/results.json")" -lt 1000000 ] || fail "results.json has more than 1 MB"
  }
  result 'r["gradable"] is True and r["score"] == 0 and all("points" in t and "max_points" in t for t in r["tests"])'
  cp "$solution" "$grade/student/kernel.cu"
  result 'r["gradable"] is True and "scanlab " in r["output"] and r["score"] == 1 and sum(t["points"] for t in r["tests"]) > 99.9'
  SCANLAB_NVCC=$tmp/none result 'r["gradable"] is False and "score" not in r'
}

# --- containers: what can be said without building them
container() {
  package container --out "$tmp/container.tar.gz" || { fail "package container"; return; }
  tar -xzf "$tmp/container.tar.gz" -C "$tmp"
  scripts_fine "$tmp/container"
  holds "$tmp/container/scanlab/.devcontainer/devcontainer.json" '"image" in r or "build" in r' || fail "devcontainer.json"
  awk '/^COPY/ { print $2 }' "$tmp/container/Dockerfile" >"$tmp/copied"
  sed -n '/^%files/,/^$/s/^ *\([a-z.]*\) .*/\1/p' "$tmp/container/scanlab.def" >>"$tmp/copied"
  [ "$(wc -l <"$tmp/copied")" -eq 4 ] || fail "not four files are copied: $(cat "$tmp/copied")"
  while read -r name; do [ -e "$tmp/container/$name" ] || fail "$name is copied and not there"; done <"$tmp/copied"
}

"$kind" "${3:-}"
exit $failed
