// Writes what was recorded of a launch as JSON: counters of its lines, its arrays and events.
//
// There are many events, so each is a row of numbers: [kind, block, phase, thread, line, request, replays,
// array, offset, bytes, "type", value, [reads that the value came from]]; a strong access, or one with a
// finding, goes on with: strong, how often it was read again, "finding"]. A barrier is [3, block, phase,
// line]. An access outside of its array, which was left out, has its kind plus 4, and its index as the value.
#include "findings/findings.h"
#include "gpu/server/json.h"
#include "ptx/ir.h"

static void put_lines(sl_json *j, const sl_recorded *r) {
  sl__json_put(j, ",\n   \"lines\": [");
  for (size_t k = 0; k < r->n_lines; k++) {
    const sl_line *l = &r->lines[k];
    sl__json_put(j, "%s\n    {\"file\": ", k ? "," : "");
    sl__json_string(j, l->file);
    sl__json_put(j, ", \"line\": %u", l->line);
    for (unsigned c = 0; c < SL_LN_COUNT; c++)
      sl__json_put(j, ", \"%s\": %llu", sl_line_counter_name(c), (unsigned long long)l->c[c]);
    sl__json_put(j, "}");
  }
  sl__json_put(j, "]");
}

static void put_arrays(sl_json *j, const sl_recorded *r) {
  sl__json_put(j, ",\n   \"arrays\": [");
  for (size_t k = 0; k < r->n_arrays; k++) {
    const sl_touched *t = &r->arrays[k];
    sl__json_put(j, "%s{\"name\": ", k ? ", " : "");
    sl__json_string(j, t->name);
    sl__json_put(j, ", \"space\": \"%s\", \"param\": %d, \"word\": %u, \"base\": %llu, \"size\": %llu}",
                 t->space == SL_SP_SHARED ? "shared" : "global", t->param, t->word,
                 (unsigned long long)t->base, (unsigned long long)t->size);
  }
  sl__json_put(j, "]");
}

static void put_event(sl_json *j, const sl_event *e) {
  if (e->kind == SL_EV_BARRIER) {
    sl__json_put(j, "[3, %u, %u, %u]", e->block, e->phase, e->line);
    return;
  }
  sl__json_put(j, "[%u, %u, %u, %u, %u, %u, %u, %u, %u, %u, \"%s\", %lld, [",
               e->kind + (e->outside ? SL_EV_OUTSIDE : 0u), e->block, e->phase, e->thread, e->line,
               e->request, e->replays, e->array, e->offset, e->bytes, sl_ptx_mod_name((sl_ptx_mod)e->type),
               (long long)e->value);
  for (unsigned k = 0; k < e->n_from; k++) sl__json_put(j, "%s%u", k ? ", " : "", e->from[k]);
  sl__json_put(j, "]");
  if (e->strong || e->found)
    sl__json_put(j, ", %u, %u, \"%s\"", e->strong, e->again,
                 e->found ? sl_found_name((sl_found)e->found) : "");
  sl__json_put(j, "]");
}

void sl__json_recorded(sl_json *j, const sl_recorded *r) {
  if (r->n_lines) put_lines(j, r);
  if (!r->n_events) return;
  put_arrays(j, r);
  sl__json_put(j, ",\n   \"events_dropped\": %llu,\n   \"events\": [", (unsigned long long)r->dropped);
  for (size_t k = 0; k < r->n_events; k++) {
    sl__json_put(j, "%s", k ? ",\n    " : "\n    ");
    put_event(j, &r->events[k]);
  }
  sl__json_put(j, "]");
}
