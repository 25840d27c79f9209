// expect: order.fence at each here
// A stack as a list: an element is pushed by a compare-and-swap, and no fence makes its words known.

struct element { int next, value; };
__device__ int head = -1;
__global__ void work(int *words) {
  if (threadIdx.x) return;
  element *e = (element *)(words + 32);
  const int me = blockIdx.x;
  if (me < 4) {
    e[me].value = 3 * me; // here
    for (int old = *(volatile int *)&head, was;; old = was) {
      e[me].next = old; // here
      __threadfence(); // twin
      if ((was = atomicCAS(&head, old, me)) == old) break;
    }
  } else {
    int top, sum = 0;
    while ((top = *(volatile int *)&head) < 0) {}
    __threadfence();
    for (; top >= 0; top = e[top].next) sum += e[top].value;
    words[0] = sum;
  }
}
static int run() { return played(work, 5, 32); }
