// The table of the labs, and the names that people write for them.
//
// Interface: sl_lab_find takes what a person types ("3", "03", "blelloch", "labs/03_blelloch"); sl_name_find
// looks a word up in a list and suggests the nearest if it is not there.
#include "judge/labs.h"

enum { SL_ONE_BLOCK, SL_ANY_PAIR, SL_SCAN_AND_SORT, SL_OWN };

#define ROW(number, name, title, signature, entry, sort, type, kind, max_n, ...)                             \
  {#number,                                                                                                  \
   #number "_" #name,                                                                                        \
   #entry,                                                                                                   \
   SL_##signature == SL_SCAN_AND_SORT ? #sort : NULL,                                                        \
   SL_##type,                                                                                                \
   SL_##kind,                                                                                                \
   max_n,                                                                                                    \
   SL_##signature == SL_ONE_BLOCK,                                                                           \
   SL_##signature == SL_ANY_PAIR,                                                                            \
   SL_##signature == SL_OWN},

#define SL_LAB ROW
const sl_lab_info sl_labs[] = {
#include "scanlab/labs.def"
    {0},
};

#define SL_LAB ROW
const sl_lab_info sl_own_labs[] = {
#include "own_labs.def"
#undef SL_LAB
    {0},
};

#define SL_LAB(number, name, ...) #number "_" #name,
const char *const sl_lab_names[] = {
#include "scanlab/labs.def"
#define SL_LAB(number, name, ...) #number "_" #name,
#include "own_labs.def"
#undef SL_LAB
    NULL};
const char *const sl_type_names[] = {"f32", "i32", "u32", "affine", NULL};
const char *const sl_op_names[] = {"add", "max", "compose", NULL};
const char *const sl_kind_names[] = {"inclusive", "exclusive", NULL};
const char *const sl_tile_names[] = {"efficient", "naive", NULL};

static bool is_called(const sl_lab_info *lab, const char *name) {
  const char *number = lab->number + (lab->number[0] == '0');
  return !strcmp(name, lab->name) || !strcmp(name, lab->number) || !strcmp(name, number) ||
         !strcmp(name, lab->name + 3);
}

// The last word of a path without slashes and kernel.cu at its end: "labs/03_blelloch/" is 03_blelloch. The
// folder where the user is stands for itself.
static const char *last_word(const char *path, char out[PATH_MAX]) {
  snprintf(out, PATH_MAX, "%s", path);
  for (size_t len = strlen(out); len > 1 && out[len - 1] == '/';) out[--len] = 0;
  char *slash = strrchr(out, '/');
  if (!strcmp(slash ? slash + 1 : out, "kernel.cu")) *(slash ? slash : out) = 0;
  if (!out[0] || !strcmp(out, ".")) return getcwd(out, PATH_MAX) ? sl_base_name(out) : "";
  return sl_base_name(out);
}

#define LAST(LABS) (LABS)[sizeof(LABS) / sizeof *(LABS)-2] // behind it is the end of the list

const sl_lab_info *sl_lab_find(const char *name, sl_error *e) {
  char path[PATH_MAX];
  const char *word = strpbrk(name, "/.") ? last_word(name, path) : name;
  for (const sl_lab_info *lab = sl_labs; lab->name; lab++)
    if (is_called(lab, word)) return lab;
  for (const sl_lab_info *lab = sl_own_labs; lab->name; lab++)
    if (is_called(lab, word)) return lab;
  const char *near = sl_nearest(name, sl_lab_names);
  char hint[128];
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  else
    snprintf(hint, sizeof hint, "a lab is a number from %s to %s or from %s to %s, or its folder",
             sl_labs[0].number, LAST(sl_labs).number, sl_own_labs[0].number, LAST(sl_own_labs).number);
  sl_fail(e, SL_EXIT_USAGE, hint, "there is no lab \"%s\"", name);
  return NULL;
}

// As many names as fit, and how many there are besides.
static void list(const char *const *names, char *out, size_t cap) {
  enum { ROOM_FOR_THE_COUNT = 24 };
  size_t used = (size_t)snprintf(out, cap, "one of:"), left = 0;
  while (names[left]) left++;
  for (; *names && used + 1 + strlen(*names) + ROOM_FOR_THE_COUNT < cap; names++, left--)
    used += (size_t)snprintf(out + used, cap - used, " %s", *names);
  if (left) snprintf(out + used, cap - used, " and %zu more", left);
}

int sl_name_find(const char *what, const char *s, const char *const *names, int code, sl_error *e) {
  for (int k = 0; names[k]; k++)
    if (!strcmp(s, names[k])) return k;
  char hint[384];
  const char *near = sl_nearest(s, names);
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  else list(names, hint, sizeof hint);
  sl_fail(e, code, hint, "unknown %s \"%s\"", what, s);
  return -1;
}
