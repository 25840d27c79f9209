// The user's own text: names of files, lines, and what a kernel calls its parameters.
//
// Interface: findings.h, source.c. The paths come from PTX, so the maker of the program chooses them. If the
// reader is somebody else, sl_telling.source names the only file that is opened. Nothing here fails: a
// missing file has no lines.
#include "findings/findings.h"

#include <ctype.h>

enum { SOURCE_CAP = 4 << 20 };

static bool is_folder(const char *source) { return source[0] && !sl_base_name(source)[0]; }

// May [file] be opened, and under which path?
static bool place_of_file(const sl_telling *t, const char *file, char *out, size_t cap) {
  const char *source = t && t->source ? t->source : file;
  size_t n = (size_t)snprintf(out, cap, "%s%s", source, is_folder(source) ? sl_base_name(file) : "");
  return n < cap && file[0] && !strcmp(sl_base_name(out), sl_base_name(file));
}

char *sl_source_name(const sl_telling *t, const char *file, char *out, size_t cap) {
  char here[2048], known[2048];
  const char *name = file;
  if (t && t->source && place_of_file(t, file, known, sizeof known))
    name = is_folder(t->source) ? sl_base_name(file) : known;
  size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
  if (n > 1 && !strncmp(name, here, n) && name[n] == '/') name += n + 1;
  return sl_printable(name, out, cap);
}

static bool unchanged(const sl_telling *t, const char *path) {
  struct stat source, program;
  if (!t || !t->program || stat(t->program, &program) != 0) return true;
  return stat(path, &source) == 0 && source.st_mtime <= program.st_mtime;
}

static char *read_source(const sl_telling *t, const char *file) {
  char path[2048];
  return place_of_file(t, file, path, sizeof path) && unchanged(t, path)
             ? sl_read_file(path, SOURCE_CAP, NULL, NULL)
             : NULL;
}

char *sl_source_line(const sl_telling *t, const char *file, uint32_t line) {
  SL_FREED char *text = line ? read_source(t, file) : NULL;
  const char *at = text ? sl_line_at(text, line) : "";
  return *at ? strndup(at, strcspn(at, "\r\n")) : NULL;
}

// Parameters of kernels -------------------------------------------------------------------------------------

// The "(" behind NAME in a definition or declaration with __global__ before it; NULL: none.
static const char *parameters_of(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *p = text; n && (p = strstr(p, name)); p += n) {
    const char *q = p + n, *from = p;
    while (isspace((unsigned char)*q)) q++;
    if (*q != '(' || (p > text && sl_in_word(p[-1]))) continue;
    while (from > text && !strchr(";{}", from[-1])) from--;
    const char *global = strstr(from, "__global__");
    if (global && global < p) return q;
  }
  return NULL;
}

static bool is_type(const char *word) {
  static const char *const TYPES[] = {"",         "char",  "short",  "int", "long",
                                      "unsigned", "float", "double", "bool"};
  for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++)
    if (!strcmp(word, TYPES[k])) return true;
  return false;
}

// The last word of the parameter that ends at [end], before a default value.
static bool last_word(const char *from, const char *end, char *out, size_t cap) {
  const char *value = memchr(from, '=', (size_t)(end - from));
  if (value) end = value;
  while (end > from && !sl_in_word(end[-1])) end--;
  const char *start = end;
  while (start > from && sl_in_word(start[-1])) start--;
  snprintf(out, cap, "%.*s", (int)(end - start), start);
  while (start > from && isspace((unsigned char)start[-1])) start--;
  return start > from && !isdigit((unsigned char)*out) && !is_type(out); // not a type alone
}

// Parameter [k] of the list behind [p], a "(", which has [n]; 0: any number.
static bool parameter(const char *p, uint32_t k, uint32_t n, const char **from, const char **end) {
  int depth = 0;
  uint32_t have = 0;
  for (const char *at = p + 1; *p; p++) {
    depth += strchr("([{<", *p) ? 1 : strchr(")]}>", *p) ? -1 : 0;
    if (!(depth == 0 || (depth == 1 && *p == ','))) continue;
    if (++have == k) *from = at, *end = p;
    at = p + 1;
    if (depth == 0) return (!n || have == n) && k <= have;
  }
  return false;
}

char *sl__source_text(const sl_telling *t, const char *file) {
  char *text = read_source(t, file);
  return text ? sl_blank_comments(text) : NULL;
}

bool sl__source_parameter(const char *text, const char *kernel, uint32_t k, uint32_t n, const char **from,
                          const char **end) {
  char plain[256];
  snprintf(plain, sizeof plain, "%.*s", (int)strcspn(kernel, "<"), kernel);
  for (char *colon; (colon = strstr(plain, "::"));) memmove(plain, colon + 2, strlen(colon + 2) + 1);
  const char *list = parameters_of(text, plain);
  return list && k > 0 && parameter(list, k, n, from, end);
}

bool sl_source_parameter_name(const char *source, const char *kernel, uint32_t k, char *out, size_t cap) {
  const char *from, *end;
  SL_FREED char *text = sl_blank_comments(sl_path("%s", source));
  return sl__source_parameter(text, kernel, k, 0, &from, &end) && last_word(from, end, out, cap);
}

bool sl_source_param(const sl_telling *t, const char *file, const char *kernel, const sl_object *o, char *out,
                     size_t cap) {
  const char *from, *end;
  char *text = sl__source_text(t, file);
  bool ok = text && sl__source_parameter(text, kernel, o->argument, o->n_params, &from, &end) &&
            last_word(from, end, out, cap);
  if (!ok) out[0] = 0;
  free(text);
  return ok;
}
