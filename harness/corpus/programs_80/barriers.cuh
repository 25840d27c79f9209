// The headers that the programs of this folder use: inside their namespaces it is too late for them.
#pragma once
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include "../corpus.h"
