// The judge's kernels on the simulated GPU: right outputs of every kind are found right, and each way of
// spoiling one call of a batch is found in that call and in no other.
#include "../contest_kernels.cu"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { N = 1001, STRIDE = 1024, CALLS = 3 };
static const uint64_t KEY = 0x123456789abcdefu;
static uint32_t *d_in, *d_out;
static contest_call *d_found;
static int failures;

static void expect(bool ok, const char *what, int kind) {
  if (!ok) printf("kind %d: %s\n", kind, what), failures++;
}

static std::vector<uint32_t> inputs(int kind) {
  std::vector<uint32_t> in(STRIDE * CALLS);
  contest_fill<<<dim3(2, CALLS), 128>>>(kind, d_in, N, STRIDE, KEY);
  cudaMemcpy(in.data(), d_in, in.size() * 4, cudaMemcpyDeviceToHost);
  return in;
}

// What a right program makes of one call's input, computed the plain way.
static void solve(int kind, const uint32_t *in, uint32_t *out) {
  bool inclusive = kind & INCLUSIVE;
  float f = 0, x;
  uint32_t u = 0;
  memcpy(out, in, N * 4);
  if ((kind & 3) == U32_SORT) std::sort(out, out + N);
  for (int i = 0; i < N && (kind & 3) != U32_SORT; i++) {
    memcpy(&x, &in[i], 4);
    float before = f;
    f += x, u += in[i];
    x = inclusive ? f : before;
    if ((kind & 3) == F32_SCAN) memcpy(&out[i], &x, 4);
    else out[i] = inclusive ? u : u - in[i];
  }
}

static std::vector<contest_call> found(int kind, uint64_t key) {
  std::vector<contest_call> f(CALLS);
  cudaMemset(d_found, 0, CALLS * sizeof *d_found);
  contest_check<<<dim3(2, CALLS), 128>>>(kind, d_in, d_out, N, STRIDE, key, d_found);
  cudaMemcpy(f.data(), d_found, CALLS * sizeof *d_found, cudaMemcpyDeviceToHost);
  return f;
}

static int bad_calls(int kind, uint64_t key = KEY) {
  int mask = 0;
  for (int k = 0; k < CALLS; k++) {
    contest_call c = found(kind, key)[k];
    mask |= (c.wrong || c.changed || c.print) << k;
  }
  return mask;
}

static void set(uint32_t *at, uint32_t value) { cudaMemcpy(at, &value, 4, cudaMemcpyHostToDevice); }

static void test(int kind) {
  std::vector<uint32_t> in = inputs(kind), out(STRIDE * CALLS);
  for (int k = 0; k < CALLS; k++) solve(kind, &in[k * STRIDE], &out[k * STRIDE]);
  cudaMemcpy(d_out, out.data(), out.size() * 4, cudaMemcpyHostToDevice);
  expect(bad_calls(kind) == 0, "right outputs are found wrong", kind);
  expect(bad_calls(kind, KEY + 1) != 0, "the outputs of other inputs are found right", kind);
  uint32_t *spot = d_out + STRIDE + N - 1, *first = d_out + 2 * STRIDE;
  set(spot, 0xa5a5a5a5u);
  expect(bad_calls(kind) == 2, "the last element of call 1 was never written", kind);
  set(spot, out[STRIDE + N - 1]);
  set(first, out[2 * STRIDE + 1]);  // a sort stays in order: only its fingerprint tells
  expect(bad_calls(kind) == 4, "an element of call 2 is there twice", kind);
  set(first, out[2 * STRIDE]);
  set(d_in + 5, in[5] + 1);
  expect(bad_calls(kind) == 1, "the input of call 0 was changed", kind);
  set(d_in + 5, in[5]);
  expect(bad_calls(kind) == 0, "all is right again", kind);
}

int main() {
  cudaMalloc(&d_in, STRIDE * CALLS * 4);
  cudaMalloc(&d_out, STRIDE * CALLS * 4);
  cudaMalloc(&d_found, CALLS * sizeof *d_found);
  cudaMemset(d_in, 0, STRIDE * CALLS * 4);
  for (int kind : {(int)F32_SCAN, (int)U32_SCAN, (int)U32_SORT, F32_SCAN | INCLUSIVE, U32_SCAN | INCLUSIVE}) test(kind);
  cudaFree(d_in), cudaFree(d_out), cudaFree(d_found);
  puts(failures ? "failed" : "all right");
  return failures != 0;
}
