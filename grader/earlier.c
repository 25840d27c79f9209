// What a test of a grading learns from the others of its lab: their records and ends, whether one of them
// spares it a real GPU, whether the lab's tests have little time.
//
// Interface: one_test.h. A record counts if it has the nonce of the test's ticket: it is of this run then.
#include "one_test.h"

char *sl__job_file(const sl_one_test *t, const char *test, const char *kind) {
  return sl_path("%s/%s.%s", sl_json_text(t->jobs, "raw"), test, kind);
}

static json_t *load_of(const sl_one_test *t, const char *test, const char *kind) {
  SL_FREED char *path = sl__job_file(t, test, kind);
  return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

const sl_ticket *sl__job_ticket(const sl_one_test *t, const char *test) {
  for (size_t k = 0; k < t->all.n; k++)
    if (!strcmp(t->all.at[k].test, test)) return &t->all.at[k];
  return NULL;
}

enum { SLOW_SECONDS = 25 };
// This small program is not linked with reason.c.
static const char *const reason_ids[] = {
#define SL_REASON(name, id, ...) id,
#include "judge/verdicts.def"
};

bool sl__is_long(const json_t *timed) {
  return json_number_value(json_object_get(timed, "seconds")) > SLOW_SECONDS;
}

bool sl__is_endless(const json_t *record) {
  int why = 0;
  while (why < SL_REASON_COUNT && strcmp(sl_json_text(record, "reason"), reason_ids[why]) != 0) why++;
  return sl_reason_is_endless((sl_reason)why);
}

// A right result, too, if it took so much processor time: many times what right kernels take.
enum { RIGHT_SECONDS = 30 };
static bool was_dear(const json_t *record) {
  return json_number_value(json_object_get(record, "processor_seconds")) > RIGHT_SECONDS;
}

// Did the test of the ticket fail slowly in this run, or its host code compute or wait without end?
static bool was_slow(const sl_one_test *t, const sl_ticket *ticket) {
  if (!ticket) return false;
  json_auto_t *end = load_of(t, ticket->test, "end"), *record = NULL;
  const json_int_t code = json_integer_value(json_object_get(end, "code"));
  if (!end || strcmp(sl_json_text(end, "nonce"), ticket->nonce) != 0) return false;
  if (code == SL_EXIT_FAILED && sl__is_long(end)) return true;
  if (code == SL_EXIT_OK ? sl__is_long(end) : code == SL_EXIT_FAILED)
    record = load_of(t, ticket->test, "json");
  return code == SL_EXIT_OK ? was_dear(record) : sl__is_endless(record);
}

bool sl__is_slow_lab(const sl_one_test *t) {
  const char *other;
  json_t *job;
  int slow = 0;
  json_object_foreach(json_object_get(t->jobs, "tests"), other, job) {
    slow += was_slow(t, sl__job_ticket(t, other));
  }
  return slow >= SL_ENDLESS_CASES;
}

json_t *sl__job_record(const sl_one_test *t, const char *test) {
  const json_t *job = json_object_get(json_object_get(t->jobs, "tests"), test);
  const sl_ticket *ticket = sl__job_ticket(t, test);
  json_t *record = job && ticket ? load_of(t, test, "json") : NULL;
  if (record && !strcmp(sl_json_text(record, "nonce"), ticket->nonce)) return record;
  json_decref(record);
  return NULL;
}

// One that failed without points spares it: the case has none then, or its speed does not count, and a kernel
// without end would hold the GPU until its time is over.
json_t *sl__spared_by(const sl_one_test *t, const json_t *job) {
  const json_t *name;
  size_t i;
  json_array_foreach(json_object_get(job, "spared_by"), i, name) {
    json_t *sim = sl__job_record(t, json_string_value(name));
    if (!strcmp(sl_json_text(sim, "status"), "fail") &&
        json_number_value(json_object_get(sim, "points")) <= 0)
      return sim;
    json_decref(sim);
  }
  return NULL;
}

// The lab's others are not tried there, as each could hold it for as long.
json_t *sl__hung_by(const sl_one_test *t) {
  const char *name;
  json_t *other;
  int hung = 0;
  if (strcmp(sl_json_text(t->job, "backend"), "gpu") != 0) return NULL;
  json_object_foreach(json_object_get(t->jobs, "tests"), name, other) {
    json_t *record = strcmp(sl_json_text(other, "backend"), "gpu") ? NULL : sl__job_record(t, name);
    if (sl__is_endless(record) && ++hung == SL_ENDLESS_CASES) return record;
    json_decref(record);
  }
  return NULL;
}

bool sl__write_spared(const sl_one_test *t, const json_t *by, sl_error *e) {
  const char *part = sl_json_text(t->job, "case"), *dot = strchr(part, '.');
  SL_FREED char *message = sl_path("not run on the real GPU, because %s failed", sl_json_text(by, "test"));
  json_auto_t *record =
      json_pack("{s:s, s:s, s:s%, s:s, s:s, s:s, s:s, s:s, s:{s:s}, s:i, s:i, s:s}", "test", t->ticket->test,
                "lab", sl_json_text(by, "lab"), "part", part, dot ? (size_t)(dot - part) : 0, "case",
                dot ? dot + 1 : "", "backend", sl_json_text(t->job, "backend"), "nonce", t->ticket->nonce,
                "status", "fail", "reason", reason_ids[SL_REASON_GRADE_SPARED], "fields", "test",
                sl_json_text(by, "test"), "points", 0, "seconds", 0, "message", message);
  SL_FREED char *text = json_dumps(record, 0);
  SL_FREED char *path = sl__job_file(t, t->ticket->test, "json");
  return text && sl_write_passing(path, text, strlen(text), e);
}
