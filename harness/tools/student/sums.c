// Sums: what the launches of each kernel counted, together and by line of the student's file.
//
// Interface: observe.h, sums.c.
#include "observe.h"
#include "picture/events.h"

enum { SUM, MAX };
static const struct {
  const char *name;
  int how;
} counters[] = {
#define X(name, how) {#name, how},
    SL_LINE_COUNTERS(X)
#undef X
};

const char *const *sl__line_counters(void) {
  static const char *names[SL_LN_COUNT + 1];
  for (size_t k = 0; k < SL_LN_COUNT; k++) names[k] = counters[k].name;
  return names;
}

void sl__counters_join(uint64_t *to, const uint64_t *from) {
  for (size_t k = 0; k < SL_LN_COUNT; k++)
    if (counters[k].how == SUM) to[k] += from[k];
    else if (to[k] < from[k]) to[k] = from[k];
}

static void add_counter(uint64_t *to, const json_t *from) {
  uint64_t v[SL_LN_COUNT];
  for (size_t k = 0; k < SL_LN_COUNT; k++) v[k] = sl_json_int(from, counters[k].name);
  sl__counters_join(to, v);
}

// The student's file was compiled in another folder: by its own name, or as kernel.cu for odd characters.
static uint32_t line_number(const json_t *line, const char *kernel) {
  const char *file = sl_base_name(json_string_value(json_object_get(line, "file")));
  return !strcmp(file, sl_base_name(kernel)) || !strcmp(file, "kernel.cu")
             ? (uint32_t)sl_json_int(line, "line")
             : 0;
}

static void add_line(sl_sum *s, const json_t *line, const char *kernel) {
  uint32_t number = line_number(line, kernel);
  size_t at = 0;
  while (at < s->n_lines && s->lines[at].line < number) at++;
  if (at == s->n_lines || s->lines[at].line != number) {
    SL_GROW(s->lines, s->n_lines);
    memmove(&s->lines[at + 1], &s->lines[at], (s->n_lines++ - at) * sizeof *s->lines);
    s->lines[at] = (sl_sum_line){.line = number};
  }
  add_counter(s->lines[at].c, line);
  add_counter(s->total, line);
}

static void add_phases(sl_sum *s, const json_t *phases) {
  for (size_t k = 0; k < json_array_size(phases) && k < SL_SUM_PHASES; k++) {
    const json_t *p = json_array_get(phases, k);
    s->adds[k] += sl_json_int(p, "adds");
    s->replays[0][k] += sl_json_int(p, "shared_ld_replays");
    s->replays[1][k] += sl_json_int(p, "shared_st_replays");
    if (s->n_phases <= k) s->n_phases = (unsigned)k + 1;
  }
}

static sl_sum *sum_of(sl_sum **all, size_t *n, const char *name) {
  for (size_t k = 0; k < *n; k++)
    if (!strcmp((*all)[k].name, name)) return &(*all)[k];
  SL_GROW(*all, *n);
  sl_sum *s = &(*all)[(*n)++];
  *s = (sl_sum){.launches = 0};
  snprintf(s->name, sizeof s->name, "%s", name);
  return s;
}

sl_sum *sl__sums(const sl_observed *o, const char *wanted, size_t *n) {
  sl_sum *all = NULL;
  size_t k, l;
  json_t *launch, *line;
  char name[128];
  *n = 0;
  json_array_foreach(json_object_get(o->report, "kernels"), k, launch) {
    const char *mangled = json_string_value(json_object_get(launch, "name"));
    sl__short_name(mangled ? mangled : "?", name, sizeof name);
    if (wanted && !strstr(name, wanted)) continue;
    sl_sum *s = sum_of(&all, n, name);
    for (size_t d = 0; d < 3 && !s->launches; d++) {
      s->grid[d] = json_integer_value(json_array_get(json_object_get(launch, "grid"), d));
      s->block[d] = json_integer_value(json_array_get(json_object_get(launch, "block"), d));
    }
    s->launches++;
    json_array_foreach(json_object_get(launch, "lines"), l, line) add_line(s, line, o->kernel);
    add_phases(s, json_object_get(launch, "phases"));
  }
  return all;
}

bool sl__no_such_kernel(const sl_observed *o, const char *wanted, sl_error *e) {
  char list[400] = "";
  size_t n;
  sl_sum *s = sl__sums(o, NULL, &n);
  for (size_t k = 0; k < n; k++)
    sl_append(list, sizeof list, ", ", "%s%s", k ? "" : "these were: ", s[k].name);
  sl__sums_free(s, n);
  return sl_fail(e, SL_EXIT_USAGE, list, "no kernel \"%s\" was launched", wanted);
}

void sl__sums_free(sl_sum *s, size_t n) {
  for (size_t k = 0; k < n; k++) free(s[k].lines);
  free(s);
}
