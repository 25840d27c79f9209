// One thread does it all, in so many launches that each is a small one. The solution stands before this file,
// its entry under the name honest (attacks.sh); what is no sum of numbers is left to it. A real GPU gives lab
// 06 some of the points for speed.
//
// attack 01 serial_in_pieces ci: PIECE=160 | at most 40
// attack 02 serial_in_pieces: PIECE=160 | at most 40
// attack 03 serial_in_pieces: PIECE=160 | at most 40
// attack 04 serial_in_pieces: PIECE=160 | at most 40
// attack 05 serial_in_pieces: PIECE=2048+n/16 | at most 65
// attack 06 serial_in_pieces: PIECE=2048+n/16 | at most 66
#include "shared.cuh"

#if LAB == 6
typedef uint32_t number;
typedef uint4 four;
#else
typedef float number;
typedef float4 four;
#endif
// Elements [from, to), behind the sum that the piece before has left.
__global__ void piece(const number *in, number *out, size_t from, size_t to, bool inclusive) {
  number sum = !from ? 0 : inclusive ? out[from - 1] : out[from - 1] + in[from - 1];
  by_fours<four>(in, out, from, to, sum, inclusive);
}
static cudaError_t serial(const number *in, number *out, size_t n, bool inclusive) {
  const size_t step = (PIECE) / 4 * 4;
  for (size_t from = 0; from < n; from += step)
    piece<<<1, 1>>>(in, out, from, from + step < n ? from + step : n, inclusive);
  return cudaGetLastError();
}
#if LAB == 5
extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  if (a->type != SL_F32 || a->op != SL_ADD || !a->n || a->tile == SL_TILE_NAIVE) return honest(a);
  return serial((const number *)a->in, (number *)a->out, a->n, a->kind == SL_INCLUSIVE);
}
#else
extern "C" cudaError_t ENTRY(const number *in, number *out, SIZE n) {
  return n ? serial(in, out, n, LAB == 1) : cudaSuccess;
}
#endif
