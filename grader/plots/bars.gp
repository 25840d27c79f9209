# Bank conflicts of a tree, a bar a lab at each level. names: the file NAME.tsv in dir, columns label, one a lab; titles: what
# the key calls the labs, blanks written as "_"; slots: their colours.
load style
set xlabel "distance of a pair in words: up-sweep, then down-sweep"
set ylabel "replays of requests" offset 1,0
set style data histogram
set style histogram clustered gap 1
set style fill solid 1.0 noborder
set boxwidth 0.9
set yrange [0:*]
set xtics scale 0 font ",11"
blank(s) = (p = strstrt(s, "_"), p == 0 ? s : s[1:p-1]." ".blank(s[p+1:*]))
plot for [i=1:words(titles)] sprintf("%s/%s.tsv", dir, names) using (column(i+1)):xtic(1) \
  lc rgb colour[int(word(slots, i))] title blank(word(titles, i))
