// expect: race.global at each here
// Blocks write one element; the trip of the block that has ended is told, too.

enum { READS = 0 }; // twin
enum { READS = 1 }; // wrong
__global__ void write(int *sum, int n) {
#pragma unroll 1
  for (int k = 0; k < n; k++)
    if (k == 4 && blockIdx.x == 0) sum[0] += k; // here, trip 5
#pragma unroll 1
  for (int k = 0; k < n; k++)
    if (k == 7 && blockIdx.x == READS) sum[1] = sum[0]; // here, trip 8
}
static int run() { return played(write, 2, 1, 256, 1, 9); }
