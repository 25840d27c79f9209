#!/bin/sh
# Every export of the gradebook, read by other programs (python3; xmllint where there is one) and held to the rules of the
# system that takes it. A student with a name that a spreadsheet would compute, one whose grading the grader could not
# finish, one who is late, one with an override, one who handed nothing in.   usage: exports.sh SL_BOOK MAKE_CLASS WORK
set -u
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }
book=$1 make_class=$2 work=$3
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 4
"$make_class" class 5 2 4 1 || exit 4
# student000: the name; student001: an error of the grader in lab 01; student002: late; student003: override; student004: nothing
python3 - <<'PY' || exit 4
import json, os
def change(n, f):
    path = f"class/students/student00{n}/graded.json"
    g = json.load(open(path)); f(g); json.dump(g, open(path, "w"))
def rename(g): g["submission"] = "=cmd(\"x\"),1"
def broken(g): t = g["labs"][0]["tests"][0]; t["status"], g["labs"][0]["score"], t["points"] = "error", g["labs"][0]["score"] - t["points"], 0
def nothing(g):
    for lab in g["labs"]: lab.update(absent=True, sha256=None, score=0); [t.update(status="fail", points=0) for t in lab["tests"]]
def words(g):
    g["labs"][0]["edited"] = "lines 5, 9-11 <i>"
    g["labs"][0]["tests"][0].update(message="<b>\x1b[31m & \"x\" \uffff", detail="out[3]: got 1, expected 2")
    g["labs"][0]["tests"][0].setdefault("findings", [{"id": "race.shared", "text": "two threads ]]> <i>"}])
def secret(g):
    for k, seen in enumerate(("hidden", "after_due", "after_due")):
        g["labs"][k // 2]["tests"][1 + k % 2].update(visibility=seen, status="fail", message=f"secret{k} n=779", detail=f"secret{k}", hint=f"secret{k}", findings=[{"id": "x", "text": f"secret{k}"}])
    for lab in g["labs"]:
        for t in lab["tests"]: t["points"] = t["points"] if t["status"] == "pass" else 0
        lab["score"] = sum(t["points"] for t in lab["tests"])
change(2, secret); change(0, rename); change(1, broken); change(3, words); change(4, nothing)
m = json.load(open("class/manifest.json"))
m["students"][0]["student"] = "=cmd(\"x\"),1"; m["students"][0]["name"] = "+Ann, \"A\""
m["students"][2]["name"] = "J\u00fcrgen Wei\u00df, \u0141\u00f3d\u017a \u674e"; m["students"][2]["handed_in"] = "2026-11-21T09:00:00Z"; m["students"][4]["kernels"] = []
json.dump(m, open("class/manifest.json", "w"))
PY
# lab 02 is due in the far future
echo '{"deadlines": {"01": "2026-11-20T12:00:00Z", "02": "2199-01-01T00:00:00Z"}, "percent_a_day": 10}' >b.db.policy.json
run() { "$book" "$@" --book b.db || { echo "PROBLEM: $*"; exit 1; }; }
run import class
run override student003 02 3 --reason "$(printf '@home <b>\342\200\256')" --who 'B. Miller' >/dev/null
[ "$(run history student003 | grep -c 'changed outside of the TODO regions (no points taken): lines 5, 9-11 <i>')" = 1 ] ||
  { echo "PROBLEM: history does not tell what was changed outside of the TODO regions"; exit 1; }
for format in csv json junit; do run export $format --out t.$format; done >wrote
for format in html gradescope github autolab prairielearn; do run export $format --out $format; done >>wrote
grep -qx 't.csv: 5 students' wrote && grep -qx 'html: 5 students, a file each' wrote && [ "$(wc -l <wrote)" -eq 8 ] || { echo "PROBLEM: export does not say what it wrote"; cat wrote; exit 1; }
run export csv --out /dev/stdout | cmp - t.csv || { echo "PROBLEM: export to the output says more than the table"; exit 1; }
run export csv --out /dev/stdout >to.csv && cmp to.csv t.csv || { echo "PROBLEM: export to the output, which is a file"; exit 1; }
"$book" export csv --out t.csv --book b.db 2>said && { echo "PROBLEM: a file was replaced"; exit 1; }
grep -q 'is there already' said || exit 1
! command -v xmllint >/dev/null || xmllint --noout t.junit || exit 1
for own in b.db b.db.policy.json; do
  cp $own kept
  "$book" export csv --out $own --force --book b.db 2>said && { echo "PROBLEM: $own was replaced"; exit 1; }
  grep -q "$own: is the gradebook, or its policy" said && cmp -s $own kept || { echo "PROBLEM: $own"; cat said; exit 1; }
done
# A warning obeys nothing that stands in the policy.
printf '{"extensions": [{"student": "\\u001b[31m\\u202ex", "until": "2026-11-22T22:00:00Z", "reason": "x"}]}' >odd.json
"$book" show --book b.db --policy odd.json >/dev/null 2>said || exit 1
grep -qF 'odd.json: extensions: unknown student "\x1B[31m\xE2\x80\xAEx"' said || { echo "PROBLEM: a warning"; cat -v said; exit 1; }
python3 - <<'PY'
import csv, json, os, xml.etree.ElementTree as xml
from html.parser import HTMLParser
odd, broken, late, set_, none = "=cmd(\"x\"),1", "student001", "student002", "student003", "student004"
file_of = {s: s for s in (broken, late, set_, none)}; file_of[odd] = "%3Dcmd%28%22x%22%29%2C1"
max_ = {s: 16.0 for s in file_of}

# CSV: no cell that a spreadsheet computes; raw, penalty and final apart.
rows = {r["student"].removeprefix("'"): r for r in csv.DictReader(open("t.csv", newline="", encoding="utf-8-sig"))}
assert set(rows) == set(file_of), rows.keys()
for r in rows.values():
    for cell in r.values(): assert not cell or cell[0] not in "=+-@\t\r" , cell
l = rows[late]
assert (l["01_naive_scan raw"], l["01_naive_scan penalty"], l["01_naive_scan final"], l["01_naive_scan days late"]) == ("4", "0.4", "3.6", "1"), l
assert rows[broken]["01_naive_scan final"] == rows[none]["01_naive_scan final"] == "" and rows[set_]["02_double_buffer final"] == "3"
assert "the grader failed" in rows[broken]["note"] and "B. Miller" in rows[set_]["note"]

for path in ("t.json", "t.csv", "t.junit"): assert "\u202e" not in open(path, encoding="utf-8").read(), path

# Letters of every alphabet stay.
letters = "J\u00fcrgen Wei\u00df, \u0141\u00f3d\u017a \u674e"
assert rows[late]["name"] == letters, rows[late]

# JSON: the same scores.
everyone = {s["submission"]: s for s in json.load(open("t.json", encoding="utf-8"))}
for name, s in everyone.items():
    for f in s["finals"]:
        cell = rows[name][f["lab"] + " final"]
        assert (f["final"] is None) == (cell == "") and (cell == "" or abs(float(cell) - f["final"]) < 0.006), (name, f)
assert everyone[late]["finals"][0]["penalty"] == 0.4 and everyone[broken]["finals"][0]["standing"] == "error"
assert everyone[set_]["finals"][1]["override"]["who"] == "B. Miller" and everyone[odd]["name"] == "+Ann, \"A\"" and everyone[late]["name"] == letters

# JUnit: counts, details, errors apart from failures.
suites = {t.get("name"): t for t in xml.parse("t.junit").getroot()}
for name, suite in suites.items():
    cases = suite.findall("testcase")
    assert int(suite.get("tests")) == len(cases) and int(suite.get("failures")) == len(suite.findall("testcase/failure")), name
    assert int(suite.get("errors")) == len(suite.findall("testcase/error")), name
assert len(suites[broken + "/01_naive_scan"].findall("testcase/error")) == 1
# Jenkins' schema (junit-10.xsd of its xunit plugin): which elements have which children and attributes.
children = {"testsuites": {"testsuite"}, "testsuite": {"testsuite", "properties", "testcase", "system-out", "system-err"}, "properties": {"property"},
            "testcase": {"skipped", "error", "failure", "system-out", "system-err"}}
attributes = {"testsuites": {"name", "time", "tests", "failures", "errors"}, "property": {"name", "value"}, "testcase": {"name", "time", "classname", "group"},
              "testsuite": {"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"}}
for element in xml.parse("t.junit").getroot().iter():
    assert {c.tag for c in element} <= children.get(element.tag, set()), element.tag
    assert set(element.keys()) <= attributes.get(element.tag, {"type", "message"}), element.attrib
# GitLab keeps one test of each class and name, and shows the text of a failure, not its message.
cases = [(c.get("classname"), c.get("name")) for s in suites.values() for c in s.findall("testcase")]
assert len(set(cases)) == len(cases) > 30, len(cases)
for s in suites.values():
    for c in s.findall("testcase/*"): assert c.text.startswith(c.get("message")), c.text
    points = {p.get("name")[7:]: p.get("value").split(" / ") for p in s.findall("properties/property") if p.get("name").startswith("points ")}
    assert set(points) == {c.get("name") for c in s.findall("testcase")} and all(float(got) <= float(most) for got, most in points.values())
failure = suites[set_ + "/01_naive_scan"].find("testcase/failure")
assert "got 1, expected 2" in failure.text and failure.get("message").startswith("<b>"), failure.attrib
assert "race" in failure.text or "two threads" in failure.text or "finding" in failure.text, failure.text

def read(system, student):
    return open(f"{system}/{file_of[student]}.json", encoding="utf-8").read()
for student in file_of:
    bad = student == broken
    # Gradescope: no score at all where the grader failed; else top level score and tests with their most.
    g = json.loads(read("gradescope", student))
    assert set(g) <= {"score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"}, g.keys()
    assert ("score" in g) == (not bad) and not (bad and any("score" in t for t in g.get("tests", []))), student
    for t in g.get("tests", []):
        assert t["status"] in ("passed", "failed") and 0 <= t["score"] <= t["max_score"] and t["output_format"] in ("text", "html", "simple_format", "md", "ansi")
        assert t.get("visibility", "visible") in ("hidden", "after_due_date", "after_published", "visible")
    # GitHub: version 1, one of three words, whole or no max_score.
    h = json.loads(read("github", student))
    assert h["version"] == 1 and h["status"] in ("pass", "fail", "error") and (h["status"] == "error") == bad
    assert ("max_score" in h) == (not bad)
    for t in h["tests"]: assert t["status"] in ("pass", "fail", "error") and isinstance(t["name"], str) and (bad or 0 <= t["score"] or (t["name"], student) in (("01: final score", late), ("02: final score", set_)))
    # Autolab: the last line is the autoresult; the one before it has the tests of each stage.
    lines = read("autolab", student).rstrip("\n").split("\n")
    a, feedback = json.loads(lines[-1]), None if bad else json.loads(lines[0])
    assert len(lines) == (1 if bad else 2) and (bad or feedback["_presentation"] == "semantic" and set(feedback) == {"_presentation", "stages"} | set(feedback["stages"]))
    for stage in [] if bad else feedback["stages"]:
        for t in feedback[stage].values(): assert type(t["passed"]) is bool and ("hint" in t) == (not t["passed"]), t
    assert bad or all(isinstance(v, (int, float)) for v in a["scores"].values()) and set(a["scores"]) == {l for l in ("01_naive_scan", "02_double_buffer") if rows[student][l + " final"]}
    assert not bad or "scores" not in a or "01_naive_scan" not in a["scores"]
    # PrairieLearn: a share of 1, at most 1 MB.
    p = json.loads(read("prairielearn", student))
    assert isinstance(p["gradable"], bool) and p["gradable"] == (not bad) and len(read("prairielearn", student)) < 1e6
    assert bad or 0 <= p["score"] <= 1 and all("points" in t and "max_points" in t for t in p["tests"])
    if not bad:
        total = float(rows[student]["total"])
        assert abs(g["score"] - total) < 0.006 and abs(p["score"] * max_[student] - total) < 0.006 and abs(sum(a["scores"].values()) - total) < 0.006, student
        assert abs(sum(t["score"] for t in h["tests"]) - total) < 0.006, (student, h)
        assert [("0.4 less for 1 day late" in x) for x in (g.get("output", ""), p["message"])] == [student == late] * 2, g
        assert ("set by B. Miller" in g.get("output", "")) == (student == set_)
    # HTML: well formed enough to be walked, and a student's text is text.
    page = open(f"html/{file_of[student]}/report.html", encoding="utf-8").read()
    class Tags(HTMLParser):
        seen = []
        def handle_starttag(self, tag, attrs): self.seen.append(tag)
    tags = Tags(); tags.seen = []; tags.feed(page)
    assert "h1" in tags.seen and "b" in tags.seen and "i" not in tags.seen and "script" not in tags.seen, student
    assert "<b>\x1b" not in page and "=cmd(\"x\")" not in page
assert "0.4 less for 1 day" in open(f"html/{file_of[late]}/report.html").read()
# Titles are those of the course.
titles = json.load(open(os.environ["SCANLAB_ROOT"] + "/labs/01_naive_scan/lab.json"))
page = open(f"html/{file_of[late]}/report.html", encoding="utf-8").read()
assert f"<h2>01 &middot; {titles['title']}: 4, 0.4 less" in page and titles["parts"][0]["title"] in page, titles["title"]
assert f"01 {titles['title']}: 4, 0.4 less" in json.loads(read("gradescope", late))["output"]
assert f"student002 {letters}</h1>" in open(f"html/{file_of[late]}/report.html", encoding="utf-8").read()
# The command under a failed test names its case.
page = open(f"html/{file_of[set_]}/report.html", encoding="utf-8").read()
assert "trace 01 --case scan.n3 --html" in page and "--case scan. " not in page
assert "B. Miller" in open(f"html/{file_of[set_]}/report.html").read()
# What was changed outside of the TODO regions: to be read from the book, of nobody else.
told = {s: "lines 5, 9-11 &lt;i&gt;. That alone" in open(f"html/{f}/report.html").read() for s, f in file_of.items()}
assert told == {s: s == set_ for s in file_of}, told
assert open("t.json").read().count("lines 5, 9-11 <i>") == 1
# Hidden cases, graded with --reveal here: instructors read of them, students do not; the second kind after the deadline.
for system, path in [("html", "html/%s/report.html")] + [(s, s + "/%s.json") for s in ("gradescope", "github", "autolab", "prairielearn")]:
    text = open(path % file_of[late], encoding="utf-8").read()
    assert "secret0" not in text and "secret2" not in text, system
    assert "secret1" in text, system
for table in ("t.json", "t.junit"): assert all(f"secret{k}" in open(table).read() for k in range(3)), table
PY
[ $? -eq 0 ] || exit 1
# A person sets what the grader could not: there is a score then, everywhere.
run override student001 01 5 --reason 'seen in person' --who 'B. Miller' >/dev/null
for format in gradescope github autolab prairielearn; do run export $format --student student001 --out $format --force; done
python3 - <<'PY' || exit 1
import json
read = lambda system: open(f"{system}/student001.json", encoding="utf-8").read()
g, h, p, a = (json.loads(read(s).rstrip("\n").split("\n")[-1]) for s in ("gradescope", "github", "prairielearn", "autolab"))
total = 5 + a["scores"]["02_double_buffer"]
assert a["scores"]["01_naive_scan"] == 5 and abs(g["score"] - total) < 0.006 and p["gradable"] and abs(p["score"] * 16 - total) < 0.006
assert h["max_score"] == 16 and abs(sum(t["score"] for t in h["tests"]) - total) < 0.006, h
assert "set by B. Miller: seen in person" in g["output"], g
PY
# Who handed nothing in has no score, as in the table, until the policy says that this is 0.
grep -q '{"scores": {}}$' autolab/student004.json || { echo "PROBLEM: a score for nothing"; cat autolab/student004.json; exit 1; }
sed 's/{/{"missing": "zero", /' b.db.policy.json >zero.json
run export autolab --student student004 --out autolab --force --policy zero.json
grep -q '{"scores": {"01_naive_scan": 0.0, "02_double_buffer": 0.0}}$' autolab/student004.json ||
  { echo "PROBLEM: no score by the policy"; cat autolab/student004.json; exit 1; }
echo "all exports hold"
