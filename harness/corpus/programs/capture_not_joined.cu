// expect: host.error at here
// says: cudaErrorStreamCaptureUnjoined
// A capture forks into a second stream and never joins it, so there is no graph. Nobody looks.

__global__ void number(int *x, int from) { x[threadIdx.x] = from + threadIdx.x; }
static int run() {
  int *x, *y;
  cudaStream_t s, t;
  cudaEvent_t fork, join;
  cudaGraph_t g = 0;
  cudaGraphExec_t e = 0;
  cudaMalloc(&x, 256), cudaMalloc(&y, 256);
  cudaStreamCreate(&s), cudaStreamCreate(&t), cudaEventCreate(&fork), cudaEventCreate(&join);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  number<<<1, 64, 0, s>>>(x, 1);
  number<<<1, 64, 0, t>>>(y, 2);
  cudaEventRecord(join, t);
  cudaStreamWaitEvent(s, join, 0); // twin
  cudaStreamEndCapture(s, &g); // here
  cudaGraphInstantiate(&e, g, 0);
  cudaGraphLaunch(e, s);
  cudaStreamSynchronize(s);
  return ended_with(cudaSuccess);
}
