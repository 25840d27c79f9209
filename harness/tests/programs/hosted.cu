// Pinned host memory in kernels: cudaMallocHost, cudaHostAlloc with every flag, cudaHostRegister. Host and
// device share their addresses, so kernels use it at the host's address. All of this was so on an H100, but
// for what a page holds beyond the registered bytes, which no program here touches.
#include "check.h"

struct Node {
  int value;
  Node *next;
};
struct Batch {
  const int *from;
  int *to;
};

__device__ int *kept;
__managed__ Batch managed_batch;

__global__ void add_one(int *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1;
}
__global__ void backwards(const int *end, int *out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = end[-1 - i];
}
__global__ void keep(int *p) { kept = p; }
__global__ void through_kept(int n) {
  if (threadIdx.x < n) atomicAdd(&kept[threadIdx.x], 10);
}
__global__ void sum_list(const Node *n, int *sum) {
  *sum = 0;
  for (; n; n = n->next) *sum += n->value;
}
__global__ void copy_batch(const Batch *b, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) b->to[i] = b->from[i] + 5;
}
__global__ void copy_managed(int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) managed_batch.to[i] = managed_batch.from[i] * 2;
}
__global__ void vectors(const int4 *in, int4 *out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = make_int4(in[i].w, in[i].z, in[i].y, in[i].x);
}

static int wrong_elements(const int *p, int n, int first, int step) {
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += p[i] != first + step * i;
  return wrong;
}

static void fill(int *p, int n) {
  for (int i = 0; i < n; i++) p[i] = i;
}

// Launches change it, the host changes it in between, and a fill is an ordinary fill.
static void use(const char *name, int *p, int n) {
  int *device = nullptr;
  cudaPointerAttributes a;
  fill(p, n);
  CUDA(cudaHostGetDevicePointer((void **)&device, p, 0));
  CHECK(device == p, "%s: the device's address is another", name);
  CUDA(cudaPointerGetAttributes(&a, p + 1));
  CHECK(a.type == cudaMemoryTypeHost && a.hostPointer == p + 1 && a.devicePointer == p + 1, "%s: type %d", name, a.type);
  add_one<<<(n + 127) / 128, 128>>>(p, n);
  CUDA(cudaDeviceSynchronize());
  CHECK(wrong_elements(p, n, 1, 1) == 0, "%s: after a launch", name);
  for (int i = 0; i < n; i++) p[i] *= 3;
  add_one<<<(n + 127) / 128, 128>>>(device, n);
  CUDA(cudaDeviceSynchronize());
  CHECK(wrong_elements(p, n, 4, 3) == 0, "%s: after the host has changed it", name);
  CUDA(cudaMemset(p, 0, n * sizeof(int)));
  add_one<<<(n + 127) / 128, 128>>>(p, n);
  CUDA(cudaDeviceSynchronize());
  CHECK(wrong_elements(p, n, 1, 0) == 0, "%s: after a fill", name);
}

static void test_kinds() {
  const int n = 5000;
  int *p;
  CUDA(cudaMallocHost((void **)&p, n * sizeof(int)));
  use("cudaMallocHost", p, n);
  CUDA(cudaFreeHost(p));
  for (unsigned flags = 0; flags < 8; flags++) {
    CUDA(cudaHostAlloc((void **)&p, n * sizeof(int), flags));
    use("cudaHostAlloc", p, n);
    CUDA(cudaFreeHost(p));
  }
  for (unsigned flags : {cudaHostRegisterDefault, cudaHostRegisterPortable, cudaHostRegisterMapped}) {
    int *own = (int *)aligned_alloc(4096, 20480);
    CUDA(cudaHostRegister(own, 20480, flags));
    use("cudaHostRegister", own, n);
    CUDA(cudaHostUnregister(own));
    free(own);
  }
}

static void test_pointers() {
  const int n = 64;
  int *p, *q, *out;
  CUDA(cudaMallocHost((void **)&p, n * sizeof(int)));
  CUDA(cudaMallocHost((void **)&q, n * sizeof(int)));
  CUDA(cudaMalloc((void **)&out, n * sizeof(int)));
  fill(p, n);
  backwards<<<1, n>>>(p + n, q, n); // one pointer behind the end
  CUDA(cudaDeviceSynchronize());
  CHECK(wrong_elements(q, n, n - 1, -1) == 0, "backwards");
  keep<<<1, 1>>>(p);
  fill(p, n);
  through_kept<<<1, n>>>(n); // a pointer that a kernel has stored
  CUDA(cudaDeviceSynchronize());
  CHECK(wrong_elements(p, n, 10, 1) == 0, "through a stored pointer");
  Batch b = {p, q}, *device;
  CUDA(cudaMalloc((void **)&device, sizeof b));
  CUDA(cudaMemcpy(device, &b, sizeof b, cudaMemcpyHostToDevice));
  copy_batch<<<1, 32>>>(device, n); // pointers that a copy has brought
  CUDA(cudaDeviceSynchronize());
  CHECK(wrong_elements(q, n, 15, 1) == 0, "through a struct");
  managed_batch = {q, p};
  copy_managed<<<1, 32>>>(n); // pointers in managed memory
  CUDA(cudaDeviceSynchronize());
  CHECK(wrong_elements(p, n, 30, 2) == 0, "through managed memory");
  vectors<<<1, 16>>>((const int4 *)p, (int4 *)q, 16);
  CUDA(cudaDeviceSynchronize());
  CHECK(q[0] == p[3] && q[63] == p[60], "vectors");
  CUDA(cudaFree(device));
  CUDA(cudaFree(out));
  CUDA(cudaFreeHost(p));
  CUDA(cudaFreeHost(q));
}

// Each node is an allocation of its own, which only the one before points to.
static void test_list() {
  Node *first = nullptr;
  int *sum;
  CUDA(cudaMallocHost((void **)&sum, sizeof *sum));
  for (int i = 1; i <= 20; i++) {
    Node *n;
    CUDA(cudaMallocHost((void **)&n, sizeof *n));
    *n = {i, first}, first = n;
  }
  sum_list<<<1, 1>>>(first, sum);
  CUDA(cudaDeviceSynchronize());
  CHECK(*sum == 210, "sum of a list: %d", *sum);
  for (Node *n = first, *next; n; n = next) {
    next = n->next;
    CUDA(cudaFreeHost(n));
  }
  CUDA(cudaFreeHost(sum));
}

// Copies with pinned memory are copies of host memory; kernels and copies take turns.
static void test_copies() {
  const int n = 3000;
  int *p, *d;
  cudaStream_t s;
  CUDA(cudaStreamCreate(&s));
  CUDA(cudaMallocHost((void **)&p, n * sizeof(int)));
  CUDA(cudaMalloc((void **)&d, n * sizeof(int)));
  fill(p, n);
  CUDA(cudaMemcpyAsync(d, p, n * sizeof(int), cudaMemcpyDefault, s));
  add_one<<<24, 128, 0, s>>>(d, n);
  CUDA(cudaMemcpyAsync(p, d, n * sizeof(int), cudaMemcpyDefault, s));
  add_one<<<24, 128, 0, s>>>(p, n);
  CUDA(cudaStreamSynchronize(s));
  CHECK(wrong_elements(p, n, 2, 1) == 0, "copies and kernels in a stream");
  CUDA(cudaMemcpy2D(d, 400, p, 400, 200, 10, cudaMemcpyHostToDevice));
  add_one<<<1, 128>>>(d, 50);
  CUDA(cudaMemcpy2D(p, 400, d, 400, 200, 10, cudaMemcpyDeviceToHost));
  CHECK(p[0] == 3 && p[49] == 52 && p[50] == 52 && p[100] == 102, "rows: %d %d %d %d", p[0], p[49], p[50], p[100]);
  CUDA(cudaStreamDestroy(s));
  CUDA(cudaFree(d));
  CUDA(cudaFreeHost(p));
}

// Memory that is pinned where other pinned memory was.
static void test_again() {
  int *own = (int *)aligned_alloc(4096, 8192);
  for (int round = 0; round < 3; round++) {
    const int n = 512 << round;
    CUDA(cudaHostRegister(own, n * sizeof(int), cudaHostRegisterDefault));
    fill(own, n);
    add_one<<<n / 128, 128>>>(own, n);
    CUDA(cudaDeviceSynchronize());
    CHECK(wrong_elements(own, n, 1, 1) == 0, "round %d", round);
    CUDA(cudaHostUnregister(own));
  }
  free(own);
}

int main() {
  test_kinds();
  test_pointers();
  test_list();
  test_copies();
  test_again();
  return check_done("hosted");
}
