// Unit tests of the tables of names: every entry of the .def files is found by its text, and nothing else is.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "ptx/ptx_int.h"

static sl__word word(const char *s) { return (sl__word){s, (uint32_t)strlen(s)}; }

static void every_name_is_found(void **state) {
  (void)state;
  for (int i = 0; i < SL_OP_COUNT_; i++) assert_int_equal(sl__op_of(word(sl_ptx_op_name((sl_ptx_op)i))), i);
  for (int i = 1; i < SL_M_COUNT_; i++) assert_int_equal(sl__mod_of(word(sl_ptx_mod_name((sl_ptx_mod)i))), i);
  for (int i = 0; i < SL_SR_COUNT_; i++)
    assert_int_equal(sl__sreg_of(word(sl_ptx_sreg_name((sl_ptx_sreg)i))), i);
}

static void other_names_are_not(void **state) {
  (void)state;
  static const char *const none[] = {"", "ad", "addd", "ADD", "%tid", "%tid.w", "s33", "L1::"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    assert_true(sl__op_of(word(none[i])) < 0 && sl__mod_of(word(none[i])) < 0 &&
                sl__sreg_of(word(none[i])) < 0);
}

static void types(void **state) {
  (void)state;
  assert_int_equal(sl_ptx_type_bits(SL_M_pred), 1);
  assert_int_equal(sl_ptx_type_bits(SL_M_u8), 8);
  assert_int_equal(sl_ptx_type_bits(SL_M_f16x2), 32);
  assert_int_equal(sl_ptx_type_bits(SL_M_b128), 128);
  assert_int_equal(sl_ptx_type_bits(SL_M_global), 0);
  assert_int_equal(sl__class_of(SL_M_s8), SL_R_16);
  assert_int_equal(sl__class_of(SL_M_f32), SL_R_32);
  assert_int_equal(sl__class_of(SL_M_b128), SL_R_128);
  assert_int_equal(sl_ptx_op_family(SL_OP_shfl), SL_FAM_WARP);
}

static void names_are_demangled(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"_Z4nonePi", "none(int*)"},
      {"_Z16tile_scan_kernelI3AddIfEL7sl_tile0EEvPKNT_1TEPS4_S7_m7sl_kind",
       "tile_scan_kernel<Add<float>, (sl_tile)0>(const Add<float>::T*, Add<float>::T*, Add<float>::T*, "
       "unsigned long, sl_kind)"},
      {"_Z5emptyv", "empty()"},
      {"plain", "plain"},
      {"_Z10scan_tilesIfEvPKT_PS0_S3_", "scan_tiles<float>(const float*, float*, float*)"},
      {"_ZN3cub6detail4fillILi4ELb1EjEEvPT1_yRKS2_",
       "cub::detail::fill<4, true, unsigned int>(unsigned int*, unsigned long long, const unsigned int&)"},
      {"_Z1fN2ns4TypeES0_", "f(ns::Type, ns::Type)"},
      {"_ZN12_GLOBAL__N_11gEPViPFivE", "(anonymous namespace)::g(volatile int*, int ()*)"},
  };
  // What cannot be read stays as it is: cut off, references to nothing, lengths past the end, endless
  // nesting.
  static const char *const others[] = {
      "_Z",
      "_Z4non",
      "_Z99999999999999999999f",
      "_Z1fT_",
      "_Z1fS5_",
      "_Z1fIiEv",
      "_Z1fILi",
      "_ZN1f",
      "_Z1fPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPi"};
  char out[256];
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    assert_string_equal(sl_ptx_demangle(pairs[k][0], out, sizeof out), pairs[k][1]);
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    assert_string_equal(sl_ptx_demangle(others[k], out, sizeof out), others[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_demangled),
                                     cmocka_unit_test(every_name_is_found),
                                     cmocka_unit_test(other_names_are_not), cmocka_unit_test(types)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
