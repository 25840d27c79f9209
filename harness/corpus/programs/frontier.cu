// expect: race.global at 7, race.global at 8
// Breadth-first search by frontiers. A node is looked at and then marked: two threads may both find it
// unmarked and put it into the next frontier twice.

__device__ bool is_first(int *mark, int depth) {
  return atomicCAS(mark, -1, depth) == -1; // twin
  if (*mark != -1) return false;           // wrong
  *mark = depth;                           // wrong
  return true;                             // wrong
}

__global__ void expand(const int *edges, const int *frontier, int size, int *next, int *next_size, int *level,
                       int depth) {
  enum { DEGREE = 4 };
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= size) return;
  for (int e = 0; e < DEGREE; e++) {
    const int to = edges[frontier[k] * DEGREE + e];
    if (!is_first(&level[to], depth)) continue;
    const auto group = cg::coalesced_threads();
    int place = 0;
    if (group.thread_rank() == 0) place = atomicAdd(next_size, (int)group.size());
    next[group.shfl(place, 0) + group.thread_rank()] = to;
  }
}

static int run() {
  enum { N = 600, EDGES = 4 * N };
  static int edges[EDGES], level[N], want[N];
  for (int i = 0; i < EDGES; i++) edges[i] = (i / 4 * 7 + i % 4 * i % 31 + i) % N;
  for (int i = 0; i < N; i++) want[i] = i ? -1 : 0;
  for (int depth = 0; depth < N; depth++)
    for (int i = 0; i < EDGES; i++)
      if (want[i / 4] == depth && want[edges[i]] == -1) want[edges[i]] = depth + 1;
  int *d, *frontier[2], *marks, *found, size = 1;
  cudaMalloc(&d, sizeof edges), cudaMalloc(&marks, sizeof level), cudaMalloc(&found, sizeof size);
  cudaMalloc(&frontier[0], sizeof edges), cudaMalloc(&frontier[1], sizeof edges);
  cudaMemcpy(d, edges, sizeof edges, cudaMemcpyHostToDevice);
  cudaMemset(marks, 0xff, sizeof level), cudaMemset(marks, 0, sizeof(int));
  cudaMemset(frontier[0], 0, sizeof(int));
  for (int depth = 1; size && depth < N; depth++) {
    cudaMemset(found, 0, sizeof size);
    expand<<<(size + 63) / 64, 64>>>(d, frontier[~depth & 1], size, frontier[depth & 1], found, marks, depth);
    cudaMemcpy(&size, found, sizeof size, cudaMemcpyDeviceToHost);
  }
  const cudaError_t e = cudaMemcpy(level, marks, sizeof level, cudaMemcpyDeviceToHost);
  for (int *p : {d, frontier[0], frontier[1], marks, found}) cudaFree(p);
  return e != cudaSuccess || memcmp(level, want, sizeof level) != 0;
}
