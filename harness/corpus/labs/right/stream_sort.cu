// Lab 06 with the values in a stream of their own: each pass stores where its keys go, and a gather moves the
// values there while the next pass runs. Events keep the two in order. The scan's counters clear themselves:
// the last block resets them.
//
// GRAPH: the sort is captured from the two streams and launched as a graph. ORDER: keys carry their number,
// and the values are fetched once at the end. VECTORS: the scan loads four words at a time where the address
// allows it. CLEAN_BY_LAST: the last tile of a scan lowers all states, so that no memset is needed.
//
// right 06 two_streams: EVENTS
// right 06 captured_graph: EVENTS GRAPH
// right 06 order_then_values: ORDER
// right 06 cleaned_by_the_last: EVENTS CLEAN_BY_LAST VECTORS
#include "scanlab/lab.h"

static const int T = 256, E = 8, TILE = T * E, W = T / 32;
typedef unsigned int u32;
typedef unsigned long long u64;

// ================================================================ scan
struct Scan {
  u32 ticket, finished;
  u64 state[1]; // 0 nothing yet; 1 << 62 | sum of the tile; 2 << 62 | sum up to its end
};
static size_t scan_bytes(size_t n) { return sizeof(Scan) + (n / TILE + 1) * sizeof(u64); }

__device__ u32 sum_over_warp_before(u32 v) {
  const u32 mine = v;
  for (int delta = 1; delta < 32; delta += delta) {
    const u32 up = __shfl_up_sync(0xffffffffu, v, delta);
    if ((threadIdx.x & 31) >= delta) v += up;
  }
  return v - mine;
}

// Warp 0: 32 states at a time, the nearest on lane 31.
__device__ u32 look_back(volatile u64 *state, int tile, u32 total) {
  const int lane = threadIdx.x & 31;
  if (lane == 31) state[tile] = (tile == 0 ? 2ull : 1ull) << 62 | total;
  u32 sum = 0;
  for (int right = tile - 1; right >= 0; right -= 32) {
    const int k = right - 31 + lane;
    u64 s;
    do s = k < 0 ? 2ull << 62 : state[k];
    while (__any_sync(0xffffffffu, s >> 62 == 0));
    const unsigned whole = __ballot_sync(0xffffffffu, s >> 62 == 2);
    u32 part = whole == 0 || lane >= 31 - __clz(whole) ? u32(s) : 0;
    for (int delta = 16; delta > 0; delta >>= 1) part += __shfl_xor_sync(0xffffffffu, part, delta);
    sum += part;
    if (whole != 0) break;
  }
  if (lane == 31 && tile != 0) state[tile] = 2ull << 62 | (sum + total);
  return sum;
}

__global__ void scan_tiles(const u32 *from, u32 *to, size_t n, int shift, u32 mask, Scan *c) {
  __shared__ u32 s_warp[W], s_before;
  __shared__ int s_tile;
  __shared__ __align__(16) u32 s_item[TILE];
  const int t = threadIdx.x;
  if (t == 0) s_tile = (int)atomicInc(&c->ticket, 0xffffffffu);
  __syncthreads();
  const size_t base = (size_t)s_tile * TILE;
  const int m = (int)(n - base < TILE ? n - base : TILE);
#ifdef VECTORS
  if (m == TILE && ((size_t)(from + base) & 15) == 0)
    for (int q = t; q < TILE / 4; q += T) ((uint4 *)s_item)[q] = __ldg((const uint4 *)(from + base) + q);
  else
#endif
    for (int j = t; j < m; j += T) s_item[j] = from[base + j];
  __syncthreads();
  u32 x[E], sum = 0;
  // a rotated walk: thread t takes its eight words in another order than its neighbours, so banks differ
  for (int k = 0; k < E; k++) {
    const int r = (k + (t >> 2)) % E, j = t * E + r;
    const u32 v = j < m ? s_item[j] >> shift & mask : 0;
#pragma unroll
    for (int q = 0; q < E; q++)
      if (q == r) x[q] = v;
    sum += v;
  }
  u32 before = sum_over_warp_before(sum);
  if ((t & 31) == 31) s_warp[t >> 5] = before + sum;
  __syncthreads();
  u32 total = 0;
  for (int w = 0; w < W; w++) {
    if (w == t >> 5) before += total;
    total += s_warp[w];
  }
  if (t < 32) {
    const u32 left = look_back(c->state, s_tile, total);
    if (t == 0) s_before = left;
  }
  __syncthreads();
  before += s_before;
#pragma unroll
  for (int k = 0; k < E; k++) {
    const u32 v = x[k];
    x[k] = before, before += v;
  }
  for (int k = 0; k < E; k++) {
    const int r = (k + (t >> 2)) % E;
#pragma unroll
    for (int q = 0; q < E; q++)
      if (q == r) s_item[t * E + r] = x[q];
  }
  __syncthreads();
  for (int j = t; j < m; j += T) to[base + j] = s_item[j];
#ifdef CLEAN_BY_LAST
  __shared__ bool s_last; // nobody looks back any more once all tiles are done
  if (t == 0) {
    __threadfence();
    s_last = atomicAdd(&c->finished, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!s_last) return;
  for (unsigned k = t; k < gridDim.x; k += T) c->state[k] = 0;
  if (t == 0) c->ticket = c->finished = 0;
#endif
}

static cudaError_t scan(const u32 *from, u32 *to, size_t n, int shift, u32 mask, Scan *c, cudaStream_t s) {
#ifndef CLEAN_BY_LAST
  SL_CUDA(cudaMemsetAsync(c, 0, scan_bytes(n), s));
#endif
  scan_tiles<<<(unsigned)((n + TILE - 1) / TILE), T, 0, s>>>(from, to, n, shift, mask, c);
  return cudaGetLastError();
}

extern "C" cudaError_t lab06_single_pass_scan(const uint32_t *d_in, uint32_t *d_out, size_t n) {
  Scan *c = NULL;
  if (n == 0) return cudaSuccess;
  cudaError_t e = cudaMalloc((void **)&c, scan_bytes(n));
  if (e == cudaSuccess) e = cudaMemset(c, 0, scan_bytes(n));
  if (e == cudaSuccess) e = scan(d_in, d_out, n, 0, 0xffffffffu, c, 0);
  if (c) cudaFree(c);
  return e;
}

// ================================================================ sort
template <sl_type TYPE> __device__ u32 enc(u32 b) {
  if (TYPE == SL_U32) return b;
  return b ^ (TYPE == SL_F32 && (b & 0x80000000u) ? 0xffffffffu : 0x80000000u);
}
template <sl_type TYPE> __device__ u32 dec(u32 c) {
  if (TYPE == SL_U32) return c;
  return c ^ (TYPE == SL_F32 && !(c & 0x80000000u) ? 0xffffffffu : 0x80000000u);
}
template <sl_type TYPE> __global__ void first(const u32 *in, u32 *out, u32 *number, size_t n) {
  const size_t i = blockIdx.x * (size_t)T + threadIdx.x;
  if (i < n) out[i] = enc<TYPE>(in[i]);
  if (i < n && number) number[i] = (u32)i;
}
template <sl_type TYPE> __global__ void last(u32 *keys, size_t n) {
  const size_t i = blockIdx.x * (size_t)T + threadIdx.x;
  if (i < n) keys[i] = dec<TYPE>(keys[i]);
}
__global__ void scatter_values(const u32 *place, const u32 *from, u32 *to, size_t n) {
  const size_t i = blockIdx.x * (size_t)T + threadIdx.x;
  if (i < n) to[place[i]] = from[i];
}
__global__ void fetch_values(const u32 *number, const u32 *from, u32 *to, size_t n) {
  const size_t i = blockIdx.x * (size_t)T + threadIdx.x;
  if (i < n) to[i] = from[number[i]];
}

// Element i goes to `to`: with its place, or with what travels along.
struct Move {
  const u32 *keys, *along;
  u32 *to, *to_along, *place;
  __device__ void operator()(size_t i, u32 key, u32 at) const {
    to[at] = key;
    if (place) place[i] = at;
    if (along) to_along[at] = along[i];
  }
};

__global__ void split(Move mv, size_t n, int bit, const u32 *ones) {
  const size_t i = blockIdx.x * (size_t)T + threadIdx.x;
  if (i >= n) return;
  const u32 key = mv.keys[i], all = ones[n - 1] + (mv.keys[n - 1] >> bit & 1);
  mv(i, key, key >> bit & 1 ? (u32)(n - all) + ones[i] : (u32)i - ones[i]);
}

__global__ void histogram(const u32 *keys, size_t n, int shift, u32 mask, u32 *table) {
  __shared__ u32 s_count[W][256]; // a histogram a warp: fewer meet at one address
  u32 *own = s_count[threadIdx.x / 32];
  for (u32 d = threadIdx.x & 31; d <= mask; d += 32) own[d] = 0;
  __syncwarp();
  for (int k = 0; k < E; k++) {
    const size_t i = blockIdx.x * (size_t)TILE + k * T + threadIdx.x;
    if (i < n) atomicAdd(own + (keys[i] >> shift & mask), 1);
  }
  __syncthreads();
  for (u32 d = threadIdx.x; d <= mask; d += T) {
    u32 sum = 0;
    for (int w = 0; w < W; w++) sum += s_count[w][d];
    table[d * (size_t)gridDim.x + blockIdx.x] = sum;
  }
}

__global__ void spread(Move mv, size_t n, int shift, u32 mask, const u32 *table) {
  __shared__ u32 s_count[W][256];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (u32 d = lane; d <= mask; d += 32) s_count[warp][d] = 0;
  __syncwarp();
  const size_t base = blockIdx.x * (size_t)TILE + warp * (32 * E) + lane;
  u32 key[E], rank[E];
#pragma unroll
  for (int k = 0; k < E; k++) {
    const bool in = base + 32 * k < n;
    const unsigned alive = __ballot_sync(0xffffffffu, in);
    if (in) {
      key[k] = mv.keys[base + 32 * k];
      const u32 d = key[k] >> shift & mask;
      const unsigned peers = __match_any_sync(alive, d);
      const int leader = 31 - __clz(peers); // the highest lane adds, all get the count from before
      u32 old = 0;
      if (lane == leader) old = s_count[warp][d], s_count[warp][d] = old + __popc(peers);
      rank[k] = __shfl_sync(peers, old, leader) + __popc(peers << 31 - lane) - 1;
    }
    __syncwarp();
  }
  __syncthreads();
  for (u32 d = threadIdx.x; d <= mask; d += T) {
    u32 next = table[d * (size_t)gridDim.x + blockIdx.x];
    for (int w = 0; w < W; w++) next += s_count[w][d], s_count[w][d] = next - s_count[w][d];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < E; k++)
    if (base + 32 * k < n) mv(base + 32 * k, key[k], s_count[warp][key[k] >> shift & mask] + rank[k]);
}

// Streams, events and memory of one sort; all given back at the end.
struct Sorter {
  cudaStream_t keys = 0, values = 0;
  cudaEvent_t placed = 0, moved[2] = {0, 0};
  char *memory = NULL;
  ~Sorter() {
    if (keys) cudaStreamSynchronize(keys), cudaStreamDestroy(keys);
    if (values) cudaStreamSynchronize(values), cudaStreamDestroy(values);
    if (placed) cudaEventDestroy(placed);
    for (cudaEvent_t e : moved)
      if (e) cudaEventDestroy(e);
    if (memory) cudaFree(memory);
  }
};

template <sl_type TYPE> static cudaError_t enqueue(const lab06_args *a, Sorter &s) {
  const size_t n = a->n, tiles = (n + TILE - 1) / TILE, words = a->bits == 1 ? n : tiles << a->bits;
  const unsigned all = (unsigned)((n + T - 1) / T);
  const int passes = (32 + a->bits - 1) / a->bits;
  const bool values = a->values_in != NULL;
  u32 *spare = (u32 *)s.memory, *spare_values = spare + n, *place[2] = {spare + 2 * n, spare + 3 * n}, *table = spare + 4 * n;
  Scan *c = (Scan *)(s.memory + (4 * n + words + 1) / 2 * 8);
  u32 *key[2] = {(u32 *)a->keys_out, spare}, *value[2] = {a->values_out, spare_values};
  int side = passes & 1;
#ifdef ORDER
  u32 *number[2] = {place[0], place[1]};
#else
  u32 *number[2] = {NULL, NULL};
  if (values) SL_CUDA(cudaMemcpyAsync(value[side], a->values_in, n * 4, cudaMemcpyDeviceToDevice, s.keys));
#endif
  SL_CUDA(cudaMemsetAsync(c, 0, scan_bytes(words), s.keys));
  first<TYPE><<<all, T, 0, s.keys>>>((const u32 *)a->keys_in, key[side], values ? number[side] : NULL, n);
  for (int p = 0; p < passes; p++, side ^= 1) {
    Move mv = {key[side], values ? number[side] : NULL, key[side ^ 1], number[side ^ 1], NULL};
#ifdef EVENTS
    if (values) mv.place = place[p & 1];
    if (values && p > 1) SL_CUDA(cudaStreamWaitEvent(s.keys, s.moved[p & 1], 0)); // who read these places is done
#endif
    const int shift = p * a->bits;
    if (a->bits == 1) {
      SL_CUDA(scan(key[side], table, n, shift, 1, c, s.keys));
      split<<<all, T, 0, s.keys>>>(mv, n, shift, table);
    } else {
      const u32 mask = (1u << a->bits) - 1;
      histogram<<<(unsigned)tiles, T, 0, s.keys>>>(key[side], n, shift, mask, table);
      SL_CUDA(scan(table, table, words, 0, 0xffffffffu, c, s.keys));
      spread<<<(unsigned)tiles, T, 0, s.keys>>>(mv, n, shift, mask, table);
    }
#ifdef EVENTS
    if (values) {
      SL_CUDA(cudaEventRecord(s.placed, s.keys));
      SL_CUDA(cudaStreamWaitEvent(s.values, s.placed, 0));
      scatter_values<<<all, T, 0, s.values>>>(place[p & 1], value[side], value[side ^ 1], n);
      SL_CUDA(cudaEventRecord(s.moved[p & 1], s.values));
    }
#endif
  }
#ifdef ORDER
  if (values) fetch_values<<<all, T, 0, s.keys>>>(number[0], a->values_in, value[0], n);
#else
  if (values) SL_CUDA(cudaStreamWaitEvent(s.keys, s.moved[(passes - 1) & 1], 0)); // the streams join
#endif
  last<TYPE><<<all, T, 0, s.keys>>>(key[0], n);
  return cudaGetLastError();
}

static cudaError_t enqueue_by_type(const lab06_args *a, Sorter &s) {
  if (a->type == SL_F32) return enqueue<SL_F32>(a, s);
  if (a->type == SL_I32) return enqueue<SL_I32>(a, s);
  return enqueue<SL_U32>(a, s);
}

extern "C" cudaError_t lab06_sort(const lab06_args *a) {
  if (a->n == 0) return cudaSuccess;
  const size_t words = a->bits == 1 ? a->n : (a->n + TILE - 1) / TILE << a->bits;
  Sorter s;
  SL_CUDA(cudaStreamCreate(&s.keys));
  SL_CUDA(cudaStreamCreate(&s.values));
  SL_CUDA(cudaEventCreateWithFlags(&s.placed, cudaEventDisableTiming));
  for (cudaEvent_t &e : s.moved) SL_CUDA(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  SL_CUDA(cudaMalloc((void **)&s.memory, (4 * a->n + words + 2) * 4 + scan_bytes(words)));
#ifdef GRAPH
  cudaGraph_t graph;
  cudaGraphExec_t run;
  SL_CUDA(cudaStreamBeginCapture(s.keys, cudaStreamCaptureModeThreadLocal));
  const cudaError_t e = enqueue_by_type(a, s), ended = cudaStreamEndCapture(s.keys, &graph);
  if (e != cudaSuccess || ended != cudaSuccess) return e != cudaSuccess ? e : ended;
  SL_CUDA(cudaGraphInstantiate(&run, graph, 0));
  SL_CUDA(cudaGraphLaunch(run, s.keys));
  SL_CUDA(cudaStreamSynchronize(s.keys));
  SL_CUDA(cudaGraphExecDestroy(run));
  return cudaGraphDestroy(graph);
#else
  return enqueue_by_type(a, s);
#endif
}
