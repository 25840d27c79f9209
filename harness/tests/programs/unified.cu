// What one address space for host and device means: which copies a kind allows, parameters up to their limit,
// and threads that end before a barrier. The answers are an H100's (CUDA 13.0, compute_75 and sm_90).
#include "check.h"

enum { N = 64, PLACES = 6 };
enum place { DEVICE, OTHER_DEVICE, PAGEABLE, PINNED, MANAGED, REGISTERED };
static const char *const names[PLACES] = {"device", "other device", "pageable", "pinned", "managed", "registered"};

// Ordinary memory is out of the device's reach: a kind that puts it there is refused. All else is copied.
static bool allowed(int from, int to, int kind) {
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  return !(from_device && from == PAGEABLE) && !(to_device && to == PAGEABLE);
}

static void copy(unsigned *const *at, int from, int to, int kind) {
  unsigned want[N], zero[N] = {0}, got[N];
  for (unsigned i = 0; i < N; i++) want[i] = 1000 * from + 100 * to + 10 * kind + i + 1;
  CUDA(cudaMemcpy(at[from], want, sizeof want, cudaMemcpyDefault));
  CUDA(cudaMemcpy(at[to], zero, sizeof zero, cudaMemcpyDefault));
  cudaError_t e = cudaMemcpy(at[to], at[from], sizeof want, (cudaMemcpyKind)kind);
  CHECK(cudaGetLastError() == e, "the last error is another one");
  CUDA(cudaMemcpy(got, at[to], sizeof got, cudaMemcpyDefault));
  bool good = allowed(from, to, kind);
  CHECK(e == (good ? cudaSuccess : cudaErrorInvalidValue), "%s to %s, kind %d: %d", names[from], names[to], kind, e);
  CHECK(!memcmp(got, good ? want : zero, sizeof got), "%s to %s, kind %d: wrong data", names[from], names[to], kind);
}

static void copies(unsigned *const *at) {
  for (int from = 0; from < PLACES; from++)
    for (int to = 0; to < PLACES; to++)
      for (int kind = cudaMemcpyHostToHost; from != to && kind <= cudaMemcpyDefault; kind++) copy(at, from, to, kind);
}

static void fills(unsigned *const *at) {
  for (int place = 0; place < PLACES; place++) {
    unsigned got[N] = {0};
    cudaError_t e = cudaMemset(at[place], 0x5a, sizeof got);
    cudaGetLastError();
    CHECK(e == (place == PAGEABLE ? cudaErrorInvalidValue : cudaSuccess), "%s: %d", names[place], e);
    if (e) continue;
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(got, at[place], sizeof got, cudaMemcpyDefault));
    CHECK(got[0] == 0x5a5a5a5a && got[N - 1] == 0x5a5a5a5a, "%s: %x", names[place], got[0]);
  }
}

template <int BYTES> struct parameter { unsigned char byte[BYTES]; };
template <int BYTES> __global__ void add_up(parameter<BYTES> p, unsigned *sum) {
  unsigned mine = 0;
  for (int i = threadIdx.x; i < BYTES; i += blockDim.x) mine += p.byte[i];
  atomicAdd(sum, mine);
}

template <int BYTES> static void parameters() {
  parameter<BYTES> p;
  unsigned want = 0, got = 0, *sum;
  for (int i = 0; i < BYTES; i++) want += p.byte[i] = (unsigned char)(7 * i + i / 251);
  CUDA(cudaMalloc(&sum, sizeof *sum));
  CUDA(cudaMemset(sum, 0, sizeof *sum));
  add_up<BYTES><<<1, 64>>>(p, sum);
  CUDA(cudaGetLastError());
  CUDA(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(got == want, "%d bytes of parameters: %u, expected %u", BYTES + 8, got, want);
  CUDA(cudaFree(sum));
}

// Threads that have ended do not count at a barrier.
__global__ void some_end(unsigned *out, unsigned stay) {
  __shared__ unsigned s[64];
  if (threadIdx.x >= stay) return;
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[stay - 1 - threadIdx.x];
}

static void ended(unsigned *out) {
  for (unsigned stay = 1; stay <= 64; stay += 13) {
    unsigned got[64];
    some_end<<<1, 64>>>(out, stay);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < stay; i++) CHECK(got[i] == stay - 1 - i, "%u stay: [%u] is %u", stay, i, got[i]);
  }
}

int main() {
  unsigned *at[PLACES];
  CUDA(cudaMalloc(&at[DEVICE], N * sizeof(unsigned)));
  CUDA(cudaMalloc(&at[OTHER_DEVICE], N * sizeof(unsigned)));
  at[PAGEABLE] = (unsigned *)malloc(N * sizeof(unsigned));
  CUDA(cudaMallocHost(&at[PINNED], N * sizeof(unsigned)));
  CUDA(cudaMallocManaged(&at[MANAGED], N * sizeof(unsigned)));
  at[REGISTERED] = (unsigned *)aligned_alloc(4096, 4096);
  CUDA(cudaHostRegister(at[REGISTERED], 4096, cudaHostRegisterDefault));
  copies(at);
  fills(at);
  parameters<16>();
  parameters<4344>();
  parameters<4352>();
  parameters<16384>();
  parameters<32744>();
  ended(at[DEVICE]);
  return check_done("unified");
}
