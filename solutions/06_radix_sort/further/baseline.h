// CUB behind plain functions: see baseline.cu. type: 0 u32, 1 i32, 2 f32; scans only: 3 affine, the maximum
// of 4 u32, 5 i32, 6 f32, and the sum of 7 u64, 8 f64.
#ifndef FURTHER_BASELINE_H
#define FURTHER_BASELINE_H
#include <cuda_runtime.h>
#include <stdint.h>
cudaError_t baseline_scan(void *temp, size_t *bytes, int type, const void *in, void *out, size_t n);
cudaError_t baseline_sort(void *temp, size_t *bytes, int type, const void *in, void *out, const uint32_t *vin,
                          uint32_t *vout, size_t n);
cudaError_t baseline_thrust(int type, const void *in, void *out,
                            size_t n); // thrust's scan, temporary memory and all
#endif
