// expect: order.fence at each here
// One block fills a queue and says so; the others take pieces of it, as many as they get.

struct work_queue {
  int item[512], head, tail;
};

__global__ void serve(work_queue *q, int items, int *out) {
  __shared__ int first;
  if (blockIdx.x == 0) {
    for (int i = threadIdx.x; i < items; i += blockDim.x) {
      q->item[i] = i * i; // here
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence(); // twin
      atomicExch(&q->tail, items);
    }
    return;
  }
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) first = atomicAdd(&q->head, 32);
    __syncthreads();
    if (first >= items) return;
    if (threadIdx.x == 0) {
      while (atomicAdd(&q->tail, 0) < first + 32) __nanosleep(20);
      __threadfence();
    }
    __syncthreads();
    if (threadIdx.x < 32) out[first + threadIdx.x] = q->item[first + threadIdx.x] + 1;
  }
}

static int run() {
  enum { N = 512 };
  work_queue *q;
  int *out, got[N], bad = 0;
  cudaMalloc(&q, sizeof *q), cudaMalloc(&out, sizeof got);
  cudaMemset(q, 0, sizeof *q);
  serve<<<5, 64>>>(q, N, out);
  bad += cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess;
  for (int i = 0; i < N; i++) bad += got[i] != i * i + 1;
  cudaFree(q), cudaFree(out);
  return bad;
}
