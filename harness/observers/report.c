// Messages of the observers: who did what to which element, who did what before, why that is wrong, what to
// do.
//
// The same pair of places is told once a launch and then counted.
#include <stdio.h>
#include "observers/observers.h"

// "_ZZ4scanPKfPfiE6s_data" is s_data.
static const char *plain_name(const char *name, char *out, size_t cap) {
  snprintf(out, cap, "%s", name);
  if (strncmp(name, "_Z", 2) != 0) return out;
  for (const char *p = name + 2; *p; p++) {
    unsigned n = 0;
    int used = 0;
    if (*p < '1' || *p > '9' || (p[-1] >= '0' && p[-1] <= '9') || sscanf(p, "%u%n", &n, &used) != 1) continue;
    if (strlen(p + used) < n || n >= cap) continue;
    snprintf(out, cap, "%.*s", (int)n, p + used);
    p += used + (int)n - 1;
  }
  return out;
}

static void name_shared(const sl_access *a, uint64_t off, char *out, size_t cap) {
  const sl_gmodule *m = a->w->grid->m;
  const sl_kernel *k = a->w->grid->k;
  const sl_ptx_var *best = NULL;
  uint64_t at = 0;
  char name[128];
  for (uint32_t v = 0; v < m->ptx->n_vars; v++) {
    const sl_ptx_var *x = &m->ptx->vars[v];
    uint64_t start = x->is_unsized ? k->dynamic_base : m->var_addr[v];
    if (x->space != SL_SP_SHARED || start > off || (best && start < at)) continue;
    if (!x->is_unsized && off >= start + x->size) continue;
    if ((x->is_unsized && !a->w->grid->l->shared_bytes) || (x->func && x->func != k->fn->index + 1)) continue;
    best = x, at = start;
  }
  if (!best)
    snprintf(out, cap, "byte %llu of shared memory", (unsigned long long)off);
  else if (!best->is_unsized && best->size <= a->bytes)
    snprintf(out, cap, "shared %s", plain_name(best->name, name, sizeof name));
  else
    snprintf(out, cap, "shared %s[%llu]", plain_name(best->name, name, sizeof name),
             (unsigned long long)((off - at) / ((const sl_memop *)a->i->ext)->elem_bytes));
}

static void name_global(const sl_access *a, uint64_t addr, char *out, size_t cap) {
  const sl_alloc *al = sl__memory_find(&a->w->grid->gpu->mem, addr);
  char name[128];
  if (!al)
    snprintf(out, cap, "global memory at 0x%llx", (unsigned long long)addr);
  else if (al->name && al->size <= a->bytes)
    snprintf(out, cap, "global %s", plain_name(al->name, name, sizeof name));
  else if (al->name)
    snprintf(out, cap, "global %s[%llu]", plain_name(al->name, name, sizeof name),
             (unsigned long long)((addr - al->base) / ((const sl_memop *)a->i->ext)->elem_bytes));
  else
    snprintf(out, cap, "element %llu of a global array of %llu bytes",
             (unsigned long long)((addr - al->base) / ((const sl_memop *)a->i->ext)->elem_bytes),
             (unsigned long long)al->size);
}

static void name_place(const sl_access *a, uint64_t addr, char *out, size_t cap) {
  if (a->space == SL_SP_SHARED)
    name_shared(a, addr, out, cap);
  else if (a->space == SL_SP_GLOBAL)
    name_global(a, addr, out, cap);
  else
    snprintf(out, cap, "byte %llu of the thread's local memory", (unsigned long long)addr);
}

static void other_party(const sl_grid *g, const sl_touch *o, sl_other *out) {
  const sl_dim3 *bd = &g->l->block, *gd = &g->l->grid;
  const sl_ptx_insn *in = sl__insn_of(g->m, &g->code[o->pc], NULL);
  sl_src_pos pos;
  uint32_t b = o->block - g->seen->first;
  *out = (sl_other){.block = {b % gd->x, b / gd->x % gd->y, b / gd->x / gd->y},
                    .thread = {o->thread % bd->x, o->thread / bd->x % bd->y, o->thread / bd->x / bd->y}};
  if (in && sl_ptx_position(g->m->ptx, in, &pos)) {
    snprintf(out->file, sizeof out->file, "%s", pos.file);
    out->line = pos.line;
  }
}

void sl__tell(const sl_story *s) {
  sl_grid *g = s->a->w->grid;
  char where[256], text[600];
  uint64_t kind = (uint64_t)(uint8_t)s->id[0] | (uint64_t)s->a->space << 8;
  uint32_t *count =
      sl__table_put(&g->seen->reports, s->a->pc, (s->other ? (uint64_t)s->other->pc + 1 : 0) << 16 | kind);
  if (!count || (*count)++ >= 1) return;
  name_place(s->a, s->addr, where, sizeof where);
  if (!s->other) {
    sl__finding_note(s->a->w, s->a->i, (int)s->lane, s->id, "%s: %s. %s. %s", s->title, where, s->why,
                     s->fix);
    return;
  }
  sl_other o;
  other_party(g, s->other, &o);
  snprintf(text, sizeof text,
           "%s: thread (%u,%u,%u) of block (%u,%u,%u) %s it before at line %u%s%s, and now it is %s", where,
           o.thread[0], o.thread[1], o.thread[2], o.block[0], o.block[1], o.block[2], s->other_verb, o.line,
           s->flag ? ", told by " : "", s->flag ? s->flag : "",
           s->verb[0] == 'r'   ? "read"
           : s->verb[0] == 'u' ? "updated"
                               : "written");
  sl__finding_pair(s->a->w, s->a->i, (int)s->lane, s->id, &o, "%s on %s. %s. %s", s->title, text, s->why,
                   s->fix);
}
