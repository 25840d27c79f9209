// expect: memory.misaligned at 10
// Two elements a load, from the second element on: the pair does not lie at a multiple of 8 bytes.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < 31) { // wrong
    const int2 two = reinterpret_cast<const int2 *>(in + 1)[t]; // wrong
    s[2 * t + 1] = two.x; // wrong
    s[2 * t + 2] = two.y; // wrong
  } // wrong
  if (t == 0) s[0] = in[0], s[63] = in[63]; // wrong
  if (t < 32) { // twin
    const int2 two = reinterpret_cast<const int2 *>(in)[t]; // twin
    s[2 * t] = two.x; // twin
    s[2 * t + 1] = two.y; // twin
  } // twin
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[t] = s[t];
}
