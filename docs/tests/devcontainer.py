"""devcontainer.py ROOT: .devcontainer/ is what an editor can open.

devcontainer.json has only keys of the specification (https://containers.dev/implementors/json_reference/), of their types; it names a
Dockerfile that is there and a user that this one makes; the Dockerfile's instructions are known ones, and what it copies is in the tree.
"""
import json
import os
import re
import sys

KEYS = {"name": str, "build": dict, "remoteUser": str, "containerUser": str, "updateRemoteUserUID": bool, "features": dict,
        "forwardPorts": list, "mounts": list, "runArgs": list, "containerEnv": dict, "remoteEnv": dict, "workspaceFolder": str,
        "workspaceMount": str, "onCreateCommand": (str, list, dict), "updateContentCommand": (str, list, dict), "hostRequirements": dict,
        "postCreateCommand": (str, list, dict), "postStartCommand": (str, list, dict), "customizations": dict, "image": str}
BUILD = {"dockerfile": str, "context": str, "args": dict, "target": str}
WORDS = {"FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "ARG", "CMD", "ENTRYPOINT", "LABEL", "SHELL"}


def wrong_keys(found, keys, where):
    for key, value in found.items():
        if key not in keys:
            yield f"{where}: no such key: {key}"
        elif not isinstance(value, keys[key]):
            yield f"{where}: {key} is a {type(value).__name__}"


def faults(root):
    folder = root + "/.devcontainer"
    with open(folder + "/devcontainer.json", encoding="utf-8") as file:
        found = json.load(file)
    build = found.get("build", {})
    yield from wrong_keys(found, KEYS, "devcontainer.json")
    yield from wrong_keys(build, BUILD, "build")
    context, path = (os.path.normpath(os.path.join(folder, build.get(key, "."))) for key in ("context", "dockerfile"))
    if context != os.path.normpath(root):
        yield f"the context is {context}, not the tree"
    if not os.path.isfile(path):
        yield f"no such file: {path}"
        return
    with open(path, encoding="utf-8") as file:
        steps = [line for line in re.sub(r"\\\n", " ", file.read()).splitlines() if line.strip() and not line.startswith("#")]
    if steps[0].split()[0] != "FROM":
        yield "the Dockerfile does not begin with FROM"
    for step in steps:
        word, *rest = step.split()
        if word not in WORDS:
            yield f"no such instruction: {word}"
        if word == "COPY":
            yield from (f"COPY: no such file: {name}" for name in rest[:-1] if not os.path.exists(os.path.join(context, name)))
    user = found.get("remoteUser")
    if not any(re.search(rf"useradd .*\b{user}\b", step) for step in steps):
        yield f"nobody makes the user {user}"


wrong = list(faults(os.path.realpath(sys.argv[1])))
print("\n".join(wrong) or "right")
sys.exit(bool(wrong))
