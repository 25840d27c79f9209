// Kernels for launches on several cores (cores_test.c): independent blocks, and dependent ones of every way.
// Blocks have 128 threads, and enough to do that a launch of 256 blocks is worth several cores.
#include <cassert>
#include <cstdio>

__device__ static int busy(int x) {
  for (int k = 0; k < 30; k++) x = x * 1664525 + 1013904223 + (x >> 7);
  return x;
}
__device__ static int me() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Independent -----------------------------------------------------------------------------------------------

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
// All blocks add to the same words.
extern "C" __global__ void histogram(const int *in, int *out) { atomicAdd(&out[busy(in[me()]) & 255], me() % 3); }
extern "C" __global__ void histogram_guarded(const int *in, unsigned long long *out) {
  if (threadIdx.x < 100) atomicAdd(&out[busy(in[me()]) & 7], 1ull << 33);
}
// Some blocks read local memory that they have not written.
extern "C" __global__ void stale_local(const int *in, int *out) {
  int a[8], k = busy(in[me()]) & 7;
  asm volatile("" ::"l"(a) : "memory"); // the compiler cannot know what is in it
  if (blockIdx.x % 3)
    for (int i = 0; i < 8; i++) a[i] = in[me()] + i;
  asm volatile("" ::"l"(a) : "memory");
  out[me()] = a[k];
}

// Not independent -------------------------------------------------------------------------------------------

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
extern "C" __global__ void bytes(const int *in, unsigned char *out) { // blocks share words
  int k = blockIdx.x * 127 + threadIdx.x;
  if (threadIdx.x < 127) out[k] = (unsigned char)busy(in[me()]);
}
// Only two blocks, of different workers, touch the same words: the first kinds of access and the second.
#define PAIR(NAME, FIRST, SECOND)                                                                            \
  extern "C" __global__ void NAME(const int *in, int *out) {                                                 \
    int x = 0, *p = &out[threadIdx.x];                                                                       \
    if (blockIdx.x == 5) FIRST;                                                                              \
    if (blockIdx.x == 12) SECOND;                                                                            \
    out[1024 + me()] = busy(in[me()]) + x;                                                                   \
  }
PAIR(write_read, *p = 7, x = *p)
PAIR(read_write, x = *p, *p = 7)
PAIR(write_write, *p = 7, *p = 8)
PAIR(write_add, *p = 7, atomicAdd(p, 3))
PAIR(read_add, x = *p, atomicAdd(p, 3))
PAIR(add_read, atomicAdd(p, 3), x = *p)
PAIR(add_write, atomicAdd(p, 3), *p = 7)
PAIR(unlike_adds, atomicAdd(p, 3), atomicAdd((unsigned long long *)out + 1, 1ull))
PAIR(read_read, x = *p, x = *p + 1)
PAIR(add_add, atomicAdd(p, 3), atomicAdd(p, 4))

extern "C" __global__ void histogram_read(const int *in, int *out) { // a word that others add to
  atomicAdd(&out[me() & 255], 1);
  out[1024 + me()] = busy(in[me()]) + out[threadIdx.x];
}
extern "C" __global__ void histogram_two(const int *in, int *out) { // unlike additions
  int k = busy(in[me()]);
  if (k & 1) atomicAdd(&out[k >> 1 & 15], 1);
  else atomicAdd((unsigned long long *)out + (k >> 1 & 7), 1ull);
}
extern "C" __global__ void most(const int *in, int *out) { atomicMax(&out[me() & 15], busy(in[me()])); }
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

// Ends early ------------------------------------------------------------------------------------------------

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
