// Makes the mutants of a kernel.
//
// Interface: mutants_of walks over the tokens of the regions and lets every row of operators.def try each
// place. A way is a function that looks at token k: if the row fits there, it adds the mutant.
#include "mutants.h"

typedef struct maker maker;
typedef struct operator_row {
  const char *name;
  void (*way)(maker *m, const struct operator_row *o, size_t k);
  const char *from, *put;
} operator_row;

struct maker {
  const source *s;
  const char *lab;
  mutants all;
};

// Text ------------------------------------------------------------------------------------------------------

static char *copy_of(const source *s, uint32_t from, uint32_t to) {
  return sl_path("%.*s", (int)(to - from), s->text + from);
}

static uint32_t end_of(const source *s, size_t k) { return s->t[k].at + s->t[k].len; }

static bool same_edit(const mutant *a, const mutant *b) {
  return a->from == b->from && a->to == b->to && !strcmp(a->put, b->put);
}

// Adds the mutant that has [put] (which it takes over) for the bytes of tokens first..last.
static void add_mutant(maker *m, const operator_row *o, size_t first, size_t last, char *put) {
  const source *s = m->s;
  mutant x = {.from = s->t[first].at, .to = end_of(s, last), .line = s->t[first].line, .put = put};
  unsigned before = 0;
  char name[56];
  x.device = s->t[first].device && s->t[last].device;
  snprintf(name, sizeof name, "%s.%u-%s", m->lab, s->t[first].region, o->name);
  for (size_t i = 0; i < m->all.n; i++) {
    const mutant *y = &m->all.at[i];
    if (same_edit(&x, y)) return free(put);
    const char *dash = strrchr(y->id, '-');
    before += (size_t)(dash - y->id) == strlen(name) && !strncmp(y->id, name, strlen(name));
  }
  if (!SL_ROOM(m->all.at, m->all.n)) return free(put);
  snprintf(x.id, sizeof x.id, "%s-%u", name, before + 1);
  m->all.at[m->all.n++] = x;
}

// [put] with the text of tokens first..last for its %.
static char *filled(const source *s, const char *put, size_t first, size_t last) {
  const char *percent = strchr(put, '%');
  if (!percent) return sl_path("%s", put);
  SL_FREED char *old = copy_of(s, s->t[first].at, end_of(s, last));
  return sl_path("%.*s%s%s", (int)(percent - put), put, old, percent + 1);
}

static void add_filled(maker *m, const operator_row *o, size_t first, size_t last) {
  if (first <= last && last < m->s->n) add_mutant(m, o, first, last, filled(m->s, o->put, first, last));
}

// Shapes of code --------------------------------------------------------------------------------------------

static bool is_one_of(const source *s, size_t k, const char *const *words) {
  for (; *words; words++)
    if (token_is(s, k, *words)) return true;
  return false;
}

// Does token [k] end an operand, so that a sign behind it has two?
static bool ends_operand(const source *s, size_t k) {
  static const char *const types[] = {"uint32_t", "char", "void", "float", "auto", "T", "return", NULL};
  if (s->t[k].kind == TOKEN_SIGN) return token_is(s, k, ")") || token_is(s, k, "]");
  return !is_one_of(s, k, types);
}

static bool begins_statement(const source *s, size_t k) {
  static const char *const before[] = {";", "{", "}", "else", NULL};
  static const char *const no_simple[] = {"if", "for", "while", "else", "{", "}", ";", "do", NULL};
  if (!k || is_one_of(s, k, no_simple)) return false;
  if (is_one_of(s, k - 1, before)) return true;
  if (s->t[k - 1].region != s->t[k].region) return true;
  if (!token_is(s, k - 1, ")")) return false;
  for (size_t i = k - 1; i-- > 0 && s->t[i].region == s->t[k].region;) // if (..) statement
    if (token_is(s, i, "(") && token_closing(s, i) == k - 1)
      return i && (token_is(s, i - 1, "if") || token_is(s, i - 1, "for") || token_is(s, i - 1, "while"));
  return false;
}

// The ";" of the simple statement that begins at [k]; s->n if it has blocks or is not wholly in the region.
static size_t statement_end(const source *s, size_t k) {
  for (size_t i = k; i < s->n && s->t[i].region == s->t[k].region; i++) {
    if (token_is(s, i, "{") || token_is(s, i, "}")) return s->n;
    if (token_is(s, i, ";")) return i;
    if (token_is(s, i, "(")) i = token_closing(s, i);
  }
  return s->n;
}

enum { MAX_ARGUMENTS = 8 };
typedef struct arguments {
  size_t n, first[MAX_ARGUMENTS], last[MAX_ARGUMENTS];
} arguments;

// The arguments between the brackets at tokens [open] and [close].
static arguments arguments_of(const source *s, size_t open, size_t close) {
  arguments a = {.first = {open + 1}};
  if (close >= s->n || close == open + 1) return a;
  for (size_t i = open + 1; i <= close && a.n < MAX_ARGUMENTS; i++) {
    if (i == close || token_is(s, i, ",")) {
      a.last[a.n++] = i - 1;
      if (a.n < MAX_ARGUMENTS) a.first[a.n] = i + 1;
    } else if (token_is(s, i, "(") || token_is(s, i, "[") || token_is(s, i, "{")) i = token_closing(s, i);
  }
  return a;
}

static size_t launch_end(const source *s, size_t k) {
  for (; k < s->n; k++)
    if (token_is(s, k, ">>>")) return k;
  return s->n;
}

// Ways ------------------------------------------------------------------------------------------------------

// The tokens of [from], one after the other.
static void WORDS(maker *m, const operator_row *o, size_t k) {
  char word[32];
  size_t i = k;
  int used;
  for (const char *p = o->from; sscanf(p, "%31s%n", word, &used) == 1; p += used, i++)
    if (!token_is(m->s, i, word)) return;
  add_filled(m, o, k, i - 1);
}

// A sign between two operands.
static void BINARY(maker *m, const operator_row *o, size_t k) {
  if (k && token_is(m->s, k, o->from) && ends_operand(m->s, k - 1)) add_filled(m, o, k, k);
}

// A simple statement up to its ";". No declaration: what is declared would be missing.
static void STATEMENT(maker *m, const operator_row *o, size_t k) {
  const source *s = m->s;
  bool declares = s->t[k].kind == TOKEN_WORD && k + 1 < s->n && s->t[k + 1].kind == TOKEN_WORD;
  size_t end = !declares && begins_statement(s, k) ? statement_end(s, k) : s->n;
  if (end < s->n) add_filled(m, o, k, end - 1);
}

// Two simple statements, the second before the first.
static void STATEMENTS(maker *m, const operator_row *o, size_t k) {
  const source *s = m->s;
  size_t end = begins_statement(s, k) ? statement_end(s, k) : s->n;
  if (end + 1 >= s->n || s->t[end + 1].region != s->t[k].region || !begins_statement(s, end + 1)) return;
  size_t second = statement_end(s, end + 1);
  if (second >= s->n) return;
  SL_FREED char *a = copy_of(s, s->t[k].at, end_of(s, end)),
                *b = copy_of(s, s->t[end + 1].at, end_of(s, second));
  add_mutant(m, o, k, second, sl_path("%s %s", b, a));
}

// The condition behind the word [from].
static void CONDITION(maker *m, const operator_row *o, size_t k) {
  if (token_is(m->s, k, o->from) && token_is(m->s, k + 1, "("))
    add_filled(m, o, k + 2, token_closing(m->s, k + 1) - 1);
}

// The end of an arm of "? :" that begins at [k]: the token before what ends the expression.
static size_t arm_end(const source *s, size_t k) {
  static const char *const ends[] = {";", ",", ")", "]", "}", ":", NULL};
  for (; k < s->n && !is_one_of(s, k, ends); k++)
    if (token_is(s, k, "(") || token_is(s, k, "[")) k = token_closing(s, k);
  return k - 1;
}

// Both arms of a "? :".
static void ARMS(maker *m, const operator_row *o, size_t k) {
  const source *s = m->s;
  if (!token_is(s, k, "?")) return;
  size_t one = arm_end(s, k + 1);
  if (!token_is(s, one + 1, ":")) return;
  size_t two = arm_end(s, one + 2);
  SL_FREED char *a = copy_of(s, s->t[k + 1].at, end_of(s, one)),
                *b = copy_of(s, s->t[one + 2].at, end_of(s, two));
  add_mutant(m, o, k + 1, two, sl_path("%s : %s", b, a));
}

// What stands between [ and ].
static void INDEX(maker *m, const operator_row *o, size_t k) {
  if (token_is(m->s, k, "[") && k && ends_operand(m->s, k - 1))
    add_filled(m, o, k + 1, token_closing(m->s, k) - 1);
}

// A whole number, [put] more.
static void NUMBER(maker *m, const operator_row *o, size_t k) {
  const source *s = m->s;
  const token *t = &s->t[k];
  SL_FREED char *text = copy_of(s, t->at, t->at + t->len);
  char *end;
  long value = strtol(text, &end, 0);
  if (t->kind == TOKEN_NUMBER && !strchr(text, '.') && value + atol(o->put) >= 0 && value < 1 << 30)
    add_mutant(m, o, k, k, sl_path("%ld%s", value + atol(o->put), end));
}

// The first two arguments of any call with two.
static void ARGUMENTS(maker *m, const operator_row *o, size_t k) {
  const source *s = m->s;
  if (!k || !token_is(s, k, "(") || s->t[k - 1].kind != TOKEN_WORD) return;
  arguments x = arguments_of(s, k, token_closing(s, k));
  if (x.n != 2) return;
  SL_FREED char *a = copy_of(s, s->t[x.first[0]].at, end_of(s, x.last[0]));
  SL_FREED char *b = copy_of(s, s->t[x.first[1]].at, end_of(s, x.last[1]));
  add_mutant(m, o, x.first[0], x.last[1], sl_path("%s, %s", b, a));
}

static void change_argument(maker *m, const operator_row *o, arguments x, size_t which) {
  if (which < x.n) add_filled(m, o, x.first[which], x.last[which]);
}

static void change_launch(maker *m, const operator_row *o, size_t k, size_t which) {
  if (token_is(m->s, k, "<<<")) change_argument(m, o, arguments_of(m->s, k, launch_end(m->s, k)), which);
}

// The grid, the block, the dynamic shared memory of a launch.
static void LAUNCH_0(maker *m, const operator_row *o, size_t k) { change_launch(m, o, k, 0); }
static void LAUNCH_1(maker *m, const operator_row *o, size_t k) { change_launch(m, o, k, 1); }
static void LAUNCH_2(maker *m, const operator_row *o, size_t k) { change_launch(m, o, k, 2); }

// A launch gets a stream.
static void STREAM(maker *m, const operator_row *o, size_t k) {
  size_t end = token_is(m->s, k, "<<<") ? launch_end(m->s, k) : m->s->n;
  if (end < m->s->n)
    add_mutant(m, o, end, end, sl_path("%s, %s>>>", arguments_of(m->s, k, end).n == 2 ? ", 0" : "", o->put));
}

// A call of [from] gets a further argument.
static void APPEND(maker *m, const operator_row *o, size_t k) {
  size_t close = token_is(m->s, k, o->from) ? token_closing(m->s, k + 1) : m->s->n;
  if (close < m->s->n) add_mutant(m, o, close, close, sl_path(", %s)", o->put));
}

// The number of bytes in a call of [from]: the third argument, or the last of fewer.
static void BYTES(maker *m, const operator_row *o, size_t k) {
  if (!token_is(m->s, k, o->from) || !token_is(m->s, k + 1, "(")) return;
  arguments x = arguments_of(m->s, k + 1, token_closing(m->s, k + 1));
  change_argument(m, o, x, x.n > 3 ? 2 : x.n - 1);
}

static const operator_row operators[] = {
#define OPERATOR(name, way, from, put) {name, way, from, put},
#include "operators.def"
    {0}};

// All of them -----------------------------------------------------------------------------------------------

mutants mutants_of(const source *s, const char *lab) {
  maker m = {.s = s, .lab = lab};
  for (size_t k = 0; k < s->n; k++)
    for (const operator_row *o = operators; s->t[k].region && o->name; o++) o->way(&m, o, k);
  return m.all;
}

void mutants_free(mutants *m) {
  for (size_t i = 0; i < m->n; i++) free(m->at[i].put);
  free(m->at);
  *m = (mutants){0};
}

char *mutant_text(const source *s, const mutant *m) {
  return sl_path("%.*s%s%s", (int)m->from, s->text, m->put, s->text + m->to);
}

// Blanks and line ends become one blank each.
static void squeeze(char *text) {
  char *to = text;
  for (const char *p = text; *p; p++)
    if ((*p != ' ' && *p != '\n' && *p != '\t') || (to > text && to[-1] != ' '))
      *to++ = *p == '\n' || *p == '\t' ? ' ' : *p;
  *to = 0;
}

char *mutant_change(const source *s, const mutant *m) {
  SL_FREED char *old = copy_of(s, m->from, m->to);
  char *text = sl_path("%s -> %s", old, *m->put ? m->put : "nothing");
  squeeze(text);
  return text;
}
