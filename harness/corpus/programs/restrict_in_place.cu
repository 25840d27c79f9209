// expect: memory.readonly at here
// The result goes where the input is, although the kernel promises with __restrict__ that nobody writes that.

__global__ void twice(const int *in, int *out) // twin
__global__ void twice(const int *__restrict__ in, int *out) // wrong
{
  int x = in[threadIdx.x];
  out[threadIdx.x] = 2 * x; // here
}
__global__ void half(const int *__restrict__ in, int *out) { out[threadIdx.x] = in[threadIdx.x] / 2; } // another half of the array
static int run() {
  int *d = filled(512);
  twice<<<1, 64>>>(d, d);
  half<<<1, 64>>>(d, d + 64);
  half<<<1, 64>>>(d + 64, d);
  return ended_with(cudaSuccess);
}
