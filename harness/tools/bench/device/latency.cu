// What one thing costs on a real GPU: the constants of the model of speed (harness/judge/model.c), measured.
//
// Prints lines "NAME,VALUE,UNIT". Cycles are those of the multiprocessor's clock, taken by one thread around
// a chain of things that wait for each other; times of launches and allocations are taken by events or by the
// host around many. docs/results/latency.sh builds and runs it.
#include "scanlab/must.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

enum { STEPS = 4096, LINKS = 1024 };

static void row(const char *name, double value, const char *unit) { printf("%s,%.2f,%s\n", name, value, unit); }

// Chains of loads: word k of the list is the place of the next one ------------------------------------------

enum way { WAY_CACHED, WAY_L2, WAY_VOLATILE, WAY_ATOMIC };

template <way WAY> __global__ void chase(uint32_t *list, uint32_t steps, long long *cycles, uint32_t *end) {
  uint32_t at = 0;
  long long begin = 0;
  for (uint32_t k = 0; k < 2 * steps; k++) { // the first half warms what can be warm
    if (k == steps) begin = clock64();
    if (WAY == WAY_CACHED) at = list[at];
    if (WAY == WAY_L2) at = __ldcg(list + at);
    if (WAY == WAY_VOLATILE) at = *(volatile uint32_t *)(list + at);
    if (WAY == WAY_ATOMIC) at = atomicAdd(list + at, 0u);
  }
  *cycles = clock64() - begin;
  *end = at;
}

__global__ void chase_shared(uint32_t steps, long long *cycles, uint32_t *end) {
  __shared__ uint32_t list[1024];
  for (uint32_t k = 0; k < 1024; k++) list[k] = (k + 33) % 1024;
  uint32_t at = 0;
  long long begin = clock64();
  for (uint32_t k = 0; k < steps; k++) at = list[at];
  *cycles = clock64() - begin;
  *end = at;
}

__global__ void chase_shared_atomic(uint32_t steps, long long *cycles, uint32_t *end) {
  __shared__ uint32_t list[32];
  list[threadIdx.x] = 0;
  __syncwarp();
  uint32_t at = threadIdx.x;
  long long begin = clock64();
  for (uint32_t k = 0; k < steps; k++) at = (atomicAdd(&list[at], 0u) + threadIdx.x) % 32;
  *cycles = clock64() - begin;
  *end = at;
}

// Instructions, barriers, fences ----------------------------------------------------------------------------

__global__ void additions(uint32_t steps, float x, long long *cycles, float *end) {
  float sum = x;
  long long begin = clock64();
#pragma unroll 64
  for (uint32_t k = 0; k < steps; k++) sum += x;
  *cycles = clock64() - begin;
  *end = sum;
}

__global__ void shuffles(uint32_t steps, long long *cycles, uint32_t *end) {
  uint32_t at = threadIdx.x;
  long long begin = clock64();
#pragma unroll 16
  for (uint32_t k = 0; k < steps; k++) at = __shfl_sync(~0u, at, (at + 1) % 32);
  *cycles = clock64() - begin;
  *end = at;
}

__global__ void barriers(uint32_t steps, long long *cycles) {
  long long begin = clock64();
  for (uint32_t k = 0; k < steps; k++) __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

__global__ void fences(uint32_t steps, volatile uint32_t *word, bool store, long long *cycles) {
  long long begin = clock64();
  for (uint32_t k = 0; k < steps; k++) {
    if (store) word[32 * k % 4096] = k;
    __threadfence();
  }
  *cycles = clock64() - begin;
}

// Chains of blocks: block k waits for block k - 1 -----------------------------------------------------------

__device__ uint32_t ticket_drawn;

// With [payload] as lab 06 does it: a fence, the prefix, a fence, the flag; else the flag alone.
__global__ void chain_of_blocks(volatile uint32_t *flag, volatile uint32_t *prefix, bool payload, bool own_words) {
  __shared__ uint32_t s_ticket;
  if (threadIdx.x == 0) s_ticket = atomicAdd(&ticket_drawn, 1u);
  __syncthreads();
  if (threadIdx.x != 0) return;
  const uint32_t k = s_ticket;
  volatile uint32_t *before = own_words ? flag + 32 * k : flag, *mine = own_words ? flag + 32 * (k + 1) : flag;
  while (*before < k) {}
  if (payload) {
    __threadfence();
    prefix[k + 1] = prefix[k] + 1;
    __threadfence();
  }
  *mine = k + 1;
}

// Many at one place -----------------------------------------------------------------------------------------

__global__ void adds_at_one_word(uint32_t *word, uint32_t steps) {
  for (uint32_t k = 0; k < steps; k++) atomicAdd(word, threadIdx.x + k + 1);
}

__global__ void adds_with_result(uint32_t *word, uint32_t steps, uint32_t *end) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < steps; k++) sum += atomicExch(word, threadIdx.x + sum);
  if (sum == 77) *end = sum;
}

__global__ void nothing() {}

__global__ void scattered(uint32_t *to, uint32_t mask, uint32_t per_thread) {
  uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
  for (uint32_t k = 0; k < per_thread; k++) {
    x = x * 1664525u + 1013904223u;
    to[(x >> 4) & mask] = x;
  }
}

// -----------------------------------------------------------------------------------------------------------

static uint32_t *new_words(size_t n) {
  uint32_t *p;
  MUST(cudaMalloc((void **)&p, n * 4));
  MUST(cudaMemset(p, 0, n * 4));
  return p;
}

static long long *d_cycles;
static uint32_t *d_end;

static double cycles_a_step(uint32_t steps) {
  long long c;
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(&c, d_cycles, sizeof c, cudaMemcpyDeviceToHost));
  return (double)c / steps;
}

// A list of [n] places, [stride] words apart, in a shuffled order.
static void make_list(uint32_t *list, uint32_t n, uint32_t stride) {
  std::vector<uint32_t> order(n), words((size_t)n * stride);
  for (uint32_t k = 0; k < n; k++) order[k] = k;
  uint32_t seed = 1;
  for (uint32_t k = n - 1; k > 1; k--) { // place 0 stays first
    seed = seed * 1664525u + 1013904223u;
    std::swap(order[k], order[1 + (seed >> 8) % k]);
  }
  for (uint32_t k = 0; k < n; k++) words[(size_t)order[k] * stride] = order[(k + 1) % n] * stride;
  MUST(cudaMemcpy(list, words.data(), words.size() * 4, cudaMemcpyHostToDevice));
}

static void loads() {
  uint32_t *list = new_words((size_t)1 << 28);
  make_list(list, 64, 32);
  chase<WAY_CACHED><<<1, 1>>>(list, STEPS, d_cycles, d_end);
  row("load_l1", cycles_a_step(STEPS), "cycles");
  make_list(list, 4096, 64);
  chase<WAY_L2><<<1, 1>>>(list, STEPS, d_cycles, d_end);
  row("load_l2", cycles_a_step(STEPS), "cycles");
  chase<WAY_VOLATILE><<<1, 1>>>(list, STEPS, d_cycles, d_end);
  row("load_volatile", cycles_a_step(STEPS), "cycles");
  chase<WAY_ATOMIC><<<1, 1>>>(list, STEPS, d_cycles, d_end);
  row("atomic_result", cycles_a_step(STEPS), "cycles");
  make_list(list, 1 << 20, 256); // 1 GiB: no cache holds the lines that were not touched before
  chase<WAY_L2><<<1, 1>>>(list, STEPS, d_cycles, d_end);
  row("load_memory", cycles_a_step(STEPS), "cycles");
  MUST(cudaFree(list));
  chase_shared<<<1, 1>>>(STEPS, d_cycles, d_end);
  row("load_shared", cycles_a_step(STEPS), "cycles");
  chase_shared_atomic<<<1, 32>>>(STEPS, d_cycles, d_end);
  row("atomic_shared", cycles_a_step(STEPS), "cycles");
}

static void instructions() {
  additions<<<1, 1>>>(STEPS, 1.5f, d_cycles, (float *)d_end);
  row("addition", cycles_a_step(STEPS), "cycles");
  shuffles<<<1, 32>>>(STEPS, d_cycles, d_end);
  row("shuffle", cycles_a_step(STEPS), "cycles");
  for (int threads = 32; threads <= 1024; threads *= 2) {
    char name[32];
    barriers<<<1, threads>>>(STEPS, d_cycles);
    snprintf(name, sizeof name, "barrier_%d", threads);
    row(name, cycles_a_step(STEPS), "cycles");
  }
  uint32_t *words = new_words(4096);
  fences<<<1, 1>>>(STEPS, words, false, d_cycles);
  row("fence", cycles_a_step(STEPS), "cycles");
  fences<<<1, 1>>>(STEPS, words, true, d_cycles);
  row("store_and_fence", cycles_a_step(STEPS), "cycles");
  MUST(cudaFree(words));
}

// Least ms of nine runs of f, between events.
template <class F> static double least_ms(F f) {
  cudaEvent_t a, b;
  MUST(cudaEventCreate(&a));
  MUST(cudaEventCreate(&b));
  float least = 1e30f, ms;
  for (int k = 0; k < 9; k++) {
    MUST(cudaDeviceSynchronize());
    MUST(cudaEventRecord(a));
    f();
    MUST(cudaEventRecord(b));
    MUST(cudaEventSynchronize(b));
    MUST(cudaEventElapsedTime(&ms, a, b));
    least = ms < least ? ms : least;
  }
  return (double)least;
}

static double ms_of_chain(unsigned links, unsigned threads, bool payload, bool own) {
  uint32_t *flag = new_words(32 * (links + 2)), *prefix = new_words(links + 2);
  void *ticket;
  MUST(cudaGetSymbolAddress(&ticket, ticket_drawn));
  double ms = 1e30;
  for (int k = 0; k < 5; k++) {
    MUST(cudaMemset(ticket, 0, 4));
    MUST(cudaMemset(flag, 0, 128 * (links + 2)));
    cudaEvent_t a, b;
    float t;
    MUST(cudaEventCreate(&a));
    MUST(cudaEventCreate(&b));
    MUST(cudaDeviceSynchronize());
    MUST(cudaEventRecord(a));
    chain_of_blocks<<<links, threads>>>(flag, prefix, payload, own);
    MUST(cudaEventRecord(b));
    MUST(cudaEventSynchronize(b));
    MUST(cudaEventElapsedTime(&t, a, b));
    ms = (double)t < ms ? (double)t : ms;
  }
  MUST(cudaFree(flag));
  MUST(cudaFree(prefix));
  return ms;
}

static void chains() {
  static const struct {
    const char *name;
    unsigned links;
    bool payload, own;
  } kinds[] = {{"link_flag_own_words_64", 64, false, true},     {"link_flag_own_words_1024", 1024, false, true},
               {"link_flag_one_word_64", 64, false, false},     {"link_flag_one_word_1024", 1024, false, false},
               {"link_payload_own_words_64", 64, true, true},   {"link_payload_own_words_1024", 1024, true, true},
               {"link_payload_one_word_64", 64, true, false},   {"link_payload_one_word_1024", 1024, true, false}};
  for (const auto &k : kinds)
    row(k.name, 1e6 * (ms_of_chain(k.links, 32, k.payload, k.own) - ms_of_chain(1, 32, k.payload, k.own)) / (k.links - 1),
        "ns");
}

static void crowds(int multiprocessors) {
  uint32_t *word = new_words(1024);
  const unsigned blocks = 4 * (unsigned)multiprocessors, steps = 64;
  double adds = 1e6 * least_ms([&] { adds_at_one_word<<<blocks, 32>>>(word, steps); });
  row("red_at_one_word_a_warp", adds / (blocks * steps), "ns");
  double swaps = 1e6 * least_ms([&] { adds_with_result<<<blocks, 1>>>(word, steps, word + 512); });
  row("exchange_at_one_word", swaps / (blocks * steps), "ns");
  MUST(cudaFree(word));
  for (int log = 20; log <= 26; log += 3) {
    uint32_t *to = new_words((size_t)1 << log);
    const unsigned threads = 1u << 20, each = 16;
    double ms = least_ms([&] { scattered<<<threads / 256, 256>>>(to, (1u << log) - 1, each); });
    char name[40];
    snprintf(name, sizeof name, "scattered_words_of_2^%d", log);
    row(name, threads * (double)each / ms / 1e6, "G sectors a second");
    MUST(cudaFree(to));
  }
}

static double host_us() {
  return 1e6 * std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void host() {
  enum { MANY = 1000 };
  double ms = least_ms([] {
    for (int k = 0; k < MANY; k++) nothing<<<1, 32>>>();
  });
  row("launch_in_a_row", 1e3 * ms / MANY, "us");
  row("launch_alone", 1e3 * least_ms([] { nothing<<<1, 32>>>(); }), "us");
  uint32_t *words = new_words(1 << 20);
  ms = least_ms([&] {
    for (int k = 0; k < MANY; k++) MUST(cudaMemsetAsync(words, 0, 8));
  });
  row("fill_in_a_row", 1e3 * ms / MANY, "us");
  ms = least_ms([&] {
    for (int k = 0; k < MANY; k++) MUST(cudaMemcpyAsync(words, words + 4096, 64, cudaMemcpyDeviceToDevice));
  });
  row("copy_in_a_row", 1e3 * ms / MANY, "us");
  row("block_of_256_threads", 1e6 * least_ms([] { nothing<<<1 << 20, 256>>>(); }) / (1 << 20), "ns");
  row("block_of_1024_threads", 1e6 * least_ms([] { nothing<<<1 << 20, 1024>>>(); }) / (1 << 20), "ns");
  for (int log = 12; log <= 28; log += 4) {
    double least = 1e30;
    for (int k = 0; k < 20; k++) {
      void *p;
      nothing<<<1, 32>>>();
      double t = host_us();
      MUST(cudaMalloc(&p, (size_t)1 << log));
      nothing<<<1, 32>>>();
      MUST(cudaFree(p));
      t = host_us() - t;
      least = t < least ? t : least;
    }
    char name[40];
    snprintf(name, sizeof name, "malloc_launch_free_2^%d", log);
    row(name, least, "us");
  }
  double t = 1e30;
  for (int k = 0; k < 20; k++) {
    double begin = host_us();
    nothing<<<1, 32>>>();
    MUST(cudaDeviceSynchronize());
    t = host_us() - begin < t ? host_us() - begin : t;
  }
  row("launch_and_wait", t, "us");
  MUST(cudaFree(words));
  for (int log = 24; log <= 28; log += 4) {
    uint32_t *both = new_words((size_t)2 << log);
    ms = least_ms([&] { MUST(cudaMemcpyAsync(both, both + ((size_t)1 << log), (size_t)4 << log, cudaMemcpyDeviceToDevice)); });
    char name[40];
    snprintf(name, sizeof name, "copy_of_2^%d_words", log);
    row(name, 8.0 * (double)((size_t)1 << log) / ms / 1e6, "GB/s");
    MUST(cudaFree(both));
  }
}

int main() {
  cudaDeviceProp p;
  int khz = 0;
  MUST(cudaGetDeviceProperties(&p, 0));
  MUST(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  MUST(cudaMalloc((void **)&d_cycles, sizeof *d_cycles));
  MUST(cudaMalloc((void **)&d_end, sizeof *d_end));
  printf("# %s, compute capability %d.%d, %d multiprocessors\nname,value,unit\n", p.name, p.major, p.minor,
         p.multiProcessorCount);
  row("clock", khz / 1e3, "MHz");
  least_ms([] {
    for (int k = 0; k < 20000; k++) nothing<<<64, 256>>>();
  }); // the clocks come up
  loads();
  instructions();
  chains();
  crowds(p.multiProcessorCount);
  host();
  return 0;
}
