// The headers that the programs of this folder use: inside their namespaces it is too late for them.
#ifndef SL_CORPUS_PROGRAMS_CUH
#define SL_CORPUS_PROGRAMS_CUH

#include <cassert>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#endif
