// The steps of textbook radix sorts and compactions: 1-bit split, 4-bit digit counts and stable scatter with
// match.any, ballot compaction, block reduction, histograms; a 4-bit LSD sort of keys and values.
#include "check.h"
#include <algorithm>
#include <numeric>

__global__ void count_digits(const unsigned *keys, unsigned *counts, int shift, int n) {
  __shared__ unsigned h[16];
  if (threadIdx.x < 16) h[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&h[(keys[i] >> shift) & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = h[threadIdx.x];
}

// Exclusive scan of any length by one block, 1024 elements a round.
__global__ void scan_serial_tiles(unsigned *x, int n) {
  __shared__ unsigned s[1024];
  unsigned carry = 0;
  for (int base = 0; base < n; base += 1024) {
    int i = base + threadIdx.x;
    unsigned v = i < n ? x[i] : 0;
    s[threadIdx.x] = v;
    for (int d = 1; d < 1024; d *= 2) {
      __syncthreads();
      unsigned u = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
      __syncthreads();
      s[threadIdx.x] += u;
    }
    __syncthreads();
    if (i < n) x[i] = carry + s[threadIdx.x] - v;
    carry += s[1023];
    __syncthreads();
  }
}

__global__ void scatter_digits(const unsigned *keys, const unsigned *vals, unsigned *keys_out, unsigned *vals_out,
                               const unsigned *offsets, int shift, int n) {
  __shared__ unsigned warp_count[8][16];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  for (int k = t; k < 8 * 16; k += blockDim.x) (&warp_count[0][0])[k] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + t;
  unsigned key = i < n ? keys[i] : 0, digit = (key >> shift) & 15;
  unsigned active = __ballot_sync(0xffffffffu, i < n), rank = 0;
  if (i < n) {
    unsigned peers = __match_any_sync(active, digit);
    rank = __popc(peers & ((1u << lane) - 1));
    if (rank == 0) warp_count[warp][digit] = __popc(peers);
  }
  __syncthreads();
  if (i < n) {
    unsigned at = offsets[digit * gridDim.x + blockIdx.x] + rank;
    for (int w = 0; w < warp; w++) at += warp_count[w][digit];
    keys_out[at] = key;
    vals_out[at] = vals[i];
  }
}

__global__ void split_flags(const unsigned *keys, unsigned *flags, int bit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) flags[i] = !((keys[i] >> bit) & 1);
}
__global__ void split_scatter(const unsigned *keys, unsigned *out, const unsigned *scan, int bit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned zeros = scan[n - 1] + !((keys[n - 1] >> bit) & 1);
  unsigned zero = !((keys[i] >> bit) & 1);
  out[zero ? scan[i] : i - scan[i] + zeros] = keys[i];
}

__device__ int kept;
__global__ void compact_odd(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  bool keep = i < n && (in[i] & 1);
  unsigned votes = __ballot_sync(0xffffffffu, keep);
  int base = 0;
  if (lane == 0 && votes) base = atomicAdd(&kept, __popc(votes));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (keep) out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
}

__global__ void reduce_sum(const unsigned *in, unsigned long long *total, int n) {
  __shared__ unsigned long long s[256];
  unsigned long long v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  s[threadIdx.x] = v;
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) atomicAdd(total, s[0]);
}

static void sort_pairs(const std::vector<unsigned> &h) {
  int n = h.size(), blocks = (n + 255) / 256;
  std::vector<unsigned> idx(n);
  std::iota(idx.begin(), idx.end(), 0u);
  Dev<unsigned> k0(h), k1(n), v0(idx), v1(n), counts(16 * blocks);
  unsigned *ka = k0, *kb = k1, *va = v0, *vb = v1;
  for (int shift = 0; shift < 32; shift += 4) {
    count_digits<<<blocks, 256>>>(ka, counts, shift, n);
    scan_serial_tiles<<<1, 1024>>>(counts, 16 * blocks);
    scatter_digits<<<blocks, 256>>>(ka, va, kb, vb, counts, shift, n);
    std::swap(ka, kb);
    std::swap(va, vb);
  }
  std::stable_sort(idx.begin(), idx.end(), [&](unsigned a, unsigned b) { return h[a] < h[b]; });
  std::vector<unsigned> want(n);
  for (int i = 0; i < n; i++) want[i] = h[idx[i]];
  check_equal("sorted keys", k0.get(), want);  // eight passes: back in the first buffers
  check_equal("stable values", v0.get(), idx);
}

static void split(const std::vector<unsigned> &h) {
  int n = h.size(), blocks = (n + 255) / 256;
  Dev<unsigned> in(h), out(n), scan(n);
  split_flags<<<blocks, 256>>>(in, scan, 3, n);
  scan_serial_tiles<<<1, 1024>>>(scan, n);
  split_scatter<<<blocks, 256>>>(in, out, scan, 3, n);
  std::vector<unsigned> want = h;
  std::stable_partition(want.begin(), want.end(), [](unsigned v) { return !((v >> 3) & 1); });
  check_equal("split", out.get(), want);
}

static void compact_and_reduce(const std::vector<unsigned> &h) {
  int n = h.size(), blocks = (n + 255) / 256, zero = 0, k = 0;
  CUDA(cudaMemcpyToSymbol(kept, &zero, sizeof zero));
  Dev<unsigned> in(h), out(n);
  compact_odd<<<blocks, 256>>>(in, out, n);
  CUDA(cudaMemcpyFromSymbol(&k, kept, sizeof k));
  std::vector<unsigned> got = out.get(), want;
  for (unsigned v : h) if (v & 1) want.push_back(v);
  got.resize(k);
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  check_equal("compaction", got, want);
  Dev<unsigned long long> total(std::vector<unsigned long long>(1, 0));
  reduce_sum<<<7, 256>>>(in, total, n);
  unsigned long long sum = 0;
  for (unsigned v : h) sum += v;
  CHECK(total.get()[0] == sum, "sum %llu want %llu", total.get()[0], sum);
}

int main() {
  for (int n : {1, 2, 31, 32, 33, 255, 256, 257, 1000, 20000}) {
    std::vector<unsigned> h(n), few(n);
    for (int i = 0; i < n; i++) { h[i] = hash_u32(i); few[i] = hash_u32(i) % 5; }
    sort_pairs(h);
    sort_pairs(few);
    split(h);
    compact_and_reduce(h);
  }
  return check_done("textbook_radix");
}
