// Inside the recorder: meter.c measures instructions, lines.c adds them up by source line, steps.c keeps the
// accesses of small launches, data.c counts operations on data, dropped.c the additions that a choice leaves
// out. Only those five include it.
#pragma once

#include "observers/follow.h"
#include "observers/recorded.h"

typedef struct sl_meter_cell { // one instruction of the module
  const sl_ptx_insn *in;
  uint8_t kind;  // sl_line_counter of its class
  bool access;   // i->ext is a sl_memop of a load, store or atomic
  bool counts;   // atomic that only counts lanes: sl__counts_lanes
  bool selected; // it reads or writes a register that some selection of its function chooses from
  uint64_t c[SL_LN_COUNT];
} sl_meter_cell;

typedef struct sl_sources {
  uint32_t n, at[SL_MAX_SOURCES]; // numbers of events
} sl_sources;

typedef struct sl_sourced { // the marks of a register
  uint32_t lanes;
  sl_sources of[SL_LANES];
} sl_sourced;

typedef struct sl_meter {
  uint32_t record;
  sl_meter_cell *cells; // by pc
  sl_recorded *out;
  sl_trail sources; // the reads that values in registers came from
  sl_flowing at;    // the present instruction, and the sources of what it gives
  sl_sourced given;
  uint32_t requests;
  uint64_t addr[SL_LANES]; // addresses of the last access
  uint8_t told[SL_LANES];  // by lane: sl_found of the access in progress
} sl_meter;
enum { SL_BLOCK_THREADS = 1024 };
typedef struct sl_meter_block {
  sl_trail data;                  // registers that hold data (data.c)
  uint32_t ops[SL_BLOCK_THREADS]; // operations on data of each thread
  bool brief;                     // only strong accesses and barriers are kept
} sl_meter_block;

// The device keeps the records, one a launch, and data.c's marks, or NULL.
typedef struct sl_meter_gpu {
  sl_recorded *recorded;
  size_t n_recorded;
  struct sl_data_marks *data;
  sl_table sums; // dropped.c
} sl_meter_gpu;
static inline sl_meter_gpu *sl__meter_gpu(const sl_gpu *g) { return g->kept[SL_PROBE_meter]; }
static inline sl_meter *sl__meter_of(const sl_grid *g) { return g->kept[SL_PROBE_meter]; }
static inline sl_meter_block *sl__meter_block(const sl_block *b) { return b->kept[SL_PROBE_meter]; }

// One executed instruction, with the state before it ran.
typedef struct sl_executed {
  sl_warp *w;
  const sl_xinsn *i;
  const sl_meter_cell *cell;
  uint32_t mask, lanes, phase; // mask: the split's lanes; lanes: those whose guard holds
  const sl_frame *frame;
  const uint64_t *addr; // an access: the lanes' addresses
  uint32_t chosen;      // selp: the lanes that take the first value
  uint64_t replays;     // filled in afterwards
  bool opened;          // it opened a barrier
} sl_executed;

// atomics.c: passes through shared memory and sectors of global memory; an addition of 1 without a result
bool sl__counts_lanes(const sl_ptx_func *f, const sl_ptx_insn *in);
uint32_t sl__atomic_passes(const uint64_t *addr, uint32_t lanes);
uint32_t sl__atomic_sectors(const uint64_t *addr, uint32_t lanes);
uint32_t sl__lanes_at_one_place(const uint64_t *addr, uint32_t lanes);
void sl__lines_add(const sl_grid *g, sl_meter *m); // lines.c: the cells, by line
// steps.c
void sl__steps_begin(sl_meter *m);
void sl__steps_block(sl_block *b);
void sl__steps_before(sl_meter *m, const sl_executed *x);
void sl__steps_after(sl_meter *m, const sl_executed *x);
// data.c: what the instruction did to data; the host has written, or copied within the device
void sl__data_after(const sl_executed *x);
void sl__data_wrote(sl_gpu *g, uint64_t addr, uint64_t len, bool copied);
void sl__data_block(sl_block *b);
void sl__data_block_free(sl_block *b);
void sl__data_free(sl_gpu *g);
uint32_t sl__data_lanes(const sl_executed *x, uint32_t reg); // in which lanes is a register's value data?
// dropped.c: finds the cells that are `selected`; what one of [f] did to sums; its call has entered a frame
void sl__dropped_launch(const sl_grid *g, sl_meter_cell *cells);
void sl__dropped_after(const sl_executed *x, const sl_ptx_func *f);
void sl__dropped_enter(const sl_executed *x);
