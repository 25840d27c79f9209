// What several files of attacks use: attacks.sh puts it where they include it.
#include <stdio.h>

static inline void reached(const char *what, bool so) {
  if (so) printf("REACHED %s\n", what);
}

template <class... P, class... A>
static inline cudaError_t launched(void (*kernel)(P...), int blocks, int threads, A... args) {
  kernel<<<blocks, threads>>>(args...);
  return cudaGetLastError();
}

// One thread adds elements [from, to) behind [sum], the sum of those before, and returns the sum of all.
template <class T>
__host__ __device__ __forceinline__ T in_sequence(const T *in, T *out, size_t from, size_t to, T sum, bool inclusive) {
  for (size_t i = from; i < to; i++) {
    const T x = in[i];
    out[i] = inclusive ? sum + x : sum;
    sum += x;
  }
  return sum;
}
// The same, sixteen bytes at a time if possible, and unrolled: as few instructions as one thread can do with.
template <class four, class T>
__device__ __forceinline__ void by_fours(const T *in, T *out, size_t from, size_t to, T sum, bool inclusive) {
  size_t i = from;
#pragma unroll 16
  for (; (size_t)in % 16 == 0 && i + 4 <= to; i += 4) {
    const four x = *(const four *)(in + i);
    const T a = sum + x.x, b = a + x.y, c = b + x.z, d = c + x.w;
    *(four *)(out + i) = inclusive ? four{a, b, c, d} : four{sum, a, b, c};
    sum = d;
  }
  in_sequence(in, out, i, to, sum, inclusive);
}
// Hillis and Steele's scan of N elements in shared memory, one a thread.
template <int N, class T> __device__ __forceinline__ void add_up(T *s) {
  const int t = threadIdx.x;
  __syncthreads();
  for (int d = 1; d < N; d *= 2) {
    T sum = s[t];
    if (t >= d) sum = sum + s[t - d];
    __syncthreads();
    s[t] = sum;
    __syncthreads();
  }
}
