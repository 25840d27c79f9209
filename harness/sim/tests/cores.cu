// Kernels for launches on several cores (cores_test.c): blocks that are independent, and blocks that are not, in every
// way there is. Blocks have 128 threads, and enough to do that a launch of 256 blocks is worth several cores.
#include <cassert>
#include <cstdio>

__device__ static int busy(int x) {
  for (int k = 0; k < 30; k++) x = x * 1664525 + 1013904223 + (x >> 7);
  return x;
}
__device__ static int me() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Independent -------------------------------------------------------------------------------------------------

extern "C" __global__ void independent(const int *in, int *out) {
  __shared__ int s[128];
  s[threadIdx.x] = busy(in[me()]);
  __syncthreads();
  out[me()] = s[(threadIdx.x * 8 + 3) % 128] + in[me()];
}
// Neighbouring words belong to different blocks.
extern "C" __global__ void scatters(const int *in, int *out) {
  out[(me() * 40503) % (gridDim.x * blockDim.x)] = busy(in[me()]);
}
// In place, through vectors, with a guard that some lanes fail.
extern "C" __global__ void in_place(int4 *a) {
  int k = me();
  if (k % 7 == 3) return;
  int4 v = a[k];
  v.x = busy(v.y), v.w = busy(v.z);
  a[k] = v;
}
// Atomics on shared memory, whose address the compiler does not know to be one.
extern "C" __global__ void shared_atomics(const int *in, int *out, int which) {
  __shared__ int a[16], b[16];
  int *p = which + (int)threadIdx.x % 2 ? a : b;
  if (threadIdx.x < 16) a[threadIdx.x] = b[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&p[busy(in[me()]) & 15], 1);
  __syncthreads();
  out[me()] = a[threadIdx.x % 16] + 1000 * b[threadIdx.x % 16];
}
// Some blocks read local memory that they have not written.
extern "C" __global__ void stale_local(const int *in, int *out) {
  volatile int a[8];
  int k = busy(in[me()]) & 7;
  if (blockIdx.x % 3)
    for (int i = 0; i < 8; i++) a[i] = in[me()] + i;
  out[me()] = a[k];
}

// Not independent -----------------------------------------------------------------------------------------------

extern "C" __global__ void chain(const int *in, int *out) { // reads what the block before wrote
  int left = blockIdx.x && threadIdx.x == 0 ? out[me() - 1] : 0;
  __syncthreads();
  out[me()] = busy(in[me()]) + left;
}
extern "C" __global__ void looks_ahead(const int *in, int *out) { // reads what the next block will write
  int right = blockIdx.x + 1 < gridDim.x ? out[me() + blockDim.x] : 0;
  __syncthreads();
  out[me()] = busy(in[me()]) + right;
}
extern "C" __global__ void same_word(const int *in, int *out) {
  out[me() % 64] = busy(in[me()]);
}
extern "C" __global__ void bytes(const int *in, unsigned char *out) { // of blocks that share words
  int k = blockIdx.x * 127 + threadIdx.x;
  if (threadIdx.x < 127) out[k] = (unsigned char)busy(in[me()]);
}
extern "C" __global__ void sum_floats(const int *in, float *out) { atomicAdd(out, (float)busy(in[me()])); }
extern "C" __global__ void ticket(const int *in, int *out) {
  __shared__ int t;
  if (threadIdx.x == 0) t = atomicAdd(out, 1);
  __syncthreads();
  out[1 + t * blockDim.x + threadIdx.x] = busy(in[me()]) + blockIdx.x;
}
extern "C" __global__ void waits(const int *in, volatile int *out, volatile int *flag) { // for the block before
  if (blockIdx.x && threadIdx.x == 0)
    while (flag[blockIdx.x - 1] == 0) {}
  __syncthreads();
  out[me()] = busy(in[me()]) + (blockIdx.x ? out[me() - blockDim.x] : 0);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) flag[blockIdx.x] = 1;
}
extern "C" __global__ void clocks(const int *in, long long *out) { out[me()] = busy(in[me()]) + clock64(); }
extern "C" __global__ void prints(const int *in, int *out) {
  out[me()] = busy(in[me()]);
  if (blockIdx.x % 50 == 49 && threadIdx.x == 5) printf("block %d: %d\n", blockIdx.x, out[me()]);
}
extern "C" __global__ void allocates(const int *in, unsigned long long *out) {
  void *p = threadIdx.x == 0 ? malloc(64) : 0;
  out[me()] = busy(in[me()]) + (unsigned long long)p;
  free(p);
}

// Ends early ------------------------------------------------------------------------------------------------------

extern "C" __global__ void out_of_bounds(const int *in, int *out) { // LINE_FIRST
  out[me()] = busy(in[me()]);
  if (blockIdx.x >= 200) out[me() + 100000000] = 1; // LINE_OUTSIDE
}
extern "C" __global__ void fails(const int *in, int *out) {
  out[me()] = busy(in[me()]);
  assert(blockIdx.x < 150); // LINE_ASSERT
}
extern "C" __global__ void hangs(const int *in, volatile int *out) {
  out[me()] = busy(in[me()]);
  if (blockIdx.x == 100)
    while (out[me()] != 77) {} // LINE_HANGS
}
