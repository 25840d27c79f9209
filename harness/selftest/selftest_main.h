// sl-selftest's own parts: what main.c, run.c, compare.c and print.c share.
#pragma once

#include "selftest/protocol.h"
#include "selftest/selftest.h"

enum { ST_ARCHS = 3, ST_SHOWN = 8 };
extern const int st_archs[ST_ARCHS];

// One group of a row with its operands and everybody's results (NULL: not run). Results: [(form * n + vector)
// * n_out + result].
typedef struct st_work {
  const st_row *row;
  unsigned group;
  st_forms forms;
  st_vectors vectors;
  bool chosen[256]; // by form: does it match --form?
  uint64_t hash;    // hash of the forms and the operands
  bool failed[2];   // did not run on the simulated GPU, on the real one
  uint64_t *sim, *gpu;
} st_work;

typedef struct st_works {
  st_work *at;
  size_t n;
  char sim_device[64], gpu_device[64];
  char trouble[2048]; // what did not run, and why
} st_works;

// run.c: results of one device ------------------------------------------------------------------------------

// Runs the rows of every capability on the simulated or the real GPU. A row that fails is noted in
// [ws]->trouble, and the others run; false if nothing could run.
bool st_run(st_works *ws, bool gpu, sl_error *e);
bool st_save(const st_works *ws, bool gpu, const char *path, sl_error *e);
// Reads what --save wrote, as the GPU's results. Rows that have changed since are left out.
bool st_load(st_works *ws, const char *path, sl_error *e);

// compare.c: two results of one form ------------------------------------------------------------------------
typedef struct st_diff {
  size_t vector;
  int result;
} st_diff;

// Differences of one form between the results [got] and what is expected of them.
typedef struct st_tally {
  size_t vectors, wrong; // compared, different
  size_t nans, open;     // only the bits of a NaN differ; differ where PTX leaves the result open
  double worst;          // error of an approximation, in its bound's unit
  size_t equal;          // approximations: how many have the same bits
  st_diff first[ST_SHOWN];
} st_tally;

// Everything that is known of one form.
typedef struct st_verdict {
  st_tally sim, gpu, both;
} st_verdict;                     // against the oracle; sim against GPU
double st_limit(const st_row *r); // the largest error that the row allows, from the true value
st_verdict st_judge(const st_work *w, size_t form);
// What the oracle says of one vector; for an approximation [value] gets the true value.
st_said st_expect(const st_work *w, const st_form *f, size_t vector, uint64_t out[ST_OUTS], st_quad *value);

// print.c ---------------------------------------------------------------------------------------------------
// Prints one line a row, then every form that differs with its operands; the same and more to [report] (may
// be NULL). True if nothing is wrong.
bool st_print(const st_works *ws, FILE *report);
