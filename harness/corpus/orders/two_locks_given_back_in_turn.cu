// expect: order.fence at here
// Two accounts, two locks: a thread that does not get the second gives the first one back and tries again. Of
// locks that are given back one after the other, a thread may see the second first: that does no harm.

__global__ void work(int *lock) {
  int *account = lock + 8;
  const int from = blockIdx.x % 4, to = (blockIdx.x + 1) % 4, low = min(from, to), high = max(from, to);
  bool again = threadIdx.x == 0;
  while (again) {
    if (atomicCAS(&lock[low], 0, 1) == 0) {
      if (atomicCAS(&lock[high], 0, 1) == 0) {
        __threadfence();
        account[from] -= 5; // here
        account[to] += 5;
        __threadfence(); // twin
        atomicExch(&lock[high], 0);
        again = false;
      }
      atomicExch(&lock[low], 0);
    }
  }
}
static int run() { return played(work, 8, 32); }
