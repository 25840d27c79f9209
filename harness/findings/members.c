// Elements that are structs: which member of which element a byte belongs to, as the source defines it.
//
// Interface: sl_source_members, sl__source_member, sl__source_field (findings.h). Only plain structs of
// numbers, pointers and arrays of them are read; of all others nothing is said.
#include "findings/findings.h"

#include <ctype.h>

enum { MEMBERS = 32, WORD = 64 };

typedef struct member {
  char name[WORD];
  uint64_t at, bytes, count; // from the struct's start, of one element; count 0: no array
} member;

typedef struct layout {
  member at[MEMBERS];
  size_t n;
  uint64_t bytes, align;
} layout;

static const struct {
  const char *word;
  uint64_t bytes;
} sizes[] = {{"char", 1},     {"bool", 1},     {"int8_t", 1}, {"uint8_t", 1}, {"short", 2},
             {"int16_t", 2},  {"uint16_t", 2}, {"long", 8},   {"double", 8},  {"size_t", 8},
             {"int64_t", 8},  {"uint64_t", 8}, {"float", 4},  {"int32_t", 4}, {"uint32_t", 4},
             {"unsigned", 4}, {"signed", 4},   {"int", 4}};

// The next word from *p on, before [end]; "" where another character comes first.
static const char *next_word(const char **p, const char *end, char out[WORD]) {
  while (*p < end && isspace((unsigned char)**p)) ++*p;
  size_t n = 0;
  while (*p + n < end && sl_in_word((*p)[n])) n++;
  snprintf(out, WORD, "%.*s", (int)n, *p);
  *p += n;
  return out;
}

static bool qualifier(const char *word) {
  static const char *const WORDS[] = {"const", "volatile", "struct", "extern", "static", "__restrict__"};
  for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++)
    if (!strcmp(word, WORDS[k])) return true;
  return false;
}

// Reads the words of a type: how many bytes it has; 0: not known. *p then stands at the "*" or the name.
static uint64_t read_type(const char **p, const char *end) {
  uint64_t bytes = 0;
  for (char word[WORD];;) {
    const char *before = *p;
    next_word(p, end, word);
    uint64_t own = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !own; k++)
      if (!strcmp(word, sizes[k].word)) own = sizes[k].bytes;
    if (!own && !qualifier(word)) return *p = before, bytes;
    if (own && (!bytes || own != 4)) bytes = own; // "unsigned char", "long int"
  }
}

static void place(layout *l, const char *name, uint64_t bytes, uint64_t count) {
  const uint64_t start = (l->bytes + bytes - 1) / bytes * bytes;
  member *m = &l->at[l->n++];
  *m = (member){.at = start, .bytes = bytes, .count = count};
  snprintf(m->name, sizeof m->name, "%s", name);
  l->bytes = start + bytes * (count ? count : 1);
  if (bytes > l->align) l->align = bytes;
}

// One "TYPE NAME, *NAME, NAME[NUMBER]" up to [end].
static bool read_members(const char *p, const char *end, layout *l) {
  const uint64_t bytes = read_type(&p, end);
  for (; bytes && l->n < MEMBERS; p++) {
    char name[WORD], number[WORD];
    uint64_t count = 0;
    while (p < end && isspace((unsigned char)*p)) p++;
    const bool pointer = p < end && *p == '*';
    p += pointer;
    if (!*next_word(&p, end, name)) return false;
    while (p < end && isspace((unsigned char)*p)) p++;
    if (p < end && *p == '[') {
      p++;
      count = strtoull(next_word(&p, end, number), NULL, 10);
      if (!count || p >= end || *p++ != ']') return false;
    }
    while (p < end && isspace((unsigned char)*p)) p++;
    place(l, name, pointer ? 8 : bytes, count);
    if (p >= end) return true;
    if (*p != ',') return false;
  }
  return false;
}

// "struct TYPE { .. }", anywhere in the text.
static bool read_struct(const char *text, const char *type, layout *l) {
  const size_t n = strlen(type);
  const char *p = text;
  for (; (p = strstr(p, "struct")); p += 6) {
    const char *q = p + 6 + strspn(p + 6, " \t\n");
    if (q == p + 6 || strncmp(q, type, n) != 0) continue;
    q += n + strspn(q + n, " \t\n");
    if (*q == '{') {
      p = q + 1;
      break;
    }
  }
  const char *end = p ? strpbrk(p, ";}") : NULL;
  *l = (layout){.align = 1};
  for (; end && *end == ';'; p = end + 1, end = strpbrk(p, ";}"))
    if (!read_members(p, end, l)) return false;
  l->bytes = (l->bytes + l->align - 1) / l->align * l->align;
  return end && l->n > 0;
}

// The type of what "TYPE *NAME" or "TYPE NAME" from [p] to [end] declares; "" if that is no single name.
static void type_of(const char *p, const char *end, char type[WORD]) {
  do next_word(&p, end, type);
  while (qualifier(type));
}

// The declaration of [name] in shared memory; *array: is it one? False: there is none.
static bool shared_type(const char *text, const char *name, char type[WORD], bool *array) {
  const size_t n = strlen(name);
  for (const char *p = text; (p = strstr(p, "__shared__"));) {
    const char *end = p + strcspn(p, ";"), *at = p += 10;
    while (at < end && (at = memmem(at, (size_t)(end - at), name, n)) &&
           (sl_in_word(at[-1]) || sl_in_word(at[n])))
      at += n;
    if (!at || at >= end) continue;
    type_of(p, end, type);
    return *array = at[n] == '[', true;
  }
  return false;
}

static bool type_of_object(const char *text, const sl_finding *f, const char *name, char type[WORD],
                           bool *pointer, bool *array) {
  const sl_object *o = &f->object;
  const char *from, *end;
  char kernel[512];
  if (!o->argument) return shared_type(text, name, type, array);
  sl_demangle(f->kernel, kernel, sizeof kernel);
  if (!sl__source_parameter(text, kernel, o->argument, o->n_params, &from, &end)) return false;
  type_of(from, end, type);
  return *pointer = memchr(from, '*', (size_t)(end - from)), *pointer;
}

// Member of byte [at] of a struct; the last one goes on behind the end if it is an array.
static const member *member_at(const layout *l, uint64_t at) {
  const member *m = &l->at[l->n - 1];
  while (m > l->at && m->at > at) m--;
  return m;
}

bool sl__source_field(const sl_telling *t, const sl_finding *f, char *out, size_t cap) {
  const sl_object *o = &f->object;
  const char *from, *end;
  char kernel[512], type[WORD] = "", name[WORD];
  layout l;
  SL_FREED char *text = o->field ? sl__source_text(t, f->file) : NULL;
  sl_demangle(f->kernel, kernel, sizeof kernel);
  if (!text || !sl__source_parameter(text, kernel, o->argument, o->n_params, &from, &end)) return false;
  type_of(from, end, type);
  if (!type[0] || !read_struct(text, type, &l) || !sl_source_param(t, f->file, kernel, o, name, sizeof name))
    return false;
  const member *m = member_at(&l, o->field - 1);
  if (m->at != o->field - 1 || m->bytes != 8 || m->count) return false;
  snprintf(out, cap, "%s.%s", name, m->name);
  return true;
}

bool sl__source_member(const sl_telling *t, const sl_finding *f, const char *name, char *out, size_t cap) {
  const sl_object *o = &f->object;
  char type[WORD] = "";
  bool pointer = false, array = false;
  layout l;
  char *text = !o->field && o->index >= 0 && (o->argument || !strcmp(o->space, "shared"))
                   ? sl__source_text(t, f->file)
                   : NULL;
  const bool known =
      text && type_of_object(text, f, name, type, &pointer, &array) && type[0] && read_struct(text, type, &l);
  free(text);
  if (!known) return false;
  const uint64_t at = (uint64_t)o->index * (o->elem ? o->elem : 1);
  const bool one = !array && (!pointer || l.at[l.n - 1].count == 1 || (o->size && o->size <= l.bytes));
  const member *m = member_at(&l, one ? at : at % l.bytes);
  snprintf(out, cap, "%s", name);
  if (!one) sl_append(out, cap, "", "[%llu]", (unsigned long long)(at / l.bytes));
  sl_append(out, cap, one && pointer ? "->" : ".", "%s", m->name);
  if (m->count)
    sl_append(out, cap, "", "[%llu]", (unsigned long long)(((one ? at : at % l.bytes) - m->at) / m->bytes));
  return true;
}

// The type of the first "TYPE *NAME" in the text; false: there is none.
static bool pointed_type(const char *text, const char *name, char type[WORD]) {
  const size_t n = strlen(name);
  for (const char *p = text; n && (p = strstr(p, name)); p += n) {
    const char *end = p;
    if (sl_in_word(p[n]) || p == text || sl_in_word(p[-1])) continue;
    while (end > text && isspace((unsigned char)end[-1])) end--;
    if (end == text || *--end != '*') continue;
    const char *from = end;
    while (from > text && (isspace((unsigned char)from[-1]) || sl_in_word(from[-1]))) from--;
    type_of(from, end, type);
    if (type[0]) return true;
  }
  return false;
}

bool sl_source_members(const char *source, const char *name, uint64_t bytes, char *out, size_t cap) {
  char type[WORD] = "";
  bool array;
  layout l;
  size_t used = 0;
  if (!(shared_type(source, name, type, &array) || pointed_type(source, name, type)) || !type[0] ||
      !read_struct(source, type, &l) || l.n < 2)
    return false;
  for (size_t k = 0; k < l.n; k++) {
    if (l.at[k].bytes != bytes || l.at[k].count) return false;
    if (used < cap) used += (size_t)snprintf(out + used, cap - used, "%s%s", k ? ", " : "", l.at[k].name);
  }
  return used < cap;
}
