// expect: race.host at here
// says: atomicAdd_system
// A kernel raises a flag for the host by an atomic that holds for its device alone.

__global__ void raise(int *word) {
  atomicAdd_system(word, 1); // twin
  atomicAdd(word, 1); // wrong
}
static int run() {
  int *word;
  cudaHostAlloc(&word, sizeof *word, cudaHostAllocMapped);
  *word = 0;
  raise<<<1, 1>>>(word);
  while (*(volatile int *)word == 0) {} // here
  cudaDeviceSynchronize();
  return cudaFreeHost(word);
}
