// sl-selftest-emit ARCH: writes the CUDA kernels for the rows of one compute capability: one kernel a row, in
// which each thread executes every form of the row on its own operands. vectors.cu includes what this prints.
//
// A kernel's parameters: operands (4 x 8 bytes a thread), results (8 bytes each, form after form), 64
// bytes of scratch a thread, and the distance between the results of two forms. In the PTX: %0 operands, %1
// results, %2 scratch, %3 32 bytes of shared memory (a 32-bit address), %4 and %5 the same two places of the
// warp's first thread, %6 and %7 of the block's.
#include "selftest/selftest.h"

static const char *const in_names[ST_INS] = {"a", "b", "c", "x"}, *const out_names[ST_OUTS] = {"d", "e", "f",
                                                                                               "g"};

static void declare(const char *name, st_kind k) {
  if (k == ST_PRED) printf(".reg .pred %s; ", name);
  else printf(".reg .b%u %s; ", st_register_bits(k), name);
}

// The bits of a value in memory: those of its register, or fewer if the type is smaller.
static unsigned stored_bits(st_kind k) {
  return st_register_bits(k) == 32 && st_bits(k) == 8 ? 32 : st_register_bits(k);
}

static void emit_load(const char *name, st_kind k, int place) {
  if (k == ST_PRED) printf("ld.global.b32 t,[%%0+%d]; setp.ne.b32 %s,t,0; ", place * 8, name);
  else printf("ld.global.b%u %s,[%%0+%d]; ", stored_bits(k), name, place * 8);
}

static void emit_store(const char *name, st_kind k, int place) {
  if (k == ST_PRED) printf("selp.b32 t,1,0,%s; st.global.b32 [%%1+%d],t; ", name, place * 8);
  else printf("st.global.b%u [%%1+%d],%s; ", stored_bits(k), place * 8, name);
}

// $: the instruction; &: its last type; #: the size of that type.
static void print_code(const st_form *f, const char *code) {
  for (; *code; code++)
    if (*code == '$') fputs(f->text, stdout);
    else if (*code == '&') fputs(st_kind_text(f->type), stdout);
    else if (*code == '#') printf("b%u", st_bits(f->type));
    else putchar(*code);
}

static void plain_code(const st_form *f) {
  printf("%s ", f->text);
  for (int k = 0; k < f->n_out; k++) printf("%s%s", k ? "|" : "", out_names[k]);
  for (int k = 0; k < f->n_in; k++) printf(", %s", in_names[k]);
  printf(";");
}

// m: is this lane a member of the mask operand? The results of others are 0.
static void member_predicate(const st_form *f) {
  const char *mask = strchr(f->letter, 'M');
  if (!f->row->group) return;
  for (int k = 0; k < f->n_out; k++)
    if (f->out[k] == ST_PRED) printf("setp.ne.b32 %s,t,t; ", out_names[k]);
    else printf("mov.b%u %s,0; ", st_register_bits(f->out[k]), out_names[k]);
  printf(".reg .pred m, first; mov.u32 t,%%%%%s; setp.eq.u32 first,t,0; ",
         f->row->threads > ST_WARP ? "tid.x" : "laneid");
  if (mask && mask < f->letter + ST_INS)
    printf("shr.b32 t,%s,t; and.b32 t,t,1; setp.ne.b32 m,t,0; ", in_names[mask - f->letter]);
  else printf("setp.eq.b32 m,t,t; ");
}

static void emit_ptx(const st_form *f) {
  printf("  asm volatile(\"{ .reg .b32 t; mov.b32 t,0; ");
  for (int k = 0; k < f->n_out; k++) declare(out_names[k], f->out[k]);
  for (int k = 0; k < f->n_in; k++) declare(in_names[k], f->in[k]);
  for (int k = 0; k < f->n_in; k++) emit_load(in_names[k], f->in[k], k);
  member_predicate(f);
  if (f->row->code) print_code(f, f->row->code);
  else plain_code(f);
  putchar(' ');
  for (int k = 0; k < f->n_out; k++) emit_store(out_names[k], f->out[k], k);
  printf("}\" :: \"l\"(in), \"l\"(o), \"l\"(mem), \"r\"(sh), \"l\"(wmem), \"r\"(wsh), \"l\"(bmem), "
         "\"r\"(bsh) : \"memory\");\n");
}

static void emit_c(const st_form *f) {
  static const char *const types[ST_NONE] = {
      [ST_F32] = "float", [ST_F64] = "double", [ST_S32] = "int", [ST_B32] = "int", [ST_S64] = "long long"};
  printf("  *(%s *)o = %s(", types[f->out[0]], f->text);
  for (int k = 0; k < f->n_in; k++) printf("%s*(const %s *)(in + %d)", k ? ", " : "", types[f->in[k]], k * 8);
  printf(");\n");
}

static void emit_group(const st_row *row, unsigned group, const st_forms *fs) {
  bool shared = row->code && (strstr(row->code, "%3") || strstr(row->code, "%5") || strstr(row->code, "%7"));
  printf("extern \"C\" __global__ void row%zu_%u(const char *in, char *o, char *mem, size_t step) {\n",
         (size_t)(row - st_rows), group);
  if (shared) printf("  __shared__ __align__(16) char place[%d * 32];\n", ST_BLOCK);
  printf("  PLACE(%d, %s)\n", fs->at[0].n_out * 8, shared ? "place" : "nullptr");
  for (size_t k = 0; k < fs->n; k++) {
    (row->is_c ? emit_c : emit_ptx)(&fs->at[k]);
    printf("  o += step;\n");
  }
  printf("}\n");
}

// Calls [fn] for every group of the rows of [arch].
static void each_group(int arch, void (*fn)(const st_row *row, unsigned group, const st_forms *fs)) {
  for (size_t r = 0; r < st_n_rows; r++) {
    if (st_rows[r].arch != arch) continue;
    for (unsigned g = 0;; g++) {
      st_forms fs = st_expand(&st_rows[r], g);
      size_t n = fs.n;
      if (n) fn(&st_rows[r], g, &fs);
      free(fs.at);
      if (!n) break;
    }
  }
}

static void emit_case(const st_row *row, unsigned group, const st_forms *) {
  printf("  case %u: return (const void *)row%zu_%u;\n", st_row_id(row, group), (size_t)(row - st_rows),
         group);
}

int main(int argc, char **argv) {
  int arch = argc == 2 ? atoi(argv[1]) : 0;
  if (!arch) return fprintf(stderr, "usage: sl-selftest-emit 75|80|90\n"), SL_EXIT_USAGE;
  each_group(arch, emit_group);
  printf("static const void *kernel_of(unsigned row) {\n  switch (row) {\n");
  each_group(arch, emit_case);
  printf("  default: return nullptr;\n  }\n}\n");
  return 0;
}
