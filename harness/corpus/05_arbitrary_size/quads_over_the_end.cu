// expect: memory.bounds at 7
// Four elements at a time, and n is no multiple of four.

static const task TASK = {INCLUSIVE, 62, 1};

__device__ int4 quad(const int *in, int at, int n) {
  return *(const int4 *)(in + at); // wrong
  if (at + 3 < n) return *(const int4 *)(in + at); // twin
  return make_int4(in[at], at + 1 < n ? in[at + 1] : 0, at + 2 < n ? in[at + 2] : 0, 0); // twin
}

__global__ void scan(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  int4 v = quad(in, 4 * t, n);
  v.y += v.x, v.z += v.y, v.w += v.z;
  int x = v.w;
  for (int o = 1; o < 16; o *= 2) {
    const int y = __shfl_up_sync(0xffff, x, o);
    if (t >= o) x += y;
  }
  const int sums[4] = {v.x, v.y, v.z, v.w};
  for (int k = 0; k < 4 && 4 * t + k < n; k++) out[4 * t + k] = x - v.w + sums[k];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 16); }
