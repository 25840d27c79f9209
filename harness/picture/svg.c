// A picture as SVG, drawn by gnuplot: boxes, arrows and labels in a coordinate system of points.
#include <math.h>
#include "picture/plot.h"
#include "picture/picture.h"

enum { CELL_H = 28, GAP = 46, LEFT = 118, RIGHT = 34, TOP = 66, BOTTOM = 56, GUTTER = 14 };

typedef struct look {
  const char *fill, *border, *text;
  double border_width;
} look;
static const look looks[] = {
    [SL_PIC_UNKNOWN] = {"#ffffff", "#e5e7eb", "#ffffff", 0.6},
    [SL_PIC_KEPT] = {"#f8fafc", "#cbd5e1", "#64707c", 0.8},
    [SL_PIC_SET] = {"#fef3c7", "#d97706", "#78350f", 1.3},
    [SL_PIC_COPIED] = {"#dcfce7", "#16a34a", "#14532d", 1.3},
    [SL_PIC_COMBINED] = {"#dbeafe", "#2563eb", "#1e3a8a", 1.3},
};
static const look many_look = {"#93c5fd", "#2563eb", "#1e3a8a",
                               1.3}; // a value from more cells than are known: no arrows
static const look bit_looks[] = {{"#dbeafe", "#2563eb", "#1e3a8a", 1.3},
                                 {"#ffedd5", "#ea580c", "#7c2d12", 1.3}};
static const char *const arrow_colour[] = {
    [SL_PIC_SET] = "#d97706", [SL_PIC_COPIED] = "#16a34a", [SL_PIC_COMBINED] = "#2563eb"};

typedef struct canvas {
  sl_plot *plot;
  const sl_picture *p;
  const sl_pic_style *s;
  int cell_w, gutter; // gutter: room before each cell for arrows that pass other rows
  double *y;          // top of each row
  double width, height;
} canvas;

static double left_of(const canvas *c, int cell) {
  return LEFT + (double)cell * (c->cell_w + c->gutter) + c->gutter;
}
static double x_of(const canvas *c, int cell) { return left_of(c, cell) + 0.5 * c->cell_w; }

static void box(const canvas *c, double x1, double y1, double x2, double y2, const look *l) {
  sl__plot(
      c->plot,
      "set object rect from %.1f,%.1f to %.1f,%.1f fc rgb '%s' fs solid 1 border lc rgb '%s' lw %.1f front\n",
      x1, y1, x2, y2, l->fill, l->border, l->border_width);
}

// Layout ----------------------------------------------------------------------------------------------------

// The gap above row [r]: long arrows get more room.
static int gap_before(const sl_picture *p, size_t r) {
  int most = 0;
  for (size_t k = 0; k < p->n_cells; k++)
    for (unsigned s = 0; s < p->rows[r].cells[k].n_from; s++) {
      int far = p->rows[r].cells[k].from[s].row < 0 ? 0 : abs(p->rows[r].cells[k].from[s].cell - (int)k);
      if (far > most) most = far;
    }
  return most < 3 ? GAP : most < 8 ? GAP + 4 * most : GAP + 32;
}

// Does an arrow pass a row between the two that it joins?
static bool passes_rows(const sl_picture *p) {
  for (size_t r = 0; r < p->n_rows; r++)
    for (size_t k = 0; k < p->n_cells; k++)
      for (unsigned s = 0; s < p->rows[r].cells[k].n_from && !sl__from_many(&p->rows[r].cells[k]); s++) {
        const int row = p->rows[r].cells[k].from[s].row;
        if (row >= 0 && row + 1 < (int)r) return true;
      }
  return false;
}

static void place_cells(canvas *c) {
  size_t longest = 0;
  char text[24];
  for (size_t r = 0; r < c->p->n_rows; r++)
    for (size_t k = 0; k < c->p->n_cells; k++) {
      size_t n = strlen(sl__cell_text(&c->p->rows[r], &c->p->rows[r].cells[k], c->s->format, text));
      if (n > longest) longest = n;
    }
  c->cell_w = longest < 5 ? 44 : (int)(longest * 8 + 10);
  if (c->cell_w * (int)c->p->n_cells < 560)
    c->cell_w = 560 / (int)c->p->n_cells < 180 ? 560 / (int)c->p->n_cells : 180;
  double y = TOP;
  for (size_t r = 0; r < c->p->n_rows; r++)
    c->y[r] = y, y += CELL_H + (r + 1 < c->p->n_rows ? gap_before(c->p, r + 1) : GAP);
  c->gutter = passes_rows(c->p) ? GUTTER : 0;
  c->width = left_of(c, (int)c->p->n_cells) - c->gutter + RIGHT;
  c->height = y - GAP + BOTTOM;
}

// The colour of a key by its bit of the next pass; NULL: there is none.
static const look *split_look(const canvas *c, size_t r, size_t k) {
  if (!c->s->split || r + 1 >= c->p->n_rows || r >= 64) return NULL;
  return &bit_looks[c->p->rows[r].cells[k].value >> r & 1];
}

// Arrows ----------------------------------------------------------------------------------------------------

typedef struct stroke {
  double x1, y1, x2, y2;
} stroke;

static void draw_arrow(const canvas *c, stroke at, bool head, const char *colour) {
  sl__plot(c->plot, "set arrow from %.1f,%.1f to %.1f,%.1f %s lc rgb '%s' lw 1.3 back\n", at.x1, at.y1, at.x2,
           at.y2, head ? "head filled size 6,18,60 fixed" : "nohead", colour);
}

typedef struct joined { // two cells, by row and column
  int from_row, from, to_row, to;
} joined;

// An arrow past other rows goes down beside the target's column. [lane]: how many such the target has.
static void arrow(const canvas *c, const joined *j, int lane, const char *colour) {
  const int from = j->from, to = j->to, from_row = j->from_row, to_row = j->to_row;
  const double shift = from < to ? -5 : from > to ? 5 : 0; // arrows to one cell do not end in one point
  const double x1 = x_of(c, from), x2 = x_of(c, to) + shift, y1 = c->y[from_row] + CELL_H + 1,
               y2 = c->y[to_row] - 2;
  if (to_row == from_row + 1) {
    draw_arrow(c, (stroke){x1, y1, x2, y2}, true, colour);
    return;
  }
  const double x = left_of(c, to) - c->gutter + 3 + 4 * (lane % 3), top = c->y[from_row + 1] - 6,
               bottom = c->y[to_row - 1] + CELL_H + 6;
  draw_arrow(c, (stroke){from == to ? x1 - 0.3 * c->cell_w : x1, y1, x, top}, false, colour);
  draw_arrow(c, (stroke){x, top, x, bottom}, false, colour);
  draw_arrow(c, (stroke){x, bottom, x2 - 0.25 * c->cell_w, y2}, true, colour);
}

static int row_above(const canvas *c, size_t r) {
  for (size_t o = r; o-- > 0;)
    if (c->p->rows[o].array == c->p->rows[r].array && c->p->rows[o].first == c->p->rows[r].first)
      return (int)o;
  return -1;
}

static void kept_line(const canvas *c, size_t r, size_t k) {
  int above = row_above(c, r);
  if (above < 0 || (size_t)above + 1 != r) return;
  sl__plot(c->plot, "set arrow from %.1f,%.1f to %.1f,%.1f nohead lc rgb '#dbe1e8' lw 1 dt 3 back\n",
           x_of(c, (int)k), c->y[above] + CELL_H + 1, x_of(c, (int)k), c->y[r] - 1);
}

static void arrows(const canvas *c) {
  for (size_t r = 0; r < c->p->n_rows; r++)
    for (size_t k = 0; k < c->p->n_cells; k++) {
      const sl_pic_cell *cell = &c->p->rows[r].cells[k];
      int lane = 0;
      if (cell->how == SL_PIC_KEPT) kept_line(c, r, k);
      for (unsigned s = 0; s < cell->n_from && !sl__from_many(cell); s++) {
        const int row = cell->from[s].row, from = cell->from[s].cell;
        if (row < 0 || row >= (int)r) continue;
        const look *l = split_look(c, (size_t)row, (size_t)from);
        arrow(c, &(joined){row, from, (int)r, (int)k}, lane, l ? l->border : arrow_colour[cell->how]);
        lane += row + 1 < (int)r;
      }
    }
}

// Cells -----------------------------------------------------------------------------------------------------

static void bank_stripe(const canvas *c, const sl_pic_row *r, size_t k, double x1, double y) {
  unsigned bank = (r->bank + (unsigned)(r->first + (int)k) * (r->bytes / 4 ? r->bytes / 4 : 1)) % 32,
           hue = bank * 137 % 360;
  double h = hue / 60.0, t = 1 - fabs(fmod(h, 2) - 1),
         rgb[6][3] = {{1, t, 0}, {t, 1, 0}, {0, 1, t}, {0, t, 1}, {t, 0, 1}, {1, 0, t}};
  const double *v = rgb[(int)h % 6];
  char colour[8];
  snprintf(colour, sizeof colour, "#%02x%02x%02x", (unsigned)(70 + 160 * v[0]), (unsigned)(70 + 160 * v[1]),
           (unsigned)(70 + 160 * v[2]));
  look l = {colour, colour, "", 0.5};
  if (r->shared) box(c, x1 + 2, y + CELL_H - 6, x1 + c->cell_w - 5, y + CELL_H - 2, &l);
}

// A line below the binary digit that the next pass looks at.
static void mark_bit(const canvas *c, const sl_pic_row *r, size_t k, double y, const look *l) {
  enum { DIGIT = 7 }; // width
  char text[24];
  const double digits = (double)strlen(sl__cell_text(r, &r->cells[k], c->s->format, text)),
               x = x_of(c, (int)k) + DIGIT * (digits / 2 - 1 - (double)(r - c->p->rows));
  const look line = {l->border, l->border, "", 0.5};
  box(c, x, y + CELL_H - 5, x + DIGIT, y + CELL_H - 3, &line);
}

static void draw_cell(const canvas *c, const sl_pic_row *r, size_t k, double y) {
  const sl_pic_cell *cell = &r->cells[k];
  double x1 = left_of(c, (int)k);
  const look *split = split_look(c, (size_t)(r - c->p->rows), k);
  look l = sl__from_many(cell) ? many_look : looks[cell->how];
  char text[24];
  if (cell->how == SL_PIC_UNKNOWN) return;
  if (!r->line) l = (look){"#ffffff", "#475569", "#0f172a", 1.1}; // the state at the start
  if (cell->race) l.border = "#dc2626", l.border_width = 2.6;
  if (split) l = *split;
  if (cell->unset) l.text = "#b91c1c";
  box(c, x1 + 2, y, x1 + c->cell_w - 2, y + CELL_H, &l);
  if (split) mark_bit(c, r, k, y, split);
  if (c->s->banks) bank_stripe(c, r, k, x1, y);
  sl__plot_label(c->plot, x1 + c->cell_w / 2.0, y + CELL_H / 2.0 - (c->s->banks ? 2 : 0),
                 (sl_lettering){"center", 13, cell->race ? "#b91c1c" : l.text},
                 sl__cell_text(r, cell, c->s->format, text));
  if (cell->way > 1) {
    snprintf(text, sizeof text, "%u-way", cell->way);
    sl__plot_label(c->plot, x1 + c->cell_w - 2, y - 6, (sl_lettering){"right", 9, "#c2410c"}, text);
  }
}

// Says what wrote the row: "split_kernel", "line 28".
static const char *origin(const canvas *c, const sl_pic_row *r, char *out, size_t cap) {
  char lines[40];
  if (c->p->n_kernels == 1) snprintf(out, cap, "%s", sl__line_text(r, lines));
  else if (c->s->plain) snprintf(out, cap, "%s", c->p->kernels[r->launch]);
  else snprintf(out, cap, "launch %u, %s", r->launch, sl__line_text(r, lines));
  return out;
}

static void draw_rows(const canvas *c) {
  char text[96];
  for (size_t k = 0; k < c->p->n_cells; k++) {
    const uint64_t first = k * c->p->group, last = first + c->p->group - 1;
    if (c->p->group > 1 && first < c->p->n) // a cell behind the end is one of a shorter array, not grouped
      snprintf(text, sizeof text, "%llu..%llu", (unsigned long long)first,
               (unsigned long long)(last < c->p->n ? last : c->p->n - 1));
    else snprintf(text, sizeof text, "%zu", k);
    sl__plot_label(c->plot, x_of(c, (int)k), TOP - 12, (sl_lettering){"center", 10, "#64748b"}, text);
  }
  for (size_t r = 0; r < c->p->n_rows; r++) {
    const sl_pic_row *row = &c->p->rows[r];
    snprintf(text, sizeof text, "%s%s", row->name, row->first ? " (2nd half)" : "");
    bool below = row->line && (!c->s->plain || c->p->n_kernels > 1);
    sl__plot_label(c->plot, 14, c->y[r] + CELL_H / 2.0 - (below ? 6 : 0),
                   (sl_lettering){"left", 13, "#0f172a"}, text);
    if (below)
      sl__plot_label(c->plot, 14, c->y[r] + CELL_H / 2.0 + 9, (sl_lettering){"left", 9, "#64748b"},
                     origin(c, row, text, sizeof text));
    for (size_t k = 0; k < c->p->n_cells; k++) draw_cell(c, row, k, c->y[r]);
  }
}

static void barriers(const canvas *c) {
  for (size_t r = 1; r < c->p->n_rows; r++) {
    double y = c->y[r - 1] + CELL_H + GAP / 2.0;
    if (!c->p->rows[r].barrier) continue;
    sl__plot(c->plot, "set arrow from %.1f,%.1f to %.1f,%.1f nohead lc rgb '#a1a1aa' lw 1.2 dt (6,4) back\n",
             14.0, y, c->width - 14, y);
    sl__plot_label(c->plot, 14, y - 7, (sl_lettering){"left", 9, "#71717a"}, "barrier");
  }
}

static bool is(const sl_pic_cell *cell, sl_pic_how how) { return cell->how == how && !sl__from_many(cell); }
static bool combined(const sl_pic_cell *cell) { return is(cell, SL_PIC_COMBINED); }
static bool copied(const sl_pic_cell *cell) { return is(cell, SL_PIC_COPIED); }
static bool set(const sl_pic_cell *cell) { return is(cell, SL_PIC_SET); }
static bool kept(const sl_pic_cell *cell) { return is(cell, SL_PIC_KEPT); }
static bool raced(const sl_pic_cell *cell) { return cell->race; }
static bool unset(const sl_pic_cell *cell) { return cell->unset; }

static bool occurs(const sl_picture *p, bool (*of)(const sl_pic_cell *cell)) {
  for (size_t r = 0; r < p->n_rows; r++)
    for (size_t k = 0; k < p->n_cells; k++)
      if ((p->rows[r].line || of == raced || of == unset) && of(&p->rows[r].cells[k])) return true;
  return false;
}

static double split_legend(const canvas *c, double x, double y) {
  static const char *const texts[] = {"the marked bit is 0: to the front, in order",
                                      "it is 1: behind them, in order"};
  for (int k = 0; k < 2; k++, x += 300) {
    if (!c->plot) continue;
    box(c, x, y - 7, x + 18, y + 7, &bit_looks[k]);
    sl__plot_label(c->plot, x + 25, y, (sl_lettering){"left", 11, "#475569"}, texts[k]);
  }
  return x - 80;
}

// Draws the signs that occur and what they mean; without a plot it only measures. Returns where it ends.
static double legend(const canvas *c) {
  static const look race_look = {"#ffffff", "#dc2626", "#b91c1c", 2.6},
                    unset_look = {"#ffffff", "#e2e8f0", "#b91c1c", 1};
  static const struct {
    bool (*of)(const sl_pic_cell *cell);
    const look *look;
    const char *text;
  } items[] = {{combined, &looks[SL_PIC_COMBINED], "computed"},
               {sl__from_many, &many_look, "from many cells (no arrows)"},
               {copied, &looks[SL_PIC_COPIED], "copied"},
               {set, &looks[SL_PIC_SET], "set"},
               {kept, &looks[SL_PIC_KEPT], "unchanged"},
               {raced, &race_look, "race"},
               {unset, &unset_look, "? nobody has written it, or what it came from"}};
  double x = LEFT, y = c->height - 26;
  if (c->s->split) return split_legend(c, x, y);
  for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
    if (!occurs(c->p, items[k].of)) continue;
    if (c->plot) {
      box(c, x, y - 7, x + 18, y + 7, items[k].look);
      sl__plot_label(
          c->plot, x + 25, y,
          (sl_lettering){"left", 11,
                         items[k].of == raced || items[k].of == unset ? race_look.text : "#475569"},
          items[k].text);
    }
    x += 48 + 5.6 * (double)strlen(items[k].text);
  }
  return x;
}

// Makes the picture wide enough for its words: few cells are narrower than a title.
static void fit_words(canvas *c) {
  const double ends[] = {legend(c), 28 + 8.0 * (double)strlen(c->p->title),
                         28 + 5.6 * (double)strlen(c->p->note)};
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
    if (c->width < ends[k]) c->width = ends[k];
}

bool sl__picture_svg(const sl_picture *p, const sl_pic_style *s, const char *path, sl_error *e) {
  canvas c = {.p = p, .s = s, .y = sl_must(calloc(p->n_rows + 1, sizeof(double)))};
  place_cells(&c);
  fit_words(&c);
  c.plot = sl__plot_open(path, p->title, (int)c.width, (int)c.height, e);
  if (c.plot) {
    sl__plot_canvas(c.plot, c.width, c.height);
    sl__plot_label(c.plot, 14, 24, (sl_lettering){"left", 15, "#0f172a"}, p->title);
    if (*p->note) sl__plot_label(c.plot, 14, 40, (sl_lettering){"left", 10, "#475569"}, p->note);
    barriers(&c);
    arrows(&c);
    draw_rows(&c);
    legend(&c);
    sl__plot(c.plot, "plot NaN notitle\n");
  }
  free(c.y);
  return c.plot && sl__plot_close(c.plot, e);
}
