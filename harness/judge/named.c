// Sizes that a kernel's source names. A program that does otherwise from 30000 elements on, or at 777 alone,
// has that number in its source: it is called with so many elements, and with one less and one more.
//
// Interface: sl_numbers, sl_sizes_near (named.h), sl__add_named (run.h). The numbers are those of the whole
// file, as all of it is graded, and what neighbouring ones make by + - * and <<. No skeleton brings one that
// makes a size. The builder keeps the source beside the program.
#include "judge/named.h"

#include "judge/run.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>

// Numbers ---------------------------------------------------------------------------------------------------

enum { ADD = '+', TAKE = '-', TIMES = '*', SHIFT = '<' };

typedef struct reader {
  const char *at, *end;
  uint64_t value; // of the numbers that stand side by side here, with what joins them
  bool any;       // is there one?
  int joined_by;  // 0: by nothing
  sl_numbers *to;
} reader;

static bool holds(const sl_numbers *s, uint64_t value) {
  for (unsigned k = 0; k < s->n; k++)
    if (s->at[k] == value) return true;
  return false;
}

static void add_number(sl_numbers *s, uint64_t value) {
  if (value <= UINT32_MAX && s->n < SL_MOST_NUMBERS && !holds(s, value)) s->at[s->n++] = value;
}

static uint64_t join(uint64_t a, int by, uint64_t b) {
  if (by == SHIFT) return b < 32 ? a << b : UINT64_MAX;
  return by == ADD ? a + b : by == TAKE ? (a > b ? a - b : 0) : a * b;
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

static void skip_text(reader *r) {
  const char quote = *r->at++;
  for (; r->at < r->end && *r->at != quote && *r->at != '\n'; r->at++)
    if (*r->at == '\\' && r->at + 1 < r->end) r->at++;
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

// A whole number, which may be written as a float. Below 2^32, else it is no size.
static bool read_number(const char *digits, uint64_t *value) {
  const bool bits = !strncmp(digits, "0b", 2), real = strpbrk(digits, ".eEpP") && strncmp(digits, "0x", 2);
  const double d = real ? strtod(digits, NULL) : (double)strtoull(digits + 2 * bits, NULL, bits ? 2 : 0);
  if (!(d >= 0 && d <= UINT32_MAX && d == floor(d))) return false;
  *value = (uint64_t)d;
  return true;
}

static void take_number(reader *r) {
  char digits[48] = "";
  uint64_t value;
  take_digits(r, digits);
  if (!read_number(digits, &value)) {
    r->any = false, r->joined_by = 0;
    return;
  }
  add_number(r->to, value);
  r->value = r->any && r->joined_by ? join(r->value, r->joined_by, value) : value;
  if (r->any && r->joined_by) add_number(r->to, r->value);
  r->any = true, r->joined_by = 0;
}

// Something that is neither number, blank nor comment: does it join the number before it to one behind it?
static void take_other(reader *r) {
  const bool shift = begins(r, "<<"), known = shift || strchr("+-*", *r->at);
  if (strchr("()", *r->at)) {
    r->at++;
    return;
  }
  r->joined_by = r->any && known && !r->joined_by ? *r->at : 0;
  r->any = r->any && r->joined_by;
  if (in_word(*r->at))
    while (r->at < r->end && in_word(*r->at)) r->at++;
  else r->at += shift ? 2 : 1;
}

static void take(reader *r) {
  if (begins(r, "//")) skip_past(r, "\n");
  else if (begins(r, "/*")) skip_past(r, "*/");
  else if (*r->at == '"' || *r->at == '\'') skip_text(r);
  else if (isspace((unsigned char)*r->at)) r->at++;
  else if (isdigit((unsigned char)*r->at)) take_number(r);
  else take_other(r);
}

void sl_numbers_in(const char *text, size_t len, sl_numbers *s) {
  reader r = {.at = text, .end = text + len, .to = s};
  while (r.at < r.end) take(&r);
}

// Sizes -----------------------------------------------------------------------------------------------------

// 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, ..: every kernel has such numbers, and each case has sizes round as many
// tiles.
static bool is_usual(uint64_t c) { return c < 4 || (c & (c - 1)) == 0 || (c & (c + 1)) == 0; }

static void add_size(const sl_named *o, sl_numbers *sizes, uint64_t size) {
  if (size >= o->from && size <= o->to) add_number(sizes, size);
}

static int by_size(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

void sl_sizes_near(const sl_named *o, const sl_numbers *numbers, sl_numbers *sizes) {
  for (unsigned k = 0; k < numbers->n; k++) {
    const uint64_t c = numbers->at[k];
    if (c) add_size(o, sizes, c - 1);
    add_size(o, sizes, c), add_size(o, sizes, c + 1);
    if (!o->tile || is_usual(c)) continue;
    add_size(o, sizes, c * o->tile), add_size(o, sizes, c * o->tile + 1); // so many tiles, and one more
  }
  qsort(sizes->at, sizes->n, sizeof *sizes->at, by_size);
}

static bool is_source(const char *name) {
  const size_t len = strlen(name);
  return len > 3 && !strcmp(name + len - 3, ".cu");
}

// The source beside the program; NULL: there is none. malloc'ed.
static char *source_of(const char *runner) {
  SL_FREED char *folder = sl_folder_of(runner);
  char *source = NULL;
  DIR *d = opendir(folder);
  for (const struct dirent *f; d && !source && (f = readdir(d));)
    if (is_source(f->d_name)) source = sl_path("%s/%s", folder, f->d_name);
  if (d) closedir(d);
  return source;
}

static void read_numbers(const sl_judge_job *job, sl_numbers *numbers) {
  enum { MAX_SOURCE = 4 << 20 };
  size_t len = 0;
  SL_FREED char *path = source_of(job->runner);
  SL_FREED char *source = path ? sl_read_file(path, MAX_SOURCE, &len, NULL) : NULL;
  if (source) sl_numbers_in(source, len, numbers);
}

static bool has_size(const sl_case *c, uint64_t n) {
  bool found = c->n == n;
  for (unsigned k = 0; k < c->n_also; k++) found |= c->also[k] == n;
  return found;
}

bool sl__alike(const sl_case *a, const sl_case *b) {
  return a->entry == b->entry && a->type == b->type && a->op == b->op && a->kind == b->kind &&
         a->tile == b->tile && a->bits == b->bits && a->values == b->values && a->unaligned == b->unaligned &&
         a->n_scalars == b->n_scalars && !memcmp(a->scalars, b->scalars, sizeof a->scalars) &&
         !memcmp(a->scalars_to, b->scalars_to, sizeof a->scalars_to);
}

// Is the size one of this case, or, where results count alone, of another one of the part?
static bool is_there(const sl_case *c, uint64_t n) {
  const sl_part *part = c->part;
  bool found = has_size(c, n);
  for (size_t k = 0; part && part->kind == SL_PART_CORRECT && k < part->n_cases; k++)
    found |= sl__alike(c, &part->cases[k]) && has_size(&part->cases[k], n);
  return found;
}

// The elements of all such calls together are at most four times those of the largest one that may be.
void sl__add_named(const sl_judge_job *job, sl_case *c) {
  enum { MOST_OF_THE_LARGEST = 4 };
  const sl_named *o = &c->named;
  sl_numbers numbers = {0}, sizes = {0};
  uint64_t elements = 0;
  if (!o->to) return;
  read_numbers(job, &numbers);
  sl_sizes_near(o, &numbers, &sizes);
  for (unsigned k = 0; k < sizes.n && c->n_also < SL_MAX_ALSO; k++) {
    if (is_there(c, sizes.at[k])) continue;
    if ((elements += sizes.at[k]) > MOST_OF_THE_LARGEST * o->to) break;
    c->times[c->n_also] = 0;
    c->also[c->n_also++] = sizes.at[k];
  }
}
