# Draws one pass of a stable sort by one bit as SVG: echo 3 1 7 0 4 1 6 3 | awk -v bit=0 -f split.awk
# Zeros and ones have two colours and two shapes of frame; equal keys are marked a, b in the order of the input.
function cell(x, y, text, one) {
  printf "<rect x=\"%d\" y=\"%d\" width=\"56\" height=\"34\" rx=\"%d\" fill=\"%s\" stroke=\"%s\" stroke-width=\"2\"/>\n", x, y, one ? 12 : 0, one ? "#fde3c8" : "#d3e6f7", one ? "#b35900" : "#0b5394"
  printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x + 28, y + 22, text
}
# The key with its three bits; the one that the pass looks at is underlined.
function bits(v,   k, s, b) {
  for (k = 2; k >= 0; k--) {
    b = int(v / 2 ^ k) % 2
    s = s (k == bit ? "<tspan text-decoration=\"underline\" font-weight=\"bold\">" b "</tspan>" : b)
  }
  return s
}
{
  n = NF
  for (i = 1; i <= n; i++) count[$i]++
  for (i = 1; i <= n; i++) {
    name[i] = $i (count[$i] > 1 ? sprintf("%c", 97 + seen[$i]++) : "")
    one[i] = int($i / 2 ^ bit) % 2
    before[i] = ones
    ones += one[i]
  }
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d 250\" font-family=\"sans-serif\" font-size=\"14\" role=\"img\">\n", 110 + 64 * n
  print "<title>One pass of a stable sort by one bit: zeros move to the front, ones behind them</title>"
  printf "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n<g fill=\"#111111\">\n"
  split("key bits before out", label, " ")
  print "<text x=\"8\" y=\"42\">key</text><text x=\"8\" y=\"74\">its bits</text><text x=\"8\" y=\"96\">ones before</text><text x=\"8\" y=\"222\">after</text>"
  for (i = 1; i <= n; i++) {
    place[i] = one[i] ? n - ones + before[i] : i - 1 - before[i]
    x = 100 + 64 * (i - 1); to = 100 + 64 * place[i]
    printf "<line x1=\"%d\" y1=\"102\" x2=\"%d\" y2=\"198\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", x + 28, to + 28, one[i] ? "#b35900" : "#0b5394", one[i] ? " stroke-dasharray=\"6 3\"" : ""
    cell(x, 20, name[i], one[i])
    printf "<text x=\"%d\" y=\"74\" text-anchor=\"middle\">%s</text>\n<text x=\"%d\" y=\"96\" text-anchor=\"middle\">%d</text>\n", x + 28, bits($i), x + 28, before[i]
    cell(to, 200, name[i], one[i])
  }
  print "</g>\n</svg>"
}
