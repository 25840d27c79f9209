// scanlab check NN: builds a lab's kernel, judges all cases, a line a part, and explains the first failure.
//
// Exit codes: 0 all passed, 1 not, 2 misuse, 3 there is no such file, 4 the machine or the course.
#include "jail/sandbox.h"
#include "student.h"

#include "gpu/start/schedule.h"
#include "compile/build.h"

enum { USUAL = 10, LONGEST = 3600 }; // seconds for a case

typedef struct options {
  const char *file, *backend, *schedule, *part, *html;
  int64_t jobs, timeout;
  bool all, json, watch;
} options;

// Is stderr a terminal that can go back in its line?
static bool on_terminal(void) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

static void clear_line(void) {
  if (on_terminal()) fputs("\r\x1b[K", stderr), fflush(stderr);
}

static char *title_of(const sl_ladder *l, const sl_ladder_step *s, char out[static SL_TITLE + 1]) {
  SL_FREED char *title = sl__section_title(l->lab, l->only, s->part->title);
  return sl__short_title(title ? title : s->part->title, out);
}

static void show_progress(const sl_ladder *l, const sl_ladder_step *s) {
  char title[SL_TITLE + 1];
  if (!on_terminal()) return;
  fprintf(stderr, "\r  %-10s %-*s %3zu of %zu\x1b[K", s->part->id, sl__title_width(), title_of(l, s, title),
          l->ran, l->total);
  fflush(stderr);
}

// Before a part, on a terminal with colours: a green tick, a red cross, or nothing if no case was judged.
static const char *mark(const sl_ladder *l, const sl_ladder_step *s, size_t tried) {
  const char *charset = getenv("LC_ALL");
  if (!charset || !*charset) charset = getenv("LC_CTYPE");
  if (!charset || !*charset) charset = getenv("LANG");
  const bool utf8 = charset && (strstr(charset, "UTF-8") || strstr(charset, "utf8"));
  if (!l->colour || !tried) return "  ";
  if (s->count[SL_PASS] == tried) return utf8 ? "\x1b[1;32m✓\x1b[m " : "\x1b[1;32m+\x1b[m ";
  return utf8 ? "\x1b[1;31m✗\x1b[m " : "\x1b[1;31mx\x1b[m ";
}

static void show_step(const sl_ladder *l, const sl_ladder_step *s) {
  char got[16], max[16], title[SL_TITLE + 1];
  size_t tried = s->n_chosen - s->count[SL_SKIP];
  char passed[48];
  snprintf(passed, sizeof passed, tried ? "%3zu of %-3zu" : " left out ", s->count[SL_PASS], tried);
  clear_line();
  printf("%s%-10s %-*s %s %6s / %s\n", mark(l, s, tried), s->part->id, sl__title_width(),
         title_of(l, s, title), passed, sl__points(s->points, got), sl__points(s->max, max));
  fflush(stdout);
}

static void show_left_out(const sl_ladder *l) {
  size_t large = 0, untried = 0;
  char points[16];
  for (size_t k = 0; k < l->lab->n_parts; k++) {
    large += l->steps[k].count[SL_SKIP];
    untried += l->steps[k].count[SL_UNTRIED];
  }
  if (untried)
    printf("\nnot run: %zu cases, because one took long and failed; grading runs them all\n", untried);
  if (large && !strcmp(l->backend, "gpu") && l->all)
    printf("\nleft out: %zu cases (%s points) that need the simulator's counters: --backend sim\n", large,
           sl__points(l->left_out, points));
  else if (large) {
    printf("\nleft out: %zu case%s (%s points) of more than 2^20 elements. With %s:\n  ", large,
           sl_plural(large), sl__points(l->left_out, points), large == 1 ? "it" : "them");
    sl__put_all(stdout, l);
  }
}

// The score of the student's own file is what `status` shows.
static void save(const sl_ladder *l) {
  SL_FREED char *own = sl_lab_kernel(l->lab->info->name);
  if (l->only) return;
  const bool large = !l->all && !strcmp(l->backend, "sim"); // then --all runs what was left out
  const sl_last last = {.score = l->points, .max = l->lab->points, .left_out = large ? l->left_out : 0};
  if (!strcmp(own, l->kernel)) sl__last_save(l->lab->info, &last);
}

// Parts whose tests passed and which have no points all the same, because of a test of another part.
static void show_taken(const sl_ladder *l) {
  for (size_t k = 0; k < l->lab->n_parts; k++) {
    const sl_ladder_step *s = &l->steps[k];
    char got[16], max[16];
    if (s->taken)
      printf("\npart %s has %s of its %s points, because of %s.%s\n", s->part->id, sl__points(s->points, got),
             sl__points(s->part->points, max), s->taken->c->part->id, s->taken->c->id);
    else if (s->part->kind == SL_PART_SPEED && s->count[SL_PASS] && s->points <= 0)
      printf("\npart %s has none of its %s points while a result is wrong\n", s->part->id,
             sl__points(s->part->points, max));
  }
}

static int show_end(const sl_ladder *l) {
  char got[16], max[16];
  if (l->failed) sl__explain(l);
  show_taken(l);
  show_left_out(l);
  if (l->only) printf("\npart %s  %s / %s", l->only, sl__points(l->points, got), sl__points(l->max, max));
  else printf("\nscore so far  %s / %s", sl__points(l->points, got), sl__points(l->lab->points, max));
  putchar('\n');
  save(l);
  return l->failed ? SL_EXIT_FAILED : SL_EXIT_OK;
}

// JSON ------------------------------------------------------------------------------------------------------

static json_t *failing_json(const sl_ladder_step *s) {
  json_t *list = json_array();
  for (size_t k = 0; k < s->part->n_cases; k++)
    if (s->trials && s->trials[k].status == SL_FAIL)
      json_array_append_new(list, json_string(s->part->cases[k].id));
  return list;
}

static json_t *parts_json(const sl_ladder *l) {
  json_t *list = json_array();
  for (size_t k = 0; l->steps && k < l->lab->n_parts; k++) {
    const sl_ladder_step *s = &l->steps[k];
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:o}", "id", s->part->id, "title",
                        s->part->title, "kind", sl_part_kind_names[s->part->kind], "passed",
                        (json_int_t)s->count[SL_PASS], "failed", (json_int_t)s->count[SL_FAIL], "not_run",
                        (json_int_t)s->count[SL_UNTRIED], "left_out", (json_int_t)s->count[SL_SKIP], "points",
                        s->points, "max", s->part->points, "failing", failing_json(s)));
  }
  return list;
}

static json_t *failure_json(const sl_ladder *l) {
  if (!l->failed) return json_null();
  sl_failure x;
  sl__failure_find(l, &x);
  SL_FREED char *again = sl__replay(l, &x.shown);
  json_t *o = json_pack("{s:s, s:s, s:o, s:O?, s:O?, s:O?, s:O?, s:O, s:s}", "part", l->failed->c->part->id,
                        "case", l->failed->c->id, "first", sl__first_json(l, &x), "reason",
                        json_object_get(x.record, "reason"), "fields", json_object_get(x.record, "fields"),
                        "message", json_object_get(x.record, "message"), "detail",
                        json_object_get(x.record, "detail"), "findings", x.findings, "again", again);
  sl__failure_free(&x);
  return o;
}

// Processor time of the build's steps, by stage, as sl-steps wrote it when the kernel was built.
static json_t *stages_json(const sl_ladder *l) {
  json_t *sums = json_object();
  SL_FREED char *path =
      l->runner ? sl_path("%.*ssteps", (int)(strrchr(l->runner, '/') + 1 - l->runner), l->runner) : NULL;
  SL_CLOSED FILE *f = path ? fopen(path, "r") : NULL;
  char stage[32];
  double cpu;
  while (f && fscanf(f, "%31s %*f %lf", stage, &cpu) == 2)
    json_object_set_new(sums, stage, json_real(json_real_value(json_object_get(sums, stage)) + cpu));
  return sums;
}

static int print_check_json(const sl_ladder *l, const sl_error *build) {
  json_auto_t *o = json_pack("{s:s, s:s, s:s, s:b, s:f, s:f, s:f, s:o, s:o, s:{s:f, s:f, s:o}}", "lab",
                             l->lab->info->name, "file", l->kernel, "backend", l->backend, "builds", !build,
                             "score", l->points, "max", l->lab->points, "left_out", l->left_out, "parts",
                             parts_json(l), "first_failure", failure_json(l), "seconds", "building",
                             l->building, "running", l->running, "cpu_of_steps", stages_json(l));
  if (build)
    json_object_set_new(o, "build_error", json_pack("{s:s, s:s}", "message", build->text, "log", l->log));
  if (!sl_json_print(o)) return SL_EXIT_INFRA;
  save(l);
  return build || l->failed ? SL_EXIT_FAILED : SL_EXIT_OK;
}

// Building and climbing -------------------------------------------------------------------------------------

static int no_build(const sl_ladder *l, const options *o, const sl_error *why) {
  if (o->json) return print_check_json(l, why);
  char max[16];
  printf("  %-*s no\n", sl__title_width() + 11, "builds");
  sl__explain_build(l, why);
  printf("\nscore so far  0 / %s\n", sl__points(l->lab->points, max));
  save(l);
  return SL_EXIT_FAILED;
}

// Work outside of the TODO regions counts like any other; it is said, because a student rarely means it.
static void show_edited(const sl_ladder *l, const sl_skeleton *s) {
  SL_SKELETON original = {0};
  if (!sl_skeleton_original(l->lab->info, &original)) return;
  SL_FREED char *lines = sl_skeleton_edits(s, &original);
  if (lines) printf("%s:%d:1: warning: changed outside of TODOs\n", sl_short_path(l->kernel), atoi(lines));
}

static void show_head(const sl_ladder *l) {
  SL_SKELETON s = {0};
  printf("%s: %s, %s\n", l->lab->info->name, sl_short_path(l->kernel),
         !strcmp(l->backend, "sim") ? "simulated GPU" : "GPU");
  if (!sl_skeleton_read(l->kernel, l->lab->info, &s, NULL)) {
    if (s.wrong) printf("%s:%u:1: warning: %s\n", sl_short_path(l->kernel), s.wrong_at, s.wrong);
    return;
  }
  if (s.n_open) printf("  %zu of %zu TODO regions are still open\n", s.n_open, s.n);
  show_edited(l, &s);
}

// The page that --html asks for; without it the answer of `check` stays what it is.
static void play_failed(const sl_ladder *l, const options *o, sl_error *e) {
  FILE *f = o->json ? stderr : stdout;
  if (sl__play_case(l, l->failed->c, o->html, e)) fprintf(f, "%s: open it in a browser\n", o->html);
  else sl__stop("check", e);
}

static int climb(sl_ladder *l, const options *o) {
  sl_error e = {0};
  sl_build_config config = {.native = !strcmp(l->backend, "gpu")};
  if (!o->json) show_head(l), sl__tell_width();
  if (on_terminal() && !o->json) fputs("  building", stderr);
  const double start = sl_now();
  bool built = sl_build_runner(l->lab->info->number, l->kernel, &config, &l->runner, &l->log, &e);
  const double then = sl_now();
  l->building = then - start;
  clear_line();
  if (!built) return e.code == SL_EXIT_INPUT ? no_build(l, o, &e) : sl__stop("check", &e);
  if (!o->json) printf("  %-*s yes\n", sl__title_width() + 11, "builds"), fflush(stdout);
  bool ok = sl__climb(l, o->json ? NULL : show_progress, o->json ? NULL : show_step, &e);
  l->running = sl_now() - then;
  clear_line();
  if (!ok) return sl__stop("check", &e);
  const int code = o->json ? print_check_json(l, NULL) : show_end(l);
  if (o->html && l->failed) play_failed(l, o, &e);
  return code;
}

static int check_lab(const char *name, const options *o) {
  sl_error e = {0};
  static const char *const backends[] = {"sim", "gpu", NULL};
  if (sl_name_find("backend", o->backend, backends, SL_EXIT_USAGE, &e) < 0 ||
      !sl_schedule_export(o->schedule, &e) || !sl__can_write(o->html, &e))
    return sl__stop("check", &e);
  SL_LAB_FREED sl_lab *lab = sl__load_lab(name, &e);
  if (!lab || (o->part && !sl__section_check(lab, o->part, &e))) return sl__stop("check", &e);
  SL_FREED char *standard = sl_lab_kernel(lab->info->name);
  sl_ladder l = {.lab = lab,
                 .kernel = o->file ? o->file : standard,
                 .backend = o->backend,
                 .only = o->part,
                 .all = o->all,
                 .colour = !o->json && sl_wants_colour(STDOUT_FILENO)};
  l.timeout = o->timeout ? (int)o->timeout : o->all ? LONGEST : USUAL;
  l.jobs = o->jobs ? (int)o->jobs : (int)sl_jobs();
  int code =
      sl__kernel_there(l.kernel, "name a kernel.cu with --file", &e) ? climb(&l, o) : sl__stop("check", &e);
  sl__ladder_free(&l);
  return code;
}

// Checks again whenever the file's text changes, until the user ends it.
static int watch_lab(const char *name, const options *o) {
  sl_error e = {0};
  const sl_lab_info *lab = sl_lab_find(name, &e);
  if (!lab) return sl__stop("check", &e);
  if (o->json)
    return sl_fail(&e, SL_EXIT_USAGE, NULL, "--watch and --json exclude each other"), sl__stop("check", &e);
  SL_FREED char *path = o->file ? sl_path("%s", o->file) : sl_lab_kernel(lab->name);
  int code;
  for (;;) {
    SL_FREED char *checked = sl__file_text(path);
    if (on_terminal()) fputs("\x1b[H\x1b[2J", stdout);
    code = check_lab(name, o);
    if (code > SL_EXIT_FAILED) break;
    printf("\nwatching %s; Ctrl-C ends\n", sl_short_path(path)), fflush(stdout);
    sl__wait_for_change(path, checked);
  }
  return code;
}

int sl__check(int argc, char **argv) {
  options o = {.backend = SL_DEFAULT_BACKEND};
  const sl_opt opts[] = {
      SL_OPT_TEXT("--part", &o.part, "PART",
                  "judge this part alone: a letter of the handout, or a part's name"),
      SL_OPT_FLAG("--watch", &o.watch, "check again whenever the file changes, until Ctrl-C"),
      SL_OPT_TEXT("--file", &o.file, "KERNEL.cu", "kernel to check (default: the lab's kernel.cu)"),
      SL_OPT_FLAG("--all", &o.all, "run cases of more than 2^20 elements, too"),
      SL_OPT_TEXT("--backend", &o.backend, "sim|gpu", "simulated or real GPU"),
      SL_OPT_NUMBER("-j", &o.jobs, "N", 1, 64, "cases at a time (default: all cores)"),
      SL_OPT_NUMBER("--timeout", &o.timeout, "S", 1, 3600,
                    "stop a case after S seconds (default 10; with --all the case's own limit)"),
      SL_OPT_TEXT("--schedule", &o.schedule, "WORDS", SL_SCHEDULE_HELP),
      SL_OPT_TEXT("--html", &o.html, "FILE", "write a page that plays the case that failed first"),
      SL_OPT_FLAG("--json", &o.json, "print one JSON object instead"),
      SL_OPT_END};
  const sl_cli cli = {"scanlab check", "Builds one lab, runs its tests, and explains the first failure.",
                      "./scanlab check 03", "LAB", opts};
  sl_cli_parse(&cli, argc, argv, NULL);
  sl_sandbox_note("scanlab check");
  return o.watch ? watch_lab(argv[1], &o) : check_lab(argv[1], &o);
}
