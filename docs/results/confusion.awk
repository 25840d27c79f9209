# confusion.awk OURS GPU.csv: the table of confusion.sh. OURS has one flat object a line, whose fields are those between
# double quotes: 4 lab, 8 name, 12 variant, 16 expected kind, 19 found, 22 output. A GPU's file has a kernel and variant
# a line, with the answer of each tool: plain, memcheck, racecheck, initcheck, synccheck.
BEGIN { split("memcheck racecheck initcheck synccheck", tool, " ") }

FNR == 1 { file++ }
file == 1 && split($0, f, "\"") > 14 && f[14] == "expect" {
  key = f[4] " " f[8]
  if (!(key in kind)) order[++n] = key
  kind[key] = f[16] ~ /\./ ? f[16] : "counter"
  found[key, f[12]] = f[19] ~ /1/
  output[key, f[12]] = f[22]
}
file == 2 && /^# / { device = substr($0, 3) }
file == 2 && split($0, f, ",") == 8 && f[1] != "lab" {
  key = f[1] " " f[2]
  plain[key, f[3]] = f[4]
  for (t = 1; t <= 4; t++) result[key, f[3], t] = f[4 + t]
  for (t = 4; t <= 8; t++) {
    made += f[t] != ""
    missing += f[t] == ""
    hung += f[t] == "hangs"
  }
}

# The tools that have reported something, and those that have only not come to an end.
function tools_that(key, variant, did,    t, names) {
  for (t = 1; t <= 4; t++) if (result[key, variant, t] == did) names = names (names ? ", " : "") tool[t]
  return names
}
function by_sanitizer(key, variant) { return tools_that(key, variant, "found") }
# Was a tool not run that might have found it?
function left_out(key, variant,    t) {
  if (by_sanitizer(key, variant) != "") return 0
  for (t = 1; t <= 4; t++) if (result[key, variant, t] == "") return 1
  return 0
}
function verdict(key,    names, hanging) {
  names = by_sanitizer(key, "wrong")
  hanging = tools_that(key, "wrong", "hangs")
  if (names == "") names = left_out(key, "wrong") ? "not run" : "nothing"
  return names (hanging ? " (" hanging (hanging ~ /,/ ? " hang)" : " hangs)") : "")
}
# Of how many, where not all were run.
function of(number, missing, whole) { return missing ? number " of " (whole - missing) " run" : number }
function seen(r) { return r != "" && r != "right" }

END {
  for (i = 1; i <= n; i++) {
    key = order[i]
    k = kind[key]
    if (!(k in all)) kinds[++m] = k
    all[k]++
    us[k] += found[key, "wrong"]
    sim[k] += seen(output[key, "wrong"])
    them[k] += by_sanitizer(key, "wrong") != ""
    hw[k] += seen(plain[key, "wrong"])
    not_them[k] += left_out(key, "wrong")
    not_hw[k] += plain[key, "wrong"] == ""
    us_twin[k] += found[key, "twin"]
    sim_twin[k] += seen(output[key, "twin"])
    them_twin[k] += by_sanitizer(key, "twin") != ""
    hw_twin[k] += seen(plain[key, "twin"])
  }
  print "# Who finds which mistake\n"
  print "Each kernel of `harness/corpus/NN_name/` is a mistake that students make, with a corrected twin. A mistake counts as found by the"
  print "simulated GPU when the finding has the expected kind and names the expected line; by compute-sanitizer when any of memcheck"
  print "(with leak check), racecheck, initcheck and synccheck reports anything at all; by its output when the result is wrong, an error"
  print "comes back or the program hangs for five seconds (twelve under a tool). Made by `docs/results/confusion.sh table`; what the GPU"
  print "said, run by run, is `docs/results/confusion.csv`, made by `docs/results/confusion.sh gpu`."
  print "GPU: " device ". " made " runs, " hung " of them hung" (missing ? "; " missing " were not made." : ".")
  print "\n| kind | kernels | found here | compute-sanitizer | wrong output here | wrong output on the GPU | twins: alarms here | twins: compute-sanitizer | twins: wrong output here | twins: wrong output on the GPU |"
  print "|---|---|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= m; i++) {
    k = kinds[i]
    print "| " k " | " all[k] " | " us[k] " | " of(them[k], not_them[k], all[k]) " | " sim[k] " | " of(hw[k], not_hw[k], all[k]) " | " us_twin[k] " | " them_twin[k] " | " sim_twin[k] " | " hw_twin[k] " |"
    A += all[k]; U += us[k]; T += them[k]; S += sim[k]; H += hw[k]; NT += not_them[k]; NH += not_hw[k]
    UT += us_twin[k]; TT += them_twin[k]; ST += sim_twin[k]; HT += hw_twin[k]
  }
  print "| all | " A " | " U " | " of(T, NT, A) " | " S " | " of(H, NH, A) " | " UT " | " TT " | " ST " | " HT " |"
  print "\nA kernel of kind `output.differs` breaks no rule of the machine; only its result is wrong. A kernel of kind `counter` is right"
  print "and too slow: the counters show its bank conflicts.\n"
  print "## Kernel by kernel\n"
  print "| lab | kernel | kind | found here | output here | compute-sanitizer | output on the GPU |"
  print "|---|---|---|---|---|---|---|"
  for (i = 1; i <= n; i++) {
    key = order[i]
    split(key, part, " ")
    print "| " part[1] " | " part[2] " | " kind[key] " | " (found[key, "wrong"] ? "yes" : "no") " | " output[key, "wrong"] " | " verdict(key) " | " (plain[key, "wrong"] == "" ? "not run" : plain[key, "wrong"]) " |"
  }
}
