// expect: race.shared at each here
// Lanes pass words through shared memory; a vote, and then a shuffle, stands where __syncwarp() belongs.

__global__ void turn(int *out) {
  __shared__ int word[32];
  const int t = threadIdx.x;
  word[t] = t;
  const unsigned odd = __ballot_sync(0xffffffff, t & 1);
  __syncwarp(); // twin
  const int left = word[(t + 31) % 32]; // here
  __syncwarp();
  word[t] = left + __popc(odd);
  const int first = __shfl_sync(0xffffffff, left, 0);
  __syncwarp(); // twin
  out[t] = word[(t + 1) % 32] + first; // here
}
static int run() { return played(turn, 1, 32, 32 * 4, UNSET); }
