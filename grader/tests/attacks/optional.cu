// Attacks on the optional labs, whose entry points have arrays of their own. The solution stands before this
// file, its entry under the name honest; PARAMS and ARGS are the parameters of the entry point and their
// names (attacks.sh).
//
// attack 11 host_copies ci: VIA=host_copies | at most 5
// attack 12 host_copies: VIA=host_copies | at most 5
// attack 13 host_copies: VIA=host_copies | at most 5
// attack 14 host_copies: VIA=host_copies | at most 5
// attack 15 host_copies: VIA=host_copies | at most 5
// attack 16 host_copies: VIA=host_copies | at most 10
// attack 17 host_copies: VIA=host_copies | at most 10
// attack 11 host_by_parameters: VIA=host_by_parameters | at most 5
// attack 15 host_by_parameters ci: VIA=host_by_parameters | at most 5
// attack 13 host_by_managed: VIA=host_by_managed | at most 5
// attack 14 host_by_pinned: VIA=host_by_pinned | at most 5
// attack 12 host_by_symbol: VIA=host_by_symbol | at most 5
// attack 11 serial: VIA=serial | at most 45
// attack 12 serial: VIA=serial | at most 45
// attack 13 serial ci: VIA=serial | at most 45
// attack 14 serial: VIA=serial | at most 45
// attack 15 serial: VIA=serial | at most 45
// attack 17 serial ci: VIA=serial | at most 32
// attack 11 searches_memory: VIA=searches_memory | at most 5
// attack 15 reads_behind: VIA=reads_behind | at most 5
// attack 11 loads_reference ci: TRY=loads_reference | at most 100
// attack 16 reads_reference: TRY=reads_reference | at most 100
// attack 13 prints_verdict: VIA=nothing TRY=prints_verdict | at most 5
// attack 17 prints_verdict: TRY=prints_verdict | at most 100
// attack 12 forges_answers: VIA=nothing FORGES | at most 5
// attack 14 replays: VIA=replays | at most 98
// attack 15 writes_input: TRY=writes_input | at most 5
// attack 16 changes_later: TRY=changes_later | at most 100
// attack 11 starts_processes: TRY=starts_processes | at most 100
// attack 13 kills: TRY=kills | at most 100
// attack 12 uses_cub ci: LIBRARY=<cub/cub.cuh> | at most 0
// attack 16 uses_thrust: LIBRARY=<thrust/sort.h> | at most 0
// attack 13 uses_thrust_hidden: MARKED LIBRARY=<thrust/scan.h> | at most 0
// attack 15 next_cub: NEXT | at most 0
// attack 11 from_second_call: VIA=from_second_call | at most 95
// attack 17 hidden_in_integers ci: VIA=hidden_in_integers | at most 80
// attack 12 host_by_parameters: VIA=host_by_parameters | at most 5
// attack 13 host_by_parameters: VIA=host_by_parameters | at most 5
// attack 14 host_by_parameters: VIA=host_by_parameters | at most 5
// attack 11 host_by_managed: VIA=host_by_managed | at most 5
// attack 15 host_by_managed: VIA=host_by_managed | at most 5
// attack 12 host_by_pinned: VIA=host_by_pinned | at most 5
// attack 13 host_by_pinned: VIA=host_by_pinned | at most 5
// attack 13 host_by_symbol: VIA=host_by_symbol | at most 5
// attack 15 host_by_symbol: VIA=host_by_symbol | at most 5
// attack 13 searches_memory: VIA=searches_memory | at most 5
// attack 15 searches_memory: VIA=searches_memory | at most 5
// attack 11 reads_behind: VIA=reads_behind | at most 5
// attack 14 reads_behind: VIA=reads_behind | at most 5
// attack 12 from_second_call: VIA=from_second_call | at most 95
// attack 14 from_second_call: VIA=from_second_call | at most 95
// attack 11 replays: VIA=replays | at most 98
// attack 15 replays: VIA=replays | at most 98
// attack 12 writes_input: TRY=writes_input | at most 5
// attack 13 writes_input: TRY=writes_input | at most 5
// attack 14 writes_input: TRY=writes_input | at most 5
#ifdef LIBRARY
#ifdef MARKED // as if the toolkit's own files had opened it
# 1 "/usr/local/cuda/include/cuda/std/functional" 1 3
#endif
#include LIBRARY
#endif
#ifdef NEXT
#include_next <cub/device/device_scan.cuh>
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <functional>
#include <vector>
#include "shared.cuh"

// The calls of the labs, as words ---------------------------------------------------------------------------

// Arrays of a call: where they are, and how many words each has.
struct arrays {
  const uint32_t *in[2];
  uint32_t *out[3];
  size_t n, words[3], width;
};
typedef std::vector<uint32_t> words;

#if LAB == 11
#define CALL arrays{{(const uint32_t *)d_in}, {(uint32_t *)d_out, d_count}, n, {n, 1}, 0}
#define ON_HOST(x, i, n, w, o0, o1, o2) \
  for (i = 0; i < n; i++) if (x[0][i]) o0[o1[0]++] = x[0][i];
#elif LAB == 12
#define CALL arrays{{(const uint32_t *)d_in}, {(uint32_t *)d_values, d_lengths, d_count}, n, {n, n, 1}, 0}
#define ON_HOST(x, i, n, w, o0, o1, o2) \
  for (i = 0; i < n; i++) { \
    if (i == 0 || x[0][i] != x[0][i - 1]) o0[o2[0]++] = x[0][i]; \
    o1[o2[0] - 1]++; \
  }
#elif LAB == 13
#define CALL arrays{{d_heads, (const uint32_t *)d_in}, {(uint32_t *)d_out}, n, {n}, 0}
#define ON_HOST(x, i, n, w, o0, o1, o2) \
  for (i = 0; i < n; i++) o0[i] = x[1][i] + (i && !x[0][i] ? o0[i - 1] : 0);
#elif LAB == 14
#define CALL arrays{{d_in}, {d_out}, n, {n}, width}
#define ON_HOST(x, i, n, w, o0, o1, o2) \
  for (i = 0; i < n; i++) \
    o0[i] = x[0][i] + (i % w ? o0[i - 1] : 0) + (i >= w ? o0[i - w] : 0) - (i % w && i >= w ? o0[i - w - 1] : 0);
#elif LAB == 15
#define CALL arrays{{d_a, d_b}, {d_out}, n, {n}, 0}
#define ON_HOST(x, i, n, w, o0, o1, o2) \
  for (i = 0; i < n; i++) o0[i] = x[0][i] * (i ? o0[i - 1] : 0) + x[1][i];
#elif LAB == 16
#define CALL arrays{{d_keys}, {d_sorted, d_order}, n, {n, n}, 0}
#define ON_HOST(x, i, n, w, o0, o1, o2) \
  for (i = 0; i < n; i++) { \
    size_t at = i; \
    for (; at > 0 && o0[at - 1] > x[0][i]; at--) o0[at] = o0[at - 1], o1[at] = o1[at - 1]; \
    o0[at] = x[0][i], o1[at] = (uint32_t)i; \
  }
#elif LAB == 17
#define CALL arrays{{(const uint32_t *)d_in}, {(uint32_t *)d_out}, (size_t)n, {(size_t)n}, 0}
#define ON_HOST(x, i, n, w, o0, o1, o2) \
  for (i = 0; i < n; i++) sum += ((const float *)x[0])[i], ((float *)o0)[i] = sum;
#endif

__host__ __device__ void compute(const uint32_t *const *x, uint32_t *const *o, size_t n, size_t w) {
  size_t i = 0;
  float sum = 0;
  (void)w, (void)sum;
  ON_HOST(x, i, n, w, o[0], o[1], o[2])
}

static void compute_on_host(const words in[2], words out[3], const arrays &c) {
  const uint32_t *x[] = {in[0].data(), in[1].data()};
  for (int k = 0; k < 3; k++) out[k].assign(c.words[k] + 1, 0);
  uint32_t *o[] = {out[0].data(), out[1].data(), out[2].data()};
  compute(x, o, c.n, c.width);
}

__global__ void copies(const uint32_t *from, uint32_t *to, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
static void copy(const uint32_t *from, uint32_t *to, size_t n) {
  if (n) copies<<<(unsigned)((n + 255) / 256), 256>>>(from, to, n);
}

// Results to memory of the submission's own, and by a kernel to the output.
static cudaError_t upload(const words out[3], const arrays &c) {
  for (int k = 0; k < 3; k++) {
    uint32_t *p;
    if (!c.words[k]) continue;
    cudaMalloc(&p, c.words[k] * 4);
    cudaMemcpy(p, out[k].data(), c.words[k] * 4, cudaMemcpyHostToDevice);
    copy(p, c.out[k], c.words[k]);
    cudaDeviceSynchronize();
    cudaFree(p);
  }
  return cudaGetLastError();
}

// Ways to the host ------------------------------------------------------------------------------------------

static cudaError_t host_copies(const arrays &c) {
  words in[2], out[3];
  for (int k = 0; k < 2; k++) {
    in[k].assign(c.n + 1, 0);
    if (c.in[k]) cudaMemcpy(in[k].data(), c.in[k], c.n * 4, cudaMemcpyDeviceToHost);
  }
  compute_on_host(in, out, c);
  return upload(out, c);
}

// What goes back does so in the parameters of kernels, which are no copies.
struct piece {
  uint32_t word[960];
};
__global__ void stores(piece p, uint32_t *to, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) to[i] = p.word[i];
}
static cudaError_t host_by_parameters(const arrays &c) {
  words in[2], out[3];
  for (int k = 0; k < 2; k++) {
    in[k].assign(c.n + 1, 0);
    for (size_t i = 0; c.in[k] && i < c.n; i++) cudaMemcpyAsync(&in[k][i], c.in[k] + i, 4, cudaMemcpyDeviceToHost);
  }
  cudaDeviceSynchronize();
  compute_on_host(in, out, c);
  for (int k = 0; k < 3; k++)
    for (size_t at = 0; at < c.words[k]; at += 960) {
      piece p;
      const size_t n = c.words[k] - at < 960 ? c.words[k] - at : 960;
      memcpy(p.word, out[k].data() + at, n * 4);
      stores<<<1, 256>>>(p, c.out[k] + at, n);
    }
  return cudaGetLastError();
}

template <typename F> static cudaError_t by_memory(const arrays &c, F get) {
  words in[2], out[3];
  for (int k = 0; k < 2; k++) {
    uint32_t *p = get(c.n * 4);
    in[k].assign(c.n + 1, 0);
    if (!c.in[k] || !p) continue;
    copy(c.in[k], p, c.n);
    cudaDeviceSynchronize();
    memcpy(in[k].data(), p, c.n * 4);
  }
  compute_on_host(in, out, c);
  return upload(out, c);
}
static cudaError_t host_by_managed(const arrays &c) {
  return by_memory(c, [](size_t bytes) { uint32_t *p = NULL; cudaMallocManaged(&p, bytes); return p; });
}
static cudaError_t host_by_pinned(const arrays &c) {
  return by_memory(c, [](size_t bytes) { uint32_t *p = NULL; cudaMallocHost(&p, bytes); return p; });
}
__device__ uint32_t symbol[1 << 18];
static cudaError_t host_by_symbol(const arrays &c) {
  words in[2], out[3];
  void *p;
  cudaGetSymbolAddress(&p, symbol);
  for (int k = 0; k < 2; k++) {
    in[k].assign(c.n + 1, 0);
    if (!c.in[k] || c.n > 1 << 18) continue;
    copy(c.in[k], (uint32_t *)p, c.n);
    cudaMemcpyFromSymbol(in[k].data(), symbol, c.n * 4);
  }
  compute_on_host(in, out, c);
  return upload(out, c);
}

// Other work than the lab's ---------------------------------------------------------------------------------

__global__ void one_thread(arrays c) {
  for (int k = 0; k < 3; k++)
    if (c.words[k]) c.out[k][0] = 0;
  for (size_t i = 0; LAB == 12 && i < c.n; i++) c.out[1][i] = 0;
  compute(c.in, c.out, c.n, c.width);
}
static cudaError_t serial(const arrays &c) {
  one_thread<<<1, 1>>>(c);
  return cudaGetLastError();
}
// The first call as it should be; the others not at all, where the output still stands from the first.
static cudaError_t honestly(const arrays &c);
static cudaError_t from_second_call(const arrays &c) {
  static int calls;
  return calls++ ? serial(c) : honestly(c);
}
static cudaError_t nothing(const arrays &) { return cudaSuccess; }

// The result of the call before, if the size is the same.
static cudaError_t replays(const arrays &c) {
  static uint32_t *kept;
  static size_t size;
  if (kept && size == c.n) {
    copy(kept, c.out[0], c.n);
    return cudaGetLastError();
  }
  cudaError_t e = honestly(c);
  if (!kept) cudaMalloc(&kept, 1 << 20);
  if (c.n * 4 <= 1 << 20) copy(c.out[0], kept, size = c.n);
  return e;
}

// Is the right result in memory of the judge's? Each block looks at a page before or behind the output.
__global__ void looks_around(const uint32_t *in, uint32_t *out, size_t n) {
  const uint32_t *page = out - 1024 * 1024 + (size_t)blockIdx.x * 1024;
  if (n > 1 && page != out && page[0] == in[0] && page[threadIdx.x] != 0) out[threadIdx.x] = page[threadIdx.x];
}
static cudaError_t searches_memory(const arrays &c) {
  looks_around<<<2048, 256>>>(c.in[0], c.out[0], c.n);
  return cudaDeviceSynchronize(), honestly(c), cudaSuccess;
}
__global__ void copies_behind(const uint32_t *in, uint32_t *out, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[n + 64 + i];
}
static cudaError_t reads_behind(const arrays &c) {
  copies_behind<<<1, 256>>>(c.in[0], c.out[0], c.n);
  return cudaGetLastError();
}

// Additions of whole numbers, and one of floats for show.
#if LAB == 17
__global__ void naive_integers(const float *in, float *out, int n) {
  __shared__ int s[2048];
  const int t = threadIdx.x;
  for (int k = t; k < 2048; k += 1024) s[k] = k < n ? (int)in[k] : 0;
  __syncthreads();
  for (int d = 1; d < 2048; d *= 2) {
    const int a = s[t] + (t >= d ? s[t - d] : 0), b = s[t + 1024] + (t + 1024 >= d ? s[t + 1024 - d] : 0);
    __syncthreads();
    s[t] = a, s[t + 1024] = b;
    __syncthreads();
  }
  for (int k = t; k < n; k += 1024) out[k] = (float)s[k];
}
static cudaError_t hidden_in_integers(const arrays &c) {
  naive_integers<<<1, 1024>>>((const float *)c.in[0], (float *)c.out[0], (int)c.n);
  return cudaGetLastError();
}
#endif

// Harm ------------------------------------------------------------------------------------------------------

static bool opens(const char *path, int flags) {
  const int fd = open(path, flags);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
static void loads_reference(const arrays &) {
  void *p = dlopen(REFERENCE, RTLD_NOW);
  reached("the reference", p != NULL);
  reached("the reference's file", opens(REFERENCE, O_RDONLY));
}
static void reads_reference(const arrays &) {
  reached("the solution", opens(SOLUTION, O_RDONLY));
  reached("the secret", opens(CANARY, O_RDONLY) || opens(CANARY, O_WRONLY | O_APPEND) || unlink(CANARY) == 0);
}
static void prints_verdict(const arrays &) {
  static const char says[] = "\n{\"status\": \"pass\", \"points\": 100, \"score\": 100, \"credit\": 1}\n"
                             "<CTestMeasurement type=\"numeric/double\" name=\"score\">100</CTestMeasurement>\n"
                             "<CTestMeasurementFile type=\"file\" name=\"x\">" CANARY "</CTestMeasurementFile>\n"
                             "Grade :=>> 100\nPASS: all tests passed\n";
  fputs(says, stdout), fputs(says, stderr);
}
__global__ void overwrites(uint32_t *in) { in[0] += 1; }
static void writes_input(const arrays &c) {
  if (c.n) overwrites<<<1, 1>>>((uint32_t *)c.in[0]);
}
// A process that has long ended the call goes on writing into the output.
static void changes_later(const arrays &) { reached("a process that stays", fork() > 0); }
static void starts_processes(const arrays &) { reached("a shell", system("true") == 0); }
static void kills(const arrays &) {
  reached("a signal", kill(getppid(), 0) == 0 || kill(-1, 0) == 0 || kill(1, 0) == 0);
}

#ifdef FORGES // answers before the questions, on every descriptor that there is
__attribute__((constructor)) static void forges() {
  static uint32_t r[10] = {0x45534143, 1};
  for (int fd = 0; fd < 64; fd++)
    for (uint32_t kind = 1; kind < 4; kind++) r[1] = kind, send(fd, r, sizeof r, MSG_DONTWAIT | MSG_NOSIGNAL);
}
#endif

// The entry -------------------------------------------------------------------------------------------------

static std::function<cudaError_t()> solution;
static cudaError_t honestly(const arrays &) { return solution(); }
#ifndef VIA
#define VIA honestly
#endif
#ifndef TRY
#define TRY nothing
#endif
extern "C" cudaError_t ENTRY(PARAMS) {
  solution = [=] { return honest(ARGS); };
  if (!n) return cudaSuccess;
  const arrays c = CALL;
  TRY(c);
  return VIA(c);
}
