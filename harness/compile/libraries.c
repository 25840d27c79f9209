// Which libraries of the toolkit a source uses: decided by the files that the preprocessor has opened, not by
// the text of the source, so macros, conditions and other spellings of a path change nothing.
//
// Interface: libraries.h. nvcc preprocesses a source twice, for the device and for the host, and keeps both
// results. There each file that is entered stands in a line marker, `# 1 "/usr/include/x.h" 1`, and ` 2` ends
// one. A library may use other libraries by itself (see the table); all other files count as the student's.
#include "compile/libraries.h"

#include <jansson.h>

enum { CUB, THRUST, GROUPS, LIBCUDACXX, N_LIBRARIES, OTHER = N_LIBRARIES, MAX_DEPTH = 256 };

static const struct {
  const char *word;   // in lab.json
  const char *folder; // in the toolkit's include folder
  unsigned uses;      // bits of the libraries that it opens by itself
  const char *why;    // why labs do not allow it
} libraries[] = {
    [CUB] = {"cub", "cub", 1 << THRUST | 1 << LIBCUDACXX,
             "it has the scan and the sort that the labs are about"},
    [THRUST] = {"thrust", "thrust", 1 << CUB | 1 << LIBCUDACXX,
                "it has the scan and the sort that the labs are about"},
    [GROUPS] = {"cooperative_groups", "cooperative_groups", 1 << LIBCUDACXX,
                "this lab is about doing without it"},
    [LIBCUDACXX] = {"libcu++", "cuda", 0, "this lab is about doing without it"},
};

// lab.json --------------------------------------------------------------------------------------------------

static const char *folder_of(const char *number) {
#define SL_LAB(number, name, ...) {#number, #number "_" #name},
  static const char *const rows[][2] = {
#include "scanlab/labs.def"
#define SL_LAB(number, name, ...) {#number, #number "_" #name},
#include "own_labs.def"
#undef SL_LAB
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (!strcmp(rows[k][0], number)) return rows[k][1];
  return number;
}

static bool add_library(const json_t *word, unsigned *allowed) {
  for (unsigned k = 0; k < N_LIBRARIES; k++) {
    if (strcmp(json_is_string(word) ? json_string_value(word) : "", libraries[k].word)) continue;
    *allowed |= 1u << k;
    return true;
  }
  return false;
}

bool sl__libraries_of(const char *lab_number, unsigned *allowed, sl_error *e) {
  SL_FREED char *path = sl_path("%s/labs/%s/lab.json", sl_course_root(), folder_of(lab_number));
  json_error_t at;
  json_t *lab = json_load_file(path, 0, &at), *list = json_object_get(lab, "libraries"), *word;
  bool ok = lab || sl_fail(e, SL_EXIT_INFRA, NULL, "%s: %s", path, at.text);
  size_t k;
  *allowed = 0;
  json_array_foreach(list, k, word) {
    if (ok && !add_library(word, allowed))
      ok = sl_fail(e, SL_EXIT_INPUT, "cub, thrust, cooperative_groups and libcu++ are known",
                   "%s: \"libraries\" names an unknown one", path);
  }
  json_decref(lab);
  return ok;
}

// Line markers ----------------------------------------------------------------------------------------------

// The library of such a folder, up to a dot; OTHER: none. cooperative_groups.h and cooperative_groups/scan.h
static unsigned library_called(const char *name, size_t len) {
  unsigned k = 0;
  while (k < N_LIBRARIES &&
         (!len || strlen(libraries[k].folder) != len || strncmp(name, libraries[k].folder, len)))
    k++;
  return k;
}

bool sl__library_allowed(const char *header, unsigned allowed) {
  unsigned k = library_called(header, strcspn(header, "/."));
  return k != OTHER && allowed & 1u << k;
}

// The library that a folder of [path] is called after; the first one of the table, of several. OTHER: none.
static unsigned library_on_way(const char *path) {
  for (unsigned k = 0; k < N_LIBRARIES; k++) {
    const size_t len = strlen(libraries[k].folder);
    for (const char *at = path, *end; (end = strchr(at, '/')); at = end + 1)
      if ((size_t)(end - at) == len && !strncmp(at, libraries[k].folder, len)) return k;
  }
  return OTHER;
}

// May it lead elsewhere in the compiler's process than here? Its own name for the file would be another.
static bool is_of_process(const char *path, const char *real) {
  return strcmp(path, real) != 0 && (strstr(path, "/proc/") || strstr(path, "/dev/"));
}

// The library of an opened file, by its place behind an include folder: the toolkit's, or one with a copy of
// the library in a folder of its own; OTHER: none. Names without a slash in front are [folder]'s.
static unsigned library_of(const char *folder, const char *file) {
  SL_FREED char *path = sl_path("%s%s%s", *file == '/' ? "" : folder, *file == '/' ? "" : "/", file),
                *real = realpath(path, NULL);
  const char *behind = NULL;
  if (!real || is_of_process(path, real)) return library_on_way(file);
  for (const char *next = real; (next = strstr(next, "/include/"));) behind = next += strlen("/include/");
  if (!behind) return OTHER;
  if (!strncmp(behind, "cccl/", 5)) behind += 5;
  const unsigned k = library_called(behind, strcspn(behind, "/."));
  return k == OTHER || k == LIBCUDACXX ? library_on_way(behind) : k; // cuda.h is the driver's header
}

typedef struct marker {
  char file[4096];
  unsigned line;
  bool enters, leaves;
} marker;

static bool read_marker(const char *line, marker *m) {
  int used = 0;
  if (sscanf(line, "# %u \"%4095[^\"]\"%n", &m->line, m->file, &used) != 2 || !used) return false;
  m->enters = !strncmp(line + used, " 1", 2), m->leaves = !strncmp(line + used, " 2", 2);
  return true;
}

typedef struct walk {
  const char *folder;        // where the compiler has worked
  unsigned stack[MAX_DEPTH]; // the libraries of the open files; [0] is the student's
  unsigned depth, line;      // line: of the student's file
  unsigned found;            // the library that is not allowed; OTHER: none
  char file[4096];           // its header
} walk;

static void enter(walk *w, const marker *m, unsigned allowed) {
  unsigned from = w->stack[w->depth], to = library_of(w->folder, m->file);
  unsigned may = from == OTHER ? allowed : libraries[from].uses | 1u << from;
  if (to == OTHER) to = from; // a file of no library belongs to who opened it
  else if (!(may & 1u << to) && w->found == OTHER) {
    w->found = to;
    snprintf(w->file, sizeof w->file, "%s", m->file);
  }
  if (w->depth + 1 < MAX_DEPTH) w->stack[++w->depth] = to;
}

// Follows the markers until a library is found. The line of a marker is that of the text below it.
static void follow(walk *w, FILE *f, unsigned allowed) {
  SL_FREED char *line = NULL;
  size_t cap = 0;
  marker m;
  while (w->found == OTHER && getline(&line, &cap, f) >= 0) {
    if (!read_marker(line, &m)) {
      if (w->depth == 0) w->line++;
      continue;
    }
    if (m.enters) enter(w, &m, allowed);
    if (m.leaves && w->depth) w->depth--;
    if (!m.enters && w->depth == 0) w->line = m.line;
  }
}

static const char *name_in(const char *file, unsigned library) {
  const char *at = file, *name = file;
  while ((at = strstr(at, libraries[library].folder))) name = at++;
  return name;
}

static bool refuse(const walk *w, const char *source, const char *lab_number, sl_error *e) {
  const char *name = name_in(w->file, w->found);
  return sl_fail(e, SL_EXIT_INPUT,
                 "leave the #include out, and write what you took from there; docs/student/rules.md says "
                 "what is allowed",
                 "%s:%u: this line opens <%s>: lab %s does not allow the library %s, because %s", source,
                 w->line, name, lab_number, libraries[w->found].word, libraries[w->found].why);
}

static bool check_file(const char *folder, const char *path, const char *source, const char *lab_number,
                       unsigned allowed, sl_error *e) {
  walk w = {.folder = folder, .stack = {OTHER}, .found = OTHER};
  SL_CLOSED FILE *f = fopen(path, "r");
  if (!f) return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: cannot be read", path);
  follow(&w, f, allowed);
  return w.found == OTHER || refuse(&w, source, lab_number, e);
}

bool sl__libraries_check(const char *folder, const char *source, const char *lab_number, unsigned allowed,
                         sl_error *e) {
  SL_LISTED DIR *d = opendir(folder);
  bool ok = true;
  for (struct dirent *f; ok && d && (f = readdir(d));) {
    size_t len = strlen(f->d_name);
    if (len < 3 || strcmp(f->d_name + len - 3, ".ii")) continue;
    SL_FREED char *path = sl_path("%s/%s", folder, f->d_name);
    ok = check_file(folder, path, source, lab_number, allowed, e);
  }
  return ok;
}
