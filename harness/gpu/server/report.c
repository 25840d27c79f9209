// The report file: findings and launches as JSON (docs/internals/interfaces.md says what it holds).
//
// Interface: sl__report_write, once, at the end. sl_printable escapes control characters and broken UTF-8,
// json.c quotes and backslashes.
#include "gpu/server/json.h"
#include "gpu/server/server.h"
#include "observers/recorded.h"

static void put_member(sl_json *j, const char *name, const char *value) {
  sl__json_put(j, "\"%s\": ", name);
  sl__json_string(j, value);
}

static void put_triple(sl_json *j, const char *name, const uint32_t v[3]) {
  sl__json_put(j, ", \"%s\": [%u, %u, %u]", name, v[0], v[1], v[2]);
}

static void put_finding(sl_json *j, const sl_finding *f, const sl_telling *t) {
  SL_FREED char *text = sl_finding_json(f, t);
  sl__json_put(j, "\n  ");
  if (j->ok)
    j->ok = text ? sl_write(j->out, text, strlen(text), j->e)
                 : sl_fail(j->e, SL_EXIT_INFRA, NULL, "out of memory");
}

// Float additions if the kernel has executed any, else integer ones.
static uint64_t adds(const sl_counters *c, const sl_phase *p) {
  if (!p) return c->adds_float ? c->adds_float : c->adds_int;
  return c->adds_float ? p->adds_float : p->adds_int;
}

static void put_count(sl_json *j, const char *name, uint64_t v, const char *after) {
  sl__json_put(j, "\"%s\": %llu%s", name, (unsigned long long)v, after);
}

static void put_counters(sl_json *j, const sl_counters *c) {
  sl__json_put(j, ",\n   \"counters\": {");
  put_count(j, "adds", adds(c, NULL), ", ");
#define COUNT(name) put_count(j, #name, c->name, ", ")
  COUNT(adds_float), COUNT(adds_int);
  if (c->data_ops) COUNT(data_ops);
  COUNT(warp_instructions), COUNT(thread_instructions), COUNT(barriers);
  COUNT(shared_ld_requests), COUNT(shared_st_requests), COUNT(shared_ld_replays), COUNT(shared_st_replays);
  COUNT(global_ld_requests), COUNT(global_st_requests), COUNT(global_ld_sectors), COUNT(global_st_sectors);
  COUNT(atomics), COUNT(fmas), COUNT(global_st_bytes), COUNT(global_atomic_sectors), COUNT(shared_bytes);
  COUNT(blocks), COUNT(block_cycles), COUNT(path);
  put_count(j, "longest_warp", c->longest_warp, "}");
#undef COUNT
}

static void put_phases(sl_json *j, const sl_counters *c) {
  sl__json_put(j, ",\n   \"phases\": [");
  for (uint32_t i = 0; i < c->n_phases && i < SL_MAX_PHASES; i++) {
    const sl_phase *p = &c->phases[i];
    sl__json_put(j, "%s{", i ? ", " : "");
    put_count(j, "adds", adds(c, p), ", ");
    put_count(j, "shared_ld_replays", p->shared_ld_replays, ", ");
    put_count(j, "shared_st_replays", p->shared_st_replays, "}");
  }
  sl__json_put(j, "]");
}

static void put_launch(sl_json *j, const sl_launch_record *r, const sl_recorded *recorded) {
  sl__json_put(j, "\n  {");
  put_member(j, "name", r->name);
  sl__json_put(j, ", \"launch\": %llu", (unsigned long long)r->launch);
  put_triple(j, "grid", r->grid);
  put_triple(j, "block", r->block);
  sl__json_put(j, ", \"seconds\": %.6f", r->seconds);
  put_counters(j, &r->counters);
  put_phases(j, &r->counters);
  if (recorded) sl__json_recorded(j, recorded);
  sl__json_put(j, "}");
}

// The findings, or the notes among them.
static void put_findings(sl_json *j, const sl_server *s, bool notes) {
  const sl_finding *f = NULL;
  size_t n = sl_gpu_findings(s->gpu, &f), put = 0;
  for (size_t i = 0; i < n; i++) {
    static sl_finding told;
    if (sl_found_is_note(f[i].id) != notes) continue;
    told = f[i];
    sl__tell_host(s, &told);
    sl__json_put(j, "%s", put++ ? "," : "");
    put_finding(j, &told, &s->telling);
  }
}

static void put_report(sl_json *j, const sl_server *s) {
  sl__json_put(j, "{\"findings\": [");
  put_findings(j, s, false);
  sl__json_put(j, "],\n\"kernels\": [");
  static sl_launch_record r;
  const sl_recorded *recorded;
  size_t n_recorded = sl_gpu_recorded(s->gpu, &recorded);
  for (size_t i = 0; i < s->records.n; i++) {
    sl__json_put(j, "%s", i ? "," : "");
    sl__record_get(s, i, &r);
    put_launch(j, &r, r.recorded && r.recorded <= n_recorded ? &recorded[r.recorded - 1] : NULL);
  }
  sl__json_put(j, "],\n\"notes\": [");
  put_findings(j, s, true);
  sl__json_put(j, "],\n\"kernels_not_listed\": %llu, \"accesses_not_observed\": %llu}\n",
               (unsigned long long)(s->records.total - s->records.n),
               (unsigned long long)sl_gpu_not_observed(s->gpu));
}

bool sl__report_write(sl_server *s, sl_error *e) {
  if (!s->report) return true;
  sl_json j = {s->report, e, true};
  s->report = NULL;
  put_report(&j, s);
  return sl_finish(j.out, j.ok, e);
}
