// What happened before what, and who touched what: events fed by hand.
#include "base/unit.h"
#include "observers/undefined.h"

static uint32_t tick(sl_block_time *t) { return t->now++; }

TEST(a_barrier_orders_the_block) {
  sl_block_time t;
  assert_true(sl__time_init(&t, 7, 96));
  uint32_t early = tick(&t);
  assert_false(sl__time_ordered(&t, 0, 7, 40, early));
  assert_false(sl__time_ordered(&t, 0, 7, 1, early)); // lanes of a warp are not in step
  assert_true(sl__time_ordered(&t, 40, 7, 40, early));
  sl__time_barrier(&t);
  assert_true(sl__time_ordered(&t, 0, 7, 40, early));
  assert_false(sl__time_ordered(&t, 0, 8, 40, early));
  assert_false(sl__time_ordered(&t, 0, 7, 40, tick(&t)));
  sl__time_fini(&t);
}

TEST(a_warp_sync_orders_its_lanes_alone) {
  sl_block_time t;
  assert_true(sl__time_init(&t, 0, 64));
  uint32_t early = tick(&t);
  sl__time_warp(&t, 0, 0xf, true);
  assert_true(sl__time_ordered(&t, 0, 0, 3, early));
  assert_false(sl__time_ordered(&t, 0, 0, 4, early));
  sl__time_warp(&t, 0, 0x18, true); // lane 4 hears of lane 0 through lane 3
  assert_true(sl__time_ordered(&t, 4, 0, 0, early));
  assert_false(sl__time_ordered(&t, 5, 0, 0, early));
  sl__time_warp(&t, 1, SL_FULL, true);
  assert_true(sl__time_ordered(&t, 32, 0, 63, early));
  assert_false(sl__time_ordered(&t, 32, 0, 0, early));
  sl__time_fini(&t);
}

TEST(a_shuffle_orders_nothing_but_ends_loads) {
  sl_block_time t;
  assert_true(sl__time_init(&t, 0, 64));
  uint32_t early = tick(&t);
  sl__time_warp(&t, 0, 0xf, false);
  assert_false(sl__time_ordered(&t, 0, 0, 3, early));
  assert_true(sl__time_met(&t, 0, 0, 3, early));
  assert_false(sl__time_met(&t, 0, 0, 4, early));
  assert_false(sl__time_met(&t, 0, 0, 3, tick(&t)));
  sl__time_fini(&t);
}

TEST(a_named_barrier_orders_its_warps) {
  sl_block_time t;
  assert_true(sl__time_init(&t, 0, 128));
  uint32_t early = tick(&t);
  sl__time_part_barrier(&t, 2, 3); // warp 0 arrives only, warp 1 waits
  assert_true(sl__time_ordered(&t, 40, 0, 5, early));
  assert_false(sl__time_ordered(&t, 5, 0, 40, early));
  assert_false(sl__time_ordered(&t, 70, 0, 5, early));
  sl__time_fini(&t);
}

// Block 0 writes, fences (or not) and raises a flag; thread 0 of block 1 reads it and fences (or not).
static bool passed(bool writer, bool reader, bool cta, uint32_t who) {
  sl_block_time a, b;
  sl_flag f = {{0}, 0};
  assert_true(sl__time_init(&a, 0, 64) && sl__time_init(&b, 1, 64));
  uint32_t early = tick(&a);
  if (writer) sl__time_fence(&a, 0, cta);
  tick(&a);
  sl__time_publish(&a, 0, &f, false);
  sl__time_observe(&b, 0, &f, false);
  if (reader) sl__time_fence(&b, 0, false);
  bool ok = sl__time_ordered(&b, 0, 0, who, early);
  assert_false(sl__time_ordered(&b, 1, 0, who, early));
  sl__time_barrier(&b);
  assert_int_equal(sl__time_ordered(&b, 1, 0, who, early), ok);
  sl__known_drop(f.rel[0]), sl__known_drop(f.rel[1]);
  sl__time_fini(&a), sl__time_fini(&b);
  return ok;
}

TEST(a_flag_needs_both_fences) {
  assert_true(passed(true, true, false, 0));
  assert_false(passed(false, true, false, 0));
  assert_false(passed(true, false, false, 0));
  assert_false(passed(true, true, true, 0)); // the writer's fence reaches its block only
  assert_false(
      passed(true, true, false, 1)); // another thread of the writer's block, no barrier before the flag
}

TEST(an_acquire_is_no_release_and_a_release_no_acquire) {
  sl_block_time a, b;
  sl_flag f = {{0}, 0};
  assert_true(sl__time_init(&a, 0, 64) && sl__time_init(&b, 1, 64));
  const uint32_t early = tick(&a);
  sl__time_acquire(&a, 0, false);
  assert_false(sl__time_has_released(&a, 0));
  sl__time_release(&a, 0, false);
  sl__time_publish(&a, 0, &f, false);
  sl__time_observe(&b, 0, &f, false);
  sl__time_release(&b, 0, false);
  assert_false(sl__time_ordered(&b, 0, 0, 0, early));
  sl__time_acquire(&b, 0, false);
  assert_true(sl__time_ordered(&b, 0, 0, 0, early));
  sl__known_drop(f.rel[0]), sl__known_drop(f.rel[1]);
  sl__time_fini(&a), sl__time_fini(&b);
}

// Thread 0 of block 0 writes, and a fence follows; the block (or warp) meets, and [raiser] raises the flag.
enum { NO_MEETING, BARRIER, SYNCWARP };
static bool passed_on(bool fence, int meeting, uint32_t raiser) {
  sl_block_time a, b;
  sl_flag f = {{0}, 0};
  assert_true(sl__time_init(&a, 0, 64) && sl__time_init(&b, 1, 64));
  uint32_t early = tick(&a);
  if (fence) sl__time_fence(&a, 0, false);
  tick(&a);
  uint32_t late = tick(&a);
  if (meeting == BARRIER) sl__time_barrier(&a);
  if (meeting == SYNCWARP) sl__time_warp(&a, 0, SL_FULL, true);
  sl__time_publish(&a, raiser, &f, false);
  sl__time_observe(&b, 0, &f, false);
  sl__time_fence(&b, 0, false);
  bool ok = sl__time_ordered(&b, 0, 0, 0, early);
  assert_false(sl__time_ordered(&b, 0, 0, 0, late)); // written behind the fence
  sl__known_drop(f.rel[0]), sl__known_drop(f.rel[1]);
  sl__time_fini(&a), sl__time_fini(&b);
  return ok;
}

TEST(a_fence_holds_for_a_flag_that_another_thread_raises_behind_a_barrier) {
  assert_true(passed_on(true, BARRIER, 40));
  assert_true(passed_on(true, SYNCWARP, 5));
  assert_false(passed_on(true, SYNCWARP, 40)); // of another warp
  assert_false(passed_on(true, NO_MEETING, 5));
  assert_false(passed_on(false, BARRIER, 40));
}

TEST(cells_are_words_until_somebody_touches_a_byte) {
  sl_page p = {0};
  uint32_t n = 0;
  sl_cell *c = sl__cells(NULL, &p, 1, 8, 8, &n);
  assert_int_equal(n, 2);
  c[1].w.stamp = 5;
  c = sl__cells(NULL, &p, 1, 13, 1, &n);
  assert_int_equal(n, 1);
  assert_int_equal(c->w.stamp, 5);
  c = sl__cells(NULL, &p, 1, 12, 4, &n);
  assert_int_equal(n, 4);
  assert_int_equal(c[3].w.stamp, 5);
  assert_null(sl__row(&p, 2, 0));
  sl__page_free(&p);
}

TEST(a_row_has_one_cell_until_a_word_of_it_is_touched) {
  sl_page p = {0};
  uint32_t n = 0;
  sl_cell *row = sl__row(&p, 1, 256);
  row->w.stamp = 5, row->w.thread = 64;
  sl_cell *c = sl__cells(NULL, &p, 1, 256 + 12, 4, &n);
  assert_int_equal(c->w.stamp, 5);
  assert_int_equal(c->w.thread, 67);
  assert_null(sl__row(&p, 1, 256));
  assert_non_null(sl__row(&p, 1, 128));
  assert_non_null(sl__row(&p, 2, 256)); // another era
  sl__page_free(&p);
}

TEST(what_finds_no_room_is_counted) {
  const uint64_t rows = SL_PAGE_BYTES / SL_ROW_BYTES * sizeof(sl_row);
  sl_shadow s = {.room = rows, .most = rows}; // those of one page
  sl_page *first = sl__shadow_page(&s, SL_GLOBAL_BASE);
  assert_non_null(first);
  assert_non_null(sl__row_made(first, 1, 0));
  assert_ptr_equal(sl__shadow_page(&s, SL_GLOBAL_BASE + 8), first);
  assert_int_equal(s.missed, 0);
  assert_null(sl__shadow_page(&s, SL_GLOBAL_BASE + SL_PAGE_BYTES));
  assert_int_equal(s.missed, 1);
  sl__shadow_free(&s);
}

TEST(cells_of_earlier_eras_make_room) {
  const uint64_t rows = SL_PAGE_BYTES / SL_ROW_BYTES * sizeof(sl_row),
                 bytes = SL_PAGE_BYTES * sizeof(sl_cell);
  const uint64_t room = 3 * rows + bytes + bytes / 4;
  sl_shadow s = {.room = room, .most = room};
  uint32_t n = 0;
  sl_page *page[3];
  for (uint32_t k = 0; k < 3; k++) page[k] = sl__shadow_page(&s, SL_GLOBAL_BASE + k * SL_PAGE_BYTES);
  for (uint32_t k = 0; k < 2; k++) {
    sl_cell *c = sl__cells(&s, page[k], 5, 64, k ? 4 : 1, &n); // bytes, and words
    assert_non_null(c);
    c->w = (sl_touch){.block = 5, .stamp = 1};
  }
  assert_null(sl__cells(&s, page[2], 5, 64, 4, &n));
  assert_int_equal(s.missed, 1);
  assert_non_null(sl__cells(&s, page[2], 6, 64, 4, &n)); // the others' are left over
  assert_null(page[0]->cells);
  assert_false(page[0]->fine);
  assert_non_null(sl__cells(&s, page[0], 6, 64, 4, &n));
  assert_null(sl__cells(&s, page[1], 6, 64, 1, &n)); // bytes need four times as much
  assert_int_equal(s.missed, 2);
  sl__shadow_free(&s);
  assert_int_equal(s.bytes, 0);
}

TEST(tables_grow_and_keep) {
  sl_table t = {.value_bytes = sizeof(uint32_t), .limit = 900};
  for (uint32_t k = 0; k < 900; k++) *(uint32_t *)sl__table_put(&t, k, k % 7) = k;
  for (uint32_t k = 0; k < 900; k++) assert_int_equal(*(uint32_t *)sl__table_find(&t, k, k % 7), k);
  assert_null(sl__table_find(&t, 1, 2));
  assert_null(sl__table_put(&t, 1000, 0));
  sl__table_free(&t);
}

TEST(checks_have_names) {
  uint32_t bits = 99;
  sl_error e = {0};
  assert_true(sl_checks_read("none", &bits, &e));
  assert_int_equal(bits, 0);
  assert_true(sl_checks_read("race.shared,memory.uninit", &bits, &e));
  assert_int_equal(bits, SL_CHECK_RACE_SHARED | SL_CHECK_MEMORY_UNINIT);
  assert_false(sl_checks_read("race.shard", &bits, &e));
}

static sl_ptx_insn op_with(sl_ptx_op op, sl_ptx_mod a, sl_ptx_mod b) {
  sl_ptx_insn in = {.op = (uint16_t)op, .n_mods = b ? 2 : 1, .n_ops = 3, .mods = {(uint8_t)a, (uint8_t)b}};
  return in;
}

// Undefined bits of the result of [op].type on 32 bits, of which u are undefined and v is the value.
static uint64_t bits_after(sl_ptx_op op, sl_ptx_mod a, sl_ptx_mod b, const uint64_t u[3],
                           const uint64_t v[3]) {
  sl_ptx_insn in = op_with(op, a, b);
  sl_bits x = {.bits = 32, .from_bits = 32, .is_signed = a == SL_M_s32};
  for (int k = 0; k < 3; k++) x.u[k] = u[k], x.v[k] = v[k];
  sl_bits_fn fn = sl__bits_of(&in);
  return fn ? fn(&x) & 0xffffffff : UINT64_MAX;
}
#define AFTER(op, type, ...) bits_after(SL_OP_##op, SL_M_##type, (sl_ptx_mod)0, __VA_ARGS__)

TEST(undefined_bits_go_where_the_values_go) {
  const uint64_t low[3] = {0xff}, sign[3] = {0xff000000}, by8[3] = {0, 8}, mask[3] = {0, 0xff00},
                 ones[3] = {0, 0xff};
  const uint64_t field[3] = {0, 8, 8}, pick[3] = {0, 0, 0x4442}, pick_sign[3] = {0, 0, 0x444b},
                 third[3] = {0xff0000};
  assert_int_equal(AFTER(shl, b32, low, by8), 0xff00);
  assert_int_equal(AFTER(shr, u32, sign, by8), 0xff0000);
  assert_int_equal(AFTER(shr, s32, sign, by8), 0xffff0000);
  assert_int_equal(AFTER(and, b32, low, mask), 0);
  assert_int_equal(AFTER(or, b32, low, ones), 0);
  assert_int_equal(AFTER(or, b32, low, mask), 0xff);
  assert_int_equal(AFTER(bfe, u32, low, field), 0);
  assert_int_equal(AFTER(prmt, b32, third, pick), 0xff);
  assert_int_equal(AFTER(prmt, b32, sign, pick_sign), 0xff);
  assert_int_equal(AFTER(add, u32, third, by8), 0xffff0000); // a carry goes up
  assert_int_equal(AFTER(add, f32, low, by8), UINT64_MAX);
  sl_bits c = {.bits = 32, .from_bits = 32, .u = {0xff}, .v = {0x100, 0x200}};
  assert_true(sl__bits_settled(&c, SL_M_eq) && sl__bits_settled(&c, SL_M_lt));
  c.v[1] = 0x180;
  assert_false(sl__bits_settled(&c, SL_M_eq) || sl__bits_settled(&c, SL_M_lt));
  c.v[1] = 0x1ff;
  assert_true(sl__bits_settled(&c, SL_M_le) && !sl__bits_settled(&c, SL_M_lt));
  sl_bits s = {.bits = 32, .from_bits = 32, .is_signed = true, .u = {0x80000000}, .v = {5, 3}};
  assert_false(sl__bits_settled(&s, SL_M_gt));
  s.is_signed = false;
  assert_true(sl__bits_settled(&s, SL_M_gt));
}
