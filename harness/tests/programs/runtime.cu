// The runtime API: streams, events, callbacks, occupancy, attributes, 2D copies and fills, pinned and managed
// memory, symbols, stream-ordered allocation, cudaLaunchKernel, cudaLaunchKernelEx, properties.
#include "check.h"

__global__ void scale(int *x, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
__global__ void __launch_bounds__(128, 2) bounded(int *x) {
  __shared__ int s[100];
  extern __shared__ int more[];
  more[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 100) s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x % 100] + more[threadIdx.x];
}
__global__ void where(uint3 *out) {
  int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x, t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[b * blockDim.x * blockDim.y * blockDim.z + t] = make_uint3(blockIdx.x * 100 + threadIdx.x, blockIdx.y * 100 + threadIdx.y, blockIdx.z * 100 + threadIdx.z);
}
// Many values that live at once: ptxas keeps the bound, so that one block of 1024 threads fits.
__global__ void __launch_bounds__(1024) crowded(int *x) {
  int v[96], sum = 0;
#pragma unroll
  for (int k = 0; k < 96; k++) v[k] = x[(threadIdx.x * 7 + k * k) % 1024];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 96; k++) sum = v[k] * sum + v[95 - k];
  x[threadIdx.x] = sum;
}
__device__ float symbol[4];

static int called;
static void CUDART_CB callback(void *p) { called += *(int *)p; }

static void test_streams() {
  const int n = 1000;
  std::vector<int> h(n, 1);
  cudaStream_t a, b, c;
  cudaEvent_t done;
  CUDA(cudaStreamCreate(&a));
  CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithPriority(&c, cudaStreamDefault, 0));
  CUDA(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  Dev<int> d(h);
  scale<<<4, 256, 0, a>>>(d, n, 3);
  CUDA(cudaEventRecord(done, a));
  CUDA(cudaStreamWaitEvent(b, done, 0));
  scale<<<4, 256, 0, b>>>(d, n, 5);
  int seven = 7;
  CUDA(cudaLaunchHostFunc(b, callback, &seven));
  CUDA(cudaMemcpyAsync(h.data(), d.p, n * sizeof(int), cudaMemcpyDeviceToHost, b));
  CUDA(cudaStreamSynchronize(b));
  CHECK(cudaStreamQuery(b) == cudaSuccess && cudaEventQuery(done) == cudaSuccess, "streams are not idle");
  CHECK(called == 7, "callback: %d", called);
  check_equal("two streams", h, std::vector<int>(n, 15));
  int *later;
  CUDA(cudaMallocAsync((void **)&later, n * sizeof(int), c));
  CUDA(cudaMemsetAsync(later, 0, n * sizeof(int), c));
  CUDA(cudaMemcpyAsync(h.data(), later, n * sizeof(int), cudaMemcpyDefault, c));
  CUDA(cudaFreeAsync(later, c));
  CUDA(cudaStreamSynchronize(c));
  check_equal("stream-ordered memory", h, std::vector<int>(n, 0));
  CUDA(cudaEventDestroy(done));
  for (cudaStream_t s : {a, b, c}) CUDA(cudaStreamDestroy(s));
}

static void test_copies() {
  const int w = 5, h = 7;
  std::vector<int> in(w * h), out(w * h, 0);
  for (int i = 0; i < w * h; i++) in[i] = i * i;
  int *p;
  size_t pitch;
  CUDA(cudaMallocPitch((void **)&p, &pitch, w * sizeof(int), h));
  CHECK(pitch >= w * sizeof(int) && pitch % 16 == 0, "pitch %zu", pitch);
  CUDA(cudaMemset2D(p, pitch, 0x11, w * sizeof(int), h));
  CUDA(cudaMemcpy2D(p, pitch, in.data(), w * sizeof(int), w * sizeof(int), h - 1, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy2D(out.data(), w * sizeof(int), p, pitch, w * sizeof(int), h, cudaMemcpyDeviceToHost));
  for (int i = w * (h - 1); i < w * h; i++) in[i] = 0x11111111;
  check_equal("2D copies", out, in);
  CUDA(cudaFree(p));
  int *pinned, *mapped, *managed;
  CUDA(cudaMallocHost((void **)&pinned, 64 * sizeof(int)));
  CUDA(cudaHostAlloc((void **)&mapped, 64 * sizeof(int), cudaHostAllocDefault));
  CUDA(cudaMallocManaged((void **)&managed, 64 * sizeof(int)));
  for (int i = 0; i < 64; i++) pinned[i] = managed[i] = i;
  scale<<<1, 64>>>(managed, 64, 2);
  CUDA(cudaDeviceSynchronize());
  Dev<int> dev(64);
  CUDA(cudaMemcpy(dev.p, pinned, 64 * sizeof(int), cudaMemcpyHostToDevice));
  scale<<<1, 64>>>(dev, 64, 3);
  CUDA(cudaMemcpy(mapped, dev.p, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < 64; i++) bad += managed[i] != 2 * i || mapped[i] != 3 * i;
  CHECK(bad == 0, "managed and pinned memory: %d wrong", bad);
  cudaPointerAttributes at;
  CUDA(cudaPointerGetAttributes(&at, dev.p));
  CHECK(at.type == cudaMemoryTypeDevice, "type of a device pointer %d", at.type);
  CUDA(cudaPointerGetAttributes(&at, managed));
  CHECK(at.type == cudaMemoryTypeManaged, "type of a managed pointer %d", at.type);
  CUDA(cudaFreeHost(pinned));
  CUDA(cudaFreeHost(mapped));
  CUDA(cudaFree(managed));
  float f[4] = {1, 2, 3, 4}, g[2];
  CUDA(cudaMemcpyToSymbol(symbol, f, sizeof f));
  CUDA(cudaMemcpyFromSymbol(g, symbol, sizeof g, 2 * sizeof(float)));
  CHECK(g[0] == 3 && g[1] == 4, "symbol: %g %g", g[0], g[1]);
}

static void test_queries() {
  cudaDeviceProp p;
  int count, device = -1, version = 0, driver = 0, blocks = 0, size = 0, least = 0;
  CUDA(cudaGetDeviceCount(&count));
  CUDA(cudaGetDevice(&device));
  CUDA(cudaGetDeviceProperties(&p, 0));
  CUDA(cudaRuntimeGetVersion(&version));
  CUDA(cudaDriverGetVersion(&driver));
  CHECK(count >= 1 && device == 0 && p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.multiProcessorCount > 0 && p.name[0], "device %d of %d", device, count);
  CHECK(version >= 13000 && driver >= version, "runtime %d, driver %d", version, driver);
  for (auto a : {cudaDevAttrMultiProcessorCount, cudaDevAttrMaxSharedMemoryPerBlock, cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrMaxThreadsPerMultiProcessor,
                 cudaDevAttrComputeCapabilityMajor, cudaDevAttrMaxGridDimX, cudaDevAttrWarpSize, cudaDevAttrMaxRegistersPerBlock, cudaDevAttrClockRate, cudaDevAttrL2CacheSize}) {
    int v = -1;
    CUDA(cudaDeviceGetAttribute(&v, a, 0));
    CHECK(v > 0, "attribute %d is %d", a, v);
  }
  size_t free_bytes = 0, total = 0;
  CUDA(cudaMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes > 0 && free_bytes <= total, "%zu of %zu bytes are free", free_bytes, total);
  cudaFuncAttributes fa;
  CUDA(cudaFuncGetAttributes(&fa, bounded));
  CHECK(fa.sharedSizeBytes == 400 && fa.maxThreadsPerBlock == 128 && fa.numRegs > 0, "%zu bytes of shared memory, %d threads", fa.sharedSizeBytes, fa.maxThreadsPerBlock);
  CUDA(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
  CUDA(cudaOccupancyMaxPotentialBlockSize(&least, &size, scale, 0, 0));
  CHECK(blocks >= 1 && size >= 32 && size <= 1024 && least >= 1, "occupancy: %d blocks; %d threads in %d blocks", blocks, size, least);
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, crowded, 1024, 0));
  CUDA(cudaFuncGetAttributes(&fa, crowded));
  CHECK(blocks >= 1 && fa.numRegs <= 64, "crowded: %d blocks of 1024 threads, %d registers", blocks, fa.numRegs);
  CHECK(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") && strlen(cudaGetErrorString(cudaErrorInvalidValue)) > 5, "error texts");
}

static void test_launches() {
  std::vector<int> h(128, 2);
  Dev<int> d(h);
  int *p = d, n = 128, by = 4;
  void *args[] = {&p, &n, &by};
  CUDA(cudaLaunchKernel((const void *)scale, dim3(1), dim3(128), args, 0, 0));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2), config.blockDim = dim3(64);
  CUDA(cudaLaunchKernelEx(&config, scale, p, n, 10));
  bounded<<<1, 128, 50000>>>(d);
  check_equal("launches", d.get(), std::vector<int>(128, 160));
  dim3 grid(3, 2, 2), block(4, 3, 5);
  int total = 12 * 60;
  Dev<uint3> w(total);
  where<<<grid, block>>>(w);
  std::vector<uint3> at = w.get();
  int bad = 0;
  for (int i = 0; i < total; i++) {
    int b = i / 60, t = i % 60;
    bad += at[i].x != (unsigned)(b % 3 * 100 + t % 4) || at[i].y != (unsigned)(b / 3 % 2 * 100 + t / 4 % 3) || at[i].z != (unsigned)(b / 6 * 100 + t / 12);
  }
  CHECK(bad == 0, "three dimensions: %d wrong", bad);
}

static unsigned long long held(cudaMemPool_t pool, cudaMemPoolAttr a) {
  unsigned long long v = ~0ull;
  CUDA(cudaMemPoolGetAttribute(pool, a, &v));
  return v;
}

// What the runtime's manual says of pools; how much is reserved at a time is the driver's affair.
static void test_pools() {
  const size_t big = 64 << 20;
  cudaMemPool_t standard, now, own, third;
  cudaStream_t s;
  int supported = 0, reuse = -1, *a, *b, *c;
  CUDA(cudaStreamCreate(&s));
  CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  CUDA(cudaDeviceGetDefaultMemPool(&standard, 0));
  CUDA(cudaDeviceGetMemPool(&now, 0));
  CHECK(supported == 1 && now == standard, "pools: %d", supported);
  CHECK(held(standard, cudaMemPoolAttrReleaseThreshold) == 0, "threshold %llu", held(standard, cudaMemPoolAttrReleaseThreshold));
  CUDA(cudaMemPoolGetAttribute(standard, cudaMemPoolReuseAllowOpportunistic, &reuse));
  CHECK(reuse == 1, "reuse %d", reuse);
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned, props.location.type = cudaMemLocationTypeDevice;
  CUDA(cudaMemPoolCreate(&own, &props));
  CUDA(cudaMemPoolCreate(&third, &props));
  unsigned long long keep = ~0ull, zero = 0, one = 1;
  CUDA(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &keep));
  CUDA(cudaMallocFromPoolAsync((void **)&a, big, own, s));
  CUDA(cudaDeviceSetMemPool(0, third));
  CUDA(cudaMallocAsync((void **)&b, big, s));
  CUDA(cudaMallocAsync((void **)&c, big, standard, s));
  CUDA(cudaMemsetAsync(a, 0, 128 * sizeof(int), s));
  scale<<<1, 128, 0, s>>>(a, 128, 2);
  CUDA(cudaStreamSynchronize(s));
  for (cudaMemPool_t p : {own, third, standard})
    CHECK(held(p, cudaMemPoolAttrUsedMemCurrent) == big && held(p, cudaMemPoolAttrReservedMemCurrent) >= big, "pool holds %llu, %llu",
          held(p, cudaMemPoolAttrUsedMemCurrent), held(p, cudaMemPoolAttrReservedMemCurrent));
  for (int *p : {a, b, c}) CUDA(cudaFreeAsync(p, s));
  CUDA(cudaStreamSynchronize(s));
  CHECK(held(own, cudaMemPoolAttrUsedMemCurrent) == 0 && held(own, cudaMemPoolAttrUsedMemHigh) == big, "used %llu", held(own, cudaMemPoolAttrUsedMemHigh));
  CHECK(held(own, cudaMemPoolAttrReservedMemCurrent) >= big && held(third, cudaMemPoolAttrReservedMemCurrent) == 0, "kept by threshold %llu, without %llu",
        held(own, cudaMemPoolAttrReservedMemCurrent), held(third, cudaMemPoolAttrReservedMemCurrent));
  CUDA(cudaMemPoolTrimTo(own, 0));
  CUDA(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &zero));
  CHECK(held(own, cudaMemPoolAttrReservedMemCurrent) == 0 && held(own, cudaMemPoolAttrUsedMemHigh) == 0, "after the trim %llu", held(own, cudaMemPoolAttrReservedMemCurrent));
  CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &one) == cudaErrorInvalidValue, "a highest value can be set to 1");
  CHECK(cudaMemPoolDestroy(standard) == cudaErrorInvalidValue, "the default pool can be destroyed");
  cudaMemLocation where = props.location;
  cudaMemAccessFlags access;
  CUDA(cudaMemPoolGetAccess(&access, own, &where));
  CHECK(access == cudaMemAccessFlagsProtReadWrite, "access %d", access);
  CUDA(cudaMemPoolDestroy(third));
  CUDA(cudaDeviceGetMemPool(&now, 0));
  CHECK(now == standard, "the current pool was destroyed: not the default one");
  CUDA(cudaMallocFromPoolAsync((void **)&a, 1024, own, s));
  CUDA(cudaMemPoolDestroy(own));
  CUDA(cudaFreeAsync(a, s));
  CUDA(cudaStreamDestroy(s));
  cudaGetLastError();
}

static void CUDART_CB count_call(void *p) { ++*(int *)p; }

// A captured sequence, with a second stream that joins and ends, launched three times.
static void test_capture() {
  const int n = 256;
  std::vector<int> h(n, 1), back(n);
  Dev<int> x(h), y(n);
  cudaStream_t a, b;
  cudaEvent_t fork, joined;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec;
  int calls = 0;
  size_t nodes = 0;
  CUDA(cudaStreamCreate(&a));
  CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CUDA(cudaEventCreate(&fork));
  CUDA(cudaEventCreate(&joined));
  CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  CUDA(cudaStreamIsCapturing(a, &status));
  CHECK(status == cudaStreamCaptureStatusActive, "capture status %d", status);
  scale<<<2, 128, 0, a>>>(x, n, 3);
  CUDA(cudaEventRecord(fork, a));
  CUDA(cudaStreamWaitEvent(b, fork, 0));
  CUDA(cudaMemsetAsync(y.p, 0, n * sizeof(int), b));
  CUDA(cudaMemcpyAsync(y.p, x.p, n / 2 * sizeof(int), cudaMemcpyDeviceToDevice, b));
  CUDA(cudaEventRecord(joined, b));
  CUDA(cudaStreamWaitEvent(a, joined, 0));
  scale<<<2, 128, 0, a>>>(y, n, 10);
  CUDA(cudaMemcpyAsync(back.data(), y.p, n * sizeof(int), cudaMemcpyDeviceToHost, a));
  CUDA(cudaLaunchHostFunc(a, count_call, &calls));
  CUDA(cudaStreamEndCapture(a, &graph));
  CHECK(calls == 0 && back[0] == 0, "a capture ran: %d calls", calls);
  check_equal("captured work has not run", x.get(), h);
  CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 6, "%zu nodes", nodes);
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphDestroy(graph));
  for (int i = 0; i < 3; i++) CUDA(cudaGraphLaunch(exec, a));
  CUDA(cudaStreamSynchronize(a));
  CHECK(calls == 3, "%d calls", calls);
  std::vector<int> want(n, 0);
  for (int i = 0; i < n / 2; i++) want[i] = 270;
  check_equal("launched graph", back, want);
  CUDA(cudaGraphExecDestroy(exec));
  // What breaks a capture.
  CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamSynchronize(a) == cudaErrorStreamCaptureUnsupported, "a captured stream can be waited for");
  CHECK(cudaMemsetAsync(y.p, 0, 4, a) == cudaErrorStreamCaptureInvalidated, "a broken capture goes on");
  CHECK(cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureInvalidated && !graph, "a broken capture gives a graph");
  CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  CUDA(cudaEventRecord(fork, a));
  CUDA(cudaStreamWaitEvent(b, fork, 0));
  CUDA(cudaMemsetAsync(y.p, 0, 4, b));
  CHECK(cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureUnjoined, "a stream that has not joined again");
  CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  CUDA(cudaEventRecord(fork, a));
  CUDA(cudaStreamWaitEvent(b, fork, 0));
  CHECK(cudaEventQuery(fork) == cudaErrorCapturedEvent, "an event of a capture can be asked for");
  CHECK(cudaStreamEndCapture(b, &graph) == cudaErrorStreamCaptureUnmatched, "another stream ends the capture");
  CHECK(cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureInvalidated, "a capture goes on after that");
  CHECK(cudaStreamEndCapture(a, &graph) == cudaErrorIllegalState, "a capture ends twice");
  CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported, "the default stream is captured");
  CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemset(y.p, 0, 4) == cudaErrorStreamCaptureImplicit, "work in the default stream during a capture");
  CHECK(cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureInvalidated, "work in the default stream leaves the capture alone");
  cudaGetLastError();
  for (cudaStream_t s : {a, b}) CUDA(cudaStreamDestroy(s));
  for (cudaEvent_t e : {fork, joined}) CUDA(cudaEventDestroy(e));
}

// Host memory that kernels read and write in place.
static void test_mapped() {
  const int n = 100;
  int *h, *d, flags_of = 0;
  unsigned flags;
  CUDA(cudaHostAlloc((void **)&h, n * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < n; i++) h[i] = i;
  CUDA(cudaHostGetDevicePointer((void **)&d, h, 0));
  scale<<<1, 128>>>(d, n, 4);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) flags_of += h[i] != 4 * i;
  CHECK(flags_of == 0, "mapped memory: %d wrong", flags_of);
  Dev<int> copy(n);
  CUDA(cudaMemcpy(copy.p, h, n * sizeof(int), cudaMemcpyHostToDevice));
  scale<<<1, 128>>>(copy, n, 2);
  CUDA(cudaMemcpy(h, copy.p, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(h[n - 1] == 8 * (n - 1), "copy to mapped memory: %d", h[n - 1]);
  cudaPointerAttributes at;
  CUDA(cudaPointerGetAttributes(&at, h));
  CHECK(at.type == cudaMemoryTypeHost && at.devicePointer == d && at.hostPointer == h, "attributes of mapped memory: type %d", at.type);
  CUDA(cudaHostGetFlags(&flags, h));
  CHECK(flags & cudaHostAllocMapped, "flags of mapped memory: %u", flags);
  CUDA(cudaFreeHost(h));
  int supported = 0;
  CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrCanMapHostMemory, 0));
  CHECK(supported == 1, "attribute of mapped memory");
}

// A box out of a larger one, into memory of three dimensions and back.
static void test_3d() {
  const int w = 6, h = 5, d = 4;
  std::vector<int> in(w * h * d), out(w * h * d, -1), want(w * h * d, -1);
  for (int i = 0; i < w * h * d; i++) in[i] = i * 7;
  cudaPitchedPtr box;
  cudaExtent all = make_cudaExtent(w * sizeof(int), h, d), part = make_cudaExtent(2 * sizeof(int), 3, 2);
  CUDA(cudaMalloc3D(&box, all));
  CHECK(box.pitch >= w * sizeof(int) && box.ysize == h, "pitch %zu, %zu rows", box.pitch, box.ysize);
  CUDA(cudaMemset3D(box, 0x11, all));
  cudaMemcpy3DParms to = {}, back = {};
  to.srcPtr = make_cudaPitchedPtr(in.data(), w * sizeof(int), w, h), to.dstPtr = box, to.kind = cudaMemcpyHostToDevice;
  to.srcPos = make_cudaPos(3 * sizeof(int), 1, 1), to.dstPos = make_cudaPos(sizeof(int), 2, 2), to.extent = part;
  CUDA(cudaMemcpy3D(&to));
  back.srcPtr = box, back.dstPtr = make_cudaPitchedPtr(out.data(), w * sizeof(int), w, h), back.kind = cudaMemcpyDeviceToHost;
  back.extent = all;
  CUDA(cudaMemcpy3D(&back));
  for (int &v : want) v = 0x11111111;
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 2; x++) want[((z + 2) * h + y + 2) * w + x + 1] = in[((z + 1) * h + y + 1) * w + x + 3];
  check_equal("3D copies", out, want);
  CUDA(cudaFree(box.ptr));
}

// A graph from nodes, with a parameter of the kernel changed between two launches.
static void test_graph_nodes() {
  const int n = 128;
  Dev<int> x(n);
  std::vector<int> out(n);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, kernel, copy, last;
  cudaGraphNodeType type;
  int *p = x, size = n, by = 2;
  void *args[] = {&p, &size, &by};
  cudaMemsetParams set = {};
  set.dst = p, set.value = 7, set.elementSize = 4, set.width = n, set.height = 1;
  cudaKernelNodeParams k = {};
  k.func = (void *)scale, k.gridDim = dim3(1), k.blockDim = dim3(n), k.kernelParams = args;
  CUDA(cudaGraphCreate(&graph, 0));
  CUDA(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  CUDA(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &k));
  CUDA(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, out.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA(cudaGraphAddEmptyNode(&last, graph, &copy, 1));
  CUDA(cudaGraphNodeGetType(kernel, &type));
  CHECK(type == cudaGraphNodeTypeKernel, "type of a node %d", type);
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphLaunch(exec, 0));
  CUDA(cudaDeviceSynchronize());
  check_equal("graph of nodes", out, std::vector<int>(n, 14));
  by = -1;
  CUDA(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
  CUDA(cudaGraphLaunch(exec, 0));
  CUDA(cudaDeviceSynchronize());
  check_equal("graph with another parameter", out, std::vector<int>(n, -7));
  cudaMemcpy3DParms rows = {};  // 4 rows of 8 numbers each, 16 apart on the device
  rows.srcPtr = make_cudaPitchedPtr(p, 64, 16, 8), rows.dstPtr = make_cudaPitchedPtr(out.data(), 32, 8, 4);
  rows.extent = make_cudaExtent(32, 4, 1), rows.kind = cudaMemcpyDeviceToHost;
  std::vector<int> counted(n), want(n);
  for (int i = 0; i < n; i++) counted[i] = i, want[i] = i < 32 ? i / 8 * 16 + i % 8 : -7;
  CUDA(cudaMemcpy(p, counted.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaGraphCreate(&graph, 0));
  CUDA(cudaGraphAddMemcpyNode(&copy, graph, nullptr, 0, &rows));
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphLaunch(exec, 0));
  CUDA(cudaDeviceSynchronize());
  check_equal("node that copies rows", out, want);
  k.blockDim = dim3(2048);
  CHECK(cudaGraphAddKernelNode(&last, graph, nullptr, 0, &k) == cudaErrorInvalidValue, "a block of 2048 threads is a node");
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
  cudaGetLastError();
}

int main() {
  test_streams();
  test_capture();
  test_graph_nodes();
  test_3d();
  test_mapped();
  test_pools();
  test_copies();
  test_queries();
  test_launches();
  CUDA(cudaDeviceReset());
  return check_done("runtime");
}
