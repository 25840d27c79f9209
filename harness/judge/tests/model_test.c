// The model of speed: a launch takes its greatest bound, a call its launches and what the host asks for.
#include "base/unit.h"
#include "judge/model.h"

static void near(double value, double expected) {
  if (value < 0.999 * expected || value > 1.001 * expected) fail_msg("%g, expected %g", value, expected);
}

// 2^20 words are read and written by 512 blocks.
static sl_counters scan_like(void) {
  return (sl_counters){.blocks = 512,
                       .threads = 256,
                       .block_cycles = 512 * 1500,
                       .path = 1500,
                       .warp_instructions = 512 * 8 * 100,
                       .global_ld_sectors = 1 << 17,
                       .global_st_sectors = 1 << 17,
                       .global_st_bytes = 4 << 20};
}

TEST(the_greatest_bound_counts) {
  sl_counters c = scan_like();
  const sl_model_bounds b = sl_model_launch(&c);
  assert_true(b.memory > b.path && b.memory > b.issue && b.memory > b.blocks);
  near(sl_model_kernel_ms(&c), 8.388608 / 3809); // GB, GB/s: in seconds x 1000
  c.path = 512 * 1600;                           // now every block waits for the one before it
  near(sl_model_kernel_ms(&c), 512 * 1600 / 1980e3);
  assert_true(sl_model_launch(&c).memory == b.memory);
}

TEST(few_blocks_use_few_multiprocessors) {
  sl_counters one = {.blocks = 1, .threads = 1024, .warp_instructions = 400000}, many = one;
  many.blocks = 1000;
  near(sl_model_kernel_ms(&one), 400000.0 / 4 / 1980e3);
  near(sl_model_launch(&many).issue, 400000.0 / 4 / 132 / 1980e3);
}

TEST(blocks_take_turns) {
  sl_counters c = {
      .blocks = 10 * 132 * 2, .threads = 1024, .block_cycles = 10ull * 132 * 2 * 5000, .path = 5000};
  near(sl_model_kernel_ms(&c),
       10 * 5000 / 1980e3);   // two of 1024 threads are resident, so there are ten turns
  c.shared_bytes = 200 << 10; // .. one, if it takes nearly all shared memory
  near(sl_model_kernel_ms(&c), 20 * 5000 / 1980e3);
}

TEST(parts_of_sectors_take_longer) {
  sl_counters c = {.global_st_sectors = 1 << 20, .global_st_bytes = 4 << 20}; // a word each
  near(sl_model_launch(&c).memory, ((1 << 17) * (32 / 3809e6)) + (7 << 17) / 74.7e6);
}

TEST(the_host_is_not_free) {
  sl_counter_sum sum = {0};
  const sl_counters c = {.path = 1980};
  sl_counter_add(&sum, &c);
  sl_counter_add(&sum, &c);
  near(sl_model_ms(&sum), 2 * (1e-3 + 3.24e-3));
  sum.copies = 10, sum.allocs = 1;
  near(sl_model_ms(&sum), 2 * (1e-3 + 3.24e-3) + 8.6e-3 + 70.7e-3);
}
