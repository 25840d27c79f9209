// The data of the moving picture: launches, arrays, steps and findings of one execution, and the text above.
//
// Interface: player.h. The data are one JSON object; player/model.js reads it. steps.c makes its steps, and
// page.c the page around it.
#include "picture/play.h"
#include "base/json.h"
#include "picture/player.h"

// Launches, arrays, findings --------------------------------------------------------------------------------

static json_t *names_of(const sl_play *p, size_t launch) {
  json_t *names = json_object();
  char key[24];
  for (size_t k = 0; k < p->evs.n; k++) {
    const sl_ev *v = &p->evs.at[k];
    if (v->launch != launch || v->kind == SL_EV_OPENS) continue;
    snprintf(key, sizeof key, "%u", v->array);
    if (!json_object_get(names, key))
      json_object_set_new(names, key, json_string(p->evs.names[v->name].text));
  }
  return names;
}

static json_t *all_launches(const sl_play *p) {
  const json_t *from = json_object_get(p->report, "kernels");
  json_t *list = json_array();
  char name[128];
  for (size_t k = 0, at = 0; k < json_array_size(from); k++) {
    const json_t *x = json_array_get(from, k);
    while (at < p->evs.n && p->evs.at[at].launch < k) at++;
    sl__short_name(json_string_value(json_object_get(x, "name")), name, sizeof name);
    json_t *out = json_pack("{s:s, s:O, s:O, s:I, s:o}", "name", name, "grid", json_object_get(x, "grid"),
                            "block", json_object_get(x, "block"), "first",
                            (json_int_t)(at < p->evs.n ? p->step[at] : p->n_steps), "names", names_of(p, k));
    const json_int_t dropped = json_integer_value(json_object_get(x, "events_dropped"));
    if (dropped) json_object_set_new(out, "dropped", json_integer(dropped));
    json_array_append_new(list, out);
  }
  return list;
}

static json_t *all_arrays(const sl_play *p) {
  json_t *list = json_array();
  for (size_t k = 0; k < p->evs.n_arrays; k++) {
    const sl_arr *a = &p->evs.arrays[k];
    json_array_append_new(list, json_pack("{s:b, s:I, s:I, s:I, s:I, s:I, s:I}", "shared", a->shared,
                                          "launch", (json_int_t)a->launch, "block", (json_int_t)a->block,
                                          "bytes", (json_int_t)a->bytes, "cells", (json_int_t)a->n_cells,
                                          "word", (json_int_t)(a->base / 4 % 32), "size",
                                          a->shared || a->base ? (json_int_t)(a->size / a->bytes) : -1));
  }
  return list;
}

static uint64_t linear(const json_t *at, const json_t *size) {
  uint64_t v[2][3];
  for (size_t k = 0; k < 3; k++) {
    v[0][k] = (uint64_t)json_integer_value(json_array_get(at, k));
    v[1][k] = (uint64_t)json_integer_value(json_array_get(size, k));
  }
  return v[0][0] + v[1][0] * (v[0][1] + v[1][1] * v[0][2]);
}

// The step that a finding is about: where an access made it, else the last one of its line, of its thread if
// there is one, else where its thread was last; -1: there is none.
static int64_t step_of(const sl_play *p, const json_t *f, uint64_t block, uint64_t thread) {
  int64_t last = -1, own = -1, line = -1, own_line = -1;
  for (size_t k = 0; k < p->evs.n; k++) {
    const sl_ev *v = &p->evs.at[k];
    if (sl_json_int(json_array_get(json_object_get(p->report, "kernels"), v->launch), "launch") !=
        sl_json_int(f, "launch"))
      continue;
    last = (int64_t)p->step[k];
    if (v->kind == SL_EV_OPENS || v->block != block) continue;
    const bool is_line = v->line == sl_json_int(f, "line");
    if (is_line) line = last;
    if (v->thread != thread) continue;
    own = last;
    if (is_line) own_line = last;
    if (v->found && is_line && !strcmp(v->found, sl_json_text(f, "id"))) return last;
  }
  const int64_t steps[] = {own_line, line, own, last};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
    if (steps[k] >= 0) return steps[k];
  return -1;
}

static json_t *all_findings(const sl_play *p) {
  static const char *const texts[] = {"id", "what", "why", "advice", "page"};
  const json_t *from = json_object_get(p->report, "findings");
  json_t *list = json_array();
  for (size_t k = 0; k < json_array_size(from); k++) {
    const json_t *f = json_array_get(from, k);
    const uint64_t block = linear(json_object_get(f, "block"), json_object_get(f, "grid")),
                   thread = linear(json_object_get(f, "thread"), json_object_get(f, "block_size"));
    json_t *out = json_object();
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
      json_object_set_new(out, texts[t], json_string(sl_json_text(f, texts[t])));
    json_object_set_new(out, "line", json_integer(sl_json_int(f, "line")));
    json_object_set_new(out, "step", json_integer(step_of(p, f, block, thread)));
    json_object_set_new(out, "block", json_integer((json_int_t)block));
    json_object_set_new(out, "thread", json_integer((json_int_t)thread));
    const json_t *details = json_object_get(f, "details");
    if (details) json_object_set(out, "details", (json_t *)details);
    json_array_append_new(list, out);
  }
  return list;
}

// The wrong elements of the result, and which array it is. NULL: none, or it is not known.
static json_t *wrong_elements(const sl_play *p) {
  json_t *fields = json_object_get(p->record, "fields"), *elements = json_object_get(fields, "elements");
  const uint64_t base = (uint64_t)sl_json_int(fields, "base");
  for (size_t k = 0; elements && k < p->evs.n_arrays; k++)
    if (!p->evs.arrays[k].shared && p->evs.arrays[k].base == base)
      return json_pack("{s:I, s:O}", "array", (json_int_t)k, "elements", elements);
  return NULL;
}

// The page --------------------------------------------------------------------------------------------------

// A text of the user's, which need not be UTF-8.
static json_t *any_text(const char *text) {
  json_t *string = json_string(text);
  SL_FREED char *plain = string ? NULL : sl_path("%s", text);
  for (char *at = plain; at && *at; at++)
    if (*at & 0x80) *at = '?';
  if (plain) string = json_string(plain);
  return string;
}

static json_t *page_data(sl_play *p, const sl_player_head *h) {
  const struct {
    const char *key, *text;
  } texts[] = {{"title", h->title},
               {"file", h->file},
               {"command", h->command},
               {"status", sl_json_text(p->record, "status")},
               {"message", sl_json_text(p->record, "message")},
               {"source", h->source}};
  json_t *o = json_object();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    json_object_set_new(o, texts[k].key, any_text(texts[k].text));
  json_object_set_new(o, "launches", all_launches(p));
  json_object_set_new(o, "arrays", all_arrays(p));
  json_object_set_new(o, "findings", all_findings(p));
  json_t *wrong = wrong_elements(p);
  if (wrong) json_object_set_new(o, "wrong", wrong);
  json_object_set_new(o, "steps", sl__steps_json(p));
  return o;
}

bool sl__player(const json_t *report, const json_t *record, const char *source, const sl_player_head *h,
                const char *path, sl_error *e) {
  const sl_pic_choice all = {.last_launch = -1};
  sl_play p = {.report = report, .record = record};
  sl__evs_read(report, source, &all, &p.evs);
  bool ok = p.evs.n || sl__no_events(e);
  if (ok) {
    sl__steps_find(&p);
    json_auto_t *data = page_data(&p, h);
    ok = sl__write_page(path, data, e);
  }
  sl__evs_free(&p.evs);
  sl__steps_free(&p);
  return ok;
}
