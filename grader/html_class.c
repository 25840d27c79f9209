// The report of a class: a row a student, with its remarks below it, a column a lab; how points are spread,
// the hardest tests, the most frequent findings, speed beside the reference. report.js sorts and filters the
// rows; without it they stand by name.
//
// Interface: sl__write_class_report writes OUT/report.html.
#include "html.h"

enum { SHOWN = 15, MOST_SCRIPT = 1 << 20 };

// Students --------------------------------------------------------------------------------------------------

static const char *const status_words[] = {[SL_TAKEN] = "",
                                           [SL_TAKEN_ABSENT] = "absent",
                                           [SL_TAKEN_UNREADABLE] = "cannot be read",
                                           [SL_TAKEN_UNKNOWN] = "unknown"};
static const char *const status_ids[] = {[SL_TAKEN] = "taken",
                                         [SL_TAKEN_ABSENT] = "absent",
                                         [SL_TAKEN_UNREADABLE] = "unreadable",
                                         [SL_TAKEN_UNKNOWN] = "unknown"};

// The name, with a link to the student's page if there is one.
static void write_name(sl_html_page *p, const sl_submission *s) {
  if (s->has_folder) fputs("<a href=\"students/", p->f);
  for (const char *c = s->id; s->has_folder && *c; c++) fputs(*c == '%' ? "%25" : (char[]){*c, 0}, p->f);
  if (s->has_folder) fputs("/report.html\">", p->f);
  sl__html(p->f, s->name);
  if (s->has_folder) fputs("</a>", p->f);
  const char *full = sl__full_name(p->a, s);
  if (full) fputs(" ", p->f), sl__html(p->f, full);
}

// Returns 1, to be counted.
static size_t write_note(sl_html_page *p, const char *label, const char *text) {
  fputs("<div class=\"note\">", p->f);
  if (*label) fprintf(p->f, "<b>%s</b> ", label);
  sl__html(p->f, text);
  fputs("</div>", p->f);
  return 1;
}

static size_t write_lab_notes(sl_html_page *p, const sl_submission *s, const sl_graded_lab *gl) {
  const char *nr = gl->lab->info->number;
  size_t n = 0;
  if (gl->misplaced) n += write_note(p, nr, sl__str(p->a, "taken from %s", sl__safe(p->a, gl->misplaced)));
  if (gl->problem && !gl->absent && s->in.status != SL_TAKEN_UNREADABLE) n += write_note(p, nr, gl->problem);
  const size_t errors = sl__count_status(gl, SL_ERROR);
  if (errors)
    n += write_note(
        p, nr, sl__str(p->a, "%zu error%s of the grader: no score; grade again", errors, sl_plural(errors)));
  if (gl->twin) n += write_note(p, nr, sl__str(p->a, "the same kernel as %s", gl->twin));
  if (gl->edited)
    n += write_note(p, nr, sl__str(p->a, "changed outside of the TODO regions: %s", gl->edited));
  return n;
}

// Stands below a name: the state of what was handed in, labs that were not graded or not in their place.
static size_t list_notes(sl_html_page *p, const sl_submission *s) {
  size_t n = 0;
  if (s->in.status != SL_TAKEN || s->in.reason)
    n += write_note(p, status_words[s->in.status], s->in.reason ? s->in.reason : "");
  SL_EACH_LAB(s, gl) n += write_lab_notes(p, s, gl);
  return n;
}

// Over the whole width, below the points. Several are folded: the rows of a large class stay a line high.
static void write_notes(sl_html_page *p, const sl_submission *s) {
  SL_FREED char *text = NULL;
  FILE *page = p->f;
  p->f = sl_text_stream(&text);
  const size_t n = list_notes(p, s);
  fclose(p->f);
  p->f = page;
  if (n) fprintf(page, "<tr class=\"remarks\"><td colspan=\"%zu\">", s->n_labs + 2);
  if (n > 1) fprintf(page, "<details><summary>%zu remarks</summary>%s</details></td></tr>", n, text);
  else if (n) fprintf(page, "%s</td></tr>", text);
}

static void write_score(sl_html_page *p, const sl_graded_lab *gl) {
  if (gl->absent) fputs("<td class=\"num skip\" data-v=\"\" title=\"nothing handed in\">-</td>", p->f);
  else
    fprintf(p->f, "<td class=\"num %s\" data-v=\"%.4f\">%s</td>", sl__grade_class(gl->score, gl->max),
            gl->score, sl__points(p->a, gl->score));
}

// The rows that the page's choice can show.
static const char *kinds_of(sl_arena *a, const sl_submission *s) {
  const char *kinds = status_ids[s->in.status];
  bool remarks = s->in.status == SL_TAKEN && s->in.reason, error = false, edited = false;
  SL_EACH_LAB(s, gl) {
    remarks |= (gl->problem && !gl->absent) || gl->misplaced || gl->twin;
    edited |= gl->edited != NULL;
    SL_EACH_TEST(gl, t) error |= t->r.status == SL_ERROR;
  }
  return sl__str(a, "%s%s%s%s%s", kinds, s->score < s->max ? " lost" : "", remarks ? " remarks" : "",
                 edited ? " edited" : "", error ? " error" : "");
}

static void write_scores(sl_html_page *p, const sl_submission *s, bool apart) {
  SL_EACH_LAB(s, gl)
    if (sl__apart(s, gl) == apart) write_score(p, gl);
}

static void write_row(sl_html_page *p, const sl_submission *s) {
  fprintf(p->f, "<tbody data-is=\"%s\"><tr><td class=\"grow\" data-v=\"", kinds_of(p->a, s));
  sl__html(p->f, s->name);
  fputs("\">", p->f);
  write_name(p, s);
  fputs("</td>", p->f);
  write_scores(p, s, false);
  fprintf(p->f, "<td class=\"num\" data-v=\"%.4f\"><b>%s</b></td>", s->score, sl__points(p->a, s->score));
  write_scores(p, s, true);
  fputs("</tr>", p->f);
  write_notes(p, s);
  fputs("</tbody>\n", p->f);
}

static void write_tools(sl_html_page *p) {
  fputs(
      "<form class=\"tools\" hidden onsubmit=\"return false\"><input type=\"search\" placeholder=\"filter\" "
      "aria-label=\"filter students\"> <select aria-label=\"show\"><option value=\"\">all</option>"
      "<option value=\"lost\">lost points</option><option value=\"remarks\">with remarks</option>"
      "<option value=\"edited\">changed outside of TODO</option>"
      "<option value=\"absent\">absent</option><option value=\"unreadable\">cannot be read</option>"
      "<option value=\"unknown\">unknown</option><option value=\"error\">error of the "
      "grader</option></select> "
      "<output></output></form>\n",
      p->f);
}

// Columns of the labs of the total, or of the optional ones, which stand behind it.
static void write_heads(sl_html_page *p, const sl_grading *g, bool apart) {
  for (size_t i = 0; g->n && i < g->course.n_labs; i++)
    if (sl__apart(g->subs, &g->subs->labs[i]) == apart)
      fprintf(p->f, "<th class=\"num\" title=\"%s%s\">%s</th>", g->course.labs[i].lab->info->name,
              apart ? ", optional" : "", g->course.labs[i].lab->info->number);
}

static void write_students(sl_html_page *p, const sl_grading *g) {
  fputs("<section class=\"card\" id=\"students\"><div class=\"cardhead\"><h2>Students</h2></div>\n", p->f);
  write_tools(p);
  fputs("<table class=\"class\"><thead><tr><th>Student</th>", p->f);
  write_heads(p, g, false);
  fprintf(p->f, "<th class=\"num\">%s</th>",
          g->n ? sl__str(p->a, "of %s", sl__points(p->a, g->subs[0].max)) : "Total");
  write_heads(p, g, true);
  fputs("</tr></thead>\n", p->f);
  SL_EACH_SUB(g, s) write_row(p, s);
  fputs("</table></section>\n", p->f);
}

// The class as a whole --------------------------------------------------------------------------------------

// An id may be broken behind its dots and underscores.
static void write_id(sl_html_page *p, const char *id) {
  for (const char *c = id; *c; c++) {
    sl__html(p->f, (char[]){*c, 0});
    if (*c == '.' || *c == '_') fputs("<wbr>", p->f);
  }
}

// The words of a table of counts.
typedef struct sl_counted {
  const char *id, *title, *column, *what;
} sl_counted;

static void write_counts(sl_html_page *p, const sl_counted *c, const sl_class_count *list, size_t n) {
  fprintf(p->f, "<section class=\"card\" id=\"%s\"><h2>%s</h2>\n", c->id, c->title);
  if (!n) fputs("<p class=\"meta\">None.</p></section>\n", p->f);
  if (!n) return;
  fprintf(p->f,
          "<table class=\"counts\"><thead><tr><th>%s</th><th>%s</th><th "
          "class=\"num\">Students</th></tr></thead><tbody>\n",
          c->column, c->what);
  for (size_t i = 0; i < n && i < SHOWN; i++) {
    fputs("<tr><td class=\"id\">", p->f);
    write_id(p, list[i].name);
    fputs("</td><td class=\"grow\">", p->f);
    sl__html(p->f, list[i].text);
    fprintf(p->f, "</td><td class=\"num\">%zu of %zu</td></tr>\n", list[i].students, list[i].of);
  }
  fputs("</tbody></table>", p->f);
  if (n > SHOWN) fprintf(p->f, "<p class=\"meta\">(+%zu more)</p>", n - SHOWN);
  fputs("</section>\n", p->f);
}

static void write_figure(sl_html_page *p, const sl_report_plot *plot) {
  fprintf(p->f, "<figure id=\"%s\"><h3>", plot->id);
  sl__html(p->f, plot->title);
  fputs("</h3>\n", p->f);
  if (plot->svg) fputs(plot->svg, p->f);
  else write_note(p, "", plot->missing);
  fputs("<figcaption>", p->f);
  sl__html(p->f, plot->caption);
  fputs("</figcaption></figure>\n", p->f);
}

static void write_plots(sl_html_page *p, sl_grading *g, sl_error *e) {
  sl_report_plot *plots;
  size_t n = sl__class_plots(g, &plots, e);
  fputs("<section class=\"card\" id=\"points\"><h2>Points and speed</h2><div class=\"small plots\">\n", p->f);
  for (size_t i = 0; i < n; i++) write_figure(p, &plots[i]);
  fputs(n ? "</div></section>\n" : "</div><p class=\"meta\">Nothing was handed in.</p></section>\n", p->f);
}

static void write_left_out(sl_html_page *p, const sl_grading *g) {
  if (!g->n_left_out) return;
  fputs("<section class=\"card\"><h2>Left out</h2>\n", p->f);
  for (size_t i = 0; i < g->n_left_out; i++) write_note(p, g->left_out[i].why, g->left_out[i].path);
  fputs("</section>\n", p->f);
}

static bool write_script(sl_html_page *p, const sl_grading *g, sl_error *e) {
  SL_FREED char *script =
      sl_read_file(sl__str(g->arena, "%s/grader/report.js", g->course.root), MOST_SCRIPT, NULL, e);
  if (script) fprintf(p->f, "<script>\n%s</script>\n", script);
  return script != NULL;
}

static const char *headline(const sl_grading *g) {
  size_t count[4] = {0};
  SL_EACH_SUB(g, s) count[s->in.status]++;
  const char *text = sl__str(g->arena, "%zu student%s", g->n, sl_plural(g->n));
  for (int k = SL_TAKEN_ABSENT; k <= SL_TAKEN_UNKNOWN; k++)
    if (count[k]) text = sl__str(g->arena, "%s, %zu %s", text, count[k], status_words[k]);
  return text;
}

// What stands behind a long list of students.
static void write_jumps(sl_html_page *p, bool no_plots) {
  fprintf(p->f,
          "<p class=\"meta jumps\">%s<a href=\"#tests\">Hardest tests</a> <a href=\"#findings\">Most "
          "frequent findings</a></p>\n",
          no_plots ? "" : "<a href=\"#points\">Points and speed</a> ");
}

bool sl__write_class_report(sl_grading *g, bool no_plots, sl_error *e) {
  sl_html_page p;
  sl_class_count *list;
  if (!sl__page_open(&p, g, "class", e)) return false;
  sl__page_header(&p, g, "scanlab class report", headline(g), 0, 0);
  write_jumps(&p, no_plots);
  write_students(&p, g);
  write_left_out(&p, g);
  if (!no_plots) write_plots(&p, g, e);
  size_t n = sl__hardest_tests(g, &list);
  write_counts(&p, &(sl_counted){"tests", "Hardest tests", "Test", "What most are told"}, list, n);
  n = sl__common_findings(g, &list);
  write_counts(&p, &(sl_counted){"findings", "Most frequent findings", "Finding", "For example"}, list, n);
  bool ok = write_script(&p, g, e);
  return sl__page_close(&p, sl__str(g->arena, "%s/report.html", g->course.out), e) && ok;
}
