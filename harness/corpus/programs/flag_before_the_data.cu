// expect: race.global at here
// says: The flag is raised at line
// The writer raises its flag first and writes the data behind it: the fence orders them the wrong way round.

__global__ void hand_over(volatile int *data, volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 5;     // twin
    __threadfence(); // twin
    *flag = 1;
    __threadfence();                        // wrong
    for (int k = 0; k < 200; k++) *out = k; // the writer is late
    data[0] = 5;                            // wrong
  } else {
    while (*flag == 0) {}
    __threadfence();
    out[1] = data[0]; // here
  }
}

static int run() {
  int *x = filled(64);
  hand_over<<<2, 1>>>(x, x + 4, x + 8);
  const cudaError_t e = cudaDeviceSynchronize();
  return cudaFree(x) || e;
}
