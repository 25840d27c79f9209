// expect: memory.host at only call, kernel.illegal at call
// The host copies an object with virtual functions: its pointer to the table of them is the host's.

struct base {
  __host__ __device__ virtual int number() const { return 1; }
};
struct derived : base {
  __host__ __device__ int number() const override { return 2; }
};
__global__ void construct(derived *at) { new (at) derived; }
__global__ void ask(const base *object, int *out) {
  *out = object->number(); // call
}
static int run() {
  derived here, *there;
  int *out, got = 0;
  if (cudaMalloc(&there, sizeof here) || cudaMalloc(&out, sizeof *out)) return 1;
  if (cudaMemcpy(there, (void *)&here, sizeof here, cudaMemcpyHostToDevice)) return 1;
  construct<<<1, 1>>>(there); // twin
  ask<<<1, 1>>>(there, out);
  if (cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess && got != 2) return 1;
  return ended_with(cudaErrorIllegalAddress);
}
