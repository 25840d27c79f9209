// Leaves out of the headers' text what costs the compilers much and kernels do not name: textures,
// surfaces, and the special functions of C++17 (Bessel's, Legendre's ..), whose forms for float and double
// have every compiler instantiate templates at the end of every source.
//
// Interface: steps.h. A source that has one of the names is compiled with the whole text, and so is one
// that does not compile without it. So nobody sees that something is left out.
#include "compile/steps.h"

#include <fnmatch.h>

static const char *const files[] = {"*/bits/specfun.h", "*/tr1/*.tcc", "*/tr1/special_function_util.h",
                                    "*/texture_indirect_functions.h", "*/surface_indirect_functions.h"};

// A line of the form # NUMBER "FILE" FLAGS says from which file the next ones come.
static bool is_marker(const char *line) { return line[0] == '#' && line[1] == ' '; }

static bool is_of_left_out(const char *marker) {
  const char *name = strchr(marker, '"'), *end = name ? strchr(name + 1, '"') : NULL;
  SL_FREED char *file = end ? sl_path("%.*s", (int)(end - name - 1), name + 1) : NULL;
  for (size_t k = 0; file && k < sizeof files / sizeof *files; k++)
    if (fnmatch(files[k], file, 0) == 0) return true;
  return false;
}

// Writes the lines of the text to the one or the other file; markers are kept.
static void split(const char *text, FILE *kept, FILE *out) {
  bool leave = false;
  for (const char *at = text; *at;) {
    const size_t len = strcspn(at, "\n"), whole = len + (at[len] != 0);
    if (is_marker(at)) leave = is_of_left_out(at);
    fwrite(at, 1, whole, leave && !is_marker(at) ? out : kept);
    at += whole;
  }
}

// The next word behind [at], and its length; NULL: there is none.
static const char *next_word(const char *at, size_t *len) {
  while (*at && !sl_in_word(*at)) at++;
  for (*len = 0; sl_in_word(at[*len]);) ++*len;
  return *len ? at : NULL;
}

typedef struct word {
  const char *at;
  size_t len;
  bool is_kept;
} word;

static int by_text(const void *a, const void *b) {
  const word *x = a, *y = b;
  const int order = memcmp(x->at, y->at, x->len < y->len ? x->len : y->len);
  return order ? order : (x->len > y->len) - (x->len < y->len);
}

// The words of [text], each once, sorted; malloc'ed. [names]: only what can be the name of a function.
static word *words_of(const char *text, bool names, size_t *n) {
  word *all = NULL;
  size_t len;
  for (const char *at = text; (at = next_word(at, &len)); at += len) {
    if (names && (at[len] != '(' || !strncmp(at, "catch(", len + 1))) continue;
    SL_GROW(all, *n);
    all[(*n)++] = (word){at, len, false};
  }
  if (*n) qsort(all, *n, sizeof *all, by_text);
  size_t last = 0;
  for (size_t k = 1; k < *n; k++)
    if (by_text(&all[last], &all[k]) != 0) all[++last] = all[k];
  if (*n) *n = last + 1;
  return all;
}

// The names in [out] that [kept] does not have, one a line; malloc'ed.
static char *own_names(const char *out, const char *kept) {
  size_t n = 0, len;
  SL_FREED word *all = words_of(out, true, &n);
  char *text = NULL;
  FILE *f = sl_text_stream(&text);
  for (const char *at = kept; n && (at = next_word(at, &len)); at += len) {
    word *found = bsearch(&(word){at, len, false}, all, n, sizeof *all, by_text);
    if (found) found->is_kept = true;
  }
  for (size_t k = 0; k < n; k++)
    if (!all[k].is_kept) fprintf(f, "%.*s\n", (int)all[k].len, all[k].at);
  fclose(f);
  return text;
}

char *sl__leave_out(const char *text, char **names) {
  char *kept = NULL;
  SL_FREED char *out = NULL;
  FILE *to_kept = sl_text_stream(&kept), *to_out = sl_text_stream(&out);
  split(text, to_kept, to_out);
  fclose(to_kept);
  fclose(to_out);
  *names = own_names(out, kept);
  return kept;
}

bool sl__has_one_of(const char *text, const char *names) {
  size_t n = 0, len;
  SL_FREED word *all = words_of(names, false, &n);
  for (const char *at = text; n && (at = next_word(at, &len)); at += len)
    if (bsearch(&(word){at, len, false}, all, n, sizeof *all, by_text)) return true;
  return false;
}
