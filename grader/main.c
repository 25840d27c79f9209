// sl-grade: `scanlab grade`. Builds the kernels of a submission or of a class, runs every graded test through
// CTest, scores the judge's records and reports.
//
// The order of a grading is the order of functions in grade(): the course's tests, submissions, builds,
// tests of earlier gradings that still hold, CTest, totals, reports.
#include "intake/intake.h"
#include "gpu/start/schedule.h"
#include "jail/sandbox.h"
#include "out.h"

typedef struct options {
  const char *out, *json, *backend, *data, *schedule, *key, *only, *part, *roster, *times, *zone, *deadline;
  sl_strings labs;
  int64_t jobs;
  const char *overlay;
  bool fresh, pictures, no_plots, no_sandbox, reveal, one, accept_misplaced;
  sl_exports files;
} options;

// Finds the course and the folder for what is written.
static bool find_course(sl_grading *g, sl_error *e) {
  sl_course *c = &g->course;
  SL_FREED char *bin = sl_exe_dir();
  c->test = sl__str(g->arena, "%s/sl-test", bin);
  c->build = sl_work_folder();
  c->root = sl_course_root();
  c->judge = sl__str(g->arena, "%s/sl-judge", bin);
  char real[PATH_MAX];
  if (!realpath(c->root, real) || !sl_is_dir(sl__str(g->arena, "%s/labs", real)))
    return sl_fail(e, SL_EXIT_INFRA, "start it as ./scanlab grade, or set SCANLAB_ROOT",
                   "%s: the course tree is not there", c->root);
  c->root = sl__str(g->arena, "%s", real);
  c->build = sl__absolute_folder(g->arena, c->build, e);
  return c->build != NULL;
}

// Hashes the programs that run and judge: every result depends on them, on the kernel and on its lab.
static bool hash_tools(sl_grading *g, sl_error *e) {
  static const char *const tools[] = {"sl-judge", "sl-jail", "sl-gpu", "../lib/libcudart.so.13", NULL};
  const char *schedule = getenv(SL_SCHEDULE_ENV);
  char *all = sl__str(g->arena, "%s %s %s", g->course.backend, sl_sandbox_name(sl_sandbox_find(), false),
                      schedule ? schedule : "");
  bool ok = true;
  for (int i = 0; ok && tools[i]; i++) {
    char hash[SL_HEX256];
    SL_FREED char *tool = sl_tool_path(tools[i]);
    ok = sl__hash_file(tool, hash, e);
    all = sl__str(g->arena, "%s %s", all, ok ? hash : "");
  }
  if (!ok) {
    e->code = SL_EXIT_INFRA;
    snprintf(e->hint, sizeof e->hint, "build the course first: ./scanlab build");
  }
  char data[SL_HEX256] = "";
  if (ok) ok = sl__hash_file(sl__str(g->arena, "%s/datasets/manifest.json", g->course.root), data, e);
  all = sl__str(g->arena, "%s %s", all, data);
  sl__hash(all, strlen(all), g->course.tools_hash);
  return ok;
}

// Without a sandbox nothing is graded, unless that is asked for. The judges and compilers hold to it, too.
static bool check_sandbox(const options *o, sl_error *e) {
  if (o->no_sandbox) unsetenv(SL_REQUIRE_SANDBOX_ENV);
  else setenv(SL_REQUIRE_SANDBOX_ENV, "1", 1);
  if (!sl_sandbox_check(e)) return false;
  if (sl_sandbox_find() == SL_SANDBOX_NONE)
    fprintf(stderr,
            "scanlab grade: warning: no sandbox: submissions can read and change files of this user (%s)\n",
            sl_sandbox_why_none());
  return true;
}

// Makes the secrets of this run. The seeds of inputs follow from the key of the build folder alone, so that a
// kept result and a new one have the same input.
static bool make_keys(sl_grading *g, const options *o, sl_error *e) {
  sl_course *c = &g->course;
  char hex[SL_HEX256];
  if (!sl__random(c->secrets.run, sizeof c->secrets.run, e) ||
      !sl__store_key(o->key ? o->key : sl__str(g->arena, "%s/grade.key", c->build), c->store_key, e))
    return false;
  sl__hmac(c->store_key, "seeds of inputs", hex);
  memcpy(c->secrets.inputs, hex, sizeof c->secrets.inputs);
  return true;
}

// Reads "K/N": the K-th of N parts.
static bool read_part(sl_course *c, const char *text, sl_error *e) {
  if (!text) return true;
  SL_FREED char *copy = sl_path("%s", text);
  char *slash = strchr(copy, '/');
  if (slash) *slash = 0;
  return (slash && sl_parse_int(slash + 1, 1, 1 << 20, &c->parts) &&
          sl_parse_int(copy, 1, c->parts, &c->part)) ||
         sl_fail(e, SL_EXIT_USAGE, "as 3/10: the third of ten parts", "option --part: found '%s'", text);
}

static bool set_up(sl_grading *g, const options *o, sl_error *e) {
  sl_course *c = &g->course;
  c->backend = o->backend;
  c->started = time(NULL);
  if (strcmp(o->backend, "sim") != 0 && strcmp(o->backend, "gpu") != 0)
    return sl_fail(e, SL_EXIT_USAGE, "expected sim or gpu", "option --backend: found '%s'", o->backend);
  c->fresh = o->fresh;
  c->reveal = o->reveal;
  c->pictures = o->pictures && !strcmp(o->backend, "sim");
  c->withheld = o->files.platform[0] != NULL;
  c->only = o->only;
  c->roster = o->roster;
  c->times = o->times;
  c->zone = o->zone;
  if (o->zone && !sl__is_zone(o->zone))
    return sl_fail(e, SL_EXIT_USAGE, "as Europe/Berlin, or +01:00", "option --zone: found '%s'", o->zone);
  if (o->zone && !o->times)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "option --zone: is of the times in --times FILE");
  c->one = o->one;
  c->accept_misplaced = o->accept_misplaced;
  c->deadline = o->deadline ? sl__parse_time(g->arena, o->deadline) : NULL;
  if (o->deadline && !c->deadline)
    return sl_fail(e, SL_EXIT_USAGE,
                   "a day, a time and a zone, as 2026-11-22T23:59:00Z or 2026-11-22 23:59 +0100",
                   "option --deadline: found '%s'", o->deadline);
  if (!read_part(c, o->part, e)) return false;
  c->terminal = sl__progress_terminal();
  c->jobs = o->jobs ? (int)o->jobs : (int)sl_jobs();
  if (o->data && !sl_is_dir(o->data))
    return sl_fail(e, SL_EXIT_INPUT, "./scanlab datasets generate makes them",
                   "%s: there is no such folder of datasets", o->data);
  c->data = o->data ? sl__absolute_folder(g->arena, o->data, e) : NULL;
  if (!o->schedule) unsetenv(SL_SCHEDULE_ENV); // grades depend on what was asked for, not on where
  return !e->code && sl_schedule_export(o->schedule, e) && check_sandbox(o, e) && find_course(g, e) &&
         hash_tools(g, e) && make_keys(g, o, e);
}

// When a lab could not be built, all its tests fail with that reason. An optional lab may be left out.
static void fail_unbuilt(sl_arena *a, sl_submission *s) {
  SL_EACH_LAB(s, gl) {
    const sl_status status = gl->absent && sl__apart(s, gl) ? SL_SKIP : gl->infra ? SL_ERROR : SL_FAIL;
    json_auto_t *fields = gl->problem ? json_pack("{s:s}", "text", gl->said) : NULL;
    SL_EACH_RUN(gl, t)
      if (gl->problem && !gl->shared) sl__set_result(a, t, status, gl->why, json_incref(fields));
  }
}

// Tests of what was handed in and could be built.
static size_t count_tests(const sl_submission *s) {
  size_t n = 0;
  SL_EACH_LAB(s, gl) n += gl->problem ? 0 : gl->n_run;
  return n;
}

static bool run_all(sl_grading *g, sl_error *e) {
  size_t tests = 0, reused = 0;
  SL_EACH_SUB(g, s) {
    fail_unbuilt(g->arena, s);
    tests += count_tests(s);
    reused += sl__reuse(g, s);
  }
  fprintf(stderr, "%zu test%s", tests, sl_plural(tests));
  if (reused) fprintf(stderr, ", %zu unchanged", reused);
  fprintf(stderr, "\n");
  if (!sl__run_tests(g, e)) return false;
  SL_EACH_SUB(g, s) {
    sl__settle(g->arena, s);
    sl__total(s);
  }
  return true;
}

static bool write_graded(sl_grading *g, sl_error *e) {
  json_auto_t *provenance = sl__provenance(g);
  g->course.made_by = sl__provenance_line(g, provenance);
  bool ok = true;
  for (size_t i = 0; ok && i < g->n; i++)
    ok = !g->subs[i].has_folder || sl__write_graded(g, &g->subs[i], provenance, e);
  return ok;
}

static bool write_reports(sl_grading *g, const options *o, sl_error *e) {
  if (!write_graded(g, e)) return false;
  SL_EACH_SUB(g, s)
    if (s->has_folder && !sl__write_report(g, s, o->no_plots || g->is_class, e)) return false;
  if (g->is_class && !g->course.parts && !sl__write_class_report(g, o->no_plots, e)) return false;
  // Files first: who reads the summary may stop, as `head` does.
  bool written = (!o->json || sl__write_json(g, o->json, e)) && sl__export(g, &o->files, e);
  FILE *f = o->json && strcmp(o->json, "-") == 0 ? stderr : stdout;
  sl__print_summary(g, f);
  if (!g->course.parts) fprintf(f, "report: %s/report.html\n", g->course.out);
  fflush(f); // a fault is told at the end of the program
  return written;
}

// No result takes the place of a file that the grading reads.
static bool check_outputs(const options *o, const char *dir, sl_error *e) {
  const char *const read[] = {dir, o->roster, o->times, o->key, o->overlay};
  const char *written[3 + SL_PLATFORMS] = {o->json, o->files.csv, o->files.junit};
  memcpy(written + 3, o->files.platform, sizeof o->files.platform);
  for (size_t k = 0; k < sizeof written / sizeof *written; k++)
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
      if (sl__is_same_file(written[k], read[i]))
        return sl_fail(e, SL_EXIT_USAGE, "name another file for the results",
                       "%s: is read by this grading, and would be replaced", written[k]);
  return true;
}

static bool grade(sl_grading *g, const options *o, const char *dir, sl_error *e) {
  if (!check_outputs(o, dir, e) || !set_up(g, o, e) ||
      (o->overlay && !sl__overlay_load(&g->course, o->overlay, e)) || !sl__load_labs(g, &o->labs, e) ||
      !sl__discover(g, dir, e) || !sl__export_check(g, &o->files, o->json, e) ||
      !sl__set_out(g, o->out, o->only, dir, e) || !sl__take_in(g, e))
    return false;
  SL_EACH_SUB(g, s) sl__plan(g, s);
  sl__find_twins(g);
  sl__find_edits(g);
  if (!g->course.only && !g->course.parts && !sl__write_manifest(g, e))
    return false; // with --only and --part, the class's own grading writes it
  return sl__build_all(g, e) && run_all(g, e) && write_reports(g, o, e);
}

static int verdict(const sl_grading *g) {
  size_t count[SL_STATUS_COUNT] = {0};
  SL_EACH_SUB(g, s)
    SL_EACH_LAB(s, gl)
      SL_EACH_TEST(gl, t) count[t->r.status]++;
  if (count[SL_ERROR])
    fprintf(stderr,
            "scanlab grade: error: %zu test%s ended in an error of the grader, not of the submission\n"
            "  hint: the report tells each; the same command runs only these again\n",
            count[SL_ERROR], sl_plural(count[SL_ERROR]));
  return count[SL_ERROR] ? SL_EXIT_INFRA : count[SL_FAIL] ? SL_EXIT_FAILED : SL_EXIT_OK;
}

static void release_grading(sl_grading *g) {
  SL_EACH_SUB(g, s)
    SL_EACH_LAB(s, gl)
      SL_EACH_RUN(gl, t) sl__drop_result(t);
  for (size_t i = 0; i < g->course.n_labs; i++) sl_lab_free(g->course.labs[i].lab);
  json_decref(g->course.overlay);
  sl_arena_free(g->arena);
}

static options given = {.backend = SL_DEFAULT_BACKEND};
static const sl_opt table[] = {
    SL_OPT_LIST("--lab", &given.labs, "NN", "grade this lab only (repeatable)"),
    SL_OPT_TEXT("--only", &given.only, "NAME",
                "grade only this submission of a class, into the class's folder"),
    SL_OPT_TEXT("--part", &given.part, "K/N",
                "grade the K-th of N parts of a class, into the class's folder"),
    SL_OPT_FLAG("--one", &given.one, "DIR is one submission, whatever it holds"),
    SL_OPT_TEXT("--roster", &given.roster, "FILE",
                "CSV of the course's students: names rows, shows who is absent or unknown"),
    SL_OPT_TEXT("--times", &given.times, "FILE",
                "CSV with the time at which each student handed in: Moodle's grading worksheet, .."),
    SL_OPT_TEXT("--zone", &given.zone, "ZONE",
                "zone of the times in it that name none: Europe/Berlin, +01:00"),
    SL_OPT_TEXT("--deadline", &given.deadline, "TIME",
                "grade a repository's last commit before TIME, which has a zone"),
    SL_OPT_FLAG("--accept-misplaced", &given.accept_misplaced,
                "grade a kernel in another place too, if it can be of one lab only"),
    SL_OPT_TEXT("--out", &given.out, "DIR", "where records and reports go (default: BUILD/grade/NAME)"),
    SL_OPT_TEXT("--json", &given.json, "FILE", "write the results as JSON; - is stdout"),
    SL_OPT_TEXT("--csv", &given.files.csv, "FILE", "a row a submission, for spreadsheets and gradebooks"),
    SL_OPT_TEXT("--junit", &given.files.junit, "FILE", "every test, as JUnit's XML"),
    SL_OPT_TEXT("--gradescope", &given.files.platform[0], "FILE",
                "results.json of one submission, as Gradescope takes it"),
    SL_OPT_TEXT("--github", &given.files.platform[1], "FILE",
                "the same for GitHub Classroom's reporter, before base64"),
    SL_OPT_TEXT("--autolab", &given.files.platform[2], "FILE",
                "the same as Autolab's last lines: feedback, scores"),
    SL_OPT_TEXT("--prairielearn", &given.files.platform[3], "FILE",
                "the same as PrairieLearn's results.json"),
    SL_OPT_NUMBER("-j", &given.jobs, "N", 1, 1024, "builds and tests at a time (default: all cores)"),
    SL_OPT_TEXT("--backend", &given.backend, "NAME", "sim or gpu (default: " SL_DEFAULT_BACKEND ")"),
    SL_OPT_TEXT("--data", &given.data, "DIR", "folder of the generated datasets"),
    SL_OPT_TEXT("--key", &given.key, "FILE",
                "secret that inputs are made from, 32 bytes (default: grade.key in the build folder)"),
    SL_OPT_TEXT("--overlay", &given.overlay, "FILE", "cases, points and seeds that students do not have"),
    SL_OPT_FLAG("--reveal", &given.reveal, "tell the inputs and messages of hidden cases"),
    SL_OPT_FLAG("--fresh", &given.fresh, "run every test, also those whose inputs did not change"),
    SL_OPT_FLAG("--no-sandbox", &given.no_sandbox,
                "grade even where submissions cannot be kept from other files"),
    SL_OPT_TEXT("--schedule", &given.schedule, "WORDS", SL_SCHEDULE_HELP),
    SL_OPT_FLAG("--pictures", &given.pictures, "pages that play the first failed tests of each lab"),
    SL_OPT_FLAG("--no-plots", &given.no_plots, "do not measure and draw plots"),
    SL_OPT_END};

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--export") == 0) return sl__export_command(argc - 1, argv + 1);
  const sl_cli cli = {"scanlab grade", "Builds and grades a submission, or every submission in a folder.",
                      "./scanlab grade solutions --lab 03", "DIR|solutions|labs", table};
  sl_cli_parse(&cli, argc, argv, NULL);
  sl_grading g = {.arena = sl__arena_new()};
  sl_error e = {0};
  bool ok = grade(&g, &given, argv[1], &e);
  int code = ok ? verdict(&g) : e.code ? e.code : SL_EXIT_INFRA;
  if (!ok) sl_error_print("scanlab grade", &e);
  release_grading(&g);
  free(given.labs.at);
  return code;
}
