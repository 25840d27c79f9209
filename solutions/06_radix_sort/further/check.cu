// Checks the scans and the sort of this folder against the CPU on fresh random inputs. Exits 1 at the first
// difference.
//
//   check [MAX_N [SEED]]     sizes up to MAX_N (default 20000), inputs from SEED (default: the time)
//   check once STEP N        one scan or sort of u32 by step 0 to 4; prints "once FAMILY NAME"; what follows
//                            N is not looked at
//
// Sizes: 0, 1, and around warps, chunks, tiles and several tiles; every offset of 4 bytes from 16 for input
// and output; sums of u32, of f32 (values and all sums are integers below 2^24, so any order of additions is
// exact), of u64 and f64 (a quarter of the sizes), and a composition of 8-byte maps that does not commute;
// keys random, few, constant, sorted and reversed. Guard words around each output must stay as they were.
#include "best.cuh"
#include <algorithm>
#include <time.h>
#include <vector>

static uint64_t seed;
static long checks;
enum { GUARD = 64 };

static void fail(const char *what, size_t n, int from, int to, size_t i) {
  printf("FAILED: %s, n %zu, input offset %d, output offset %d, seed %llu: element %zu differs\n", what, n,
         from, to, (unsigned long long)seed, i);
  exit(1);
}

template <class T> static T random_element(uint64_t i) { return T(random_word(seed, i)); }
template <> float random_element<float>(uint64_t i) { return float(int(random_word(seed, i) % 3) - 1); }
template <> double random_element<double>(uint64_t i) { return random_element<float>(i); }
template <> uint64_t random_element<uint64_t>(uint64_t i) { return uint64_t(random_word(seed, i)) << 32 | random_word(~seed, i); }
template <> affine random_element<affine>(uint64_t i) {
  return affine{random_word(seed, 2 * i) | 1, random_word(seed, 2 * i + 1)};
}

enum scan_step { LOOKBACK, PIPELINE, WINDOWS, TUNED_WINDOWS, WAVE_NARROW, WAVE_WIDE, WAVE_WIDEST, BEST, STEPS };
static const char *const step_names[] = {"lookback_scan", "pipeline_scan", "window_scan", "window_scan in its own shape",
                                         "wave_scan of 256 threads", "wave_scan of 1024 threads",
                                         "wave_scan of 1024 x 8 vectors", "best_scan"};

template <class Op>
static cudaError_t scan_by(const best_plan<Op> *p, scan_step step, const typename Op::type *in, typename Op::type *out, size_t n) {
  typedef typename Op::type T;
  if (step == LOOKBACK) return lookback_scan(&p->large, in, out, n, 0);
  if (step == PIPELINE) return pipeline_scan(&p->large, in, out, n, 0);
  if (step == WINDOWS) return window_scan(&p->large, in, out, n, 0);
  if (step == TUNED_WINDOWS) return window_scan(&p->windows, in, out, n, 0);
  if (step == WAVE_NARROW && n <= p->narrow) return wave_scan<wave_narrow<T>>(&p->wave, in, out, n, 0);
  if (step == WAVE_WIDE && n <= p->wide) return wave_scan<wave_wide<T>>(&p->wave, in, out, n, 0);
  if (step == WAVE_WIDEST && n <= p->widest) return wave_scan<wave_widest<T>>(&p->wave, in, out, n, 0);
  return best_scan(p, in, out, n, 0);
}

// One scan of n elements, `from` and `to` elements behind a multiple of 256 bytes.
template <class Op, class S>
static void check_scan(const best_plan<Op> *plan, scan_step step, size_t n, int from, int to) {
  typedef typename S::T T;
  std::vector<T> in(n), out(n + 2 * GUARD), guard(n + 2 * GUARD);
  seed++;
  for (size_t i = 0; i < n; i++) in[i] = random_element<T>(i);
  memset((void *)guard.data(), 0xa5, guard.size() * sizeof(T));
  T *d_in, *d_out;
  MUST(cudaMalloc((void **)&d_in, (n + from + 1) * sizeof(T)));
  MUST(cudaMalloc((void **)&d_out, (guard.size() + to) * sizeof(T)));
  MUST(cudaMemcpy(d_in + from, in.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(d_out + to, guard.data(), guard.size() * sizeof(T), cudaMemcpyHostToDevice));
  const T *source = d_in + from;
  T *target = d_out + to + GUARD;
  MUST(scan_by(plan, step, source, target, n));
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(out.data(), d_out + to, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
  T sum = Op::identity();
  for (size_t i = 0; i < n; i++) {
    if (memcmp(&out[GUARD + i], &sum, sizeof(T)) != 0) fail(step_names[step], n, from, to, i);
    sum = Op::combine(sum, in[i]);
  }
  for (size_t i = 0; i < GUARD; i++) {
    if (memcmp(&out[i], &guard[0], sizeof(T)) != 0) fail("guard before", n, from, to, i);
    if (memcmp(&out[GUARD + n + i], &guard[0], sizeof(T)) != 0) fail("guard behind", n, from, to, i);
  }
  MUST(cudaFree(d_in));
  MUST(cudaFree(d_out));
  checks++;
}

template <class Op> static void check_scans(const char *name, size_t max_n) {
  typedef typename Op::type T;
  typedef tuned_scan<T> S;
  const size_t tile = S::TILE;
  const size_t sizes[] = {0,    1,        31,       33,           S::CHUNK + 1,  tile - 1,
                          tile, tile + 1, 3 * tile, 4 * tile - 5, 41 * tile + 7, 400 * tile + 3,
                          max_n};
  best_plan<Op> plan;
  MUST(best_scan_new(&plan, max_n));
  for (int step = 0; step < STEPS; step++) {
    for (size_t n : sizes) {
      if (n > max_n) continue;
      check_scan<Op, S>(&plan, scan_step(step), n, 0, 0);
      if (n > 60 * tile) check_scan<Op, S>(&plan, scan_step(step), n, 1, 0);
    }
    for (int from = 0; from < 16 / int(sizeof(T)); from++) {
      for (int to = 0; to < 16 / int(sizeof(T)); to++) {
        if (2 * tile + 3 <= max_n) check_scan<Op, S>(&plan, scan_step(step), 2 * tile + 3, from, to);
        check_scan<Op, S>(&plan, scan_step(step), 17 + from, from, to);
      }
    }
  }
  plan.large.grid = 2; // two blocks for all tiles: every stage is used many times
  for (int shift = 0; shift < 2; shift++) {
    check_scan<Op, S>(&plan, PIPELINE, max_n, shift, 0);
    check_scan<Op, S>(&plan, WINDOWS, max_n, shift, 0);
  }
  MUST(best_scan_free(&plan));
  printf("scan %s: ok\n", name);
}

static uint32_t order(uint32_t bits, key_type type) {
  if (type == KEY_U32) return bits;
  if (type == KEY_I32) return bits ^ 0x80000000u;
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static const char *const input_names[] = {"random", "few", "constant", "sorted", "reversed"};

static uint32_t sort_key(int input, size_t i, size_t n) {
  if (input == 0) return random_word(seed, i);
  if (input == 1) return random_word(seed, i) % 5 * 0x33333333u;
  if (input == 2) return 0x80000000u;
  return uint32_t((input == 3 ? i : n - i) * 0xfffff);
}

template <class S> static void check_sort(const sort_plan *plan, size_t n, key_type type, bool pairs, int input) {
  std::vector<uint32_t> keys(n), out(n), place(n), values(n);
  seed++;
  for (size_t i = 0; i < n; i++) keys[i] = sort_key(input, i, n), place[i] = uint32_t(i);
  uint32_t *d; // keys in, keys out, values in, values out
  MUST(cudaMalloc((void **)&d, 4 * n * 4 + 4));
  MUST(cudaMemset(d, 0xa5, 4 * n * 4));
  MUST(cudaMemcpy(d, keys.data(), n * 4, cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(d + 2 * n, place.data(), n * 4, cudaMemcpyHostToDevice));
  MUST(onesweep_sort<S>(plan, d, d + n, pairs ? d + 2 * n : nullptr, pairs ? d + 3 * n : nullptr, n, type, 0));
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(out.data(), d + n, n * 4, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(values.data(), d + 3 * n, n * 4, cudaMemcpyDeviceToHost));
  MUST(cudaFree(d));
  std::stable_sort(place.begin(), place.end(),
                   [&](uint32_t a, uint32_t b) { return order(keys[a], type) < order(keys[b], type); });
  for (size_t i = 0; i < n; i++) {
    if (out[i] != keys[place[i]]) fail(input_names[input], n, type, 0, i);
    if (pairs && values[i] != place[i]) fail("value", n, type, 0, i);
  }
  checks++;
}

// The tuned shapes whatever n is: the large ones, or the small one.
template <size_t SMALL_N>
using only = sort_shapes<tuned_sort::KEYS, tuned_sort::PAIRS, tuned_sort::SMALL, SMALL_N>;

// S: sort_shapes. tile: of the shape that is meant.
template <class S> static void check_sorts(const char *name, size_t tile, size_t max_n) {
  const size_t sizes[] = {0,    1, 2, 31, 33, 1000, tile - 1, tile, tile + 1, 2 * tile + 77, 300 * tile + 5,
                          max_n};
  sort_plan plan;
  MUST(sort_plan_new<S>(&plan, max_n, true));
  for (size_t n : sizes) {
    if (n > max_n) continue;
    for (int type = 0; type < 3; type++) {
      for (int pairs = 0; pairs < 2; pairs++) check_sort<S>(&plan, n, key_type(type), pairs, 0);
    }
    for (int input = 1; input < 5; input++) check_sort<S>(&plan, n, KEY_U32, true, input);
  }
  MUST(sort_plan_free(&plan));
  printf("sort, %s: ok\n", name);
}

// The contenders of bench.cu, by the names that they have there.
static int once(int step, size_t n) {
  static const struct {
    const char *name;
    scan_step by;
  } scans[] = {{"lookback", LOOKBACK}, {"pipeline", PIPELINE}, {"windows", TUNED_WINDOWS}, {"best", BEST}};
  if (size_t(step) < sizeof scans / sizeof scans[0]) {
    best_plan<op_add<uint32_t>> plan;
    MUST(best_scan_new(&plan, n));
    check_scan<op_add<uint32_t>, tuned_scan<uint32_t>>(&plan, scans[step].by, n, 0, 0);
    MUST(best_scan_free(&plan));
    printf("once scan %s\n", scans[step].name);
    return 0;
  }
  sort_plan plan;
  MUST(sort_plan_new<tuned_sort>(&plan, n, false));
  check_sort<tuned_sort>(&plan, n, KEY_U32, false, 0);
  MUST(sort_plan_free(&plan));
  printf("once sort onesweep\n");
  return 0;
}

int main(int argc, char **argv) {
  if (argc >= 4 && !strcmp(argv[1], "once")) return once(atoi(argv[2]), strtoull(argv[3], nullptr, 10));
  const size_t max_n = argc > 1 ? strtoull(argv[1], nullptr, 10) : 20000;
  seed = argc > 2 ? strtoull(argv[2], nullptr, 10) : uint64_t(time(nullptr)) << 20;
  printf("check: n up to %zu, seed %llu\n", max_n, (unsigned long long)seed);
  fflush(stdout);
  check_scans<op_add<uint32_t>>("u32 sum", max_n);
  check_scans<op_add<float>>("f32 sum", max_n);
  check_scans<op_compose>("8-byte composition", max_n);
  check_scans<op_add<uint64_t>>("u64 sum", max_n / 4);
  check_scans<op_add<double>>("f64 sum", max_n / 4);
  check_sorts<only<1>>("large", tuned_sort::KEYS::TILE, max_n);
  check_sorts<only<~size_t(0)>>("small", tuned_sort::SMALL::TILE, max_n / 4);
  printf("%ld checks passed\n", checks);
  return 0;
}
