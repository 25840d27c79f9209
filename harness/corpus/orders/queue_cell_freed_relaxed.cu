// expect: order.fence at here
// Cells with numbers, several on both sides: who takes a value gives its cell back by a relaxed store.

struct cell { unsigned number; int value; };
__device__ unsigned put, taken;
__global__ void work(int *words) {
  if (threadIdx.x) return;
  cell *c = (cell *)(words + 32);
  for (int k = 0; k < 3; k++) {
    const unsigned at = atomicAdd(blockIdx.x < 2 ? &put : &taken, 1);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> number(c[at % 2].number);
    const unsigned turn = at / 2 * 2; // the cell is empty; turn + 1: it is full
    while (number.load(cuda::memory_order_acquire) != turn + (blockIdx.x >= 2)) {}
    if (blockIdx.x < 2) {
      c[at % 2].value = at;
      number.store(turn + 1, cuda::memory_order_release);
    } else {
      words[at] = c[at % 2].value; // here
      number.store(turn + 2, cuda::memory_order_release); // twin
      number.store(turn + 2, cuda::memory_order_relaxed); // wrong
    }
  }
}
static int run() { return played(work, 4, 32); }
