// What no computed result shows: an instruction under a guard changes the lanes of the guard and no others,
// and its destination may be one of its sources. Every form of forms.def that stands alone is executed three
// ways in one kernel (in all lanes, under a guard, under a guard in place of each source), and the three are
// compared with each other: no oracle is asked.

#include "base/unit.h"
#include "engine/gpu.h"
#include "selftest/selftest.h"

enum { LANES = 32, OLD = 0x5a }; // OLD: what the destination holds before

static const char IN[ST_INS] = {'a', 'b', 'c', 'x'}, OUT[ST_OUTS] = {'d', 'e', 'f', 'g'};

// A kernel in the making, and what its results are: the full one of the same output, or another way.
typedef struct result {
  const st_form *form;
  size_t full;       // number of the result of all lanes
  int out, in_place; // -1: not in place
} result;

typedef struct writer {
  FILE *to;
  result *results;
  size_t n;
} writer;

static void declare(const writer *w, char name, st_kind k) {
  if (k == ST_PRED) fprintf(w->to, ".reg .pred %c; ", name);
  else fprintf(w->to, ".reg .b%u %c; ", st_register_bits(k), name);
}

static void set_old(const writer *w, char name, st_kind k) {
  if (k == ST_PRED) fprintf(w->to, "setp.ne.b32 %c,t,t; ", name);
  else fprintf(w->to, "mov.b%u %c,%d; ", st_register_bits(k), name, OLD);
}

static void store(writer *w, char name, st_kind k, result r) {
  if (k == ST_PRED) fprintf(w->to, "selp.b32 t,1,0,%c; st.global.b32 [%%o+%zu],t; ", name, w->n * LANES * 8);
  else fprintf(w->to, "st.global.b%u [%%o+%zu],%c; ", st_register_bits(k), w->n * LANES * 8, name);
  if (!SL_ROOM(w->results, w->n)) abort();
  w->results[w->n++] = r;
}

// [in_place]: the source whose register the first result takes; -1: none.
static void instruction(const writer *w, const st_form *f, int in_place) {
  fprintf(w->to, "%s ", f->text);
  for (int k = 0; k < f->n_out; k++)
    fprintf(w->to, "%s%c", k ? "|" : "", k == 0 && in_place >= 0 ? 'q' : OUT[k]);
  for (int k = 0; k < f->n_in; k++) fprintf(w->to, ",%c", k == in_place ? 'q' : IN[k]);
  fprintf(w->to, "; ");
}

static void store_all(writer *w, const st_form *f, size_t full, int in_place) {
  for (int k = 0; k < f->n_out; k++)
    store(w, k == 0 && in_place >= 0 ? 'q' : OUT[k], f->out[k], (result){f, full + (size_t)k, k, in_place});
}

static void write_form(writer *w, const st_form *f) {
  size_t full = w->n;
  fprintf(w->to, "{ .reg .b32 t; mov.u32 t,0; ");
  for (int k = 0; k < f->n_out; k++) declare(w, OUT[k], f->out[k]);
  declare(w, 'q', f->out[0]);
  for (int k = 0; k < f->n_in; k++) {
    declare(w, IN[k], f->in[k]);
    if (f->in[k] == ST_PRED) fprintf(w->to, "ld.global.b32 t,[%%i+%d]; setp.ne.b32 %c,t,0; ", k * 8, IN[k]);
    else fprintf(w->to, "ld.global.b%u %c,[%%i+%d]; ", st_register_bits(f->in[k]), IN[k], k * 8);
  }
  instruction(w, f, -1);
  store_all(w, f, full, -1);
  for (int k = 0; k < f->n_out; k++) set_old(w, OUT[k], f->out[k]);
  fprintf(w->to, "@on ");
  instruction(w, f, -1);
  store_all(w, f, full, -1);
  for (int k = 0; k < f->n_in; k++) {
    bool pred = f->in[k] == ST_PRED;
    if (pred != (f->out[0] == ST_PRED) || st_register_bits(f->in[k]) != st_register_bits(f->out[0])) continue;
    for (int j = 1; j < f->n_out; j++) set_old(w, OUT[j], f->out[j]);
    if (pred) fprintf(w->to, "mov.pred q,%c; @on ", IN[k]);
    else fprintf(w->to, "mov.b%u q,%c; @on ", st_register_bits(f->in[k]), IN[k]);
    instruction(w, f, k);
    store_all(w, f, full, k);
  }
  fprintf(w->to, "}\n");
}

static void write_kernel(writer *w, const st_forms *forms) {
  fprintf(w->to,
          ".version 8.6\n.target sm_90\n.address_size 64\n"
          ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 lanes)\n{\n"
          ".reg .b64 %%i, %%o; .reg .b32 %%l, %%m; .reg .pred on;\n"
          "ld.param.u64 %%i,[in]; ld.param.u64 %%o,[out]; ld.param.u32 %%m,[lanes]; mov.u32 %%l,%%tid.x;\n"
          "mad.wide.u32 %%i,%%l,%d,%%i; mad.wide.u32 %%o,%%l,8,%%o; shr.u32 %%m,%%m,%%l;\n"
          "and.b32 %%m,%%m,1; setp.ne.u32 on,%%m,0;\n",
          ST_INS * 8);
  for (size_t k = 0; k < forms->n; k++) write_form(w, &forms->at[k]);
  fprintf(w->to, "ret;\n}\n");
}

static uint64_t cut(st_kind k, uint64_t v) {
  unsigned bits = k == ST_PRED ? 1 : st_register_bits(k);
  return bits < 64 ? v & ((1ull << bits) - 1) : v;
}

static void compare(const writer *w, uint32_t lanes, uint64_t (*in)[ST_INS], uint64_t (*out)[LANES]) {
  for (size_t k = 0; k < w->n; k++) {
    const result *r = &w->results[k];
    st_kind kind = r->form->out[r->out];
    bool full = k == r->full;
    for (unsigned l = 0; l < LANES; l++) {
      uint64_t old = kind == ST_PRED ? 0 : OLD;
      if (r->in_place >= 0 && r->out == 0) old = cut(r->form->in[r->in_place], in[l][r->in_place]);
      uint64_t want = full || lanes >> l & 1 ? out[r->full][l] : old;
      if (out[k][l] != want)
        fail_msg("%s, result %d%s, lane %u of %08x: %llx, not %llx", r->form->text, r->out,
                 r->in_place >= 0 ? " in place of a source" : "", l, lanes, (unsigned long long)out[k][l],
                 (unsigned long long)want);
    }
  }
}

static void *room(sl_gpu *g, size_t bytes, uint64_t *addr) {
  sl_error e = {0};
  void *p = sl_gpu_alloc(g, 1, bytes, addr, &e) ? sl_gpu_ptr(g, 1, *addr, bytes, &e) : NULL;
  if (!p) fail_msg("%s", e.text);
  return memset(p, 0, bytes);
}

// Executes the kernel of [w] on vectors of its forms under several guards.
static void run_kernel(sl_gpu *g, sl_gmodule *m, const writer *w, const st_vectors *v) {
  static const uint32_t guards[] = {0x0000ffff, 0x80000001, 0x5a5a5a5a, 0x00000010, 0xffffffff};
  struct {
    uint64_t in, out;
    uint32_t lanes;
  } params;
  uint64_t(*in)[ST_INS] = room(g, LANES * sizeof *in, &params.in);
  uint64_t(*out)[LANES] = room(g, w->n * sizeof *out, &params.out);
  for (size_t k = 0; k < sizeof guards / sizeof *guards; k++) {
    sl_launch l = {.kernel = sl_gpu_kernel(m, "k"),
                   .owner = 1,
                   .params = &params,
                   .grid = {1, 1, 1},
                   .block = {LANES, 1, 1}};
    sl_error e = {0};
    sl_counters counters;
    params.lanes = guards[k];
    memcpy(in, v->at + (v->n / 5 * k) / LANES * LANES, LANES * sizeof *in);
    if (sl_gpu_launch(g, &l, &counters, &e) != SL_LAUNCH_OK)
      fail_msg("%s: %s", w->results[0].form->text, e.text);
    compare(w, guards[k], in, out);
  }
  if (!sl_gpu_free(g, 1, params.in, &(sl_error){0}) || !sl_gpu_free(g, 1, params.out, &(sl_error){0})) fail();
}

static void test_group(sl_gpu *g, const st_forms *forms) {
  char *text = NULL;
  size_t len = 0;
  sl_error e = {0};
  writer w = {.to = open_memstream(&text, &len)};
  st_vectors v = st_make_vectors(&forms->at[0], 1);
  write_kernel(&w, forms);
  fclose(w.to);
  sl_gmodule *m = sl_gpu_load(g, 1, "forms", text, len, &e);
  if (!m) fail_msg("%s", e.text);
  run_kernel(g, m, &w, &v);
  sl_gpu_unload(g, m);
  free(text), free(w.results), free(v.at);
}

TEST(test_guards_and_places) {
  sl_error e = {0};
  size_t tested = 0;
  sl_gpu_config cfg = sl_gpu_defaults();
  sl_gpu *g = sl_gpu_create(&cfg, &e);
  if (!g) fail_msg("%s", e.text);
  for (size_t r = 0; r < st_n_rows; r++)
    for (unsigned group = 0; !st_rows[r].code && !st_rows[r].is_c && !st_rows[r].group; group++) {
      st_forms forms = st_expand(&st_rows[r], group);
      if (forms.n) test_group(g, &forms);
      tested += forms.n;
      free(forms.at);
      if (!forms.n) break;
    }
  sl_gpu_destroy(g);
  assert_true(tested > 1000);
}
