// From the judge's record to a result. Nothing in a record is believed before it is checked.
//
// Interface: sl__judge_result compares a record with the test that is expected: it must parse, name this
// test, carry the nonce of this run, and its points must be what lab.json gives for its status. A record that
// is missing or invalid gives 0 points with the reason. If the judge itself failed the result is `error`: no
// score, the instructor has to look. sl__total sums up.
#include "grade.h"

#include <math.h>
#include <openssl/crypto.h>
#include <string.h>

const char *const sl__status_names[] = {"pass", "fail", "error", "skip", NULL};

void sl__set_result(sl_test *t, sl_status status, const char *message) {
  bool run = t->r.run;
  if (t->r.record) json_decref(t->r.record);
  t->r = (sl_result){.status = status, .message = message, .detail = "", .run = run};
}

static bool same(const json_t *record, const char *key, const char *want) {
  const char *s = json_string_value(json_object_get(record, key));
  return s && strcmp(s, want) == 0;
}

static bool nonce_matches(const json_t *record, const char *want) {
  const json_t *v = json_object_get(record, "nonce");
  size_t len = strlen(want);
  return json_is_string(v) && json_string_length(v) == len &&
         CRYPTO_memcmp(json_string_value(v), want, len) == 0;
}

static int status_of(const json_t *record) {
  for (int i = 0; i <= SL_ERROR; i++)
    if (same(record, "status", sl__status_names[i])) return i;
  return -1;
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

// Do the points fit the status? In a part of kind "speed" a slow, right result gets a share of them.
static bool points_hold(const sl_test *t, double v, int status) {
  bool share = status == SL_FAILED && t->c->part->kind == SL_PART_SPEED;
  double most = status == SL_PASS || share ? t->max : 0;
  return share ? v >= 0 && v <= most + 1e-6 : fabs(v - most) <= 1e-6;
}

static const char *check_values(sl_arena *a, const json_t *record, const sl_test *t, int status) {
  const json_t *points = json_object_get(record, "points");
  double v = json_number_value(points);
  if (status < 0) return "its status is none of pass, fail, error";
  if (!json_is_number(points) || !points_hold(t, v, status))
    return sl__str(a, "it claims %g points where %s gives %g of %g", v, sl__status_names[status],
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

static const char *text_of(const json_t *record, const char *key) {
  const char *s = json_string_value(json_object_get(record, key));
  return s ? s : "";
}

static void take_record(sl_arena *a, sl_test *t, json_t *record) {
  t->r.status = (sl_status)status_of(record);
  t->r.points = t->r.status == SL_PASS ? t->max : json_number_value(json_object_get(record, "points"));
  t->r.seconds = json_number_value(json_object_get(record, "seconds"));
  t->r.message = sl__safe(a, text_of(record, "message"));
  t->r.detail = sl__safe_lines(a, text_of(record, "detail"));
  t->r.record = json_incref(record);
}

// Says why there is no record, from the way the judge's process ended. Sets [*infra] if the grader is at
// fault.
static const char *why_missing(sl_arena *a, const sl_seen *seen, bool *infra) {
  *infra = true;
  if (!seen->known) return "the test was not started or was ended from outside: no record";
  if (seen->timed_out) {
    *infra = false;
    return sl__str(a, "stopped after %.0f s without a result", seen->seconds);
  }
  if (seen->signal)
    return sl__str(a, "the judge was ended by signal %d (%s)", seen->signal, strsignal(seen->signal));
  if (seen->code > SL_EXIT_FAILED) return sl__str(a, "the judge could not do its work (exit %d)", seen->code);
  *infra = false;
  return "the judge left no record";
}

void sl__judge_result(sl_arena *a, sl_test *t, const char *lab_name, const char *text, const char *nonce,
                      const sl_seen *seen) {
  json_error_t at;
  bool infra;
  const char *why = why_missing(a, seen, &infra);
  json_t *record = text ? json_loads(text, JSON_REJECT_DUPLICATES, &at) : NULL;
  if (text && !json_is_object(record)) {
    const char *reason = record ? "not an object" : sl__safe(a, at.text);
    sl__set_result(t, infra ? SL_ERROR : SL_FAILED, sl__str(a, "the record cannot be read (%s)", reason));
  } else if (!record) {
    sl__set_result(t, infra ? SL_ERROR : SL_FAILED, why);
  } else {
    const char *wrong = check_record(a, record, t, lab_name, nonce);
    sl__set_result(t, SL_FAILED, "");
    if (wrong) t->r.message = sl__str(a, "the record does not count: %s", wrong);
    else take_record(a, t, record);
  }
  t->r.seconds = t->r.seconds > 0 ? t->r.seconds : seen->seconds;
  json_decref(record);
}

// What one test means for others ----------------------------------------------------------------------------

// The lab's first test that [is] accepts; NULL: none.
static const sl_test *first_where(const sl_graded_lab *gl, bool (*is)(const sl_test *)) {
  for (size_t k = 0; k < gl->n_tests; k++)
    if (is(&gl->tests[k])) return &gl->tests[k];
  return NULL;
}

static bool is_wrong(const sl_test *t) {
  return t->c->part->kind == SL_PART_CORRECT && t->r.status == SL_FAILED;
}
static bool is_from_host(const sl_test *t) { return json_is_true(json_object_get(t->r.record, "from_host")); }

static void take_points(sl_arena *a, sl_test *t, const char *why, const sl_test *because) {
  if (t->r.status > SL_FAILED || (t->r.status == SL_FAILED && t->r.points <= 0)) return;
  t->r.status = SL_FAILED;
  t->r.points = 0;
  t->r.message = sl__str(a, "no points, because %s %s (%s)", because->name, why, t->r.message);
}

void sl__settle(sl_arena *a, sl_submission *s) {
  for (size_t i = 0; i < s->n_labs; i++) {
    sl_graded_lab *gl = &s->labs[i];
    const sl_test *host = first_where(gl, is_from_host);
    for (size_t k = 0; k < gl->n_tests && host; k++)
      if (strcmp(gl->tests[k].backend, "gpu") == 0)
        take_points(a, &gl->tests[k], "found on the simulated GPU that results pass through the host", host);
    const sl_test *wrong = first_where(gl, is_wrong);
    for (size_t k = 0; k < gl->n_tests && wrong; k++)
      if (gl->tests[k].c->part->kind == SL_PART_SPEED)
        take_points(a, &gl->tests[k], "is wrong, and speed counts only for right results", wrong);
  }
}

const char *sl__speed_basis(const sl_graded_lab *gl) {
  for (size_t k = 0; k < gl->n_tests; k++) {
    const char *basis =
        json_string_value(json_object_get(json_object_get(gl->tests[k].r.record, "speed"), "basis"));
    if (!basis) continue;
    return strcmp(basis, "time") ? "on simulated traffic and launches, not on times: no GPU was used for it"
                                 : "on times of this GPU, in turns with the reference solution";
  }
  return NULL;
}

// Rounds away the error of adding thirds and sevenths: 100 points stay 100.
static double rounded(double v) { return round(v * 1e6) / 1e6; }

void sl__total(sl_submission *s) {
  s->score = s->max = 0;
  for (size_t i = 0; i < s->n_labs; i++) {
    sl_graded_lab *gl = &s->labs[i];
    gl->score = gl->max = 0;
    for (size_t k = 0; k < gl->n_tests; k++) {
      gl->score += gl->tests[k].r.points;
      gl->max += gl->tests[k].max;
    }
    s->score += gl->score = rounded(gl->score);
    s->max += gl->max = rounded(gl->max);
  }
  s->score = rounded(s->score);
  s->max = rounded(s->max);
}
