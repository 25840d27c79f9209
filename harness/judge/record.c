// A verdict as one JSON record: what the grader, the reports and sl-run --json read.
//
// Interface: sl_record .. (judge.h). The fields are those of docs/internals/interfaces.md.
#include "judge/judge.h"
#include "judge/model.h"

static json_t *times(const sl_times *t) {
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:f}", "median", t->median, "lo", t->lo, "hi", t->hi,
                   "min", t->min, "max", t->max, "spread", t->spread, "repeats", (int)t->repeats,
                   "device_median", t->device_median);
}

static json_t *effort(const sl_effort *x) {
  return json_pack("{s:f, s:f, s:f, s:f, s:f}", "input", x->input, "reference", x->reference, "upload",
                   x->upload, "program", x->program, "check", x->check);
}

static json_t *interval(const sl_interval *x) {
  return json_pack("{s:f, s:f, s:f}", "value", x->value, "lo", x->lo, "hi", x->hi);
}

static json_t *device_state(const sl_device_state *s) {
  char text[160];
  return json_pack("{s:s, s:s, s:i, s:i, s:i, s:s}", "name", s->name, "driver", s->driver, "sm_mhz",
                   (int)s->sm_mhz, "memory_mhz", (int)s->memory_mhz, "celsius", (int)s->celsius, "throttled",
                   sl_throttle_text(s->throttle, text, sizeof text));
}

// Figures that only a real GPU has.
static void add_times(json_t *o, const sl_speed *s) {
  json_object_set_new(o, "copy_ms", interval(&s->copy));
  json_object_set_new(o, "bytes", json_real(s->bytes));
  json_object_set_new(o, "of_copy_rate", json_real(s->own.value > 0 ? s->copy.value / s->own.value : 0));
  json_object_set_new(o, "handshake_ms", interval(&s->handshake));
  json_object_set_new(o, "rounds", json_integer(s->rounds));
  json_object_set_new(o, "calls", json_integer(s->calls));
  json_object_set_new(o, "stopped_by", json_string(s->stopped));
  json_object_set_new(o, "cache", json_string(s->cache));
  if (s->before.known) json_object_set_new(o, "device_before", device_state(&s->before));
  if (s->after.known) json_object_set_new(o, "device_after", device_state(&s->after));
}

static json_t *speed(const sl_speed *s) {
  json_t *o =
      json_pack("{s:s, s:f, s:o, s:o, s:o}", "basis", sl_basis_names[s->basis], "credit", s->credit, "own_ms",
                interval(&s->own), "reference_ms", interval(&s->reference), "ratio", interval(&s->ratio));
  if (s->basis == SL_BASIS_TIME) add_times(o, s);
  return o;
}

// A wrong result has no points, whatever its speed.
static double points_of(const sl_verdict *v, double max) {
  if (v->status == SL_PASS) return max;
  return v->status == SL_FAIL ? max * v->credit : 0;
}

static json_t *counters(const sl_counter_sum *sum) {
  json_t *o = json_object();
  for (const char *const *name = sl_counter_names(); *name; name++)
    json_object_set_new(o, *name, json_integer((json_int_t)sl_counter_value(sum, *name)));
  return o;
}

static json_t *phases(const sl_counter_sum *sum) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < sum->total.n_phases; k++) {
    const sl_phase *p = &sum->total.phases[k];
    json_array_append_new(list, json_pack("{s:I, s:I, s:I}", "adds", (json_int_t)sl_phase_adds(sum, p),
                                          "shared_ld_replays", (json_int_t)p->shared_ld_replays,
                                          "shared_st_replays", (json_int_t)p->shared_st_replays));
  }
  return list;
}

static json_t *finding(const sl_verdict *v, const sl_finding *f) {
  json_t *o = sl_finding_value(f, &v->telling);
  SL_FREED char *text = sl_findings_text(f, 1, &v->telling);
  json_object_set_new(o, "text", json_string(text ? text : ""));
  return o;
}

static json_t *findings(const sl_verdict *v) {
  json_t *list = json_array();
  for (size_t k = 0; k < v->n_findings; k++) json_array_append_new(list, finding(v, &v->findings[k]));
  return list;
}

static void set(json_t *o, const char *key, const char *text) {
  if (text) json_object_set_new(o, key, json_string(text));
}

json_t *sl_record(const sl_verdict *v, const sl_record_head *h) {
  json_t *o = json_object();
  char hint[sizeof v->hint];
  snprintf(hint, sizeof hint, "%s", v->hint[0] ? v->hint : sl_reason_of(v->reason)->hint);
  set(o, "test", h->test);
  set(o, "lab", h->lab);
  set(o, "part", h->part);
  set(o, "case", h->case_id);
  set(o, "backend", h->backend);
  set(o, "status", sl_status_names[v->status]);
  json_object_set_new(o, "points", json_real(points_of(v, h->points)));
  json_object_set_new(o, "max", json_real(h->points));
  set(o, "reason", sl_reason_of(v->reason)->id);
  json_object_set_new(o, "fields", v->fields ? json_incref(v->fields) : json_object());
  set(o, "message", v->message);
  set(o, "detail", v->detail ? v->detail : "");
  if (hint[0]) set(o, "hint", sl_as_called(hint));
  json_object_set_new(o, "seconds", json_real(v->seconds));
  json_object_set_new(o, "processor_seconds", json_real(v->processor));
  json_object_set_new(o, "n", json_integer((json_int_t)v->n));
  json_object_set_new(o, "seed", json_integer((json_int_t)h->seed));
  set(o, "version", SL_VERSION);
  set(o, "sandbox", v->sandbox);
  if (v->times.repeats) json_object_set_new(o, "times_ms", times(&v->times));
  json_object_set_new(o, "reference_ms", json_real(v->reference_ms));
  json_object_set_new(o, "reference_cores", json_integer(v->reference_cores));
  json_object_set_new(o, "effort_s", effort(&v->effort));
  if (v->speed.basis != SL_BASIS_NONE) json_object_set_new(o, "speed", speed(&v->speed));
  if (v->from_host) json_object_set_new(o, "from_host", json_true());
  if (v->counters.launches) {
    json_object_set_new(o, "model_ms", json_real(sl_model_ms(&v->counters)));
    json_object_set_new(o, "counters", counters(&v->counters));
    json_object_set_new(o, "phases", phases(&v->counters));
  }
  json_object_set_new(o, "findings", findings(v));
  set(o, "nonce", h->nonce);
  return o;
}

json_t *sl_error_record(const sl_error *e) {
  char text[4 * sizeof e->text], hint[4 * sizeof e->hint];
  json_t *o = json_object();
  set(o, "status", sl_status_names[SL_ERROR]);
  set(o, "reason", sl_reason_of(SL_REASON_JUDGE_ERROR)->id);
  set(o, "message", sl_printable(e->text, text, sizeof text));
  if (e->hint[0]) set(o, "hint", sl_printable(e->hint, hint, sizeof hint));
  return o;
}

bool sl_record_write(const char *path, const json_t *record, sl_error *e) {
  SL_FREED char *text = json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER);
  if (!text) return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: the record cannot be written as JSON", path);
  SL_FREED char *line = sl_path("%s\n", text);
  return sl_write_passing(path, line, strlen(line), e); // who reads it checks it
}
