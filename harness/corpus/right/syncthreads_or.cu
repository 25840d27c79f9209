// expect: nothing
// __syncthreads_or() decides whether the loop ends, for all alike.

static const task TASK = {SORTED, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  bool more = true;
  for (int odd = 0, idle = 0; idle < 2; odd ^= 1) {
    bool swapped = false;
    const int i = 2 * t + odd;
    if (i + 1 < 64 && s[i] > s[i + 1]) {
      const int y = s[i];
      s[i] = s[i + 1];
      s[i + 1] = y;
      swapped = true;
    }
    idle = __syncthreads_or(swapped) ? 0 : idle + 1;
  }
  out[t] = s[t];
  (void)more;
}
