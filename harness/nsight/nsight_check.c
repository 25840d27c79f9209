// nsight_check [--table] MEASURED.csv DIFFERS.csv SL-SIM BIN: are our counters those of Nsight Compute?
//
// Runs every program of MEASURED (docs/results/ncu.sh made it) from the folder BIN on the simulated GPU and
// compares, launch by launch, what must be equal. DIFFERS names the few values that are not, and why: run,
// launch, counter, reason; a value that is equal after all must not stand there. --table: prints both as
// Markdown, for docs/results/counters.md.
#include <jansson.h>
#include "base/base.h"

enum { MAX_COLUMNS = 40, MAX_ROWS = 1000, LIMIT = 120 };

typedef struct sheet { // a CSV file in memory: lines that do not begin with #
  char *text, *head, *cell[MAX_ROWS][MAX_COLUMNS];
  int rows, columns;
} sheet;

static void cut(sheet *s, char *line) {
  int n = 0;
  for (char *p = line; p && n < MAX_COLUMNS; n++) {
    s->cell[s->rows][n] = p;
    if ((p = strchr(p, ','))) *p++ = '\0';
  }
  if (s->rows++ == 0) s->columns = n;
}

static bool read_sheet(sheet *s, const char *file, sl_error *e) {
  char *save = NULL;
  *s = (sheet){.text = sl_read_file(file, 1 << 20, NULL, e)};
  if (!s->text) return false;
  for (char *l = strtok_r(s->text, "\n", &save); l && s->rows < MAX_ROWS; l = strtok_r(NULL, "\n", &save))
    if (*l == '#') s->head = l + 2;
    else cut(s, l);
  return true;
}

static long long measured(const sheet *m, int row, const char *name) {
  for (int k = 0; k < m->columns; k++)
    if (strcmp(m->cell[0][k], name) == 0 && m->cell[row][k]) return atoll(m->cell[row][k]);
  return -1;
}

// What is compared ------------------------------------------------------------------------------------------

// Wavefronts are measured twice. The data pipe's counter holds other accesses' passes, too, the count by
// instructions holds too many where lanes share wide words; neither is too small, so the smaller is right.
static long long smaller(const sheet *m, int row, const char *pipe, const char *by_instruction) {
  long long a = measured(m, row, pipe), b = measured(m, row, by_instruction);
  return a < b ? a : b;
}
static long long ld_wavefronts(const sheet *m, int row) {
  return smaller(m, row, "shared_ld_wavefronts", "shared_ld_wavefronts_sass");
}
static long long st_wavefronts(const sheet *m, int row) {
  return smaller(m, row, "shared_st_wavefronts", "shared_st_wavefronts_sass");
}
// The same passes are in the conflicts.
static long long ld_replays(const sheet *m, int row) {
  return measured(m, row, "shared_ld_conflicts") - measured(m, row, "shared_ld_wavefronts") +
         ld_wavefronts(m, row);
}
static long long st_replays(const sheet *m, int row) {
  return measured(m, row, "shared_st_conflicts") - measured(m, row, "shared_st_wavefronts") +
         st_wavefronts(m, row);
}
static long long atomics(const sheet *m, int row) {
  return measured(m, row, "shared_atomics") + measured(m, row, "global_reds") +
         measured(m, row, "global_atoms");
}
static long long atomic_sectors(const sheet *m, int row) {
  return measured(m, row, "global_red_sectors") + measured(m, row, "global_atom_sectors");
}

static const struct counter {
  const char *name, *head;
  long long (*measured)(const sheet *m, int row); // NULL: the column of that name
  bool equal;                                     // must be
} counters[] = {
    {"adds_float", "float adds", NULL, true},
    {"shared_ld_replays", "replays, loads", ld_replays, true},
    {"shared_st_replays", "stores", st_replays, true},
    {"shared_ld_wavefronts", "wavefronts, loads", ld_wavefronts, true},
    {"shared_st_wavefronts", "stores", st_wavefronts, true},
    {"atomic_wavefronts", "atomics", NULL, true},
    {"global_ld_sectors", "sectors, loads", NULL, true},
    {"global_st_sectors", "stores", NULL, true},
    {"atomic_sectors", "atomics", atomic_sectors, true},
    {"atomics", "atomics", atomics, true},
    {"warp_instructions", "instructions", NULL, false},
    {"thread_instructions", "of threads", NULL, false},
    {"memory", "of memory, threads", NULL, false},
    {"branches", "branches", NULL, false},
    {"divergent", "that part", NULL, false},
};
enum { COUNTERS = sizeof counters / sizeof *counters };

static long long theirs(const sheet *m, int row, const struct counter *c) {
  bool renamed = strcmp(c->name, "atomic_wavefronts") == 0;
  return c->measured ? c->measured(m, row) : measured(m, row, renamed ? "shared_atomic_wavefronts" : c->name);
}

// The counter summed over all lines of a launch; the launch's own, where lines have no such counter.
static long long ours(json_t *launch, const char *name) {
  size_t i;
  json_t *line, *lines = json_object_get(launch, "lines");
  long long sum = 0;
  json_array_foreach(lines, i, line) sum += json_integer_value(json_object_get(line, name));
  return sum;
}

static const char *reason(const sheet *d, const char *run, const char *launch, const char *counter) {
  for (int k = 1; k < d->rows; k++)
    if (strcmp(d->cell[k][0], run) == 0 && strcmp(d->cell[k][1], launch) == 0 &&
        strcmp(d->cell[k][2], counter) == 0)
      return d->cell[k][3];
  return NULL;
}

// Runs ------------------------------------------------------------------------------------------------------

static json_t *launches_of(char *sim, const char *bin, const char *run, sl_error *e) {
  SL_FREED char *words = strdup(run), *report = sl_path("%s/nsight.%d.json", bin, rand()), *said = NULL;
  char *argv[16] = {sim, "--no-checks", "--report", report, "--lines", "--"}, *save = NULL;
  int n = 6;
  for (char *p = strtok_r(words, " ", &save); p && n < 15; p = strtok_r(NULL, " ", &save)) argv[n++] = p;
  SL_FREED char *program = sl_path("%s/%s", bin, argv[6]);
  argv[6] = program;
  sl_run_by_work(argv, NULL, LIMIT, 1 << 16, &said, e);
  json_t *root = json_load_file(report, 0, NULL), *kernels = json_incref(json_object_get(root, "kernels"));
  if (!json_is_array(kernels)) printf("%s: no report; it said: %s\n", run, said ? said : "nothing");
  remove(report);
  json_decref(root);
  return kernels;
}

typedef struct verdict {
  int launches, values, differ, wrong;
} verdict;

static void put_pair(bool table, long long we, long long they) {
  if (!table) return;
  if (we == they) printf(" %lld |", we);
  else printf(" %lld / %lld |", we, they);
}

static void compare_launch(const sheet *m, const sheet *d, int row, json_t *launch, bool table, verdict *v) {
  char *const *cell = m->cell[row];
  if (table) printf("| %s |", cell[2]);
  for (const struct counter *c = counters; c < counters + COUNTERS; c++) {
    long long we = ours(launch, c->name), they = theirs(m, row, c);
    const char *why = reason(d, cell[0], cell[1], c->name);
    put_pair(table, we, they);
    if (!c->equal) continue;
    bool wrong = we != they && !why;
    v->values++, v->differ += we != they, v->wrong += wrong;
    if (wrong)
      fprintf(stderr, "%s, launch %s, %s: %s: %lld here, %lld measured\n", cell[0], cell[1], cell[2], c->name,
              we, they);
  }
  if (table) printf("\n");
  v->launches++;
}

static void head(void) {
  printf("| kernel |");
  for (int k = 0; k < COUNTERS; k++) printf(" %s |", counters[k].head);
  printf("\n|---|");
  for (int k = 0; k < COUNTERS; k++) printf("---|");
  printf("\n");
}

static bool compare_all(const sheet *m, const sheet *d, char *sim, const char *bin, bool table, verdict *v) {
  json_t *launches = NULL;
  sl_error e = {0};
  for (int row = 1; row < m->rows; row++) {
    if (row == 1 || strcmp(m->cell[row][0], m->cell[row - 1][0]) != 0) {
      json_decref(launches);
      launches = launches_of(sim, bin, m->cell[row][0], &e);
      if (table) printf("\n`%s`\n\n", m->cell[row][0]), head();
    }
    json_t *launch = json_array_get(launches, (size_t)atoi(m->cell[row][1]));
    if (!launch)
      return fprintf(stderr, "%s: launch %s is missing\n", m->cell[row][0], m->cell[row][1]), false;
    compare_launch(m, d, row, launch, table, v);
  }
  json_decref(launches);
  return true;
}

static void reasons(const sheet *d) {
  printf("\n## Values that differ\n\n| program | launch | counter | why |\n|---|---|---|---|\n");
  for (int k = 1; k < d->rows; k++)
    printf("| %s | %s | %s | %s |\n", d->cell[k][0], d->cell[k][1], d->cell[k][2], d->cell[k][3]);
}

int main(int argc, char **argv) {
  static sheet m, d;
  bool table = argc > 1 && strcmp(argv[1], "--table") == 0;
  sl_error e = {0};
  verdict v = {0};
  argc -= table, argv += table;
  if (argc != 5)
    return fprintf(stderr, "usage: nsight_check [--table] MEASURED.csv DIFFERS.csv SL-SIM BIN\n"), 2;
  if (!read_sheet(&m, argv[1], &e) || !read_sheet(&d, argv[2], &e)) return fprintf(stderr, "%s\n", e.text), 2;
  if (table)
    printf("# Counters here and on a GPU\n\nMeasured: %s. Made by `docs/results/ncu.sh table`.\n"
           "Each row is a launch; one number: both are equal; two: here / measured. From `instructions` on "
           "they are those of\n"
           "PTX here and of machine code there, and need not be equal "
           "([why](../internals/counters.md#what-has-no-counterpart)).\n",
           m.head);
  if (!compare_all(&m, &d, argv[3], argv[4], table, &v)) return 1;
  if (table) reasons(&d);
  fprintf(table ? stdout : stderr,
          "\n%d launches, %d values that must be equal: %d are, %d differ for a known reason.\n", v.launches,
          v.values, v.values - v.differ, v.differ - v.wrong);
  free(m.text), free(d.text);
  return v.wrong ? 1 : 0;
}
