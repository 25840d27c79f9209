// Findings: what a launch did wrong, and where. The device keeps them until they are cleared, and counts
// equal ones.
//
// sl__finding_at composes a finding for a lane of a warp at an instruction. sl__fault_access composes one for
// a bad memory access and says which array it missed and by how much. The launch goes on without that access,
// for a while, so that its other mistakes are found, too. Its result is the first one's error all the same.
#include "engine/core.h"

#define MAX_OF_A_KIND 10
#define HOST_LEAST 0x10000u // no program has memory below

size_t sl_gpu_findings(sl_gpu *g, const sl_finding **out) {
  sl_findings_sort(g->findings, g->n_findings);
  *out = g->findings;
  return g->n_findings;
}
void sl_gpu_clear_findings(sl_gpu *g) { g->n_findings = 0; }

// Counts the finding with the one of its place, and keeps the one that tells more.
static void join_findings(sl_finding *o, const sl_finding *f) {
  const sl_finding old = *o;
  if (f->rank > o->rank) {
    *o = *f;
    o->count = old.count, o->more = old.more;
    memcpy(o->replay, old.replay, sizeof o->replay);
  }
  o->count += f->count ? f->count : 1;
}

sl_finding *sl_gpu_add_finding(sl_gpu *g, const sl_finding *f) {
  size_t of_kind = 0;
  sl_finding *last = NULL;
  for (size_t k = 0; k < g->n_findings; k++) {
    sl_finding *o = &g->findings[k];
    if (sl_finding_same_place(o, f)) {
      join_findings(o, f);
      return o;
    }
    if (o->id == f->id && strcmp(o->kernel, f->kernel) == 0) of_kind++, last = o;
  }
  if (of_kind >= MAX_OF_A_KIND) {
    last->more++;
    return NULL;
  }
  if (!SL_ROOM(g->findings, g->n_findings)) return NULL;
  sl_finding *own = &g->findings[g->n_findings++];
  *own = *f;
  if (!f->replay[0] && g->cfg.replay) snprintf(own->replay, SL_REPLAY_MAX, "%s", g->cfg.replay);
  if (!f->count) own->count = 1;
  return own;
}

// The place of an instruction. If its function is the toolkit's, or has no line numbers: the place of the
// call that led there. False: there is none.
bool sl__position(const sl_grid *g, const sl_frame *frame, const sl_xinsn *i, sl_src_pos *pos) {
  bool found = false;
  for (; i; i = frame ? frame->call : NULL, frame = frame ? frame->parent : NULL) {
    const sl_ptx_insn *in = sl__insn_of(g->m, i, NULL);
    sl_src_pos here;
    if (!in || !sl_ptx_position(g->m->ptx, in, &here)) continue;
    if (!found) *pos = here;
    found = true;
    if (here.in_toolkit) continue;
    *pos = here;
    return true;
  }
  return found;
}

void sl__mnemonic(const sl_ptx_insn *in, char *out, size_t cap) {
  size_t n = (size_t)snprintf(out, cap, "%s", sl_ptx_op_name((sl_ptx_op)in->op));
  for (uint32_t k = 0; k < in->n_mods && n < cap; k++)
    n += (size_t)snprintf(out + n, cap - n, ".%s", sl_ptx_mod_name((sl_ptx_mod)in->mods[k]));
  char *dot = n >= cap ? strrchr(out, '.') : NULL; // too long: whole modifiers
  if (dot) *dot = 0;
}

void sl__finding_launch(sl_finding *f, const sl_grid *g) {
  snprintf(f->kernel, sizeof f->kernel, "%s", g->k->fn->ir->name);
  f->launch = g->gpu->launches - 1;
  f->shared_bytes = g->l->shared_bytes;
  f->follows = g->astray;
  memcpy(f->grid, &g->l->grid, sizeof f->grid);
  memcpy(f->threads, &g->l->block, sizeof f->threads);
}

void sl__finding_begin(sl_finding *f, sl_warp *w, const sl_xinsn *i, int lane, sl_found id) {
  const sl_grid *g = w->grid;
  const sl_ptx_insn *in = sl__insn_of(g->m, i, NULL);
  sl_src_pos pos;
  *f = (sl_finding){.id = id, .count = 1};
  sl__finding_launch(f, g);
  if (in) sl__mnemonic(in, f->me.insn, sizeof f->me.insn);
  if (sl__position(g, sl__split(w)->frame, i, &pos)) {
    snprintf(f->file, sizeof f->file, "%s", pos.file);
    f->line = pos.line, f->me.col = pos.col;
  }
  memcpy(f->block, w->block->index, sizeof f->block);
  const uint8_t *sp = sl__core(w)->special;
  for (int d = 0; d < 3; d++) f->thread[d] = ((const uint32_t *)(sp + SL_SB_TID_X + 128 * d))[lane];
}

void sl__finding_made(sl_warp *w, const sl_xinsn *i, int lane, uint64_t addr) {
  enum { MOST = 1000 }; // notes a device
  sl_gpu *g = w->grid->gpu;
  sl_alloc *a = (sl_alloc *)sl__memory_find(&g->mem, addr);
  if (!(g->cfg.checks & SL_CHECK_MEMORY_LEAK) || !a || g->n_made >= MOST ||
      !(a->made = calloc(1, sizeof *a->made)))
    return;
  g->n_made++;
  sl__finding_begin(a->made, w, i, lane, SL_FOUND_MEMORY_LEAK);
}

static void place_text(const sl_finding *f, char *out, size_t cap) {
  int n = snprintf(out, cap, "thread (%u,%u,%u) of block (%u,%u,%u)", f->thread[0], f->thread[1],
                   f->thread[2], f->block[0], f->block[1], f->block[2]);
  if (f->line && n > 0 && (size_t)n < cap)
    snprintf(out + n, cap - (size_t)n, " at %.300s:%u", f->file, f->line);
}

static void put_account(sl_finding *f, const char *fmt, va_list ap) {
  char text[600], where[400];
  vsnprintf(text, sizeof text, fmt, ap);
  place_text(f, where, sizeof where);
  snprintf(f->account, sizeof f->account, "%s, by %s", text, where);
  if (!f->what[0]) snprintf(f->what, sizeof f->what, "%.*s", (int)sizeof f->what - 1, text);
}

// The launch ends with [st].
static void end_launch(sl_warp *w, sl_launch_status st, const sl_finding *f) {
  sl_gpu_add_finding(w->grid->gpu, f);
  if (w->grid->status != SL_LAUNCH_OK) return;
  w->grid->status = st;
  sl_fail(w->grid->err, SL_EXIT_FAILED, NULL, "%s: %s", sl_found_name(f->id), f->account);
}

void sl__finding_at(sl_warp *w, const sl_xinsn *i, int lane, sl_launch_status st, sl_found id,
                    const char *fmt, ...) {
  sl_finding f;
  va_list ap;
  sl__finding_begin(&f, w, i, lane, id);
  va_start(ap, fmt);
  put_account(&f, fmt, ap);
  va_end(ap);
  end_launch(w, st, &f);
}

// Sets the place of the last finding, if its instruction has none.
void sl__finding_place(sl_gpu *g, const char *file, uint32_t line) {
  sl_finding *f = g->n_findings ? &g->findings[g->n_findings - 1] : NULL;
  if (!f || f->line) return;
  snprintf(f->file, sizeof f->file, "%s", file);
  f->line = line;
}

void sl__finding_note(sl_warp *w, const sl_xinsn *i, int lane, sl_found id, const char *fmt, ...) {
  sl_finding f;
  va_list ap;
  sl__finding_begin(&f, w, i, lane, id);
  va_start(ap, fmt);
  vsnprintf(f.what, sizeof f.what, fmt, ap);
  va_end(ap);
  sl_gpu_add_finding(w->grid->gpu, &f);
}

static const char *of_name(const sl_alloc *a, char *buf, size_t cap) {
  if (a->name) snprintf(buf, cap, "variable %s of %llu bytes", a->name, (unsigned long long)a->size);
  else snprintf(buf, cap, "an allocation of %llu bytes", (unsigned long long)a->size);
  return buf;
}

// An unsigned index of 32 bits that went below 0 leads 2^32 elements too far. False: it is none.
static bool describe_wrapped(const sl_grid *g, const sl_xinsn *i, uint64_t addr, uint32_t bytes, char *out,
                             size_t cap) {
  char name[320];
  const uint64_t meant = addr - ((uint64_t)bytes << 32);
  const sl_alloc *a = sl__meant(g, i, meant);
  if (!a || a->freed || meant < SL_GLOBAL_BASE || meant >= a->base || a->base - meant > SL_NEAR) return false;
  snprintf(out, cap, "element %lld of %s, by an unsigned index that went below 0: out of bounds",
           (long long)((int64_t)(meant - a->base) / (int64_t)bytes), of_name(a, name, sizeof name));
  return true;
}

// "element 1024 (byte 4096) of an allocation of 4096 bytes": what a bad global address is next to.
static void describe_global(const sl_grid *g, const sl_xinsn *i, uint64_t addr, uint32_t bytes, char *out,
                            size_t cap) {
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
  if (describe_wrapped(g, i, addr, bytes, out, cap)) return;
  int64_t off = (int64_t)(addr - a->base);
  bool inside = off >= 0 && (uint64_t)off < a->size;
  of_name(a, name, sizeof name);
  if (inside && a->freed)
    snprintf(out, cap, "freed memory: byte %lld of %s that was freed", (long long)off, name);
  else if (inside && a->readonly && sl__memory_sees(a, g->l->owner))
    snprintf(out, cap, "byte %lld of %s, which kernels can only read", (long long)off, name);
  else if (inside && !sl__memory_sees(a, g->l->owner)) snprintf(out, cap, "memory of another process");
  else if (off < -(int64_t)SL_NEAR || (off >= 0 && (uint64_t)off > a->size + SL_NEAR))
    snprintf(out, cap,
             "address 0x%llx, which is far from every allocation (a wild index, or not initialised?)",
             (unsigned long long)addr);
  else
    snprintf(out, cap, "element %lld (byte %lld) of %s%s: out of bounds", (long long)(off / (int64_t)bytes),
             (long long)off, name, a->freed ? " that was freed" : "");
}

// The host program's addresses are below this and outside of the device's memory.
#define HOST_END 0x0000800000000000ull

static sl_found kind_of_address(const sl_grid *g, uint64_t addr) {
  const sl_alloc *a = sl__memory_find(&g->gpu->mem, addr);
  bool device = addr - SL_SHARED_BASE < SL_GLOBAL_BASE + SL_GLOBAL_SIZE - SL_SHARED_BASE;
  return a && a->freed                                         ? SL_FOUND_MEMORY_FREED
         : a && a->readonly && sl__memory_sees(a, g->l->owner) ? SL_FOUND_MEMORY_READONLY
         : !device && addr >= HOST_LEAST && addr < HOST_END && !sl__is_null(g, addr) ? SL_FOUND_MEMORY_HOST
                                                                                     : SL_FOUND_MEMORY_BOUNDS;
}

static void describe_shared(const sl_warp *w, const sl_xinsn *i, uint64_t addr, uint32_t bytes, char *out,
                            size_t cap) {
  int64_t off = sl__shared_offset(addr), at = 0;
  const sl_ptx_var *v = sl__shared_meant(w, i, off, &at);
  unsigned long long total = sl__shared_asked(w->grid->l);
  if (!v)
    snprintf(out, cap, "byte %lld of the block's %llu bytes of shared memory: out of bounds", (long long)off,
             total);
  else
    snprintf(out, cap,
             "element %lld (byte %lld) of shared array %s of %llu bytes: out of bounds (the block has %llu "
             "bytes of shared memory)",
             (long long)((off - at) / (int64_t)bytes), (long long)(off - at), v->name,
             (unsigned long long)sl__shared_size(w, v, at), total);
}

// Is there an array that a bad global address was meant for?
static bool has_object(const sl_grid *g, const sl_xinsn *i, sl_space space, uint64_t addr) {
  const sl_alloc *a = sl__meant(g, i, addr);
  if (space != SL_SP_GLOBAL) return true;
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
static void name_fault(sl_finding *f, const sl_warp *w, const sl_xinsn *i, bool write, uint64_t addr,
                       uint32_t bytes, sl_space space) {
  static const struct {
    sl_found id;
    const char *what;
  } FAULTS[] = {{SL_FOUND_MEMORY_BOUNDS, "out of bounds"},
                {SL_FOUND_MEMORY_MISALIGNED, "at a misaligned address"},
                {SL_FOUND_MEMORY_FREED, "of freed memory"},
                {SL_FOUND_MEMORY_READONLY, "of read-only memory"}};
  if (!has_object(w->grid, i, space, addr)) return;
  uint32_t elem = ((const sl_memop *)i->ext)->elem_bytes;
  sl__object_of(w, i, space, addr, elem, bytes, &f->object);
  if (space == SL_SP_SHARED) explain_dynamic(f, w, i, addr);
  for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; k++)
    if (f->id == FAULTS[k].id)
      snprintf(f->what, sizeof f->what, "%s of %u bytes %s: " SL_THE_OBJECT, write ? "write" : "read", bytes,
               FAULTS[k].what);
}

// Past the end of a shared array: the index may be wrong, or lack a guard, or the array may be too small.
void sl__advise_shared(sl_finding *f, const sl_grid *g) {
  const sl_object *o = &f->object;
  const uint64_t asked = g->l->shared_bytes;
  if (f->id != SL_FOUND_MEMORY_BOUNDS || strcmp(o->space, "shared") || !o->size || o->index < 0) return;
  if (asked && o->size == asked)
    snprintf(
        f->advice, sizeof f->advice,
        "Correct the index, or guard the access (if (i < n)); only if both are right, let the launch ask for "
        "more shared memory, as its third parameter gives %llu bytes",
        (unsigned long long)asked);
  else
    snprintf(
        f->advice, sizeof f->advice,
        "Correct the index, or guard the access (if (i < n)); only if both are right, declare the array with "
        "more elements, as it has %llu",
        (unsigned long long)(o->elem ? o->size / o->elem : o->size));
}

typedef struct sl_access_fault {
  sl_found id;
  uint64_t addr;
  uint32_t bytes;
  bool write;
  sl_space space;
  sl_launch_status status;
} sl_access_fault;

// A launch goes on for so long after its first bad access, and with so many of them.
#define MOST_AFTER 10000000u // warp instructions
#define MOST_LEFT_OUT 100000u

static bool goes_on(const sl_grid *g) {
  return !g->worker && !g->gpu->cfg.stop_at_first && g->n_left_out < MOST_LEFT_OUT;
}

bool sl__enough_left_out(const sl_grid *g) {
  return g->fault && g->instructions - g->fault_began > MOST_AFTER;
}

static void tell_fault(sl_warp *w, const sl_xinsn *i, const sl_finding *f, sl_launch_status st) {
  sl_grid *g = w->grid;
  if (!goes_on(g)) {
    end_launch(w, st, f);
    return;
  }
  const sl_finding *own = sl_gpu_add_finding(g->gpu, f);
  g->fault_insn = own ? i : NULL, g->fault_found = own ? (size_t)(own - g->gpu->findings) : 0;
  if (g->fault) return;
  g->fault = st, g->fault_began = g->instructions, g->astray = true;
  sl_fail(g->err, SL_EXIT_FAILED, NULL, "%s: %s", sl_found_name(f->id), f->account);
}

// The finding of an access to [addr].
static void fault(sl_warp *w, const sl_xinsn *i, int lane, const sl_access_fault *x, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
static void fault(sl_warp *w, const sl_xinsn *i, int lane, const sl_access_fault *x, const char *fmt, ...) {
  sl_finding f;
  va_list ap;
  sl__finding_begin(&f, w, i, lane, x->id);
  name_fault(&f, w, i, x->write, x->addr, x->bytes, x->space);
  sl__advise_shared(&f, w->grid);
  va_start(ap, fmt);
  put_account(&f, fmt, ap);
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

static void tell_misaligned(sl_warp *w, const sl_xinsn *i, int lane, const sl_access_fault *x,
                            const char *verb, const char *space) {
  fault(w, i, lane, x, "misaligned %s of %u bytes of %s memory at address 0x%llx (not a multiple of %u)",
        verb, x->bytes, space, (unsigned long long)x->addr, x->bytes);
}

static void tell_outside(sl_warp *w, const sl_xinsn *i, int lane, const sl_access_fault *x, const char *verb,
                         const char *space) {
  char what[512];
  if (x->space == SL_SP_SHARED) describe_shared(w, i, x->addr, x->bytes, what, sizeof what);
  else if (x->space == SL_SP_LOCAL)
    snprintf(what, sizeof what, "byte %llu of local memory (the thread has %u): out of bounds",
             (unsigned long long)x->addr, sl__local_size(sl__core(w)));
  else describe_global(w->grid, i, x->addr, x->bytes, what, sizeof what);
  fault(w, i, lane, x, "%s of %u bytes of %s memory at %s", verb, x->bytes, space, what);
}

sl_found sl__fault_of(const sl_grid *g, uint64_t addr, uint32_t bytes, sl_space space) {
  return bytes && addr % bytes   ? SL_FOUND_MEMORY_MISALIGNED
         : space == SL_SP_GLOBAL ? kind_of_address(g, addr)
                                 : SL_FOUND_MEMORY_BOUNDS;
}

bool sl__before_shared(uint64_t addr) { return SL_SHARED_BASE - addr <= SL_NEAR; }

bool sl__fault_access(sl_warp *w, const sl_xinsn *i, int lane, uint64_t addr, uint32_t bytes, bool write,
                      sl_space space) {
  if (space == SL_SP_GLOBAL && sl__before_shared(addr)) space = SL_SP_SHARED, addr -= SL_SHARED_BASE;
  const char *verb = write ? "write" : "read", *sp = space == SL_SP_SHARED  ? "shared"
                                                     : space == SL_SP_LOCAL ? "local"
                                                                            : "global";
  sl_access_fault x = {sl__fault_of(w->grid, addr, bytes, space), addr, bytes, write, space, SL_LAUNCH_FAULT};
  const bool misaligned = x.id == SL_FOUND_MEMORY_MISALIGNED;
  if (misaligned) x.status = SL_LAUNCH_MISALIGNED;
  else if (space == SL_SP_SHARED && sl__shared_offset(addr) >= SL_SHARED_WINDOW) x.status = SL_LAUNCH_ILLEGAL;
  w->grid->n_left_out++;
  if (!goes_on(w->grid) || !counted(w->grid, i, x.id))
    (misaligned ? tell_misaligned : tell_outside)(w, i, lane, &x, verb, sp);
  return w->grid->status == SL_LAUNCH_OK && !w->grid->worker;
}
