// Wrong and hostile kernels, judged: every one fails for the reason that is its own. None may end as an error
// of the judge's, none may harm the judge. judge_test.c has the main function.
#include "judge/tests/judged.h"
#include "jail/sandbox.h"

#include <math.h>
#include <time.h>

TEST(wrong_results_fail) {
  expect_fail(hostile, 1005, SL_REASON_RESULT_WRONG, "NaN");
  expect_fail(hostile, 1006, SL_REASON_RESULT_WRONG, "all wrong elements are zero");
  expect_fail(hostile, 1018, SL_REASON_RESULT_WRONG, "off by one: equals the inclusive result");
  expect_fail(hostile, 1021, SL_REASON_RESULT_UNWRITTEN, "never written");
}

TEST(results_without_kernels_fail) {
  expect_fail(hostile, 1001, SL_REASON_COMPUTED_NOWHERE, "no kernel was launched");
  expect_fail(hostile, 1002, SL_REASON_COMPUTED_LESS, "stored less");
  expect_fail(hostile, 1025, SL_REASON_COMPUTED_COPIED, "copied from the host: 4100 bytes");
  expect_fail(hostile, 1026, SL_REASON_COMPUTED_COPIED, "4104 small fills");
}

TEST(results_through_the_host_fail) {
  static const struct {
    uint64_t n;
    const char *phrase;
  } rows[] = {{1031, "copied 4124 bytes from the device"},
              {1032, "copied 4128 bytes from the device"},
              {1043, "copied 4172 bytes from the device"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_case c = a_case(rows[k].n);
    // without a bound it is let pass
    expect_told(&c, SL_REASON_RIGHT, "right", NULL);
    c.host_bytes = 128;
    SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
    expect(&v, SL_REASON_COMPUTED_READ, rows[k].phrase);
    assert_true(v.from_host);
  }
}

// A wrong result, too, may come from the host: on a real GPU, which counts nothing, it can be right.
TEST(wrong_results_from_the_host_are_noted) {
  static const struct {
    uint64_t n;
    bool from_host;
  } rows[] = {{1045, true}, {1046, true}, {1006, false}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_case c = a_case(rows[k].n);
    c.host_bytes = 128;
    SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
    expect(&v, SL_REASON_RESULT_WRONG, "all wrong elements are zero");
    assert_int_equal(v.from_host, rows[k].from_host);
  }
}

// Managed memory that the host only writes, before kernels use it, costs nothing.
TEST(managed_memory_is_fair) {
  sl_case c = a_case(1044);
  c.host_bytes = 0;
  expect_told(&c, SL_REASON_RIGHT, "right", NULL);
}

// The same goes for pinned memory; a touch of the host counts.
TEST(pinned_memory_is_fair) {
  sl_case c = a_case(1050);
  c.host_bytes = 0;
  expect_told(&c, SL_REASON_RIGHT, "right", NULL);
  c = a_case(1051);
  c.host_bytes = 0;
  expect_told(&c, SL_REASON_COMPUTED_READ, "4204 bytes from the device to the host", NULL);
}

// What kernels print goes to the judge, and never to the program: a printf costs and tells nothing.
TEST(prints_do_not_reach_the_program) {
  sl_case c = a_case(1034);
  c.host_bytes = 0;
  expect_told(&c, SL_REASON_RIGHT, "right", "read back: -1", "x[1033] is ", NULL);
}

TEST(refused_launches_are_explained) {
  sl_case c = a_case(1016);
  expect_told(&c, SL_REASON_CUDA_UNREPORTED, "did not report cudaErrorInvalid",
              "<<<(1,1,1), (4096,1,1), 0>>> was refused: threads of a block (the second value), at most 1024",
              NULL);
}

// The case's seed is public; the one that grading uses is not.
TEST(results_from_the_seed_fail) {
  sl_case c = a_case(1033);
  c.host_bytes = 0;
  expect_told(&c, SL_REASON_RIGHT, "right", NULL);
  assert_true(sl_case_salt(&c, "0123456789abcdef") && !sl_case_salt(&c, "0123456789abcdeg") &&
              !sl_case_salt(&c, "1"));
  assert_int_not_equal(c.seed, 1);
  expect_told(&c, SL_REASON_RESULT_WRONG, "wrong", NULL);
}

// What kernels take is a message to their program, and one thread is no parallel scan, whatever decorates it.
TEST(work_must_be_spread) {
  sl_case c = a_case(90);
  c.host_bytes = 0;
  expect_told(&c, SL_REASON_COMPUTED_LAUNCHES, "launched 991 kernels, and 29 are allowed", NULL);
  expect_counted(hostile, 1039, (sl_expect){"adds", "1038", "2046", ""}, SL_REASON_COMPUTED_ONE_THREAD,
                 "1039 operations on the data for 1039 elements, and 257 are allowed");
  expect_counted(hostile, 1039, (sl_expect){"barriers", "20", "21", ""}, SL_REASON_RIGHT, "right");
  expect_counted(hostile, 1039, (sl_expect){"longest_warp", "0", "2000", ""}, SL_REASON_COUNTER_MOST,
                 "longest_warp: ");
  expect_counted(hostile, 1039, (sl_expect){"longest_warp", "0", "20000", ""}, SL_REASON_RIGHT, "right");
}

// 10240 of them, 628 without data, which do not count against what is allowed.
TEST(fused_additions_are_additions) {
  expect_counted(hostile, 900, (sl_expect){"adds", "0", "1798", ""}, SL_REASON_COUNTER_MOST, "adds: 9612");
  expect_counted(hostile, 900, (sl_expect){"adds", "0", "9612", ""}, SL_REASON_RIGHT, "right");
  expect_counted(hostile, 900, (sl_expect){"adds", "5000", "10240", ""}, SL_REASON_RIGHT, "right");
  expect_counted(hostile, 900, (sl_expect){"adds", "10241", "20000", ""}, SL_REASON_COUNTER_LEAST,
                 "expected at least 10241");
  expect_counted(hostile, 900, (sl_expect){"launches", "9", "9", ""}, SL_REASON_COUNTER_EXACT,
                 "expected exactly 9");
}

// n log n additions as integers, as logic, behind calls, in tables, in other memory: all are done to data.
TEST(hidden_additions_are_found) {
  static const uint64_t sizes[] = {1023, 1022, 1021, 1020, 1019, 1018, 1015, 1014, 60, 0};
  for (int k = 0; sizes[k]; k++)
    expect_counted(hidden_work, sizes[k], (sl_expect){"adds", "1", "2046", ""}, SL_REASON_COUNTER_OPERATIONS,
                   "data_ops: ");
  expect_counted(hidden_work, 1024, (sl_expect){"adds", "1022", "2046", ""}, SL_REASON_RIGHT, "right");
}

// Every call of a case is held to its bounds, and the message names the one that leaves least.
TEST(later_calls_are_counted) {
  sl_case c = a_case(1024);
  c.n_expect = 1, c.expect[0] = (sl_expect){"adds", "", "2 * m", ""};
  c.n_also = 2, c.also[0] = 1024, c.also[1] = 1023;
  expect_judged(hidden_work, &c, SL_PART_COUNTERS, SL_REASON_COUNTER_OPERATIONS, "call 3 (n = 1023)");
  c.also[1] = 1024;
  expect_judged(hidden_work, &c, SL_PART_COUNTERS, SL_REASON_RIGHT, "right");
}

// Calls in a row are made, each counts as a call, and together they may launch as much as they all do alone.
TEST(calls_in_a_row_are_made) {
  sl_case c = a_case(1067);
  c.n_also = 2, c.also[0] = c.also[1] = 1067, c.times[0] = 254;
  expect_judged(hostile, &c, SL_PART_CLEAN, SL_REASON_RESULT_NO_LAUNCH, "call 256 (n = 1067)");
  c.times[0] = 253;
  expect_judged(hostile, &c, SL_PART_CLEAN, SL_REASON_RIGHT, "right");
}

// In every case of a lab that one block can do, a thread in 128 elements at least does the work.
TEST(one_warp_does_not_do_all) {
  sl_case c = a_case(128);
  c.host_bytes = 0;
  // by one thread, but few elements
  expect_judged(hidden_work, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
  c.n = 2048;
  SL_VERDICT v = judged(hidden_work, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_COMPUTED_ONE_WARP, "one warp does the work of many");
  expect(&v, SL_REASON_COMPUTED_ONE_WARP, "for 2048 elements, and");
  c.n = 2047;
  expect_judged(hidden_work, &c, SL_PART_CORRECT, SL_REASON_COMPUTED_ONE_WARP,
                "in 32 launches together for 2047 elements");
  c.n = 2048;
  c.host_bytes = SL_ANY; // sl-run, where nothing is graded
  expect_judged(hidden_work, &c, SL_PART_CORRECT, SL_REASON_RIGHT, "right");
}

// What the runtime says passes through the program; what a kernel did is known to the device.
TEST(hidden_failures_are_found) {
  sl_case c = a_case(66);
  expect_judged(hidden_work, &c, SL_PART_CORRECT, SL_REASON_COMPUTED_FAILED, "traps");
}

TEST(every_kind_of_barrier_counts) {
  expect_counted(hidden_work, 1017, (sl_expect){"barriers", "10", "11", ""}, SL_REASON_COUNTER_MOST,
                 "barriers: 21, expected at most 11");
}

// Traffic that kernels' loads and stores do not show: 1016 words are copied, cleared, stored by atomics.
TEST(all_traffic_counts) {
  sl_case c = a_case(1016);
  SL_VERDICT v = judged(hidden_work, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RIGHT, "right");
  const sl_counters *total = &v.counters.total;
  assert_int_equal(v.counters.moved, 3 * 1016 * 4);
  assert_int_equal(total->global_st_sectors, 0);
  assert_int_equal(total->global_atomic_sectors, 1016 / 8);
  assert_int_equal(sl_counted_sectors(&v.counters), total->global_ld_sectors + 1016 / 8 + 3 * 1016 / 8);
}

TEST(work_after_the_answer_does_not_count) {
  expect_fail(hostile, 1036, SL_REASON_RESULT_NO_LAUNCH, "never written");
  expect_fail(hostile, 1037, SL_REASON_RESULT_NO_LAUNCH, "never written");
}

TEST(copies_within_the_device_are_fair) {
  sl_case c = a_case(1027);
  expect_told(&c, SL_REASON_RIGHT, "right", NULL);
}

TEST(writes_elsewhere_fail) {
  expect_fail(hostile, 1003, SL_REASON_BUFFER_INPUT, "the input was written: in[7]");
  expect_fail(hostile, 1064, SL_REASON_BUFFER_RESTORED, "in was overwritten, and has its old values again");
  expect_fail(hostile, 1004, SL_REASON_CUDA_FINDING, "hostile.cu:"); // the simulator says in which line
  expect_fail(hostile, 1004, SL_REASON_CUDA_FINDING, "memory.bounds");
}

// The next case is judged on the same simulated GPU, which has become a new one.
TEST(a_failed_case_leaves_its_simulated_gpu) {
  static const struct {
    uint64_t n;
    sl_reason reason;
    const char *says;
  } rows[] = {{1003, SL_REASON_BUFFER_INPUT, "the input was written: in[7]"},
              {1027, SL_REASON_RIGHT, "right"},
              {1003, SL_REASON_BUFFER_INPUT, "the input was written: in[7]"}};
  sl_error e = {0};
  sl_device *spare = NULL;
  pid_t gpu = 0;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_case c = a_case(rows[k].n);
    SL_VERDICT v = {0};
    sl_judge_job job = {.lab = sl_lab_find("03", &e),
                        .c = &c,
                        .kind = SL_PART_CORRECT,
                        .runner = hostile,
                        .spare = &spare,
                        .backend = SL_BACKEND_SIM};
    sl_judge(&job, &v);
    expect(&v, rows[k].reason, rows[k].says);
    assert_non_null(spare);
    const pid_t now = sl_control_pid(sl_device_control(spare));
    assert_true(k == 0 || now == gpu);
    gpu = now;
  }
  assert_true(sl_device_close(spare, &e));
}

// The first case of a session has the time of a case, not that of the session.
TEST(endless_programs_fail_as_soon_in_a_session) {
  sl_case c = a_case(1047);
  sl_error e = {0};
  sl_session *session = sl_session_new(600);
  SL_VERDICT v = {0};
  sl_judge_job job = {.lab = sl_lab_find("03", &e),
                      .c = &c,
                      .kind = SL_PART_CORRECT,
                      .runner = hostile,
                      .session = session,
                      .backend = SL_BACKEND_SIM};
  c.timeout = SL_SHORT_SECONDS;
  sl_judge(&job, &v);
  expect(&v, SL_REASON_PROGRAM_BUSY, "lab03_blelloch_scan computed for 1 s,");
  sl_session_end(session);
}

TEST(endless_programs_fail) {
  sl_case c = a_case(1007);
  c.timeout = 2;
  expect_soon(&c, SL_REASON_PROGRAM_IDLE, "waited for 1 s while no kernel ran");
  c.n = 1047;
  c.timeout = 60; // not the time ends it
  expect_told(&c, SL_REASON_PROGRAM_BUSY, "lab03_blelloch_scan computed for 3 s,", NULL);
  c.timeout = SL_SHORT_SECONDS;
  expect_told(&c, SL_REASON_PROGRAM_BUSY, "lab03_blelloch_scan computed for 1 s,", NULL);
  c.n = 1008;
  c.timeout = 4;
  expect_soon(&c, SL_REASON_CUDA_FINDING, "progress.");
  c.n = 1029;
  c.timeout = 60; // not the time ends it
  expect_told(&c, SL_REASON_CUDA_FINDING, "starts kernels again and again", NULL);
  c.timeout = 4;
  c.n = 1028; // makes what looks like progress
  expect_soon(&c, SL_REASON_CUDA_FINDING, "hostile.cu:");
}

// Sleeping costs no processor, but a place in the grader. Not the time of the case ends it.
TEST(waiting_programs_fail) {
  for (uint64_t n = 1061; n <= 1062; n++) {
    sl_case c = a_case(n);
    c.timeout = 60;
    double begin = sl_now();
    expect_told(&c, SL_REASON_PROGRAM_IDLE, "lab03_blelloch_scan waited for 5 s while no kernel ran", NULL);
    assert_true(sl_now() - begin < 40);
  }
}

// The work is spread if the operations on the data are: warps that compute something else are no company.
TEST(one_thread_in_company_fails) {
  sl_case c = a_case(1060);
  c.host_bytes = 0;
  expect_told(&c, SL_REASON_COMPUTED_ONE_THREAD,
              "1060 operations on the data for 1060 elements, and 128 are allowed", NULL);
}

TEST(ended_programs_fail) {
  expect_fail(hostile, 1009, SL_REASON_PROGRAM_CRASHED, "SIGSEGV");
  sl_case c = a_case(1009);
  SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
  expect_detail(&v, "addresses of the device");
  expect_fail(hostile, 1010, SL_REASON_PROGRAM_EXITED, "exit code 0");
  expect_fail(hostile, 1017, SL_REASON_EXIT_CRASHED, "SIGABRT");
  expect_fail(exits_early, 1000, SL_REASON_PROGRAM_EXITED, "exit code 0");
}

// What sl_oom_kills says goes up with each look while this is set.
static bool memory_runs_out;
uint64_t __real_sl_oom_kills(void);
uint64_t __wrap_sl_oom_kills(void);

uint64_t __wrap_sl_oom_kills(void) {
  static uint64_t looks;
  return memory_runs_out ? ++looks : __real_sl_oom_kills();
}

// Who killed a program is not known, unless the system says that it has killed one for lack of memory.
TEST(killed_programs_are_no_crashes) {
  expect_fail(hostile, 1063, SL_REASON_PROGRAM_KILLED, "killed in lab03_blelloch_scan, with signal 9");
  sl_case c = a_case(1063);
  memory_runs_out = true;
  SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
  memory_runs_out = false;
  assert_int_equal(v.status, SL_ERROR);
  assert_non_null(strstr(v.message, "the machine's memory had run out"));
  assert_non_null(strstr(v.hint, "run it again"));
}

// A program has time of its own to end, and no more.
TEST(ends_take_their_time) {
  sl_case c = a_case(1048);
  expect_soon(&c, SL_REASON_RIGHT, "right");
  c.n = 1049;
  expect_soon(&c, SL_REASON_LATE_EXIT, "does not end after its last call");
}

// Clocks of programs as this shows them to the judge: they begin days before 0 and tell nothing twice.
static bool odd_clocks;
// Since when the judge's own clock goes twice as fast, up to 4 s ahead: as on a busy machine, where others
// get less processor time. 0: it does not.
static double hasty;
// The system tells of a ready process's wait only once it runs: as where others leave it no processor time.
static bool starved;
double __real_sl_active_seconds(pid_t pid);
double __wrap_sl_active_seconds(pid_t pid);
bool __real_sl_waits(pid_t pid);
bool __wrap_sl_waits(pid_t pid);
int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

// Seconds that the hasty clock has gained. A starved thread was ready for as long.
static double gained(void) {
  struct timespec t;
  __real_clock_gettime(CLOCK_MONOTONIC, &t);
  const double since = (double)t.tv_sec + (double)t.tv_nsec / 1e9 - hasty;
  return hasty <= 0 ? 0 : since < 4 ? since : 4;
}

// What was told of the process when it was last seen to wait: one of its own, numbers are given again.
static double *last_told(pid_t pid) {
  static struct {
    pid_t pid;
    double seconds;
  } all[64], *one;
  one = &all[pid % 64];
  if (one->pid != pid) one->pid = pid, one->seconds = __real_sl_active_seconds(pid);
  return &one->seconds;
}

bool __wrap_sl_waits(pid_t pid) {
  const bool waits = __real_sl_waits(pid);
  if (starved && waits) *last_told(pid) = __real_sl_active_seconds(pid) + gained();
  return waits;
}

double __wrap_sl_active_seconds(pid_t pid) {
  return starved ? *last_told(pid) : __real_sl_active_seconds(pid);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t) {
  static int told;
  const bool odd = odd_clocks && clock < 0; // those of the system have numbers from 0
  if (odd && told++) return errno = EINVAL, -1;
  int failed = __real_clock_gettime(clock, t);
  if (odd) t->tv_sec -= 3 * 86400;
  if (starved && clock < 0) *t = (struct timespec){0};
  if (clock == CLOCK_MONOTONIC && hasty > 0) {
    const double now = (double)t->tv_sec + (double)t->tv_nsec / 1e9, ahead = gained();
    *t = (struct timespec){(time_t)(now + ahead), (long)((now + ahead - floor(now + ahead)) * 1e9)};
  }
  return failed;
}

// A program that has just ended has no clock any more. What it began at is no time that it has computed.
TEST(clocks_that_stop_telling_take_no_points) {
  sl_case c = a_case(1048);
  odd_clocks = true;
  expect_soon(&c, SL_REASON_RIGHT, "right");
  odd_clocks = false;
}

// The line at which an endless kernel stands is told on a busy machine, and where the program has worked.
TEST(busy_machines_leave_launches_their_time) {
  sl_case c = a_case(1028);
  c.timeout = 2;
  hasty = sl_now();
  expect_told(&c, SL_REASON_CUDA_FINDING, "hostile.cu:", NULL);
  hasty = 0;
  c.n = 1052; // computes a quarter of a second before
  expect_told(&c, SL_REASON_CUDA_FINDING, "hostile.cu:", NULL);
}

TEST(busy_machines_make_nobody_idle) {
  sl_case c = a_case(1053);
  c.timeout = SL_SHORT_SECONDS;
  starved = true;
  hasty = sl_now();
  SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
  starved = false;
  hasty = 0;
  expect(&v, SL_REASON_RIGHT, "right");
}

TEST(forged_answers_fail) {
  expect_fail(hostile, 1011, SL_REASON_PROGRAM_GARBAGE, "wrote to the judge's connection");
  expect_fail(answers_early, 1000, SL_REASON_PROGRAM_GARBAGE, "wrote to the judge's connection");
}

// What follows asks for a sandbox, and would harm this program without one.
static void need_sandbox(void) {
  if (sl_sandbox_find() != SL_SANDBOX_NONE) return;
  printf("skipped: there is no sandbox\n");
  skip();
}

TEST(attacks_on_the_judge_are_refused) {
  need_sandbox();
  static const char *const lines[] = {"kill refused",    "ptrace refused",
                                      "memory refused",  "memory of the GPU refused",
                                      "network refused", "environment is bare"};
  sl_case c = a_case(1012);
  SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RESULT_NO_LAUNCH, "never written");
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) expect_detail(&v, lines[k]);
  if (strstr(v.sandbox, "namespaces")) expect_detail(&v, "number 2\n"); // the second of a namespace
}

TEST(processes_are_refused_and_threads_are_not) {
  need_sandbox();
  sl_case c = a_case(1013);
  expect_told(&c, SL_REASON_RIGHT, "right", "fork refused, shell refused", NULL);
  c.n = 1024;
  expect_told(&c, SL_REASON_RIGHT, "right", NULL);
}

TEST(machines_are_not_exhausted) {
  sl_case c = a_case(1042);
  expect_fail(hostile, 1041, SL_REASON_PROGRAM_CROWDED, "more than 512 threads");
  need_sandbox();
  expect_told(&c, SL_REASON_RIGHT, "right", "goes first: 1000", "and cannot change it", NULL);
}

TEST(output_is_capped) {
  sl_case c = a_case(1014);
  SL_VERDICT v = judged(hostile, &c, SL_PART_CORRECT);
  expect(&v, SL_REASON_RIGHT, "right");
  expect_detail(&v, "more bytes)");
  assert_true(strlen(v.detail) < 200 << 10);
}

TEST(cuda_errors_fail) {
  expect_fail(hostile, 1015, SL_REASON_CUDA_RETURNED, "lab03_blelloch_scan returned cudaErrorInvalidValue");
  expect_fail(hostile, 1016, SL_REASON_CUDA_UNREPORTED, "did not report cudaErrorInvalid");
  expect_fail(hostile, 1020, SL_REASON_PROGRAM_EXITED, "");
  expect_fail(hostile, 1022, SL_REASON_RESULT_NO_LAUNCH, "");
  expect_fail(hostile, 1023, SL_REASON_RESULT_NO_LAUNCH, "");
}

// The right result of a large scan is kept where the judge looks at more than results, and else made again.
TEST(a_large_result_that_nobody_wrote_is_told_the_same) {
  sl_case c = a_case(1048577);
  sl_error e = {0};
  sl_judge_job job = {.lab = sl_lab_find("05", &e), .c = &c, .runner = hostile, .backend = SL_BACKEND_SIM};
  SL_VERDICT kept, again;
  c.op = SL_MAX;
  sl_judge(&job, &kept);
  job.results_only = true;
  sl_judge(&job, &again);
  expect(&kept, SL_REASON_RESULT_NO_LAUNCH,
         "1048577 of 1048577 elements were never written, the first is out[0]");
  assert_string_equal(again.message, kept.message);
  assert_true(json_equal(again.fields, kept.fields) &&
              !strcmp(again.detail ? again.detail : "", kept.detail ? kept.detail : ""));
}

TEST(remembered_results_fail) {
  sl_case c = a_case(1019);
  c.calls = 2;
  expect_told(&c, SL_REASON_RESULT_WRONG, "call 2 (n = 1019): ", NULL);
  c.n = 1035;
  expect_told(&c, SL_REASON_RESULT_UNWRITTEN, "never written", NULL);
}
