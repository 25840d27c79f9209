// Unit tests of the tables: every entry of the .def files is found by its text, and nothing else is; rows of
// the instruction table fit together.
#include "base/unit.h"
#include "ptx/ptx_int.h"

static sl__word word(const char *s) { return (sl__word){s, (uint32_t)strlen(s)}; }

TEST(every_name_is_found) {
  for (int i = 0; i < SL_OP_COUNT_; i++) assert_int_equal(sl__op_of(word(sl_ptx_op_name((sl_ptx_op)i))), i);
  for (int i = 1; i < SL_M_COUNT_; i++) assert_int_equal(sl__mod_of(word(sl_ptx_mod_name((sl_ptx_mod)i))), i);
  for (int i = 0; i < SL_SR_COUNT_; i++)
    assert_int_equal(sl__sreg_of(word(sl_ptx_sreg_name((sl_ptx_sreg)i))), i);
}

TEST(other_names_are_not) {
  static const char *const none[] = {"", "ad", "addd", "ADD", "%tid", "%tid.w", "s33", "L1::"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    assert_true(sl__op_of(word(none[i])) < 0 && sl__mod_of(word(none[i])) < 0 &&
                sl__sreg_of(word(none[i])) < 0);
}

// Every row says what it does and where the manual has it; an instruction with a result names it first.
TEST(rows_are_filled_in) {
  for (int i = 0; i < SL_OP_COUNT_; i++) {
    const sl_ptx_op_row *r = &sl_ptx_ops[i];
    bool names_result = r->operands[0] && strchr("dpf", r->operands[0]);
    if (!r->synopsis[0] || strncmp(r->chapters, "9.7.", 4) != 0)
      fail_msg("%s: no synopsis or no chapter", sl_ptx_op_name((sl_ptx_op)i));
    if (names_result && !(r->effects & SL_DOES_RESULT))
      fail_msg("%s: an operand is a result", sl_ptx_op_name((sl_ptx_op)i));
    if (r->effects & SL_DOES_END_BLOCK && r->flow != SL_FLOW_DECIDES)
      fail_msg("%s: it decides where to go on", sl_ptx_op_name((sl_ptx_op)i));
  }
}

static sl_ptx_insn instruction(const char *op, const char *const mods[3]) {
  sl_ptx_insn in = {.op = (uint16_t)sl__op_of(word(op)), .n_ops = 3};
  for (int k = 0; k < 3 && mods[k]; k++) in.mods[in.n_mods++] = (uint8_t)sl__mod_of(word(mods[k]));
  return in;
}

TEST(suffixes_say_what_is_done) {
  static const struct {
    const char *op, *mods[3];
    sl_action action;
  } rows[] = {{"ld", {"global", "u32"}, SL_ACT_LOAD},
              {"st", {"shared", "u32"}, SL_ACT_STORE},
              {"atom", {"add", "u32"}, SL_ACT_UPDATE},
              {"red", {"add", "u32"}, SL_ACT_UPDATE},
              {"add", {"u32"}, SL_ACT_NONE},
              {"cp", {"async", "ca"}, SL_ACT_COPY},
              {"cp", {"async", "bulk"}, SL_ACT_BULK},
              {"cp", {"async", "bulk", "commit_group"}, SL_ACT_GROUP},
              {"cp", {"async", "bulk", "prefetch"}, SL_ACT_NONE},
              {"cp", {"async", "wait_all"}, SL_ACT_GROUP},
              {"cp", {"async", "mbarrier", "arrive"}, SL_ACT_REPORT},
              {"mbarrier", {"init"}, SL_ACT_MBAR_INIT},
              {"mbarrier", {"try_wait"}, SL_ACT_MBAR_WAIT},
              {"mbarrier", {"arrive"}, SL_ACT_MBAR},
              {"mbarrier", {"pending_count"}, SL_ACT_NONE},
              {"membar", {"gl"}, SL_ACT_FENCE},
              {"bar", {"sync"}, SL_ACT_BARRIER},
              {"bar", {"warp", "sync"}, SL_ACT_WARP_BARRIER},
              {"shfl", {"sync", "up"}, SL_ACT_MEET},
              {"shfl", {"up"}, SL_ACT_NONE}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_ptx_insn in = instruction(rows[k].op, rows[k].mods);
    if (sl_ptx_action(&in) != rows[k].action)
      fail_msg("%s.%s: %d", rows[k].op, rows[k].mods[0], sl_ptx_action(&in));
  }
}

TEST(types) {
  assert_int_equal(sl_ptx_type_bits(SL_M_pred), 1);
  assert_int_equal(sl_ptx_type_bits(SL_M_u8), 8);
  assert_int_equal(sl_ptx_type_bits(SL_M_f16x2), 32);
  assert_int_equal(sl_ptx_type_bits(SL_M_b128), 128);
  assert_int_equal(sl_ptx_type_bits(SL_M_global), 0);
  assert_int_equal(sl__class_of(SL_M_s8), SL_R_16);
  assert_int_equal(sl__class_of(SL_M_f32), SL_R_32);
  assert_int_equal(sl__class_of(SL_M_b128), SL_R_128);
}

TEST(names_are_demangled) {
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
      {"_Z5applyIZ4mainEUlfE_EvPfiT_",
       "apply<main::{lambda(float)#1}>(float*, int, main::{lambda(float)#1})"},
      {"_Z5applyIZN2ns3runIiEEvT_EUliE0_EvS2_S2_",
       "apply<ns::run<int>(int)::{lambda(int)#2}>(ns::run<int>(int)::{lambda(int)#2}, "
       "ns::run<int>(int)::{lambda(int)#2})"},
      {"_Z5applyIZN1S1mEvEUlvE_EvT_S2_",
       "apply<S::m()::{lambda()#1}>(S::m()::{lambda()#1}, S::m()::{lambda()#1})"},
      {"_Z3sumIA4_fEvPT_", "sum<float[4]>(float[4]*)"},
      {"_Z1kIZ4mainE5LocalEvT_", "k<main::Local>(main::Local)"},
      {"_ZN12_GLOBAL__N_11gEPViPFivE", "(anonymous namespace)::g(volatile int*, int ()*)"},
  };
  // What cannot be read stays as it is: cut off, references to nothing, lengths past the end, deep nesting.
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
