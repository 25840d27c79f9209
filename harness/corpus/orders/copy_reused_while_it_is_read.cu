// expect: race.global at here
// with: --order reverse
// The writer changes the copy that nobody begins to read any more, and does not wait for who still reads it.

__device__ int current, readers[2];
__global__ void work(int *words) {
  if (threadIdx.x) return;
  using counter = cuda::atomic_ref<int, cuda::thread_scope_device>;
  counter c(current);
  if (blockIdx.x) {
    int which;
    for (;;) {
      counter(readers[which = c.load()]).fetch_add(1);
      if (c.load() == which) break;
      counter(readers[which]).fetch_sub(1);
    }
    words[64 + blockIdx.x] = words[32 * which];
    counter(readers[which]).fetch_sub(1);
  } else
    for (int version = 1; version <= 3; version++) {
      const int next = !c.load();
      while (counter(readers[next]).load()) {} // twin
      words[32 * next] = version; // here
      c.store(next);
    }
}
static int run() { return played(work, 5, 32); }
