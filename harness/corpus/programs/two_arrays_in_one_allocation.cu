// expect: race.global at wrong
// says: race on c.at[3]
// Two arrays in one allocation. The kernel gets the first in a struct and the second as an argument: a word
// of the first is never an element in front of the second.

struct counts {
  int *at;
  int n;
};

__global__ void add(counts c, int *offsets) {
  if (threadIdx.x == 0) atomicAdd(&c.at[3], offsets[blockIdx.x]); // twin
  if (threadIdx.x == 0) c.at[3] += offsets[blockIdx.x]; // wrong
}
static int run() {
  int *d = filled(512);
  add<<<4, 32>>>({d, 64}, d + 64);
  return ended_with(cudaSuccess);
}
