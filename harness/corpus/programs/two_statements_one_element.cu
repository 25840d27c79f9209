// expect: race.shared at each here
// says: Look at the index and the guard in line 10 and line 12
// Two places of one array meet because an index is wrong: a barrier would only choose which value is lost.

__device__ int padded(int i) { return i + (i >> 5); }

__global__ void load(int *d) {
  __shared__ int s[66];
  int t = threadIdx.x;
  s[padded(t)] = d[t] + t; // here
  s[padded(t + 32)] = d[t + 32]; // twin
  s[padded(t) + 31] = d[t + 32]; // here // wrong
  __syncthreads();
  d[t] = s[padded(31 - t)];
}
static int run() { return played(load, 1, 32, 256, 1); }
