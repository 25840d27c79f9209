// What to tell of the first failure: the finding that names the cause, or else the smallest case that fails
// alike (shrink.c); and the TODO region to edit (region.c).
//
// Interface: sl__failure_find, sl__failure_free (student.h).
#include "findings/findings.h"
#include "student.h"

#include <fnmatch.h>

static bool has_findings(const json_t *record) {
  return json_array_size(json_object_get(record, "findings")) > 0;
}

// Then the part clean says what else there is.
bool sl__is_right(const json_t *record) {
  const sl_reason why = sl__reason_of(record);
  return (why >= SL_REASON_COUNTER_EXACT && why <= SL_REASON_COUNTER_OPERATIONS) ||
         why == SL_REASON_SPEED_MODEL || why == SL_REASON_SPEED_TIMED;
}

// A record with findings: of the case, run again under observation, or as it was judged. NULL: it has none.
static json_t *find_observed(const sl_ladder *l) {
  const sl_trial *t = l->failed;
  if (sl__is_right(t->record)) return NULL;
  if (t->c->part->kind != SL_PART_CLEAN && !sl__took_long(t->record)) {
    SL_FREED char *options = sl_path("--case %s.%s", t->c->part->id, t->c->id);
    json_t *seen = sl__run_again(l, options);
    if (has_findings(seen)) return seen;
    json_decref(seen);
  }
  return has_findings(t->record) ? json_incref(t->record) : NULL;
}

// A case that looks for findings and has some, whatever its result: a race may show at other sizes only.
static const sl_trial *find_elsewhere(const sl_ladder *l) {
  SL_EACH_TRIAL(l, t)
    if (t->c && t->c->part->kind == SL_PART_CLEAN && t->c->entry == l->failed->c->entry &&
        has_findings(t->record))
      return t;
  return NULL;
}

static bool is_shared_race(const json_t *finding) {
  return !strcmp(sl_json_text(finding, "id"), sl_found_name(SL_FOUND_RACE_SHARED));
}

// Where several races of shared memory were found, one that names the place of a missing barrier explains the
// others: it comes first. The compiler moves loads, so the other place of a race may be far from the text.
static void prefer_barrier(json_t *findings) {
  size_t k;
  json_t *finding;
  if (!is_shared_race(json_array_get(findings, 0))) return;
  json_array_foreach(findings, k, finding) {
    const char *mend = sl_json_text(finding, sl_trait_keys[SL_TRAIT_MEND]);
    if (!is_shared_race(finding) || fnmatch("barrier*", mend, 0)) continue;
    json_incref(finding);
    json_array_remove(findings, k);
    json_array_insert_new(findings, 0, finding);
    return;
  }
}

// Keeps only the first of findings that read alike: unrolled loops have a line in several places.
static void drop_repeats(json_t *findings) {
  for (size_t k = 0; k < json_array_size(findings); k++) {
    const char *text = sl_json_text(json_array_get(findings, k), "text");
    const size_t len = strcspn(text, "\n") + 1;
    for (size_t i = json_array_size(findings) - 1; i > k; i--)
      if (!strncmp(text, sl_json_text(json_array_get(findings, i), "text"), len))
        json_array_remove(findings, i);
  }
}

void sl__failure_find(const sl_ladder *l, sl_failure *f) {
  json_auto_t *seen = find_observed(l);
  *f = (sl_failure){.record = json_incref(l->failed->record), .shown = *l->failed->c};
  f->findings = json_incref(json_object_get(seen, "findings"));
  if (!f->findings) sl__shrink(l, f);
  if (!f->findings && !sl__is_right(f->record))
    f->findings = json_incref(json_object_get(f->record, "findings"));
  if (!f->findings) f->findings = json_array();
  prefer_barrier(f->findings);
  drop_repeats(f->findings);
  if (!json_array_size(f->findings)) f->elsewhere = find_elsewhere(l);
  sl__place_failure(l, f);
}

void sl__failure_free(sl_failure *f) {
  json_decref(f->record);
  json_decref(f->summands);
  json_decref(f->findings);
  free(f->task);
  free(f->launch);
  *f = (sl_failure){0};
}
