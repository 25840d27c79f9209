// expect: nothing
// Host and device use managed memory at the same time, or one after the other: all of it is allowed.

static int wrong_lines;
static void hold(bool what, int line) {
  if (!what) printf("line %d\n", line), wrong_lines++;
}
#define HOLDS(what) hold(what, __LINE__)

enum { N = 4096, BYTES = N * sizeof(int), HALF = N / 2 };
static int *x, *y, *pinned;
__managed__ int total;
__managed__ volatile int flag;

__global__ void twice(const int *from, int *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 2 * from[i];
}
__global__ void add(const int *from) { atomicAdd(&total, from[threadIdx.x]); }
__global__ void raise_flag(int *to) {
  *to = 42;
  __threadfence_system();
  flag = 1;
}
__global__ void count(int *counter) { atomicAdd_system(counter, 1); }
static void CUDART_CB look(void *unused) { HOLDS(y[7] == 14), (void)unused; }

static void both_at_once() {
  twice<<<HALF / 256, 256>>>(x, y, HALF);
  for (int i = HALF; i < N; i++) x[i] = i, y[i] = 2 * x[i]; // the other halves
  HOLDS(x[3] == 3);                                         // both read
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) HOLDS(y[i] == 2 * i);
}

static void by_flag() {
  flag = 0, *pinned = 0;
  raise_flag<<<1, 1>>>(pinned);
  while (!flag) continue;
  HOLDS(*pinned == 42);
  *y = 0;
  count<<<4, 64>>>(y);
  while (*(volatile int *)y < 256) continue;
  cudaDeviceSynchronize();
}

static void waits(cudaStream_t s, cudaEvent_t e) {
  twice<<<1, 256, 0, s>>>(x, y, 256);
  cudaLaunchHostFunc(s, look, NULL);
  cudaEventRecord(e, s);
  while (cudaEventQuery(e) == cudaErrorNotReady) continue;
  HOLDS(y[9] == 18);
  cudaMemset(y, 0, BYTES); // managed: complete
  HOLDS(y[9] == 0);
  add<<<1, 32, 0, s>>>(x);
  while (cudaStreamQuery(s) == cudaErrorNotReady) continue;
  HOLDS(total == 31 * 16);
  twice<<<1, 256, 0, s>>>(x, y, 256);
  cudaMemcpy(y + HALF, y, 1024, cudaMemcpyDefault); // waits for s, which is a blocking stream
  HOLDS(y[HALF + 9] == 18 && y[8] == 16);
}

static void in_a_graph(cudaStream_t s) {
  cudaGraph_t g;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  twice<<<N / 256, 256, 0, s>>>(x, y, N);
  twice<<<N / 256, 256, 0, s>>>(y, pinned, N);
  cudaStreamEndCapture(s, &g);
  y[1] = -1; // nothing runs yet
  HOLDS(cudaGraphInstantiate(&exec, g, 0) == cudaSuccess);
  for (int k = 0; k < 3; k++) {
    x[1] = k;
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    HOLDS(y[1] == 2 * k && pinned[1] == 4 * k);
  }
  cudaGraphExecDestroy(exec), cudaGraphDestroy(g);
}

static int run() {
  cudaStream_t s;
  cudaEvent_t e;
  cudaStreamCreate(&s), cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  if (cudaMallocManaged(&x, BYTES) || cudaMallocManaged(&y, BYTES) || cudaMallocHost(&pinned, BYTES))
    return 1;
  for (int i = 0; i < N; i++) x[i] = i;
  both_at_once(), by_flag(), waits(s, e), in_a_graph(s);
  twice<<<N / 256, 256, 0, s>>>(x, y, N);
  cudaFree(x); // waits
  HOLDS(y[100] == 200);
  cudaFree(y), cudaFreeHost(pinned), cudaStreamDestroy(s), cudaEventDestroy(e);
  return wrong_lines != 0 || cudaGetLastError() != cudaSuccess;
}
