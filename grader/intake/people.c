// The people of a table: which columns say who somebody is, and whose rows a hand-in can mean.
//
// Interface: sl__read_people reads a table as Canvas, Moodle, Gradescope or a person wrote it; its first line
// names the columns (`titles`). sl__match_people finds the rows of a submission by what its
// system tells: numbers and addresses before names. sl__tell_people says what is wrong, each a few times.
#include "intake/intake.h"

enum { MAX_TOLD = 5, MAX_CELL = 1000 }; // MAX_CELL: bytes of an id or a name

typedef enum column_use {
  COLUMN_NONE,
  COLUMN_ID,
  COLUMN_KEY, // means somebody, and is nobody's name
  COLUMN_EMAIL,
  COLUMN_NAME,
  COLUMN_FIRST,
  COLUMN_LAST,
  COLUMN_ROLE,
  COLUMN_GROUP,
  COLUMN_TIME
} column_use;

// What titles of columns mean, plain (letters and digits, lower case). The first id that a table has is the
// student's name in all results. German ones are Moodle's.
static const char *const titles[] = {
    [COLUMN_ID] = " id studentid sisloginid loginid login username user sid sisuserid studentsisid idnumber "
                  "netid number github idnummer matrikelnummer folder "
                  "userid ",        // Canvas's list of groups
    [COLUMN_KEY] = " canvasuserid " // the same: the number in the names of its files
                   "identifier ",   // Moodle: "Participant 4711"
    [COLUMN_EMAIL] = " email emailaddress mail emailadresse ",
    [COLUMN_NAME] = " name fullname student studentname vollstandigername ",
    [COLUMN_FIRST] = " firstname vorname ",
    [COLUMN_LAST] = " lastname surname nachname ",
    [COLUMN_ROLE] = " role ", // Gradescope's roster has teachers, too
    [COLUMN_GROUP] = " groupname group ",
    [COLUMN_TIME] = " lastmodifiedsubmission " // Moodle's grading worksheet
                    "submitteddate "           // Canvas's report of late work
                    "submittedat "             // Canvas's interface for programs
                    "submissiontime handedin " // Gradescope's scores, ours
};

static column_use use_of(const char *title) {
  char plain[SL_MAX_PLAIN], word[SL_MAX_PLAIN + 2];
  sl__plain(title, plain, sizeof plain);
  snprintf(word, sizeof word, " %s ", plain);
  for (column_use use = COLUMN_ID; *plain && use <= COLUMN_TIME; use++)
    if (strstr(titles[use], word)) return use;
  return COLUMN_NONE;
}

void sl__tell_people(sl_people *r, size_t line, const char *what, const char *about) {
  const char *all = sl__str(r->g->arena, "%s %s, line %zu: %s: %s", r->what, r->path, line, what,
                            sl__safe(r->g->arena, about));
  if (r->told++ < MAX_TOLD) sl__print_text(stderr, all, 0, 2);
}

void sl__tell_rest(const sl_people *r) {
  const int more = r->told - MAX_TOLD;
  if (more > 0)
    fprintf(stderr, "%s %s: %d more line%s of this kind %s not listed\n", r->what, r->path, more,
            sl_plural(more), more == 1 ? "is" : "are");
}

// Rows ------------------------------------------------------------------------------------------------------

static size_t find_key(const sl_listed *p, const char *plain) {
  size_t k = 0;
  while (k < p->n_keys && strcmp(p->keys[k].plain, plain) != 0) k++;
  return k;
}

// [written]: as it stands there; NULL: it is a name, which several may have.
static void add_key(sl_people *r, sl_listed *p, const char *text, const char *written) {
  char plain[SL_MAX_PLAIN];
  sl__plain_key(text, plain, sizeof plain);
  size_t k = find_key(p, plain);
  if (!*plain || k == sizeof p->keys / sizeof *p->keys) return;
  if (k == p->n_keys) p->keys[p->n_keys++] = (sl_key){sl__str(r->g->arena, "%s", plain), NULL};
  if (!p->keys[k].written) p->keys[k].written = written;
}

typedef struct name_keys {
  sl_people *r;
  sl_listed *p;
} name_keys;

static void add_name_key(void *of, const char *name) {
  const name_keys *k = of;
  add_key(k->r, k->p, name, NULL);
}

static void add_full_name(sl_people *r, sl_listed *p, const char *name) {
  sl__each_order(r->g->arena, name, add_name_key, &(name_keys){r, p});
  if (!p->name) p->name = sl__name_in_order(r->g->arena, name);
}

// "1.2E+05", "1,2E+05"
static bool is_shortened(const char *id) {
  size_t n = strspn(id, "0123456789.,");
  return n && !strncmp(id + n, "E+", 2) && id[n + 2] && !id[n + 2 + strspn(id + n + 2, "0123456789")];
}

static sl_listed read_listed(sl_people *r, const column_use *use, const sl_csv *t, size_t row) {
  sl_listed p = {.line = t->rows[row].line};
  const char *first = "", *last = "", *email = NULL;
  for (size_t k = 0; k < t->rows[0].n; k++) {
    const char *cell = sl__cell(t, row, k);
    if (!*cell || use[k] == COLUMN_NONE) continue;
    if (strlen(cell) > MAX_CELL) {
      sl__tell_people(r, p.line, "a cell of more than 1000 bytes says nothing here",
                      sl__str(r->g->arena, "%.40s ..", cell));
      continue;
    }
    if (use[k] == COLUMN_FIRST) first = cell;
    if (use[k] == COLUMN_LAST) last = cell;
    if (use[k] == COLUMN_NAME) add_full_name(r, &p, cell);
    if (use[k] == COLUMN_EMAIL) email = cell;
    if (use[k] == COLUMN_ID || use[k] == COLUMN_KEY || use[k] == COLUMN_EMAIL) add_key(r, &p, cell, cell);
    if (use[k] == COLUMN_ID && !p.id) p.id = cell;
    if (use[k] == COLUMN_TIME && !p.time) p.time = cell;
    if (use[k] == COLUMN_ROLE) p.role = cell;
    if (use[k] == COLUMN_GROUP) p.group = cell;
  }
  if (*first || *last) add_full_name(r, &p, sl__str(r->g->arena, "%s, %s", last, first));
  if (!p.id) p.id = email ? email : p.name ? p.name : p.n_keys ? p.keys[0].plain : NULL;
  return p;
}

// Tells what makes a row doubtful that is taken all the same.
static void doubt_row(sl_people *r, const sl_csv_row *row, size_t most, const char *id) {
  if (row->n > most)
    sl__tell_people(r, row->line, "more cells than line 1 has titles (a comma in a name without quotes?)",
                    id);
  if (is_shortened(id))
    sl__tell_people(r, row->line,
                    "a spreadsheet has shortened this id, and its digits are lost: export the table again",
                    id);
}

static bool is_teacher(const char *role) {
  static const char *const roles[] = {"instructor",        "ta",      "reader", "teacher",
                                      "teachingassistant", "observer"};
  char plain[SL_MAX_PLAIN];
  sl__plain(role, plain, sizeof plain);
  for (size_t k = 0; k < sizeof roles / sizeof *roles; k++)
    if (!strcmp(plain, roles[k])) return true;
  return false;
}

// Canvas has a student of its own in every course.
static bool is_test_student(const sl_listed *p) { return p->name && !strcmp(p->name, "Test Student"); }

// Why the row is nobody's; NULL: it is somebody's.
static const char *passed_over(const sl_listed *p) {
  return !p->id                           ? "a row without a student is passed over"
         : is_test_student(p)             ? "is Canvas's own, and passed over"
         : p->role && is_teacher(p->role) ? "is no student, and passed over"
                                          : NULL;
}

// Is it the row of the greatest points that Canvas puts under the titles?
static bool is_points_row(const sl_csv *t, size_t row) {
  return !strcasecmp(sl__cell(t, row, 0), "Points Possible");
}

static bool read_titles(sl_people *r, const sl_csv *t, column_use *use, sl_error *e) {
  bool known = false;
  for (size_t k = 0; k < t->rows[0].n; k++) {
    use[k] = use_of(sl__cell(t, 0, k));
    known = known || (use[k] != COLUMN_NONE && use[k] != COLUMN_TIME);
    r->has_times = r->has_times || use[k] == COLUMN_TIME;
  }
  return known ||
         sl_fail(
             e, SL_EXIT_INPUT,
             "its first line must name the columns, as: id,name,email (or as Canvas, Moodle and Gradescope "
             "export them)",
             "%s: line %zu names no column of a %s: %s", r->path, t->rows[0].line, r->what,
             sl__safe(r->g->arena, sl__str(r->g->arena, "%.80s", sl__cell(t, 0, 0))));
}

bool sl__read_people(sl_people *r, sl_error *e) {
  sl_csv t;
  if (!sl__read_csv(r->g->arena, r->path, r->what, &t, e)) return false;
  const size_t most = sl__most_cells(&t, 0);
  column_use *use = sl__alloc(r->g->arena, t.rows[0].n * sizeof *use);
  if (!read_titles(r, &t, use, e)) return false;
  r->list = sl__alloc(r->g->arena, t.n * sizeof *r->list); // at most so many: each is a kilobyte
  for (size_t i = 1; i < t.n; i++) {
    if (is_points_row(&t, i)) continue;
    sl_listed p = read_listed(r, use, &t, i);
    const char *why = passed_over(&p);
    if (why) {
      sl__tell_people(r, p.line, why,
                      p.role ? sl__str(r->g->arena, "%s (%s)", p.id ? p.id : "", p.role)
                             : sl__cell(&t, i, 0));
      continue;
    }
    doubt_row(r, &t.rows[i], most, p.id);
    r->list[r->n++] = p;
  }
  return r->n || sl_fail(e, SL_EXIT_INPUT, NULL, "%s: there is nobody in this %s", r->path, r->what);
}

// Matching --------------------------------------------------------------------------------------------------

static void index_rows(sl_people *r) {
  for (size_t i = 0; i < r->n; i++)
    for (size_t k = 0; k < r->list[i].n_keys; k++)
      sl__index_add(r->g->arena, &r->keys, r->list[i].keys[k].plain, i);
}

static const char *written_as(const sl_listed *p, const char *plain) {
  return p->keys[find_key(p, plain)].written;
}

// Of several rows with one key, those where it is written like [text], "ann.lee" and not "annlee": if there
// are any, and it is nobody's name.
static size_t keep_exact(sl_listed **found, size_t n, const char *plain, const char *text) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!written_as(found[i], plain)) return n;
  for (size_t i = 0; i < n; i++) {
    sl_listed *p = found[i];
    if (strcmp(written_as(p, plain), text) != 0) continue;
    found[i] = found[kept]; // the others stay, behind those that are kept
    found[kept++] = p;
  }
  return kept ? kept : n;
}

// The rows with the key [text].
static size_t rows_with(const sl_people *r, const char *text, sl_listed ***found) {
  char plain[SL_MAX_PLAIN];
  size_t *rows;
  if (!text) return 0;
  sl__plain_key(text, plain, sizeof plain);
  size_t n = sl__index_find(r->g->arena, &r->keys, plain, &rows);
  *found = sl__alloc(r->g->arena, (n + 1) * sizeof **found);
  for (size_t k = 0; k < n; k++) (*found)[k] = &r->list[rows[k]];
  return keep_exact(*found, n, plain, text);
}

size_t sl__match_people(sl_people *r, const sl_submission *s, sl_listed ***found) {
  const char *const signs[] = {s->in.user, s->in.number, s->in.email, s->raw_name, s->in.own, s->in.full};
  size_t n = 0;
  *found = NULL;
  if (!r->keys.n) index_rows(r);
  for (size_t k = 0; !n && k < sizeof signs / sizeof *signs; k++) n = rows_with(r, signs[k], found);
  return n;
}
