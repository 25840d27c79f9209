// expect: memory.uninit at each here
// Words of which some bytes were never written, and these bytes decide something.

struct alignas(8) item {
  short key;
  char kind; // behind it a byte of padding
  int value;
};
struct alignas(16) row {
  int a, b, c, d;
};

__device__ __noinline__ int pick(row r, int which) { return which ? r.a : r.b; } // twin
__device__ __noinline__ int top(unsigned x) { return (int)(x >> 8); } // twin
__device__ __noinline__ int pick(row r, int which) { return which ? r.a : r.c; } // wrong
__device__ __noinline__ int top(unsigned x) { return (int)(x << 8 & 0xff00u); } // wrong
__device__ __noinline__ unsigned load(const unsigned *p, int k) {
  return p[k]; // here
}

__global__ void words(int *out) {
  __shared__ unsigned s[64];
  unsigned char *bytes = (unsigned char *)s;
  int t = threadIdx.x;
  for (int k = 1; k < 4; k++) bytes[4 * t + k] = (unsigned char)(t + k);
  __syncwarp();
  unsigned x = s[t]; // here
  if ((x >> 8) > 100u) out[t] = (int)(x & 0xffffff00u); // the lowest byte does not matter // twin
  if (s[t] == 0x01000000u) out[t] = 3;                  // what was written differs already // twin
  if (x & 1u) out[t] = 1; // wrong
}

__global__ void permuted(int *out) {
  __shared__ unsigned s[64];
  unsigned char *bytes = (unsigned char *)s;
  int t = threadIdx.x;
  for (int k = 1; k < 4; k++) bytes[4 * t + k] = (unsigned char)(t + k);
  __syncwarp();
  unsigned x = s[t]; // here
  if (__byte_perm(x, 0, 0x4321) == 7) out[t] = 1; // twin
  if (__byte_perm(x, 0, 0x4440) > 7) out[t] = 1; // wrong
}

__global__ void structs(item *items, int *out) {
  __shared__ item s[64];
  int t = threadIdx.x;
  s[t].key = (short)t, s[t].kind = 1;
  __syncthreads();
  item x = s[63 - t]; // value was never written // twin
  if (x.key > 3 && x.kind) out[t] = x.key; // twin
  items[t].key = x.key, items[t].kind = x.kind; // and is not here, either // twin
  items[t] = s[63 - t]; // value was never written, and is not here, either // wrong
}

__global__ void later(const item *items, int *out) {
  item x = items[threadIdx.x]; // here
  out[threadIdx.x] = x.key + x.kind; // twin
  out[threadIdx.x] = x.key + x.value; // wrong
}

__global__ void calls(int *out) {
  __shared__ row s[32];
  int t = threadIdx.x;
  s[t].a = t, s[t].b = 2 * t;
  __syncwarp();
  if (pick(s[31 - t], t & 1) > 7) out[t] = 1; // here
}

__global__ void returns(int *out) {
  __shared__ unsigned w[32];
  int t = threadIdx.x;
  for (int k = 1; k < 4; k++) ((unsigned char *)w)[4 * t + k] = (unsigned char)k;
  __syncwarp();
  if (top(load(w, 31 - t)) > 7) out[t] = 2;
}

static int run() {
  item *items;
  int *out;
  cudaMalloc(&items, 64 * sizeof *items), cudaMalloc(&out, 256), cudaMemset(out, 0, 256);
  words<<<1, 32>>>(out);
  permuted<<<1, 32>>>(out);
  structs<<<1, 64>>>(items, out);
  later<<<1, 64>>>(items, out);
  calls<<<1, 32>>>(out);
  returns<<<1, 32>>>(out);
  return ended_with(cudaSuccess);
}
