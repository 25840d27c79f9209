// expect: race.global at wrong
// All blocks count in one word by an atomic that is one step for the threads of one block only.

__global__ void count(int *total) {
  atomicAdd(total, 1); // twin
  atomicAdd_block(total, 1); // wrong
}
static int run() { return played(count, 4, 64, 4, 0); }
