// expect: host.error at here
// says: cudaErrorNotPermitted
// A host function of a stream copies the result itself: CUDA permits no call there.

namespace {
int *result, sum;
bool done;
} // namespace

__global__ void count(int *to) { atomicAdd(to, 1); }
static void fetch(void *) {
  cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost); // here // wrong
  done = true;
}

static int run() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&result, sizeof *result), cudaMemset(result, 0, sizeof *result);
  cudaDeviceSynchronize();
  count<<<2, 64, 0, s>>>(result);
  cudaLaunchHostFunc(s, fetch, NULL);
  cudaStreamSynchronize(s);
  cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost); // twin
  if (!done || (sum == 128) != corpus_twin) return 1;
  return ended_with(cudaSuccess);
}
