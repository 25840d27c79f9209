// The tokens of a kernel.cu, each with the region of the student's that it is in.
//
// Interface: source_read and source_free; token_is and token_closing look at tokens by their numbers.
#include "mutants.h"

#include <ctype.h>

enum { MAX_SOURCE = 1 << 20 };

typedef struct lexer {
  source *s;
  uint32_t at, line, region, depth;
  bool device, host; // words of the function that begins here, or in which this is
} lexer;

// Longest first: the first that fits is the token.
static const char *const long_signs[] = {"<<<", ">>>", "<<=", ">>=", "->", "++", "--", "<<", ">>",
                                         "<=",  ">=",  "==",  "!=",  "&&", "||", "+=", "-=", "*=",
                                         "/=",  "%=",  "&=",  "|=",  "^=", "::", NULL};

static const char *here(const lexer *x) { return x->s->text + x->at; }

static void skip_to(lexer *x, const char *end) {
  for (; here(x) < end; x->at++) x->line += *here(x) == '\n';
}

// "TODO(lab06.3, ..": region 3 begins; "END TODO(": none.
static void read_mark(lexer *x, const char *end) {
  const char *mark = memmem(here(x), (size_t)(end - here(x)), "TODO(lab", 8);
  unsigned k;
  if (!mark) return;
  if (memmem(here(x), (size_t)(mark - here(x)), "END", 3)) x->region = 0;
  else if (sscanf(mark, "TODO(lab%*u.%u", &k) == 1) x->region = k;
}

// Skips a comment or a line of the preprocessor. False if there is none.
static bool skip_what_is_no_token(lexer *x) {
  const char *p = here(x), *end;
  if (isspace((unsigned char)*p)) end = p + 1;
  else if (p[0] == '/' && p[1] == '*') end = (end = strstr(p + 2, "*/")) ? end + 2 : p + strlen(p);
  else if (*p == '#' || (p[0] == '/' && p[1] == '/')) read_mark(x, end = strchrnul(p, '\n'));
  else return false;
  skip_to(x, end);
  return true;
}

static uint32_t sign_length(const char *p) {
  for (const char *const *s = long_signs; *s; s++)
    if (!strncmp(p, *s, strlen(*s))) return (uint32_t)strlen(*s);
  return 1;
}

static uint32_t string_length(const char *p) {
  uint32_t n = 1;
  while (p[n] && p[n] != p[0]) n += p[n] == '\\' && p[n + 1] ? 2 : 1;
  return n + (p[n] != 0);
}

static token next_token(const lexer *x) {
  const char *p = here(x);
  token t = {.at = x->at, .line = x->line, .region = x->region};
  if (isalpha((unsigned char)*p) || *p == '_') {
    t.kind = TOKEN_WORD;
    while (isalnum((unsigned char)p[t.len]) || p[t.len] == '_') t.len++;
  } else if (isdigit((unsigned char)*p)) {
    t.kind = TOKEN_NUMBER;
    while (isalnum((unsigned char)p[t.len]) || p[t.len] == '.') t.len++;
  } else if (*p == '"' || *p == '\'') {
    t.kind = TOKEN_STRING;
    t.len = string_length(p);
  } else {
    t.kind = TOKEN_SIGN;
    t.len = sign_length(p);
  }
  return t;
}

static bool spelled(const source *s, const token *t, const char *word) {
  return t->len == strlen(word) && !memcmp(s->text + t->at, word, t->len);
}

// Keeps account of the function that token [t] is in.
static void follow_function(lexer *x, const token *t) {
  const source *s = x->s;
  bool open = spelled(s, t, "{"), close = spelled(s, t, "}");
  if (spelled(s, t, "__global__") || spelled(s, t, "__device__")) x->device = true;
  if (spelled(s, t, "__host__")) x->host = true;
  if (open) x->depth++;
  if (close && x->depth) x->depth--;
  if (x->depth == 0 && (close || spelled(s, t, ";"))) x->device = x->host = false;
}

bool source_read(source *s, const char *path, sl_error *e) {
  *s = (source){0};
  if (!(s->text = sl_read_file(path, MAX_SOURCE, &s->len, e))) return false;
  s->t = malloc((s->len + 1) * sizeof *s->t);
  lexer x = {.s = s, .line = 1};
  while (s->t && *here(&x)) {
    if (skip_what_is_no_token(&x)) continue;
    token t = next_token(&x);
    t.device = x.device && !x.host;
    follow_function(&x, &t);
    s->t[s->n++] = t;
    skip_to(&x, here(&x) + t.len);
  }
  return s->t || sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
}

void source_free(source *s) {
  free(s->text);
  free(s->t);
  *s = (source){0};
}

bool token_is(const source *s, size_t k, const char *word) { return k < s->n && spelled(s, &s->t[k], word); }

size_t token_closing(const source *s, size_t k) {
  int depth = 0;
  for (; k < s->n; k++) {
    if (token_is(s, k, "(") || token_is(s, k, "[") || token_is(s, k, "{")) depth++;
    if (token_is(s, k, ")") || token_is(s, k, "]") || token_is(s, k, "}"))
      if (--depth <= 0) return k;
  }
  return s->n;
}
