// What the device records of every launch when sl_gpu_config.record asks for it: counters of every source
// line, and the steps of a small launch (who read and wrote what). harness/observers/meter.c fills it in.
//
// Records, one for each launch, and the marks of data (data.c) are kept until sl_gpu_clear_recorded.
#pragma once

#include "engine/gpu.h"

const char *sl_line_counter_name(unsigned k);

typedef struct sl_line {
  char *file;
  uint32_t line;
  uint64_t c[SL_LN_COUNT];
} sl_line;

// An array that a recorded launch touched.
typedef struct sl_touched {
  char name[128];      // the variable's, as in the PTX; "" for an allocation
  uint8_t space;       // SL_SP_SHARED or SL_SP_GLOBAL
  int32_t param;       // number of the kernel's parameter that points to it; -1: none
  uint32_t word;       // word of that parameter, if it is a struct of pointers
  uint64_t base, size; // both 0: an address that is near no array
} sl_touched;

typedef enum sl_event_kind {
  SL_EV_READ,
  SL_EV_WRITE,
  SL_EV_UPDATE,
  SL_EV_BARRIER,
  SL_EV_OUTSIDE // in a report: added to the first three
} sl_event_kind;
enum { SL_MAX_SOURCES = 6 };

// One element that one thread touches, or a barrier that opened.
typedef struct sl_event {
  uint8_t kind, bytes, type; // type: sl_ptx_mod of the element
  uint8_t n_from, replays;   // replays: of the whole request
  uint8_t found, strong;     // found: sl_found that this access made, 0: none. strong: volatile, atomic ..
  uint8_t outside;           // boolean: it lies outside of the array, and was left out: value is the index
  uint32_t block, phase;     // phase: barriers that the block had completed
  uint32_t thread, line;     // thread: in the block
  uint32_t request;          // the same for all events of one warp instruction
  uint32_t array, offset;    // offset: bytes from the array's start
  uint32_t again;            // a strong read: how often the thread read the same once more before it went on
  uint64_t value;
  uint32_t from[SL_MAX_SOURCES]; // a write: numbers of the reads whose values went into it
} sl_event;

typedef struct sl_recorded {
  sl_line *lines;
  sl_touched *arrays;
  sl_event *events;
  size_t n_lines, n_arrays, n_events;
  uint64_t dropped; // events that were not kept
} sl_recorded;
// Events of a launch. Blocks that begin after SL_DETAILED of them, and all blocks after SL_PLAIN, keep only
// what they say to each other: strong accesses and barriers. So a chain is whole, the first blocks in detail.
enum { SL_DETAILED = 100000, SL_PLAIN = 150000, SL_MAX_EVENTS = 200000 };

size_t sl_gpu_recorded(const sl_gpu *g, const sl_recorded **out);
void sl_gpu_clear_recorded(sl_gpu *g);
