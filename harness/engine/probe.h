// Probes: how observers subscribe to what the engine does.
//
// A probe is a constant table of callbacks. Whoever creates a device hands it the probes once
// (sl_gpu_probes); each of them takes part in the launches that it asks for, by the checks that are on or by
// its own [joins]. For the time of such a launch patch.c puts handlers in front of the instructions that its
// probes want. A launch without probes runs unchanged code and tests nothing.
//
// State. The engine allocates, zeroed, what a probe keeps for a device, a module, a launch and a block. It
// hands it out by the probe's number, its place in the table, and never looks inside. A callback needs no
// other variables. So a launch may be observed in parts (each part has a sl_grid with state of its own), and
// a copy of the state is a point in time to which one can come back.
//
// Events do not depend on handlers: translated code would call the functions of emit.c at the same places.
// Callbacks may make findings; they change nothing that a kernel can see.
#pragma once

#include "engine/core.h"

// Kinds of instructions that have events.
enum {
  SL_SEE_NOTHING,
  SL_SEE_LOAD,
  SL_SEE_STORE,
  SL_SEE_RMW,
  SL_SEE_COPY, // cp.async
  SL_SEE_FENCE,
  SL_SEE_WARP,     // with a member mask: shuffles, votes, matches
  SL_SEE_WARP_BAR, // bar.warp.sync
  SL_SEE_MBARRIER,
  SL_SEE_BULK,     // cp.async.bulk
  SL_SEE_ASYNC,    // commits and waits for groups of cp.async
  SL_SEE_BACK,     // a branch that a probe has asked for (sl__see_branch)
  SL_SEE_CONSTANT, // a load of constant memory that a probe has asked for
  SL_SEE_KINDS
};
#define SL_SEES(name) (1u << SL_SEE_##name)
#define SL_SEES_WORDS (SL_SEES(LOAD) | SL_SEES(STORE) | SL_SEES(RMW))
#define SL_SEES_MEMORY (SL_SEES_WORDS | SL_SEES(COPY) | SL_SEES(MBARRIER) | SL_SEES(BULK))

// Properties of an instruction.
enum {
  SL_IS_STRONG = 1, // volatile, relaxed, acquire, release, atomic: takes part in ordering
  SL_IS_ACQUIRE = 2,
  SL_IS_RELEASE = 4,
  SL_IS_CTA = 8,     // scope is the block
  SL_IS_RESULT = 16, // an atomic whose old value is used
  SL_IS_CAS = 32,
  SL_IS_CACHED = 64,   // it reads through the read-only cache
  SL_IS_EXCHANGE = 128 // an atomic that stores its operand, whatever the old value is
};

// One memory access of the lanes in [mask], in one space. addr: offset in shared or local memory, or address.
typedef struct sl_access {
  sl_warp *w;
  const sl_xinsn *i; // as executed; its memop describes the access
  uint32_t pc, mask, bytes;
  uint8_t kind, flags, space;
  uint8_t at;              // if a copy's source is read byte by byte: which byte
  bool row;                // all lanes, words of four bytes in a row, none outside
  bool one;                // all lanes of the mask at one word of four bytes
  uint64_t addr[SL_LANES]; // addresses of the lanes in the mask
} sl_access;

// Lanes come to a barrier of the block.
typedef struct sl_arrive {
  const sl_xinsn *i;
  uint32_t expected; // threads; 0: all
  uint8_t id;
  bool waits;
} sl_arrive;

// What is known of an instruction, and the handlers that stand before it (patch.c): the first that is called
// is the outermost one. Guards are tested between SL_LAYER_INNER and SL_LAYER_OUTER.
typedef enum sl_layer {
  SL_LAYER_WEAK,   // op_weak.c
  SL_LAYER_EVENTS, // emit.c
  SL_LAYER_INNER,  // probes with [inner]: see the lanes whose guard holds
  SL_LAYER_OUTER,  // probes with [outer], in their order: see every executed instruction
  SL_LAYER_OUTER_LAST = SL_LAYER_OUTER + 2,
  SL_LAYERS
} sl_layer;
struct sl_patch {
  uint8_t kind, flags;       // SL_SEE_, SL_IS_
  bool written;              // it stands in the program; others were added by the layout
  sl_op_fn own, front;       // without any: of the instruction, of its guard (or the same)
  sl_op_fn below[SL_LAYERS]; // the handler that a handler of that layer calls
};
static inline const sl_patch *sl__patch_at(const sl_warp *w, const sl_xinsn *i) {
  return &w->grid->m->patches[i - w->grid->code];
}

typedef sl_step (*sl_around_fn)(sl_warp *w, const sl_xinsn *i, sl_op_fn rest);

struct sl_probe {
  const char *name;
  uint32_t checks;                // SL_CHECK_ bits: it joins launches with one of them on; 0: whatever is on
  bool (*joins)(const sl_grid *); // and only if this says so; NULL: it does
  uint32_t kinds;                 // SL_KIND: the instructions whose events it wants
  size_t gpu_bytes, module_bytes, launch_bytes, block_bytes;

  // the device: before it is destroyed; the host, or a copy on the device, has written there
  void (*gone)(sl_gpu *);
  void (*wrote)(sl_gpu *, uint64_t addr, uint64_t len, bool copied);
  // a module: before its first launch with this probe; before it is unloaded, with or without such a launch
  void (*look)(sl_gmodule *);
  void (*unload)(sl_gpu *, sl_gmodule *);
  // launches and blocks. State of a block is kept for the next block of the launch, until block_free
  void (*launch)(sl_grid *), (*launch_end)(sl_grid *);
  void (*block)(sl_block *), (*block_end)(sl_block *), (*block_free)(sl_block *);

  // memory: before it is touched; then the instruction as a whole, with the generic addresses of all lanes
  void (*access)(const sl_access *);
  void (*request)(sl_warp *, const uint64_t *addr);
  // An asynchronous copy begins; the access is its part in shared memory. object: offset of the mbarrier that
  // it reports to + 1; 0: it joins a group
  void (*copy)(const sl_access *, uint32_t object);
  // Lanes have entered a function some of whose registers may be read before they are written.
  void (*call)(sl_warp *, const sl_frame *, uint32_t lanes);
  // the engine itself has written to local memory
  void (*local)(sl_warp *, uint32_t lanes, uint32_t addr, uint32_t bytes);

  // synchronisation, fences, SL_SEE_BACK, SL_SEE_CONSTANT: before the instruction runs and after. The access:
  // of the mbarrier
  void (*before)(sl_warp *, const sl_xinsn *, const sl_patch *, const sl_access *);
  void (*after)(sl_warp *, const sl_xinsn *, const sl_patch *, const sl_access *, sl_step);
  void (*arrive)(sl_warp *, const sl_arrive *);
  void (*open)(sl_block *, uint8_t id, uint32_t expected);
  void (*warp_sync)(sl_warp *, uint32_t lanes); // lanes that waited at bar.warp.sync go on

  // every instruction: [rest] executes it. inner: from when the probe asks (sl__see_inner)
  sl_around_fn inner, outer;
};

// The probes of a launch, and for each kind of instruction those to call.
struct sl_listeners {
  const sl_probe *on[SL_PROBES]; // in the order of the table
  uint32_t n, kinds, n_outer;
  sl_around_fn inner, outer[SL_LAYER_OUTER_LAST - SL_LAYER_OUTER + 1];
  uint32_t n_arrive;
  void (*arrive[SL_PROBES])(sl_warp *, const sl_arrive *);
  struct sl_heard {
    uint32_t n_access, n_request, n_before, n_after;
    void (*access[SL_PROBES])(const sl_access *);
    void (*request[SL_PROBES])(sl_warp *, const uint64_t *);
    void (*before[SL_PROBES])(sl_warp *, const sl_xinsn *, const sl_patch *, const sl_access *);
    void (*after[SL_PROBES])(sl_warp *, const sl_xinsn *, const sl_patch *, const sl_access *, sl_step);
  } of[SL_SEE_KINDS];
};

// emit.c
void sl__classify(const sl_ptx_func *f, const sl_ptx_insn *in, sl_patch *p); // kind and flags
sl_op_fn sl__emitter(uint8_t kind);                                          // NULL: it has no events
// The generic addresses of a memory instruction, by lane.
static inline void sl__addresses(const sl_warp *w, const sl_xinsn *i, uint64_t addr[SL_LANES]) {
  const uint32_t *a32 = sl__u32(w, i->s[0]);
  const uint64_t *a64 = sl__u64(w, i->s[0]), imm = (uint64_t)i->imm;
  if (((const sl_memop *)i->ext)->addr32)
    for (int l = 0; l < SL_LANES; l++) addr[l] = a32[l] + (uint32_t)imm;
  else
    for (int l = 0; l < SL_LANES; l++) addr[l] = a64[l] + imm;
}

// patch.c: the one place that puts handlers before instructions.
enum { SL_PATCH_WEAK = 1, SL_PATCH_INNER = 2 };
void sl__patch_make(sl_gmodule *m);              // m->patches
void sl__patch_launch(sl_grid *g, uint32_t how); // patches exactly what this launch wants

// For probes: in [look], asks for a branch, for a load of constant memory; in a launch, puts [inner] before
// every instruction until it ends.
void sl__see_branch(sl_gmodule *m, uint32_t pc);
void sl__see_constant(sl_gmodule *m, uint32_t pc);
void sl__see_inner(sl_grid *g);
