// The scan with the step and the shape that were fastest for n on an H200: what a library would offer.
//
// Interface: best_scan_new once for the greatest n, then best_scan any number of times on one stream. One
// launch each: one wave (step 5) as long as there is one, then look-back (step 2), beyond MIDDLE_N windows
// (step 4). NOTES.md has the figures.
#ifndef FURTHER_BEST_CUH
#define FURTHER_BEST_CUH

#include "common.cuh"

template <class T> using wave_narrow = wave_shape<T, 256, 1>;
template <class T> using wave_medium = wave_shape<T, 512, 2>; // and where one block has it all
template <class T> using wave_wide = wave_shape<T, 1024, 2, 1>;
template <class T> using wave_widest = wave_shape<T, 1024, 8, 1>; // 2^22 words on 132 multiprocessors

enum { MIDDLE_N = 1 << 22 };

template <class Op> struct best_plan {
  typedef typename Op::type T;
  wave_plan<Op> wave;
  size_t narrow, medium, wide, widest; // the greatest n of the shapes
  scan_plan<Op, tuned_scan<T>, SCAN_READS> large;
  scan_plan<Op, typename window_tuning<T>::shape, SCAN_READS> windows;
};

template <class Op> cudaError_t best_scan_new(best_plan<Op> *p, size_t n) {
  typedef typename Op::type T;
  const size_t word = sizeof(T) / 4;
  SL_CUDA(wave_plan_new(&p->wave));
  SL_CUDA((wave_limit<Op, wave_narrow<T>>(&p->wave, &p->narrow)));
  SL_CUDA((wave_limit<Op, wave_medium<T>>(&p->wave, &p->medium)));
  SL_CUDA((wave_limit<Op, wave_wide<T>>(&p->wave, &p->wide)));
  SL_CUDA((wave_limit<Op, wave_widest<T>>(&p->wave, &p->widest)));
  if (p->narrow > (1 << 16) / word) p->narrow = (1 << 16) / word;
  if (p->medium > (1 << 19) / word) p->medium = (1 << 19) / word;
  SL_CUDA(scan_plan_new(&p->large, n, SCAN_STAGES, SCAN_BLOCKS));
  return scan_plan_new(&p->windows, n, window_tuning<T>::STAGES, 1);
}

template <class Op> cudaError_t best_scan_free(best_plan<Op> *p) {
  SL_CUDA(wave_plan_free(&p->wave));
  SL_CUDA(scan_plan_free(&p->large));
  return scan_plan_free(&p->windows);
}

template <class Op>
cudaError_t best_scan(const best_plan<Op> *p, const typename Op::type *in, typename Op::type *out, size_t n, cudaStream_t stream) {
  typedef typename Op::type T;
  if (n <= wave_medium<T>::TILE) return wave_scan<wave_medium<T>>(&p->wave, in, out, n, stream);
  if (n <= p->narrow) return wave_scan<wave_narrow<T>>(&p->wave, in, out, n, stream);
  if (n <= p->medium) return wave_scan<wave_medium<T>>(&p->wave, in, out, n, stream);
  if (n <= p->wide) return wave_scan<wave_wide<T>>(&p->wave, in, out, n, stream);
  if (n <= p->widest) return wave_scan<wave_widest<T>>(&p->wave, in, out, n, stream);
  if (n <= MIDDLE_N) return lookback_scan(&p->large, in, out, n, stream);
  return window_scan(&p->windows, in, out, n, stream);
}

#endif
