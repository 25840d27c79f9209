// expect: order.fence at here
// says: data given free without a fence
// A queue whose cells have a number, which says whose turn it is. A thread that finds an old one looks again.
// The one that empties a cell says so by a relaxed store, which may overtake its read.

struct cell_ { cuda::atomic<unsigned, cuda::thread_scope_device> seq; int data; };
__device__ cell_ cells[8];
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> enq, deq;
__global__ void init_() {
  for (int i = 0; i < 8; i++) cells[i].seq.store(i, cuda::memory_order_relaxed);
}
__device__ void push(int v) {
  unsigned pos = enq.load(cuda::memory_order_relaxed);
  for (;;) {
    cell_ &c = cells[pos % 8];
    int d = (int)(c.seq.load(cuda::memory_order_acquire) - pos);
    if (d == 0) {
      if (enq.compare_exchange_weak(pos, pos + 1, cuda::memory_order_relaxed)) {
        c.data = v;
        c.seq.store(pos + 1, cuda::memory_order_release);
        return;
      }
    } else pos = enq.load(cuda::memory_order_relaxed);
  }
}
__device__ int pop() {
  unsigned pos = deq.load(cuda::memory_order_relaxed);
  for (;;) {
    cell_ &c = cells[pos % 8];
    int d = (int)(c.seq.load(cuda::memory_order_acquire) - (pos + 1));
    if (d == 0) {
      if (deq.compare_exchange_weak(pos, pos + 1, cuda::memory_order_relaxed)) {
        int v = c.data; // here
        c.seq.store(pos + 8, cuda::memory_order_relaxed); // wrong
        c.seq.store(pos + 8, cuda::memory_order_release); // twin
        return v;
      }
    } else pos = deq.load(cuda::memory_order_relaxed);
  }
}
__global__ void work(int *o) {
  if (threadIdx.x) return;
  int sum = 0;
  for (int i = 0; i < 10; i++)
    if (blockIdx.x < 3) push(blockIdx.x * 100 + i);
    else sum += pop();
  o[blockIdx.x] = sum;
}
static int run() {
  init_<<<1, 1>>>();
  return played(work, 6, 32);
}
