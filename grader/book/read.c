// Reads what a grading left in its OUT: manifest.json of the class and graded.json of each submission.
//
// Interface: sl__read_class finds the files; OUT is that of a class or of one submission, or one graded.json.
// sl__read_graded reads one of them. Both check every field that the book takes: a file that somebody edited
// so that its points do not add up is refused as a damaged one is. The manifest may be missing. A grading
// that still writes there is told.
#include "book.h"
#include "intake/intake.h"

#include <math.h>
#include <sys/file.h>

enum { MAX_FILE = 256 << 20 };

static const char again[] = "grade again into the same folder: what is unchanged is not run again";

// Says what is wrong in [path]; drops [v].
static json_t *refuse(json_t *v, const char *path, sl_error *e, const char *what) {
  json_decref(v);
  sl_fail(e, SL_EXIT_INPUT, again, "%s: is not what a grading writes: %s", path, what);
  return NULL;
}

static json_t *load_json(const char *path, sl_error *e) {
  sl_error why = {0};
  json_t *v = sl_json_read(path, MAX_FILE, &why);
  if (!v) sl_fail(e, why.code, again, "%s", why.text);
  return v;
}

// One submission --------------------------------------------------------------------------------------------

// Adds the test's points, and the most that it has.
static const char *check_test(json_t *t, double *points, double *most, json_error_t *at) {
  const char *name, *status, *message;
  double got, max, seconds;
  if (json_unpack_ex(t, at, 0, "{s:s, s:s, s:s, s:F, s:F, s:F}", "name", &name, "status", &status, "message",
                     &message, "points", &got, "max", &max, "seconds", &seconds))
    return at->text;
  if (sl_status_find(status) == SL_STATUS_COUNT) return "the status of a test is none";
  if (!(got >= 0 && got <= max + 1e-6 && seconds >= 0))
    return "the points of a test are not between 0 and its most";
  *points += got, *most += max;
  return NULL;
}

static bool is_hash(const json_t *v) {
  const char *s = json_string_value(v);
  return json_is_null(v) ||
         (s && strlen(s) == SL_HEX256 - 1 && strspn(s, "0123456789abcdef") == SL_HEX256 - 1);
}

// "03_blelloch": it becomes a part of titles and paths.
static bool is_lab_name(const char *s) {
  return *s && !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")];
}

static const char *check_lab(json_t *lab, json_error_t *at) {
  const char *name, *why = NULL;
  double score, max, sum = 0, most = 0;
  int absent;
  json_t *tests, *hash, *t;
  size_t k;
  if (json_unpack_ex(lab, at, 0, "{s:s, s:F, s:F, s:b, s:o, s:o}", "lab", &name, "score", &score, "max", &max,
                     "absent", &absent, "sha256", &hash, "tests", &tests))
    return at->text;
  if (!is_lab_name(name)) return "the name of a lab is none";
  if (!is_hash(hash)) return "the hash of a kernel is none";
  json_array_foreach(tests, k, t)
    if (!why) why = check_test(t, &sum, &most, at);
  return why                        ? why
         : fabs(sum - score) > 1e-3 ? "the points of a lab's tests do not add up to its score"
         : fabs(most - max) > 1e-3  ? "the most points of a lab's tests do not add up to its own"
                                    : NULL;
}

static const char *check_graded(json_t *v, json_error_t *at) {
  const char *name, *started, *ended, *version, *tools, *backend, *why = NULL;
  int format;
  time_t t;
  size_t k;
  json_t *labs, *lab;
  if (json_unpack_ex(v, at, 0, "{s:i, s:s, s:s, s:s, s:{s:s, s:s, s:s}, s:o}", "format", &format,
                     "submission", &name, "started", &started, "ended", &ended, "provenance", "version",
                     &version, "tools", &tools, "backend", &backend, "labs", &labs))
    return at->text;
  if (format != 1) return "its form is of another version of scanlab";
  if (!*name || !sl__read_utc(started, &t) || !sl__read_utc(ended, &t))
    return "its name or its times are none";
  json_array_foreach(labs, k, lab)
    if (!why) why = check_lab(lab, at);
  return why;
}

json_t *sl__read_graded(const char *path, sl_error *e) {
  json_error_t at = {0};
  json_t *v = load_json(path, e);
  const char *why = v ? check_graded(v, &at) : NULL;
  return why ? refuse(v, path, e, why) : v;
}

// The class -------------------------------------------------------------------------------------------------

static const char *check_entry(json_t *entry, json_error_t *at) {
  static const char *const known[] = {"taken", "absent", "unreadable", "unknown", NULL};
  const char *student, *status, *handed_in = NULL;
  time_t t;
  int k = 0;
  if (json_unpack_ex(entry, at, 0, "{s:s, s:s, s?s}", "student", &student, "status", &status, "handed_in",
                     &handed_in) &&
      (!json_is_null(json_object_get(entry, "handed_in")) ||
       json_unpack_ex(entry, at, 0, "{s:s, s:s}", "student", &student, "status", &status)))
    return at->text;
  while (known[k] && strcmp(known[k], status)) k++;
  if (!*student || !known[k]) return "a student's name or status is none";
  return handed_in && !sl__read_utc(handed_in, &t) ? "a time is not of the form 2026-11-22T22:20:00Z" : NULL;
}

// The manifest; NULL without an error if there is none.
static json_t *read_manifest(const char *path, sl_error *e) {
  json_error_t at = {0};
  json_t *v = sl_is_file(path) ? load_json(path, e) : NULL, *entry, *students;
  int version;
  size_t k;
  const char *why = NULL;
  if (!v) return NULL;
  if (json_unpack_ex(v, &at, 0, "{s:i, s:o}", "version", &version, "students", &students))
    return refuse(v, path, e, at.text);
  if (!json_is_array(students)) return refuse(v, path, e, "its students are no list");
  if (version != 1) return refuse(v, path, e, "its form is of another version of scanlab");
  json_array_foreach(students, k, entry)
    if (!why) why = check_entry(entry, &at);
  return why ? refuse(v, path, e, why) : v;
}

static bool list_files(sl_book *b, const char *out, sl_graded_class *c, sl_error *e) {
  struct dirent **list;
  const char *folder = sl__str(b->a, "%s/students", out);
  int n = sl__list_folder(folder, &list);
  if (n < 0)
    return errno == ENOENT ||
           sl_fail(e, SL_EXIT_INPUT, NULL, "%s: cannot be read: %s", folder, strerror(errno));
  c->files = sl__alloc(b->a, (size_t)(n + 1) * sizeof *c->files);
  for (int k = 0; k < n; k++) {
    const char *path = sl__str(b->a, "%s/%s/graded.json", folder, list[k]->d_name);
    if (sl_is_file(path)) c->files[c->n++].path = path;
    free(list[k]);
  }
  free(list);
  return true;
}

// Does a grading hold a lock in [folder] (../out.c): of all of it, or of a part of the class?
static bool is_locked(sl_arena *a, const char *folder) {
  struct dirent **list;
  bool locked = false;
  int n = sl__list_folder(folder, &list);
  for (int k = 0; k < n; k++) {
    int fd = strncmp(list[k]->d_name, "lock", 4)
                 ? -1
                 : open(sl__str(a, "%s/%s", folder, list[k]->d_name), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    locked = locked || (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK);
    if (fd >= 0) close(fd); // and with it our own lock
    free(list[k]);
  }
  if (n >= 0) free(list);
  return locked;
}

bool sl__read_class(sl_book *b, const char *out, sl_graded_class *c, sl_error *e) {
  const char *one = sl_is_dir(out) ? sl__str(b->a, "%s/graded.json", out) : out;
  *c = (sl_graded_class){.in_the_making = sl_is_dir(out) && is_locked(b->a, out)};
  if (sl_is_dir(out)) c->manifest = read_manifest(sl__str(b->a, "%s/manifest.json", out), e);
  if (e->code || (sl_is_dir(out) && !list_files(b, out, c, e))) return false;
  if (c->n || (c->manifest && !sl_is_file(one))) return true;
  c->files = sl__alloc(b->a, sizeof *c->files);
  c->files[c->n++].path = one;
  return sl_is_file(one) ||
         sl_fail(e, SL_EXIT_INPUT,
                 c->in_the_making ? "a grading is still writing there: import it when that has ended"
                                  : "name the folder that `./scanlab grade CLASS --out OUT` wrote; if an "
                                    "older scanlab did, grade "
                                    "again into it: what is unchanged is not run again",
                 "%s: there are no results of a grading", out);
}
