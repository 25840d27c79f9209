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
