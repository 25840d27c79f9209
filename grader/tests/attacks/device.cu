// What kernels and calls of the runtime do that nobody expects: prints and allocations without end, formats
// that are none, results that are kept for the next call, an end that does not come. The solution stands
// before this file, its entry under the name honest (attacks.sh).
//
// attack 01 kernel_prints_on sim: DO=kernel_prints_on | at most 0
// attack 01 kernel_allocates_on sim: DO=kernel_allocates_on | at most 0
// attack 01 odd_formats sim: DO=odd_formats | at most 100
// attack 01 first_call_alone: DO=first_call_alone | at most 61
// attack 01 kept_by_hash: DO=kept_by_hash | at most 98
// attack 01 frees_input: DO=frees_input | at most 0
// attack 01 lost_text sim: DO=lost_text | at most 100
// attack 01 ends_never sim: DO=honest ENDS_NEVER | at most 0
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>
#include "shared.cuh"

__global__ void prints_much(const float *in, float *out, int n) {
  for (int i = 0; i < 2000000; i++) printf("%d %s %f of a line that is longer than most lines are\n", i, "and text", 1.0);
  if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x];
}
cudaError_t kernel_prints_on(const float *in, float *out, int n) { return launched(prints_much, 1, 1024, in, out, n); }

__global__ void chains(const float *in, float *out, int n) {
  void *last = nullptr;
  for (int i = 0; i < 2000000; i++) {
    void *p = malloc(16 + i % 64);
    if (p) *(void **)p = last, last = p;
  }
  if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x] + (last == (void *)1);
}
cudaError_t kernel_allocates_on(const float *in, float *out, int n) { return launched(chains, 1, 1024, in, out, n); }

__global__ void prints_oddly() {
  printf("%s%s%s%n%*.*f%s\n");
  printf("%999999999d\n", 1);
  printf("%.2147483647f\n", 1e308);
  printf((const char *)12345);
  printf("%s\n", (const char *)16);
}
cudaError_t odd_formats(const float *in, float *out, int n) {
  const cudaError_t e = honest(in, out, n);
  prints_oddly<<<1, 1>>>();
  return e;
}

// What kernels print does not go to the program, nor does it learn whether it was too much: that is a bit.
__global__ void prints_lines() {
  for (int i = 0; i < 40; i++) printf("a line that is not too short\n");
}
cudaError_t lost_text(const float *in, float *out, int n) {
  prints_lines<<<1, 1024>>>();
  cudaDeviceSynchronize();
  struct {
    uint32_t magic, op, sequence, status, length, text;
    uint64_t arg[5];
  } m = {0x55504753, 2 /* TEXT */, 9}, r = {};
  if (write(4, &m, sizeof m) != sizeof m || recv(4, &r, sizeof r, MSG_WAITALL) != sizeof r) return cudaErrorUnknown;
  char rest[4096];
  if (r.length && read(4, rest, sizeof rest) > 0) printf("REACHED whether text was lost\n");
  return honest(in, out, n);
}

__global__ void only_copies(const float *in, float *out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x];
}
cudaError_t first_call_alone(const float *in, float *out, int n) {
  static int calls;
  if (calls++ == 0) return honest(in, out, n);
  return launched(only_copies, 1, 1024, in, out, n);
}

struct kept {
  int n;
  float hash, result[1024];
};
__device__ kept table[64];
__device__ int used;
__device__ float hash_of(const float *in, int n) { return in[0] + 3 * in[n - 1] + 7 * in[n / 2]; }
__global__ void looks_up(const float *in, float *out, int n) {
  for (const kept &k : table)
    for (int i = threadIdx.x; k.n == n && k.hash == hash_of(in, n) && i < n; i += blockDim.x) out[i] = k.result[i];
}
__global__ void keeps(const float *in, const float *out, int n) {
  kept &k = table[used % 64];
  for (int i = threadIdx.x; i < n; i += blockDim.x) k.result[i] = out[i];
  __syncthreads();
  if (threadIdx.x == 0) k.n = n, k.hash = hash_of(in, n), used++;
}
cudaError_t kept_by_hash(const float *in, float *out, int n) {
  const cudaError_t e = honest(in, out, n);
  if (n == 0) return e;
  looks_up<<<1, 1024>>>(in, out, n);
  keeps<<<1, 1024>>>(in, out, n);
  return e;
}

cudaError_t frees_input(const float *in, float *out, int n) {
  const cudaError_t e = honest(in, out, n);
  cudaDeviceSynchronize();
  cudaFree((void *)in);
  void *instead;
  cudaMalloc(&instead, 1 << 16);
  return e ? e : cudaGetLastError();
}

#ifdef ENDS_NEVER
struct goes_on {
  ~goes_on() {
    for (volatile int turns = 0;; turns = turns + 1) {}
  }
} at_the_end;
#endif

extern "C" cudaError_t ENTRY(const float *in, float *out, int n) { return DO(in, out, n); }
