// The table of launch errors: what each wrong launch or wrong kernel returns, from which call, and whether it
// stays. Errors of the configuration are reported once. Errors of a running kernel end the context: every
// later call that needs the device returns them, so each such case runs in a process of its own. Every line
// was compared with CUDA 13 on an H200.
#include <cassert>
#include <sys/wait.h>
#include <unistd.h>
#include "tells.h"

__device__ int symbol;
static int host_only;

__global__ void __launch_bounds__(64) bounded(int *x) { x[threadIdx.x] = 1; }
__global__ void large(int *x) {
  __shared__ int s[8192];
  extern __shared__ int d[];
  s[threadIdx.x] = d[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void trapped() { __trap(); }
__global__ void asserted(int x) { assert(x == 7); }
__global__ void shared_outside(int *x) {
  __shared__ int s[32];
  s[threadIdx.x] = 1;
  x[0] = s[threadIdx.x + x[1]];
}
__global__ void shared_misaligned(int *x) {
  __shared__ char s[64];
  *(volatile int *)(s + 1 + x[1]) = 1;
  x[2] = s[0];
}
__global__ void freed_twice() {
  void *p = malloc(16);
  free(p), free(p);
}
static void not_a_kernel() {}

// A launch that is refused: peek keeps the error, get clears it, and the device goes on.
#define REFUSED(launch, want)                      \
  do {                                             \
    launch;                                        \
    GIVES(cudaPeekAtLastError(), want);            \
    GIVES(cudaPeekAtLastError(), want);            \
    GIVES(cudaGetLastError(), want);               \
    GIVES(cudaGetLastError(), cudaSuccess);        \
    GIVES(cudaDeviceSynchronize(), cudaSuccess);   \
  } while (0)

static void configurations() {
  Dev<int> x(1024);
  int *p = x, n = 1024, blocks = 0, sms = 0;
  const cudaError_t bad = cudaErrorInvalidValue; // the error of every wrong configuration
  REFUSED((fill<<<1, 1025>>>(p, 1)), bad);
  REFUSED((fill<<<1, dim3(32, 32, 2)>>>(p, 1)), bad);
  REFUSED((fill<<<1, dim3(1, 1, 65)>>>(p, 1)), bad);
  REFUSED((fill<<<1, dim3(1, 1025)>>>(p, 1)), bad);
  REFUSED((fill<<<0, 32>>>(p, 1)), bad);
  REFUSED((fill<<<1, 0>>>(p, 1)), bad);
  REFUSED((fill<<<dim3(1, 0), 1>>>(p, 1)), bad);
  REFUSED((fill<<<dim3(1, 65536), 1>>>(p, 1)), bad);
  REFUSED((fill<<<dim3(1, 1, 65536), 1>>>(p, 1)), bad);
  REFUSED((fill<<<0x80000000u, 1>>>(p, 1)), bad);
  REFUSED((fill<<<1, 32, 48 * 1024 + 1>>>(p, 1)), bad);
  REFUSED((fill<<<1, 32, 1 << 28>>>(p, 1)), bad);
  REFUSED((fill<<<0, 2000, 1 << 28>>>(p, 1)), bad);
  REFUSED((large<<<1, 32, 16 * 1024 + 1>>>(p)), bad);  // with the 32 KiB it declares
  REFUSED((bounded<<<1, 65>>>(p)), bad);
  large<<<1, 32, 16 * 1024>>>(p);
  GIVES(cudaGetLastError(), cudaSuccess);
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 1024, 0));
  CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  void *args[] = {&p, &n};
  REFUSED((void)cudaLaunchCooperativeKernel((void *)fill, dim3(blocks * sms + 1), dim3(1024), args, 0, 0), cudaErrorCooperativeLaunchTooLarge);
  GIVES(cudaLaunchCooperativeKernel((void *)fill, dim3(blocks * sms), dim3(1024), args, 0, 0), cudaSuccess);
  REFUSED((void)cudaLaunchCooperativeKernel((void *)fill, dim3(0), dim3(1024), args, 0, 0), bad);
  REFUSED((void)cudaLaunchKernel((void *)fill, dim3(1), dim3(2000), args, 0, 0), bad);
  REFUSED((void)cudaLaunchKernel((void *)not_a_kernel, dim3(1), dim3(1), args, 0, 0), cudaErrorInvalidResourceHandle);
  REFUSED((void)cudaLaunchKernel(nullptr, dim3(1), dim3(1), args, 0, 0), cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes attr;
  REFUSED((void)cudaFuncGetAttributes(&attr, (void *)not_a_kernel), cudaErrorInvalidResourceHandle);
  REFUSED((void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, not_a_kernel, 64, 0), cudaErrorInvalidResourceHandle);
  REFUSED((void)cudaMemcpyToSymbol(host_only, &n, sizeof n), cudaErrorInvalidSymbol);
  REFUSED((void)cudaMemcpyToSymbol(symbol, &n, sizeof n + 1), cudaErrorInvalidValue);
  REFUSED((void)cudaMemcpy(p, &n, sizeof n, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
  GIVES(cudaMemcpy(p, &n, 0, (cudaMemcpyKind)77), cudaSuccess);  // nothing to copy, nothing to say
  GIVES(cudaMemset(nullptr, 0, 0), cudaSuccess);
  REFUSED((void)cudaDeviceSetLimit((cudaLimit)77, 1), cudaErrorInvalidValue);
  REFUSED((void)cudaFuncSetCacheConfig(fill, (cudaFuncCache)77), cudaErrorInvalidValue);
  REFUSED((void)cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  REFUSED((void)cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 28), cudaErrorInvalidValue);
  GIVES(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
  GIVES(cudaMemset(p, 0, 16), cudaSuccess);  // a success does not clear the error of the call before
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  std::vector<int> got = x.get();
  CHECK(got[3] == 0 && got[1023] == 1023, "the device works on: %d %d", got[3], got[1023]);
}

// After a fault: reported by the next call that waits and by every call after it that needs the context. It
// is no longer the last error once cudaGetLastError has told it, until the next such call. No reset helps.
static void stays(cudaError_t want) {
  void *p = nullptr;
  int n = 0, m = 0;
  size_t size;
  cudaEvent_t event;
  cudaStream_t stream;
  cudaDeviceProp prop;
  cudaFuncAttributes attr;
  GIVES(cudaDeviceSynchronize(), want);
  GIVES(cudaGetLastError(), want);
  GIVES(cudaGetLastError(), cudaSuccess);
  GIVES(cudaPeekAtLastError(), cudaSuccess);
  GIVES(cudaDeviceSynchronize(), want);
  GIVES(cudaPeekAtLastError(), want);
  GIVES(cudaMalloc(&p, 16), want);
  GIVES(cudaMemcpy(&n, &n, 0, cudaMemcpyHostToHost), cudaSuccess);
  GIVES(cudaMemcpy(&n, &m, 4, cudaMemcpyHostToHost), want);
  GIVES(cudaGetLastError(), want);
  fill<<<1, 1>>>(nullptr, 0);
  GIVES(cudaGetLastError(), want);
  fill<<<1, 2000>>>(nullptr, 0);
  GIVES(cudaGetLastError(), want);
  GIVES(cudaStreamSynchronize(0), want);
  GIVES(cudaStreamQuery(0), want);
  GIVES(cudaFree(nullptr), want);
  GIVES(cudaMemset((void *)256, 0, 0), cudaSuccess);
  GIVES(cudaFuncGetAttributes(&attr, fill), want);
  GIVES(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024), want);
  GIVES(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, fill, 64, 0), want);
  GIVES(cudaEventCreate(&event), want);
  GIVES(cudaStreamCreate(&stream), want);
  GIVES(cudaHostAlloc(&p, 16, 0), want);
  GIVES(cudaMemcpyToSymbol(symbol, &n, 4), want);
  GIVES(cudaGetSymbolAddress(&p, symbol), want);
  GIVES(cudaMemGetInfo(&size, &size), want);
  GIVES(cudaDeviceGetLimit(&size, cudaLimitStackSize), want);
  GIVES(cudaGetDeviceCount(&n), cudaSuccess);
  GIVES(cudaSetDevice(0), cudaSuccess);
  GIVES(cudaGetDeviceProperties(&prop, 0), cudaSuccess);
  GIVES(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0), cudaSuccess);
  GIVES(cudaDeviceReset(), cudaSuccess);
  GIVES(cudaGetLastError(), want);
  GIVES(cudaMalloc(&p, 16), cudaErrorDevicesUnavailable);
  GIVES(cudaDeviceSynchronize(), cudaErrorDevicesUnavailable);
  CHECK(strcmp(cudaGetErrorString(want), "no error"), "%s", cudaGetErrorString(want));
}
static void on_trap() { trapped<<<1, 1>>>(), stays(cudaErrorLaunchFailure); }
static void on_assert() { asserted<<<1, 1>>>(6), stays(cudaErrorAssert); }
static void on_address() { fill<<<1, 1>>>((int *)0x10, 1), stays(cudaErrorIllegalAddress); }
static void on_misaligned() {
  char *p;
  CUDA(cudaMalloc((void **)&p, 64));
  fill<<<1, 1>>>((int *)(p + 2), 1);
  stays(cudaErrorMisalignedAddress);
}
static void outside(int index, cudaError_t want) {
  int *p, at[2] = {0, index};
  CUDA(cudaMalloc((void **)&p, 64));
  CUDA(cudaMemcpy(p, at, sizeof at, cudaMemcpyHostToDevice));
  shared_outside<<<1, 32>>>(p);
  stays(want);
}
static void on_shared() { outside(64, cudaErrorIllegalAddress); }
static void on_shared_far() { outside(1 << 22, cudaErrorIllegalInstruction); }  // 16 MiB away
static void on_shared_misaligned() {
  int *p;
  CUDA(cudaMalloc((void **)&p, 64));
  CUDA(cudaMemset(p, 0, 64));
  shared_misaligned<<<1, 1>>>(p);
  stays(cudaErrorMisalignedAddress);
}
static void on_freed_twice() { freed_twice<<<1, 1>>>(), stays(cudaErrorLaunchFailure); }
// The copy that waits for the kernel is the one that tells.
static void on_copy() {
  int *p, n;
  CUDA(cudaMalloc((void **)&p, 64));
  fill<<<1, 1>>>((int *)0x10, 1);
  GIVES(cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
  GIVES(cudaPeekAtLastError(), cudaErrorIllegalAddress);
  stays(cudaErrorIllegalAddress);
}

static void in_a_process(const char *name, void (*test)()) {
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    sl_checks = sl_failures = 0;
    test();
    fflush(stdout);
    _exit(sl_checks > 0 && sl_failures == 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: status %x", name, status);
}

int main() {
  in_a_process("trap", on_trap);
  in_a_process("assert", on_assert);
  in_a_process("illegal address", on_address);
  in_a_process("misaligned address", on_misaligned);
  in_a_process("shared memory", on_shared);
  in_a_process("shared memory, far outside", on_shared_far);
  in_a_process("misaligned in shared memory", on_shared_misaligned);
  in_a_process("freed twice", on_freed_twice);
  in_a_process("seen by a copy", on_copy);
  configurations();  // none of that is left here
  return check_done("launch_errors");
}
