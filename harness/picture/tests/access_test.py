"""access_test.py PAGE: what a screen reader and the Tab key find in a moving picture (player_test.sh runs it)."""
import os
import sys

sys.dont_write_bytecode = True  # the tree of the course stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests"))
from browser import Browser  # noqa: E402

failed = 0


def check(what, right):
    global failed
    failed += not right
    if not right:
        print("not ok", what)


def value(node, key):
    return node.get(key, {}).get("value", "")


def prop(node, name):
    return next((p["value"].get("value") for p in node.get("properties", []) if p["name"] == name), None)


with Browser() as browser:
    page = browser.page()
    page.size(1280)
    page.open("file://" + os.path.abspath(sys.argv[1]))
    page.run("go(view.x.n - 1), 0")
    page.ask("Accessibility.enable")
    nodes = [n for n in page.ask("Accessibility.getFullAXTree")["nodes"] if not n.get("ignored")]
    named = {(value(n, "role"), value(n, "name")) for n in nodes}
    for wanted in (("toolbar", "Play"), ("slider", "step"), ("region", "Arrays"), ("region", "Source"), ("button", "one step"),
                   ("button", "one barrier back"), ("combobox", "speed")):
        check(f"there is a {wanted[0]} \"{wanted[1]}\"", wanted in named)
    check("headings name the arrays", any(role == "heading" and name.startswith("temp ") for role, name in named))
    for n in nodes:
        if prop(n, "focusable") and value(n, "role") not in ("option", "RootWebArea"):
            check(f"a {value(n, 'role')} has a name", value(n, "name"))
    check("the step is told as it changes", page.run("document.getElementById('now').getAttribute('aria-live')") == "polite")
    # Tab goes through the bar, then the arrays (one stop each), then the source.
    stops = []
    for _ in range(60):
        for kind in ("keyDown", "keyUp"):
            page.ask("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        at = page.run("(e => e.closest('#bar') ? 'bar' : e.closest('#arrays') ? 'array' : e.id === 'source' ? 'source' : '')(document.activeElement)")
        if at and (not stops or stops[-1] != at or at == "array"):
            stops.append(at)
        if at == "source":
            break
    arrays = page.run("document.querySelectorAll('#arrays .array').length")
    check(f"Tab goes bar, arrays, source: {stops}", stops == ["bar"] + ["array"] * arrays + ["source"])
sys.exit(failed > 0)
