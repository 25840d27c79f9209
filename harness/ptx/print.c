// A module as PTX text that the parser takes again.
//
// Interface: sl_ptx_print. Order: heading, variables, functions, file names, names of inlined functions.
#include <inttypes.h>
#include "ptx/print.h"

static const char *const space_names[] = {"", "const", "global", "shared", "local", "param"};

// .global .align 4 .b8 name[16]
static void put_decl(FILE *to, const sl_ptx_var *v, uint32_t index) {
  unsigned bytes = sl_ptx_type_bits(v->type) / 8;
  int len = v->func ? sl__ptx_base_len(v->name) : (int)strlen(v->name);
  fprintf(to, ".%s%s .align %u .%s %.*s", space_names[v->space], v->is_managed ? " .attribute(.managed)" : "",
          v->align, sl_ptx_mod_name(v->type), len, v->name);
  if (v->func) fprintf(to, "$%" PRIu32, index);
  if (v->is_unsized) fprintf(to, "[]");
  else if (v->size != bytes) fprintf(to, "[%" PRIu64 "]", v->size / bytes);
}

static void put_address(FILE *to, const sl_ptx_module *m, const sl_ptx_reloc *r) {
  const char *name = r->is_func ? m->funcs[r->index].name : m->vars[r->index].name;
  fprintf(to, r->generic ? "generic(%s)" : "%s", name);
  if (r->addend) fprintf(to, "%+" PRId64, r->addend);
}

// The element at [at]: a number, an address, or one byte of an address.
static void put_element(FILE *to, const sl_ptx_module *m, const sl_ptx_var *v, uint64_t at,
                        const sl_ptx_reloc *r) {
  unsigned bytes = sl_ptx_type_bits(v->type) / 8;
  uint64_t bits = 0;
  memcpy(&bits, v->init + at, bytes < 8 ? bytes : 8);
  if (!r || at < r->offset)
    fprintf(to,
            v->type == SL_M_f32   ? "0f%08" PRIX64
            : v->type == SL_M_f64 ? "0d%016" PRIX64
                                  : "0x%" PRIX64,
            bits);
  else if (bytes > 1) put_address(to, m, r);
  else {
    fprintf(to, "0x%" PRIX64 "(", (uint64_t)0xFF << (r->shift + 8 * (at - r->offset)));
    put_address(to, m, r);
    fprintf(to, ")");
  }
}

static void put_init(FILE *to, const sl_ptx_module *m, const sl_ptx_var *v) {
  unsigned bytes = sl_ptx_type_bits(v->type) / 8;
  uint32_t r = 0;
  fprintf(to, " = {");
  for (uint64_t at = 0; at < v->size; at += bytes) {
    while (r < v->n_relocs && v->relocs[r].offset + v->relocs[r].size <= at) r++;
    if (at) fprintf(to, ", ");
    put_element(to, m, v, at, r < v->n_relocs ? &v->relocs[r] : NULL);
  }
  fprintf(to, "}");
}

static void put_params(FILE *to, const sl_ptx_module *m, const uint32_t *params, uint32_t n) {
  fprintf(to, "(");
  for (uint32_t i = 0; i < n; i++) {
    fprintf(to, i ? ", " : "");
    put_decl(to, &m->vars[params[i]], params[i]);
  }
  fprintf(to, ")");
}

static void put_triple(FILE *to, const char *word, const uint32_t n[3]) {
  if (n[0]) fprintf(to, " .%s %" PRIu32 ", %" PRIu32 ", %" PRIu32, word, n[0], n[1], n[2]);
}

static void put_module_head(FILE *to, const sl_ptx_module *m, const sl_ptx_func *f) {
  if (f->is_extern && !f->is_entry) fprintf(to, ".extern ");
  else if (f->is_visible) fprintf(to, ".visible ");
  fprintf(to, f->is_entry ? ".entry " : ".func ");
  if (f->n_rets) put_params(to, m, f->rets, f->n_rets);
  fprintf(to, "%s", f->name);
  put_params(to, m, f->params, f->n_params);
  put_triple(to, "maxntid", f->maxntid);
  put_triple(to, "reqntid", f->reqntid);
  put_triple(to, "reqnctapercluster", f->cluster);
  if (f->minnctapersm) fprintf(to, " .minnctapersm %" PRIu32, f->minnctapersm);
  if (f->noreturn) fprintf(to, " .noreturn");
}

// Source positions ------------------------------------------------------------------------------------------

// The chain of call sites from the outside in; sites[0] is the place itself.
static void put_loc(FILE *to, const sl_ptx_module *m, uint32_t loc) {
  enum { MOST = 64 };
  uint32_t chain[MOST], n = 0;
  for (; loc && n < MOST; loc = m->locs[loc - 1].inlined) chain[n++] = loc - 1;
  while (n--) {
    const sl_ptx_loc *l = &m->locs[chain[n]];
    fprintf(to, "  .loc %" PRIu32 " %" PRIu32 " %" PRIu32, l->file, l->line, l->col);
    if (l->func) fprintf(to, ", function_name $S%" PRIu32, chain[n]);
    if (l->inlined) {
      const sl_ptx_loc *site = &m->locs[l->inlined - 1];
      fprintf(to, ", inlined_at %" PRIu32 " %" PRIu32 " %" PRIu32, site->file, site->line, site->col);
    }
    fprintf(to, "\n");
  }
}

static void put_files(FILE *to, const sl_ptx_module *m) {
  for (uint32_t i = 1; i < m->n_files; i++)
    if (m->files[i]) fprintf(to, ".file %" PRIu32 " \"%s\"\n", i, m->files[i]);
  fprintf(to, ".section .debug_str {\n");
  for (uint32_t i = 0; i < m->n_locs; i++) {
    if (!m->locs[i].func) continue;
    fprintf(to, "$S%" PRIu32 ":\n.b8 ", i);
    for (const char *s = m->locs[i].func; *s; s++) fprintf(to, "%u,", (unsigned char)*s);
    fprintf(to, "0\n");
  }
  fprintf(to, "}\n");
}

// Bodies ----------------------------------------------------------------------------------------------------

static bool is_formal(const sl_ptx_func *f, uint32_t var) {
  for (uint32_t i = 0; i < f->n_params; i++)
    if (f->params[i] == var) return true;
  for (uint32_t i = 0; i < f->n_rets; i++)
    if (f->rets[i] == var) return true;
  return false;
}

static void put_locals(FILE *to, const sl_ptx_module *m, const sl_ptx_func *f) {
  uint32_t index = (uint32_t)(f - m->funcs) + 1;
  for (uint32_t i = 0; i < f->n_regs; i++)
    fprintf(to, "  .reg .%s %.*s$%" PRIu32 ";\n", sl_ptx_mod_name(f->regs[i].type),
            sl__ptx_base_len(f->regs[i].name), f->regs[i].name, i);
  for (uint32_t i = 0; i < m->n_vars; i++) {
    if (m->vars[i].func != index || is_formal(f, i)) continue;
    fprintf(to, "  ");
    put_decl(to, &m->vars[i], i);
    fprintf(to, ";\n");
  }
}

// Which instructions are jumped to.
static bool *targets(const sl_ptx_func *f) {
  bool *is = sl_must(calloc((size_t)f->n_insns + 1, 1));
  for (uint32_t i = 0; i < f->n_elems; i++)
    if (f->elems[i].kind == SL_O_LABEL) is[f->elems[i].label] = true;
  for (uint32_t i = 0; i < f->n_insns; i++)
    if (f->insns[i].op == SL_OP_bra) is[f->insns[i].ops[0].label] = true;
  return is;
}

static void put_proto(FILE *to, const sl_ptx_proto *r, uint32_t index) {
  fprintf(to, "  $P%" PRIu32 ": .callprototype ", index);
  if (r->ret_size) fprintf(to, "(.param .align %" PRIu32 " .b8 _[%" PRIu32 "]) ", r->ret_align, r->ret_size);
  fprintf(to, "_ (");
  for (uint32_t i = 0; i < r->n_params; i++)
    fprintf(to, "%s.param .align %" PRIu32 " .b8 _[%" PRIu32 "]", i ? ", " : "", r->param_align[i],
            r->param_size[i]);
  fprintf(to, ");\n");
}

static void put_table(FILE *to, const sl_ptx_func *f, const sl_ptx_insn *i) {
  fprintf(to, "  $T%u: .branchtargets ", (unsigned)(i - f->insns));
  for (uint32_t k = 0; k < i->n_targets; k++)
    fprintf(to, "%s$L%" PRIu32, k ? ", " : "", f->elems[i->target_first + k].label);
  fprintf(to, ";\n");
}

static void put_body(FILE *to, const sl_ptx_module *m, const sl_ptx_func *f) {
  enum { CAP = 1 << 16 };
  SL_FREED bool *is_target = targets(f);
  SL_FREED char *line = sl_must(malloc(CAP));
  uint32_t loc = 0;
  fprintf(to, "\n{\n");
  put_locals(to, m, f);
  for (uint32_t i = 0; i < f->n_insns; i++) {
    const sl_ptx_insn *x = &f->insns[i];
    if (x->loc != loc) put_loc(to, m, loc = x->loc);
    if (is_target[i]) fprintf(to, "$L%" PRIu32 ":\n", i);
    if (x->proto) put_proto(to, &m->protos[x->proto - 1], x->proto - 1);
    if (x->op == SL_OP_brx) put_table(to, f, x);
    fprintf(to, "  %s\n", sl__ptx_disasm_unique(m, f, x, line, CAP));
  }
  if (is_target[f->n_insns]) fprintf(to, "$L%" PRIu32 ":\n", f->n_insns);
  fprintf(to, "}\n");
}

static void put_variable(FILE *to, const sl_ptx_module *m, const sl_ptx_var *v, uint32_t index) {
  if (v->is_extern) fprintf(to, ".extern ");
  else if (v->is_visible) fprintf(to, ".visible ");
  put_decl(to, v, index);
  if (v->init) put_init(to, m, v);
  fprintf(to, ";\n");
}

void sl_ptx_print(const sl_ptx_module *m, FILE *to) {
  fprintf(to, ".version %u.%u\n.target %s\n.address_size 64\n", m->version_major, m->version_minor,
          m->target);
  for (uint32_t i = 0; i < m->n_vars; i++)
    if (!m->vars[i].func) put_variable(to, m, &m->vars[i], i);
  for (uint32_t i = 0; i < m->n_funcs; i++) { // all heads first: bodies call what stands below them
    put_module_head(to, m, &m->funcs[i]);
    fprintf(to, ";\n");
  }
  for (uint32_t i = 0; i < m->n_funcs; i++) {
    if (m->funcs[i].is_extern) continue;
    put_module_head(to, m, &m->funcs[i]);
    put_body(to, m, &m->funcs[i]);
  }
  put_files(to, m);
}
