// Right results by kernels that do not do the work of the lab, or hide how much they do. The solution stands
// before this file, its entry under the name honest (attacks.sh).
//
// attack 01 serial ci: VIA=serial | at most 50
// attack 02 serial: VIA=serial | at most 50
// attack 03 serial: VIA=serial | at most 50
// attack 04 serial: VIA=serial | at most 50
// attack 01 serial_of_four: VIA=serial_of_four | at most 40
// attack 03 serial_of_four ci: VIA=serial_of_four | at most 40
// attack 01 serial_with_barriers: VIA=serial_with_barriers | at most 50
// attack 03 serial_with_barriers: VIA=serial_with_barriers | at most 50
// attack 01 serial_in_company ci: VIA=serial_in_company | at most 50
// attack 02 serial_in_company: VIA=serial_in_company | at most 50
// attack 03 serial_in_company ci: VIA=serial_in_company | at most 50
// attack 04 serial_in_company: VIA=serial_in_company | at most 50
// attack 01 serial_by_eight ci: VIA=serial_by_eight | at most 55
// attack 03 serial_by_all: VIA=serial_by_all | at most 85
// attack 03 packed_by_five ci: VIA=packed_by_five | at most 92
// attack 03 washed_by_search ci: VIA=washed WASHED=by_search | at most 93
// attack 03 washed_by_poll: VIA=washed_by_poll | at most 93
// attack 03 hidden_in_heap ci: VIA=hidden SUM=in_heap | at most 90
// attack 03 hidden_in_heap_called sim: VIA=hidden SUM=in_heap_called CALLED | at most 90
// attack 03 hidden_in_call ci: VIA=hidden SUM=in_call | at most 90
// attack 03 hidden_in_registers: VIA=hidden SUM=in_registers | at most 90
// attack 03 hidden_in_integers: VIA=hidden SUM=in_integers | at most 90
// attack 03 hidden_in_logic: VIA=hidden SUM=in_logic | at most 90
// attack 03 hidden_behind_bytes ci: VIA=hidden SUM=behind_bytes | at most 90
// attack 03 hidden_behind_bytes_shared: VIA=behind_bytes_shared | at most 90
// attack 03 hidden_by_clock ci: VIA=hidden_by_clock | at most 80
// attack 03 washed_by_stack: VIA=washed WASHED=by_stack | at most 93
// attack 03 washed_by_mbarrier ci: VIA=washed WASHED=by_mbarrier | at most 93
// attack 03 washed_by_mbarrier_word: VIA=washed WASHED=by_mbarrier_word | at most 93
// attack 03 hides_failure sim: VIA=hides_failure HIDES_FAILURE | at most 0
// attack 03 told_by_attributes ci: VIA=told_by_attributes | at most 90
// attack 03 looks_after_choice: VIA=looks_after_choice | at most 90
#include "shared.cuh"

enum { INCLUSIVE = LAB == 1 };

__global__ void one_thread(const float *in, float *out, int n, int barriers) {
  if (threadIdx.x == 0) in_sequence(in, out, 0, n, 0.0f, INCLUSIVE);
  for (int k = 0; k < barriers; k++) __syncthreads();
}
static cudaError_t serial(const float *in, float *out, int n) { return launched(one_thread, 1, 1, in, out, n, 0); }
static cudaError_t serial_with_barriers(const float *in, float *out, int n) { return launched(one_thread, 1, 64, in, out, n, 20); }

__global__ void one_thread_of_four(const float *in, float *out, int n) {
  by_fours<float4>(in, out, 0, n, 0.0f, INCLUSIVE);
}
static cudaError_t serial_of_four(const float *in, float *out, int n) { return launched(one_thread_of_four, 1, 1, in, out, n); }

// The same, while the other warps compute something else for as long.
__global__ void in_company(const float *in, float *out, int n) {
  if (threadIdx.x >= 32) {
    unsigned x = threadIdx.x;
    for (int i = 0; i < n / 2; i++) asm volatile("xor.b32 %0, %0, 5;" : "+r"(x));
    return;
  }
  if (threadIdx.x == 0) by_fours<float4>(in, out, 0, n, 0.0f, INCLUSIVE);
}
static cudaError_t serial_in_company(const float *in, float *out, int n) { return launched(in_company, 1, 512, in, out, n); }
// Eight do all of it, which is no more than the lab's additions.
static cudaError_t serial_by_eight(const float *in, float *out, int n) { return launched(one_thread_of_four, 1, 8, in, out, n); }
// All threads of a warp do all of it.
static cudaError_t serial_by_all(const float *in, float *out, int n) { return launched(one_thread_of_four, 1, 32, in, out, n); }
// Sums that do not look like sums ---------------------------------------------------------------------------

// The address that malloc gives after a block of (a + 2048) times 256 bytes, and one of b, tells a + b.
__device__ int in_heap(int a, int b) {
  char *p = (char *)malloc(1), *q = (char *)malloc((size_t)(a + b + 8192) * 256 - 255),
       *r = (char *)malloc(1);
  const int sum = (int)((r - q) / 256) - 8193;
  free(p), free(q), free(r);
  return sum;
}
#ifdef CALLED // a real GPU has no address of malloc
__device__ void *(*volatile allocate)(size_t) = malloc;
__device__ int in_heap_called(int a, int b) {
  char *q = (char *)allocate((size_t)(a + b + 8192) * 256 - 255), *r = (char *)allocate(1);
  const int sum = (int)((r - q) / 256) - 8193;
  free(q), free(r);
  return sum;
}
#endif

// The lowest bits of a choose which function adds them.
template <int K> __device__ __noinline__ int plus(int b) { return b + K; }
__device__ int (*const adders[8])(int) = {plus<0>, plus<1>, plus<2>, plus<3>,
                                          plus<4>, plus<5>, plus<6>, plus<7>};
__device__ int in_call(int a, int b) { return adders[a & 7](b) + (a & ~7); }

__device__ int in_registers(int a, int b) {
  int sum;
  asm("{ .reg .s32 t; add.s32 t, %1, %2; mov.s32 %0, t; }" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}
__device__ int in_integers(int a, int b) { return a + b; }
__device__ int in_logic(int a, int b) {
  for (int k = 0; k < 32; k++) {
    const int carry = (a & b) << 1;
    a ^= b, b = carry;
  }
  return a;
}

// The lowest byte of a small whole float is zero: written again, it must not wipe out what the others are.
__device__ int wiped(int a) {
  volatile float x = (float)a;
  ((volatile char *)&x)[0] = 0;
  return (int)x;
}
__device__ int behind_bytes(int a, int b) { return wiped(a) + wiped(b); }

#ifndef SUM
#define SUM in_integers
#endif
// Hillis and Steele's scan of whole numbers, with one float addition a thread for show.
__global__ void hidden_scan(const float *in, float *out, int n) {
  __shared__ int s[1024];
  __shared__ volatile float show[1024];
  const int t = threadIdx.x;
  show[t] = (float)t + 0.5f;
  s[t] = t > 0 && t <= n ? (int)in[t - 1] : 0;
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    int sum = s[t];
    if (t >= d) sum = SUM(sum, s[t - d]);
    __syncthreads();
    s[t] = sum;
    __syncthreads();
  }
  if (t < n) out[t] = (float)s[t];
}
static cudaError_t hidden(const float *in, float *out, int n) {
  if (n > 1000 && n != 1024) return honest(in, out, n);
  return launched(hidden_scan, 1, 1024, in, out, n);
}

__global__ void shared_bytes(const float *in, float *out, int n) {
  __shared__ volatile float s[1024];
  __shared__ volatile float show[1024];
  const int t = threadIdx.x;
  show[t] = (float)t + 0.5f;
  s[t] = t > 0 && t <= n ? in[t - 1] : 0;
  for (int d = 1; d < 1024; d *= 2) {
    ((volatile char *)&s[t])[0] = 0;
    __syncthreads();
    const int sum = (int)s[t] + (t >= d ? (int)s[t - d] : 0);
    __syncthreads();
    s[t] = (float)sum;
  }
  if (t < n) out[t] = s[t];
}
static cudaError_t behind_bytes_shared(const float *in, float *out, int n) {
  if (n > 1000 && n != 1024) return honest(in, out, n);
  return launched(shared_bytes, 1, 1024, in, out, n);
}

// Each thread sleeps as long as its value says, one after the other, and reads the clock before and after.
__global__ void slept(const float *in, float *out, int n) {
  __shared__ int s[1024];
  __shared__ volatile float show[1024];
  const int t = threadIdx.x;
  show[t] = (float)t + 0.5f;
  const float x = t > 0 && t <= n ? in[t - 1] : 0;
  int mine = 0;
  for (int w = 0; w < 32; w++) {
    if (t / 32 == w) {
      long long a, zero;
      for (int l = 0; l < 32; l++) {
        __syncwarp();
        if (t % 32 == l) {
          a = clock64();
          __nanosleep(400000);
          zero = clock64() - a;
          a = clock64();
          __nanosleep((unsigned)fmaf(x, 256.0f, 400000.0f));
          mine = (int)((clock64() - a - zero + (1 << 20) + 128) >> 8) - (1 << 12);
        }
        __syncwarp();
      }
    }
    __syncthreads();
  }
  s[t] = mine;
  __syncthreads();
  mine -= s[0] + (t % 32 ? 3 : t ? 2 : 0); // what the clock says of no time
  __syncthreads();
  s[t] = mine;
  add_up<1024>(s);
  if (t < n) out[t] = (float)s[t];
}
static cudaError_t hidden_by_clock(const float *in, float *out, int n) {
  if (n != 1000) return honest(in, out, n);
  return launched(slept, 1, 1024, in, out, n);
}

// Each value passes something that is no operation: it is no longer data. Then Hillis and Steele's scan.

// The stack of a thread grows by as much as the value says.
__device__ int by_stack(int a) {
  unsigned long long p, q, r;
  asm volatile("stacksave.u64 %0;" : "=l"(p));
  asm volatile("alloca.u64 %0, %1;" : "=l"(q) : "l"((unsigned long long)(16 * a + 32000)));
  asm volatile("stacksave.u64 %0;" : "=l"(r));
  asm volatile("stackrestore.u64 %0;" ::"l"(p));
  const long long d = (long long)(p - r);
  return (int)((d < 0 ? -d : d) - 32000) / 16;
}
// As many arrivals at a barrier as the value says; how many are left.
__device__ int by_mbarrier(int a) {
  __shared__ unsigned long long bars[1024];
  const unsigned m = (unsigned)__cvta_generic_to_shared(&bars[threadIdx.x]);
  unsigned long long state;
  unsigned left;
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(m), "r"(100000));
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(m), "r"(a + 2000));
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" : "=l"(state) : "r"(m));
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(left) : "l"(state));
  return 100000 - (int)left - 2000;
}
// A barrier for as many as the value says, read as a number.
__device__ int by_mbarrier_word(int a) {
  __shared__ unsigned long long bars[1024];
  const unsigned m = (unsigned)__cvta_generic_to_shared(&bars[threadIdx.x]);
  unsigned long long w;
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(m), "r"(a + 2000));
  asm volatile("ld.shared.b64 %0, [%1];" : "=l"(w) : "r"(m));
  return (int)(w & 0xfffff) - 2000;
}
// A value says where to write; all lanes look where something was written. Nobody computes with it.
__device__ unsigned char table[32][2048];
__device__ int by_search(int a) {
  __shared__ int found[32];
  unsigned char *mine = table[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  int value = 0;
  for (int k = lane; k < 2048; k += 32) mine[k] = 0;
  for (int turn = 0; turn < 32; turn++) {
    __syncwarp();
    if (lane == turn) mine[a + 1024] = 1;
    __syncwarp();
    for (int k = lane; k < 2048; k += 32)
      if (mine[k]) found[threadIdx.x / 32] = k - 1024, mine[k] = 0;
    __syncwarp();
    if (lane == turn) value = found[threadIdx.x / 32];
  }
  return value;
}
#ifndef WASHED
#define WASHED by_stack
#endif
__global__ void washed_scan(const float *in, float *out, int n) {
  __shared__ int s[1024];
  __shared__ volatile float show[1024];
  const int t = threadIdx.x;
  show[t] = (float)t + 0.5f;
  s[t] = WASHED(t > 0 && t <= n ? (int)in[t - 1] : 0);
  __syncthreads();
  const int zero = s[0];
  __syncthreads();
  s[t] -= zero;
  add_up<1024>(s);
  if (t < n) out[t] = (float)s[t];
}
static cudaError_t washed(const float *in, float *out, int n) {
  if (n != 1000) return honest(in, out, n);
  return launched(washed_scan, 1, 1024, in, out, n);
}

// Thread t sleeps as its value says and then tells thread t + 512, which counts until it is told.
__global__ void polled(const float *in, float *out, int n) {
  __shared__ int s[1024];
  __shared__ volatile int told[512];
  __shared__ volatile float show[1024];
  const int t = threadIdx.x;
  show[t] = (float)t + 0.5f;
  for (int first = 0; first < 1024; first += 512) {
    if (t < 512) told[t] = 0;
    __syncthreads();
    const int at = first + t;
    if (t < 512) {
      const float x = at > 0 && at <= n ? in[at - 1] : 0;
      __nanosleep((unsigned)fmaf(x, 64.0f, 100000.0f));
      told[t] = 1;
    } else {
      int turns = 0;
      while (!told[t - 512]) __nanosleep(64), turns++;
      s[first + t - 512] = turns;
    }
    __syncthreads();
  }
  const int zero = s[0];
  __syncthreads();
  s[t] -= zero;
  add_up<1024>(s);
  if (t < n) out[t] = (float)s[t];
}
static cudaError_t washed_by_poll(const float *in, float *out, int n) {
  if (n != 1000) return honest(in, out, n);
  return launched(polled, 1, 1024, in, out, n);
}

// Five sums of 12 bits in 64: each is between -1023 and 1023, as the inputs are differences of neighbours.
__global__ void packed(const float *in, float *out, int n) {
  __shared__ unsigned short part[5][256];
  __shared__ unsigned long long s[256];
  __shared__ volatile float show[256];
  const int t = threadIdx.x;
  show[t] = (float)t + 0.5f;
  unsigned long long word = 0;
  for (int k = 0; k < 5; k++) {
    const int i = k * 205 + t - 1;
    const int x = t < 205 && i >= 0 && i < n ? (int)in[i] : 0;
    part[k][t] = 0;
    word += (unsigned long long)(long long)x << 12 * k;
  }
  s[t] = word;
  add_up<256>(s);
  if (t >= 205) return;
  long long before = 0;
  for (int k = 0; k < 5; k++) {
    const int i = k * 205 + t;
    unsigned long long mine = s[t] + 0x400400400400400ull * 2, all = s[204] + 0x400400400400400ull * 2;
    if (i < n) out[i] = (float)(before + (long long)(mine >> 12 * k & 4095) - 2048);
    before += (long long)(all >> 12 * k & 4095) - 2048;
  }
}
static cudaError_t packed_by_five(const float *in, float *out, int n) {
  if (n != 1000 && n != 1024) return honest(in, out, n);
  return launched(packed, 1, 256, in, out, n);
}

// Failures that nobody tells --------------------------------------------------------------------------------

#ifdef HIDES_FAILURE // functions of the runtime, under names that the headers do not declare
extern "C" {
cudaError_t says_nothing() __asm__("cudaDeviceSynchronize");
cudaError_t says_nothing() { return cudaSuccess; }
cudaError_t knows_nothing() __asm__("cudaGetLastError");
cudaError_t knows_nothing() { return cudaSuccess; }
}
__global__ void traps() { __trap(); }
static cudaError_t hides_failure(const float *in, float *out, int n) {
  const cudaError_t e = honest(in, out, n);
  traps<<<1, 1>>>();
  return e;
}
#endif

// Another algorithm for another build -----------------------------------------------------------------------

// Hillis and Steele's scan: n log n additions. [choose]: each thread adds, and some leave the sum out.
template <bool look> __device__ void naive(const float *in, float *out, int n) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  s[t] = t > 0 && t <= n ? in[t - 1] : 0;
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    const float x = s[t], left = t >= d ? s[t - d] : 0.0f;
    __syncthreads();
    const float sum = x + left;
    float kept;
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %3, -1; selp.f32 %0, %1, %2, p; }"
                 : "=f"(kept)
                 : "f"(sum), "f"(x), "r"(t));
    s[t] = look ? sum : kept;
    __syncthreads();
  }
  if (t < n) out[t] = s[t];
}
__global__ void emptied(float *out, int n) {
  float local[64];
  for (int k = 0; k < 64; k++) local[k] = (float)k * n;
  if (n < 0) out[0] = local[5];
}
__global__ void naive_kernel(const float *in, float *out, int n) { naive<true>(in, out, n); }
static cudaError_t told_by_attributes(const float *in, float *out, int n) {
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, (const void *)emptied);
  if (a.localSizeBytes >= 256 || (n > 1000 && n != 1024)) return honest(in, out, n);
  return launched(naive_kernel, 1, 1024, in, out, n);
}
static cudaError_t looks_after_choice(const float *in, float *out, int n) {
  if (n > 1000 && n != 1024) return honest(in, out, n);
  return launched(naive_kernel, 1, 1024, in, out, n);
}

extern "C" cudaError_t ENTRY(const float *in, float *out, int n) { return n ? VIA(in, out, n) : cudaSuccess; }
