// Times the steps of the ladder against CUB and cudaMemcpy on a real GPU, in one run.
//
//   bench scan|sort|all|quick
//   bench lines scan|sort FROM TO STEP [TYPE OP]: sizes 2^FROM .. 2^TO, one line a contender (scans: the
//   ladder of lab 05, too): line FAMILY NAME N MEDIAN LEAST GREATEST
//
// Every line: medians of at least 25 rounds after 3 to warm up; in a round each contender runs once, one
// after the other, between two events. Inputs rotate among sets that together are larger than the L2 cache. A
// copy of the same bytes is the limit for scans: read + written bytes. Before it is timed, each contender's
// result is compared with CUB's on the same random input. "copy/x" is the fraction of the copy rate, "CUB/x"
// how many times as fast as CUB.
#include "../kernel.cu"
#include "../../05_arbitrary_size/further/ladder.h"
#include "baseline.h"
#include "best.cuh"
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

enum { MIN_ROUNDS = 25, WARM_ROUNDS = 3 };
static const size_t L2_BYTES = 64u << 20;
static int failures;
static bool as_lines; // for other programs to read

struct contender {
  const char *name;
  std::function<void(int)> run; // argument: which set of buffers
  std::vector<float> ms;
};

// Keeps the GPU busy with the contender for MS: its clocks fall while programs start and buffers are filled
// and checked.
static void wake(const contender &c, cudaEvent_t start, cudaEvent_t stop, float ms_busy) {
  for (float ms = 0; ms < ms_busy;) {
    MUST(cudaEventRecord(start));
    for (int i = 0; i < 8; i++) c.run(0);
    MUST(cudaEventRecord(stop));
    MUST(cudaEventSynchronize(stop));
    float more;
    MUST(cudaEventElapsedTime(&more, start, stop));
    ms += more;
  }
}

// Runs all contenders in turns, in another order each round, so that nobody always comes after the slowest.
// Leaves the times, in ms, in each.
static void race(std::vector<contender> &all, int sets, int rounds) {
  cudaEvent_t start, stop;
  MUST(cudaEventCreate(&start));
  MUST(cudaEventCreate(&stop));
  wake(all[0], start, stop, 100);
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 shuffles(1);
  for (int round = -WARM_ROUNDS, turn = 0; round < rounds; round++) {
    std::shuffle(order.begin(), order.end(), shuffles);
    for (size_t k : order) {
      contender &c = all[k];
      const int set = turn++ % sets;
      MUST(cudaEventRecord(start));
      c.run(set);
      MUST(cudaEventRecord(stop));
      MUST(cudaEventSynchronize(stop));
      float ms;
      MUST(cudaEventElapsedTime(&ms, start, stop));
      if (round >= 0) c.ms.push_back(ms);
    }
  }
  MUST(cudaEventDestroy(start));
  MUST(cudaEventDestroy(stop));
}

static float median(std::vector<float> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

// A value and the 95 % interval of the median about it, from the order of the values alone: the median of
// what is measured lies between the k-th least and the k-th greatest unless all but k - 1 of n fair coins
// fall alike; k by the normal approximation.
struct interval {
  float lo, mid, hi;
};

static interval median_interval(std::vector<float> x) {
  std::sort(x.begin(), x.end());
  const double k = std::floor((x.size() - 1.96 * std::sqrt(double(x.size()))) / 2);
  const size_t at = size_t(std::max(k - 1, 0.0));
  return {x[at], x[x.size() / 2], x[x.size() - 1 - at]};
}

static void print_lines(const char *family, size_t n, const std::vector<contender> &all) {
  for (const contender &c : all) {
    const interval ms = median_interval(c.ms);
    printf("line %s %s %zu %.6f %.6f %.6f\n", family, c.name, n, ms.mid, ms.lo, ms.hi);
  }
  fflush(stdout);
}

__global__ void fill_kernel(uint32_t *out, size_t words, uint64_t seed, int kind) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= words) return;
  uint32_t x = random_word(seed, i);
  if (kind == 1) x = __float_as_uint(float(int(x % 3) - 1));      // small floats
  if (kind == 2) x |= uint32_t(i % 2 == 0);                       // maps
  if (kind == 3) x = __float_as_uint((float(x) - 2147483648.0f)); // floats to sort
  if (kind == 4) x = x % 5 * 0x33333333u;                         // few distinct
  if (kind == 5) x = 0x80000000u;                                 // constant
  if (kind == 6) x = uint32_t(i);                                 // sorted
  if (kind == 7) x = ~uint32_t(i);                                // reversed
  if (kind == 8) x = i % 2 ? unsigned(__double2hiint(double(int(x % 3) - 1))) : 0; // small doubles
  out[i] = x;
}

__global__ void differ_kernel(const uint32_t *a, const uint32_t *b, size_t words, unsigned *count) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < words && a[i] != b[i]) atomicAdd(count, 1u);
}

static void fill(uint32_t *out, size_t words, uint64_t seed, int kind) {
  fill_kernel<<<unsigned((words + 255) / 256), 256>>>(out, words, seed, kind);
  MUST(cudaGetLastError());
}

static void expect_equal(const char *what, const uint32_t *a, const uint32_t *b, size_t words) {
  unsigned *count, host;
  MUST(cudaMalloc((void **)&count, 4));
  MUST(cudaMemset(count, 0, 4));
  differ_kernel<<<unsigned((words + 255) / 256), 256>>>(a, b, words, count);
  MUST(cudaMemcpy(&host, count, 4, cudaMemcpyDeviceToHost));
  MUST(cudaFree(count));
  if (host == 0) return;
  printf("FAILED: %s: %u of %zu words differ from CUB's\n", what, host, words);
  failures++;
}

template <class T> struct op_max {
  typedef T type;
  typedef std::numeric_limits<T> limits;
  static constexpr T LOWEST = limits::has_infinity ? -limits::infinity() : limits::lowest();
  __host__ __device__ static T identity() { return LOWEST; }
  __host__ __device__ static T combine(T a, T b) { return a < b ? b : a; }
};

static const char *const type_names[] = {"u32", "i32", "f32", "affine", "u32", "i32", "f32", "u64", "f64"}; // as baseline.h counts them

static size_t element_bytes(int type) { return type == 3 || type > 6 ? 8 : 4; }

// The steps of lab 05's ladder as contenders. `temp` stays the caller's.
template <class Source, class Target>
static void add_ladder(std::vector<contender> &all, int type, size_t n, Source source, Target target, void *temp) {
  static const sl_type types[] = {SL_U32, SL_I32, SL_F32, SL_AFFINE, SL_U32, SL_I32, SL_F32};
  const sl_op op = type > 3 ? SL_MAX : type == 3 ? SL_COMPOSE : SL_ADD;
  for (int step = 0; step < LADDER_STEPS; step++) {
    all.push_back({ladder_name(step),
                   [=](int s) {
                     const lab05_args a = {source(s), target(s), n, types[type], op, SL_EXCLUSIVE, SL_TILE_EFFICIENT};
                     MUST(ladder_scan(step, &a, temp));
                   },
                   {}});
  }
}

// best, CUB, copy, lookback, pipeline, windows, thrust, and chained where it is taught.
static void print_scan(int type, size_t n, int from, int to, const std::vector<contender> &all) {
  const float ours = median(all[0].ms), cub = median(all[1].ms), copy = median(all[2].ms), plain = median(all[3].ms);
  printf("scan %-6s %10zu +%d+%d %9.4f %9.4f %9.4f %9.4f", type_names[type], n, from, to, ours, plain, cub, copy);
  if (all.size() > 7)
    printf(" %9.4f", median(all[7].ms));
  else
    printf(" %9s", "-");
  printf(" %7.0f %6.3f %6.2f %6.2f\n", 2e-6 * n * element_bytes(type) / ours, copy / ours, cub / ours, ours / cub);
  fflush(stdout);
}

// Does each give CUB's result, every time? CUB stands second, so its output is there from the second on.
static void check_scans(std::vector<contender> &all, uint32_t *out, uint32_t *first, uint32_t *wanted,
                        size_t words, size_t bytes) {
  for (contender &x : all) {
    if (!strcmp(x.name, "copy")) continue;
    MUST(cudaMemset(out, 0xa5, words * 4));
    x.run(0);
    if (!strcmp(x.name, "CUB")) MUST(cudaMemcpy(wanted, first, bytes, cudaMemcpyDeviceToDevice));
  }
  for (contender &x : all) {
    if (!strcmp(x.name, "copy") || !strcmp(x.name, "CUB")) continue;
    for (int again = 0; again < 3; again++) {
      MUST(cudaMemset(out, 0xa5, words * 4));
      x.run(0);
      expect_equal(x.name, first, wanted, bytes / 4);
    }
  }
}

// One line of the scan table. offset: elements that input and output lie behind a multiple of 16 bytes.
template <class Op> static void bench_scan(int type, size_t n, int from, int to, bool taught) {
  typedef typename Op::type T;
  typedef tuned_scan<T> S;
  const size_t words = (n * sizeof(T) / 4 + 127) / 64 * 64,
               bytes = n * sizeof(T); // sets start at multiples of 256 bytes
  const int sets = int(std::min<size_t>(64, std::max<size_t>(2, 2 * L2_BYTES / (2 * bytes) + 1)));
  uint32_t *in, *out, *wanted;
  MUST(cudaMalloc((void **)&in, sets * words * 4));
  MUST(cudaMalloc((void **)&out, sets * words * 4));
  MUST(cudaMalloc((void **)&wanted, words * 4));
  static const int fills[] = {0, 0, 1, 2, 0, 0, 3, 0, 8}; // the fill of each type
  fill(in, sets * words, 17 + n, fills[type]);
  const auto source = [&](int set) { return reinterpret_cast<T *>(in + set * words) + from; };
  const auto target = [&](int set) { return reinterpret_cast<T *>(out + set * words) + to; };
  best_plan<Op> plan;
  MUST(best_scan_new(&plan, n));
  size_t temp_bytes = 0;
  void *temp;
  chain *c;
  MUST(baseline_scan(nullptr, &temp_bytes, type, source(0), target(0), n));
  MUST(cudaMalloc(&temp, temp_bytes + 1));
  MUST(cudaMalloc((void **)&c, chain_bytes(n)));
  std::vector<contender> all = {
      {"best", [&](int s) { MUST(best_scan(&plan, source(s), target(s), n, 0)); }, {}},
      {"CUB", [&](int s) { MUST(baseline_scan(temp, &temp_bytes, type, source(s), target(s), n)); }, {}},
      {"copy",
       [&](int s) { MUST(cudaMemcpyAsync(target(s), source(s), bytes, cudaMemcpyDeviceToDevice)); },
       {}},
      {"lookback", [&](int s) { MUST(lookback_scan(&plan.large, source(s), target(s), n, 0)); }, {}},
      {"pipeline", [&](int s) { MUST(pipeline_scan(&plan.large, source(s), target(s), n, 0)); }, {}},
      {"windows", [&](int s) { MUST(window_scan(&plan.windows, source(s), target(s), n, 0)); }, {}},
      {"thrust", [&](int s) { MUST(baseline_thrust(type, source(s), target(s), n)); }, {}}};
  if (taught) {
    all.push_back(
        {"chained",
         [&](int s) { MUST(chained_scan((uint32_t *)source(s), (uint32_t *)target(s), n, 0, ~0u, c)); },
         {}});
  }
  void *ladder_memory = nullptr;
  MUST(cudaMalloc(&ladder_memory, ladder_bytes(n, type == 3 ? SL_AFFINE : SL_U32)));
  if (as_lines && type < 7) add_ladder(all, type, n, source, target, ladder_memory);
  check_scans(all, out, (uint32_t *)target(0), wanted, words, bytes);
  race(all, sets, n >= (1u << 26) ? MIN_ROUNDS : 101);
  if (as_lines) print_lines("scan", n, all);
  if (!as_lines) print_scan(type, n, from, to, all);
  MUST(best_scan_free(&plan));
  MUST(cudaFree(in));
  MUST(cudaFree(out));
  MUST(cudaFree(wanted));
  MUST(cudaFree(temp));
  MUST(cudaFree(c));
  MUST(cudaFree(ladder_memory));
}

static const char *const kind_names[] = {"random", "", "", "random", "few", "constant", "sorted", "reversed"};

static void print_sort(int type, size_t n, bool pairs, int kind, const std::vector<contender> &all) {
  const float ours = median(all[0].ms), theirs = median(all[1].ms);
  printf("sort %s%-6s %-8s %10zu %9.4f %9.4f %7.2f %7.2f %6.2f", type_names[type], pairs ? "+u32" : "",
         kind_names[kind], n, ours, theirs, n * 1e-6 / ours, n * 1e-6 / theirs, theirs / ours);
  for (size_t i = 2; i < all.size(); i++) printf(" %8.3f", median(all[i].ms));
  printf("\n");
  fflush(stdout);
}

static void check_sorts(std::vector<contender> &all, uint32_t *out, const uint32_t *wanted, size_t words) {
  for (contender &x : all) {
    for (int again = 0; again < 2; again++) {
      MUST(cudaMemset(out, 0xa5, words * 4));
      x.run(0);
      expect_equal(x.name, out, wanted, words);
    }
  }
}

static void bench_sort(int type, size_t n, bool pairs, int kind, bool taught) {
  uint32_t *in, *out, *wanted;
  const size_t words = pairs ? 2 * n : n;
  const int sets = int(std::min<size_t>(64, std::max<size_t>(2, L2_BYTES / (words * 4) + 1)));
  MUST(cudaMalloc((void **)&in, sets * words * 4));
  MUST(cudaMalloc((void **)&out, words * 4));
  MUST(cudaMalloc((void **)&wanted, words * 4));
  for (int s = 0; s < sets; s++) fill(in + s * words, words, 99 + n + s, kind);
  if (pairs) {
    for (int s = 0; s < sets; s++)
      fill(in + s * words + n, n, 0, 6); // values: 0, 1, 2, .. show whether it is stable
  }
  const auto values = [&](uint32_t *p) { return pairs ? p + n : nullptr; };
  sort_plan plan;
  MUST(sort_plan_new<tuned_sort>(&plan, n, pairs));
  size_t temp_bytes = 0;
  void *temp, *memory;
  MUST(baseline_sort(nullptr, &temp_bytes, type, in, out, values(in), values(out), n));
  MUST(cudaMalloc(&temp, temp_bytes + 1));
  workspace w;
  lab06_args args = {in, out, values(in), values(out), n, type == 0 ? SL_U32 : type == 1 ? SL_I32 : SL_F32,
                     8};
  const auto one_sweep = [&](int s) {
    uint32_t *p = in + s * words;
    MUST(onesweep_sort<tuned_sort>(&plan, p, out, values(p), values(out), n, key_type(type), 0));
  };
  const auto cub = [&](int s) {
    uint32_t *p = in + s * words;
    MUST(baseline_sort(temp, &temp_bytes, type, p, out, values(p), values(out), n));
  };
  const auto lab = [&](int s, int bits) {
    args.bits = bits;
    args.keys_in = in + s * words;
    args.values_in = values(in + s * words);
    MUST(sort_with(&args, &w));
  };
  std::vector<contender> all = {{"onesweep", one_sweep, {}}, {"CUB", cub, {}}};
  args.bits = 1;
  if (taught) {
    MUST(workspace_new(&w, &memory, &args));
    for (int bits : {8, 4, 1}) all.push_back({bits == 8 ? "taught_8_bits" : bits == 4 ? "taught_4_bits" : "taught_1_bit", [=](int s) { lab(s, bits); }, {}});
  }
  cub(0);
  MUST(cudaMemcpy(wanted, out, words * 4, cudaMemcpyDeviceToDevice));
  check_sorts(all, out, wanted, words);
  race(all, sets, taught ? MIN_ROUNDS : n >= (1u << 26) ? MIN_ROUNDS : 51);
  if (as_lines) print_lines("sort", n, all);
  if (!as_lines) print_sort(type, n, pairs, kind, all);
  if (taught) MUST(cudaFree(memory));
  MUST(sort_plan_free(&plan));
  MUST(cudaFree(in));
  MUST(cudaFree(out));
  MUST(cudaFree(wanted));
  MUST(cudaFree(temp));
}

static void scan_heading(void) {
  printf("scan type            n  +in+out      best lookback       CUB      copy   chained    GB/s copy/x  "
         "CUB/x  x/CUB\n");
}

static void sort_heading(void) {
  printf("sort type       input             n  onesweep      CUB  GKey/s CUB GK/s  CUB/x   taught 8, 4, 1 "
         "bits\n");
}

static void scans(void) {
  scan_heading();
  for (int log = 10; log <= 30; log += 2) bench_scan<op_add<uint32_t>>(0, size_t(1) << log, 0, 0, log <= 24);
  bench_scan<op_add<int32_t>>(1, 1u << 28, 0, 0, false);
  bench_scan<op_add<float>>(2, 1u << 28, 0, 0, false);
  bench_scan<op_add<uint32_t>>(0, (1u << 28) - 4321, 0, 0, false);
  bench_scan<op_add<uint32_t>>(0, 1u << 28, 1, 1, false);
  bench_scan<op_add<uint32_t>>(0, 1u << 28, 1, 0, false);
  bench_scan<op_add<uint32_t>>(0, (1u << 28) - 4321, 3, 2, false);
  bench_scan<op_compose>(3, 1u << 27, 0, 0, false);
  bench_scan<op_compose>(3, 1u << 27, 1, 0, false);
}

static void sorts(void) {
  sort_heading();
  for (int log = 16; log <= 28; log += 2) bench_sort(0, size_t(1) << log, false, 0, log == 24);
  bench_sort(0, 1u << 27, false, 0, false);
  bench_sort(1, 1u << 27, false, 0, false);
  bench_sort(2, 1u << 27, false, 3, false);
  bench_sort(0, 1u << 27, true, 0, false);
  for (int kind = 4; kind < 8; kind++) bench_sort(0, 1u << 27, false, kind, false);
}

// The lines that decide between shapes.
static void quick(void) {
  scan_heading();
  for (int log : {10, 16, 20, 28}) bench_scan<op_add<uint32_t>>(0, size_t(1) << log, 0, 0, false);
  bench_scan<op_add<uint32_t>>(0, (1u << 28) - 4321, 1, 0, false);
  bench_scan<op_compose>(3, 1u << 27, 0, 0, false);
  sort_heading();
  for (int log : {16, 20, 24, 27}) bench_sort(0, size_t(1) << log, false, 0, false);
  bench_sort(0, 1u << 27, true, 0, false);
}

static const struct {
  const char *op;
  void (*bench)(int type, size_t n, int from, int to, bool taught);
} scan_lines[] = {{"add", bench_scan<op_add<uint32_t>>},  {"add", bench_scan<op_add<int32_t>>}, {"add", bench_scan<op_add<float>>},
                  {"compose", bench_scan<op_compose>},    {"max", bench_scan<op_max<uint32_t>>}, {"max", bench_scan<op_max<int32_t>>},
                  {"max", bench_scan<op_max<float>>},     {"add", bench_scan<op_add<uint64_t>>}, {"add", bench_scan<op_add<double>>}};

static int lines(int argc, char **argv) {
  const bool sort = argc > 2 && !strcmp(argv[2], "sort");
  const int from = argc > 3 ? atoi(argv[3]) : 10, to = argc > 4 ? atoi(argv[4]) : 28, step = argc > 5 ? atoi(argv[5]) : 2;
  int type = 0;
  while (argc > 7 && type < 8 && (strcmp(type_names[type], argv[6]) || strcmp(scan_lines[type].op, argv[7]))) type++;
  as_lines = true;
  for (int log = std::max(from, 5); log <= std::min(to, 30); log += std::max(step, 1)) {
    const size_t n = size_t(1) << log;
    if (sort)
      bench_sort(type, n, false, type == 2 ? 3 : 0, false);
    else
      scan_lines[type].bench(type, n, 0, 0, type == 0 && log <= 24);
  }
  return failures != 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "all";
  if (!strcmp(what, "lines")) return lines(argc, argv);
  printf("scan %dx%d, %d stages, %d blocks/SM, %d reads; windows %dx%d, %d stages; sort %dx%dx%d, pairs %dx%dx%d, %d reads; to 2^%d %dx%dx%d\n",
         SCAN_WARPS, SCAN_VECTORS, SCAN_STAGES, SCAN_BLOCKS, SCAN_READS, WINDOW_WARPS,
         WINDOW_VECTORS, WINDOW_STAGES, SORT_THREADS, SORT_ITEMS, SORT_BLOCKS,
         PAIR_THREADS, PAIR_ITEMS, PAIR_BLOCKS, SORT_READS, int(log2(double(SMALL_SORT_N))), SMALL_SORT_THREADS,
         SMALL_SORT_ITEMS, SMALL_SORT_BLOCKS);
  if (!strcmp(what, "quick")) quick();
  if (!strcmp(what, "scan") || !strcmp(what, "all")) scans();
  if (!strcmp(what, "sort") || !strcmp(what, "all")) sorts();
  return failures != 0;
}
