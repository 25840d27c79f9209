"""notebook.py NOTEBOOK SCANLAB: a notebook is what Jupyter's format 4.5 asks for, and the commands of its cells are there.
notebook.py --run NOTEBOOK REPOSITORY: its cells, in order, in a fresh clone of REPOSITORY, which is built there.

The format: https://nbformat.readthedocs.io. A cell has an id of its own, and code cells have outputs, empty ones. `help COMMAND` of
SCANLAB knows each `./scanlab COMMAND`. --run does what IPython does with the lines of a cell: %cd, %env, ! for the shell, the rest
is Python. Without a GPU the cell for the real one fails at nvidia-smi, and the check of a skeleton says that it has no points.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

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


# How the shell lines end that do not end with 0, and what they say: a regular expression.
ENDS = {"./scanlab check": (1, r"hint 01\.1"), "nvidia-smi": (None if os.path.exists("/dev/nvidia0") else 127, "")}


def shell(line, names, folder):
    """Runs a line as IPython does, with its variables in place of $NAME. What is wrong; None: nothing."""
    line = re.sub(r"\$(\w+)", lambda found: str(names.get(found[1], found[0])), line)
    code, words = next((ends for begin, ends in ENDS.items() if line.startswith(begin)), (0, ""))
    done = subprocess.run(line.replace("/content/", folder + "/"), shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(f"$ {line}\n{done.stdout[-2000:]}[{done.returncode}]", flush=True)
    wrong = (code is not None and done.returncode != code) or not re.search(words, done.stdout)
    return f"ends with {done.returncode}: {line}" if wrong else None


def run_cells(notebook, repository):
    names = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for line in [line for cell in notebook["cells"] if cell["cell_type"] == "code" for line in "".join(cell["source"]).splitlines()]:
            if line.startswith("%cd "):
                os.chdir(line[4:])
            elif line.startswith("%env "):
                os.environ.update([line[5:].split("=", 1)])
            elif line.startswith("!"):
                wrong = shell(line[1:], names, folder)
                if wrong:
                    yield wrong
            else:
                exec(line.replace("REPOSITORY = ''", f"REPOSITORY = {repository!r}"), names)
        os.chdir("/")


running = sys.argv[1] == "--run"
if running and not os.path.exists(sys.argv[3].removeprefix("file://") + "/.git"):
    print(f"skipped: {sys.argv[3]} is no checkout of git")
    sys.exit(77)
with open(sys.argv[1 + running], encoding="utf-8") as file:
    found = list((run_cells if running else faults)(json.load(file), sys.argv[2 + running]))
print("\n".join(found) or "right")
sys.exit(bool(found))
