"""site_pages.py SITE [PAGE..]: every page of the site in a browser: on a desk and on a phone, light and dark, and as paper.
site_pages.py --try: a page with one fault of each kind; each is found, and no other.

Finds what is wider than the page or is cut off, text without contrast, pictures without words or that do not load, fields
without a name, headings out of order, links that lead nowhere. Ends with 77 without a browser.
"""
import os
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True  # the tree of the course stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../harness/tests"))
from browser import Browser  # noqa: E402

VIEWS = (("desk", dict(width=1280)), ("phone", dict(width=420)), ("phone, dark", dict(width=420, dark=True)),
         ("paper", dict(width=700, media="print")))
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "site_pages.js"), encoding="utf-8") as text:
    CHECKS = text.read()


def path_of(url):
    return urllib.parse.unquote(urllib.parse.urlsplit(url).path)


def faults_of(page, file, ids, links):
    """What the page shows wrong, a line each; collects its ids and links for broken_links."""
    faults = []
    page.size(**VIEWS[0][1])
    page.open("file://" + file)
    page.run(CHECKS)
    found = page.run("structure()")
    ids[file], links[file] = set(found["ids"]), found["links"]
    faults += found["faults"]
    for name, view in VIEWS:
        page.size(**view)
        faults += [f"{name}: {fault}" for fault in page.run("faults()")]
    return faults


def pale_picture(page, file):
    page.open("file://" + file)
    page.run(CHECKS)
    return page.run("palePicture()")


def broken_links(file, ids, links):
    for link in links[file]:
        if not link.startswith("file:"):
            continue
        target, anchor = path_of(link), urllib.parse.unquote(urllib.parse.urlsplit(link).fragment)
        if not os.path.isfile(target):
            yield f"no such file: {target}"
        elif anchor and target in ids and anchor not in ids[target]:
            yield f"no such heading: {target}#{anchor}"


def all_faults(site, files):
    ids, links = {}, {}
    with Browser() as browser:
        page = browser.page()
        faults = {file: faults_of(page, file, ids, links) for file in files}
        pictures = {path_of(link) for all_links in links.values() for link in all_links if link.endswith(".svg")}
        faults.update({file: pale_picture(page, file) for file in sorted(pictures) if os.path.isfile(file)})
        links.update({file: [] for file in pictures})
    return {os.path.relpath(file, site): list(dict.fromkeys(faults[file] + list(broken_links(file, ids, links)))) for file in faults}


def main(site, *only):
    site = os.path.realpath(site)
    files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(site) for name in names if name.endswith(".html"))
    faults = all_faults(site, [file for file in files if not only or os.path.relpath(file, site) in only])
    for name, found in faults.items():
        for fault in found:
            print(f"not ok {name}: {fault}")
    count = sum(map(len, faults.values()))
    print(f"{len(faults)} pages and pictures in {len(VIEWS)} views, {count} faults")
    sys.exit(count > 0 or not faults)


SHADE = "overflow-x:auto;background:linear-gradient(to left,#fff,#fff0) 0 0/9px 9px local"

# What stands in a page, and how its fault is told. None: it is right.
TRIED = (
    ("<h1>Tried</h1><p>text</p>", None),
    ("<h3>skips</h3>", 'heading "skips" skips a level'),
    ('<h2 id="twice">a</h2><h2 id="twice">b</h2>', "two elements have the id twice"),
    ('<p style="color:#999">pale</p>', 'desk: contrast 2.8 of "pale"'),
    ('<p style="color:#777;font-size:30px">pale, but large</p>', None),
    ('<div style="background:#222"><p style="color:#fff">light on dark</p></div>', None),
    ('<p style="width:500px;background:#eee">wide</p>', 'phone: <p> "wide" ends at 508'),
    (f'<div tabindex="0" style="{SHADE}"><p style="width:650px">scrolls</p></div>', None),
    ('<div tabindex="0" style="overflow-x:auto"><p style="width:650px">no sign</p></div>', 'phone: <div> "no sign" scrolls sideways, and nothing'),
    (f'<div tabindex="0" style="{SHADE}"><img style="width:650px" alt="covered" src="dot.svg"></div>', 'phone: <div> "covered" scrolls sideways, and nothing'),
    (f'<div tabindex="0" style="{SHADE}"><img style="width:650px;mix-blend-mode:multiply" alt="shown" src="dot.svg"></div>', None),
    (f'<div style="{SHADE}"><p style="width:655px">no keys</p></div>', 'phone: <div> "no keys" scrolls, but not with the keyboard'),
    (f'<div style="{SHADE}" tabindex="0"><p style="width:900px">paper</p></div>', 'paper: <div> "paper" is cut off: 900 in 684'),
    (f'<pre tabindex="0" style="{SHADE};width:99%">long ' + "x" * 300 + "</pre>", 'desk: <pre> "long '),
    ('<div style="overflow:hidden;width:50px"><p style="width:90px">hidden</p></div>', 'desk: <div> "hidden" is cut off: 90 in 50'),
    ('<img src="dot.svg">', "no alt text: "),
    ('<img alt="gone" src="gone.svg">', "does not load: "),
    ('<img alt="dot" src="dot.svg">', None),
    ('<a href="gone.html">a page</a>', "no such file: "),
    ('<a href="#gone">a heading</a>', "no such heading: "),
    ('<a href="#twice">a heading</a>', None),
    ('<a href="#twice"></a>', "a link or button without words: "),
    ('<input id="field">', "a field without a name: field"),
    ('<iframe src="dot.svg"></iframe>', "no title: "),
    ('<table style="line-height:20px"><tr><td style="width:50px">' + "narrow " * 10 + "</td><td>wide</td></tr></table>", "desk: a column is "),
    (f'<div tabindex="0" style="{SHADE}"><table style="width:9rem"><tr><td><code>' + "w" * 120 + "</code></td></tr></table></div>", 'desk: <code> "www'),
    ('<table style="width:30rem"><tr><td style="width:1px;overflow-wrap:anywhere">broken</td><td>' + "long " * 90 + "</td></tr></table>", 'paper: the word "broken" is broken'),
    ('<p id="now" tabindex="0" style="overflow:auto;height:40px">step</p>', "phone: the sentence of a step is "),
    ('<p id="source">source</p>', "phone: the source begins at "),
)


def try_checks():
    with tempfile.TemporaryDirectory() as site:
        folder = site + "/labs/01"
        os.makedirs(folder)
        with open(folder + "/dot.svg", "w", encoding="utf-8") as dot:
            dot.write('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text fill="#aaa">dot</text></svg>')
        with open(folder + "/tried.html", "w", encoding="utf-8") as page:
            page.write('<!doctype html><html lang="en"><title>tried</title><meta name="viewport" content="width=device-width">')
            page.write("<body>" + "\n".join(html for html, _ in TRIED))
        found = sum(all_faults(site, [folder + "/tried.html"]).values(), [])
    expected = [fault for _, fault in TRIED if fault] + ['contrast 2.3 of "dot"']
    missed = [fault for fault in expected if not any(told.startswith(fault) for told in found)]
    words = [fault.split(": ", 1)[-1].split('"')[1] for fault in expected if '"' in fault]
    false = [told for told in found if not any(told.startswith(fault) for fault in expected) and
             not any(f'"{word}' in told for word in words) and "the page is" not in told]
    print(f"missed: {missed}\ntold without a fault: {false}" if missed or false else f"{len(expected)} kinds of faults are found")
    sys.exit(bool(missed or false))


try_checks() if sys.argv[1:] == ["--try"] else main(*sys.argv[1:])
