// expect: memory.bounds at only wrong
// says: to.keys[-139]
// The array is reached through a pointer in a struct: that pointer is named, not the argument whose array
// lies next.

struct list {
  int *keys, *values;
};

__global__ void move(list from, list to, const int *counts) {
  const int i = threadIdx.x;
  to.keys[i] = from.keys[i] + counts[i]; // twin
  to.keys[i - 139] = from.keys[i] + counts[i]; // wrong
}
static int run() {
  list from = {nullptr, nullptr}, to = from;
  int *counts;
  if (cudaMalloc(&counts, 256) || cudaMalloc(&to.keys, 256) || cudaMalloc(&from.keys, 256)) return 1;
  if (cudaMemset(from.keys, 0, 256) || cudaMemset(counts, 0, 256)) return 1;
  move<<<1, 1>>>(from, to, counts);
  return ended_with(cudaErrorIllegalAddress);
}
