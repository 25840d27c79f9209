// expect: memory.bounds at 10
// The tile number gets the word behind the data, which nobody has declared.

static const task TASK = {EXCLUSIVE, 60, 1};

__global__ void scan(const int *in, int *out, int n, chain *c) {
  __shared__ int s_data[TILE]; // wrong
  __shared__ int s_data[TILE + 1]; // twin
  const int t = threadIdx.x, words = c->published + blockDim.x;
  if (t == 0) s_data[words] = atomicAdd(&c->ticket, 1);
  __syncthreads();
  const int tile = s_data[words], i = tile * TILE + t, x = i < n ? in[i] : 0, sum = block_sum(x);
  s_data[t] = sum - x;
  if (i < n) out[i] = s_data[t];
}
