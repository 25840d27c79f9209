// corpus_check SL-SIM PROGRAM wrong|twin FILE.cu..: wrong kernels of the corpus, simulated with all checks.
//
// wrong: what FILE expects of each of its mistakes (expectation.h) must be found, no finding of another kind,
// and the exit status must be the one expected. twin: no finding at all, no counter above its bound, and the
// right result. Every mistake that is not as it should be is named, with what was found.
//
// corpus_check --clean SL-SIM PROGRAM [OPTION ..]: the same for a program that is right, run without
// arguments. corpus_check --list SL-SIM PROGRAM wrong|twin FILE.cu..: prints a line of JSON for each mistake,
// {"lab", "name", "variant", "expect", "found", "output"}, for the table of docs/results.
#include <ctype.h>
#include <unistd.h>
#include "expectation.h"
#include "base/json.h"

enum { MAX_PLACES = 16, MAX_OPTIONS = 12, LIMIT = 240 };

// A line where something must be found.
typedef struct marked_line {
  int line;
  int trip; // trip through the loop; 0: any
  bool found;
} marked_line;

// One item of an expectation.
typedef struct wanted {
  char kind[32];
  long long above; // the counter must exceed this; -1: it is a finding
  bool each, only;
  marked_line at[MAX_PLACES];
  int n_places; // 0: anywhere
} wanted;

typedef struct case_file {
  const char *path;
  char name[64]; // of the mistake; of the file, without folder and .cu, if it has one
  sl_expectation x;
  wanted want[SL_MAX_ITEMS];
  bool of_a_lab;
} case_file;

typedef struct outcome {
  json_t *findings, *kernels;
  sl_exit_status how;
  char *said;
} outcome;

// Reading ---------------------------------------------------------------------------------------------------

// The lines that end with the comment "// WORD", "// WORD: ..", or "// WORD, trip N".
static bool find_marks(const char *text, const char *word, wanted *w) {
  char mark[40], trip[40];
  snprintf(mark, sizeof mark, "// %s", word);
  snprintf(trip, sizeof trip, "// %s, trip %%d", word);
  int line = 1;
  for (const char *p = text, *end; *p; p = end + (*end == '\n'), line++) {
    end = strchrnul(p, '\n');
    const char *at = memmem(p, (size_t)(end - p), mark, strlen(mark));
    if (!at) continue;
    if (w->n_places == MAX_PLACES) return false;
    marked_line *found = &w->at[w->n_places++];
    found->line = line;
    sscanf(at, trip, &found->trip);
  }
  return w->n_places > 0;
}

// "at [each|only] PLACE"
static bool read_place(const char *at, const char *text, wanted *w) {
  char word[24] = "", rest[2];
  w->each = sscanf(at, "at each %23s", word) == 1;
  w->only = !w->each && sscanf(at, "at only %23s", word) == 1;
  if (!w->each && !w->only && sscanf(at, "at %23s", word) != 1) return false;
  if (sscanf(word, "%d%1s", &w->at[0].line, rest) == 1) return w->n_places = 1, true;
  return find_marks(text, word, w);
}

static bool read_item(const char *item, const char *text, wanted *w) {
  int used = 0;
  w->above = -1;
  if (sscanf(item, "%31s%n", w->kind, &used) != 1) return false;
  int more = 0;
  if (sscanf(item + used, " above %lld%n", &w->above, &more) == 1) used += more;
  const char *at = strstr(item + used, "at ");
  return at ? read_place(at, text, w) : item[used] == 0;
}

// [name]: of the mistake; NULL if the file has one.
static bool read_case(const char *path, const char *name, case_file *c) {
  sl_error e = {0};
  const char *own = name ? name : sl_base_name(path);
  *c = (case_file){.path = path};
  snprintf(c->name, sizeof c->name, "%.*s", (int)strcspn(own, "."), own);
  if (!sl_expectation_read(path, name, &c->x, &e)) return sl_error_print("corpus_check", &e), false;
  c->of_a_lab = strstr(c->x.text, "static const task TASK") != NULL;
  for (size_t k = 0; k < c->x.n; k++)
    if (!read_item(c->x.item[k], c->x.text, &c->want[k]))
      return printf("%s: %s: not an expectation: %s\n", path, c->name, c->x.item[k]), false;
  return true;
}

// Running ---------------------------------------------------------------------------------------------------

// Runs [program] with the arguments [variant] and [name] (or none), sl-sim with [options] (ended by NULL).
// The report is this process's own: tests that run at the same time may check the same mistake.
static outcome run_program(char *sim, char **options, char *program, char *variant, char *name) {
  SL_FREED char *report = sl_path("%s.%d.json", program, (int)getpid());
  const int slot = sl_remove_on_signal(report);
  char *argv[MAX_OPTIONS + 12] = {sim, "--checks", "all", "--report", report, "--lines"};
  char *rest[] = {"--", program, variant, name, NULL};
  int n = 6;
  while (*options && n < MAX_OPTIONS + 6) argv[n++] = *options++;
  memcpy(argv + n, rest, sizeof rest);
  outcome o = {0};
  sl_error e = {0};
  o.how = sl_run_by_work(argv, NULL, LIMIT, 1 << 16, &o.said, &e);
  json_auto_t *root = json_load_file(report, 0, NULL);
  o.findings = json_incref(json_object_get(root, "findings"));
  json_array_extend(o.findings, json_object_get(root, "notes"));
  o.kernels = json_incref(json_object_get(root, "kernels"));
  remove(report);
  sl_keep_on_signal(slot);
  return o;
}

static outcome run_case(char *sim, char *program, char *variant, case_file *c) {
  SL_FREED char *with = sl_path("%s", c->x.with);
  char *options[MAX_OPTIONS + 1] = {0}, *save = NULL;
  int n = 0;
  for (char *p = strtok_r(with, " ", &save); p && n < MAX_OPTIONS; p = strtok_r(NULL, " ", &save))
    options[n++] = p;
  return run_program(sim, options, program, variant, c->name);
}

static void forget(outcome *o) {
  json_decref(o->findings), json_decref(o->kernels);
  free(o->said);
}

// Looking ---------------------------------------------------------------------------------------------------

// Reports name files from the working folder on, if they lie below it.
static bool same_file(const char *whole, const char *told) {
  size_t n = strlen(whole), k = strlen(told);
  return k > 0 && k <= n && strcmp(whole + n - k, told) == 0 && (k == n || whole[n - k - 1] == '/');
}

static bool at_line(json_t *place, const char *file, int line) {
  const char *f = json_string_value(json_object_get(place, "file"));
  return f && same_file(file, f) && json_integer_value(json_object_get(place, "line")) == line;
}

static json_int_t total(const outcome *o, const char *counter) {
  size_t i;
  json_int_t sum = 0;
  json_t *k;
  json_array_foreach(o->kernels, i, k) sum += sl_json_int(json_object_get(k, "counters"), counter);
  return sum;
}

// Does no line of any kernel have more of a counter than this one?
static bool worst_line(const outcome *o, const char *file, const char *counter, int line) {
  size_t i, j;
  json_t *k, *l;
  json_int_t here = 0, most = 0;
  json_array_foreach(o->kernels, i, k)
    json_array_foreach(json_object_get(k, "lines"), j, l) {
      json_int_t value = sl_json_int(l, counter);
      if (value > most) most = value;
      if (at_line(l, file, line) && value > here) here = value;
    }
  return here > 0 && here == most;
}

static bool too_many(const outcome *o, const wanted *w) {
  return w->above >= 0 && total(o, w->kind) > w->above;
}

static const char *id_of(json_t *finding) {
  const char *id = json_string_value(json_object_get(finding, "id"));
  return id ? id : "";
}

// Is the place [p] of a finding one of those that are wanted?
static bool marked(json_t *p, const char *file, wanted *w) {
  for (marked_line *at = w->at; at < w->at + w->n_places; at++)
    if (at_line(p, file, at->line) && (!at->trip || sl_json_int(p, "trip") == at->trip))
      return at->found = true;
  return w->n_places == 0;
}

static bool all_found(const wanted *w) {
  for (int k = 0; k < w->n_places; k++)
    if (!w->at[k].found) return printf("nothing at line %d\n", w->at[k].line), false;
  return true;
}

// output.differs is said of the result, not by a finding.
static bool found(const outcome *o, const char *file, wanted *w) {
  size_t i, right = 0;
  json_t *f;
  if (strcmp(w->kind, "output.differs") == 0) return o->how.code != 0;
  json_array_foreach(o->findings, i, f) {
    if (strcmp(id_of(f), w->kind) != 0) continue;
    const bool first = marked(f, file, w), other = marked(json_object_get(f, "other"), file, w);
    if (w->only && !first) return false;
    right += first || other;
  }
  return right > 0 && (!w->each || all_found(w));
}

static bool counted(const outcome *o, const char *file, const wanted *w) {
  return too_many(o, w) && (!w->n_places || worst_line(o, file, w->kind, w->at[0].line));
}

static bool expected(const case_file *c, const char *id) {
  for (size_t k = 0; k < c->x.n; k++)
    if (strcmp(c->want[k].kind, id) == 0) return true;
  return false;
}

static bool is_clean(const outcome *o) {
  return json_is_array(o->findings) && json_array_size(o->findings) == 0 && !o->how.timed_out &&
         o->how.code == 0;
}

static bool twin_is_right(const outcome *o, const case_file *c) {
  for (size_t k = 0; k < c->x.n; k++)
    if (too_many(o, &c->want[k])) return false;
  return is_clean(o);
}

static bool ended_as_it_should(const outcome *o, const case_file *c) {
  return !o->how.timed_out && (c->of_a_lab || o->how.code == atoi(c->x.exits));
}

// Each run of blanks and line ends becomes one blank: lines end where 80 columns do.
static char *on_one_line(const char *text) {
  char *line = sl_path("%s", text), *to = line;
  for (const char *p = line; *p; p++)
    if (!isspace((unsigned char)*p)) *to++ = *p;
    else if (to > line && to[-1] != ' ') *to++ = ' ';
  *to = 0;
  return line;
}

static bool wrong_is_found(const outcome *o, case_file *c) {
  size_t i;
  json_t *f;
  if (!json_is_array(o->findings) || !ended_as_it_should(o, c)) return false;
  json_array_foreach(o->findings, i, f)
    if (!expected(c, id_of(f))) return false;
  for (wanted *w = c->want; w < c->want + c->x.n; w++)
    if (!(w->above >= 0 ? counted(o, c->path, w) : found(o, c->path, w))) return false;
  SL_FREED char *said = on_one_line(o->said ? o->said : "");
  return strstr(said, c->x.says) != NULL;
}

// Telling ---------------------------------------------------------------------------------------------------

static const char *output_of(const outcome *o) {
  return o->how.timed_out ? "hangs" : o->how.code == 0 ? "right" : o->how.code == 1 ? "differs" : "error";
}

static void print_outcome(const outcome *o) {
  size_t i;
  json_t *f;
  printf("output: %s, exit status %d; found:\n", output_of(o), o->how.code);
  json_array_foreach(o->findings, i, f)
    printf("  %s at line %d, other line %d\n", id_of(f), (int)sl_json_int(f, "line"),
           (int)sl_json_int(json_object_get(f, "other"), "line"));
  if (json_array_size(o->findings) == 0) printf("  nothing\n");
  printf("%s\n", o->said ? o->said : "");
}

static void explain(const outcome *o, const case_file *c, bool twin) {
  printf("%s: %s, %s: expected", c->path, c->name, twin ? "corrected" : "wrong");
  for (size_t k = 0; k < c->x.n && !twin; k++) printf(" %s,", c->x.item[k]);
  for (size_t k = 0; k < c->x.n; k++)
    if (c->want[k].above >= 0) printf(" (%s: %lld)", c->want[k].kind, (long long)total(o, c->want[k].kind));
  printf(" %s; ", twin ? "nothing" : "and no other kind");
  print_outcome(o);
}

static void list(const outcome *o, const case_file *c, bool twin, bool right) {
  const char *slash = strrchr(c->path, '/'), *lab = slash;
  while (lab && lab > c->path && lab[-1] != '/') lab--;
  printf("{\"lab\": \"%.2s\", \"name\": \"%s\", \"variant\": \"%s\", \"expect\": \"%s\", \"found\": %d, "
         "\"output\": \"%s\"}\n",
         lab ? lab : "", c->name, twin ? "twin" : "wrong", c->want[0].kind,
         twin ? json_array_size(o->findings) > 0 : right, output_of(o));
}

// One run of this program, and what came of it.
typedef struct check_run {
  char *sim, *program, *variant;
  bool listing;
  int n, failed;
} check_run;

static void check_case(check_run *run, const char *file, const char *name) {
  static case_file c;
  bool right = read_case(file, name, &c);
  if (right) {
    outcome o = run_case(run->sim, run->program, run->variant, &c);
    const bool twin = strcmp(run->variant, "twin") == 0;
    right = twin || c.x.n == 0 ? twin_is_right(&o, &c) : wrong_is_found(&o, &c);
    if (run->listing) list(&o, &c, twin, right);
    else if (!right) explain(&o, &c, twin);
    forget(&o);
  }
  sl_expectation_free(&c.x);
  run->n++, run->failed += !right;
}

// All mistakes that [file] names, or its only one.
static void check_file(check_run *run, const char *file) {
  sl_error e = {0};
  char name[64];
  int before = run->n;
  SL_FREED char *text = sl_read_file(file, 1 << 20, NULL, &e);
  for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
    if (sscanf(p, "// expect %63[a-z0-9_]:", name) == 1) check_case(run, file, name);
  if (run->n == before) check_case(run, file, NULL);
}

static int check_clean(int argc, char **argv) {
  if (argc < 2) return SL_EXIT_USAGE;
  outcome o = run_program(argv[0], argv + 2, argv[1], NULL, NULL);
  const bool clean = is_clean(&o);
  print_outcome(&o);
  forget(&o);
  return !clean;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--clean") == 0) return check_clean(argc - 2, argv + 2);
  bool listing = argc > 1 && strcmp(argv[1], "--list") == 0;
  argv += listing, argc -= listing;
  if (argc < 5)
    return fprintf(stderr, "usage: corpus_check [--list] SL-SIM PROGRAM wrong|twin FILE.cu..\n"), 2;
  check_run run = {argv[1], argv[2], argv[3], listing, 0, 0};
  for (int k = 4; k < argc; k++) check_file(&run, argv[k]);
  if (!listing) printf("%d of %d kernels are as they should be\n", run.n - run.failed, run.n);
  return !listing && run.failed > 0;
}
