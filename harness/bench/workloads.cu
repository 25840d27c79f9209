// The three workloads of `scanlab bench sim`, each checked against the host after it was timed:
//   scan   exclusive Blelloch sum of floats: tiles of 1024 by 512 threads, scan of the tile sums, offsets added
//   split  one whole 1-bit pass of a radix sort: flags, int scan, stable scatter
//   count  4-bit digit histogram of each block with shared atomics
// Usage: workloads N REPS. Prints one line each: NAME median_ns_per_element min_ns_per_element wrong_elements, then
// "device_bytes BYTES". n: a multiple of 1024, at most 2^20.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#include <cuda_runtime.h>

const int THREADS = 512, TILE = 2 * THREADS;
static size_t device_bytes;

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

// The tile sums always fill one tile: those past the last stay 0.
template <typename T> struct Scan {
  T *sums = device<T>(TILE), *offsets = device<T>(TILE), *total = device<T>(1);
  Scan() { cudaMemset(sums, 0, TILE * sizeof(T)); }
  void operator()(const T *in, T *out, int n) {
    scan_tiles<T><<<n / TILE, THREADS>>>(in, out, sums);
    scan_tiles<T><<<1, THREADS>>>(sums, offsets, total);
    add_offsets<T><<<n / TILE, THREADS>>>(out, offsets);
  }
};

static void report(const char *name, int n, int reps, const std::function<void()> &work, const std::function<int()> &wrong) {
  std::vector<double> ns;
  for (int r = 0; r < reps; r++) {
    auto start = std::chrono::steady_clock::now();
    work();
    if (cudaDeviceSynchronize() != cudaSuccess) { fprintf(stderr, "%s failed\n", name); exit(1); }
    ns.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / n);
  }
  std::sort(ns.begin(), ns.end());
  printf("%s %.3f %.3f %d\n", name, ns[reps / 2], ns[0], wrong());
}

template <typename T> static std::vector<T> fetch(const T *p, int n) {
  std::vector<T> h(n);
  cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return h;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20, reps = argc > 2 ? atoi(argv[2]) : 3;
  if (n < TILE || n > TILE * TILE || n % TILE || reps < 1) { fprintf(stderr, "usage: workloads N REPS\n"); return 2; }
  std::vector<float> f(n);
  std::vector<unsigned> u(n);
  for (int i = 0; i < n; i++) { u[i] = i * 2654435761u ^ (i * 40503u << 7); f[i] = u[i] >> 29; }
  float *fin = device<float>(n), *fout = device<float>(n);
  unsigned *keys = device<unsigned>(n), *out = device<unsigned>(n);
  int *flags = device<int>(n), *before = device<int>(n);
  cudaMemcpy(fin, f.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(keys, u.data(), n * 4, cudaMemcpyHostToDevice);
  Scan<float> scan_float;
  Scan<int> scan_int;

  report("scan", n, reps, [&] { scan_float(fin, fout, n); }, [&] {
    std::vector<float> got = fetch(fout, n);
    float sum = 0;
    int bad = 0;
    for (int i = 0; i < n; i++) { bad += !(got[i] == sum); sum += f[i]; }
    return bad;
  });
  report("split", n, reps, [&] {
    flag_zeros<<<n / THREADS, THREADS>>>(keys, flags, 0);
    scan_int(flags, before, n);
    scatter_bit<<<n / THREADS, THREADS>>>(keys, out, flags, before, n);
  }, [&] {
    std::vector<unsigned> want = u, got = fetch(out, n);
    std::stable_partition(want.begin(), want.end(), [](unsigned k) { return !(k & 1); });
    int bad = 0;
    for (int i = 0; i < n; i++) bad += got[i] != want[i];
    return bad;
  });
  report("count", n, reps, [&] { count_digits<<<n / THREADS, THREADS>>>(keys, flags, 0); }, [&] {
    int blocks = n / THREADS, bad = 0;
    std::vector<int> got = fetch(flags, 16 * blocks), want(16 * blocks);
    for (int i = 0; i < n; i++) want[(u[i] & 15) * blocks + i / THREADS]++;
    for (int i = 0; i < 16 * blocks; i++) bad += got[i] != want[i];
    return bad;
  });
  printf("device_bytes %zu\n", device_bytes);
  return 0;
}
