// What the families of instructions that steer execution share: how addresses are resolved, what a call is,
// what the decoder hands to them. The end of core.h, which includes it; read that first.
#pragma once

#include "engine/core.h"

// op_mem.c, for atomics and calls
typedef struct sl_memop sl_memop;
typedef bool (*sl_resolve_fn)(sl_warp *w, const sl_xinsn *i, uint8_t **p);
bool sl__is_nowhere(const sl_grid *g, const uint8_t *p); // does it belong to an access that is left out?
bool sl__resolve_global(sl_warp *w, const sl_xinsn *i, uint8_t **p); // resolve.c
bool sl__resolve_shared(sl_warp *w, const sl_xinsn *i, uint8_t **p);
bool sl__resolve_local(sl_warp *w, const sl_xinsn *i, uint8_t **p);
bool sl__resolve_generic(sl_warp *w, const sl_xinsn *i, uint8_t **p);
uint32_t sl__local_size(const sl_cwarp *c);
bool sl__range_lookup(sl_warp *w, sl_range *r, uint64_t addr, uint32_t bytes, bool write);
struct sl_memop {
  sl_resolve_fn resolve;     // finds the host pointers of the lanes in the mask; false: the launch ends
  uint32_t bytes, n, cache;  // bytes of the whole access; its elements; index in the grid's cache
  uint8_t elem_bytes, space; // elem_bytes: bytes of one element
  bool write, atomic, plain; // plain: one element as wide as its register
  bool read,
      orders, // an atomic: its result is read; it is no addition or the like, so who comes first counts
      draws;  // takes a number from a counter that other blocks may see, and uses it
  void (*move)(sl_warp *w, sl_slot reg, uint8_t **p, uint32_t offset); // one element of all lanes
  bool addr32;     // addr32: the address register has 32 bits
  sl_slot elem[8]; // registers of the elements
};
// op_addr.c, cp.async: d[0..bytes) = s[0..n), rest zero. Both sides are resolved as accesses of their own.
typedef struct sl_copy {
  sl_xinsn to, from;
  sl_slot size;
  uint32_t bytes;
  bool ignores; // the instruction's source 0 is a predicate: nothing is read, all is zero
} sl_copy;
#define SL_COPIES_ALL UINT32_MAX
// a wait: how many groups may stay under way; SL_COPIES_ALL: waits for all copies
uint32_t sl__copies_left(const sl_ptx_insn *in);
uint32_t sl__copy_reads(const sl_warp *w, const sl_xinsn *i, int lane); // cp.async: n of a lane
// One byte of the source, [at] bytes behind its address, as an access of its own.
typedef struct sl_copy_byte {
  sl_xinsn from;
  sl_memop op;
} sl_copy_byte;
void sl__copy_byte(sl_copy_byte *out, const sl_copy *c, uint32_t at);
// op_bulk.c, cp.async.bulk: the same, in pieces of 16 bytes, each an access of its own.
typedef void (*sl_combine_fn)(void *to, const void *from);
typedef struct sl_bulk {
  sl_copy copy; // copy of the first piece
  sl_xinsn object;
  bool has_object;       // an mbarrier learns of the bytes
  sl_combine_fn combine; // NULL: copies
} sl_bulk;
#define SL_BULK_PIECE 16u
bool sl__decode_access(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *mem, sl_space sp, sl_xinsn *x,
                       sl_memop **op);
const sl_operand *sl__elements(sl_decoder *dc, const sl_operand *o,
                               uint32_t *n); // elements of a vector operand, or the operand itself
bool sl__value_slot(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, bool write, sl_ptx_mod type,
                    sl_slot *out);
bool sl__value_is_wide(sl_decoder *dc, const sl_operand *o, sl_ptx_mod type);               // held by 64 bits
bool sl__decode_call_param(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, bool write); // op_param.c
bool sl__decode_cvta(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);                   // op_addr.c
bool sl__decode_cluster(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);                // op_cluster.c
bool sl__decode_bulk(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);                   // op_bulk.c
bool sl__decode_stack(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);                  // op_stack.c
bool sl__decode_mbarrier(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);               // op_mbar.c
void sl__mbar_text(const uint8_t *object, char *out, size_t cap); // writes what is pending
bool sl__mbar_bytes(sl_warp *w, const sl_xinsn *i, int lane, uint8_t *p, uint32_t bytes);
bool sl__decode_copy(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x);
void *sl__generic_ptr(sl_warp *w, int lane, uint64_t addr, uint64_t len); // NULL: no such memory
sl_space sl__space_mod(const sl_ptx_insn *in);

// op_ctl.c: a call. Arguments, then returns: place in the caller's frame.
typedef struct sl_callinfo {
  uint32_t n_arg, n_ret;
  struct {
    sl_slot slot;
    uint32_t words;
  } v[];
} sl_callinfo;
static inline uint32_t sl__taken_lanes(const sl_warp *w, const sl_xinsn *i) { // lanes that take a branch
  if (i->guard == SL_NO_SLOT) return w->mask;
  uint32_t p = sl__pred(w, i->guard);
  return w->mask & (i->neg >> 31 ? ~p : p);
}
bool sl__is_added_jump(sl_op_fn fn);
void sl__finish_branch(sl_xinsn *x, uint32_t pc, uint32_t target); // op_ctl.c: after layout
sl_step sl__op_ret(sl_warp *w, const sl_xinsn *i);
// device_printf.c. Returns the number of arguments used, -1 without a format.
int sl__device_printf(sl_warp *w, int lane, uint64_t format, uint64_t args);
bool sl__device_string(sl_warp *w, int lane, uint64_t addr, char *out, size_t cap);
sl_step sl__call_builtin(sl_warp *w, const sl_xinsn *i, const sl_func *fn); // op_extern.c

// decode.c, for the core's own families
struct sl_decoder {
  sl_gmodule *m;
  const sl_ptx_func *f;
  sl_func *fn;
  sl_kernel *kernel; // when f is an entry
  sl_slot *slots;    // by register
  sl_slot *alias;    // by register: SL_NO_SLOT, or what it always equals
  uint32_t frame;    // bytes so far
  sl_slot sink;
  sl_error *e;
  bool refused; // by sl__refuse: [e] names the instruction
};
sl_slot sl__const32(sl_decoder *dc, uint32_t v);
sl_slot sl__const64(sl_decoder *dc, uint64_t v);
bool sl__is_argument(const sl_ptx_func *f, uint32_t var); // a formal parameter
bool sl__is_formal(const sl_ptx_func *f, uint32_t var);   // is it a parameter of an entry?
sl_slot sl__reg_slot(const sl_decoder *dc, uint32_t reg); // SL_NO_SLOT: never used
sl_slot sl__param_slot(const sl_decoder *dc, uint64_t offset);
bool sl__is_dynamic_sreg(uint8_t sreg);
sl_step sl__nothing(sl_warp *w, const sl_xinsn *i); // op_misc.c: the handler of what has no effect here
bool sl__decode_sreg(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x); // op_misc.c: clocks
bool sl__var_slot(sl_decoder *dc, const sl_operand *o, unsigned bits, sl_slot *out);
sl_ptx_mod sl__type_mod(const sl_ptx_insn *in); // last type suffix, SL_M_NONE: none
