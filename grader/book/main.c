// sl-book: `scanlab gradebook`. The gradebook of a term, one row of the table a command.
#include "book.h"

typedef struct options {
  const char *book, *policy, *lab, *from, *to, *reason, *who, *student, *column, *match, *handed_in;
  bool withdraw, scale, force;
} options;

typedef struct call { // a command with its open book
  sl_book *b;
  options *o;
  char **operands;
  int n;
  sl_error *e;
  bool told; // what the policy says of unknown people
} call;

// Commands --------------------------------------------------------------------------------------------------

// Returns an exit code; an error is in c->e.
static int run_import(call *c) {
  sl_import_sum all = {0};
  for (int k = 0; k < c->n; k++)
    if (!sl__import(c->b, c->operands[k], c->o->handed_in, &all, c->e)) return SL_EXIT_INFRA;
  printf("%s: %lld student%s: %lld new attempt%s, %lld new grading%s, %lld known\n", c->b->path,
         (long long)all.students, sl_plural(all.students), (long long)all.attempts, sl_plural(all.attempts),
         (long long)all.gradings, sl_plural(all.gradings), (long long)all.known);
  return all.problems ? SL_EXIT_FAILED : SL_EXIT_OK;
}

static bool load_term(call *c, const char *student, sl_term *t) {
  sl_policy p;
  if (!sl__policy_read(c->b, c->o->policy, &p, c->e)) return false;
  sl__policy_name_people(c->b, &p, !c->told);
  c->told = true;
  return (!student || (student = sl__find_student(c->b, student, c->e))) &&
         sl__term(c->b, &p, student, t, c->e);
}

static int run_show(call *c) {
  sl_term t;
  if (!load_term(c, c->n ? c->operands[0] : NULL, &t)) return SL_EXIT_INFRA;
  if (c->n) sl__show_student(c->b, &t, &t.students[0], stdout);
  else sl__show(c->b, &t, stdout);
  return SL_EXIT_OK;
}

// The lab of --lab; NULL: all. False: there is none of that name.
static bool chosen_lab(call *c, const char **lab) {
  *lab = c->o->lab ? sl__find_lab(c->b, c->o->lab, c->e) : NULL;
  return !c->e->code;
}

static int run_history(call *c) {
  const char *lab, *student = sl__find_student(c->b, c->operands[0], c->e);
  if (!student || !chosen_lab(c, &lab)) return SL_EXIT_INFRA;
  return sl__history(c->b, student, lab, stdout, c->e) ? SL_EXIT_OK : SL_EXIT_INFRA;
}

static int run_diff(call *c) {
  sl_compared what = {.from = c->n > 1 ? c->operands[0] : NULL, .to = c->n ? c->operands[c->n - 1] : NULL};
  if (!chosen_lab(c, &what.lab) ||
      (c->o->student && !(what.student = sl__find_student(c->b, c->o->student, c->e))))
    return SL_EXIT_INFRA;
  return sl__diff(c->b, &what, stdout, c->e) ? SL_EXIT_OK : SL_EXIT_INFRA;
}

// The final score of the student's lab; NULL: the book has no such lab.
static const sl_final *final_of(const sl_term *t, const char *lab) {
  for (size_t k = 0; k < t->n_labs; k++)
    if (!strcmp(t->labs[k], lab)) return &t->students[0].labs[k];
  return NULL;
}

static int run_override(call *c) {
  sl_term t;
  double points = 0;
  const char *student = c->operands[0], *lab = sl__find_lab(c->b, c->operands[1], c->e);
  if (!lab || !load_term(c, student, &t)) return SL_EXIT_INFRA;
  const sl_final *f = final_of(&t, lab);
  if (!f)
    return sl_fail(c->e, SL_EXIT_INPUT, "import a class that was graded for it",
                   "%s: nobody has handed in %s", c->b->path, lab),
           SL_EXIT_INPUT;
  if (c->o->withdraw == (c->n == 3))
    return sl_fail(c->e, SL_EXIT_USAGE,
                   "as: override anna 03 90 --reason .., or override anna 03 --withdraw --reason ..",
                   "an override is either POINTS or --withdraw"),
           SL_EXIT_USAGE;
  if (c->o->withdraw && !f->override_reason)
    return sl_fail(c->e, SL_EXIT_INPUT, NULL, "%s has no override of %s that could be withdrawn",
                   t.students[0].id, lab),
           SL_EXIT_INPUT;
  if (!c->o->withdraw && !sl__read_points(c->operands[2], f->max, &points, c->e)) return SL_EXIT_USAGE;
  sl_override o = {t.students[0].id, lab, c->o->withdraw ? NULL : &points, c->o->reason, c->o->who};
  if (!sl__override(c->b, &o, c->e) || !load_term(c, student, &t)) return SL_EXIT_INFRA;
  sl__show_student(c->b, &t, &t.students[0], stdout);
  return SL_EXIT_OK;
}

static int run_stats(call *c) {
  sl_term t;
  return load_term(c, NULL, &t) && sl__stats(c->b, &t, stdout, c->e) ? SL_EXIT_OK : SL_EXIT_INFRA;
}

// Canvas or Moodle: their file with one column filled.
static int run_fill(call *c, const sl_term *t) {
  const options *o = c->o;
  int64_t left = 0;
  sl_fill fill = {.system = c->operands[0],
                  .from = o->from,
                  .to = o->to,
                  .column = o->column,
                  .match = o->match,
                  .scale = o->scale};
  if (!o->from)
    return sl_fail(c->e, SL_EXIT_USAGE, "export it there, and name it with --from",
                   "%s needs the gradebook file that it exported", fill.system),
           SL_EXIT_USAGE;
  if (!chosen_lab(c, &fill.lab) || !sl__may_write(o->to, o->force, c->e) ||
      !sl__fill(c->b, t, &fill, &left, c->e))
    return SL_EXIT_INFRA;
  return left ? SL_EXIT_FAILED : SL_EXIT_OK;
}

static int run_export(call *c) {
  sl_term t;
  const options *o = c->o;
  if (sl_name_find("format", c->operands[0], sl__export_names, SL_EXIT_USAGE, c->e) < 0) return SL_EXIT_USAGE;
  if (!o->to) return sl_fail(c->e, SL_EXIT_USAGE, NULL, "say where it goes with --out"), SL_EXIT_USAGE;
  if (!load_term(c, o->student, &t)) return SL_EXIT_INFRA;
  if (sl__is_same_file(o->to, c->b->path) || sl__is_same_file(o->to, t.policy.path))
    return sl_fail(c->e, SL_EXIT_USAGE, "name another file with --out", "%s: is the gradebook, or its policy",
                   o->to),
           SL_EXIT_USAGE;
  if (sl__is_system(c->operands[0])) return run_fill(c, &t);
  return sl__export_term(c->b, &t, c->operands[0], o->to, o->force, c->e) ? SL_EXIT_OK : SL_EXIT_INFRA;
}

// The table -------------------------------------------------------------------------------------------------

enum {
  POLICY = 1,
  LAB = 2,
  STUDENT = 4,
  REASON = 8,
  MAKE = 16,
  EXPORT = 32,
  IMPORT = 64
}; // which options a command has; MAKE: a missing book is made

static const struct command {
  const char *name;
  int (*run)(call *c);
  int options;
  const char *operands, *about, *example;
} commands[] = {
    {"import", run_import, MAKE | IMPORT, "OUT...",
     "adds what gradings left in OUT; what is known is not added again",
     "./scanlab gradebook import build/grade/class"},
    {"show", run_show, POLICY, "[STUDENT]", "final scores of all, or one student's raw, penalty and final",
     "./scanlab gradebook show anna"},
    {"history", run_history, LAB, "STUDENT", "everything that happened to one student's work",
     "./scanlab gradebook history anna --lab 03"},
    {"diff", run_diff, LAB | STUDENT, "[[FROM] TO]",
     "two graders of the same attempts, every difference, test by test",
     "./scanlab gradebook diff 0.1.0 0.2.0"},
    {"override", run_override, POLICY | REASON, "STUDENT LAB [POINTS]",
     "sets a final score, with the reason and who did it",
     "./scanlab gradebook override anna 03 90 --reason shown --who 'B. Miller'"},
    {"export", run_export, POLICY | LAB | STUDENT | EXPORT, "canvas|moodle|csv|json|html|..",
     "the term for Canvas, Moodle, tables, pages and other systems",
     "./scanlab gradebook export canvas --from a.csv --column Scan --out b.csv"},
    {"stats", run_stats, POLICY, NULL, "how each lab went, hardest tests, commonest findings",
     "./scanlab gradebook stats"},
};
enum { COUNT = sizeof commands / sizeof *commands };

static void usage(FILE *f) {
  fprintf(f, "usage: ./scanlab gradebook COMMAND [ARGUMENTS]\n\nThe gradebook of a term: attempts, scores, "
             "policy, regrades, exports.\n\nexample:\n  ./scanlab gradebook import "
             "build/grade/class\n\ncommands (each has --help):\n");
  for (size_t k = 0; k < COUNT; k++) fprintf(f, "  %-10s %s\n", commands[k].name, commands[k].about);
}

// The options of a command, in [table].
static void list_options(const struct command *c, options *o, sl_opt *table) {
  const struct {
    int when;
    sl_opt opt;
  } all[] = {
      {0, SL_OPT_TEXT("--book", &o->book, "FILE", "the gradebook (default: gradebook.db)")},
      {POLICY, SL_OPT_TEXT("--policy", &o->policy, "FILE",
                           "rules of final scores (default: BOOK.policy.json, if there is one)")},
      {LAB, SL_OPT_TEXT("--lab", &o->lab, "NN", "this lab only")},
      {STUDENT, SL_OPT_TEXT("--student", &o->student, "NAME", "this student only")},
      {IMPORT,
       SL_OPT_TEXT("--handed-in", &o->handed_in, "TIME", "time in UTC for those whose own is not known")},
      {EXPORT, SL_OPT_TEXT("--out", &o->to, "PATH",
                           "the file; a folder for html, gradescope, github, autolab, prairielearn")},
      {EXPORT, SL_OPT_TEXT("--from", &o->from, "FILE", "the gradebook file that Canvas or Moodle exported")},
      {EXPORT, SL_OPT_TEXT("--column", &o->column, "TITLE",
                           "canvas, moodle: the column that gets the scores (moodle: Grade)")},
      {EXPORT, SL_OPT_TEXT("--match", &o->match, "TITLE",
                           "canvas, moodle: the column that names students as the book does")},
      {EXPORT, SL_OPT_FLAG("--scale", &o->scale, "canvas, moodle: convert to the column's most points")},
      {EXPORT, SL_OPT_FLAG("--force", &o->force, "replace files that are there")},
      {REASON, SL_OPT_TEXT("--reason", &o->reason, "TEXT", "why (needed)")},
      {REASON, SL_OPT_TEXT("--who", &o->who, "NAME", "who says so (default: the user)")},
      {REASON, SL_OPT_FLAG("--withdraw", &o->withdraw, "the last override of this lab no longer counts")},
  };
  size_t n = 0;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (!all[k].when || (c->options & all[k].when)) table[n++] = all[k].opt;
  table[n] = (sl_opt)SL_OPT_END;
}

static int run_command(const struct command *c, int argc, char **argv) {
  options o = {.book = "gradebook.db"};
  sl_opt table[20];
  char tool[64], purpose[160];
  snprintf(tool, sizeof tool, "scanlab gradebook %s", c->name);
  snprintf(purpose, sizeof purpose, "The gradebook: %s.", c->about);
  list_options(c, &o, table);
  const sl_cli cli = {tool, purpose, c->example, c->operands, table};
  int n;
  sl_cli_parse(&cli, argc, argv, &n);
  sl_book b;
  sl_error e = {0};
  call it = {&b, &o, argv + 1, n, &e, false};
  int code = sl__book_open(&b, o.book, c->options & MAKE, &e) ? c->run(&it) : SL_EXIT_INFRA;
  if (e.code) sl_error_print(tool, &e), code = e.code;
  sl__book_close(&b);
  return code;
}

int main(int argc, char **argv) {
  sl_cli_parse(&(sl_cli){.tool = "scanlab gradebook"}, 1, argv, NULL); // output that is lost is an error
  if (argc < 2) return usage(stderr), SL_EXIT_USAGE;
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return usage(stdout), SL_EXIT_OK;
  const char *names[COUNT + 1] = {0};
  for (size_t k = 0; k < COUNT; k++) names[k] = commands[k].name;
  sl_error e = {0};
  int k = sl_name_find("command", argv[1], names, SL_EXIT_USAGE, &e);
  if (k >= 0) return run_command(&commands[k], argc - 1, argv + 1);
  sl_error_print("scanlab gradebook", &e);
  return SL_EXIT_USAGE;
}
