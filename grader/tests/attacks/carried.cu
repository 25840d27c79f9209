// Right kernels that leave something behind for the next test: one simulated GPU serves the tests of a lab
// one after the other, and the program of each first looks for what another has left. What it finds prints
// REACHED. The solution stands before this file, its entry under the name honest (attacks.sh).
//
// attack 01 memory: TRY=memory | at most 100
// attack 02 memory_freed: TRY=memory_freed | at most 100
// attack 03 memory_of_streams: TRY=memory_of_streams | at most 100
// attack 04 managed_memory: TRY=managed_memory | at most 100
// attack 05 pinned_memory: TRY=pinned_memory | at most 100
// attack 06 variables: TRY=variables | at most 100
// attack 01 shared_memory_of_blocks: TRY=shared_memory_of_blocks | at most 100
// attack 02 local_memory: TRY=local_memory | at most 100
// attack 03 heap: TRY=heap | at most 100
// attack 04 limits: TRY=limits | at most 100
// attack 05 pools: TRY=pools | at most 100
// attack 06 attributes: TRY=attributes | at most 100
// attack 01 amount: TRY=amount | at most 100
// attack 02 number_of_launches: TRY=number_of_launches | at most 100
// attack 03 clock_of_device: TRY=clock_of_device | at most 100
// attack 04 last_error: TRY=last_error | at most 100
// attack 05 fails_at_the_end: TRY=fails_at_the_end | at most 100
// attack 06 endless_at_the_end: TRY=endless_at_the_end | at most 100
// attack 01 thread_goes_on: TRY=thread_goes_on | at most 100
// attack 02 callback_goes_on: TRY=callback_goes_on | at most 100
// attack 03 prints_at_the_end: TRY=prints_at_the_end | at most 100
// attack 04 handle_of_buffer: TRY=handle_of_buffer | at most 100
// attack 05 graph_goes_on: TRY=graph_goes_on | at most 100
// attack 06 registered_memory: TRY=registered_memory | at most 100
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shared.cuh"

#if LAB == 6
typedef uint32_t NUMBER;
#else
typedef float NUMBER;
#endif
enum { MARK = 0x5ca1ab1e };
static const NUMBER *input;
static bool first; // the first call of this program

// Memory: a kernel tells what it finds there, as copies to the host are counted, and leaves the mark. -------

__device__ void tells(int what) { printf("REACHED mark %d\n", what); } // the compiler's warnings show lines
__global__ void looks(unsigned *p, size_t words, bool look) {
  for (size_t k = threadIdx.x; k < words; k += blockDim.x) {
    if (look && p[k] == MARK) tells(1);
    p[k] = MARK;
  }
}
template <typename F> static void in_all_sizes(F allocate) {
  for (size_t bytes = 256; first && bytes <= 1 << 20; bytes *= 16)
    for (int k = 0; k < 4; k++)
      if (unsigned *p = allocate(bytes)) looks<<<1, 256>>>(p, bytes / 4, true);
  cudaDeviceSynchronize();
}
static void memory() {
  in_all_sizes([](size_t bytes) { void *p = NULL; cudaMalloc(&p, bytes); return (unsigned *)p; });
}
static void memory_freed() {
  for (size_t bytes = 256; first && bytes <= 1 << 20; bytes *= 16) {
    unsigned *words = NULL;
    cudaMalloc(&words, bytes);
    looks<<<1, 256>>>(words, bytes / 4, true);
    cudaFree(words);
  }
}
static void memory_of_streams() {
  in_all_sizes([](size_t bytes) { void *p = NULL; cudaMallocAsync(&p, bytes, 0); return (unsigned *)p; });
}
static void managed_memory() {
  in_all_sizes([](size_t bytes) { void *p = NULL; cudaMallocManaged(&p, bytes); return (unsigned *)p; });
}
static void pinned_memory() {
  in_all_sizes([](size_t bytes) { void *p = NULL; cudaMallocHost(&p, bytes); return (unsigned *)p; });
}
__device__ unsigned variable, initialised = 7;
__constant__ unsigned constant;
__global__ void looks_at_variables(bool look) {
  if (look && (variable == MARK || initialised == MARK || constant == MARK)) tells(2);
  variable = initialised = MARK;
}
static void variables() {
  static const unsigned mark = MARK;
  looks_at_variables<<<1, 1>>>(first);
  cudaMemcpyToSymbol(constant, &mark, sizeof mark);
}
__global__ void looks_at_shared(bool look) {
  extern __shared__ unsigned left_in_block[];
  for (int k = threadIdx.x; k < 8192; k += blockDim.x) {
    if (look && left_in_block[k] == MARK) tells(3);
    left_in_block[k] = MARK;
  }
}
static void shared_memory_of_blocks() { looks_at_shared<<<8, 256, 32768>>>(first); }
__global__ void looks_at_local(bool look, int at) {
  unsigned own[256];
  if (look && own[at] == MARK) tells(4);
  for (int k = 0; k < 256; k++) own[(k + at) % 256] = MARK;
  if (own[at + 1] != MARK) tells(0);
}
static void local_memory() { looks_at_local<<<8, 256>>>(first, 5); }
__global__ void looks_at_heap(bool look) {
  for (size_t bytes = 16; bytes <= 65536; bytes *= 16) {
    unsigned *p = (unsigned *)malloc(bytes);
    for (size_t k = threadIdx.x; p && k < bytes / 4; k += blockDim.x) {
      if (look && p[k] == MARK) tells(5);
      p[k] = MARK;
    }
  }
}
static void heap() {
  if (first) looks_at_heap<<<1, 64>>>(true);
}

// What the runtime and the device remember ------------------------------------------------------------------

static void limits() {
  size_t now = 0;
  for (int k = 0; k < 8; k++) {
    if (first && !cudaDeviceGetLimit(&now, (cudaLimit)k)) reached("a limit", now == 3 << 20);
    cudaDeviceSetLimit((cudaLimit)k, 3 << 20);
  }
  cudaGetLastError();
}
static void pools() {
  cudaMemPool_t pool;
  uint64_t value = 0;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  for (int k = cudaMemPoolAttrReleaseThreshold; k <= cudaMemPoolAttrUsedMemHigh; k++)
    if (first && !cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)k, &value)) reached("a pool's state", value != 0);
  value = 123456;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value);
  void *p;
  if (first) cudaMallocAsync(&p, 1 << 20, 0);
}
__global__ void takes_shared() {}
static void attributes() {
  cudaFuncAttributes a;
  unsigned flags = 0;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaFuncGetAttributes(&a, takes_shared), cudaGetDeviceFlags(&flags), cudaDeviceGetCacheConfig(&cache);
  if (first) {
    reached("shared memory of a kernel", a.maxDynamicSharedSizeBytes == 65536);
    reached("a flag", flags & cudaDeviceScheduleYield);
    reached("a cache", cache == cudaFuncCachePreferL1);
  }
  cudaFuncSetAttribute(takes_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaSetDeviceFlags(cudaDeviceScheduleYield), cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  cudaGetLastError();
}
static void amount() {
  size_t left = 0, all = 0;
  void *p;
  if (!first) return;
  cudaMemGetInfo(&left, &all);
  reached("memory of another program", all - left > 32 << 20);
  cudaMalloc(&p, 64 << 20);
}
__global__ void tells_number() {
  unsigned long long number;
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(number));
  if (number > 100) printf("REACHED launches of another program\n");
}
__global__ void does_nothing() {}
static void number_of_launches() {
  if (first) tells_number<<<1, 1>>>();
  if (first) atexit([] { for (int k = 0; k < 200; k++) does_nothing<<<1, 1>>>(); });
}
__global__ void tells_time() {
  if (clock64() > 1000000) printf("REACHED the time of another program\n");
}
__global__ void takes_time() {
  for (int k = 0; k < 100; k++) __nanosleep(1000000);
}
static void clock_of_device() {
  if (!first) return;
  tells_time<<<1, 1>>>();
  takes_time<<<1, 1>>>();
}
static void last_error() {
  if (first) reached("an error of another program", cudaGetLastError() || cudaDeviceSynchronize());
  atexit([] { cudaSetDevice(99), cudaFree((void *)16); });
}

// Work that goes on when the program has answered -----------------------------------------------------------

__global__ void traps() { __trap(); }
static void fails_at_the_end() {
  if (!first) return;
  reached("a failure of another program", cudaDeviceSynchronize());
  atexit([] { traps<<<1, 1>>>(), cudaDeviceSynchronize(); });
}
__global__ void goes_on() {
  for (volatile int k = 0;; k = k + 1) {}
}
static void endless_at_the_end() {
  if (first) atexit([] { goes_on<<<1, 1>>>(); });
}
static void *launches_on(void *) {
  for (;;) does_nothing<<<1, 1>>>(), usleep(100);
}
static void thread_goes_on() {
  pthread_t t;
  if (first) pthread_create(&t, NULL, launches_on, NULL);
}
static void callback_goes_on() {
  static cudaStream_t s;
  if (first) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  if (first) atexit([] { cudaLaunchHostFunc(s, [](void *) { sleep(600); }, NULL); });
}
__global__ void says() { printf("carried\n"); }
static void prints_at_the_end() {
  if (first) atexit([] { says<<<1, 1>>>(); });
}
// The judge's own array, under a handle of the call before.
static void handle_of_buffer() {
  static cudaIpcMemHandle_t kept;
  static bool known;
  void *p;
  if (known && !cudaIpcOpenMemHandle(&p, kept, cudaIpcMemLazyEnablePeerAccess)) looks<<<1, 1>>>((unsigned *)p, 0, true);
  known = !cudaIpcGetMemHandle(&kept, (void *)input);
  cudaGetLastError();
}
static void graph_goes_on() {
  if (!first) return;
  cudaStream_t s;
  cudaGraph_t graph;
  static cudaGraphExec_t ready;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  for (int k = 0; k < 50; k++) does_nothing<<<1, 1, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  atexit([] { for (int k = 0; k < 100; k++) cudaGraphLaunch(ready, 0); });
}
static void registered_memory() {
  static unsigned own[1 << 16];
  unsigned *on_device = NULL;
  if (!first || cudaHostRegister(own, sizeof own, cudaHostRegisterMapped)) return;
  cudaHostGetDevicePointer((void **)&on_device, own, 0);
  looks<<<1, 256>>>(on_device, sizeof own / 4, true);
}

static void begin(const void *in) {
  static int calls;
  first = calls++ == 0;
  input = (const NUMBER *)in;
  TRY();
}
#if LAB == 5
extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  begin(a->in);
  return honest(a);
}
#else
extern "C" cudaError_t ENTRY(const NUMBER *in, NUMBER *out, SIZE n) {
  begin(in);
  return honest(in, out, n);
}
#endif
