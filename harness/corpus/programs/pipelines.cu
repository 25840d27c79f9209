// expect: nothing
// Correct programs that copy asynchronously: whatever they wait by, the bytes are there, without an alarm.

static int failures;
static bool check(bool good, int line, const char *what) {
  if (!good) printf("line %d: %s\n", line, what), failures++;
  return good;
}
#define CHECK(what) check(what, __LINE__, #what)
#define OK(call) CHECK((call) == cudaSuccess)

enum { N = 8192, BYTES = N * sizeof(int) }; // several pages
static cudaStream_t s, t, apart;            // apart does not wait for the default stream
static cudaEvent_t event;
static int *d, *e, *h, *g;

__global__ void add(int *x, int v) { x[blockIdx.x * blockDim.x + threadIdx.x] += v; }

static void host(int first) {
  for (int i = 0; i < N; i++) h[i] = first + i, g[i] = -1;
}
static bool is(const int *x, int first, int n = N) {
  for (int i = 0; i < n; i++)
    if (x[i] != first + i) return false;
  return true;
}
// To the device, one more, and back, in [in].
static void begin(cudaStream_t in, int first) {
  host(first);
  OK(cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, in));
  add<<<N / 256, 256, 0, in>>>(d, 1);
  OK(cudaMemcpyAsync(g, d, BYTES, cudaMemcpyDeviceToHost, in));
}

static void waits() {
  begin(s, 1), OK(cudaStreamSynchronize(s)), CHECK(is(g, 2));
  begin(s, 2), OK(cudaDeviceSynchronize()), CHECK(is(g, 3));
  begin(s, 3), OK(cudaEventRecord(event, s)), OK(cudaEventSynchronize(event)), CHECK(is(g, 4));
  begin(s, 4);
  while (cudaStreamQuery(s) == cudaErrorNotReady) continue;
  CHECK(is(g, 5));
  begin(s, 5), OK(cudaEventRecord(event, s));
  while (cudaEventQuery(event) == cudaErrorNotReady) continue;
  CHECK(is(g, 6));
  begin(s, 6), OK(cudaEventRecord(event, s)), OK(cudaStreamWaitEvent(t, event)), OK(cudaStreamSynchronize(t)), CHECK(is(g, 7));
  begin(0, 7), OK(cudaStreamSynchronize(0)), CHECK(is(g, 8));
  begin(apart, 8), OK(cudaStreamSynchronize(apart)), CHECK(is(g, 9));
}

// The default stream waits for others, and a blocking copy in it for the host, too.
static void implied() {
  int last = 0;
  begin(s, 10), OK(cudaMemcpy(&last, d, 4, cudaMemcpyDeviceToHost)), CHECK(last == 11 && is(g, 11));
  begin(0, 11), OK(cudaMemsetAsync(e, 0, 4, t)), OK(cudaStreamSynchronize(t)), CHECK(is(g, 12));
  begin(s, 12), OK(cudaMemcpyAsync(&last, d, 4, cudaMemcpyDeviceToHost, s)), CHECK(last == 13 && is(g, 13)); // pageable
  begin(s, 13);
  int *other;
  OK(cudaMalloc(&other, 4)), OK(cudaFree(other)), CHECK(is(g, 14)); // freeing waits
}

static void called_back(void *ok) { *(bool *)ok = is(g, *(int *)g); }
static void functions() {
  bool ok = false;
  begin(s, 20), OK(cudaLaunchHostFunc(s, called_back, &ok)), OK(cudaStreamSynchronize(s)), CHECK(ok && g[0] == 21);
  ok = false;
  begin(s, 22), OK(cudaStreamAddCallback(s, [](cudaStream_t, cudaError_t, void *p) { called_back(p); }, &ok, 0));
  OK(cudaStreamSynchronize(s)), CHECK(ok && g[0] == 23);
}

// While one half is under way, the host works in the other.
static void halves() {
  enum { HALF = N / 2, MORE = 100 }; // the border is within a page
  int *out = g, sum = 0;
  host(0);
  for (int k = 0; k < 4; k++) {
    int from = k & 1 ? HALF + MORE : 0, n = k & 1 ? HALF - MORE : HALF + MORE, other = HALF + MORE - from;
    OK(cudaMemcpyAsync(d + from, h + from, n * 4, cudaMemcpyHostToDevice, k & 1 ? t : s));
    OK(cudaMemcpyAsync(out + from, d + from, n * 4, cudaMemcpyDeviceToHost, k & 1 ? t : s));
    if (k) sum += out[other];
    h[k & 1 ? 0 : N - 1] = k;
    OK(cudaStreamSynchronize(k & 1 ? t : s));
    OK(cudaStreamSynchronize(k & 1 ? s : t));
  }
  CHECK(sum == HALF + MORE + 1);
}

// One after the other in a stream, without the host.
static void chained() {
  host(30);
  OK(cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s));
  OK(cudaMemcpyAsync(g, d, BYTES, cudaMemcpyDeviceToHost, s));
  OK(cudaMemcpyAsync(e, g, BYTES, cudaMemcpyHostToDevice, s)); // what has come is sent back
  add<<<N / 256, 256, 0, s>>>(e, 1);
  OK(cudaMemcpyAsync(g, e, BYTES, cudaMemcpyDeviceToHost, s));
  OK(cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s)); // two may read one source
  CHECK(is(h, 30));                                            // so may the host
  OK(cudaDeviceSynchronize());
  CHECK(is(g, 31));
}

static void rows_and_registered() {
  int *own = (int *)malloc(BYTES + 64);
  OK(cudaHostRegister(own + 3, BYTES, cudaHostRegisterDefault));
  memset(own, 0, BYTES + 64);
  begin(s, 40);
  OK(cudaMemcpyAsync(own + 3, d, BYTES, cudaMemcpyDeviceToHost, s));
  own[0] = own[1] + 1, own[N + 5] = 1; // beside it
  OK(cudaStreamSynchronize(s)), CHECK(is(own + 3, 41) && own[0] == 1 && own[N + 5] == 1);
  OK(cudaMemcpy2DAsync(g, 64, d, 32, 32, 64, cudaMemcpyDeviceToHost, s));
  g[8] = 5; // between rows
  OK(cudaStreamSynchronize(s)), CHECK(is(g, 41, 8) && is(g + 16, 49, 8) && g[8] == 5);
  OK(cudaMemcpyAsync(own + 3, d, BYTES, cudaMemcpyDeviceToHost, s));
  OK(cudaHostUnregister(own + 3));
  free(own);
}

static void graph() {
  cudaGraph_t made;
  cudaGraphExec_t run;
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  OK(cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s));
  add<<<N / 256, 256, 0, s>>>(d, 1);
  OK(cudaMemcpyAsync(g, d, BYTES, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamEndCapture(s, &made)), OK(cudaGraphInstantiate(&run, made, 0));
  for (int k = 50; k < 53; k++) host(k), OK(cudaGraphLaunch(run, s)), OK(cudaStreamSynchronize(s)), CHECK(is(g, k + 1));
  OK(cudaGraphExecDestroy(run)), OK(cudaGraphDestroy(made));
}

// More copies than anybody keeps books of.
static void many() {
  host(60);
  OK(cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s));
  for (int i = 0; i < N; i += 16) OK(cudaMemcpyAsync(g + i, d + i, 64, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s)), CHECK(is(g, 60));
}

static int run() {
  int *gone;
  OK(cudaStreamCreate(&s)), OK(cudaStreamCreate(&t)), OK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
  OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  OK(cudaMalloc(&d, BYTES)), OK(cudaMalloc(&e, BYTES)), OK(cudaMallocHost(&h, BYTES)), OK(cudaHostAlloc(&g, BYTES, 0));
  OK(cudaMallocHost(&gone, 4096));
  waits(), implied(), functions(), halves(), chained(), rows_and_registered(), graph(), many();
  OK(cudaMemcpyAsync(gone, d, 4096, cudaMemcpyDeviceToHost, s)), OK(cudaFreeHost(gone)); // freeing waits
  begin(s, 70), OK(cudaStreamSynchronize(s));
  OK(cudaFree(d)), OK(cudaFree(e)), OK(cudaFreeHost(h)), OK(cudaFreeHost(g)), OK(cudaEventDestroy(event));
  OK(cudaStreamDestroy(s)), OK(cudaStreamDestroy(t)), OK(cudaStreamDestroy(apart));
  printf("%d failures\n", failures);
  return failures != 0;
}
#undef OK
#undef CHECK
