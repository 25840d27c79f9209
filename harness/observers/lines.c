// Lines: what the instructions of a launch did, added up by source line.
//
// Code that was inlined from a toolkit header counts for the line of the user's own file that called it.
#include "observers/meter.h"

enum { SUM, MAX };
static const uint8_t how[] = {
#define X(name, way) [SL_LN_##name] = way,
    SL_LINE_COUNTERS(X)
#undef X
};

static sl_line *recorded_line(sl_recorded *r, const char *file, uint32_t line) {
  for (size_t k = r->n_lines; k-- > 0;)
    if (r->lines[k].line == line && !strcmp(r->lines[k].file, file)) return &r->lines[k];
  SL_GROW(r->lines, r->n_lines);
  sl_line *l = &r->lines[r->n_lines++];
  *l = (sl_line){.file = sl_must(strdup(file)), .line = line};
  return l;
}

static int by_place(const void *a, const void *b) {
  const sl_line *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  return files ? files : (x->line > y->line) - (x->line < y->line);
}

void sl__lines_add(const sl_grid *g, sl_meter *m) {
  for (uint32_t pc = 0; pc < g->m->n_code; pc++) {
    const sl_meter_cell *c = &m->cells[pc];
    sl_src_pos pos = {.file = ""};
    if (!c->in || !c->c[SL_LN_warp_instructions]) continue;
    sl_ptx_position(g->m->ptx, c->in, &pos);
    sl_line *l = recorded_line(m->out, pos.file, pos.line);
    for (unsigned k = 0; k < SL_LN_COUNT; k++)
      if (how[k] == SUM) l->c[k] += c->c[k];
      else if (l->c[k] < c->c[k]) l->c[k] = c->c[k];
  }
  if (m->out->n_lines) qsort(m->out->lines, m->out->n_lines, sizeof *m->out->lines, by_place);
}
