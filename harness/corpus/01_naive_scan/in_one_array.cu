// The scan of lab 01 in one array of shared memory, with one mistake at a time.
//
// expect no_barrier_after_load: race.shared at 29
// No barrier between the load and the first step: the left neighbour may not have loaded its element.
// expect reads_left_of_the_array: memory.bounds at 22
// The product hides the value of s[t - offset] for t < offset, but the word is read all the same.
// expect one_barrier_a_step: race.shared at 32
// One barrier a step: a thread may overwrite s[t] before its right neighbour has read it.
// expect syncwarp_for_the_block: race.shared at 29
// __syncwarp() orders the 32 threads of a warp, not the two warps of this block.
// expect barrier_inside_if: barrier.divergent at 25
// The two barriers of a step stand inside the if, so threads that have nothing to add never reach them.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads(); // not no_barrier_after_load
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = (t >= offset) * s[t - offset]; // wrong reads_left_of_the_array
    if (t >= offset) { // wrong barrier_inside_if
      const int left = s[t - offset]; // wrong barrier_inside_if
      __syncthreads(); // wrong barrier_inside_if
      s[t] += left; // wrong barrier_inside_if
      __syncthreads(); // wrong barrier_inside_if
    } // wrong barrier_inside_if
    const int left = t >= offset ? s[t - offset] : 0; // not reads_left_of_the_array, barrier_inside_if
    __syncwarp(); // wrong syncwarp_for_the_block
    __syncthreads(); // not one_barrier_a_step, syncwarp_for_the_block, barrier_inside_if
    s[t] += left; // not barrier_inside_if
    __syncthreads(); // not barrier_inside_if
  }
  out[t] = s[t];
}
