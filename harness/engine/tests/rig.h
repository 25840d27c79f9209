// The bench of the engine's tests: a device, the test kernels' PTX loaded on it, arrays, launches, findings.
#pragma once

#include "base/unit.h"
#include "engine/gpu.h"

typedef struct rig {
  sl_gpu *gpu;
  sl_gpu_config cfg;
  sl_gmodule *m;
  sl_error e;
  sl_counters counters;
  sl_launch_status status;
  char printed[8192];
  size_t n_printed, prints;
  volatile int cancel, cancel_at_print; // the first print sets the one to the other
} rig;

// A device with the kernels of tests/kernels.cu; cfg NULL: the default configuration.
rig rig_open(const sl_gpu_config *cfg);
rig rig_open_text(const char *ptx); // .. with this PTX instead; r.m is NULL when it is refused, r.e says why
void rig_close(rig *r);
#define RIG __attribute__((cleanup(rig_close))) rig         // closed at the end of its block
uint64_t rig_array(rig *r, size_t bytes, const void *data); // device address; data NULL: zeros
void *rig_at(rig *r, uint64_t addr, size_t bytes);          // host view of it

// Parameters as most kernels take them.
typedef struct out_array {
  uint64_t out;
} out_array;
typedef struct in_out_arrays {
  uint64_t in, out;
  int n;
} in_out_arrays;

// Launches: params is a struct laid out as the kernel's parameters; it may be longer.
typedef struct rig_launch {
  const char *kernel;
  uint32_t grid, block, shared;
  sl_dim3 grid3, block3;
  bool cooperative;
  volatile const int *cancel;
} rig_launch;
sl_launch_status rig_run(rig *r, rig_launch l, const void *params);
void rig_run_ok(rig *r, rig_launch l,
                const void *params); // fails the test unless SL_LAUNCH_OK and no finding

// The line of tests/kernels.cu that carries [mark]; fails the test when there is none.
uint32_t rig_line(const char *mark);
// Fails the test unless exactly one finding was made, with this id, at the line marked (NULL: any).
const sl_finding *rig_one_finding(rig *r, sl_found id, const char *mark);
