// The table of launch errors: what each wrong launch or wrong kernel returns, from which call, and whether it stays. Errors
// of the configuration are reported once; errors of a running kernel end the context: every later call returns them, so
// each such case runs in a process of its own.
#include <cassert>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"

__device__ int symbol;
static int host_only;

__global__ void fill(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}
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
  x[0] = s[threadIdx.x + (1 << 24)];
}
static void not_a_kernel() {}

#define GIVES(call, want)                                                                               \
  do {                                                                                                  \
    cudaError_t got_ = (call);                                                                          \
    CHECK(got_ == (want), "%s: %s, want %s", #call, cudaGetErrorName(got_), cudaGetErrorName(want));    \
  } while (0)
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
  const cudaError_t bad = cudaErrorInvalidConfiguration;
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
  REFUSED((fill<<<1, 32, 48 * 1024 + 1>>>(p, 1)), cudaErrorInvalidValue);
  REFUSED((fill<<<1, 32, 1 << 28>>>(p, 1)), cudaErrorInvalidValue);
  REFUSED((large<<<1, 32, 16 * 1024 + 1>>>(p)), cudaErrorInvalidValue);  // with the 32 KiB it declares
  REFUSED((bounded<<<1, 65>>>(p)), cudaErrorLaunchOutOfResources);
  large<<<1, 32, 16 * 1024>>>(p);
  GIVES(cudaGetLastError(), cudaSuccess);
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 1024, 0));
  CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  void *args[] = {&p, &n};
  REFUSED((void)cudaLaunchCooperativeKernel((void *)fill, dim3(blocks * sms + 1), dim3(1024), args, 0, 0), cudaErrorCooperativeLaunchTooLarge);
  GIVES(cudaLaunchCooperativeKernel((void *)fill, dim3(blocks * sms), dim3(1024), args, 0, 0), cudaSuccess);
  REFUSED((void)cudaLaunchKernel((void *)not_a_kernel, dim3(1), dim3(1), args, 0, 0), cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes attr;
  REFUSED((void)cudaFuncGetAttributes(&attr, (void *)not_a_kernel), cudaErrorInvalidDeviceFunction);
  REFUSED((void)cudaMemcpyToSymbol(host_only, &n, sizeof n), cudaErrorInvalidSymbol);
  REFUSED((void)cudaMemcpyToSymbol(symbol, &n, sizeof n + 1), cudaErrorInvalidValue);
  REFUSED((void)cudaMemcpy(p, &n, sizeof n, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
  REFUSED((void)cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 28), cudaErrorInvalidValue);
  GIVES(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
  GIVES(cudaMemset(p, 0, 16), cudaSuccess);  // a success does not clear the error of the call before
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  std::vector<int> got = x.get();
  CHECK(got[3] == 0 && got[1023] == 1023, "the device works on: %d %d", got[3], got[1023]);
}

// After a fault: reported by the next call that waits, by every call after it, never cleared.
static void stays(cudaError_t want) {
  void *p = nullptr;
  int n = 0;
  GIVES(cudaDeviceSynchronize(), want);
  GIVES(cudaGetLastError(), want);
  GIVES(cudaGetLastError(), want);
  GIVES(cudaPeekAtLastError(), want);
  GIVES(cudaMalloc(&p, 16), want);
  GIVES(cudaMemcpy(&n, &n, 0, cudaMemcpyHostToHost), want);
  fill<<<1, 1>>>(nullptr, 0);
  GIVES(cudaGetLastError(), want);
  GIVES(cudaStreamSynchronize(0), want);
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
static void on_shared() {
  int *p;
  CUDA(cudaMalloc((void **)&p, 64));
  shared_outside<<<1, 32>>>(p);
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
  configurations();  // none of that is left here
  return check_done("launch_errors");
}
