// What may depend on what: values followed through the registers of a function, without running it
// (depends.c). Used to see whether a loaded value is a flag (polled.c), what comes from a clock (timed.c),
// and which array an address is computed from (objects.c).
#pragma once

#include "engine/core.h"

typedef enum sl_spread {
  SL_SPREAD_NO,   // the instruction hands nothing on
  SL_SPREAD_ON,   // its results depend on its operands
  SL_SPREAD_FOUND // what was looked for: the search ends
} sl_spread;

typedef struct sl_depends {
  const sl_ptx_func *f;
  bool backwards; // from results to the operands that they are computed from
  uint32_t n;     // number of instructions that are looked at
  // returns instruction [k], NULL: none there; if absent, those of f are taken
  const sl_ptx_insn *(*at)(const struct sl_depends *d, uint32_t k);
  // What instruction [k], [in], makes of marks. touched: it reads a marked register (backwards: writes one)
  sl_spread (*rule)(const struct sl_depends *d, const sl_ptx_insn *in, uint32_t k, bool touched);
  void *ctx;          // for the rule
  bool *reg;          // by register of f: marked
  bool grew, touched; // used by depends.c alone
} sl_depends;

void sl__depends_begin(sl_depends *d); // no register is marked; end it with free(d->reg)
void sl__depends_mark(sl_depends *d, uint32_t reg);
void sl__depends_mark_results(sl_depends *d, const sl_ptx_insn *in);
bool sl__depends_search(sl_depends *d); // spreads the marks until nothing is new; true: a rule has found it

// objects.c -------------------------------------------------------------------------------------------------
// Is the address of [i] the same in all threads and trips, so that it has no index?
bool sl__is_fixed(const sl_gmodule *m, const sl_xinsn *i);

enum { SL_ORIGINS = 16 };
// What an address is computed from: variables, and words of the kernel's arguments.
typedef struct sl_origins {
  const sl_ptx_module *m;
  bool shared;              // variables of shared memory, else all others
  bool anywhere;            // from a pointer that is in no argument, or from more than there is room for here
  uint32_t n_vars, n;       // n: words
  uint32_t var[SL_ORIGINS]; // by index
  struct {
    uint32_t argument, at; // its index, and the word's byte in it
  } word[SL_ORIGINS];
} sl_origins;
// .. the addresses of [n] instructions of a function, taken together.
sl_origins sl__origins_of(const sl_gmodule *m, const sl_ptx_func *f, const sl_ptx_insn *const *of, uint32_t n,
                          bool shared);
// The word at byte [at] of argument [k] as an address. False: it has no such word.
bool sl__pointer_word(const sl_grid *g, uint32_t k, uint32_t at, uint64_t *p);
