// The labs as the judge knows them: what their entry points take. Made of scanlab/labs.def.
#pragma once

#include "base/base.h"
#include "scanlab/types.h"

typedef struct sl_lab_info {
  const char *number; // "03": names the runner object sl_runner_03.o and the test names
  const char *name;   // "03_blelloch": the folder under labs/ and solutions/
  const char *entry;  // function of kernel.cu: the scan
  const char *sort;   // function of kernel.cu; NULL: the lab has no entry "sort"
  sl_type type;       // default element type (the only one when !any_type)
  sl_kind kind;       // default scan kind
  uint64_t max_n;     // largest n that the entry point promises to take
  bool one_block;     // that is what one block can take
  bool any_pair;      // type, op, kind and tile are arguments
  bool own;           // an optional lab with its own entry point: entry.h and reference.c in its folder
} sl_lab_info;

extern const sl_lab_info sl_labs[];      // the course's, ended by a NULL name
extern const sl_lab_info sl_own_labs[];  // the optional ones, ended by a NULL name
extern const char *const sl_lab_names[]; // the names of all, ended by NULL

// The lab called [name]: "03", "3", "03_blelloch", "blelloch", or a path of its folder or its kernel.cu. NULL
// with [e] (nearest match, SL_EXIT_USAGE) if none is.
const sl_lab_info *sl_lab_find(const char *name, sl_error *e);

// Names of enum values, ended by NULL, in the order of the enums of scanlab/types.h.
extern const char *const sl_type_names[], *const sl_op_names[], *const sl_kind_names[],
                                                                    *const sl_tile_names[];

// The place of [s] in [names]; -1 with [e] (nearest match, [code]) if it is none. [what]: "type", "op", ...
int sl_name_find(const char *what, const char *s, const char *const *names, int code, sl_error *e);
