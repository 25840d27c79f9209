// Exclusive scan in one launch, beyond ../kernel.cu: any operator on 4 or 8 bytes, any n, any alignment.
//
//   step 1  ../kernel.cu    chained scan: a tile waits for the prefix of the tile before it
//   step 2  lookback_scan   decoupled look-back: a tile adds up the sums of the tiles before it instead of
//                           waiting
//   step 3  pipeline_scan   the same, with loads, sums, look-back and stores of different tiles at the same
//                           time
//   step 4  window_scan     the same pipeline; a block adds up only the sums since its own last tile
//   step 5  wave_scan       small n: all tiles at the same time (wave.cuh)
//
// Interface: scan_plan_new once for the greatest n, then lookback_scan, pipeline_scan or window_scan any
// number of times on one stream; likewise wave_plan_new and wave_scan.
#ifndef FURTHER_SCAN_CUH
#define FURTHER_SCAN_CUH

#include "lookback_scan.cuh"
#include "pipeline.cuh"
#include "wave.cuh"
#include "windows.cuh"

#ifndef SL_CUDA
#define SL_CUDA(call)                                                                                        \
  do {                                                                                                       \
    cudaError_t sl_cuda_error_ = (call);                                                                     \
    if (sl_cuda_error_ != cudaSuccess) return sl_cuda_error_;                                                \
  } while (0)
#endif
#ifndef WINDOW_READS
#define WINDOW_READS 5 // 160 tiles at once: more than there are multiprocessors
#endif
#ifndef WINDOW_ALIGN
#define WINDOW_ALIGN (1 << 18) // states: the copies lie 2 MiB apart or a multiple of it
#endif
#ifndef WINDOW_COPIES
#define WINDOW_COPIES 4
#endif

// Memory and shape of the scans by Op of up to n elements, for one stream at a time.
template <class Op, class S, int READS = 4> struct scan_plan {
  typedef typename S::T T;
  unsigned long long *counter; // device; the rest follows it
  tile_state<T> *states;       // for steps 2 and 3
  window_chain<Op, WINDOW_READS, WINDOW_COPIES> windows; // for step 4
  int stages, grid;            // for steps 3 and 4
};

// Counter and states, all zero.
template <class Op, class S, int READS> cudaError_t scan_plan_memory(scan_plan<Op, S, READS> *p, size_t n) {
  typedef typename S::T T;
  const size_t tiles = (n + 4) / S::TILE + 2, states = (tiles + 1) / 2 * 2 * sizeof(tile_state<T>);
  const size_t copy = (tiles + WINDOW_ALIGN - 1) / WINDOW_ALIGN * WINDOW_ALIGN; // tiles
  const size_t bytes = 128 + states + WINDOW_COPIES * copy * sizeof(packed_state<T>);
  SL_CUDA(cudaMalloc((void **)&p->counter, bytes));
  char *memory = reinterpret_cast<char *>(p->counter);
  p->states = reinterpret_cast<tile_state<T> *>(memory + 128);
  p->windows.sums = reinterpret_cast<packed_state<T> *>(memory + 128 + states);
  p->windows.tiles = int64_t(copy);
  return cudaMemset(p->counter, 0, bytes);
}

template <class Op, class S, int READS>
cudaError_t scan_plan_new(scan_plan<Op, S, READS> *p, size_t n, int stages, int blocks_per_sm) {
  int device, sms, optin, resident;
  SL_CUDA(cudaGetDevice(&device));
  SL_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  SL_CUDA(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const int fit = (optin - int(sizeof(scan_stages<S>)) - 64) / S::STAGE_BYTES;
  p->stages = stages < fit ? stages : fit;
  if (p->stages < 2) return cudaErrorInvalidValue;
  const int shared = p->stages * S::STAGE_BYTES;
  const auto look_back = pipeline_scan_kernel<Op, S, look_back_chain<Op, READS>>;
  const auto windows = pipeline_scan_kernel<Op, S, window_chain<Op, WINDOW_READS, WINDOW_COPIES>>;
  SL_CUDA(cudaFuncSetAttribute(look_back, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  SL_CUDA(cudaFuncSetAttribute(windows, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  SL_CUDA(cudaFuncSetAttribute(lookback_scan_kernel<Op, S, READS>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, S::STAGE_BYTES));
  SL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, look_back, S::PIPELINE_THREADS, shared));
  if (resident < 1) return cudaErrorInvalidValue;
  p->grid = sms * (resident < blocks_per_sm ? resident : blocks_per_sm);
  return scan_plan_memory(p, n);
}

template <class Op, class S, int READS> cudaError_t scan_plan_free(scan_plan<Op, S, READS> *p) {
  return cudaFree(p->counter);
}

template <class Op, class S, int READS>
cudaError_t lookback_scan(const scan_plan<Op, S, READS> *p, const typename S::T *in, typename S::T *out,
                          size_t n, cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  const scan_layout l = scan_layout_of<S>(in, out, n);
  lookback_scan_kernel<Op, S, READS>
      <<<l.tiles, S::WARPS * 32, S::STAGE_BYTES, stream>>>(in, out, l, p->counter, p->states);
  return cudaGetLastError();
}

template <class Op, class S, int READS, class Chain>
cudaError_t pipeline_scan_by(const scan_plan<Op, S, READS> *p, const Chain &chain, const typename S::T *in,
                             typename S::T *out, size_t n, cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  const scan_layout l = scan_layout_of<S>(in, out, n);
  const unsigned grid = l.tiles < unsigned(p->grid) ? l.tiles : unsigned(p->grid);
  pipeline_scan_kernel<Op, S, Chain><<<grid, S::PIPELINE_THREADS, p->stages * S::STAGE_BYTES, stream>>>(
      in, out, l, p->stages, p->counter, chain);
  return cudaGetLastError();
}

template <class Op, class S, int READS>
cudaError_t pipeline_scan(const scan_plan<Op, S, READS> *p, const typename S::T *in, typename S::T *out,
                          size_t n, cudaStream_t stream) {
  return pipeline_scan_by(p, look_back_chain<Op, READS>{p->states}, in, out, n, stream);
}

template <class Op, class S, int READS>
cudaError_t window_scan(const scan_plan<Op, S, READS> *p, const typename S::T *in, typename S::T *out,
                        size_t n, cudaStream_t stream) {
  return pipeline_scan_by(p, p->windows, in, out, n, stream);
}

// ---- Step 5 -----------------------------------------------------------------------------------------------

// Memory of the scans of one wave by Op, for one stream at a time.
template <class Op> struct wave_plan {
  typedef typename Op::type T;
  unsigned long long *counter; // device; the sums follow it
  packed_state<T> *sums;
  int sms;
};

template <class Op> cudaError_t wave_plan_new(wave_plan<Op> *p) {
  typedef typename Op::type T;
  const size_t bytes = 128 + WAVE_COPIES * MAX_WAVE * sizeof(packed_state<T>);
  int device;
  SL_CUDA(cudaGetDevice(&device));
  SL_CUDA(cudaDeviceGetAttribute(&p->sms, cudaDevAttrMultiProcessorCount, device));
  SL_CUDA(cudaMalloc((void **)&p->counter, bytes));
  p->sums = reinterpret_cast<packed_state<T> *>(reinterpret_cast<char *>(p->counter) + 128);
  return cudaMemset(p->counter, 0, bytes);
}

template <class Op> cudaError_t wave_plan_free(wave_plan<Op> *p) { return cudaFree(p->counter); }

// Scans of up to so many elements run in one wave of this shape.
template <class Op, class S> cudaError_t wave_limit(const wave_plan<Op> *p, size_t *n) {
  int resident;
  SL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, wave_scan_kernel<Op, S>, S::THREADS, 0));
  const size_t tiles = size_t(resident) * size_t(p->sms);
  *n = tiles ? (tiles < MAX_WAVE ? tiles : MAX_WAVE) * S::TILE - 16 / sizeof(typename S::T) : 0;
  return cudaSuccess;
}

template <class S, class Op>
cudaError_t wave_scan(const wave_plan<Op> *p, const typename S::T *in, typename S::T *out, size_t n, cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  scan_layout l = scan_layout_of<S>(in, out, n);
  unsigned long long *counter = p->counter;
  packed_state<typename S::T> *sums = p->sums;
  void *args[] = {&in, &out, &l, &counter, &sums};
  const auto kernel = wave_scan_kernel<Op, S>;
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel), dim3(l.tiles), dim3(S::THREADS), args, 0, stream);
}

#endif
