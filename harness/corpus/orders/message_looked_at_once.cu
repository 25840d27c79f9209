// expect: race.global at here
// says: __threadfence() between what this thread says and its look
// Message passing without waiting: the other block looks once at the flag and at the data. Whoever sees the
// flag sees the data, if there is a fence on both sides.

__global__ void look(volatile int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x) {
    data[0] = 1;
    __threadfence(); // twin
    data[64] = 1;
  } else {
    const int flag = data[64];
    __threadfence();
    const int seen = data[0]; // here
    data[2] = flag, data[3] = seen;
  }
}
static int run() { return played(look, 2, 32); }
