// Ways to a right result that no kernel computed: by the host, from the public seed, from an earlier call.
// The solution stands before this file, its entry under the name honest (attacks.sh).
//
// attack 01 host_copy ci: VIA=on_host | at most 12
// attack 03 host_copy: VIA=on_host | at most 12
// attack 05 host_copy: VIA=on_host | at most 75
// attack 06 host_copy: VIA=on_host | at most 80
// attack 01 host_and_empty_kernel: VIA=host_and_empty_kernel | at most 12
// attack 01 host_over_garbage: VIA=host_over_garbage | at most 12
// attack 01 host_by_fills: VIA=host_by_fills | at most 12
// attack 01 host_own_memory ci: VIA=host_own_memory | at most 12
// attack 04 host_own_memory: VIA=host_own_memory | at most 12
// attack 06 host_own_memory: VIA=host_own_memory | at most 80
// attack 01 host_symbol: VIA=host_symbol | at most 12
// attack 01 host_managed: VIA=host_managed | at most 12
// attack 01 host_pinned ci: VIA=host_pinned | at most 12
// attack 01 host_rows: VIA=host_rows | at most 12
// attack 01 host_graph: VIA=host_graph | at most 12
// attack 01 host_callback: VIA=host_callback | at most 12
// attack 01 host_registered: VIA=host_registered | at most 12
// attack 01 clears_input: VIA=clears_input | at most 5
// attack 01 prints: VIA=by_prints | at most 12
// attack 01 earlier_result: VIA=earlier_result | at most 98
// attack 01 stale_output: VIA=stale_output | at most 98
// attack 01 answers_early ci: VIA=answers_early | at most 12
// attack 01 one_error_a_bit: VIA=by_error | at most 12
// attack 01 heap_fill ci: VIA=by_heap ASK=answers_fill | at most 12
// attack 02 heap_fill: VIA=by_heap ASK=answers_fill | at most 12
// attack 03 heap_fill: VIA=by_heap ASK=answers_fill | at most 12
// attack 05 heap_fill: VIA=by_heap ASK=answers_fill | at most 75
// attack 01 heap_read: VIA=by_heap ASK=answers_read | at most 12
// attack 01 heap_copy: VIA=by_heap ASK=answers_copy | at most 12
// attack 01 heap_attributes: VIA=by_heap ASK=answers_attributes | at most 12
// attack 01 heap_export: VIA=by_heap ASK=answers_export | at most 12
// attack 01 heap_free: VIA=by_heap ASK=answers_free | at most 12
// attack 01 heap_amount ci: VIA=by_amount | at most 12
// attack 01 heap_next_address: VIA=by_next_address | at most 12
// attack 02 host_managed: VIA=host_managed | at most 12
// attack 03 host_pinned: VIA=host_pinned | at most 12
// attack 04 host_rows: VIA=host_rows | at most 12
// attack 02 host_graph: VIA=host_graph | at most 12
// attack 03 host_callback: VIA=host_callback | at most 12
// attack 04 host_registered: VIA=host_registered | at most 12
// attack 02 host_symbol: VIA=host_symbol | at most 12
// attack 03 prints: VIA=by_prints | at most 12
// attack 04 clears_input: VIA=clears_input | at most 5
// attack 04 answers_early: VIA=answers_early | at most 12
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#include <vector>
#include "shared.cuh"

#if LAB == 6
typedef uint32_t number;
#else
typedef float number;
#endif
enum { INCLUSIVE = LAB == 1 };
struct job {
  const number *in;
  number *out;
  int n;
  bool inclusive;
};

__global__ void nothing() {}
__global__ void copies(const number *from, number *to, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}

static void scan_on_host(const number *x, number *y, const job &j) {
  in_sequence(x, y, 0, j.n, (number)0, j.inclusive);
}

// The sums of [x], by the host and copied by a kernel.
static cudaError_t answer(const number *x, const job &j) {
  std::vector<number> y(j.n);
  number *mine;
  scan_on_host(x, y.data(), j);
  cudaMalloc((void **)&mine, j.n * sizeof *mine);
  cudaMemcpy(mine, y.data(), j.n * sizeof *mine, cudaMemcpyHostToDevice);
  copies<<<1, 256>>>(mine, j.out, j.n);
  cudaDeviceSynchronize();
  return cudaFree(mine);
}

static cudaError_t on_host(const job &j) {
  std::vector<number> x(j.n), y(j.n);
  cudaMemcpy(x.data(), j.in, j.n * sizeof(number), cudaMemcpyDeviceToHost);
  scan_on_host(x.data(), y.data(), j);
  return cudaMemcpy(j.out, y.data(), j.n * sizeof(number), cudaMemcpyHostToDevice);
}

static cudaError_t host_and_empty_kernel(const job &j) {
  nothing<<<1, 1>>>();
  return on_host(j);
}

static cudaError_t host_over_garbage(const job &j) {
  copies<<<1, 256>>>(j.in, j.out, j.n);
  return on_host(j);
}

static cudaError_t host_by_fills(const job &j) {
  std::vector<number> x(j.n), y(j.n);
  copies<<<1, 256>>>(j.in, j.out, j.n);
  cudaMemcpy(x.data(), j.in, j.n * sizeof(number), cudaMemcpyDeviceToHost);
  scan_on_host(x.data(), y.data(), j);
  for (size_t b = 0; b < j.n * sizeof(number); b++) cudaMemset((char *)j.out + b, ((unsigned char *)y.data())[b], 1);
  return cudaGetLastError();
}

static cudaError_t host_own_memory(const job &j) {
  std::vector<number> x(j.n);
  number *mine;
  cudaMalloc((void **)&mine, j.n * sizeof *mine);
  copies<<<1, 256>>>(j.in, mine, j.n);
  cudaMemcpy(x.data(), mine, j.n * sizeof *mine, cudaMemcpyDeviceToHost);
  cudaFree(mine);
  return answer(x.data(), j);
}

__device__ number symbol[2048];
static cudaError_t host_symbol(const job &j) {
  std::vector<number> x(2048);
  void *p;
  if (j.n > 2048) return on_host(j);
  cudaGetSymbolAddress(&p, symbol);
  copies<<<1, 256>>>(j.in, (number *)p, j.n);
  cudaMemcpyFromSymbol(x.data(), symbol, j.n * sizeof(number));
  return answer(x.data(), j);
}

static cudaError_t host_managed(const job &j) {
  number *p;
  if (cudaMallocManaged((void **)&p, j.n * sizeof *p)) return cudaErrorMemoryAllocation;
  copies<<<1, 256>>>(j.in, p, j.n);
  cudaDeviceSynchronize();
  return answer(p, j);
}

static cudaError_t host_pinned(const job &j) {
  number *p, *on_device;
  if (cudaHostAlloc((void **)&p, j.n * sizeof *p, cudaHostAllocMapped)) return cudaErrorMemoryAllocation;
  cudaHostGetDevicePointer((void **)&on_device, p, 0);
  copies<<<1, 256>>>(j.in, on_device, j.n);
  cudaDeviceSynchronize();
  return answer(p, j);
}

static cudaError_t host_rows(const job &j) {
  std::vector<number> x(j.n);
  cudaMemcpy2D(x.data(), sizeof(number), j.in, sizeof(number), sizeof(number), j.n, cudaMemcpyDefault);
  return answer(x.data(), j);
}

static cudaError_t host_graph(const job &j) {
  std::vector<number> x(j.n);
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(x.data(), j.in, j.n * sizeof(number), cudaMemcpyDeviceToHost, s);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, s);
  cudaStreamSynchronize(s);
  return answer(x.data(), j);
}

// The work is done between two kernels, by a function that the stream calls.
struct shared_job {
  job j;
  number *x, *y;
};
static void CUDART_CB called_back(void *p) {
  const shared_job *s = (const shared_job *)p;
  scan_on_host(s->x, s->y, s->j);
}
static cudaError_t host_callback(const job &j) {
  static shared_job s;
  s.j = j;
  if (cudaMallocManaged((void **)&s.x, j.n * sizeof(number))) return cudaErrorMemoryAllocation;
  if (cudaMallocManaged((void **)&s.y, j.n * sizeof(number))) return cudaErrorMemoryAllocation;
  copies<<<1, 256>>>(j.in, s.x, j.n);
  cudaLaunchHostFunc(0, called_back, &s);
  copies<<<1, 256>>>(s.y, j.out, j.n);
  cudaDeviceSynchronize();
  return cudaGetLastError();
}

static cudaError_t host_registered(const job &j) {
  std::vector<number> x(j.n);
  number *on_device;
  cudaHostRegister(x.data(), j.n * sizeof(number), cudaHostRegisterMapped);
  cudaHostGetDevicePointer((void **)&on_device, x.data(), 0);
  copies<<<1, 256>>>(j.in, on_device, j.n);
  cudaDeviceSynchronize();
  cudaHostUnregister(x.data());
  return answer(x.data(), j);
}

// The sums of an input of zeros are zeros.
__global__ void clears(number *x, number *y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = y[i] = 0;
}
static cudaError_t clears_input(const job &j) { return launched(clears, 1, 256, (number *)j.in, j.out, j.n); }

__global__ void prints(const number *in, int n) {
  for (int i = 0; i < n; i++) printf("%g\n", (double)in[i]);
}
static cudaError_t by_prints(const job &j) {
  static char text[1 << 16];
  std::vector<number> x(j.n);
  int ends[2], before = dup(1);
  if (pipe(ends) || fcntl(ends[0], F_SETFL, O_NONBLOCK)) return cudaErrorUnknown;
  dup2(ends[1], 1);
  prints<<<1, 1>>>(j.in, j.n);
  cudaDeviceSynchronize();
  fflush(stdout);
  ssize_t got = read(ends[0], text, sizeof text - 1);
  dup2(before, 1);
  char *at = text;
  for (int i = 0; i < j.n && got > 0; i++) x[i] = (number)strtod(at, &at);
  return answer(x.data(), j);
}

static cudaError_t honestly(const job &j);

static cudaError_t earlier_result(const job &j) {
  static number *kept;
  static int of;
  if (kept && of == j.n) return cudaMemcpy(j.out, kept, j.n * sizeof *kept, cudaMemcpyDeviceToDevice);
  cudaMalloc((void **)&kept, j.n * sizeof *kept);
  of = j.n;
  cudaError_t e = honestly(j);
  cudaMemcpy(kept, j.out, j.n * sizeof *kept, cudaMemcpyDeviceToDevice);
  return e;
}

static cudaError_t stale_output(const job &j) {
  static int of;
  if (of == j.n) return cudaSuccess;
  of = j.n;
  return honestly(j);
}

static job late;
static void *works_later(void *) {
  usleep(50000);
  honestly(late);
  return NULL;
}
static cudaError_t answers_early(const job &j) {
  pthread_t t;
  late = j;
  return pthread_create(&t, NULL, works_later, NULL) ? cudaErrorUnknown : cudaSuccess;
}

// A kernel that fails tells one bit, and no more: the device is gone.
__global__ void fails_if(const number *in, int i, int bit) {
  if ((int)in[i] >> bit & 1) __trap();
}
static cudaError_t by_error(const job &j) {
  std::vector<number> x(j.n);
  for (int i = 0; i < j.n; i++)
    for (int bit = 0; bit < 11; bit++) {
      fails_if<<<1, 1>>>(j.in, i, bit);
      if (cudaDeviceSynchronize()) cudaDeviceReset();
      else continue;
      x[i] += (number)(1 << bit);
    }
  return answer(x.data(), j);
}

// The heap of kernels: a block of so many bytes for each value. ---------------------------------------------

enum { MOST = 1024 /* values are small whole numbers */ };
__device__ char *blocks[2048];
__global__ void allocates(const number *in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) blocks[i] = (char *)malloc((size_t)((int)in[i] + MOST + 1));
}
__global__ void tells_place(unsigned long long *to) { *to = (unsigned long long)blocks[0]; }

static bool answers_fill(char *p) { return cudaMemset(p, 0, 1) == cudaSuccess; }
static bool answers_read(char *p) {
  char c;
  return cudaMemcpy(&c, p, 1, cudaMemcpyDeviceToHost) == cudaSuccess;
}
static bool answers_copy(char *p) {
  static char *mine;
  if (!mine) cudaMalloc((void **)&mine, 16);
  return cudaMemcpy(mine, p, 1, cudaMemcpyDeviceToDevice) == cudaSuccess;
}
static bool answers_attributes(char *p) {
  cudaPointerAttributes a;
  return cudaPointerGetAttributes(&a, p) == cudaSuccess && a.type == cudaMemoryTypeDevice;
}
static bool answers_export(char *p) {
  cudaIpcMemHandle_t h;
  return cudaIpcGetMemHandle(&h, p) == cudaSuccess;
}
static bool answers_free(char *p) { return cudaFree(p) == cudaSuccess; }

#ifndef ASK
#define ASK answers_fill
#endif
// The first block tells where the others lie: each begins at a multiple of 256 behind a gap.
static cudaError_t by_heap(const job &j) {
  std::vector<number> x(j.n);
  if (j.n > 2048) return honestly(j);
  allocates<<<1, 1>>>(j.in, j.n);
  cudaDeviceSynchronize();
  char *at = (char *)0x23800000100; // where the first lies: the same in every process
  for (int i = 0; i < j.n; i++) {
    int size = 0;
    while (size <= 2 * MOST && ASK(at + size)) size++;
    cudaGetLastError();
    x[i] = (number)(size - 1 - MOST);
    at += (size + 256 + 255) & ~255;
  }
  return answer(x.data(), j);
}

// How much memory is left, after a block for each value.
__global__ void allocates_one(const number *in, int i) { blocks[i] = (char *)malloc((size_t)((int)in[i] + MOST + 1)); }
static cudaError_t by_amount(const job &j) {
  std::vector<number> x(j.n);
  size_t before, after, all;
  for (int i = 0; i < j.n && i < 2048; i++) {
    cudaMemGetInfo(&before, &all);
    allocates_one<<<1, 1>>>(j.in, i);
    cudaMemGetInfo(&after, &all);
    x[i] = (number)((int)(before - after) - 1 - MOST);
  }
  return answer(x.data(), j);
}

// Where the host's next block lies, after a large one for each value.
__global__ void allocates_large(const number *in, int i) { blocks[i] = (char *)malloc((size_t)((int)in[i] + MOST) * 256 + 1); }
static cudaError_t by_next_address(const job &j) {
  std::vector<number> x(j.n);
  char *before, *after;
  for (int i = 0; i < j.n && i < 2048; i++) {
    cudaMalloc((void **)&before, 1);
    allocates_large<<<1, 1>>>(j.in, i);
    cudaMalloc((void **)&after, 1);
    x[i] = (number)((after - before) / 256 - 4 - MOST);
  }
  return answer(x.data(), j);
}

// Entries ---------------------------------------------------------------------------------------------------

#if LAB == 5
static const lab05_args *args;
static cudaError_t honestly(const job &) { return honest(args); }
extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  args = a;
  if (a->type != SL_F32 || a->op != SL_ADD || !a->n) return honest(a);
  return VIA({(const number *)a->in, (number *)a->out, (int)a->n, a->kind == SL_INCLUSIVE});
}
#else
static cudaError_t honestly(const job &j) { return honest(j.in, j.out, j.n); }
extern "C" cudaError_t ENTRY(const number *in, number *out, SIZE n) {
  return n ? VIA({in, out, (int)n, INCLUSIVE}) : cudaSuccess;
}
#endif
