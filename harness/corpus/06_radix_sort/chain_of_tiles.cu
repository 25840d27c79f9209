// The scan of lab 06 in one launch, with one mistake at a time.
//
// expect publisher_without_fence: order.fence at 32
// The prefix is written before the counter is raised, but no fence makes others see it in that order.
// expect counter_before_prefix: memory.uninit at 32
// The counter is raised first and the prefix written after it.
// expect tile_is_the_block_index: progress.order at 30
// with: --check-order
// Tiles by block index: if the blocks that run wait for one that is not started, it never will be.
// expect waits_for_its_own_tile: progress.deadlock at 29
// One too many: every tile waits until it has itself published its prefix.
// expect reader_without_fence: order.fence at 32
// The reader sees the counter and reads the prefix at once: nothing keeps that read behind the other one.
// expect fence_for_the_block_only: order.fence at 32
// __threadfence_block() orders what the own block sees; the reader is in another one.
// expect first_tile_without_fence: order.fence at 32
// Fence only where there is a tile before, as printed on the slides: tile 0 publishes without one.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void scan(const int *in, int *out, int n, chain *c) {
  __shared__ int s_before;
  const int tile = blockIdx.x; // wrong tile_is_the_block_index
  const int tile = draw(c); // not tile_is_the_block_index
  const int i = tile * TILE + threadIdx.x, x = i < n ? in[i] : 0, sum = block_sum(x);
  if (threadIdx.x == TILE - 1) {
    int before = 0;
    if (tile > 0) {
      while (*(volatile int *)&c->published <= tile) continue; // wrong waits_for_its_own_tile
      while (*(volatile int *)&c->published < tile) continue; // not waits_for_its_own_tile
      __threadfence(); // not reader_without_fence
      before = *(volatile int *)&c->prefix[tile - 1];
    }
    *(volatile int *)&c->published = tile + 1; // wrong counter_before_prefix
    __threadfence(); // wrong counter_before_prefix
    __nanosleep(2000); // wrong counter_before_prefix
    *(volatile int *)&c->prefix[tile] = before + sum; // wrong counter_before_prefix
    *(volatile int *)&c->prefix[tile] = before + sum; // not counter_before_prefix
    __threadfence_block(); // wrong fence_for_the_block_only
    if (tile > 0) __threadfence(); // wrong first_tile_without_fence
    __threadfence(); // not publisher_without_fence, counter_before_prefix, fence_for_the_block_only, first_tile_without_fence
    *(volatile int *)&c->published = tile + 1; // not counter_before_prefix
    s_before = before;
  }
  __syncthreads();
  if (i < n) out[i] = s_before + sum - x;
}
