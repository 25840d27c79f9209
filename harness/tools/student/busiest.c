// Where what is counted too often is counted most: the case is run again with its counters by line.
//
// Interface: sl__busiest_region (student.h). It counts more than half of all, and alone more than is allowed.
#include "observe.h"
#include "reference/reference.h"

// A counter of cases, and the one of lines that tells; where that is 0, as in labs of whole numbers, the
// second. Barriers and sectors stand in all steps alike, and replays come from how an index is computed.
// Fractions are cut off where numbers are converted.
static const struct {
  const char *counter;
  sl_line_counter line, second;
} of_lines[] = {{"adds", SL_LN_adds_float, SL_LN_adds_int},
                {"data_ops", SL_LN_adds_float, SL_LN_adds_int},
                {"one warp", SL_LN_warp_instructions, SL_LN_warp_instructions},
                {"cut", SL_LN_conversion, SL_LN_conversion}};
enum { COUNTERS = sizeof of_lines / sizeof *of_lines };

static uint64_t count(const sl_sum *sums, size_t n, sl_line_counter what, const sl_skeleton *s,
                      unsigned region) {
  uint64_t all = 0;
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < sums[k].n_lines; i++)
      if (sl_region_at(s, sums[k].lines[i].line) == region) all += sums[k].lines[i].c[what];
  return all;
}

// The region that alone has more than this share of all; 0: there is none.
static unsigned most_of(const sl_sum *sums, size_t n, sl_line_counter what, const sl_skeleton *s,
                        double share) {
  uint64_t all = 0;
  for (size_t k = 0; k < n; k++) all += sums[k].total[what];
  for (unsigned region = 1; region <= s->n; region++)
    if ((double)count(sums, n, what, s, region) > share * (double)all) return region;
  return 0;
}

static unsigned busiest(const sl_ladder *l, const sl_skeleton *s, size_t row, double share) {
  SL_FREED char *name = sl_path("%s.%s", l->failed->c->part->id, l->failed->c->id);
  const sl_input_choice input = {.name = name};
  sl_observed o = {.lab = NULL};
  sl_error e = {0};
  unsigned found = 0;
  if (sl__observe(&(sl_to_observe){l->lab->info->number, l->kernel, &input}, "--lines", &o, &e)) {
    size_t n;
    sl_sum *sums = sl__sums(&o, NULL, &n);
    found = most_of(sums, n, of_lines[row].line, s, share);
    if (!found) found = most_of(sums, n, of_lines[row].second, s, share);
    sl__sums_free(sums, n);
  }
  sl__observed_free(&o);
  return found;
}

static double number(const json_t *record, const char *key) {
  return json_number_value(json_object_get(json_object_get(record, "fields"), key));
}

unsigned sl__busiest_region(const sl_ladder *l, const sl_skeleton *s, const json_t *record) {
  const char *counter = sl_json_text(json_object_get(record, "fields"), "counter");
  const sl_reason why = sl__reason_of(record);
  const double value = number(record, "value"), bound = number(record, "bound"),
               share = value > 0 && bound > value / 2 ? bound / value : 0.5;
  if (strcmp(l->backend, "sim") != 0) return 0;
  if (why == SL_REASON_COUNTER_OPERATIONS) counter = "data_ops";
  else if (why == SL_REASON_COMPUTED_ONE_WARP) counter = "one warp";
  else if (!strcmp(sl__pattern_of(record), sl_pattern_id(SL_PATTERN_CUT))) counter = "cut";
  else if (why != SL_REASON_COUNTER_MOST) return 0;
  for (size_t k = 0; k < COUNTERS; k++)
    if (!strcmp(of_lines[k].counter, counter)) return busiest(l, s, k, share);
  return 0;
}
