// expect: nothing
// cuda::barrier with arrival and wait apart.

static const task TASK = {SORTED, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t == 0) init(&b, 64);
  __syncthreads();
  s[t] = in[t];
  auto token = b.arrive();
  const int mine = in[t];
  b.wait(std::move(token));
  int place = 0;
  for (int k = 0; k < 64; k++) place += s[k] < mine || (s[k] == mine && k < t);
  b.arrive_and_wait();
  s[place] = mine;
  b.arrive_and_wait();
  out[t] = s[t];
}
