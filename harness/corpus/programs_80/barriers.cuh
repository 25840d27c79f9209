// The header that the programs of this folder use: inside their namespaces it is too late for it.
#pragma once
#include <cuda/barrier>
#include "../corpus.h"
