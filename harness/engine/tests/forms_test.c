// Which instructions load: each form of forms.def does, or is refused, as its row says; a form that is
// refused says which instruction it is, and why; and additions are known as such by the counters. What
// instructions do is tested elsewhere (selftest, alu_test.c, the programs).
#include "engine/core.h"
#include "engine/tests/forms.h"
#include "engine/tests/rig.h"

static const char *const HEAD =
    ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 pp) {\n"
    ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<9>; .reg .f64 "
    "%d<9>; .reg .b128 %q<4>;\n"
    ".shared .align 128 .b8 sm[4096];\n.local .align 16 .b8 lm[64];\n";

static sl_gmodule *load(sl_gpu *g, const char *form, sl_error *e) {
  char text[2048];
  int n = snprintf(text, sizeof text, "%s%s\nret;\n}\n", HEAD, form);
  memset(e, 0, sizeof *e);
  return sl_gpu_load(g, 1, "form", text, (size_t)n, e);
}

static sl_gpu *open_device(void) {
  sl_error e = {0};
  sl_gpu_config cfg = sl_gpu_defaults();
  cfg.profile = sl_profile_find("h100");
  sl_gpu *g = sl_gpu_create(&cfg, &e);
  if (!g) fail_msg("%s", e.text);
  return g;
}

static void expect_loads(void *g, const char *form) {
  sl_error e;
  sl_gmodule *m = load(g, form, &e);
  if (!m) fail_msg("%s: %s", form, e.text);
  sl_gpu_unload(g, m);
}

static void expect_refused(void *g, const char *form) {
  sl_error e;
  if (load(g, form, &e)) fail_msg("%s is accepted", form);
}

TEST(test_forms) {
  sl_gpu *g = open_device();
#define FORM(row) each_form(row, expect_loads, g);
#define REFUSED(row) each_form(row, expect_refused, g);
#include "engine/tests/forms.def"
  sl_gpu_destroy(g);
}

TEST(test_refusals) {
  static const struct {
    const char *form, *why;
  } forms[] = {
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r8];", "this form of ldmatrix is not supported"},
      {"movmatrix.sync.aligned.m8n8.trans.b16 %r6, %r1;", "this form of movmatrix is not supported"},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f4,%f5,%f6,%f7}, {%r1,%r2}, {%r3}, "
       "{%f1,%f2,%f3,%f1};",
       "this form of mma is not supported"},
      {"tex.1d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd2, {%f1}];", "the instruction 'tex' is not known"},
      {"cp.async.ca.shared.global [%r8], [%rd4], 5;", "copies are of 4, 8 or 16 bytes"},
      {"cp.async.ca.shared.global [%r8], [%rd4], %r1;", "copies are of 4, 8 or 16 bytes"},
  };
  sl_gpu *g = open_device();
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    sl_error e;
    sl_gmodule *m = load(g, forms[k].form, &e);
    if (m) fail_msg("%s loads", forms[k].form);
    if (!strstr(e.text, forms[k].why)) fail_msg("%s: %s", forms[k].form, e.text);
    assert_true(e.hint[0]);
  }
  sl_gpu_destroy(g);
}

// What counts as an addition of the algorithm.
TEST(test_classes) {
  static const struct {
    const char *form;
    sl_class cls;
  } forms[] = {{"add.s32 %r0, %r1, 7;", SL_CLS_ADD_INT},
               {"add.s64 %rd0, %rd1, %rd2;", SL_CLS_ADD_INT},
               {"add.cc.u32 %r0, %r1, %r2;", SL_CLS_ADD_INT},
               {"sub.s32 %r0, %r1, %r2;", SL_CLS_OTHER},
               {"mad.lo.s32 %r0, %r1, %r2, %r3;", SL_CLS_OTHER},
               {"add.f32 %f0, %f1, %f2;", SL_CLS_ADD_FLOAT},
               {"add.rz.ftz.f32 %f0, %f1, %f2;", SL_CLS_ADD_FLOAT},
               {"add.f64 %d0, %d1, %d2;", SL_CLS_ADD_FLOAT},
               {"add.f16x2 %r0, %r1, %r2;", SL_CLS_ADD_FLOAT},
               {"sub.f32 %f0, %f1, %f2;", SL_CLS_ADD_FLOAT},
               {"fma.rn.f32 %f0, %f1, %f2, %f3;", SL_CLS_FMA},
               {"mul.f32 %f0, %f1, %f2;", SL_CLS_OTHER}};
  sl_gpu *g = open_device();
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    sl_error e;
    sl_gmodule *m = load(g, forms[k].form, &e);
    if (!m) fail_msg("%s: %s", forms[k].form, e.text);
    if (m->code[0].cls != forms[k].cls) fail_msg("%s: class %d", forms[k].form, m->code[0].cls);
    sl_gpu_unload(g, m);
  }
  sl_gpu_destroy(g);
}
