// Work of another kind than a scan of many threads does, and what is to look like it.

// Asks for the input bit by bit, in the time that kernels take: the clock of a quiet machine is enough.
__global__ void takes_time(const float *in, int i, int bit) {
  if (((int)in[i] + 1024) >> bit & 1)
    for (volatile int turns = 0; turns < 400;) turns = turns + 1;
}

static cudaError_t spells_by_time(const float *in, float *out, int n) {
  double spent = 0;
  for (int i = 0; i < 11 * n; i++) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    takes_time<<<1, 1>>>(in, i / 11, i % 11);
    cudaDeviceSynchronize();
    clock_gettime(CLOCK_MONOTONIC, &b);
    spent += (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
  }
  printf("%.3f s\n", spent);
  return right(in, out, n);
}

// One thread does the work, others decorate it with barriers.
__global__ void serial_with_decoration(const float *in, float *out, int n, int barriers) {
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < n; i++) {
      float x = in[i];
      out[i] = sum;
      sum += x;
    }
  }
  for (int k = 0; k < barriers; k++) __syncthreads();
}

static cudaError_t one_thread(const float *in, float *out, int n) {
  serial_with_decoration<<<1, 64>>>(in, out, n, 20);
  return cudaGetLastError();
}

// The same, while other warps compute something else for as long.
__global__ void serial_in_company(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; threadIdx.x >= 32 && i < n; i++) clock64();
  if (threadIdx.x) return;
  for (int i = 0; i < n; i++) {
    float x = in[i];
    out[i] = sum;
    sum += x;
  }
}

static cudaError_t in_company(const float *in, float *out, int n) {
  serial_in_company<<<1, 512>>>(in, out, n);
  return cudaGetLastError();
}

// Hillis and Steele's scan with multiplications in place of additions.
__global__ void multiplies(const float *in, float *out, int n) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  s[t] = t > 0 && t <= n ? in[t - 1] : 0;
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    float x = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] = __fmaf_rn(x, 1.0f, s[t]);
    __syncthreads();
  }
  if (t < n) out[t] = s[t];
}

static cudaError_t hides_additions(const float *in, float *out, int n) {
  multiplies<<<1, 1024>>>(in, out, n);
  return cudaGetLastError();
}

static const row counted_rows[] = {
    {90, spells_by_time},
    {1039, one_thread},
    {900, hides_additions},
    {1060, in_company},
};
