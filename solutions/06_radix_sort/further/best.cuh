// The scan with the step and the shape that were fastest for n on an H200: what a library would offer.
//
// Interface: best_scan_new once for the greatest n, then best_scan any number of times on one stream. Up to SMALL_N the
// look-back of step 2 with small tiles, whose latency is less; up to MIDDLE_N with large ones; beyond, the pipeline of step 3.
// One launch each. NOTES.md has the figures.
#ifndef FURTHER_BEST_CUH
#define FURTHER_BEST_CUH

#include "common.cuh"

enum { SMALL_N = 1 << 18, MIDDLE_N = 1 << 21 };

template <class Op> struct best_plan {
  typedef typename Op::type T;
  scan_plan<Op, small_scan<T>, SMALL_READS> small;
  scan_plan<Op, tuned_scan<T>, SCAN_READS> large;
};

template <class Op> cudaError_t best_scan_new(best_plan<Op> *p, size_t n) {
  SL_CUDA(scan_plan_new(&p->small, n < SMALL_N ? n : SMALL_N, 2, 1));
  return scan_plan_new(&p->large, n, SCAN_STAGES, SCAN_BLOCKS);
}

template <class Op> cudaError_t best_scan_free(best_plan<Op> *p) {
  SL_CUDA(scan_plan_free(&p->small));
  return scan_plan_free(&p->large);
}

template <class Op>
cudaError_t best_scan(const best_plan<Op> *p, const typename Op::type *in, typename Op::type *out, size_t n, cudaStream_t stream) {
  if (n <= SMALL_N) return lookback_scan(&p->small, in, out, n, stream);
  if (n <= MIDDLE_N) return lookback_scan(&p->large, in, out, n, stream);
  return pipeline_scan(&p->large, in, out, n, stream);
}

#endif
