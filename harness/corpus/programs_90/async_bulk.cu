// expect: race.async at each here, race.shared
// with: --profile h100
// A bulk copy is there for who has seen its mbarrier's phase end, and after a barrier behind that for all.

__global__ void tiles(const int *in, int *out, int n) {
  __shared__ alignas(16) int s[64];
  __shared__ uint64_t object;
  int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&object)) : "memory");
  __syncthreads();
  for (int k = 0; k < n; k++) {
    if (t == 0) begin(&object, s, in + 64 * k, sizeof s);
    wait(&object, k & 1); // twin
    if (k < n - 1) wait(&object, k & 1); // not for the last one // wrong
    out[64 * k + t] = s[63 - t]; // here
    __syncthreads();
  }
  if (t == 0) begin(&object, s, in, sizeof s);
  if (t == 0) wait(&object, n & 1); // twin
  __syncthreads();
  out[t] += s[63 - t]; // here
}

// The tile goes back to global memory, which reads it until the wait.
__global__ void store(int *out) {
  __shared__ alignas(16) int s[64];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(at(s)), "r"(256) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  }
  if (t == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); // twin
  __syncthreads();
  s[t] = 0; // here
  asm volatile("" ::"r"(at(s)) : "memory");
}

static int run() {
  int *d = filled(4096);
  tiles<<<1, 64>>>(d, d + 512, 4);
  store<<<1, 64>>>(d);
  return ended_with(cudaSuccess);
}
