// Makes host pointers from addresses. For every lane of the mask it checks the access [address, address +
// bytes): does it lie in memory that it may touch, and is it aligned? The access of a lane that fails makes a
// finding and is left out: a load gives zeros, a store is lost.
//
// Global memory: instructions remember their last allocation, so the table is seldom searched.
#include "engine/weak.h"

// Gives the lane zeros that only it sees, and takes it out of those that are counted. False: the launch ends.
static bool leave_out(sl_warp *w, const sl_xinsn *i, int lane, uint64_t addr, sl_space sp, uint8_t **p) {
  sl_grid *g = w->grid;
  if (!sl__fault_access(w, i, lane, addr, sp)) return false;
  g->left_out |= 1u << lane;
  *p = memset(g->nowhere[lane], 0, sizeof g->nowhere[lane]);
  return true;
}

bool sl__is_nowhere(const sl_grid *g, const uint8_t *p) {
  return (uintptr_t)p - (uintptr_t)g->nowhere < sizeof g->nowhere;
}

// Looking at lanes one by one: none is left out yet.
static inline uint32_t begin_lanes(const sl_warp *w) {
  w->grid->left_out = 0;
  return w->mask;
}

// Looks the allocation up. False: none holds the access.
bool sl__range_lookup(sl_warp *w, sl_range *r, uint64_t addr, uint32_t bytes, bool write) {
  sl_alloc *a = (sl_alloc *)sl__memory_find(&w->grid->gpu->mem, addr);
  if (!a || a->freed || (write && a->readonly) || bytes > a->size || addr - a->base > a->size - bytes ||
      !sl__memory_sees(a, w->grid->l->owner))
    return false;
  if (write) __atomic_store_n(&a->stored, w->grid->gpu->launches, __ATOMIC_RELAXED);
  *r = (sl_range){a->base, a->size};
  return true;
}

static inline uint64_t address(const sl_warp *w, const sl_xinsn *i, int l) {
  const sl_memop *op = i->ext;
  uint64_t a = op->addr32 ? sl__u32(w, i->s[0])[l] : sl__u64(w, i->s[0])[l];
  return a + (uint64_t)i->imm;
}

static inline uint64_t global_address(const sl_warp *w, const sl_xinsn *i, int l) {
  return sl__device_address(&w->grid->gpu->mem, w->grid->l->owner, address(w, i, l));
}

static inline bool one_global(sl_warp *w, sl_range *r, uint64_t a, uint32_t bytes, bool write, uint8_t **p) {
  if (a % bytes ||
      ((r->size < bytes || a - r->base > r->size - bytes) && !sl__range_lookup(w, r, a, bytes, write)))
    return false;
  *p = sl__host(&w->grid->gpu->mem, a);
  return true;
}

// All bits for a lane of the mask, else none.
static inline uint64_t lane_bits(const sl_warp *w, bool full, int l) {
  return full ? ~0ull : (uint64_t)(int64_t)(int32_t)w->lanes[l];
}

// These make a loop for each thing, so that each becomes a few instructions for many lanes.
// Resolves all lanes at once, if they fall into the allocation that the instruction remembers. Lanes
// outside of the mask get pointers that nobody uses. An allocation has less than 2^63 bytes, so an offset is
// too large if its upper bit is set, or that of what is left behind it.
static bool all_global(sl_warp *w, const sl_xinsn *i, const sl_range *r, uint64_t *addr, uint8_t **p) {
  const sl_memop *op = i->ext;
  if (op->addr32 || r->size < op->bytes) return false;
  const uint64_t *a = sl__u64(w, i->s[0]);
  const bool full = w->full;
  uint64_t imm = (uint64_t)i->imm, base = r->base, last = r->size - op->bytes, far = 0, all = 0;
  uintptr_t host = (uintptr_t)sl__host(&w->grid->gpu->mem, base) - base;
  for (int l = 0; l < SL_LANES; l++) addr[l] = a[l] + imm;
  for (int l = 0; l < SL_LANES; l++) {
    uint64_t off = addr[l] - base, lane = lane_bits(w, full, l);
    far |= lane & (off | (last - off));
    all |= lane & addr[l];
  }
  for (int l = 0; l < SL_LANES; l++) p[l] = (uint8_t *)(host + addr[l]);
  return !(far >> 63) && !(all & (op->bytes - 1));
}

bool sl__resolve_global(sl_warp *w, const sl_xinsn *i, uint8_t **p) {
  const sl_memop *op = i->ext;
  sl_range *r = &w->grid->cache[op->cache];
  uint64_t addr[SL_LANES];
  if (all_global(w, i, r, addr, p)) {
    if (w->grid->watching) sl__touch_global(w, addr, op);
    return true;
  }
  uint32_t all = begin_lanes(w);
  SL_FOR_LANES(l, all) {
    addr[l] = global_address(w, i, l);
    if (!one_global(w, r, addr[l], op->bytes, op->write, &p[l]) &&
        !leave_out(w, i, l, addr[l], SL_SP_GLOBAL, &p[l]))
      return false;
  }
  w->mask = all & ~w->grid->left_out;
  if (w->grid->watching) sl__touch_global(w, addr, op);
  w->mask = all;
  return true;
}

// The same in shared memory, which has less than 2^31 bytes.
static bool all_shared(sl_warp *w, const sl_xinsn *i, uint32_t *off, uint8_t **p) {
  const sl_memop *op = i->ext;
  uint32_t size = w->block->shared_bytes, imm = (uint32_t)i->imm, last = size - op->bytes, far = 0, all = 0;
  if (!op->addr32 || size < op->bytes) return false;
  const uint32_t *a = sl__u32(w, i->s[0]);
  const bool full = w->full;
  for (int l = 0; l < SL_LANES; l++) off[l] = (a[l] + imm) & (uint32_t)lane_bits(w, full, l);
  for (int l = 0; l < SL_LANES; l++) far |= off[l] | (last - off[l]), all |= off[l];
  for (int l = 0; l < SL_LANES; l++) p[l] = w->block->shared + off[l];
  return !(far >> 31) && !(all & (op->bytes - 1));
}

bool sl__resolve_shared(sl_warp *w, const sl_xinsn *i, uint8_t **p) {
  const sl_memop *op = i->ext;
  uint32_t off[SL_LANES] = {0};
  if (all_shared(w, i, off, p)) {
    if (w->grid->detailed && !op->atomic) sl__count_shared(w, off, op->bytes, op->write);
    return true;
  }
  uint32_t all = begin_lanes(w);
  SL_FOR_LANES(l, all) {
    uint64_t a = address(w, i, l);
    if (op->addr32) a = (uint32_t)a;
    if (a % op->bytes == 0 && sl__in_shared(w->block, a, op->bytes))
      p[l] = w->block->shared + a, off[l] = (uint32_t)a;
    else if (!leave_out(w, i, l, a, SL_SP_SHARED, &p[l])) return false;
  }
  w->mask = all & ~w->grid->left_out;
  if (w->grid->detailed && !op->atomic && w->mask) sl__count_shared(w, off, op->bytes, op->write);
  w->mask = all;
  return true;
}

// Bytes of local memory that the functions in progress have; nobody owns what lies beyond.
uint32_t sl__local_size(const sl_cwarp *c) {
  const sl_frame *f = c->splits[c->current].frame;
  return f->fn->allocas ? sl__frame_end(f) : f->local_base + f->fn->local_bytes;
}

static inline bool one_local(sl_cwarp *c, int l, uint64_t a, uint32_t bytes, uint8_t **p) {
  uint32_t size = sl__local_size(c);
  if (a % bytes || size < bytes || a > size - bytes) return false;
  *p = c->local + (size_t)l * c->local_stride + a;
  return true;
}

// Is it the address of a variable of another thread? That is reported, and becomes what it is on hardware:
// the same place of this thread's own local memory. An index that leads out of an array does not lead so far.
static bool foreign_local(sl_warp *w, const sl_xinsn *i, int l, uint64_t *a) {
  const uint64_t generic = *a + sl__local_window(sl__core(w), l),
                 at = (generic - SL_LOCAL_BASE) % SL_LOCAL_ROOM;
  if (generic - SL_LOCAL_BASE >= SL_WINDOW || *a < SL_LOCAL_ROOM || at >= SL_LOCAL_ROOM / 2 ||
      w->grid->worker)
    return false;
  sl__fault_foreign(w, i, l, generic);
  *a = at;
  return true;
}

// [a]: as the thread's own offset.
static bool find_local(sl_warp *w, const sl_xinsn *i, int l, uint64_t a, uint8_t **p) {
  const uint32_t bytes = ((const sl_memop *)i->ext)->bytes;
  return one_local(sl__core(w), l, a, bytes, p) ||
         (foreign_local(w, i, l, &a) && one_local(sl__core(w), l, a, bytes, p)) ||
         leave_out(w, i, l, a, SL_SP_LOCAL, p);
}

// The same in local memory, by its own or by generic addresses.
static bool all_local(sl_warp *w, const sl_xinsn *i, bool generic, uint8_t **p) {
  const sl_memop *op = i->ext;
  const sl_cwarp *c = sl__core(w);
  uint32_t size = sl__local_size(c), stride = c->local_stride;
  uint64_t imm = (uint64_t)i->imm - (generic ? sl__local_window(c, 0) : 0), last = size - op->bytes, far = 0,
           all = 0, off[SL_LANES];
  const uint64_t apart = generic ? SL_LOCAL_ROOM : 0;
  if (size < op->bytes) return false;
  const bool full = w->full;
  if (op->addr32)
    for (int l = 0; l < SL_LANES; l++) off[l] = (uint32_t)(sl__u32(w, i->s[0])[l] + imm);
  else
    for (uint64_t l = 0; l < SL_LANES; l++) off[l] = sl__u64(w, i->s[0])[l] + imm - l * apart;
  for (int l = 0; l < SL_LANES; l++) off[l] &= lane_bits(w, full, l);
  for (int l = 0; l < SL_LANES; l++) far |= off[l] | (last - off[l]), all |= off[l];
  if (far >> 63 || all & (op->bytes - 1)) return false;
  for (uint32_t l = 0; l < SL_LANES; l++) p[l] = c->local + (size_t)l * stride + off[l];
  return true;
}

bool sl__resolve_local(sl_warp *w, const sl_xinsn *i, uint8_t **p) {
  const sl_memop *op = i->ext;
  if (all_local(w, i, false, p)) return true;
  SL_FOR_LANES(l, begin_lanes(w)) {
    uint64_t a = address(w, i, l);
    if (op->addr32) a = (uint32_t)a;
    if (!find_local(w, i, l, a, &p[l])) return false;
  }
  return true;
}

static bool one_generic(sl_warp *w, const sl_xinsn *i, int l, uint64_t a, uint8_t **p) {
  const sl_memop *op = i->ext;
  if (a - SL_SHARED_BASE < SL_WINDOW) {
    const uint64_t o = a - SL_SHARED_BASE;
    if (o % op->bytes || !sl__in_shared(w->block, o, op->bytes))
      return leave_out(w, i, l, o, SL_SP_SHARED, p);
    *p = w->block->shared + o;
    return true;
  }
  if (a - SL_LOCAL_BASE < SL_WINDOW) return find_local(w, i, l, a - sl__local_window(sl__core(w), l), p);
  return one_global(w, &w->grid->cache[op->cache], a, op->bytes, op->write, p) ||
         leave_out(w, i, l, a, SL_SP_GLOBAL, p);
}

// Lanes of a generic access that fall into one window are one request, as on hardware.
static void touch_generic(sl_warp *w, const sl_memop *op, const uint64_t *addr) {
  uint32_t shared = 0, global = 0, off[SL_LANES] = {0}, all = w->mask;
  SL_FOR_LANES(l, all & ~w->grid->left_out) {
    if (addr[l] - SL_SHARED_BASE < SL_WINDOW)
      shared |= 1u << l, off[l] = (uint32_t)(addr[l] - SL_SHARED_BASE);
    else if (addr[l] - SL_LOCAL_BASE >= SL_WINDOW) global |= 1u << l;
  }
  w->mask = shared;
  if (shared && w->grid->detailed && !op->atomic) sl__count_shared(w, off, op->bytes, op->write);
  w->mask = global;
  if (global) sl__touch_global(w, addr, op);
  w->mask = all;
}

// Resolves all lanes at once, if they fall into the window of shared memory.
static bool all_generic_shared(const sl_warp *w, const sl_xinsn *i, uint32_t *off, uint8_t **p) {
  const sl_memop *op = i->ext;
  const uint64_t *a = sl__u64(w, i->s[0]), size = w->block->shared_bytes, last = size - op->bytes;
  uint64_t imm = (uint64_t)i->imm - SL_SHARED_BASE, far = 0, all = 0;
  if (size < op->bytes) return false;
  uint64_t at[SL_LANES];
  const bool full = w->full;
  for (int l = 0; l < SL_LANES; l++) at[l] = (a[l] + imm) & lane_bits(w, full, l);
  for (int l = 0; l < SL_LANES; l++) far |= at[l] | (last - at[l]), all |= at[l], off[l] = (uint32_t)at[l];
  for (int l = 0; l < SL_LANES; l++) p[l] = w->block->shared + off[l];
  return !(far >> 63) && !(all & (op->bytes - 1));
}

// Lanes that all fall into one window, and in global memory into the allocation that it remembers.
static bool all_generic(sl_warp *w, const sl_xinsn *i, uint8_t **p) {
  const sl_memop *op = i->ext;
  uint64_t addr[SL_LANES], first = op->addr32 || !w->mask ? 0 : address(w, i, __builtin_ctz(w->mask));
  uint32_t off[SL_LANES];
  if (first >= SL_GLOBAL_BASE && all_global(w, i, &w->grid->cache[op->cache], addr, p)) {
    if (w->grid->watching) sl__touch_global(w, addr, op);
    return true;
  }
  if (first - SL_LOCAL_BASE < SL_WINDOW) return all_local(w, i, true, p);
  if (first - SL_SHARED_BASE >= SL_WINDOW || !all_generic_shared(w, i, off, p)) return false;
  if (w->grid->watching && w->grid->detailed && !op->atomic) sl__count_shared(w, off, op->bytes, op->write);
  return true;
}

bool sl__resolve_generic(sl_warp *w, const sl_xinsn *i, uint8_t **p) {
  uint64_t addr[SL_LANES];
  if (all_generic(w, i, p)) return true;
  SL_FOR_LANES(l, begin_lanes(w)) {
    addr[l] = global_address(w, i, l);
    if (!one_generic(w, i, l, addr[l], &p[l])) return false;
  }
  if (w->grid->watching) touch_generic(w, i->ext, addr);
  return true;
}

void *sl__generic_ptr(sl_warp *w, int lane, uint64_t a, uint64_t len) {
  uint64_t o = a - SL_SHARED_BASE;
  sl_cwarp *c = sl__core(w);
  if (o < SL_WINDOW) return sl__in_shared(w->block, o, len) ? w->block->shared + o : NULL;
  o = a - sl__local_window(c, lane);
  if (a - SL_LOCAL_BASE < SL_WINDOW)
    return len <= c->local_stride && o <= c->local_stride - len
               ? c->local + (size_t)lane * c->local_stride + o
               : NULL;
  a = sl__device_address(&w->grid->gpu->mem, w->grid->l->owner, a);
  void *p = sl__memory_ptr(w->grid->gpu, w->grid->l->owner, a, len);
  if (p && w->grid->weak) sl__weak_settle(w->block, a, len); // makes the block's own stores there visible
  return p;
}
