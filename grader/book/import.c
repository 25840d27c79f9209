// Adds a graded class to the book: what the class said of each student, attempts, gradings, tests, findings.
//
// Interface: sl__import adds in one transaction: all of it or nothing. What is known already is not added
// again, so the same import twice adds nothing. A row is known by what it is about: an attempt by
// student, lab and hash of the kernel; a grading by its attempt, its provenance and its tests. Problems
// (a student who is not graded yet, a kernel that is another one in the manifest) are said, and counted
// in sum->problems.
#include "book.h"

typedef struct importing {
  sl_book *b;
  sl_error *e;
  sl_import_sum *sum;
  int64_t import, added;
  const char *otherwise; // when it was handed in, where nothing tells; "": not known
  json_t *by_name;       // student -> entry of the manifest
  size_t left;           // results of whom the manifest does not name
  const char *one_left;
} importing;

static void warn(importing *in, const char *student, const char *text) {
  sl__warn(student, text);
  in->sum->problems++;
}

static const char *get(const json_t *o, const char *key) {
  return json_string_value(json_object_get(o, key));
}

static int64_t last_row(importing *in) { return sqlite3_last_insert_rowid(in->b->db); }

// [v] as text in one form; NULL for nothing.
static const char *packed(importing *in, const json_t *v) {
  SL_FREED char *text =
      v && !json_is_null(v) ? json_dumps(v, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY) : NULL;
  return text ? sl__str(in->b->a, "%s", text) : NULL;
}

// Tests and findings ----------------------------------------------------------------------------------------

static bool add_finding(importing *in, int64_t grading, int64_t place, int64_t nr, const json_t *f) {
  const char *kind = get(f, "id");
  return sl__do(in->b, in->e, "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiitttitt", grading,
                place, nr, kind ? kind : "unknown", get(f, "kernel"), get(f, "file"),
                (int64_t)json_integer_value(json_object_get(f, "line")), get(f, "text"), packed(in, f));
}

static bool add_test(importing *in, int64_t grading, int64_t place, const json_t *t) {
  const json_t *findings = json_object_get(t, "findings"), *f;
  const char *seed = packed(in, json_object_get(t, "seed")), *speed = packed(in, json_object_get(t, "speed"));
  size_t k;
  bool ok =
      sl__do(in->b, in->e,
             "INSERT INTO tests VALUES (?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?, ?, ?)",
             "iitttfffttttttttt", grading, place, get(t, "name"), get(t, "part"), get(t, "status"),
             json_number_value(json_object_get(t, "points")), json_number_value(json_object_get(t, "max")),
             json_number_value(json_object_get(t, "seconds")), seed, get(t, "device"), get(t, "reason"),
             packed(in, json_object_get(t, "fields")), get(t, "message"), get(t, "detail"), get(t, "hint"),
             speed, get(t, "visibility"));
  json_array_foreach(findings, k, f) ok = ok && add_finding(in, grading, place, (int64_t)k, f);
  return ok;
}

static int64_t count_errors(const json_t *tests) {
  const json_t *t;
  size_t k;
  int64_t n = 0;
  json_array_foreach(tests, k, t) n += sl_status_find(get(t, "status")) == SL_ERROR;
  return n;
}

// Gradings
// --------------------------------------------------------------------------------------------------  A
// hash of everything that tells this grading of the attempt from those before. The times of the grading
// itself do not count: a test that was not run again is the same.
static void print_of(importing *in, int64_t attempt, const json_t *provenance, const json_t *lab,
                     char out[SL_HEX256]) {
  const char *all =
      sl__str(in->b->a, "%lld\n%s\n%s", (long long)attempt, packed(in, provenance), packed(in, lab));
  sl__hash(all, strlen(all), out);
}

static bool add_grading(importing *in, int64_t attempt, const json_t *graded, const json_t *lab) {
  const json_t *from = json_object_get(graded, "provenance"), *tests = json_object_get(lab, "tests"), *t;
  char print[SL_HEX256];
  size_t k;
  print_of(in, attempt, from, lab, print);
  if (sl__value(in->b, in->e, "SELECT id FROM gradings WHERE print = ?", "t", print))
    return in->sum->known++, true;
  bool ok =
      !in->e->code &&
      sl__do(in->b, in->e,
             "INSERT INTO gradings VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
             "iiffittttttttttttt", attempt, in->import, json_number_value(json_object_get(lab, "score")),
             json_number_value(json_object_get(lab, "max")), count_errors(tests), get(lab, "problem"),
             get(from, "version"), get(from, "commit"), get(from, "tools"), get(lab, "lab_json"),
             get(from, "key"), get(from, "sandbox"), get(from, "backend"), get(from, "schedule"),
             get(graded, "started"), get(graded, "ended"), print, get(lab, "edited"));
  int64_t grading = last_row(in);
  json_array_foreach(tests, k, t) ok = ok && add_test(in, grading, (int64_t)k, t);
  in->added++, in->sum->gradings++;
  return ok;
}

// Attempts --------------------------------------------------------------------------------------------------

// The kernel of the lab in the manifest; NULL: none.
static const json_t *kernel_of(const json_t *entry, const char *lab) {
  const json_t *kernel, *found = NULL;
  size_t k;
  json_array_foreach(json_object_get(entry, "kernels"), k, kernel) {
    const char *name = get(kernel, "lab");
    if (name && !strcmp(name, lab)) found = kernel;
  }
  return found;
}

static int64_t find_attempt(importing *in, const char *student, const char *lab, const char *kernel) {
  int64_t id = sl__value(in->b, in->e, "SELECT id FROM attempts WHERE student = ? AND lab = ? AND kernel = ?",
                         "ttt", student, lab, kernel);
  if (id || in->e->code) return id;
  if (!sl__do(in->b, in->e, "INSERT INTO attempts VALUES (NULL, ?, ?, ?)", "ttt", student, lab, kernel))
    return 0;
  in->added++, in->sum->attempts++;
  return last_row(in);
}

static bool add_handin(importing *in, int64_t attempt, const json_t *entry, const json_t *kernel) {
  const char *at = get(entry, "handed_in") ? get(entry, "handed_in") : in->otherwise;
  if (sl__value(in->b, in->e, "SELECT id FROM handins WHERE attempt = ? AND at = ?", "it", attempt, at))
    return true;
  in->added++;
  return !in->e->code && sl__do(in->b, in->e, "INSERT INTO handins VALUES (NULL, ?, ?, ?, ?)", "itit",
                                attempt, at, in->import, get(kernel, "misplaced"));
}

static bool add_lab(importing *in, const json_t *entry, const json_t *graded, const json_t *lab) {
  const char *student = get(graded, "submission"), *name = get(lab, "lab"), *hash = get(lab, "sha256");
  const json_t *kernel = kernel_of(entry, name);
  const char *taken = get(kernel, "sha256");
  if (json_is_true(json_object_get(lab, "absent"))) return true;
  if (taken && hash && strcmp(taken, hash))
    return warn(in, student,
                sl__str(in->b->a, "%s: what was graded is another kernel than the manifest's: grade again",
                        name)),
           true;
  int64_t attempt = find_attempt(in, student, name, hash ? hash : "");
  return attempt && add_handin(in, attempt, entry, kernel) && add_grading(in, attempt, graded, lab);
}

// Students --------------------------------------------------------------------------------------------------

static bool add_student(importing *in, const char *student, const json_t *entry) {
  const char *status = entry ? get(entry, "status") : "taken", *name = get(entry, "name");
  const char *handed_in = get(entry, "handed_in"), *reason = get(entry, "reason"),
             *source = get(entry, "source");
  const char *all = packed(in, entry);
  char print[SL_HEX256];
  all = sl__str(in->b->a, "%s\n%s", student, all ? all : "");
  sl__hash(all, strlen(all), print);
  if (sl__value(in->b, in->e, "SELECT id FROM students WHERE print = ?", "t", print)) return true;
  in->added++;
  return !in->e->code &&
         sl__do(in->b, in->e, "INSERT INTO students VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", "ittttttt",
                in->import, student, name, source, handed_in, status, reason, print);
}

static bool add_submission(importing *in, const char *path) {
  json_auto_t *graded = sl__read_graded(path, in->e);
  json_t *lab;
  const char *student = get(graded, "submission");
  const json_t *entry = student ? json_object_get(in->by_name, student) : NULL;
  size_t k;
  if (!graded) return false;
  if (in->by_name && !entry) { // an earlier grading's, with another roster: the class has this student once
    in->one_left = sl__str(in->b->a, "%s", student), in->left++;
    return true;
  }
  bool ok = entry || add_student(in, student, NULL);
  json_array_foreach(json_object_get(graded, "labs"), k, lab) ok = ok && add_lab(in, entry, graded, lab);
  if (entry) json_object_set_new(in->by_name, student, json_true()); // graded
  in->sum->students++;
  return ok;
}

// Gives everybody in the manifest a row, then names those who should be graded and are not.
static bool add_manifest(importing *in, const json_t *manifest) {
  const json_t *entry;
  size_t k;
  bool ok = true;
  in->by_name = manifest ? json_object() : NULL;
  json_array_foreach(json_object_get(manifest, "students"), k, entry) {
    const char *student = get(entry, "student"), *reason = get(entry, "reason");
    if (!strcmp(get(entry, "status"), "unreadable"))
      warn(in, student, sl__safe(in->b->a, reason ? reason : "cannot be read"));
    if (json_is_true(json_object_get(entry, "late")) && !get(entry, "handed_in") && !*in->otherwise)
      warn(in, student,
           "is late, as its system says, and when is not known: no penalty (grade --times FILE, or "
           "import --handed-in TIME)");
    json_object_set(in->by_name, student, (json_t *)entry);
    ok = ok && add_student(in, student, entry);
  }
  return ok;
}

// Names who should be graded and is not, and counts who is absent: these have no graded.json. While [out] is
// being graded it is their number that counts.
static void finish_manifest(importing *in, const char *out, bool in_the_making) {
  const char *student;
  json_t *entry;
  size_t due = 0;
  if (in->left)
    warn(in, in->one_left,
         sl__str(in->b->a,
                 "%sleft out: an earlier grading left the results, and manifest.json of this one names "
                 "no such student (another roster?)",
                 in->left > 1 ? sl__str(in->b->a, "and %zu more: ", in->left - 1) : ""));
  json_object_foreach(in->by_name, student, entry) {
    const char *status = get(entry, "status"); // none: it is graded
    in->sum->students += status && !strcmp(status, "absent");
    if (!status || (strcmp(status, "taken") && strcmp(status, "unknown"))) continue;
    due++;
    if (!in_the_making)
      warn(in, student, "is not graded yet: grade the class again, and import it once more");
  }
  if (in_the_making)
    warn(
        in, out,
        sl__str(in->b->a,
                "a grading is still writing there: %zu of %zu %s not graded yet, and what others have may be "
                "of an earlier one: import it once more when it has ended",
                due, json_object_size(in->by_name), due == 1 ? "is" : "are"));
}

static bool add_import(importing *in, const char *out, const json_t *m) {
  const json_t *course = json_object_get(m, "course");
  char real[PATH_MAX];
  const char *now = sl__now_utc(in->b, in->e), *source = sl__safe(in->b->a, realpath(out, real) ? real : out);
  bool ok = !in->e->code && sl__do(in->b, in->e, "INSERT INTO imports VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
                                   "ttttttt", now, source, get(course, "version"), get(course, "commit"),
                                   get(m, "key"), get(m, "taken"), get(m, "deadline"));
  in->import = last_row(in);
  return ok;
}

bool sl__import(sl_book *b, const char *out, const char *handed_in, sl_import_sum *sum, sl_error *e) {
  sl_graded_class c;
  importing in = {.b = b, .e = e, .sum = sum, .otherwise = handed_in ? handed_in : ""};
  time_t t;
  if (handed_in && !sl__read_utc(handed_in, &t))
    return sl_fail(e, SL_EXIT_USAGE, "such as 2026-11-22T22:20:00Z",
                   "--handed-in: expected a time in UTC, found '%s'", handed_in);
  bool ok = sl__read_class(b, out, &c, e) && sl__begin(b, e);
  if (ok) {
    ok = add_import(&in, out, c.manifest) && add_manifest(&in, c.manifest);
    for (size_t k = 0; ok && k < c.n; k++) ok = add_submission(&in, c.files[k].path);
    ok = sl__end(b, ok && in.added, e) && ok;
  }
  if (ok) finish_manifest(&in, out, c.in_the_making);
  json_decref(in.by_name);
  json_decref(c.manifest);
  return ok;
}
