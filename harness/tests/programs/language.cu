// The language: structs by value of odd sizes, unions, bit-fields, packed members, virtual functions,
// indirect calls, recursion, templates, lambdas, switches, arrays of a thread with computed indices, constant
// arrays, new and delete, early exits from loops.
#include <new>
#include "check.h"

const int N = 96;

struct Three { unsigned char b[3]; };
struct Odd { char a; short b; int c; char d[5]; double e; char f; };
struct Big { int v[33]; };
struct __attribute__((packed)) Packed { char tag; int value; double real; };
struct Bits { unsigned lo : 5; int mid : 11; unsigned hi : 16; long long wide : 40; };
union Word { float f; unsigned u; unsigned char b[4]; };

__device__ __noinline__ Three next(Three x) { Three y = {{(unsigned char)(x.b[1] + 1), (unsigned char)(x.b[2] + 2), x.b[0]}}; return y; }
__device__ __noinline__ Odd change(Odd o, Three t) {
  o.a += t.b[0], o.b = (short)(o.b * 3), o.c ^= 0x55, o.d[4] = o.a, o.e *= 1.5, o.f = t.b[2];
  return o;
}
__device__ __noinline__ Big shift(Big x, int by) {
  Big y;
  for (int k = 0; k < 33; k++) y.v[(k + by) % 33] = x.v[k] * 2;
  return y;
}

__global__ void structs(Three three, Odd odd, Big big, const Packed *p, int *out) {
  int t = threadIdx.x;
  Three n = next(three);
  odd.c += t;
  Odd o = change(odd, n);
  Big b = shift(big, t % 33);
  Bits f = {(unsigned)t, -t, (unsigned)(t * 1000), (long long)t << 30};
  f.mid += 3, f.wide -= 1;
  Word w;
  w.f = t * 0.5f;
  w.b[3] ^= 0x80;
  Packed q = p[t];
  int v[8] = {n.b[0] + n.b[1] + n.b[2], o.a + o.b + o.c + o.d[4] + (int)o.e + o.f, b.v[5] + b.v[t % 33], (int)(f.lo + f.mid + f.hi + (int)(f.wide >> 8)),
              (int)(w.f * 8), q.tag + q.value + (int)q.real, (int)sizeof(Odd), (int)sizeof(Bits)};
  for (int k = 0; k < 8; k++) out[8 * t + k] = v[k];
}

static void test_structs() {
  Three three = {{250, 255, 7}};
  Odd odd = {5, -300, 1234, {1, 2, 3, 4, 5}, 10.5, 9};
  Big big;
  for (int k = 0; k < 33; k++) big.v[k] = k * k;
  std::vector<Packed> p(N);  // in steps of 13 bytes: the members are not aligned
  std::vector<int> want;
  for (int t = 0; t < N; t++) {
    p[t] = Packed{(char)t, t * 100001, t / 3.0};
    int a0 = (unsigned char)(255 + 1), a1 = 7 + 2, a2 = 250, oa = (char)(5 + a0), of = (char)a2;
    want.push_back(a0 + a1 + a2);
    want.push_back(oa - 900 + ((1234 + t) ^ 0x55) + oa + 15 + of);
    auto at = [&](int k) { int from = ((k - t % 33) + 33) % 33; return from * from * 2; };
    want.push_back(at(5) + at(t % 33));
    want.push_back((t & 31) + (-t + 3) + ((t * 1000) & 0xffff) + (int)((((long long)t << 30) - 1) << 24 >> 32));
    want.push_back((int)(-t * 0.5f * 8));
    want.push_back((char)t + t * 100001 + (int)(t / 3.0));
    want.push_back(sizeof(Odd));
    want.push_back(sizeof(Bits));
  }
  Dev<Packed> dp(p);
  Dev<int> out(8 * N);
  structs<<<1, N>>>(three, odd, big, dp, out);
  check_equal("structs", out.get(), want);
}

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual int scale(int k) { return area() * k; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int a;
  __device__ Square(int a_) : a(a_) {}
  __device__ int area() const override { return a * a; }
};
struct Rect : Square {
  int b;
  __device__ Rect(int a_, int b_) : Square(a_), b(b_) {}
  __device__ int area() const override { return a * b; }
  __device__ int scale(int k) override { return area() + k; }
};

__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ __noinline__ int minus(int a, int b) { return a - b; }
typedef int (*Op)(int, int);
__constant__ Op ops[3] = {plus, times, minus};
__constant__ short squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
__device__ int grid2[3][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}};

__device__ __noinline__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int ackermann_host(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann_host(m - 1, 1) : ackermann_host(m - 1, ackermann_host(m, n - 1)); }

template <int N_> struct Power { __host__ __device__ static int of(int x) { return x * Power<N_ - 1>::of(x); } };
template <> struct Power<0> { __host__ __device__ static int of(int) { return 1; } };
template <typename F> __device__ __noinline__ int apply(F f, int x) { return f(x) + f(x + 1); }

__global__ void calls(int *out) {
  int t = threadIdx.x, offset = t * 2;
  Shape *s = t % 3 ? (Shape *)new Rect(t, 3) : new Square(t);
  int v[6];
  v[0] = s->area() + s->scale(5);
  delete s;
  v[1] = ops[t % 3](t, 7);
  v[2] = ackermann(t % 3, t % 4);
  v[3] = Power<3>::of(t);
  v[4] = apply([=] __device__(int x) { return x * offset + 1; }, t);
  v[5] = squares[t & 7] + grid2[t % 3][t % 5];
  for (int k = 0; k < 6; k++) out[6 * t + k] = v[k];
}

static void test_calls() {
  std::vector<int> want;
  for (int t = 0; t < N; t++) {
    int area = t % 3 ? t * 3 : t * t, g = 5 * (t % 3) + t % 5 + 1, o = 2 * t;
    want.push_back(area + (t % 3 ? area + 5 : area * 5));
    want.push_back(t % 3 == 0 ? t + 7 : t % 3 == 1 ? t * 7 : t - 7);
    want.push_back(ackermann_host(t % 3, t % 4));
    want.push_back(t * t * t);
    want.push_back(t * o + 1 + (t + 1) * o + 1);
    want.push_back((t & 7) * (t & 7) + g);
  }
  Dev<int> out(want.size());
  calls<<<1, N>>>(out);
  check_equal("calls", out.get(), want);
}

// The same code on the device and on the host.
__host__ __device__ inline int choose(int x) {
  switch (x) {
  case 0: return 11;
  case 1: return x * 7 + 1;
  case 2: x += 5;  // falls through
  case 3: return x * x;
  case 4: return -x;
  case 5: return x << 3;
  case 6: return x ^ 0x33;
  case 9: return 99;
  case 100: return 1;
  default: return x % 13;
  }
}
__host__ __device__ inline int loops(int t, int *hits) {
  int sum = 0, table[16];
  for (int k = 0; k < 16; k++) table[k] = (k * 5 + t) & 15;
  for (int i = 0; i < 50; i++) {
    if ((i ^ t) % 7 == 3) continue;
    if (i > t) break;
    for (int j = i; j; j >>= 1) {
      if (j == (t & 7)) goto next;
      table[table[(i + j) & 15] & 15] += j & 1;
      table[(i + j) & 15] &= 15;
      if ((sum += table[j & 15]) > 4000) return sum;
    }
    sum++;
  next:
    int n = i * t + 1;
    do {
      n = n & 1 ? (3 * n + 1) & 0xfff : n >> 1;
      ++*hits;
    } while (n > 1 && *hits < 1000 + t);
    while (true) {
      sum += choose(n + (t & 7));
      if (n++ > 2) break;
      if (t % 5 == 0) continue;
      if (t % 11 == 4) { sum ^= 0x1000; break; }
    }
  }
  return sum;
}
__global__ void control(int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, hits = 0;
  if (t % 17 == 16) return;
  out[2 * t] = loops(t % 64, &hits) + choose(t % 8);
  if (t % 2) { if (t % 3) { if (t % 5) hits += 1000; else hits += 2000; } else hits += 3000; }
  out[2 * t + 1] = hits;
}

static void test_control() {
  const int n = 512;
  std::vector<int> want(2 * n, (int)0xA5A5A5A5);
  for (int t = 0; t < n; t++) {
    int hits = 0;
    if (t % 17 == 16) continue;
    want[2 * t] = loops(t % 64, &hits) + choose(t % 8);
    if (t % 2) hits += t % 3 ? t % 5 ? 1000 : 2000 : 3000;
    want[2 * t + 1] = hits;
  }
  Dev<int> out(2 * n);
  control<<<4, n / 4>>>(out);
  check_equal("control flow", out.get(), want);
}

struct Node { int key; Node *left, *right; };
__device__ void insert(Node **at, int key) {
  while (*at) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  *at = new Node{key, nullptr, nullptr};
}
__device__ int walk(Node *n, int *out, int at) {
  if (!n) return at;
  at = walk(n->left, out, at);
  out[at++] = n->key;
  at = walk(n->right, out, at);
  delete n;
  return at;
}
__global__ void trees(int *out) {  // a sorted sequence by a search tree in each thread
  Node *root = nullptr;
  for (int k = 0; k < 12; k++) insert(&root, (k * 7 + threadIdx.x * 5) % 12);
  out[threadIdx.x * 12] = walk(root, out + threadIdx.x * 12, 0) == 12 ? out[threadIdx.x * 12] : -1;
}

int main() {
  test_structs();
  test_calls();
  test_control();
  std::vector<int> want(12 * 32);
  for (size_t i = 0; i < want.size(); i++) want[i] = (int)i % 12;
  Dev<int> out(want.size());
  trees<<<1, 32>>>(out);
  check_equal("trees", out.get(), want);
  return check_done("language");
}
