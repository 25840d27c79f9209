// Finds a kernel.cu that a student put in another place or gave another name.
//
// Interface: sl__find_misplaced looks through a submission, four folders deep, a thousand entries at most, no
// link followed, for a .cu file whose own name or whose folder's name speaks of the lab:
// hw1/03_blelloch/kernel.cu, 03_blelloch.cu, Lab3.cu, 03-Blelloch/Kernel.cu. The grader names the file and
// never grades it: a guess is no submission.
#include "grade.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 4, MAX_ENTRIES = 1000, MAX_NAME = 256 };

typedef struct search {
  sl_arena *a;
  const char *lab; // "03_blelloch"
  char *found;     // path below the submission
  int left;        // how many entries may still be looked at
} search;

// Copies the letters and digits of [s], in lower case.
static void plain(const char *s, char out[MAX_NAME]) {
  size_t n = 0;
  for (; *s && n + 1 < MAX_NAME; s++)
    if (isalnum((unsigned char)*s)) out[n++] = (char)tolower((unsigned char)*s);
  out[n] = 0;
}

// Does [name] begin with the lab's number: 03, 3, lab03, lab3?
static bool has_number(const char *name, const char *lab) {
  if (!strncmp(name, "lab", 3)) name += 3;
  if (*name == '0') name++;
  return *name == lab[1] && !isdigit((unsigned char)name[1]);
}

static bool speaks_of(const char *name, const char *lab) {
  char have[MAX_NAME], want[MAX_NAME];
  plain(name, have);
  plain(lab + 3, want); // behind "03_"
  return strstr(have, want) || has_number(have, lab);
}

static bool is_source(const char *name) {
  size_t len = strlen(name);
  return len > 3 && !strcasecmp(name + len - 3, ".cu");
}

static int visible(const struct dirent *d) { return d->d_name[0] != '.'; }

// [rel]: path of [dir] below the submission, "" or ending in a slash; [meant]: the folder's name speaks of
// the lab.
static void look_in_folder(search *s, const char *dir, const char *rel, bool meant, int depth) {
  struct dirent **list;
  struct stat st;
  int n = scandir(dir, &list, visible, alphasort);
  for (int k = 0; k < n; k++) {
    const char *name = list[k]->d_name;
    char *path = sl__str(s->a, "%s/%s", dir, name);
    bool there = !s->found && s->left-- > 0 && lstat(path, &st) == 0,
         speaks = there && speaks_of(name, s->lab);
    if (there && S_ISREG(st.st_mode) && is_source(name) && (meant || speaks))
      s->found = sl__str(s->a, "%s%s", rel, name);
    if (there && S_ISDIR(st.st_mode) && depth < MAX_DEPTH)
      look_in_folder(s, path, sl__str(s->a, "%s%s/", rel, name), speaks, depth + 1);
    free(list[k]);
  }
  if (n >= 0) free(list);
}

const char *sl__find_misplaced(sl_arena *a, const char *sub_dir, const char *lab_name) {
  search s = {.a = a, .lab = lab_name, .left = MAX_ENTRIES};
  look_in_folder(&s, sub_dir, "", false, 1);
  return s.found ? sl__safe(a, s.found) : NULL;
}
