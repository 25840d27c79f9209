// Unit tests of the PTX parser: every trap of the syntax by its effect on the tables, and a table of bad
// texts with the message that each must give.
#include "base/unit.h"
#include "ptx/ir.h"
#include "ptx/tests/round_trip.h"

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"
#define KERNEL(body) HEAD ".visible .entry k(.param .u64 k_param_0)\n{\n" body "\n}\n"

static sl_ptx_module *parses(const char *text) {
  sl_error e = {0};
  sl_ptx_module *m = sl_ptx_parse("t.ptx", text, strlen(text), &e);
  if (!m) fail_msg("%s", e.text);
  return m;
}

// Parses, prints, parses again and compares.
static sl_ptx_module *good(const char *text) {
  sl_ptx_module *m = parses(text);
  const char *why = sl__round_trip(m);
  if (why) fail_msg("round trip: %s", why);
  return m;
}

static const sl_ptx_func *func(const sl_ptx_module *m, const char *name) {
  for (uint32_t i = 0; i < m->n_funcs; i++)
    if (strcmp(m->funcs[i].name, name) == 0) return &m->funcs[i];
  fail_msg("no function %s", name);
  return NULL;
}

static const sl_ptx_var *var(const sl_ptx_module *m, const char *name) {
  for (uint32_t i = 0; i < m->n_vars; i++)
    if (strcmp(m->vars[i].name, name) == 0) return &m->vars[i];
  fail_msg("no variable %s", name);
  return NULL;
}

// The instruction [n] of kernel k as the disassembler shows it.
static void shows(const sl_ptx_module *m, uint32_t n, const char *want) {
  const sl_ptx_func *f = func(m, "k");
  char got[300];
  assert_true(n < f->n_insns);
  assert_string_equal(sl_ptx_disasm(m, f, &f->insns[n], got, sizeof got), want);
}

TEST(heading) {
  MODULE *m = good(".version 8.7\n.target sm_90a, debug\n.address_size 64\n.entry k() { ret; }");
  assert_int_equal(m->version_major, 8);
  assert_int_equal(m->version_minor, 7);
  assert_int_equal(m->sm, 90);
  assert_string_equal(m->target, "sm_90a");
}

TEST(literals) {
  MODULE *m = good(KERNEL(
      ".reg .b32 %r<9>; .reg .f32 %f<3>; .reg .f64 %fd<3>; .reg .b64 %rd<3>;\n"
      "mov.u32 %r1, 0x10; mov.u32 %r1, -7; mov.u32 %r1, 010; mov.u32 %r1, 0b101; mov.u32 %r1, 4294967295U;\n"
      "mov.f32 %f1, 0f3F800000; mov.f64 %fd1, 0dBFF0000000000000; mov.f64 %fd1, 2.5;\n"
      "mov.b64 %rd1, 18446744073709551615; mov.u32 %r1, WARP_SZ; mov.u32 %r1, %ctaid.y;"));
  static const char *const want[] = {"mov.u32 %r1, 16;",
                                     "mov.u32 %r1, -7;",
                                     "mov.u32 %r1, 8;",
                                     "mov.u32 %r1, 5;",
                                     "mov.u32 %r1, 4294967295;",
                                     "mov.f32 %f1, 0f3F800000;",
                                     "mov.f64 %fd1, 0dBFF0000000000000;",
                                     "mov.f64 %fd1, 0d4004000000000000;",
                                     "mov.b64 %rd1, -1;",
                                     "mov.u32 %r1, WARP_SZ;",
                                     "mov.u32 %r1, %ctaid.y;"};
  for (uint32_t i = 0; i < sizeof want / sizeof want[0]; i++) shows(m, i, want[i]);
}

// Names of nested { } hide those outside, ranges included, and end with the block.
TEST(scopes) {
  MODULE *m = good(KERNEL(".reg .b32 %r<5>; .reg .u32 lo; mov.u32 lo, 1; mov.u32 %r1, 1;\n"
                          "{ .reg .u64 lo; .reg .b64 %r<2>; mov.u64 lo, 2; mov.u64 %r1, 2; mov.u32 "
                          "%r3, 2; } mov.u32 lo, 3; mov.u32 %r1, 3;"));
  const sl_ptx_func *f = func(m, "k");
  static const uint8_t cls[] = {SL_R_32, SL_R_32, SL_R_64, SL_R_64, SL_R_32, SL_R_32, SL_R_32};
  assert_int_equal(f->n_insns, 7);
  for (uint32_t i = 0; i < 7; i++) assert_int_equal(f->regs[f->insns[i].ops[0].reg].cls, cls[i]);
  assert_int_equal(f->insns[0].ops[0].reg, f->insns[5].ops[0].reg);
  assert_int_equal(f->insns[1].ops[0].reg, f->insns[6].ops[0].reg);
  assert_int_equal(f->n_regs, 5);
}

// A label belongs to its block; a branch may leave blocks, forwards and backwards.
TEST(labels) {
  sl_ptx_module *m =
      good(KERNEL("$L__BB0_1: { bra DONE; DONE: ret; } { DONE: bra DONE; bra END; bra $L__BB0_1; } END:"));
  const sl_ptx_func *f = func(m, "k");
  static const uint32_t want[] = {1, 0, 2, 5, 0};
  for (uint32_t i = 0; i < 5; i++)
    if (i != 1) assert_int_equal(f->insns[i].ops[0].label, want[i]);
  sl_ptx_free(m);
}

TEST(operand_forms) {
  MODULE *m = good(KERNEL(
      ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 4 .b8 tile[64];\n"
      "{ .reg .pred p; .reg .u32 lo; shfl.sync.up.b32 lo|p, %r1, 1, 0, -1; @p add.u32 lo, lo, %r2; }\n"
      "@!%p1 ld.global.nc.L1::no_allocate.L2::128B.v2.u32 {%r1, _}, [%rd1+-16];\n"
      "setp.lt.and.s32 %p1|_, %r1, %r2, !%p3; mov.b64 {%r1, %r2}, %rd1; st.shared.u32 [tile+4], 1;\n"
      "mov.u64 %rd1, tile+8; ld.volatile.global.u32 %r1, [4096]; bar.warp.sync -1; vote.sync.ballot.b32 %r1, "
      "%p1, -1;\n"
      "atom.global.add.u32 _, [%rd1], 1; cp.async.ca.shared.global [%r1], [%rd1], 16; mov.u64 %rd1, k;"));
  static const char *const want[] = {
      "shfl.sync.up.b32 lo|p, %r1, 1, 0, -1;",
      "@p add.u32 lo, lo, %r2;",
      "@!%p1 ld.global.nc.L1::no_allocate.L2::128B.v2.u32 {%r1, _}, [%rd1-16];",
      "setp.lt.and.s32 %p1|_, %r1, %r2, !%p3;",
      "mov.b64 {%r1, %r2}, %rd1;",
      "st.shared.u32 [tile+4], 1;",
      "mov.u64 %rd1, tile+8;",
      "ld.volatile.global.u32 %r1, [4096];",
      "bar.warp.sync -1;",
      "vote.sync.ballot.b32 %r1, %p1, -1;",
      "atom.global.add.u32 _, [%rd1], 1;",
      "cp.async.ca.shared.global [%r1], [%rd1], 16;",
      "mov.u64 %rd1, k;"};
  for (uint32_t i = 0; i < sizeof want / sizeof want[0]; i++) shows(m, i, want[i]);
  const sl_ptx_insn *i = &func(m, "k")->insns[3];
  assert_true(i->ops[0].pair == UINT32_MAX && i->ops[3].negated);
}

TEST(calls) {
  MODULE *m = good(
      HEAD ".extern .func (.param .b32 func_retval0) vprintf\n(\n.param .b64 a,\n.param .b64 b\n)\n;\n"
           ".visible .entry k()\n{\n.reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .pred %p<2>;\n"
           "{ .param .b64 param0; st.param.b64 [param0+0], %rd1; .param .b64 param1; .param .b32 retval0;\n"
           "call.uni (retval0),\nvprintf,\n(\nparam0,\nparam1\n); ld.param.b32 %r1, [retval0+0]; }\n"
           "{ .param .align 8 .b8 param0[12]; prototype_5 : .callprototype (.param .b32 _) _ (.param .align "
           "8 .b8 _[12], .param .b32 _);\n"
           "@%p1 call (%r2), %rd2, (param0, 7), prototype_5; call.uni later; }\n"
           "t: .branchtargets L1, L0;\nbrx.idx %r1, t;\nL0: L1: exit;\n}\n.func later() { ret; }");
  shows(m, 1, "call.uni (retval0), vprintf, (param0, param1);");
  shows(m, 3, "@%p1 call (%r2), %rd2, (param0, 7), prototype_5;");
  shows(m, 4, "call.uni later;");
  shows(m, 5, "brx.idx %r1, {$L6, $L6};");
  const sl_ptx_func *k = func(m, "k"), *v = func(m, "vprintf"), *later = func(m, "later");
  const sl_ptx_proto *p = &m->protos[k->insns[3].proto - 1];
  assert_true(p->ret_size == 4 && p->n_params == 2 && p->param_size[0] == 12 && p->param_align[0] == 8 &&
              p->param_size[1] == 4);
  assert_true(v->is_extern && v->n_params == 2 && v->n_rets == 1 && v->param_bytes == 16 &&
              !later->is_extern);
  assert_ptr_equal(&m->funcs[k->insns[4].ops[0].func], later);
  assert_int_equal(k->frame_param_bytes, 20); // the two calls' parameters share their place
}

TEST(entry_parameters) {
  MODULE *m = good(
      HEAD ".visible .entry k(.param .u8 a, .param .align 8 .b8 b[12], .param .u32 c, .param .u64 .ptr "
           ".global .align 4 d)\n"
           ".maxntid 128, 2, 1\n.minnctapersm 3\n.pragma \"x\";\n{ .local .align 16 .b8 depot[40]; ret; }");
  static const uint64_t offset[] = {0, 8, 20, 24};
  const sl_ptx_func *f = func(m, "k");
  assert_int_equal(f->n_params, 4);
  for (int i = 0; i < 4; i++) assert_int_equal(m->vars[f->params[i]].offset, offset[i]);
  assert_int_equal(f->param_bytes, 32);
  assert_int_equal(f->local_bytes, 40);
  assert_true(f->maxntid[0] == 128 && f->maxntid[1] == 2 && f->maxntid[2] == 1 && f->minnctapersm == 3 &&
              !f->reqntid[0]);
}

TEST(initial_values) {
  MODULE *m = good(
      HEAD
      ".global .align 8 .u64 tab[3] = {f, generic(x)+4, later};\n.const .align 4 .b8 c[6] = {1, -1, 255};\n"
      ".global .attribute(.managed) .align 4 .u32 x = 9;\n.global .f32 g[2][2] = {{1.5}, {0f40000000, "
      "-2.0}};\n"
      ".global .align 1 .b8 packed[10] = {7, 0XFF(x), 0xFF00(x), 0xFF0000(x), 0xFF000000(x), "
      "0xFF00000000(x), 0xFF0000000000(x), 0xFF000000000000(x), 0xFF00000000000000(x), 8};\n"
      ".extern .shared .align 16 .b8 s[];\n.weak .global .s16 open[] = {-2, 5, 6};\n.func f() { ret; "
      "}\n.global .u32 later;");
  const sl_ptx_var *t = var(m, "tab"), *p = var(m, "packed");
  assert_int_equal(t->n_relocs, 3);
  assert_true(t->relocs[0].is_func && !t->relocs[0].generic && t->relocs[0].offset == 0);
  assert_true(!t->relocs[1].is_func && t->relocs[1].generic && t->relocs[1].addend == 4 &&
              t->relocs[1].offset == 8);
  assert_string_equal(m->vars[t->relocs[2].index].name, "later");
  assert_memory_equal(var(m, "c")->init, "\1\377\377\0\0\0", 6);
  assert_true(var(m, "x")->is_managed && !memcmp(var(m, "x")->init, "\x09\0\0\0", 4));
  const float g[4] = {1.5f, 0, 2, -2};
  assert_memory_equal(var(m, "g")->init, g, sizeof g);
  assert_int_equal(p->n_relocs, 1);
  assert_true(p->relocs[0].offset == 1 && p->relocs[0].size == 8 && p->relocs[0].shift == 0 &&
              p->init[0] == 7 && p->init[9] == 8);
  assert_true(var(m, "s")->is_unsized && var(m, "s")->is_extern && var(m, "open")->size == 6);
}

// Line 0 is no line: the place before it counts.
TEST(made_up_places) {
  MODULE *m = good(KERNEL(".loc 1 5 0\nexit;\n.loc 1 0 3\nexit;\n") ".file 1 \"a.cu\"\n");
  sl_src_pos at = {0};
  assert_true(sl_ptx_position(m, &func(m, "k")->insns[1], &at) && at.line == 5);
}

// #line 5 "a\"b\\.cu" in the source.
TEST(quotes_in_names) {
  MODULE *m = good(KERNEL(".loc 1 5 0\nexit;\n") ".file 1 \"a\\\"b\\\\\"\n.file 2 \"c\\d\"\n");
  assert_string_equal(m->files[1], "a\\\"b\\\\");
  assert_string_equal(m->files[2], "c\\d");
}

// .loc with its chain of call sites: the innermost place that is the user's own.
TEST(positions) {
  MODULE *m = good(KERNEL(
      "exit;\n.loc 1 9 2\nexit;\n.loc 1 6 3, function_name $S0, inlined_at 1 9 2\n"
      ".loc 2 50 1, function_name $S1, inlined_at 1 6 3\nexit;\n.loc 2 60 1, function_name $S1, inlined_at 2 "
      "7 7\nexit;\n.loc 9 1 1\nexit;") ".file 1 \"my kernel.cu\"\n.file 2 "
                                       "\"/usr/local/cuda/include/crt/sm_70_rt.hpp\", 12, 34\n"
                                       ".section .debug_str\n{\n$S0:\n.b8 102,0\n$S1:\n.b8 103\n.b8 "
                                       "104,0\n}\n.section .debug_info { .b32 $L1 { } }\n");
  const sl_ptx_func *f = func(m, "k");
  static const struct {
    bool known;
    uint32_t line;
  } want[] = {{false, 0}, {true, 9}, {true, 6}, {true, 7}, {false, 0}};
  for (uint32_t i = 0; i < 5; i++) {
    sl_src_pos at = {0};
    assert_int_equal(sl_ptx_position(m, &f->insns[i], &at), want[i].known);
    if (want[i].known) assert_int_equal(at.line, want[i].line);
    if (want[i].known && i < 3) assert_string_equal(at.file, "my kernel.cu");
  }
  assert_string_equal(m->locs[f->insns[2].loc - 1].func, "gh");
}

TEST(text_of_instructions) {
  MODULE *m = good(KERNEL(".reg .b32 %r<3>; { add.s32 %r1,%r1,  1;ret; }"));
  const sl_ptx_insn *i = func(m, "k")->insns;
  assert_int_equal(i->text_len, strlen("add.s32 %r1,%r1,  1;"));
  assert_memory_equal(m->text + i->text, "add.s32 %r1,%r1,  1;", i->text_len);
  assert_memory_equal(m->text + i[1].text, "ret;", 4);
  assert_int_equal(i[1].ptx_line, 6);
}

// What may stand in a declaration twice, and in which order.
TEST(redeclarations) {
  MODULE *m = parses(HEAD ".extern .global .align 4 .u32 x;\n.global .align 4 .u32 x = 3;\n.func "
                          "(.param .b32 r) f(.param .b32 a);\n"
                          ".func (.param .b32 rr) f(.param .b32 aa) { ret; }\n.func g();\n.alias g, "
                          "f;\n.entry k() { call g; ret; }");
  assert_true(!var(m, "x")->is_extern && var(m, "x")->init[0] == 3);
  assert_int_equal(func(m, "f")->n_params, 1);
  assert_string_equal(m->vars[func(m, "f")->params[0]].name, "aa");
  assert_int_equal(func(m, "g")->n_insns, 1);
}

static const struct {
  const char *text, *message;
} bad[] = {
    {"", "t.ptx:1: no .version"},
    {"hello", "t.ptx:1: expected a directive"},
    {".version 9\n", "two numbers"},
    {".version 9.0\n.target x\n", "t.ptx:2: the target is not of the form sm_75"},
    {".version 9.0\n.entry k() { ret; }", "no .target"},
    {".version 9.0\n.target sm_75\n.address_size 32", "t.ptx:3: only 64-bit PTX"},
    {KERNEL("ret"), "t.ptx:6: expected an operand, found '}': ret }"},
    {KERNEL("frobnicate.u32 1;"), "t.ptx:6: the instruction 'frobnicate' is not known: frobnicate.u32 1;"},
    {KERNEL("\n\n@%p1 ret;"), "t.ptx:8: '%p1' is no register: @%p1 ret;"},
    {KERNEL(".reg .b32 %r<2>;\nadd.s32.funny %r1,\n %r1, 1;"),
     "t.ptx:7: the suffix '.funny' is not known: add.s32.funny %r1, %r1, 1;"},
    {KERNEL(".reg .b32 %r<2>; mov.u32 %r2, 1;"),
     "'%r2' is neither a declared register nor a special register"},
    {KERNEL(".reg .b32 %r<20>; mov.u32 %r01, 1;"), "'%r01' is neither"},
    {KERNEL(".reg .b32 %r<2>; mov.u32 %r1, %tid.w;"), "'%tid' is neither"},
    {KERNEL(".reg .b32 %r<2>; mov.u32 %r1, -%tid.x;"), "'-' stands before numbers and registers only"},
    {KERNEL(".reg .b32 %r<2>; mov.u32 %r1, -[%r1];"), "expected a number after '-'"},
    {KERNEL(".reg .b32 %r<2>; mov.b64 {%r0, -%r1}, %r1;"), "expected a number after '-'"},
    {KERNEL(".reg .b32 r; mov.u32 r, q;"), "t.ptx:6: 'q' is not declared: mov.u32 r, q;"},
    {KERNEL("bra NOWHERE;"), "t.ptx:6: the label 'NOWHERE' is not defined: bra NOWHERE;"},
    {KERNEL("{ IN: ret; } bra IN;"), "the label 'IN' is not defined"},
    {KERNEL("L: ret; L: ret;"), "'L' is declared twice"},
    {KERNEL(".reg .b32 a; .reg .b32 a;"), "'a' is declared twice"},
    {KERNEL(".reg .b32 a; @a ret;"), "'a' is no predicate"},
    {KERNEL(".reg .b32 a; mov.u32 a, 99999999999999999999;"), "number does not fit 64 bits"},
    {KERNEL(".reg .b32 a; mov.u32 a, 12q;"), "number followed by 'q'"},
    {KERNEL(".reg .b32 a; mov.u32 a, 0x;"), "number without digits"},
    {KERNEL(".reg .b32 a; ld.u32 a, [a;"), "expected ']' after an address, found ';'"},
    {KERNEL(".reg .b32 a; ld.u32 a, [k];"), "a function is no address of data"},
    {KERNEL(".reg .b32 a; mov.u32 {a, {a}}, 1;"), "expected an operand, found '{'"},
    {KERNEL(".reg .b32 a; mov.u32 a, 1, 2, 3, 4, 5, 6, 7, 8;"), "more than 8 operands"},
    {KERNEL("add.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32 1;"), "more than 10 suffixes"},
    {KERNEL(".reg .b64 a; call a, ();"), "an indirect call without its prototype"},
    {KERNEL("call 7;"), "this cannot be called"},
    {KERNEL("call k_param_0;"), "a variable cannot be called"},
    {KERNEL(".reg .b32 a; brx.idx a, t;"), "'t' is no .branchtargets"},
    {KERNEL(".local .b8 a[600000];"), "more than 524288 bytes of local memory"},
    {KERNEL(".local .align 3 .b8 a[6];"), "an alignment is a power of two"},
    {KERNEL(".shared .texref t;"), "'.texref' is no type"},
    {KERNEL(".frob 3;"), "'.frob' is not known inside a function"},
    {KERNEL("{"), "expected an instruction, found the end of the text"},
    {KERNEL("} }"), "expected a directive, a variable or a function, found '}'"},
    {HEAD ".entry k() { ret; } .entry k() { ret; }", "the function is defined twice"},
    {HEAD ".entry k(.reg .b32 r) { ret; }", "parameters in registers"},
    {HEAD ".entry (.param .b32 r) k() { ret; }", "an .entry returns nothing"},
    {HEAD ".func f(.param .b32 a); .func f() { ret; }", "an earlier declaration has other parameters"},
    {HEAD ".global .u32 x = {1, 2};", "more values than the variable has elements"},
    {HEAD ".global .u32 x = {y};", "'y' is not declared: .global .u32 x = {y};"},
    {HEAD ".global .b8 x[2] = {x};", "an address does not fit"},
    {HEAD ".global .b8 x[2] = {0xF0(x)};", "a mask selects one byte"},
    {HEAD ".global .b8 x[1099511627777];", "at most 1099511627776"},
    {HEAD ".global .b8 x[1000000000000] = {1};", "bytes of initial values"},
    {HEAD ".global .b64 x[1099511627776];", "the variable is too large"},
    {HEAD ".shared .u32 x = 1;", "has no initial value"},
    {HEAD ".global .pred x;", "a predicate cannot be a variable"},
    {HEAD ".file 99999999 \"x\"", "the number of a file is 99999999"},
    {HEAD ".file 1 \"x", "string without its closing quote"},
    {HEAD ".section .debug_info { {", "a '{' that is never closed"},
    {HEAD ". x", "a dot with no word"},
    {KERNEL("\x01"), "expected an instruction, found '\x01'"},
};

TEST(bad_texts) {
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    sl_error e = {0};
    sl_ptx_module *m = sl_ptx_parse("t.ptx", bad[i].text, strlen(bad[i].text), &e);
    if (m) fail_msg("accepted: %s", bad[i].text);
    if (!strstr(e.text, bad[i].message)) fail_msg("expected '%s', got '%s'", bad[i].message, e.text);
    assert_true(e.code == SL_EXIT_INPUT && e.hint[0]);
  }
}

// Every prefix of a text is either PTX or an error, never anything worse.
TEST(cut_texts) {
  static const char whole[] =
      KERNEL(".reg .b32 %r<3>; .reg .pred p; { .loc 1 2 3, function_name $a, inlined_at 1 3 4\n @p mov.b64 "
             "{%r1, _}, [k+4]; } L: bra L;") ".global .u64 x[2] = {generic(x)+4, 0f00000000};\n.section "
                                             ".debug_str { $a: .b8 1,2 }\n";
  for (size_t n = 0; n < sizeof whole; n++) {
    sl_error e = {0};
    MODULE *m = sl_ptx_parse("t.ptx", whole, n, &e);
    assert_true(!m == !!e.code);
  }
}

// Text costs memory in proportion to its length, whatever it announces.
TEST(announced_sizes) {
  sl_ptx_module *m =
      good(KERNEL(".reg .b32 %r<4000000000>; mov.u32 %r3999999999, 1;") ".global .b8 big[1000000000000];");
  assert_int_equal(func(m, "k")->n_regs, 1);
  assert_int_equal(var(m, "big")->size, 1000000000000);
  sl_ptx_free(m);
  char deep[400] = HEAD ".entry k() ";
  for (int i = 0; i < 80; i++) strcat(deep, "{");
  sl_error e = {0};
  assert_null(sl_ptx_parse("t.ptx", deep, strlen(deep), &e));
  assert_non_null(strstr(e.text, "nested '{'"));
}

// A text of [n] times [unit] between a head and a tail must be refused with [message].
static void too_many(const char *head, const char *unit, size_t n, const char *tail, const char *message) {
  size_t h = strlen(head), u = strlen(unit), t = strlen(tail);
  SL_FREED char *text = malloc(h + n * u + t);
  assert_non_null(text);
  memcpy(text, head, h);
  for (size_t i = 0; i < n; i++) memcpy(text + h + i * u, unit, u);
  memcpy(text + h + n * u, tail, t);
  sl_error e = {0};
  assert_null(sl_ptx_parse("t.ptx", text, h + n * u + t, &e));
  if (!strstr(e.text, message)) fail_msg("expected '%s', got '%s'", message, e.text);
}

TEST(bounds) {
  too_many(HEAD ".entry k() {", "ret;", (1 << 20) + 1, "}", "more than 1048576 instructions");
  too_many(HEAD ".entry k() { t: .branchtargets L", ",L", 1 << 22, "; L: }",
           "more than 4194304 operands in lists");
  too_many(HEAD, " ", 65 << 20, "", "bytes of PTX, at most 67108864 are read");
}
