// expect: race.global at here
// A block publishes its sum with its flag in one word, so that no fence is needed. In the scope of the block nobody else need see it.

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
