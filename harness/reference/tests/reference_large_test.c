// The reference where arrays are large: what cores share, parts of results, indices beyond 32 bits.

#include <sys/mman.h>
#include "base/unit.h"
#include "base/base.h"
#include "reference/reference.h"

enum { N = 300001 }; // several blocks of the sort, the last one not full

static uint32_t word_at(size_t i) {
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  return (uint32_t)((z ^ (z >> 27)) >> 32);
}

// Sorts -----------------------------------------------------------------------------------------------------

// Many equal keys: the order is right if keys ascend, indices of equal ones ascend, each index is there once.
static void expect_stable_order(sl_type type, const uint32_t *keys, const uint32_t *order, size_t n) {
  SL_FREED unsigned char *seen = calloc(n + 1, 1);
  for (size_t k = 0; k < n; k++) {
    assert_true(order[k] < n && !seen[order[k]]++);
    if (k == 0) continue;
    uint32_t before = sl_sort_rank(type, keys[order[k - 1]]), here = sl_sort_rank(type, keys[order[k]]);
    assert_true(before < here || (before == here && order[k - 1] < order[k]));
  }
}

TEST(sorts_on_all_cores_are_stable) {
  static uint32_t keys[N], order[N];
  static const size_t sizes[] = {0, 1, 2, 32767, 32768, 32769, 65536, 3 * 32768 + 1, N};
  for (size_t i = 0; i < N; i++) keys[i] = word_at(i) & 0xc00003ffu;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (unsigned threads = 0; threads < 2; threads++) {
      sl_type type = (sl_type)(s % 3);
      assert_true(sl_sort_order(type, keys, sizes[s], order, threads));
      expect_stable_order(type, keys, order, sizes[s]);
    }
}

// Rounding --------------------------------------------------------------------------------------------------

TEST(rounding_on_many_cores_allows_the_same) {
  static float in[N];
  for (size_t i = 0; i < N; i++) in[i] = (float)((int32_t)word_at(i)) * 0x1p-31f;
  for (unsigned threads = 2; threads < 5; threads++) {
    sl_scan_spec s = {SL_F32, SL_ADD, threads % 2 ? SL_INCLUSIVE : SL_EXCLUSIVE, N};
    sl_scan_ref one, many;
    assert_true(sl_scan_ref_make(&one, &s, in, true, 1) && sl_scan_ref_make(&many, &s, in, true, threads));
    for (size_t i = 0; i < N; i++) {
      double unsure = 0x1p-52 * N * one.magnitude[i];
      assert_true(fabs(one.sum[i] - many.sum[i]) <= unsure &&
                  fabs(one.magnitude[i] - many.magnitude[i]) <= unsure);
    }
    assert_true(sl_scan_part_right(&many, 0, N, one.want));
    sl_scan_ref_free(&one);
    sl_scan_ref_free(&many);
  }
}

// Parts of results ------------------------------------------------------------------------------------------

TEST(parts_of_scans_are_compared) {
  static uint32_t in[N], got[N];
  sl_scan_spec s = {SL_U32, SL_ADD, SL_EXCLUSIVE, N};
  sl_scan_ref r;
  for (size_t i = 0; i < N; i++) in[i] = word_at(i);
  assert_true(sl_scan_ref_make(&r, &s, in, true, 0));
  memcpy(got, r.want, sizeof got);
  assert_true(sl_scan_part_right(&r, 0, N, got) && sl_scan_part_right(&r, 1000, N - 1000, got + 1000) &&
              sl_scan_part_right(&r, N, 0, got));
  assert_false(sl_scan_part_right(&r, 1, N - 1, got)); // the right values one place off
  got[N - 1] ^= 1;
  assert_false(sl_scan_part_right(&r, 1000, N - 1000, got + 1000));
  assert_true(sl_scan_part_right(&r, 1000, N - 1001, got + 1000));
  sl_scan_ref_free(&r);
}

TEST(parts_of_sorts_are_compared) {
  static uint32_t keys[N], values[N], order[N], sorted[N], moved[N];
  for (size_t i = 0; i < N; i++) keys[i] = word_at(i) & 0xffff, values[i] = (uint32_t)i;
  assert_true(sl_sort_order(SL_U32, keys, N, order, 0));
  for (size_t i = 0; i < N; i++) sorted[i] = keys[order[i]], moved[i] = values[order[i]];
  sl_sort_check c = {.type = SL_U32, .n = N, .keys_in = keys, .values_in = values, .order = order};
  assert_true(sl_sort_part_right(&c, false, 0, N, sorted) &&
              sl_sort_part_right(&c, true, 77, N - 77, moved + 77));
  assert_false(sl_sort_part_right(&c, true, 0, N, sorted));
  sorted[N - 5]++;
  assert_false(sl_sort_part_right(&c, false, 77, N - 77, sorted + 77));
  assert_true(sl_sort_part_right(&c, false, 77, N - 77 - 5, sorted + 77));
}

// 2^30 elements and more ------------------------------------------------------------------------------------

// An array of [bytes], of which each piece of PIECE bytes is the same memory: larger than the machine.
enum { PIECE = 1 << 22 };

static void *endless(size_t bytes) {
  int fd = memfd_create("endless", MFD_CLOEXEC);
  size_t whole = (bytes + PIECE - 1) / PIECE * PIECE;
  char *at = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(fd >= 0 && ftruncate(fd, PIECE) == 0 && at != MAP_FAILED);
  for (size_t i = 0; i < whole; i += PIECE)
    assert_ptr_equal(mmap(at + i, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0), at + i);
  close(fd);
  return at;
}

// Zeros that need no memory until they are written to.
static uint32_t *zeros(size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(at != MAP_FAILED);
  madvise(at, bytes, MADV_HUGEPAGE);
  return at;
}

TEST(scans_of_more_than_4_gib_are_right_at_the_end) {
  const size_t n = (1ull << 30) + 5, bytes = n * 4;
  uint32_t *in = zeros(bytes), *out = endless(bytes);
  in[0] = 3, in[n / 2] = 50, in[n - 3] = 700, in[n - 1] = 0x80000000u;
  sl_scan_spec s = {SL_U32, SL_ADD, SL_INCLUSIVE, n};
  sl_scan_run(&s, in, out); // each piece of the output is written over the one before
  assert_int_equal(out[n - 4], 53);
  assert_int_equal(out[n - 2], 753);
  assert_int_equal(out[n - 1], 0x800002f1u);
  munmap(in, bytes);
  munmap(out, bytes);
}

TEST(results_beyond_4_gib_are_compared) {
  const size_t n = (1ull << 30) + PIECE / 4;
  sl_scan_ref r = {.spec = {SL_U32, SL_ADD, SL_INCLUSIVE, n}, .want = endless(n * 4)};
  uint32_t *want = r.want;
  for (size_t i = 0; i < PIECE / 4; i++) want[i] = word_at(i);
  assert_true(sl_scan_part_right(&r, n - 10, 10, want + PIECE / 4 - 10));
  assert_false(sl_scan_part_right(&r, n - 10, 10, want + PIECE / 4 - 11));
  munmap(r.want, n * 4);
}
