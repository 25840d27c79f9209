// scanlab reset NN|--all: every TODO region of the lab's kernel.cu back to its SL_TODO line. What stands
// outside of the regions stays as it is. Where the markers are damaged, or there is no file any more, the
// whole skeleton comes back. The old file is kept beside it as kernel.cu.bak.N, under the first number
// that is free. A file that would not change is left alone.
#include "student.h"

enum { MAX_BACKUPS = 1000 };

// Writes [text] to a file that did not exist. Its name, malloc'ed; NULL with [e].
static char *back_up(const char *path, const char *text, sl_error *e) {
  for (int k = 1; k <= MAX_BACKUPS; k++) {
    char *name = sl_path("%s.bak.%d", path, k);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    int why = errno;
    if (fd >= 0) {
      bool ok = sl_write_all(fd, text, strlen(text)) && fsync(fd) == 0;
      why = errno;
      ok = close(fd) == 0 && ok;
      if (ok) return name;
      unlink(name);
    }
    if (fd >= 0 || why != EEXIST)
      sl_fail(e, sl_write_fault(why), "nothing was changed", "%s: %s", name, strerror(why));
    free(name);
    if (e->code) return NULL;
  }
  sl_fail(e, SL_EXIT_INFRA, "remove some of them", "%s: there are %d old copies", path, MAX_BACKUPS);
  return NULL;
}

// Writes [text] in place of the file, which is kept under another name.
static void replace(const char *path, const char *old, const char *text, const char *what, sl_error *e) {
  SL_FREED char *backup = strlen(old) ? back_up(path, old, e) : NULL;
  if (!e->code && sl_write_file(path, text, strlen(text), e)) {
    printf("%s: %s\n", sl_short_path(path), what);
    if (backup) printf("the old file is %s\n", sl_short_path(backup));
  }
}

// The whole skeleton back: no other part of a file with damaged markers can be told from the rest.
static void replace_all(const sl_lab_info *lab, const char *path, const sl_error *why, sl_error *e) {
  SL_SKELETON original = {0};
  const bool gone = access(path, F_OK) != 0 && errno == ENOENT;
  SL_FREED char *old = gone ? sl_path("%s", "") : sl_read_file(path, 4 << 20, NULL, e);
  if (!old) return;
  if (!sl_skeleton_original(lab, &original)) sl_fail(e, why->code, why->hint, "%s", why->text);
  else {
    if (!gone) printf("%s\n", why->text);
    replace(path, old, original.source,
            gone ? "was not there: the whole skeleton is back"
                 : "its TODO markers were damaged: the whole skeleton is back",
            e);
  }
}

static int reset(const sl_lab_info *lab) {
  SL_FREED char *path = sl_lab_kernel(lab->name);
  sl_error e = {0}, why = {0};
  SL_SKELETON s = {0};
  if (sl_skeleton_read(path, lab, &s, &why)) {
    SL_FREED char *text = sl_skeleton_text(&s),
                  *what = sl_path("%zu of %zu TODO regions put back", s.n - s.n_untouched, s.n);
    if (strcmp(text, s.source) == 0) printf("%s: nothing to put back\n", sl_short_path(path));
    else replace(path, s.source, text, what, &e);
  } else replace_all(lab, path, &why, &e);
  return e.code ? sl__stop("reset", &e) : SL_EXIT_OK;
}

// What cannot be reset does not keep the others from it.
static int reset_each(const sl_lab_info *lab) {
  int worst = SL_EXIT_OK;
  for (; lab->name; lab++) {
    if (lab->own && !sl__has_kernel(lab)) continue;
    const int code = reset(lab);
    if (code > worst) worst = code;
  }
  return worst;
}

int sl__reset(int argc, char **argv) {
  bool all = false;
  const sl_opt opts[] = {SL_OPT_FLAG("--all", &all, "every lab"), SL_OPT_END};
  const sl_cli cli = {"scanlab reset",
                      "Puts the TODO regions of a lab back; the old file is kept as kernel.cu.bak.N.",
                      "./scanlab reset 03", "LAB|--all", opts};
  int n;
  sl_error e = {0};
  sl_cli_parse(&cli, argc, argv, &n);
  if (all && n == 0) {
    const int code = reset_each(sl_labs), own = reset_each(sl_own_labs);
    return code > own ? code : own;
  }
  if (all) sl_fail(&e, SL_EXIT_USAGE, "name a lab, or say --all", "unexpected argument '%s'", argv[1]);
  else if (n == 0) sl_fail(&e, SL_EXIT_USAGE, "name a lab, or say --all", "missing argument: LAB");
  if (e.code) return sl__stop("reset", &e);
  const sl_lab_info *lab = sl_lab_find(argv[1], &e);
  return lab ? reset(lab) : sl__stop("reset", &e);
}
