"""notebook.py NOTEBOOK SCANLAB: a notebook is what Jupyter's format 4.5 asks for, and the commands of its cells are there.

The format: https://nbformat.readthedocs.io. A cell has an id of its own, and code cells have outputs, empty ones. `help COMMAND` of
SCANLAB knows each `./scanlab COMMAND`.
"""
import json
import re
import subprocess
import sys

NEEDED = {"markdown": {"cell_type", "id", "metadata", "source"},
          "code": {"cell_type", "id", "metadata", "source", "outputs", "execution_count"}}


def faults(notebook, scanlab):
    cells, commands = notebook["cells"], set()
    if (notebook["nbformat"], notebook["nbformat_minor"]) != (4, 5):
        yield "not format 4.5"
    for k, cell in enumerate(cells, 1):
        needed = NEEDED.get(cell.get("cell_type"), set())
        if set(cell) != needed:
            yield f"cell {k} has {sorted(cell)}, not {sorted(needed)}"
        if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", cell.get("id", "")):
            yield f"cell {k} has no id"
        if cell.get("outputs"):
            yield f"cell {k} has outputs"
        if cell.get("cell_type") == "code":
            commands |= set(re.findall(r"\./scanlab ([a-z]\S*)", "".join(cell["source"])))
    if len({cell.get("id") for cell in cells}) < len(cells):
        yield "two cells have the same id"
    for command in sorted(commands):
        if subprocess.run([scanlab, "help", command], capture_output=True).returncode:
            yield f"there is no ./scanlab {command}"
    if len(commands) < 4:
        yield f"only {len(commands)} commands"


with open(sys.argv[1], encoding="utf-8") as file:
    found = list(faults(json.load(file), sys.argv[2]))
print("\n".join(found) or "right")
sys.exit(bool(found))
