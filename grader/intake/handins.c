// When everybody handed in, where the export of the work does not tell: from a table of the same system.
//
// Interface: sl__apply_times reads a table of people (people.c) with a column of times: Moodle's grading
// worksheet, Canvas's report of late work, Gradescope's scores, or one that a person wrote. Nothing is
// guessed: a time without a zone needs one that was named, two different times for one person count as none,
// and whoever has none keeps none. sl__note_late names those whom their system marked late without a time.
#include "intake/intake.h"

// Rewrites what a spreadsheet has made of the times, if one order of day and month fits all of them.
static bool read_slashes(sl_people *r, sl_error *e) {
  const sl_listed *doubtful = NULL;
  bool fits[2] = {true, true};
  for (size_t i = 0; i < r->n; i++) {
    sl_listed *p = &r->list[i];
    if (!p->time || !strchr(p->time, '/')) continue;
    for (int first = 0; first < 2; first++)
      fits[first] = fits[first] && sl__without_slashes(r->g->arena, p->time, first);
    doubtful = p;
  }
  if (doubtful && fits[0] && fits[1])
    return sl_fail(e, SL_EXIT_INPUT,
                   "a spreadsheet wrote it in the order of its country: 2026-11-22 23:59 is plain",
                   "%s, line %zu: which is the day, and which the month? %s", r->path, doubtful->line,
                   sl__safe(r->g->arena, doubtful->time));
  for (size_t i = 0; i < r->n; i++) {
    const char **time = &r->list[i].time;
    if (*time && strchr(*time, '/') && fits[0] != fits[1])
      *time = sl__without_slashes(r->g->arena, *time, fits[1]);
  }
  return true;
}

static bool read_times(sl_people *r, const char *zone, sl_error *e) {
  if (!read_slashes(r, e)) return false;
  for (size_t i = 0; i < r->n; i++) {
    sl_listed *p = &r->list[i];
    bool lacks_zone;
    if (!p->time || !strcmp(p->time, "-")) {
      p->time = NULL; // nothing was handed in
      continue;
    }
    const char *utc = sl__parse_time_in(r->g->arena, p->time, zone, &lacks_zone);
    if (!utc && lacks_zone)
      return sl_fail(
          e, SL_EXIT_INPUT, "the zone in which the system showed it: --zone Europe/Berlin, or +01:00",
          "%s, line %zu: a time without a zone: %s", r->path, p->line, sl__safe(r->g->arena, p->time));
    if (!utc)
      return sl_fail(
          e, SL_EXIT_INPUT,
          "as 2026-11-22 23:59 +0100, or as Moodle writes it in English: Sunday, 22 November 2026, 11:59 PM",
          "%s, line %zu: no time that can be read: %s", r->path, p->line, sl__safe(r->g->arena, p->time));
    p->time = utc;
  }
  return true;
}

// The time of [s] in the table; NULL: none, or several.
static const char *time_of(sl_people *r, sl_submission *s) {
  sl_listed **found;
  size_t n = sl__match_people(r, s, &found);
  const char *time = NULL;
  for (size_t k = 0; k < n; k++) found[k]->handed_in = s;
  for (size_t k = 0; k < n; k++) {
    if (time && found[k]->time && strcmp(time, found[k]->time) != 0) {
      sl__tell_people(r, found[k]->line,
                      "another time than in an earlier line (of another assignment?): none is taken",
                      s->raw_name);
      return NULL;
    }
    if (found[k]->time) time = found[k]->time;
  }
  return time;
}

static void name_unused(sl_people *r) {
  for (size_t i = 0; i < r->n; i++)
    if (r->list[i].time && !r->list[i].handed_in)
      sl__tell_people(r, r->list[i].line, "a time of somebody of whom nothing is here", r->list[i].id);
}

bool sl__apply_times(sl_grading *g, const char *path, const char *zone, sl_error *e) {
  sl_people r = {.g = g, .path = path, .what = "table of times"};
  size_t known = 0, handed_in = 0;
  if (!sl__read_people(&r, e)) return false;
  if (!r.has_times)
    return sl_fail(
        e, SL_EXIT_INPUT,
        "one of: Last modified (submission), Submitted Date, submitted_at, Submission Time, handed in",
        "%s: no column has the time", path);
  if (!read_times(&r, zone, e)) return false;
  SL_EACH_SUB(g, s) {
    sl_intake *in = &s->in;
    const char *time = in->n_pieces ? time_of(&r, s) : NULL;
    if (time) in->handed_in = time;
    handed_in += in->n_pieces > 0;
    known += in->n_pieces > 0 && in->handed_in;
  }
  name_unused(&r);
  sl__tell_rest(&r);
  fprintf(stderr, "%zu of %zu who handed in ha%s a time\n", known, handed_in, known == 1 ? "s" : "ve");
  return true;
}

void sl__note_late(sl_grading *g) {
  SL_EACH_SUB(g, s) {
    sl_intake *in = &s->in;
    if (!in->late || in->handed_in) continue;
    const char *note = "late, as its system says; when is not known";
    in->reason = in->reason ? sl__str(g->arena, "%s; %s", in->reason, note) : note;
  }
}
