// Moving pictures of failed tests, beside the report: `scanlab trace` makes each in a process of its own.
//
// Interface: sl__make_pictures gives tests their page. Nobody can repeat hidden cases and sizes that were
// drawn: they get none. A lab has at most PER_LAB of them, those of its first failed tests; a picture that
// cannot be made in time, or is too large, is left out: the report names the command in its place.
#include "html.h"

enum { PER_LAB = 3, SECONDS = 30, BYTES = 2000000, MOST = 1 << 17 };

bool sl__has_picture(const sl_test *t) {
  return t->r.status == SL_FAIL && t->c->visibility == SL_PUBLIC && t->c->n <= MOST && !t->c->n_draw &&
         !t->c->n_then && strncmp(t->c->id, "hidden", 6) != 0;
}

static bool is_page(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && s.st_size > 0 && s.st_size <= BYTES;
}

// The name of the page, in the folder of the report; NULL: there is none.
static const char *make_picture(sl_grading *g, const sl_submission *s, const sl_graded_lab *gl,
                                const sl_test *t) {
  const char *name =
      sl__str(g->arena, "pictures/%s.%s.%s.html", gl->lab->info->number, t->c->part->id, t->c->id);
  char *page = sl__str(g->arena, "%s/%s", s->out, name);
  SL_FREED char *folder = sl_folder_of(gl->kernel), *tool = sl_tool_path("sl-student"), *said = NULL;
  char *const *argv =
      SL_ARGV(tool, "trace", gl->lab->info->number, "--file", sl_base_name(gl->kernel), "--case",
              sl__str(g->arena, "%s.%s", t->c->part->id, t->c->id), "--quiet", "--html", page);
  sl_error e = {0};
  unlink(page);
  const sl_exit_status end = sl_run_by_work(argv, folder, SECONDS, 1 << 16, &said, &e);
  if (!end.timed_out && end.code == 0 && is_page(page)) return name;
  unlink(page);
  return NULL;
}

void sl__make_pictures(sl_grading *g, sl_submission *s) {
  if (!sl_mkdirs(sl__str(g->arena, "%s/pictures", s->out), NULL)) return;
  SL_EACH_LAB(s, gl) {
    for (size_t k = 0, made = 0; k < gl->n_tests && made < PER_LAB; k++) {
      sl_test *t = &gl->tests[k];
      if (gl->problem || !sl__has_picture(t)) continue;
      t->picture = make_picture(g, s, gl, t);
      made++;
    }
  }
}
