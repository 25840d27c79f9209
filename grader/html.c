// The report: one page in one file, with its style and its plots inside, no scripts and nothing to load.
//
// Interface: sl__write_report for one submission, sl__write_class_report for the table of a class. Every text
// goes through sl__html. Tables of tests are <details>, open where a test did not pass.
#include "html.h"

#ifndef SL_VERSION
#define SL_VERSION "dev"
#endif

// The page --------------------------------------------------------------------------------------------------

bool sl__page_open(sl_html_page *p, sl_grading *g, const char *title, sl_error *e) {
  SL_FREED char *css =
      sl_read_file(sl__str(g->arena, "%s/grader/report.css", g->course.root), 1 << 20, NULL, e);
  if (!css) return false;
  *p = (sl_html_page){.a = g->arena, .text = NULL, .made_by = g->course.made_by};
  p->f = sl_must(open_memstream(&p->text, &p->len));
  fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        p->f);
  sl__html(p->f, title);
  fprintf(p->f, " - scanlab report</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", css);
  return true;
}

bool sl__page_close(sl_html_page *p, const char *path, sl_error *e) {
  fputs("<footer>Scores come from the judge's records alone. Written by ", p->f);
  sl__html(p->f, p->made_by ? p->made_by : "scanlab " SL_VERSION);
  fputs("</footer>\n</main>\n</body>\n</html>\n", p->f);
  bool ok = fclose(p->f) == 0 ? sl_write_file(path, p->text, p->len, e)
                              : sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for %s", path);
  free(p->text);
  return ok;
}

static void page_points(sl_html_page *p, double score, double max) {
  fprintf(p->f, "<span class=\"points\"><b>%s</b> / %s</span>", sl__points(p->a, score),
          sl__points(p->a, max));
}

const char *sl__grade_class(double score, double max) {
  return score >= max ? "pass" : score > 0 ? "partial" : "fail";
}

static void page_bar(sl_html_page *p, double score, double max) {
  const char *fill = score >= max ? "v" : score > 0 ? "part" : "none";
  double width = max > 0 ? 1000 * score / max : 1000;
  fprintf(p->f,
          "<svg class=\"bar\" viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" role=\"img\" "
          "aria-label=\"%s of %s points\"><rect class=\"t\" width=\"1000\" height=\"8\" rx=\"4\"/>"
          "<rect class=\"%s\" width=\"%.0f\" height=\"8\" rx=\"4\"/></svg>\n",
          sl__points(p->a, score), sl__points(p->a, max), fill, width < 8 ? 8 : width);
}

void sl__page_header(sl_html_page *p, const sl_grading *g, const char *kicker, const char *title,
                     double score, double max) {
  char date[32];
  time_t now = time(NULL);
  strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime(&now));
  fprintf(p->f, "<header><div><p class=\"kicker\">%s</p><h1>", kicker);
  sl__html(p->f, title);
  fprintf(p->f, "</h1><p class=\"meta\">%s &middot; %s</p></div>", date,
          strcmp(g->course.backend, "gpu") ? "simulated GPU" : "real GPU");
  if (max > 0)
    fprintf(p->f, "<div class=\"total %s\">%s<small> / %s</small></div>", sl__grade_class(score, max),
            sl__points(p->a, score), sl__points(p->a, max));
  fputs("</header>\n", p->f);
}

// Labs ------------------------------------------------------------------------------------------------------

static void write_detail(sl_html_page *p, const char *title, const char *text) {
  if (!*text) return;
  fprintf(p->f, "<details><summary>%s</summary><pre>", title);
  sl__html(p->f, text);
  fputs("</pre></details>", p->f);
}

// Are both findings about the same line?
static bool same_line(const json_t *a, const json_t *b) {
  return json_equal(json_object_get(a, "id"), json_object_get(b, "id")) &&
         json_equal(json_object_get(a, "line"), json_object_get(b, "line"));
}

// The findings of one test, folded where the test before had the same first finding.
static void write_findings(sl_html_page *p, const json_t *record) {
  enum { MOST = 5 };
  const json_t *list = json_object_get(record, "findings"), *first = json_array_get(list, 0);
  size_t n = json_array_size(list);
  if (!n) return;
  fprintf(p->f, "<details%s><summary>%zu finding%s</summary>",
          p->finding && same_line(p->finding, first) ? "" : " open", n, sl_plural(n));
  for (size_t k = 0; k < n && k < MOST; k++) {
    const char *text = json_string_value(json_object_get(json_array_get(list, k), "text"));
    fputs("<pre class=\"finding\">", p->f);
    sl__html(p->f, sl__safe_lines(p->a, text ? text : ""));
    fputs("</pre>", p->f);
  }
  if (n > MOST) fprintf(p->f, "<p>(+%zu more finding%s)</p>", n - MOST, sl_plural(n - MOST));
  fputs("</details>", p->f);
  p->finding = first;
}

// The moving picture of a failed test, or the command that makes it.
static void write_picture(sl_html_page *p, const sl_test *t) {
  if (!sl__has_picture(t)) return;
  fputs("<p class=\"meta\">See it move: ", p->f);
  if (t->picture) fprintf(p->f, "<a href=\"%s\">step by step</a></p>", t->picture);
  else {
    fputs("<code>", p->f);
    sl__html(p->f, sl__str(p->a, "./scanlab trace %.2s --case %s.%s --html picture.html", t->name,
                           t->c->part->id, t->c->id));
    fputs("</code></p>", p->f);
  }
}

static void write_test(sl_html_page *p, const sl_test *t) {
  const char *status = sl_status_names[t->r.status];
  fprintf(p->f, "<tr><td><span class=\"chip %s\">%s</span></td><td class=\"name\">", status, status);
  sl__html(p->f, t->name);
  fprintf(p->f, "</td><td class=\"num\">%s / %s</td><td class=\"grow\">", sl__points(p->a, t->r.points),
          sl__points(p->a, t->max));
  sl__html(p->f, t->r.message);
  write_detail(p, "details", t->r.detail);
  write_findings(p, t->r.record);
  write_picture(p, t);
  fprintf(p->f, "</td><td class=\"num\">%.2f</td></tr>\n", t->r.seconds);
}

static void write_part(sl_html_page *p, const sl_graded_lab *gl, const sl_part *part) {
  size_t n = 0, passed = 0;
  double score = 0;
  SL_EACH_TEST(gl, t) {
    if (t->c->part != part) continue;
    n++;
    passed += t->r.status == SL_PASS;
    score += t->r.points;
  }
  fprintf(p->f, "<details class=\"tests\"%s><summary><h3>", passed < n && !gl->problem ? " open" : "");
  sl__html(p->f, part->title);
  fprintf(p->f, "</h3><span class=\"%s\">%zu of %zu test%s passed</span><span class=\"sum\">",
          sl__grade_class((double)passed, (double)n), passed, n, sl_plural(n));
  page_points(p, score, part->points);
  fputs("</span></summary>\n", p->f);
  if (part->kind == SL_PART_SPEED && sl__speed_basis(gl))
    fprintf(p->f, "<p class=\"meta\">Graded %s.</p>\n", sl__speed_basis(gl));
  fputs("<div class=\"wide\"><table><thead><tr><th>Status</th><th>Test</th><th "
        "class=\"num\">Points</th>"
        "<th>Message</th><th class=\"num\">Seconds</th></tr></thead><tbody>\n",
        p->f);
  SL_EACH_TEST(gl, t)
    if (t->c->part == part) write_test(p, t);
  fputs("</tbody></table></div></details>\n", p->f);
}

static void write_lab(sl_html_page *p, const sl_graded_lab *gl) {
  fprintf(p->f, "<section class=\"card\" id=\"lab%s\"><div class=\"cardhead\"><h2>%s &middot; ",
          gl->lab->info->number, gl->lab->info->number);
  sl__html(p->f, gl->lab->title);
  fputs("</h2>", p->f);
  page_points(p, gl->score, gl->max);
  fputs("</div>\n", p->f);
  page_bar(p, gl->score, gl->max);
  if (gl->problem) {
    fprintf(p->f, "<p class=\"problem %s\">", gl->infra ? "error" : "fail");
    sl__html(p->f, gl->problem);
    fputs("</p>\n", p->f);
  }
  if (gl->edited) {
    fputs("<p class=\"meta\">Changed outside of the TODO regions: ", p->f);
    sl__html(p->f, gl->edited);
    fputs(". That alone costs no points.</p>\n", p->f);
  }
  if (gl->log) write_detail(p, gl->problem ? "compiler log" : "compiler warnings", gl->log);
  for (size_t i = 0; i < gl->lab->n_parts; i++) write_part(p, gl, &gl->lab->parts[i]);
  fputs("</section>\n", p->f);
}

static void write_overview(sl_html_page *p, const sl_submission *s) {
  unsigned told = 0;
  fputs("<section class=\"card\"><div class=\"wide\"><table "
        "class=\"labs\"><thead><tr><th>Lab</th><th>Title</th><th "
        "class=\"num\">Passed</th>"
        "<th class=\"num\">Score</th><th></th></tr></thead><tbody>\n",
        p->f);
  SL_EACH_LAB(s, gl) {
    size_t passed = 0;
    if (sl__apart(s, gl) && gl->absent) continue;
    if (sl__apart(s, gl) && !told++)
      fputs("<tr><th colspan=\"5\">Optional, apart from the total</th></tr>\n", p->f);
    SL_EACH_TEST(gl, t) passed += t->r.status == SL_PASS;
    fprintf(p->f, "<tr><td class=\"name\"><a href=\"#lab%s\">%s</a></td><td>", gl->lab->info->number,
            gl->lab->info->name);
    sl__html(p->f, gl->lab->title);
    fprintf(p->f, "</td><td class=\"num\">%zu of %zu</td><td class=\"num\">", passed, gl->n_tests);
    page_points(p, gl->score, gl->max);
    fputs("</td><td style=\"width:28%;vertical-align:middle\">", p->f);
    page_bar(p, gl->score, gl->max);
    fputs("</td></tr>\n", p->f);
  }
  fputs("</tbody></table></div></section>\n", p->f);
}

static void write_plots(sl_html_page *p, const sl_report_plot plots[SL_PLOTS]) {
  fputs("<section class=\"card\"><h2>Measurements</h2><div class=\"plots\">\n", p->f);
  for (int i = 0; i < SL_PLOTS; i++) {
    if (!plots[i].svg && !plots[i].missing) continue;
    fprintf(p->f, "<figure id=\"%s\"><h3>%s</h3>\n", plots[i].id, plots[i].title);
    if (plots[i].svg) {
      fputs(plots[i].svg, p->f);
      fprintf(p->f, "<figcaption>%s</figcaption>", plots[i].caption);
    } else {
      fputs("<p class=\"meta\">", p->f);
      sl__html(p->f, plots[i].missing);
      fputs("</p>", p->f);
    }
    fputs("</figure>\n", p->f);
  }
  fputs("</div></section>\n", p->f);
}

bool sl__write_report(sl_grading *g, sl_submission *s, bool no_plots, sl_error *e) {
  sl_html_page p;
  sl_report_plot plots[SL_PLOTS] = {0};
  if (!no_plots && !sl__make_plots(g, s, plots, e)) return false;
  if (g->course.pictures) sl__make_pictures(g, s);
  if (!sl__page_open(&p, g, s->name, e)) return false;
  const char *full = sl__full_name(p.a, s);
  sl__page_header(&p, g, "scanlab report", full ? sl__str(p.a, "%s %s", s->name, full) : s->name, s->score,
                  s->max);
  write_overview(&p, s);
  if (!no_plots) write_plots(&p, plots);
  SL_EACH_LAB(s, gl)
    if (!sl__apart(s, gl) || !gl->absent) write_lab(&p, gl);
  return sl__page_close(&p, sl__str(g->arena, "%s/report.html", s->out), e);
}
