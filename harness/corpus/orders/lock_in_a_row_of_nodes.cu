// expect: order.fence at here
// A lock whose owners stand in a row (Mellor-Crummey, Scott): who leaves lets the next in, unfenced.

struct place { int next, waits; };
__device__ int tail = -1;
__global__ void work(int *words) {
  if (threadIdx.x) return;
  volatile place *row = (place *)(words + 32);
  const int me = blockIdx.x;
  row[me].next = -1, row[me].waits = 1;
  __threadfence();
  const int before = atomicExch(&tail, me);
  if (before >= 0) {
    row[before].next = me;
    while (row[me].waits) {}
  }
  __threadfence();
  words[0] += 1; // here
  __threadfence(); // twin
  if (row[me].next < 0) {
    if (atomicCAS(&tail, me, -1) == me) return;
    while (row[me].next < 0) {}
  }
  row[row[me].next].waits = 0;
}
static int run() { return played(work, 6, 32); }
