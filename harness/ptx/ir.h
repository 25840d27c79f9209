// PTX in memory: what the parser makes of the text and what the engine decodes. Everything of a module lives
// in one arena and is freed by sl_ptx_free. Names are kept as in the text. Indices link the tables.
//
// An instruction is its mnemonic (ops.def), its suffixes in text order (mods.def: types, state spaces,
// rounding, ...), a guard predicate and its operands. The parser knows only the syntax; whether a
// combination exists is decided by the engine's decoder, which refuses what it does not know with text, file
// and line.
#pragma once

#include "base/base.h"
#include "ptx/ops.h"

// Suffixes: SL_M_s32, SL_M_global, SL_M_rn, ... from mods.def. (SL_PTX_MOD(id, "text"))
typedef enum sl_ptx_mod {
  SL_M_NONE,
#define SL_PTX_MOD(id, text) SL_M_##id,
#include "ptx/mods.def"
#undef SL_PTX_MOD
  SL_M_COUNT_
} sl_ptx_mod;

// Register classes. 8 and 16 bits are kept in 32-bit lanes (upper bits undefined), see engine/engine.h.
typedef enum sl_reg_class { SL_R_PRED, SL_R_16, SL_R_32, SL_R_64, SL_R_128 } sl_reg_class;

typedef enum sl_space {
  SL_SP_NONE,
  SL_SP_CONST,
  SL_SP_GLOBAL,
  SL_SP_SHARED,
  SL_SP_LOCAL,
  SL_SP_PARAM
} sl_space;

// Special registers, SL_SR_tid_x ... (from sregs.def: SL_PTX_SREG(id, "%text", class))
typedef enum sl_ptx_sreg {
#define SL_PTX_SREG(id, text, cls) SL_SR_##id,
#include "ptx/sregs.def"
#undef SL_PTX_SREG
  SL_SR_COUNT_
} sl_ptx_sreg;

typedef enum sl_opnd_kind {
  SL_O_NONE,
  SL_O_REG,  // reg
  SL_O_IMM,  // imm: integer literal, sign-extended to 64 bits
  SL_O_F32,  // imm: bits of a 0f literal
  SL_O_F64,  // imm: bits of a 0d or decimal float literal
  SL_O_SREG, // sreg
  SL_O_VAR,  // address of a variable: var (see sl_ptx_var), plus imm
  SL_O_FUNC, // address of a function: func
  SL_O_MEM, // [base + imm]: base is reg (base_kind SL_O_REG), var (SL_O_VAR) or nothing (SL_O_NONE: absolute)
  SL_O_VEC, // {a, b, ..}: n_elems operands at fn->elems[first]
  SL_O_LABEL, // label: index of the instruction that it stands before (== n_insns: end of the function)
  SL_O_SINK   // _
} sl_opnd_kind;

typedef struct sl_operand {
  uint8_t kind;      // sl_opnd_kind
  uint8_t base_kind; // SL_O_MEM only
  bool negated;      // !%p as a source
  bool minus;        // -%r as a source
  bool generic;      // SL_O_VAR inside generic(var)
  uint32_t reg;      // index into fn->regs
  uint32_t pair;     // d|p: register of the part behind the bar, plus 1; 0 = none. UINT32_MAX: "|_"
  uint32_t var;      // SL_O_VAR / SL_O_MEM on a variable: index into mod->vars
  uint32_t func;     // index into mod->funcs
  uint32_t label;
  uint32_t first, n_elems;
  uint8_t sreg;
  // register: 'b' or 'h' if only bytes or halves of it are meant (%r1.b0, %r1.h10), else 0
  uint8_t part;
  uint8_t n_parts; // how many, 1 to 4
  uint16_t parts;  // their numbers, 4 bits each, the last written in the lowest
  int64_t imm;     // literal, or offset
} sl_operand;

#define SL_PTX_MAX_MODS 10
#define SL_PTX_MAX_OPS 8

// Where an instruction comes from. file 0: unknown. inlined: index+1 of the call site in mod->locs, or 0.
typedef struct sl_ptx_loc {
  uint32_t file, line, col, inlined;
  const char *func;
} sl_ptx_loc;

typedef struct sl_ptx_insn {
  uint16_t op; // sl_ptx_op
  uint8_t n_mods, n_ops;
  uint8_t mods[SL_PTX_MAX_MODS];  // sl_ptx_mod in text order
  sl_operand ops[SL_PTX_MAX_OPS]; // in text order, destination first
  uint32_t guard;                 // register index + 1; 0 = none
  bool guard_neg;
  uint32_t loc;            // index+1 into mod->locs; 0 = none
  uint32_t ptx_line;       // line in the PTX text, from 1
  uint32_t text, text_len; // the statement in mod->text
  // call: (rets) callee, (args), prototype. ops[0] is the callee: SL_O_FUNC or SL_O_REG.
  uint32_t ret_first, n_ret, arg_first,
      n_arg;      // operands in fn->elems: SL_O_VAR (.param variables), registers or literals
  uint32_t proto; // index+1 into mod->protos for indirect calls and .calltargets
  uint32_t target_first, n_targets; // brx.idx: labels in fn->elems
} sl_ptx_insn;

typedef struct sl_ptx_reg {
  const char *name;
  uint8_t cls;
  uint8_t type; /* sl_ptx_mod of its type */
} sl_ptx_reg;

// An address inside an initialiser: `size` bytes at `offset` hold (address of var or func + addend) >> shift.
// The shift is 0 but for single bytes of an address, which an initialiser selects by mask (0xFF00(name)).
typedef struct sl_ptx_reloc {
  uint64_t offset;
  uint32_t size;
  bool is_func, generic;
  uint32_t index;
  int64_t addend;
  uint32_t shift;
} sl_ptx_reloc;

// A variable of any space. Module variables have func == 0; .param/.local/.shared variables of a function
// have func == index + 1. For .param and .local, `offset` is the place inside the function's param or local
// frame; formal parameters of an entry are laid out from 0 by alignment, as the launch passes them.
typedef struct sl_ptx_var {
  const char *name;
  uint8_t space;                                      // sl_space
  uint8_t type;                                       // sl_ptx_mod of the element type
  bool is_extern, is_visible, is_managed, is_unsized; // unsized: extern __shared__ x[]
  uint32_t func;
  uint32_t align;
  uint64_t size; // bytes
  uint64_t offset;
  const uint8_t *init; // size bytes, NULL: zeros (global, const)
  const sl_ptx_reloc *relocs;
  uint32_t n_relocs;
} sl_ptx_var;

typedef struct sl_ptx_proto {
  const char *name;
  uint32_t ret_size, n_params;
  uint32_t param_size[32], param_align[32];
  uint32_t ret_align;
} sl_ptx_proto;

typedef struct sl_ptx_func {
  const char *name;
  bool is_entry, is_extern, is_visible,
      noreturn;               // extern: declaration only (vprintf, malloc, free, __assertfail)
  uint32_t *params, n_params; // indices into mod->vars (formal parameters, SL_SP_PARAM)
  uint32_t *rets, n_rets;     // return parameters
  uint32_t param_bytes;       // bytes of the formal parameters, which a launch copies
  uint32_t frame_param_bytes; // bytes of all .param variables: formals, returns and call-site ones
  uint32_t local_bytes;       // bytes of all .local variables
  sl_ptx_reg *regs;
  uint32_t n_regs;
  sl_ptx_insn *insns;
  uint32_t n_insns;
  sl_operand *elems;
  uint32_t n_elems;
  uint32_t maxntid[3], reqntid[3], minnctapersm; // 0: not given
  uint32_t cluster[3];                           // .reqnctapercluster; 0: not given
} sl_ptx_func;

typedef struct sl_ptx_module {
  const char *text;                          // the module's own copy of the PTX, NUL-ended
  unsigned version_major, version_minor, sm; // .version 9.0, .target sm_75 -> 75
  char target[32];
  const char **files;
  const bool *in_toolkit; // [i]: sl_ptx_is_toolkit(files[i])
  uint32_t n_files;       // [i] is the name of .file i (may be NULL); [0] unused
  sl_ptx_loc *locs;
  uint32_t n_locs;
  sl_ptx_var *vars;
  uint32_t n_vars;
  sl_ptx_func *funcs;
  uint32_t n_funcs;
  sl_ptx_proto *protos;
  uint32_t n_protos;
  void *arena;
} sl_ptx_module;

// parse.c: Parses [len] bytes of PTX. [name] stands in messages. NULL with [e] set (line and text of the
// offence) if it is not PTX that we read. The caller frees the module with sl_ptx_free.
sl_ptx_module *sl_ptx_parse(const char *name, const char *text, size_t len, sl_error *e);
void sl_ptx_free(sl_ptx_module *m);
size_t sl_ptx_bytes(const sl_ptx_module *m); // memory that it takes

// ops.c: the instruction table, by instruction.
static inline sl_family sl_ptx_family(const sl_ptx_insn *i) { return (sl_family)sl_ptx_ops[i->op].family; }
static inline sl_value_flow sl_ptx_flow(const sl_ptx_insn *i) {
  return (sl_value_flow)sl_ptx_ops[i->op].flow;
}
// Has it one of these effects (SL_DOES_..)?
static inline bool sl_ptx_does(const sl_ptx_insn *i, unsigned effects) {
  return sl_ptx_ops[i->op].effects & effects;
}
sl_action sl_ptx_action(const sl_ptx_insn *i);
bool sl_ptx_writes_first(const sl_ptx_insn *i); // its first operand is a result

// names.c: names from the .def files.
const char *sl_ptx_op_name(sl_ptx_op op);
const char *sl_ptx_mod_name(sl_ptx_mod m);
const char *sl_ptx_sreg_name(sl_ptx_sreg s);
// 8, 16, 32, 64, 128; 1 for pred; 32 for f16x2; 0 if it is no type.
unsigned sl_ptx_type_bits(sl_ptx_mod type);
bool sl_ptx_has_mod(const sl_ptx_insn *i, sl_ptx_mod m);

// disasm.c: writes an instruction in canonical form ("@!%p1 add.sat.s32 %r3, %r1, 7;") into out. Returns out.
char *sl_ptx_disasm(const sl_ptx_module *m, const sl_ptx_func *f, const sl_ptx_insn *i, char *out,
                    size_t cap);

// demangle.c: a name as the programmer wrote it; unchanged if it is not a C++ name that we read. Returns out.
char *sl_ptx_demangle(const char *name, char *out, size_t cap);

// loc.c: "kernel.cu", line and column of an instruction; the outermost call site in the user's own file where
// the code was inlined from a toolkit header. Returns false when the PTX has no line for it.
typedef struct sl_src_pos {
  const char *file;
  uint32_t line, col;
  bool in_toolkit; // without inlining (-Xcicc -O0): the user's own line is then that of a caller
} sl_src_pos;
bool sl_ptx_position(const sl_ptx_module *m, const sl_ptx_insn *i, sl_src_pos *out);

// toolkit.c: does [file] belong to the toolkit or the compiler? Asks the file system, so call it once a file.
bool sl_ptx_is_toolkit(const char *file);

// fatbin.c --------------------------------------------------------------------------------------------------

// One PTX text found in a fat binary. text is malloc'ed and NUL-ended.
typedef struct sl_fatbin_ptx {
  unsigned arch;
  char *text;
  size_t len;
  bool any, newer; // also on failure: there is PTX; all of it is for newer devices
} sl_fatbin_ptx;

// Reads the container at [data] (magic BA55ED50, at most [len] bytes; only its own header says how many).
// Chooses the PTX entry with the highest plain arch <= [max_sm]. False with [e]: no PTX, damaged, too new.
bool sl_fatbin_read(const void *data, size_t len, unsigned max_sm, sl_fatbin_ptx *out, sl_error *e);

// Bytes of the whole container, 0 if its header is not good. *[empty] (if not NULL): it has no entries at
// all, as nvcc's link step adds to every program; such a container is no error of the user's.
size_t sl_fatbin_size(const void *data, size_t len, bool *empty);

// What to do with each PTX text of a program that a device of [sm] can run.
typedef struct sl_ptx_visit {
  unsigned sm;
  bool (*each)(void *context, const sl_fatbin_ptx *ptx); // false: it does not count. NULL: all count
  void *context;
  unsigned most; // containers that are read at most; 0: all
  // Why a container has none. One that has PTX at all counts before the others.
  sl_error why;
  bool any, newer; // as in sl_fatbin_ptx
} sl_ptx_visit;
// Visits all containers of the ELF file [data]. Returns how many count.
size_t sl_program_ptx(const void *data, size_t len, sl_ptx_visit *v);
