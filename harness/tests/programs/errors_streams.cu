// Wrong arguments for streams, events, capture and graphs, and what a capture does not allow. See tells.h.
#include "tells.h"

__device__ int symbol[4];
static void callback(cudaStream_t, cudaError_t, void *) {}
static void hostfn(void *) {}

// A call while stream s is captured: its answer, and whether the capture goes on.
#define DURING(call, want, goes_on)                                                                \
  do {                                                                                             \
    TELLS(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaSuccess);                    \
    cudaError_t got_ = (call);                                                                     \
    CHECK(got_ == (want), "%s: %s, want %s", #call, cudaGetErrorName(got_), cudaGetErrorName(want)); \
    TELLS(cudaStreamIsCapturing(s, &st), cudaSuccess);                                             \
    CHECK(st == ((goes_on) ? 1 : 2), "%s: the capture's state is %d", #call, (int)st);             \
    TELLS(cudaStreamEndCapture(s, &g), (goes_on) ? cudaSuccess : cudaErrorStreamCaptureInvalidated); \
    IS(g != nullptr, goes_on);                                                                     \
  } while (0)

static void streams() {
  cudaStream_t s, t;
  cudaEvent_t a, b, u;
  int v = 7;
  unsigned flags;
  float ms;
  unsigned long long id;
  TELLS(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  TELLS(cudaStreamCreateWithFlags(&s, 77), cudaErrorInvalidValue);
  TELLS(cudaStreamCreateWithFlags(nullptr, 0), cudaErrorInvalidValue);
  TELLS(cudaStreamCreateWithPriority(&s, 0, 99), cudaSuccess);
  TELLS(cudaStreamGetPriority(s, &v), cudaSuccess); IS(v, 0);
  TELLS(cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, -99), cudaSuccess);
  TELLS(cudaStreamGetPriority(t, &v), cudaSuccess); IS(v, -5);
  TELLS(cudaStreamGetFlags(t, &flags), cudaSuccess); IS(flags, 1);
  TELLS(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  TELLS(cudaStreamDestroy(cudaStreamLegacy), cudaErrorInvalidResourceHandle);
  TELLS(cudaStreamDestroy(cudaStreamPerThread), cudaErrorInvalidResourceHandle);
  TELLS(cudaStreamGetPriority(s, nullptr), cudaErrorInvalidValue);
  TELLS(cudaStreamGetPriority(0, &v), cudaSuccess); IS(v, 0);
  TELLS(cudaStreamGetFlags(s, nullptr), cudaErrorInvalidValue);
  TELLS(cudaStreamGetFlags(0, &flags), cudaSuccess); IS(flags, 0);
  TELLS(cudaStreamGetFlags(cudaStreamPerThread, &flags), cudaSuccess); IS(flags, 0);
  TELLS(cudaStreamGetId(s, nullptr), cudaErrorInvalidValue);
  TELLS(cudaStreamGetId(s, &id), cudaSuccess);
  TELLS(cudaStreamGetDevice(s, &v), cudaSuccess); IS(v, 0);
  TELLS(cudaStreamQuery(s), cudaSuccess);
  TELLS(cudaStreamAddCallback(s, nullptr, nullptr, 0), cudaErrorInvalidValue);
  TELLS(cudaStreamAddCallback(s, callback, nullptr, 1), cudaErrorInvalidValue);
  TELLS(cudaStreamAddCallback(s, callback, nullptr, 0), cudaSuccess);
  TELLS(cudaLaunchHostFunc(s, nullptr, nullptr), cudaErrorInvalidValue);
  TELLS(cudaLaunchHostFunc(s, hostfn, nullptr), cudaSuccess);
  void *d, *m;
  cudaMalloc(&d, 64), cudaMallocManaged(&m, 64);
  TELLS(cudaStreamAttachMemAsync(s, d, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
  TELLS(cudaStreamAttachMemAsync(s, m, 0, 77), cudaErrorInvalidValue);
  TELLS(cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachGlobal), cudaSuccess);
  TELLS(cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachSingle), cudaSuccess);
  TELLS(cudaStreamAttachMemAsync(0, m, 0, cudaMemAttachSingle), cudaErrorInvalidValue);
  TELLS(cudaStreamAttachMemAsync(s, m, 3, cudaMemAttachSingle), cudaErrorInvalidValue);
  TELLS(cudaStreamAttachMemAsync(s, nullptr, 0, cudaMemAttachSingle), cudaErrorInvalidValue);
  cudaStreamAttrValue av = {};
  TELLS(cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &av), cudaSuccess); IS((int)av.syncPolicy, -1);
  TELLS(cudaStreamGetAttribute(s, cudaStreamAttributePriority, &av), cudaSuccess); IS(av.priority, 0);
  TELLS(cudaStreamGetAttribute(t, cudaStreamAttributePriority, &av), cudaSuccess); IS(av.priority, -5);
  TELLS(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &av), cudaSuccess); IS(av.accessPolicyWindow.num_bytes, 0); IS(av.accessPolicyWindow.hitProp, 0);
  TELLS(cudaStreamGetAttribute(s, cudaStreamAttributeMemSyncDomain, &av), cudaSuccess); IS(av.memSyncDomain, 0);
  TELLS(cudaStreamGetAttribute(s, (cudaLaunchAttributeID)77, &av), cudaErrorInvalidValue);
  TELLS(cudaStreamGetAttribute(s, cudaLaunchAttributeCooperative, &av), cudaErrorInvalidValue);
  av = {}; av.syncPolicy = cudaSyncPolicyYield;
  TELLS(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &av), cudaSuccess);
  TELLS(cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &av), cudaSuccess); IS(av.syncPolicy, 3);
  av.syncPolicy = (cudaSynchronizationPolicy)77;
  TELLS(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &av), cudaErrorInvalidValue);
  av = {}; av.priority = -3;
  TELLS(cudaStreamSetAttribute(s, cudaStreamAttributePriority, &av), cudaSuccess);
  TELLS(cudaStreamGetAttribute(s, cudaStreamAttributePriority, &av), cudaSuccess); IS(av.priority, -3);
  TELLS(cudaStreamGetPriority(s, &v), cudaSuccess); IS(v, -3);
  av = {}; av.priority = -77;
  TELLS(cudaStreamSetAttribute(s, cudaStreamAttributePriority, &av), cudaSuccess);
  av = {};
  av.accessPolicyWindow.base_ptr = d, av.accessPolicyWindow.num_bytes = 64, av.accessPolicyWindow.hitRatio = 1.0f, av.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting, av.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  TELLS(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &av), cudaSuccess);
  TELLS(cudaStreamCopyAttributes(t, s), cudaSuccess);
  av = {};
  TELLS(cudaStreamGetAttribute(t, cudaStreamAttributeAccessPolicyWindow, &av), cudaSuccess); IS(av.accessPolicyWindow.num_bytes, 64);
  TELLS(cudaStreamGetPriority(t, &v), cudaSuccess); IS(v, -5);
  av.accessPolicyWindow.hitRatio = 2.0f;
  TELLS(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &av), cudaErrorInvalidValue);
  av.accessPolicyWindow.hitRatio = 1.0f, av.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  TELLS(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &av), cudaErrorInvalidValue);
  av.accessPolicyWindow.missProp = cudaAccessPropertyNormal, av.accessPolicyWindow.num_bytes = (size_t)1 << 40;
  TELLS(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &av), cudaErrorInvalidValue);
  av = {}; av.cooperative = 1;
  TELLS(cudaStreamSetAttribute(s, cudaLaunchAttributeCooperative, &av), cudaErrorInvalidValue);
  TELLS(cudaCtxResetPersistingL2Cache(), cudaSuccess);
  // events
  TELLS(cudaEventCreate((cudaEvent_t *)nullptr), cudaErrorInvalidValue);
  TELLS(cudaEventCreateWithFlags(&a, 99), cudaErrorInvalidValue);
  TELLS(cudaEventCreateWithFlags(&a, cudaEventInterprocess), cudaErrorInvalidValue);
  TELLS(cudaEventCreateWithFlags(&u, cudaEventInterprocess | cudaEventDisableTiming), cudaSuccess);
  TELLS(cudaEventCreateWithFlags(&u, cudaEventDisableTiming), cudaSuccess);
  cudaEventCreate(&a), cudaEventCreate(&b);
  TELLS(cudaEventRecord(nullptr, 0), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventSynchronize(nullptr), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventQuery(a), cudaSuccess);
  TELLS(cudaEventSynchronize(a), cudaSuccess);
  TELLS(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventRecord(a, 0), cudaSuccess);
  TELLS(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventElapsedTime(&ms, b, a), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventRecord(b, s), cudaSuccess);
  cudaDeviceSynchronize();
  TELLS(cudaEventElapsedTime(&ms, a, b), cudaSuccess);
  TELLS(cudaEventElapsedTime(&ms, b, a), cudaSuccess); IS(ms <= 0, 1);
  TELLS(cudaEventElapsedTime(nullptr, a, b), cudaErrorInvalidValue);
  TELLS(cudaEventElapsedTime(&ms, nullptr, b), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventElapsedTime(&ms, a, nullptr), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventRecord(u, 0), cudaSuccess);
  TELLS(cudaEventElapsedTime(&ms, a, u), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventElapsedTime(&ms, u, u), cudaErrorInvalidResourceHandle);
  TELLS(cudaEventRecordWithFlags(a, 0, 77), cudaErrorInvalidValue);
  TELLS(cudaEventRecordWithFlags(a, 0, cudaEventRecordExternal), cudaErrorIllegalState);
  TELLS(cudaEventRecordWithFlags(a, s, cudaEventRecordDefault), cudaSuccess);
  TELLS(cudaStreamWaitEvent(s, nullptr, 0), cudaErrorInvalidResourceHandle);
  TELLS(cudaStreamWaitEvent(s, a, 77), cudaErrorInvalidValue);
  TELLS(cudaStreamWaitEvent(s, a, cudaEventWaitExternal), cudaErrorIllegalState);
  TELLS(cudaStreamWaitEvent(s, u, 0), cudaSuccess);
}

static void capture() {
  cudaStream_t s, t;
  cudaGraph_t g = nullptr;
  cudaGraphExec_t x = nullptr;
  cudaStreamCaptureStatus st;
  cudaEvent_t ev;
  int *d, h = 0;
  cudaMalloc(&d, 4096);
  cudaStreamCreate(&s), cudaStreamCreate(&t), cudaEventCreate(&ev);
  TELLS(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  TELLS(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal), cudaSuccess);
  TELLS(cudaStreamEndCapture(cudaStreamPerThread, &g), cudaSuccess);
  TELLS(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)77), cudaErrorInvalidValue);
  TELLS(cudaStreamEndCapture(s, &g), cudaErrorIllegalState);
  TELLS(cudaStreamIsCapturing(s, nullptr), cudaErrorInvalidValue);
  TELLS(cudaStreamIsCapturing(s, &st), cudaSuccess); IS(st, 0);
  TELLS(cudaStreamGetCaptureInfo(s, nullptr), cudaErrorInvalidValue);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  TELLS(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess); IS(mode, cudaStreamCaptureModeGlobal);
  TELLS(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess); IS(mode, cudaStreamCaptureModeRelaxed);
  void *p;
  DURING(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaErrorIllegalState, true);
  DURING(cudaMalloc(&p, 16), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaMallocHost(&p, 16), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaMallocManaged(&p, 16), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaFree(nullptr), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaStreamQuery(s), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaStreamSynchronize(t), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaStreamSynchronize(0), cudaErrorStreamCaptureImplicit, false);
  DURING(cudaEventQuery(ev), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaEventSynchronize(ev), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost), cudaErrorStreamCaptureImplicit, false);
  DURING(cudaMemset(d, 0, 4), cudaErrorStreamCaptureImplicit, false);
  DURING((fill<<<1, 1>>>(d, 1), cudaGetLastError()), cudaErrorStreamCaptureImplicit, false);
  DURING((fill<<<1, 1, 0, t>>>(d, 1), cudaGetLastError()), cudaSuccess, true);
  DURING((fill<<<1, 1, 0, s>>>(d, 1), cudaGetLastError()), cudaSuccess, true);
  DURING((fill<<<1, 2000, 0, s>>>(d, 1), cudaGetLastError()), cudaErrorInvalidValue, false);
  DURING(cudaMemcpyAsync(d, &h, 4, cudaMemcpyHostToDevice, s), cudaSuccess, true);
  DURING(cudaStreamAddCallback(s, callback, nullptr, 0), cudaErrorStreamCaptureUnsupported, false);
  DURING(cudaEventRecord(ev, 0), cudaErrorStreamCaptureImplicit, false);
  DURING(cudaEventRecord(ev, t), cudaSuccess, true);
  DURING(cudaStreamWaitEvent(s, ev, 0), cudaErrorStreamCaptureIsolation, false);
  DURING(cudaStreamWaitEvent(0, ev, 0), cudaErrorStreamCaptureImplicit, false);
  DURING((cudaEventRecord(ev, s), cudaEventSynchronize(ev)), cudaErrorCapturedEvent, false);
  DURING((cudaEventRecord(ev, s), cudaEventQuery(ev)), cudaErrorCapturedEvent, false);
  DURING((cudaEventRecord(ev, s), cudaStreamWaitEvent(t, ev, 0)), cudaSuccess, true);
  DURING(cudaGetLastError(), cudaSuccess, true);
  cudaDeviceSynchronize();
  DURING(cudaStreamEndCapture(t, &g), cudaErrorIllegalState, true);
  TELLS(cudaStreamEndCapture(s, nullptr), cudaErrorIllegalState);
  // graphs
  cudaGraphNode_t node, deps[2] = {};
  cudaKernelNodeParams kp = {};
  cudaMemsetParams mp = {};
  cudaHostNodeParams hp = {};
  int count = 8;
  void *args[] = {&d, &count};
  TELLS(cudaGraphCreate(nullptr, 0), cudaErrorInvalidValue);
  TELLS(cudaGraphCreate(&g, 1), cudaErrorInvalidValue);
  TELLS(cudaGraphCreate(&g, 0), cudaSuccess);
  TELLS(cudaGraphInstantiate(&x, nullptr, 0), cudaErrorInvalidValue);
  TELLS(cudaGraphInstantiate(nullptr, g, 0), cudaErrorInvalidValue);
  TELLS(cudaGraphInstantiate(&x, g, 0), cudaSuccess);
  TELLS(cudaGraphLaunch(x, s), cudaSuccess);
  TELLS(cudaGraphLaunch(nullptr, s), cudaErrorInvalidValue);
  TELLS(cudaGraphAddKernelNode(&node, g, nullptr, 0, nullptr), cudaErrorInvalidValue);
  TELLS(cudaGraphAddKernelNode(&node, g, nullptr, 0, &kp), cudaErrorInvalidDeviceFunction);
  kp.func = (void *)fill, kp.gridDim = 1, kp.blockDim = 2000, kp.kernelParams = args;
  TELLS(cudaGraphAddKernelNode(&node, g, nullptr, 0, &kp), cudaErrorInvalidValue);
  kp.blockDim = 32;
  TELLS(cudaGraphAddKernelNode(&node, nullptr, nullptr, 0, &kp), cudaErrorInvalidValue);
  TELLS(cudaGraphAddKernelNode(nullptr, g, nullptr, 0, &kp), cudaErrorInvalidValue);
  TELLS(cudaGraphAddKernelNode(&node, g, nullptr, 1, &kp), cudaErrorInvalidValue);
  TELLS(cudaGraphAddKernelNode(&node, g, deps, 1, &kp), cudaErrorInvalidValue);
  TELLS(cudaGraphAddKernelNode(&node, g, nullptr, 0, &kp), cudaSuccess);
  TELLS(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &mp), cudaErrorInvalidValue);
  mp.dst = d, mp.elementSize = 3, mp.width = 4, mp.height = 1;
  TELLS(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &mp), cudaErrorInvalidValue);
  TELLS(cudaGraphAddHostNode(&node, g, nullptr, 0, &hp), cudaErrorInvalidValue);
  TELLS(cudaGraphAddMemcpyNode1D(&node, g, nullptr, 0, d, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  TELLS(cudaGraphAddMemcpyNode1D(&node, g, nullptr, 0, d, &h, 4, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
  TELLS(cudaGraphAddEmptyNode(&node, g, nullptr, 0), cudaSuccess);
  TELLS(cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0), cudaErrorInvalidValue);
  cudaGraphNodeType type;
  TELLS(cudaGraphNodeGetType(node, nullptr), cudaErrorInvalidValue);
  TELLS(cudaGraphNodeGetType(nullptr, &type), cudaErrorInvalidValue);
  TELLS(cudaGraphGetNodes(nullptr, nullptr, nullptr), cudaErrorInvalidValue);
  TELLS(cudaGraphGetNodes(g, nullptr, nullptr), cudaErrorInvalidValue);
  TELLS(cudaGraphExecDestroy(x), cudaSuccess);
  TELLS(cudaGraphExecDestroy(nullptr), cudaErrorInvalidValue);
  TELLS(cudaGraphDestroy(g), cudaSuccess);
  TELLS(cudaGraphDestroy(nullptr), cudaErrorInvalidValue);
  // libraries
  cudaLibrary_t lib = nullptr;
  cudaKernel_t k;
  const char junk[64] = "this is no code at all";
  TELLS(cudaLibraryLoadData(&lib, nullptr, 0, 0, 0, 0, 0, 0), cudaErrorInvalidValue);
  TELLS(cudaLibraryLoadData(nullptr, junk, 0, 0, 0, 0, 0, 0), cudaErrorInvalidValue);
  TELLS(cudaLibraryLoadFromFile(&lib, "/no/such/file", 0, 0, 0, 0, 0, 0), cudaErrorFileNotFound);
  TELLS(cudaLibraryLoadFromFile(&lib, nullptr, 0, 0, 0, 0, 0, 0), cudaErrorInvalidValue);
  TELLS(cudaLibraryUnload(nullptr), cudaErrorInvalidResourceHandle);
  TELLS(cudaLibraryGetKernel(&k, nullptr, "x"), cudaErrorInvalidResourceHandle);
}

static void modes() {
  cudaStream_t s, b;
  cudaEvent_t fork, ev2;
  cudaGraph_t g;
  int *d;
  float ms;
  cudaStreamCaptureStatus st;
  cudaStreamCreate(&s), cudaStreamCreate(&b), cudaEventCreate(&fork), cudaEventCreate(&ev2);
  cudaMalloc(&d, 64);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(b, fork, 0);
  cudaMemsetAsync(d, 0, 4, b);
  TELLS(cudaStreamEndCapture(b, &g), cudaErrorStreamCaptureUnmatched);
  TELLS(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
  TELLS(cudaStreamIsCapturing(b, &st), cudaSuccess);
  IS(st, 0);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(b, fork, 0);
  cudaMemsetAsync(d, 0, 4, b);
  TELLS(cudaEventQuery(fork), cudaErrorCapturedEvent);
  TELLS(cudaStreamIsCapturing(s, &st), cudaSuccess);
  IS(st, 2);
  TELLS(cudaStreamIsCapturing(b, &st), cudaSuccess);
  IS(st, 2);
  TELLS(cudaStreamEndCapture(b, &g), cudaErrorStreamCaptureUnmatched);
  TELLS(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
  TELLS(cudaStreamIsCapturing(b, &st), cudaSuccess);
  IS(st, 0);
  TELLS(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed), cudaSuccess);
  void *p;
  TELLS(cudaMalloc(&p, 16), cudaSuccess);
  TELLS(cudaEventQuery(ev2), cudaSuccess);
  TELLS(cudaStreamSynchronize(b), cudaSuccess);
  TELLS(cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported);
  TELLS(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
  TELLS(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed), cudaSuccess);
  TELLS(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  TELLS(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
  TELLS(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed), cudaSuccess);
  TELLS(cudaStreamSynchronize(b), cudaSuccess);
  TELLS(cudaMallocManaged(&p, 16), cudaSuccess);
  TELLS(cudaMallocHost(&p, 16), cudaSuccess);
  TELLS(cudaStreamQuery(b), cudaSuccess);
  TELLS(cudaEventSynchronize(ev2), cudaSuccess);
  TELLS(cudaStreamEndCapture(s, &g), cudaSuccess);
  TELLS(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  TELLS(cudaStreamSynchronize(b), cudaErrorStreamCaptureUnsupported);
  TELLS(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
  TELLS(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaSuccess);
  TELLS(cudaEventRecord(fork, s), cudaSuccess);
  TELLS(cudaEventElapsedTime(&ms, fork, fork), cudaErrorCapturedEvent);
  TELLS(cudaStreamEndCapture(s, &g), cudaSuccess);
  TELLS(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaSuccess);
  TELLS(cudaStreamCreate(&b), cudaSuccess);
  TELLS(cudaEventCreate(&ev2), cudaSuccess);
  TELLS(cudaStreamDestroy(b), cudaSuccess);
  TELLS(cudaEventDestroy(ev2), cudaSuccess);
  TELLS(cudaHostRegister(&ms, 4, 0), cudaErrorStreamCaptureUnsupported);
  TELLS(cudaHostUnregister(&ms), cudaErrorStreamCaptureUnsupported);
  TELLS(cudaFreeHost(nullptr), cudaErrorStreamCaptureUnsupported);
  TELLS(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
  TELLS(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaSuccess);
  size_t n;
  TELLS(cudaMemGetInfo(&n, &n), cudaSuccess);
  TELLS(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024), cudaSuccess);
  TELLS(cudaDeviceSetLimit(cudaLimitStackSize, 1024), cudaErrorStreamCaptureUnsupported);
  TELLS(cudaDeviceGetLimit(&n, cudaLimitStackSize), cudaSuccess);
  TELLS(cudaMemcpyToSymbol(symbol, &n, 4), cudaErrorStreamCaptureImplicit);
  TELLS(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
  TELLS(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaSuccess);
  TELLS(cudaMemcpyToSymbolAsync(symbol, &n, 4, 0, cudaMemcpyHostToDevice, s), cudaSuccess);
  TELLS(cudaStreamGetCaptureInfo(s, &st, nullptr), cudaSuccess);
  TELLS(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal), cudaSuccess);
  TELLS(cudaStreamEndCapture(cudaStreamPerThread, &g), cudaSuccess);
  TELLS(cudaStreamEndCapture(s, &g), cudaSuccess);
}

int main() {
  streams();
  capture();
  modes();
  TELLS(cudaDeviceSynchronize(), cudaSuccess);
  return check_done("errors_streams");
}
