// Unit tests of the ALU instructions: every family against an oracle of its own (see alu_rig.h).
#include "engine/tests/alu_rig.h"

int main(void) {
  int failed = alu_int_test();
  failed |= alu_bits_test();
  failed |= alu_float_test();
  failed |= alu_half_test();
  failed |= alu_cvt_test();
  failed |= alu_set_test();
  failed |= alu_warp_test();
  return failed != 0;
}
