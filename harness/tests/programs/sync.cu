// Threads that wait for each other: barriers with a reduction, named barriers, arriving without waiting,
// votes and shuffles of parts of a warp, spin locks, flags between warps and between blocks, divergent loops
// with warp-wide operations, clocks, nanosleep.
#include "check.h"

const unsigned ALL = 0xffffffffu;

__global__ void barrier_forms(int *out) {
  int t = threadIdx.x, n = blockDim.x;
  int v[8] = {__syncthreads_count(t % 3 == 0), __syncthreads_and(t < n), __syncthreads_and(t < n - 1), __syncthreads_or(t == 5),
              __syncthreads_or(t < 0), 0, 0, 0};
  int got;
  unsigned id = 3 + (t >> 6);  // pairs of warps
  asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory");
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, 0; barrier.red.popc.u32 %0, %2, 64, p; }" : "=r"(got) : "r"(t & 3), "r"(id) : "memory");
  v[5] = got;
  asm volatile("{ .reg .pred p, q; setp.lt.s32 p, %1, 100; bar.red.and.pred q, %2, 64, p; selp.s32 %0, 1, 0, q; }" : "=r"(got) : "r"(t), "r"(id) : "memory");
  v[6] = got;
  asm volatile("{ .reg .pred p, q; setp.lt.s32 p, %1, 100; bar.red.or.pred q, %2, 64, !p; selp.s32 %0, 1, 0, q; }" : "=r"(got) : "r"(t), "r"(id) : "memory");
  v[7] = got;
  for (int k = 0; k < 8; k++) out[8 * t + k] = v[k];
}

static void test_barriers() {
  const int n = 256;
  Dev<int> out(8 * n);
  barrier_forms<<<1, n>>>(out);
  std::vector<int> want;
  for (int t = 0; t < n; t++) {
    int group = t >> 6;
    for (int x : {(n + 2) / 3, 1, 0, 1, 0, 16, group == 0 ? 1 : 0, group == 0 ? 0 : 1}) want.push_back(x);
  }
  check_equal("barrier forms", out.get(), want);
}

// The first warp fills, the others empty: barrier 1 says full, barrier 2 says empty.
__global__ void pipeline(int *out, int rounds) {
  __shared__ int buffer[32];
  int t = threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    if (t < 32) {
      if (r) asm volatile("bar.sync 2, 96;" ::: "memory");
      buffer[t] = r * 100 + t;
      __threadfence_block();
      asm volatile("bar.arrive 1, 96;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 96;" ::: "memory");
      out[r * 64 + t - 32] = buffer[31 - (t & 31)];
      if (r < rounds - 1) asm volatile("bar.arrive 2, 96;" ::: "memory");
    }
  }
}

// Warp k waits for the flag of warp k - 1; block b for the flag of block b + 1.
__global__ void chain(volatile int *flag, int *out) {
  __shared__ volatile int ready[8];
  int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  if (threadIdx.x < 8) ready[threadIdx.x] = 0;
  __syncthreads();
  if (lane == 0) {
    if (warp == 0) {
      while (blockIdx.x + 1 < gridDim.x && flag[blockIdx.x + 1] == 0) __nanosleep(20);
      ready[0] = blockIdx.x + 1 < gridDim.x ? flag[blockIdx.x + 1] + 1 : 1;
    } else {
      int v;
      while ((v = ready[warp - 1]) == 0) {}
      ready[warp] = v + 1;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = ready[7];
    __threadfence();
    flag[blockIdx.x] = ready[7];
  }
}

__device__ int mutex;
__global__ void locked(int *count, int *order) {
  for (bool done = false; !done;) {
    if (atomicCAS(&mutex, 0, 1) == 0) {
      __threadfence();
      int at = *(volatile int *)count;
      order[at] = blockIdx.x * blockDim.x + threadIdx.x;
      *(volatile int *)count = at + 1;
      __threadfence();
      atomicExch(&mutex, 0);
      done = true;
    }
  }
}
__global__ void one_lock_a_block(int *total) {  // spins before the critical section, lanes of one warp against each other
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = 0, sum = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence_block();
  *(volatile int *)&sum = *(volatile int *)&sum + 1;
  __threadfence_block();
  atomicExch(&lock, 0);
  __syncthreads();
  if (threadIdx.x == 0) total[blockIdx.x] = sum;
}

static void test_waiting() {
  const int rounds = 7, blocks = 3;
  Dev<int> out(rounds * 64);
  pipeline<<<1, 96>>>(out, rounds);
  std::vector<int> want;
  for (int i = 0; i < rounds * 64; i++) want.push_back(i / 64 * 100 + 31 - i % 32);
  check_equal("pipeline", out.get(), want);
  Dev<int> flags(std::vector<int>(blocks, 0)), last(blocks);
  chain<<<blocks, 256>>>(flags, last);
  check_equal("chain of flags", last.get(), std::vector<int>{24, 16, 8});
  const int n = 4 * 96;
  Dev<int> count(std::vector<int>{0}), order(n), total(2);
  locked<<<4, 96>>>(count, order);
  CHECK(count.get()[0] == n, "count %d", count.get()[0]);
  std::vector<int> seen(n, 0), got = order.get();
  for (int x : got) if (x >= 0 && x < n) seen[x]++;
  check_equal("everybody once in the lock", seen, std::vector<int>(n, 1));
  one_lock_a_block<<<2, 64>>>(total);
  check_equal("lock of a block", total.get(), std::vector<int>{64, 64});
}

// Threads that end do not count at the barriers that follow: who stays sums up what all have stored.
__global__ void leave(int *out, int stay, bool low) {
  __shared__ int s[128];
  const int t = threadIdx.x, first = low ? 0 : blockDim.x - stay;
  s[t] = t + 1;
  if (t < first || t >= first + stay) return;
  for (int round = 0; round < 3; round++) {
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < blockDim.x; k++) sum += s[k];
    __syncthreads();
    if (t == first) s[first] += sum;
  }
  __syncthreads();
  out[t] = s[first];
}

static void test_leaving() {
  const int stays[] = {1, 31, 40, 64, 65, 128};
  for (int stay : stays)
    for (int threads = stay < 64 ? 64 : 128, low = 0; low < 2; low++) {
      Dev<int> out(threads);
      leave<<<1, threads>>>(out, stay, low);
      const int first = low ? 0 : threads - stay;
      int sum = threads * (threads + 1) / 2, at = first + 1;
      for (int round = 0; round < 3; round++) at += sum, sum += sum;
      std::vector<int> want(threads, (int)0xA5A5A5A5);
      for (int t = first; t < first + stay; t++) want[t] = at;
      check_equal("threads that leave before barriers", out.get(), want);
    }
}

__global__ void warps(int *out) {
  int t = threadIdx.x, lane = t & 31, v[12], pred;
  unsigned low = 0x0000ffffu, mine = lane < 16 ? low : ~low;
  v[0] = __ballot_sync(mine, lane & 1);
  v[1] = lane < 16 ? __shfl_sync(low, t, 15 - lane) : __shfl_sync(~low, t, 16 + (lane + 1) % 16);
  v[2] = __all_sync(mine, lane < 16) + 2 * __any_sync(mine, lane == 20);
  v[3] = __match_any_sync(ALL, lane % 5);
  v[4] = __match_all_sync(ALL, 7, &pred);
  v[4] += pred;
  v[5] = __match_all_sync(ALL, lane, &pred) + pred;
  v[6] = (int)__shfl_up_sync(ALL, (long long)t << 33, 1) + (int)(__shfl_up_sync(ALL, (long long)t << 33, 1) >> 33);
  v[7] = (int)__shfl_down_sync(ALL, t * 0.5, 4, 16);
  v[8] = __shfl_xor_sync(ALL, t, 31, 8);
  v[9] = 0;
  for (int i = 0; i <= lane % 4; i++) {  // every round with fewer lanes
    unsigned m = __ballot_sync(__activemask(), 1);
    v[9] += __popc(m);
    __syncwarp(m);
  }
  v[10] = __match_any_sync(ALL, (unsigned long long)(lane / 8) << 40) == (0xffu << (lane & 24));
  if (lane % 3 == 0) v[11] = __shfl_sync(0x49249249u, t, 3);
  else v[11] = __shfl_sync(~0x49249249u, t, 31);
  for (int k = 0; k < 12; k++) out[12 * t + k] = v[k];
}

static void test_warps() {
  const int n = 64;
  Dev<int> out(12 * n);
  warps<<<1, n>>>(out);
  std::vector<int> want;
  for (int t = 0; t < n; t++) {
    int lane = t & 31, base = t & ~31, same = 0, rounds = 0;
    for (int l = 0; l < 32; l++) same |= (l % 5 == lane % 5) << l;
    for (int i = 0; i <= lane % 4; i++) rounds += 8 * (4 - i);
    int x = (lane & 7) ^ 31;
    want.push_back(lane < 16 ? 0xaaaa : (int)0xaaaa0000);
    want.push_back(base + (lane < 16 ? 15 - lane : 16 + (lane + 1) % 16));
    want.push_back(lane < 16 ? 1 : 2);
    want.push_back(same);
    want.push_back((int)ALL + 1);
    want.push_back(0);
    want.push_back(lane ? t - 1 : t);
    want.push_back((int)(((lane & 15) < 12 ? t + 4 : t) * 0.5));
    want.push_back(x > 7 ? (base + ((lane ^ 31) & 31) > t ? t : base + (lane ^ 31)) : t);
    want.push_back(rounds);
    want.push_back(1);
    want.push_back(base + (lane % 3 == 0 ? 3 : 31));
  }
  std::vector<int> got = out.get();
  for (int t = 0; t < n; t++) got[12 * t + 9] = got[12 * t + 9] > 0 ? want[12 * t + 9] : 0;  // which lanes meet is not specified
  check_equal("warps", got, want);
}

__global__ void clocks(long long *out) {
  long long a = clock64();
  unsigned long long g = 0, h = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g));
  clock_t c = clock();
  __nanosleep(1000);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(h));
  unsigned smid, warp, lane, eq, lt, ge, grid;
  asm("mov.u32 %0, %%smid; mov.u32 %1, %%warpid; mov.u32 %2, %%laneid;" : "=r"(smid), "=r"(warp), "=r"(lane));
  asm("mov.u32 %0, %%lanemask_eq; mov.u32 %1, %%lanemask_lt; mov.u32 %2, %%lanemask_ge;" : "=r"(eq), "=r"(lt), "=r"(ge));
  asm("mov.u32 %0, %%nctaid.x;" : "=r"(grid));
  bool ok = clock64() > a && h >= g && c != 0 && smid < 1024 && warp < 64 && lane == threadIdx.x % 32 && eq == 1u << lane &&
            lt == eq - 1 && ge == ~lt && grid == gridDim.x;
  out[threadIdx.x] = ok;
}

int main() {
  test_barriers();
  test_waiting();
  test_leaving();
  test_warps();
  Dev<long long> c(64);
  clocks<<<1, 64>>>(c);
  check_equal("clocks", c.get(), std::vector<long long>(64, 1));
  return check_done("sync");
}
