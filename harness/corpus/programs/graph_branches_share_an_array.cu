// expect: race.global at each here
// A captured fork begins before the kernel whose array the other branch takes.

__global__ void set(int *d) { d[threadIdx.x] = 1; } // here
__global__ void add(int *d) { d[threadIdx.x] += 2; } // here
static int run() {
  int *d;
  cudaStream_t a, b;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaMalloc(&d, 256), cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&fork), cudaEventCreate(&join);
  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, a); // wrong
  set<<<1, 64, 0, a>>>(d);
  cudaEventRecord(fork, a); // twin
  cudaStreamWaitEvent(b, fork, 0);
  add<<<1, 64, 0, b>>>(d);
  cudaEventRecord(join, b), cudaStreamWaitEvent(a, join, 0);
  cudaStreamEndCapture(a, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, a);
  cudaStreamSynchronize(a);
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
  return ended_with(cudaSuccess);
}
