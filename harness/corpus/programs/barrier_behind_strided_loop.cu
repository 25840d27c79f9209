// expect: race.shared, memory.uninit
// says: ; no __syncthreads() between line 10 and line 13
// Threads leave the first loop one by one and enter the second one so: the barrier stands between the loops.

__global__ void reverse(int *d, int n) {
  __shared__ int s[100];
  int t = threadIdx.x;
  for (int k = t; k < n; k += blockDim.x)
    if (k % 2) s[k] = d[k];
    else s[k] = -d[k];
  __syncthreads(); // twin
  for (int k = t; k < n; k += blockDim.x)
    if (s[n - 1 - k] != 5) d[k] = s[n - 1 - k];
}
static int run() { return played(reverse, 1, 64, 400, 1, 100); }
