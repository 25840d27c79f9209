// Lab 06 · Single-pass scan and radix sort. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 06   One input: ./scanlab run 06 --n 100000
//
// In reading order: A the scan in one launch, B the 1-bit split, C several bits a pass, D key types, the sort.
#include "scanlab/lab.h"

enum {
  WARP = 32,
  BLOCK = 256,          // threads of a block
  WARPS = BLOCK / WARP, // warps of a block
  ITEMS = 8,            // elements a thread
  TILE = BLOCK * ITEMS, // elements of a tile, the share of one block
  MAX_RADIX = 256       // values of the widest digit, 8 bits
};

inline size_t tiles_of(size_t n) { return (n + TILE - 1) / TILE; }

// ---- A. Exclusive sum in one launch -----------------------------------------------------------------------

// What the blocks of one scan tell each other, in global memory. ticket and published start at 0 in EVERY launch.
struct chain {
  uint32_t ticket;    // the next tile to hand out
  uint32_t published; // how many tiles, from tile 0 on, have their prefix in place
  uint32_t prefix[1]; // prefix[b]: sum of tiles 0..b; as many as there are tiles
};

inline size_t chain_bytes(size_t n) { return sizeof(chain) + tiles_of(n) * sizeof(uint32_t); }

// Place of element i of a tile in shared memory: threads that walk ITEMS consecutive elements meet no bank conflicts.
__device__ inline int padded(int i) { return i + (i >> 5); }

// Exclusive prefix of x over the threads of the block; *total is the block's sum. Collective, one barrier inside.
__device__ inline uint32_t block_exclusive_sum(uint32_t x, uint32_t *total) {
  __shared__ __align__(16) uint32_t s_warp[WARPS]; // read as whole vectors, so nothing else lies in them
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  uint32_t sum = x; // inclusive over the warp, by lab 01's steps: a shuffle reads the register of another lane
  for (int offset = 1; offset < WARP; offset *= 2) {
    const uint32_t left = __shfl_up_sync(~0u, sum, offset);
    if (lane >= offset) sum += left;
  }
  if (lane == WARP - 1) s_warp[warp] = sum;
  __syncthreads();
  uint32_t before = 0;
  *total = 0;
  for (int w = 0; w < WARPS; w++) {
    if (w < warp) before += s_warp[w];
    *total += s_warp[w];
  }
  return before + sum - x;
}

/* Kernel:   chained_scan_kernel — exclusive sum of (in[i] >> shift) & mask over all n elements in one launch; with
 *           shift 0 and mask ~0 the sum of the elements, with mask 1 the count of ones before i in one bit
 * Launch:   grid = ceil(n/TILE), block = BLOCK
 * Shared:   static, 2112 + WARPS + 2 words (8496 bytes, aligned)
 * Work:     per tile 3*TILE + O(BLOCK) adds   Steps: 2*ITEMS + log2(WARP) + WARPS, then a chain over the tiles
 * Barriers: 4
 * Valid in: out[0..n), tile by tile in the order of the tickets   In-place: yes (out may be in)
 * Source:   Yan, Long, Zhang, StreamScan, PPoPP 2013; HCMUS radix sort slides (the fences there are incomplete and the
 *           counters never reset, see README.md) */
__global__ void chained_scan_kernel(const uint32_t *in, uint32_t *out, size_t n, int shift, uint32_t mask, chain *c) {
  // The block shares: s_data, the tile at padded places; s_tile, its number; s_before, the sum of everything before it.
  // TODO(lab06.1, ~5 lines): declare these; thread 0 draws the block's tile from the ticket counter; barrier
  __shared__ uint32_t s_data[TILE + TILE / 32];
  __shared__ uint32_t s_tile, s_before;
  const int t = threadIdx.x;
  if (t == 0) s_tile = atomicAdd(&c->ticket, 1u);
  __syncthreads();
  // END TODO(lab06.1)

  // Neighbouring threads load neighbouring words, 0 past the end, but every thread sums up ITEMS consecutive elements.
  // TODO(lab06.2, ~11 lines): load the tile into s_data; barrier; sum up this thread's elements; scan the sums
  const size_t base = size_t(s_tile) * TILE;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const int j = k * BLOCK + t;
    s_data[padded(j)] = base + j < n ? (in[base + j] >> shift) & mask : 0;
  }
  __syncthreads();
  uint32_t sum = 0, total;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) sum += s_data[padded(t * ITEMS + k)];
  uint32_t running = block_exclusive_sum(sum, &total);
  // END TODO(lab06.2)

  // The counter must really be read each time: volatile. Prefix and counter, in order: a fence between the two.
  // TODO(lab06.3, ~13 lines): thread 0 waits for the tile before, takes its prefix into s_before, publishes its own
  if (t == 0) {
    volatile uint32_t *published = &c->published, *prefix = c->prefix;
    uint32_t before = 0;
    if (s_tile > 0) {
      while (*published < s_tile) {} // its holder has drawn a lower ticket, so it is running already
      __threadfence();               // nothing below may be read before the counter
      before = prefix[s_tile - 1];
    }
    prefix[s_tile] = before + total;
    __threadfence(); // the prefix is visible before the counter says so
    *published = s_tile + 1;
    s_before = before;
  }
  // END TODO(lab06.3)

  // TODO(lab06.4, ~14 lines): this thread's elements of s_data become their prefixes in the tile; barrier; store all
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const int j = padded(t * ITEMS + k);
    const uint32_t x = s_data[j];
    s_data[j] = running;
    running += x;
  }
  __syncthreads();
  const uint32_t before = s_before;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const int j = k * BLOCK + t;
    if (base + j < n) out[base + j] = before + s_data[padded(j)];
  }
  // END TODO(lab06.4)
}

// Starts one scan of n > 0 elements; c has chain_bytes(n) bytes. See chained_scan_kernel for shift and mask.
cudaError_t chained_scan(const uint32_t *in, uint32_t *out, size_t n, int shift, uint32_t mask, chain *c) {
  // TODO(lab06.5, ~2 lines): reset the counters of the chain; launch one block a tile
  SL_CUDA(cudaMemsetAsync(c, 0, sizeof(chain)));
  chained_scan_kernel<<<unsigned(tiles_of(n)), BLOCK>>>(in, out, n, shift, mask, c);
  // END TODO(lab06.5)
  return cudaGetLastError();
}

extern "C" cudaError_t lab06_single_pass_scan(const uint32_t *d_in, uint32_t *d_out, size_t n) {
  if (n == 0) return cudaSuccess;
  chain *c = nullptr;
  SL_CUDA(cudaMalloc((void **)&c, chain_bytes(n)));
  const cudaError_t error = chained_scan(d_in, d_out, n, 0, ~0u, c);
  const cudaError_t freed = cudaFree(c); // waits for the kernel
  return error != cudaSuccess ? error : freed;
}

// ---- B. One bit a pass ------------------------------------------------------------------------------------

// A list of n keys and, unless values is null, of the values that move with them.
struct list {
  uint32_t *keys, *values;
};

/* Kernel:   split_kernel — moves elements with a 0 in bit `shift` to the front and those with a 1 behind them, stably
 * Launch:   grid = ceil(n/TILE), block = BLOCK
 * Shared:   none
 * Work:     O(1) an element   Steps: 1   Barriers: 0
 * Valid in: to[0..n), each element by the thread that read it   In-place: no
 * Source:   HCMUS radix sort slides, counting sort of a binary array */
__global__ void split_kernel(list from, list to, const uint32_t *ones_before, size_t n, int shift) {
  // TODO(lab06.6, ~13 lines): place of element i: i - ones_before[i] if its bit is 0, zeros + ones_before[i] if it is 1
  const uint32_t ones = ones_before[n - 1] + ((from.keys[n - 1] >> shift) & 1);
  const uint32_t zeros = uint32_t(n) - ones;
  const size_t first = size_t(blockIdx.x) * TILE + threadIdx.x;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const size_t i = first + k * BLOCK;
    if (i >= n) break;
    const uint32_t key = from.keys[i], before = ones_before[i];
    const uint32_t rank = (key >> shift) & 1 ? zeros + before : uint32_t(i) - before;
    to.keys[rank] = key;
    if (to.values != nullptr) to.values[rank] = from.values[i];
  }
  // END TODO(lab06.6)
}

// One pass of the 1-bit sort. index: n words.
cudaError_t pass_one_bit(list from, list to, size_t n, int shift, uint32_t *index, chain *c) {
  // TODO(lab06.7, ~2 lines): scan bit `shift` into index by part A; split
  SL_CUDA(chained_scan(from.keys, index, n, shift, 1, c));
  split_kernel<<<unsigned(tiles_of(n)), BLOCK>>>(from, to, index, n, shift);
  // END TODO(lab06.7)
  return cudaGetLastError();
}

// ---- C. Several bits a pass -------------------------------------------------------------------------------

/* Kernel:   count_kernel — counts[d * gridDim.x + b] = how often digit d occurs in tile b
 * Launch:   grid = ceil(n/TILE), block = BLOCK
 * Shared:   static, MAX_RADIX * 4 bytes (1024)
 * Work:     one atomic add an element   Steps: ITEMS   Barriers: 2
 * Valid in: counts[digit][tile], digit d by thread d   In-place: -
 * Source:   Satish, Harris, Garland, IPDPS 2009 */
__global__ void count_kernel(const uint32_t *keys, size_t n, int shift, int bits, uint32_t *counts) {
  // TODO(lab06.8, ~12 lines): clear counters in shared memory; barrier; count by atomicAdd; barrier; digit d to its row
  __shared__ uint32_t s_count[MAX_RADIX];
  const int t = threadIdx.x, radix = 1 << bits;
  s_count[t] = 0; // BLOCK == MAX_RADIX
  __syncthreads();
  const size_t first = size_t(blockIdx.x) * TILE + t;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const size_t i = first + k * BLOCK;
    if (i < n) atomicAdd(&s_count[(keys[i] >> shift) & (radix - 1)], 1u);
  }
  __syncthreads();
  if (t < radix) counts[size_t(t) * gridDim.x + blockIdx.x] = s_count[t];
  // END TODO(lab06.8)
}

/* Kernel:   scatter_kernel — moves every element to its place: offsets[d * gridDim.x + b] for the first element of digit
 *           d in tile b, the next place for the next one, in the order of the input
 * Launch:   grid = ceil(n/TILE), block = BLOCK; warp w takes elements w*WARP*ITEMS.. of the tile, WARP at a time
 * Shared:   static, WARPS * MAX_RADIX * 4 bytes (8192)
 * Work:     one match and O(1) more an element   Steps: ITEMS + WARPS   Barriers: 2
 * Valid in: to[0..n), each element by the thread that read it   In-place: no
 * Source:   Adinets and Merrill, Onesweep, arXiv 2206.01784 (the ranking by warps) */
__global__ void scatter_kernel(list from, list to, size_t n, int shift, int bits, const uint32_t *offsets) {
  // s_next, shared: for each warp and digit first how many such elements the warp has, then the next one's place.
  // Lanes with the same digit find each other by __match_any_sync; only the lowest of them updates the warp's count.
  // TODO(lab06.9, ~20 lines): rank every element among its warp's elements of the same digit, in the order of the input
  __shared__ uint32_t s_next[WARPS][MAX_RADIX];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, radix = 1 << bits;
  for (int d = lane; d < radix; d += WARP) s_next[warp][d] = 0;
  __syncwarp();
  const size_t first = size_t(blockIdx.x) * TILE + warp * (WARP * ITEMS) + lane;
  uint32_t key[ITEMS], rank[ITEMS];
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const size_t i = first + k * WARP;
    const bool valid = i < n;
    key[k] = valid ? from.keys[i] : 0;
    const uint32_t digit = (key[k] >> shift) & (radix - 1);
    const unsigned peers = __match_any_sync(~0u, valid ? digit : MAX_RADIX);
    const uint32_t before = __popc(peers & ((1u << lane) - 1)); // peers on lower lanes
    rank[k] = s_next[warp][digit] + before;
    __syncwarp(); // all have read before the first of the peers writes
    if (valid && before == 0) s_next[warp][digit] += __popc(peers);
    __syncwarp();
  }
  // END TODO(lab06.9)

  // TODO(lab06.10, ~10 lines): barrier; the counts of digit d become places: offsets, plus the warps before; barrier
  __syncthreads();
  if (threadIdx.x < radix) {
    uint32_t next = offsets[size_t(threadIdx.x) * gridDim.x + blockIdx.x];
    for (int w = 0; w < WARPS; w++) {
      const uint32_t count = s_next[w][threadIdx.x];
      s_next[w][threadIdx.x] = next;
      next += count;
    }
  }
  __syncthreads();
  // END TODO(lab06.10)

  // TODO(lab06.11, ~8 lines): move keys, and values if there are any, to their places
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const size_t i = first + k * WARP;
    if (i >= n) break;
    const uint32_t place = s_next[warp][(key[k] >> shift) & (radix - 1)] + rank[k];
    to.keys[place] = key[k];
    if (to.values != nullptr) to.values[place] = from.values[i];
  }
  // END TODO(lab06.11)
}

// One pass over a digit of `bits` bits. index: 2^bits * tiles_of(n) words.
cudaError_t pass_digit(list from, list to, size_t n, int shift, int bits, uint32_t *index, chain *c) {
  // TODO(lab06.12, ~5 lines): count; scan the counts in place by part A, all elements summed whole; scatter
  const unsigned tiles = unsigned(tiles_of(n));
  count_kernel<<<tiles, BLOCK>>>(from.keys, n, shift, bits, index);
  SL_CUDA(cudaGetLastError());
  SL_CUDA(chained_scan(index, index, size_t(tiles) << bits, 0, ~0u, c));
  scatter_kernel<<<tiles, BLOCK>>>(from, to, n, shift, bits, index);
  // END TODO(lab06.12)
  return cudaGetLastError();
}

// ---- D. Key types -----------------------------------------------------------------------------------------

// The unsigned number that orders like the key with these bits. f32: IEEE 754 totalOrder, -0 before +0.
__device__ inline uint32_t encode(uint32_t bits, sl_type type) {
  // TODO(lab06.13, ~2 lines): i32: the sign bit the other way round; f32: that, and all bits of negative numbers
  if (type == SL_I32) return bits ^ 0x80000000u;
  if (type == SL_F32) return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
  // END TODO(lab06.13)
  return bits;
}

// The other way: decode(encode(bits)) == bits.
__device__ inline uint32_t decode(uint32_t code, sl_type type) {
  // TODO(lab06.14, ~2 lines): undo encode
  if (type == SL_I32) return code ^ 0x80000000u;
  if (type == SL_F32) return code ^ (code >> 31 ? 0x80000000u : 0xffffffffu);
  // END TODO(lab06.14)
  return code;
}

/* Kernel:   recode_kernel — out[i] = encode(in[i]), or decode(in[i]) if `back`
 * Launch:   grid = ceil(n/BLOCK), block = BLOCK
 * Shared:   none
 * Work:     O(1) an element   Steps: 1   Barriers: 0
 * Valid in: out[0..n), one element a thread   In-place: yes
 * Source:   Knuth, The Art of Computer Programming 3, 5.2.5; IEEE 754-2019, 5.10 */
__global__ void recode_kernel(const uint32_t *in, uint32_t *out, size_t n, sl_type type, bool back) {
  const size_t i = size_t(blockIdx.x) * BLOCK + threadIdx.x;
  if (i < n) out[i] = back ? decode(in[i], type) : encode(in[i], type);
}

cudaError_t recode(const uint32_t *in, uint32_t *out, size_t n, sl_type type, bool back) {
  recode_kernel<<<unsigned((n + BLOCK - 1) / BLOCK), BLOCK>>>(in, out, n, type, back);
  return cudaGetLastError();
}

// ---- The sort ---------------------------------------------------------------------------------------------

// Temporary device memory of one sort, one allocation: a second list, the words that a pass scans, and their chain.
struct workspace {
  list other;
  uint32_t *index;
  chain *c;
};

size_t align16(size_t bytes) { return (bytes + 15) / 16 * 16; }

// Allocates w. *memory is what cudaFree gets.
cudaError_t workspace_new(workspace *w, void **memory, const lab06_args *a) {
  const size_t list_bytes = align16(a->n * sizeof(uint32_t));
  const size_t words = a->bits == 1 ? a->n : tiles_of(a->n) << a->bits;
  const size_t index_bytes = align16(words * sizeof(uint32_t));
  SL_CUDA(cudaMalloc(memory, 2 * list_bytes + index_bytes + chain_bytes(words)));
  char *at = static_cast<char *>(*memory);
  w->other.keys = reinterpret_cast<uint32_t *>(at);
  w->other.values = a->values_in != nullptr ? reinterpret_cast<uint32_t *>(at + list_bytes) : nullptr;
  w->index = reinterpret_cast<uint32_t *>(at + 2 * list_bytes);
  w->c = reinterpret_cast<chain *>(at + 2 * list_bytes + index_bytes);
  return cudaSuccess;
}

// Sorts with the memory of w: the input goes encoded into one of two lists, every pass moves it to the other one, and
// the last pass ends in a's output.
cudaError_t sort_with(const lab06_args *a, const workspace *w) {
  // TODO(lab06.15, ~16 lines): encode, copy the values; a pass for each digit, least significant first; decode
  const list out = {static_cast<uint32_t *>(a->keys_out), a->values_in != nullptr ? a->values_out : nullptr};
  const int passes = (32 + a->bits - 1) / a->bits;
  list from = passes % 2 == 0 ? out : w->other, to = passes % 2 == 0 ? w->other : out;
  SL_CUDA(recode(static_cast<const uint32_t *>(a->keys_in), from.keys, a->n, a->type, false));
  if (from.values != nullptr) {
    SL_CUDA(cudaMemcpyAsync(from.values, a->values_in, a->n * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
  }
  for (int shift = 0; shift < 32; shift += a->bits) {
    if (a->bits == 1) SL_CUDA(pass_one_bit(from, to, a->n, shift, w->index, w->c));
    else SL_CUDA(pass_digit(from, to, a->n, shift, a->bits, w->index, w->c));
    const list swap = from;
    from = to;
    to = swap;
  }
  SL_CUDA(recode(out.keys, out.keys, a->n, a->type, true));
  // END TODO(lab06.15)
  return cudaSuccess;
}

extern "C" cudaError_t lab06_sort(const lab06_args *a) {
  if (a->n == 0) return cudaSuccess;
  if (a->bits < 1 || a->bits > 8 || a->n > UINT32_MAX) return cudaErrorInvalidValue; // places are 32-bit words
  workspace w;
  void *memory = nullptr;
  SL_CUDA(workspace_new(&w, &memory, a));
  const cudaError_t error = sort_with(a, &w);
  const cudaError_t freed = cudaFree(memory); // waits for the kernels
  return error != cudaSuccess ? error : freed;
}
