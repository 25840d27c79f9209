// CUB's scans and sorts behind plain functions, in a file of their own because they take long to compile.
// Interface: baseline.h. Each takes temporary memory as CUB does: with temp null it only says how much it
// needs.
#include "baseline.h"
#include "scan.cuh"
#include <cub/cub.cuh>
#include <limits>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

struct compose {
  __host__ __device__ affine operator()(affine f, affine g) const { return op_compose::combine(f, g); }
};

struct greater_one {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class T> static T lowest() {
  typedef std::numeric_limits<T> limits;
  return limits::has_infinity ? -limits::infinity() : limits::lowest();
}

template <class T> static cudaError_t scan_max(void *temp, size_t *bytes, const void *in, void *out, size_t n) {
  return cub::DeviceScan::ExclusiveScan(temp, *bytes, (const T *)in, (T *)out, greater_one(), lowest<T>(), int64_t(n));
}

template <class T> static cudaError_t scan_sum(void *temp, size_t *bytes, const void *in, void *out, size_t n) {
  return cub::DeviceScan::ExclusiveSum(temp, *bytes, (const T *)in, (T *)out, int64_t(n));
}

cudaError_t baseline_scan(void *temp, size_t *bytes, int type, const void *in, void *out, size_t n) {
  if (type == 0) return scan_sum<uint32_t>(temp, bytes, in, out, n);
  if (type == 1) return scan_sum<int>(temp, bytes, in, out, n);
  if (type == 2) return scan_sum<float>(temp, bytes, in, out, n);
  if (type == 7) return scan_sum<uint64_t>(temp, bytes, in, out, n);
  if (type == 8) return scan_sum<double>(temp, bytes, in, out, n);
  if (type == 4) return scan_max<uint32_t>(temp, bytes, in, out, n);
  if (type == 5) return scan_max<int>(temp, bytes, in, out, n);
  if (type == 6) return scan_max<float>(temp, bytes, in, out, n);
  return cub::DeviceScan::ExclusiveScan(temp, *bytes, (const affine *)in, (affine *)out, compose(),
                                        op_compose::identity(), int64_t(n));
}

template <class K>
static cudaError_t sort(void *temp, size_t *bytes, const void *in, void *out, const uint32_t *vin,
                        uint32_t *vout, size_t n) {
  const K *k = static_cast<const K *>(in);
  K *o = static_cast<K *>(out);
  return vin ? cub::DeviceRadixSort::SortPairs(temp, *bytes, k, o, vin, vout, int64_t(n))
             : cub::DeviceRadixSort::SortKeys(temp, *bytes, k, o, int64_t(n));
}

cudaError_t baseline_sort(void *temp, size_t *bytes, int type, const void *in, void *out, const uint32_t *vin,
                          uint32_t *vout, size_t n) {
  if (type == 0) return sort<uint32_t>(temp, bytes, in, out, vin, vout, n);
  if (type == 1) return sort<int>(temp, bytes, in, out, vin, vout, n);
  return sort<float>(temp, bytes, in, out, vin, vout, n);
}

template <class T> static void thrust_scan(const void *in, void *out, size_t n) {
  const T *x = static_cast<const T *>(in);
  thrust::exclusive_scan(thrust::device, x, x + n, static_cast<T *>(out));
}

template <class T> static void thrust_max(const void *in, void *out, size_t n) {
  const T *x = static_cast<const T *>(in);
  thrust::exclusive_scan(thrust::device, x, x + n, static_cast<T *>(out), lowest<T>(), greater_one());
}

cudaError_t baseline_thrust(int type, const void *in, void *out, size_t n) {
  const affine *maps = static_cast<const affine *>(in);
  if (type == 0) thrust_scan<uint32_t>(in, out, n);
  if (type == 1) thrust_scan<int>(in, out, n);
  if (type == 2) thrust_scan<float>(in, out, n);
  if (type == 3)
    thrust::exclusive_scan(thrust::device, maps, maps + n, static_cast<affine *>(out), op_compose::identity(), compose());
  if (type == 4) thrust_max<uint32_t>(in, out, n);
  if (type == 5) thrust_max<int>(in, out, n);
  if (type == 6) thrust_max<float>(in, out, n);
  if (type == 7) thrust_scan<uint64_t>(in, out, n);
  if (type == 8) thrust_scan<double>(in, out, n);
  return cudaGetLastError();
}
