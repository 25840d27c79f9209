// The order of blocks: hand-written PTX whose text puts exits first, or the condition of a loop behind its
// body. Lanes that leave early must meet the others where paths join, so what follows runs once for the whole
// warp: warp_instructions say so exactly. A jump that only the layout needs is not counted.
#include "engine/tests/rig.h"

#include <sys/resource.h>
#include <sys/wait.h>

#define HEAD                                                                                                 \
  ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 k_out)\n{\n"                 \
  ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<5>;\n"                                                 \
  "ld.param.u64 %rd1, [k_out];\ncvta.to.global.u64 %rd2, %rd1;\n"                                            \
  "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"                            \
  "mov.u32 %r2, %r1;\nmov.u32 %r3, 0;\n"
#define TAIL "add.s32 %r3, %r3, 1000;\nxor.b32 %r3, %r3, 1;\nst.global.u32 [%rd4], %r3;\nret;\n"

// Every lane goes round tid + 1 times, adding its index: four instructions a round.
#define ROUND "add.s32 %r3, %r3, %r1;\nsetp.eq.s32 %p1, %r2, 0;\nadd.s32 %r2, %r2, -1;\n"

static uint64_t run(const char *ptx) {
  RIG r = rig_open_text(ptx);
  if (!r.m) fail_msg("%s", r.e.text);
  out_array p = {rig_array(&r, 128, NULL)};
  rig_run_ok(&r, (rig_launch){.kernel = "k", .grid = 1, .block = 32}, &p);
  const int *out = rig_at(&r, p.out, 128);
  for (int t = 0; t < 32; t++) assert_int_equal(out[t], (t * (t + 1) + 1000) ^ 1);
  return r.counters.warp_instructions;
}

static const char *const IN_ORDER = HEAD "LOOP:\n" ROUND "@!%p1 bra LOOP;\n" TAIL "}\n";

TEST(exit_before_loop) {
  uint64_t n = run(IN_ORDER);
  assert_in_range(n, 32 * 4 + 4, 32 * 4 + 4 + 7); // one pass of the tail, up to seven instructions before
  assert_int_equal(run(HEAD "bra LOOP;\nEXIT:\n" TAIL "LOOP:\n" ROUND "@%p1 bra EXIT;\nbra LOOP;\n}\n"),
                   n + 1 + 31); // a jump at the start, one more a round that is not the last
  assert_int_equal(run(HEAD "bra LOOP;\nEXIT:\n" TAIL "LOOP:\n" ROUND "@!%p1 bra LOOP;\nbra EXIT;\n}\n"),
                   n + 2);
}

// while: the condition stands behind the body. The body is left out of the last look at the condition.
TEST(condition_behind_body) {
  uint64_t n = run(HEAD "add.s32 %r2, %r2, 1;\nLOOP:\nsetp.eq.s32 %p1, %r2, 0;\n@%p1 bra EXIT;\n"
                        "add.s32 %r3, %r3, %r1;\nadd.s32 %r2, %r2, -1;\nbra LOOP;\nEXIT:\n" TAIL "}\n");
  uint64_t m =
      run(HEAD "add.s32 %r2, %r2, 1;\nbra COND;\nLOOP:\nadd.s32 %r3, %r3, %r1;\n"
               "add.s32 %r2, %r2, -1;\nCOND:\nsetp.ne.s32 %p1, %r2, 0;\n@%p1 bra LOOP;\n" TAIL "}\n");
  assert_int_equal(m, n + 1 - 32);
}

// Lanes that break out pass through a block that stands before the loop; an inner loop of its own is in it.
TEST(breaks_and_nests) {
  uint64_t n =
      run(HEAD "bra LOOP;\nBROKE:\nadd.s32 %r3, %r3, 0;\nEXIT:\n" TAIL "INNER:\nadd.s32 %r4, %r4, -1;\n"
               "setp.gt.s32 %p2, %r4, 0;\n@%p2 bra INNER;\nbra NEXT;\n"
               "LOOP:\n" ROUND "@%p1 bra BROKE;\nmov.u32 %r4, 3;\nbra INNER;\nNEXT:\nbra LOOP;\n}\n");
  uint64_t m = run(
      HEAD "LOOP:\n" ROUND "@%p1 bra BROKE;\nmov.u32 %r4, 3;\nINNER:\nadd.s32 %r4, %r4, -1;\n"
           "setp.gt.s32 %p2, %r4, 0;\n@%p2 bra INNER;\nbra LOOP;\nBROKE:\nadd.s32 %r3, %r3, 0;\n" TAIL "}\n");
  assert_int_equal(n, m + 1 + 2 * 31);
}

// A branch at the very end of the text, not always taken, and code that nothing leads to.
TEST(end_of_text) {
  uint64_t n =
      run(HEAD "bra LOOP;\nDEAD:\nadd.s32 %r3, %r3, 7;\nbra DEAD;\nEXIT:\n"
               "add.s32 %r3, %r3, 1000;\nxor.b32 %r3, %r3, 1;\nst.global.u32 [%rd4], %r3;\nbra END;\n"
               "LOOP:\n" ROUND "@!%p1 bra LOOP;\nbra EXIT;\nEND:\n}\n");
  uint64_t m = run(HEAD "LOOP:\n" ROUND "@!%p1 bra LOOP;\nadd.s32 %r3, %r3, 1000;\nxor.b32 %r3, %r3, 1;\n"
                        "st.global.u32 [%rd4], %r3;\nsetp.eq.s32 %p1, %r3, -1;\n@%p1 bra LOOP;\n}\n");
  assert_in_range(n, 32 * 4, 32 * 4 + 16);
  assert_in_range(m, 32 * 4, 32 * 4 + 16);
}

// PTX that says something many times over.
static char *repeated(const char *before, const char *again, int times, const char *behind) {
  const size_t once = strlen(again), head = strlen(before);
  char *text = sl_must(malloc(head + once * (size_t)times + strlen(behind) + 1));
  memcpy(text, before, head);
  for (int k = 0; k < times; k++) memcpy(text + head + once * (size_t)k, again, once);
  strcpy(text + head + once * (size_t)times, behind);
  return text;
}

// A set of all registers for each block, or of all blocks for each loop, would be 2 GB here.
TEST(a_loop_and_a_register_many_times) {
  SL_FREED char *ptx = repeated(HEAD,
                                "{\n.reg .b32 r;\nmov.u32 r, 0;\nL:\nadd.s32 r, r, 1;\n"
                                "setp.lt.s32 %p1, r, 2;\n@%p1 bra L;\n}\n",
                                60000, TAIL "}\n");
  int status;
  struct rusage use;
  const pid_t child = fork();
  if (!child) _exit(!rig_open_text(ptx).m);
  assert_int_equal(wait4(child, &status, 0, &use), child);
  assert_int_equal(status, 0);
  assert_in_range(use.ru_maxrss, 1, 1 << 19); // KiB
}

// A table of labels that many branches share makes more edges than its text has bytes.
TEST(a_table_shared_too_often) {
  SL_FREED char *table = repeated(HEAD "T: .branchtargets ", "E, ", 5000, "E;\n");
  SL_FREED char *ptx = repeated(table, "brx.idx %r2, T;\n", 5000, "E:\n" TAIL "}\n");
  RIG r = rig_open_text(ptx);
  assert_null(r.m);
  assert_non_null(strstr(r.e.text, "targets; the simulated GPU follows at most"));
}
