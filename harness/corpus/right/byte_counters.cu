// expect: nothing
// Counters of one byte, four threads to a word.

static const task TASK = {SORTED, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ unsigned c4[8][64];
  unsigned char(*c)[256] = (unsigned char(*)[256])c4;
  const int t = threadIdx.x;
  for (int k = 0; k < 8; k++) c4[k][t] = 0;
  __syncthreads();
  const int key = in[t];
  c[key / 4][4 * t + key % 4] = 1;
  __syncthreads();
  int place = 0;
  for (int k = 0; k < 32; k++)
    for (int j = 0; j < 64; j++) place += c[k / 4][4 * j + k % 4] && (k < key || (k == key && j < t));
  out[place] = key;
}
