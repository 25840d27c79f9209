# One line a curve. names: files NAME.tsv in dir (columns n, value); titles: what the key calls them, in the same order,
# blanks written as "_"; slots: their colours; ylab: the y axis; logy: 1 for a logarithmic one.
load style
set xlabel "elements n"
set ylabel ylab offset 1,0
set logscale x 2
set format x "2^{%L}"
set xtics 1, 4
set xrange [12:*] noextend
set offsets 0, graph 0.02, 0, 0 # no point on the right edge
if (logy) {
  set logscale y 10
  set format y "10^{%L}"
} else {
  set yrange [0:*]
}
blank(s) = (p = strstrt(s, "_"), p == 0 ? s : s[1:p-1]." ".blank(s[p+1:*]))
plot for [i=1:words(names)] sprintf("%s/%s.tsv", dir, word(names, i)) using 1:2 with linespoints \
  lc rgb colour[int(word(slots, i))] lw 2 dt dash[int(word(slots, i))] pt mark[int(word(slots, i))] ps 0.55 title blank(word(titles, i)) noenhanced
