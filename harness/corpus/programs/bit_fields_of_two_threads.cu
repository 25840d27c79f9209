// expect: race.shared at each here
// Two threads write bit fields of one word: each writes all of it back.

struct fields { unsigned first : 4, second : 8, third : 12; }; // wrong
struct fields { unsigned char first, second; unsigned short third; }; // twin
__global__ void set(int *d) {
  __shared__ fields f;
  if (threadIdx.x == 0) f.first = 1, f.second = 2, f.third = 3;
  __syncthreads();
  if (threadIdx.x == 0) f.first = d[0]; // here
  if (threadIdx.x == 32) f.third = d[1]; // here
  __syncthreads();
  d[threadIdx.x] = f.first + f.third;
}
static int run() { return played(set, 1, 64, 256, 1); }
