// Gates and bulk copies: how the warps of a block hand buffers in shared memory to each other without a block
// barrier.
//
// A gate opens once `arrivals` threads have arrived, then closes for its next use; gate_wait(g, use) returns
// once it has opened use + 1 times, and what was written before the arrivals is then visible. On compute
// capability 9.0 a gate is an mbarrier and the copies are cp.async.bulk: one thread starts a copy, the copy
// engine moves it and counts its bytes at the gate. Everywhere else a gate is a counter in shared memory and
// a warp does the copying, so that the same kernels run on any GPU and on the simulated one.
#ifndef FURTHER_GATES_CUH
#define FURTHER_GATES_CUH

#include <cuda_runtime.h>
#include <stdint.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HAS_BULK_COPY 1
#else
#define HAS_BULK_COPY 0
#endif

struct gate {
  unsigned long long word; // an mbarrier, or {arrivals, threads so far}
};

__device__ inline uint32_t shared_address(const void *p) { return uint32_t(__cvta_generic_to_shared(p)); }

// The two halves of the counter that stands for a gate where there is no mbarrier.
__device__ inline uint32_t *gate_half(gate *g, int half) {
  return reinterpret_cast<uint32_t *>(&g->word) + half;
}

// One thread, before the block barrier that precedes the first use.
__device__ inline void gate_init(gate *g, uint32_t arrivals) {
#if HAS_BULK_COPY
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(g)), "r"(arrivals) : "memory");
#else
  *gate_half(g, 0) = arrivals;
  *gate_half(g, 1) = 0;
#endif
}

// One arrival; releases what the calling thread has written.
__device__ inline void gate_arrive(gate *g) {
#if HAS_BULK_COPY
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(g)) : "memory");
#else
  __threadfence_block();
  atomicAdd(gate_half(g, 1), 1u);
#endif
}

// A whole warp arrives at a gate that counts WARP_ARRIVALS for it. By the memory model one lane would do
// after the __syncwarp(). Every lane arrives for itself, so that race checkers see the order, too.
#ifndef WARP_ARRIVALS
#define WARP_ARRIVALS 32
#endif
__device__ inline void gate_arrive_warp(gate *g) {
  __syncwarp();
  if (threadIdx.x % 32 < WARP_ARRIVALS) gate_arrive(g);
}

// Waits until the gate has opened use + 1 times; acquires what was written before.
__device__ inline void gate_wait(gate *g, uint32_t use) {
#if HAS_BULK_COPY
  uint32_t open = 0;
  while (!open) {
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
        : "=r"(open)
        : "r"(shared_address(g)), "r"(use & 1)
        : "memory");
  }
#else
  const uint32_t target = *gate_half(g, 0) * (use + 1);
  while (atomicAdd(gate_half(g, 1), 0u) < target) {
  }
  __threadfence_block();
#endif
}

// One arrival that also announces `bytes` of bulk_load: the gate opens when they are in place, too.
__device__ inline void gate_arrive_expecting(gate *g, uint32_t bytes) {
#if HAS_BULK_COPY
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(g)), "r"(bytes)
               : "memory");
#else
  (void)bytes;
  gate_arrive(g);
#endif
}

// Starts a copy from global to shared memory that counts at the gate; addresses and bytes are multiples of
// 16. Called by one thread; without a copy engine the copy is complete on return, so the caller arrives at
// the gate afterwards.
__device__ inline void bulk_load(void *shared, const void *global, uint32_t bytes, gate *g) {
#if HAS_BULK_COPY
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(shared)),
      "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(g))
      : "memory");
#else
  (void)g;
  for (uint32_t i = 0; i < bytes / 16; i++) {
    static_cast<uint4 *>(shared)[i] = static_cast<const uint4 *>(global)[i];
  }
#endif
}

// A warp stores what its lanes have written to `shared`; addresses and bytes are multiples of 16. Collective.
// The buffer may be written again after bulk_store_wait() in lane 0.
__device__ inline void bulk_store(void *global, const void *shared, uint32_t bytes) {
#if HAS_BULK_COPY
  asm volatile("fence.proxy.async.shared::cta;" ::
                   : "memory"); // ordinary writes before the copy engine's reads
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\ncp.async.bulk.commit_group;" ::"l"(
            __cvta_generic_to_global(global)),
        "r"(shared_address(shared)), "r"(bytes)
        : "memory");
  }
#else
  __syncwarp();
  for (uint32_t i = threadIdx.x % 32; i < bytes / 16; i += 32) {
    static_cast<uint4 *>(global)[i] = static_cast<const uint4 *>(shared)[i];
  }
  __syncwarp();
#endif
}

// Waits until the copy engine has read the sources of all bulk_stores of this thread.
__device__ inline void bulk_store_wait() {
#if HAS_BULK_COPY
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
}

#endif
