// The headers that the programs of this folder use: inside their namespaces it is too late for them.
#pragma once

#include <cassert>
#include <cooperative_groups.h>
#include <cuda/atomic>
#include "../corpus.h"

namespace cg = cooperative_groups;
