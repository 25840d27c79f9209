# Bank conflicts of a tree: two bars a level. File NAME.tsv in dir: label, replays of lab 03, replays of lab 04.
load style
set xlabel "distance of a pair in words: up-sweep, then down-sweep"
set ylabel "replays of requests" offset 1,0
set style data histogram
set style histogram clustered gap 1
set style fill solid 1.0 noborder
set boxwidth 0.9
set yrange [0:*]
set xtics scale 0 font ",11"
plot sprintf("%s/%s.tsv", dir, word(names, 1)) using 2:xtic(1) lc rgb colour[2] title "03 Blelloch", \
     "" using 3 lc rgb colour[3] title "04 padded"
