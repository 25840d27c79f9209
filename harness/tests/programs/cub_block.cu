// CUB's block and warp collectives: BlockScan (three algorithms), BlockLoad/BlockStore transposed,
// BlockReduce, BlockRadixSort, WarpScan, each checked against the host.
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>

const int T = 128, I = 4;

template <cub::BlockScanAlgorithm A> __global__ void block_scan(const int *in, int *out, int *total) {
  using Load = cub::BlockLoad<int, T, I, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<int, T, I, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<int, T, A>;
  __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; typename Scan::TempStorage scan; } temp;
  int x[I], sum, base = blockIdx.x * T * I;
  Load(temp.load).Load(in + base, x);
  __syncthreads();
  Scan(temp.scan).ExclusiveSum(x, x, sum);
  __syncthreads();
  Store(temp.store).Store(out + base, x);
  if (threadIdx.x == 0) total[blockIdx.x] = sum;
}

__global__ void block_sort(const unsigned *in, unsigned *out) {
  using Load = cub::BlockLoad<unsigned, T, I>;
  using Store = cub::BlockStore<unsigned, T, I>;
  using Sort = cub::BlockRadixSort<unsigned, T, I>;
  __shared__ typename Sort::TempStorage temp;
  unsigned x[I];
  Load().Load(in + blockIdx.x * T * I, x);
  Sort(temp).Sort(x);
  Store().Store(out + blockIdx.x * T * I, x);
}

__global__ void reduce_and_warp(const int *in, int *sums, int *scanned) {
  using Reduce = cub::BlockReduce<int, T>;
  using Scan = cub::WarpScan<int>;
  __shared__ typename Reduce::TempStorage temp;
  __shared__ typename Scan::TempStorage warp_temp[T / 32];
  int i = blockIdx.x * T + threadIdx.x, v = in[i], out;
  int sum = Reduce(temp).Sum(v);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  Scan(warp_temp[threadIdx.x / 32]).InclusiveSum(v, out);
  scanned[i] = out;
}

template <cub::BlockScanAlgorithm A> static void check_scan(const char *name, const std::vector<int> &h) {
  int tiles = h.size() / (T * I);
  Dev<int> in(h), out(h.size()), total(tiles);
  block_scan<A><<<tiles, T>>>(in, out, total);
  std::vector<int> want(h.size()), sums(tiles);
  for (size_t i = 0; i < h.size(); i++) {
    int tile = i / (T * I);
    want[i] = sums[tile];
    sums[tile] += h[i];
  }
  check_equal(name, out.get(), want);
  check_equal(name, total.get(), sums);
}

int main() {
  const int n = 9 * T * I;
  std::vector<int> h(n);
  std::vector<unsigned> u(n);
  for (int i = 0; i < n; i++) { u[i] = hash_u32(i); h[i] = u[i] % 1000; }
  check_scan<cub::BLOCK_SCAN_RAKING>("raking", h);
  check_scan<cub::BLOCK_SCAN_RAKING_MEMOIZE>("raking memoize", h);
  check_scan<cub::BLOCK_SCAN_WARP_SCANS>("warp scans", h);

  Dev<unsigned> in(u), out(n);
  block_sort<<<9, T>>>(in, out);
  std::vector<unsigned> sorted = u;
  for (int b = 0; b < 9; b++) std::sort(sorted.begin() + b * T * I, sorted.begin() + (b + 1) * T * I);
  check_equal("block sort", out.get(), sorted);

  int blocks = n / T;
  Dev<int> x(h), sums(blocks), scanned(n);
  reduce_and_warp<<<blocks, T>>>(x, sums, scanned);
  std::vector<int> wsums(blocks), wscan(n);
  for (int i = 0; i < n; i++) {
    wsums[i / T] += h[i];
    wscan[i] = (i % 32 ? wscan[i - 1] : 0) + h[i];
  }
  check_equal("block reduce", sums.get(), wsums);
  check_equal("warp scan", scanned.get(), wscan);
  return check_done("cub_block");
}
