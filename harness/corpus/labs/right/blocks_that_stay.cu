// Lab 06: as many blocks as the device holds stay for all tiles, in the scan and in every kernel of the sort.
// The next tile's ticket is drawn early. A tile of the sort is put in the order of its digits in shared
// memory, where its counts were, and neighbours are stored to neighbours. The first pass encodes, the last
// one decodes.
//
// right 06 blocks_that_stay: PLAIN
#include "scanlab/lab.h"

namespace {
constexpr int THREADS = 256, EACH = 8, TILE = THREADS * EACH, WARPS = 8;

__device__ uint32_t before_in_block(uint32_t x, uint32_t *of_warp, uint32_t *all) {
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  uint32_t s = x;
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t l = __shfl_up_sync(~0u, s, d);
    if (lane >= d) s += l;
  }
  if (lane == 31) of_warp[w] = s;
  __syncthreads();
  uint32_t b = 0, a = 0;
  for (int k = 0; k < WARPS; k++) b += k < w ? of_warp[k] : 0, a += of_warp[k];
  *all = a;
  return b + s - x;
}

struct board {
  unsigned next, pad;
  unsigned long long word[1]; // upper half 1: total, 2: prefix
};
size_t board_bytes(size_t n) { return sizeof(board) + (n + TILE - 1) / TILE * 8; }

__global__ void stay_scan(const uint32_t *in, uint32_t *out, size_t n, int shift, uint32_t mask, board *b) {
  __shared__ uint32_t row[TILE + TILE / 32], of_warp[WARPS], tile_, before_;
  const int t = threadIdx.x;
  const unsigned tiles = unsigned((n + TILE - 1) / TILE);
  if (t == 0) tile_ = atomicAdd(&b->next, 1u);
  __syncthreads();
  for (unsigned tile = tile_; tile < tiles; tile = tile_) {
    const size_t base = size_t(tile) * TILE;
    for (int k = 0; k < EACH; k++) {
      const int j = k * THREADS + t;
      row[j + j / 32] = base + j < n ? (in[base + j] >> shift) & mask : 0;
    }
    __syncthreads();
    uint32_t sum = 0, all;
    for (int k = 0; k < EACH; k++) sum += row[(t * EACH + k) + (t * EACH + k) / 32];
    uint32_t run = before_in_block(sum, of_warp, &all);
    if (t < 32) {
      volatile unsigned long long *word = b->word;
      if (t == 0) word[tile] = (tile ? 1ull << 32 : 2ull << 32) | all;
      uint32_t before = 0;
      for (int top = int(tile) - 1; top >= 0; top -= 32) {
        const int i = top - t;
        unsigned long long x = 2ull << 32;
        if (i >= 0)
          while ((x = word[i]) >> 32 == 0) {
          }
        const unsigned done = __ballot_sync(~0u, x >> 33 != 0);
        uint32_t part = done && t > __ffs(done) - 1 ? 0 : uint32_t(x);
        for (int d = 16; d; d /= 2) part += __shfl_xor_sync(~0u, part, d);
        before += part;
        if (done) break;
      }
      if (t == 0 && tile) word[tile] = 2ull << 32 | uint32_t(before + all);
      if (t == 0) before_ = before, tile_ = atomicAdd(&b->next, 1u); // the next one
    }
    for (int k = 0; k < EACH; k++) {
      const int j = (t * EACH + k) + (t * EACH + k) / 32;
      const uint32_t x = row[j];
      row[j] = run;
      run += x;
    }
    __syncthreads();
    const uint32_t before = before_;
    for (int k = 0; k < EACH; k++) {
      const int j = t / 32 * 256 + k * 32 + t % 32; // a warp stores its own 256
      if (base + j < n) out[base + j] = before + row[j + j / 32];
    }
    __syncthreads();
  }
}

unsigned held(const void *kernel) {
  int sms = 0, per = 0, device = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, kernel, THREADS, 0);
  return unsigned(sms * per);
}
unsigned least(size_t a, unsigned b) { return a < b ? unsigned(a) : b; }
size_t tiles_of(size_t n) { return (n + TILE - 1) / TILE; }

cudaError_t scan(const uint32_t *in, uint32_t *out, size_t n, int shift, uint32_t mask, board *b) {
  SL_CUDA(cudaMemsetAsync(b, 0, board_bytes(n)));
  stay_scan<<<least(tiles_of(n), held((const void *)stay_scan)), THREADS>>>(in, out, n, shift, mask, b);
  return cudaGetLastError();
}

__device__ uint32_t code(uint32_t x, sl_type type) {
  if (type == SL_I32) return x ^ 0x80000000u;
  if (type == SL_F32) return x ^ (uint32_t(int32_t(x) >> 31) | 0x80000000u);
  return x;
}
__device__ uint32_t key_of(uint32_t c, sl_type type) {
  if (type == SL_I32) return c ^ 0x80000000u;
  if (type == SL_F32) return c ^ (c >> 31 ? 0x80000000u : ~0u);
  return c;
}

struct pass {
  int shift, bits, first, last;
  sl_type type;
};

__global__ void counts(const uint32_t *keys, size_t n, pass p, uint32_t *table) {
  __shared__ uint32_t c[256];
  const int t = threadIdx.x;
  const unsigned tiles = unsigned((n + TILE - 1) / TILE);
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    c[t] = 0;
    __syncthreads();
    for (int k = 0; k < EACH; k++) {
      const size_t i = size_t(tile) * TILE + k * THREADS + t;
      if (i >= n) continue;
      const uint32_t d = ((p.first ? code(keys[i], p.type) : keys[i]) >> p.shift) & ((1u << p.bits) - 1);
      atomicAdd(&c[d], 1u);
    }
    __syncthreads();
    if (t < 1 << p.bits) table[size_t(t) * tiles + tile] = c[t];
    __syncthreads();
  }
}

__global__ void move(const uint32_t *keys, const uint32_t *vals, uint32_t *to, uint32_t *to_vals, size_t n,
                     pass p, const uint32_t *table) {
  __shared__ union { uint32_t of[WARPS][256], stage[TILE]; } u;
  uint32_t(*const of)[256] = u.of, *const stage = u.stage;
  __shared__ uint32_t begin[256], of_warp[WARPS];
  __shared__ unsigned char digit_of[TILE];
  const int t = threadIdx.x, lane = t & 31, w = t >> 5, radix = 1 << p.bits;
  const unsigned tiles = unsigned((n + TILE - 1) / TILE);
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const size_t base = size_t(tile) * TILE;
    const int here = n - base < TILE ? int(n - base) : TILE;
    for (int d = lane; d < radix; d += 32) of[w][d] = 0;
    __syncwarp();
    uint32_t key[EACH], place[EACH];
    for (int k = 0; k < EACH; k++) {
      const int j = w * 32 * EACH + k * 32 + lane;
      const bool there = j < here;
      key[k] = 0;
      if (there) key[k] = p.first ? code(keys[base + j], p.type) : keys[base + j];
      const uint32_t d = (key[k] >> p.shift) & (radix - 1);
      const unsigned peers = __match_any_sync(~0u, there ? d : 256u);
      const int rank = __popc(peers & ((1u << lane) - 1));
      place[k] = of[w][d] + rank;
      __syncwarp();
      if (there && rank == 0) of[w][d] += __popc(peers);
      __syncwarp();
    }
    __syncthreads();
    uint32_t sum = 0, all;
    if (t < radix)
      for (int v = 0; v < WARPS; v++) {
        const uint32_t c = of[v][t];
        of[v][t] = sum;
        sum += c;
      }
    const uint32_t first = before_in_block(sum, of_warp, &all);
    if (t < radix) {
      for (int v = 0; v < WARPS; v++) of[v][t] += first;
      begin[t] = table[size_t(t) * tiles + tile] - first;
    }
    __syncthreads();
    for (int k = 0; k < EACH; k++) {
      const int j = w * 32 * EACH + k * 32 + lane;
      if (j >= here) break;
      place[k] += of[w][(key[k] >> p.shift) & (radix - 1)];
    }
    __syncthreads(); // the places have been read, and their memory is used again
    for (int k = 0; k < EACH; k++) {
      const int j = w * 32 * EACH + k * 32 + lane;
      if (j >= here) break;
      stage[place[k]] = key[k];
      digit_of[place[k]] = (unsigned char)((key[k] >> p.shift) & (radix - 1));
    }
    __syncthreads();
    for (int j = t; j < here; j += THREADS)
      to[begin[digit_of[j]] + j] = p.last ? key_of(stage[j], p.type) : stage[j];
    if (to_vals) {
      __syncthreads();
      for (int k = 0; k < EACH; k++) {
        const int j = w * 32 * EACH + k * 32 + lane;
        if (j < here) stage[place[k]] = vals[base + j];
      }
      __syncthreads();
      for (int j = t; j < here; j += THREADS) to_vals[begin[digit_of[j]] + j] = stage[j];
    }
    __syncthreads();
  }
}

__global__ void split(const uint32_t *keys, const uint32_t *vals, uint32_t *to, uint32_t *to_vals, size_t n,
                      pass p, const uint32_t *ones_before) {
  const uint32_t last =
      ones_before[n - 1] + (((p.first ? code(keys[n - 1], p.type) : keys[n - 1]) >> p.shift) & 1);
  for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < n; i += size_t(gridDim.x) * THREADS) {
    const uint32_t c = p.first ? code(keys[i], p.type) : keys[i], b = ones_before[i];
    const uint32_t at = (c >> p.shift) & 1 ? uint32_t(n) - last + b : uint32_t(i) - b;
    to[at] = p.last ? key_of(c, p.type) : c;
    if (to_vals) to_vals[at] = vals[i];
  }
}
__global__ void encode_all(const uint32_t *in, uint32_t *out, size_t n, sl_type type) {
  for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < n; i += size_t(gridDim.x) * THREADS)
    out[i] = code(in[i], type);
}

cudaError_t sort(const lab06_args *a, char *memory, size_t list) {
  const size_t n = a->n, words = a->bits == 1 ? n : tiles_of(n) << a->bits;
  uint32_t *other = (uint32_t *)memory, *other_vals = (uint32_t *)(memory + list),
           *index = (uint32_t *)(memory + 2 * list);
  board *b = (board *)(index + (words + 3) / 4 * 4);
  uint32_t *mine[2] = {(uint32_t *)a->keys_out, other},
           *mine_vals[2] = {a->values_in ? a->values_out : nullptr, a->values_in ? other_vals : nullptr};
  const int passes = (32 + a->bits - 1) / a->bits;
  const uint32_t *keys = (const uint32_t *)a->keys_in, *vals = a->values_in;
  if (a->bits == 1) {
    encode_all<<<least((n + THREADS - 1) / THREADS, 1024), THREADS>>>(keys, mine[0], n, a->type);
    keys = mine[0];
    if (vals) {
      SL_CUDA(cudaMemcpyAsync(mine_vals[0], vals, n * 4, cudaMemcpyDeviceToDevice));
      vals = mine_vals[0];
    }
  }
  for (int k = 0; k < passes; k++) {
    pass p = {k * a->bits, a->bits, k == 0 && a->bits > 1, k == passes - 1, a->type};
    if (p.shift + p.bits > 32) p.bits = 32 - p.shift;
    const int to = (passes - 1 - k) & 1;
    if (a->bits == 1) {
      SL_CUDA(scan(keys, index, n, p.shift, 1, b));
      split<<<least((n + THREADS - 1) / THREADS, 1024), THREADS>>>(keys, vals, mine[to], mine_vals[to], n, p,
                                                                   index);
    } else {
      counts<<<least(tiles_of(n), held((const void *)counts)), THREADS>>>(keys, n, p, index);
      SL_CUDA(scan(index, index, tiles_of(n) << p.bits, 0, ~0u, b));
      move<<<least(tiles_of(n), held((const void *)move)), THREADS>>>(keys, vals, mine[to], mine_vals[to], n,
                                                                      p, index);
    }
    SL_CUDA(cudaGetLastError());
    keys = mine[to], vals = mine_vals[to];
  }
  return cudaSuccess;
}
} // namespace

extern "C" cudaError_t lab06_single_pass_scan(const uint32_t *d_in, uint32_t *d_out, size_t n) {
  if (n == 0) return cudaSuccess;
  board *b;
  SL_CUDA(cudaMallocAsync(&b, board_bytes(n), 0));
  const cudaError_t e = scan(d_in, d_out, n, 0, ~0u, b), f = cudaFreeAsync(b, 0);
  return e ? e : f;
}

extern "C" cudaError_t lab06_sort(const lab06_args *a) {
  if (a->n == 0) return cudaSuccess;
  const size_t list = (a->n * 4 + 255) / 256 * 256, words = a->bits == 1 ? a->n : tiles_of(a->n) << a->bits;
  char *memory;
  cudaStream_t s = 0;
  SL_CUDA(cudaMallocAsync(&memory, 2 * list + (words + 4) * 4 + board_bytes(words), s));
  const cudaError_t e = sort(a, memory, list);
  const cudaError_t f = cudaFreeAsync(memory, s);
  return e ? e : f;
}
