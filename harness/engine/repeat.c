// repeat.state: would the same launch give the same result again? For sl-sim --repeat.
//
// After a launch that changed variables of the device (__device__, not allocations), this file restores all
// allocations and runs the launch again, unobserved, with the variables as the first run left them. If the
// allocations then differ, or the launch fails, the kernel depends on state that it leaves behind. That is
// wrong only if the program launches it again without setting the variable, so it is reported when that
// happens. The program sees only the first run.
#include "engine/core.h"

#define MOST_BYTES (256ull << 20) // with more bytes of allocations and variables, nothing is compared

typedef struct sl_piece { // the contents of an allocation
  uint64_t base, size;
  bool variable;
  uint8_t *before, *after;
} sl_piece;

typedef struct sl_pieces {
  sl_piece *at;
  size_t n;
} sl_pieces;

// A launch whose result depends on what it left behind; reported when the kernel is launched again.
struct sl_suspect {
  const sl_kernel *kernel;
  uint64_t variable; // address
  uint8_t *left;     // its bytes after the first launch
  uint64_t size;
  sl_finding finding;
  sl_suspect *next;
};

static uint8_t *copy_of(const sl_memory *m, uint64_t base, uint64_t size) {
  uint8_t *p = malloc(size ? size : 1);
  if (p) memcpy(p, sl__host(m, base), size);
  return p;
}

static void drop_pieces(sl_pieces *p) {
  for (size_t k = 0; k < p->n; k++) free(p->at[k].before), free(p->at[k].after);
  free(p->at);
}

static bool keep_memory(const sl_gpu *g, uint32_t owner, sl_pieces *p) {
  uint64_t total = 0;
  *p = (sl_pieces){.at = calloc(g->mem.n + 1, sizeof *p->at)};
  for (size_t k = 0; p->at && k < g->mem.n; k++) {
    const sl_alloc *a = &g->mem.at[k];
    if (a->freed || a->readonly || a->owner == 0 || !sl__memory_sees(a, owner)) continue;
    if ((total += a->size) > MOST_BYTES) return false;
    sl_piece *x = &p->at[p->n++];
    *x = (sl_piece){a->base, a->size, a->name != NULL, copy_of(&g->mem, a->base, a->size), NULL};
    if (!x->before) return false;
  }
  return p->at != NULL;
}

// The first variable that the launch changed. Keeps the present contents of everything.
static const sl_piece *changed(const sl_gpu *g, sl_pieces *p) {
  const sl_piece *found = NULL;
  for (size_t k = 0; k < p->n; k++) {
    sl_piece *x = &p->at[k];
    if (x->variable && !found && memcmp(x->before, sl__host(&g->mem, x->base), x->size)) found = x;
  }
  for (size_t k = 0; found && k < p->n; k++)
    if (!(p->at[k].after = copy_of(&g->mem, p->at[k].base, p->at[k].size))) return NULL;
  return found;
}

static void put_back(const sl_gpu *g, const sl_pieces *p, bool after) {
  for (size_t k = 0; k < p->n; k++) {
    const sl_piece *x = &p->at[k];
    const sl_alloc *a = sl__memory_find(&g->mem, x->base);
    if (a && !a->freed && (after || !x->variable))
      memcpy(sl__host(&g->mem, x->base), after ? x->after : x->before, x->size);
  }
}

static const sl_piece *differing(const sl_gpu *g, const sl_pieces *p, uint64_t *at) {
  for (size_t k = 0; k < p->n; k++) {
    const sl_piece *x = &p->at[k];
    const uint8_t *now = sl__host(&g->mem, x->base);
    if (x->variable || memcmp(x->after, now, x->size) == 0) continue;
    for (*at = 0; x->after[*at] == now[*at]; ++*at) {
    }
    return x;
  }
  return NULL;
}

// The place where the kernel first names the variable.
static void find_place(const sl_kernel *k, uint64_t variable, sl_finding *f) {
  const sl_gmodule *m = k->m;
  for (uint32_t fn = 0; fn < m->ptx->n_funcs; fn++)
    for (uint32_t i = 0; i < m->ptx->funcs[fn].n_insns; i++) {
      const sl_ptx_insn *in = &m->ptx->funcs[fn].insns[i];
      sl_src_pos pos;
      for (uint32_t o = 0; o < in->n_ops; o++) {
        const sl_operand *x = &in->ops[o];
        bool names = x->kind == SL_O_VAR || (x->kind == SL_O_MEM && x->base_kind == SL_O_VAR);
        if (!names || m->var_addr[x->var] != variable || m->ptx->vars[x->var].space != SL_SP_GLOBAL) continue;
        if (!sl_ptx_position(m->ptx, in, &pos) || f->line) continue;
        snprintf(f->file, sizeof f->file, "%s", pos.file);
        f->line = pos.line;
      }
    }
}

static void suspect(sl_gpu *g, const sl_kernel *k, const sl_piece *variable, const char *how) {
  sl_suspect *s = calloc(1, sizeof *s);
  const sl_alloc *a = sl__memory_find(&g->mem, variable->base);
  if (!s || !a || !(s->left = copy_of(&g->mem, variable->base, variable->size))) {
    free(s);
    return;
  }
  s->kernel = k, s->variable = variable->base, s->size = variable->size;
  s->finding = (sl_finding){.id = SL_FOUND_REPEAT_STATE, .count = 1};
  snprintf(s->finding.kernel, sizeof s->finding.kernel, "%s", k->fn->ir->name);
  snprintf(s->finding.what, sizeof s->finding.what,
           "the second launch with the same data %s: the variable %s still holds what the first launch left",
           how, a->name);
  find_place(k, variable->base, &s->finding);
  s->next = g->suspects, g->suspects = s;
}

static void confirm(sl_gpu *g, const sl_kernel *k) {
  for (sl_suspect *s = g->suspects; s; s = s->next) {
    if (s->kernel != k || !s->left || memcmp(s->left, sl__host(&g->mem, s->variable), s->size)) continue;
    sl_gpu_add_finding(g, &s->finding);
    free(s->left);
    s->left = NULL; // reported
  }
}

static bool known(const sl_gpu *g, const sl_kernel *k) {
  for (const sl_suspect *s = g->suspects; s; s = s->next)
    if (s->kernel == k) return true;
  return false;
}

void sl__suspects_forget(sl_gpu *g, const sl_gmodule *m) {
  for (sl_suspect **at = &g->suspects, *gone; *at;)
    if (!m || (*at)->kernel->m == m) gone = *at, *at = gone->next, free(gone->left), free(gone);
    else at = &(*at)->next;
}

// The same launch on the same data, without observers, counters, output and findings of its own.
static void again(sl_gpu *g, const sl_launch *l, const sl_pieces *p, const sl_piece *variable) {
  sl_gpu_config own = g->cfg;
  sl_launch quiet = *l;
  size_t n = g->n_findings;
  uint64_t at = 0, launches = g->launches;
  char how[120];
  quiet.print = NULL;
  g->cfg.checks = 0, g->cfg.counters = false, g->cfg.record = 0;
  put_back(g, p, false);
  sl_launch_status st = sl__launch_once(g, &quiet, NULL, NULL);
  const sl_piece *d = st == SL_LAUNCH_OK ? differing(g, p, &at) : NULL;
  snprintf(how, sizeof how, "fails (%.40s)",
           g->n_findings > n ? sl_found_name(g->findings[n].id) : "no result");
  if (d)
    snprintf(how, sizeof how, "gives another result, first at byte %llu of an array of %llu",
             (unsigned long long)at, (unsigned long long)d->size);
  g->n_findings = n, g->cfg = own, g->launches = launches;
  put_back(g, p, true);
  if (d || st != SL_LAUNCH_OK) suspect(g, l->kernel, variable, how);
}

sl_launch_status sl__launch_repeated(sl_gpu *g, const sl_launch *l, sl_counters *out, sl_error *e) {
  sl_pieces p;
  confirm(g, l->kernel);
  if (known(g, l->kernel)) return sl__launch_once(g, l, out, e);
  bool ok = keep_memory(g, l->owner, &p);
  size_t n = g->mem.n, n_freed = g->mem.arena[true].n_freed;
  sl_launch_status st = sl__launch_once(g, l, out, e);
  ok = ok && n == g->mem.n && n_freed == g->mem.arena[true].n_freed; // it has no heap of its own
  const sl_piece *variable = ok && st == SL_LAUNCH_OK ? changed(g, &p) : NULL;
  if (variable) again(g, l, &p, variable);
  drop_pieces(&p);
  return st;
}
