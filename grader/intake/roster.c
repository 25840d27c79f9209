// The roster: who is in the course. It gives submissions their people, and shows who is absent and who is unknown.
//
// Interface: sl__apply_roster reads a table (CSV, also with semicolons or tabs; UTF-8 with or without a mark, UTF-16
// with one, or Latin-1) as Canvas, Moodle, Gradescope or a person wrote it. Its first line names the columns. Each
// submission is matched by what its system tells: number, address, name. What fits nobody, or several, is unknown and
// graded all the same; whoever has no submission gets a row that says absent. Doubles are told.
#include "intake/intake.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_ROSTER = 16 << 20, MAX_CELLS = 64, MAX_KEY = 256, MAX_TOLD = 5 };

typedef enum column_use {
  COLUMN_NONE,
  COLUMN_ID,
  COLUMN_EMAIL,
  COLUMN_NAME,
  COLUMN_FIRST,
  COLUMN_LAST
} column_use;

// What titles of columns mean, plain (letters and digits, lower case). The first id that a table has is the
// student's name in all results.
static const struct {
  const char *title;
  column_use use;
} titles[] = {
    {"id", COLUMN_ID},           {"studentid", COLUMN_ID},
    {"sisloginid", COLUMN_ID},   {"loginid", COLUMN_ID},
    {"login", COLUMN_ID},        {"username", COLUMN_ID},
    {"user", COLUMN_ID},         {"sid", COLUMN_ID},
    {"sisuserid", COLUMN_ID},    {"idnumber", COLUMN_ID},
    {"netid", COLUMN_ID},        {"number", COLUMN_ID},
    {"github", COLUMN_ID},       {"folder", COLUMN_ID},
    {"email", COLUMN_EMAIL},     {"emailaddress", COLUMN_EMAIL},
    {"mail", COLUMN_EMAIL},      {"name", COLUMN_NAME},
    {"fullname", COLUMN_NAME},   {"student", COLUMN_NAME},
    {"firstname", COLUMN_FIRST}, {"lastname", COLUMN_LAST},
    {"surname", COLUMN_LAST},
};

typedef struct person {
  const char *id, *name;
  const char *keys[MAX_CELLS + 4]; // plain texts that mean this person
  size_t n_keys;
  sl_submission *handed_in;
  size_t line;
} person;

typedef struct roster {
  sl_grading *g;
  const char *path;
  char separator;
  column_use use[MAX_CELLS];
  size_t n_columns, n;
  person *people;
  int told;
} roster;

static void tell(roster *r, size_t line, const char *what, const char *about) {
  if (r->told++ < MAX_TOLD)
    fprintf(stderr, "roster %s, line %zu: %s: %s\n", r->path, line, what, sl__safe(r->g->arena, about));
  if (r->told == MAX_TOLD) fprintf(stderr, "roster %s: more is not told\n", r->path);
}

// Encodings -------------------------------------------------------------------------------------------------------

static bool is_utf8(const char *s) {
  json_t *text = json_string(s);
  json_decref(text);
  return text != NULL;
}

static size_t put_utf8(char *out, unsigned c) {
  if (c < 0x80) return out[0] = (char)c, 1;
  if (c < 0x800) return out[0] = (char)(0xC0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
  return out[0] = (char)(0xE0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)),
         out[2] = (char)(0x80 | (c & 63)), 3;
}

// The text of a file in UTF-8. NULL: it has bytes of zero.
static char *decode(sl_arena *a, const unsigned char *raw, size_t len) {
  bool little = len > 1 && raw[0] == 0xFF && raw[1] == 0xFE,
       big = len > 1 && raw[0] == 0xFE && raw[1] == 0xFF;
  char *out = sl__alloc(a, 3 * len + 4);
  size_t n = 0;
  if (little || big) {
    for (size_t i = 2; i + 1 < len; i += 2)
      n +=
          put_utf8(out + n, little ? raw[i] | (unsigned)raw[i + 1] << 8 : raw[i + 1] | (unsigned)raw[i] << 8);
    return out;
  }
  if (memchr(raw, 0, len)) return NULL;
  if (is_utf8((const char *)raw))
    return strcpy(out, (const char *)raw + (strncmp((const char *)raw, "\xEF\xBB\xBF", 3) ? 0 : 3));
  for (size_t i = 0; i < len; i++) n += put_utf8(out + n, raw[i]); // Latin-1
  return out;
}

// Rows ------------------------------------------------------------------------------------------------------------

// Reads one row of cells at *at into [cells], and *lines. Returns how many there are.
static size_t read_row(roster *r, char **at, char *cells[MAX_CELLS], size_t *lines) {
  size_t n = 0;
  char *p = *at;
  for (bool more = true; more;) {
    char *out = p, *begin = p;
    bool quoted = *p == '"';
    if (quoted) p++;
    for (; *p; p++) {
      if (quoted && *p == '"' && p[1] == '"') p++;
      else if (quoted && *p == '"') {
        quoted = false;
        continue;
      } else if (!quoted && (*p == r->separator || *p == '\n' || *p == '\r')) break;
      *lines += *p == '\n';
      *out++ = *p;
    }
    more = *p == r->separator;
    if (*p == '\r' && p[1] == '\n') p++;
    *lines += *p == '\n' || *p == '\r';
    if (*p) p++;
    *out = 0;
    if (n < MAX_CELLS) cells[n++] = begin;
  }
  *at = p;
  return n;
}

static char find_separator(const char *text) {
  size_t count[3] = {0};
  static const char marks[] = ",;\t";
  for (const char *p = text; *p && *p != '\n'; p++)
    for (int k = 0; k < 3; k++) count[k] += *p == marks[k];
  return count[1] > count[0] ? ';' : count[2] > count[0] ? '\t' : ',';
}

static column_use use_of(const char *title) {
  char plain[MAX_KEY];
  sl__plain(title, plain, sizeof plain);
  for (size_t k = 0; k < sizeof titles / sizeof *titles; k++)
    if (!strcmp(plain, titles[k].title)) return titles[k].use;
  return COLUMN_NONE;
}

// People ----------------------------------------------------------------------------------------------------------

static void add_key(roster *r, person *p, const char *text) {
  char plain[MAX_KEY];
  sl__plain(text, plain, sizeof plain);
  if (*plain && p->n_keys < sizeof p->keys / sizeof *p->keys)
    p->keys[p->n_keys++] = sl__str(r->g->arena, "%s", plain);
}

static bool has_key(const person *p, const char *text) {
  char plain[MAX_KEY];
  if (!text) return false;
  sl__plain(text, plain, sizeof plain);
  for (size_t k = 0; k < p->n_keys; k++)
    if (!strcmp(p->keys[k], plain)) return true;
  return false;
}

static const char *trimmed(sl_arena *a, const char *s) {
  s += strspn(s, " \t");
  size_t n = strlen(s);
  while (n && strchr(" \t", s[n - 1])) n--;
  return sl__str(a, "%.*s", (int)n, s);
}

// Both orders of a name: "Müller, Björn" and "Björn Müller".
static void add_name_keys(roster *r, person *p, const char *first, const char *last) {
  add_key(r, p, sl__str(r->g->arena, "%s%s", first, last));
  add_key(r, p, sl__str(r->g->arena, "%s%s", last, first));
  if (!p->name) p->name = sl__str(r->g->arena, "%s%s%s", first, *first && *last ? " " : "", last);
}

static void add_full_name(roster *r, person *p, const char *name) {
  const char *comma = strchr(name, ',');
  if (comma)
    add_name_keys(r, p, trimmed(r->g->arena, comma + 1),
                  sl__str(r->g->arena, "%.*s", (int)(comma - name), name));
  else add_name_keys(r, p, name, "");
}

static person read_person(roster *r, char *const cells[], size_t n, size_t line) {
  person p = {.line = line};
  const char *first = "", *last = "", *email = NULL;
  for (size_t k = 0; k < n && k < r->n_columns; k++) {
    const char *cell = trimmed(r->g->arena, cells[k]);
    if (!*cell) continue;
    if (r->use[k] == COLUMN_FIRST) first = cell;
    if (r->use[k] == COLUMN_LAST) last = cell;
    if (r->use[k] == COLUMN_NAME) add_full_name(r, &p, cell);
    if (r->use[k] == COLUMN_EMAIL) email = cell;
    if (r->use[k] == COLUMN_ID || r->use[k] == COLUMN_EMAIL) add_key(r, &p, cell);
    if (r->use[k] == COLUMN_ID && !p.id) p.id = cell;
  }
  if (*first || *last) add_name_keys(r, &p, first, last);
  if (!p.id) p.id = email ? email : p.name;
  return p;
}

static void add_person(roster *r, person p) {
  if (!p.id) {
    tell(r, p.line, "a row without a student", "passed over");
    return;
  }
  for (size_t i = 0; i < r->n; i++)
    if (!strcmp(r->people[i].id, p.id)) {
      tell(r, p.line, "the same student as in an earlier line, taken once", p.id);
      return;
    }
  r->people = sl__more(r->g->arena, r->people, r->n, sizeof *r->people);
  r->people[r->n++] = p;
}

static bool read_header(roster *r, char *const cells[], size_t n, sl_error *e) {
  bool known = false;
  for (size_t k = 0; k < n; k++) known = (r->use[k] = use_of(cells[k])) != COLUMN_NONE || known;
  r->n_columns = n;
  return known ||
         sl_fail(
             e, SL_EXIT_INPUT,
             "its first line must name the columns, as: id,name,email (or as Canvas, Moodle and Gradescope "
             "export them)",
             "%s: line 1 names no column of a roster", r->path);
}

// Is it the row of the greatest points that Canvas puts under the titles?
static bool is_points_row(sl_arena *a, char *const cells[]) {
  return !strcasecmp(trimmed(a, cells[0]), "Points Possible");
}

static bool read_people(roster *r, char *text, sl_error *e) {
  char *cells[MAX_CELLS];
  size_t line = 1, next = 1;
  r->separator = find_separator(text);
  if (!read_header(r, cells, read_row(r, &text, cells, &next), e)) return false;
  while (line = next, *text) {
    size_t n = read_row(r, &text, cells, &next);
    bool blank = n == 1 && !*trimmed(r->g->arena, cells[0]);
    if (!blank && !is_points_row(r->g->arena, cells)) add_person(r, read_person(r, cells, n, line));
  }
  return r->n || sl_fail(e, SL_EXIT_INPUT, NULL, "%s: there is nobody in this roster", r->path);
}

// Matching --------------------------------------------------------------------------------------------------------

// The one person with the key [text]; *n counts those who have it.
static person *with_key(roster *r, const char *text, size_t *n) {
  person *found = NULL;
  *n = 0;
  for (size_t i = 0; text && i < r->n; i++)
    if (has_key(&r->people[i], text)) found = &r->people[i], ++*n;
  return found;
}

// The strongest sign that fits somebody decides: numbers and addresses before names.
static person *match(roster *r, const sl_submission *s, size_t *n) {
  const char *const signs[] = {s->in.user, s->in.number, s->in.email, s->raw_name, s->in.full};
  for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
    person *p = with_key(r, signs[k], n);
    if (*n) return p;
  }
  return NULL;
}

static void rename_submission(sl_grading *g, sl_submission *s, const person *p) {
  s->raw_name = p->id;
  s->name = sl__safe(g->arena, p->id);
  s->id = sl__safe_name(g->arena, p->id);
  s->in.full = p->name;
}

static void assign(roster *r, sl_submission *s) {
  size_t n;
  person *p = match(r, s, &n);
  if (p && n == 1 && !p->handed_in) {
    rename_submission(r->g, s, p);
    p->handed_in = s;
    return;
  }
  s->in.status = SL_TAKEN_UNKNOWN;
  s->in.reason = n > 1 ? sl__str(r->g->arena, "%zu students of the roster could be meant", n)
                 : p   ? sl__str(r->g->arena, "%s has handed in already: %s", sl__safe(r->g->arena, p->id),
                                 sl__safe(r->g->arena, p->handed_in->in.source))
                       : "not in the roster";
}

static void add_absent(sl_grading *g, const person *p) {
  sl_submission *s =
      sl__add_submission(g, &(sl_person){.name = p->id, .full = p->name}, (sl_handed_piece){0});
  s->in.n_pieces = 0;
  s->in.status = SL_TAKEN_ABSENT;
  s->in.reason = "in the roster, and nothing handed in";
}

// A submission that is unknown keeps its name, unless somebody of the roster has it.
static void rename_unknown(sl_grading *g, sl_submission *s) {
  const char *own = s->raw_name;
  if (s->in.status != SL_TAKEN_UNKNOWN) return;
  s->raw_name = "";
  s->raw_name = sl__unused_name(g, own);
  s->name = sl__safe(g->arena, s->raw_name);
  s->id = sl__safe_name(g->arena, s->raw_name);
}

bool sl__apply_roster(sl_grading *g, const char *path, sl_error *e) {
  size_t len;
  unsigned char *raw = sl_read_file(path, MAX_ROSTER, &len, e);
  if (!raw) return false;
  roster r = {.g = g, .path = path};
  char *text = decode(g->arena, raw, len);
  free(raw);
  if (!text) return sl_fail(e, SL_EXIT_INPUT, "a roster is a table as text (CSV)", "%s: is no text", path);
  if (!read_people(&r, text, e)) return false;
  for (size_t i = 0; i < g->n; i++) assign(&r, &g->subs[i]);
  for (size_t i = 0; i < g->n; i++) rename_unknown(g, &g->subs[i]);
  for (size_t i = 0; i < r.n; i++)
    if (!r.people[i].handed_in) add_absent(g, &r.people[i]);
  return true;
}
