// expect: order.fence at data
// A kernel writes a __managed__ variable and raises a flag in another one, with no fence that holds for the
// host.

__managed__ int told_, told_data_;
__global__ void tell() {
  told_data_ = 42; // data
  __threadfence_system(); // twin
  __threadfence(); // wrong
  *(volatile int *)&told_ = 1;
}
static int run() {
  told_ = 0;
  tell<<<1, 1>>>();
  while (*(volatile int *)&told_ == 0) {}
  const int got = *(volatile int *)&told_data_;
  cudaDeviceSynchronize();
  return got != 42;
}
