// The fields of a case in lab.json: a table with a row for each key, its place in sl_case and its values.
//
// Interface: sl__case_apply. A part's "defaults" and then the case itself are applied to the same sl_case, so
// the case wins. Unknown keys and values are errors with the nearest match.
#include "judge/case_fields.h"

#include "gpu/start/schedule.h"
#include "judge/counters.h"

typedef enum field_kind {
  F_ENUM,
  F_STRING,
  F_COUNT,
  F_SEED,
  F_BOOL,
  F_SECONDS,
  F_ALSO,
  F_DRAW,
  F_NAMED,
  F_THEN,
  F_SCALARS,
  F_EXPECT,
  F_SCHEDULES,
  F_SHARE,
  F_REFERENCE,
  F_OURS
} field_kind;

typedef struct field {
  const char *key;
  field_kind kind;
  size_t at;                // place in sl_case
  const char *const *names; // F_ENUM
  uint64_t min, max;        // F_COUNT; F_STRING: max is the room
} field;

#define AT(member) offsetof(sl_case, member)
static const field fields[] = {
    {"id", F_OURS, 0, 0, 0, 0},
    {"n", F_OURS, 0, 0, 0, 0},
    {"points", F_OURS, 0, 0, 0, 0},
    {"about", F_OURS, 0, 0, 0, 0},
    {"type", F_ENUM, AT(type), sl_type_names, 0, 0},
    {"op", F_ENUM, AT(op), sl_op_names, 0, 0},
    {"scan", F_ENUM, AT(kind), sl_kind_names, 0, 0},
    {"tile", F_ENUM, AT(tile), sl_tile_names, 0, 0},
    {"check", F_ENUM, AT(check), sl_check_names, 0, 0},
    {"entry", F_ENUM, AT(entry), sl_entry_names, 0, 0},
    {"visibility", F_ENUM, AT(visibility), sl_audience_names, 0, 0},
    {"dist", F_STRING, AT(dist), 0, 0, sizeof(((sl_case *)0)->dist)},
    {"dataset", F_STRING, AT(dataset), 0, 0, sizeof(((sl_case *)0)->dataset)},
    {"seed", F_SEED, AT(seed), 0, 0, 0},
    {"calls", F_COUNT, AT(calls), 0, 1, SL_MAX_CALLS},
    {"bits", F_COUNT, AT(bits), 0, 1, 8},
    {"host_bytes", F_COUNT, AT(host_bytes), 0, 0, 1 << 20},
    {"values", F_BOOL, AT(values), 0, 0, 0},
    {"kinds", F_BOOL, AT(kinds), 0, 0, 0},
    {"sequential", F_BOOL, AT(sequential), 0, 0, 0},
    {"one_block", F_BOOL, AT(one_block), 0, 0, 0},
    {"unaligned", F_BOOL, AT(unaligned), 0, 0, 0},
    {"timeout", F_SECONDS, AT(timeout), 0, 1, 3600},
    {"also", F_ALSO, 0, 0, 0, 0},
    {"draw", F_DRAW, 0, 0, 0, 0},
    {"named", F_NAMED, 0, 0, 0, 0},
    {"then", F_THEN, 0, 0, 0, 0},
    {"scalars", F_SCALARS, 0, 0, 0, 0},
    {"expect", F_EXPECT, 0, 0, 0, 0},
    {"full", F_SHARE, AT(full), 0, 0, 0},
    {"reference", F_REFERENCE, 0, 0, 0, 0},
    {"schedules", F_SCHEDULES, AT(schedules), 0, 0, sizeof(((sl_case *)0)->schedules)},
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static bool wrong(const char *key, const char *expected, sl_error *e) {
  return sl_fail(e, SL_EXIT_INPUT, NULL, "\"%s\": expected %s", key, expected);
}

bool sl__json_int(json_t *value, const char *key, uint64_t min, uint64_t max, uint64_t *out, sl_error *e) {
  json_int_t v = json_is_integer(value) ? json_integer_value(value) : -1;
  if (v < 0 || (uint64_t)v < min || (uint64_t)v > max)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "\"%s\": expected a whole number from %llu to %llu", key,
                   (unsigned long long)min, (unsigned long long)max);
  *out = (uint64_t)v;
  return true;
}

// One reader a kind of field --------------------------------------------------------------------------------

typedef struct place {
  const field *f;
  sl_case *c;
  void *to;
  sl_error *e;
} place;

static bool read_enum(const place *p, json_t *v) {
  if (!json_is_string(v)) return wrong(p->f->key, "a word in quotes", p->e);
  int k = sl_name_find(p->f->key, json_string_value(v), p->f->names, SL_EXIT_INPUT, p->e);
  if (k >= 0) memcpy(p->to, &k, sizeof k);
  return k >= 0;
}

static bool read_string(const place *p, json_t *v) {
  if (!json_is_string(v) || json_string_length(v) >= p->f->max) return wrong(p->f->key, "a short word", p->e);
  memcpy(p->to, json_string_value(v), json_string_length(v) + 1);
  return true;
}

static bool read_count(const place *p, json_t *v) {
  uint64_t n = 0;
  if (!sl__json_int(v, p->f->key, p->f->min, p->f->max, &n, p->e)) return false;
  *(unsigned *)p->to = (unsigned)n;
  return true;
}

static bool read_seed(const place *p, json_t *v) {
  return sl__json_int(v, p->f->key, 0, INT64_MAX, p->to, p->e);
}

static bool read_bool(const place *p, json_t *v) {
  if (!json_is_boolean(v)) return wrong(p->f->key, "true or false", p->e);
  *(bool *)p->to = json_is_true(v);
  return true;
}

static bool read_seconds(const place *p, json_t *v) {
  double s = json_number_value(v);
  if (!(s >= (double)p->f->min && s <= (double)p->f->max)) return wrong(p->f->key, "1 to 3600 seconds", p->e);
  *(double *)p->to = s;
  return true;
}

// [33, [600, 250]]: a call with 33 elements, then 250 in a row with 600
static bool read_also(const place *p, json_t *v) {
  static const char expected[] = "a list of at most 64 sizes, each a number or [size, times in a row]";
  size_t k;
  json_t *one;
  if (!json_is_array(v) || json_array_size(v) > SL_MAX_ALSO) return wrong(p->f->key, expected, p->e);
  p->c->n_also = 0;
  json_array_foreach(v, k, one) {
    const bool row = json_is_array(one);
    uint64_t times = 0;
    if (row && json_array_size(one) != 2) return wrong(p->f->key, expected, p->e);
    if (!sl__json_int(row ? json_array_get(one, 0) : one, p->f->key, 0, UINT32_MAX, &p->c->also[k], p->e) ||
        (row && !sl__json_int(json_array_get(one, 1), p->f->key, 2, SL_MAX_TIMES, &times, p->e)))
      return false;
    p->c->times[k] = (unsigned)times, p->c->n_also++;
  }
  return true;
}

// [33, 62] or [1, 1024, 32]
static bool read_range(json_t *range, const char *key, sl_draw *d, uint64_t *parts, sl_error *e) {
  const size_t numbers = json_array_size(range);
  *parts = 1;
  return (numbers == 2 || numbers == 3) &&
         sl__json_int(json_array_get(range, 0), key, 0, UINT32_MAX, &d->from, e) &&
         sl__json_int(json_array_get(range, 1), key, d->from, UINT32_MAX, &d->to, e) &&
         (numbers == 2 || sl__json_int(json_array_get(range, 2), key, 1, d->to - d->from + 1, parts, e)) &&
         (*parts & (*parts - 1)) == 0;
}

// [[2, 30], [1, 1024, 32]]: one size of the first range, 32 of the second, one of each 32nd part
static bool read_draw(const place *p, json_t *v) {
  static const char expected[] =
      "a list of ranges of sizes like [33, 62] or [1, 1024, 32] (a power of 2), at most 64 sizes in all";
  size_t k;
  json_t *range;
  p->c->n_draw = 0;
  if (!json_is_array(v)) return wrong(p->f->key, expected, p->e);
  json_array_foreach(v, k, range) {
    sl_draw d = {0};
    uint64_t parts;
    if (!read_range(range, p->f->key, &d, &parts, p->e) || p->c->n_draw + parts > SL_MAX_DRAW)
      return wrong(p->f->key, expected, p->e);
    for (d.parts = (unsigned)parts; d.part < d.parts; d.part++) p->c->draw[p->c->n_draw++] = d;
  }
  return true;
}

// [1, 1024] or [1, 300000, 2048]
static bool read_named(const place *p, json_t *v) {
  sl_named *o = &p->c->named;
  const size_t numbers = json_array_size(v);
  *o = (sl_named){0};
  return ((numbers == 2 || numbers == 3) &&
          sl__json_int(json_array_get(v, 0), p->f->key, 0, UINT32_MAX, &o->from, p->e) &&
          sl__json_int(json_array_get(v, 1), p->f->key, o->from + 1, UINT32_MAX, &o->to, p->e) &&
          (numbers == 2 || sl__json_int(json_array_get(v, 2), p->f->key, 1, o->to, &o->tile, p->e))) ||
         wrong(p->f->key, "a range of sizes like [1, 1024], or with those of a tile [1, 300000, 2048]", p->e);
}

// ["digits.b3_n5003"]: which cases these are is looked up when all are read (cases.c)
static bool read_then(const place *p, json_t *v) {
  p->c->n_then = 0;
  if (!json_is_array(v) || json_array_size(v) > SL_MAX_THEN)
    return wrong(p->f->key, "a list of at most 4 names of cases", p->e);
  for (size_t k = 0; k < json_array_size(v); k++) {
    const char *name = json_string_value(json_array_get(v, k));
    if (!name) return wrong(p->f->key, "a list of at most 4 names of cases", p->e);
    snprintf(p->c->then[p->c->n_then++], sizeof *p->c->then, "%s", name);
  }
  return true;
}

// 33, or [2, 600]: one of these numbers in each call
static bool read_scalar(json_t *v, int64_t *from, int64_t *to) {
  json_t *least = json_is_array(v) ? json_array_get(v, 0) : v,
         *most = json_is_array(v) ? json_array_get(v, 1) : v;
  *from = json_integer_value(least), *to = json_integer_value(most);
  return json_is_integer(least) && json_is_integer(most) && *from <= *to && json_array_size(v) != 1 &&
         json_array_size(v) <= 2;
}

static bool read_scalars(const place *p, json_t *v) {
  static const char expected[] = "a list of at most 4 whole numbers, or ranges like [2, 600]";
  if (!json_is_array(v) || json_array_size(v) > SL_MAX_SCALARS) return wrong(p->f->key, expected, p->e);
  p->c->n_scalars = 0;
  for (size_t k = 0; k < json_array_size(v); k++, p->c->n_scalars++) {
    json_t *one = json_array_get(v, k);
    int64_t *from = &p->c->scalars[k], *to = &p->c->scalars_to[k];
    if (!read_scalar(one, from, to)) return wrong(p->f->key, expected, p->e);
  }
  return true;
}

enum { SOME_N = 1000 }; // where a formula is tried

// 2557 or "2 * m + 3"
static bool read_formula(const place *p, const char *name, json_t *v, char to[SL_FORMULA_CHARS]) {
  const char *text = json_string_value(v);
  uint64_t value = 0;
  if (!text) {
    if (!sl__json_int(v, name, 0, INT64_MAX, &value, p->e)) return false;
    snprintf(to, SL_FORMULA_CHARS, "%llu", (unsigned long long)value);
    return true;
  }
  if (strlen(text) >= SL_FORMULA_CHARS || !sl_formula(text, SOME_N, &value))
    return wrong(name, "a whole number, or a short formula of n, m and L like \"2 * m + 3\"", p->e);
  snprintf(to, SL_FORMULA_CHARS, "%s", text);
  return true;
}

// {"min": 1, "max": 2, "none": 4} or {"equal": 3}
static bool read_bound(const place *p, const char *name, json_t *v, sl_expect *x) {
  const char *key;
  json_t *bound;
  static const char expected[] = "an object with \"min\", \"max\" (and \"none\" above it) or \"equal\"";
  *x = (sl_expect){0};
  if (!json_is_object(v) || json_object_size(v) == 0) return wrong(name, expected, p->e);
  snprintf(x->name, sizeof x->name, "%s", name);
  json_object_foreach(v, key, bound) {
    const bool equal = !strcmp(key, "equal");
    char *to = equal || !strcmp(key, "min") ? x->min
               : !strcmp(key, "max")        ? x->max
               : !strcmp(key, "none")       ? x->none
                                            : NULL;
    if (!to) return wrong(name, expected, p->e);
    if (!read_formula(p, name, bound, to)) return false;
    if (!equal) continue;
    char value[sizeof x->min];
    memcpy(x->max, memcpy(value, x->min, sizeof value), sizeof x->max);
    snprintf(x->none, sizeof x->none, "%.40s + 1", value);
  }
  uint64_t max, none;
  const bool both = sl_formula(x->max, SOME_N, &max) && sl_formula(x->none, SOME_N, &none);
  return !both || none > max || wrong(name, expected, p->e);
}

static bool read_bounds(const place *p, json_t *v) {
  static const char expected[] = "an object with at most 8 counters, \"either\" behind them";
  const char *name;
  json_t *bound;
  if (!json_is_object(v)) return wrong(p->f->key, expected, p->e);
  json_object_foreach(v, name, bound) {
    unsigned k = p->c->n_expect;
    if (!strcmp(name, "either")) {
      if (!read_bounds(p, bound)) return false;
      p->c->n_either = p->c->n_expect - k;
      continue;
    }
    if (k == SL_MAX_EXPECT || p->c->n_either) return wrong(p->f->key, expected, p->e);
    if (sl_name_find("counter", name, sl_counter_names(), SL_EXIT_INPUT, p->e) < 0) return false;
    if (!read_bound(p, name, bound, &p->c->expect[p->c->n_expect++])) return false;
  }
  return true;
}

// {"adds": BOUND, .., "either": {COUNTER: BOUND, ..}}
static bool read_expect(const place *p, json_t *v) {
  p->c->n_expect = p->c->n_either = 0;
  return read_bounds(p, v);
}

// ["order=reverse", "visibility=weak,seed=3"]
static bool read_schedules(const place *p, json_t *v) {
  char *to = p->to;
  size_t n = 0;
  if (!json_is_array(v)) return wrong(p->f->key, "a list of schedules", p->e);
  for (size_t k = 0; k < json_array_size(v); k++) {
    const char *words = json_string_value(json_array_get(v, k));
    sl_gpu_options o = sl_gpu_options_default();
    if (!words || n + strlen(words) + 2 > p->f->max)
      return wrong(p->f->key, "a list of a few words like order=reverse,seed=3", p->e);
    if (!sl_schedule_read(words, &o, p->e)) return false;
    n += (size_t)sprintf(to + n, "%s;", words);
  }
  return true;
}

static bool read_share(const place *p, json_t *v) {
  double share = json_number_value(v);
  if (!(share > 0 && share <= 1)) return wrong(p->f->key, "a number above 0, at most 1", p->e);
  *(double *)p->to = share;
  return true;
}

// {"launches": 3, "sectors": 500000}
static bool read_reference(const place *p, json_t *v) {
  json_t *launches = json_object_get(v, "launches"), *sectors = json_object_get(v, "sectors");
  if (json_object_size(v) != 2 || !launches || !sectors)
    return wrong(p->f->key, "an object with \"launches\" and \"sectors\"", p->e);
  return sl__json_int(launches, "launches", 1, UINT32_MAX, &p->c->reference_launches, p->e) &&
         sl__json_int(sectors, "sectors", 1, INT64_MAX, &p->c->reference_sectors, p->e);
}

static bool read_nothing(const place *, json_t *) { return true; }

static bool (*const readers[])(const place *p, json_t *v) = {
    [F_ENUM] = read_enum,          [F_STRING] = read_string,       [F_COUNT] = read_count,
    [F_SEED] = read_seed,          [F_BOOL] = read_bool,           [F_ALSO] = read_also,
    [F_DRAW] = read_draw,          [F_NAMED] = read_named,         [F_THEN] = read_then,
    [F_SCALARS] = read_scalars,    [F_SECONDS] = read_seconds,     [F_OURS] = read_nothing,
    [F_EXPECT] = read_expect,      [F_SCHEDULES] = read_schedules, [F_SHARE] = read_share,
    [F_REFERENCE] = read_reference};

static const field *field_of(const char *key, sl_error *e) {
  const char *names[N_FIELDS + 1] = {0};
  for (int k = 0; k < N_FIELDS; k++) names[k] = fields[k].key;
  int k = sl_name_find("field", key, names, SL_EXIT_INPUT, e);
  return k < 0 ? NULL : &fields[k];
}

bool sl__case_apply(sl_case *c, json_t *object, const char *where, sl_error *e) {
  const char *key;
  json_t *value;
  if (!json_is_object(object)) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: expected an object", where);
  json_object_foreach(object, key, value) {
    sl_error why = {0};
    place p = {.c = c, .e = &why, .f = field_of(key, &why)};
    if (p.f) p.to = (char *)c + p.f->at;
    if (!p.f || !readers[p.f->kind](&p, value))
      return sl_fail(e, SL_EXIT_INPUT, why.hint, "%s: %s", where, why.text);
    // The last one wins: a dataset replaces the default distribution, and the other way round.
    if (!strcmp(key, "dataset")) c->dist[0] = 0;
    if (!strcmp(key, "dist")) c->dataset[0] = 0;
  }
  return true;
}
