// expect: memory.uninit at 14
// Counts of one byte, read four at a time: nobody writes those of keys above nine, but others of their word.

static const task TASK = {SORTED, 64, 1};

enum { COUNTED = 10 }; // wrong
enum { COUNTED = KEYS }; // twin
// The count of key k.
__device__ static unsigned part(unsigned word, int k) { return word >> 8 * (k % 4) & 0xff; }

__device__ static int smaller(const unsigned *counts, int key) {
  int sum = 0;
#pragma unroll 1
  for (int k = 1; k < key; k++) sum += part(counts[k / 4], k);
  return sum;
}

__global__ void sort(const int *in, int *out, int n) {
  __shared__ unsigned s_counts[KEYS / 4 + 1];
  const int t = threadIdx.x, key = in[t];
  int count = 0;
  for (int j = 0; j < n; j++) count += in[j] == t;
  if (t < COUNTED) ((unsigned char *)s_counts)[t] = (unsigned char)count;
  __syncthreads();
  int place = smaller(s_counts, key);
  for (int j = 0; j < t; j++) place += in[j] == key;
  if ((unsigned)place < n) out[place] = key;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(sort, in, out, n, n); }
