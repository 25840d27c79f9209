// Memory of every kind and width: vectors up to 16 bytes, bytes and shorts, cache hints, volatile, constant
// and device variables, generic pointers and which space they are in, copies by the compiler's own loops,
// unaligned bytes, dynamic and static shared memory together, prefetch, bit fields.
#include <algorithm>
#include <string>
#include "check.h"

const int N = 64;

template <typename V> __global__ void copy_reversed(const V *in, V *out) { out[blockDim.x - 1 - threadIdx.x] = in[threadIdx.x]; }

template <typename V> static void test_vector(const char *name) {
  std::vector<unsigned char> h(N * sizeof(V)), want(h.size());
  for (size_t i = 0; i < h.size(); i++) h[i] = (unsigned char)hash_u32((unsigned)i);
  for (int t = 0; t < N; t++) memcpy(&want[(N - 1 - t) * sizeof(V)], &h[t * sizeof(V)], sizeof(V));
  Dev<unsigned char> in(h), out(h.size());
  copy_reversed<V><<<1, N>>>((const V *)in.p, (V *)out.p);
  check_equal(name, out.get(), want);
}

__global__ void widths(const signed char *c, const unsigned char *uc, const short *s, const unsigned short *us, const bool *b, int *out, unsigned char *oc, short *os) {
  int t = threadIdx.x;
  out[t] = c[t] + uc[t] * 2 + s[t] * 3 + us[t] * 5 + (b[t] ? 7 : 0);
  oc[t] = (unsigned char)out[t];
  os[t] = (short)(out[t] >> 3);
}

__global__ void hints(const int *__restrict__ in, int *out, volatile int *v) {
  int t = threadIdx.x;
  int x = __ldg(in + t) + __ldcg(in + t) + __ldca(in + t) + __ldcs(in + t) + __ldlu(in + t) + __ldcv(in + t);
  int4 y = __ldg((const int4 *)in + (t & 7));
  double d = __ldg((const double *)in + (t & 7));
  x += y.x + y.w + (d == d);
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
  __stwb(out + t, x), __stcg(out + N + t, x + 1), __stcs(out + 2 * N + t, x + 2), __stwt(out + 3 * N + t, x + 3);
  v[t] = 1;
  v[t] += 2;
  __threadfence_system();
}

__constant__ int weights[5][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}, {13, 14, 15}};
__constant__ float from_host[8];
__constant__ const char *names[3] = {"up", "down", "sideways"};
__device__ struct { int a; double b; } record = {5, 2.5};
__device__ int *pointer_to_data;
__device__ int data[4] = {1, 2, 3, 4};
__managed__ int managed_value = 3;

__global__ void variables(int *out) {
  int t = threadIdx.x, n = 0;
  for (const char *p = names[t % 3]; *p; p++) n += *p;
  out[t] = weights[t % 5][t % 3] + (int)from_host[t & 7] + n + record.a + (int)(record.b * 2) + pointer_to_data[t & 3];
  if (t == 0) managed_value += 4;
}

// A constant is in global memory as well on some devices.
__device__ __noinline__ unsigned spaces_of(const void *p) {
  return (__isGlobal(p) && !__isConstant(p)) | __isShared(p) << 1 | __isConstant(p) << 2 | __isLocal(p) << 3;
}
__global__ void spaces(int *out, int k) {
  __shared__ int s[32];
  extern __shared__ double dynamic[];
  int local[4] = {k, k + 1, k + 2, k + 3};
  int t = threadIdx.x;
  s[t] = t, dynamic[t] = t * 0.5;
  __syncwarp();
  const void *p[5] = {out, &s[t], &weights[1][t % 3], &local[t & 3], &dynamic[t]};
  const int *q = t % 3 == 0 ? &s[31 - t] : t % 3 == 1 ? &local[k] : &data[t & 3];
  unsigned all = 0;
  for (int i = 0; i < 5; i++) all = all * 16 + spaces_of(p[i]);
  out[2 * t] = all;
  out[2 * t + 1] = *q + (int)dynamic[31 - t] + (int)(__cvta_generic_to_shared(&s[1]) - __cvta_generic_to_shared(&s[0]));
}

struct Block64 { char c[64]; };
__global__ void copies(char *to, const char *from, Block64 *blocks, int n) {
  int t = threadIdx.x;
  memcpy(to + t * 40 + 1, from + t * 40 + 3, 37);
  memset(to + t * 40, t, 1);
  Block64 b = blocks[t];
  for (int k = 0; k < n; k++) b.c[(k * 7 + t) & 63] ^= (char)k;
  blocks[N + t] = b;
}

__global__ void bits(const unsigned *x, unsigned *out) {
  int t = threadIdx.x;
  unsigned a = x[t], b = x[t + 1], v[12], r;
  v[0] = __byte_perm(a, b, 0x5140), v[2] = __funnelshift_r(a, b, t), v[3] = __funnelshift_lc(a, b, t);
  v[4] = (unsigned)__dp4a((int)a, (int)b, 5), v[5] = __dp4a(a, b, 9u), v[6] = (unsigned)__dp2a_lo((int)a, (int)b, 1);
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(t * 0x1357u));
  v[1] = r;
  asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a >> (t & 31)));
  v[7] = r;
  asm("bfe.s32 %0, %1, %2, 5;" : "=r"(r) : "r"(a), "r"(t & 31));
  v[8] = r;
  asm("bfi.b32 %0, %1, %2, %3, 7;" : "=r"(r) : "r"(a), "r"(b), "r"(t & 31));
  v[9] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(t));
  v[10] = r;
  v[11] = (unsigned)__ffsll((unsigned long long)a << 20) + (unsigned)__clzll((long long)a) * 64 + __brev(a) % 97 + __popcll((unsigned long long)a << 32 | b) * 4096 + __vadd2(a, b) % 7 + __vmaxu4(a, b) % 5;
  for (int k = 0; k < 12; k++) out[12 * t + k] = v[k];
}

static unsigned perm(unsigned a, unsigned b, unsigned sel) {
  unsigned long long all = (unsigned long long)b << 32 | a;
  unsigned r = 0;
  for (int k = 0; k < 4; k++) {
    unsigned s = sel >> 4 * k & 15, byte = all >> 8 * (s & 7) & 255;
    if (s & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << 8 * k;
  }
  return r;
}

static void test_bits() {
  std::vector<unsigned> x(N + 1), want;
  for (int t = 0; t <= N; t++) x[t] = hash_u32(t) >> (t % 5);
  for (int t = 0; t < N; t++) {
    unsigned a = x[t], b = x[t + 1], s = t & 31, sh = t < 32 ? t : 32;
    unsigned long long ba = (unsigned long long)b << 32 | a;
    int d4 = 5, d2 = 1, field = (int)(s > 27 ? (long long)(int)a >> s : (long long)(int)(a << (27 - s)) >> 27);
    unsigned u4 = 9, high = 0xffffffff, rev = 0, v2 = 0, v4 = 0;
    for (int k = 0; k < 4; k++) d4 += (signed char)(a >> 8 * k) * (signed char)(b >> 8 * k), u4 += (a >> 8 * k & 255) * (b >> 8 * k & 255);
    for (int k = 0; k < 2; k++) d2 += (short)(a >> 16 * k) * (signed char)(b >> 8 * k), v2 |= ((a >> 16 * k) + (b >> 16 * k) & 0xffff) << 16 * k;
    for (int k = 0; k < 4; k++) v4 |= std::max(a >> 8 * k & 255, b >> 8 * k & 255) << 8 * k;
    for (int k = 0; k < 32; k++) { if ((a >> s) >> k & 1) high = k; rev |= (a >> k & 1) << (31 - k); }
    unsigned mask = (unsigned)(0x7full << s), last = (a ? __builtin_ctz(a) + 21 : 0) + (32 + (a ? __builtin_clz(a) : 32)) * 64 + rev % 97 + __builtin_popcountll(ba) * 4096 + v2 % 7 + v4 % 5;
    for (unsigned v : {perm(a, b, 0x5140), perm(a, b, t * 0x1357u), (unsigned)(ba >> s), (unsigned)(ba << sh >> 32), (unsigned)d4, u4, (unsigned)d2, high, (unsigned)field, (b & ~mask) | (a << s & mask), a ^ b ^ t, last}) want.push_back(v);
  }
  Dev<unsigned> in(x), out(12 * N);
  bits<<<1, N>>>(in, out);
  std::vector<unsigned> got = out.get();
  for (int k = 0; k < 12; k++) {
    std::vector<unsigned> g, w;
    for (int t = 0; t < N; t++) g.push_back(got[12 * t + k]), w.push_back(want[12 * t + k]);
    check_equal(("bits " + std::to_string(k)).c_str(), g, w);
  }
}

static void test_widths() {
  std::vector<signed char> c(N);
  std::vector<unsigned char> uc(N), b(N), oc(N);
  std::vector<short> s(N), os(N);
  std::vector<unsigned short> us(N);
  std::vector<int> want(N);
  for (int t = 0; t < N; t++) {
    unsigned h = hash_u32(t);
    c[t] = (signed char)h, uc[t] = (unsigned char)(h >> 8), s[t] = (short)(h >> 3), us[t] = (unsigned short)(h >> 13), b[t] = h >> 31;
    want[t] = c[t] + uc[t] * 2 + s[t] * 3 + us[t] * 5 + (b[t] ? 7 : 0);
    oc[t] = (unsigned char)want[t], os[t] = (short)(want[t] >> 3);
  }
  Dev<signed char> dc(c);
  Dev<unsigned char> duc(uc), db(b), doc(N);
  Dev<short> ds(s), dos(N);
  Dev<unsigned short> dus(us);
  Dev<int> out(N);
  widths<<<1, N>>>(dc, duc, ds, dus, (bool *)db.p, out, doc, dos);
  check_equal("widths", out.get(), want), check_equal("bytes", doc.get(), oc), check_equal("shorts", dos.get(), os);
}

static void test_hints_and_variables() {
  std::vector<int> h(N), want(4 * N);
  for (int t = 0; t < N; t++) h[t] = t * 3 + 1;
  for (int t = 0; t < 4 * N; t++) want[t] = 6 * h[t % N] + h[4 * (t & 7)] + h[4 * (t & 7) + 3] + 1 + t / N;
  Dev<int> in(h), out(4 * N), v(std::vector<int>(N, 9));
  hints<<<1, N>>>(in, out, v);
  check_equal("cache hints", out.get(), want), check_equal("volatile", v.get(), std::vector<int>(N, 3));
  float f[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  void *address;
  size_t size;
  CUDA(cudaMemcpyToSymbol(from_host, f, sizeof f));
  CUDA(cudaGetSymbolAddress(&address, data));
  CUDA(cudaGetSymbolSize(&size, data));
  CHECK(size == 16, "size of data %zu", size);
  CUDA(cudaMemcpyToSymbol(pointer_to_data, &address, sizeof address));
  managed_value = 30;
  Dev<int> o(N);
  variables<<<1, N>>>(o);
  const char *names_[3] = {"up", "down", "sideways"};
  std::vector<int> w(N);
  for (int t = 0; t < N; t++) {
    w[t] = 3 * (t % 5) + t % 3 + 1 + (t & 7) + 5 + 5 + (t & 3) + 1;
    for (const char *p = names_[t % 3]; *p; p++) w[t] += *p;
  }
  check_equal("variables", o.get(), w);
  CHECK(managed_value == 34, "managed value %d", managed_value);
}

static void test_spaces_and_copies() {
  Dev<int> out(64);
  spaces<<<1, 32, 32 * sizeof(double)>>>(out, 2);
  std::vector<int> want;
  for (int t = 0; t < 32; t++) {
    want.push_back(0x12482);
    want.push_back((t % 3 == 0 ? 31 - t : t % 3 == 1 ? 4 : (t & 3) + 1) + (31 - t) / 2 + 4);
  }
  std::vector<int> got = out.get();
  check_equal("spaces", got, want);
  std::vector<char> from(N * 40 + 3), to(N * 40), blocks(2 * N * 64, 1);
  for (size_t i = 0; i < from.size(); i++) from[i] = (char)hash_u32((unsigned)i);
  for (int t = 0; t < N; t++) memcpy(&to[t * 40 + 1], &from[t * 40 + 3], 37), to[t * 40] = (char)t, to[t * 40 + 38] = to[t * 40 + 39] = 77;
  Dev<char> df(from), dt(std::vector<char>(N * 40, 77)), db(blocks);
  copies<<<1, N>>>(dt, df, (Block64 *)db.p, 70);
  check_equal("memcpy and memset", dt.get(), to);
  for (int t = 0; t < N; t++)
    for (int k = 0; k < 70; k++) blocks[(N + t) * 64 + ((k * 7 + t) & 63)] ^= (char)k;
  check_equal("structs of 64 bytes", db.get(), blocks);
}

int main() {
  test_vector<char2>("char2"), test_vector<uchar3>("uchar3"), test_vector<char4>("char4"), test_vector<short2>("short2");
  test_vector<ushort4>("ushort4"), test_vector<int2>("int2"), test_vector<int3>("int3"), test_vector<uint4>("uint4");
  test_vector<float2>("float2"), test_vector<float3>("float3"), test_vector<float4>("float4"), test_vector<double2>("double2");
  test_vector<longlong2>("longlong2"), test_vector<double4_32a>("double4_32a");
  test_widths();
  test_hints_and_variables();
  test_spaces_and_copies();
  test_bits();
  return check_done("memory");
}
