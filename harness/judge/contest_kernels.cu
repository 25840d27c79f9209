// The judge's own kernels: they make the inputs of timed calls on the device and check every output there.
//
// Compiled into the judge (work.c). Every element follows from a secret key and its index, and so does every
// right result of a scan: the inputs are differences of neighbours of a random sequence H, so the sum of the
// first i is H(i) - H(0). A sort is right when its keys ascend and their fingerprint, a sum of hashes, is
// that of the input. blockIdx.y is the call.
#include <stdint.h>

enum { F32_SCAN, U32_SCAN, U32_SORT, INCLUSIVE = 4 }; // INCLUSIVE: a bit besides

struct contest_call { // one call's finding
  unsigned long long wrong, changed, print;
};

static __device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static __device__ uint32_t draw(uint64_t key, uint64_t i) { return (uint32_t)(mix(key + (i + 1) * 0x9e3779b97f4a7c15u) >> 32); }
static __device__ uint64_t key_of(uint64_t key, unsigned call) { return mix(key + call); }
static __device__ int small(uint64_t key, uint64_t i) { return (int)(draw(key, i) >> 22); }

static __device__ uint32_t input_at(int kind, uint64_t key, uint64_t i) {
  if (kind == F32_SCAN) return __float_as_uint((float)(small(key, i + 1) - small(key, i)));
  return kind == U32_SCAN ? draw(key, i + 1) - draw(key, i) : draw(key, i);
}

// The sum of the first i elements. Zero has one sign: + 0.0f makes it so.
static __device__ uint32_t scanned_at(int kind, uint64_t key, uint64_t i) {
  if (kind == F32_SCAN) return __float_as_uint((float)(small(key, i) - small(key, 0)) + 0.0f);
  return draw(key, i) - draw(key, 0);
}

static __device__ bool same(int kind, uint32_t a, uint32_t b) {
  return a == b || (kind == F32_SCAN && __uint_as_float(a) == __uint_as_float(b));
}

/* Kernel: contest_fill - the inputs of all calls
 * Launch: grid (any, calls), block (any); words [call * stride, + n) of [in]    Shared: none    Barriers: 0
 * Work:   n elements a call */
extern "C" __global__ void contest_fill(int kind, uint32_t *in, uint64_t n, uint64_t stride, uint64_t key) {
  uint64_t own = key_of(key, blockIdx.y), step = (uint64_t)gridDim.x * blockDim.x;
  kind &= ~INCLUSIVE;
  in += blockIdx.y * stride;
  for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) in[i] = input_at(kind, own, i);
}

// Returns the sum over the warp; valid in lane 0.
static __device__ unsigned long long warp_sum(unsigned long long x) {
  for (int away = 16; away > 0; away /= 2) x += __shfl_down_sync(0xffffffffu, x, away);
  return x;
}

/* Kernel: contest_check - is every output right, is every input what it was?
 * Launch: as contest_fill, block a multiple of 32; found[call] all zero    Shared: none    Barriers: 0
 * Work:   n elements a call, each looked at once (sorts: twice) */
extern "C" __global__ void contest_check(int kind, const uint32_t *in, const uint32_t *out, uint64_t n, uint64_t stride,
                                         uint64_t key, contest_call *found) {
  uint64_t own = key_of(key, blockIdx.y), step = (uint64_t)gridDim.x * blockDim.x, salt = mix(own);
  contest_call c = {0, 0, 0};
  int inclusive = (kind & INCLUSIVE) != 0;
  kind &= ~INCLUSIVE;
  in += blockIdx.y * stride, out += blockIdx.y * stride;
  for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    uint32_t want = input_at(kind, own, i), got = out[i];
    c.changed += in[i] != want;
    if (kind == U32_SORT) {
      c.wrong += i > 0 && out[i - 1] > got;
      c.print += mix(got ^ salt) - mix(want ^ salt);
    } else {
      c.wrong += !same(kind, got, scanned_at(kind, own, i + inclusive));
    }
  }
  unsigned lane = threadIdx.x % 32;
  c.wrong = warp_sum(c.wrong), c.changed = warp_sum(c.changed), c.print = warp_sum(c.print);
  if (lane == 0 && c.wrong) atomicAdd(&found[blockIdx.y].wrong, c.wrong);
  if (lane == 0 && c.changed) atomicAdd(&found[blockIdx.y].changed, c.changed);
  if (lane == 0 && c.print) atomicAdd(&found[blockIdx.y].print, c.print);
}
