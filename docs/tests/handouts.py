"""handouts.py ROOT: what a handout says of points and bounds is what its lab.json has.

Each part stands in the table "How it is checked" with its points; each bound of a counter is told there or in the rules of every
lab, as its formula, or, where it is a share of n, as its value at that n.
"""
import glob
import json
import os
import re
import sys


def bounds(expect):
    """The bounds in a case's "expect", as texts."""
    if isinstance(expect, dict):
        for value in expect.values():
            yield from bounds(value)
    elif isinstance(expect, list):
        for value in expect:
            yield from bounds(value)
    elif not isinstance(expect, bool):
        yield str(expect)


def told(bound, words):
    """Does the text say the bound? "28000 * n / 65536" is told as 28000."""
    share = re.fullmatch(r"(\d+) \* n / \d+", bound)
    word = re.sub(r"\s", "", share[1] if share else bound)
    return re.search(rf"(?<![\d.]){re.escape(word)}(?![\d.]*\d)", words) is not None


def faults(folder, rules):
    with open(folder + "/lab.json", encoding="utf-8") as file:
        parts = json.load(file)["parts"]
    with open(folder + "/README.md", encoding="utf-8") as file:
        page = file.read()
    checked = page.partition("## How it is checked")[2]
    rows = {row[1]: float(row[2]) for row in re.finditer(r"^\| `?(\w+)`? \| ([\d.]+) \|", checked, re.M)}
    points = {part["id"]: float(part["points"]) for part in parts}
    if rows != points:
        yield f"the table says {sorted(rows.items() - points.items())}, lab.json {sorted(points.items() - rows.items())}"
    words = re.sub(r"[\s`\\]", "", page + rules)
    for part in parts:
        for case in part["cases"]:
            for bound in bounds(case.get("expect", {})):
                if not told(bound, words):
                    yield f"{part['id']}.{case['id']}: nobody is told of the bound {bound}"


root = sys.argv[1]
with open(root + "/docs/student/rules.md", encoding="utf-8") as file:
    rules = file.read()
folders = sorted(glob.glob(root + "/labs/[0-9][0-9]_*"))
found = [f"{os.path.basename(folder)}: {fault}" for folder in folders for fault in faults(folder, rules)]
print("\n".join(found) or f"{len(folders)} handouts agree with lab.json")
sys.exit(bool(found) or not folders)
