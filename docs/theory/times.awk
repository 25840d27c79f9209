# Our columns of the table of times in docs/theory/README.md: awk -f times.awk docs/results/h200-bench/bench.csv
# prints "n | core | lab 05 | fastest | copy", milliseconds. A size that was not measured gets a "~" and what a straight line
# on logarithmic scales gives between the measured sizes beside it.
BEGIN {
  FS = ","
  lines = split("CPU one core,05 arbitrary size,best,copy", line, ",")
  sizes = split("1024 32768 65536 131072 262144 524288 1048576 2097152 4194304 8388608 16777216", size, " ")
}
$1 == "scan" { ms[$2, $4] = $5; measured[$4] }
function time_of(what, n,   low, high, m, at) {
  if ((what, n) in ms) return sprintf("%.4f", ms[what, n])
  for (m in measured) {
    if (!((what, m) in ms)) continue
    if (m + 0 < n && m + 0 > low + 0) low = m
    if (m + 0 > n && (!high || m + 0 < high + 0)) high = m
  }
  if (!low || !high) return "?"
  at = log(n / low) / log(high / low)
  return sprintf("~%.4f", exp((1 - at) * log(ms[what, low]) + at * log(ms[what, high])))
}
END {
  for (s = 1; s <= sizes; s++) {
    printf "%d", size[s]
    for (k = 1; k <= lines; k++) printf " | %s", time_of(line[k], size[s] + 0)
    print ""
  }
}
