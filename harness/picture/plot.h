// SVG pictures through gnuplot: commands are collected, then run.
#ifndef SL_PICTURE_PLOT_H
#define SL_PICTURE_PLOT_H

#include "base/base.h"

typedef struct sl_plot sl_plot;
// [path]: the picture, [width] x [height] points, replaced when it is complete. NULL with [e].
sl_plot *sl__plot_open(const char *path, int width, int height, sl_error *e);
void sl__plot(sl_plot *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sl__plot_canvas(sl_plot *p, double width,
                     double height); // coordinates are points from the upper left corner
// A label of plain text; what gnuplot would take for more is left out.
void sl__plot_label(sl_plot *p, double x, double y, const char *align, int size, const char *colour,
                    const char *text);
bool sl__plot_close(sl_plot *p, sl_error *e); // runs gnuplot; frees [p]

#endif
