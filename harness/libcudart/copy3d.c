// Three dimensions: cudaMalloc3D, cudaMemcpy3D, cudaMemset3D on pitched memory. Each slice is a copy or
// fill of two dimensions. Arrays are not simulated.
#include "libcudart/client.h"

typedef struct slices {
  sl_rows rows; // rows of the first slice
  size_t to_slice, from_slice, depth;
} slices;

static char *slice_at(const struct cudaPitchedPtr *p, struct cudaPos at, size_t slice) {
  return (char *)p->ptr + at.z * slice + at.y * p->pitch + at.x;
}

static bool beyond(const struct cudaPitchedPtr *p, struct cudaPos at, struct cudaExtent n) {
  return n.height + at.y > p->ysize && n.depth > 1; // would reach into the next slice
}

static cudaError_t copy_slices(const struct cudaMemcpy3DParms *p, cudaStream_t s, bool async) {
  cudaError_t e = sl__ready();
  if (e || !p) return e ? e : cudaErrorInvalidValue;
  if (p->srcArray || p->dstArray) {
    sl__say("cudaMemcpy3D with an array is not supported by the simulated GPU: use memory of cudaMalloc3D");
    return cudaErrorNotSupported;
  }
  if (!p->extent.width || !p->extent.height || !p->extent.depth) return cudaSuccess;
  if (p->extent.width > p->srcPtr.pitch || p->extent.width > p->dstPtr.pitch)
    return cudaErrorInvalidPitchValue;
  if (!p->srcPtr.ptr || !p->dstPtr.ptr || beyond(&p->srcPtr, p->srcPos, p->extent) ||
      beyond(&p->dstPtr, p->dstPos, p->extent))
    return cudaErrorInvalidValue;
  size_t from = p->srcPtr.pitch * p->srcPtr.ysize, to = p->dstPtr.pitch * p->dstPtr.ysize;
  sl_rows r = {slice_at(&p->dstPtr, p->dstPos, to),
               slice_at(&p->srcPtr, p->srcPos, from),
               p->dstPtr.pitch,
               p->srcPtr.pitch,
               p->extent.width,
               p->extent.height,
               async};
  for (size_t k = 0; k < p->extent.depth && !e; k++, r.to += to, r.from += from) e = sl__copy(r, p->kind, s);
  return e;
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) { SL_LOCKED(copy_slices(p, NULL, false)); }
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t s) {
  SL_LOCKED(copy_slices(p, s, true));
}

static cudaError_t fill_slices(struct cudaPitchedPtr p, int value, struct cudaExtent n, cudaStream_t s) {
  cudaError_t e = cudaSuccess;
  if (!n.width || !n.height) return e; // a fill of nothing in each of many slices
  if (n.width > p.pitch || beyond(&p, (struct cudaPos){0, 0, 0}, n)) return cudaErrorInvalidValue;
  sl_rows r = {p.ptr, NULL, p.pitch, 0, n.width, n.height, false};
  for (size_t k = 0; k < n.depth && !e; k++, r.to += p.pitch * p.ysize) e = sl__fill(r, value, 1, s);
  return e;
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent n) {
  SL_LOCKED(fill_slices(p, value, n, NULL));
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent n, cudaStream_t s) {
  SL_LOCKED(fill_slices(p, value, n, s));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent n) {
  void *p = NULL;
  size_t pitch = 0, rows;
  if (!out) return sl__keep(cudaErrorInvalidValue);
  if (__builtin_mul_overflow(n.height, n.depth, &rows)) return sl__keep(cudaErrorMemoryAllocation);
  cudaError_t e = cudaMallocPitch(&p, &pitch, n.width, rows);
  if (!e) *out = (struct cudaPitchedPtr){p, pitch, n.width, n.height};
  return e;
}
