// A lab 03 kernel that is right, but for some sizes does what a submission must not get away with.
//
// Which: by n, see the table at the end. Everything else about it is honest, so a pass or a wrong reason is the judge's.
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
#include <unistd.h>

__global__ void scan(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    out[i] = sum;
    sum += in[i];
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
  if (n > 0) scan<<<1, 1>>>(in, out, n);
  return cudaGetLastError();
}

// The result, computed on the host.
static cudaError_t on_host(const float *in, float *out, int n) {
  static float x[2048], y[2048];
  cudaMemcpy(x, in, n * sizeof *x, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; sum += x[i++]) y[i] = sum;
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

// The same, a byte at a time, without a single copy.
static cudaError_t garbage_then_fills(const float *in, float *out, int n) {
  static float x[2048], y[2048];
  fill<<<1, 1>>>(out, n, 1.5f);
  cudaMemcpy(x, in, n * sizeof *x, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; sum += x[i++]) y[i] = sum;
  for (size_t i = 0; i < n * sizeof *y; i++) cudaMemset((char *)out + i, ((unsigned char *)y)[i], 1);
  return cudaGetLastError();
}

// Fair: clears the output, writes the first element from the host, and copies the rest within the device.
static cudaError_t fair_copies(const float *in, float *out, int n) {
  float *mine, zero = 0;
  cudaMalloc(&mine, n * sizeof *mine);
  cudaMemset(out, 0, n * sizeof *out);
  scan<<<1, 1>>>(in, mine, n);
  cudaMemcpy(out, mine, n * sizeof *out, cudaMemcpyDeviceToDevice);
  return cudaMemcpy(out, &zero, sizeof zero, cudaMemcpyHostToDevice);
}

__global__ void stores_for_ever(volatile float *out) {
  for (unsigned i = 0;; i++) out[0] = (float)i;
}

static cudaError_t device_stores(const float *, float *out, int) {
  stores_for_ever<<<1, 1>>>(out);
  return cudaDeviceSynchronize();
}

static cudaError_t writes_input(const float *in, float *out, int n) {
  right(in, out, n);
  fill<<<1, 1>>>((float *)in + 7, 1, 4.5f);
  return cudaGetLastError();
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

static cudaError_t host_hangs(const float *, float *, int) {
  for (;;) pause();
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

// Tries what it can against the judge. What is refused is printed; a success is not.
static cudaError_t attacks_parent(const float *, float *, int) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
  if (kill(getppid(), SIGKILL) != 0 && errno == EPERM) puts("kill refused");
  if (ptrace(PTRACE_ATTACH, getppid(), 0, 0) != 0 && errno == EPERM) puts("ptrace refused");
  if (open(path, O_RDWR) < 0 && errno == EACCES) puts("memory refused");
  snprintf(path, sizeof path, "/proc/%d/mem", (int)gpu_process());
  if (strcmp(path, "/proc/0/mem") && open(path, O_RDWR) < 0 && errno == EACCES) puts("memory of the GPU refused");
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
  scan<<<1, 1>>>(in, out, n - 1);
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

typedef cudaError_t (*behaviour)(const float *, float *, int);
static const struct { int n; behaviour does; } table[] = {
    {1001, on_host},           {1002, host_and_empty_kernel}, {1003, writes_input},  {1004, writes_beyond},
    {1005, nan_output},        {1006, zero_output},           {1007, host_hangs},    {1008, device_hangs},
    {1009, crashes},           {1010, exits},                 {1011, forges_done},   {1012, attacks_parent},
    {1013, leaves_daemon},     {1014, prints_much},           {1015, returns_error}, {1016, hides_error},
    {1017, dies_at_exit},      {1018, gives_inclusive},       {1019, replays},       {1020, closes_connection},
    {1021, misses_last},       {1022, frees_output},          {1023, resets_device},
    {1024, uses_thread},       {1025, garbage_then_host},     {1026, garbage_then_fills}, {1027, fair_copies},
    {1028, device_stores},
};

cudaError_t lab03_blelloch_scan(const float *d_in, float *d_out, int n) {
  for (auto &row : table)
    if (row.n == n) return row.does(d_in, d_out, n);
  return right(d_in, d_out, n);
}
