// expect: memory.leak at here
// Each thread allocates a list and forgets it.

__global__ void lists(int *sum) {
  int *list = (int *)malloc(4 * sizeof(int)); // here
  for (int i = 0; i < 4; i++) list[i] = i;
  atomicAdd(sum, list[threadIdx.x & 3]);
  free(list); // twin
}
static int run() {
  int h = 0, *sum = filled(sizeof h);
  lists<<<1, 32>>>(sum);
  if (cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost)) return 1;
  printf("%d\n", h);
  cudaFree(sum);
  return 0;
}
