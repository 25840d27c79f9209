// expect: race.global at each here
// A graph made node by node: two kernels that may run at the same time, and one that needs both of them and
// waits for the first alone.

__global__ void add(int *x, int v) {
  x[threadIdx.x] += v; // here
}
__global__ void join(const int *a, const int *b, int *c) {
  c[threadIdx.x] = 100 * a[threadIdx.x] + b[threadIdx.x];
}

static cudaGraphNode_t fill_node(cudaGraph_t g, int *x, int value) {
  cudaMemsetParams m = {};
  cudaGraphNode_t node = NULL;
  m.dst = x, m.elementSize = 4, m.width = 64, m.height = 1, m.value = value;
  cudaGraphAddMemsetNode(&node, g, NULL, 0, &m);
  return node;
}
template <class... A>
static cudaGraphNode_t kernel_node(cudaGraph_t g, cudaGraphNode_t *after, size_t n, void (*kernel)(A...),
                                   A... args) {
  void *list[] = {&args...};
  cudaKernelNodeParams k = {};
  cudaGraphNode_t node = NULL;
  k.func = (void *)kernel, k.gridDim = dim3(1), k.blockDim = dim3(64), k.kernelParams = list;
  cudaGraphAddKernelNode(&node, g, after, n, &k);
  return node;
}

static int run() {
  int *a, *b, *c, got[64], bad = 0;
  cudaGraph_t g;
  cudaGraphExec_t exec;
  cudaStream_t s;
  cudaMalloc(&a, 256), cudaMalloc(&b, 256), cudaMalloc(&c, 256);
  cudaStreamCreate(&s), cudaGraphCreate(&g, 0);
  cudaGraphNode_t fill_a = fill_node(g, a, 1), fill_b = fill_node(g, b, 2);
  cudaGraphNode_t added[] = {kernel_node(g, &fill_a, 1, add, a, 5), kernel_node(g, &fill_b, 1, add, b, 6)};
  kernel_node(g, added, 2, join, (const int *)a, (const int *)b, c); // twin
  kernel_node(g, added, 1, join, (const int *)a, (const int *)b, c); // wrong
  bad += cudaGraphInstantiate(&exec, g, 0) != cudaSuccess;
  for (int k = 0; k < 3; k++) {
    bad += cudaGraphLaunch(exec, s) != cudaSuccess;
    cudaMemcpyAsync(got, c, sizeof got, cudaMemcpyDeviceToHost, s);
    bad += cudaStreamSynchronize(s) != cudaSuccess || got[63] != 608;
  }
  cudaGraphExecDestroy(exec), cudaGraphDestroy(g), cudaStreamDestroy(s);
  cudaFree(a), cudaFree(b), cudaFree(c);
  return bad;
}
