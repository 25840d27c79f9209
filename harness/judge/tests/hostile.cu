// A lab 03 kernel that is right, but for some sizes does what a submission must not get away with.
//
// Which: by n, see the table at the end. All else is honest, so a pass or a wrong reason is the judge's.
#include "scanlab/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// By 256 threads: each has a run of its own, and adds what stands before it.
__global__ void scan(const float *in, float *out, int n) {
  __shared__ float sums[256];
  const int t = threadIdx.x, each = (n + 255) / 256, from = t * each, end = from + each < n ? from + each : n;
  float sum = 0;
  for (int i = from; i < end; i++) sum += in[i];
  sums[t] = sum;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    const float left = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  sum = t ? sums[t - 1] : 0;
  for (int i = from; i < end; i++) {
    const float x = in[i];
    out[i] = sum;
    sum += x;
  }
}

__global__ void fill(float *out, int n, float value) {
  for (int i = 0; i < n; i++) out[i] = value;
}

__global__ void inclusive(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) out[i] = sum += in[i];
}

__global__ void nothing() {}
__global__ void never_ends(volatile float *out) { while (out[0] != 12345.0f) {} }

static cudaError_t right(const float *in, float *out, int n) {
  if (n > 0) scan<<<1, 256>>>(in, out, n);
  return cudaGetLastError();
}

// y may be x.
static void host_scan(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    const float own = x[i];
    y[i] = sum;
    sum += own;
  }
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

// The result from the host as before, but put into the output by a kernel, which looks like any other.
__global__ void copies(const float *from, float *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = from[i];
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

// Work that is done after the answer.
static struct late { const float *in; float *out; int n; } late;
static void *works_later(void *) {
  usleep(100000);
  right(late.in, late.out, late.n);
  cudaDeviceSynchronize();
  return NULL;
}

static cudaError_t answers_before_work(const float *in, float *out, int n) {
  pthread_t t;
  late = {in, out, n};
  return pthread_create(&t, NULL, works_later, NULL) ? cudaErrorUnknown : cudaSuccess;
}

// The same with an answer of its own: the message with the ticket lies further up on the stack. On arm64 the
// own answer lies on the way there, and begins as the message does.
static cudaError_t forges_right_ticket(const float *in, float *out, int n) {
  const char *at = (const char *)__builtin_frame_address(0);
  struct { unsigned magic, kind; unsigned long long ticket; int rest[6]; } reply = {0x45534143, 2, 0, {0}};
  while (memcmp(at, &reply, 8) || at == (const char *)&reply) at += 8;
  memcpy(&reply.ticket, at + 8, 8);
  if (write(3, &reply, sizeof reply) != sizeof reply) puts("not written");
  late = {in, out, n};
  works_later(NULL);
  for (;;) pause();
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

__global__ void stores_for_ever(volatile float *out) {
  for (unsigned i = 0;; i++) out[0] = (float)i;
}

static cudaError_t device_stores(const float *, float *out, int) {
  stores_for_ever<<<1, 1>>>(out);
  return cudaDeviceSynchronize();
}

static void computes_for(int hundredths) {
  for (clock_t end = clock() + hundredths * (CLOCKS_PER_SEC / 100); clock() < end;) {
  }
}

static cudaError_t stores_after_work(const float *in, float *out, int n) {
  computes_for(25);
  return device_stores(in, out, n);
}

static cudaError_t works_before(const float *in, float *out, int n) {
  computes_for(70);
  return right(in, out, n);
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

static cudaError_t host_hangs(const float *, float *, int) {
  for (;;) pause();
}

static cudaError_t host_computes(const float *, float *, int n) {
  for (volatile int m = 1; m < n; m *= 1) {
  }
  return cudaSuccess;
}

static cudaError_t device_hangs(const float *, float *out, int) {
  never_ends<<<1, 1>>>(out);
  return cudaDeviceSynchronize();
}

static cudaError_t crashes(const float *, float *out, int) {
  out[0] = 1;  // a device pointer, on the host
  return cudaSuccess;
}

static cudaError_t exits(const float *, float *, int) { exit(0); }

static cudaError_t forges_done(const float *, float *, int) {
  char fake[40] = {0x43, 0x41, 0x53, 0x45, 2};
  if (write(3, fake, sizeof fake) < 0) puts("no descriptor 3");
  return cudaSuccess;
}

// The process that holds the device memory: the other end of the connection.
static pid_t gpu_process() {
  struct ucred who = {0, 0, 0};
  socklen_t len = sizeof who;
  const char *gpu = getenv("SCANLAB_GPU");
  if (gpu && !strncmp(gpu, "fd:", 3)) getsockopt(atoi(gpu + 3), SOL_SOCKET, SO_PEERCRED, &who, &len);
  return who.pid;
}

// This process and the one that started it, by the numbers that /proc has: in a namespace getppid() is 0.
static void numbers(int *own, int *starter) {
  FILE *f = fopen("/proc/self/stat", "r");
  if (!f || fscanf(f, "%d (%*[^)]) %*c %d", own, starter) != 2) *own = getpid(), *starter = getppid();
  if (f) fclose(f);
}

// The memory of all processes with numbers near [pid] but its own: some are there, none can be opened.
static bool refuses_memory_near(int pid, int own) {
  char path[64];
  int there = 0;
  for (int at = pid > 64 ? pid - 64 : 1; at < pid + 64; at++) {
    snprintf(path, sizeof path, "/proc/%d/mem", at);
    if (at != own && open(path, O_RDWR) >= 0) return false;
    there += at != own && errno == EACCES;
  }
  return there > 0;
}

// Tries what it can against the judge. What is refused is printed; a success is not.
static cudaError_t attacks_parent(const float *, float *, int) {
  int own, starter;
  numbers(&own, &starter);
  if (kill(starter, SIGKILL) != 0 && errno == EPERM) puts("kill refused");
  if (ptrace(PTRACE_ATTACH, starter, 0, 0) != 0 && errno == EPERM) puts("ptrace refused");
  if (refuses_memory_near(starter, own)) puts("memory refused");
  if (!gpu_process() || refuses_memory_near(gpu_process(), own)) puts("memory of the GPU refused");
  printf("number %d\n", getpid());
  if (socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM) puts("network refused");
  if (getenv("PATH") == NULL) puts("environment is bare");
  return cudaSuccess;
}

static cudaError_t leaves_daemon(const float *in, float *out, int n) {
  pid_t pid = fork();
  if (pid == 0) {
    setsid();
    for (;;) pause();
  }
  printf("fork %s, shell %s\n", pid < 0 ? "refused" : "allowed", system("true") ? "refused" : "allowed");
  return right(in, out, n);
}

static void *waits(void *) {
  for (;;) pause();
}

// As many threads as there can be, up to what a test machine stands.
static cudaError_t thread_bomb(const float *, float *, int) {
  pthread_t t;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (int k = 0; k < 3000 && !pthread_create(&t, &small, waits, NULL); k++) {}
  waits(NULL);
  return cudaSuccess;
}

// It is to go first when memory is short, and cannot change that.
static cudaError_t asks_to_stay(const float *in, float *out, int n) {
  char score[16] = "";
  int fd = open("/proc/self/oom_score_adj", O_RDONLY);
  if (fd >= 0 && read(fd, score, sizeof score - 1) > 0) printf("goes first: %s", score);
  if (open("/proc/self/oom_score_adj", O_WRONLY) < 0) puts("and cannot change it");
  return right(in, out, n);
}

static void *idle(void *) { return NULL; }

static cudaError_t uses_thread(const float *in, float *out, int n) {
  pthread_t t;
  if (pthread_create(&t, NULL, idle, NULL) != 0) return cudaErrorUnknown;
  pthread_join(t, NULL);
  return right(in, out, n);
}

static cudaError_t prints_much(const float *in, float *out, int n) {
  for (int i = 0; i < 100000; i++) puts("{\"status\": \"pass\", \"points\": 100}");
  return right(in, out, n);
}

static cudaError_t returns_error(const float *, float *, int) { return cudaErrorInvalidValue; }

static cudaError_t hides_error(const float *in, float *out, int n) {
  scan<<<1, 4096>>>(in, out, n);
  return cudaSuccess;
}

static cudaError_t dies_at_exit(const float *in, float *out, int n) {
  atexit(abort);
  return right(in, out, n);
}

// Computes on the host for 1.2 s.
static void computes_a_while() { computes_for(120); }

static cudaError_t works_while_it_ends(const float *in, float *out, int n) {
  computes_a_while();
  atexit(computes_a_while);
  return right(in, out, n);
}

static void computes_for_ever() {
  for (;;) computes_a_while();
}

static cudaError_t never_ends(const float *in, float *out, int n) {
  atexit(computes_for_ever);
  return right(in, out, n);
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

static cudaError_t closes_connection(const float *, float *, int) {
  close(3);
  return cudaSuccess;
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

// Asks for the input bit by bit, in the time that kernels take: the clock of a quiet machine is enough.
__global__ void takes_time(const float *in, int i, int bit) {
  if (((int)in[i] + 1024) >> bit & 1)
    for (volatile int turns = 0; turns < 400;) turns = turns + 1;
}

static cudaError_t spells_by_time(const float *in, float *out, int n) {
  double spent = 0;
  for (int i = 0; i < 11 * n; i++) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    takes_time<<<1, 1>>>(in, i / 11, i % 11);
    cudaDeviceSynchronize();
    clock_gettime(CLOCK_MONOTONIC, &b);
    spent += (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
  }
  printf("%.3f s\n", spent);
  return right(in, out, n);
}

// One thread does the work, others decorate it with barriers.
__global__ void serial_with_decoration(const float *in, float *out, int n, int barriers) {
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < n; i++) {
      float x = in[i];
      out[i] = sum;
      sum += x;
    }
  }
  for (int k = 0; k < barriers; k++) __syncthreads();
}

static cudaError_t one_thread(const float *in, float *out, int n) {
  serial_with_decoration<<<1, 64>>>(in, out, n, 20);
  return cudaGetLastError();
}

// The same, while other warps compute something else for as long.
__global__ void serial_in_company(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; threadIdx.x >= 32 && i < n; i++) clock64();
  if (threadIdx.x) return;
  for (int i = 0; i < n; i++) {
    float x = in[i];
    out[i] = sum;
    sum += x;
  }
}

static cudaError_t in_company(const float *in, float *out, int n) {
  serial_in_company<<<1, 512>>>(in, out, n);
  return cudaGetLastError();
}

static cudaError_t sleeps_on(const float *, float *, int) {
  sleep(600);
  return cudaSuccess;
}

static cudaError_t stops_itself(const float *, float *, int) {
  raise(SIGSTOP);
  return cudaSuccess;
}

static cudaError_t kills_itself(const float *, float *, int) {
  raise(SIGKILL);
  return cudaSuccess;
}

// Hillis and Steele's scan with multiplications in place of additions.
__global__ void multiplies(const float *in, float *out, int n) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  s[t] = t > 0 && t <= n ? in[t - 1] : 0;
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    float x = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] = __fmaf_rn(x, 1.0f, s[t]);
    __syncthreads();
  }
  if (t < n) out[t] = s[t];
}

static cudaError_t hides_additions(const float *in, float *out, int n) {
  multiplies<<<1, 1024>>>(in, out, n);
  return cudaGetLastError();
}

__global__ void does_little(float *out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = 0;
}

// Kernels that end, in a loop on the host that does not.
static cudaError_t launches_for_ever(const float *, float *out, int n) {
  for (;;) {
    does_little<<<1, 32>>>(out, n);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) return error;
  }
}

static cudaError_t does_nothing(const float *, float *, int) { return cudaSuccess; }

typedef cudaError_t (*behaviour)(const float *, float *, int);
static const struct { int n; behaviour does; } table[] = {
    {1001, on_host},           {1002, host_and_empty_kernel}, {1003, writes_input},  {1004, writes_beyond},
    {1005, nan_output},        {1006, zero_output},           {1007, host_hangs},    {1008, device_hangs},
    {1009, crashes},           {1010, exits},                 {1011, forges_done},   {1012, attacks_parent},
    {1013, leaves_daemon},     {1014, prints_much},           {1015, returns_error}, {1016, hides_error},
    {1017, dies_at_exit},      {1018, gives_inclusive},       {1019, replays},       {1020, closes_connection},
    {1021, misses_last},       {1022, frees_output},          {1023, resets_device},
    {1024, uses_thread},       {1025, garbage_then_host},     {1026, garbage_then_fills}, {1027, fair_copies},
    {1028, device_stores},     {1029, launches_for_ever},     {1052, stores_after_work}, {1053, works_before},
    {1031, host_then_kernel},  {1032, symbol_then_kernel},  {1043, managed_then_kernel}, {1044, managed_scratch},  {1050, pinned_scratch}, {1051, pinned_then_kernel},  {1033, knows_the_seed}, {1034, prints_input},
    {90, spells_by_time},      {1039, one_thread}, {1041, thread_bomb}, {1042, asks_to_stay},          {900, hides_additions},
    {1035, stale_output},      {1036, answers_before_work},  {1037, forges_right_ticket}, {1045, wrong_from_host},
    {1047, host_computes},
    {1046, wrong_from_prints}, {1048, works_while_it_ends},  {1049, never_ends},
    {1060, in_company},        {1061, sleeps_on},             {1062, stops_itself},
    {1063, kills_itself},          {1064, restores_input},         {1048577, does_nothing},
};

cudaError_t lab03_blelloch_scan(const float *d_in, float *d_out, int n) {
  for (auto &row : table)
    if (row.n == n) return row.does(d_in, d_out, n);
  return right(d_in, d_out, n);
}
