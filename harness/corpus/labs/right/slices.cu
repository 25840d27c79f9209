// Sorts in two ways of their own. By one bit: one kernel counts the zeros of all 32 bits, then each pass is
// one kernel, whose tiles hand over the number of ones. By several bits: a block has a slice of the keys
// for all of a pass and walks through it. Memory frees itself; flag and number are one word of 64 bits.
//
// right 06 slices: THREADS=256
#include "scanlab/lab.h"

#include <utility>

__host__ __device__ inline uint32_t enc(uint32_t b, sl_type t) {
  return t == SL_F32 ? b ^ ((uint32_t)((int32_t)b >> 31) | 0x80000000u) : t == SL_I32 ? b + 0x80000000u : b;
}
__host__ __device__ inline uint32_t dec(uint32_t c, sl_type t) {
  return t == SL_F32 ? c ^ (((c >> 31) - 1) | 0x80000000u) : t == SL_I32 ? c - 0x80000000u : c;
}

template <class T> struct Buffer { // frees itself
  T *p = nullptr;
  cudaError_t err;
  explicit Buffer(size_t count) { err = cudaMalloc((void **)&p, (count + 1) * sizeof(T)); }
  ~Buffer() { cudaFree(p); }
  Buffer(const Buffer &) = delete;
};
constexpr int NT = THREADS;
// flag and value in one 64-bit word
__device__ uint32_t block_sum_before(uint32_t x, uint32_t &total) {
  __shared__ uint32_t w[NT / 32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  uint32_t s = x;
  for (int d = 1; d < 32; d <<= 1) {
    uint32_t y = __shfl_up_sync(~0u, s, d);
    if (lane >= d) s += y;
  }
  __syncthreads();
  if (lane == 31) w[warp] = s;
  __syncthreads();
  uint32_t b = 0;
  total = 0;
  for (int i = 0; i < NT / 32; i++) {
    if (i < warp) b += w[i];
    total += w[i];
  }
  return b + s - x;
}
// the prefix of `tile`, whose sum is `own`; called by thread 0
__device__ uint32_t hand_over(unsigned long long *state, uint32_t tile, uint32_t own) {
  uint32_t before = 0;
  if (tile > 0) {
    unsigned long long s;
    while (!((s = atomicAdd(&state[tile - 1], 0ull)) >> 32)) {
    }
    before = (uint32_t)s;
  }
  atomicExch(&state[tile], 1ull << 32 | (before + own));
  return before;
}
__global__ void scan_k(const uint32_t *in, uint32_t *out, size_t n, unsigned long long *state,
                       uint32_t *ticket) {
  __shared__ uint32_t tile, base;
  if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const size_t first = (size_t)tile * NT * 8;
  __shared__ uint32_t s[NT * 8 + NT * 8 / 32];
  auto at = [](int i) { return i + i / 32; };
  for (int i = threadIdx.x; i < NT * 8; i += NT) s[at(i)] = first + i < n ? in[first + i] : 0;
  __syncthreads();
  uint32_t v[8], sum = 0, total;
  for (int k = 0; k < 8; k++) {
    v[k] = sum;
    sum += s[at(threadIdx.x * 8 + k)];
  }
  const uint32_t b = block_sum_before(sum, total);
  if (threadIdx.x == 0) base = hand_over(state, tile, total);
  __syncthreads();
  for (int k = 0; k < 8; k++) s[at(threadIdx.x * 8 + k)] = base + b + v[k];
  __syncthreads();
  for (int i = threadIdx.x; i < NT * 8; i += NT)
    if (first + i < n) out[first + i] = s[at(i)];
}
static cudaError_t scan(const uint32_t *in, uint32_t *out, size_t n) {
  const size_t tiles = (n + NT * 8 - 1) / (NT * 8);
  Buffer<unsigned long long> state(tiles + 1);
  if (state.err) return state.err;
  SL_CUDA(cudaMemset(state.p, 0, (tiles + 1) * 8));
  scan_k<<<(unsigned)tiles, NT>>>(in, out, n, state.p + 1, (uint32_t *)state.p);
  return cudaGetLastError();
}
extern "C" cudaError_t lab06_single_pass_scan(const uint32_t *d_in, uint32_t *d_out, size_t n) {
  return n ? scan(d_in, d_out, n) : cudaSuccess;
}

struct Lists {
  uint32_t *k[2], *v[2];
  int now = 0;
  void flip() { now ^= 1; }
};
__global__ void encode_k(const uint32_t *in, uint32_t *out, size_t n, sl_type t, uint32_t *zeros) {
  __shared__ uint32_t z[32];
  if (threadIdx.x < 32) z[threadIdx.x] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * (size_t)NT + threadIdx.x; i < (n + 31) / 32 * 32;
       i += (size_t)gridDim.x * NT) {
    const uint32_t c = i < n ? enc(in[i], t) : ~0u;
    if (i < n) out[i] = c;
    if (zeros)
      for (int b = 0; b < 32; b++) { // a ballot for each bit, lane b keeps the count of bit b
        const unsigned zero = ~__ballot_sync(~0u, c >> b & 1);
        if ((threadIdx.x & 31) == b) atomicAdd(&z[b], __popc(zero));
      }
  }
  __syncthreads();
  if (zeros && threadIdx.x < 32) atomicAdd(&zeros[threadIdx.x], z[threadIdx.x]);
}
__global__ void decode_k(uint32_t *a, size_t n, sl_type t) {
  for (size_t i = blockIdx.x * (size_t)NT + threadIdx.x; i < n; i += (size_t)gridDim.x * NT)
    a[i] = dec(a[i], t);
}
// one bit, one kernel: ones before the tile by hand_over, in the tile by ballots
__global__ void split_k(const uint32_t *k, const uint32_t *v, uint32_t *ko, uint32_t *vo, size_t n, int bit,
                        const uint32_t *zeros, unsigned long long *state, uint32_t *ticket) {
  __shared__ uint32_t tile, base, ones[64];
  if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  uint32_t key[8], ballots[8];
  for (int r = 0; r < 8; r++) {
    const size_t i = (size_t)tile * NT * 8 + r * NT + threadIdx.x;
    key[r] = i < n ? k[i] : 0;
    ballots[r] = __ballot_sync(~0u, key[r] >> bit & 1);
    if (lane == 0) ones[r * 8 + warp] = __popc(ballots[r]);
  }
  __syncthreads();
  if (warp == 0) {
    uint32_t a = ones[2 * lane], b = ones[2 * lane + 1], s = a + b;
    for (int d = 1; d < 32; d <<= 1) {
      uint32_t y = __shfl_up_sync(~0u, s, d);
      if (lane >= d) s += y;
    }
    ones[2 * lane] = s - a - b, ones[2 * lane + 1] = s - b;
    const uint32_t all = __shfl_sync(~0u, s, 31);
    if (lane == 0) base = hand_over(state, tile, all);
  }
  __syncthreads();
  for (int r = 0; r < 8; r++) {
    const size_t i = (size_t)tile * NT * 8 + r * NT + threadIdx.x;
    if (i >= n) break;
    const uint32_t before = base + ones[r * 8 + warp] + __popc(ballots[r] & ((1u << lane) - 1));
    const uint32_t to = key[r] >> bit & 1 ? zeros[bit] + before : (uint32_t)i - before;
    ko[to] = key[r];
    if (vo) vo[to] = v[i];
  }
}
// several bits: a block has a slice of the keys
__global__ void count_k(const uint32_t *k, size_t n, size_t slice, int shift, int radix, uint32_t *table) {
  __shared__ uint32_t h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  const size_t begin = blockIdx.x * slice, end = begin + slice < n ? begin + slice : n;
  for (size_t i = begin + threadIdx.x; i < end; i += NT) atomicAdd(&h[k[i] >> shift & (radix - 1)], 1);
  __syncthreads();
  if (threadIdx.x < radix) table[threadIdx.x * gridDim.x + blockIdx.x] = h[threadIdx.x];
}
__global__ void scatter_k(const uint32_t *k, const uint32_t *v, uint32_t *ko, uint32_t *vo, size_t n,
                          size_t slice, int shift, int bits, const uint32_t *table) {
  __shared__ uint32_t next[256];
  __shared__ uint16_t count[NT / 32][256];
  const int radix = 1 << bits, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (threadIdx.x < radix) next[threadIdx.x] = table[threadIdx.x * gridDim.x + blockIdx.x];
  const size_t begin = blockIdx.x * slice, end = begin + slice < n ? begin + slice : n;
  for (size_t tile = begin; tile < end; tile += NT) {
    for (int d = lane; d < radix; d += 32) count[warp][d] = 0;
    __syncwarp();
    const size_t i = tile + threadIdx.x;
    const bool there = i < end;
    const uint32_t key = there ? k[i] : 0, digit = key >> shift & (radix - 1);
    unsigned same = __ballot_sync(~0u, there);
    if (!there) same = ~same;
    for (int b = 0; b < bits; b++) {
      const unsigned set = __ballot_sync(~0u, digit >> b & 1);
      same &= digit >> b & 1 ? set : ~set;
    }
    const int rank = __popc(same & ((1u << lane) - 1));
    if (there && rank == 0) count[warp][digit] = __popc(same);
    __syncthreads();
    if (threadIdx.x < radix) {
      uint32_t at = next[threadIdx.x];
      for (int w = 0; w < NT / 32; w++) {
        const uint32_t c = count[w][threadIdx.x];
        count[w][threadIdx.x] = (uint16_t)(at - next[threadIdx.x]);
        at += c;
      }
      // the tile's start of the digit stays until all have stored
    }
    __syncthreads();
    if (there) {
      const uint32_t to = next[digit] + count[warp][digit] + rank;
      ko[to] = key;
      if (vo) vo[to] = v[i];
    }
    __shared__ uint32_t total[256];
    if (threadIdx.x < radix) total[threadIdx.x] = 0;
    __syncthreads();
    if (there && rank == 0) atomicAdd(&total[digit], (uint32_t)__popc(same));
    __syncthreads();
    if (threadIdx.x < radix) next[threadIdx.x] += total[threadIdx.x];
    __syncthreads();
  }
}
static cudaError_t sort(const lab06_args *a) {
  const size_t n = a->n;
  const bool pairs = a->values_in != nullptr;
  Buffer<uint32_t> keys(n), values(pairs ? n : 1);
  if (keys.err || values.err) return keys.err ? keys.err : values.err;
  const int passes = (32 + a->bits - 1) / a->bits;
  Lists l;
  l.k[0] = (uint32_t *)a->keys_out, l.k[1] = keys.p, l.v[0] = a->values_out, l.v[1] = values.p;
  if (!pairs) l.v[0] = l.v[1] = nullptr;
  l.now = passes & 1;
  if (pairs) SL_CUDA(cudaMemcpyAsync(l.v[l.now], a->values_in, n * 4, cudaMemcpyDefault));
  const unsigned grid = (unsigned)((n + NT - 1) / NT < 512 ? (n + NT - 1) / NT : 512);
  if (a->bits == 1) {
    const size_t tiles = (n + NT * 8 - 1) / (NT * 8);
    Buffer<unsigned long long> state(32 * (tiles + 1) + 16);
    if (state.err) return state.err;
    SL_CUDA(cudaMemsetAsync(state.p, 0, (32 * (tiles + 1) + 16) * 8));
    uint32_t *zeros = (uint32_t *)(state.p + 32 * (tiles + 1));
    encode_k<<<grid, NT>>>((const uint32_t *)a->keys_in, l.k[l.now], n, a->type, zeros);
    for (int bit = 0; bit < 32; bit++, l.flip()) {
      unsigned long long *s = state.p + bit * (tiles + 1);
      split_k<<<(unsigned)tiles, NT>>>(l.k[l.now], l.v[l.now], l.k[!l.now], l.v[!l.now], n, bit, zeros, s + 1,
                                       (uint32_t *)s);
    }
    decode_k<<<grid, NT>>>(l.k[0], n, a->type);
    return cudaGetLastError();
  }
  encode_k<<<grid, NT>>>((const uint32_t *)a->keys_in, l.k[l.now], n, a->type, nullptr);
  const size_t tiles = (n + NT * 8 - 1) / (NT * 8);
  const unsigned blocks = (unsigned)(tiles < 200 ? tiles : 200);
  const size_t slice = (n + blocks - 1) / blocks;
  Buffer<uint32_t> table((size_t)blocks << a->bits);
  if (table.err) return table.err;
  for (int shift = 0; shift < 32; shift += a->bits, l.flip()) {
    count_k<<<blocks, NT>>>(l.k[l.now], n, slice, shift, 1 << a->bits, table.p);
    SL_CUDA(scan(table.p, table.p, (size_t)blocks << a->bits));
    scatter_k<<<blocks, NT>>>(l.k[l.now], l.v[l.now], l.k[!l.now], l.v[!l.now], n, slice, shift, a->bits,
                              table.p);
  }
  decode_k<<<grid, NT>>>(l.k[0], n, a->type);
  return cudaGetLastError();
}
extern "C" cudaError_t lab06_sort(const lab06_args *a) { return a->n ? sort(a) : cudaSuccess; }
