// The roster: who is in the course. It gives submissions their people, and tells who is absent or unknown.
//
// Interface: sl__apply_roster reads a table of people (people.c). A submission that fits nobody, or several,
// is unknown and graded all the same; whoever has no submission gets a row that says absent. Doubles are
// told. What Canvas exports as the work of a group has the group's name and a member's number: it is given to
// all members, by the roster's column of groups.
#include "intake/intake.h"

enum { MAX_NAMED = 4 };

static void drop_doubles(sl_people *r) {
  sl_index seen = {0};
  size_t n = 0;
  for (size_t i = 0; i < r->n; i++) {
    const char *id = r->list[i].id;
    if (sl__index_has(&seen, id)) {
      sl__tell_people(r, r->list[i].line, "the same student as in an earlier line, taken once", id);
      continue;
    }
    sl__index_add(r->g->arena, &seen, id, n);
    r->list[n++] = r->list[i];
  }
  r->n = n;
}

static void rename_submission(sl_grading *g, sl_submission *s, const sl_listed *p) {
  s->raw_name = p->id;
  s->name = sl__safe(g->arena, p->id);
  s->id = sl__safe_name(g->arena, p->id);
  s->in.full = p->name;
}

// Says which rows could be meant: all, or the first of many.
static const char *name_all(sl_arena *a, sl_listed **found, size_t n) {
  const char *list = sl__safe(a, found[0]->id);
  for (size_t k = 1; k < n && k < MAX_NAMED; k++)
    list = sl__str(a, "%s, %s", list, sl__safe(a, found[k]->id));
  return sl__str(a, "%zu students of the roster could be meant: %s%s", n, list, n > MAX_NAMED ? " .." : "");
}

static void plain_group(const char *name, char plain[SL_MAX_PLAIN]) {
  sl__plain(name ? name : "", plain, SL_MAX_PLAIN);
}

// Gives submission [k] to each member of the group that it is of. False: it is of none.
static bool hand_to_group(sl_people *r, const sl_index *groups, size_t k) {
  const sl_intake in = r->g->subs[k].in;
  char plain[SL_MAX_PLAIN];
  size_t *rows, taken = 0;
  plain_group(in.full, plain);
  const size_t n = *plain ? sl__index_find(r->g->arena, groups, plain, &rows) : 0;
  for (size_t i = 0; i < n; i++) {
    sl_listed *p = &r->list[rows[i]];
    if (p->handed_in) continue;
    const sl_person who = {.name = p->id};
    sl_submission *s = taken++ ? sl__add_named(r->g, &who, in.pieces[0]) : &r->g->subs[k];
    s->in = in;
    s->in.user = NULL; // one member's
    rename_submission(r->g, s, p);
    sl__remark(r->g->arena, &s->in,
               sl__str(r->g->arena, "handed in by the group %s", sl__safe(r->g->arena, p->group)));
    p->handed_in = s;
  }
  return taken > 0;
}

static void assign(sl_people *r, sl_submission *s) {
  sl_listed **found, *p;
  size_t n = sl__match_people(r, s, &found);
  p = n ? found[0] : NULL;
  if (n == 1 && !p->handed_in) {
    rename_submission(r->g, s, p);
    p->handed_in = s;
    return;
  }
  s->in.status = SL_TAKEN_UNKNOWN;
  sl_arena *a = r->g->arena;
  sl__remark(a, &s->in,
             n > 1 ? name_all(a, found, n)
             : p   ? sl__str(a, "%s has handed in already: %s", sl__safe(a, p->id),
                             sl__safe(a, p->handed_in->in.source))
                   : "not in the roster");
}

static void add_absent(sl_grading *g, const sl_listed *p) {
  sl_submission *s = sl__add_named(g, &(sl_person){.name = p->id, .full = p->name}, (sl_handed_piece){0});
  s->in.n_pieces = 0;
  s->in.status = SL_TAKEN_ABSENT;
  s->in.reason = "in the roster, and nothing handed in";
}

// A submission that is unknown keeps its name, unless somebody of the roster has it.
static void rename_unknown(sl_arena *a, sl_index *names, sl_submission *s) {
  const char *own = s->raw_name;
  for (int k = 2; sl__index_has(names, s->raw_name); k++) s->raw_name = sl__str(a, "%s (%d)", own, k);
  sl__index_add(a, names, s->raw_name, 0);
  s->name = sl__safe(a, s->raw_name);
  s->id = sl__safe_name(a, s->raw_name);
}

bool sl__apply_roster(sl_grading *g, const char *path, sl_error *e) {
  sl_people r = {.g = g, .path = path, .what = "roster"};
  if (!sl__read_people(&r, e)) return false;
  drop_doubles(&r);
  sl_index groups = {0}, names = {0};
  char plain[SL_MAX_PLAIN];
  for (size_t i = 0; i < r.n; i++) {
    plain_group(r.list[i].group, plain);
    if (*plain) sl__index_add(g->arena, &groups, sl__str(g->arena, "%s", plain), i);
  }
  for (size_t i = 0, n = g->n; i < n; i++)
    if (!hand_to_group(&r, &groups, i)) assign(&r, &g->subs[i]);
  for (size_t i = 0; i < r.n; i++)
    if (!r.list[i].handed_in) add_absent(g, &r.list[i]);
  for (size_t i = 0; i < r.n; i++) sl__index_add(g->arena, &names, r.list[i].id, i);
  SL_EACH_SUB(g, s)
    if (s->in.status == SL_TAKEN_UNKNOWN) rename_unknown(g->arena, &names, s);
  sl__tell_rest(&r);
  return true;
}
