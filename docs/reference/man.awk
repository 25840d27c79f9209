# Makes the man page of what `./scanlab help` prints (-v usage=FILE) and of docs/reference/commands.md: rows of two
# columns become items, other lines paragraphs, and man breaks both at the width of the terminal.
function text(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); if (s ~ /^[.']/) s = "\\&" s; return s }
function put(s) {
  match(s, /^ */); indent = RLENGTH; s = substr(s, indent + 1)
  if (s == "") { if (item) print ".PD"; item = 0; print ".PP"; return }
  if (item && indent > 2) { print text(s); return }
  if (indent == 2 && rows) {
    if (!item) print ".PD 0"
    item = 1; gap = match(s, /  +/)
    print ".TP 4\n\\fB" text(gap ? substr(s, 1, gap - 1) : s) "\\fR"
    if (gap) print text(substr(s, gap + RLENGTH))
    return
  }
  if (s ~ /:$/) { rows = s !~ /^example/; print ".PP" }
  print indent ? ".RS 4\n" text(s) "\n.RE" : text(s)
}
BEGIN {
  print ".\\\" Made by docs/reference/commands.sh.\n.TH SCANLAB 1 \"\" \"scanlab\" \"User Commands\"\n.nh\n.ad l\n.SH NAME"
  print "scanlab \\- a lab course on parallel scan and radix sort, with a simulated GPU\n.SH SYNOPSIS\n.B scanlab\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.SH COMMANDS"
  rows = 1
  while ((getline line < usage) > 0) { if (line ~ /^  /) started = 1; if (started && line !~ /^example/) put(line) }
}
/^## / { printf ".SH \"%s\"\n", toupper(substr($0, 4)); open = 1; rows = item = 0; next }
/^    / { gsub(/\.\/scanlab/, "scanlab"); put(substr($0, 5)); next }
/^$/ && open { put("") }
END { print ".SH FILES\n~/.cache/scanlab: what commands write where scanlab is installed" }
