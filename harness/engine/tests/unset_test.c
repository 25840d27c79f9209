// Registers that may be read before anything has written them hold a pattern, never zero: a kernel that
// forgets to start its sum at 0 is not right by chance. All others start as they like.
#include "engine/tests/rig.h"

#define PATTERN 0x5bd1e995u
#define WIDE_PATTERN (((uint64_t)PATTERN << 32) | PATTERN)

// The body leaves in %x what lane %t stores. %p is false, %odd says whether the lane's number is odd (%s).
// helper() returns a register that it never writes.
static const char FRAME[] =
    ".version 7.8\n.target sm_75\n.address_size 64\n"
    ".func (.param .b32 r) helper() { .reg .b32 %%h, %%u; .reg .pred %%q; mov.u32 %%u, %%tid.x;\n"
    "setp.gt.u32 %%q, %%u, 99; @%%q mov.u32 %%h, 3; st.param.b32 [r], %%h; ret; }\n"
    ".visible .entry work(.param .u64 q) {\n"
    ".reg .pred %%p, %%odd; .reg .b32 %%t, %%r, %%s, %%k; .reg .f32 %%f; .reg .b64 %%out, %%at, %%x, %%w;\n"
    "ld.param.u64 %%out, [q]; mov.u32 %%t, %%tid.x; setp.gt.u32 %%p, %%t, 99;\n"
    "and.b32 %%s, %%t, 1; setp.eq.u32 %%odd, %%s, 1;\n%s\n"
    "mul.wide.u32 %%at, %%t, 8; add.u64 %%at, %%at, %%out; st.global.u64 [%%at], %%x; ret; }\n";

// Runs the body in two blocks, one after the other: the second gets the registers of the first.
static void check(const char *body, uint64_t even, uint64_t odd) {
  char text[2048];
  snprintf(text, sizeof text, FRAME, body);
  RIG r = rig_open_text(text);
  if (!r.m) fail_msg("%s", r.e.text);
  out_array p = {rig_array(&r, 32 * 8, NULL)};
  rig_run(&r, (rig_launch){.kernel = "work", .grid = 2, .block = 32}, &p);
  assert_int_equal(r.status, SL_LAUNCH_OK);
  const uint64_t *out = rig_at(&r, p.out, 32 * 8);
  for (int l = 0; l < 32; l++) assert_int_equal(out[l], l % 2 ? odd : even);
}

TEST(never_written) { check("cvt.u64.u32 %x, %r;", PATTERN, PATTERN); }

TEST(written_under_a_guard_that_is_false) {
  check("@%p mov.u32 %r, 7; cvt.u64.u32 %x, %r;", PATTERN, PATTERN);
}

TEST(written_in_one_branch) {
  check("@!%odd bra join;\nadd.u32 %r, %s, 6;\njoin: cvt.u64.u32 %x, %r;", PATTERN, 7);
}

TEST(sum_without_start) {
  check("mov.u32 %k, 0;\nagain: add.u32 %r, %r, 2; add.u32 %k, %k, 1;\n"
        "setp.lt.u32 %p, %k, 5; @%p bra again;\ncvt.u64.u32 %x, %r;",
        PATTERN + 10, PATTERN + 10);
}

TEST(both_halves_of_64_bits) { check("@%p mov.u64 %w, 7; add.u64 %x, %w, 0;", WIDE_PATTERN, WIDE_PATTERN); }

TEST(float_register) {
  check("@%p mov.f32 %f, 0f3F800000; mov.b32 %r, %f; cvt.u64.u32 %x, %r;", PATTERN, PATTERN);
}

TEST(register_of_a_function) {
  check("{ .param .b32 v; call (v), helper, (); ld.param.b32 %r, [v]; }\ncvt.u64.u32 %x, %r;", PATTERN,
        PATTERN);
}

TEST(written_before_it_is_read) { check("mov.u32 %r, 0; @%p mov.u32 %r, 7; cvt.u64.u32 %x, %r;", 0, 0); }

TEST(written_in_both_branches) {
  check("@%odd bra odd;\nmov.u32 %r, 4; bra join;\nodd: mov.u32 %r, 5;\njoin: cvt.u64.u32 %x, %r;", 4, 5);
}
