// expect: nothing
// A tile of two warps, with the memory that it needs.

static const task TASK = {INCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ cg::block_tile_memory<128> m;
  __shared__ int s[128];
  auto b = cg::this_thread_block(m);
  auto t = cg::tiled_partition<64>(b);
  const int i = threadIdx.x;
  s[i] = in[i];
  t.sync();
  int x = 0;
  for (int k = i & ~63; k <= i; k++) x += s[k];
  b.sync();
  if ((i & 63) == 63) s[i / 64] = x;
  b.sync();
  out[i] = x + (i >= 64 ? s[0] : 0);
}
