// The rules by which final scores follow from attempts: which attempt counts, deadlines, what lateness costs.
//
// Interface: sl__policy_read takes a JSON file, by default BOOK.policy.json; without one every hand-in is in
// time and the best attempt counts. It is strict: an unknown key, a time that is not UTC, a lab that the
// course does not have are errors, for a misspelt rule would be no rule. docs/instructor/term.md explains
// each key. sl__policy_name_people finds the students of extensions in the book; an unknown one is told.
#include "book.h"
#include "intake/intake.h"

typedef struct reading {
  sl_book *b;
  sl_policy *p;
  sl_error *e;
} reading;

static bool wrong(reading *r, const char *where, const char *expected) {
  return sl_fail(r->e, SL_EXIT_INPUT, "docs/instructor/term.md explains every key", "%s: expected %s", where,
                 expected);
}

// Values ----------------------------------------------------------------------------------------------------

static bool read_count(reading *r, const char *key, const json_t *v, void *to) {
  int64_t n = json_is_integer(v) ? json_integer_value(v) : -1;
  if (n < 0 || n > 10000) return wrong(r, key, "a whole number of days");
  *(int64_t *)to = n;
  return true;
}

static bool read_percent(reading *r, const char *key, const json_t *v, void *to) {
  double n = json_is_number(v) ? json_number_value(v) : -1;
  if (!(n >= 0 && n <= 100)) return wrong(r, key, "a number from 0 to 100");
  *(double *)to = n;
  return true;
}

// One of two or three words.
static bool read_word(reading *r, const char *key, const json_t *v, const char *const *words, int *to) {
  const char *s = json_string_value(v);
  for (int k = 0; s && words[k]; k++)
    if (!strcmp(s, words[k])) return *to = k, true;
  char list[64] = "";
  for (int k = 0; words[k]; k++) sl_append(list, sizeof list, " or ", "\"%s\"", words[k]);
  return wrong(r, key, list);
}

static bool read_attempt(reading *r, const char *key, const json_t *v, void *to) {
  static const char *const words[] = {
      [SL_PICK_BEST] = "best", [SL_PICK_LAST] = "last", [SL_PICK_FIRST] = "first", NULL};
  int k = 0;
  return read_word(r, key, v, words, &k) && (*(sl_pick *)to = (sl_pick)k, true);
}

static bool read_regrade(reading *r, const char *key, const json_t *v, void *to) {
  static const char *const words[] = {"newest", "best", NULL};
  int k = 0;
  return read_word(r, key, v, words, &k) && (*(sl_pick *)to = k ? SL_PICK_BEST : SL_PICK_LAST, true);
}

static bool read_missing(reading *r, const char *key, const json_t *v, void *to) {
  static const char *const words[] = {"empty", "zero", NULL};
  int k = 0;
  return read_word(r, key, v, words, &k) && (*(bool *)to = k, true);
}

// Deadlines -------------------------------------------------------------------------------------------------

static bool add_due(reading *r, const char *where, sl_due due, const json_t *at) {
  if (!sl__read_utc(json_string_value(at), &due.at))
    return wrong(r, where, "a time in UTC such as \"2026-11-22T22:00:00Z\"");
  sl_due *all = sl__alloc(r->b->a, (r->p->n_dues + 1) * sizeof *all);
  if (r->p->n_dues) memcpy(all, r->p->dues, r->p->n_dues * sizeof *all);
  all[r->p->n_dues++] = due;
  r->p->dues = all;
  return true;
}

static bool read_deadline(reading *r, const char *key, const json_t *v, void *) {
  return json_is_null(v) || add_due(r, key, (sl_due){0}, v);
}

// {"01": "2026-..Z", ..}
static bool read_deadlines(reading *r, const char *key, const json_t *v, void *) {
  const char *lab;
  json_t *at;
  bool ok = json_is_object(v) || wrong(r, key, "an object: labs and their deadlines");
  json_object_foreach((json_t *)v, lab, at) {
    sl_due due = {.lab = ok ? sl__find_lab(r->b, lab, r->e) : NULL};
    ok = ok && due.lab && add_due(r, sl__str(r->b->a, "%s of %s", key, lab), due, at);
  }
  return ok;
}

static bool read_extension(reading *r, const char *where, const json_t *v) {
  const char *student = NULL, *lab = NULL, *reason = NULL; // the reason is for people
  json_error_t at;
  json_t *until = NULL;
  if (json_unpack_ex((json_t *)v, &at, JSON_STRICT, "{s:s, s?s, s:o, s:s}", "student", &student, "lab", &lab,
                     "until", &until, "reason", &reason))
    return wrong(
        r, where,
        "{\"student\": .., \"lab\": .. (left out: all labs), \"until\": a time in UTC, \"reason\": ..}");
  sl_due due = {.student = sl__str(r->b->a, "%s", student)};
  if (lab) due.lab = sl__find_lab(r->b, lab, r->e);
  return (!lab || due.lab) && add_due(r, sl__str(r->b->a, "%s: until", where), due, until);
}

static bool read_extensions(reading *r, const char *key, const json_t *v, void *) {
  const json_t *one;
  size_t k;
  bool ok = json_is_array(v) || wrong(r, key, "a list of extensions");
  json_array_foreach(v, k, one) ok = ok && read_extension(r, sl__str(r->b->a, "%s[%zu]", key, k), one);
  return ok;
}

// The file --------------------------------------------------------------------------------------------------

static const struct field {
  const char *key;
  bool (*read)(reading *r, const char *key, const json_t *v, void *to);
  size_t at;
} fields[] = {
    {"attempt", read_attempt, offsetof(sl_policy, attempt)},
    {"regrade", read_regrade, offsetof(sl_policy, regrade)},
    {"deadline", read_deadline, 0},
    {"deadlines", read_deadlines, 0},
    {"extensions", read_extensions, 0},
    {"percent_a_day", read_percent, offsetof(sl_policy, percent_a_day)},
    {"grace_days", read_count, offsetof(sl_policy, grace_days)},
    {"grace_days_a_lab", read_count, offsetof(sl_policy, grace_days_a_lab)},
    {"cut_off_days", read_count, offsetof(sl_policy, cut_off_days)},
    {"missing", read_missing, offsetof(sl_policy, missing_is_zero)},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static bool check_keys(reading *r, const json_t *all) {
  const char *names[FIELDS + 1] = {0}, *key;
  json_t *v;
  for (int k = 0; k < FIELDS; k++) names[k] = fields[k].key;
  json_object_foreach((json_t *)all, key, v)
    if (sl_name_find("key", key, names, SL_EXIT_INPUT, r->e) < 0) return false;
  return json_is_object(all) || wrong(r, "the file", "an object");
}

static bool read_fields(reading *r, const json_t *all) {
  for (int k = 0; k < FIELDS; k++) {
    const json_t *v = json_object_get(all, fields[k].key);
    if (v && !fields[k].read(r, fields[k].key, v, (char *)r->p + fields[k].at)) return false;
  }
  return true;
}

// Reads the rules of [text]. Errors name the file of the rules: they were not on the command line.
static bool read_rules(reading *r, const char *text, sl_error *e) {
  json_error_t at;
  json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, &at);
  if (!all) sl_fail(r->e, SL_EXIT_INPUT, NULL, "line %d: %s", at.line, at.text);
  bool ok = all && check_keys(r, all) && read_fields(r, all);
  json_decref(all);
  int code = r->e->code == SL_EXIT_USAGE ? SL_EXIT_INPUT : r->e->code;
  return ok || sl_fail(e, code, r->e->hint, "%s: %s", r->p->path, r->e->text);
}

bool sl__policy_read(sl_book *b, const char *path, sl_policy *p, sl_error *e) {
  sl_error wrong_rule = {0};
  reading r = {b, p, &wrong_rule};
  *p = (sl_policy){
      .attempt = SL_PICK_BEST, .regrade = SL_PICK_LAST, .grace_days_a_lab = 10000, .cut_off_days = 10000};
  p->path = path ? path : sl__str(b->a, "%s.policy.json", b->path);
  if (!path && !sl_is_file(p->path)) return p->path = NULL, true;
  SL_FREED char *text = sl_read_file(p->path, 1 << 20, NULL, e);
  return text && read_rules(&r, sl__behind_mark(text), e);
}

void sl__policy_name_people(sl_book *b, sl_policy *p, bool tell) {
  for (size_t k = 0; k < p->n_dues; k++) {
    sl_due *d = &p->dues[k];
    sl_error e = {0};
    const char *id = d->student ? sl__find_student(b, d->student, &e) : NULL;
    if (id) d->student = id;
    else if (tell && e.code == SL_EXIT_USAGE)
      sl__warn(p->path, sl__str(b->a, "extensions: %s: nobody has this extension%s%s", e.text,
                                *e.hint ? "; " : "", e.hint));
  }
}

static bool is_for(const char *of, const char *name) { return !of || !strcmp(of, name); }

bool sl__policy_due(const sl_policy *p, const char *student, const char *lab, time_t *at) {
  bool known = false;
  *at = 0;
  for (size_t k = 0; k < p->n_dues; k++) {
    const sl_due *d = &p->dues[k];
    if (!is_for(d->student, student) || !is_for(d->lab, lab)) continue;
    if (d->student && (!known || d->at < *at)) continue; // an extension takes no time away
    *at = d->at, known = true;
  }
  return known;
}
