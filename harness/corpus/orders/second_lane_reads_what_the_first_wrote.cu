// expect: race.global at here
// with: --lanes reverse
// The second of two lanes that count reads what the first one wrote. They may count in any order.

__global__ void work(int *data) {
  int *counted = data + 64, *out = data + 128;
  const int t = threadIdx.x;
  data[t] = t + 1;
  __threadfence(); // twin
  if (atomicAdd(&counted[t / 2], 1) == 0) return;
  __threadfence();       // twin
  out[t] = data[t ^ 1]; // here
}
static int run() { return played(work, 1, 64); }
