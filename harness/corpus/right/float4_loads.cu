// expect: nothing
// Four elements at a time.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  int4 v = ((const int4 *)in)[t];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  const int b = block_scan(v.w) - v.w;
  v.x += b;
  v.y += b;
  v.z += b;
  v.w += b;
  ((int4 *)out)[t] = v;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
