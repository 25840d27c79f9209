// expect: race.global at here
// Sum and flag in one word need no fence. But in the scope of the block nobody else need see the word.

typedef cuda::atomic_ref<unsigned long long, cuda::thread_scope_block> word; // wrong
typedef cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> word; // twin
__device__ unsigned long long state;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  word published(state);
  if (blockIdx.x == 0) {
    published.store(1ull << 32 | 42, cuda::memory_order_relaxed);
  } else {
    unsigned long long seen;
    do seen = published.load(cuda::memory_order_relaxed); // here
    while (!seen);
    data[1] = (int)seen;
  }
}
static int run() { return played(work, 2, 32); }
