// Kernels that are the same in several submissions of a class, but for comments and white space.
//
// Interface: sl__find_twins names the others in each lab. What equals the skeleton is nobody's own and is
// passed over. What is compared is the text without comments and white space. It is a sign to
// look at, no proof, and costs no points; tools for similarity take what `scanlab export similarity` writes.
#include "grade.h"

#include <ctype.h>

enum { MAX_SOURCE = 1 << 20, NAMED = 3 };

static char *bare_text(sl_arena *a, const char *s) {
  char *out = sl__alloc(a, strlen(s) + 1), *to = out;
  while (*s) {
    size_t blank = isspace((unsigned char)*s) ? 1 : s[0] == '\\' && s[1] == '\n' ? 2 : sl_comment_length(s);
    size_t kept = blank ? 0 : sl_quoted_length(s);
    if (!blank && !kept) kept = 1;
    to = mempcpy(to, s, kept);
    s += blank + kept;
  }
  return out;
}

// The hash of the bare text of [path]; "" if it cannot be read or is empty.
static void hash_bare(const char *path, char out[SL_HEX256]) {
  sl_arena *a = sl__arena_new();
  SL_FREED char *text = sl_read_file(path, MAX_SOURCE, NULL, NULL);
  char *bare = text ? bare_text(a, text) : NULL;
  out[0] = 0;
  if (bare && *bare) sl__hash(bare, strlen(bare), out);
  sl_arena_free(a);
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
