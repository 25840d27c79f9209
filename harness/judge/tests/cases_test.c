// Unit tests of lab descriptions: what the loader makes of a right one, and what it says of wrong ones.

#include "base/unit.h"
#include "judge/cases.h"
#include "judge/input.h"
#include "judge/named.h"
#include "judge/run.h"

static char file[] = "/tmp/cases_test_XXXXXX";

static int make_file(void **) {
  int fd = mkstemp(file);
  return fd < 0 || close(fd);
}

static int remove_file(void **) { return unlink(file); }

static sl_lab *load(const char *text, sl_error *e) {
  SL_FREED char *json = json_text(text);
  *e = (sl_error){0};
  if (!sl_write_file(file, json, strlen(json), e)) fail_msg("%s", e->text);
  return sl_lab_load(file, e);
}

static sl_lab *load_right(const char *text) {
  sl_error e;
  sl_lab *lab = load(text, &e);
  if (!lab) fail_msg("%s", e.text);
  return lab;
}

// A lab around the text of its parts, of the cases of one part, of one case, of what one counts, of clues.
#define LAB(name, parts) "{'lab': '" name "', 'points': 10, 'parts': [" parts "]}"
#define PART(fields, cases) "{'id': 'p', 'points': 10, 'kind': 'correct'" fields ", 'cases': [" cases "]}"
#define CASE(name, members) LAB(name, PART("", "{'id': 'a', 'n': 1, " members "}"))
#define KIND(name, kind, members)                                                                            \
  LAB(name, "{'id': 'p', 'points': 10, 'kind': '" kind "', 'cases': [{'id': 'a', 'n': " members "}]}")
#define COUNTERS(expect) KIND("03", "counters", "1, 'expect': {" expect "}")
#define HINTED(members) "{'lab': '03', 'points': 0, 'hints': {'1': 'a'}, " members "}"
#define CLUE(members) HINTED("'clues': [{'region': 1, " members "}]")

// Every key is called with, with values or without, by every number of bits, each once.
static void expect_every_kind_of_sort(unsigned bits, unsigned widths) {
  const sl_case of = {.entry = SL_ENTRY_SORT, .bits = bits, .seed = 605, .n = 2};
  unsigned called[SL_AFFINE + 1][2][9] = {0}, n = 0;
  sl_kind_name name;
  sl_case c;
  for (; sl__kind(&of, n, &c, name); n++) assert_int_equal(++called[c.type][c.values][c.bits], 1);
  assert_int_equal(n, 6 * widths);
}

// Each call has another operator or type than the one before: what that left behind is of no use.
TEST(every_kind_of_scan_follows_another) {
  const sl_case of = {.entry = SL_ENTRY_SCAN, .seed = 506, .n = 2};
  unsigned called[SL_OP_COUNT][SL_AFFINE + 1][2] = {0}, n = 0;
  sl_kind_name name;
  sl_case c, before = {0};
  for (; sl__kind(&of, n, &c, name); before = c, n++) {
    assert_int_equal(++called[c.op][c.type][c.kind == SL_INCLUSIVE], 1);
    assert_true(n == 0 || c.op != before.op || c.type != before.type);
  }
  assert_int_equal(n, 14);
}

TEST(every_kind_of_sort_is_called) {
  expect_every_kind_of_sort(8, 7);
  expect_every_kind_of_sort(1, 1);
}

TEST(a_right_lab_is_read) {
  sl_error e = {0};
  SL_LAB_FREED sl_lab *lab = load_right(
      "{'lab': '05_arbitrary_size', 'title': 'T', 'file': 'kernel.cu', 'points': 30, 'parts': [{'id': 'a', "
      "'title': 'A', 'points': 20, 'kind': 'correct', 'defaults': {'type': 'i32', 'scan': 'inclusive', "
      "'seed': 9, 'dist': 'uniform'}, 'cases': [{'id': 'n{n}x', 'n': [0, 1, 4194305], 'also': [33, 0]}, "
      "{'id': 'c', 'n': 7, 'type': 'affine', 'op': 'compose', 'dist': 'affine_random', 'calls': 3, 'points': "
      "5, 'timeout': 7}]},{'id': 'b', 'points': 10, 'kind': 'counters', 'cases': [{'id': 'k', 'n': 8, "
      "'expect': {'adds': {'max': 14}, 'launches': {'equal': 1}}}]}]}");
  assert_string_equal(lab->info->number, "05");
  assert_int_equal(lab->n_parts, 2);
  assert_int_equal(lab->parts[0].n_cases, 4);
  const sl_case *c = sl_lab_case(lab, "a.n4194305x", &e);
  assert_non_null(c);
  assert_true(c->n == 4194305 && c->type == SL_I32 && c->kind == SL_INCLUSIVE && c->seed == 9 &&
              c->points == 5);
  assert_true(c->n_also == 2 && c->also[0] == 33 && c->also[1] == 0 && c->calls == 1 &&
              c->part == &lab->parts[0]);
  assert_string_equal(c->dist, "uniform");
  c = sl_lab_case(lab, "a.c", &e);
  assert_true(c->type == SL_AFFINE && c->op == SL_COMPOSE && c->calls == 3 && c->points == 5 &&
              c->timeout == 7);
  c = sl_lab_case(lab, "b.k", &e);
  const sl_allowed adds = sl_expect_at(&c->expect[0], 8), launches = sl_expect_at(&c->expect[1], 8);
  assert_true(c->n_expect == 2 && adds.min == 0 && adds.max == 14 && adds.none == 17);
  assert_true(launches.min == 1 && launches.max == 1 && launches.none == 2);
  assert_true(sl_case_runs_on(c, "sim") && !sl_case_runs_on(c, "gpu"));
  char name[128];
  assert_string_equal(sl_test_name(lab, c, "sim", name, sizeof name), "05.b.k.sim");
  assert_null(sl_lab_case(lab, "a.d", &e));
  assert_int_equal(e.code, SL_EXIT_USAGE);
}

// Drawn sizes lie in their ranges, are the same for the same seed, and follow the salt of a grading.
TEST(sizes_are_drawn) {
  SL_LAB_FREED sl_lab *lab = load_right(CASE("03", "'draw': [[5, 5], [10, 2000]]"));
  sl_case c = lab->parts[0].cases[0], salted = c;
  assert_true(c.n_draw == 2 && sl_case_drawn(&c, 0) == 5 && sl_case_has_companions(&c));
  assert_in_range(sl_case_drawn(&c, 1), 10, 2000);
  assert_int_equal(sl_case_largest(&c), 2000);
  assert_true(sl_case_salt(&salted, "0123456789abcdef"));
  assert_int_equal(sl_case_drawn(&c, 1), sl_case_drawn(&lab->parts[0].cases[0], 1));
  assert_int_not_equal(sl_case_drawn(&c, 1), sl_case_drawn(&salted, 1));
}

static void same_numbers(const sl_numbers *found, const char *want) {
  char text[256] = "";
  for (unsigned k = 0; k < found->n; k++)
    sl_append(text, sizeof text, " ", "%llu", (unsigned long long)found->at[k]);
  assert_string_equal(text, want);
}

static void numbers_are(const char *source, const char *want) {
  sl_numbers found = {0};
  sl_numbers_in(source, strlen(source), &found);
  same_numbers(&found, want);
}

TEST(numbers_of_a_source) {
  numbers_are("if (t < n - (n == 777)) out[t] = s[t];", "777");
  numbers_are("x1 = 30'000u; y_2 = 0x10 / 0b11;", "30000 16 3 5");
  numbers_are("// 7 */ 8\n/* 9\n// */ 5 \"6 \\\" 7\" '4'", "5 52");
  numbers_are("n == 700 + 77", "700 77 777");
  numbers_are("(3 * 1024) - 1, 1 << 20, (1) << (33)", "3 1024 3072 1 3071 20 1048576 33");
  numbers_are("1e5 + 0.5f, 1.0f, -2, 5000000000, 1.5e3", "100000 1 2 1500");
  numbers_are("a - 5 b 6 / * 7 - - 8 9", "5 6 7 8 9");
  numbers_are("1 - 2 12 \" 3", "1 2 0 12");
  numbers_are("/* 4", "");
  numbers_are("#define A 37\n#define B A * 29\nn == B - 1", "37 29 1073 1 1072");
  numbers_are("enum { A = 7, B = A + 70 }; x = B;", "7 70 77");
  numbers_are("const int a = 5, b = 6 / 2; int c = 9; a * b, c + 1", "5 6 2 3 9 15 1");
  numbers_are("const int lane = t % 32; lane * 2048", "32 2048"); // no constant
  numbers_are("'M' * 11, 7 | 8, 9 ^ 1, 40 >> 2", "77 11 847 7 8 15 9 1 40 2 10");
}

TEST(numbers_of_a_ptx) {
  sl_numbers found = {0};
  sl_numbers_of_ptx(
      "\tsetp.eq.s32 \t%p1, %r1, 777;\nsetp.gt.u32 %p2, %r2, 15;\n\tadd.s32 %r3, %r3, 55;\n"
      "\tsetp.lt.u32 %p1, %r1, 95;\n\tsetp.ne.s64 %p1, %rd1, -4242;\n\tsetp.eq.f32 %p1, %f1, 0f42280000;\n",
      &found);
  same_numbers(&found, "777 4242 42"); // those near a multiple of 32 end loops
}

// Of too many numbers none is left out for certain.
TEST(numbers_are_drawn_of_a_flood) {
  unsigned times = 0;
  for (uint64_t key = 0; key < 64; key++) {
    sl_numbers s = {.key = key};
    for (uint64_t c = 0; c < 2 * SL_MOST_NUMBERS; c++) sl__add_number(&s, c);
    assert_int_equal(s.n, SL_MOST_NUMBERS);
    for (unsigned k = 0; k < s.n; k++) times += s.at[k] == SL_MOST_NUMBERS + 7;
  }
  assert_in_range(times, 16, 48);
}

static void sizes_are(sl_named named, uint64_t number, const char *want) {
  const sl_numbers numbers = {.n = 1, .at = {number}};
  sl_numbers sizes = {0};
  sl_sizes_near(&named, &numbers, &sizes);
  same_numbers(&sizes, want);
}

TEST(sizes_near_a_number) {
  sizes_are((sl_named){1, 1024, 0}, 777, "776 777 778");
  sizes_are((sl_named){1, 1024, 0}, 1024, "1023 1024");
  sizes_are((sl_named){1, 1024, 0}, 0, "1");
  sizes_are((sl_named){1, 300000, 2048}, 48, "47 48 49 98304 98305");
  sizes_are((sl_named){1, 300000, 2048}, 32, "31 32 33"); // as many tiles as any kernel may name
  sizes_are((sl_named){5, 300000, 2048}, UINT32_MAX, "");
}

// Four sizes of each pair: of a few tiles, and of more.
TEST(sizes_leave_a_remainder) {
  const sl_named range = {1, 100000, 256};
  const sl_numbers numbers = {.n = 3, .at = {97, 13, 1}}, usual = {.n = 3, .at = {64, 32, 7}};
  sl_numbers sizes = {.key = 5}, none = {0};
  sl_sizes_by_remainder(&range, &numbers, &sizes);
  assert_in_range(sizes.n, 2, 4); // two may be one
  for (unsigned k = 0; k < sizes.n; k++)
    assert_true(sizes.at[k] % 97 == 13 && sizes.at[k] > 97 && sizes.at[k] < 8192 + 97);
  sl_sizes_by_remainder(&range, &usual, &none);
  assert_int_equal(none.n, 0);
}

static void calls_are(sl_named named, const char *dist, const sl_numbers *numbers, const char *want) {
  sl_about_calls calls = {0};
  char text[512] = "";
  sl_calls_about(&named, dist, numbers, &calls);
  for (unsigned k = 0; k < calls.n; k++)
    sl_append(text, sizeof text, k ? " " : "", "%s:%llu", calls.at[k].dist,
              (unsigned long long)calls.at[k].n);
  assert_string_equal(text, want);
}

TEST(calls_about_numbers) {
  const sl_numbers some = {.n = 5, .at = {4242, 3, 777, 255, 0xff800000}},
                   large = {.n = 1, .at = {3000000001}};
  calls_are((sl_named){1, 1024, 0}, "uniform_int", &some, "uniform_int@255,777:512 uniform_int@4242:512");
  calls_are((sl_named){1, 100000, 256}, "sparse", &some, "sparse@255,777:6144 sparse@4242:24576");
  calls_are((sl_named){1, 100000, 2048}, "bits", &large, "bits@3000000001:49152");
  calls_are((sl_named){1, 100000, 2048}, "bits", &(sl_numbers){.n = 1, .at = {15}}, "");
  sl_numbers many = {.key = 1};
  sl_about_calls calls = {0};
  for (uint64_t c = 1000; c < 1200; c++) sl__add_number(&many, c);
  sl_calls_about(&(sl_named){1, 100000, 256}, "bits", &many, &calls);
  assert_int_equal(calls.n, 2);
}

TEST(named_sizes_are_a_range) {
  sl_error e;
  SL_LAB_FREED sl_lab *lab = load(CASE("01", "'named': [5, 900, 64]"), &e);
  assert_non_null(lab);
  const sl_case *c = &lab->parts[0].cases[0];
  assert_true(c->named.from == 5 && c->named.to == 900 && c->named.tile == 64);
  assert_null(load(CASE("01", "'named': [900, 5]"), &e));
  assert_null(load(CASE("01", "'named': [1, 2000]"), &e)); // above 1024
  assert_null(load(CASE("01", "'named': 5"), &e));
}

// The source lies beside the program, whatever the folder is called.
TEST(source_in_an_odd_folder) {
  char folder[] = "/tmp/cases_test_[a]*_XXXXXX";
  assert_non_null(mkdtemp(folder));
  SL_FREED char *runner = sl_path("%s/runner", folder), *source = sl_path("%s/.own.cu", folder);
  sl_error e = {0};
  assert_true(sl_write_file(source, "n == 777", 8, &e) && sl_write_file(runner, "n == 555", 8, &e));
  const sl_judge_job job = {.runner = runner};
  sl_case c = {.n = 1, .named = {1, 1024, 0}};
  sl__add_named(&job, &c);
  unlink(runner), unlink(source), rmdir(folder);
  assert_int_equal(c.n_also, 3);
  assert_int_equal(c.also[0], 776);
}

// A range in parts: a size of each part, and each place within a part once.
TEST(sizes_are_drawn_by_parts) {
  SL_LAB_FREED sl_lab *lab = load_right(CASE("01", "'draw': [[2, 9], [1, 1024, 32], [5, 8, 4]]"));
  sl_case c = lab->parts[0].cases[0];
  const char *salts[] = {"0123456789abcdef", "5555555555555555", "00000000000000ff"};
  assert_int_equal(c.n_draw, 37);
  for (unsigned s = 0; s < 3; s++) {
    uint32_t places = 0;
    assert_true(sl_case_salt(&c, salts[s]));
    for (unsigned k = 0; k < 32; k++) {
      const uint64_t n = sl_case_drawn(&c, 1 + k);
      assert_int_equal((n - 1) / 32, k);
      places |= 1u << n % 32;
    }
    assert_int_equal(places, UINT32_MAX);
    for (unsigned k = 0; k < 4; k++) assert_int_equal(sl_case_drawn(&c, 33 + k), 5 + k);
  }
}

// A case may be followed by others, which make it larger, too.
TEST(cases_follow) {
  SL_LAB_FREED sl_lab *lab = load_right(
      LAB("06", PART(", 'defaults': {'entry': 'sort'}",
                     "{'id': 'a', 'n': 9, 'bits': 2, 'then': ['p.b']},{'id': 'b', 'n': 700, 'bits': 5}")));
  const sl_case *c = &lab->parts[0].cases[0];
  assert_true(c->n_then == 1 && c->then_case[0] == &lab->parts[0].cases[1] && c->then_case[0]->bits == 5);
  assert_string_equal(c->then[0], "p.b");
  assert_true(sl_case_has_companions(c) && sl_case_largest(c) == 700);
  assert_false(sl_case_has_companions(c->then_case[0]));
}

TEST(formulas_are_computed) {
  static const struct {
    const char *text;
    uint64_t n, value;
  } right[] = {{"7", 5, 7},
               {"n", 5, 5},
               {"m", 5, 8},
               {"m", 8, 8},
               {"m + L", 1, 1},
               {"1.25 * (n*L - m + 1)", 1000, 11221},
               {"max(1536, 512 + 2*n)", 300, 1536},
               {"max(1536, 512 + 2*n)", 2048, 4608},
               {" 12 - 2 * 3 / 4 - 1 ", 9, 9},
               {"28000 * n / 65536", 65536, 28000}};
  static const char *const bad[] = {"",    "2 *",     "k",     "(n",  "n)", "1.2.3",    "max(1)", "2 n",
                                    "- 1", "n - 2*n", "n / 0", "1e3", "n;", "max(1, 2", "**",     "0x10 * n"};
  uint64_t value;
  for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
    if (!sl_formula(right[k].text, right[k].n, &value)) fail_msg("refused: %s", right[k].text);
    assert_int_equal(value, right[k].value);
  }
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (sl_formula(bad[k], 1000, &value)) fail_msg("accepted: %s", bad[k]);
  assert_false(sl_formula("9999999999999999999", 1000, &value));
  char deep[2048] = "";
  memset(deep, '(', sizeof deep - 1);
  assert_false(sl_formula(deep, 1000, &value));
}

TEST(bounds_follow_n) {
  const sl_expect x = {"adds", "n", "2 * m", ""}, y = {"adds", "", "n / 2", "n"}, z = {"adds", "3", "", ""};
  sl_allowed b = sl_expect_at(&x, 1000);
  assert_true(b.min == 1000 && b.max == 2048 && b.none == 2560);
  b = sl_expect_at(&y, 100);
  assert_true(b.min == 0 && b.max == 50 && b.none == 100);
  assert_int_equal(sl_expect_at(&y, 0).none, 1); // no bound without a way down from it
  b = sl_expect_at(&z, 7);
  assert_true(b.min == 3 && b.max == UINT64_MAX);
}

// Each row: a wrong description, and what the error must speak of.
static const struct {
  const char *text, *says;
} wrong[] = {
    {"", "end of file"},
    {"{", ":1:1:"},
    {"[]", "expected an object"},
    {"{'lab': '07_x', 'points': 1, 'parts': [1]}", "there is no lab"},
    {"{'lab': '03', 'points': 0, 'hints': []}", "expected an object"},
    {"{'lab': '03', 'points': 0, 'hints': {'2': 'a'}}", "expected texts named"},
    {"{'lab': '03', 'points': 0, 'hints': {'1': ''}}", "expected texts named"},
    {HINTED("'launch': 2"), "\"launch\": expected a whole number"},
    {HINTED("'barriers': 1"), "expected a list"},
    {HINTED("'barriers': [2]"), "expected a whole number"},
    {HINTED("'clues': {}"), "\"clues\": expected a list"},
    {HINTED("'clues': [{'region': 2}]"), "\"region\": expected a whole number"},
    {HINTED("'clues': [{'region': 1, 'fail': 'a'}]"), "fail"},
    {CLUE("'what': '*one writer*'"), "what"}, // words for people are no facts
    {CLUE("'cause': 'wild'"), "no \"cause\" of a finding is 'wild'"},
    {CLUE("'also': '*c->*'"), "\"also\": expected an object"},
    {CLUE("'also': {'mend': 'writers'}"), "no \"mend\" of a finding is 'writers'"},
    {CLUE("'also': {'region': 1}"), "region"},
    {KIND("05", "speed", "9"), "reference"},
    {LAB("05", PART("", "{'id': 'a', 'n': 9, 'reference': {'launches': 1, 'sectors': 4}}")), "reference"},
    {LAB("05", PART("", "{'id': 'a', 'n': 9, 'reference': {'launches': 1}}")), "sectors"},
    {LAB("05", PART("", "{'id': 'a', 'n': 9, 'full': 1.5}")), "at most 1"},
    {LAB("05", PART("", "{'id': 'a', 'n': 9, 'host_bytes': -1}")), "host_bytes"},
    {KIND("05", "speed", "9, 'calls': 2, 'reference': {'launches': 1, 'sectors': 4}"), "one call"},
    {LAB("03", PART("", "{'id': 'a', 'n': 9, 'scalars': [33]}")), "takes no scalars"},
    {LAB("14", PART("", "{'id': 'a', 'n': 9, 'scalars': 33}")), "a list of at most 4"},
    {LAB("14", PART("", "{'id': 'a', 'n': 9, 'scalars': [3.5]}")), "whole numbers"},
    {LAB("14", PART("", "{'id': 'a', 'n': 9, 'scalars': [1, 2, 3, 4, 5]}")), "at most 4"},
    {"{'lab': '03', 'pionts': 1}", "pionts"},
    {"{'lab': '03', 'lab': '04'}", "duplicate"},
    {LAB("03", ""), "not empty"},
    {LAB("03", PART("", "")), "not empty"},
    {LAB("03", PART("", "{'n': 1}")), "are needed"},
    {LAB("03", PART("", "{'id': 'a'}")), "are needed"},
    {LAB("03", PART("", "{'id': 'a b', 'n': 1}")), "an id is"},
    {LAB("03", PART("", "{'id': '../a', 'n': 1}")), "an id is"},
    {LAB("03", PART("", "{'id': 'a', 'n': [1, 2]}")), "twice"},
    {LAB("03", PART("", "{'id': 'a', 'n': []}")), "not empty"},
    {LAB("03", PART(", 'title': 7", "{'id': 'a', 'n': 1}")), "\"title\""},
    {LAB("03", PART(", 'defaults': []", "{'id': 'a', 'n': 1}")), "\"defaults\""},
    {LAB("03", PART("", "{'id': 'a', 'n': -1}")), "whole number"},
    {LAB("03", PART("", "{'id': 'a', 'n': 1.5}")), "whole number"},
    {LAB("03", PART("", "{'id': 'a', 'n': 2049}")), "0 to 2048"},
    {LAB("03", PART("", "{'id': 'a', 'n': 4, 'also': [2049]}")), "0 to 2048"},
    {CASE("03", "'dits': 'ones'"), "dits"},
    {CASE("03", "'dist': 'onse'"), "onse"},
    {CASE("03", "'type': 'i32'"), "not what lab 03_blelloch computes"},
    {CASE("05", "'type': 'i32', 'op': 'compose'"), "no operator compose on i32"},
    {CASE("05", "'op': 'max', 'check': 'rounding'"), "sums of f32"},
    {CASE("05", "'entry': 'sort'"), "no entry"},
    {CASE("06", "'values': true"), "belong to the entry"},
    {CASE("06", "'entry': 'sort', 'bits': 9"), "from 1 to 8"},
    {CASE("03", "'calls': 0"), "from 1 to 64"},
    {CASE("03", "'schedules': 'seed=1'"), "a list of schedules"},
    {CASE("03", "'schedules': ['sede=1']"), "no 'sede'"},
    {CASE("03", "'schedules': ['order=in', 3]"), "a list of a few words"},
    {CASE("03", "'points': 3"), "they are 3, it has 10"},
    {COUNTERS("'either': {'adds': {'max': 1}}, 'atomics': {'max': 1}"), "\"either\" behind them"},
    {COUNTERS("'adds': {'max': '2 * k'}"), "a short formula of n, m and L"},
    {COUNTERS("'adds': {'max': '2 * n', 'none': 'n'}"), "\"none\" above it"},
    {CASE("03", "'expect': {'adds': {'max': 1}}"), "one of kind \"correct\" may bound \"lone_warp\""},
    {CASE("03", "'also': [[5]]"), "[size, times in a row]"},
    {CASE("03", "'also': [[5, 1]]"), "from 2 to"},
    {CASE("03", "'also': [[5, 2]]"), "belong to kind \"clean\""},
    {CASE("03", "'draw': [[5, 3]]"), "from 5 to"},
    {CASE("03", "'draw': [5, 3]"), "ranges of sizes"},
    {CASE("03", "'draw': [[5, 2049]]"), "0 to 2048"},
    {CASE("03", "'draw': [[1, 100, 3]]"), "a power of 2"},
    {CASE("03", "'draw': [[1, 100, 64], [5, 6]]"), "at most 64 sizes"},
    {CASE("03", "'then': 'p.b'"), "names of cases"},
    {CASE("03", "'then': [3]"), "names of cases"},
    {CASE("03", "'then': ['p.b']"), "no case \"p.b\""},
    {CASE("03", "'then': ['p.a']"), "a \"then\" of its own"},
    {LAB("03", PART(", 'needs': 'p.a'", "{'id': 'a', 'n': 1}")), "\"needs\": expected a list"},
    {LAB("03", PART(", 'whole': 1", "{'id': 'a', 'n': 1}")), "\"whole\": expected true or false"},
    {LAB("03", PART(", 'needs': ['p.b']", "{'id': 'a', 'n': 1}")), "no case \"p.b\""},
    {CASE("03", "'expect': {'adds': {'max': 1}}"), "belongs to every case"},
    {KIND("03", "counters", "1"), "belongs to every case"},
    {COUNTERS("'ads': {'max': 1}"), "unknown counter \"ads\""},
    {KIND("03", "corect", "1"), "corect"},
    {LAB("03", "{'id': 'p', 'points': 9, 'kind': 'correct', 'cases': [{'id': 'a', 'n': 1}]}"),
     "they are 9, it has 10"},
    {LAB("03", PART("", "{'id': 'a', 'n': 1}") "," PART("", "{'id': 'a', 'n': 1}")), "there twice"},
    {LAB("03",
         PART("", "{'id': 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{n}', 'n': 1000}")),
     "at most 63"}, // in full
};

TEST(wrong_labs_are_refused) {
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    sl_error e;
    SL_LAB_FREED sl_lab *lab = load(wrong[k].text, &e);
    if (lab) fail_msg("accepted: %s", wrong[k].text);
    if (!strstr(e.text, wrong[k].says))
      fail_msg("expected \"%s\" in \"%s\" for %s", wrong[k].says, e.text, wrong[k].text);
    if (!strstr(e.text, file)) fail_msg("the error does not name the file: %s", e.text);
    assert_int_equal(e.code, SL_EXIT_INPUT);
  }
  sl_error e = {0};
  assert_null(sl_lab_load("/no/such/lab.json", &e));
  assert_int_equal(e.code, SL_EXIT_INPUT);
}

TEST(every_lab_of_the_course_is_read) {
  unsigned found = 0;
  for (const sl_lab_info *info = sl_labs; info->name; info++) {
    sl_error e = {0};
    SL_FREED char *path = sl_path("%s/labs/%s/lab.json", SL_SOURCE_FOLDER, info->name);
    SL_LAB_FREED sl_lab *lab = sl_lab_load(path, &e);
    if (!lab) fail_msg("%s", e.text);
    assert_true(lab->points == 100 && lab->info == info);
    for (size_t k = 0; k < lab->n_parts; k++) // results are made by kernels: no case needs a byte on the host
      for (size_t l = 0; l < lab->parts[k].n_cases; l++)
        assert_int_equal(lab->parts[k].cases[l].host_bytes, 0);
    found++;
  }
  assert_true(found >= 6);
}

TEST(labs_are_found_by_any_name) {
  static const char *const names[] = {"3", "03", "03_blelloch", "blelloch"};
  sl_error e = {0};
  for (int k = 0; k < 4; k++) assert_string_equal(sl_lab_find(names[k], &e)->number, "03");
  assert_null(sl_lab_find("7", &e)); // nor is it 17
  e.code = 0;
  assert_null(sl_lab_find("03_bleloch", &e));
  assert_non_null(strstr(e.hint, "03_blelloch"));
  assert_int_equal(e.code, SL_EXIT_USAGE);
}

TEST(inputs_differ_from_call_to_call) {
  sl_case c;
  sl_error e = {0};
  sl_source s;
  sl_input a, b, again;
  sl_case_init(&c, sl_lab_find("06", &e));
  c.values = true;
  assert_true(sl_source_open(&s, &c, NULL, &e));
  assert_true(sl_source_take(&s, 100, 0, &a, &e) && sl_source_take(&s, 100, 1, &b, &e) &&
              sl_source_take(&s, 100, 0, &again, &e));
  assert_memory_equal(a.data, again.data, 400);
  assert_memory_equal(a.values, again.values, 400);
  assert_memory_not_equal(a.data, b.data, 400);
  sl_input_free(&a);
  sl_input_free(&b);
  sl_input_free(&again);
  sl_source_close(&s);
}

TEST(a_process_loads_a_dataset_once) {
  sl_case c;
  sl_error e = {0};
  sl_source first, second;
  sl_input in;
  sl_case_init(&c, sl_lab_find("03", &e));
  snprintf(c.dataset, sizeof c.dataset, "block_f32");
  assert_true(sl_source_open(&first, &c, NULL, &e) && sl_source_open(&second, &c, NULL, &e));
  assert_ptr_equal(second.whole.data, first.whole.data);
  sl_source_close(&first);
  assert_true(sl_source_take(&second, 1024, 0, &in, &e));
  assert_memory_equal(in.data, second.whole.data, 4096);
  sl_input_free(&in);
  sl_source_close(&second);
}

TEST(exact_inputs_are_known) {
  float x[4] = {1, -2, 16777214, 1};
  assert_true(sl_input_exact(x, 4));
  x[0] = 4;
  assert_false(sl_input_exact(x, 4));
  x[0] = 0.5f;
  assert_false(sl_input_exact(x, 4));
  x[0] = 0.0f / 0.0f;
  assert_false(sl_input_exact(x, 4));
  assert_true(sl_input_exact(x, 0));
  const float most[4] = {0, 0x1p24f, -0x1p24f, 0};
  assert_true(sl_input_exact(most, 4));
}

// INT_MAX stands in many sources: its lowest 24 bits are the greatest sum that is about a number.
TEST(sums_about_a_number_are_exact) {
  static const char *const about[] = {"uniform_int@2147483647", "uniform_int@16777215,4294967295",
                                      "uniform_int@8388608,16777216,2147483648", "uniform_int@0,1"};
  for (size_t k = 0; k < sizeof about / sizeof *about; k++) {
    sl_case c = {.type = SL_F32, .n = 4096, .seed = 7 + k, .calls = 1};
    snprintf(c.dist, sizeof c.dist, "%s", about[k]);
    sl_source s;
    sl_input in;
    sl_error e = {0};
    assert_true(sl_source_open(&s, &c, NULL, &e) && sl_source_take(&s, 4096, 0, &in, &e));
    if (!sl_input_exact(in.data, 4096)) fail_msg("%s", about[k]);
    sl_input_free(&in);
    sl_source_close(&s);
  }
}

int main(void) { return RUN_TESTS(make_file, remove_file); }
