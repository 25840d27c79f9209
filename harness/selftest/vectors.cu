// The CUDA side of `scanlab selftest`: reads operands from a file, executes the rows of one compute
// capability on them, writes the results to another. It does not know which results are right. Runs on the
// simulated GPU and on a real one.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
#include "protocol.h"

enum { BLOCK = 128, SCRATCH = 64 };

// Where this thread's operands, results and scratch memory lie.
#define PLACE(RESULT_BYTES, SHARED)                                                              \
  size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x, warp = i & ~(size_t)31, block = i - threadIdx.x; \
  in += i * 32;                                                                                  \
  o += i * (RESULT_BYTES);                                                                       \
  [[maybe_unused]] char *wmem = mem + warp * SCRATCH, *bmem = mem + block * SCRATCH;             \
  mem += i * SCRATCH;                                                                            \
  [[maybe_unused]] unsigned bsh = (SHARED) ? (unsigned)__cvta_generic_to_shared(SHARED) : 0;     \
  [[maybe_unused]] unsigned sh = bsh + threadIdx.x * 32, wsh = bsh + (threadIdx.x & ~31u) * 32;  \
  (void)step;

#include "kernels.inc"

#define CUDA(call)                                                                                     \
  do {                                                                                                 \
    cudaError_t e_ = (call);                                                                           \
    if (e_ != cudaSuccess) {                                                                           \
      fprintf(stderr, "vectors: row %u: %s: %s\n", current, #call, cudaGetErrorString(e_));            \
      exit(4);                                                                                         \
    }                                                                                                  \
  } while (0)
static unsigned current;

static void read_all(FILE *f, void *p, size_t n) {
  if (fread(p, 1, n, f) != n) { fprintf(stderr, "vectors: the operand file is too short\n"); exit(3); }
}
static void write_all(FILE *f, const void *p, size_t n) {
  if (fwrite(p, 1, n, f) != n) { fprintf(stderr, "vectors: cannot write the results\n"); exit(4); }
}

static void run_row(FILE *in, FILE *out) {
  st_row_head h;
  read_all(in, &h, sizeof h);
  current = h.row;
  std::vector<char> operands(h.n * (size_t)32), results((size_t)h.forms * h.n * h.results * 8);
  read_all(in, operands.data(), operands.size());
  const void *kernel = kernel_of(h.row);
  if (!kernel) { fprintf(stderr, "vectors: row %u is not in this program\n", h.row); exit(3); }
  char *d_in, *d_out, *d_mem;
  CUDA(cudaMalloc((void **)&d_in, operands.size()));
  CUDA(cudaMalloc((void **)&d_out, results.size()));
  CUDA(cudaMalloc((void **)&d_mem, h.n * (size_t)SCRATCH));
  CUDA(cudaMemcpy(d_in, operands.data(), operands.size(), cudaMemcpyHostToDevice));
  CUDA(cudaMemset(d_out, 0, results.size()));
  CUDA(cudaMemset(d_mem, 0, h.n * (size_t)SCRATCH));
  size_t step = (size_t)h.n * h.results * 8;
  void *args[] = {&d_in, &d_out, &d_mem, &step};
  CUDA(cudaLaunchKernel(kernel, dim3(h.n / BLOCK), dim3(BLOCK), args, 0, nullptr));
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaMemcpy(results.data(), d_out, results.size(), cudaMemcpyDeviceToHost));
  CUDA(cudaFree(d_in));
  CUDA(cudaFree(d_out));
  CUDA(cudaFree(d_mem));
  write_all(out, &h, sizeof h);
  write_all(out, results.data(), results.size());
}

int main(int argc, char **argv) {
  FILE *in = argc == 3 ? fopen(argv[1], "rb") : nullptr, *out = in ? fopen(argv[2], "wb") : nullptr;
  if (!out) return fprintf(stderr, "usage: vectors OPERANDS RESULTS\n"), 3;
  st_head head;
  cudaDeviceProp prop;
  read_all(in, &head, sizeof head);
  if (head.magic != ST_MAGIC) return fprintf(stderr, "vectors: %s holds no operands\n", argv[1]), 3;
  CUDA(cudaGetDeviceProperties(&prop, 0));
  if ((unsigned)(prop.major * 10 + prop.minor) < head.arch) {
    fprintf(stderr, "vectors: %s has compute capability %d.%d; these forms need %u.%u\n", prop.name, prop.major, prop.minor,
            head.arch / 10, head.arch % 10);
    return 5;
  }
  snprintf(head.device, sizeof head.device, "%.50s (%d.%d)", prop.name, prop.major, prop.minor);
  write_all(out, &head, sizeof head);
  for (unsigned k = 0; k < head.rows; k++) run_row(in, out);
  return fclose(out) == 0 ? 0 : 4;
}
