// Cases by name, and what follows from one: its drawn sizes, how often it is judged, what its test is called.
//
// Interface: sl_lab_case .. sl_test_name (cases.h).
#include "judge/cases.h"

#include "judge/buffer.h"

static void not_found(const sl_lab *lab, const char *name, sl_error *e) {
  const char *names[512] = {0};
  char text[511][2 * SL_ID_CHARS];
  size_t n = 0;
  for (size_t k = 0; k < lab->n_parts; k++)
    for (size_t i = 0; i < lab->parts[k].n_cases && n < 511; i++, n++) {
      snprintf(text[n], sizeof text[n], "%s.%s", lab->parts[k].id, lab->parts[k].cases[i].id);
      names[n] = text[n];
    }
  const char *near = sl_nearest(name, names);
  char hint[2 * SL_ID_CHARS + 32];
  snprintf(hint, sizeof hint, near ? "did you mean %s?" : "a case is named PART.CASE%s", near ? near : "");
  sl_fail(e, SL_EXIT_USAGE, hint, "lab %s has no case \"%s\"", lab->info->name, name);
}

const sl_case *sl_lab_case(const sl_lab *lab, const char *name, sl_error *e) {
  for (size_t k = 0; k < lab->n_parts; k++) {
    const sl_part *part = &lab->parts[k];
    size_t len = strlen(part->id);
    if (strncmp(name, part->id, len) || name[len] != '.') continue;
    for (size_t i = 0; i < part->n_cases; i++)
      if (!strcmp(name + len + 1, part->cases[i].id)) return &part->cases[i];
  }
  not_found(lab, name, e);
  return NULL;
}

static uint64_t chance(const sl_case *c, unsigned k) { return sl_mix(c->seed + 0x51ed27ull * (k + 1)); }

// The sizes of one range that has parts differ in their place within the part, too: all such places come, in
// an order that is drawn. [1, 1024, 32] has a size with each number of warps and of lanes in the last warp.
uint64_t sl_case_drawn(const sl_case *c, unsigned k) {
  const sl_draw *d = &c->draw[k];
  const uint64_t width = d->to - d->from + 1, order = chance(c, k - d->part);
  const uint64_t place = (d->part * (order | 1) + (order >> 32)) & (d->parts - 1);
  const uint64_t begin = width * d->part / d->parts, length = width * (d->part + 1) / d->parts - begin;
  const uint64_t first = length * place / d->parts, last = length * (place + 1) / d->parts;
  return d->from + begin + first + (last > first ? chance(c, k) % (last - first) : 0);
}

int64_t sl_case_scalar(const sl_case *c, unsigned k, unsigned call) {
  const int64_t from = c->scalars[k], to = c->scalars_to[k];
  const uint64_t at = sl_mix(c->seed + 0x9d2c5ull * ((uint64_t)call * SL_MAX_SCALARS + k + 1));
  return to <= from ? from : from + (int64_t)(at % (uint64_t)(to - from + 1));
}

unsigned sl_case_times(const sl_case *c, unsigned k) { return c->times[k] ? c->times[k] : 1; }

uint64_t sl_case_calls(const sl_case *c) {
  uint64_t calls = c->calls;
  for (unsigned k = 0; k < c->n_also; k++) calls += sl_case_times(c, k);
  return calls;
}

uint64_t sl_case_largest(const sl_case *c) {
  uint64_t most = c->n == SL_WHOLE ? 0 : c->n;
  for (unsigned k = 0; k < c->n_also; k++)
    if (c->also[k] > most) most = c->also[k];
  for (unsigned k = 0; k < c->n_draw; k++)
    if (c->draw[k].to > most) most = c->draw[k].to;
  for (unsigned k = 0; k < c->n_then; k++) {
    const uint64_t n = sl_case_largest(c->then_case[k]);
    if (n > most) most = n;
  }
  return most;
}

bool sl_case_has_companions(const sl_case *c) {
  return c->n_also || c->n_draw || c->named.to || c->n_then || c->kinds || c->calls > 1;
}

static uint64_t value_at(const char *formula, uint64_t n, uint64_t otherwise) {
  uint64_t value;
  return formula[0] && sl_formula(formula, n, &value) ? value : otherwise;
}

// Where the points end if lab.json does not say it: a quarter above the bound, at least one above.
static uint64_t usual_none(uint64_t max) { return max == UINT64_MAX ? max : max + (max > 4 ? max / 4 : 1); }

sl_allowed sl_expect_at(const sl_expect *x, uint64_t n) {
  const uint64_t max = value_at(x->max, n, UINT64_MAX), none = value_at(x->none, n, usual_none(max));
  return (sl_allowed){value_at(x->min, n, 0), max, none > max || max == UINT64_MAX ? none : max + 1};
}

unsigned sl_case_rounds(const sl_case *c) {
  unsigned n = 0;
  for (const char *p = c->schedules; (p = strchr(p, ';')); p++) n++;
  return n ? n : 1;
}

bool sl_case_runs_on(const sl_case *c, const char *backend) {
  return !strcmp(backend, "sim") || !c->part || c->part->kind == SL_PART_CORRECT ||
         c->part->kind == SL_PART_SPEED;
}

char *sl_test_name(const sl_lab *lab, const sl_case *c, const char *backend, char *out, size_t cap) {
  snprintf(out, cap, "%s.%s.%s.%s", lab->info->number, c->part->id, c->id, backend);
  return out;
}
