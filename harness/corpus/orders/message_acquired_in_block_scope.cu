// expect: order.fence at here, race.global
// An acquire in the scope of the block does not acquire what another block has released.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    asm volatile("st.release.sys.global.u32 [%0], 1;" ::"l"(&flag) : "memory");
  } else {
    int seen = 0;
    while (!seen) asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory"); // wrong
    while (!seen) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory"); // twin
    data[1] = data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
