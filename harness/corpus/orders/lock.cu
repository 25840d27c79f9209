// A lock for a word that all blocks change, with one mistake at a time.
//
// expect lock_left_without_fence: order.fence at here
// No fence stands before the lock is given back.
// expect lock_taken_in_block_scope: race.global at 15
// The blocks take the lock by a compare-and-swap that is atomic within a block only.
// expect lock_entered_without_fence: order.fence at here
// No fence stands behind the loop that takes the lock.
// expect lock_entered_with_fence_of_the_block: order.fence at here
// The fence behind the loop is one of block scope.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  while (atomicCAS_block(&lock, 0, 1) != 0) {} // wrong lock_taken_in_block_scope
  while (atomicCAS(&lock, 0, 1) != 0) {} // not lock_taken_in_block_scope
  __threadfence_block(); // wrong lock_entered_with_fence_of_the_block
  __threadfence(); // not lock_entered_without_fence, lock_entered_with_fence_of_the_block
  data[0] += 1; // here
  __threadfence(); // not lock_left_without_fence
  atomicExch(&lock, 0);
}
