// Bad memory accesses: which array an access missed and by how much.
//
// Interface: sl__fault_access, sl__fault_of, sl__before_shared, sl__enough_left_out, sl__advise_shared.
// The launch goes on without the access, for a while, so that its other mistakes are found, too. Its
// result is the first one's error all the same.
#include "engine/depends.h"

typedef struct sl_access_fault {
  sl_found id;
  uint64_t addr;
  uint32_t bytes;
  bool write;
  sl_space space;
  sl_launch_status status;
  sl_cause cause;
} sl_access_fault;

// Addresses of the host's program lie between these, outside of the device's memory.
#define HOST_LEAST 0x10000u
#define HOST_END 0x0000800000000000ull

static const char *of_name(const sl_alloc *a, char *buf, size_t cap) {
  if (a->name) snprintf(buf, cap, "variable %s of %llu bytes", a->name, (unsigned long long)a->size);
  else snprintf(buf, cap, "an allocation of %llu bytes", (unsigned long long)a->size);
  return buf;
}

// An unsigned index of 32 bits that went below 0 leads 2^32 elements too far. False: it did not.
static bool describe_wrapped(const sl_grid *g, const sl_xinsn *i, const sl_access_fault *x, char *out,
                             size_t cap) {
  char name[320];
  const uint64_t meant = x->addr - ((uint64_t)x->bytes << 32);
  const sl_alloc *a = sl__meant(g, i, meant);
  if (!a || a->freed || meant < SL_GLOBAL_BASE || meant >= a->base || a->base - meant > SL_NEAR) return false;
  snprintf(out, cap, "element %lld of %s, by an unsigned index that went below 0: out of bounds",
           (long long)((int64_t)(meant - a->base) / (int64_t)x->bytes), of_name(a, name, sizeof name));
  return true;
}

// "element 1024 (byte 4096) of an allocation of 4096 bytes": what a bad global address is next to.
static void describe_global(const sl_grid *g, const sl_xinsn *i, sl_access_fault *x, char *out, size_t cap) {
  const uint64_t addr = x->addr;
  char name[320];
  const sl_alloc *a = sl__meant(g, i, addr);
  if (sl__is_null(g, addr)) {
    snprintf(out, cap, "a null pointer (address 0x%llx)", (unsigned long long)addr);
    return;
  }
  if (addr < SL_GLOBAL_BASE || addr - SL_GLOBAL_BASE >= SL_GLOBAL_SIZE || !a) {
    snprintf(out, cap, "address 0x%llx, which is no device memory (a host pointer, or not initialised?)",
             (unsigned long long)addr);
    return;
  }
  if (describe_wrapped(g, i, x, out, cap)) return;
  int64_t off = (int64_t)(addr - a->base);
  bool inside = off >= 0 && (uint64_t)off < a->size;
  of_name(a, name, sizeof name);
  if (inside && a->freed)
    snprintf(out, cap, "freed memory: byte %lld of %s that was freed", (long long)off, name);
  else if (inside && a->readonly && sl__memory_sees(a, g->l->owner))
    snprintf(out, cap, "byte %lld of %s, which kernels can only read", (long long)off, name);
  else if (inside && !sl__memory_sees(a, g->l->owner)) snprintf(out, cap, "memory of another process");
  else if (off < -(int64_t)SL_NEAR || (off >= 0 && (uint64_t)off > a->size + SL_NEAR)) {
    x->cause = SL_CAUSE_FAR;
    snprintf(out, cap,
             "address 0x%llx, which is far from every allocation (a wild index, or not initialised?)",
             (unsigned long long)addr);
  } else
    snprintf(out, cap, "element %lld (byte %lld) of %s%s: out of bounds",
             (long long)(off / (int64_t)x->bytes), (long long)off, name, a->freed ? " that was freed" : "");
}

static sl_found kind_of_address(const sl_grid *g, uint64_t addr) {
  const sl_alloc *a = sl__memory_find(&g->gpu->mem, addr);
  bool device = addr - SL_SHARED_BASE < SL_GLOBAL_BASE + SL_GLOBAL_SIZE - SL_SHARED_BASE;
  return a && a->freed                                         ? SL_FOUND_MEMORY_FREED
         : a && a->readonly && sl__memory_sees(a, g->l->owner) ? SL_FOUND_MEMORY_READONLY
         : !device && addr >= HOST_LEAST && addr < HOST_END && !sl__is_null(g, addr) ? SL_FOUND_MEMORY_HOST
                                                                                     : SL_FOUND_MEMORY_BOUNDS;
}

static void describe_shared(const sl_warp *w, const sl_xinsn *i, const sl_access_fault *x, char *out,
                            size_t cap) {
  int64_t off = sl__shared_offset(x->addr), at = 0;
  const sl_ptx_var *v = sl__shared_meant(w, i, off, &at);
  unsigned long long total = sl__shared_asked(w->grid->l);
  if (!v)
    snprintf(out, cap, "byte %lld of the block's %llu bytes of shared memory: out of bounds", (long long)off,
             total);
  else
    snprintf(out, cap,
             "element %lld (byte %lld) of shared array %s of %llu bytes: out of bounds (the block has %llu "
             "bytes of shared memory)",
             (long long)((off - at) / (int64_t)x->bytes), (long long)(off - at), v->name,
             (unsigned long long)sl__shared_size(w, v, at), total);
}

// Is there an array that a bad global address was meant for?
static bool has_object(const sl_grid *g, const sl_xinsn *i, const sl_access_fault *x) {
  const uint64_t addr = x->addr;
  const sl_alloc *a = sl__meant(g, i, addr);
  if (x->space != SL_SP_GLOBAL) return true;
  if (!a || addr < SL_GLOBAL_BASE || addr - SL_GLOBAL_BASE >= SL_GLOBAL_SIZE ||
      !sl__memory_sees(a, g->l->owner))
    return false;
  return addr < a->base ? a->base - addr <= SL_NEAR : addr - a->base <= a->size + SL_NEAR;
}

// A dynamic array of a launch that gives no memory for it.
static void explain_dynamic(sl_finding *f, const sl_warp *w, const sl_xinsn *i, uint64_t addr) {
  int64_t at = 0;
  const sl_ptx_var *v = sl__shared_meant(w, i, sl__shared_offset(addr), &at);
  if (!v || !v->is_unsized || w->grid->l->shared_bytes) return;
  snprintf(f->why, sizeof f->why,
           "The launch gives the block no dynamic shared memory, so the array is empty");
  snprintf(f->advice, sizeof f->advice,
           "Pass the size of the array in bytes as the third value of <<<blocks, threads, bytes>>>");
}

// "write of 4 bytes out of bounds: shared temp[64]", where the array is known.
static void name_fault(sl_finding *f, const sl_warp *w, const sl_xinsn *i, const sl_access_fault *x) {
  static const struct {
    sl_found id;
    const char *what;
  } FAULTS[] = {{SL_FOUND_MEMORY_BOUNDS, "out of bounds"},
                {SL_FOUND_MEMORY_MISALIGNED, "at a misaligned address"},
                {SL_FOUND_MEMORY_FREED, "of freed memory"},
                {SL_FOUND_MEMORY_READONLY, "of read-only memory"}};
  if (!has_object(w->grid, i, x)) return;
  uint32_t elem = ((const sl_memop *)i->ext)->elem_bytes;
  f->object = sl__object_of(w, i, x->space, x->addr, elem, x->bytes);
  if (x->space == SL_SP_SHARED) explain_dynamic(f, w, i, x->addr);
  for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; k++)
    if (f->id == FAULTS[k].id)
      snprintf(f->what, sizeof f->what, "%s of %u bytes %s: " SL_THE_OBJECT, x->write ? "write" : "read",
               x->bytes, FAULTS[k].what);
}

// Past the end of a shared array: the index may be wrong, or lack a guard, or the array may be too small.
void sl__advise_shared(sl_finding *f, const sl_grid *g) {
  const sl_object *o = &f->object;
  const uint64_t asked = g->l->shared_bytes;
  if (f->id != SL_FOUND_MEMORY_BOUNDS || strcmp(o->space, "shared") || !o->size || o->index < 0) return;
  if (asked && o->size == asked)
    snprintf(f->advice, sizeof f->advice,
             "Correct the index, or guard the access (if (i < n)); only if both are right, let the launch "
             "ask for more shared memory, as its third parameter gives %llu bytes",
             (unsigned long long)asked);
  else
    snprintf(f->advice, sizeof f->advice,
             "Correct the index, or guard the access (if (i < n)); only if both are right, declare the array "
             "with more elements, as it has %llu",
             (unsigned long long)(o->elem ? o->size / o->elem : o->size));
}

// Limits of a launch after its first bad access: its length, and the number of bad accesses.
#define MOST_AFTER 10000000u // warp instructions
#define MOST_LEFT_OUT 100000u

static bool goes_on(const sl_grid *g) {
  return !g->worker && !g->gpu->cfg.stop_at_first && g->n_left_out < MOST_LEFT_OUT;
}

bool sl__enough_left_out(const sl_grid *g) {
  return g->fault && g->instructions - g->fault_began > MOST_AFTER;
}

// Adds the finding of an instruction, which [counted] looks for.
static void add_counted(sl_grid *g, const sl_xinsn *i, const sl_finding *f) {
  const sl_finding *own = sl_gpu_add_finding(g->gpu, f);
  g->fault_insn = own ? i : NULL, g->fault_found = own ? (size_t)(own - g->gpu->findings) : 0;
}

static void tell_fault(sl_warp *w, const sl_xinsn *i, const sl_finding *f, sl_launch_status st) {
  sl_grid *g = w->grid;
  if (!goes_on(g)) {
    sl__end_launch(w, st, f);
    return;
  }
  add_counted(g, i, f);
  if (g->fault) return;
  g->fault = st, g->fault_began = g->instructions, g->astray = true;
  sl_fail(g->err, SL_EXIT_FAILED, NULL, "%s: %s", sl_found_name(f->id), f->account);
}

// Addresses of local and shared memory in the wrong hands ---------------------------------------------------

static bool in_window(uint64_t addr) {
  return addr - SL_SHARED_BASE < SL_WINDOW || addr - SL_LOCAL_BASE < SL_WINDOW;
}

static void describe_owner(const sl_warp *w, uint64_t addr, char *out, size_t cap) {
  const uint64_t off = addr - SL_LOCAL_BASE;
  const uint32_t key = (uint32_t)(off / SL_LOCAL_ROOM / SL_LANES), lane = off / SL_LOCAL_ROOM % SL_LANES;
  const sl_block *b = w->block;
  if (addr < SL_LOCAL_BASE) {
    snprintf(out, cap, "shared memory");
    return;
  }
  for (uint32_t k = 0; k < b->n_warps; k++)
    if (b->warps[k].local_key == key && b->warps[k].all >> lane & 1) {
      snprintf(out, cap, "a local variable of thread %u of the block", k * SL_LANES + lane);
      return;
    }
  snprintf(out, cap, "a local variable of a thread of another block, or of one that has ended");
}

// The words for an access by such an address. [lost]: hardware refuses it; else the engine makes it, too.
static void word_foreign(sl_finding *f, const sl_warp *w, uint64_t addr, uint32_t bytes, bool write,
                         bool lost) {
  char owner[100];
  describe_owner(w, addr, owner, sizeof owner);
  f->object.access = write ? SL_DID_WRITE : SL_DID_READ;
  snprintf(f->what, sizeof f->what, "%s of %u bytes by the address of %s", write ? "write" : "read", bytes,
           owner);
  snprintf(
      f->why, sizeof f->why, "%s",
      lost ? "The access is compiled for global memory, where pointers that are loaded from memory usually "
             "point to; on hardware the kernel ends with cudaErrorInvalidAddressSpace"
           : "Every thread has a local memory of its own, at the same addresses: on hardware the access goes "
             "to a variable of this thread, or to what lies there, and not to that of the other one");
  snprintf(f->advice, sizeof f->advice,
           "Put what threads share into shared memory (within a block) or global memory, and hand out its "
           "address");
}

static sl_spread look_for_call(const sl_depends *d, const sl_ptx_insn *in, uint32_t, bool touched) {
  const sl_operand *callee = in->op == SL_OP_call ? &in->ops[0] : NULL;
  if (callee && callee->kind == SL_O_REG && d->reg[callee->reg]) return SL_SPREAD_FOUND;
  return touched && sl_ptx_flow(in) != SL_FLOW_MEMORY ? SL_SPREAD_ON : SL_SPREAD_NO;
}

// Is what [i] loads called? Then it reads the table of an object's virtual functions.
static bool loads_callee(const sl_gmodule *m, const sl_xinsn *i) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(m, i, &fn);
  sl_depends d = {.f = fn->ir, .n = fn->ir->n_insns, .rule = look_for_call};
  sl__depends_begin(&d);
  sl__depends_mark_results(&d, in);
  const bool found = sl__depends_search(&d);
  free(d.reg);
  return found;
}

// Advice for what is no array of the device's: where the pointer comes from, and what a kernel has freed.
static void advise_pointer(sl_finding *f, const sl_grid *g, const sl_xinsn *i, const sl_access_fault *x) {
  const sl_alloc *a = sl__memory_find(&g->gpu->mem, x->addr);
  if (x->space != SL_SP_GLOBAL) return;
  if (sl__is_null(g, x->addr))
    snprintf(f->advice, sizeof f->advice,
             "Look where the pointer comes from. In a kernel malloc() and new return null when the device's "
             "heap is full (cudaLimitMallocHeapSize): test it");
  else if (f->id == SL_FOUND_MEMORY_HOST && !x->write && loads_callee(g->m, i)) {
    snprintf(
        f->why, sizeof f->why,
        "What is read is the address of a virtual function. The object was constructed on the host, so it "
        "points to the host's table of them, also after it was copied");
    snprintf(f->advice, sizeof f->advice,
             "Construct objects with virtual functions in a kernel (new, or new at a given place)");
  } else if (f->id == SL_FOUND_MEMORY_FREED && a && a->heap)
    snprintf(f->advice, sizeof f->advice,
             "Read what you still need of it before free(), and call free() behind the last use");
  else if (f->id == SL_FOUND_MEMORY_BOUNDS && !a && x->addr - SL_GLOBAL_BASE >= SL_GLOBAL_SIZE)
    snprintf(f->advice, sizeof f->advice,
             "Look where the pointer comes from: was it set, and do the arguments of the launch come in the "
             "order and with the types of the kernel's parameters?");
}

// The finding of an access to [addr].
static void fault(sl_warp *w, const sl_xinsn *i, int lane, const sl_access_fault *x, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
static void fault(sl_warp *w, const sl_xinsn *i, int lane, const sl_access_fault *x, const char *fmt, ...) {
  sl_finding f;
  va_list ap;
  sl__finding_begin(&f, w, i, lane, x->id);
  name_fault(&f, w, i, x);
  f.cause = x->cause, f.object.access = x->write ? SL_DID_WRITE : SL_DID_READ;
  sl__advise_shared(&f, w->grid);
  if (x->space == SL_SP_GLOBAL && in_window(x->addr)) word_foreign(&f, w, x->addr, x->bytes, x->write, true);
  else advise_pointer(&f, w->grid, i, x);
  va_start(ap, fmt);
  sl__put_account(&f, fmt, ap);
  va_end(ap);
  tell_fault(w, i, &f, x->status);
}

// The same instruction again, in another lane or trip: it is only counted.
static bool counted(sl_grid *g, const sl_xinsn *i, sl_found id) {
  sl_finding *f = g->fault_insn == i ? &g->gpu->findings[g->fault_found] : NULL;
  if (!f || f->id != id) return false;
  f->count++;
  return true;
}

#define SL_SHARED_WINDOW (1 << 24) // hardware calls an access beyond it an illegal instruction

static void tell_misaligned(sl_warp *w, const sl_xinsn *i, int lane, sl_access_fault *x, const char *verb,
                            const char *space) {
  fault(w, i, lane, x, "misaligned %s of %u bytes of %s memory at address 0x%llx (not a multiple of %u)",
        verb, x->bytes, space, (unsigned long long)x->addr, x->bytes);
}

static void tell_outside(sl_warp *w, const sl_xinsn *i, int lane, sl_access_fault *x, const char *verb,
                         const char *space) {
  char what[512];
  if (x->space == SL_SP_SHARED) describe_shared(w, i, x, what, sizeof what);
  else if (x->space == SL_SP_LOCAL)
    snprintf(what, sizeof what, "byte %llu of local memory (the thread has %u): out of bounds",
             (unsigned long long)x->addr, sl__local_size(sl__core(w)));
  else describe_global(w->grid, i, x, what, sizeof what);
  fault(w, i, lane, x, "%s of %u bytes of %s memory at %s", verb, x->bytes, space, what);
}

sl_found sl__fault_of(const sl_grid *g, uint64_t addr, uint32_t bytes, sl_space space) {
  return bytes && addr % bytes   ? SL_FOUND_MEMORY_MISALIGNED
         : space == SL_SP_GLOBAL ? kind_of_address(g, addr)
                                 : SL_FOUND_MEMORY_BOUNDS;
}

// An index that leads out of its array is that, wherever it leads to.
static sl_found left_array(const sl_grid *g, const sl_xinsn *i, uint64_t addr, sl_found id) {
  const sl_alloc *named =
      id == SL_FOUND_MEMORY_READONLY || id == SL_FOUND_MEMORY_FREED ? sl__named(g, i, addr) : NULL;
  return named && !named->freed && addr - named->base >= named->size ? SL_FOUND_MEMORY_BOUNDS : id;
}

void sl__fault_foreign(sl_warp *w, const sl_xinsn *i, int lane, uint64_t addr) {
  const sl_memop *op = i->ext;
  sl_grid *g = w->grid;
  sl_finding f;
  if (counted(g, i, SL_FOUND_MEMORY_BOUNDS)) return;
  sl__finding_begin(&f, w, i, lane, SL_FOUND_MEMORY_BOUNDS);
  word_foreign(&f, w, addr, op->bytes, op->write, false);
  add_counted(g, i, &f);
}

bool sl__before_shared(uint64_t addr) { return SL_SHARED_BASE - addr <= SL_NEAR; }

bool sl__fault_access(sl_warp *w, const sl_xinsn *i, int lane, uint64_t addr, sl_space space) {
  const sl_memop *op = i->ext;
  const bool window = space == SL_SP_GLOBAL && in_window(addr);
  if (space == SL_SP_GLOBAL && !window && sl__before_shared(addr))
    space = SL_SP_SHARED, addr -= SL_SHARED_BASE;
  const char *verb = op->write ? "write" : "read", *sp = space == SL_SP_SHARED  ? "shared"
                                                         : space == SL_SP_LOCAL ? "local"
                                                                                : "global";
  sl_access_fault x = {.id = sl__fault_of(w->grid, addr, op->bytes, space),
                       .addr = addr,
                       .bytes = op->bytes,
                       .write = op->write,
                       .space = space,
                       .status = SL_LAUNCH_FAULT};
  if (space == SL_SP_GLOBAL) x.id = left_array(w->grid, i, addr, x.id);
  const bool misaligned = x.id == SL_FOUND_MEMORY_MISALIGNED;
  if (misaligned) x.status = SL_LAUNCH_MISALIGNED;
  else if (window) x.status = SL_LAUNCH_SPACE;
  else if (space == SL_SP_SHARED && sl__shared_offset(addr) >= SL_SHARED_WINDOW) x.status = SL_LAUNCH_ILLEGAL;
  w->grid->n_left_out++;
  if (!goes_on(w->grid) || !counted(w->grid, i, x.id))
    (misaligned ? tell_misaligned : tell_outside)(w, i, lane, &x, verb, sp);
  return w->grid->status == SL_LAUNCH_OK && !w->grid->worker;
}
