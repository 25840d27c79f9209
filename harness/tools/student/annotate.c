// The annotated source: columns of counters beside each line. Interface: annotate.h.
#include "annotate.h"

// Columns of the annotated source. A column that is 0 on every line is left out, and so are those that are of
// the least use where the source would have no room.

uint64_t sl__replays(const uint64_t *c) { return c[SL_LN_shared_ld_replays] + c[SL_LN_shared_st_replays]; }
uint64_t sl__adds(const uint64_t *c) { return c[SL_LN_adds_float] ? c[SL_LN_adds_float] : c[SL_LN_adds_int]; }
uint64_t sl__wavefronts(const uint64_t *c) {
  return c[SL_LN_shared_ld_wavefronts] + c[SL_LN_shared_st_wavefronts];
}
uint64_t sl__sectors(const uint64_t *c) { return c[SL_LN_global_ld_sectors] + c[SL_LN_global_st_sectors]; }
uint64_t sl__excess(const uint64_t *c) { return sl__sectors(c) - c[SL_LN_global_ideal_sectors]; }
static uint64_t instructions(const uint64_t *c) { return c[SL_LN_warp_instructions]; }
static uint64_t fadds(const uint64_t *c) { return c[SL_LN_adds_float]; }
static uint64_t iadds(const uint64_t *c) { return c[SL_LN_adds_int]; }
uint64_t sl__way(const uint64_t *c) { return c[SL_LN_shared_degree] > 1 ? c[SL_LN_shared_degree] : 0; }
static uint64_t atomics(const uint64_t *c) { return c[SL_LN_atomics]; }
uint64_t sl__same(const uint64_t *c) { return c[SL_LN_atomic_lanes]; }
static uint64_t split(const uint64_t *c) { return c[SL_LN_divergent]; }
static uint64_t barriers(const uint64_t *c) { return c[SL_LN_barriers]; }
uint64_t sl__lanes(const uint64_t *c) {
  return c[SL_LN_warp_instructions]
             ? (c[SL_LN_thread_instructions] + c[SL_LN_warp_instructions] / 2) / c[SL_LN_warp_instructions]
             : 0;
}

static const struct column {
  const char *head;
  int width;
  uint64_t (*of)(const uint64_t *c);
  const char *about;
  int keep; // the one with the least leaves first
} columns[] = {
    {"instr", 6, instructions, "instructions executed by warps", 12},
    {"lanes", 6, sl__lanes, "threads of 32 that take part, on average", 2},
    {"fadds", 6, fadds, "float additions, by threads", 11},
    {"iadds", 6, iadds, "integer additions, by threads", 4},
    {"barr", 5, barriers, "barriers passed by blocks", 6},
    {"wavef", 6, sl__wavefronts, "passes through shared memory", 7},
    {"replay", 7, sl__replays, "of these, repeated because of bank conflicts", 10},
    {"way", 4, sl__way, "worst conflict: words in one bank", 8},
    {"sector", 7, sl__sectors, "32-byte sectors of global memory", 9},
    {"excess", 7, sl__excess, "of these, more than the bytes need", 5},
    {"atom", 6, atomics, "atomic instructions", 6},
    {"same", 5, sl__same, "most threads of a warp at one address", 3},
    {"split", 6, split, "branches that split a warp", 1},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

enum { BESIDE = 7 }; // the number of a line with its blanks

static bool shown[COLUMNS], without_room[COLUMNS];

static int margin(void) {
  int w = 0;
  for (size_t k = 0; k < COLUMNS; k++) w += shown[k] ? columns[k].width : 0;
  return w;
}

// Columns of source that a terminal of [width] shows at least.
static int least_source(int width) {
  enum { LEAST = 18, MOST = 44 };
  const int part = width * 2 / 5;
  return part < LEAST ? LEAST : part < MOST ? part : MOST;
}

// The shown column of the least use, of two at least; COLUMNS if only one is left.
static size_t least_useful(void) {
  size_t least = COLUMNS, n = 0;
  for (size_t k = 0; k < COLUMNS; k++) {
    if (!shown[k]) continue;
    n++;
    if (least == COLUMNS || columns[k].keep < columns[least].keep) least = k;
  }
  return n > 1 ? least : COLUMNS;
}

static void make_room(void) {
  memset(without_room, 0, sizeof without_room);
  while (sl__width() - margin() - BESIDE < least_source(sl__width())) {
    const size_t k = least_useful();
    if (k == COLUMNS) return;
    shown[k] = false, without_room[k] = true;
  }
}

static void choose_columns(const sl_sum *s) {
  for (size_t k = 0; k < COLUMNS; k++) {
    shown[k] = false;
    for (size_t l = 0; l < s->n_lines; l++) shown[k] |= columns[k].of(s->lines[l].c) != 0;
  }
  if (s->total[SL_LN_adds_float]) shown[3] = false; // integer additions are then index arithmetic
  make_room();
}

// 12345678 in 7 columns is 12.3M.
static void put_number(uint64_t v, int width) {
  static const char units[] = " kMGTPE";
  double d = (double)v;
  size_t u = 0;
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)v);
  while ((int)strlen(text) >= width && units[u + 1]) {
    d /= 1000, u++;
    snprintf(text, sizeof text, d < 100 ? "%.1f%c" : "%.0f%c", d, units[u]);
  }
  printf("%*s", width, v ? text : ".");
}

static void put_columns(const uint64_t *c) {
  for (size_t k = 0; k < COLUMNS; k++)
    if (shown[k] && c) put_number(columns[k].of(c), columns[k].width);
    else if (shown[k]) printf("%*s", columns[k].width, "");
}

// The source ------------------------------------------------------------------------------------------------

const char *sl__source_line(const char *source, uint32_t line, int *len) {
  const char *at = sl_line_at(source, line);
  *len = (int)strcspn(at, "\r\n");
  return at;
}

static int room_beside(void) {
  const int room = sl__width() - margin() - BESIDE, least = least_source(sl__width());
  return room < least ? least : room;
}

// A character may have several bytes.
static int columns_of(const char *text, int len) {
  int n = 0;
  for (int k = 0; k < len; k++) n += ((unsigned char)text[k] & 0xc0) != 0x80;
  return n;
}

void sl__put_source(const char *text, int len, int room) {
  const bool cut = columns_of(text, len) > room;
  int left = cut ? room - 2 : room;
  for (const char *p = text; p < text + len && (left -= columns_of(p, 1)) >= 0; p++)
    putchar(*p == '\t' ? ' ' : (unsigned char)*p < 32 ? '?' : *p);
  puts(cut ? ".." : "");
}

static const sl_sum_line *find_sum_line(const sl_sum *s, uint32_t line) {
  for (size_t k = 0; k < s->n_lines; k++)
    if (s->lines[k].line == line) return &s->lines[k];
  return NULL;
}

static void put_table_head(void) {
  for (size_t k = 0; k < COLUMNS; k++)
    if (shown[k]) printf("%*s", columns[k].width, columns[k].head);
  printf(" line\n");
}

static void show_source(const sl_observed *o, const sl_sum *s) {
  enum { AROUND = 2 };
  uint32_t last = s->lines[s->n_lines - 1].line, next = 0;
  put_table_head();
  for (size_t k = 0; k < s->n_lines; k++) {
    uint32_t from = s->lines[k].line > AROUND ? s->lines[k].line - AROUND : 1, to = s->lines[k].line + AROUND;
    if (!s->lines[k].line) continue;
    if (next && from > next + 1) printf("%*s %4s\n", margin(), "", "..");
    if (next && from <= next + 1) from = next;
    for (uint32_t l = from; l <= to && l <= last + AROUND; l++, next = l) {
      const sl_sum_line *x = find_sum_line(s, l);
      if (k + 1 < s->n_lines && l >= s->lines[k + 1].line) break;
      put_columns(x ? x->c : NULL);
      printf(" %4u  ", l);
      int len;
      const char *text = sl__source_line(o->source, l, &len);
      sl__put_source(text, len, room_beside());
    }
  }
  const sl_sum_line *other = find_sum_line(s, 0);
  if (other) put_columns(other->c), printf("   in other files\n");
}

static void show_legend(void) {
  int at = printf("\ncolumns:") - 1;
  for (size_t k = 0; k < COLUMNS; k++) {
    char text[96];
    if (!shown[k]) continue;
    int n = snprintf(text, sizeof text, " %s = %s;", columns[k].head, columns[k].about);
    if (at + n > sl__width()) printf("\n        "), at = 8;
    at += n;
    fputs(text, stdout);
  }
  printf("\n");
}

static void show_left_out(void) {
  char heads[96] = "";
  for (size_t k = 0; k < COLUMNS; k++)
    if (without_room[k]) sl_append(heads, sizeof heads, ", ", "%s", columns[k].head);
  if (!*heads) return;
  char text[192];
  int all = margin() + BESIDE, width = sl__width();
  for (size_t k = 0; k < COLUMNS; k++) all += without_room[k] ? columns[k].width : 0;
  while (width - all < least_source(width)) width++;
  snprintf(text, sizeof text, "%s, in a terminal of %d columns", heads, width);
  sl__wrap(stdout, "further: ", "        ", text);
}

void sl__annotate(const sl_observed *o, const sl_sum *s) {
  choose_columns(s);
  show_source(o, s);
  show_legend();
  show_left_out();
}
