// Two warps, a word and a volatile flag in shared memory, with one mistake at a time.
//
// expect message_between_warps_taken_without_fence: race.shared at here
// The reader makes no fence.
// expect message_between_warps_without_fence: race.shared at here
// The writer makes no fence.

__global__ void work(int *data) {
  __shared__ volatile int flag, word;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    word = 42;
    __threadfence_block(); // not message_between_warps_without_fence
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {}
    __threadfence_block(); // not message_between_warps_taken_without_fence
    data[0] = word; // here
  }
}
static int run() { return played(work, 1, 64); }
