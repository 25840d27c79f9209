// A word and a volatile flag, between two blocks, with one mistake at a time.
//
// expect message_sent_without_fence: order.fence at here
// The writer makes no fence between them.
// expect message_behind_its_flag: race.global at here
// The flag is raised before the word is written.
// expect message_taken_without_fence: order.fence at here
// The reader makes no fence between them.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    *(volatile int *)&flag = 1; // wrong message_behind_its_flag
    __threadfence(); // wrong message_behind_its_flag
    data[0] = 42; // here // wrong message_behind_its_flag
    data[0] = 42; // not message_behind_its_flag
    __threadfence(); // not message_sent_without_fence, message_behind_its_flag
    *(volatile int *)&flag = 1; // not message_behind_its_flag
  } else {
    while (*(volatile int *)&flag == 0) {}
    __threadfence(); // not message_taken_without_fence
    data[1] = data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
