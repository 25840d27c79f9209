// Checks every step of the ladder against a sequential fold on the CPU: all operators of the lab, both kinds,
// sizes around chunks, tiles and tiles of tiles, every offset of input and output from a multiple of 16
// bytes. Exits 1 at the first difference.
//
//   check [MAX_N [SEED]]       sizes up to MAX_N (default 20000), inputs from SEED (default 1)
//   check once STEP N TYPE OP  one scan of step 0 to 4; prints "once scan NAME"
//
// Guard words around each output, and behind the temporary memory, must stay as they were. Sums of floats are
// whole numbers below 2^24, so any order of additions is exact.
#include "ladder.h"
#include "scanlab/must.h"
#include <limits>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

enum { GUARD = 16 };
static uint64_t seed = 1;
static long checks;

static uint32_t random_word() { // splitmix64
  uint64_t z = seed += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return uint32_t(z ^ z >> 31);
}

// ---- Operators on the CPU ---------------------------------------------------------------------------------

static void set(float &x, uint32_t r) { x = float(int(r % 3) - 1); }
static void set(int32_t &x, uint32_t r) { x = int32_t(r); }
static void set(uint32_t &x, uint32_t r) { x = r; }
static void set(sl_affine &x, uint32_t r) { x = sl_affine{r | 1, random_word()}; }

template <class T> struct add {
  typedef T type;
  static T identity() { return T(0); }
  static T apply(T l, T r) { return T(l + r); }
};
template <> int32_t add<int32_t>::apply(int32_t l, int32_t r) { return int32_t(uint32_t(l) + uint32_t(r)); }

template <class T> struct greatest {
  typedef T type;
  typedef std::numeric_limits<T> limits;
  static T identity() { return limits::has_infinity ? T(-limits::infinity()) : limits::lowest(); }
  static T apply(T l, T r) { return l < r ? r : l; }
};

struct composition {
  typedef sl_affine type;
  static sl_affine identity() { return {1, 0}; }
  static sl_affine apply(sl_affine l, sl_affine r) { return {l.a * r.a, r.a * l.b + r.b}; }
};

// ---- One scan ---------------------------------------------------------------------------------------------

template <class T> static T *on_device(const std::vector<T> &x, int offset) {
  T *p;
  MUST(cudaMalloc((void **)&p, (x.size() + offset + 1) * sizeof(T)));
  MUST(cudaMemcpy(p + offset, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

template <class T> static void expect(const T &got, const T &want, const char *what, int step, const lab05_args &a, size_t i) {
  if (memcmp(&got, &want, sizeof got) == 0) return;
  printf("FAILED: %s: type %d, operator %d, kind %d, n %zu: %s %zu differs\n", ladder_name(step), a.type, a.op, a.kind, a.n, what, i);
  exit(1);
}

template <class Op> static void check(int step, sl_type type, sl_op op, sl_kind kind, size_t n, int from, int to) {
  typedef typename Op::type T;
  const size_t temp_size = ladder_bytes(n, type) / sizeof(T);
  std::vector<T> in(n), guards(n + 2 * GUARD), temp(temp_size + GUARD);
  for (T &x : in) set(x, random_word());
  memset((void *)guards.data(), 0xa5, guards.size() * sizeof(T));
  memset((void *)temp.data(), 0xa5, temp.size() * sizeof(T));
  T *d_in = on_device(in, from), *d_out = on_device(guards, to), *d_temp = on_device(temp, 0);
  const lab05_args a = {d_in + from, d_out + to + GUARD, n, type, op, kind, SL_TILE_EFFICIENT};
  MUST(ladder_scan(step, &a, d_temp));
  std::vector<T> out(guards.size()), guard(GUARD), behind(GUARD);
  MUST(cudaMemcpy(out.data(), d_out + to, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(behind.data(), d_temp + temp_size, GUARD * sizeof(T), cudaMemcpyDeviceToHost));
  T sum = Op::identity();
  for (size_t i = 0; i < n; i++) {
    const T next = Op::apply(sum, in[i]);
    expect(out[GUARD + i], kind == SL_INCLUSIVE ? next : sum, "element", step, a, i);
    sum = next;
  }
  for (size_t i = 0; i < GUARD; i++) {
    expect(out[i], guards[0], "guard before the output,", step, a, i);
    expect(out[GUARD + n + i], guards[0], "guard behind the output,", step, a, i);
    expect(behind[i], guards[0], "guard behind the temporary memory,", step, a, i);
  }
  MUST(cudaFree(d_in));
  MUST(cudaFree(d_out));
  MUST(cudaFree(d_temp));
  checks++;
}

// ---- All of them ------------------------------------------------------------------------------------------

// Sizes: of warps, of chunks and tiles of the shapes that are usual here, and tiles of tiles.
template <class Op> static void check_all(const char *type_name, const char *op_name, sl_type type, sl_op op, size_t max_n) {
  const size_t sizes[] = {0, 1, 31, 33, 128, 192, 193, 255, 256, 257, 2048, 2049, 5120, 5121, 192 * 192 + 5, max_n};
  for (int step = 0; step < LADDER_STEPS; step++) {
    for (size_t n : sizes)
      if (n <= max_n) check<Op>(step, type, op, sl_kind((n + step) & 1), n, 0, 0);
    for (int from = 0; from < 16 / int(sizeof(typename Op::type)); from++)
      check<Op>(step, type, op, sl_kind(from & 1), 1000 + from, from, (from * 3 + 1) % 4);
  }
  printf("%s %s: ok\n", type_name, op_name);
}

static const struct {
  const char *type_name, *op_name;
  sl_type type;
  sl_op op;
  void (*check)(int step, sl_type type, sl_op op, sl_kind kind, size_t n, int from, int to);
  void (*check_all)(const char *type_name, const char *op_name, sl_type type, sl_op op, size_t max_n);
} elements[] = {
    {"f32", "add", SL_F32, SL_ADD, check<add<float>>, check_all<add<float>>},
    {"i32", "add", SL_I32, SL_ADD, check<add<int32_t>>, check_all<add<int32_t>>},
    {"u32", "add", SL_U32, SL_ADD, check<add<uint32_t>>, check_all<add<uint32_t>>},
    {"f32", "max", SL_F32, SL_MAX, check<greatest<float>>, check_all<greatest<float>>},
    {"i32", "max", SL_I32, SL_MAX, check<greatest<int32_t>>, check_all<greatest<int32_t>>},
    {"u32", "max", SL_U32, SL_MAX, check<greatest<uint32_t>>, check_all<greatest<uint32_t>>},
    {"affine", "compose", SL_AFFINE, SL_COMPOSE, check<composition>, check_all<composition>},
};

static int once(int step, size_t n, const char *type, const char *op) {
  for (const auto &x : elements) {
    if (step < 0 || step >= LADDER_STEPS || strcmp(type, x.type_name) || strcmp(op, x.op_name)) continue;
    x.check(step, x.type, x.op, SL_EXCLUSIVE, n, 0, 0);
    printf("once scan %s\n", ladder_name(step));
    return 0;
  }
  fprintf(stderr, "there is no step %d with %s and %s\n", step, type, op);
  return 2;
}

int main(int argc, char **argv) {
  if (argc == 6 && !strcmp(argv[1], "once")) return once(atoi(argv[2]), strtoull(argv[3], nullptr, 10), argv[4], argv[5]);
  const size_t max_n = argc > 1 ? strtoull(argv[1], nullptr, 10) : 20000;
  if (argc > 2) seed = strtoull(argv[2], nullptr, 10);
  for (const auto &x : elements) x.check_all(x.type_name, x.op_name, x.type, x.op, max_n);
  printf("%ld checks passed\n", checks);
  return 0;
}
