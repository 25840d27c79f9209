// The room that the scan of lab 04 asks for, with one mistake at a time.
//
// expect room_one_word_short: memory.bounds at 14
// padded(m - 1) is the last place, so padded(m - 1) + 1 words are needed.
// expect room_without_gaps: memory.bounds at 14
// The launch asks for m words, as in the lab before, and forgets the gaps.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int lo = threadIdx.x, hi = lo + m / 2;
  temp[padded(lo)] = lo < n ? in[lo] : 0;
  temp[padded(hi)] = hi < n ? in[hi] : 0;
  up_sweep<padded>(temp, m);
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}

static cudaError_t run(const int *in, int *out, int n) {
  return start_padded(scan, in, out, n, padded(255)); // wrong room_one_word_short
  return start_padded(scan, in, out, n, 256); // wrong room_without_gaps
  return start_padded(scan, in, out, n); // not room_one_word_short, room_without_gaps
}
