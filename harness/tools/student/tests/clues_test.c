// Which region a clue of lab.json names: what each condition on a finding's launch takes and what it refuses.
#include "base/unit.h"
#include "tools/student/student.h"

static uint64_t fails_from; // shrink.c runs the kernel; here a number says from which n on it fails
bool sl__fails_at(const sl_ladder *, uint64_t n) { return n >= fails_from; }

static sl_case the_case;
static sl_trial the_trial = {.c = &the_case, .status = SL_FAIL};

static json_t *parsed(const char *text) {
  SL_FREED char *json = json_text(text);
  json_t *value = json_loads(json, 0, NULL);
  if (!value) fail_msg("no JSON: %s", json);
  return value;
}

// The region of the only clue [clue] for a record with these fields, and the finding; NULL: none.
static unsigned region_of(const char *clue, const char *fields, const char *finding) {
  json_auto_t *clues = json_pack("[o]", parsed(clue));
  json_auto_t *record = json_pack("{s:o}", "fields", parsed(fields));
  json_auto_t *found = finding ? json_pack("[o]", parsed(finding)) : NULL;
  const sl_lab lab = {.clues = clues};
  const sl_ladder ladder = {.lab = &lab, .failed = &the_trial};
  return sl__clue_region(&ladder, record, found);
}

static void one_call_of(uint64_t n) { the_case = (sl_case){.n = n, .calls = 1}; }

// A clue about the kernel, for a finding in [kernel].
static unsigned of_kernel(const char *kernel) {
  char finding[128];
  snprintf(finding, sizeof finding, "{'id': 'race.global', 'kernel': '%s'}", kernel);
  return region_of("{'region': 7, 'finding': '*', 'kernel': 'split_*'}", "{}", finding);
}

TEST(a_kernel_is_compared_by_its_name) {
  one_call_of(33);
  assert_int_equal(of_kernel("split_kernel"), 7);
  assert_int_equal(of_kernel("count_kernel"), 0);
  assert_int_equal(of_kernel("my_split_kernel"), 0);
}

TEST(a_clue_about_findings_needs_one_and_any_other_needs_none) {
  one_call_of(33);
  assert_int_equal(region_of("{'region': 7, 'finding': '*'}", "{}", NULL), 0);
  assert_int_equal(region_of("{'region': 7}", "{}", "{'id': 'race.global'}"), 0);
  assert_int_equal(region_of("{'region': 7}", "{}", NULL), 7);
}

TEST(a_launch_is_that_one_or_a_later_one) {
  static const char clue[] = "{'region': 8, 'finding': 'race.*', 'launch': 6}";
  one_call_of(33);
  assert_int_equal(region_of(clue, "{}", "{'id': 'race.global', 'launch': 5}"), 0);
  assert_int_equal(region_of(clue, "{}", "{'id': 'race.global', 'launch': 6}"), 8);
  assert_int_equal(region_of(clue, "{}", "{'id': 'race.global', 'launch': 7}"), 8);
  assert_int_equal(region_of(clue, "{}", "{'id': 'race.global'}"), 0); // the first launch
}

// The clue "eight elements a thread": the region it names for a launch of [grid] blocks of 256 threads.
static unsigned of_blocks(unsigned grid, const char *fields) {
  char finding[128];
  snprintf(finding, sizeof finding, "{'id': 'memory.uninit', 'grid': [%u, 1, 1], 'block_size': [256, 1, 1]}",
           grid);
  return region_of("{'region': 12, 'finding': '*', 'per_thread': 8}", fields, finding);
}

TEST(a_launch_with_the_blocks_that_n_needs_is_not_at_fault) {
  one_call_of(2048);
  assert_int_equal(of_blocks(1, "{}"), 0);
  assert_int_equal(of_blocks(2, "{}"), 12);
  one_call_of(2049);
  assert_int_equal(of_blocks(1, "{}"), 12);
  assert_int_equal(of_blocks(2, "{}"), 0);
}

TEST(threads_of_a_block_are_counted_in_all_directions) {
  static const char clue[] = "{'region': 5, 'finding': '*', 'threads': 256}";
  assert_int_equal(region_of(clue, "{}", "{'id': 'race.global', 'block_size': [32, 8, 1]}"), 0);
  assert_int_equal(region_of(clue, "{}", "{'id': 'race.global', 'block_size': [32, 16, 1]}"), 5);
}

TEST(a_kernel_may_have_fewer_blocks_than_tiles) {
  static const char clue[] = "{'region': 7, 'finding': '*', 'per_thread': 8, 'fewer': 1}";
  one_call_of(2049);
  assert_int_equal(region_of(clue, "{}", "{'id': 'x', 'grid': [2, 1, 1], 'block_size': [256, 1, 1]}"), 7);
  assert_int_equal(region_of(clue, "{}", "{'id': 'x', 'grid': [1, 1, 1], 'block_size': [256, 1, 1]}"), 0);
}

// A lab with two cases, scan.n2 that passes and scan.n33 that failed.
static sl_case cases[2] = {{.id = "n2", .n = 2}, {.id = "n33", .n = 33}};
static sl_part part = {.id = "scan", .cases = cases, .n_cases = 2};
static sl_lab two = {.parts = &part, .n_parts = 1};
static sl_trial trials[2] = {{.c = &cases[0], .status = SL_PASS}, {.c = &cases[1], .status = SL_FAIL}};
static sl_ladder_step step = {.part = &part, .trials = trials};
static const sl_ladder of_both = {.lab = &two, .steps = &step, .failed = &trials[1]};

// The region of a clue with [key], where scan.n33 has failed with [record]. Takes over [record].
static unsigned of_two(const char *key, const char *value, json_t *record) {
  json_auto_t *clues = json_pack("[{s:i, s:s}]", "region", 5, key, value);
  json_auto_t *own = record, *none = json_object();
  two.clues = clues, trials[1].record = own;
  cases[0].part = cases[1].part = &part;
  return sl__clue_region(&of_both, none, NULL);
}

static bool left_behind(int call, const char *of) {
  json_auto_t *record = json_pack("{s:{s:i, s:s}}", "fields", "call", call, "of", of);
  cases[0].part = cases[1].part = &part;
  return sl__left_behind(&of_both, record);
}

TEST(a_later_call_that_is_right_in_a_case_of_its_own_finds_what_another_has_left) {
  assert_true(left_behind(2, "scan.n2"));
  assert_false(left_behind(1, "scan.n2"));
  assert_false(left_behind(2, "scan.n33"));   // it fails by itself
  assert_false(left_behind(2, "max of u32")); // no case: one of every kind
}

static unsigned of_shown(const char *shows, const char *pattern) {
  return of_two("shows", shows, json_pack("{s:{s:s}}", "fields", "pattern", pattern));
}

static unsigned of_begun(const char *begins, int call) {
  return of_two("begins", begins, json_pack("{s:{s:i}}", "fields", "call", call));
}

TEST(a_clue_may_ask_for_a_case_whose_first_call_is_right) {
  assert_int_equal(of_begun("scan.n2", 1), 5); // it has passed
  assert_int_equal(of_begun("scan.n33", 2), 5);
  assert_int_equal(of_begun("scan.n33", 1), 0);
  assert_int_equal(of_begun("scan.n3", 2), 0); // there is no such case
}

TEST(a_clue_may_ask_what_other_cases_show) {
  assert_int_equal(of_shown("scan.n33=odd", "odd"), 5);
  assert_int_equal(of_shown("scan.n33=odd", "even"), 0);
  assert_int_equal(of_shown("scan.n33=o*", "odd"), 5);
  assert_int_equal(of_shown("scan.n2=odd", "odd"), 0); // it has passed
  assert_int_equal(of_shown("scan.n3=odd", "odd"), 0); // there is no such case
  assert_int_equal(of_shown("scan.n33", "odd"), 0);    // no pattern is named
  assert_int_equal(of_shown("scan.n33=odd scan.n2=odd", "odd"), 0);
}

TEST(blocks_are_not_judged_where_n_is_not_known) {
  the_case = (sl_case){.n = 2048, .calls = 2};
  assert_int_equal(of_blocks(5, "{'call': 2, 'n': 2048}"), 0);
  the_case = (sl_case){.n = 2048, .calls = 1, .n_also = 1};
  assert_int_equal(of_blocks(5, "{}"), 0);
  the_case = (sl_case){.n = 2048, .calls = 1, .n_draw = 1};
  assert_int_equal(of_blocks(5, "{}"), 0);
  one_call_of(SL_WHOLE);
  assert_int_equal(of_blocks(5, "{}"), 0);
}

TEST(a_call_without_elements_leaves_the_second_one_alone) {
  the_case = (sl_case){.n = 0, .calls = 1, .n_also = 1};
  assert_int_equal(of_blocks(2, "{'call': 2, 'n': 2048}"), 12);
  assert_int_equal(of_blocks(1, "{'call': 2, 'n': 2048}"), 0);
  assert_int_equal(of_blocks(2, "{'call': 3, 'n': 2048}"), 0);
}

TEST(blocks_are_not_judged_without_the_shape_of_the_launch) {
  one_call_of(2048);
  assert_int_equal(
      region_of("{'region': 12, 'finding': '*', 'per_thread': 8}", "{}", "{'id': 'memory.kept'}"), 0);
}

TEST(a_clue_may_say_where_the_fault_is_if_another_region_counts_most) {
  json_auto_t *clues = parsed("[{'region': 7, 'busiest': 3, 'counter': 'adds'}]");
  json_auto_t *record = parsed("{'fields': {'counter': 'adds'}}");
  const sl_lab lab = {.clues = clues};
  const sl_ladder ladder = {.lab = &lab, .failed = &the_trial};
  one_call_of(50001);
  assert_int_equal(sl__clue_busiest(&ladder, record, 3), 7);
  assert_int_equal(sl__clue_busiest(&ladder, record, 2), 2);
  assert_int_equal(sl__clue_busiest(&ladder, record, 0), 0);
  assert_int_equal(sl__clue_region(&ladder, record, NULL), 0); // nobody has asked which counts most
}

TEST(a_counter_is_near_its_bound_up_to_the_clues_distance) {
  static const char clue[] = "{'region': 3, 'counter': 'barriers', 'above': 2}";
  one_call_of(1024);
  assert_int_equal(region_of(clue, "{'counter': 'barriers', 'value': 25, 'bound': 23}", NULL), 3);
  assert_int_equal(region_of(clue, "{'counter': 'barriers', 'value': 26, 'bound': 23}", NULL), 0);
  assert_int_equal(region_of(clue, "{'counter': 'barriers', 'value': 22, 'bound': 23}", NULL), 0);
  assert_int_equal(region_of(clue, "{'counter': 'adds', 'value': 25, 'bound': 23}", NULL), 0);
}

TEST(a_clue_may_name_the_array_that_is_wrong) {
  static const char clue[] = "{'region': 6, 'array': 'lengths'}";
  one_call_of(33);
  assert_int_equal(region_of(clue, "{'array': 'lengths'}", NULL), 6);
  assert_int_equal(region_of(clue, "{'array': 'values'}", NULL), 0);
  assert_int_equal(region_of(clue, "{}", NULL), 0);
}

TEST(a_clue_may_ask_whether_fewer_elements_fail) {
  static const char clue[] = "{'region': 9, 'smaller': 256}";
  one_call_of(2047);
  fails_from = 34;
  assert_int_equal(region_of(clue, "{}", NULL), 9);
  fails_from = 257;
  assert_int_equal(region_of(clue, "{}", NULL), 0);
}

TEST(a_warning_tells_unless_it_is_of_something_unused) {
  static const char log[] = "k.cu(9): warning #177-D: variable \"x\" was declared but never referenced\n"
                            "k.cu(10): warning #63-D: shift count is too large\n";
  uint32_t line = 0;
  const char *at = sl__telling_warning(log, &line);
  assert_non_null(at);
  assert_int_equal(strncmp(at, "k.cu(10)", 8), 0);
  assert_int_equal(line, 10);
  assert_null(sl__telling_warning("k.cu(9): warning #550-D: variable \"x\" was set but never used\n", &line));
  assert_null(sl__telling_warning(NULL, &line));
}

TEST(unused_variables_are_found_in_the_compilers_words) {
  static const char log[] =
      "kernel.cu(7): warning #177-D: variable \"a\" was declared but never referenced\n\n"
      "kernel.cu(222): warning #550-D: variable \"rank\" was set but never used\n"
      "kernel.cu(31): warning #550-D: variable \"b\" was set but never used\n";
  uint32_t line = 0;
  const char *at = sl__unused_variable(log, &line);
  assert_non_null(at);
  assert_int_equal(line, 222);
  at = sl__unused_variable(at + 1, &line);
  assert_non_null(at);
  assert_int_equal(line, 31);
  assert_null(sl__unused_variable(at + 1, &line));
  assert_null(sl__unused_variable(NULL, &line));
}

// A kernel.cu of lab 01 with these texts in its regions 1 and 2, at lines 2 and 5.
static unsigned of_finding(const char *first, const char *second, const char *clue, json_t *finding) {
  char path[] = "/tmp/clues_XXXXXX";
  FILE *f = fdopen(mkstemp(path), "w");
  const char *const in[] = {first, second, ""};
  for (int k = 0; k < 3; k++)
    fprintf(f, "// TODO(lab01.%d, ~1 line): x\n%s\n// END TODO(lab01.%d)\n", k + 1, in[k], k + 1);
  fclose(f);
  sl_error e = {0};
  json_auto_t *clues = json_pack("[o]", parsed(clue)), *record = json_object(),
              *findings = finding ? json_pack("[O]", finding) : NULL;
  const sl_lab lab = {.clues = clues, .info = sl_lab_find("01", &e)};
  const sl_ladder ladder = {.lab = &lab, .failed = &the_trial, .kernel = path};
  const unsigned region = sl__clue_region(&ladder, record, findings);
  unlink(path);
  return region;
}

static unsigned of_source(const char *first, const char *second, const char *clue) {
  return of_finding(first, second, clue, NULL);
}

TEST(a_clue_may_name_a_word_that_its_region_lacks) {
  static const char clue[] = "{'region': 2, 'lacks': 'shift'}";
  assert_int_equal(of_source("x >> shift;", "x & 1;", clue), 2);
  assert_int_equal(of_source("x >> shift;", "x >> shift & 1;", clue), 0);
  assert_int_equal(of_source("x >> shift;", "x >> my_shift2;", clue), 2);
  assert_int_equal(of_source("x >> shifts;", "x;", clue), 0); // nobody has it
  assert_int_equal(of_source("x;", "y;", "{'region': 2, 'omits': 'shift'}"), 2);
  assert_int_equal(of_source("x;", "y >> shift;", "{'region': 2, 'omits': 'shift'}"), 0);
}

TEST(a_clue_may_name_a_word_that_its_region_has) {
  static const char clue[] = "{'region': 2, 'has': 'return'}";
  assert_int_equal(of_source("x;", "if (t < 1) return;", clue), 2);
  assert_int_equal(of_source("return;", "returned++;", clue), 0);
  assert_int_equal(of_source("x", "return;", "{'region': 2, 'has': 'return', 'lacks': 'x'}"), 2);
  assert_int_equal(of_source("y", "return;", "{'region': 2, 'has': 'return', 'lacks': 'x'}"), 0);
  assert_int_equal(of_source("if (t < n) x;", "y;", "{'region': 2, 'has': 'n', 'in': 1}"), 2);
  assert_int_equal(of_source("x;", "y < n;", "{'region': 2, 'has': 'n', 'in': 1}"), 0);
  static const char guard[] = "{'region': 2, 'has': '< n', 'in': 1}"; // blanks do not count
  assert_int_equal(of_source("if (t < n) x;", "y;", guard), 2);
  assert_int_equal(of_source("if (t<n) x;", "y;", guard), 2);
  assert_int_equal(of_source("x[p * n + t];", "y;", guard), 0);
  assert_int_equal(of_source("if (t < nn) x;", "y;", guard), 0);
}

TEST(a_clue_may_ask_where_the_second_place_is) {
  static const char clue[] = "{'region': 1, 'finding': 'race.shared', 'second': 2}";
  for (int line = 2; line <= 5; line += 3) {
    json_auto_t *finding = json_pack("{s:s, s:{s:i}}", "id", "race.shared", "other", "line", line);
    assert_int_equal(of_finding("x;", "y;", clue, finding), line == 5 ? 1 : 0);
  }
  static const char both[] = "{'region': 1, 'finding': 'race.shared', 'first': 1, 'second': 2}";
  for (int line = 2; line <= 5; line += 3) {
    json_auto_t *finding =
        json_pack("{s:s, s:i, s:{s:i}}", "id", "race.shared", "line", line, "other", "line", 5);
    assert_int_equal(of_finding("x;", "y;", both, finding), line == 2 ? 1 : 0);
  }
  json_auto_t *alone = json_pack("{s:s}", "id", "race.shared");
  assert_int_equal(of_finding("x;", "y;", clue, alone), 0);
}

TEST(a_clue_may_ask_for_a_finding_that_is_told_later) {
  const sl_ladder ladder = {
      .lab = &(sl_lab){.clues = json_pack("[{s:i, s:s, s:{s:s, s:s}}]", "region", 5, "finding", "race.*",
                                          "also", "finding", "memory.*", "object", "c->*")},
      .failed = &the_trial};
  json_t *record = json_object(),
         *findings = json_pack("[{s:s, s:{s:s}}]", "id", "race.global", "array", "text", "c->published"),
         *late = json_pack("{s:s, s:{s:s}}", "id", "memory.uninit", "array", "text", "c->published");
  assert_int_equal(sl__clue_region(&ladder, record, findings), 0);
  json_array_append_new(findings, late);
  assert_int_equal(sl__clue_region(&ladder, record, findings), 5);
  json_decref(findings);
  json_decref(record);
  json_decref(ladder.lab->clues);
}

TEST(a_clue_may_ask_for_facts_of_the_finding) {
  static const char clue[] = "{'region': 3, 'finding': '*', 'access': 'read', 'mend': 'barrier*'}";
  one_call_of(33);
  assert_int_equal(region_of(clue, "{}", "{'id': 'x', 'access': 'read', 'mend': 'barrier'}"), 3);
  assert_int_equal(region_of(clue, "{}", "{'id': 'x', 'access': 'read', 'mend': 'writer'}"), 0);
  assert_int_equal(region_of(clue, "{}", "{'id': 'x', 'mend': 'barrier'}"), 0);
}

TEST(a_finding_may_be_met_once_or_often) {
  static const char clue[] = "{'region': 3, 'finding': '*', 'often': true}";
  one_call_of(33);
  assert_int_equal(region_of(clue, "{}", "{'id': 'memory.bounds', 'count': 2}"), 3);
  assert_int_equal(region_of(clue, "{}", "{'id': 'memory.bounds', 'count': 1}"), 0);
}

TEST(a_launch_may_have_more_blocks_than_the_lab) {
  static const char clue[] = "{'region': 4, 'finding': '*', 'blocks': 1}";
  one_call_of(33);
  assert_int_equal(region_of(clue, "{}", "{'id': 'race.global', 'grid': [2, 1, 1]}"), 4);
  assert_int_equal(region_of(clue, "{}", "{'id': 'race.global', 'grid': [1, 1, 1]}"), 0);
}

TEST(what_is_not_known_matches_nothing) {
  one_call_of(33);
  assert_int_equal(region_of("{'region': 3, 'counter': '*'}", "{}", NULL), 0);
  assert_int_equal(region_of("{'region': 3, 'counter': '*'}", "{'counter': 'adds'}", NULL), 3);
}
