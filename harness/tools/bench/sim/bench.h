// sl-bench: one row of the table is the three workloads on one system.
#pragma once

#include "base/base.h"

enum { BENCH_SCAN, BENCH_SPLIT, BENCH_COUNT, BENCH_WORKLOADS };
extern const char *const bench_names[BENCH_WORKLOADS];

typedef struct bench_row {
  char system[40];
  bool observed; // races and uninitialized memory are looked for
  int64_t n, reps;
  double ns[BENCH_WORKLOADS], least[BENCH_WORKLOADS]; // ns an element: median, best of the repetitions
  uint64_t lanes[BENCH_WORKLOADS];                    // thread instructions of one repetition; 0: not counted
  int64_t wrong;                                      // elements
  double cpu_ns;               // processor time of the whole simulator, an element and repetition; 0: unknown
  double peak_mib, device_mib; // the simulator's peak memory; memory that the workloads allocated
} bench_row;

// Reads what the workloads printed (host.h, report) into [row]; false with [e] when a line is missing.
bool bench_parse(const char *text, bench_row *row, sl_error *e);

// sim.c
typedef struct bench_how {
  bool counters, checks; // checks: all observers
  int64_t cores, n, reps;
} bench_how;
bool bench_simulator(const bench_how *how, bench_row *row, sl_error *e);

// peers.c: other systems that run such kernels on a CPU, where they are installed. Calls [found] for each
// row; prints a line for each system that is not there. n: at most 2^20 is used.
void bench_peers(int64_t n, int64_t reps, void (*found)(void *ctx, const bench_row *row), void *ctx);
