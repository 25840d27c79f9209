// Right kernels behind something that is to break the simulated GPU, or to take its time and memory: text
// that nobody checks, as no assembler sees it here, more of everything than anybody needs, messages of
// another kind. None may reach the class. The solution stands before this file, its entry under the name
// honest (attacks.sh).
//
// attack 01 many_registers sim: TEXT=REGISTERS | at most 100
// attack 02 huge_shared sim: TEXT=SHARED | at most 100
// attack 03 huge_alignment sim: TEXT=ALIGNMENT | at most 100
// attack 04 odd_places sim: TEXT=PLACES | at most 100
// attack 01 nested_text sim: TEXT=NESTED | at most 100
// attack 02 no_text sim: TEXT=NONSENSE | at most 100
// attack 03 says_verdict sim: TEXT=VERDICT | at most 100
// attack 04 long_number sim: TEXT=NUMBER | at most 100
// attack 01 local_memory_of_all: DO=local_memory_of_all | at most 100
// attack 02 deep_calls: DO=deep_calls | at most 100
// attack 03 many_streams: DO=many_streams | at most 100
// attack 04 many_nodes: DO=many_nodes | at most 100
// attack 01 many_allocations: DO=many_allocations | at most 100
// attack 02 touches_much sim: DO=touches_much | at most 100
// attack 01 touches_bytes sim: DO=touches_bytes | at most 85
// attack 04 large_limits: DO=large_limits | at most 100
// attack 01 does_not_read sim: DO=does_not_read | at most 100
// attack 02 odd_work sim: DO=odd_work | at most 100
// attack 03 odd_modules: DO=odd_modules | at most 100
// attack 01 many_findings: DO=many_findings | at most 85
// attack 02 asks_in_vain sim: DO=asks_in_vain | at most 100
// attack 03 second_connection sim: DO=second_connection | at most 100
// attack 04 many_kernels: MANY_KERNELS | at most 100
// attack 01 many_cases sim: MANY_CASES | at most 100
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "shared.cuh"

// Text that only the simulated GPU reads --------------------------------------------------------------------

#define REGISTERS ".reg .b32 z<2000000000>; mov.b32 z1999999999, 1;"
#define SHARED ".shared .align 16 .b8 z[1099511627776]; st.shared.b8 [z+1099511627775], 1;"
#define ALIGNMENT ".local .align 1073741824 .b8 z[4]; st.local.b8 [z], 1;"
#define PLACES ".loc 65535 4294967295 4294967295\n.loc 0 0 0\nmembar.gl;"
#define TEN(x) x x x x x x x x x x
#define NESTED TEN(TEN(TEN("{"))) TEN(TEN(TEN("}")))
#define NONSENSE "\" ; } .file 1 \"/etc/passwd\" \\ \001\377 .visible .entry x ( ;"
#define VERDICT "{\"status\": \"pass\", \"points\": 100}\n.entry </pre><script>x()</script>"
#define NUMBER "mov.b32 z, 0x" TEN(TEN(TEN("ffffffffff"))) ";"
#ifdef TEXT
__global__ void textual() { asm volatile("{ " TEXT " }"); }
#endif

// Too much of something -------------------------------------------------------------------------------------

__global__ void uses_stack(float *out, int n) {
  volatile char own[500 << 10];
  for (int i = 0; i < 500 << 10; i += 4096) own[i] = (char)n;
  if (n < 0) out[0] = own[threadIdx.x];
}
static void local_memory_of_all(float *out, int n) { uses_stack<<<8, 1024>>>(out, n); }

__device__ __noinline__ int goes_down(volatile int *n) {
  volatile int own[256];
  own[*n % 256] = *n;
  *n = *n - 1;
  return *n > 0 ? goes_down(n) + own[3] : 0;
}
__global__ void recurses(float *out, int n) {
  int left = 1000000;
  const int sum = goes_down(&left);
  if (n < 0) out[0] = (float)sum;
}
static void deep_calls(float *out, int n) {
  cudaDeviceSetLimit(cudaLimitStackSize, 1 << 30);
  recurses<<<8, 1024>>>(out, n);
}

__global__ void nothing_done() {}
static void many_streams(float *, int) {
  cudaStream_t last = 0, s;
  cudaEvent_t e;
  for (int k = 0; k < 20000; k++, last = s) {
    if (cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)) break;
    cudaEventCreate(&e), cudaEventRecord(e, last), cudaStreamWaitEvent(s, e, 0);
    cudaMemsetAsync((void *)16, 0, 0, s);
  }
}
static void many_nodes(float *, int) {
  cudaGraph_t graph;
  cudaGraphNode_t node, before = NULL;
  cudaGraphExec_t ready;
  cudaGraphCreate(&graph, 0);
  for (int k = 0; k < 20000; k++, before = node)
    if (cudaGraphAddEmptyNode(&node, graph, before ? &before : NULL, before != NULL)) break;
  cudaGraphInstantiate(&ready, graph, 0), cudaGraphLaunch(ready, 0);
}
static void many_allocations(float *, int) {
  void *p;
  for (int k = 0; k < 100000 && !cudaMalloc(&p, 1); k++) {
  }
  cudaGetLastError();
}
// Whoever watches memory notes something of each word.
__global__ void stores_all(uint4 *p) { p[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = uint4{1, 2, 3, 4}; }
static void touches_much(float *, int) {
  void *p;
  size_t bytes = (size_t)1 << 26;
  while (cudaMalloc(&p, bytes)) bytes /= 2;
  stores_all<<<(unsigned)(bytes >> 14), 1024>>>((uint4 *)p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
// The records of bytes that are touched one by one take 36 times as much as these.
__global__ void stores_bytes(char *p) { p[((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 64] = 1; }
static void touches_bytes(float *, int) {
  char *p;
  if (cudaMalloc((void **)&p, 1 << 30)) return;
  stores_bytes<<<1 << 14, 1024>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
__global__ void takes_all() {
  while (malloc(1 << 20)) {
  }
}
static void large_limits(float *, int) {
  for (int k = 0; k < 8; k++) cudaDeviceSetLimit((cudaLimit)k, (size_t)1 << 44);
  takes_all<<<8, 256>>>();
  cudaGetLastError();
}
__global__ void races_on(float *all, int n) {
  for (int k = 0; k < n; k++) all[k] = (float)threadIdx.x;
}
static void many_findings(float *, int) {
  float *p;
  cudaMalloc((void **)&p, 4 << 20);
  races_on<<<4, 1024>>>(p, 1 << 12);
}
#ifdef MANY_KERNELS
#define PASTE(a, b) a##b
#define KERNEL(k) __global__ void PASTE(k, _)(float *p) { p[threadIdx.x] = sinf(p[0]); }
#define TENTH(k) KERNEL(k##0) KERNEL(k##1) KERNEL(k##2) KERNEL(k##3) KERNEL(k##4) KERNEL(k##5) KERNEL(k##6)
#define HUNDREDTH(k) TENTH(k##0) TENTH(k##1) TENTH(k##2) TENTH(k##3) TENTH(k##4) TENTH(k##5) TENTH(k##6)
HUNDREDTH(kernel0) HUNDREDTH(kernel1) HUNDREDTH(kernel2) HUNDREDTH(kernel3) HUNDREDTH(kernel4)
#endif
#ifdef MANY_CASES // 2700, each a block of the program and some registers, which the simulated GPU looks through for each test
#define CASE(k) case k: *p += k * 7919 % 100003; break;
#define FOR_DIGITS(of, k) of(k##0) of(k##1) of(k##2) of(k##3) of(k##4) of(k##5) of(k##6) of(k##7) of(k##8) of(k##9)
#define TENS(k) FOR_DIGITS(CASE, k)
#define HUNDREDS(k) TENS(k##0) TENS(k##1) TENS(k##2) TENS(k##3) TENS(k##4) TENS(k##5) TENS(k##6) TENS(k##7) TENS(k##8) TENS(k##9)
__global__ void chooses(int *p) {
  switch (*p) {
    HUNDREDS(1) HUNDREDS(2) HUNDREDS(3) HUNDREDS(4) HUNDREDS(5) HUNDREDS(6) HUNDREDS(7) HUNDREDS(8) HUNDREDS(9)
    HUNDREDS(10) HUNDREDS(11) HUNDREDS(12) HUNDREDS(13) HUNDREDS(14) HUNDREDS(15) HUNDREDS(16) HUNDREDS(17) HUNDREDS(18)
    HUNDREDS(19) HUNDREDS(20) HUNDREDS(21) HUNDREDS(22) HUNDREDS(23) HUNDREDS(24) HUNDREDS(25) HUNDREDS(26) HUNDREDS(27)
  }
}
#endif

// Messages --------------------------------------------------------------------------------------------------

struct message {
  uint32_t magic;
  uint16_t op, reserved;
  uint32_t sequence;
  int32_t status;
  uint32_t length, text;
  uint64_t arg[5];
};
enum { ALLOC = 4, READ = 7, RANGE = 10, WORK = 31, UNWRITTEN = 32, IN_USE = 33 };
static message ask(uint16_t op, const uint64_t *arg, const void *data, uint32_t length) {
  static uint32_t sequence = 100000;
  message m = {0x55504753, op, 0, sequence++, 0, length, 0, {}}, r = {};
  static char drop[1 << 20];
  memcpy(m.arg, arg, sizeof m.arg);
  r.status = -1;
  if (write(4, &m, sizeof m) != sizeof m || (length && write(4, data, length) != (ssize_t)length)) return r;
  if (recv(4, &r, sizeof r, MSG_WAITALL) != sizeof r) return r;
  for (uint32_t left = r.length; left;) {
    const ssize_t got = read(4, drop, left < sizeof drop ? left : sizeof drop);
    if (got <= 0) break;
    left -= (uint32_t)got;
  }
  return r;
}

// Answers of a megabyte that nobody takes.
static void does_not_read(float *, int) {
  char *p;
  if (cudaMalloc((void **)&p, 1 << 24)) return;
  const message m = {0x55504753, READ, 0, 77, 0, 0, 0, {(uint64_t)p, 1 << 20}};
  for (int k = 0; k < 100000; k++)
    if (send(4, &m, sizeof m, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof m) break;
}
// Copies within streams that nobody has made: of everything, of nothing, in rows without end.
static void odd_work(float *out, int) {
  struct {
    uint64_t words[24];
  } w;
  cudaFree(NULL);
  for (int k = 0; k < 64; k++)
    for (uint32_t length = 8; length <= sizeof w; length += 8) {
      for (int i = 0; i < 24; i++) w.words[i] = k >> i % 6 & 1 ? (uint64_t)1 << (39 - k % 3) : i % 2 ? (uint64_t)out : 1;
      const uint64_t none[5] = {0};
      if (ask(WORK, none, &w, length).status == -1) return;
    }
}
// Where kernels have stored, and what is in use: a bit for each page of memory, if anybody tells.
__global__ void clears_one(char *p) { *p = 0; }
static void asks_in_vain(float *out, int n) {
  char *p;
  if (cudaMalloc((void **)&p, 1 << 20)) return;
  const uint64_t all[5] = {(uint64_t)p, 1 << 20}, mine[5] = {(uint64_t)p};
  reached("what nobody has written", ask(UNWRITTEN, all, NULL, 0).status == 0);
  reached("what is in use", ask(IN_USE, all, NULL, 0).status == 0);
  const uint64_t before = ask(RANGE, mine, NULL, 0).arg[2];
  uses_stack<<<1, 1>>>((float *)p, 1);
  const uint64_t after = ask(RANGE, mine, NULL, 0).arg[2];
  clears_one<<<1, 1>>>(p);
  reached("which allocation a kernel has stored to", ask(RANGE, mine, NULL, 0).arg[2] - after != after - before);
  (void)out, (void)n;
}
static void second_connection(float *, int) {
  sockaddr_un a = {};
  socklen_t n = sizeof a;
  if (getpeername(4, (sockaddr *)&a, &n)) return;
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  reached("the simulated GPU once more", fd >= 0 && connect(fd, (sockaddr *)&a, n) == 0);
}
static void odd_modules(float *, int) {
  static uint32_t room[1 << 16];
  cudaLibrary_t library;
  for (int k = 0; k < 20000; k++) {
    for (int i = 0; i < 64; i++) room[i] = (uint32_t)rand();
    room[0] = 0xba55ed50, room[1] = 0x00100001, room[2] = k % 3 ? 1 << 15 : 0xffffffff, room[3] = k % 2;
    room[4] = 0x01010001, room[5] = 64, room[6] = k % 5 ? 1 << 14 : 0xfffffff0, room[7] = 0;
    cudaLibraryLoadData(&library, room, NULL, NULL, 0, NULL, NULL, 0);
  }
  cudaGetLastError();
}

extern "C" cudaError_t ENTRY(const float *in, float *out, int n) {
  static int calls;
#ifdef TEXT
  if (n && !calls++) textual<<<1, 1>>>();
#elif defined DO
  if (n && !calls++) DO(out, n);
#endif
  return honest(in, out, n);
}

