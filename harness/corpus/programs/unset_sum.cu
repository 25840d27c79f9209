// expect: memory.uninit at here
// A sum that begins with whatever its register holds.

__global__ void sums(int *d, int n) {
  int sum = 0; // twin
  int sum;     // wrong
  for (int i = threadIdx.x; i < n; i += 8)
    sum += d[i]; // here
  d[n + threadIdx.x] = sum;
}
static int run() { return played(sums, 1, 8, 40 * 4, 1, 32); }
