// expect: race.shared at here, memory.uninit
// Two warps pass words to each other and wait for their own lanes only.

__global__ void work(int *data) {
  __shared__ int word[64];
  const int t = threadIdx.x;
  word[t] = t;
  __syncwarp(); // wrong
  __syncthreads(); // twin
  data[t] = word[63 - t]; // here
}
static int run() { return played(work, 1, 64); }
