// Radix sort, a pass in one launch: the last step of the ladder.
//
//   step 1  ../kernel.cu, bits 1     a scan of one bit and a split: 32 passes, 5 words an element each
//   step 2  ../kernel.cu, bits 4, 8  count, scan, scatter: 8 or 4 passes, 3 words an element each
//   step 3  onesweep_sort            8 bits, one kernel a pass: 2 words an element each (onesweep.cuh), and
//                                    1 for all the counts up front (digits.cuh)
//
// Interface: sort_plan_new once for the greatest n, then onesweep_sort any number of times on one stream.
// Stable, ascending; f32 by IEEE 754 totalOrder. n < 2^32.
#ifndef FURTHER_SORT_CUH
#define FURTHER_SORT_CUH

#include "onesweep.cuh"

#ifndef SL_CUDA
#define SL_CUDA(call)                                                                                        \
  do {                                                                                                       \
    cudaError_t sl_cuda_error_ = (call);                                                                     \
    if (sl_cuda_error_ != cudaSuccess) return sl_cuda_error_;                                                \
  } while (0)
#endif

// Temporary device memory of sorts of up to n keys, with values or without, for one stream at a time.
struct sort_plan {
  sort_shared *shared;
  unsigned long long *states;
  uint32_t *keys, *values;
  int count_grid;
};

// The shapes of a sort: keys alone, pairs, and either where n is at most SMALL_N: more tiles, sooner done.
template <class KEYS_, class PAIRS_, class SMALL_, size_t SMALL_N_> struct sort_shapes {
  typedef KEYS_ KEYS;
  typedef PAIRS_ PAIRS;
  typedef SMALL_ SMALL;
  static constexpr size_t SMALL_N = SMALL_N_;
};

template <class S> size_t tiles_of(size_t n) { return (n + S::TILE - 1) / S::TILE; }

template <class S, bool PAIRS> cudaError_t allow_shared(void) {
  return cudaFuncSetAttribute(onesweep_kernel<S, PAIRS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              S::shared_bytes(PAIRS));
}

template <class S> cudaError_t sort_plan_new(sort_plan *p, size_t n, bool pairs) {
  size_t tiles = tiles_of<typename S::SMALL>(n < S::SMALL_N ? n : S::SMALL_N);
  if (n > S::SMALL_N) {
    const size_t of_keys = tiles_of<typename S::KEYS>(n), of_pairs = tiles_of<typename S::PAIRS>(n);
    if (tiles < of_keys) tiles = of_keys;
    if (tiles < of_pairs) tiles = of_pairs;
  }
  const size_t states = tiles * RADIX * sizeof(unsigned long long);
  int device;
  *p = sort_plan{};
  SL_CUDA(cudaGetDevice(&device));
  SL_CUDA(cudaDeviceGetAttribute(&p->count_grid, cudaDevAttrMultiProcessorCount, device));
  SL_CUDA(cudaFuncSetAttribute(count_digits_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               COUNT_WORDS * 4));
  SL_CUDA((allow_shared<typename S::KEYS, false>()));
  SL_CUDA((allow_shared<typename S::PAIRS, true>()));
  SL_CUDA((allow_shared<typename S::SMALL, false>()));
  SL_CUDA((allow_shared<typename S::SMALL, true>()));
  SL_CUDA(cudaMalloc((void **)&p->shared, sizeof(sort_shared)));
  SL_CUDA(cudaMemset(p->shared, 0, sizeof(sort_shared)));
  SL_CUDA(cudaMalloc((void **)&p->states, states + 1));
  SL_CUDA(cudaMemset(p->states, 0, states + 1));
  SL_CUDA(cudaMalloc((void **)&p->keys, n * 4 + 4));
  return pairs ? cudaMalloc((void **)&p->values, n * 4 + 4) : cudaSuccess;
}

inline cudaError_t sort_plan_free(sort_plan *p) {
  SL_CUDA(cudaFree(p->shared));
  SL_CUDA(cudaFree(p->states));
  SL_CUDA(cudaFree(p->keys));
  return cudaFree(p->values);
}

// All passes in one shape: in -> plan's -> out -> plan's -> out. `first` names the input and the output.
template <class S, bool PAIRS>
cudaError_t run_passes(const sort_plan *p, const sort_pass &first, cudaStream_t stream) {
  sort_pass a = first;
  a.tiles = uint32_t(tiles_of<S>(a.n));
  for (a.pass = 0; a.pass < PASSES; a.pass++) {
    a.keys_out = a.pass % 2 == 0 ? p->keys : first.keys_out;
    a.values_out = a.pass % 2 == 0 ? p->values : first.values_out;
    onesweep_kernel<S, PAIRS>
        <<<a.tiles, S::THREADS, S::shared_bytes(PAIRS), stream>>>(a, p->shared, p->states);
    SL_CUDA(cudaGetLastError());
    a.keys = a.keys_out;
    a.values = a.values_out;
  }
  return cudaSuccess;
}

// Sorts keys_in into keys_out and, unless values_in is null, values_in into values_out with them. The inputs
// stay.
template <class S>
cudaError_t onesweep_sort(const sort_plan *p, const uint32_t *keys_in, uint32_t *keys_out,
                          const uint32_t *values_in, uint32_t *values_out, size_t n, key_type type,
                          cudaStream_t stream) {
  typedef typename S::SMALL small;
  if (n == 0) return cudaSuccess;
  if (n > UINT32_MAX - (1u << 16)) return cudaErrorInvalidValue; // places to a tile behind the end: 32 bits
  const sort_pass a = {keys_in, values_in, keys_out, values_out, uint32_t(n), 0, 0, type, ~0u};
  const size_t wanted = (n + COUNT_TILE - 1) / COUNT_TILE;
  const unsigned grid = wanted < size_t(p->count_grid) ? unsigned(wanted) : unsigned(p->count_grid);
  count_digits_kernel<<<grid, COUNT_BLOCK, COUNT_WORDS * 4, stream>>>(keys_in, a.n, type, p->shared);
  SL_CUDA(cudaGetLastError());
  if (n <= S::SMALL_N)
    return values_in ? run_passes<small, true>(p, a, stream) : run_passes<small, false>(p, a, stream);
  return values_in ? run_passes<typename S::PAIRS, true>(p, a, stream)
                   : run_passes<typename S::KEYS, false>(p, a, stream);
}

#endif
