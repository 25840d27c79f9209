// The bank view: for every step it shows the worst request to shared memory, its words stacked by bank. The
// highest stack is the number of passes that the request takes.
#include "picture/plot.h"
#include "picture/banks.h"
#include "picture/events.h"

enum { BANKS = 32, BOX_W = 20, BOX_H = 14, LEFT = 128, TOP = 64, GAP = 26, LEGEND = 14 };

typedef struct panel {
  uint32_t phase, line, launch, threads, passes;
  bool write;
  uint32_t n[BANKS]; // words in a bank
  uint32_t word[BANKS][BANKS], thread[BANKS][BANKS];
} panel;

// Adds a 4-byte word of a request. Wider requests are served in parts; the first part is shown.
static void add_word(panel *p, const sl_ev *v, const sl_arr *a) {
  uint32_t word = (uint32_t)(a->base / 4) + v->cell * v->bytes / 4, bank = word % BANKS, k = 0;
  p->threads++;
  while (k < p->n[bank] && p->word[bank][k] != word) k++;
  if (k < p->n[bank] || k == BANKS) return;
  p->word[bank][k] = word, p->thread[bank][k] = v->thread;
  if (++p->n[bank] > p->passes) p->passes = p->n[bank];
}

static bool drawn(const sl_evs *e, const sl_ev *v, const sl_pic_choice *c) {
  return sl__ev_touches(v) && v->kind != SL_EV_UPDATES && e->arrays[v->array].shared && v->block == c->block;
}

static panel request_at(const sl_evs *e, size_t at, const sl_pic_choice *c, size_t *end) {
  const sl_ev *v = &e->at[at];
  panel p = {.phase = v->phase, .line = v->line, .launch = v->launch, .write = v->kind == SL_EV_WRITES};
  for (*end = at; *end < e->n && e->at[*end].kind != SL_EV_OPENS && e->at[*end].request == v->request &&
                  e->at[*end].launch == v->launch;
       ++*end)
    if (drawn(e, &e->at[*end], c)) add_word(&p, &e->at[*end], &e->arrays[e->at[*end].array]);
  return p;
}

static uint32_t first_thread(const panel *p) {
  uint32_t first = UINT32_MAX;
  for (unsigned b = 0; b < BANKS; b++)
    for (unsigned k = 0; k < p->n[b]; k++)
      if (p->thread[b][k] < first) first = p->thread[b][k];
  return first;
}

// Is [a] worse than [b]: by passes, then by threads, then by the lower first thread?
static bool worse(const panel *a, const panel *b) {
  if (a->passes != b->passes) return a->passes > b->passes;
  return a->threads != b->threads ? a->threads > b->threads : first_thread(a) < first_thread(b);
}

// The worst request of each step of the first launch that uses shared memory.
static panel *panels_of(const sl_evs *e, const sl_pic_choice *c, size_t *n) {
  panel *all = NULL;
  size_t end;
  *n = 0;
  for (size_t k = 0; k < e->n; k = end) {
    end = k + 1;
    if (!drawn(e, &e->at[k], c)) continue;
    panel p = request_at(e, k, c, &end);
    if (*n && all[0].launch != p.launch) break;
    size_t at = 0;
    while (at < *n && all[at].phase != p.phase) at++;
    if (at == *n) {
      SL_GROW(all, *n);
      all[(*n)++] = p;
    } else if (worse(&p, &all[at])) {
      all[at] = p;
    }
  }
  return all;
}

// Text ------------------------------------------------------------------------------------------------------

static void put_text(FILE *f, const panel *all, size_t n) {
  fprintf(f, "\nstep  line         threads  passes   words in each of the %d banks\n", BANKS);
  for (size_t k = 0; k < n; k++) {
    const panel *p = &all[k];
    fprintf(f, "%4u  %4u  %-5s %7u  %6u   ", p->phase, p->line, p->write ? "write" : "read", p->threads,
            p->passes);
    for (unsigned b = 0; b < BANKS; b++)
      fputc(!p->n[b] ? '.' : p->n[b] < 10 ? (int)('0' + p->n[b]) : (int)('a' + p->n[b] - 10), f);
    fputc('\n', f);
  }
  fprintf(f,
          "\neach line: the worst request of a step (a step ends at a barrier); a = 10 words, b = 11, ..\n");
}

// SVG -------------------------------------------------------------------------------------------------------

__attribute__((format(printf, 5, 0))) static void put_number(sl_plot *o, double x, double y, sl_lettering how,
                                                             const char *fmt, uint32_t v) {
  char text[64];
  snprintf(text, sizeof text, fmt, v);
  sl__plot_label(o, x, y, how, text);
}

static void draw_box(sl_plot *o, double x, double y, unsigned level, uint32_t thread) {
  static const char *const fills[] = {"#dbeafe", "#fef3c7", "#fed7aa", "#fecaca"};
  static const char *const borders[] = {"#2563eb", "#d97706", "#ea580c", "#dc2626"};
  unsigned hot = level < 2 ? level : level < 4 ? 2 : 3;
  sl__plot(
      o,
      "set object rect from %.1f,%.1f to %.1f,%.1f fc rgb '%s' fs solid 1 border lc rgb '%s' lw 0.8 front\n",
      x + 1, y - BOX_H + 1, x + BOX_W - 1, y, fills[hot], borders[hot]);
  put_number(o, x + BOX_W / 2.0, y - BOX_H / 2.0, (sl_lettering){"center", 9, "#1e293b"}, "%u", thread);
}

static void draw_panel(sl_plot *o, const panel *p, double floor) {
  put_number(o, 14, floor - 19, (sl_lettering){"left", 13, "#0f172a"}, "step %u", p->phase);
  put_number(o, 14, floor - 5, (sl_lettering){"left", 9, "#64748b"},
             p->write ? "line %u, write" : "line %u, read", p->line);
  put_number(o, LEFT + BANKS * BOX_W + 12, floor - 7,
             (sl_lettering){"left", 12, p->passes > 1 ? "#c2410c" : "#15803d"},
             p->passes == 1 ? "%u pass" : "%u passes", p->passes);
  sl__plot(o, "set arrow from %d,%.1f to %d,%.1f nohead lc rgb '#94a3b8' lw 1\n", LEFT, floor + 1,
           LEFT + BANKS * BOX_W, floor + 1);
  for (unsigned b = 0; b < BANKS; b++)
    for (unsigned k = 0; k < p->n[b]; k++)
      draw_box(o, LEFT + b * BOX_W, floor - k * BOX_H, k, p->thread[b][k]);
}

static bool draw_panels(const panel *all, size_t n, const char *title, const char *path, sl_error *e) {
  double height = TOP + LEGEND, width = LEFT + BANKS * BOX_W + 90;
  for (size_t k = 0; k < n; k++) height += (all[k].passes < 2 ? 2 : all[k].passes) * BOX_H + GAP;
  sl_plot *o = sl__plot_open(path, title, (int)width, (int)height, e);
  if (!o) return false;
  sl__plot_canvas(o, width, height);
  sl__plot_label(o, 14, 22, (sl_lettering){"left", 15, "#0f172a"}, title);
  sl__plot_label(o, 14, TOP - 14, (sl_lettering){"left", 10, "#64748b"}, "bank");
  for (unsigned b = 0; b < BANKS; b++)
    put_number(o, LEFT + (b + 0.5) * BOX_W, TOP - 14, (sl_lettering){"center", 9, "#64748b"}, "%u", b);
  double y = TOP - 8;
  for (size_t k = 0; k < n; k++) {
    y += (all[k].passes < 2 ? 2 : all[k].passes) * BOX_H + GAP;
    draw_panel(o, &all[k], y - 12);
  }
  sl__plot_label(o, LEFT, y + 12, (sl_lettering){"left", 11, "#475569"},
                 "box: a word, with the thread that asks for it; a stack: words of one bank, one pass each");
  sl__plot(o, "plot NaN notitle\n");
  return sl__plot_close(o, e);
}

bool sl__banks(const json_t *report, const char *source, const sl_pic_choice *c, const sl_bank_view *v,
               sl_error *e) {
  sl_evs evs;
  size_t n;
  sl__evs_read(report, source, c, &evs);
  SL_FREED panel *all = panels_of(&evs, c, &n);
  bool ok =
      n || sl_fail(e, SL_EXIT_INPUT, NULL, "the kernel does not use shared memory in the launches shown");
  if (ok && v->svg) ok = draw_panels(all, n, v->title, v->svg, e);
  if (ok && v->text) put_text(v->text, all, n);
  sl__evs_free(&evs);
  return ok;
}
