// expect: order.fence at here, race.global
// says: Release the flag in line
// A release in the scope of the block is no release for another block.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    asm volatile("st.release.cta.global.u32 [%0], 1;" ::"l"(&flag) : "memory"); // wrong
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(&flag) : "memory"); // twin
  } else {
    int seen = 0;
    while (!seen) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory");
    data[1] = data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
