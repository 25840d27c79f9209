// expect: race.global at here
// says: __threadfence() between what this thread says and its look
// Store buffering: each block says that it is there and looks once whether the other is. The fence between
// the two makes sure that one of them sees the other.

__global__ void meet(volatile int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x) {
    data[0] = 1;
    __threadfence(); // twin
    data[2] = data[64];
  } else {
    data[64] = 1; // here
    __threadfence(); // twin
    data[3] = data[0]; // here
  }
}
static int run() { return played(meet, 2, 32); }
