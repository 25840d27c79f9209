// From the judge's record to a result. Nothing in a record is believed before it is checked.
//
// Interface: sl__judge_result compares a record with the test that is expected: it must parse, name this
// test, carry the nonce of this run, and its points must be what lab.json gives for its status. A record that
// is missing or invalid gives 0 points with the reason. If the judge itself failed the result is `error`: no
// score, the instructor has to look. sl__total sums up.
#include "grade.h"

#include <math.h>
#include <nettle/memops.h>

void sl__drop_result(sl_test *t) {
  json_decref(t->r.record);
  json_decref(t->r.fields);
  t->r.record = t->r.fields = NULL;
}

static const char *in_words(sl_arena *a, sl_reason why, const json_t *fields) {
  char text[4096];
  return sl__safe(a, sl_reason_text(why, fields, text, sizeof text));
}

void sl__set_result(sl_arena *a, sl_test *t, sl_status status, sl_reason why, json_t *fields) {
  bool run = t->r.run;
  sl__drop_result(t);
  t->r = (sl_result){.status = status,
                     .reason = why,
                     .fields = fields,
                     .message = in_words(a, why, fields),
                     .detail = "",
                     .run = run};
}

void sl__set_problem(sl_arena *a, sl_graded_lab *gl, sl_reason why, const char *said) {
  json_auto_t *fields = json_pack("{s:s}", "text", said);
  gl->why = why, gl->said = said, gl->problem = in_words(a, why, fields);
}

static bool same(const json_t *record, const char *key, const char *want) {
  const char *s = json_string_value(json_object_get(record, key));
  return s && strcmp(s, want) == 0;
}

static bool nonce_matches(const json_t *record, const char *want) {
  const json_t *v = json_object_get(record, "nonce");
  size_t len = strlen(want);
  return json_is_string(v) && json_string_length(v) == len && memeql_sec(json_string_value(v), want, len);
}

static int status_of(const json_t *record) {
  sl_status s = sl_status_find(json_string_value(json_object_get(record, "status")));
  return s <= SL_ERROR ? (int)s : -1;
}

// Checks the names in the record. Returns what is wrong, NULL if nothing is.
static const char *check_names(const json_t *record, const sl_test *t, const char *lab_name) {
  const struct {
    const char *key, *want;
  } rows[] = {{"test", t->name},
              {"lab", lab_name},
              {"part", t->c->part->id},
              {"case", t->c->id},
              {"backend", t->backend}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!same(record, rows[i].key, rows[i].want)) return rows[i].key;
  return NULL;
}

// Do the points fit the status? A right result that is slow, or a little above a bound, gets a share of them;
// one whose call has left something behind gets half of them.
static bool points_hold(const sl_test *t, const json_t *record, double v, int status) {
  sl_part_kind kind = t->c->part->kind;
  const bool leak = sl_reason_is_leak(sl_reason_find(json_string_value(json_object_get(record, "reason")))),
             bound = kind == SL_PART_COUNTERS || (kind == SL_PART_CORRECT && t->c->n_expect > 0),
             share = status == SL_FAIL && !leak && (kind == SL_PART_SPEED || bound);
  const double most = status == SL_PASS || share ? t->max : status == SL_FAIL && leak ? t->max / 2 : 0;
  return share ? v >= 0 && v <= most + 1e-6 : fabs(v - most) <= 1e-6;
}

static const char *check_values(sl_arena *a, const json_t *record, const sl_test *t, int status) {
  const json_t *points = json_object_get(record, "points");
  double v = json_number_value(points);
  if (status < 0) return "its status is none of pass, fail, error";
  if (!json_is_number(points) || !points_hold(t, record, v, status))
    return sl__str(a, "it claims %g points where %s gives %g of %g", v, sl_status_names[status],
                   status == SL_PASS ? t->max : 0, t->max);
  if (!json_is_string(json_object_get(record, "message"))) return "it has no message";
  if (!(json_number_value(json_object_get(record, "seconds")) >= 0)) return "it has no time";
  return NULL;
}

// Returns why the record cannot be believed, NULL if it can.
static const char *check_record(sl_arena *a, const json_t *record, const sl_test *t, const char *lab_name,
                                const char *nonce) {
  const char *wrong_name = check_names(record, t, lab_name);
  if (!nonce_matches(record, nonce)) return "it does not carry the secret of this run";
  if (wrong_name) return sl__str(a, "its \"%s\" is not the one of this test", wrong_name);
  return check_values(a, record, t, status_of(record));
}

// In how many steps a test that students do not have gives a share of its points: a kernel can choose it.
enum { HIDDEN_STEPS = 4 };

// A part of the points in steps; less than all stays less.
static double in_steps(double points, double most) {
  double steps = fmin(round(points / most * HIDDEN_STEPS), HIDDEN_STEPS - 1);
  return points < most ? steps * most / HIDDEN_STEPS : points;
}

static void take_record(sl_arena *a, sl_test *t, json_t *record) {
  bool run = t->r.run;
  sl__drop_result(t);
  t->r = (sl_result){.run = run};
  t->r.status = (sl_status)status_of(record);
  t->r.points = t->r.status == SL_PASS ? t->max : json_number_value(json_object_get(record, "points"));
  if (t->c->visibility != SL_PUBLIC) t->r.points = in_steps(t->r.points, t->max);
  t->r.seconds = json_number_value(json_object_get(record, "seconds"));
  t->r.reason = sl_reason_find(json_string_value(json_object_get(record, "reason")));
  t->r.fields = json_incref(json_object_get(record, "fields"));
  t->r.message = sl__safe(a, sl_json_text(record, "message"));
  t->r.detail = sl__safe_lines(a, sl_json_text(record, "detail"));
  t->r.record = json_incref(record);
}

// What is told of a hidden test.
static const char *const hidden_words[] = {
    [SL_PASS] = "passed; this test is hidden",
    [SL_FAIL] = "not passed; this test is hidden and tells no more",
    [SL_ERROR] = "an error of the grader in a hidden test: `grade --reveal` tells it",
    [SL_SKIP] = "left out"};

// Everything in a record that is not named here may tell the input. The reason stays in it, for what it takes
// from other tests, and is told to nobody.
void sl__conceal(sl_arena *a, sl_test *t) {
  static const char *const kept[] = {"test",  "lab",    "part",   "case",      "backend",
                                     "nonce", "status", "reason", "from_host", NULL};
  json_t *record = t->r.record ? json_object() : NULL, *basis;
  for (int k = 0; record && kept[k]; k++)
    json_object_set(record, kept[k], json_object_get(t->r.record, kept[k]));
  if ((basis = json_object_get(json_object_get(t->r.record, "speed"), "basis")))
    json_object_set_new(record, "speed", json_pack("{s:O}", "basis", basis));
  t->r.message = sl__str(a, "%s", hidden_words[t->r.status]);
  t->r.detail = "";
  t->r.seconds = 0; // a kernel may wait for as long as its input is large
  if (record) json_object_set_new(record, "message", json_string(t->r.message));
  if (record) json_object_set_new(record, "seconds", json_real(0));
  if (record) json_object_set_new(record, "points", json_real(t->r.points));
  sl__drop_result(t);
  t->r.record = record;
}

void sl__reveal(sl_arena *a, sl_test *t) {
  t->r.message = sl__str(a, "%s (%s): %s", t->c->given, sl_audience_names[t->c->visibility], t->r.message);
  if (t->r.record) json_object_set_new(t->r.record, "message", json_string(t->r.message));
}

// Says why there is no record, from the way the judge's process ended.
static void set_missing(sl_arena *a, sl_test *t, const sl_seen *seen) {
  if (!seen->known) sl__set_result(a, t, SL_ERROR, SL_REASON_GRADE_ENDED, NULL);
  else if (seen->timed_out)
    sl__set_result(a, t, SL_FAIL, SL_REASON_GRADE_LATE, json_pack("{s:f}", "seconds", seen->seconds));
  else if (seen->signal)
    sl__set_result(a, t, SL_ERROR, SL_REASON_GRADE_SIGNAL,
                   json_pack("{s:i, s:s}", "signal", seen->signal, "means", strsignal(seen->signal)));
  else if (seen->code > SL_EXIT_FAILED)
    sl__set_result(a, t, SL_ERROR, SL_REASON_GRADE_EXIT, json_pack("{s:i}", "exit_code", seen->code));
  else sl__set_result(a, t, SL_FAIL, SL_REASON_GRADE_NO_RECORD, NULL);
}

void sl__judge_result(sl_arena *a, sl_test *t, const char *lab_name, const char *text, const char *nonce,
                      const sl_seen *seen) {
  json_error_t at;
  json_auto_t *record = text ? json_loads(text, JSON_REJECT_DUPLICATES, &at) : NULL;
  if (!json_is_object(record)) set_missing(a, t, seen);
  if (text && !json_is_object(record)) { // whose fault it is, the end of the judge's process tells
    const char *why = record ? "not an object" : sl__safe(a, at.text);
    sl__set_result(a, t, t->r.status, SL_REASON_GRADE_UNREADABLE, json_pack("{s:s}", "why", why));
  } else if (record) {
    const char *wrong = check_record(a, record, t, lab_name, nonce);
    if (wrong) sl__set_result(a, t, SL_FAIL, SL_REASON_GRADE_REFUSED, json_pack("{s:s}", "why", wrong));
    else take_record(a, t, record);
  }
  t->r.seconds = t->r.seconds > 0 ? t->r.seconds : seen->seconds;
}

// What one test means for others ----------------------------------------------------------------------------

// The lab's first test that [is] accepts; NULL: none.
static const sl_test *first_where(const sl_graded_lab *gl, bool (*is)(const sl_test *)) {
  SL_EACH_TEST(gl, t)
    if (is(t)) return t;
  return NULL;
}

static bool is_from_host(const sl_test *t) { return json_is_true(json_object_get(t->r.record, "from_host")); }

// [by]'s message for those who are told of [of]: only the status if [by] is told to fewer or later.
static const char *said_beside(const sl_test *of, const sl_test *by) {
  bool less = by->c->visibility == SL_HIDDEN || by->c->visibility == SL_AFTER_DUE;
  return less && by->c->visibility != of->c->visibility ? hidden_words[by->r.status] : by->r.message;
}

static void take_points(sl_arena *a, sl_test *t, sl_reason why, const sl_test *because) {
  if (t->r.status > SL_FAIL || (t->r.status == SL_FAIL && t->r.points <= 0)) return;
  json_decref(t->r.fields);
  t->r.fields = json_pack("{s:s, s:s, s:s}", "test", because->name, "message", t->r.message, "because",
                          said_beside(t, because));
  t->r.status = SL_FAIL, t->r.reason = why, t->r.points = 0;
  t->r.message = in_words(a, why, t->r.fields);
}

static bool is_one_warp(const sl_test *t) {
  return t->r.status == SL_FAIL && t->r.reason == SL_REASON_COMPUTED_ONE_WARP;
}

// A real GPU does not count. What the simulated one has seen at a size holds there from that size on.
static void take_uncounted(sl_arena *a, sl_graded_lab *gl) {
  const sl_test *host = first_where(gl, is_from_host), *warp = first_where(gl, is_one_warp);
  uint64_t size = warp ? (uint64_t)json_integer_value(json_object_get(warp->r.fields, "n")) : 0;
  SL_EACH_TEST(gl, t) {
    if (host && sl__is_on_gpu(t)) take_points(a, t, SL_REASON_GRADE_FROM_HOST, host);
    if (warp && sl__is_on_gpu(t) && t->c->n >= size) take_points(a, t, SL_REASON_GRADE_ONE_WARP, warp);
  }
}

// What the simulated GPU thinks less of holds on a real one as well.
static void take_simulated(sl_arena *a, sl_test *t) {
  const sl_result *sim = t->simulated ? &t->simulated->r : NULL;
  if (!sim || sim->status == SL_PASS || t->r.status == SL_ERROR) return;
  if (t->r.status == SL_FAIL && sim->status == SL_FAIL && t->r.points < sim->points) return;
  const sl_result own = t->r;
  t->r = *sim, t->simulated->r = own; // each is freed once
  t->r.message = sl__str(a, "on the simulated GPU: %s", t->r.message);
}

typedef struct taking {
  sl_reason why; // SL_REASON_COUNT: nothing is taken
  const sl_test *because;
} taking;

// Does a test of the part fail by itself? Then the part shows what a case of kind "speed" would add.
static bool part_fails(const sl_graded_lab *gl, const sl_part *part) {
  SL_EACH_TEST(gl, t)
    if (t->c->part == part && t->r.status == SL_FAIL) return true;
  return false;
}

// The first result of the lab that takes the points of [t].
static taking taken_from(const sl_graded_lab *gl, const sl_test *t) {
  SL_EACH_TEST(gl, by) {
    sl_reason why =
        sl_taken_by(t->c, by->c, &(sl_outcome){by->r.status, by->r.reason, by->r.fields, by->r.points});
    if (why == SL_REASON_GRADE_SIZE && part_fails(gl, t->c->part)) continue;
    if (why != SL_REASON_COUNT) return (taking){why, by};
  }
  return (taking){SL_REASON_COUNT, NULL};
}

// What is taken follows from the results as they were judged: a test that loses its points takes none.
static void settle_lab(sl_arena *a, sl_graded_lab *gl) {
  taking *from = sl__alloc(a, (gl->n_tests + 1) * sizeof *from);
  SL_EACH_TEST(gl, t) take_simulated(a, t);
  for (size_t k = 0; k < gl->n_tests; k++) from[k] = taken_from(gl, &gl->tests[k]);
  take_uncounted(a, gl);
  for (size_t k = 0; k < gl->n_tests; k++)
    if (from[k].because) take_points(a, &gl->tests[k], from[k].why, from[k].because);
}

void sl__settle(sl_arena *a, sl_submission *s) {
  SL_EACH_LAB(s, gl)
    if (!gl->shared) settle_lab(a, gl);
}

const char *sl__speed_basis(const sl_graded_lab *gl) {
  SL_EACH_TEST(gl, t) {
    const char *basis = json_string_value(json_object_get(json_object_get(t->r.record, "speed"), "basis"));
    if (!basis) continue;
    return strcmp(basis, "time") ? "on simulated traffic and launches, not on times: no GPU was used for it"
                                 : "on times of this GPU, in turns with the reference solution";
  }
  return NULL;
}

double sl__rounded(double points) { return round(points * 1e6) / 1e6; }

bool sl__apart(const sl_submission *s, const sl_graded_lab *gl) {
  return gl->lab->info->own && !s->labs[0].lab->info->own; // optional labs are the last
}

void sl__total(sl_submission *s) {
  s->score = s->max = 0;
  SL_EACH_LAB(s, gl) {
    gl->score = gl->max = 0;
    SL_EACH_TEST(gl, t) {
      gl->score += t->r.points;
      gl->max += t->max;
    }
    gl->score = sl__rounded(gl->score);
    gl->max = sl__rounded(gl->max);
    if (sl__apart(s, gl)) continue;
    s->score += gl->score;
    s->max += gl->max;
  }
  s->score = sl__rounded(s->score);
  s->max = sl__rounded(s->max);
}
