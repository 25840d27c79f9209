#include "grade.h"
bool sl__make_plots(sl_grading *g, sl_submission *s, sl_plot plots[SL_PLOTS], sl_error *e) {
  (void)g, (void)s, (void)e;
  for (int i = 0; i < SL_PLOTS; i++) plots[i] = (sl_plot){0};
  return true;
}
