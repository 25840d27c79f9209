// The numbers of a kernel: those that its source spells, what neighbouring ones make by + - * / | ^ << and
// >>, also by the names of constants; and those that its PTX compares with, as folded by the compiler.
//
// Interface: sl_numbers_in, sl_numbers_of_ptx, sl_numbers_of (named.h). The numbers are those of the whole
// file, as all of it is graded. Of more than SL_MOST_NUMBERS those are kept that the key draws. The builder
// keeps the source beside the program, and the PTX is in it: nobody else writes there.
#include "gpu/poison.h"
#include "judge/named.h"
#include "ptx/ir.h"

#include <ctype.h>
#include <math.h>

static bool holds(const sl_numbers *s, uint64_t value) {
  for (unsigned k = 0; k < s->n; k++)
    if (s->at[k] == value) return true;
  return false;
}

void sl__add_number(sl_numbers *s, uint64_t value) {
  if (value > UINT32_MAX || holds(s, value)) return;
  const uint64_t place = s->n < SL_MOST_NUMBERS ? s->n++ : sl_mix(s->key + s->seen) % (s->seen + 1);
  s->seen++;
  if (place < SL_MOST_NUMBERS) s->at[place] = value;
}

// The source ------------------------------------------------------------------------------------------------

typedef struct span {
  const char *at;
  size_t len;
} span;

typedef struct constant {
  span name;
  uint64_t value;
} constant;

enum { NAMES = 1024 }; // a power of 2

typedef struct reader {
  const char *at, *end;
  uint64_t value;      // of the numbers that stand side by side here, with what joins them
  bool any;            // is there one?
  int joined_by;       // 0: by nothing
  bool fixed, in_enum; // what follows up to the ; has a value for good
  span last, named;    // the last word; the constant that is made here, len 0: none
  constant names[NAMES];
  sl_numbers *to;
} reader;

// '<': <<, '>': >>
static uint64_t join(uint64_t a, int by, uint64_t b) {
  if (by == '<') return b < 32 ? a << b : UINT64_MAX;
  if (by == '>') return b < 32 ? a >> b : 0;
  if (by == '/') return b ? a / b : 0;
  if (by == '-') return a > b ? a - b : 0;
  return by == '+' ? a + b : by == '*' ? a * b : by == '|' ? a | b : a ^ b;
}

static bool begins(const reader *r, const char *word) {
  const size_t len = strlen(word);
  return (size_t)(r->end - r->at) >= len && !memcmp(r->at, word, len);
}

// Moves behind the next [word], or to the end.
static void skip_past(reader *r, const char *word) {
  while (r->at < r->end && !begins(r, word)) r->at++;
  r->at += r->at < r->end ? strlen(word) : 0;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

static constant *constant_of(reader *r, span w) {
  uint64_t hash = 0;
  for (size_t k = 0; k < w.len; k++) hash = sl_mix(hash ^ (unsigned char)w.at[k]);
  return &r->names[hash & (NAMES - 1)];
}

static bool same_word(span a, span b) { return a.len == b.len && !memcmp(a.at, b.at, a.len); }

static bool is_word(span w, const char *text) { return same_word(w, (span){text, strlen(text)}); }

static void take_value(reader *r, uint64_t value) {
  sl__add_number(r->to, value);
  const bool joined = r->any && r->joined_by;
  r->value = joined ? join(r->value, r->joined_by, value) : value;
  if (joined) sl__add_number(r->to, r->value);
  r->any = true, r->joined_by = 0;
  if (r->named.len) *constant_of(r, r->named) = (constant){r->named, r->value};
}

static void take_text(reader *r) {
  const char quote = *r->at++, *from = r->at;
  for (; r->at < r->end && *r->at != quote && *r->at != '\n'; r->at++)
    if (*r->at == '\\' && r->at + 1 < r->end) r->at++;
  if (quote == '\'' && r->at - from == 1) take_value(r, (unsigned char)*from);
  r->at += r->at < r->end;
}

// The digits of the number at r->at, without the marks between them. Goes to behind it.
static void take_digits(reader *r, char digits[48]) {
  size_t n = 0;
  for (; r->at < r->end; r->at++) {
    const bool exponent = n && strchr("eE", digits[n - 1]) && strncmp(digits, "0x", 2) != 0;
    if (!in_word(*r->at) && *r->at != '.' && !(exponent && strchr("+-", *r->at))) break;
    if (*r->at != '\'' && n < 47) digits[n++] = *r->at;
    digits[n] = 0;
  }
}

static bool as_whole(double d, uint64_t *value) {
  if (!(d >= 0 && d <= UINT32_MAX && d == floor(d))) return false;
  *value = (uint64_t)d;
  return true;
}

// A whole number, which may be written as a float. Below 2^32, else it is no size.
static bool read_number(const char *digits, uint64_t *value) {
  const bool bits = !strncmp(digits, "0b", 2), real = strpbrk(digits, ".eEpP") && strncmp(digits, "0x", 2);
  return as_whole(real ? strtod(digits, NULL) : (double)strtoull(digits + 2 * bits, NULL, bits ? 2 : 0),
                  value);
}

static void take_number(reader *r) {
  char digits[48] = "";
  uint64_t value;
  take_digits(r, digits);
  if (read_number(digits, &value)) take_value(r, value);
  else r->any = false, r->joined_by = 0;
}

// What is made of [r->named] depends on a word that has no number: neither has it.
static void drop_constant(reader *r) {
  if (r->named.len) *constant_of(r, r->named) = (constant){0};
  r->named.len = 0;
}

// A constant counts as its number. "#define NAME", "enum { NAME =", "const int NAME =" begin one.
static void take_word(reader *r) {
  span w = {.at = r->at};
  while (r->at < r->end && in_word(*r->at)) r->at++;
  w.len = (size_t)(r->at - w.at);
  const bool defined = is_word(r->last, "define");
  r->in_enum |= is_word(w, "enum");
  r->fixed |= r->in_enum || is_word(w, "const") || is_word(w, "constexpr");
  r->last = w;
  const constant *known = constant_of(r, w);
  if (!defined && same_word(known->name, w)) {
    take_value(r, known->value);
    return;
  }
  r->any = false, r->joined_by = 0;
  drop_constant(r);
  if (defined) r->named = w;
}

// Something that is neither number, word, blank nor comment: does it join the number before it to one behind?
static void take_other(reader *r) {
  const bool shift = begins(r, "<<") || begins(r, ">>"), known = shift || strchr("+-*/|^", *r->at);
  const char c = *r->at;
  r->at += shift ? 2 : 1;
  if (strchr("()", c)) return;
  r->joined_by = r->any && known && !r->joined_by ? c : 0;
  r->any = r->any && r->joined_by;
  if (c == '=' && r->fixed) r->named = r->last;
  if (strchr(",;}", c)) r->named.len = 0;
  if (c == ';' || (c == '{' && !r->in_enum)) r->fixed = r->in_enum = false;
}

// The end of a line ends a "#define".
static void take_blank(reader *r) {
  if (*r->at++ == '\n' && !r->fixed) r->named.len = 0;
}

static void take(reader *r) {
  if (begins(r, "//")) skip_past(r, "\n");
  else if (begins(r, "/*")) skip_past(r, "*/");
  else if (*r->at == '"' || *r->at == '\'') take_text(r);
  else if (isspace((unsigned char)*r->at)) take_blank(r);
  else if (isdigit((unsigned char)*r->at)) take_number(r);
  else if (in_word(*r->at)) take_word(r);
  else take_other(r);
}

void sl_numbers_in(const char *text, size_t len, sl_numbers *s) {
  SL_FREED reader *r = sl_must(calloc(1, sizeof *r));
  r->at = text, r->end = text + len, r->to = s;
  while (r->at < r->end) take(r);
}

// The PTX ---------------------------------------------------------------------------------------------------

// "777", "-777" or "0f44424000".
static bool read_immediate(const char *at, uint64_t *value) {
  uint32_t bits;
  float real;
  if (sscanf(at, "0f%8x", &bits) == 1) {
    memcpy(&real, &bits, sizeof real);
    return as_whole(fabsf(real), value);
  }
  return as_whole(fabs((double)strtoll(at, NULL, 0)), value);
}

// Loops that the compiler has unrolled end near a multiple of a warp's threads: these numbers are its own.
static bool is_of_a_loop(uint64_t c) { return c < 16 || (c + 2) % 32 <= 2; }

void sl_numbers_of_ptx(const char *text, sl_numbers *s) {
  for (const char *at = text; (at = strstr(at, "setp."));) {
    const char *end = at + strcspn(at, ";\n");
    while ((at = strchr(at, ',')) && at < end) {
      uint64_t value;
      at += 1 + strspn(at + 1, " ");
      if ((isdigit((unsigned char)*at) || *at == '-') && read_immediate(at, &value) && !is_of_a_loop(value))
        sl__add_number(s, value);
    }
    at = end;
  }
}

static bool take_ptx(void *to, const sl_fatbin_ptx *ptx) { return sl_numbers_of_ptx(ptx->text, to), true; }

// The file beside the program -------------------------------------------------------------------------------

enum { MAX_FILE = 4 << 20 };

static bool is_source(const char *name) {
  const size_t len = strlen(name);
  return len > 3 && !strcmp(name + len - 3, ".cu");
}

// The source beside the program; NULL: there is none. malloc'ed.
static char *source_of(const char *runner) {
  SL_FREED char *folder = sl_folder_of(runner);
  char *source = NULL;
  SL_LISTED DIR *d = opendir(folder);
  for (const struct dirent *f; d && !source && (f = readdir(d));)
    if (is_source(f->d_name)) source = sl_path("%s/%s", folder, f->d_name);
  return source;
}

void sl_numbers_of(const char *runner, sl_numbers *s) {
  size_t len = 0, size = 0;
  SL_FREED char *path = source_of(runner);
  SL_FREED char *source = path ? sl_read_file(path, MAX_FILE, &len, NULL) : NULL,
                *program = sl_read_file(runner, MAX_FILE, &size, NULL);
  // nvcc makes one of a kernel. Others are put there by a source, and may unpack to much.
  sl_ptx_visit some = {.sm = UINT32_MAX, .each = take_ptx, .context = s, .most = 16};
  if (source) sl_numbers_in(source, len, s);
  if (program) sl_program_ptx(program, size, &some);
}
