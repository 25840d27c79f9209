// Code that has been loaded: modules, their functions and kernels, the places of values that a launch fixes.
#pragma once

#include "engine/engine.h"
#include "engine/shared.h"

// probe.h: the observers. Each keeps state of its own in the device, in modules, launches and blocks.
typedef struct sl_listeners sl_listeners;
typedef struct sl_patch sl_patch;
enum { SL_PROBES = 16 };

// What to do about device code that uses functions or variables of another file.
#define SL_ONE_FILE "compile one file that includes the others (#include \"b.cu\"), without -rdc=true"

// module.c, decode.c ----------------------------------------------------------------------------------------

// Fixed places of the launch bank (bytes); the parameters of the kernel follow.
enum {
  SL_LB_NTID_X = 0,
  SL_LB_NTID_Y = 128,
  SL_LB_NTID_Z = 256,
  SL_LB_NCTAID_X = 384,
  SL_LB_NCTAID_Y = 512,
  SL_LB_NCTAID_Z = 640,
  SL_LB_NWARPID = 768,
  SL_LB_NSMID = 896,
  SL_LB_DYN_SMEM = 1024,
  SL_LB_TOTAL_SMEM = 1152,
  SL_LB_GRIDID = 1280,
  SL_LB_ENVREG1 = 1536,
  SL_LB_ENVREG2 = 1664,
  SL_LB_RESERVED = 1792, // start of the shared memory that the system reserves in a block
  SL_LB_SHARED = 1920,
  SL_LB_PARAMS = SL_LB_SHARED + 256 * 256
};
// Places of a warp's special bank.
enum {
  SL_SB_TID_X = 0,
  SL_SB_TID_Y = 128,
  SL_SB_TID_Z = 256,
  SL_SB_CTAID_X = 384,
  SL_SB_CTAID_Y = 512,
  SL_SB_CTAID_Z = 640,
  SL_SB_WARPID = 768,
  SL_SB_SMID = 896,
  SL_SB_BYTES = 1024
};

// A broadcast of the launch bank: a kernel parameter, or the start of dynamic shared memory plus an offset.
typedef struct sl_launch_value {
  uint32_t slot;       // byte offset in the bank
  uint32_t offset;     // in the parameters
  uint8_t bytes, wide; // size in the parameters; 64-bit lanes
  bool is_signed, is_dynamic_shared;
  int64_t imm;
} sl_launch_value;

// A register that is set when a frame starts: address of a local variable.
typedef struct sl_frame_value {
  sl_slot slot;
  uint32_t offset;
  bool wide;
} sl_frame_value;

// A formal parameter of a function whose address is taken: copied to local memory on entry.
typedef struct sl_spill {
  uint32_t var, offset; // variable of the module; its offset in the function's local memory
} sl_spill;

typedef enum sl_builtin {
  SL_BUILTIN_NONE,
  SL_BUILTIN_VPRINTF,
  SL_BUILTIN_ASSERTFAIL,
  SL_BUILTIN_MALLOC,
  SL_BUILTIN_ALIGNED_MALLOC,
  SL_BUILTIN_FREE
} sl_builtin;

typedef struct sl_func {
  const sl_ptx_func *ir;
  uint32_t index, first_pc, n_code;
  uint32_t frame_bytes, local_bytes; // local_bytes: .local variables and spilt parameters
  sl_slot *reg_slots;                // by register: where it is kept, SL_NO_SLOT: nowhere; for the trace
  uint32_t *unset;                   // registers that may be read before they are written
  uint32_t n_unset;
  uint32_t param_base,
      param_skip; // .param word k of the function is at frame byte param_base + (4k - skip) * 32
  sl_frame_value *init;
  uint32_t n_init;
  sl_spill *spills;
  uint32_t n_spills;
  uint8_t *timed; // by 32-bit word of the frame: its value comes from a clock; NULL: no clock is read
  sl_builtin builtin;
  bool allocas;
} sl_func;

struct sl_kernel {
  sl_gmodule *m;
  sl_func *fn;
  uint32_t static_shared, dynamic_base, launch_bytes; // static_shared: without zones; dynamic_base: with them
  sl_zones zones;
  sl_launch_value *values;
  uint32_t n_values;
  bool in_order; // its blocks talk to each other: run them on one core
};

typedef struct sl_known {
  uint64_t value;
  sl_slot slot;
} sl_known;

struct sl_gmodule {
  sl_gpu *gpu;
  sl_ptx_module *ptx;
  char *name;
  uint32_t owner;
  sl_xinsn *code;
  uint32_t n_code;
  uint8_t *consts;
  uint32_t const_bytes, const_cap;
  sl_func *funcs;
  const sl_func **func_at; // by pc; NULL while the code is being made
  sl_kernel *kernels;
  uint32_t n_kernels;
  uint64_t *var_addr; // global and const: address; shared: offset
  sl_launch_value shared_values[256];
  uint32_t n_shared_values, launch_fixed; // addresses in dynamic shared memory
  sl_known known32[512], known64[512];
  uint32_t n_known32, n_known64;
  sl_slot lane_slots[SL_SR_COUNT_];
  uint8_t *timed; // by function: reads a clock, or calls one that does
  bool reserves;  // its code asks where the system's part of shared memory is
  uint32_t n_mem; // memory instructions: one bounds cache each
  sl_arena *arena;
  uint64_t bytes;            // memory that it takes in this process, once loaded
  struct sl_weak_insn *weak; // by pc: NULL until a launch with weak visibility
  sl_xinsn *marking;         // made by parallel_code.c: NULL until a launch on several cores
  uint32_t *costs;           // by pc, made by path.c: NULL until a launch that counts
  sl_patch *patches;         // by pc, made by patch.c: NULL until a launch with handlers before instructions
  uint32_t patched;          // which of them are in the code
  uint32_t looked;           // bit k: probe k has looked at the code
  void *kept[SL_PROBES];     // by probes
  sl_gmodule *next;
};

#define SL_KNOWN 512 // literals remembered, so that equal ones share a vector
#define SL_SHARED_VALUES 256
#define SL_FUNC_TAG 0x000000f000000000ull // "address" of function k: TAG + 16 (k + 1)
void *sl__arena(sl_gmodule *m, size_t bytes);
bool sl__decode_module(sl_gmodule *m, sl_error *e);
void sl__timed_functions(sl_gmodule *m); // timed.c, before any function is decoded
uint8_t *sl__timed_words(sl_gmodule *m, const sl_ptx_func *f, const sl_slot *slots, uint32_t head,
                         uint32_t frame); // head: bytes of the frame before its registers
void sl__layout_shared(sl_gmodule *m);    // shared_layout.c: before decoding
const sl_ptx_insn *sl__insn_of(const sl_gmodule *m, const sl_xinsn *i, const sl_func **fn);

// Analysis of one function: filled by liveness.c, used by regalloc.c.
typedef struct sl_lifetime {
  uint32_t start, end;
  bool unset;  // something may read it before anything has written it
} sl_lifetime; // positions: 2 x instruction; start > end: never used
bool sl__liveness(const sl_ptx_func *f, const bool *skip_reg, sl_lifetime *iv, sl_error *e);
uint32_t sl__regalloc(const sl_ptx_func *f, const bool *skip_reg, const sl_lifetime *iv, sl_slot *slots,
                      uint32_t base);
// Calls visit(ctx, register, is_def) for every register of an instruction.
typedef void (*sl_reg_visit)(void *ctx, uint32_t reg, bool is_def);
void sl__visit_regs(const sl_ptx_func *f, const sl_ptx_insn *in, sl_reg_visit visit, void *ctx);
bool sl__reads(const sl_ptx_func *f, const sl_ptx_insn *in, uint32_t reg);
bool sl__is_read(const sl_ptx_func *f,
                 const sl_operand *o); // is the register, which an instruction writes, ever read?
