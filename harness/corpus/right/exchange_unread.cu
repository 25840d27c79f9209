// expect: nothing
// Blocks lower a word and say in another that somebody has: an exchange that returns nothing reads nothing.

static const task TASK = {SORTED, 256, 1};
__global__ void scan(const int *in, int *out, int n, int *p) {
  int *least = p + 32, *changed = p + 33, *done = p + 34;
  __shared__ bool last;
  const int t = threadIdx.x, key = in[blockIdx.x * blockDim.x + t];
  atomicAdd(&p[key], 1);
  for (int more = 0; more < 3 && t == 0; more++) {
    const int mine = -2 * (int)blockIdx.x - more % 2;
    if (atomicMin(least, mine) > mine) atomicExch(changed, 1);
  }
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicAdd(done, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last || t) return;
  __threadfence();
  for (int k = 0, at = 0; k < 32; k++)
    for (int left = atomicAdd(&p[k], 0) + atomicAdd(changed, 0) - 1; left; left--) out[at++] = k;
}
static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 4, 64, 64, in, out, n); }
