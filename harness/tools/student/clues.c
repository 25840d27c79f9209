// Which TODO region is at fault: the clues of lab.json, compared with what failed. A clue that names a
// finding counts for such a finding, whatever line that names; the others count where there is no finding.
//
// Interface: sl__clue_region, sl__clue_busiest, sl__clue_open, sl__left_behind, sl__unused_variable,
// sl__telling_warning (student.h). The first clue whose conditions all hold counts.
#include "findings/findings.h"
#include "student.h"

#include <ctype.h>
#include <fnmatch.h>

// The line in "FILE(LINE): warning", of which [at] is the closing bracket.
static uint32_t line_before(const char *log, const char *at) {
  while (at > log && at[-1] >= '0' && at[-1] <= '9') at--;
  return (uint32_t)strtoul(at, NULL, 10);
}

const char *sl__unused_variable(const char *log, uint32_t *line) {
  const char *at = log ? strstr(log, "): warning #550-D") : NULL;
  if (at) *line = line_before(log, at);
  return at;
}

const char *sl__telling_warning(const char *log, uint32_t *line) {
  static const char *const unused[] = {"): warning #177-D", "): warning #550-D"};
  for (const char *at = log; at && (at = strstr(at, "): warning #")); at++) {
    bool tells = true;
    for (size_t k = 0; k < sizeof unused / sizeof *unused; k++)
      tells &= strncmp(at, unused[k], strlen(unused[k])) != 0;
    if (!tells) continue;
    *line = line_before(log, at);
    while (at > log && at[-1] != '\n') at--;
    return at;
  }
  return NULL;
}

// How many cases whose name "part.case" matches ended so.
static size_t count_trials(const sl_ladder *l, const char *pattern, sl_status status) {
  char name[2 * SL_ID_CHARS];
  size_t n = 0;
  SL_EACH_TRIAL(l, t) {
    snprintf(name, sizeof name, "%s.%s", t->c->part->id, t->c->id);
    n += t->status == status && fnmatch(pattern, name, 0) == 0;
  }
  return n;
}

// Has one case of each pattern in [words] failed, or, if they shall pass, one passed and none failed? Of a
// case that was left out, as one part alone is judged, nothing is known, and it does not count.
static bool each_ended(const sl_ladder *l, const char *words, sl_status want) {
  while (words && *words) {
    char pattern[2 * SL_ID_CHARS];
    const size_t len = strcspn(words, " ");
    snprintf(pattern, sizeof pattern, "%.*s", (int)len, words);
    const size_t passed = count_trials(l, pattern, SL_PASS), failed = count_trials(l, pattern, SL_FAIL);
    const bool left_out = want == SL_PASS && l->only && !passed;
    if (want == SL_PASS ? failed || !(passed || left_out) : !failed) return false;
    words += len + strspn(words + len, " ");
  }
  return true;
}

// The trial of the case NAME; NULL: there is none.
static const sl_trial *trial_of(const sl_ladder *l, const char *name, size_t len) {
  char own[2 * SL_ID_CHARS];
  SL_EACH_TRIAL(l, t) {
    snprintf(own, sizeof own, "%s.%s", t->c->part->id, t->c->id);
    if (strlen(own) == len && !strncmp(own, name, len)) return t;
  }
  return NULL;
}

// Is the first call of the case "begins" right, whatever comes behind it?
static bool begins_right(const sl_ladder *l, const json_t *clue) {
  const char *name = json_string_value(json_object_get(clue, "begins"));
  const sl_trial *t = name ? trial_of(l, name, strlen(name)) : NULL;
  return !name ||
         (t && (t->status == SL_PASS ||
                (t->status == SL_FAIL &&
                 json_integer_value(json_object_get(json_object_get(t->record, "fields"), "call")) > 1)));
}

// Does each case of "CASE=PATTERN CASE=PATTERN .." show its pattern? The smallest alone may mislead.
static bool each_shows(const sl_ladder *l, const char *words) {
  while (words && *words) {
    char pattern[SL_ID_CHARS];
    const size_t len = strcspn(words, " "), name = strcspn(words, "= ");
    if (name == len) return false;
    snprintf(pattern, sizeof pattern, "%.*s", (int)(len - name - 1), words + name + 1);
    const sl_trial *t = trial_of(l, words, name);
    if (fnmatch(pattern, t ? sl__pattern_of(t->record) : "", 0) != 0) return false;
    words += len + strspn(words + len, " ");
  }
  return true;
}

// What is not known matches no pattern, not even "*".
static bool matches(const json_t *clue, const char *key, const char *value) {
  const char *pattern = json_string_value(json_object_get(clue, key));
  return !pattern || (*value && fnmatch(pattern, value, 0) == 0);
}

// Is the finding's launch the clue's or a later one? 0 is the first launch of the process.
static bool is_later_launch(const json_t *clue, const json_t *finding) {
  const json_t *least = json_object_get(clue, "launch");
  return !least || json_integer_value(json_object_get(finding, "launch")) >= json_integer_value(least);
}

// Is the finding met more than once at its place?
static bool often(const json_t *clue, const json_t *finding) {
  return !json_is_true(json_object_get(clue, "often")) ||
         json_integer_value(json_object_get(finding, "count")) > 1;
}

// Is the failed call right where it is the only one? Then something is kept of an earlier call.
static bool right_alone(const sl_ladder *l, const json_t *clue, const json_t *fields) {
  const json_t *n = json_object_get(fields, "n");
  if (!json_is_true(json_object_get(clue, "alone"))) return true;
  return n && !strcmp(l->backend, "sim") && l->failed->c->part->kind == SL_PART_CORRECT &&
         !sl__fails_at(l, (uint64_t)json_integer_value(n));
}

static json_int_t first_of(const json_t *o, const char *key) {
  return json_integer_value(json_array_get(json_object_get(o, key), 0));
}

// The first finding's n where sure: the case has one call, or one without elements before it. 0: not known.
static json_int_t n_of_finding(const sl_case *c, const json_t *record) {
  const json_t *fields = json_object_get(record, "fields"), *n = json_object_get(fields, "n");
  const bool alone = c->calls <= 1 && !c->n_also && !c->n_draw && !c->n_then && c->n != SL_WHOLE;
  if (alone) return (json_int_t)c->n;
  return c->n == 0 && json_integer_value(json_object_get(fields, "call")) == 2 ? json_integer_value(n) : 0;
}

// Has the finding's launch other blocks than n needs, by the clue's elements a thread, less so many blocks?
static bool wrong_shape(const sl_ladder *l, const json_t *clue, const json_t *record, const json_t *finding) {
  const json_t *each = json_object_get(clue, "per_thread");
  const json_int_t block = json_integer_value(each) * first_of(finding, "block_size");
  const json_int_t n = n_of_finding(l->failed->c, record),
                   fewer = json_integer_value(json_object_get(clue, "fewer"));
  return !each || (n > 0 && block > 0 && first_of(finding, "grid") != (n + block - 1) / block - fewer);
}

// Has the finding's launch more blocks than the clue says?
static bool many_blocks(const json_t *clue, const json_t *finding) {
  const json_t *most = json_object_get(clue, "blocks");
  return !most || first_of(finding, "grid") > json_integer_value(most);
}

// Has the finding's launch more threads in a block than the clue says?
static bool many_threads(const json_t *clue, const json_t *finding) {
  const json_t *most = json_object_get(clue, "threads"), *n;
  json_int_t product = 1;
  size_t k;
  json_array_foreach(json_object_get(finding, "block_size"), k, n) product *= json_integer_value(n);
  return !most || product > json_integer_value(most);
}

static bool is_later_call(const json_t *clue, const json_t *fields) {
  const json_t *least = json_object_get(clue, "call");
  return !least || json_integer_value(json_object_get(fields, "call")) >= json_integer_value(least);
}

// Is the counter at most so far above its bound as the clue says?
static bool near_bound(const json_t *clue, const json_t *fields) {
  const json_t *most = json_object_get(clue, "above");
  const json_int_t above = json_integer_value(json_object_get(fields, "value")) -
                           json_integer_value(json_object_get(fields, "bound"));
  return !most || (above > 0 && above <= json_integer_value(most));
}

// Does the failed case fail with so few elements, too?
static bool fails_smaller(const sl_ladder *l, const json_t *clue) {
  const json_t *n = json_object_get(clue, "smaller");
  return !n || sl__fails_at(l, (uint64_t)json_integer_value(n));
}

// Does the compiler say that a variable of the clue's region "unused" is set but never used?
static bool leaves_unused(const sl_ladder *l, const json_t *clue) {
  const json_t *region = json_object_get(clue, "unused");
  SL_SKELETON s = {0};
  bool found = false;
  uint32_t line;
  if (!region) return true;
  if (!sl_skeleton_read(l->kernel, l->lab->info, &s, NULL)) return false;
  for (const char *at = l->log; !found && (at = sl__unused_variable(at, &line)); at++)
    found = sl_region_at(&s, line) == (unsigned)json_integer_value(region);
  return found;
}

// The end of [word] at [at], where blanks do not count; NULL: it is not there.
static const char *end_of_word(const char *at, const char *end, const char *word) {
  for (; *word; word++) {
    if (isspace((unsigned char)*word)) continue;
    while (at < end && isspace((unsigned char)*at)) at++;
    if (at == end || *at++ != *word) return NULL;
  }
  return at;
}

static bool has_word(const char *text, size_t len, const char *word) {
  const char *const end = text + len;
  const char last = *word ? word[strlen(word) - 1] : 0;
  for (const char *at = text; at < end; at++) {
    const char *behind = *at == *word ? end_of_word(at, end, word) : NULL;
    if (behind && !(sl_in_word(*word) && at > text && sl_in_word(at[-1])) &&
        !(sl_in_word(last) && behind < end && sl_in_word(*behind)))
      return true;
  }
  return false;
}

// Does what stands in the clue's region lack the word "lacks", which another region has, and "omits", and
// does it, or the region "in", hold the word "has"?
static bool words_fit(const sl_ladder *l, const json_t *clue) {
  const char *lacks = json_string_value(json_object_get(clue, "lacks")),
             *omits = json_string_value(json_object_get(clue, "omits")),
             *has = json_string_value(json_object_get(clue, "has"));
  const json_t *in = json_object_get(clue, "in");
  const size_t own = (size_t)json_integer_value(json_object_get(clue, "region")),
               holder = in ? (size_t)json_integer_value(in) : own;
  SL_SKELETON s = {0};
  bool elsewhere = !lacks, lacked = true, held = !has;
  if (!lacks && !omits && !has) return true;
  if (!sl_skeleton_read(l->kernel, l->lab->info, &s, NULL)) return false;
  for (size_t k = 0; k < s.n; k++) {
    const char *text = s.source + s.at[k].begin;
    const size_t len = s.at[k].end - s.at[k].begin;
    if (lacks && has_word(text, len, lacks)) k + 1 == own ? (lacked = false) : (elsewhere = true);
    if (omits && k + 1 == own) lacked &= !has_word(text, len, omits);
    if (has && k + 1 == holder) held = has_word(text, len, has);
  }
  return elsewhere && lacked && held;
}

// Is this place of the finding in the region that the clue names by [key]?
static bool place_fits(const sl_ladder *l, const json_t *clue, const char *key, const json_t *place) {
  const json_t *region = json_object_get(clue, key);
  SL_SKELETON s = {0};
  if (!region) return true;
  if (!place || !sl_skeleton_read(l->kernel, l->lab->info, &s, NULL)) return false;
  return sl_region_at(&s, (uint32_t)json_integer_value(json_object_get(place, "line"))) ==
         (unsigned)json_integer_value(region);
}

// Is the finding the one that the clue, or its "also", describes?
static bool is_found(const json_t *clue, const json_t *finding) {
  bool is = matches(clue, "finding", sl_json_text(finding, "id")) &&
            matches(clue, "object", sl_json_text(json_object_get(finding, "array"), "text"));
  for (sl_trait k = 0; is && k < SL_TRAITS; k++)
    is = matches(clue, sl_trait_keys[k], sl_json_text(finding, sl_trait_keys[k]));
  return is;
}

// Is one of the findings, whichever is told first, the clue's "also"?
static bool also_found(const json_t *clue, const json_t *findings) {
  const json_t *also = json_object_get(clue, "also");
  size_t k;
  json_t *f;
  if (!also) return true;
  json_array_foreach(findings, k, f)
    if (is_found(also, f)) return true;
  return false;
}

// Are the cases that fail by this clue of the part of [c]?
static bool same_part(const json_t *clue, const sl_case *c) {
  const char *words = json_string_value(json_object_get(clue, "fails"));
  const size_t len = strlen(c->part->id);
  return !words || (!strncmp(words, c->part->id, len) && words[len] == '.');
}

static bool holds(const sl_ladder *l, const json_t *clue, const json_t *record, const json_t *findings) {
  const json_t *fields = json_object_get(record, "fields"), *finding = json_array_get(findings, 0);
  return !json_object_get(clue, "finding") == !finding && is_found(clue, finding) &&
         matches(clue, "kernel", sl_json_text(finding, "kernel")) && is_later_launch(clue, finding) &&
         often(clue, finding) && many_blocks(clue, finding) && many_threads(clue, finding) &&
         wrong_shape(l, clue, record, finding) && matches(clue, "reason", sl_json_text(record, "reason")) &&
         matches(clue, "pattern", sl_json_text(fields, "pattern")) &&
         matches(clue, "array", sl_json_text(fields, "array")) &&
         matches(clue, "counter", sl_json_text(fields, "counter")) && near_bound(clue, fields) &&
         is_later_call(clue, fields) &&
         each_ended(l, json_string_value(json_object_get(clue, "fails")), SL_FAIL) &&
         each_ended(l, json_string_value(json_object_get(clue, "passes")), SL_PASS) &&
         begins_right(l, clue) && each_shows(l, json_string_value(json_object_get(clue, "shows"))) &&
         leaves_unused(l, clue) && words_fit(l, clue) && place_fits(l, clue, "first", finding) &&
         place_fits(l, clue, "second", json_object_get(finding, "other")) && also_found(clue, findings) &&
         fails_smaller(l, clue) && right_alone(l, clue, fields);
}

// The region of the first clue that holds, of those about this region as the busiest; 0: none does.
static unsigned region_of(const sl_ladder *l, const json_t *record, const json_t *findings,
                          unsigned busiest) {
  size_t k;
  json_t *clue;
  json_array_foreach(l->lab->clues, k, clue)
    if (json_integer_value(json_object_get(clue, "busiest")) == busiest && holds(l, clue, record, findings))
      return (unsigned)json_integer_value(json_object_get(clue, "region"));
  return 0;
}

unsigned sl__clue_region(const sl_ladder *l, const json_t *record, const json_t *findings) {
  return region_of(l, record, findings, 0);
}

unsigned sl__clue_busiest(const sl_ladder *l, const json_t *record, unsigned busiest) {
  const unsigned k = busiest ? region_of(l, record, NULL, busiest) : 0;
  return k ? k : busiest;
}

// A later call, which is right where it is made alone, as another case shows.
bool sl__left_behind(const sl_ladder *l, const json_t *record) {
  const json_t *fields = json_object_get(record, "fields");
  const char *of = sl_json_text(fields, "of");
  const sl_trial *t = trial_of(l, of, strlen(of));
  return t && t->status == SL_PASS && json_integer_value(json_object_get(fields, "call")) > 1;
}

unsigned sl__clue_open(const sl_ladder *l, const sl_skeleton *s, const json_t *record) {
  size_t k;
  json_t *clue;
  json_array_foreach(l->lab->clues, k, clue) {
    const size_t at = (size_t)json_integer_value(json_object_get(clue, "region"));
    const bool open = at > 0 && at <= s->n && s->at[at - 1].open;
    if (open && same_part(clue, l->failed->c) && holds(l, clue, record, NULL)) return (unsigned)at;
  }
  return 0;
}
