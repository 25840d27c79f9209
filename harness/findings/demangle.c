// Names as the source spells them: the part of the Itanium C++ ABI's mangling that names of kernels and variables
// need: nested names, templates with types and numbers, pointers and references, back references, local names.
//
// Interface: sl_demangle (findings.h). The parameters of a function are left out, as a kernel is known by its name.
// Whatever else the grammar holds makes it give up: the name stays as it was, never wrong.
#include "findings/findings.h"

#include <ctype.h>
#include <string.h>

enum { MAX_SUBS = 64, MAX_DEPTH = 24, MAX_TEXT = 512 };

typedef struct parser {
  const char *p;
  int depth, n_subs;
  bool bad;
  char subs[MAX_SUBS][MAX_TEXT];
} parser;

typedef struct text {
  char s[MAX_TEXT];
} text;

static void add(parser *m, text *t, const char *s) {
  size_t n = strlen(t->s), k = strlen(s);
  if (n + k >= sizeof t->s)
    m->bad = true;
  else
    memcpy(t->s + n, s, k + 1);
}

static bool take(parser *m, const char *s) {
  size_t n = strlen(s);
  if (m->bad || strncmp(m->p, s, n) != 0) return false;
  m->p += n;
  return true;
}

static void remember(parser *m, const char *s) {
  if (m->n_subs < MAX_SUBS)
    snprintf(m->subs[m->n_subs++], MAX_TEXT, "%s", s);
  else
    m->bad = true;
}

static void type(parser *m, text *out);

// 6s_data
static void source_name(parser *m, text *out) {
  size_t n = 0;
  while (isdigit((unsigned char)*m->p) && n < MAX_TEXT) n = 10 * n + (size_t)(*m->p++ - '0');
  if (n == 0 || n >= MAX_TEXT || strnlen(m->p, n) < n) {
    m->bad = true;
    return;
  }
  char word[MAX_TEXT];
  memcpy(word, m->p, n), word[n] = 0;
  m->p += n;
  add(m, out, strncmp(word, "_GLOBAL__N_", 11) ? word : "(anonymous namespace)");
}

// S_, S0_, SA_ ..: what was named before.
static void back_reference(parser *m, text *out) {
  static const struct {
    const char *code, *name;
  } STD[] = {{"t", "std"}, {"a", "std::allocator"}, {"s", "std::string"}};
  for (size_t k = 0; k < sizeof STD / sizeof *STD; k++)
    if (take(m, STD[k].code)) {
      add(m, out, STD[k].name);
      return;
    }
  int n = 0;
  if (*m->p != '_') {
    for (; isdigit((unsigned char)*m->p) || isupper((unsigned char)*m->p); m->p++)
      n = n > MAX_SUBS ? n : 36 * n + (isdigit((unsigned char)*m->p) ? *m->p - '0' : *m->p - 'A' + 10);
    n++;
  }
  if (!take(m, "_") || n >= m->n_subs)
    m->bad = true;
  else
    add(m, out, m->subs[n]);
}

// Lb1E, Li8E, Lj4E
static void literal(parser *m, text *out) {
  bool boolean = *m->p == 'b';
  text kind = {""};
  char number[MAX_TEXT];
  size_t n = 0;
  type(m, &kind);
  if (take(m, "n")) add(m, out, "-");
  while (isdigit((unsigned char)*m->p) && n + 1 < sizeof number) number[n++] = *m->p++;
  number[n] = 0;
  if (n == 0 || !take(m, "E")) m->bad = true;
  add(m, out, boolean ? (number[0] == '1' ? "true" : "false") : number);
}

static void template_args(parser *m, text *out) {
  add(m, out, "<");
  for (int k = 0; !m->bad && *m->p && !take(m, "E"); k++) {
    text one = {""};
    if (take(m, "J")) { // a pack
      for (int j = 0; !m->bad && *m->p && !take(m, "E"); j++) {
        if (j) add(m, &one, ", ");
        take(m, "L") ? literal(m, &one) : type(m, &one);
      }
    } else {
      take(m, "L") ? literal(m, &one) : type(m, &one);
    }
    if (k && one.s[0]) add(m, out, ", ");
    add(m, out, one.s);
  }
  add(m, out, ">");
}

static void encoding(parser *m, text *out);

// N .. E: each prefix is remembered, the whole is not (type() does so for types).
static void nested(parser *m, text *out) {
  take(m, "K");
  bool first = true, known = false;
  while (!m->bad && *m->p && !take(m, "E")) {
    if (!first && !known) remember(m, out->s);
    known = false;
    if (take(m, "I"))
      template_args(m, out);
    else if (take(m, "S"))
      back_reference(m, out), known = true;
    else {
      if (!first) add(m, out, "::");
      take(m, "L");
      source_name(m, out);
    }
    first = false;
  }
}

static void name(parser *m, text *out) {
  if (take(m, "N")) {
    nested(m, out);
    return;
  }
  if (take(m, "Z")) { // local to a function: its name alone tells which one
    text function = {""};
    encoding(m, &function);
    while (!m->bad && *m->p && *m->p != 'E') {
      text parameter = {""};
      type(m, &parameter);
    }
    if (!take(m, "E")) m->bad = true;
    name(m, out);
    return;
  }
  bool known = false;
  if (take(m, "St"))
    add(m, out, "std::"), source_name(m, out);
  else if (take(m, "S"))
    back_reference(m, out), known = true;
  else
    take(m, "L"), source_name(m, out);
  if (*m->p != 'I') return;
  if (!known) remember(m, out->s);
  m->p++;
  template_args(m, out);
}

static void encoding(parser *m, text *out) { name(m, out); }

static bool builtin(parser *m, text *out) {
  static const struct {
    const char *code, *name;
  } TYPES[] = {{"Dh", "half"}, {"DF16_", "half"}, {"v", "void"}, {"b", "bool"}, {"c", "char"}, {"a", "signed char"},
               {"h", "unsigned char"}, {"s", "short"}, {"t", "unsigned short"}, {"i", "int"},
               {"j", "unsigned"}, {"l", "long"}, {"m", "unsigned long"}, {"x", "long long"},
               {"y", "unsigned long long"}, {"f", "float"}, {"d", "double"}, {"w", "wchar_t"}, {"z", "..."}};
  for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++)
    if (take(m, TYPES[k].code)) return add(m, out, TYPES[k].name), true;
  return false;
}

// T_, T0_: stands in the parameters of functions only, which are not shown.
static void template_parameter(parser *m, text *out) {
  if (!take(m, "T")) return;
  while (isdigit((unsigned char)*m->p)) m->p++;
  if (!take(m, "_")) m->bad = true;
  add(m, out, "T");
}

static void qualified(parser *m, text *out) {
  static const struct {
    const char *code, *before, *after;
  } FORMS[] = {{"P", "", "*"}, {"R", "", "&"}, {"O", "", "&&"}, {"K", "const ", ""}, {"V", "volatile ", ""},
               {"r", "", ""}};
  for (size_t k = 0; k < sizeof FORMS / sizeof *FORMS; k++)
    if (take(m, FORMS[k].code)) {
      add(m, out, FORMS[k].before);
      type(m, out);
      add(m, out, FORMS[k].after);
      return;
    }
  name(m, out);
}

static void type(parser *m, text *out) {
  if (++m->depth > MAX_DEPTH || m->bad) {
    m->bad = true;
  } else if (!builtin(m, out)) {
    text inner = {""};
    bool known = m->p[0] == 'S' && m->p[1] != 't';
    const char *start = m->p;
    template_parameter(m, &inner);
    if (m->p == start) qualified(m, &inner);
    if (!known || memchr(start, 'I', (size_t)(m->p - start))) remember(m, inner.s);
    add(m, out, inner.s);
  }
  m->depth--;
}

// The last name in it: of a variable that is local to a function whose parameters are too much for this file.
static bool last_name(const char *mangled, char *out, size_t cap) {
  size_t n = 0, used = 0;
  for (const char *p = mangled; *p; p++) {
    if (*p < '1' || *p > '9') continue;
    for (n = 0, used = 0; isdigit((unsigned char)p[used]) && n < cap; used++) n = 10 * n + (size_t)(p[used] - '0');
    if (n < cap && strnlen(p + used, n) == n) snprintf(out, cap, "%.*s", (int)n, p + used);
    p += used - 1 + (n < cap && strnlen(p + used, n) == n ? n : 0);
  }
  return out[0];
}

char *sl_demangle(const char *mangled, char *out, size_t cap) {
  static _Thread_local parser m;
  text t = {""};
  m.p = mangled, m.depth = 0, m.n_subs = 0, m.bad = false;
  if (take(&m, "_Z") && (encoding(&m, &t), !m.bad) && t.s[0])
    snprintf(out, cap, "%s", t.s);
  else if (out[0] = 0, strncmp(mangled, "_ZZ", 3) || !last_name(mangled, out, cap))
    snprintf(out, cap, "%s", mangled);
  return out;
}
