// Kernels for the critical path (path_test.c): blocks that wait for each other in every way, and others.
extern "C" __global__ void alone(int *out) { // no block looks at what another one does
  int x = threadIdx.x;
  for (int k = 0; k < 100; k++) x = x * 1664525 + 1013904223;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// Block k waits for block k - 1.
extern "C" __global__ void chain(volatile int *flag) {
  const int k = blockIdx.x;
  if (threadIdx.x != 0) return;
  while (k && !flag[k - 1]) {}
  flag[k] = 1;
}

// The same as the radix sort lab teaches it: one counter, a payload, two fences.
extern "C" __global__ void chain_fenced(volatile int *published, volatile int *prefix) {
  const int k = blockIdx.x;
  if (threadIdx.x != 0) return;
  while (*published < k) {}
  __threadfence();
  prefix[k + 1] = prefix[k] + 1;
  __threadfence();
  *published = k + 1;
}

// The flag is an atomic, the message passes through the block.
extern "C" __global__ void chain_atomic(int *flag, int *sum) {
  const int k = blockIdx.x;
  __shared__ int before;
  if (threadIdx.x == 0) {
    while (k && atomicAdd(&flag[k - 1], 0) == 0) {}
    before = k ? atomicAdd(&sum[k - 1], 0) : 0;
  }
  __syncthreads();
  if (threadIdx.x == 32) {
    atomicExch(&sum[k], before + 1);
    __threadfence();
    atomicExch(&flag[k], 1);
  }
}

// Decoupled look-back: a block publishes its own sum before it looks, so no block waits for a chain.
extern "C" __global__ void look_back(volatile int *state) {
  const int k = blockIdx.x;
  int sum = 1;
  if (threadIdx.x != 0) return;
  state[k] = 1 << 16 | 1; // its own sum
  for (int j = k - 1; j >= 0; j--) {
    int s;
    while ((s = state[j]) == 0) {}
    sum += s & 0xffff;
    if (s >> 16 == 2) break;
  }
  state[k] = 2 << 16 | sum;
}

// A lock that every block takes once.
extern "C" __global__ void lock(int *word, volatile int *counter) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(word, 0, 1) != 0) {}
  *counter = *counter + 1;
  __threadfence();
  atomicExch(word, 0);
}

// The block that comes last adds up; the others do not wait.
extern "C" __global__ void last_block(volatile int *part, unsigned *done, int *out) {
  if (threadIdx.x != 0) return;
  part[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(done, 1u) != gridDim.x - 1) return;
  int sum = 0;
  for (unsigned k = 0; k < gridDim.x; k++) sum += part[k];
  *out = sum;
}

// A barrier of the grid, [phases] times.
extern "C" __global__ void grid_barrier(unsigned *arrived, int phases) {
  for (int p = 1; p <= phases; p++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (*(volatile unsigned *)arrived < p * gridDim.x) {}
      __threadfence();
    }
    __syncthreads();
  }
}

// Blocks count in a word, several times each: nobody waits for anybody.
extern "C" __global__ void tally(unsigned *word, unsigned *out) {
  unsigned sum = 0;
  for (int k = 0; k < 16; k++) sum += atomicAdd(word, 1u);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// One thread, n loads: each needs the one before, or none does.
extern "C" __global__ void chase(const int *next, int *out, int n) {
  int at = 0;
  for (int k = 0; k < n; k++) at = next[at];
  *out = at;
}
extern "C" __global__ void sum_up(const int *in, int *out, int n) {
  int sum = 0;
#pragma unroll 8
  for (int k = 0; k < n; k++) sum += in[k];
  *out = sum;
}

// Barriers of the block.
extern "C" __global__ void barriers(int n) {
  for (int k = 0; k < n; k++) __syncthreads();
}

// Warps that pass values on through fixed words of global memory, a barrier between the steps.
extern "C" __global__ void letter_boxes(int *box) {
  for (int step = 0; step < 100; step++) {
    const int x = *(volatile int *)&box[threadIdx.x];
    __syncthreads();
    box[threadIdx.x ^ 32] = x + 1;
    __syncthreads();
  }
}
