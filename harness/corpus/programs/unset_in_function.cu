// expect: memory.uninit at here
// says: is stored to global memory
// The sum of a function that is called begins with whatever its register holds. Another function has a
// variable that only some calls set, and uses it in those alone.

__device__ __noinline__ int sum_of(const int *d, int n) {
  int sum = 0; // twin
  int sum;     // wrong
  for (int i = 0; i < n; i++)
    sum += d[i]; // here
  return sum;
}
__device__ __noinline__ int last_even(const int *d, int n) {
  int last;
  bool has_even = false;
  for (int i = 0; i < n; i++)
    if (d[i] % 2 == 0) last = d[i], has_even = true;
  return has_even ? last : -1;
}
__global__ void sums(int *d, int n) {
  d[n + threadIdx.x] = last_even(d, threadIdx.x) + sum_of(d, threadIdx.x + 1);
}
static int run() { return played(sums, 1, 8, 40 * 4, 1, 32); }
