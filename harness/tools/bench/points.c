// Measured points, and the CSV file, plots and tables that show them.
//
// Interface: measure.h. A point is one value of one line (a version of a program) at one size.
#include "tools/bench/measure.h"

void sl__point_add(sl_points *p, const sl_point *point) {
  if (!SL_ROOM(p->at, p->n)) abort();
  p->at[p->n++] = *point;
}

static bool same_line(const sl_point *a, const sl_point *b) {
  return !strcmp(a->family, b->family) && !strcmp(a->name, b->name);
}

const sl_point *sl__point_find(const sl_points *p, const char *family, const char *name, uint64_t n) {
  for (size_t k = 0; k < p->n; k++)
    if (p->at[k].n == n && !strcmp(p->at[k].family, family) && !strcmp(p->at[k].name, name)) return &p->at[k];
  return NULL;
}

// Is it the first point of its line? Lines are in the order of their first points.
static bool first_of_line(const sl_points *p, size_t k) {
  for (size_t i = 0; i < k; i++)
    if (same_line(&p->at[i], &p->at[k])) return false;
  return true;
}

// Files -----------------------------------------------------------------------------------------------------

// The time of a copy of as many bytes: measured with the point, or taken from the line "copy". A sort has no
// such line and takes that of the scans.
static double copy_ms(const sl_points *p, const sl_point *x) {
  const sl_point *copy = sl__point_find(p, x->family, "copy", x->n);
  if (!copy) copy = sl__point_find(p, "scan", "copy", x->n);
  if (x->copy_ms > 0) return x->copy_ms;
  return copy && sl__elements_bytes(copy->elements) == sl__elements_bytes(x->elements) ? copy->ms : 0;
}

// The rate at which every element was read once and written once.
static double gb_per_s(const sl_points *, const sl_point *x) {
  return 2e-6 * (double)sl__elements_bytes(x->elements) * (double)x->n / x->ms;
}

// The share of a copy's rate; 0: not known.
static double of_copy_rate(const sl_points *p, const sl_point *x) { return copy_ms(p, x) / x->ms; }

bool sl__points_csv(const sl_points *p, const char *folder, const char *unit, sl_error *e) {
  SL_FREED char *path = sl_path("%s/bench.csv", folder);
  sl_out *o = sl_open_atomic(path, e);
  bool ok = o && sl_printf(o, e, "what,line,elements,n,%s,least,greatest,GB_per_s,of_copy_rate\n", unit);
  for (size_t k = 0; k < p->n && ok; k++) {
    const sl_point *x = &p->at[k];
    char of_copy[24] = "";
    if (of_copy_rate(p, x) > 0) snprintf(of_copy, sizeof of_copy, "%.4f", of_copy_rate(p, x));
    ok = sl_printf(o, e, "%s,%s,%s,%llu,%.6f,%.6f,%.6f,%.3f,%s\n", x->family, x->name, x->elements,
                   (unsigned long long)x->n, x->ms, x->lo, x->hi, gb_per_s(p, x), of_copy);
  }
  return sl_finish(o, ok, e);
}

// A plot has room for eight lines. Steps to another line, and lines of one size, are left to the table.
enum { MOST_LINES = 8 };
static bool is_drawn(const sl_points *p, size_t k) {
  static const char *const steps[] = {"pipeline", "windows", "thrust", "chained", "05a_",
                                      "05b_",     "05c_",    "05d_",   "05e_"};
  for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
    if (!strncmp(p->at[k].name, steps[s], strlen(steps[s]))) return false;
  for (size_t i = k + 1; i < p->n; i++)
    if (same_line(&p->at[i], &p->at[k])) return true;
  return false;
}

// One data block a line, for gnuplot's `index`.
static bool write_blocks(const sl_points *p, const char *family, sl_out *o, unsigned *lines, sl_error *e) {
  bool ok = true;
  for (size_t k = 0; k < p->n && ok && *lines < MOST_LINES; k++) {
    if (strcmp(p->at[k].family, family) || !first_of_line(p, k) || !is_drawn(p, k)) continue;
    ok = sl_printf(o, e, "%s\"%s\"\n", *lines ? "\n\n" : "", p->at[k].name);
    for (size_t i = k; i < p->n && ok; i++)
      if (same_line(&p->at[i], &p->at[k]))
        ok = sl_printf(o, e, "%llu %.9g\n", (unsigned long long)p->at[i].n, p->at[i].ms);
    ++*lines;
  }
  return ok;
}

// Eight colours that can be told apart, on paper too.
static const char colours[] =
    "set linetype 1 lc rgb '#4477aa'\nset linetype 2 lc rgb '#ee6677'\nset linetype 3 lc rgb '#228833'\n"
    "set linetype 4 lc rgb '#b8860b'\nset linetype 5 lc rgb '#2e9fbf'\nset linetype 6 lc rgb '#aa3377'\n"
    "set linetype 7 lc rgb '#e67e00'\nset linetype 8 lc rgb '#444444'\n";

// The script stays beside the data, to draw the plot again in another way.
static char *write_script(const char *family, const char *folder, unsigned lines, const char *ylabel,
                          sl_error *e) {
  char *path = sl_path("%s/%s.gp", folder, family);
  SL_FREED char *text = sl_path(
      "set terminal svg size 960,560 font 'sans-serif,14' background 'white'\n"
      "set output '%s/%s.svg'\nset logscale x 2\nset logscale y\nset format x '2^{%%L}'\n"
      "set format y '10^{%%L}'\nset key outside right maxcols 1 Left reverse samplen 2.5 font ',12' "
      "noenhanced\nset grid lc rgb '#dddddd'\nset border 3\n"
      "set xtics nomirror\nset ytics nomirror\nset xlabel 'elements'\nset ylabel '%s'\nset title 'one %s'\n%s"
      "stats '%s/%s.dat' using 1 nooutput\nset xrange [STATS_min/1.5:STATS_max*1.5]\n" // no point on an axis
      "plot for [i=0:%u] '%s/%s.dat' index i using 1:2 with linespoints lc i+1 pt 7 ps 0.6 lw 2 "
      "title columnheader(1)\n",
      folder, family, ylabel, family, colours, folder, family, lines - 1, folder, family);
  bool ok = sl_write_file(path, text, strlen(text), e);
  if (ok) return path;
  free(path);
  return NULL;
}

static bool draw_family(const char *family, const char *folder, unsigned lines, const char *ylabel,
                        sl_error *e) {
  SL_FREED char *said = NULL, *script = write_script(family, folder, lines, ylabel, e);
  if (!script) return false;
  sl_exit_status s = sl_run_by_work(SL_ARGV("gnuplot", script), NULL, 60, 4096, &said, e);
  if (e->code) snprintf(e->hint, sizeof e->hint, "install gnuplot (Debian: gnuplot-nox): it draws this");
  bool ok = s.code == 0 ||
            sl_fail(e, SL_EXIT_INFRA, NULL, "gnuplot could not draw %s: %.200s", script, said ? said : "");
  if (ok) printf("%s/%s.svg\n", folder, family);
  return ok;
}

bool sl__points_plot(const sl_points *p, const char *folder, const char *ylabel, sl_error *e) {
  static const char *const families[] = {"scan", "sort"};
  bool ok = true;
  for (int f = 0; f < 2 && ok; f++) {
    unsigned lines = 0;
    SL_FREED char *data = sl_path("%s/%s.dat", folder, families[f]);
    sl_out *o = sl_open_atomic(data, e);
    ok = o && write_blocks(p, families[f], o, &lines, e);
    ok = sl_finish(o, ok, e);
    ok = ok && (!lines || draw_family(families[f], folder, lines, ylabel, e));
  }
  return ok;
}

// Tables ----------------------------------------------------------------------------------------------------

static bool has_size(const sl_points *p, const char *family, uint64_t n) {
  for (size_t k = 0; k < p->n; k++)
    if (p->at[k].n == n && !strcmp(p->at[k].family, family)) return true;
  return false;
}

// A value that a table shows for a point; 0: shows nothing.
typedef struct column {
  const char *unit;
  double (*value)(const sl_points *p, const sl_point *x);
  int decimals;
} column;

static double milliseconds(const sl_points *, const sl_point *x) { return x->ms; }

static bool has_value(const sl_points *p, const char *family, const column *c) {
  for (size_t k = 0; k < p->n; k++)
    if (!strcmp(p->at[k].family, family) && c->value(p, &p->at[k]) > 0) return true;
  return false;
}

enum { SIZES = 4, NO_SIZE = 64 }; // sizes in a table: what 80 columns hold

// The logarithm of a family's size number [nth], or NO_SIZE.
static unsigned size_of(const sl_points *p, const char *family, unsigned nth) {
  for (unsigned log = 0; log < NO_SIZE; log++)
    if (has_size(p, family, 1ull << log) && nth-- == 0) return log;
  return NO_SIZE;
}

static void print_heading(const sl_points *p, const char *family, const column *c, unsigned from) {
  sl_heading(stdout);
  printf("%s, %-24s", family, c->unit);
  for (unsigned k = from, log; k < from + SIZES && (log = size_of(p, family, k)) != NO_SIZE; k++)
    printf(" %8s%2u", "2^", log);
  printf("\n");
}

static void print_row(const sl_points *p, const char *family, const char *name, const column *c,
                      unsigned from) {
  printf("  %-28s", name);
  for (unsigned k = from, log; k < from + SIZES && (log = size_of(p, family, k)) != NO_SIZE; k++) {
    const sl_point *x = sl__point_find(p, family, name, 1ull << log);
    double value = x ? c->value(p, x) : 0;
    if (value > 0) printf(" %10.*f", c->decimals, value);
    else printf(" %10s", "-");
  }
  printf("\n");
}

static void print_family(const sl_points *p, const char *family, const column *c) {
  for (unsigned from = 0; size_of(p, family, from) != NO_SIZE; from += SIZES) {
    print_heading(p, family, c, from);
    for (size_t first = 0; first < p->n; first++)
      if (!strcmp(p->at[first].family, family) && first_of_line(p, first))
        print_row(p, family, p->at[first].name, c, from);
  }
}

void sl__points_print(const sl_points *p, const char *unit, bool rates) {
  static const char *const families[] = {"scan", "sort"};
  const column columns[] = {{unit, milliseconds, 4},
                            {"GB/s, in and out once", gb_per_s, 1},
                            {"share of a copy's rate", of_copy_rate, 3}};
  for (int c = 0; c < (rates ? 3 : 1); c++)
    for (int f = 0; f < 2; f++)
      if (has_value(p, families[f], &columns[c])) print_family(p, families[f], &columns[c]);
}

void sl__points_print_harris(const sl_points *p, const char *unit) {
  printf("\nas in Harris (2007): the sequential scan on the CPU against lab 05 on the GPU,\n%s\n", unit);
  sl_heading(stdout);
  printf("%12s %14s %14s %9s\n", "# elements", "CPU scan", "GPU scan", "Speedup");
  for (unsigned log = 0; log < 40; log++) {
    const sl_point *cpu = sl__point_find(p, "scan", "CPU one core", 1ull << log);
    const sl_point *gpu = sl__point_find(p, "scan", "05 arbitrary size", 1ull << log);
    if (cpu && gpu) printf("%12llu %14.6f %14.6f %9.2f\n", 1ull << log, cpu->ms, gpu->ms, cpu->ms / gpu->ms);
  }
}
