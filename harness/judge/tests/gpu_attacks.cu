// Ways round the timing of calls on a real GPU, each chosen by ATTACK. gpu_attacks.sh puts the solution of
// lab 05 before this, with its entry under the name honest_scan, so everything else about them is right.
#include <pthread.h>
#include <unistd.h>
#include <vector>
#undef lab05_scan

enum { REPEATS, LATE, SLOWS_OTHERS, ON_HOST, NOW_AND_THEN, TWICE, GREEDY };

__global__ void spin(long long ns) {
  long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - start < ns);
}

// A result of an earlier call, copied.
static cudaError_t repeats(const lab05_args *a) {
  static void *kept;
  if (kept) return cudaMemcpyAsync(a->out, kept, a->n * 4, cudaMemcpyDeviceToDevice);
  kept = a->out;
  return honest_scan(a);
}

// Back before the work has begun.
static lab05_args late;
static void *works_later(void *) {
  usleep(300);
  honest_scan(&late);
  cudaDeviceSynchronize();
  return NULL;
}

static cudaError_t answers_early(const lab05_args *a) {
  pthread_t t;
  late = *a;
  return pthread_create(&t, NULL, works_later, NULL) ? cudaErrorUnknown : cudaSuccess;
}

// Right, but at work all the time, so that the reference's calls wait.
static void *disturb(void *) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  for (;; usleep(3000)) spin<<<528, 1024, 0, s>>>(2000000);
}

static cudaError_t slows_others(const lab05_args *a) {
  static bool on;
  pthread_t t;
  if (!on) on = pthread_create(&t, NULL, disturb, NULL) == 0;
  return honest_scan(a);
}

static cudaError_t on_host(const lab05_args *a) {
  std::vector<float> x(a->n);
  float sum = 0;
  cudaMemcpy(x.data(), a->in, a->n * 4, cudaMemcpyDeviceToHost);
  for (auto &v : x) {
    float here = v;
    v = sum;
    sum += here;
  }
  return cudaMemcpy(a->out, x.data(), a->n * 4, cudaMemcpyHostToDevice);
}

static cudaError_t now_and_then(const lab05_args *a) {
  static int calls;
  return ++calls % 8 ? honest_scan(a) : cudaSuccess;
}

static cudaError_t twice(const lab05_args *a) { return honest_scan(a) ? cudaErrorUnknown : honest_scan(a); }

// Uses memory of the machine without end: 256 MiB a call.
static cudaError_t greedy(const lab05_args *a) {
  static std::vector<std::vector<char>> all;
  for (int k = 0; k < 4; k++) all.emplace_back(size_t(64) << 20, 1);
  return honest_scan(a);
}

// The first call is checked on its own: honest.
extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  static cudaError_t (*const ways[])(const lab05_args *) = {repeats, answers_early, slows_others, on_host, now_and_then, twice, greedy};
  static bool called;
  if (called) return ways[ATTACK](a);
  called = true;
  return honest_scan(a);
}
