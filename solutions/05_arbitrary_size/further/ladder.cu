// The ladder of lab 05, one step after the other. Interface: ladder.h; parts: tile.cuh; figures: NOTES.md.
//
//   a  taught      the kernels of ../kernel.cu, two elements a thread; memory from the caller
//   b  coarse      several elements a thread: a tree for the threads' totals alone
//   c  vectors     16 bytes a load and store
//   d  shuffles    the threads' totals by warp shuffles: one barrier instead of 17
//   e  reduce      reduce, then scan: reads twice and writes once, 3n words where a to d move 4n
//
// a to d are scan-then-add: tiles are scanned on their own, their totals are scanned by the same function,
// and what is before a tile is put in front of its elements.
#include "tile.cuh"
#include "ladder.h"

namespace lab05 {

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

// Scans in[0..n) into out, n > 0, out may be in. Totals lie in `temp`, those of the next level behind them.
template <class Step>
static cudaError_t scan_then_add(const typename Step::T *in, typename Step::T *out, size_t n, sl_kind kind,
                                 typename Step::T *temp) {
  const size_t tiles = (n + Step::TILE - 1) / Step::TILE;
  if (tiles == 1) return Step::scan(in, out, (typename Step::T *)nullptr, n, kind);
  SL_CUDA(Step::scan(in, out, temp, n, kind));
  SL_CUDA(scan_then_add<Step>(temp, temp, tiles, SL_EXCLUSIVE, temp + round_up(tiles, 16)));
  return Step::add(out, temp, n);
}

// ---- a ----------------------------------------------------------------------------------------------------

template <class Op> struct taught_step {
  typedef typename Op::T T;
  static constexpr size_t TILE = lab05::TILE;

  static cudaError_t scan(const T *in, T *out, T *sums, size_t n, sl_kind kind) {
    return launch_tiles<Op>(in, out, sums, n, kind, SL_TILE_EFFICIENT);
  }

  static cudaError_t add(T *data, const T *offsets, size_t n) {
    add_offsets_kernel<Op><<<unsigned((n - 1) / TILE), BLOCK>>>(data, offsets, n);
    return cudaGetLastError();
  }
};

// ---- b, c, d: the same two kernels with other parts -------------------------------------------------------

/* Kernel:   coarse_scan_kernel — scans every tile on its own; the total of tile b goes to sums[b]
 * Launch:   grid = ceil(n/TILE), block = THREADS; TILE = THREADS * ITEMS (b: 2816, c and d: 5120 words)
 * Shared:   static, TILE elements, and THREADS (b, c) or WARPS (d) totals
 * Work:     per tile 2*TILE operations, and 2*(THREADS-1) (b, c) or THREADS*(5 + 5) (d)
 * Steps:    2*ITEMS + 2*log2(THREADS) (b, c) or 2*ITEMS + 10 (d)   Barriers: 2*log2(THREADS) + 1 (b, c) or 1 (d)
 * Valid in: out[0..n) all threads; sums[blockIdx.x] by the last thread   In-place: yes (out may be in)
 * Source:   Chatterjee, Blelloch, Zagha 1990 (several elements a processor); Harris 2007 */
template <class Op, class Io, class Totals>
__global__ void __launch_bounds__(THREADS)
    coarse_scan_kernel(const typename Op::T *in, typename Op::T *out, typename Op::T *sums, size_t n, sl_kind kind) {
  typedef typename Op::T T;
  __shared__ __align__(16) T elements[WARPS * Io::CHUNK];
  __shared__ T totals[Totals::SHARED];
  T *const slot = elements + warp_id() * Io::CHUNK, x[Io::ITEMS];
  const size_t first = (size_t(blockIdx.x) * WARPS + warp_id()) * Io::CHUNK;
  Io::load(x, in, first, n, slot);
  const T mine = thread_total<Op>(x);
  const T before = Totals::before(mine, totals); // the whole tile is loaded when the first thread leaves this
  if (sums != nullptr && threadIdx.x == THREADS - 1) sums[blockIdx.x] = Op::apply(before, mine);
  thread_scan<Op>(x, before, kind);
  Io::store(out, x, first, n, slot);
}

/* Kernel:   coarse_add_kernel — puts everything before a tile in front of each of its elements; tile 0 has nothing
 * Launch:   grid = ceil(n/TILE) - 1, block = THREADS; block b works on tile b + 1
 * Shared:   static, TILE elements
 * Work:     one operation an element of tiles 1..   Steps: ITEMS   Barriers: 0
 * Valid in: data[TILE..n) all threads   In-place: yes
 * Source:   Harris 2007 */
template <class Op, class Io>
__global__ void __launch_bounds__(THREADS) coarse_add_kernel(typename Op::T *data, const typename Op::T *offsets, size_t n) {
  typedef typename Op::T T;
  __shared__ __align__(16) T elements[WARPS * Io::CHUNK];
  T *const slot = elements + warp_id() * Io::CHUNK, x[Io::ITEMS];
  const size_t tile = size_t(blockIdx.x) + 1, first = (tile * WARPS + warp_id()) * Io::CHUNK;
  const T before = offsets[tile];
  Io::load(x, data, first, n, slot);
#pragma unroll
  for (int k = 0; k < Io::ITEMS; k++) x[k] = Op::apply(before, x[k]);
  Io::store(data, x, first, n, slot);
}

template <class Op, class Io, class Totals> struct coarse_step {
  typedef typename Op::T T;
  static constexpr size_t TILE = WARPS * Io::CHUNK;

  static cudaError_t scan(const T *in, T *out, T *sums, size_t n, sl_kind kind) {
    coarse_scan_kernel<Op, Io, Totals><<<unsigned((n + TILE - 1) / TILE), THREADS>>>(in, out, sums, n, kind);
    return cudaGetLastError();
  }

  static cudaError_t add(T *data, const T *offsets, size_t n) {
    coarse_add_kernel<Op, Io><<<unsigned((n - 1) / TILE), THREADS>>>(data, offsets, n);
    return cudaGetLastError();
  }
};

template <class Op> using words = by_words<Op, TILE_ITEMS>;
template <class Op> using vectors = by_vectors<Op, TILE_VECTORS>;
template <class Op> using words_step = coarse_step<Op, words<Op>, by_tree<Op>>;
template <class Op> using vectors_step = coarse_step<Op, vectors<Op>, by_tree<Op>>;
template <class Op> using shuffles_step = coarse_step<Op, vectors<Op>, by_shuffles<Op>>;

// ---- e: reduce, then scan ---------------------------------------------------------------------------------

// The array is cut into ranges of whole chunks, one for each warp of the device: so few that their totals fit
// one tile, so long that a warp has something to do. A warp walks its range alone: there is no barrier.
struct ranges {
  size_t count, chunks; // ranges, and chunks of each (the last may have fewer)
};

/* Kernel:   reduce_ranges_kernel — the total of each range, in order, to sums[range]
 * Launch:   grid = ceil(ranges/WARPS), block = THREADS; one warp a range
 * Shared:   static, WARPS chunks
 * Work:     one operation an element, and 32*5 + 1 a chunk   Steps: (ITEMS + 6) a chunk   Barriers: 0
 * Valid in: sums[0..ranges) by lane 31 of each warp   In-place: -
 * Source:   Blelloch 1990 (blocked scan); Dotsenko et al. 2008; Merrill and Grimshaw 2009 */
template <class Op, class Io>
__global__ void __launch_bounds__(THREADS) reduce_ranges_kernel(const typename Op::T *in, typename Op::T *sums, size_t n, ranges r) {
  typedef typename Op::T T;
  __shared__ __align__(16) T elements[WARPS * Io::CHUNK];
  T *const slot = elements + warp_id() * Io::CHUNK, x[Io::ITEMS];
  const size_t range = size_t(blockIdx.x) * WARPS + warp_id();
  const size_t from = range * r.chunks * Io::CHUNK, to = from + r.chunks * Io::CHUNK;
  T total = Op::identity(); // right in lane 31
  for (size_t first = from; first < to && first < n; first += Io::CHUNK) {
    Io::load(x, in, first, n, slot);
    total = Op::apply(total, warp_scan<Op>(thread_total<Op>(x)));
    __syncwarp(); // the slot is free for the next load
  }
  if (range < r.count && lane_id() == 31) sums[range] = total;
}

/* Kernel:   scan_ranges_kernel — scans each range, starting with what is before it: before[range]
 * Launch:   grid = ceil(ranges/WARPS), block = THREADS; one warp a range
 * Shared:   static, WARPS chunks
 * Work:     two operations an element, and 32*6 + 1 a chunk   Steps: (2*ITEMS + 7) a chunk   Barriers: 0
 * Valid in: out[0..n) all threads   In-place: yes
 * Source:   as reduce_ranges_kernel */
template <class Op, class Io>
__global__ void __launch_bounds__(THREADS) scan_ranges_kernel(const typename Op::T *in, typename Op::T *out,
                                                              const typename Op::T *before, size_t n, ranges r, sl_kind kind) {
  typedef typename Op::T T;
  __shared__ __align__(16) T elements[WARPS * Io::CHUNK];
  T *const slot = elements + warp_id() * Io::CHUNK, x[Io::ITEMS];
  const size_t range = size_t(blockIdx.x) * WARPS + warp_id();
  const size_t from = range * r.chunks * Io::CHUNK, to = from + r.chunks * Io::CHUNK;
  T carry = range < r.count ? before[range] : Op::identity();
  for (size_t first = from; first < to && first < n; first += Io::CHUNK) {
    Io::load(x, in, first, n, slot);
    const T lanes = warp_scan<Op>(thread_total<Op>(x));
    thread_scan<Op>(x, Op::apply(carry, lane_before<Op>(lanes)), kind);
    Io::store(out, x, first, n, slot);
    carry = Op::apply(carry, of_lane(lanes, 31));
  }
}

template <class Op> struct reduce_step {
  typedef typename Op::T T;
  typedef vectors<Op> Io;
  typedef shuffles_step<Op> Spine;

  static cudaError_t cut(ranges *r, size_t n) {
    int device, multiprocessors;
    SL_CUDA(cudaGetDevice(&device));
    SL_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    size_t most = size_t(multiprocessors) * RANGE_WARPS;
    if (most > Spine::TILE) most = Spine::TILE;
    const size_t chunks = (n + Io::CHUNK - 1) / Io::CHUNK;
    r->chunks = (chunks + most - 1) / most;
    r->count = (chunks + r->chunks - 1) / r->chunks;
    return cudaSuccess;
  }

  static cudaError_t scan(const T *in, T *out, size_t n, sl_kind kind, T *temp) {
    if (n <= Spine::TILE) return Spine::scan(in, out, nullptr, n, kind);
    ranges r;
    SL_CUDA(cut(&r, n));
    const unsigned blocks = unsigned((r.count + WARPS - 1) / WARPS);
    reduce_ranges_kernel<Op, Io><<<blocks, THREADS>>>(in, temp, n, r);
    SL_CUDA(cudaGetLastError());
    SL_CUDA(Spine::scan(temp, temp, nullptr, r.count, SL_EXCLUSIVE));
    scan_ranges_kernel<Op, Io><<<blocks, THREADS>>>(in, out, temp, n, r, kind);
    return cudaGetLastError();
  }
};

// ---- Which step, which operator ---------------------------------------------------------------------------

template <class Op> static cudaError_t run(int step, const lab05_args *a, void *temp) {
  typedef typename Op::T T;
  static cudaError_t (*const steps[])(const T *, T *, size_t, sl_kind, T *) = {
      scan_then_add<taught_step<Op>>, scan_then_add<words_step<Op>>, scan_then_add<vectors_step<Op>>,
      scan_then_add<shuffles_step<Op>>, reduce_step<Op>::scan};
  return steps[step](static_cast<const T *>(a->in), static_cast<T *>(a->out), a->n, a->kind, static_cast<T *>(temp));
}

static const struct {
  sl_op op;
  sl_type type;
  cudaError_t (*run)(int step, const lab05_args *a, void *temp);
} operators[] = {
    {SL_ADD, SL_F32, run<Add<float>>},    {SL_ADD, SL_U32, run<Add<uint32_t>>}, {SL_ADD, SL_I32, run<Add<uint32_t>>},
    {SL_MAX, SL_F32, run<Max<float>>},    {SL_MAX, SL_U32, run<Max<uint32_t>>}, {SL_MAX, SL_I32, run<Max<int32_t>>},
    {SL_COMPOSE, SL_AFFINE, run<Compose>},
};

} // namespace lab05

const char *ladder_name(int step) {
  static const char *const names[] = {"05a_taught", "05b_coarse", "05c_vectors", "05d_shuffles", "05e_reduce"};
  return names[step];
}

// The smallest tile decides: all levels together have less than 2 n / TILE totals, and each starts at a
// multiple of 16. Step e has at most one tile of the largest kind.
size_t ladder_bytes(size_t n, sl_type type) {
  const size_t least = lab05::words_step<lab05::Compose>::TILE < lab05::TILE ? lab05::words_step<lab05::Compose>::TILE : lab05::TILE;
  const size_t size = type == SL_AFFINE ? sizeof(sl_affine) : 4, totals = 2 * (n / least + 1) + 16 * 8;
  const size_t spine = lab05::shuffles_step<lab05::Add<uint32_t>>::TILE;
  return size * (totals > spine ? totals : spine);
}

cudaError_t ladder_scan(int step, const lab05_args *a, void *temp) {
  if (a->n == 0) return cudaSuccess;
  for (const auto &row : lab05::operators)
    if (row.op == a->op && row.type == a->type) return row.run(step, a, temp);
  return cudaErrorInvalidValue;
}
