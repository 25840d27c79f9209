// sl-judge: judges one case of a lab with one runner program and writes one record.
//
// The record appears whole or not at all; without it the case counts as not judged. Exit codes: 0 pass, 1
// fail, 2 misuse, 3 a missing or wrong input, 4 the machine is at fault.
#include "judge/judge.h"
#include "gpu/start/schedule.h"

#include <sys/prctl.h>

typedef struct options {
  const char *lab, *name, *runner, *backend, *record, *nonce, *salt, *data, *schedule, *file, *reference;
  int64_t repeats, timeout, colour;
  bool many, count;
} options;

static int stop_judge(const sl_error *e) {
  sl_error_print("sl-judge", e);
  return e->code;
}

static bool is_about_results(sl_part_kind kind) { return kind == SL_PART_CORRECT || kind == SL_PART_CLEAN; }

// The command that judges the case again with checks.
static void fill_replay(const options *o, const sl_lab *lab, const sl_case *c,
                        char out[static SL_REPLAY_MAX]) {
  char seed[40] = "";
  if (o->salt) snprintf(seed, sizeof seed, " --seed %llu", (unsigned long long)c->seed);
  char *const words[] = {"--file", (char *)o->file, NULL};
  SL_FREED char *file = sl_shell_line(words, NULL);
  snprintf(out, SL_REPLAY_MAX, "scanlab run %s --case %s.%s%s --check%s%s", lab->info->number, c->part->id,
           c->id, seed, o->file ? " " : "", o->file ? file : "");
}

// A submission of six labs may take 20 s on a GPU, and three of its cases are timed.
#define CONTEST_SECONDS 1.5

// What all cases of one start of sl-judge share.
typedef struct work {
  const options *o;
  const sl_lab *lab;
  sl_backend backend;
  json_t *list, *again; // --many: the cases; those that are to be judged by themselves
  double until;         // no case begins after that
  size_t endless;       // cases that computed without end
  sl_device *spare;     // the simulated GPU, from one session to the next
  sl_error *e;
} work;

// Judges a case. Its record, or NULL with an error; *code: the exit code.
static json_t *judge(work *w, const options *o, const sl_case *c, sl_session *session, int *code) {
  SL_VERDICT v = {0};
  char test[256];
  sl_case hurried = *c; // with less time
  char replay[SL_REPLAY_MAX];
  if (o->salt && !sl_case_salt(&hurried, o->salt))
    return sl_fail(w->e, SL_EXIT_USAGE, NULL, "--salt: expected %d hexadecimal digits", SL_SALT_DIGITS), NULL;
  fill_replay(o, w->lab, &hurried, replay);
  const double most = o->timeout                     ? (double)o->timeout
                      : w->backend == SL_BACKEND_GPU ? SL_GPU_SECONDS
                                                     : c->timeout;
  if (most < c->timeout) hurried.timeout = most;
  // The builder keeps the kernel beside the program.
  SL_FREED char *beside = sl_folder_of(o->runner), *folder = sl_path("%s/", beside);
  sl_judge_job job = {.lab = w->lab->info,
                      .c = &hurried,
                      .kind = c->part->kind,
                      .results_only = !o->count && is_about_results(c->part->kind),
                      .runner = o->runner,
                      .backend = w->backend,
                      .data_dir = o->data,
                      .session = session,
                      .spare = &w->spare,
                      .contest_seconds = CONTEST_SECONDS,
                      .schedule = o->schedule,
                      .reference = o->reference,
                      .replay = replay,
                      .telling = {.source = folder, .colour = o->colour},
                      .repeats = (unsigned)o->repeats};
  sl_judge(&job, &v);
  sl_record_head head = {.test = sl_test_name(w->lab, c, o->backend, test, sizeof test),
                         .lab = w->lab->info->name,
                         .part = c->part->id,
                         .case_id = c->id,
                         .backend = o->backend,
                         .nonce = o->nonce,
                         .points = c->points,
                         .seed = hurried.seed};
  *code = v.exit_code;
  return sl_record(&v, &head);
}

static int judge_alone(const options *o, const sl_lab *lab, const sl_case *c, sl_backend backend) {
  sl_error e = {0};
  int code;
  work w = {.o = o, .lab = lab, .backend = backend, .e = &e};
  json_auto_t *record = judge(&w, o, c, NULL, &code);
  const char *test, *status, *message;
  bool ok = sl_device_close(w.spare, &e) && record && sl_record_write(o->record, record, &e);
  if (ok &&
      json_unpack(record, "{s:s, s:s, s:s}", "test", &test, "status", &status, "message", &message) == 0)
    printf("%s: %s: %s\n", test, status, message);
  return ok ? code : stop_judge(&e);
}

// Many cases ------------------------------------------------------------------------------------------------

// Judges one of the list. *code: the exit code. NULL: an error.
static json_t *judge_listed(work *w, const json_t *one, sl_session *session, int *code) {
  options own = *w->o;
  if (json_unpack((json_t *)one, "{s:s, s:s, s?s}", "case", &own.name, "nonce", &own.nonce, "salt",
                  &own.salt)) {
    sl_fail(w->e, SL_EXIT_INPUT, NULL, "a case needs \"case\", \"record\" and \"nonce\"");
    return NULL;
  }
  if (w->endless >= SL_ENDLESS_CASES) own.timeout = SL_SHORT_SECONDS;
  const sl_case *c = sl_lab_case(w->lab, own.name, w->e);
  return c ? judge(w, &own, c, session, code) : NULL;
}

static void write_listed(work *w, const json_t *one, const json_t *record) {
  const char *path = json_string_value(json_object_get(one, "record"));
  const sl_reason why = sl_reason_find(json_string_value(json_object_get(record, "reason")));
  if (path && !w->e->code) sl_record_write(path, record, w->e);
  w->endless += sl_reason_is_endless(why);
}

// A program that is called several times with one size, or with other bits, types and values, is to begin
// with that: what it keeps from its first call must do.
static bool begins(const work *w, const json_t *one) {
  const char *name = json_string_value(json_object_get(one, "case"));
  sl_error e = {0};
  const sl_case *c = sl_lab_case(w->lab, name ? name : "", &e);
  return c && (c->calls > 1 || c->n_then);
}

// Judges the list from [k] on in one session until that is broken. A pass counts if the session ends well; a
// failure counts if it is the session's first case. Returns the index of the first case not seen.
static size_t judge_session(work *w, size_t k) {
  enum { SECONDS = 600 };
  sl_session *session = sl_session_new(SECONDS);
  json_t *passed = json_array(), *pair;
  size_t first = k, i;
  for (; k < json_array_size(w->list) && !sl_session_broken(session) && sl_now() < w->until; k++) {
    json_t *one = json_array_get(w->list, k);
    int code = 0;
    if (k > first && begins(w, one)) break;
    json_t *record = judge_listed(w, one, session, &code);
    if (!record) break;
    if (code == SL_EXIT_OK) json_array_append_new(passed, json_pack("[O, O]", one, record));
    else if (k == first) write_listed(w, one, record);
    else json_array_append(w->again, one);
    json_decref(record);
  }
  bool well = sl_session_end(session);
  json_array_foreach(passed, i, pair) {
    if (well) write_listed(w, json_array_get(pair, 0), json_array_get(pair, 1));
    else json_array_append(w->again, json_array_get(pair, 0));
  }
  json_decref(passed);
  return k;
}

// The cases that stdin lists, each {"case", "nonce", "record"} and perhaps "salt": in as few processes as
// they need, then each that did not pass beside others by itself. A case without time leaves no record.
static int judge_many(const options *o, const sl_lab *lab, sl_backend backend) {
  enum { SECONDS = 30 };
  sl_error e = {0};
  work w = {.o = o,
            .lab = lab,
            .backend = backend,
            .list = json_loadf(stdin, JSON_REJECT_DUPLICATES, NULL),
            .again = json_array(),
            .until = sl_now() + SECONDS,
            .e = &e};
  json_t *one;
  size_t k = 0, i;
  if (!json_is_array(w.list)) sl_fail(&e, SL_EXIT_INPUT, NULL, "stdin is not a list of cases");
  while (k < json_array_size(w.list) && !e.code && sl_now() < w.until) k = judge_session(&w, k);
  json_array_foreach(w.again, i, one) {
    int code;
    json_auto_t *record = e.code || sl_now() >= w.until ? NULL : judge_listed(&w, one, NULL, &code);
    if (record) write_listed(&w, one, record);
  }
  sl_device_close(w.spare, &e);
  json_decref(w.list);
  json_decref(w.again);
  return e.code ? stop_judge(&e) : SL_EXIT_OK;
}

// Options ---------------------------------------------------------------------------------------------------

static int run_many(const options *o, int backend) {
  sl_error e = {0};
  if (!o->lab || !o->runner)
    return sl_fail(&e, SL_EXIT_USAGE, "see sl-judge --help", "--many needs --lab and --runner"),
           stop_judge(&e);
  SL_LAB_FREED sl_lab *lab = sl_lab_load(o->lab, &e);
  return lab ? judge_many(o, lab, (sl_backend)backend) : stop_judge(&e);
}

static int run_case(const options *o) {
  sl_error e = {0};
  int backend = sl_name_find("backend", o->backend, sl_backend_names, SL_EXIT_USAGE, &e);
  if (backend < 0) return stop_judge(&e);
  if (o->many) return run_many(o, backend);
  if (!o->lab || !o->name || !o->runner || !o->record) {
    sl_fail(&e, SL_EXIT_USAGE, "see sl-judge --help", "--lab, --case, --runner and --record are needed");
    return stop_judge(&e);
  }
  SL_LAB_FREED sl_lab *lab = sl_lab_load(o->lab, &e);
  const sl_case *c = lab ? sl_lab_case(lab, o->name, &e) : NULL;
  if (c && !sl_case_runs_on(c, o->backend))
    sl_fail(&e, SL_EXIT_USAGE, "use --backend sim", "%s is judged by the simulator's counters and findings",
            o->name);
  if (c && !e.code && backend == SL_BACKEND_GPU && c->part->kind == SL_PART_SPEED && !o->reference)
    sl_fail(&e, SL_EXIT_USAGE, "build solutions/ for this GPU",
            "speed on a GPU is judged against --reference FILE");
  return e.code ? stop_judge(&e) : judge_alone(o, lab, c, (sl_backend)backend);
}

// Copies [*word] and wipes it out of the command line, which everybody can read.
static char *take_secret(const char **word) {
  char *copy = *word ? sl_path("%s", *word) : NULL;
  if (copy) explicit_bzero((char *)*word, strlen(*word));
  *word = copy;
  return copy;
}

int main(int argc, char **argv) {
  options o = {.backend = "sim"};
  const sl_opt opts[] = {
      SL_OPT_TEXT("--lab", &o.lab, "FILE", "the lab's description, labs/NN_name/lab.json"),
      SL_OPT_TEXT("--case", &o.name, "PART.CASE", "which case"),
      SL_OPT_TEXT("--runner", &o.runner, "FILE", "the runner program to judge"),
      SL_OPT_TEXT("--backend", &o.backend, "sim|gpu", "simulated (default) or real GPU"),
      SL_OPT_TEXT("--reference", &o.reference, "FILE",
                  "the reference solution's runner, for speed on a real GPU"),
      SL_OPT_TEXT("--record", &o.record, "FILE", "where the record goes"),
      SL_OPT_TEXT("--nonce", &o.nonce, "HEX", "copied into the record"),
      SL_OPT_TEXT("--salt", &o.salt, "HEX", "16 digits that change the seeds of lab.json"),
      SL_OPT_FLAG("--many", &o.many, "judge the cases that stdin lists, in as few processes as they need"),
      SL_OPT_FLAG("--count", &o.count, "count what kernels do, also in parts that need only results"),
      SL_OPT_TEXT("--data", &o.data, "DIR", "folder of datasets (default: the build's)"),
      SL_OPT_NUMBER("--repeats", &o.repeats, "K", 0, 256,
                    "timed calls after the case's own (default 0: time its own)"),
      SL_OPT_TEXT("--schedule", &o.schedule, "WORDS", SL_SCHEDULE_HELP),
      SL_OPT_TEXT("--file", &o.file, "FILE", "the kernel's source, as replay commands name it"),
      SL_OPT_NUMBER("--colour", &o.colour, "0|1", 0, 1, "1: the texts of findings are in colour"),
      SL_OPT_NUMBER("--timeout", &o.timeout, "S", 1, 3600,
                    "stop the program after S seconds, if the case allows more"),
      SL_OPT_END};
  const sl_cli cli = {
      "sl-judge", "judges one case of a lab with one runner program and writes one record",
      "sl-judge --lab labs/03_blelloch/lab.json --case scan.n1024 --runner runner --record out.json", "",
      opts};
  sl_cli_parse(&cli, argc, argv, NULL);
  SL_FREED char *nonce = take_secret(&o.nonce), *salt = take_secret(&o.salt);
  prctl(PR_SET_DUMPABLE, 0); // keeps the student's process out, which runs as the same user
  int code = run_case(&o);
  prctl(PR_SET_DUMPABLE, 1); // leak checkers need it, and the student's process is gone
  return code;
}
