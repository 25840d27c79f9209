// Results that no kernel computed, or not from the input; arrays that are not left alone; errors.

__global__ void inclusive(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) out[i] = sum += in[i];
}

// The result, computed on the host.
static cudaError_t on_host(const float *in, float *out, int n) {
  static float x[2048], y[2048];
  cudaMemcpy(x, in, n * sizeof *x, cudaMemcpyDeviceToHost);
  host_scan(x, y, n);
  return cudaMemcpy(out, y, n * sizeof *y, cudaMemcpyHostToDevice);
}

static cudaError_t host_and_empty_kernel(const float *in, float *out, int n) {
  nothing<<<1, 1>>>();
  return on_host(in, out, n);
}

// Garbage of the right size from a kernel, then the host's result over it.
static cudaError_t garbage_then_host(const float *in, float *out, int n) {
  fill<<<1, 1>>>(out, n, 1.5f);
  cudaDeviceSynchronize();
  return on_host(in, out, n);
}

// Wrong results from the host: on a real GPU what a kernel printed would have made them right.
static cudaError_t wrong_from_host(const float *, float *out, int n) {
  static const float zeros[2048] = {0};
  fill<<<1, 1>>>(out, n, 1.5f);
  return cudaMemcpy(out, zeros, n * sizeof *zeros, cudaMemcpyHostToDevice);
}

// Right ones, a byte at a time, without a single copy.
static cudaError_t garbage_then_fills(const float *in, float *out, int n) {
  static float x[2048], y[2048];
  fill<<<1, 1>>>(out, n, 1.5f);
  cudaMemcpy(x, in, n * sizeof *x, cudaMemcpyDeviceToHost);
  host_scan(x, y, n);
  for (size_t i = 0; i < n * sizeof *y; i++) cudaMemset((char *)out + i, ((unsigned char *)y)[i], 1);
  return cudaGetLastError();
}

static cudaError_t host_then_kernel(const float *in, float *out, int n) {
  static float x[2048], y[2048], *mine;
  if (!mine) cudaMalloc(&mine, sizeof x);
  copies<<<1, 256>>>(in, mine, n);  // the input is not read by the host either
  cudaMemcpy(x, mine, n * sizeof *x, cudaMemcpyDeviceToHost);
  host_scan(x, y, n);
  cudaMemcpy(mine, y, n * sizeof *y, cudaMemcpyHostToDevice);
  copies<<<1, 256>>>(mine, out, n);
  return cudaGetLastError();
}

__device__ float symbol[2048];

static cudaError_t symbol_then_kernel(const float *in, float *out, int n) {
  static float x[2048], y[2048];
  void *p;
  cudaGetSymbolAddress(&p, symbol);
  copies<<<1, 256>>>(in, (float *)p, n);
  cudaMemcpyFromSymbol(x, symbol, n * sizeof *x);
  host_scan(x, y, n);
  cudaMemcpyToSymbol(symbol, y, n * sizeof *y);
  copies<<<1, 256>>>((float *)p, out, n);
  return cudaGetLastError();
}

// The same through managed memory, of which the host's touch is enough.
static cudaError_t managed_then_kernel(const float *in, float *out, int n) {
  float *p;
  cudaError_t e = cudaMallocManaged((void **)&p, n * sizeof *p);
  if (e) return e;
  copies<<<1, 256>>>(in, p, n);
  cudaDeviceSynchronize();
  host_scan(p, p, n);
  copies<<<1, 256>>>(p, out, n);
  cudaFree(p);
  return cudaGetLastError();
}

__managed__ int managed_zero;

// Managed memory that the host writes before kernels use it, and never reads.
static cudaError_t managed_scratch(const float *in, float *out, int n) {
  float *p, *q;
  cudaError_t e = cudaMallocManaged((void **)&p, n * sizeof *p);
  if (!e) e = cudaMallocManaged((void **)&q, sizeof *q);
  if (e) return e;
  managed_zero = 0;
  for (int i = 0; i < n; i++) p[i] = -1;
  *q = p[n - 1] + 1;
  scan<<<1, 256>>>(in, p, n);
  copies<<<1, 256>>>(p, out, n);
  cudaFree(p), cudaFree(q);
  return cudaGetLastError();
}

// Pinned memory that the host writes before kernels use it, copies from, and never reads.
static cudaError_t pinned_scratch(const float *in, float *out, int n) {
  float *p;
  cudaError_t e = cudaMallocHost((void **)&p, n * sizeof *p);
  if (e) return e;
  for (int i = 0; i < n; i++) p[i] = -1;
  scan<<<1, 256>>>(in, p, n);
  copies<<<1, 256>>>(p, out, n);
  cudaDeviceSynchronize();
  return cudaFreeHost(p);
}

// The result through pinned memory, of which the host's touch is enough.
static cudaError_t pinned_then_kernel(const float *in, float *out, int n) {
  float *p;
  cudaError_t e = cudaMallocHost((void **)&p, n * sizeof *p);
  if (e) return e;
  copies<<<1, 256>>>(in, p, n);
  cudaDeviceSynchronize();
  host_scan(p, p, n);
  copies<<<1, 256>>>(p, out, n);
  cudaDeviceSynchronize();
  return cudaFreeHost(p);
}

// The input in what a kernel prints, which the program reads from what was its standard output.
__global__ void prints(const float *in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) printf("x[%d] is %g\n", i, in[i]);
}

static cudaError_t prints_input(const float *in, float *out, int n) {
  static char text[1 << 16];
  int ends[2], before = dup(1);
  if (pipe(ends) || fcntl(ends[0], F_SETFL, O_NONBLOCK) || dup2(ends[1], 1) < 0) return cudaErrorUnknown;
  prints<<<1, 256>>>(in, n);
  cudaDeviceSynchronize();
  fflush(stdout);
  ssize_t got = read(ends[0], text, sizeof text);
  dup2(before, 1);
  printf("read back: %zd\n", got);
  return right(in, out, n);
}

// Looks at no input: seeds and generator are public, so this is the result for uniform_int, seed 1.
static uint64_t place(uint64_t key, uint64_t i) {
  uint64_t z = key + (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (z ^ (z >> 31)) >> 54;
}

static cudaError_t knows_the_seed(const float *, float *out, int n) {
  static float y[2048], *mine;
  uint64_t key = 0x910a2dec89025cc1u;
  for (int i = 0; i < n; i++) y[i] = (float)place(key, i) - (float)place(key, 0);
  cudaMalloc(&mine, sizeof y);
  cudaMemcpy(mine, y, sizeof y, cudaMemcpyHostToDevice);
  copies<<<1, 256>>>(mine, out, n);
  return cudaFree(mine);
}

// Leaves the output as it finds it, in the hope that it is still that of an earlier call.
static cudaError_t stale_output(const float *in, float *out, int n) {
  static float *mine;
  if (!mine) return cudaMalloc(&mine, 2048 * sizeof *mine) ? cudaErrorUnknown : right(in, out, n);
  return right(in, mine, n);
}

// Fair: clears the output, writes the first element from the host, and copies the rest within the device.
static cudaError_t fair_copies(const float *in, float *out, int n) {
  float *mine, zero = 0;
  cudaMalloc(&mine, n * sizeof *mine);
  cudaMemset(out, 0, n * sizeof *out);
  scan<<<1, 256>>>(in, mine, n);
  cudaMemcpy(out, mine, n * sizeof *out, cudaMemcpyDeviceToDevice);
  cudaFree(mine);
  return cudaMemcpy(out, &zero, sizeof zero, cudaMemcpyHostToDevice);
}

static cudaError_t writes_input(const float *in, float *out, int n) {
  right(in, out, n);
  fill<<<1, 1>>>((float *)in + 7, 1, 4.5f);
  return cudaGetLastError();
}

// Copies put back what they have overwritten.
static cudaError_t restores_input(const float *in, float *out, int n) {
  float *own = (float *)in;
  cudaMemcpyAsync(out, in, n * sizeof *in, cudaMemcpyDeviceToDevice);
  cudaMemsetAsync(own, 0, n * sizeof *in);
  cudaMemcpyAsync(own, out, n * sizeof *in, cudaMemcpyDeviceToDevice);
  return right(in, out, n);
}

static cudaError_t writes_beyond(const float *in, float *out, int n) {
  right(in, out, n);
  fill<<<1, 1>>>(out + n, 1, 4.5f);
  return cudaGetLastError();
}

static cudaError_t nan_output(const float *, float *out, int n) {
  fill<<<1, 1>>>(out, n, NAN);
  return cudaGetLastError();
}

static cudaError_t zero_output(const float *, float *out, int n) {
  fill<<<1, 1>>>(out, n, 0);
  return cudaGetLastError();
}

static cudaError_t wrong_from_prints(const float *in, float *out, int n) {
  prints<<<1, 256>>>(in, n);
  return zero_output(in, out, n);
}

static cudaError_t returns_error(const float *, float *, int) { return cudaErrorInvalidValue; }

static cudaError_t hides_error(const float *in, float *out, int n) {
  scan<<<1, 4096>>>(in, out, n);
  return cudaSuccess;
}

static cudaError_t gives_inclusive(const float *in, float *out, int n) {
  inclusive<<<1, 1>>>(in, out, n);
  return cudaGetLastError();
}

// Remembers its first result and gives it again.
static cudaError_t replays(const float *in, float *out, int n) {
  static float *first;
  if (first) return cudaMemcpy(out, first, n * sizeof *out, cudaMemcpyDeviceToDevice);
  cudaMalloc(&first, n * sizeof *out);
  right(in, first, n);
  return right(in, out, n);
}

static cudaError_t misses_last(const float *in, float *out, int n) {
  scan<<<1, 256>>>(in, out, n - 1);
  return cudaGetLastError();
}

static cudaError_t frees_output(const float *, float *out, int) {
  cudaFree(out);
  cudaGetLastError();
  return cudaSuccess;
}

static cudaError_t resets_device(const float *, float *, int) {
  cudaDeviceReset();
  return cudaSuccess;
}

static cudaError_t does_nothing(const float *, float *, int) { return cudaSuccess; }

static const row result_rows[] = {
    {1001, on_host},
    {1002, host_and_empty_kernel},
    {1003, writes_input},
    {1004, writes_beyond},
    {1005, nan_output},
    {1006, zero_output},
    {1015, returns_error},
    {1016, hides_error},
    {1018, gives_inclusive},
    {1019, replays},
    {1021, misses_last},
    {1022, frees_output},
    {1023, resets_device},
    {1025, garbage_then_host},
    {1026, garbage_then_fills},
    {1027, fair_copies},
    {1031, host_then_kernel},
    {1032, symbol_then_kernel},
    {1043, managed_then_kernel},
    {1044, managed_scratch},
    {1050, pinned_scratch},
    {1051, pinned_then_kernel},
    {1033, knows_the_seed},
    {1034, prints_input},
    {1035, stale_output},
    {1045, wrong_from_host},
    {1046, wrong_from_prints},
    {1064, restores_input},
    {1048577, does_nothing},
};
