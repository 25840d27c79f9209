// A picture as text: a line of values a row, marks at what was written, and below it the sources.
#include "picture/picture.h"

// What is printed: rows of cells, behind what stands in front of them.
typedef struct page {
  int label, cell; // widths
  sl_pic_format format;
} page;

static void binary(uint64_t v, unsigned bits, char *out) {
  for (unsigned k = 0; k < bits; k++) out[k] = (char)('0' + (v >> (bits - 1 - k) & 1));
  out[bits] = 0;
}

char *sl__cell_text(const sl_pic_row *r, const sl_pic_cell *c, sl_pic_format format, char out[24]) {
  if (c->how == SL_PIC_UNKNOWN) return strcpy(out, "");
  if (c->unset) return strcpy(out, "?");
  if (format == SL_PIC_HEX) return snprintf(out, 24, "%llx", (unsigned long long)c->value), out;
  if (format == SL_PIC_BIN && c->value < 256) return binary(c->value, c->value < 16 ? 4 : 8, out), out;
  if (r->is_float && r->bytes == 4) {
    float f;
    uint32_t bits = (uint32_t)c->value;
    memcpy(&f, &bits, sizeof f);
    snprintf(out, 24, "%.5g", (double)f);
  } else if (r->is_float && r->bytes == 8) {
    double d;
    memcpy(&d, &c->value, sizeof d);
    snprintf(out, 24, "%.5g", d);
  } else if (r->is_signed) {
    snprintf(out, 24, "%lld", r->bytes == 4 ? (long long)(int32_t)c->value : (long long)c->value);
  } else {
    snprintf(out, 24, "%llu", (unsigned long long)c->value);
  }
  return out;
}

char *sl__line_text(const sl_pic_row *r, char out[40]) {
  if (r->line == r->last_line) snprintf(out, 40, "line %u", r->line);
  else snprintf(out, 40, "lines %u-%u", r->line, r->last_line);
  return out;
}

// The cells that the value came from: "3+7"; "6+" for six or more.
static char *sources(const sl_pic_cell *c, char out[64]) {
  out[0] = 0;
  if (sl__from_many(c)) return snprintf(out, 64, "%d+", SL_PIC_FROM), out;
  for (unsigned s = 0; s < c->n_from; s++)
    if (c->from[s].row >= 0) sl_append(out, 64, "+", "%d", c->from[s].cell);
  return out;
}

static int label_width(const sl_picture *p) {
  enum { LEAST = 12, MOST = 24 };
  int w = LEAST;
  char text[40];
  for (size_t r = 0; r < p->n_rows; r++) {
    const sl_pic_row *row = &p->rows[r];
    const int name = (int)strlen(row->name) + (row->first > 0) + 1,
              lines = row->line ? (int)strlen(sl__line_text(row, text)) + 1 : 0;
    if (name > w) w = name;
    if (lines > w) w = lines;
  }
  return w < MOST ? w : MOST;
}

static int cell_width(const sl_picture *p, sl_pic_format format) {
  int w = 4;
  char text[24], from[64];
  for (size_t r = 0; r < p->n_rows; r++)
    for (size_t k = 0; k < p->n_cells; k++) {
      int n = (int)strlen(sl__cell_text(&p->rows[r], &p->rows[r].cells[k], format, text)) + 2;
      int m = (int)strlen(sources(&p->rows[r].cells[k], from)) + 1;
      if (n > w) w = n;
      if (m > w && m <= 6) w = m;
    }
  return w;
}

// A row of values: " 12*" was written, "12!" is in a race. Below it the sources as indices.
static void put_values(FILE *f, const sl_pic_row *r, size_t from, size_t to, const page *g) {
  char text[24], label[96];
  snprintf(label, sizeof label, "%s%s", r->name, r->first ? "'" : "");
  fprintf(f, "%-*.*s", g->label, g->label - 1, label);
  for (size_t k = from; k < to; k++) {
    const sl_pic_cell *c = &r->cells[k];
    fprintf(f, "%*s%c", g->cell - 1, sl__cell_text(r, c, g->format, text),
            c->race                ? '!'
            : c->how > SL_PIC_KEPT ? '*'
                                   : ' ');
  }
  fputc('\n', f);
}

static void put_sources(FILE *f, const sl_pic_row *r, size_t from, size_t to, const page *g) {
  bool any = false;
  for (size_t k = from; k < to; k++) any |= r->cells[k].n_from > 0 || r->cells[k].way > 1;
  if (!any) return;
  char line[40];
  fprintf(f, "%-*s", g->label, r->line ? sl__line_text(r, line) : "");
  for (size_t k = from; k < to; k++) {
    const sl_pic_cell *c = &r->cells[k];
    char text[64];
    if ((int)strlen(sources(c, text)) >= g->cell) memcpy(text + g->cell - 3, "..", 3);
    fprintf(f, "%*s%c", g->cell - 1, text, c->way > 1 ? '#' : ' ');
  }
  fputc('\n', f);
}

static void put_part(FILE *f, const sl_picture *p, size_t from, size_t to, const page *g) {
  unsigned launch = UINT32_MAX;
  fprintf(f, "%-*s", g->label, "index");
  for (size_t k = from; k < to; k++) fprintf(f, "%*zu ", g->cell - 1, k);
  fputc('\n', f);
  for (size_t r = 0; r < p->n_rows; r++) {
    const sl_pic_row *row = &p->rows[r];
    if (row->time && row->launch != launch && p->n_kernels > 1 && row->launch < p->n_kernels)
      fprintf(f, "%-*s== launch %u: %s\n", g->label, "", row->launch, p->kernels[row->launch]);
    if (row->time) launch = row->launch;
    if (row->barrier) {
      fprintf(f, "%-*s", g->label, "barrier");
      for (size_t k = (to - from) * (size_t)g->cell; k > 0; k--) fputc('-', f);
      fputc('\n', f);
    }
    put_values(f, row, from, to, g);
    put_sources(f, row, from, to, g);
  }
}

void sl__picture_text(FILE *f, const sl_picture *p, const sl_pic_style *s) {
  const page g = {label_width(p), cell_width(p, s->format), s->format};
  const size_t fit = s->width >= g.label + g.cell ? (size_t)((s->width - g.label) / g.cell) : 1,
               step = p->n_cells <= fit ? p->n_cells
                      : fit >= 8        ? fit / 8 * 8
                                        : fit;
  bool race = false, conflict = false, many = false, unset = false; // which marks occur
  for (size_t k = 0; k < p->n_cells; k += step) {
    fputc('\n', f);
    put_part(f, p, k, k + step < p->n_cells ? k + step : p->n_cells, &g);
  }
  for (size_t r = 0; r < p->n_rows; r++)
    for (size_t k = 0; k < p->n_cells; k++)
      race |= p->rows[r].cells[k].race, conflict |= p->rows[r].cells[k].way > 1,
          many |= sl__from_many(&p->rows[r].cells[k]), unset |= p->rows[r].cells[k].unset;
  fputs("\n* written in this step; below it the cells that the value came from\n", f);
  if (many) fputs("6+ in place of cells: the value came from six or more\n", f);
  if (conflict) fputs("# its request had a bank conflict\n", f);
  if (race) fputs("! race: another thread was there, too\n", f);
  if (unset) fputs("? nobody has written it, or what it came from\n", f);
  if (*p->note) fprintf(f, "%s\n", p->note);
  if (p->too_many) fprintf(f, "later steps are left out\n");
}
