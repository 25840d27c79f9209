// Stores of one value by several threads: does a store change anything, and would it with any data?
//
// Interface: sl__same_value, sl__same_registers, sl__stores_fixed, sl__same_constant (observers.h). By these
// race.c decides which pairs of stores are no race.
#include "observers/observers.h"

// Does memory hold the value already, or a store under way that others do not see yet?
static bool is_there(const sl_access *a, uint64_t addr, const uint8_t *p, const void *v, uint32_t bytes) {
  sl_grid *g = a->w->grid;
  return memcmp(p, v, bytes) == 0 ||
         (g->weak && a->space == SL_SP_GLOBAL && sl__weak_will_be(g, addr, v, bytes));
}

// Does the store of lane [l] leave memory as it is?
bool sl__same_value(const sl_access *a, uint32_t l) {
  const sl_memop *op = a->i->ext;
  const uint8_t *p = a->space == SL_SP_SHARED ? a->w->block->shared + a->addr[l]
                                              : sl__host(&a->w->grid->gpu->mem, a->addr[l]);
  if (a->kind != SL_SEE_STORE) return false;
  for (uint32_t k = 0; k < op->n; k++) {
    bool wide = op->elem_bytes == 8;
    const void *v =
        wide ? (const void *)&sl__u64(a->w, op->elem[k])[l] : (const void *)&sl__u32(a->w, op->elem[k])[l];
    if (!is_there(a, a->addr[l] + k * op->elem_bytes, p + k * op->elem_bytes, v, op->elem_bytes))
      return false;
  }
  return true;
}

bool sl__same_registers(const sl_access *a, uint32_t l, uint32_t o) {
  const sl_memop *op = a->i->ext;
  if (a->kind != SL_SEE_STORE || a->addr[l] != a->addr[o]) return false;
  for (uint32_t k = 0; k < op->n; k++)
    if (op->elem_bytes == 8 ? sl__u64(a->w, op->elem[k])[l] != sl__u64(a->w, op->elem[k])[o]
                            : sl__u32(a->w, op->elem[k])[l] != sl__u32(a->w, op->elem[k])[o])
      return false;
  return true;
}

bool sl__stores_fixed(const sl_xinsn *i) {
  const sl_memop *op = i->ext;
  for (uint32_t k = 0; k < op->n; k++)
    if ((op->elem[k] & 3) == SL_BANK_REG) return false;
  return true;
}

// Do both write one value, and would they with any data?
bool sl__same_constant(const sl_access *a, uint32_t l, const sl_touch *o) {
  const sl_grid *g = a->w->grid;
  return o->block >= sl__seen_grid(g)->first && g->m->patches[o->pc].kind == SL_SEE_STORE &&
         sl__same_value(a, l) && sl__stores_fixed(a->i) && sl__stores_fixed(&g->code[o->pc]);
}
