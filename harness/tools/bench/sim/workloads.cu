// The three workloads of `scanlab bench sim`, each checked against the host after it was timed:
//   scan   exclusive Blelloch sum of floats: tiles of 1024 by 512 threads, scan of their sums, offsets added
//   split  one whole 1-bit pass of a radix sort: flags, int scan, stable scatter
//   count  4-bit digit histogram of each block with shared atomics
// Usage: workloads N REPS. Prints one line each: NAME median_ns_per_element min_ns_per_element
// wrong_elements, then "device_bytes BYTES". n: a multiple of 1024, at most 2^26. Also compiled as HIP
// (portable.h); workloads.cl is the same in OpenCL.
#include "host.h"
#include "portable.h"

/* Kernel:   scan_tiles — exclusive sum of each tile of 1024 elements, work-efficient
 * Launch:   grid = n / 1024, block = 512          Shared: static, 1024 * sizeof(T)
 * Work:     2(T-1) adds per tile                  Barriers: 2*log2(T)+1
 * Source:   Blelloch 1990, CMU-CS-90-190 */
template <typename T> __global__ void scan_tiles(const T *in, T *out, T *sums) {
  __shared__ T s[TILE];
  int t = threadIdx.x, base = blockIdx.x * TILE, step = 1;
  s[t] = in[base + t];
  s[t + THREADS] = in[base + t + THREADS];
  for (int active = THREADS; active > 0; active /= 2, step *= 2) {
    __syncthreads();
    if (t < active) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
  }
  if (t == 0) {
    sums[blockIdx.x] = s[TILE - 1];
    s[TILE - 1] = 0;
  }
  for (int active = 1; active < TILE; active *= 2) {
    step /= 2;
    __syncthreads();
    if (t < active) {
      int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;
      T left = s[a];
      s[a] = s[b];
      s[b] += left;
    }
  }
  __syncthreads();
  out[base + t] = s[t];
  out[base + t + THREADS] = s[t + THREADS];
}

template <typename T> __global__ void add_offsets(T *out, const T *offsets) {
  int i = blockIdx.x * TILE + threadIdx.x;
  T o = offsets[blockIdx.x];
  out[i] += o;
  out[i + THREADS] += o;
}

__global__ void flag_zeros(const unsigned *keys, int *flags, int bit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  flags[i] = !((keys[i] >> bit) & 1);
}

__global__ void scatter_bit(const unsigned *keys, unsigned *out, const int *flags, const int *before, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int zeros = before[n - 1] + flags[n - 1];
  out[flags[i] ? before[i] : i - before[i] + zeros] = keys[i];
}

__global__ void count_digits(const unsigned *keys, int *counts, int shift) {
  __shared__ int h[16];
  if (threadIdx.x < 16) h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[(keys[blockIdx.x * blockDim.x + threadIdx.x] >> shift) & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = h[threadIdx.x];
}

template <typename T> static T *device(size_t n) {
  T *p = nullptr;
  if (cudaMalloc((void **)&p, n * sizeof(T)) != cudaSuccess) { fprintf(stderr, "no device memory\n"); exit(1); }
  device_bytes += n * sizeof(T);
  return p;
}

// Tile sums of each level, until one tile holds them. A level fills whole tiles: past the last sum is 0.
template <typename T> struct Scan {
  std::vector<T *> sums, offsets;
  Scan(int n) {
    for (int tiles = n / TILE; tiles > 0; tiles = tiles > 1 ? (tiles + TILE - 1) / TILE : 0) {
      size_t room = (size_t)(tiles + TILE - 1) / TILE * TILE;
      sums.push_back(device<T>(room)), offsets.push_back(device<T>(room));
      (void)cudaMemset(sums.back(), 0, room * sizeof(T));
    }
  }
  void operator()(const T *in, T *out, int n, size_t level = 0) {
    int tiles = (n + TILE - 1) / TILE;
    LAUNCH(scan_tiles<T>, tiles, THREADS, in, out, sums[level]);
    if (tiles == 1) return;
    (*this)(sums[level], offsets[level], tiles, level + 1);
    LAUNCH(add_offsets<T>, tiles, THREADS, out, (const T *)offsets[level]);
  }
};

static void wait() {
  if (cudaDeviceSynchronize() == cudaSuccess) return;
  fprintf(stderr, "a workload failed\n");
  exit(1);
}

template <typename T> static std::vector<T> fetch(const T *p, int n) {
  std::vector<T> h(n);
  (void)cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return h;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20, reps = argc > 2 ? atoi(argv[2]) : 3;
  if (n < TILE || n > 1 << 26 || n % TILE || reps < 1) { fprintf(stderr, "usage: workloads N REPS\n"); return 2; }
  Input input(n);
  float *fin = device<float>(n), *fout = device<float>(n);
  unsigned *keys = device<unsigned>(n), *out = device<unsigned>(n);
  int *flags = device<int>(n), *before = device<int>(n), blocks = n / THREADS;
  (void)cudaMemcpy(fin, input.f.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  (void)cudaMemcpy(keys, input.u.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  Scan<float> scan_float(n);
  Scan<int> scan_int(n);

  report("scan", n, reps, [&] { scan_float(fin, fout, n), wait(); }, [&] { return wrong_scan(input, fetch(fout, n)); });
  report("split", n, reps, [&] {
    LAUNCH(flag_zeros, blocks, THREADS, (const unsigned *)keys, flags, 0);
    scan_int(flags, before, n);
    LAUNCH(scatter_bit, blocks, THREADS, (const unsigned *)keys, out, (const int *)flags, (const int *)before, n);
    wait();
  }, [&] { return wrong_split(input, fetch(out, n)); });
  report("count", n, reps, [&] {
    LAUNCH(count_digits, blocks, THREADS, (const unsigned *)keys, flags, 0);
    wait();
  }, [&] { return wrong_count(input, fetch(flags, 16 * blocks)); });
  printf("device_bytes %zu\n", device_bytes);
  finish();
  return 0;
}
