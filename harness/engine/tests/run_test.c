// Kernels run and give the results that the same computation gives on the host: arithmetic on arrays,
// barriers, divergence, calls, atomics, votes, memory of every kind.
#include "engine/tests/rig.h"

#define RUN(R, NAME, GRID, BLOCK, ...)                                                                       \
  rig_run_ok(&(R), (rig_launch){.kernel = NAME, .grid = GRID, .block = BLOCK}, __VA_ARGS__)

TEST(vector_add) {
  enum { N = 1000 };
  int a[N], b[N];
  for (int i = 0; i < N; i++) a[i] = i * 3, b[i] = 7 - i;
  RIG r = rig_open(NULL);
  struct {
    uint64_t a, b, c;
    int n;
  } p = {rig_array(&r, sizeof a, a), rig_array(&r, sizeof b, b), rig_array(&r, sizeof a, NULL), N};
  RUN(r, "vector_add", 4, 256, &p);
  const int *c = rig_at(&r, p.c, sizeof a);
  for (int i = 0; i < N; i++) assert_int_equal(c[i], a[i] + b[i]);
}

TEST(shared_scan) {
  int in[512], sum = 0;
  for (int i = 0; i < 512; i++) in[i] = (i * 37) % 11 - 4;
  RIG r = rig_open(NULL);
  in_out_arrays p = {rig_array(&r, sizeof in, in), rig_array(&r, sizeof in, NULL), 0};
  RUN(r, "shared_scan", 2, 256, &p);
  const int *out = rig_at(&r, p.out, sizeof in);
  for (int i = 0; i < 512; i++) {
    sum = (i % 256 ? sum : 0) + in[i];
    assert_int_equal(out[i], sum);
  }
}

static int divergence_on_host(int t) {
  int sum = 0;
  for (int i = 0; i < t % 37; i++) {
    if (i % 5 == t % 5) continue;
    if (i > 30 && (t & 1)) break;
    for (int j = i; j > t % 3; j -= 2) {
      sum += j * i;
      if (sum > 100000) sum -= 77777;
    }
    sum ^= i;
  }
  return t & 2 ? sum + 3 : sum * 5;
}

TEST(divergence) {
  RIG r = rig_open(NULL);
  out_array p = {rig_array(&r, 300 * 4, NULL)};
  RUN(r, "divergence", 3, 100, &p);
  const int *out = rig_at(&r, p.out, 300 * 4);
  for (int t = 0; t < 300; t++) assert_int_equal(out[t], divergence_on_host(t));
}

static int switch_on_host(int v, int o) {
  const int r[] = {o + 4, o * 7, o - 1, o / 3, o ^ 11, o << 2, o % 5, -o};
  return v >= 0 && v < 8 ? r[v] : 1000 + v;
}

TEST(switch_table) {
  int in[64], out[64];
  for (int t = 0; t < 64; t++) in[t] = (t * 5) % 11, out[t] = t * 13;
  RIG r = rig_open(NULL);
  in_out_arrays p = {rig_array(&r, sizeof in, in), rig_array(&r, sizeof in, out), 0};
  RUN(r, "switch_table", 1, 64, &p);
  const int *got = rig_at(&r, p.out, sizeof in);
  for (int t = 0; t < 64; t++) assert_int_equal(got[t], switch_on_host(in[t], out[t]));
}

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

TEST(calls) {
  RIG r = rig_open(NULL);
  out_array p = {rig_array(&r, 256, NULL)};
  const int *out = rig_at(&r, p.out, 256);
  RUN(r, "recursion", 1, 40, &p);
  for (int t = 0; t < 40; t++) assert_int_equal(out[t], fib(t % 14));
  RUN(r, "indirect", 1, 40, &p);
  for (int t = 0; t < 40; t++) assert_int_equal(out[t], t % 3 == 0 ? t + 3 : t % 3 == 1 ? t * 3 : t - 3);
}

TEST(structs) {
  RIG r = rig_open(NULL);
  struct {
    struct {
      int a;
      double b;
      short c;
    } p;
    char k;
    uint64_t out;
  } p = {{70000, 1.25, -3}, 5, rig_array(&r, 32 * 24, NULL)};
  RUN(r, "structs", 1, 32, &p);
  const double *o = rig_at(&r, p.out, 32 * 24);
  for (int t = 0; t < 32; t++) {
    assert_true(o[3 * t] == -3 + 5 + t);
    assert_true(o[3 * t + 1] == 2.5);
    assert_true(o[3 * t + 2] == (short)70000);
  }
  struct {
    int v[40];
    uint64_t out;
  } b = {.out = rig_array(&r, 160, NULL)};
  for (int i = 0; i < 40; i++) b.v[i] = i * i;
  RUN(r, "param_array", 1, 40, &b);
  const int *got = rig_at(&r, b.out, 160);
  for (int i = 0; i < 40; i++) assert_int_equal(got[i], i * i);
}

TEST(heap_and_local) {
  int in[32];
  for (int i = 0; i < 32; i++) in[i] = i + 1;
  RIG r = rig_open(NULL);
  out_array p = {rig_array(&r, 256, NULL)};
  uint64_t before = sl_gpu_memory_used(r.gpu);
  RUN(r, "heap", 1, 64, &p);
  assert_int_equal(sl_gpu_memory_used(r.gpu), before);
  const int *out = rig_at(&r, p.out, 256);
  for (int t = 0; t < 64; t++) assert_int_equal(out[t], 63 * 32 * t);
  in_out_arrays q = {rig_array(&r, sizeof in, in), p.out, 9};
  RUN(r, "local_array", 1, 64, &q);
  for (int t = 0; t < 64; t++) assert_int_equal(out[t], 10 * t + (1 + (t * 7) % 32) * t);
}

TEST(atomics) {
  int d[7] = {10, 0, 0, 0xffff, 0, 0, 0};
  unsigned u[4] = {0, 3, 1, 0xffffffffu};
  uint64_t l[3] = {0, 5, 0};
  RIG r = rig_open(NULL);
  struct {
    uint64_t d, u, l, f, e, old;
  } p = {rig_array(&r, sizeof d, d), rig_array(&r, sizeof u, u), rig_array(&r, sizeof l, l),
         rig_array(&r, 4, NULL),     rig_array(&r, 8, NULL),     rig_array(&r, 256, NULL)};
  RUN(r, "atomics", 1, 64, &p);
  const int *gd = rig_at(&r, p.d, sizeof d), *old = rig_at(&r, p.old, 256);
  const unsigned *gu = rig_at(&r, p.u, sizeof u);
  const uint64_t *gl = rig_at(&r, p.l, sizeof l);
  bool seen[64] = {false};
  for (int t = 0; t < 64; t++) {
    assert_true(old[t] >= 10 && old[t] < 138 && old[t] % 2 == 0 && !seen[(old[t] - 10) / 2]);
    seen[(old[t] - 10) / 2] = true;
  }
  const int want[7] = {138, -63, 63, 0xff00, 0xffff, 0, 2016};
  assert_memory_equal(gd, want, sizeof want);
  unsigned dec = 3;
  for (int t = 0; t < 64; t++) dec = dec == 0 || dec > 6 ? 6 : dec - 1;
  assert_int_equal(gu[0], 64 % 7);
  assert_int_equal(gu[1], dec);
  assert_int_equal(gu[2], 5);
  assert_int_equal(gu[3], 3000000000u - 63);
  assert_true(gl[0] == 64ull << 33 && gl[1] == 63ull << 40 && gl[2] == 9);
  assert_true(*(const float *)rig_at(&r, p.f, 4) == 32.0f && *(const double *)rig_at(&r, p.e, 8) == 16.0);
  assert_int_equal(r.counters.atomics, 2 * 16);
}

TEST(votes_and_warp_barriers) {
  int in[96], count = 0;
  for (int t = 0; t < 96; t++) in[t] = t % 7 - 3, count += in[t] > 0;
  RIG r = rig_open(NULL);
  in_out_arrays p = {rig_array(&r, sizeof in, in), rig_array(&r, sizeof in, NULL), 0};
  RUN(r, "block_votes", 1, 96, &p);
  const int *out = rig_at(&r, p.out, sizeof in);
  for (int t = 0; t < 96; t++) assert_int_equal(out[t], count * 4 + 2);
  out_array q = {p.out};
  RUN(r, "warp_barriers", 1, 32, &q);
  for (int t = 0; t < 32; t++) assert_int_equal(out[t], t < 16 ? 116 + t : t - 15);
}

TEST(dynamic_shared) {
  RIG r = rig_open(NULL);
  struct {
    uint64_t out;
    int n;
  } p = {rig_array(&r, 256, NULL), 500};
  rig_run_ok(&r, (rig_launch){.kernel = "dynamic_shared", .grid = 1, .block = 64, .shared = 2000}, &p);
  const int *out = rig_at(&r, p.out, 256);
  for (int t = 0; t < 64; t++) assert_int_equal(out[t], (499 - t) * 2 + 10 * (t % 3));
}

TEST(variables) {
  uint64_t addr, size;
  RIG r = rig_open(NULL);
  out_array p = {rig_array(&r, 128, NULL)};
  RUN(r, "variables", 1, 32, &p);
  const int *out = rig_at(&r, p.out, 128);
  for (int t = 0; t < 32; t++) assert_int_equal(out[t], (1 << (t & 7)) + 41);
  assert_true(sl_gpu_symbol(r.m, "variable", &addr, &size));
  assert_int_equal(size, 4);
  assert_int_equal(*(int *)rig_at(&r, addr, 4), 43);
  assert_false(sl_gpu_symbol(r.m, "nonesuch", &addr, &size));
}

TEST(grid_shape) {
  RIG r = rig_open(NULL);
  enum { T = 5 * 3 * 4, B = 3 * 2 * 2 };
  out_array p = {rig_array(&r, T * B * 4, NULL)};
  rig_run_ok(&r, (rig_launch){.kernel = "grid_shape", .grid3 = {3, 2, 2}, .block3 = {5, 3, 4}}, &p);
  const int *out = rig_at(&r, p.out, T * B * 4);
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) assert_int_equal(out[b * T + t], b * 1000 + t);
}

TEST(types) {
  int8_t c[32];
  uint8_t uc[32];
  int16_t h[32];
  uint16_t uh[32];
  int64_t l[32];
  for (int t = 0; t < 32; t++)
    c[t] = (int8_t)(t * 9 - 100), uc[t] = (uint8_t)(t * 9), h[t] = (int16_t)(t * 2100 - 32000),
    uh[t] = (uint16_t)(t * 2100), l[t] = (int64_t)t << 40;
  RIG r = rig_open(NULL);
  struct {
    uint64_t c, uc, h, uh, l, out;
  } p = {rig_array(&r, sizeof c, c),   rig_array(&r, sizeof uc, uc), rig_array(&r, sizeof h, h),
         rig_array(&r, sizeof uh, uh), rig_array(&r, sizeof l, l),   rig_array(&r, 256, NULL)};
  RUN(r, "types", 1, 32, &p);
  const int64_t *out = rig_at(&r, p.out, 256);
  for (int t = 0; t < 32; t++) assert_true(out[t] == c[t] + uc[t] * 3ll + h[t] * 5ll + uh[t] * 7ll + l[t]);
}

TEST(vectors) {
  int a[128];
  uint8_t d[128];
  for (int k = 0; k < 128; k++) a[k] = k * 1001, d[k] = (uint8_t)k;
  RIG r = rig_open(NULL);
  struct {
    uint64_t a, b, c, d;
  } p = {rig_array(&r, sizeof a, a), rig_array(&r, sizeof a, NULL), rig_array(&r, 128, NULL),
         rig_array(&r, 128, d)};
  RUN(r, "vectors", 1, 32, &p);
  const int *b = rig_at(&r, p.b, sizeof a);
  const int16_t *c = rig_at(&r, p.c, 128);
  const uint8_t *q = rig_at(&r, p.d, 128);
  for (int t = 0; t < 32; t++)
    for (int k = 0; k < 4; k++) {
      assert_int_equal(b[4 * (31 - t) + k], a[4 * t + 3 - k]);
      assert_int_equal(q[4 * t + k], d[4 * t + 3 - k]);
      if (k < 2) assert_int_equal(c[2 * t + k], (int16_t)(k ? -a[4 * t + 1] : a[4 * t]));
    }
}

TEST(printing) {
  char want[512] = "";
  RIG r = rig_open(NULL);
  int n = 3;
  RUN(r, "prints", 1, 64, &n);
  for (int t = 0; t < n; t++)
    sprintf(want + strlen(want), "t %d %5.2f text %c 10000000000 %%\n", t, t * 1.5, 'a' + t);
  assert_string_equal(r.printed, want);
}

// Modules take memory of the device's process: a limit of what a program may have is one of both together.
TEST(memory_of_modules) {
  enum { MOST = 1 << 20, MANY = 1000 };
  static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                             ".visible .entry k() { .reg .b32 %r<2>; mov.u32 %r1, 7; ret; }\n";
  RIG r = rig_open_text(text);
  sl_gmodule *m[MANY] = {r.m};
  sl_error e = {0};
  uint64_t at;
  int n = 1;
  sl_gpu_limit_memory(r.gpu, MOST);
  while (n < MANY && (m[n] = sl_gpu_load(r.gpu, 1, "text", text, sizeof text - 1, &e))) n++;
  assert_in_range(n, 2, MANY - 1);
  assert_non_null(strstr(e.text, "out of device memory"));
  assert_false(sl_gpu_alloc(r.gpu, 1, MOST / 2, &at, NULL));
  while (n > 1) sl_gpu_unload(r.gpu, m[--n]);
  assert_true(sl_gpu_alloc(r.gpu, 1, MOST / 2, &at, NULL));
  assert_null(sl_gpu_load(r.gpu, 1, "text", "no PTX", 6, NULL)); // counts as nothing
  assert_true(sl_gpu_alloc(r.gpu, 1, MOST / 8, &at, NULL));
}

TEST(constants_of_a_device) {
  for (int too_many = 0; too_many < 2; too_many++) {
    char ptx[200];
    snprintf(ptx, sizeof ptx,
             ".version 8.0\n.target sm_75\n.address_size 64\n"
             ".visible .const .align 4 .b8 a[65000];\n.visible .const .align 4 .b8 b[%d];\n",
             536 + too_many);
    RIG r = rig_open_text(ptx);
    assert_int_equal(!r.m, too_many);
    assert_int_equal(strstr(r.e.text, "take 65537 bytes; the device has 65536") != NULL, too_many);
  }
}
