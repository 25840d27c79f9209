// Bulk copies and waits for their mbarrier, as PTX has them.
#pragma once
#include <cstdint>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include "../corpus.h"

__device__ inline uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ inline void begin(uint64_t *object, void *to, const void *from, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(object)), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
      "l"(from), "r"(bytes), "r"(at(object))
      : "memory");
}

__device__ inline void wait(uint64_t *object, uint32_t parity) {
  uint32_t over = 0;
  while (!over)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(at(object)), "r"(parity)
        : "memory");
}
