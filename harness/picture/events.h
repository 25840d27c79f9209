// The events of a report, sorted out: used by the files of this folder alone.
#pragma once

#include "picture/picture.h"

// The last three: it lies outside of the array, and was left out.
typedef enum sl_ev_kind {
  SL_EV_READS,
  SL_EV_WRITES,
  SL_EV_UPDATES,
  SL_EV_OPENS,
  SL_EV_READS_OUT,
  SL_EV_WRITES_OUT,
  SL_EV_UPDATES_OUT
} sl_ev_kind;

typedef struct sl_ev {
  sl_ev_kind kind;
  uint32_t launch, block, phase, thread, line, request, replays, cell, element,
      bytes;            // element: cell before grouping
  unsigned array, name; // indices into sl_evs.arrays and sl_evs.names
  uint64_t value, time; // value: outside of the array, the index
  char type;            // f, s or u
  bool strong;          // volatile, atomic ..
  bool unset;           // it reads what nobody has written, or writes what was computed from that
  uint32_t again;       // a strong read: how often the thread read the same once more
  const char *found;    // the finding that this access made, a text of the report; NULL: none
  unsigned n_from;
  size_t from[SL_PIC_FROM]; // events that the value came from: indices into sl_evs.at
} sl_ev;
static inline bool sl__ev_touches(const sl_ev *v) { return v->kind < SL_EV_OPENS; } // a cell

typedef struct sl_arr {
  bool shared;
  uint64_t base, size; // size: bytes
  uint32_t launch, block, bytes, n_cells, touched,
      group; // launch, block: for shared memory; n_cells: one more than the last that was touched
  char type;
  size_t first; // number of its first cell among those of all arrays, before grouping
} sl_arr;

typedef struct sl_evs {
  sl_ev *at;
  sl_arr *arrays;
  struct sl_arr_name {
    bool shared;
    uint64_t base, size;
    char text[64];
    bool is_int; // a parameter of type int *: instructions do not tell it from unsigned
  } * names;     // what launches call their arrays
  size_t n, n_arrays, n_names, n_cells; // n_cells: of all arrays, before grouping
} sl_evs;
static inline size_t sl__cell_number(const sl_evs *e, const sl_ev *v) {
  return e->arrays[v->array].first + v->element;
}

// Reads the events of the launches that [c] chooses (in shared memory: of the block, too), with their times.
void sl__evs_read(const json_t *report, const char *source, const sl_pic_choice *c, sl_evs *out);
void sl__evs_free(sl_evs *e);
#define SL_TIME(launch, phase, sub) ((uint64_t)(launch) << 40 | (uint64_t)(phase) << 16 | (sub))
#define SL_TIME_END(launch) SL_TIME(launch, 0xffffff, 0) // after all steps of the launch
#define SL_TIME_LAUNCH(t) ((t) >> 40)
#define SL_TIME_PHASE(t) ((t) >> 16 & 0xffffff)

// Finds the name of parameter [k] of [kernel] in [source]; false if it is not there.
void sl__short_name(const char *mangled, char *out, size_t cap);
