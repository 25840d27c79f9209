// expect: order.fence at here
// A queue of waiting blocks as a lock. Who finds nobody behind it leaves by a relaxed compare-and-exchange:
// the acquiring load before that holds back what follows, not what came before.

__device__ int next_[8], waits_[8], tail_;
using word_ = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  const int me = blockIdx.x + 1;
  word_ next(next_[me]), waits(waits_[me]), tail(tail_);
  next.store(0, cuda::memory_order_relaxed), waits.store(1, cuda::memory_order_relaxed);
  if (const int before = tail.exchange(me, cuda::memory_order_acq_rel)) {
    word_(next_[before]).store(me, cuda::memory_order_release);
    while (waits.load(cuda::memory_order_acquire)) {}
  }
  data[0] += 1; // here
  int follows = next.load(cuda::memory_order_acquire), last = me;
  const auto leave = cuda::memory_order_relaxed; // wrong
  const auto leave = cuda::memory_order_release; // twin
  if (!follows && tail.compare_exchange_strong(last, 0, leave, cuda::memory_order_relaxed)) return;
  while (!follows) follows = next.load(cuda::memory_order_acquire);
  word_(waits_[follows]).store(0, cuda::memory_order_release);
}
static int run() { return played(work, 6, 32); }
