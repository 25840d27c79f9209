// --disassemble: the kernels of a program as the simulated GPU has decoded them, in the order in which it
// lays them out, with the source lines between. Nothing is run.
#include "tools/sim/sim.h"

#include "engine/core.h"

typedef struct listing {
  const char *kernel; // part of a name; "": all
  sl_gpu *gpu;
  size_t shown, skipped;
  char *path, *source; // the file whose lines are shown, read once; source NULL: it cannot be read
  sl_error *e;
} listing;

// Line [n] of the file at [path], "" when it is not there.
static const char *source_line(listing *s, const char *path, uint32_t n, char *out, size_t cap) {
  size_t len;
  if (!s->path || strcmp(s->path, path) != 0) {
    free(s->path), free(s->source);
    s->path = sl_path("%s", path), s->source = sl_read_file(path, 1 << 24, &len, NULL);
  }
  const char *at = s->source ? sl_line_at(s->source, n) : "";
  snprintf(out, cap, "%.*s", (int)strcspn(at, "\r\n"), at);
  return out;
}

static void show_place(listing *s, const sl_src_pos *pos) {
  char line[256];
  printf("  // %s:%u: %s\n", sl_base_name(pos->file), pos->line,
         source_line(s, pos->file, pos->line, line, sizeof line));
}

static void show_instruction(const sl_gmodule *m, const sl_func *fn, const sl_xinsn *x,
                             const sl_ptx_insn *in) {
  char text[1024];
  uint32_t pc = (uint32_t)(x - m->code);
  if (x->unwritten && x->fn == sl__op_ret) printf("%6u  ret; // the end of the text\n", pc);
  else if (x->unwritten) printf("%6u  bra; // added by the layout, to %u\n", pc, x->target);
  else
    printf("%6u  %s%s", pc, sl_ptx_disasm(m->ptx, fn->ir, in, text, sizeof text),
           in->op == SL_OP_bra ? "" : "\n");
  if (!x->unwritten && in->op == SL_OP_bra) printf(" // to %u\n", x->target);
}

static void show_function(listing *s, const sl_gmodule *m, const sl_func *fn) {
  char name[1024];
  sl_src_pos pos, last = {0};
  printf("%s %s\n  // %u instructions of PTX, %u decoded; %u bytes of registers and parameters a warp, %llu "
         "of local memory a thread\n",
         fn->ir->is_entry ? "kernel" : "function", sl_ptx_demangle(fn->ir->name, name, sizeof name),
         fn->ir->n_insns, fn->n_code, fn->frame_bytes, (unsigned long long)fn->local_bytes);
  for (uint32_t k = 0; k < fn->n_code; k++) {
    const sl_xinsn *x = &m->code[fn->first_pc + k];
    const sl_ptx_insn *in = sl__insn_of(m, x, NULL);
    bool known = in && !x->unwritten && sl_ptx_position(m->ptx, in, &pos);
    if (known && (!last.file || pos.line != last.line || strcmp(pos.file, last.file) != 0))
      show_place(s, &pos);
    if (known) last = pos;
    if (in) show_instruction(m, fn, x, in);
  }
  printf("\n");
}

static bool show_module(void *ctx, const sl_fatbin_ptx *ptx) {
  listing *s = ctx;
  sl_gmodule *m = sl_gpu_load(s->gpu, 1, "program", ptx->text, ptx->len, s->e);
  char name[1024];
  if (!m) return false;
  for (uint32_t k = 0; k < m->ptx->n_funcs; k++) {
    const sl_func *fn = &m->funcs[k];
    if (!fn->n_code) continue;
    bool wanted = strstr(sl_ptx_demangle(fn->ir->name, name, sizeof name), s->kernel);
    s->shown += wanted, s->skipped += !wanted;
    if (wanted) show_function(s, m, fn);
  }
  return true;
}

bool sl__disassemble(const sl_program *p, unsigned sm, const char *kernel, sl_error *e) {
  sl_gpu_config config = sl_gpu_defaults();
  listing s = {.kernel = kernel, .gpu = sl_gpu_create(&config, e), .e = e};
  bool ok = s.gpu && sl__program_ptx(p, sm, show_module, &s, e);
  if (s.gpu) sl_gpu_destroy(s.gpu);
  free(s.path), free(s.source);
  if (ok && !s.shown && s.skipped)
    return sl_fail(e, SL_EXIT_USAGE, "--disassemble alone shows all of them",
                   "no kernel of %s has '%s' in its name", p->path, kernel);
  if (ok && !s.shown)
    return sl_fail(e, SL_EXIT_INPUT, "build it with nvcc -arch=compute_75 -lineinfo -cudart shared",
                   "%s holds no kernels", p->path);
  return ok;
}
