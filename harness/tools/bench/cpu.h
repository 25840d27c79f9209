// What the two files of `scanlab bench cpu` share.
#ifndef SL_MEASURE_CPU_H
#define SL_MEASURE_CPU_H

#include "base/base.h"

double sl__clock(int clock);                                      // seconds of CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, ..
bool sl__bench_disk(const uint32_t *data, size_t n, sl_error *e); // disk.c; data: whole pages

#endif
