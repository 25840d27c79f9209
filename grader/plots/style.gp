# Shared by the plots of the report. Set by the grader: out (SVG file), dir (folder of the TSV files), id (prefix of ids).
# The colour #010203 stands for "the page's text colour": the grader replaces it by currentColor.
set terminal svg size 980,430 dynamic enhanced font "DejaVu Sans,13" name id butt
set output out
set datafile separator "\t"
ink = "#010203"
set border 3 lc rgb ink lw 1
set tics nomirror textcolor rgb ink out scale 0.6
set xlabel textcolor rgb ink offset 0,0.2
set ylabel textcolor rgb ink
set key outside right center reverse Left textcolor rgb ink samplen 1.6 spacing 1.25 width -1
set grid ytics lc rgb "#8a94a3" lw 0.5 dt (2,4)
set lmargin 11
set bmargin 4
# Colours that stay apart on light and dark ground and for colour-blind readers.
array colour[8] = ["#4477aa", "#ee6677", "#228833", "#b8a000", "#3399bb", "#aa3377", "#e07b00", "#888888"]
array mark[8] = [7, 5, 9, 11, 13, 4, 6, 1]
# Labs 02 and 04 do the same work as 01 and 03: dashes let the line below show.
array dash[8] = [1, 2, 1, 2, 1, 1, 1, 1]
