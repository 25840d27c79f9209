// The scan of lab 02, with one mistake at a time.
//
// expect result_from_the_other_buffer: output.differs
// The result is taken from the buffer that the last step has read.
// expect no_barrier_after_load: race.shared at 34
// The first step reads what the neighbour loads, and no barrier is between the two.
// expect no_barrier_after_step: race.shared at 34, memory.uninit
// Two buffers save one of two barriers, not both.
// expect buffers_not_swapped: race.shared at 35
// The swap of the two buffers is missing: every step reads and writes the same one.
// expect shift_reads_before_the_input: memory.bounds at 24
// Shifting right by one, thread 0 reads the element before the first one.
// expect steps_of_each_thread: barrier.divergent at 36, memory.uninit
// Every thread makes as many steps as its own element needs, so they meet different numbers of barriers.
// expect memory_for_one_buffer: memory.bounds at 35
// The launch asks for one buffer; the first step writes the second one.

static const task TASK = {EXCLUSIVE, 96, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int pout = 0;
  temp[t] = in[t - 1]; // wrong shift_reads_before_the_input
  if (t == 0) temp[t] = 0; // wrong shift_reads_before_the_input
  temp[t] = t > 0 ? in[t - 1] : 0; // not shift_reads_before_the_input
  __syncthreads(); // not no_barrier_after_load
  for (int offset = 1; offset <= t; offset *= 2) { // wrong steps_of_each_thread
  for (int offset = 1; offset < n; offset *= 2) { // not steps_of_each_thread
    const int pin = pout; // wrong buffers_not_swapped
    const int pin = pout; // not buffers_not_swapped
    pout = 1 - pout; // not buffers_not_swapped
    int x = temp[pin * n + t];
    if (t >= offset) x += temp[pin * n + t - offset];
    temp[pout * n + t] = x;
    __syncthreads(); // not no_barrier_after_step
  }
  out[t] = temp[(1 - pout) * n + t]; // wrong result_from_the_other_buffer
  out[t] = temp[pout * n + t]; // not result_from_the_other_buffer
}

static cudaError_t run(const int *in, int *out, int n) {
  return one_block(scan, in, out, n, n, n * sizeof(int)); // wrong memory_for_one_buffer
  return one_block(scan, in, out, n, n, 2 * n * sizeof(int)); // not memory_for_one_buffer
}
