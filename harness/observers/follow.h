// Marks on values, and how an instruction carries them on: follow.c has the one walk over its operands.
//
// A kind of marks is a table of what sets it apart. There are three: bytes that nobody has written
// (undefined.c), the judge's data (data.c), the reads that a value came from (steps.c). Marks belong to
// registers of a frame or to words of its parameters, by lane. What they are worth, and where they lie in
// memory, is up to the kind.
#pragma once

#include "observers/observers.h"

// How an instruction uses an operand.
typedef enum sl_use {
  SL_USE_VALUE,
  SL_USE_ADDRESS, // a place in memory
  SL_USE_CHOICE,  // it says which of the others is the result: predicate of selp, lane of a shuffle
  SL_USE_GUARD,
  SL_USES
} sl_use;

// One executed instruction: its operands, and the marks that its destinations get.
typedef struct sl_flowing {
  sl_trail *trail;
  sl_warp *w;
  const sl_xinsn *i;
  const sl_ptx_func *f;
  const sl_ptx_insn *in;
  const sl_frame *frame;
  uint32_t lanes;         // that execute it
  uint32_t used[SL_USES]; // lanes with a mark on an operand
  const void
      *seen[SL_USES]; // the marks of such an operand: of the last with one of [lanes], until the next change
  void *out;          // marks, empty at first
} sl_flowing;

// What a ld.param or st.param touches: [n] elements of [size] bytes from byte [at] of the parameters of
// [frame]. The frame is the caller's if the parameter is passed or returned. Each of these words has marks.
enum { SL_PARAM_WORD = 1u << 30 }; // | number of the word: stands for a register
typedef struct sl_param_words {
  const sl_frame *frame;
  const sl_operand *value; // register or vector
  uint64_t at;
  uint32_t n, size;
  bool write;
} sl_param_words;

// The marks of a register begin with a uint32_t: the lanes that have one. What belongs to single lanes
// follows at [lane_at], [lane_bytes] each.
enum { SL_MARKS_MOST = 1024 }; // bytes
struct sl_mark_kind {
  uint32_t bytes, lane_at, lane_bytes;
  uint32_t limit; // registers with marks, 0: any number
  // Does a choice take the marks of the operand that is chosen, a shuffle those of its lane? Else of all.
  bool exact;
  // Each may be NULL. [marks] are those of an operand.
  uint32_t (*merge)(sl_flowing *x, const void *marks); // into [out]; returns the lanes that count
  void (*note)(sl_flowing *x, const void *marks);      // before that, and when one is copied
  bool (*compute)(sl_flowing *x); // the result of an operation; false: all that is merged
  void (*param)(sl_flowing *x,
                const sl_param_words *p); // a ld.param or st.param, for marks of parts of a word
  void (*assign)(void *to, const void *from, uint32_t lanes); // what belongs to no lane
};

const void *sl__marks_at(const sl_trail *t, const void *frame, uint32_t reg); // NULL: none
// Replaces the marks of a register in [lanes].
void sl__marks_set(sl_trail *t, const void *frame, uint32_t reg, uint32_t lanes, const void *to);
void sl__trail_begin(sl_trail *t, const sl_mark_kind *kind);
void sl__trail_free(sl_trail *t);
// A function was entered: its frame reuses the place of one that has returned, and starts without marks.
void sl__trail_enter(sl_trail *t, const sl_flowing *x);

void sl__follow(sl_flowing *x); // fills in used, seen and out; for an exact kind, before the instruction runs
void sl__follow_put(sl_flowing *x); // gives its destinations [out]
// The marks of an operand that is a register, noted as [use]; NULL: none.
const void *sl__follow_look(sl_flowing *x, const sl_operand *o, sl_use use);
void sl__follow_all(sl_flowing *x); // merges all operands

// Whose memory it is, for a table of words: 0 for global, else the block and, for local memory, the thread.
uint64_t sl__word_owner(const sl_warp *w, uint8_t space, uint32_t lane);
