// Draws SVG pictures with gnuplot: collects commands, then runs them.
#pragma once

#include "base/base.h"

typedef struct sl_plot sl_plot;
// Begins the picture [path] of [width] x [height] points. It replaces the file once complete. NULL with [e].
sl_plot *sl__plot_open(const char *path, const char *title, int width, int height, sl_error *e);
void sl__plot(sl_plot *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sl__plot_canvas(sl_plot *p, double width,
                     double height); // coordinates are points from the upper left corner
// A label of plain text. Characters that gnuplot would interpret are left out.
typedef struct sl_lettering {
  const char *align; // "left", "center", "right"
  int size;
  const char *colour;
} sl_lettering;
void sl__plot_label(sl_plot *p, double x, double y, sl_lettering how, const char *text);
bool sl__plot_close(sl_plot *p, sl_error *e); // runs gnuplot; frees [p]
