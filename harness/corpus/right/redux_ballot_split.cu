// expect: nothing
// A split of a warp by ballots.

static const task TASK = {SORTED, 32, 1};

__global__ void scan(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  int x = in[t];
  for (int bit = 0; bit < 5; bit++) {
    const unsigned ones = __ballot_sync(0xffffffff, x >> bit & 1), below = (1u << t) - 1;
    const int place = x >> bit & 1 ? 32 - __popc(ones) + __popc(ones & below) : __popc(~ones & below);
    __shared__ int s[32];
    s[place] = x;
    __syncwarp();
    x = s[t];
    __syncwarp();
  }
  out[t] = x;
}
