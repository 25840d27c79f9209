// Unit tests of the distributions: the bytes themselves, what each promises, and refusals.
//
// The goldens are FNV-1a hashes of 1000 elements of seed 7: a change of any of them changes published
// datasets and needs a new SL_DATA_GENERATOR. `generate_test --goldens` prints the table anew.

#include "base/unit.h"
#include "base/base.h"
#include "scanlab/generate.h"
#include "scanlab/npy.h"
#include <math.h>

static void *make(const char *dist, sl_type type, size_t n, uint64_t seed) {
  sl_error e = {0};
  void *data = malloc(n * 8 + 1);
  if (!sl_generate(&(sl_gen_spec){dist, type, n, seed}, data, &e)) fail_msg("%s", e.text);
  return data;
}

static uint64_t fnv(const void *data, size_t len) {
  uint64_t h = 0xCBF29CE484222325u;
  for (size_t i = 0; i < len; i++) h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001B3u;
  return h;
}

static const struct {
  const char *dist;
  uint64_t hash[SL_TYPE_COUNT];
} GOLDENS[] = {
#include "goldens.inc"
};

TEST(goldens) {
  size_t rows = sizeof GOLDENS / sizeof *GOLDENS;
  sl_dist_info d;
  assert_false(sl_dist_at(rows, &d)); // every distribution has a row
  for (size_t i = 0; i < rows; i++)
    for (int t = 0; t < SL_TYPE_COUNT; t++) {
      assert_true(sl_dist_at(i, &d));
      assert_string_equal(d.name, GOLDENS[i].dist);
      if (!(d.types >> t & 1)) continue;
      void *data = make(d.name, (sl_type)t, 1000, 7);
      uint64_t found = fnv(data, 1000 * sl_npy_item_size((sl_type)t));
      if (found != GOLDENS[i].hash[t])
        fail_msg("%s %s: found %#llx", d.name, sl_npy_type_name((sl_type)t), (unsigned long long)found);
      free(data);
    }
}

static void print_goldens(void) {
  sl_dist_info d;
  for (size_t i = 0; sl_dist_at(i, &d); i++) {
    printf("{\"%s\", {", d.name);
    for (int t = 0; t < SL_TYPE_COUNT; t++) {
      void *data = d.types >> t & 1 ? make(d.name, (sl_type)t, 1000, 7) : NULL;
      printf("%s%#llx", t ? ", " : "",
             data ? (unsigned long long)fnv(data, 1000 * sl_npy_item_size((sl_type)t)) : 0);
      free(data);
    }
    printf("}},\n");
  }
}

// The definition of the random sequence, written a second time.
TEST(definition) {
  uint32_t *data = make("bits", SL_U32, 100, 42);
  uint64_t key = 42 + 0x9E3779B97F4A7C15u;
  for (uint64_t i = 0; i <= 100; i++) {
    uint64_t z = i == 0 ? key : key + i * 0x9E3779B97F4A7C15u;
    z ^= z >> 30, z *= 0xBF58476D1CE4E5B9u;
    z ^= z >> 27, z *= 0x94D049BB133111EBu;
    z ^= z >> 31;
    if (i == 0) key = z;
    else assert_int_equal(data[i - 1], z >> 32);
  }
  free(data);
}

TEST(parts_equal_the_whole) {
  sl_dist_info d;
  for (size_t i = 0; sl_dist_at(i, &d); i++)
    for (int t = 0; t < SL_TYPE_COUNT; t++) {
      if (!(d.types >> t & 1)) continue;
      size_t item = sl_npy_item_size((sl_type)t);
      char *whole = make(d.name, (sl_type)t, 777, 3), part[300 * 8];
      sl_error e = {0};
      sl_gen_spec spec = {d.name, (sl_type)t, 777, 3};
      assert_true(sl_generate_part(&spec, 433, 300, part, &e));
      assert_memory_equal(part, whole + 433 * item, 300 * item);
      assert_false(sl_generate_part(&spec, 700, 78, part, &e));
      free(whole);
    }
}

TEST(small_sizes_and_seeds) {
  sl_dist_info d;
  for (size_t i = 0; sl_dist_at(i, &d); i++)
    for (int t = 0; t < SL_TYPE_COUNT; t++)
      for (size_t n = 0; d.types >> t & 1 && n < 4; n++) free(make(d.name, (sl_type)t, n, UINT64_MAX));
  uint32_t *a = make("bits", SL_U32, 1000, 1), *b = make("bits", SL_U32, 1000, 2);
  size_t same = 0;
  for (int i = 0; i < 1000; i++) same += a[i] == b[i];
  assert_true(same < 3);
  free(a);
  free(b);
}

static size_t count(const uint32_t *x, size_t n, uint32_t value) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) found += x[i] == value;
  return found;
}

// A third of each stretch has as many ones as the number, a third has it by itself, a third numbers near it.
TEST(elements_about_numbers) {
  enum { PART = 512, N = 6 * PART };
  uint32_t *x = make("sparse@300,77", SL_U32, N, 3), *second = x + 3 * PART;
  assert_int_equal(count(x, PART, 1), 300);
  assert_int_equal(count(x + 300, PART - 300, 0), PART - 300);
  assert_true(x[PART] == 300 && x[PART + 299] == 300 && count(x + PART, PART, 300) == 2);
  assert_true(count(x + 2 * PART, PART, 300) && count(x + 2 * PART, PART, 299) &&
              count(x + 2 * PART, PART, 301));
  assert_true(count(second, PART, 1) == 77 && count(second + 2 * PART, PART, 0u - 77));
  free(x);
  sl_affine *maps = make("affine_random@777", SL_AFFINE, 1000, 3);
  size_t factors = 0;
  for (int i = 0; i < 1000; i++) factors += maps[i].a == 777;
  assert_true(factors > 50);
  free(maps);
}

// Sums from the begin of a stretch are the number at each power of 2.
TEST(sums_about_numbers) {
  float *x = make("uniform_int@4242,16777215", SL_F32, 4096, 3);
  double sum = 0;
  size_t alone = 0;
  for (int i = 0; i < 4096; i++) {
    const int at = i % 2048;
    if (at == 0) assert_true(sum == 0);
    if (at == 32 || at == 256 || at == 1024) assert_true(sum == (i < 2048 ? 4242 : 16777215));
    sum += x[i], alone += x[i] == 4242;
  }
  assert_true(alone > 8);
  free(x);
}

TEST(numbers_of_a_name) {
  sl_about a;
  sl_error e = {0};
  assert_true(sl_about_read("sparse", &a, &e) && a.n == 0 && a.base == 6);
  assert_true(sl_about_read("sparse@4294967295,7", &a, &e) && a.n == 2 && a.at[0] == UINT32_MAX &&
              a.at[1] == 7);
  static const char *const bad[] = {"sparse@",
                                    "sparse@x",
                                    "sparse@7,",
                                    "sparse@-7",
                                    "sparse@ 7",
                                    "sparse@4294967296",
                                    "sparse@1,2,3,4,5,6,7,8,9",
                                    "sparse@7;8"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    if (sl_about_read(bad[k], &a, &e)) fail_msg("%s is taken", bad[k]);
    assert_int_equal(e.code, SL_EXIT_INPUT);
    e = (sl_error){0};
  }
  assert_false(sl_dist_check("spars@7", SL_U32, &e));
}

// Every interval sum of a distribution that promises exact float sums stays below 2^24.
TEST(sums_are_exact) {
  static const struct {
    const char *dist;
    size_t n;
  } table[] = {{"uniform_int", 3 << 20},  {"pm1", 3 << 20},
               {"ones", 1 << 20},         {"ramp", 4793489},
               {"alternating", 1 << 20},  {"constant", 1 << 20},
               {"few_distinct", 1 << 20}, {"uniform_int@777,4294967295,65536", 1 << 20}};
  for (size_t r = 0; r < sizeof table / sizeof *table; r++) {
    float *x = make(table[r].dist, SL_F32, table[r].n, 5);
    double sum = 0, low = 0, high = 0;
    for (size_t i = 0; i < table[r].n; i++) {
      assert_true(x[i] == rintf(x[i]));
      sum += x[i];
      low = fmin(low, sum);
      high = fmax(high, sum);
    }
    if (!(high - low <= 0x1p24)) fail_msg("%s: interval sum %g", table[r].dist, high - low);
    free(x);
  }
}

// Chi-square of the 256 values of each digit; 255 degrees of freedom, mean 255, standard deviation 22.6.
TEST(digits_are_uniform) {
  enum { N = 1 << 18 };
  for (uint64_t seed = 0; seed < 5; seed++) {
    uint32_t *x = make("uniform", SL_U32, N, seed);
    for (int digit = 0; digit < 4; digit++) {
      double bins[256] = {0}, chi = 0;
      for (size_t i = 0; i < N; i++) bins[x[i] >> (8 * digit) & 255]++;
      for (int b = 0; b < 256; b++) chi += (bins[b] - N / 256) * (bins[b] - N / 256) / (N / 256);
      if (!(chi > 150 && chi < 380))
        fail_msg("seed %llu digit %d: chi-square %g", (unsigned long long)seed, digit, chi);
    }
    free(x);
  }
}

TEST(reals_stay_in_range) {
  static const struct {
    const char *dist;
    double low, high, mean, tolerance;
  } table[] = {{"uniform", 0, 0x1.fffffep-1, 0.5, 0.003},
               {"signed_uniform", -1, 0x1.fffffep-1, 0, 0.006},
               {"normalish", -4, 4, 0, 0.012}};
  enum { N = 100000 };
  for (size_t r = 0; r < sizeof table / sizeof *table; r++) {
    float *x = make(table[r].dist, SL_F32, N, 9);
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
      assert_true(x[i] >= table[r].low && x[i] <= table[r].high);
      sum += x[i];
    }
    assert_true(fabs(sum / N - table[r].mean) < table[r].tolerance);
    free(x);
  }
}

// Order of an element as an unsigned number (floats here are never NaN).
static uint32_t key(sl_type type, uint32_t u) {
  if (type == SL_I32) return u ^ 0x80000000u;
  return type == SL_U32 ? u : u >> 31 ? ~u : u | 0x80000000u;
}

TEST(orders) {
  for (int t = 0; t < 3; t++)
    for (size_t n = 2; n < 70000; n = n * 3 + 1) {
      uint32_t *up = make("sorted", (sl_type)t, n, n), *down = make("reversed", (sl_type)t, n, n);
      uint32_t *near = make("nearly_sorted", (sl_type)t, n, n);
      size_t moved = 0;
      for (size_t i = 0; i < n; i++) {
        if (i) assert_true(key((sl_type)t, up[i - 1]) <= key((sl_type)t, up[i]));
        assert_int_equal(up[i], down[n - 1 - i]);
        moved += near[i] != up[i];
        size_t group = i & ~(size_t)15, found = 0;
        for (size_t j = group; j < group + 16 && j < n; j++) found += near[j] == up[i];
        assert_true(found > 0);
      }
      assert_true(n < 2000 || (moved > n / 16 && moved < n / 5));
      free(up);
      free(down);
      free(near);
    }
}

TEST(specials_have_them_all) {
  enum { N = 20000 };
  static const uint32_t wanted[][4] = {{0x00000000, 0x80000000, 0x7F800000, 0xFF800000},
                                       {0x80000000, 0x7FFFFFFF, 0, 0xFFFFFFFF},
                                       {0x80000000, 0xFFFFFFFF, 0, 1}};
  for (int t = 0; t < 3; t++) {
    uint32_t *x = make("specials", (sl_type)t, N, 4);
    size_t nan_pos = 0, nan_neg = 0, denormal = 0;
    for (int w = 0; w < 4; w++) {
      size_t count = 0;
      for (size_t i = 0; i < N; i++) count += x[i] == wanted[t][w];
      if (count < 100) fail_msg("%s: %zu of %#x", sl_npy_type_name((sl_type)t), count, wanted[t][w]);
    }
    for (size_t i = 0; i < N; i++) {
      nan_pos += x[i] > 0x7F800000 && x[i] < 0x80000000;
      nan_neg += x[i] > 0xFF800000;
      denormal += (x[i] & 0x7F800000) == 0 && (x[i] & 0x7FFFFF);
    }
    if (t == SL_F32) assert_true(nan_pos > 1000 && nan_neg > 1000 && denormal > 1000);
    free(x);
  }
}

TEST(floats_without_nan) {
  static const char *const dists[] = {"bits", "one_hot_digit"};
  for (int d = 0; d < 2; d++)
    for (uint64_t seed = 0; seed < 16; seed++) {
      float *x = make(dists[d], SL_F32, 20000, seed);
      for (int i = 0; i < 20000; i++) assert_false(isnan(x[i]));
      free(x);
    }
}

TEST(other_promises) {
  unsigned digits = 0;
  for (uint64_t seed = 0; seed < 40; seed++) {
    uint32_t *x = make("one_hot_digit", SL_U32, 1000, seed), any = 0;
    for (int i = 0; i < 1000; i++) any |= x[i];
    assert_true(any == 0xFF || any == 0xFF00 || any == 0xFF0000 || any == 0xFF000000);
    digits |= any;
    free(x);
    float *s = make("spike", SL_F32, 1000, seed);
    int spikes = 0;
    for (int i = 0; i < 1000; i++) spikes += s[i] == 0x1p23f;
    assert_int_equal(spikes, 1);
    free(s);
  }
  assert_int_equal(digits, 0xFFFFFFFF);
  // Every length of a stretch comes, and neighbouring stretches differ.
  unsigned lengths = 0;
  for (uint32_t n = 10000; n < 10008; n++) {
    uint32_t *runs = make("runs", SL_U32, n, 5), length = 1;
    while (runs[length] == runs[0]) length++;
    for (uint32_t i = 1; i < n; i++) assert_true((runs[i] != runs[i - 1]) == (i % length == 0));
    lengths |= length;
    free(runs);
  }
  assert_int_equal(lengths, 128 | 256 | 512 | 1024 | 2048);
  // Long gaps and short ones, numbers beside each other, both signs.
  int32_t *sparse = make("sparse", SL_I32, 1 << 16, 1), gap = 0, longest = 0, beside = 0, negative = 0;
  for (int i = 0; i < 1 << 16; i++) {
    beside += gap == 0 && sparse[i] != 0;
    gap = sparse[i] ? 0 : gap + 1;
    longest = gap > longest ? gap : longest;
    negative += sparse[i] < 0;
    assert_true(sparse[i] >= -1023 && sparse[i] <= 1023);
  }
  assert_true(longest > 512 && longest < 1 << 14 && beside > 1000 && negative > 1000);
  free(sparse);
  int32_t *powers = make("powers", SL_I32, 10, 1);
  for (int i = 0; i < 10; i++) assert_int_equal(powers[i], i < 8 ? 1 << 3 * i : 0);
  free(powers);
  sl_affine *maps = make("affine_random", SL_AFFINE, 5000, 1);
  for (int i = 0; i < 5000; i++) assert_true(maps[i].a & 1);
  free(maps);
  maps = make("affine_special", SL_AFFINE, 5000, 1);
  int constants = 0, same = 0, others = 0;
  for (int i = 0; i < 5000; i++) {
    constants += maps[i].a == 0, same += maps[i].a == 1 && maps[i].b == 0;
    others += maps[i].a > 3 && maps[i].b > 7;
  }
  assert_in_range(constants, 500, 750);
  assert_true(maps[4095].a == 0 && maps[4095].b == 0); // before a tile
  assert_in_range(same, 500, 750);
  assert_in_range(others, 2300, 2900);
  free(maps);
}

TEST(refusals) {
  static const struct {
    const char *dist;
    sl_type type;
    const char *text, *hint;
  } table[] = {
      {"unifrom", SL_F32, "unknown distribution 'unifrom'", "did you mean uniform?"},
      {"gaussian", SL_F32, "unknown distribution 'gaussian'", "distributions are zeros, ones"},
      {"", SL_F32, "unknown distribution ''", "affine_random"},
      {"ramp", SL_AFFINE, "distribution ramp: expected type f32, i32, u32, found affine", "affine_random"},
      {"constant_tenth", SL_I32, "expected type f32, found i32", ""},
      {"affine_random", SL_F32, "expected type affine, found f32", ""},
      {"ones", (sl_type)77, "found ?", ""},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    sl_error e = {0};
    uint32_t out[2] = {5, 5};
    assert_false(sl_generate(&(sl_gen_spec){table[i].dist, table[i].type, 1, 0}, out, &e));
    assert_int_equal(e.code, SL_EXIT_INPUT);
    if (!strstr(e.text, table[i].text) || !strstr(e.hint, table[i].hint))
      fail_msg("row %zu: %s (%s)", i, e.text, e.hint);
    assert_int_equal(out[0], 5);
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--goldens") == 0) return print_goldens(), 0;
  return RUN_TESTS(NULL, NULL);
}
