// Modules: parses PTX, places variables in device memory with their initial values, decodes functions.
#include "engine/core.h"

void *sl__arena(sl_gmodule *m, size_t bytes) { return sl_must(sl_arena_get(m->arena, bytes)); }

static uint64_t reloc_value(const sl_gmodule *m, const sl_ptx_reloc *r) {
  if (r->is_func) return SL_FUNC_TAG + 16ull * (r->index + 1) + (uint64_t)r->addend;
  uint64_t base = m->ptx->vars[r->index].space == SL_SP_SHARED ? SL_SHARED_BASE : 0;
  return base + m->var_addr[r->index] + (uint64_t)r->addend;
}

static void initialise(sl_gmodule *m, uint32_t v) {
  const sl_ptx_var *var = &m->ptx->vars[v];
  uint8_t *p = sl__host(&m->gpu->mem, m->var_addr[v]);
  if (var->init) memcpy(p, var->init, var->size);
  for (uint32_t k = 0; k < var->n_relocs; k++) {
    const sl_ptx_reloc *r = &var->relocs[k];
    uint64_t value = reloc_value(m, r);
    if (r->offset <= var->size && r->size <= 8 && r->size <= var->size - r->offset)
      memcpy(p + r->offset, &value, r->size);
  }
}

static bool in_memory(const sl_ptx_var *v) { return v->space == SL_SP_GLOBAL || v->space == SL_SP_CONST; }

static uint64_t constant_bytes(const sl_ptx_module *p) {
  uint64_t bytes = 0;
  for (uint32_t v = 0; v < p->n_vars; v++)
    if (p->vars[v].space == SL_SP_CONST) bytes += p->vars[v].size;
  return bytes;
}

static bool constants_fit(const sl_gmodule *m, sl_error *e) {
  const uint64_t bytes = constant_bytes(m->ptx), most = m->gpu->cfg.profile->const_memory;
  return bytes <= most || sl_fail(e, SL_EXIT_INPUT, "keep large tables in __device__ memory",
                                  "%s: its __constant__ variables take %llu bytes; the device has %llu",
                                  m->name, (unsigned long long)bytes, (unsigned long long)most);
}

static bool place_variables(sl_gmodule *m, sl_error *e) {
  if (!constants_fit(m, e)) return false;
  for (uint32_t v = 0; v < m->ptx->n_vars; v++) {
    const sl_ptx_var *var = &m->ptx->vars[v];
    if (!in_memory(var)) continue;
    if (var->is_extern)
      return sl_fail(e, SL_EXIT_INPUT, SL_ONE_FILE,
                     "%s: variable %s is of another file (extern __device__); device code is not linked here",
                     m->name, var->name);
    bool (*const alloc)(sl_gpu *, uint32_t, uint64_t, const char *, uint64_t *, sl_error *) =
        var->is_managed ? sl__memory_managed : sl__memory_alloc;
    if (!alloc(m->gpu, m->owner, var->size ? var->size : 1, var->name, &m->var_addr[v], e)) return false;
    if (var->space == SL_SP_CONST)
      sl__memory_readonly(&m->gpu->mem, m->var_addr[v], !var->init && !var->n_relocs);
  }
  for (uint32_t v = 0; v < m->ptx->n_vars; v++)
    if (in_memory(&m->ptx->vars[v])) initialise(m, v);
  return true;
}

static bool make_tables(sl_gmodule *m, sl_error *e) {
  const sl_ptx_module *p = m->ptx;
  for (uint32_t f = 0; f < p->n_funcs; f++) m->n_kernels += p->funcs[f].is_entry && !p->funcs[f].is_extern;
  m->funcs = calloc(p->n_funcs + 1, sizeof *m->funcs);
  m->kernels = calloc(m->n_kernels + 1, sizeof *m->kernels);
  m->var_addr = calloc(p->n_vars + 1, sizeof *m->var_addr);
  if (!m->funcs || !m->kernels || !m->var_addr) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of host memory");
  m->launch_fixed = SL_LB_SHARED;
  for (uint32_t f = 0, k = 0; f < p->n_funcs; f++)
    if (p->funcs[f].is_entry && !p->funcs[f].is_extern)
      m->kernels[k++] = (sl_kernel){.m = m, .fn = &m->funcs[f], .launch_bytes = SL_LB_PARAMS};
  return true;
}

// Bytes that the module takes beside the device's memory.
static uint64_t bytes_of(const sl_gmodule *m) {
  return sl_ptx_bytes(m->ptx) + sl_arena_bytes(m->arena) + m->n_code * sizeof *m->code + m->const_cap;
}

sl_gmodule *sl_gpu_load(sl_gpu *g, uint32_t owner, const char *name, const char *ptx, size_t len,
                        sl_error *e) {
  sl_gmodule *m = calloc(1, sizeof *m);
  if (!m) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of host memory"), NULL;
  m->gpu = g, m->owner = owner, m->name = strdup(name), m->arena = sl_must(sl_arena_new());
  m->next = g->modules, g->modules = m;
  m->ptx = sl_ptx_parse(name, ptx, len, e);
  if (m->ptx && make_tables(m, e) && place_variables(m, e)) {
    sl__layout_shared(m);
    if (sl__decode_module(m, e) && sl__memory_modules(g, bytes_of(m), e)) return m->bytes = bytes_of(m), m;
  }
  sl_gpu_unload(g, m);
  return NULL;
}

void sl_gpu_unload(sl_gpu *g, sl_gmodule *m) {
  if (!m) return;
  g->mem.modules -= m->bytes;
  sl__suspects_forget(g, m);
  sl__probes_unload(g, m);
  for (sl_gmodule **p = &g->modules; *p; p = &(*p)->next)
    if (*p == m) {
      *p = m->next;
      break;
    }
  for (uint32_t v = 0; m->ptx && m->var_addr && v < m->ptx->n_vars; v++)
    if (in_memory(&m->ptx->vars[v]) && m->var_addr[v]) sl__memory_release(&g->mem, m->var_addr[v]);
  sl_arena_free(m->arena);
  if (m->ptx) sl_ptx_free(m->ptx);
  free(m->func_at);
  free(m->weak), free(m->marking), free(m->costs);
  free(m->code), free(m->consts), free(m->funcs), free(m->kernels), free(m->var_addr), free(m->name);
  free(m);
}

sl_kernel *sl_gpu_kernel(sl_gmodule *m, const char *name) {
  for (uint32_t k = 0; k < m->n_kernels; k++)
    if (strcmp(m->kernels[k].fn->ir->name, name) == 0) return &m->kernels[k];
  return NULL;
}

bool sl_gpu_symbol(sl_gmodule *m, const char *name, uint64_t *addr, uint64_t *size) {
  for (uint32_t v = 0; v < m->ptx->n_vars; v++) {
    const sl_ptx_var *var = &m->ptx->vars[v];
    if (!in_memory(var) || var->func || strcmp(var->name, name) != 0) continue;
    *addr = m->var_addr[v], *size = var->size;
    return true;
  }
  return false;
}

// Registers a thread: an estimate from the frame, which knows nothing of ptxas's order of instructions.
// Launch bounds are kept, as ptxas keeps them: [threads] of a block, as many blocks as minnctapersm wants.
static unsigned registers_of(const sl_kernel *k, unsigned threads) {
  const sl_ptx_func *f = k->fn->ir;
  unsigned regs = k->fn->frame_bytes / 128 + 8, most = 255;
  if (f->maxntid[0] || f->reqntid[0]) {
    unsigned warps = (threads + 31) / 32 * (f->minnctapersm ? f->minnctapersm : 1);
    unsigned fits = k->m->gpu->cfg.profile->regs_per_block / (warps * 32) / 8 * 8;
    if (fits < most) most = fits;
  }
  return regs < most ? regs : most;
}

void sl_kernel_get_info(const sl_kernel *k, sl_kernel_info *out) {
  const sl_ptx_func *f = k->fn->ir;
  unsigned want =
      f->reqntid[0]
          ? f->reqntid[0] * (f->reqntid[1] ? f->reqntid[1] : 1) * (f->reqntid[2] ? f->reqntid[2] : 1)
          : f->maxntid[0] * (f->maxntid[1] ? f->maxntid[1] : 1) * (f->maxntid[2] ? f->maxntid[2] : 1);
  unsigned limit = k->m->gpu->cfg.profile->max_threads_per_block;
  unsigned threads = want && want < limit ? want : limit;
  *out = (sl_kernel_info){.name = f->name,
                          .static_shared = k->static_shared,
                          .local_bytes = k->fn->local_bytes,
                          .const_bytes = constant_bytes(k->m->ptx),
                          .param_bytes = f->param_bytes,
                          .n_params = f->n_params,
                          .max_threads = threads,
                          .regs = registers_of(k, threads)};
}

bool sl_kernel_param(const sl_kernel *k, uint32_t index, uint32_t *offset, uint32_t *size) {
  const sl_ptx_func *f = k->fn->ir;
  if (index >= f->n_params) return false;
  const sl_ptx_var *v = &k->m->ptx->vars[f->params[index]];
  *offset = (uint32_t)v->offset, *size = (uint32_t)v->size;
  return true;
}
