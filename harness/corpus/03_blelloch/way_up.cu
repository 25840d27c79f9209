// The way up of lab 03, with one mistake at a time.
//
// expect barrier_of_the_active: barrier.divergent at 17, race.shared
// Only the threads that have a pair at this level come to its barrier.
// expect last_levels_without_barrier: race.shared at 25
// "The last 32 pairs are one warp's and need no barrier": the lanes of a warp do not run in lock step.
// expect place_without_minus_one: memory.bounds at 25
// offset * (2t + 2) is a count; the place of the last of so many elements is one less.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    if (threadIdx.x < pairs) { // wrong barrier_of_the_active
      __syncthreads(); // wrong barrier_of_the_active
      const int right = offset * (2 * threadIdx.x + 2) - 1; // wrong barrier_of_the_active
      temp[right] += temp[right - offset]; // wrong barrier_of_the_active
    } // wrong barrier_of_the_active
    if (pairs >= 32) __syncthreads(); // wrong last_levels_without_barrier
    __syncthreads(); // not barrier_of_the_active, last_levels_without_barrier
    const int right = offset * (2 * threadIdx.x + 2); // wrong place_without_minus_one
    const int right = offset * (2 * threadIdx.x + 2) - 1; // not barrier_of_the_active, place_without_minus_one
    if (threadIdx.x < pairs) temp[right] += temp[right - offset]; // not barrier_of_the_active
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}
