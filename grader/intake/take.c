// Brings what was handed in to a folder with kernels, and finds the labs in it.
//
// Interface: sl__take_in sets the folder of every submission. A student's folder stays where it is. What
// archives, single files and repositories hold is written to OUT/students/NAME/taken/HASH, where HASH names
// its content: what was graded stays there, and another version gets a folder of its own.
#include "intake/intake.h"

static void add_refused(sl_arena *a, sl_intake *in, const char *path, const char *why) {
  in->refused = sl__more(a, in->refused, in->n_refused, sizeof *in->refused);
  in->refused[in->n_refused++] = (sl_refused){path, why};
}

// Collecting ------------------------------------------------------------------------------------------------

// Why the open file is no kernel that can be taken; NULL: it is in *text.
static const char *read_source(sl_arena *a, const char *path, char **text, size_t *len) {
  sl_error e = {0};
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return errno == ELOOP ? "it is a symbolic link" : sl__str(a, "it cannot be read: %s", strerror(errno));
  close(fd);
  SL_FREED char *data = sl_read_file(path, SL_MAX_KERNEL, len, &e);
  if (!data) return sl__safe(a, e.text);
  *text = memcpy(sl__alloc(a, *len + 1), data, *len);
  return NULL;
}

static void collect_file(sl_arena *a, sl_intake *in, const sl_handed_piece *p, sl_haul *all) {
  sl_file f = {.path = p->name};
  const char *why =
      sl__is_source(p->name) ? read_source(a, p->path, &f.text, &f.len) : "it is no archive and no .cu file";
  if (why) {
    add_refused(a, in, sl__safe(a, p->name), why);
    return;
  }
  all->files = sl__more(a, all->files, all->n, sizeof *all->files);
  all->files[all->n++] = f;
}

static void collect_archive(sl_arena *a, sl_intake *in, const sl_handed_piece *p, const char *file,
                            sl_haul *all) {
  sl_haul h;
  sl__read_archive(a, file, &h);
  if (h.problem) add_refused(a, in, sl__safe(a, p->name), h.problem);
  for (size_t i = 0; i < h.n_refused; i++) add_refused(a, in, h.refused[i].path, h.refused[i].why);
  for (size_t i = 0; i < h.n; i++) {
    all->files = sl__more(a, all->files, all->n, sizeof *all->files);
    all->files[all->n++] = h.files[i];
  }
}

static void collect_repository(sl_grading *g, sl_submission *s, const sl_handed_piece *p, sl_haul *all) {
  const char *tar = sl__str(g->arena, "%s/commit.tar", s->out);
  const char *why = sl__fetch_commit(g, &s->in, p->path, tar);
  if (why) add_refused(g->arena, &s->in, sl__safe(g->arena, p->path), why);
  else collect_archive(g->arena, &s->in, p, tar, all);
  unlink(tar);
}

static void collect(sl_grading *g, sl_submission *s, sl_haul *all) {
  for (size_t i = 0; i < s->in.n_pieces; i++) {
    const sl_handed_piece *p = &s->in.pieces[i];
    if (p->kind == SL_PIECE_ARCHIVE) collect_archive(g->arena, &s->in, p, p->path, all);
    if (p->kind == SL_PIECE_FILE) collect_file(g->arena, &s->in, p, all);
    if (p->kind == SL_PIECE_REPOSITORY) collect_repository(g, s, p, all);
  }
}

// Writing ---------------------------------------------------------------------------------------------------

// The path [path] of an archive as one of a file system: parts that are no plain text are escaped.
static const char *safe_path(sl_arena *a, const char *path) {
  const char *out = "";
  for (const char *part = path; *part;) {
    size_t len = strcspn(part, "/");
    const char *own = sl__str(a, "%.*s", (int)len, part);
    if (len > 200 || strcmp(sl__safe(a, own), own) != 0) own = sl__safe_name(a, own);
    out = sl__str(a, "%s%s%s", out, *out ? "/" : "", own);
    part += len + (part[len] == '/');
  }
  return out;
}

// A name for the content of all files.
static void hash_all(sl_arena *a, const sl_haul *all, char out[SL_HEX256]) {
  const char *list = "";
  for (size_t i = 0; i < all->n; i++) {
    char one[SL_HEX256];
    sl__hash(all->files[i].text, all->files[i].len, one);
    list = sl__str(a, "%s%s %s\n", list, one, all->files[i].path);
  }
  sl__hash(list, strlen(list), out);
}

// Writes [f] below [dir]. A path that is there with another content, or whose folder is a file, is refused.
static bool write_taken(sl_arena *a, sl_intake *in, const char *dir, const sl_file *f, sl_error *e) {
  const char *path = sl__str(a, "%s/%s", dir, safe_path(a, f->path));
  SL_FREED char *folder = sl_folder_of(path);
  sl_error own = {0};
  if (sl_mkdirs(folder, &own) && sl_write_file(path, f->text, f->len, &own)) return true;
  if (own.code != SL_EXIT_INPUT) return *e = own, false;
  add_refused(a, in, sl__safe(a, f->path), "it cannot be written as a file beside the others");
  return true;
}

static bool same_content(const sl_file *f, const sl_file *g) {
  return f->len == g->len && !memcmp(f->text, g->text, f->len);
}

// Files of one name in two pieces are not taken, unless they are the same.
static bool is_disputed(const sl_haul *all, size_t i) {
  for (size_t k = 0; k < all->n; k++)
    if (k != i && !strcmp(all->files[k].path, all->files[i].path) &&
        !same_content(&all->files[k], &all->files[i]))
      return true;
  return false;
}

static bool write_all_taken(sl_grading *g, sl_submission *s, const sl_haul *all, sl_error *e) {
  char hash[SL_HEX256];
  hash_all(g->arena, all, hash);
  const char *dir = sl__str(g->arena, "%s/taken/%.16s", s->out, hash);
  bool ok = sl_mkdirs(dir, e);
  for (size_t i = 0; ok && i < all->n; i++) {
    if (is_disputed(all, i))
      add_refused(g->arena, &s->in, sl__safe(g->arena, all->files[i].path),
                  "it was handed in twice, with different contents");
    else ok = write_taken(g->arena, &s->in, dir, &all->files[i], e);
  }
  s->root = dir;
  return ok;
}

void sl__remark(sl_arena *a, sl_intake *in, const char *said) {
  in->reason = in->reason ? sl__str(a, "%s; %s", in->reason, said) : said;
}

// The reason why nothing could be taken: that of the first thing refused.
static void refuse_all(sl_arena *a, sl_intake *in) {
  const sl_refused *r = in->refused;
  const char *unknown = in->status == SL_TAKEN_UNKNOWN ? in->reason : NULL;
  in->status = SL_TAKEN_UNREADABLE;
  in->reason = r ? sl__str(a, "%s: %s%s", r->path, r->why,
                           in->n_refused > 1 ? sl__str(a, " (and %zu more)", in->n_refused - 1) : "")
                 : sl__str(a, "%s: there is no .cu file in it", sl__safe(a, in->pieces[0].name));
  if (unknown) in->reason = sl__str(a, "%s; %s", in->reason, unknown);
}

static bool take_pieces(sl_grading *g, sl_submission *s, sl_error *e) {
  sl_haul all = {0};
  collect(g, s, &all);
  s->root = s->out; // holds no lab
  if (all.n) return write_all_taken(g, s, &all, e);
  refuse_all(g->arena, &s->in);
  return true;
}

// A folder is all that a student handed in: files of the same name beside it are told.
static void take_folder_alone(sl_arena *a, sl_intake *in) {
  for (size_t k = 1; k < in->n_pieces; k++)
    add_refused(a, in, sl__safe(a, in->pieces[k].name),
                "it lies beside the student's folder, which is taken");
  in->n_pieces = 1;
  sl__open_folder(a, in);
}

static void remark_none(sl_arena *a, sl_submission *s) {
  const char *near = sl__nearly_source(a, s->root);
  sl__remark(a, &s->in, "there is no .cu file in the folder");
  if (near) sl__remark(a, &s->in, sl__str(a, "the name of %s must end in .cu", near));
}

static bool take_one(sl_grading *g, sl_submission *s, sl_error *e) {
  if (!s->in.n_pieces) s->root = s->out; // nothing was handed in
  else {
    if (s->in.pieces[0].kind == SL_PIECE_FOLDER) take_folder_alone(g->arena, &s->in);
    s->root = s->in.pieces[0].path;
    if (s->in.pieces[0].kind != SL_PIECE_FOLDER && !take_pieces(g, s, e)) return false;
  }
  const bool is_folder = s->in.n_pieces && s->in.pieces[0].kind == SL_PIECE_FOLDER;
  if (g->is_class && is_folder && !sl__holds_source(s->root)) remark_none(g->arena, s);
  bool searched = s->in.n_pieces && s->in.status != SL_TAKEN_UNREADABLE;
  s->dir = searched ? sl__base_of(g->arena, s->root) : sl__str(g->arena, "%s/nothing", s->out);
  return true;
}

bool sl__take_in(sl_grading *g, sl_error *e) {
  SL_EACH_SUB(g, s)
    if (!take_one(g, s, e)) return false;
  return true;
}
