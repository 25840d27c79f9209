#!/usr/bin/env python3
"""A class of hostile archives and folders: each has the kernel that it should have, or a reason; nothing in what is written obeys a name or a
message of a student's; nothing outside of --out is touched.   usage: hostile_class.py SL_GRADE WORK"""
import csv, gzip, io, json, os, shutil, socket, struct, subprocess, sys, tarfile, xml.etree.ElementTree as xml, zipfile, zlib

grade, work = os.path.abspath(sys.argv[1]), sys.argv[2]
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work + "/class")
os.chdir(work)
TEXT = "</pre><script>x()</script> \x1b[31m \u202e =cmd|x ::set-output name=a::b <CTestMeasurement>]]> Grade :=>> 100 {\"scores\":{}} *a* `b`"
KERNEL, OTHER, P = ("#error " + TEXT + "\n").encode(), b"#error other\n", "01_naive_scan/kernel.cu"
TAKEN = None  # the kernel is KERNEL; a text is part of the reason why nothing is taken
want = {}
bad = 0


def problem(what):
    global bad
    print("PROBLEM:", what)
    bad += 1


def row(file, expected):
    want[file.split(".")[0]] = expected
    return "class/" + file


def tar(file, expected, *entries, mode="w"):
    with tarfile.open(row(file, expected), mode, format=tarfile.PAX_FORMAT) as t:
        for name, data, fields in entries:
            info = tarfile.TarInfo(name)
            for key, value in fields.items(): setattr(info, key, value)
            info.size = len(data) if info.type == tarfile.REGTYPE else 0
            t.addfile(info, io.BytesIO(data))


def raw_tar(file, expected, name=P.encode(), kind=b"0", size=None, mode=b"0000644\0"):
    """One entry, with fields that tarfile would not write."""
    size, h = len(KERNEL) if size is None else size, bytearray(512)
    h[:len(name)], h[100:108], h[124:136], h[156:157], h[257:265] = name, mode, b"%011o\0" % size if size >= 0 else b"\xff" * 12, kind, b"ustar\x0000"
    h[148:156] = b" " * 8
    h[148:156] = b"%06o\0 " % sum(h)
    data = KERNEL + b"\0" * (-len(KERNEL) % 512) if size else b""
    open(row(file, expected), "wb").write(bytes(h) + data + b"\0" * 1024)


def zipped(file, expected, *entries):
    with zipfile.ZipFile(row(file, expected), "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in entries: z.writestr(name, data)


def unix_zip(file, expected, mode):
    info = zipfile.ZipInfo(P)
    info.create_system, info.external_attr = 3, mode << 16
    zipped(file, expected, (info, "/etc/passwd"))


def raw_zip(file, expected, local=P.encode(), central=P.encode(), data=KERNEL, flags=0, method=0, size=None, crc=None, count=1):
    """Two names, sizes and sums that need not agree; [count] entries that are all the same bytes."""
    fields = (flags, method, 0, 0, zlib.crc32(data) if crc is None else crc, len(data), len(data) if size is None else size)
    begin = b"PK\3\4" + struct.pack("<HHHHHIIIHH", 20, *fields, len(local), 0) + local + data
    one = b"PK\1\2" + struct.pack("<HHHHHHIIIHHHHHII", 0x314, 20, *fields, len(central), 0, 0, 0, 0, 0o100644 << 16, 0) + central
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(one) * count, len(begin), 0)
    open(row(file, expected), "wb").write(begin + one * count + end)


def packed(data):
    c = zlib.compressobj(9, zlib.DEFLATED, -15)
    return c.compress(data) + c.flush()


entry = (P, KERNEL, {})
# Names of entries.
for file, folder in {"newline": "a\nb", "bidi": "\u202egpj", "terminal": "\x07\x1b]0;x\x07", "format": "%s%n", "shell": "$(touch ran)`touch ran`;\"'", "option": "-rf",
                     "home": "~root", "name255": "d" * 255}.items(): tar(file + ".tar", TAKEN, (folder + "/" + P, KERNEL, {}))
raw_tar("no_utf8.tar", TAKEN, b"\xff\xfe/" + P.encode())
raw_tar("name_with_zero.tar", TAKEN, P.encode() + b"\0/../x")
tar("name_5000.tar", "longer than 1000 bytes", ("a" * 5000 + "/" + P, KERNEL, {}))
tar("pax_path.tar", "leads outside", ("x.cu", KERNEL, {"pax_headers": {"path": "../../../tmp/x.cu"}}))
zipped("dots.zip", "leads outside", ("x/../../" + P, KERNEL))
zipped("drive.zip", "absolute", ("C:\\" + P.replace("/", "\\"), KERNEL))
zipped("share.zip", "absolute", ("\\\\host\\" + P, KERNEL))
zipped("slashes.zip", TAKEN, ("01_naive_scan//./kernel.cu", KERNEL))
zipped("case.zip", TAKEN, (P, KERNEL), (P.upper(), OTHER))
zipped("twice.zip", "stands there twice", (P, KERNEL), (P, OTHER))
raw_zip("two_names.zip", "leads outside", local=b"../../x.cu")
# Kinds of entries.
raw_tar("setuid.tar", TAKEN, mode=b"0006755\0")
raw_tar("no_rights.tar", TAKEN, mode=b"0000000\0")
raw_tar("unknown_kind.tar", TAKEN, kind=b"Z")
for kind, name in {b"2": "symbolic link", b"3": "device", b"4": "device", b"6": "named pipe"}.items(): raw_tar("kind" + kind.decode() + ".tar", name, kind=kind, size=0)
unix_zip("link_in_zip.zip", "symbolic link", 0o120777)
tar("hard_link_to_own.tar", TAKEN, entry, ("01_naive_scan/other.cu", b"", {"type": tarfile.LNKTYPE, "linkname": P}))
tar("hard_link.tar", "hard link", (P, b"", {"type": tarfile.LNKTYPE, "linkname": "/etc/passwd"}))
zipped("nested.zip", "stay closed", ("inner.zip", b"PK"))
# Sizes and damage.
raw_tar("negative.tar", "negative size", size=-1)
raw_tar("too_long.tar", "cut short", size=8 ** 10)
tar("pax_size.tar", "cut short", (P, KERNEL, {"pax_headers": {"size": "99999999999"}}))
tar("sparse_of_a_terabyte.tar", "cut short", (P, KERNEL, {"pax_headers": {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": P, "GNU.sparse.realsize": str(1 << 40)}}))
raw_zip("other_size.zip", "wrong size", size=0xFFFFFFF0)
raw_zip("other_sum.zip", "bad CRC", crc=1)
raw_zip("encrypted.zip", "encrypted", flags=1)
raw_zip("unknown_method.zip", "Unsupported", method=97)
zeros = bytes(10 << 20)
raw_zip("overlapping.zip", "no .cu file", local=b"x", central=b"x", data=packed(zeros), method=8, size=len(zeros), crc=zlib.crc32(zeros), count=2000)
tar("entries.tar.gz", "more than 20000 entries", *(("f%d" % i, b"", {}) for i in range(20001)), mode="w:gz")
tar("kernels.tar", "more than 500 .cu files", *(("x/%d.cu" % i, KERNEL, {}) for i in range(501)))
open(row("empty_members.tar.gz", "cut short"), "wb").write(gzip.compress(b"") * 50000)
open(row("cut.tar.gz", "cut short"), "wb").write(gzip.compress(os.urandom(100000))[:5000])
open(row("program.zip", "expected an archive"), "wb").write(open("/bin/true", "rb").read())
open(row("seven.7z", "expected an archive"), "wb").write(b"7z\xbc\xaf'\x1c" + bytes(100))
shutil.copy("class/slashes.zip", row("zip_called_tar.tar", TAKEN))
open(row("script_in_front.zip", TAKEN), "wb").write(b"#!/bin/sh\nexit\n" + open("class/slashes.zip", "rb").read())


def folder(name, expected):
    want[name] = expected
    os.makedirs(f"class/{name}/01_naive_scan")
    return f"class/{name}/{P}"


# Folders.
open("secret.cu", "wb").write(OTHER)
os.mkfifo(folder("a_pipe", "named pipe"))
os.symlink("../../../secret.cu", folder("a_link", "symbolic link"))
os.mkdir(folder("a_folder", "directory"))
s = socket.socket(socket.AF_UNIX); s.bind(folder("a_socket", "socket"))
os.truncate(os.open(folder("a_terabyte", "larger than"), os.O_WRONLY | os.O_CREAT), 1 << 40)
open(folder("zeros", "binary"), "wb").write(b"a\0b")
open(folder("utf16", "UTF-16"), "wb").write("#error x".encode("utf-16"))
open(folder("plain", TAKEN), "wb").write(KERNEL)
os.makedirs("elsewhere/01_naive_scan"); shutil.copy("secret.cu", "elsewhere/" + P)
for name, link in {"lab_link": "01_naive_scan", "labs_link": "labs"}.items():
    want[name] = "symbolic link" if link != "labs" else ""
    os.makedirs("class/" + name); os.symlink("../../elsewhere" + ("/01_naive_scan" if link != "labs" else ""), f"class/{name}/{link}")
open(folder("loop", TAKEN), "wb").write(KERNEL); os.symlink(".", "class/loop/loop")
open(folder("deep", TAKEN), "wb").write(KERNEL); os.makedirs("class/deep/" + "x/" * 400)
for k in range(6000): open("class/deep/f%d" % k, "w").close()
for name in ("=cmd|'x'!A0", "+1", "-rf", "@sum", "a\nb", "\x1b[2J", "\u202ex", "<img src=x>", "%s", "x" * 250, "a,b;c\t\"d\"", "::error::x"):
    open(folder(name, TAKEN), "wb").write(KERNEL)
want = {k.replace("\n", "\\x0A").replace("\x1b", "\\x1B").replace("\t", "\\x09").replace("\u202e", "\\xE2\\x80\\xAE"): v for k, v in want.items()}

os.mkdir("out")
before = sorted(os.listdir("."))
run = subprocess.run([grade, "class", "--lab", "01", "--no-plots", "--out", "out", "--csv", "out/t.csv", "--json", "out/t.json", "--junit", "out/t.xml"],
                     capture_output=True, timeout=500)
said = run.stdout + run.stderr
if run.returncode != 1: problem(f"exit code {run.returncode}: {said.decode(errors='replace')[-500:]}")
if sorted(os.listdir(".")) != before: problem(f"files beside --out: {os.listdir('.')}")

# Who has what.
manifest = json.load(open("out/manifest.json"))
results = {s["submission"]: s for s in json.load(open("out/t.json"))}
seen = {s["student"]: s for s in manifest["students"]}
if set(seen) != set(want): problem(f"students: {set(seen) ^ set(want)}")
for name, expected in want.items():
    student, lab = seen.get(name, {"kernels": []}), results[name]["labs"][0] if name in results else {"score": 1}
    reason = f"{student.get('reason')} {[t['message'] for t in lab.get('tests', [])[:1]]} {student.get('not_taken')}"
    if lab["score"] != 0: problem(f"{name}: {lab['score']} points")
    if expected is TAKEN and len(student["kernels"]) != 1: problem(f"{name}: no kernel is taken: {reason}")
    if expected is not TAKEN and (student["kernels"] or expected not in reason): problem(f"{name}: not '{expected}': {reason}, {student['kernels']}")
if len({s["kernels"][0]["sha256"] for s in seen.values() if s["kernels"]}) != 1: problem("somebody has another kernel than the own one")

# What is written obeys nothing.
for path in [os.path.join(d, f) for d, _, files in os.walk("out") for f in files if not d.startswith("out/ctest")]:
    if os.stat(path).st_mode & 0o6000 or os.path.islink(path): problem(f"{path}: rights, or a link")
    if path.endswith(".cu"): continue
    data = open(path, "rb").read()
    for word in (b"\x1b", b"\x07", b"\xe2\x80\xae"):
        if word in data: problem(f"{path}: {word}")
    if path.endswith(".html") and (b"<script>x()" in data or b"<img src=x" in data): problem(f"{path}: a tag of a student's")
if b"\x1b" in said or b"\xe2\x80\xae" in said or any(l.startswith((b"::", b"##[", b"Grade :=>>", b"<|--")) for l in said.splitlines()): problem("a summary that is obeyed")
for cells in csv.reader(open("out/t.csv", newline="", encoding="utf-8-sig")):
    for cell in cells:
        if cell and cell[0] in "=+-@\t\r": problem(f"CSV: {cell}")
if len({t.get("name") for t in xml.parse("out/t.xml").getroot()}) != len(want): problem("JUnit: suites")

# One submission, in the forms of the systems: the last word is the grader's.
os.mkdir("one")
forms = ["gradescope", "github", "autolab", "prairielearn"]
subprocess.run([grade, "--one", "class/plain", "--lab", "01", "--no-plots", "--out", "one"] + [a for f in forms for a in ("--" + f, "one/" + f)], capture_output=True, timeout=300)
texts = {f: open("one/" + f, encoding="utf-8").read() for f in forms}
for form, text in texts.items():
    if "\x1b" in text or "\u202e" in text: problem(f"{form}: control characters")
if json.loads(texts["gradescope"])["score"] != 0 or json.loads(texts["prairielearn"])["score"] != 0: problem("a score")
if any(t.get("output_format", "text") != "text" for t in json.loads(texts["gradescope"])["tests"]): problem("gradescope: a format that obeys")
if json.loads(texts["autolab"].rstrip("\n").split("\n")[-1])["scores"] != {"01_naive_scan": 0}: problem("autolab: the last line")
if len(texts["autolab"].rstrip("\n").split("\n")) != 2: problem("autolab: lines")
if sum(t["score"] for t in json.loads(texts["github"])["tests"]) != 0: problem("github: a score")
print(f"{len(want)} submissions, {bad} problems")
sys.exit(bad > 0)
