// nsight_patterns: kernels that do one thing with memory or branches each. What Nsight Compute counts of
// every launch on a GPU is in measured.csv.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cuda_runtime.h>

/* Kernels:  one access a thread, or a loop of them; p is the launch's number
 * Launch:   grid = 1 or 2, block = 256   Shared: static, 4 KiB   Barriers: 2 where shared memory is used */
__global__ void shared_load_stride(uint32_t *data, int p) {
  __shared__ uint32_t s[1024];
  for (int i = threadIdx.x; i < 1024; i += 256) s[i] = data[i];
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x * p & 1023];
}

__global__ void shared_store_stride(uint32_t *data, int p) {
  __shared__ uint32_t s[1024];
  s[threadIdx.x * p & 1023] = p;
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
}

template <class T> __global__ void shared_wide(T *data, int p) { // 8 or 16 bytes a thread
  __shared__ T s[256];
  s[threadIdx.x * p & 255] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x * (p + 2) & 255];
}

// Lanes that share 8 or 16 bytes: thread t of the first [lanes] reads element (t >> shift & mask) * stride.
template <class T> __global__ void shared_wide_alike(T *data, int shift, int mask, int stride, int lanes) {
  __shared__ T s[256];
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if (threadIdx.x % 32 < lanes) data[threadIdx.x] = s[((threadIdx.x >> shift) & mask) * stride & 255];
}

template <class T> __global__ void shared_wide_scattered(T *data, int p, int mask) {
  __shared__ T s[256];
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  const T x = s[(threadIdx.x * 2654435761u >> p) & mask];
  __syncthreads();
  s[(threadIdx.x * 2246822519u >> p) & mask] = x;
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
}

__global__ void shared_bytes(uint8_t *data, int p) {
  __shared__ uint8_t s[4096];
  for (int i = threadIdx.x; i < 4096; i += 256) s[i] = data[i];
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x * p & 4095];
}

__global__ void shared_scattered(uint32_t *data, int p) { // some lanes only, of any bank
  __shared__ uint32_t s[1024];
  for (int i = threadIdx.x; i < 1024; i += 256) s[i] = data[i];
  __syncthreads();
  const uint32_t at = (threadIdx.x * 2654435761u >> p) & 1023;
  if (at & 3) data[threadIdx.x] = s[at];
}

template <class T> __global__ void global_load_stride(const T *data, T *out, int p) {
  out[threadIdx.x] = data[threadIdx.x * p];
}

template <class T> __global__ void global_store_stride(T *out, int p) { memset(&out[threadIdx.x * p], p, sizeof(T)); }

__global__ void global_shifted(const uint32_t *data, uint32_t *out, int p) { out[threadIdx.x] = data[threadIdx.x + p]; }

__global__ void global_scattered(const uint32_t *data, uint32_t *out, int p) {
  const uint32_t at = (threadIdx.x * 2654435761u >> p) & 2047;
  if (at & 1) out[at] = data[(at * 7) & 2047];
}

// Atomics. The bin of thread t: t & mask, times a stride.
template <class T> __global__ void shared_atomic(T *data, int mask, int stride, bool keep) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += 256) s[i] = 0;
  __syncthreads();
  T old = atomicAdd(&s[(threadIdx.x & mask) * stride & 1023], (T)(threadIdx.x + 3));
  __syncthreads();
  data[threadIdx.x] = keep ? old : s[threadIdx.x];
}

__global__ void shared_atomic_one(uint32_t *data, int mask) { // histogram: adds 1 and keeps nothing
  __shared__ uint32_t s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x & mask], 1u);
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
}

__global__ void shared_atomic_scattered(uint32_t *data, int p, int mask, bool one) {
  __shared__ uint32_t s[1024];
  for (int i = threadIdx.x; i < 1024; i += 256) s[i] = 0;
  __syncthreads();
  uint32_t *at = &s[(threadIdx.x * 2654435761u >> p) & mask];
  if (one) atomicAdd(at, 1u);
  else atomicAdd(at, threadIdx.x);
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
}

__global__ void shared_maximum(uint32_t *data, int mask) {
  __shared__ uint32_t s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicMax(&s[threadIdx.x & mask], threadIdx.x);
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
}

template <class T> __global__ void global_red(T *data, int mask, int stride) {
  atomicAdd(&data[(threadIdx.x & mask) * stride], (T)(threadIdx.x + 1));
}

template <class T> __global__ void global_atom(T *data, int mask, int stride) {
  const T old = atomicAdd(&data[(threadIdx.x & mask) * stride], (T)(threadIdx.x + 1));
  data[8192 + threadIdx.x] = old;
}

__global__ void global_red_scattered(uint32_t *data, int p, int mask) {
  atomicAdd(&data[(threadIdx.x * 2654435761u >> p) & mask], threadIdx.x);
}

__global__ void global_cas(uint32_t *data, int mask, int stride) {
  data[8192 + threadIdx.x] = atomicCAS(&data[(threadIdx.x & mask) * stride], 0u, threadIdx.x);
}

// Branches whose bodies are too long to be turned into choices.
__global__ void branch_lanes(uint32_t *data, int mask) { // threads of a warp part where mask has a bit below 32
  uint32_t x = threadIdx.x;
  if (x & mask) {
    for (int i = 0; i < 5; i++) x = x * data[(x + i) & 255] + i, data[256 + (x & 255)] = i;
  } else {
    for (int i = 0; i < 3; i++) x ^= data[(x ^ i) & 255] * 5, data[512 + (x & 255)] = i;
  }
  data[1024 + threadIdx.x] = x;
}

__global__ void branch_trips(uint32_t *data, int p) { // every thread loops as often as its number says
  uint32_t x = 1;
  #pragma unroll 1
  for (uint32_t i = 0; i < threadIdx.x % p; i++) x = x * data[(x + i) & 255] + i;
  data[1024 + threadIdx.x] = x;
}

// Shared memory in pieces of 8 or 16 bytes.
template <class V> static void wide(void *data) {
  V *d = (V *)data;
  for (const int4 &p : {int4{8, 0, 1, 32}, int4{0, 1, 1, 32}, int4{0, 3, 1, 32}, int4{0, 7, 1, 32},
                        int4{0, 15, 1, 32}, int4{0, 15, 2, 32}, int4{1, 255, 1, 32}, int4{2, 255, 1, 32},
                        int4{3, 255, 1, 32}, int4{4, 255, 1, 32}, int4{4, 255, 16, 32}, int4{3, 255, 8, 32},
                        int4{1, 255, 8, 32}, int4{0, 255, 1, 8}, int4{0, 255, 1, 12}, int4{0, 255, 1, 16},
                        int4{0, 255, 1, 24}, int4{0, 7, 16, 32}, int4{0, 1, 8, 32}, int4{0, 1, 16, 20}})
    shared_wide_alike<<<1, 256>>>(d, p.x, p.y, p.z, p.w);
  for (const int2 &p : {int2{5, 255}, int2{9, 255}, int2{11, 63}, int2{13, 31}, int2{15, 15}, int2{17, 7},
                        int2{20, 255}, int2{19, 3}})
    shared_wide_scattered<<<1, 256>>>(d, p.x, p.y);
}

// The order of the launches is that of the recorded counters.
static void shared(uint32_t *d) {
  for (int p : {1, 2, 4, 32, 33}) shared_load_stride<<<1, 256>>>(d, p);
  shared_load_stride<<<2, 256>>>(d, 0);
  for (int p : {1, 2, 8, 0}) shared_store_stride<<<1, 256>>>(d, p);
  for (int p : {1, 2, 16}) shared_wide<<<1, 256>>>((uint2 *)d, p);
  for (int p : {1, 2, 8, 0}) shared_wide<<<1, 256>>>((uint4 *)d, p);
  wide<uint2>(d);
  wide<uint4>(d);
  for (int p : {1, 4, 128}) shared_bytes<<<1, 256>>>((uint8_t *)d, p);
  shared_scattered<<<1, 256>>>(d, 7);
  shared_scattered<<<1, 256>>>(d, 13);
}

static void global(uint32_t *d) {
  for (int p : {1, 2, 8, 0}) global_load_stride<<<1, 256>>>(d, d + 9000, p);
  global_load_stride<<<1, 256>>>((uint4 *)d, (uint4 *)d + 9000, 1);
  global_load_stride<<<1, 256>>>((uint4 *)d, (uint4 *)d + 9000, 3);
  global_load_stride<<<1, 256>>>((uint8_t *)d, (uint8_t *)d + 9000, 3);
  for (int p : {1, 3, 0}) global_store_stride<<<1, 256>>>(d, p);
  global_store_stride<<<1, 256>>>((uint2 *)d, 5);
  global_shifted<<<1, 256>>>(d, d + 9000, 1);
  global_shifted<<<1, 256>>>(d, d + 9001, 8);
  global_scattered<<<1, 256>>>(d, d + 9000, 9);
}

static void shared_atomics(uint32_t *d) {
  for (const int3 &p : {int3{255, 1, 0}, int3{255, 2, 1}, int3{255, 32, 0}, int3{0, 1, 1}, int3{3, 1, 0},
                        int3{3, 32, 1}})
    shared_atomic<<<1, 256>>>(d, p.x, p.y, p.z);
  for (int p : {255, 3, 0}) shared_atomic_one<<<1, 256>>>(d, p);
  for (const int3 &p : {int3{7, 1023, 1}, int3{9, 255, 1}, int3{11, 63, 1}, int3{7, 1023, 0},
                        int3{9, 255, 0}, int3{11, 63, 0}})
    shared_atomic_scattered<<<1, 256>>>(d, p.x, p.y, p.z);
  for (int p : {255, 3, 0}) shared_maximum<<<1, 256>>>(d, p);
  shared_atomic<<<1, 256>>>((float *)d, 255, 1, false);
  shared_atomic<<<1, 256>>>((float *)d, 3, 1, false);
}

static void global_atomics(uint32_t *d) {
  for (const int2 &p : {int2{255, 1}, int2{255, 2}, int2{255, 8}, int2{0, 1}, int2{3, 1}, int2{3, 8}})
    global_red<<<1, 256>>>(d, p.x, p.y);
  global_red<<<1, 256>>>((float *)d, 255, 1);
  global_red<<<1, 256>>>((float *)d, 3, 1);
  global_red<<<1, 256>>>((unsigned long long *)d, 255, 1);
  global_red<<<1, 256>>>((unsigned long long *)d, 1, 1);
  for (const int2 &p : {int2{7, 1023}, int2{9, 255}, int2{11, 63}, int2{13, 15}})
    global_red_scattered<<<1, 256>>>(d, p.x, p.y);
  for (const int2 &p : {int2{255, 1}, int2{255, 8}, int2{0, 1}, int2{3, 1}, int2{7, 4}})
    global_atom<<<1, 256>>>(d, p.x, p.y);
  global_atom<<<1, 256>>>((float *)d, 3, 1);
  global_cas<<<1, 256>>>(d, 255, 1);
  global_cas<<<1, 256>>>(d, 3, 1);
}

int main() {
  uint32_t *d;
  if (cudaMalloc(&d, 1 << 20) || cudaMemset(d, 0, 1 << 20)) return 1;
  shared(d);
  global(d);
  shared_atomics(d);
  global_atomics(d);
  for (int p : {1, 16, 32, 0}) branch_lanes<<<1, 256>>>(d, p);
  for (int p : {1, 7, 32}) branch_trips<<<1, 256>>>(d, p);
  const cudaError_t done = cudaDeviceSynchronize();
  cudaFree(d);
  if (done != cudaSuccess) printf("%s\n", cudaGetErrorString(done));
  return done != cudaSuccess;
}
