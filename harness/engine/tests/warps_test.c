// Orders of warps: a kernel without the barrier that it needs gives another result under another order; with
// the barrier the result is the same under all, and equal seeds give equal runs.
#include "engine/tests/rig.h"

enum { WARPS = 8, N = 32 * WARPS };

// Each thread writes its index + 1 to shared memory and reads the word of the thread 32 further on (in a
// circle), which belongs to another warp.
#define KERNEL(BARRIER)                                                                                      \
  ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 k_out)\n{\n"                 \
  ".shared .align 4 .b8 buf[1024];\n.reg .b32 %r<12>;\n.reg .b64 %rd<5>;\n"                                  \
  "ld.param.u64 %rd1, [k_out];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n"                      \
  "mov.u32 %r2, buf;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r4, %r2, %r3;\n"                                        \
  "add.s32 %r5, %r1, 32;\nand.b32 %r6, %r5, 255;\nshl.b32 %r7, %r6, 2;\nadd.s32 %r8, %r2, %r7;\n"            \
  "add.s32 %r9, %r1, 1;\nst.shared.u32 [%r4], %r9;\n" BARRIER                                                \
  "ld.shared.u32 %r10, [%r8];\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"                      \
  "st.global.u32 [%rd4], %r10;\nret;\n}\n"

typedef struct result {
  int at[N];
  sl_counters counters;
} result;

static result run(const char *ptx, sl_warps warps, uint64_t seed) {
  result o;
  RIG r = rig_open_text(ptx);
  if (!r.m) fail_msg("%s", r.e.text);
  r.cfg.warps = warps, r.cfg.seed = seed;
  assert_true(sl_gpu_configure(r.gpu, &r.cfg, &r.e));
  out_array p = {rig_array(&r, sizeof o.at, NULL)};
  rig_run_ok(&r, (rig_launch){.kernel = "k", .grid = 1, .block = N}, &p);
  memcpy(o.at, rig_at(&r, p.out, sizeof o.at), sizeof o.at);
  o.counters = r.counters;
  return o;
}

// How many warps read what their neighbour had written.
static int good(const result *o) {
  int n = 0;
  for (int t = 0; t < N; t += 32) n += o->at[t] == (t + 32) % N + 1;
  return n;
}

TEST(race_shows) {
  static const char PTX[] = KERNEL("");
  result greedy = run(PTX, SL_WARPS_GREEDY, 1), turns = run(PTX, SL_WARPS_ROUND_ROBIN, 1);
  assert_int_equal(good(&greedy), 1); // the last warp reads what the first one wrote
  assert_int_equal(good(&turns), WARPS);
  int ahead[WARPS + 1] = {0}, different = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    result one = run(PTX, SL_WARPS_ONE_AHEAD, seed), any = run(PTX, SL_WARPS_RANDOM, seed),
           again = run(PTX, SL_WARPS_RANDOM, seed);
    ahead[good(&one)]++;
    assert_memory_equal(&any, &again, sizeof any);
    different += memcmp(any.at, greedy.at, sizeof any.at) != 0;
  }
  assert_int_equal(ahead[WARPS - 1], 20); // the one ahead alone came too early
  assert_in_range(different, 18, 20);
}

TEST(barrier_helps) {
  static const char PTX[] = KERNEL("bar.sync 0;\n");
  result greedy = run(PTX, SL_WARPS_GREEDY, 1);
  assert_int_equal(good(&greedy), WARPS);
  for (int w = SL_WARPS_GREEDY; w < SL_WARPS_COUNT; w++)
    for (uint64_t seed = 1; seed <= 5; seed++) {
      result o = run(PTX, (sl_warps)w, seed);
      assert_memory_equal(o.at, greedy.at, sizeof o.at);
      assert_int_equal(o.counters.warp_instructions, greedy.counters.warp_instructions);
      assert_int_equal(o.counters.thread_instructions, greedy.counters.thread_instructions);
      assert_int_equal(o.counters.barriers, 1);
    }
}

TEST(unknown_order) {
  sl_error e = {0};
  sl_gpu_config c = sl_gpu_defaults();
  c.warps = SL_WARPS_COUNT;
  assert_null(sl_gpu_create(&c, &e));
  assert_non_null(strstr(e.text, "order of warps"));
}
