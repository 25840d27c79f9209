# What commands print has up to 80 columns, so it stands without the indent of man pages.
# Makes the man page of what `./scanlab help` prints (-v usage=FILE) and of docs/reference/commands.md.
function text(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); if (s ~ /^[.']/) s = "\\&" s; return s }
BEGIN {
  print ".\\\" Made by docs/reference/commands.sh.\n.TH SCANLAB 1 \"\" \"scanlab\" \"User Commands\"\n.SH NAME"
  print "scanlab \\- a lab course on parallel scan and radix sort, with a simulated GPU\n.SH SYNOPSIS\n.B scanlab\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.SH COMMANDS\n.nf\n.in 0"
  while ((getline line < usage) > 0) { if (line ~ /^  /) started = 1; if (started && line !~ /^example/) print text(line) }
  print ".fi"
}
/^## / { if (open) print ".fi"; printf ".SH \"%s\"\n.nf\n.in 0\n", toupper(substr($0, 4)); open = 1; next }
/^    / { gsub(/\.\/scanlab/, "scanlab"); print text(substr($0, 5)); next }
/^$/ && open { print "" }
END { print ".fi\n.SH FILES\n~/.cache/scanlab: what commands write where scanlab is installed" }
