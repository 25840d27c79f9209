#!/bin/sh
# arm64_compiles.sh TREE BUILD: every C file that BUILD has compiled is one for arm64's compiler, too: what stands for one kind of
# processor is fenced, and no other kind lacks a header for it. Nothing is translated, and no library of arm64 is needed.
# Exit code 77: skipped, where there is no such compiler.
set -u
tree=$1 build=$2
command -v aarch64-linux-gnu-g++ > /dev/null || { echo "skipped: there is no compiler for arm64 (Debian: g++-aarch64-linux-gnu)"; exit 77; }
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
echo '#include <immintrin.h>' > "$tmp/planted.c"
python3 - "$tree" "$build/compile_commands.json" "$tmp/planted.c" << 'END'
import json, os, shlex, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
tree, commands, planted = sys.argv[1:]
words = {}
for one in json.load(open(commands)):
    name = os.path.relpath(one["file"], tree)
    if name.endswith(".c") and not name.startswith("build/"):
        words[one["file"]] = shlex.split(one["command"])[1:]
words[planted] = []

def look(file):
    keep, given = [], iter(words[file])
    for word in given:
        if word == "-isystem": keep += [word, next(given)]
        elif word.startswith(("-D", "-I", "-std=")) and not word.startswith("-DSL_WIDE"): keep.append(word)  # those of x86-64
    run = subprocess.run(["aarch64-linux-gnu-gcc", "-fsyntax-only", "-Werror=implicit-function-declaration", *keep, file], capture_output=True, text=True)
    return file, run.returncode, run.stderr

with ThreadPoolExecutor(os.cpu_count()) as pool:
    bad = [one for one in pool.map(look, words) if one[1]]
found = [one for one in bad if one[0] != planted]
for file, _, text in found[:5]: print(f"{os.path.relpath(file, tree)}:\n{text[:600]}")
print(f"{len(words) - 1} files, {len(found)} that arm64's compiler does not take")
if len(found) == len(bad): print("and it takes a planted file with a header of x86-64")
sys.exit(bool(found) or len(bad) != 1 or len(words) < 300)
END
