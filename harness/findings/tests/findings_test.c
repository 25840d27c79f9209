// Names, source lines, blocks of text, JSON: what a finding looks like, with good and with hostile contents.
#include <sys/time.h>

#include "base/unit.h"
#include "base/test_folder.h"
#include "findings/findings.h"

static char file[128];

static void write_source(const char *text) {
  sl_error e = {0};
  if (!sl_write_file(file, text, strlen(text), &e)) fail_msg("%s", e.text);
}

static int setup(void **state) {
  if (make_folder(state)) return -1;
  snprintf(file, sizeof file, "%s/kernel.cu", dir);
  return 0;
}

static sl_finding race(void) {
  sl_finding f = {
      .id = SL_FOUND_RACE_SHARED,
      .kernel = "_Z4scanPKfPfi",
      .line = 2,
      .other_line = 2,
      .thread = {127},
      .other_thread = {255},
      .count = 1,
      .what = "race on " SL_THE_OBJECT ": read here",
      .me = {"reader", "ld.shared.u32", 9, 2},
      .other = {"writer", "st.shared.u32", 9, 1},
      .launch = 3,
      .shared_bytes = 2048,
      .grid = {4, 1, 1},
      .threads = {256, 1, 1},
      .object = {.space = "shared", .name = "temp", .index = 511, .elem = 4, .bytes = 4, .size = 2048}};
  snprintf(f.file, sizeof f.file, "%s", file);
  snprintf(f.other_file, sizeof f.other_file, "%s", file);
  return f;
}

static void has(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text);
}

// The text of one finding; freed by the next call.
static const char *told(const sl_finding *f, const sl_telling *t) {
  static char *text;
  free(text);
  return text = f ? sl_findings_text(f, 1, t) : NULL;
}

// What programs compare stands beside the words, and only where it is known.
TEST(facts_have_keys_of_their_own) {
  sl_finding f = race();
  SL_FREED char *plain = sl_finding_json(&f, NULL);
  f.mend.how = SL_MEND_LOOP_END, f.cause = SL_CAUSE_FAR, f.object.access = SL_DID_WRITE;
  SL_FREED char *full = sl_finding_json(&f, NULL);
  for (sl_trait k = 0; k < SL_TRAITS; k++) {
    SL_FREED char *key = sl_path("\"%s\":", sl_trait_keys[k]);
    assert_null(strstr(plain, key));
  }
  has(full, "\"access\": \"write\", \"cause\": \"far\", \"mend\": \"barrier.loop_end\"");
  assert_string_equal(sl_trait_word(SL_TRAIT_CAUSE, 1u << 31), "");
  assert_true(sl_trait_exists(SL_TRAIT_CAUSE, "stream*") && !sl_trait_exists(SL_TRAIT_CAUSE, "wild"));
}

TEST(test_demangle) {
  static const char *const NAMES[][2] = {{"_Z4scanPKfPfi", "scan"},
                                         {"_Z4scanIfLi8EEvPKT_PS0_i", "scan<float, 8>"},
                                         {"_ZN3cub6detail4scanIfiEEvPT_", "cub::detail::scan<float, int>"},
                                         {"_ZN12_GLOBAL__N_14scanEPf", "(anonymous namespace)::scan"},
                                         {"_ZZ4scanPKfPfiE6s_data", "s_data"},
                                         {"_ZZ4scanIfEvPKT_PS0_iE4temp", "temp"},
                                         {"_ZZN2ns4scanEPKfPfiE4temp", "temp"},
                                         {"_ZZ8multiplyILi16EEvPfPKfS2_iiE2As", "As"},
                                         {"_ZZ8multiplyILi16EEvPfPKfS2_iiE4tile_0", "tile"},
                                         {"_ZZ1kPiE5state_$_1", "state"},
                                         {"_Z3addIjLb1E5PlusFEvv", "add<unsigned int, true, PlusF>"},
                                         {"_Z1fI4PairIfiES1_EvT_", "f<Pair<float, int>, Pair<float, int>>"},
                                         {"_Z1fIPKcEvT_", "f<const char*>"},
                                         {"d_total", "d_total"},
                                         {"_ZL7d_table", "d_table"},
                                         {"_Z", "_Z"},
                                         {"_Z99short", "_Z99short"},
                                         {"_ZN", "_ZN"},
                                         {"_Z1fIXadL_Z1gvEEEvv", "_Z1fIXadL_Z1gvEEEvv"},
                                         {"", ""}};
  char out[256];
  for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
    assert_string_equal(sl_demangle(NAMES[k][0], out, sizeof out), NAMES[k][1]);
  char deep[4096] = "_Z1fI";
  for (int k = 0; k < 1000; k++) strcat(deep, "PK");
  assert_string_equal(sl_demangle(deep, out, sizeof out), strncpy((char[256]){0}, deep, 255));
}

TEST(pointers_to_int_are_told_from_others) {
  static const char kernel[] =
      "_Z11scan_kernelPKjPKiPiPK4partmi"; // unsigned, int, int, part, unsigned long, int
  for (int k = -1; k < 8; k++) assert_int_equal(sl_param_is_int(kernel, k), k == 1 || k == 2);
  assert_true(sl_param_is_int("_ZN12_GLOBAL__N_14scanEPfPi", 1)); // (anonymous namespace)::scan
  assert_false(sl_param_is_int("_ZN12_GLOBAL__N_14scanEPfPi", 0));
  assert_true(sl_param_is_int("_Z4scanI4PairIfiEEvPT_Pi", 1));
  assert_false(sl_param_is_int("_Z4scanPPi", 0)); // pointers to pointers
  assert_false(sl_param_is_int("scan", 0));
}

TEST(test_block) {
  sl_finding f = race();
  sl_telling t = {0};
  strcpy(f.replay, "scanlab sim -- ./a");
  write_source("// one\n\ttemp[bi] += temp[ai];\n");
  const char *text = told(&f, &t);
  has(text, "/kernel.cu:2:9: error[race.shared]: race on shared temp[511]: read here\n");
  has(text, "     2 |         temp[bi] += temp[ai];\n       |                ^\n");
  has(text, "  reader  block (0,0,0) thread (127,0,0)  ld.shared.u32  line 2, loop trip 2\n");
  has(text, "  writer  block (0,0,0) thread (255,0,0)  st.shared.u32  line 2, loop trip 1\n");
  has(text, "  kernel  scan<<<4,256,2048>>>  launch 3\n");
  has(text, "  why     Nothing orders");
  has(text, "  do      Put __syncthreads()");
  has(text, "  read    docs/reference/findings/race.shared.md\n");
  has(text, "  replay  ./scanlab sim -- ./a\n");
  assert_null(strstr(text, "\033"));
  t.colour = true;
  has(told(&f, &t), "\033[1;31merror[race.shared]:\033[0m");
}

TEST(test_lines) {
  sl_finding f = race();
  sl_telling t = {0};
  char text[600];
  memset(text, 'a', 300), strcpy(text + 300, "\nX");
  memset(text + 302, 'b', 250), text[552] = 0, text[301] = '\x1b';
  write_source(text);
  f.line = f.other_line = 2, f.me.col = 200;
  has(told(&f, &t), "| ...bbb");
  assert_null(strchr(told(&f, &t), '\x1b'));
  f.me.col = 100000; // past the end of the line
  told(&f, &t);
  f.line = 7; // past the end of the file
  assert_null(strstr(told(&f, &t), "    7 |"));
  unlink(file);
  has(told(&f, &t), "error[race.shared]");
  f.file[0] = 0, f.line = 0;
  assert_memory_equal(told(&f, &t), "error[race.shared]: ", 20);
}

TEST(test_changed_or_foreign) {
  sl_finding f = race();
  char program[160], other[160];
  snprintf(program, sizeof program, "%s/program", dir);
  snprintf(other, sizeof other, "%s/other.cu", dir);
  write_source("// one\nint x;\n");
  assert_true(sl_write_file(program, "", 0, NULL));
  struct timeval old[2] = {{1000, 0}, {1000, 0}};
  assert_int_equal(utimes(program, old), 0);
  sl_telling t = {.program = program};
  assert_null(strstr(told(&f, &t), "int x"));
  t = (sl_telling){.source = other};
  assert_null(strstr(told(&f, &t), "int x"));
  t.source = "";
  assert_null(strstr(told(&f, &t), "int x"));
  t.source = file;
  has(told(&f, &t), "int x");
  snprintf(other, sizeof other, "%s/", dir);
  snprintf(f.file, sizeof f.file, "/somewhere/else/kernel.cu");
  t.source = other;
  has(told(&f, &t), "int x");
  assert_memory_equal(told(&f, &t), "kernel.cu:2", 11);
  unlink(program);
}

TEST(test_parameter) {
  sl_finding f = race();
  char out[256];
  write_source("// scan(int a, int b);\nvoid scan(int *u, int *v, int w);\n"
               "__global__ void __launch_bounds__(256) scan(const float *d_in, /* , */ float *__restrict__ "
               "d_out, int n = 3) {}\n");
  f.object = (sl_object){.space = "global", .index = -1, .elem = 4, .argument = 2, .n_params = 3};
  assert_string_equal(sl_finding_object(&f, NULL, out, sizeof out), "d_out[-1]");
  f.object.n_params = 4;
  assert_string_equal(sl_finding_object(&f, NULL, out, sizeof out), "element -1 of argument 2 of the kernel");
  write_source("template <class T, int N> __global__ void scan(T (*d_in)[4], S<T, 3> *d_out, int)");
  f.object.n_params = 3;
  assert_string_equal(sl_finding_object(&f, NULL, out, sizeof out), "d_out[-1]");
  f.object.argument = 3;
  assert_string_equal(sl_finding_object(&f, NULL, out, sizeof out), "element -1 of argument 3 of the kernel");
  write_source("__global__ void scan(");
  sl_finding_object(&f, NULL, out, sizeof out);
}

TEST(members_of_structs_have_their_names) {
  static const char source[] =
      "struct chain {\n  uint32_t ticket; // next\n  uint32_t published;\n  uint32_t prefix[1];\n};\n"
      "typedef struct part { unsigned char flag, *p; long long n[2]; } part;\n"
      "__global__ void scan(const uint32_t *in, chain *c, part *parts) {\n"
      "  __shared__ part s[4], last;\n  __shared__ part one;\n  __shared__ uint32_t words[4];\n}\n";
  static const struct {
    sl_object o;
    const char *want;
  } rows[] = {
      {{.space = "global", .index = 1, .elem = 4, .argument = 2, .n_params = 3, .size = 16}, "c->published"},
      {{.space = "global", .index = 4, .elem = 4, .argument = 2, .n_params = 3, .size = 16}, "c->prefix[2]"},
      {{.space = "global", .index = 2, .elem = 4, .argument = 1, .n_params = 3, .size = 16}, "in[2]"},
      {{.space = "global", .index = -1, .elem = 4, .argument = 2, .n_params = 3, .size = 16}, "c[-1]"},
      {{.space = "global", .index = 4, .elem = 8, .argument = 3, .n_params = 3, .size = 320},
       "parts[1].flag"},
      {{.space = "global", .index = 3, .elem = 8, .argument = 3, .n_params = 3, .size = 32}, "parts->n[1]"},
      {{.space = "shared", .name = "s", .index = 17, .elem = 8, .size = 128}, "shared s[4].p"},
      {{.space = "shared", .name = "one", .index = 2, .elem = 8, .size = 32}, "shared one.n[0]"},
      {{.space = "shared", .name = "words", .index = 2, .elem = 4, .size = 16}, "shared words[2]"},
  };
  sl_finding f = race();
  char out[256];
  write_source(source);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    f.object = rows[k].o;
    assert_string_equal(sl_finding_object(&f, NULL, out, sizeof out), rows[k].want);
  }
}

// What cannot be read is told by its index, and nothing is read behind the text's end.
TEST(structs_that_cannot_be_read_have_no_members) {
  static const char *const SOURCES[] = {
      "struct chain { uint32_t ticket; other x; }; __global__ void scan(int a, chain *c) {}",
      "struct chain { uint32_t prefix[MANY], more; }; __global__ void scan(int a, chain *c) {}",
      "struct chain { uint32_t at() { return 1; } }; __global__ void scan(int a, chain *c) {}",
      "struct chain { uint32_t a; __global__ void scan(int a, chain *c) {",
      "struct chain {}; __global__ void scan(int a, chain *c) {}",
      "struct chain { uint32_t ticket; }; __global__ void scan(int a, chain c) {}",
      "__global__ void scan(int a, chain *c) {} struct chain { uint32_t x[99999999999999999999999]",
      "struct chain {uint32_t a, *b, ; }; __global__ void scan(int a, chain *c) {}"};
  sl_finding f = race();
  char out[256];
  f.object = (sl_object){.space = "global", .index = 1, .elem = 4, .argument = 2, .n_params = 2, .size = 16};
  for (size_t k = 0; k < sizeof SOURCES / sizeof *SOURCES; k++) {
    write_source(SOURCES[k]);
    assert_string_equal(sl_finding_object(&f, NULL, out, sizeof out), "c[1]");
  }
}

// Lines that say who waits were written where no source is at hand.
TEST(details_name_the_array_as_the_source_does) {
  sl_finding f = race();
  sl_telling t = {0};
  write_source("struct chain { uint32_t ticket, published; };\n__global__ void scan(int a, chain *c) {}\n");
  f.object = (sl_object){.space = "global", .index = 1, .elem = 4, .argument = 2, .n_params = 2, .size = 8};
  strcpy(f.details,
         "stuck waits for element 1 of argument 2 of the kernel to be 3\nstuck waits for element 1 of\n");
  has(told(&f, &t), "stuck   waits for c->published to be 3\n");
  SL_FREED char *text = sl_finding_json(&f, &t);
  has(text, "[\"stuck waits for c->published to be 3\", \"stuck waits for element 1 of\"]");
}

TEST(a_barrier_of_a_loop_is_no_split_statement) {
  sl_finding f = race();
  char out[512];
  f.mend = (sl_mending){.how = SL_MEND_LOOP_START, .from = 24, .to = 24};
  has(sl__mend_advice(&f, out, sizeof out), "Put __syncthreads() into the loop around line 24");
  f.mend.how = SL_MEND_SPLIT;
  has(sl__mend_advice(&f, out, sizeof out), "Split line 24");
  f.mend.to = 26; // the compiler may have moved line 24 into the branch of line 26
  has(sl__mend_advice(&f, out, sizeof out),
      "put __syncthreads() between line 24 and line 26, where all threads pass it");
}

// The pair that is told is of one warp, and so are all that race, or others are not.
TEST(a_race_across_warps_is_told_of_two_lanes) {
  sl_finding f = race();
  char out[512];
  f.advice[0] = 0, strcpy(f.why, "lanes");
  f.mend = (sl_mending){.among = SL_AMONG_WARP};
  assert_string_equal(sl_finding_why(&f, out, sizeof out), "lanes");
  assert_string_equal(sl_finding_advice(&f, out, sizeof out), "Put __syncwarp() between the two");
  f.mend = (sl_mending){.among = SL_AMONG_BLOCK, .across = true};
  has(sl_finding_why(&f, out, sizeof out), "and threads of other warps race, too");
  has(sl_finding_advice(&f, out, sizeof out), "Put __syncthreads() between the two, where all threads");
}

TEST(test_ten_of_a_kind) {
  sl_finding many[14];
  for (int k = 0; k < 14; k++) many[k] = race();
  many[3].id = SL_FOUND_MEMORY_BOUNDS;
  many[13].more = 5;
  SL_FREED char *text = sl_findings_text(many, 14, NULL);
  int heads = 0;
  for (const char *p = text; (p = strstr(p, "error[race.shared]")); p++) heads++;
  assert_int_equal(heads, 10);
  has(text, "(+8 more race.shared)\n");
  has(text, "error[memory.bounds]");
}

TEST(test_json) {
  sl_finding f = race();
  write_source("// one\n  s[\"a\\b\"] = 1;\n");
  char *text = sl_finding_json(&f, NULL);
  has(text,
      "{\"id\": \"race.shared\", \"message\": \"race on shared temp[511]: read here. Nothing orders the two");
  has(text, "\"kernel\": \"scan\", \"mangled\": \"_Z4scanPKfPfi\"");
  has(text, "\"source\": \"  s[\\\"a");
  has(text, "\"array\": {\"text\": \"shared temp[511]\", \"name\": \"temp\"");
  has(text, "\"instruction\": \"st.shared.u32\", \"trip\": 1");
  has(text, "\"page\": \"docs/reference/findings/race.shared.md\"");
  free(text);
  strcpy(f.account, "quote \" and \\ and \x01 and \xff");
  f.id = SL_FOUND_COUNT;
  text = sl_finding_json(&f, NULL);
  has(text, "quote \\\" and ");
  assert_null(strchr(text, '\x01'));
  free(text);
}

// A call of the host as the first or as the other party; details as a list; the replay as it can be typed.
TEST(test_host) {
  sl_finding f = race();
  sl_telling t = {0};
  f.other = (sl_party){.role = "host", .insn = "cudaFreeAsync", .host = "call 7, in main"};
  strcpy(f.replay, "scanlab sim -- ./a");
  has(told(&f, &t), "  reader  block (0,0,0) thread (127,0,0)");
  has(told(&f, &t), "  host    cudaFreeAsync  call 7, in main  line 2\n");
  char *text = sl_finding_json(&f, NULL);
  has(text, "\"instruction\": \"cudaFreeAsync\", \"host\": \"call 7, in main\"");
  has(text, "\"replay\": \"./scanlab sim -- ./a\"");
  free(text);
  f.grid[0] = 0, f.me = f.other, f.other_line = 0;
  strcpy(f.other.host, "call 3, in main at a.out+0x10, no -g");
  has(told(&f, &t), "  host    cudaFreeAsync  call 7, in main  line 2\n  host    cudaFreeAsync  call 3, in "
                    "main at a.out+0x10, no -g\n");
  strcpy(f.details, "stuck one\nstuck \"two\"\n");
  text = sl_finding_json(&f, NULL);
  assert_null(strstr(text, "\"thread\""));
  has(text, "\"details\": [\"stuck one\", \"stuck \\\"two\\\"\"]");
  free(text);
}

TEST(test_causes_first) {
  enum { N = 7 };
  static sl_finding f[N];
  static const struct {
    sl_found id;
    uint64_t launch;
    uint32_t grid, early;
  } found[N] = {{SL_FOUND_MEMORY_LEAK, 0, 0, 0},       {SL_FOUND_MEMORY_BOUNDS, 3, 1, 0},
                {SL_FOUND_PROGRESS_DEADLOCK, 2, 1, 0}, {SL_FOUND_MEMORY_UNINIT, 2, 1, 0},
                {SL_FOUND_MEMORY_BOUNDS, 2, 1, 0},     {SL_FOUND_RACE_SHARED, 2, 1, 0},
                {SL_FOUND_MEMORY_UNINIT, 2, 1, 1}};
  static const int want[N] = {5, 6, 4, 3, 2, 1, 0};
  for (int k = 0; k < N; k++) {
    f[k] = (sl_finding){.id = found[k].id, .launch = found[k].launch, .early = found[k].early};
    f[k].grid[0] = found[k].grid, f[k].line = (uint32_t)k;
  }
  sl_findings_sort(f, N);
  for (int k = 0; k < N; k++) assert_int_equal(f[k].line, want[k]);
}

TEST(bytes_that_the_host_changed_are_told_before_the_launch_that_met_them) {
  static sl_finding f[2];
  for (uint32_t launch = 1; launch < 4; launch++) {
    f[0] = (sl_finding){.id = SL_FOUND_MEMORY_BOUNDS, .grid = {1}, .launch = 2};
    f[1] = (sl_finding){.id = SL_FOUND_RACE_HOST, .launch = launch};
    sl_findings_sort(f, 2);
    assert_int_equal(f[0].id, launch < 3 ? SL_FOUND_RACE_HOST : SL_FOUND_MEMORY_BOUNDS);
  }
}

TEST(of_one_pair_of_places_the_missing_fence_is_told_first) {
  static sl_finding f[3];
  for (uint32_t other = 0; other < 2; other++) {
    f[0] = (sl_finding){.id = SL_FOUND_RACE_GLOBAL, .grid = {1}, .line = 3, .other_line = 4};
    f[1] = (sl_finding){.id = SL_FOUND_RACE_GLOBAL, .grid = {1}, .line = 9, .other_line = 5 + other};
    f[2] = (sl_finding){.id = SL_FOUND_ORDER_FENCE, .grid = {1}, .line = 5, .other_line = 9};
    sl_findings_sort(f, 3);
    assert_int_equal(f[0].line, 3);
    assert_int_equal(f[1].id, other ? SL_FOUND_RACE_GLOBAL : SL_FOUND_ORDER_FENCE);
  }
}

TEST(what_follows_from_a_bad_access_is_told_behind_it) {
  static sl_finding f[2];
  for (uint32_t follows = 0; follows < 2; follows++) {
    f[0] = (sl_finding){.id = SL_FOUND_MEMORY_BOUNDS, .grid = {1}};
    f[1] = (sl_finding){.id = SL_FOUND_MEMORY_UNINIT, .grid = {1}, .early = 1, .follows = follows};
    sl_findings_sort(f, 2);
    assert_int_equal(f[0].id, follows ? SL_FOUND_MEMORY_BOUNDS : SL_FOUND_MEMORY_UNINIT);
  }
}

TEST(a_race_that_follows_from_a_bad_access_is_told_behind_it) {
  static sl_finding f[2];
  for (uint32_t follows = 0; follows < 2; follows++) {
    f[0] = (sl_finding){.id = SL_FOUND_RACE_SHARED, .grid = {1}, .follows = follows};
    f[1] = (sl_finding){.id = SL_FOUND_MEMORY_BOUNDS, .grid = {1}};
    sl_findings_sort(f, 2);
    assert_int_equal(f[0].id, follows ? SL_FOUND_MEMORY_BOUNDS : SL_FOUND_RACE_SHARED);
  }
}

TEST(a_race_by_an_index_that_leaves_the_array_is_told_behind_that) {
  static const struct {
    const char *array;
    uint32_t line, other_line, launch, follows;
  } races[] = {{"s_next", 222, 209, 0, 1},
               {"s_next", 209, 222, 0, 1},
               {"s_next", 209, 209, 0, 0},
               {"s_sum", 222, 222, 0, 0},
               {"s_next", 222, 222, 1, 0}};
  for (size_t k = 0; k < sizeof races / sizeof *races; k++) {
    static sl_finding f[2];
    f[0] = (sl_finding){.id = SL_FOUND_RACE_SHARED, .grid = {1}, .launch = races[k].launch};
    f[1] = (sl_finding){.id = SL_FOUND_MEMORY_BOUNDS, .grid = {1}, .line = 222};
    f[0].line = races[k].line, f[0].other_line = races[k].other_line;
    f[0].object = (sl_object){.space = "shared"},
    f[1].object = (sl_object){.space = "shared", .name = "s_next"};
    strcpy(f[0].object.name, races[k].array);
    sl_findings_sort(f, 2);
    const sl_finding *race = &f[f[0].id == SL_FOUND_MEMORY_BOUNDS];
    assert_int_equal(race->follows, races[k].follows);
    if (!races[k].launch) assert_int_equal(race == &f[1], races[k].follows);
  }
}

// A finding that another process sent, with no end in any of its texts.
TEST(test_foreign) {
  static sl_finding f;
  size_t ends = 0;
  memset(&f, 'A', sizeof f);
  assert_false(sl_finding_accept(&f)); // it has no kind
  for (const char *p = (const char *)&f; p < (const char *)(&f + 1); p++) ends += *p == 0;
  assert_int_equal(ends, 17); // the texts of sl_finding, its parties and its object
  assert_int_equal(strlen(f.account), sizeof f.account - 1);
  assert_int_equal(strlen(f.other.host), sizeof f.other.host - 1);
  assert_int_equal(strlen(f.replay), sizeof f.replay - 1);
  f.id = SL_FOUND_NOTHING;
  assert_false(sl_finding_accept(&f));
  f.id = SL_FOUND_RACE_SHARED;
  assert_true(sl_finding_accept(&f));
  SL_FREED char *text = sl_findings_text(&f, 1, NULL), *json = sl_finding_json(&f, NULL);
  assert_true(text && json);
}

TEST(names_of_parameters) {
  static const char source[] = "// scan(a, b) does it\n"
                               "__global__ void scan(const float *d_in, pair<int, 3> p, float (*f)[2],\n"
                               "                     int n /* (elements) */ = 1) {}\n"
                               "void host() { scan<<<1, 1>>>(x, y, z, 4); }\n";
  char out[64];
  assert_true(sl_source_parameter_name(source, "scan", 1, out, sizeof out));
  assert_string_equal(out, "d_in");
  assert_true(sl_source_parameter_name(source, "scan", 2, out, sizeof out));
  assert_string_equal(out, "p");
  assert_true(sl_source_parameter_name(source, "scan", 4, out, sizeof out));
  assert_string_equal(out, "n");
  assert_false(sl_source_parameter_name(source, "scan", 5, out, sizeof out));
  assert_false(sl_source_parameter_name(source, "scan", 0, out, sizeof out));
  assert_false(sl_source_parameter_name(source, "sca", 1, out, sizeof out));
  assert_false(sl_source_parameter_name("scan(", "scan", 1, out, sizeof out));
  assert_false(sl_source_parameter_name("", "", 1, out, sizeof out));
}

int main(void) {
  int failed = RUN_TESTS(setup, remove_folder);
  told(NULL, NULL);
  return failed;
}
