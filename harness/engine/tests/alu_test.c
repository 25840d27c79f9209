// Arithmetic where selftest's rows cannot look: results that PTX leaves open (ours are the hardware's), the
// sign of a zero and the bits of a NaN from approximations, the carry flags of lanes that take no part,
// groups of lanes with member masks of their own, forms that assemblers no longer take. The rest is in
// harness/selftest.
#include "engine/tests/rig.h"

static const char HEAD[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
    ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .b64 %o, %at;\n"
    "ld.param.u64 %o, [out]; mov.u32 %r8, %tid.x; mul.wide.u32 %at, %r8, 8; add.s64 %at, %o, %at;\n";

// What the 32 lanes have in %d0 after [code]; %r8 is the lane.
static void run_code(const char *code, uint64_t out[32]) {
  char text[2048];
  snprintf(text, sizeof text, "%s%s\nst.global.u64 [%%at], %%d0;\nret;\n}\n", HEAD, code);
  RIG r = rig_open_text(text);
  if (!r.m) fail_msg("%s: %s", code, r.e.text);
  uint64_t addr = rig_array(&r, 32 * 8, NULL);
  rig_run_ok(&r, (rig_launch){.kernel = "k", .grid = 1, .block = 32}, &addr);
  memcpy(out, rig_at(&r, addr, 32 * 8), 32 * 8);
}

#define NAN32 0x7fffffffull
#define INF32 0x7f800000ull

TEST(test_values) {
  static const struct {
    const char *op;
    uint64_t a, b, want;
  } rows[] = {// division by zero, and the lowest number by -1
              {"div.u16 %h0, %h1, %h2", 7, 0, 0xffff},
              {"div.s16 %h0, %h1, %h2", 7, 0, 0xffff},
              {"div.u32 %r0, %r1, %r2", 7, 0, 0xffffffff},
              {"div.s32 %r0, %r1, %r2", 7, 0, 0xffffffff},
              {"div.u64 %d0, %d1, %d2", 7, 0, ~0ull},
              {"div.s64 %d0, %d1, %d2", 7, 0, ~0ull},
              {"rem.u16 %h0, %h1, %h2", 7, 0, 0xffff},
              {"rem.s16 %h0, %h1, %h2", 7, 0, 0xffff},
              {"rem.u32 %r0, %r1, %r2", 7, 0, 0xffffffff},
              {"rem.s32 %r0, %r1, %r2", 7, 0, 0xffffffff},
              {"rem.u64 %d0, %d1, %d2", 7, 0, ~0ull},
              {"rem.s64 %d0, %d1, %d2", 7, 0, ~0ull},
              {"div.s16 %h0, %h1, %h2", 0x8000, 0xffff, 0x8000},
              {"div.s32 %r0, %r1, %r2", 0x80000000, 0xffffffff, 0x80000000},
              {"div.s64 %d0, %d1, %d2", 1ull << 63, ~0ull, 1ull << 63},
              {"rem.s16 %h0, %h1, %h2", 0x8000, 0xffff, 0},
              {"rem.s32 %r0, %r1, %r2", 0x80000000, 0xffffffff, 0},
              {"rem.s64 %d0, %d1, %d2", 1ull << 63, ~0ull, 0},
              // divisors beyond 2^126
              {"div.approx.f32 %r0, %r1, %r2", 0x3f800000, 0x7f000001, 0},
              {"div.approx.f32 %r0, %r1, %r2", 0xbf800000, 0x7f000001, 0x80000000},
              {"div.approx.f32 %r0, %r1, %r2", INF32, 0x7f000001, NAN32},
              // NaNs of f64
              {"add.f64 %d0, %d1, %d2", 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000},
              {"min.f64 %d0, %d1, %d2", 0xfff8000000001234, 0x7ff0000000000001, 0x7ff8000000000000},
              {"mul.f64 %d0, %d1, %d2", 0x7ff0000000000000, 0, 0x7ff8000000000000},
              // approximations at the edges
              {"rcp.approx.f32 %r0, %r1", 0, 0, INF32},
              {"rcp.approx.f32 %r0, %r1", 0x80000000, 0, 0xff800000},
              {"rcp.approx.f32 %r0, %r1", 0xff800000, 0, 0x80000000},
              {"rcp.approx.ftz.f32 %r0, %r1", 1, 0, INF32},
              {"rcp.approx.ftz.f32 %r0, %r1", 0x7f000001, 0, 0},
              {"rcp.approx.f32 %r0, %r1", 0xffc00001, 0, NAN32},
              {"sqrt.approx.f32 %r0, %r1", 0x80000000, 0, 0x80000000},
              {"sqrt.approx.f32 %r0, %r1", 0xbf800000, 0, NAN32},
              {"sqrt.approx.ftz.f32 %r0, %r1", 0x80000001, 0, 0x80000000},
              {"rsqrt.approx.f32 %r0, %r1", 0, 0, INF32},
              {"rsqrt.approx.f32 %r0, %r1", 0x80000000, 0, 0xff800000},
              {"rsqrt.approx.f32 %r0, %r1", INF32, 0, 0},
              {"lg2.approx.f32 %r0, %r1", 0, 0, 0xff800000},
              {"lg2.approx.f32 %r0, %r1", 0x80000000, 0, 0xff800000},
              {"lg2.approx.f32 %r0, %r1", 0xbf800000, 0, NAN32},
              {"lg2.approx.ftz.f32 %r0, %r1", 1, 0, 0xff800000},
              {"ex2.approx.f32 %r0, %r1", 0xff800000, 0, 0},
              {"ex2.approx.f32 %r0, %r1", 0x80000000, 0, 0x3f800000},
              {"ex2.approx.ftz.f32 %r0, %r1", 0xc2fe0000, 0, 0},
              {"sin.approx.f32 %r0, %r1", 0x80000000, 0, 0x80000000},
              {"sin.approx.f32 %r0, %r1", INF32, 0, NAN32},
              {"cos.approx.f32 %r0, %r1", 0, 0, 0x3f800000},
              {"tanh.approx.f32 %r0, %r1", 0xff800000, 0, 0xbf800000},
              {"cvt.rn.bf16.u8 %h0, %r1", 255, 0, 0x437f},
              {"cvt.rz.bf16.s8 %h0, %r1", 0x180, 0, 0xc300},
              {"cvt.rpi.f32.f32 %r0, %r1", 0xbf000000, 0, 0x80000000},
              {"cvt.rmi.f32.f32 %r0, %r1", 0x7fc00001, 0, NAN32},
              {"cvt.sat.f32.f32 %r0, %r1", 0x7fc00000, 0, 0},
              {"cvt.ftz.f32.f32 %r0, %r1", 0x80000007, 0, 0x80000000}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    static const char *const results[] = {
        ['h'] = "cvt.u64.u16 %d0, %h0;", ['r'] = "cvt.u64.u32 %d0, %r0;", ['d'] = ""};
    char code[400];
    uint64_t got[32];
    snprintf(code, sizeof code,
             "mov.b64 %%d1, %llu; cvt.u16.u64 %%h1, %%d1; cvt.u32.u64 %%r1, %%d1;\n"
             "mov.b64 %%d2, %llu; cvt.u16.u64 %%h2, %%d2; cvt.u32.u64 %%r2, %%d2;\n%s;\n%s",
             (unsigned long long)rows[k].a, (unsigned long long)rows[k].b, rows[k].op,
             results[(unsigned char)strchr(rows[k].op, '%')[1]]);
    run_code(code, got);
    if (got[9] != rows[k].want)
      fail_msg("%s of %llx, %llx is %llx, not %llx", rows[k].op, (unsigned long long)rows[k].a,
               (unsigned long long)rows[k].b, (unsigned long long)got[9], (unsigned long long)rows[k].want);
  }
}

// Each leaves one value in the lower 16 lanes, one in the upper.
TEST(test_lanes) {
  static const struct {
    const char *code;
    uint64_t low, high;
  } rows[] = {
      // a carry stays with its lane, and where there is no .cc
      {"setp.lt.u32 %p1, %r8, 16; mov.u32 %r1, -1; add.cc.u32 %r0, %r1, 1; @%p1 add.cc.u32 %r0, %r8, 1; "
       "addc.u32 %r2, 0, 0; addc.u32 %r3, 0, 0; cvt.u64.u32 %d0, %r3;",
       0, 1},
      // groups with masks of their own meet in one instruction
      {"setp.lt.u32 %p1, %r8, 16; selp.b32 %r4, 0xffff, 0xffff0000, %p1; setp.ge.u32 %p2, %r8, 0; "
       "vote.sync.ballot.b32 %r0, %p2, %r4; cvt.u64.u32 %d0, %r0;",
       0xffff, 0xffff0000},
      {"setp.lt.u32 %p1, %r8, 16; selp.b32 %r4, 0xffff, 0xffff0000, %p1; redux.sync.add.u32 %r0, %r8, %r4; "
       "cvt.u64.u32 %d0, %r0;",
       120, 376},
      {"setp.lt.u32 %p1, %r8, 16; selp.b32 %r4, 0xffff, 0xffff0000, %p1; elect.sync _|%p2, %r4; "
       "vote.ballot.b32 %r0, %p2; cvt.u64.u32 %d0, %r0;",
       0x10001, 0x10001},
      // lanes that come later are waited for
      {"setp.lt.u32 %p1, %r8, 16; mov.u32 %r1, %r8; @%p1 bra JOIN; add.u32 %r1, %r1, 100; JOIN: "
       "shfl.sync.idx.b32 %r0, %r1, 31, 31, -1; cvt.u64.u32 %d0, %r0;",
       131, 131},
      // without .sync: the lanes that are there
      {"setp.lt.u32 %p1, %r8, 16; mov.u32 %r0, 7; @%p1 activemask.b32 %r0; cvt.u64.u32 %d0, %r0;", 0xffff, 7},
      {"setp.ge.u32 %p1, %r8, 0; vote.ballot.b32 %r0, !%p1; not.b32 %r0, %r0; cvt.u64.u32 %d0, %r0;",
       0xffffffff, 0xffffffff},
      {"shfl.up.b32 %r0|%p1, %r8, 1, 0; selp.b32 %r1, 1, 0, %p1; add.u32 %r0, %r0, %r1; sub.u32 %r0, %r8, "
       "%r0; cvt.u64.u32 %d0, %r0;",
       0, 0},
      {"shfl.bfly.b32 %r0, %r8, 16, 31; xor.b32 %r0, %r0, %r8; cvt.u64.u32 %d0, %r0;", 16, 16},
      {"shfl.down.b32 %r0, %r8, 16, 31; sub.u32 %r0, %r0, %r8; cvt.u64.u32 %d0, %r0;", 16, 0},
      {"setp.lt.u32 %p1, %r8, 16; mov.u32 %r0, 5; @%p1 shfl.idx.b32 %r0, 9, 20, 31; cvt.u64.u32 %d0, %r0;", 9,
       5},
      // parts that nobody wants, the third operation of lop3, the lower half of an approximation
      {"mov.b64 %d1, 0x1111222233334444; mov.b64 {_, %r0}, %d1; cvt.u64.u32 %d0, %r0;", 0x11112222,
       0x11112222},
      {"setp.lt.u32 %p1, %r8, 16; mov.u32 %r1, 5; lop3.xor.b32 %r0|%p2, %r1, %r1, %r1, 0x80, !%p1; "
       "selp.b64 %d0, 1, 0, %p2;",
       1, 0},
      {"mov.b64 %d1, 0d4008000000000000; rcp.approx.ftz.f64 %d0, %d1; and.b64 %d0, %d0, 0xffffffff;", 0, 0},
      {"mov.b64 %d1, 0d4008000000000000; rsqrt.approx.ftz.f64 %d0, %d1; and.b64 %d0, %d0, 0xffffffff;", 0,
       0}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    uint64_t got[32];
    run_code(rows[k].code, got);
    for (int l = 0; l < 32; l++)
      if (got[l] != (l < 16 ? rows[k].low : rows[k].high))
        fail_msg("%s: lane %d has %llx", rows[k].code, l, (unsigned long long)got[l]);
  }
}
