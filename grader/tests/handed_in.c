#include "handed_in.h"

#include <archive.h>
#include <archive_entry.h>

static int class_number;

int new_class(void **) {
  class_number++;
  return 0;
}

const char *in_class(sl_arena *a, const char *name) {
  return sl__str(a, "%s/class%d/%s", test_dir, class_number, name);
}

void hand_in(const char *name, const char *text) {
  SL_FREED char *path = sl_path("class%d/%s", class_number, name);
  test_write(path, text);
}

static void write_entry(struct archive *w, const entry *e) {
  static char zeros[1 << 16];
  struct archive_entry *h = archive_entry_new();
  size_t len = e->zeros ? e->zeros : e->text ? strlen(e->text) : 0;
  archive_entry_copy_pathname(h, e->path);
  archive_entry_set_filetype(h, e->type ? (unsigned)e->type : AE_IFREG);
  archive_entry_set_perm(h, 0644);
  archive_entry_set_size(h, (int64_t)len);
  if (e->link && e->type == AE_IFLNK) archive_entry_copy_symlink(h, e->link);
  else if (e->link) archive_entry_copy_hardlink(h, e->link);
  if (e->hole) archive_entry_sparse_add_entry(h, (int64_t)len, 0);
  assert_true(archive_write_header(w, h) >= ARCHIVE_WARN);
  for (size_t left = e->zeros, part; left; left -= part)
    assert_true(archive_write_data(w, zeros, part = left < sizeof zeros ? left : sizeof zeros) >= 0);
  if (e->text) assert_int_equal(archive_write_data(w, e->text, len), (ssize_t)len);
  archive_entry_free(h);
}

// Writes an archive of the kind that its name says, into the class; "x.cu.gz" is a file compressed alone.
void make_archive(const char *name, const entry *entries, size_t n) {
  struct archive *w = archive_write_new();
  SL_FREED char *path = sl_path("%s/class%d/%s", test_dir, class_number, name);
  hand_in(".made", "");
  if (strstr(name, ".zip")) archive_write_set_format_zip(w);
  else if (strstr(name, ".cu.")) archive_write_set_format_raw(w);
  else archive_write_set_format_pax_restricted(w);
  if (strstr(name, "gz")) archive_write_add_filter_gzip(w);
  if (strstr(name, "xz")) archive_write_add_filter_xz(w);
  archive_write_set_options(w, "compression-level=1");
  assert_int_equal(archive_write_open_filename(w, path), ARCHIVE_OK);
  for (size_t i = 0; i < n; i++) write_entry(w, &entries[i]);
  assert_int_equal(archive_write_close(w), ARCHIVE_OK);
  archive_write_free(w);
}
// A grading of all labs, as far as what each submission's kernels are.
sl_grading taken(const char *dir, const sl_course *options) {
  sl_grading g = {.arena = sl__arena_new(), .course = options ? *options : (sl_course){0}};
  sl_error e = {0};
  const sl_strings one = {(const char *[]){"01"}, 1}, all = {NULL, 0};
  g.course.root = COURSE_ROOT;
  g.course.backend = "sim";
  g.course.build = test_dir;
  g.course.out = sl__str(g.arena, "%s/out%d", test_dir, class_number);
  assert_true(sl__load_labs(&g, g.course.fresh ? &one : &all, &e)); // fresh: lab 01 alone
  if (!sl__discover(&g, dir, &e)) fail_msg("%s", e.text);
  SL_EACH_SUB(&g, s) s->out = sl__str(g.arena, "%s/students/%s", g.course.out, s->id);
  if (!sl__take_in(&g, &e)) fail_msg("%s", e.text);
  SL_EACH_SUB(&g, s) sl__plan(&g, s);
  return g;
}

sl_grading taken_class(const sl_course *options) {
  SL_FREED char *dir = sl_path("%s/class%d", test_dir, class_number);
  return taken(dir, options);
}

sl_submission *who(sl_grading *g, const char *name) {
  SL_EACH_SUB(g, s)
    if (!strcmp(s->name, name)) return s;
  SL_EACH_SUB(g, s) print_message("there is: %s\n", s->name);
  fail_msg("no submission %s", name);
  return NULL;
}

// [labs]: digits of the labs whose kernels were taken.
void assert_taken(sl_grading *g, const char *name, const char *labs) {
  const sl_submission *s = who(g, name);
  SL_EACH_LAB(s, gl) {
    bool want = strchr(labs, gl->lab->info->number[1]) != NULL, got = *gl->hash != 0;
    if (want != got) fail_msg("%s, lab %s: %s", name, gl->lab->info->number, got ? "taken" : gl->problem);
  }
}

void assert_reason(sl_grading *g, const char *name, int lab, const char *why) {
  const sl_graded_lab *gl = &who(g, name)->labs[lab - 1];
  assert_false(gl->absent);
  if (!gl->problem || !strstr(gl->problem, why)) fail_msg("%s: \"%s\", not \"%s\"", name, gl->problem, why);
}

void assert_unreadable(sl_grading *g, const char *name, const char *why) {
  const sl_submission *s = who(g, name);
  assert_int_equal(s->in.status, SL_TAKEN_UNREADABLE);
  assert_taken(g, name, "");
  assert_reason(g, name, 1, why);
}
