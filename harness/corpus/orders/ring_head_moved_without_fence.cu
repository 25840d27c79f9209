// expect: order.fence at here
// says: which reads the data
// The consumer of a ring reads a slot and moves its head on, without a fence between the two.

__device__ volatile int slot_[4];
__device__ volatile unsigned head_, tail_;
__global__ void ring(int *o) {
  if (threadIdx.x) return;
  for (unsigned k = 0; k < 12; k++) {
    if (blockIdx.x == 0) {
      while (k - head_ >= 4) {}
      __threadfence();
      slot_[k % 4] = k * k; // here
      __threadfence();
      tail_ = k + 1;
    } else {
      while (tail_ <= k) {}
      __threadfence();
      o[k] = slot_[k % 4]; // here
      __threadfence(); // twin
      head_ = k + 1;
    }
  }
}
static int run() { return played(ring, 2, 32); }
