# Our columns of the table of times in docs/theory/README.md: awk -f times.awk docs/results/h100-harris/bench.csv
# prints "n | core | lab 05 | fastest | copy", milliseconds; "?" for a size that was not measured.
BEGIN {
  FS = ","
  lines = split("CPU one core,05 arbitrary size,best,copy", line, ",")
  sizes = split("1024 32768 65536 131072 262144 524288 1048576 2097152 4194304 8388608 16777216", size, " ")
}
$1 == "scan" { ms[$2, $4] = $5 }
END {
  for (s = 1; s <= sizes; s++) {
    printf "%d", size[s]
    for (k = 1; k <= lines; k++) printf " | %s", (line[k], size[s]) in ms ? sprintf("%.4f", ms[line[k], size[s]]) : "?"
    print ""
  }
}
