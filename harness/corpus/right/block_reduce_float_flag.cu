// expect: nothing
// Several threads store the same constant into a flag; floats are compared.

static const task TASK = {SORTED, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ float f[64];
  __shared__ bool any;
  const int t = threadIdx.x;
  if (t == 0) any = false;
  f[t] = (float)in[t];
  __syncthreads();
  if (f[t] == 5.0f) any = true;
  __syncthreads();
  int place = 0;
  for (int k = 0; k < 64; k++) place += f[k] < f[t] || (f[k] == f[t] && k < t);
  out[place] = any ? in[t] : 0;
}
