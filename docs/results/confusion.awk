# confusion.awk OURS [GPU.json]: the table of confusion.sh. Both files have one flat object a line, whose fields are
# those between double quotes: 4 lab, 8 name, 12 variant, then ours: 16 expected kind, 19 found, 22 output;
# a GPU's: 16 tool, 20 result.
BEGIN { FS = "\"" }

$2 == "lab" && $14 == "expect" {
  key = $4 " " $8
  if (!(key in kind)) order[++n] = key
  kind[key] = $16 ~ /\./ ? $16 : "counter"
  found[key, $12] = $19 ~ /1/
  output[key, $12] = $22
}
/"device"/ { device = $4; version = $8 }
/"tool"/ { result[$4 " " $8, $12, $16] = $20; runs = 1; skipped += $20 == "skipped"; mute += $20 == "no answer" }

function by_sanitizer(key, variant,    t, names) {
  for (t = 1; t <= 4; t++) if (result[key, variant, tool[t]] == "found") names = names (names ? ", " : "") tool[t]
  return names
}
# Was a tool not run that might have found it?
function left_out(key, variant,    t) {
  if (by_sanitizer(key, variant) != "") return 0
  for (t = 1; t <= 4; t++) if (result[key, variant, tool[t]] == "skipped") return 1
  return 0
}
# Of how many, where not all were run.
function of(number, missing, whole) { return runs && missing ? number " of " (whole - missing) " run" : cell(number) }
function seen(r) { return r != "" && r != "right" && r != "skipped" }
function cell(number) { return runs ? number : "-" }

END {
  split("memcheck racecheck initcheck synccheck", tool, " ")
  for (i = 1; i <= n; i++) {
    key = order[i]
    k = kind[key]
    if (!(k in all)) kinds[++m] = k
    all[k]++
    us[k] += found[key, "wrong"]
    sim[k] += seen(output[key, "wrong"])
    them[k] += by_sanitizer(key, "wrong") != ""
    hw[k] += seen(result[key, "wrong", "plain"])
    not_them[k] += left_out(key, "wrong")
    not_hw[k] += result[key, "wrong", "plain"] == "skipped"
    us_twin[k] += found[key, "twin"]
    sim_twin[k] += seen(output[key, "twin"])
    them_twin[k] += by_sanitizer(key, "twin") != ""
    hw_twin[k] += seen(result[key, "twin", "plain"])
  }
  print "# Who finds which mistake\n"
  print "Each kernel of `harness/corpus` is a mistake that students make, with a corrected twin. A mistake counts as found by the"
  print "simulated GPU when the finding has the expected kind and names the expected line; by compute-sanitizer when any of memcheck"
  print "(with leak check), racecheck, initcheck and synccheck reports anything at all; by its output when the result is wrong, an error"
  print "comes back or the program hangs for ten seconds. Made by `docs/results/confusion.sh`."
  if (runs) print "GPU: " device "; compute-sanitizer: " version "." (skipped ? " " skipped " runs were not made for lack of time." : "") (mute ? " " mute " runs gave no answer." : "")
  else print "No GPU has been asked yet."
  print "\n| kind | kernels | found here | compute-sanitizer | wrong output here | wrong output on the GPU | twins: alarms here | twins: compute-sanitizer | twins: wrong output here | twins: wrong output on the GPU |"
  print "|---|---|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= m; i++) {
    k = kinds[i]
    print "| " k " | " all[k] " | " us[k] " | " of(them[k], not_them[k], all[k]) " | " sim[k] " | " of(hw[k], not_hw[k], all[k]) " | " us_twin[k] " | " cell(them_twin[k]) " | " sim_twin[k] " | " cell(hw_twin[k]) " |"
    A += all[k]; U += us[k]; T += them[k]; S += sim[k]; H += hw[k]; NT += not_them[k]; NH += not_hw[k]
    UT += us_twin[k]; TT += them_twin[k]; ST += sim_twin[k]; HT += hw_twin[k]
  }
  print "| all | " A " | " U " | " of(T, NT, A) " | " S " | " of(H, NH, A) " | " UT " | " cell(TT) " | " ST " | " cell(HT) " |"
  print "\n`output.differs` are mistakes that break no rule of the machine: the result is wrong, and that is all. `counter` are kernels that"
  print "are right and too slow: bank conflicts that the counters show.\n"
  print "## Kernel by kernel\n"
  print "| lab | kernel | kind | found here | output here | compute-sanitizer | output on the GPU |"
  print "|---|---|---|---|---|---|---|"
  for (i = 1; i <= n; i++) {
    key = order[i]
    split(key, part, " ")
    names = by_sanitizer(key, "wrong")
    print "| " part[1] " | " part[2] " | " kind[key] " | " (found[key, "wrong"] ? "yes" : "no") " | " output[key, "wrong"] " | " cell(names != "" ? names : left_out(key, "wrong") ? "not run" : "nothing") " | " cell(result[key, "wrong", "plain"] == "skipped" ? "not run" : result[key, "wrong", "plain"]) " |"
  }
}
