// Names as the student wrote them.
#include "base/unit.h"
#include "picture/events.h"

TEST(short_names) {
  static const char *const rows[][2] = {
      {"_Z17naive_scan_kernelPKfPfi", "naive_scan_kernel"},
      {"_Z16tile_scan_kernelI3AddIfEL7sl_tile0EEvPKNT_1TEPS4_S7_m7sl_kind", "tile_scan_kernel"},
      {"_ZN34_GLOBAL__N__7d6a3c84_9_kernel_cu_a12split_kernelE4listS0_PKjmi", "split_kernel"},
      {"_ZN4cuda3std4scanEPf", "scan"},
      {"_ZZ4scanPKfPfiE6s_data", "s_data"},
      {"_ZZN2ns4scanEPKfE1s", "s"},
      {"temp", "temp"},
      {"_Z", "_Z"},
      {"_Z9", "_Z9"},
      {"_Z99x", "_Z99x"},
      {"", ""},
  };
  char out[64];
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl__short_name(rows[k][0], out, sizeof out);
    assert_string_equal(out, rows[k][1]);
  }
}

TEST(parameters) {
  static const char source[] = "// scan(a, b) does it\n"
                               "__global__ void scan(const float *d_in, pair<int, 3> p, float (*f)[2],\n"
                               "                     int n) {}\n"
                               "void host() { scan<<<1, 1>>>(x, y, z, 4); }\n";
  char out[64];
  assert_true(sl__param_name(source, "scan", 0, out, sizeof out));
  assert_string_equal(out, "d_in");
  assert_true(sl__param_name(source, "scan", 1, out, sizeof out));
  assert_string_equal(out, "p");
  assert_true(sl__param_name(source, "scan", 3, out, sizeof out));
  assert_string_equal(out, "n");
  assert_false(sl__param_name(source, "scan", 4, out, sizeof out));
  assert_false(sl__param_name(source, "scan", -1, out, sizeof out));
  assert_false(sl__param_name(source, "sca", 0, out, sizeof out));
  assert_false(sl__param_name("scan(", "scan", 0, out, sizeof out));
  assert_false(sl__param_name("", "", 0, out, sizeof out));
}

int main(void) { return RUN_TESTS(NULL, NULL); }
