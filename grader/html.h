// The frame of a report page of one submission (html.c) and of a class (html_class.c).
#pragma once

#include "grade.h"

typedef struct sl_html_page {
  sl_arena *a;
  FILE *f;
  char *text;
  size_t len;
  const char *made_by;   // NULL: not known
  const json_t *finding; // the last one shown
} sl_html_page;

bool sl__page_open(sl_html_page *p, sl_grading *g, const char *title, sl_error *e); // head, style, <main>
bool sl__page_close(sl_html_page *p, const char *path, sl_error *e);                // footer; writes the file
void sl__page_header(sl_html_page *p, const sl_grading *g, const char *kicker, const char *title,
                     double score, double max);
// pictures.c: pages that play failed tests.
bool sl__has_picture(const sl_test *t); // is it one that a page can play?
void sl__make_pictures(sl_grading *g, sl_submission *s);

// class_stats.c: what a class's results say together.
typedef struct sl_class_count {
  const char *name, *text, *labs; // a test and its usual reason; a finding and the first line of one
  size_t students, of;
  size_t last; // the student who was counted last
} sl_class_count;
size_t sl__hardest_tests(const sl_grading *g, sl_class_count *out[]);
size_t sl__common_findings(const sl_grading *g, sl_class_count *out[]);
// class_plots.c. Returns how many there are.
size_t sl__class_plots(sl_grading *g, sl_report_plot **out, sl_error *e);

const char *sl__grade_class(double score, double max); // CSS class: pass, partial or fail
