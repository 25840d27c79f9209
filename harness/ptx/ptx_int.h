// What the files of the PTX front end share, grouped by the file that defines it, in reading order. Nothing
// outside this folder includes it.
//
// The parser reads the text once, token by token, with no look-ahead beyond the current token. Everything
// that outlives it goes to the module's arena; growing tables are vectors (sl__vec) that are copied there
// when complete. An error leaves through sl__bad, which jumps back to sl_ptx_parse: none returns failure.
#pragma once

#include <setjmp.h>
#include "ptx/ir.h"

// Bounds that keep hostile text from costing more than its own length is worth.
enum {
  SL__MAX_DEPTH = 64,        // nested { } in a function
  SL__MAX_FILES = 1 << 16,   // number in .file
  SL__MAX_LOCAL = 512 << 10, // bytes of a function's .local frame: what hardware gives a thread
  SL__MAX_PARAM = 1 << 20,   // bytes of a function's .param frame
  SL__MAX_INIT = 256 << 20,  // bytes of all initialised variables of a module
  SL__MAX_TEXT = 64 << 20,   // bytes of PTX text
  SL__MAX_INSNS = 1 << 20,   // instructions of a module: each takes half a KiB
  SL__MAX_ELEMS = 1 << 22    // parts of vectors, arguments and tables of a function
};
#define SL__MAX_SIZE ((uint64_t)1 << 40) // bytes of one variable

// A growing array. SL__PUSH(p, vec, type) appends a zeroed element and yields a pointer, good until the next.
typedef struct sl__vec {
  void *at;
  uint32_t n, cap;
} sl__vec;

// lexer.c ---------------------------------------------------------------------------------------------------

typedef enum sl__tok_kind {
  SL_T_END,
  SL_T_WORD,
  SL_T_DOT,
  SL_T_INT,
  SL_T_F32,
  SL_T_F64,
  SL_T_STR,
  SL_T_PUNCT
} sl__tok_kind;

// A stretch of the text. Words are compared by content, and copied only when they become names.
typedef struct sl__word {
  const char *at;
  uint32_t len;
} sl__word;

typedef struct sl__tok {
  uint8_t kind; // sl__tok_kind
  char ch;      // PUNCT: the character
  sl__word w;   // the text; DOT: without the dot; STR: without the quotes
  uint32_t line, pos;
  uint64_t value; // INT: the value; F32, F64: the bits
} sl__tok;

typedef struct sl__parser sl__parser;
void sl__next(sl__parser *p);       // p->tok becomes the next token
void sl__skip_block(sl__parser *p); // from after '{' to after its '}'
bool sl__word_is(sl__word w, const char *s);

// symtab.c --------------------------------------------------------------------------------------------------

// Names with block scope. A class keeps apart what may share a name: names proper, register ranges (%r<9>),
// places of .loc directives and labels of .debug_str.
typedef enum sl__sym_class { SL_C_NAME, SL_C_RANGE, SL_C_LOC, SL_C_STR } sl__sym_class;
typedef enum sl__sym_kind {
  SL_K_VAR,
  SL_K_FUNC,
  SL_K_REG,
  SL_K_LABEL,
  SL_K_PROTO,
  SL_K_TARGETS,
  SL_K_OTHER
} sl__sym_kind;

typedef struct sl__sym {
  sl__word w;
  uint32_t hash;
  uint8_t cls, kind;
  uint16_t depth;       // 0: module
  uint32_t index;       // into the table of its kind; SL__NO_REG: register not used so far
  uint32_t type, count; // REG, RANGE: type and number; TARGETS: count of labels
  struct sl__sym *chain, *in_scope;
} sl__sym;
#define SL__NO_REG UINT32_MAX

typedef struct sl__symtab {
  sl__sym **bucket;
  uint32_t n_buckets, n;
} sl__symtab;

sl__sym *sl__find(sl__parser *p, sl__word w, sl__sym_class c);
// Adds a name to the scope at [depth]. A second one of the same class and scope is an error.
sl__sym *sl__define(sl__parser *p, sl__word w, sl__sym_class c, sl__sym_kind k, uint32_t depth);
void sl__scope_open(sl__parser *p);
void sl__scope_close(sl__parser *p); // also settles the labels that the scope defines
bool sl__find_reg(sl__parser *p, sl__word w, uint32_t *reg);

// parse.c ---------------------------------------------------------------------------------------------------

// Where an operand stands: at an index of elems, or in a slot of the instruction that is being read.
typedef struct sl__slot {
  bool elem;
  uint32_t at;
} sl__slot;

// A use of a name that is not known yet: a label, or a function or variable of the module.
typedef struct sl__ref {
  sl__slot slot;
  bool label;
  uint32_t insn; // the instruction of a slot that is not in elems
  sl__word w;
  uint32_t line, stmt;
} sl__ref;

// The same when the function is complete: the operand, or an address in an initialiser.
typedef struct sl__global_ref {
  sl_operand *o;
  sl_ptx_reloc *r;
  sl__word w;
  uint32_t line, stmt;
} sl__global_ref;

typedef struct sl__scope {
  sl__sym *syms;
  uint32_t param_top, local_top, first_ref;
  bool has_ranges;
} sl__scope;

struct sl__parser {
  sl_ptx_module *m;
  sl_arena *arena, *scratch;
  const char *name, *text, *at, *end;
  uint32_t line;
  sl__tok tok;
  uint32_t last_end;        // where the token before p->tok ended
  uint32_t stmt, stmt_line; // start of the statement that messages quote
  sl__symtab syms;
  sl__scope scopes[SL__MAX_DEPTH];
  uint32_t depth;
  uint64_t init_bytes;
  uint32_t n_insns;                                      // instructions of the whole module
  sl__vec vars, funcs, locs, protos, files, global_refs; // tables of the module
  sl__vec regs, insns, elems, refs;                      // tables of the function being read
  sl__vec bytes, relocs, params;                         // for .debug_str, an initialiser, a function head
  uint32_t func;                                         // index + 1 of it; 0: at module level
  uint32_t param_top, local_top;                         // ends of its frames
  uint32_t loc;                                          // index + 1 of the current .loc
  const uint8_t *debug_str;
  uint32_t debug_str_len;
  sl_error *e;
  jmp_buf fail;
};

_Noreturn void sl__bad(sl__parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void sl__bad_at(sl__parser *p, uint32_t line, uint32_t stmt, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void *sl__alloc(sl__parser *p, size_t n); // from the module's arena
void *sl__push(sl__parser *p, sl__vec *v, size_t size);
// appends n elements, all zeros; returns the first
void *sl__extend(sl__parser *p, sl__vec *v, size_t n, size_t size);
#define SL__PUSH(p, v, T) ((T *)sl__push((p), &(p)->v, sizeof(T)))
#define SL__AT(p, v, T, i) (((T *)(p)->v.at)[i])
void *sl__freeze(sl__parser *p, sl__vec *v, size_t size); // copies to the arena and empties the vector
char *sl__name(sl__parser *p, sl__word w);                // NUL-ended copy
// Tokens. is: is it the current one; take: take it if it is; want: an error if it is not.
bool sl__is(const sl__parser *p, char punct);
bool sl__is_dot(const sl__parser *p, const char *word);
bool sl__take(sl__parser *p, char punct);
bool sl__take_dot(sl__parser *p, const char *word);
void sl__want(sl__parser *p, char punct, const char *where);
sl__word sl__want_word(sl__parser *p, const char *what);
uint64_t sl__want_uint(sl__parser *p, uint64_t max, const char *what);
int64_t sl__want_int(sl__parser *p, const char *what); // [+-]* literal, sums of them

// parse_dir.c -----------------------------------------------------------------------------------------------

bool sl__file_directive(
    sl__parser *p);          // .version .target .address_size .file .section .pragma: true if it was one
void sl__loc(sl__parser *p); // after ".loc"
void sl__resolve_loc_names(sl__parser *p); // function_name labels, once .debug_str has been read

// parse_decl.c ----------------------------------------------------------------------------------------------

typedef struct sl__linkage {
  bool is_extern, visible;
} sl__linkage;
typedef struct sl__type {
  sl_ptx_mod elem;
  uint32_t lanes, align;
  bool managed;
} sl__type;

sl__type sl__decl_type(sl__parser *p); // [.align N] [.attribute(..)] [.v4] .type [.ptr ..]
uint64_t sl__dims(sl__parser *p, uint64_t dims[4], uint32_t *n); // [2][3]: count of elements; 0: unsized
void sl__variables(sl__parser *p, sl_space space,
                   sl__linkage l);      // after ".global" and the like, up to the ';'
void sl__registers(sl__parser *p);      // after ".reg"
sl_space sl__take_space(sl__parser *p); // SL_SP_NONE if the token is none
uint64_t sl__place(sl__parser *p, sl_space space, uint64_t size, uint32_t align); // in the function's frame

// parse_init.c ----------------------------------------------------------------------------------------------

// After '=': fills init, relocs and, for unsized variables, size.
void sl__initialiser(sl__parser *p, uint32_t var, const uint64_t *dims, uint32_t n_dims);

// parse_func.c ----------------------------------------------------------------------------------------------

void sl__function(sl__parser *p, bool entry, sl__linkage l); // after ".entry" or ".func"
void sl__alias(sl__parser *p);                               // after ".alias"
void sl__call_prototype(sl__parser *p, sl__word label);      // after "label: .callprototype"
void sl__call_targets(sl__parser *p, sl__word label);        // after "label: .calltargets"

// parse_stmt.c ----------------------------------------------------------------------------------------------

void sl__body(sl__parser *p); // after the '{' of a function, up to its '}'

// parse_opnd.c ----------------------------------------------------------------------------------------------

sl_operand sl__operand(sl__parser *p, sl__slot to); // unknown names are settled there later
uint32_t sl__operand_list(sl__parser *p, char close,
                          uint32_t *first); // into elems, up to [close]; returns the count
uint32_t sl__new_elem(sl__parser *p);       // an empty operand in elems: its index
void sl__label_operand(sl__parser *p, sl_operand *o, sl__slot to);

// check.c ---------------------------------------------------------------------------------------------------

void sl__settle(sl__parser *p); // resolves global references, then proves every index of the module in range

// names.c ---------------------------------------------------------------------------------------------------

int sl__op_of(sl__word w);   // sl_ptx_op, -1: none
int sl__mod_of(sl__word w);  // sl_ptx_mod, -1: none
int sl__sreg_of(sl__word w); // sl_ptx_sreg, -1: none
sl_reg_class sl__class_of(sl_ptx_mod type);
