// The term for other programs: tables of all students, and a file a student in the forms of other systems.
//
// Interface: sl__export_term writes one format (`formats`). Files of one student go into a folder and are
// called by the student's name as grade's folders are. Nothing that is there already is replaced without
// `force`. A lab whose grading the grader could not finish has no score in any of them.
#include "book.h"

// A link that leads nowhere is there, too. Pipes, devices (/dev/stdout) and empty files lose nothing.
bool sl__may_write(const char *path, bool force, sl_error *e) {
  struct stat st;
  bool there = stat(path, &st) == 0 ? S_ISREG(st.st_mode) && st.st_size > 0 : lstat(path, &st) == 0;
  return force || !there ||
         sl_fail(e, SL_EXIT_INPUT, "name another file, or replace it with --force", "%s: is there already",
                 path);
}

// Says what was written, unless the output is that.
void sl__say_written(const char *to, const char *what) {
  if (!sl__is_same_file(to, "/dev/stdout")) printf("%s: %s\n", to, what);
}

// The memory of one student's results, freed before the next student's: a large class has gigabytes of it.
static sl_arena *begin_student(sl_book *b) {
  sl_arena *term = b->a;
  b->a = sl__arena_new();
  return term;
}

static void end_student(sl_book *b, sl_arena *term) {
  sl_arena_free(b->a);
  b->a = term;
}

// Tables ----------------------------------------------------------------------------------------------------

// Notes of a student's labs, for people.
static const char *notes_of(sl_book *b, const sl_term *t, const sl_enrolled *s) {
  const char *notes = s->reason ? sl__safe(b->a, s->reason) : "";
  for (size_t k = 0; k < t->n_labs; k++) {
    const sl_final *f = &s->labs[k];
    const char *why = f->override_reason ? sl__str(b->a, "set by %s: %s", f->override_who, f->override_reason)
                      : f->standing == SL_STANDING_ERROR ? "the grader failed: no score yet"
                      : f->cut_off                       ? "too late"
                                                         : NULL;
    if (why) notes = sl__str(b->a, "%s%s%.2s: %s", notes, *notes ? "; " : "", f->lab, sl__safe(b->a, why));
  }
  return notes;
}

static void csv_lab(sl_book *b, FILE *f, const sl_final *l) {
  bool graded = l->standing == SL_STANDING_GRADED;
  fprintf(f, ",%s,%s,%s,%lld", graded ? sl__points(b->a, l->raw) : "",
          graded ? sl__points(b->a, l->penalty) : "", l->counts ? sl__points(b->a, l->final) : "",
          (long long)l->days_late);
}

static bool export_csv(sl_book *b, const sl_term *t, const char *to, sl_error *e) {
  sl_whole_file x;
  if (!sl__whole_open(&x, to, e)) return false;
  const char *mark = "";
  for (size_t i = 0; i < t->n && !*mark; i++) {
    const sl_enrolled *s = &t->students[i];
    mark = sl__csv_mark(sl__str(b->a, "%s%s", s->id, s->name ? s->name : ""));
  }
  fprintf(x.f, "%sstudent,name,status", mark);
  for (size_t k = 0; k < t->n_labs; k++)
    fprintf(x.f, ",%s raw,%s penalty,%s final,%s days late", t->labs[k], t->labs[k], t->labs[k], t->labs[k]);
  fputs(",total,max,grace days left,note\r\n", x.f);
  for (size_t i = 0; i < t->n; i++) {
    const sl_enrolled *s = &t->students[i];
    sl_arena *term = begin_student(b);
    sl__csv_cell(x.f, sl__safe(b->a, s->id)), fputc(',', x.f);
    sl__csv_cell(x.f, s->name ? sl__safe(b->a, s->name) : ""), fprintf(x.f, ",%s", s->status);
    for (size_t k = 0; k < t->n_labs; k++) csv_lab(b, x.f, &s->labs[k]);
    fprintf(x.f, ",%s,%s,%lld,", sl__points(b->a, s->total), sl__points(b->a, s->max),
            (long long)s->grace_left);
    sl__csv_cell(x.f, notes_of(b, t, s)), fputs("\r\n", x.f);
    end_student(b, term);
  }
  return sl__whole_close(&x, true, e);
}

static json_t *number_or_null(bool known, double v) { return known ? json_real(v) : json_null(); }

static json_t *final_json(sl_book *b, const sl_final *f) {
  static const char *const standings[] = {
      [SL_STANDING_MISSING] = "missing", [SL_STANDING_GRADED] = "graded", [SL_STANDING_ERROR] = "error"};
  bool graded = f->standing == SL_STANDING_GRADED;
  json_t *o =
      json_pack("{s:s, s:s, s:o, s:o, s:o, s:f, s:I, s:I, s:I, s:b, s:s?}", "lab", f->lab, "standing",
                standings[f->standing], "raw", number_or_null(graded, f->raw), "penalty",
                number_or_null(graded, f->penalty), "final", number_or_null(f->counts, f->final), "max",
                f->max, "attempts", (json_int_t)f->attempts, "days_late", (json_int_t)f->days_late,
                "grace_days", (json_int_t)f->grace, "cut_off", f->cut_off, "handed_in", f->handed_in);
  if (f->override_reason)
    json_object_set_new(o, "override",
                        json_pack("{s:s, s:s}", "reason", sl__safe(b->a, f->override_reason), "who",
                                  sl__safe(b->a, f->override_who)));
  if (f->grading) json_object_set_new(o, "grading", json_integer(f->grading));
  return o;
}

// What the grader writes with --json of the gradings that count, and beside it "finals".
static json_t *student_json(sl_book *b, const sl_term *t, const sl_enrolled *s, sl_error *e) {
  sl_grading g;
  sl_arena *term = begin_student(b);
  sl_submission *sub = sl__again(b, t, s, false, &g, e);
  json_t *o = sub ? sl__submission_json(&g, sub) : NULL, *finals = json_array();
  for (size_t k = 0; k < t->n_labs; k++) json_array_append_new(finals, final_json(b, &s->labs[k]));
  sl__again_free(&g);
  end_student(b, term);
  if (!o) return json_decref(finals), NULL;
  json_object_set_new(o, "finals", finals);
  json_object_set_new(o, "name", s->name ? json_string(sl__safe(b->a, s->name)) : json_null());
  json_object_set_new(o, "status", json_string(s->status));
  json_object_set_new(o, "grace_days_left", json_integer(s->grace_left));
  return o;
}

static bool export_json(sl_book *b, const sl_term *t, const char *to, sl_error *e) {
  sl_whole_file x;
  if (!sl__whole_open(&x, to, e)) return false;
  fputs("[\n", x.f);
  for (size_t k = 0; k < t->n && !e->code && !ferror(x.f); k++) {
    json_t *one = student_json(b, t, &t->students[k], e);
    if (one && json_dumpf(one, x.f, JSON_INDENT(1)) != 0 && !x.fault.code) sl_json_fault("the term", e);
    json_decref(one);
    fputs(k + 1 < t->n ? ",\n" : "\n", x.f);
  }
  fputs("]\n", x.f);
  return sl__whole_close(&x, !e->code, e);
}

static bool export_junit(sl_book *b, const sl_term *t, const char *to, sl_error *e) {
  sl_whole_file x;
  if (!sl__whole_open(&x, to, e)) return false;
  sl__junit_begin(x.f);
  for (size_t k = 0; k < t->n && !e->code && !ferror(x.f); k++) {
    sl_grading g;
    sl_arena *term = begin_student(b);
    const sl_submission *sub = sl__again(b, t, &t->students[k], false, &g, e);
    if (sub) sl__junit_add(&g, x.f, sub);
    sl__again_free(&g);
    end_student(b, term);
  }
  sl__junit_end(x.f);
  return sl__whole_close(&x, !e->code, e);
}

// A file a student ------------------------------------------------------------------------------------------

static const struct format {
  const char *name;
  bool (*all)(sl_book *b, const sl_term *t, const char *to, sl_error *e); // NULL: a file a student
  const char *file; // its name in the folder of the student; NULL: a platform's, NAME.json
} formats[] = {{"csv", export_csv, NULL},     {"json", export_json, NULL}, {"junit", export_junit, NULL},
               {"html", NULL, "report.html"}, {"gradescope", NULL, NULL},  {"github", NULL, NULL},
               {"autolab", NULL, NULL},       {"prairielearn", NULL, NULL}};
enum { FORMATS = sizeof formats / sizeof *formats };
const char *const sl__export_names[] = {"canvas",     "moodle", "csv",     "json",         "junit", "html",
                                        "gradescope", "github", "autolab", "prairielearn", NULL};

static bool export_one(sl_grading *g, const struct format *x, const char *folder, bool force, sl_error *e) {
  sl_submission *sub = &g->subs[0];
  sl_exports to = {0};
  if (x->file) {
    sub->out = sl__str(g->arena, "%s/%s", folder, sub->id);
    return sl_mkdirs(sub->out, e) && sl__may_write(sl__str(g->arena, "%s/%s", sub->out, x->file), force, e) &&
           sl__write_report(g, sub, true, e);
  }
  const char *path = sl__str(g->arena, "%s/%s.json", folder, sub->id);
  for (int k = 0; k < SL_PLATFORMS; k++)
    if (!strcmp(sl__platform_names[k], x->name)) to.platform[k] = path;
  return sl__may_write(path, force, e) && sl__write_platforms(g, &to, e);
}

static bool export_each(sl_book *b, const sl_term *t, const struct format *x, const char *folder, bool force,
                        sl_error *e) {
  bool ok = sl_mkdirs(folder, e);
  for (size_t k = 0; ok && k < t->n; k++) {
    sl_grading g;
    sl_arena *term = begin_student(b);
    ok = sl__again(b, t, &t->students[k], true, &g, e) && export_one(&g, x, folder, force, e);
    sl__again_free(&g);
    end_student(b, term);
  }
  return ok;
}

bool sl__export_term(sl_book *b, const sl_term *t, const char *format, const char *to, bool force,
                     sl_error *e) {
  const struct format *x = formats;
  while (x < formats + FORMATS && strcmp(x->name, format)) x++;
  if (x == formats + FORMATS) return sl_fail(e, SL_EXIT_USAGE, NULL, "unknown format '%s'", format);
  bool ok = x->all ? sl__may_write(to, force, e) && x->all(b, t, to, e) : export_each(b, t, x, to, force, e);
  if (ok)
    sl__say_written(to,
                    sl__str(b->a, "%zu student%s%s", t->n, sl_plural(t->n), x->all ? "" : ", a file each"));
  return ok;
}
