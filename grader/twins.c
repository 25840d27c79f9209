// Kernels that are the same in several submissions of a class, also where only comments and white space differ.
//
// Interface: sl__find_twins names the others in each lab. What equals the skeleton is nobody's own and is passed over.
// sl__bare_text is what is compared: the text without comments and white space. It is a sign to look at, no proof, and
// costs no points; tools for similarity take what `scanlab export similarity` writes.
#include "grade.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCE = 1 << 20, NAMED = 3 };

// Where the comment, or the white space, at [s] ends; [s] if there is none.
static const char *behind_blank(const char *s) {
  if (isspace((unsigned char)*s)) return s + 1;
  if (s[0] == '\\' && s[1] == '\n') return s + 2;
  if (s[0] == '/' && s[1] == '/') return s + strcspn(s, "\n");
  if (s[0] != '/' || s[1] != '*') return s;
  const char *end = strstr(s + 2, "*/");
  return end ? end + 2 : s + strlen(s);
}

// Where the text or character in quotes at [s] ends; [s] if there is none.
static const char *behind_quotes(const char *s) {
  const char *p = s;
  if (*s != '"' && *s != '\'') return s;
  for (p++; *p && *p != *s && *p != '\n'; p++) p += *p == '\\' && p[1];
  return *p ? p + 1 : p;
}

char *sl__bare_text(sl_arena *a, const char *text) {
  char *out = sl__alloc(a, strlen(text) + 1), *to = out;
  for (const char *s = text, *next; *s; s = next) {
    if ((next = behind_blank(s)) != s) continue;
    if ((next = behind_quotes(s)) == s) next = s + 1;
    to = mempcpy(to, s, (size_t)(next - s));
  }
  return out;
}

// The hash of the bare text of [path]; "" if it cannot be read or is empty.
static void hash_bare(const char *path, char out[SL_HEX256]) {
  sl_arena *a = sl__arena_new();
  char *text = sl_read_file(path, MAX_SOURCE, NULL, NULL), *bare = text ? sl__bare_text(a, text) : NULL;
  out[0] = 0;
  if (bare && *bare) sl__hash(bare, strlen(bare), out);
  free(text);
  sl__arena_free(a);
}

static const char *join(sl_arena *a, const char *list, const char *name) {
  return list ? sl__str(a, "%s, %s", list, name) : name;
}

// The names of those whose hash is [i]'s; NULL: nobody.
static const char *same_as(const sl_grading *g, char (*hash)[SL_HEX256], size_t i) {
  const char *list = NULL;
  size_t n = 0;
  for (size_t k = 0; k < g->n; k++) {
    if (k == i || strcmp(hash[k], hash[i]) != 0) continue;
    if (n++ < NAMED) list = join(g->arena, list, g->subs[k].name);
  }
  return n > NAMED ? sl__str(g->arena, "%s and %zu more", list, n - NAMED) : list;
}

static void find_in_lab(sl_grading *g, size_t lab) {
  const char *name = g->course.labs[lab].lab->info->name;
  char(*hash)[SL_HEX256] = sl__alloc(g->arena, g->n * sizeof *hash), skeleton[SL_HEX256], solution[SL_HEX256];
  hash_bare(sl__str(g->arena, "%s/labs/%s/kernel.cu", g->course.root, name), skeleton);
  hash_bare(sl__str(g->arena, "%s/solutions/%s/kernel.cu", g->course.root, name), solution);
  for (size_t i = 0; i < g->n; i++)
    if (*g->subs[i].labs[lab].hash) hash_bare(g->subs[i].labs[lab].kernel, hash[i]);
  for (size_t i = 0; i < g->n; i++) {
    sl_graded_lab *gl = &g->subs[i].labs[lab];
    if (!*hash[i] || !strcmp(hash[i], skeleton)) continue;
    gl->twin = same_as(g, hash, i);
    if (!strcmp(hash[i], solution)) gl->twin = join(g->arena, gl->twin, "the reference solution");
  }
}

void sl__find_twins(sl_grading *g) {
  for (size_t lab = 0; g->is_class && lab < g->course.n_labs; lab++) find_in_lab(g, lab);
}
