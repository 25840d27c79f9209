# The plots of a class, small ones that stand beside each other: how the points of a lab are spread, and how fast its kernels
# are. kind: "spread" (columns label, students) or "speed" (columns place, ratio to the reference); file: the TSV file.
load style
set terminal svg size 420,230 dynamic enhanced font "DejaVu Sans,13" name id butt
set output out
unset key
set lmargin 7
set rmargin 2
set bmargin 3.4
set tmargin 0.8
set yrange [0:*]
if (kind eq "spread") {
  set style fill solid 1.0 noborder
  set boxwidth 0.86
  set xtics scale 0 font ",11"
  set xlabel "percent of the points"
  set ylabel "students" offset 1.5,0
  set ytics 1
  stats file using 2 nooutput
  if (STATS_max > 6) { set ytics auto }
  set yrange [0:(STATS_max < 4 ? 4 : STATS_max * 1.08)]
  plot file using 0:2:xtic(1) with boxes lc rgb colour[slot]
} else {
  set xlabel "students, slowest first" offset 0,0.2
  set ylabel "reference / submission" offset 1.5,0
  unset xtics
  set bmargin 2.2
  stats file using 2 nooutput
  set xrange [0:STATS_records+1]
  set yrange [0:(STATS_max < 1.1 ? 1.1 : STATS_max * 1.05)]
  set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb ink dt (6,4) lw 1
  plot file using 1:2 with points lc rgb colour[slot] pt 7 ps 0.7
}
