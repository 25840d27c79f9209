// The report of a class: a row a student, a column a lab, each row linked to the student's own report.
//
// Interface: sl__write_class_report writes OUT/report.html.
#include "html.h"

static void write_link(sl_html_page *p, const sl_submission *s) {
  fputs("<a href=\"students/", p->f);
  for (const char *c = s->id; *c; c++) fputs(*c == '%' ? "%25" : (char[]){*c, 0}, p->f);
  fputs("/report.html\">", p->f);
  sl__html(p->f, s->name);
  fputs("</a>", p->f);
}

// Rows below a student's: labs that were handed in and could not be graded.
static void write_problems(sl_html_page *p, const sl_submission *s) {
  for (size_t i = 0; i < s->n_labs; i++) {
    if (!s->labs[i].problem || s->labs[i].absent) continue;
    fprintf(p->f, "<tr><td class=\"skip\" colspan=\"%zu\">%s: ", s->n_labs + 2, s->labs[i].lab->info->number);
    sl__html(p->f, s->labs[i].problem);
    fputs("</td></tr>\n", p->f);
  }
}

static void write_score(sl_html_page *p, const sl_graded_lab *gl) {
  if (gl->absent) fputs("<td class=\"num skip\" title=\"nothing handed in\">-</td>", p->f);
  else
    fprintf(p->f, "<td class=\"num %s\">%s</td>", sl__grade_class(gl->score, gl->max),
            sl__points(p->a, gl->score));
}

static void write_row(sl_html_page *p, const sl_submission *s) {
  fputs("<tr><td class=\"grow\">", p->f);
  write_link(p, s);
  fputs("</td>", p->f);
  for (size_t i = 0; i < s->n_labs; i++) write_score(p, &s->labs[i]);
  fputs("<td class=\"num\">", p->f);
  sl__page_points(p, s->score, s->max);
  fputs("</td></tr>\n", p->f);
  write_problems(p, s);
}

bool sl__write_class_report(sl_grading *g, sl_error *e) {
  sl_html_page p;
  if (!sl__page_open(&p, g, "class", e)) return false;
  sl__page_header(&p, g, "scanlab class report", sl__str(g->arena, "%zu submissions", g->n), 0, 0);
  fputs("<section class=\"card\"><div class=\"wide\"><table><thead><tr><th>Submission</th>", p.f);
  for (size_t i = 0; i < g->course.n_labs; i++)
    fprintf(p.f, "<th class=\"num\" title=\"%s\">%s</th>", g->course.labs[i].lab->info->name,
            g->course.labs[i].lab->info->number);
  fputs("<th class=\"num\">Total</th></tr></thead><tbody>\n", p.f);
  for (size_t i = 0; i < g->n; i++) write_row(&p, &g->subs[i]);
  fputs("</tbody></table></div></section>\n", p.f);
  return sl__page_close(&p, sl__str(g->arena, "%s/report.html", g->course.out), e);
}
