// The ladder of lab 05 behind plain functions: five ways to scan any n with any operator of the lab, one step
// faster each.
//
// A step needs temporary memory, `ladder_bytes` of it, and the CALLER owns it: it is allocated once, for the
// greatest n, and any number of scans on one stream use it one after the other. Nothing is allocated or freed
// in a scan, which costs 0.1 ms and waits for the device, and a scan can be captured into a graph. NOTES.md
// says why not a pool.
#ifndef LADDER_H
#define LADDER_H
#include "scanlab/lab.h"

enum { LADDER_TAUGHT, LADDER_COARSE, LADDER_VECTORS, LADDER_SHUFFLES, LADDER_REDUCE, LADDER_STEPS };

const char *ladder_name(int step);           // "05a_taught", ..
size_t ladder_bytes(size_t n, sl_type type); // enough for every step
// a->tile is not looked at. `temp` is aligned to 16 bytes, as cudaMalloc returns it.
cudaError_t ladder_scan(int step, const lab05_args *a, void *temp);

#endif
