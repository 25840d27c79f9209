// expect: nothing
// One piece of shared memory that phases use for different types.

static const task TASK = {SORTED, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ union {
    int keys[64];
    struct {
      short rank[64];
      short more[64];
    } r;
    unsigned char b[256];
  } u;
  const int t = threadIdx.x;
  u.keys[t] = in[t];
  __syncthreads();
  int place = 0;
  for (int k = 0; k < 64; k++) place += u.keys[k] < u.keys[t] || (u.keys[k] == u.keys[t] && k < t);
  const int key = u.keys[t];
  __syncthreads();
  u.r.rank[t] = place;
  u.r.more[t] = key;
  __syncthreads();
  out[u.r.rank[t]] = u.r.more[t];
  __syncthreads();
  u.b[t] = 1;
}
