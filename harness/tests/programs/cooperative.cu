// Cooperative groups and libcu++: tiles, coalesced and labelled groups, scan and reduce of groups, barriers
// of a whole grid, cuda::atomic_ref of every order and scope, cuda::barrier with asynchronous copies,
// pipelines, latches and semaphores.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include "check.h"

namespace cg = cooperative_groups;

__global__ void groups(const int *in, int *out) {
  cg::thread_block block = cg::this_thread_block();
  int t = block.thread_rank(), x = in[t], v[10];
  auto warp = cg::tiled_partition<32>(block);
  auto quad = cg::tiled_partition<4>(warp);
  v[0] = cg::inclusive_scan(warp, x);
  v[1] = cg::exclusive_scan(warp, x, cg::plus<int>());
  v[2] = cg::reduce(warp, x, cg::plus<int>());
  v[3] = cg::reduce(quad, x, cg::greater<int>());
  v[4] = quad.shfl(x, 2) + quad.thread_rank() + 10 * quad.meta_group_rank();
  v[5] = (int)quad.ballot(x & 1) + 100 * quad.any(x % 3 == 0) + 1000 * quad.all(x % 2 == 0);
  v[6] = v[7] = -1;
  if (x & 1) {
    cg::coalesced_group odd = cg::coalesced_threads();
    v[6] = cg::reduce(odd, 1, cg::plus<int>()) >= 1 ? (int)(odd.thread_rank() < odd.size()) : 0;
    v[7] = odd.shfl(x, odd.thread_rank()) == x;
  }
  auto same = cg::labeled_partition(warp, t % 3);
  v[8] = same.size() * 100 + same.thread_rank();
  auto halves = cg::binary_partition(warp, x > 50);
  v[9] = cg::reduce(halves, x, cg::less<int>());
  block.sync();
  for (int k = 0; k < 10; k++) out[10 * t + k] = v[k];
}

// Tiles of two and four warps.
__global__ void wide_tiles(int *out) {
  __shared__ cg::block_tile_memory<128> memory;
  auto block = cg::this_thread_block(memory);
  auto two = cg::tiled_partition<64>(block);
  auto four = cg::tiled_partition<128>(block);
  int t = block.thread_rank();
  out[t] = cg::reduce(two, t, cg::plus<int>()) + cg::inclusive_scan(two, 1) + four.shfl(t, 77) + four.any(t == 100);
}

static void test_wide_tiles() {
  std::vector<int> want(128);
  for (int t = 0; t < 128; t++) want[t] = 64 * 63 / 2 + t / 64 * 64 * 64 + t % 64 + 1 + 77 + 1;
  Dev<int> out(128);
  wide_tiles<<<1, 128>>>(out);
  check_equal("wide tiles", out.get(), want);
}

static void test_groups() {
  const int n = 128;
  std::vector<int> in(n), want;
  for (int t = 0; t < n; t++) in[t] = (int)(hash_u32(t) % 101);
  for (int t = 0; t < n; t++) {
    int w = t & ~31, q = t & ~3, sum = 0, total = 0, most = 0, ballot = 0, any = 0, all = 1, size = 0, rank = 0, least = 1000;
    for (int k = w; k < w + 32; k++) {
      if (k <= t) sum += in[k];
      total += in[k];
      if (k % 3 == t % 3) size++, rank += k < t;
      if ((in[k] > 50) == (in[t] > 50)) least = std::min(least, in[k]);
    }
    for (int k = q; k < q + 4; k++) most = std::max(most, in[k]), ballot |= (in[k] & 1) << (k - q), any |= in[k] % 3 == 0, all &= in[k] % 2 == 0;
    int odd = in[t] & 1 ? 1 : -1;
    for (int x : {sum, sum - in[t], total, most, in[q + 2] + t - q + 10 * (q % 32 / 4), ballot + 100 * any + 1000 * all, odd, odd, size * 100 + rank, least}) want.push_back(x);
  }
  Dev<int> din(in), out(10 * n);
  groups<<<1, n>>>(din, out);
  check_equal("groups", out.get(), want);
}

__global__ void whole_grid(int *a, int *b, int rounds) {
  cg::grid_group grid = cg::this_grid();
  unsigned long long i = grid.thread_rank(), n = grid.size();
  for (int r = 0; r < rounds; r++) {
    b[i] = a[i] + a[(i + 1) % n];
    grid.sync();
    a[i] = b[(i + n - 1) % n] - 1;
    grid.sync();
  }
}

static void test_grid() {
  const int n = 6 * 64, rounds = 3;
  std::vector<int> a(n), b(n);
  for (int i = 0; i < n; i++) a[i] = (int)(hash_u32(i) % 50);
  Dev<int> da(a), db(n);
  int *pa = da, *pb = db, r = rounds, can = 0;
  CUDA(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
  CHECK(can == 1, "cooperative launches: %d", can);
  void *args[] = {&pa, &pb, &r};
  CUDA(cudaLaunchCooperativeKernel((void *)whole_grid, dim3(6), dim3(64), args, 0, 0));
  for (int k = 0; k < rounds; k++) {
    for (int i = 0; i < n; i++) b[i] = a[i] + a[(i + 1) % n];
    for (int i = 0; i < n; i++) a[i] = b[(i + n - 1) % n] - 1;
  }
  check_equal("grid barrier", da.get(), a);
}

__global__ void atomics(int *d, unsigned long long *u, float *f) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(d[0]), sum(d[1]);
  cuda::atomic_ref<int, cuda::thread_scope_block> low(d[2]);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> bits(*u);
  cuda::atomic_ref<float, cuda::thread_scope_device> real(*f);
  int t = threadIdx.x;
  if (t == 33) flag.store(1, cuda::memory_order_release);
  while (flag.load(cuda::memory_order_acquire) == 0) {}
  sum.fetch_add(t, cuda::memory_order_relaxed);
  low.fetch_min(-t);
  bits.fetch_or(1ull << (t % 64), cuda::memory_order_seq_cst);
  real.fetch_add(0.25f);
  cuda::atomic_ref<int, cuda::thread_scope_device> cell(d[3]);
  int expected = cell.load(cuda::memory_order_relaxed);
  while (!cell.compare_exchange_weak(expected, expected * 3 % 1009 + 1, cuda::memory_order_acq_rel)) {}
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  cuda::atomic_ref<int, cuda::thread_scope_device> last(d[4]);
  if (last.exchange(0, cuda::memory_order_acq_rel) != 0) last.store(1);
}

__global__ void phases(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[2][64];
  int t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  cg::thread_block block = cg::this_thread_block();
  for (int r = 0; r < 4; r++) {
    cuda::memcpy_async(block, s[r & 1], in + 64 * r, sizeof s[0], bar);
    bar.arrive_and_wait();
    int left = s[r & 1][63 - t];
    auto token = bar.arrive();
    out[64 * r + t] = left * 2;
    bar.wait(std::move(token));
  }
  cg::memcpy_async(block, s[0], in, sizeof s[0]);
  cg::wait(block);
  out[256 + t] = s[0][t ^ 1];
}

__global__ void staged(const int *in, int *out, int rounds) {
  constexpr int stages = 2;
  __shared__ int s[stages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int t = threadIdx.x;
  for (int r = 0, fetch = 0; r < rounds; r++) {
    for (; fetch < rounds && fetch < r + stages; fetch++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[fetch % stages], in + 64 * fetch, sizeof s[0], pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[64 * r + t] = s[r % stages][63 - t] + r;
    pipe.consumer_release();
  }
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device> turn{1};
__global__ void in_turn(int *count) {
  if (threadIdx.x != 0) return;
  turn.acquire();
  *(volatile int *)count = *(volatile int *)count + 1;
  turn.release();
}

static void test_libcu() {
  const int n = 96;
  Dev<int> d(std::vector<int>{0, 0, 0, 1, 0});
  Dev<unsigned long long> u(std::vector<unsigned long long>{0});
  Dev<float> f(std::vector<float>{0});
  atomics<<<1, n>>>(d, u, f);
  int cell = 1;
  for (int t = 0; t < n; t++) cell = cell * 3 % 1009 + 1;
  check_equal("atomic_ref", d.get(), std::vector<int>{1, n * (n - 1) / 2, -(n - 1), cell, 0});
  CHECK(u.get()[0] == ~0ull && f.get()[0] == n / 4.0f, "atomic_ref: %llx %g", u.get()[0], f.get()[0]);
  std::vector<int> in(256), want(320), piped(256);
  for (int i = 0; i < 256; i++) in[i] = (int)hash_u32(i) >> 2;
  for (int i = 0; i < 256; i++) want[i] = in[i - i % 64 + 63 - i % 64] * 2, piped[i] = in[i - i % 64 + 63 - i % 64] + i / 64;
  for (int i = 0; i < 64; i++) want[256 + i] = in[i ^ 1];
  Dev<int> din(in), out(320), out2(256);
  phases<<<1, 64>>>(din, out);
  check_equal("cuda::barrier", out.get(), want);
  staged<<<1, 64>>>(din, out2, 4);
  check_equal("cuda::pipeline", out2.get(), piped);
  Dev<int> count(std::vector<int>{0});
  in_turn<<<5, 32>>>(count);
  CHECK(count.get()[0] == 5, "semaphore: %d", count.get()[0]);
}

int main() {
  test_groups();
  test_wide_tiles();
  test_grid();
  test_libcu();
  return check_done("cooperative");
}
