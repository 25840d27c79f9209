// Finds the labs in what was handed in, by one rule for a submission and for each of a class, whether it
// came as a folder, as an archive or from a repository.
//
// Interface: sl__base_of. The kernels are expected at NN_name/kernel.cu, or at labs/NN_name/kernel.cu as in
// the course's own tree. A folder around everything does not count: as long as all .cu files lie in one
// folder, the rule is applied to that one. Other places are misplaced (misplaced.c). No link is followed.
#include "intake/intake.h"

enum { MAX_AROUND = 8, MAX_DEPTH = 6, MAX_ENTRIES = 5000 };

static int is_visible(const struct dirent *d) { return !sl__is_rubbish(d->d_name); }

int sl__list_folder(const char *dir, struct dirent ***list) {
  return scandir(dir, list, is_visible, alphasort);
}

static bool is_real_folder(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool sl__has_labs(const char *dir) {
  struct stat st;
  bool found = false;
  for (const char *const *lab = sl_lab_names; *lab && !found; lab++) {
    SL_FREED char *path = sl_path("%s/%s", dir, *lab);
    found = lstat(path, &st) == 0;
  }
  return found;
}

// The path of the first file that is [wanted], in [dir] or at most [depth] folders below, malloc'ed; NULL:
// there is none. [left]: entries that may still be looked at.
static char *search(const char *dir, bool (*wanted)(const char *name), int depth, int *left) {
  struct dirent **list;
  char *found = NULL;
  int n = sl__list_folder(dir, &list);
  for (int i = 0; i < n; i++) {
    SL_FREED char *path = sl_path("%s/%s", dir, list[i]->d_name);
    if (!found && (*left)-- > 0) {
      if (!is_real_folder(path)) found = wanted(list[i]->d_name) ? sl_path("%s", path) : NULL;
      else if (depth > 0) found = search(path, wanted, depth - 1, left);
    }
    free(list[i]);
  }
  if (n >= 0) free(list);
  return found;
}

static char *search_all(const char *dir, bool (*wanted)(const char *name)) {
  int left = MAX_ENTRIES;
  return search(dir, wanted, MAX_DEPTH, &left);
}

bool sl__holds_source(const char *dir) {
  SL_FREED char *found = search_all(dir, sl__is_source);
  return found != NULL;
}

// kernel.cu.txt, as some browsers save it
static bool is_nearly_source(const char *name) { return strcasestr(name, ".cu") != NULL; }

const char *sl__nearly_source(sl_arena *a, const char *dir) {
  SL_FREED char *found = search_all(dir, is_nearly_source);
  return found ? sl__safe(a, found + strlen(dir) + 1) : NULL;
}

// The one folder in [dir] that holds all its .cu files; NULL: there are several, or .cu files beside it.
static const char *only_folder(sl_arena *a, const char *dir) {
  struct dirent **list;
  const char *only = NULL;
  bool more = false;
  int n = sl__list_folder(dir, &list);
  for (int i = 0; i < n; i++) {
    const char *path = sl__str(a, "%s/%s", dir, list[i]->d_name);
    bool counts = is_real_folder(path) ? sl__holds_source(path) : sl__is_source(list[i]->d_name);
    more = more || (counts && (only || !is_real_folder(path)));
    if (counts) only = path;
    free(list[i]);
  }
  if (n >= 0) free(list);
  return more ? NULL : only;
}

const char *sl__base_of(sl_arena *a, const char *dir) {
  const char *at = dir;
  for (int around = 0; at && around < MAX_AROUND; around++) {
    const char *labs = sl__str(a, "%s/labs", at);
    if (sl__has_labs(at)) return at;
    if (is_real_folder(labs) && sl__has_labs(labs)) return labs;
    at = only_folder(a, at);
  }
  return dir;
}

void sl__open_folder(sl_arena *a, sl_intake *in) {
  struct dirent **list;
  const char *dir = in->pieces[0].path;
  if (!is_real_folder(dir) || sl__holds_source(dir)) return;
  int n = sl__list_folder(dir, &list);
  size_t found = 0;
  for (int i = 0; i < n; i++) {
    const char *name = list[i]->d_name, *path = sl__str(a, "%s/%s", dir, name);
    if (sl__archive_name(name) && !is_real_folder(path)) {
      in->pieces = sl__more(a, found ? in->pieces : NULL, found, sizeof *in->pieces);
      in->pieces[found++] = (sl_handed_piece){SL_PIECE_ARCHIVE, path, sl__str(a, "%s", name)};
    }
    free(list[i]);
  }
  if (n >= 0) free(list);
  if (found) in->n_pieces = found;
}
