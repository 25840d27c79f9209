// Who handed in what: from a folder to a list of people with their pieces.
//
// Interface: sl__take_class. An entry of the folder is a student's folder, a student's archive, or a file or
// folder whose name was made by Canvas or Moodle; folders of Gradescope's export get their people from its
// submission_metadata.yml, a row for each member of a group. The rest is left out, with the reason.
#include "intake/intake.h"

#include <fnmatch.h>

#define METADATA "submission_metadata.yml"

typedef struct class_folder {
  sl_grading *g;
  const char *dir;
  sl_submitter *submitters;
  size_t n_submitters;
  size_t handed_in, loose; // entries with something to grade; .cu files among them that name nobody
} class_folder;

void sl__leave_out(sl_grading *g, const char *name, const char *why) {
  g->left_out = sl__more(g->arena, g->left_out, g->n_left_out, sizeof *g->left_out);
  g->left_out[g->n_left_out++] = (sl_refused){sl__safe(g->arena, name), why};
}

static sl_submission *named(sl_grading *g, const char *name) {
  SL_EACH_SUB(g, s)
    if (!strcmp(s->raw_name, name)) return s;
  return NULL;
}

static void add_piece(sl_arena *a, sl_intake *in, sl_handed_piece piece) {
  in->pieces = sl__more(a, in->pieces, in->n_pieces, sizeof *in->pieces);
  in->pieces[in->n_pieces++] = piece;
}

static bool is_shown(const sl_grading *g, const char *name) {
  const char *shown = sl__safe(g->arena, name);
  SL_EACH_SUB(g, s)
    if (!strcmp(s->name, shown)) return true;
  return false;
}

// [name] if nobody else is shown by it, else with a number behind it.
static const char *unused_name(sl_grading *g, const char *name) {
  const char *unused = name;
  for (int k = 2; is_shown(g, unused); k++) unused = sl__str(g->arena, "%s (%d)", name, k);
  return unused;
}

sl_submission *sl__add_named(sl_grading *g, const sl_person *p, sl_handed_piece piece) {
  g->subs = sl__more(g->arena, g->subs, g->n, sizeof *g->subs);
  sl_submission *s = &g->subs[g->n];
  *s = (sl_submission){.raw_name = sl__str(g->arena, "%s", p->name)};
  g->n++;
  s->name = sl__safe(g->arena, s->raw_name);
  s->id = sl__safe_name(g->arena, s->raw_name);
  s->in = (sl_intake){.own = s->raw_name,
                      .user = p->user,
                      .late = p->late,
                      .number = p->number,
                      .email = p->email,
                      .full = p->full,
                      .source = piece.path};
  add_piece(g->arena, &s->in, piece);
  return s;
}

sl_submission *sl__add_submission(sl_grading *g, const sl_person *p, sl_handed_piece piece) {
  sl_person named_apart = *p;
  named_apart.name = unused_name(g, p->name);
  return sl__add_named(g, &named_apart, piece);
}

// Entries ---------------------------------------------------------------------------------------------------

static const char *name_of(const sl_submitter *m) {
  return m->email ? m->email : m->number ? m->number : m->name ? m->name : m->folder;
}

// The members of the group that handed in Gradescope's folder [name]. False: it is none of those.
static bool add_group(class_folder *c, const char *name, sl_handed_piece piece) {
  bool found = false;
  for (size_t i = 0; i < c->n_submitters; i++) {
    const sl_submitter *m = &c->submitters[i];
    if (strcmp(m->folder, name) != 0) continue;
    const sl_person who = {.name = name_of(m), .number = m->number, .email = m->email, .full = m->name};
    sl_submission *s = sl__add_submission(c->g, &who, piece);
    s->in.handed_in = m->handed_in;
    if (m->odd_time)
      sl__remark(c->g->arena, &s->in,
                 sl__str(c->g->arena, METADATA " has no time that can be read: %s",
                         sl__safe(c->g->arena, m->odd_time)));
    found = true;
  }
  return found;
}

// Notes what the list names as handed in and the folder does not hold.
static void tell_missing(class_folder *c) {
  for (size_t i = 0; i < c->n_submitters; i++) {
    const sl_submitter *m = &c->submitters[i];
    if (!sl_is_dir(sl__str(c->g->arena, "%s/%s", c->dir, m->folder)))
      sl__leave_out(c->g, m->folder,
                    sl__str(c->g->arena, "it is not here, and " METADATA " says that %s handed it in",
                            sl__safe(c->g->arena, name_of(m))));
  }
}

static void add_folder(class_folder *c, const char *name, const char *path) {
  sl_person p = {.name = name};
  sl_handed_piece piece = {SL_PIECE_FOLDER, path, name};
  sl_intake in = {.pieces = &piece, .n_pieces = 1};
  sl__open_folder(c->g->arena, &in);
  bool holds = in.pieces[0].kind == SL_PIECE_ARCHIVE || sl__holds_source(path) || sl__has_labs(path);
  bool exported = sl__export_name(c->g->arena, name, true, &p);
  if (exported && !holds && named(c->g, p.name)) { // Moodle's folder of a text beside that of files
    sl__leave_out(c->g, name, "it holds no .cu file, and this student handed in files as well");
    return;
  }
  c->handed_in += holds || exported;
  if (add_group(c, name, piece)) c->handed_in++;
  else sl__add_submission(c->g, &p, piece);
}

// A file of an export: the person may have handed in others.
static void add_exported(class_folder *c, const sl_person *p, sl_handed_piece piece) {
  sl_submission *s = named(c->g, p->name);
  piece.name = p->file ? p->file : piece.name;
  piece.kind = sl__archive_name(piece.name) ? SL_PIECE_ARCHIVE : SL_PIECE_FILE;
  c->handed_in++;
  if (s) {
    add_piece(c->g->arena, &s->in, piece);
    s->in.late |= p->late;
  } else sl__add_submission(c->g, p, piece);
}

// One of several files into which a program has cut an archive: work.z01, work.zip.001.
static bool is_part(const char *name) {
  return !fnmatch("*.[zZ][0-9][0-9]", name, 0) || !fnmatch("*.[0-9][0-9][0-9]", name, 0);
}

static void add_file(class_folder *c, const char *name, const char *path) {
  sl_person p;
  size_t stem = sl__archive_name(name);
  sl_handed_piece piece = {stem ? SL_PIECE_ARCHIVE : SL_PIECE_FILE, path, name};
  if (!strcmp(name, METADATA)) return;
  if (sl__export_name(c->g->arena, name, false, &p)) {
    add_exported(c, &p, piece);
    return;
  }
  if (!stem && !sl__is_source(name)) {
    sl__leave_out(c->g, name,
                  is_part(name) ? "a part of an archive: ask for it in one piece"
                                : "expected a folder, an archive or a .cu file");
    return;
  }
  p = (sl_person){.name = stem ? sl__str(c->g->arena, "%.*s", (int)stem, name) : name};
  if (named(c->g, p.name)) p.name = name; // a folder and an archive of one name: both are graded
  c->handed_in++;
  c->loose += !stem;
  sl__add_submission(c->g, &p, piece);
}

static int is_entry(const struct dirent *d) { return strcmp(d->d_name, ".") && strcmp(d->d_name, ".."); }

// Passes over what systems leave behind; tells what a student may have handed in under a hidden name.
static bool is_passed_over(class_folder *c, const char *name, const char *path) {
  if (!sl__is_rubbish(name)) return false;
  bool work = sl_is_dir(path) ? sl__holds_source(path) || sl__has_labs(path)
                              : sl__archive_name(name) || sl__is_source(name);
  if (work && name[0] == '.' && name[1] != '_')
    sl__leave_out(c->g, name, "its name begins with a dot: rename it");
  return true;
}

static bool add_entries(class_folder *c, sl_error *e) {
  struct dirent **list;
  int n = scandir(c->dir, &list, is_entry, alphasort);
  if (n < 0) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: cannot be read: %s", c->dir, strerror(errno));
  for (int folders = 1; folders >= 0; folders--) // folders first: their names win
    for (int i = 0; i < n; i++) {
      const char *name = sl__str(c->g->arena, "%s", list[i]->d_name);
      const char *path = sl__str(c->g->arena, "%s/%s", c->dir, name);
      if (sl_is_dir(path) != folders || is_passed_over(c, name, path)) continue;
      if (folders) add_folder(c, name, path);
      else add_file(c, name, path);
    }
  for (int i = 0; i < n; i++) free(list[i]);
  free(list);
  return true;
}

static bool read_submitters(class_folder *c, sl_error *e) {
  const char *path = sl__str(c->g->arena, "%s/" METADATA, c->dir);
  return !sl_is_file(path) || sl__submitters(c->g->arena, path, &c->submitters, &c->n_submitters, e);
}

bool sl__take_class(sl_grading *g, const char *dir, sl_error *e) {
  class_folder c = {.g = g, .dir = dir};
  if (!read_submitters(&c, e) || !add_entries(&c, e)) return false;
  tell_missing(&c);
  g->is_class = true;
  g->class_dir = dir;
  if (c.handed_in == c.loose && c.loose) { // nothing but .cu files: one submission without folders
    g->n = g->n_left_out = 0;
    g->is_class = false;
    const char *name = sl_base_name(dir);
    sl__add_submission(g, &(sl_person){.name = name}, (sl_handed_piece){SL_PIECE_FOLDER, dir, name});
  }
  return c.handed_in ||
         sl_fail(
             e, SL_EXIT_INPUT,
             "a submission holds folders such as 03_blelloch/kernel.cu; a class is a folder of those, or of "
             "archives",
             "%s: expected a submission or a folder of submissions, found no lab folder in it", dir);
}
