// The folder into which a grading writes: found, made, and locked against another grading.
//
// Interface: out.h. Parts of a class share their folder; each locks its part.
#include "out.h"

#include <sys/file.h>

const char *sl__absolute_folder(sl_arena *a, const char *path, sl_error *e) {
  char real[PATH_MAX];
  if (!sl_mkdirs(path, e)) return NULL;
  if (!realpath(path, real)) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: %s", path, strerror(errno)), NULL;
  json_auto_t *text = json_string(real); // NULL if it is no UTF-8: names go into JSON
  if (text) return sl__str(a, "%s", real);
  return sl_fail(e, SL_EXIT_INPUT, "name another folder", "%s: the name is not valid UTF-8", real), NULL;
}

static bool lock_file(const char *path, int how, const sl_grading *g, sl_error *e) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd >= 0 && flock(fd, how | LOCK_NB) == 0) return true; // held until the process ends
  if (fd >= 0 && (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP)) {
    fprintf(stderr,
            "scanlab grade: warning: %s: its file system has no locks (%s): start no other grading there\n",
            g->course.out, strerror(errno));
    return true;
  }
  if (fd >= 0 && errno == EWOULDBLOCK)
    return sl_fail(e, SL_EXIT_INFRA, "wait for it, or name another folder with --out",
                   "%s: another grading is writing there", g->course.out);
  return sl_fail(e, sl_write_fault(errno), "name a folder that can be written with --out",
                 "%s: cannot be locked: %s", g->course.out, strerror(errno));
}

// Locks the output folder: two gradings in it would read each other's records. Parts of a class share it.
static bool lock_out(const sl_grading *g, sl_error *e) {
  const sl_course *c = &g->course;
  bool all = !c->parts;
  return lock_file(sl__str(g->arena, "%s/lock", c->out), all ? LOCK_EX : LOCK_SH, g, e) &&
         (all ||
          lock_file(sl__str(g->arena, "%s/lock.%d.%d", c->out, (int)c->part, (int)c->parts), LOCK_EX, g, e));
}

// Refuses an output folder that is the class's or among its submissions: the next grading would take it, or
// what is in it, for one of them. [made]: it was not there before.
static bool is_apart(const sl_grading *g, bool made, sl_error *e) {
  size_t len = g->class_dir ? strlen(g->class_dir) : 0;
  const char *out = g->course.out;
  bool within = len && !strncmp(out, g->class_dir, len) && (out[len] == '/' || !out[len]);
  if (within && made) rmdir(out);
  return !within || sl_fail(e, SL_EXIT_INPUT, "name a folder beside the class with --out",
                            "%s: lies among the submissions and would be taken for one", out);
}

bool sl__set_out(sl_grading *g, const char *out, bool only, const char *dir, sl_error *e) {
  const char *name = strrchr(dir, '/') && strrchr(dir, '/')[1] ? strrchr(dir, '/') + 1 : dir;
  const char *id = !g->is_class && !only ? g->subs[0].id : sl__safe_name(g->arena, name);
  if (!out) out = sl__str(g->arena, "%s/grade/%s", g->course.build, id);
  const bool made = !sl_is_dir(out);
  g->course.out = sl__absolute_folder(g->arena, out, e);
  if (g->course.out && !is_apart(g, made, e)) return false;
  if (only && g->course.out)
    g->course.out =
        sl__absolute_folder(g->arena, sl__str(g->arena, "%s/students/%s", g->course.out, g->subs[0].id), e);
  for (size_t i = 0; g->course.out && i < g->n; i++) {
    sl_submission *s = &g->subs[i];
    s->out = g->is_class ? sl__str(g->arena, "%s/students/%s", g->course.out, s->id) : g->course.out;
    s->has_folder = s->in.status != SL_TAKEN_ABSENT || sl_is_dir(s->out); // an earlier grading's is renewed
    if (s->has_folder && !sl_mkdirs(sl__str(g->arena, "%s/records", s->out), e)) return false;
  }
  return g->course.out && lock_out(g, e);
}
