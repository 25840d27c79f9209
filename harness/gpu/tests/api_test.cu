// The runtime API from a program's side: what it returns, moves and remembers. Exits 1 on a failure.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
#include <unistd.h>
#include <cuda_runtime.h>

static int failures;
#define CHECK(x) do { if (!(x)) { printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #x); failures++; } } while (0)
#define EQ(x, want) do { cudaError_t e_ = (x); if (e_ != (want)) { failures++; \
  printf("%s:%d: %s is %s, expected %s\n", __FILE__, __LINE__, #x, cudaGetErrorName(e_), #want); } } while (0)
#define OK(x) EQ(x, cudaSuccess)

struct big { int a; double b; char c[21]; };
__device__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ float factor[2] = {1.5f, 2.5f};
__managed__ int shared_count = 7;

__global__ void nothing() {}
__global__ void add(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += i + table[i & 7]; }
__global__ void structs(char c, big b, short s, double *out) { out[0] = c; out[1] = b.a; out[2] = b.b; out[3] = b.c[20]; out[4] = s; }
__global__ void scaled(float *p) { p[threadIdx.x] = threadIdx.x * factor[threadIdx.x & 1]; }
__global__ void dynamic(int *p) { extern __shared__ int s[]; s[threadIdx.x] = threadIdx.x; __syncthreads(); p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }
__global__ void count(int *q) { shared_count += q[0]; q[1] = shared_count; }
__global__ void __launch_bounds__(64) bounded(int *p) { p[threadIdx.x] = 1; }
template <typename T> __global__ void typed(T *p) { *p = T(42); }

static void test_copies() {
  const int n = 700001;  // more than two pieces of a copy, no multiple of anything
  std::vector<int> a(n), b(n);
  for (int i = 0; i < n; i++) a[i] = i * 2654435761u;
  int *d, *d2;
  OK(cudaMalloc(&d, n * sizeof(int)));
  OK(cudaMalloc(&d2, n * sizeof(int)));
  OK(cudaMemcpy(d, a.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(d2, d, n * sizeof(int), cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(b.data(), d2, n * sizeof(int), cudaMemcpyDefault));
  CHECK(a == b);
  OK(cudaMemset(d, 0x5A, n * sizeof(int)));
  OK(cudaMemcpyAsync(b.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost, cudaStreamLegacy));
  for (int i = 0; i < n; i++) if (b[i] != 0x5A5A5A5A) { CHECK(!"memset"); break; }
  EQ(cudaMemcpy(d, a.data(), n * sizeof(int) + 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EQ(cudaGetLastError(), cudaErrorInvalidValue);
  OK(cudaGetLastError());
  EQ(cudaMemcpy(d, a.data(), 4, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
  EQ(cudaMemcpy(a.data(), b.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  OK(cudaFree(d));
  EQ(cudaFree(d), cudaErrorInvalidValue);
  EQ(cudaMemcpy(b.data(), d, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EQ(cudaFree(d2 + 1), cudaErrorInvalidValue);
  OK(cudaFree(d2));
  OK(cudaFree(nullptr));
  cudaGetLastError();
}

static void test_2d() {
  char host[10 * 13], back[10 * 7];
  for (int i = 0; i < 130; i++) host[i] = (char)i;
  char *d;
  size_t pitch;
  OK(cudaMallocPitch(&d, &pitch, 7, 10));
  CHECK(pitch >= 7 && pitch % 32 == 0);
  OK(cudaMemcpy2D(d, pitch, host, 13, 7, 10, cudaMemcpyHostToDevice));
  OK(cudaMemset2D(d, pitch, 99, 2, 5));
  OK(cudaMemcpy2D(back, 7, d, pitch, 7, 10, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 10; y++)
    for (int x = 0; x < 7; x++) CHECK(back[y * 7 + x] == (y < 5 && x < 2 ? 99 : y * 13 + x));
  EQ(cudaMemcpy2D(back, 3, d, pitch, 7, 10, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
  for (size_t more : {(size_t)1 << 31, (size_t)1 << 60, ~(size_t)0 - (size_t)d, ~(size_t)0}) { // past the end of all addresses
    EQ(cudaMemset2D(d, more, 0, 4, 2), cudaErrorInvalidValue);
    EQ(cudaMemcpy2D(d, more, d, more, 4, 2, cudaMemcpyDeviceToDevice), cudaErrorInvalidPitchValue);
    EQ(cudaMemset2D(d, 16, 0, 16, more), cudaErrorInvalidValue);
    EQ(cudaMemcpy2D(d, 16, d, 16, 16, more, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  }
  OK(cudaFree(d));
  cudaGetLastError();
}

static void test_symbols() {
  int h[8] = {}, *addr;
  size_t size;
  OK(cudaMemcpyFromSymbol(h, table, sizeof h));
  CHECK(h[0] == 1 && h[7] == 8);
  h[0] = 100;
  OK(cudaMemcpyToSymbol(table, h, 4));
  OK(cudaGetSymbolAddress((void **)&addr, table));
  OK(cudaGetSymbolSize(&size, table));
  CHECK(size == sizeof table);
  OK(cudaMemcpy(h + 1, addr, 4, cudaMemcpyDeviceToHost));
  CHECK(h[1] == 100);
  float f[2] = {3, 4}, *p, out[2];
  OK(cudaMemcpyToSymbol(factor, f, sizeof f));
  OK(cudaMalloc(&p, 8));
  scaled<<<1, 2>>>(p);
  OK(cudaMemcpy(out, p, 8, cudaMemcpyDeviceToHost));
  CHECK(out[0] == 0 && out[1] == 4);
  OK(cudaFree(p));
  EQ(cudaMemcpyToSymbol(factor, f, 8, 4), cudaErrorInvalidValue);
  int unknown;
  EQ(cudaGetSymbolSize(&size, unknown), cudaErrorInvalidSymbol);
  cudaGetLastError();
}

static void test_launches() {
  const int n = 1000;
  int *d, h[n];
  double *out, ho[5];
  OK(cudaMalloc(&d, n * 4));
  OK(cudaMalloc(&out, sizeof ho));
  OK(cudaMemset(d, 0, n * 4));
  nothing<<<3, 5>>>();
  add<<<8, 128>>>(d, n);
  OK(cudaGetLastError());
  OK(cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 100 && h[1] == 3 && h[999] == 999 + 8);
  big b = {5, 6.25, {}};
  b.c[20] = 77;
  structs<<<1, 1>>>('x', b, -3, out);
  OK(cudaMemcpy(ho, out, sizeof ho, cudaMemcpyDeviceToHost));
  CHECK(ho[0] == 'x' && ho[1] == 5 && ho[2] == 6.25 && ho[3] == 77 && ho[4] == -3);
  int value = n;
  void *args[] = {&d, &value};
  OK(cudaLaunchKernel((void *)add, dim3(8), dim3(128), args, 0, 0));
  cudaLaunchConfig_t config = {};
  config.gridDim = 8, config.blockDim = 128;
  OK(cudaLaunchKernelEx(&config, add, d, n));
  OK(cudaLaunchCooperativeKernel((void *)add, dim3(8), dim3(128), args, 0, 0));
  OK(cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 400 && h[999] == 4 * (999 + 8));
  typed<<<1, 1>>>((float *)out);
  float f;
  OK(cudaMemcpy(&f, out, 4, cudaMemcpyDeviceToHost));
  CHECK(f == 42);
  OK(cudaFree(d));
  OK(cudaFree(out));
}

static void test_wrong_launches() {
  int *d;
  OK(cudaMalloc(&d, 4096 * 4));
  add<<<0, 32>>>(d, 1);
  EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EQ(cudaGetLastError(), cudaErrorInvalidValue);
  OK(cudaGetLastError());
  add<<<1, 1025>>>(d, 1);
  EQ(cudaGetLastError(), cudaErrorInvalidValue);
  add<<<dim3(1, 65536), 1>>>(d, 1);
  EQ(cudaGetLastError(), cudaErrorInvalidValue);
  bounded<<<1, 65>>>(d);
  CHECK(cudaGetLastError() != cudaSuccess);
  dynamic<<<1, 32, 49153>>>(d);
  EQ(cudaGetLastError(), cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  dynamic<<<1, 32, 60000>>>(d);
  OK(cudaGetLastError());
  int h[32];
  OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 31 && h[31] == 0);
  EQ(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20), cudaErrorInvalidValue);
  EQ(cudaLaunchKernel((void *)test_wrong_launches, dim3(1), dim3(1), nullptr, 0, 0), cudaErrorInvalidResourceHandle);
  void *args[] = {&d, &h};
  EQ(cudaLaunchCooperativeKernel((void *)add, dim3(1000000), dim3(1024), args, 0, 0), cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
  OK(cudaFree(d));
}

static void test_device() {
  int n = 0, v = 0;
  cudaDeviceProp p;
  OK(cudaGetDeviceCount(&n));
  CHECK(n == 1);
  OK(cudaGetDeviceProperties(&p, 0));
  CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.major == 7 && p.minor == 5 && p.multiProcessorCount > 0);
  OK(cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0));
  CHECK(v == p.multiProcessorCount);
  EQ(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
  EQ(cudaDeviceGetAttribute(&v, (cudaDeviceAttr)100000, 0), cudaErrorInvalidValue);
  EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  OK(cudaSetDevice(0));
  cudaFuncAttributes a;
  OK(cudaFuncGetAttributes(&a, (const void *)bounded));
  CHECK(a.ptxVersion == 75 && a.maxThreadsPerBlock == 64);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, (const void *)add, 256, 0));
  CHECK(v >= 1 && v * 256 <= p.maxThreadsPerMultiProcessor);
  int block = 0, grid = 0;
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add));
  CHECK(grid > 0 && block > 0);
  OK(cudaRuntimeGetVersion(&v));
  CHECK(v == CUDART_VERSION);
  CHECK(!strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
  CHECK(!strcmp(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered"));
  CHECK(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
  size_t before, after, total;
  void *q;
  OK(cudaMemGetInfo(&before, &total));
  OK(cudaMalloc(&q, 1 << 20));
  OK(cudaMemGetInfo(&after, &total));
  CHECK(before - after >= 1 << 20 && before <= total);
  OK(cudaFree(q));
  EQ(cudaMalloc(&q, (size_t)1 << 50), cudaErrorMemoryAllocation);
  cudaGetLastError();
}

static void CUDART_CB set_flag(void *p) { *(int *)p = 1; }

static void test_streams() {
  cudaStream_t s;
  cudaEvent_t a, b;
  float ms = -1;
  int flag = 0;
  OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  OK(cudaEventCreate(&a));
  OK(cudaEventCreateWithFlags(&b, cudaEventDefault));
  EQ(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
  OK(cudaEventRecord(a, s));
  nothing<<<1, 1, 0, s>>>();
  OK(cudaLaunchHostFunc(s, set_flag, &flag));
  OK(cudaEventRecord(b, s));
  OK(cudaStreamWaitEvent(s, b, 0));
  OK(cudaEventSynchronize(b));
  OK(cudaEventQuery(b));
  OK(cudaEventElapsedTime(&ms, a, b));
  CHECK(ms > 0 && ms < 10000 && flag == 1);
  OK(cudaStreamSynchronize(s));
  OK(cudaStreamQuery(s));
  OK(cudaStreamDestroy(s));
  EQ(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
  OK(cudaEventDestroy(a));
  OK(cudaEventDestroy(b));
  cudaArray_t array;
  cudaChannelFormatDesc bits = cudaCreateChannelDesc<float>();
  EQ(cudaMallocArray(&array, &bits, 16, 16, 0), cudaErrorNotSupported);
  cudaGetLastError();
}

static void test_managed() {
  int *q;
  CHECK(shared_count == 7);
  shared_count = 20;
  OK(cudaMallocManaged(&q, 5000));
  q[0] = 5;
  count<<<1, 1>>>(q);
  OK(cudaDeviceSynchronize());
  CHECK(shared_count == 25 && q[1] == 25);
  OK(cudaMemset(q, 0, 8));
  CHECK(q[0] == 0 && q[1] == 0);
  cudaPointerAttributes p;
  OK(cudaPointerGetAttributes(&p, q));
  CHECK(p.type == cudaMemoryTypeManaged);
  OK(cudaFree(q));
}

static void test_host_memory() {
  int *p, *q, h[4];
  cudaPointerAttributes a;
  OK(cudaMallocHost(&p, 100));
  OK(cudaPointerGetAttributes(&a, p + 1));
  CHECK(a.type == cudaMemoryTypeHost);
  OK(cudaPointerGetAttributes(&a, h));
  CHECK(a.type == cudaMemoryTypeUnregistered);
  OK(cudaHostRegister(h, sizeof h, 0));
  EQ(cudaHostRegister(h, sizeof h, 0), cudaErrorHostMemoryAlreadyRegistered);
  OK(cudaHostUnregister(h));
  EQ(cudaHostUnregister(h), cudaErrorHostMemoryNotRegistered);
  OK(cudaFreeHost(p));
  OK(cudaMallocAsync(&q, 64, 0));
  OK(cudaFreeAsync(q, 0));
  cudaGetLastError();
}

__global__ void add_in_place(int *x, int v) { x[threadIdx.x] += v; }

// The program's own memory, read and written by kernels.
static void test_mapped_host() {
  int *own = (int *)calloc(100, sizeof(int)), *pinned, *d, *dp, got = 0;
  cudaPointerAttributes a;
  EQ(cudaHostGetDevicePointer(&d, own, 0), cudaErrorInvalidValue);
  OK(cudaHostRegister(own, 100 * sizeof(int), cudaHostRegisterMapped));
  OK(cudaMallocHost(&pinned, 64 * sizeof(int)));
  OK(cudaHostGetDevicePointer(&d, own + 10, 0));
  OK(cudaHostGetDevicePointer(&dp, pinned, 0));
  for (int i = 0; i < 64; i++) own[10 + i] = i, pinned[i] = -i;
  add_in_place<<<1, 64>>>(d, 5);
  add_in_place<<<1, 64>>>(dp, 5);
  OK(cudaDeviceSynchronize());
  CHECK(own[10] == 5 && own[73] == 68 && own[9] == 0 && own[74] == 0 && pinned[63] == -58);
  own[11] = 1000;
  OK(cudaMemcpy(&got, d + 1, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(got == 1000);
  OK(cudaMemsetAsync(d, 0, sizeof(int), 0));
  OK(cudaDeviceSynchronize());
  CHECK(own[10] == 0);
  OK(cudaPointerGetAttributes(&a, d + 1));
  CHECK(a.type == cudaMemoryTypeHost && a.hostPointer == own + 11);
  OK(cudaMemcpyAsync(pinned, d, 64 * sizeof(int), cudaMemcpyDeviceToHost, 0));
  add_in_place<<<1, 64>>>(dp, 1); // behind the copy
  OK(cudaDeviceSynchronize());
  CHECK(pinned[1] == 1001);
  OK(cudaHostUnregister(own));
  OK(cudaFreeHost(pinned));
  EQ(cudaMemset(d, 0, 4), cudaErrorInvalidValue);
  cudaGetLastError();
  free(own);
}

static void test_threads() {
  std::vector<std::thread> all;
  static int bad[4];
  for (int t = 0; t < 4; t++)
    all.emplace_back([t] {
      for (int i = 0; i < 20; i++) {
        int *d, h = 0;
        if (cudaMalloc(&d, 4) || cudaMemset(d, t, 4)) bad[t]++;
        add<<<1, 1>>>(d, 1);
        if (cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost) || h != t * 0x01010101 + 100 || cudaFree(d)) bad[t]++;
        if (i == 7 && cudaFree((void *)16) != cudaErrorInvalidValue) bad[t]++;
        if (i == 7 && cudaGetLastError() != cudaErrorInvalidValue) bad[t]++;  // each thread has its own last error
        if (cudaGetLastError() != cudaSuccess) bad[t]++;
      }
    });
  for (auto &t : all) t.join();
  for (int b : bad) CHECK(b == 0);
}

int main() {
  test_copies();
  test_2d();
  test_symbols();
  test_launches();
  test_wrong_launches();
  test_device();
  test_streams();
  test_managed();
  test_host_memory();
  test_mapped_host();
  test_threads();
  OK(cudaDeviceReset());
  printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}
