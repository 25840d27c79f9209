// expect: race.shared at each here
// Missing barrier. The trip is that of the inner loop, which each lane leaves after another number of trips.

__global__ void add(const int *in, int *d, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = s[t + 64] = 0;
  __syncthreads();
#pragma unroll 1
  for (int o = 0; o < n; o++)
#pragma unroll 1
    for (int k = 0; k < n + (t & 3); k++) {
      if (o == 2 && k == 1 && t == 5)
        s[100] = in[k] + 1; // here, trip 2
      if (o == 2 && k == 3 && t == 5) // twin
      if (o == 2 && k == 3 && t == 37) // wrong
        d[64 + o] = s[100]; // here, trip 4
      s[t] += in[k + 8];
    }
  d[t] = s[t];
}
static int run() {
  int *d = filled(512);
  add<<<1, 64>>>(d + 80, d, 3);
  return ended_with(cudaSuccess);
}
