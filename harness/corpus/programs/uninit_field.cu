// expect: memory.uninit at only wrong
// says: Write it first: by the kernel, cudaMemset
// A field of a struct that nobody sets, beside one that is counted up: there is no index to look at.

struct chain {
  int ticket, published;
};

__global__ void draw(chain *c, int *out) {
  atomicAdd(&c->ticket, 1);
  if (threadIdx.x == 0) out[0] = c->published; // wrong
  if (threadIdx.x == 0) out[0] = 1; // twin
}
static int run() {
  chain *c;
  int *out;
  if (cudaMalloc(&c, sizeof *c) || cudaMalloc(&out, 4) || cudaMemset(c, 0, sizeof c->ticket)) return 1;
  draw<<<1, 64>>>(c, out);
  return ended_with(cudaSuccess);
}
