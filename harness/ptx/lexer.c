// The lexer: turns PTX text into tokens, one at a time, with the line each begins on.
//
// Interface: sl__next reads the next token into p->tok; sl__skip_block jumps over a { } whose content does
// not matter. A DOT token is a dot with the word behind it (".global", ".L2::128B"): mnemonics, directives
// and "%tid.x" are a word followed by DOT tokens. Comments count as space. Text after a NUL is not looked at.
#include "ptx/ptx_int.h"

static bool digit(char c) { return c >= '0' && c <= '9'; }
static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool starts_word(char c) { return letter(c) || c == '_' || c == '$' || c == '%'; }
static bool in_word(char c) { return letter(c) || digit(c) || c == '_' || c == '$'; }

// Skips one comment, if there is one. An open comment reaches to the end of the text.
static bool skip_comment(sl__parser *p) {
  if (p->at[0] != '/' || (p->at[1] != '/' && p->at[1] != '*')) return false;
  const char *stop = p->at[1] == '/' ? "\n" : "*/";
  const char *to = strstr(p->at + 2, stop);
  const char *past = !to ? p->end : stop[0] == '\n' ? to : to + 2;
  for (; p->at < past; p->at++) p->line += *p->at == '\n';
  return true;
}

static void skip_space(sl__parser *p) {
  for (;; p->at++) {
    while (skip_comment(p)) {
    }
    char c = *p->at;
    if (c == '\n') p->line++;
    else if (c != ' ' && c != '\t' && c != '\r' && c != '\f') return;
  }
}

static int hex_value(char c) {
  if (digit(c)) return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

// Digits of [base] from p->at. Values past 64 bits are errors.
static uint64_t digits(sl__parser *p, unsigned base) {
  uint64_t v = 0;
  const char *first = p->at;
  for (int d; (d = hex_value(*p->at)) < (int)base; p->at++) {
    if (v > (UINT64_MAX - (unsigned)d) / base)
      sl__bad_at(p, p->tok.line, p->tok.pos, "number does not fit 64 bits");
    v = v * base + (unsigned)d;
  }
  if (p->at == first) sl__bad_at(p, p->tok.line, p->tok.pos, "number without digits");
  return v;
}

static bool hex_digits(const char *s, int n) {
  for (int i = 0; i < n; i++)
    if (hex_value(s[i]) == 16) return false;
  return true;
}

// 0f3F800000 and 0d3FF0000000000000: the bits of a float in hexadecimal.
static bool float_bits(sl__parser *p) {
  char c = p->at[1] | 0x20;
  int n = c == 'f' ? 8 : c == 'd' ? 16 : 0;
  if (p->at[0] != '0' || !n || !hex_digits(p->at + 2, n)) return false;
  p->at += 2;
  const char *stop = p->at + n;
  uint64_t v = 0;
  while (p->at < stop) v = v << 4 | (unsigned)hex_value(*p->at++);
  p->tok.kind = n == 8 ? SL_T_F32 : SL_T_F64;
  p->tok.value = v;
  return true;
}

// 1.5, 2e10: decimal floats are doubles. So is a version number (9.0); its text is read again elsewhere.
static bool decimal_float(sl__parser *p) {
  const char *s = p->at;
  while (digit(*s)) s++;
  bool point = *s == '.' && digit(s[1]);
  if (!point && (*s | 0x20) != 'e') return false;
  if (!point && !digit(s[1]) && !((s[1] == '-' || s[1] == '+') && digit(s[2]))) return false;
  char *stop;
  double v = strtod(p->at, &stop);
  p->tok.kind = SL_T_F64;
  memcpy(&p->tok.value, &v, sizeof v);
  p->at = stop;
  return true;
}

static void integer(sl__parser *p) {
  char c = p->at[1] | 0x20;
  unsigned base = 10;
  if (p->at[0] == '0' && (c == 'x' || c == 'b')) base = c == 'x' ? 16 : 2, p->at += 2;
  else if (p->at[0] == '0') base = 8;
  p->tok.kind = SL_T_INT;
  p->tok.value = digits(p, base);
  if (*p->at == 'U') p->at++;
}

static void lex_number(sl__parser *p) {
  if (!float_bits(p) && !decimal_float(p)) integer(p);
  if (in_word(*p->at)) sl__bad_at(p, p->tok.line, p->tok.pos, "number followed by '%c'", *p->at);
}

// The word behind a dot may hold "::" (".shared::cta").
static void dot_word(sl__parser *p) {
  p->at++;
  p->tok.w.at = p->at;
  while (in_word(*p->at) || (p->at[0] == ':' && p->at[1] == ':' && in_word(p->at[2])))
    p->at += *p->at == ':' ? 2 : 1;
  p->tok.kind = SL_T_DOT;
  if (p->at == p->tok.w.at) sl__bad_at(p, p->tok.line, p->tok.pos, "a dot with no word behind it");
}

// A quote or a backslash in the name of a file stands behind a backslash.
static void string(sl__parser *p) {
  p->tok.w.at = ++p->at;
  while (p->at < p->end && *p->at != '"' && *p->at != '\n')
    p->at += p->at[0] == '\\' && (p->at[1] == '"' || p->at[1] == '\\') ? 2 : 1;
  if (*p->at != '"') sl__bad_at(p, p->tok.line, p->tok.pos, "string without its closing quote");
  p->tok.kind = SL_T_STR;
  p->at++;
}

void sl__next(sl__parser *p) {
  p->last_end = (uint32_t)(p->at - p->text);
  skip_space(p);
  sl__tok *t = &p->tok;
  *t = (sl__tok){.w.at = p->at, .line = p->line, .pos = (uint32_t)(p->at - p->text)};
  char c = *p->at;
  if (p->at >= p->end || c == 0) {
    t->kind = SL_T_END;
    return;
  }
  if (starts_word(c)) {
    t->kind = SL_T_WORD;
    do p->at++;
    while (in_word(*p->at));
  } else if (digit(c)) lex_number(p);
  else if (c == '.') dot_word(p);
  else if (c == '"') string(p);
  else t->kind = SL_T_PUNCT, t->ch = c, p->at++;
  t->w.len = (uint32_t)(p->at - t->w.at) - (t->kind == SL_T_STR);
}

void sl__skip_block(sl__parser *p) {
  unsigned depth = 1;
  while (depth && p->at < p->end) {
    char c = *p->at++;
    p->line += c == '\n';
    depth += c == '{';
    depth -= c == '}';
  }
  if (depth) sl__bad_at(p, p->tok.line, p->tok.pos, "a '{' that is never closed");
  sl__next(p);
}

bool sl__word_is(sl__word w, const char *s) { return strncmp(w.at, s, w.len) == 0 && s[w.len] == 0; }
