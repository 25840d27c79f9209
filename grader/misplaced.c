// Finds a kernel.cu that a student put in another place or gave another name.
//
// Interface: sl__name_misplaced looks through a submission, four folders deep, five thousand entries at most,
// no link followed, for a .cu file whose own name or whose folder's name speaks of the lab:
// hw1/03_blelloch/kernel.cu, 03_blelloch.cu, Lab3.cu, 03-Blelloch/Kernel.cu. The grader names the file and
// does not grade it: a guess is no submission. With --accept-misplaced sl__place_kernel takes a file that can
// mean nothing else, and says so. sl__name_unplaced is for a submission that lacks a lab: .cu files
// that speak of no lab are told, too. sl__name_others tells of others beside the one that is graded.
#include "intake/intake.h"

#include <ctype.h>

enum { MAX_DEPTH = 4, MAX_ENTRIES = 5000 };
// How much a place says: nothing, its folder's name tells the lab, its own does, it is NN_name/kernel.cu.
typedef enum rank { NO_SIGN, BY_FOLDER, BY_NAME, BY_BOTH } rank;

typedef struct search {
  sl_arena *a;
  const char *lab; // "03_blelloch"; NULL: any .cu file
  char *best;      // path below the submission
  rank rank;       // the best one's
  size_t n;        // how many have that rank
  int left;        // how many entries may still be looked at
  // Files of these contents, and all whose names do not speak of the lab, are passed over; NULL: none is.
  const char *graded, *skeleton;
  const sl_submission *of; // copies of its kernels that are graded are passed over; NULL: none is
  bool alone;              // the lab is the only one: kernel.cu speaks of it wherever no folder names another
} search;

static const char *behind_signs(const char *s) {
  while (*s && !isalnum((unsigned char)*s)) s++;
  return s;
}

// Does [name] begin with the lab's number: 03, 3, lab03, Lab-3?
static bool has_number(const char *name, const char *lab) {
  name = behind_signs(name);
  if (!strncasecmp(name, "lab", 3)) name = behind_signs(name + 3);
  return isdigit((unsigned char)*name) && strtol(name, NULL, 10) == strtol(lab, NULL, 10);
}

static bool speaks_of(const char *name, const char *lab) {
  char have[SL_MAX_PLAIN], want[SL_MAX_PLAIN];
  sl__plain(name, have, sizeof have);
  sl__plain(lab + 3, want, sizeof want); // behind "03_"
  return strstr(have, want) || has_number(name, lab);
}

static bool speaks_of_any(const char *name) {
  const sl_lab_info *const all[] = {sl_labs, sl_own_labs};
  for (int k = 0; k < 2; k++)
    for (const sl_lab_info *l = all[k]; l->name; l++)
      if (speaks_of(name, l->name)) return true;
  return false;
}

// What the file [name] in a folder called [folder] says about the lab that is searched for.
static rank rank_of(const search *s, const char *name, const char *folder) {
  if (!s->lab) return speaks_of_any(name) || speaks_of_any(folder) ? NO_SIGN : BY_NAME;
  bool by_folder = speaks_of(folder, s->lab), by_name = speaks_of(name, s->lab);
  if (by_folder && !strcasecmp(name, "kernel.cu")) return BY_BOTH;
  if (s->alone && !strcasecmp(name, "kernel.cu") && !speaks_of_any(folder)) return BY_NAME;
  return by_name ? BY_NAME : by_folder ? BY_FOLDER : NO_SIGN;
}

static bool is_passed_over(const search *s, rank r, const char *path) {
  char hash[SL_HEX256];
  sl_error e = {0};
  if (!s->graded && !s->of) return false;
  if (!sl__hash_file(path, hash, &e)) return true;
  for (size_t i = 0; s->of && i < s->of->n_labs; i++)
    if (!strcmp(hash, s->of->labs[i].hash)) return true;
  return s->graded && (r < BY_NAME || !strcmp(hash, s->graded) || !strcmp(hash, s->skeleton));
}

static void note_file(search *s, const char *path, const char *rel, const char *name, const char *folder) {
  rank r = rank_of(s, name, folder);
  if (r == NO_SIGN || r < s->rank || is_passed_over(s, r, path)) return;
  s->n = r > s->rank ? 1 : s->n + 1;
  if (r > s->rank) s->best = sl__str(s->a, "%s%s", rel, name);
  s->rank = r;
}

// [rel]: path of [dir] below the submission, "" or ending in a slash; [name]: the folder's own name.
static void look_in_folder(search *s, const char *dir, const char *rel, const char *name, int depth) {
  struct dirent **list;
  struct stat st;
  int n = sl__list_folder(dir, &list);
  for (int k = 0; k < n; k++) {
    const char *own = list[k]->d_name;
    char *path = sl__str(s->a, "%s/%s", dir, own);
    bool there = s->left-- > 0 && lstat(path, &st) == 0;
    if (there && S_ISREG(st.st_mode) && sl__is_source(own)) note_file(s, path, rel, own, name);
    if (there && S_ISDIR(st.st_mode) && depth < MAX_DEPTH)
      look_in_folder(s, path, sl__str(s->a, "%s%s/", rel, own), own, depth + 1);
    free(list[k]);
  }
  if (n >= 0) free(list);
}

static search search_folder(sl_arena *a, const char *dir, const char *lab, const sl_submission *of) {
  search s = {.a = a, .lab = lab, .left = MAX_ENTRIES, .of = of};
  look_in_folder(&s, dir, "", "", 1);
  return s;
}

// The best of them, its path below [dir]; NULL: none. *n: how many are as good.
static const char *find_misplaced(sl_arena *a, const char *dir, const char *lab_name, size_t *n) {
  search s = search_folder(a, dir, lab_name, NULL);
  *n = s.n;
  return s.best;
}

// Placing ---------------------------------------------------------------------------------------------------

// The entry of the archive that should have been this lab's kernel, or holds it, and was not taken.
static const sl_refused *refused_kernel(const sl_submission *s, const char *lab) {
  for (size_t i = 0; i < s->in.n_refused; i++) {
    const char *path = s->in.refused[i].path;
    SL_FREED char *folder = sl_folder_of(path);
    bool is = (sl__is_source(path) || sl__archive_name(path)) &&
              (speaks_of(sl_base_name(path), lab) || speaks_of(sl_base_name(folder), lab));
    if (is) return &s->in.refused[i];
  }
  return NULL;
}

// The file that can mean nothing but this lab: NULL, if there is none or there are several. Where one lab
// alone is graded, a submission's only file is that lab's, unless it names another.
static const char *unambiguous(const sl_grading *g, const sl_submission *s, const char *lab) {
  size_t n;
  const char *path = find_misplaced(g->arena, s->root, lab, &n);
  if (path) return n == 1 ? path : NULL;
  search any = search_folder(g->arena, s->root, NULL, NULL);
  return g->course.n_labs == 1 && any.n == 1 ? any.best : NULL;
}

static void accept(const sl_grading *g, const sl_submission *s, sl_graded_lab *gl, const char *path) {
  gl->problem = NULL;
  gl->absent = false;
  gl->misplaced = path;
  sl__inspect_file(g->arena, sl__str(g->arena, "%s/%s", s->root, path), gl);
}

static void say_misplaced(sl_arena *a, sl_graded_lab *gl, const char *lab, const char *path, size_t n) {
  gl->absent = false;
  sl__set_problem(
      a, gl, SL_REASON_HANDED_IN_NOTHING,
      n > 1 ? sl__str(a, "no kernel.cu in its place: there are %zu files that could be meant, one of them %s",
                      n, sl__safe(a, path))
            : sl__str(a, "no kernel.cu in its place: there is %s, which belongs into %s/kernel.cu",
                      sl__safe(a, path), lab));
}

void sl__name_misplaced(sl_arena *a, const char *dir, sl_graded_lab *gl, const char *lab) {
  size_t n;
  const char *path = find_misplaced(a, dir, lab, &n);
  if (path) say_misplaced(a, gl, lab, path, n);
}

void sl__name_unplaced(sl_arena *a, sl_submission *s) {
  bool absent = false;
  SL_EACH_LAB(s, gl) absent = absent || gl->absent;
  const search any = absent && s->root ? search_folder(a, s->root, NULL, s) : (search){0};
  if (!any.n) return;
  if (s->n_labs == 1) {
    say_misplaced(a, &s->labs[0], s->labs[0].lab->info->name, any.best, any.n);
    return;
  }
  const char *more = any.n > 1 ? sl__str(a, " and %zu more", any.n - 1) : "",
             *said = sl__str(a, "nothing says which lab it is of: %s%s", sl__safe(a, any.best), more);
  sl__remark(a, &s->in, said);
}

void sl__name_others(const sl_grading *g, sl_submission *s, const sl_graded_lab *gl) {
  if (!s->root) return;
  char skeleton[SL_HEX256] = "";
  sl_error e = {0};
  const char *lab = gl->lab->info->name;
  sl__hash_file(sl__str(g->arena, "%s/labs/%s/kernel.cu", g->course.root, lab), skeleton, &e);
  search all = {.a = g->arena,
                .lab = lab,
                .left = MAX_ENTRIES,
                .graded = gl->hash,
                .skeleton = skeleton,
                .alone = g->course.n_labs == 1};
  look_in_folder(&all, s->root, "", "", 1);
  if (!all.n) return;
  const char *graded = gl->kernel + (strncmp(gl->kernel, s->root, strlen(s->root)) ? 0 : strlen(s->root) + 1);
  const char *more = all.n > 1 ? sl__str(g->arena, " and %zu more are", all.n - 1) : " is";
  sl__remark(g->arena, &s->in,
             sl__str(g->arena, "%s is graded, %s%s not", sl__safe(g->arena, graded),
                     sl__safe(g->arena, all.best), more));
}

void sl__place_kernel(const sl_grading *g, const sl_submission *s, sl_graded_lab *gl) {
  const sl_refused *r = refused_kernel(s, gl->lab->info->name);
  const char *path = g->course.accept_misplaced ? unambiguous(g, s, gl->lab->info->name) : NULL;
  if (s->in.status == SL_TAKEN_UNREADABLE || r) {
    gl->absent = false;
    sl__set_problem(g->arena, gl, SL_REASON_HANDED_IN_WRONG,
                    s->in.status == SL_TAKEN_UNREADABLE ? s->in.reason
                                                        : sl__str(g->arena, "%s: %s", r->path, r->why));
  } else if (path) accept(g, s, gl, path);
  else sl__name_misplaced(g->arena, s->root, gl, gl->lab->info->name);
}
