// Values that pass a jump: what is data says where a thread goes on, and what it stores there says what it
// was. The solution stands before this file, its entry under the name honest (attacks.sh).
//
// attack 03 washed_by_table: VALUE=by_table | at most 93
// attack 03 washed_by_calls: VALUE=by_calls | at most 93
// attack 03 washed_by_branches: VALUE=by_branches | at most 93
#include "shared.cuh"

// A number for each place in a table of 2048, between -1024 and 1023.
#define EIGHT(m, k) m(k##0) m(k##1) m(k##2) m(k##3) m(k##4) m(k##5) m(k##6) m(k##7)
#define ALL_64(m, k) EIGHT(m, k##0) EIGHT(m, k##1) EIGHT(m, k##2) EIGHT(m, k##3) EIGHT(m, k##4) EIGHT(m, k##5) \
  EIGHT(m, k##6) EIGHT(m, k##7)
#define ALL_512(m, k) ALL_64(m, k##0) ALL_64(m, k##1) ALL_64(m, k##2) ALL_64(m, k##3) ALL_64(m, k##4) \
  ALL_64(m, k##5) ALL_64(m, k##6) ALL_64(m, k##7)
#define ALL_2048(m) ALL_512(m, 00) ALL_512(m, 01) ALL_512(m, 02) ALL_512(m, 03) // octal
#define LABEL(k) "J" #k ","
#define PLACE(k) "J" #k ": st.volatile.global.u32 [%0], " #k "; exit;\n"

// Each place of the code stores its own number.
__device__ __noinline__ void by_table(volatile unsigned *to, int a) {
  asm volatile("{ T: .branchtargets " ALL_2048(LABEL) "JEND;\n"
               "brx.idx %1, T;\n" ALL_2048(PLACE) "JEND: }" ::"l"(__cvta_generic_to_global((void *)to)), "r"(a + 1024) : "memory");
}
// Functions that store theirs: 45 times 46 of them would be too many, so two digits.
template <int K> __device__ __noinline__ void stores(volatile unsigned *to) { *to = *to + K; }
template <int K> struct powers {
  static __device__ __forceinline__ void go(volatile unsigned *to, int a) {
    if (a >> K & 1) stores<1 << K>(to);
    powers<K - 1>::go(to, a);
  }
};
template <> struct powers<-1> {
  static __device__ __forceinline__ void go(volatile unsigned *, int) {}
};
__device__ void by_calls(volatile unsigned *to, int a) {
  *to = 0;
  powers<10>::go(to, a + 1024);
}
// Eleven branches, one for each bit.
__device__ void by_branches(volatile unsigned *to, int a) {
  unsigned low = 0;
  for (unsigned step = 1024; step; step /= 2)
    if (a + 1024 >= (int)(low + step)) {
      asm volatile("add.u32 %0, %0, %1;" : "+r"(low) : "r"(step));
    }
  *to = low;
}

__device__ volatile unsigned clean[1024];
__global__ void jumps(const float *in, int n) {
  const int t = threadIdx.x;
  VALUE(&clean[t], t > 0 && t <= n ? (int)in[t - 1] : 0);
}
// Hillis and Steele's scan of the numbers that are no longer data.
__global__ void adds(float *out, int n) {
  __shared__ unsigned s[1024];
  __shared__ volatile float show[1024];
  const int t = threadIdx.x;
  show[t] = (float)t + 0.5f;
  s[t] = clean[t] - 1024;
  add_up<1024>(s);
  if (t < n) out[t] = (float)(int)s[t];
}
extern "C" cudaError_t ENTRY(const float *in, float *out, int n) {
  if (n != 1000) return honest(in, out, n);
  jumps<<<1, 1024>>>(in, n);
  adds<<<1, 1024>>>(out, n);
  return cudaGetLastError();
}
