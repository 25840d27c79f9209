// Launches: the calls behind <<<...>>>, cudaLaunchKernel and its relatives.
//
// A launch is checked against the device and the kernel, as in the real runtime, and its parameters are laid
// out as the PTX says. When the call returns, the kernel has run to its end. Later calls report its errors.
#include "libcudart/graph.h"

// The configuration between <<< and the call; launches can nest in argument lists.
typedef struct pending {
  dim3 grid, block;
  size_t shared;
  void *stream;
} pending;
enum { MAX_PENDING = 16 };
static _Thread_local pending stack[MAX_PENDING];
static _Thread_local int depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  if (depth == MAX_PENDING) return 1;
  stack[depth++] = (pending){grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (depth == 0) return cudaErrorMissingConfiguration;
  const pending *p = &stack[--depth];
  *grid = p->grid;
  *block = p->block;
  *shared = p->shared;
  *(void **)stream = p->stream;
  return cudaSuccess;
}

// Checks ----------------------------------------------------------------------------------------------------

static bool within(dim3 d, unsigned x, unsigned y, unsigned z) {
  return d.x && d.y && d.z && d.x <= x && d.y <= y && d.z <= z;
}

// Says what is wrong with a configuration, and which limit it breaks; NULL if nothing is.
static const char *wrong(const sl_function *f, const sl_configured *c, uint64_t *limit) {
  const dim3 grid = c->grid, block = c->block;
  const sl_device_info *d = sl__device();
  uint64_t threads = (uint64_t)block.x * block.y * block.z, bound = f->info.max_threads;
  *limit = 1;
  if (!grid.x || !grid.y || !grid.z) return "blocks (the first value), at least";
  if (!block.x || !block.y || !block.z) return "threads of a block (the second value), at least";
  *limit = d->max_threads_per_block;
  if (!within(block, 1024, 1024, 1024) || threads > *limit)
    return "threads of a block (the second value), at most";
  if (!within(block, 1024, 1024, 64)) return *limit = 64, "extent z of a block, at most";
  if (!within(grid, 2147483647u, 65535, 65535))
    return *limit = 65535, "extents y and z of a grid (and x / 32768), at most";
  *limit = bound;
  if (bound && threads > bound) return "threads of a block by the kernel's __launch_bounds__, at most";
  *limit = f->max_dynamic;
  return c->shared > *limit ? "bytes of dynamic shared memory (the third value), at most" : NULL;
}

// The plain name in a mangled one, _Z6kernelPKfi; any other name whole.
static int plain_length(const char *mangled, const char **name) {
  char *end = NULL;
  unsigned long len = strncmp(mangled, "_Z", 2) ? 0 : strtoul(mangled + 2, &end, 10);
  bool plain = len > 0 && len < strlen(end);
  *name = plain ? end : mangled;
  return (int)(plain ? len : strlen(mangled));
}

// Checks a configuration. CUDA 13 has one error for every wrong one; earlier versions had several.
static cudaError_t check_launch(const sl_function *f, const sl_configured *c) {
  const dim3 grid = c->grid, block = c->block;
  uint64_t limit, blocks = (uint64_t)grid.x * grid.y * grid.z;
  const char *what = wrong(f, c, &limit);
  cudaError_t e = what ? cudaErrorInvalidValue : cudaSuccess;
  if (!e && c->cooperative) {
    limit = (uint64_t)sl__blocks_per_sm(f, block.x * block.y * block.z, c->shared) *
            sl__device()->multiprocessors * sl__device()->crowd;
    what = "blocks of a cooperative launch, at most";
    if (blocks > limit) e = cudaErrorCooperativeLaunchTooLarge;
  }
  const char *name;
  int len = plain_length(f->name, &name);
  if (e && getenv("SCANLAB_EXPLAIN") && !sl__failures_told())
    sl__say("%.*s<<<(%u,%u,%u), (%u,%u,%u), %zu>>> was refused: %s %llu", len, name, grid.x, grid.y, grid.z,
            block.x, block.y, block.z, c->shared, what, (unsigned long long)limit);
  if (e)
    sl__detail("<<<(%u,%u,%u), (%u,%u,%u), %zu>>>: %s %llu", grid.x, grid.y, grid.z, block.x, block.y,
               block.z, c->shared, what, (unsigned long long)limit);
  if (!blocks || !block.x || !block.y || !block.z) sl__about_empty_launch();
  return e;
}

// Sending ---------------------------------------------------------------------------------------------------

static cudaError_t send_launch(const sl_function *f, sl_launch_msg *m, const void *params) {
  char why[4096];
  sl_call k = {.op = SL_MSG_LAUNCH,
               .arg = {f->id},
               .out = {m, params},
               .out_len = {sizeof *m, m->param_bytes},
               .in = why,
               .in_cap = sizeof why,
               .unanswered = !m->cooperative}; // check_launch has checked what sl-gpu will
  return sl__call_placed(&k);
}

cudaError_t sl__pack(const sl_function *f, const sl_configured *c, sl_launch_msg *m, uint8_t *params) {
  *m = (sl_launch_msg){.grid = {c->grid.x, c->grid.y, c->grid.z},
                       .block = {c->block.x, c->block.y, c->block.z},
                       .shared_bytes = c->shared,
                       .stack_bytes = sl__stack_limit(),
                       .cooperative = c->cooperative,
                       .param_bytes = f->info.param_bytes};
  cudaError_t e = check_launch(f, c);
  sl__about_kernel(f->name);
  if (e) return e;
  if (m->param_bytes > SL_MAX_PARAMS) return cudaErrorInvalidValue;
  memset(params, 0, m->param_bytes);
  for (uint32_t i = 0; i < f->info.n_params; i++) {
    const sl_param_msg *p = &f->params[i];
    if (!c->args || !c->args[i]) return cudaErrorInvalidValue;
    if ((uint64_t)p->offset + p->size <= m->param_bytes) memcpy(params + p->offset, c->args[i], p->size);
  }
  return cudaSuccess;
}

cudaError_t sl__launch_packed(const sl_function *f, sl_launch_msg *m, const void *params) {
  sl__managed_open();
  sl__pending_work(m->stream);
  sl__pinned_named(params, m->param_bytes, 0);
  sl__managed_named(params, m->param_bytes);
  cudaError_t e = sl__managed_push();
  if (e) return e;
  if ((e = send_launch(f, m, params))) return e;
  e = sl__managed_pull();
  sl__managed_close();
  return e == cudaErrorMemoryAllocation ? e : cudaSuccess;
}

static cudaError_t launch_kernel(const void *func, const sl_configured *c, cudaStream_t stream) {
  sl_function *f;
  cudaError_t e = sl__function(func, &f);
  if (e) return e;
  if (!sl__stream_ok(stream)) return cudaErrorInvalidResourceHandle;
  uint8_t params[SL_MAX_PARAMS];
  sl_node n = {.kind = SL_NODE_KERNEL, .kernel = {.f = f, .params = params}};
  if ((e = sl__pack(f, c, &n.kernel.m, params))) return sl__capture_spoilt(stream), e;
  if (sl__capture(stream, &n, &e)) return e;
  n.kernel.m.stream = sl__stream_works(stream);
  return sl__launch_packed(f, &n.kernel.m, params);
}

// Entries ---------------------------------------------------------------------------------------------------

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream) {
  SL_LOCKED(launch_kernel(func, &(sl_configured){grid, block, args, shared, false}, stream));
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream) {
  SL_LOCKED(launch_kernel(kernel, &(sl_configured){grid, block, args, shared, false}, stream));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream) {
  SL_LOCKED(launch_kernel(func, &(sl_configured){grid, block, args, shared, true}, stream));
}

// Says once that the attribute is not simulated, and what to do instead.
static cudaError_t refuse_attribute(cudaError_t e, const char *text, bool *said) {
  if (!*said) sl__say("%s", text);
  *said = true;
  return e;
}

static cudaError_t read_cluster(unsigned x, unsigned y, unsigned z) {
  static bool said;
  if (x == 1 && y == 1 && z == 1) return cudaSuccess;
  if (!x || !y || !z) return cudaErrorInvalidClusterSize;
  return refuse_attribute(cudaErrorInvalidClusterSize,
                          "clusters of several blocks are not simulated: let blocks share global memory",
                          &said);
}

// Reads a launch attribute. Events that fire while the kernel runs are not supported: they would be edges of
// a graph. Other attributes are hints.
static cudaError_t read_attribute(const cudaLaunchAttribute *a, bool *cooperative) {
  static bool said;
  switch (a->id) {
  case cudaLaunchAttributeCooperative: return *cooperative = a->val.cooperative != 0, cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    return read_cluster(a->val.clusterDim.x, a->val.clusterDim.y, a->val.clusterDim.z);
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return a->val.sharedMemCarveout <= 100 ? cudaSuccess : cudaErrorInvalidValue;
  case cudaLaunchAttributeSynchronizationPolicy:
    return cudaErrorInvalidValue; // these are attributes of streams only
  case cudaLaunchAttributeProgrammaticEvent:
  case cudaLaunchAttributeLaunchCompletionEvent:
    return refuse_attribute(
        cudaErrorNotSupported,
        "events that a kernel sets before its end are not simulated: record the event behind the kernel",
        &said);
  default:
    return (unsigned)a->id <= cudaLaunchAttributePreferredSharedMemoryCarveout ? cudaSuccess
                                                                               : cudaErrorInvalidValue;
  }
}

static cudaError_t read_attributes(const cudaLaunchConfig_t *c, bool *cooperative) {
  cudaError_t e = c->numAttrs && !c->attrs ? cudaErrorInvalidValue : cudaSuccess;
  for (unsigned i = 0; i < c->numAttrs && !e; i++) e = read_attribute(&c->attrs[i], cooperative);
  return e;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *func, void **args) {
  bool cooperative = false;
  cudaError_t e = c ? read_attributes(c, &cooperative) : cudaErrorInvalidValue;
  if (e) return sl__keep(e);
  const sl_configured how = {c->gridDim, c->blockDim, args, c->dynamicSmemBytes, cooperative};
  SL_LOCKED(launch_kernel(func, &how, c->stream));
}

// A handle is the function's own record. The launch resolves it, because it can report the error.
static cudaError_t get_kernel(cudaKernel_t *out, const void *host) {
  sl_function *f = sl__registered(host);
  if (!out) return cudaErrorInvalidValue;
  *out = (cudaKernel_t)f;
  return f ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}
cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *host) { SL_LOCKED(get_kernel(out, host)); }
cudaError_t cudaGetKernel(cudaKernel_t *out, const void *host) { SL_LOCKED(get_kernel(out, host)); }
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *host) {
  SL_LOCKED(get_kernel((cudaKernel_t *)out, host));
}

// Host functions run at once: all work before them is done.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data) {
  if (!fn) return sl__keep(cudaErrorInvalidValue);
  if (!sl__stream_ok(stream)) return sl__keep(cudaErrorInvalidResourceHandle);
  sl__enter();
  cudaError_t e;
  if (sl__capture(stream, &(sl_node){.kind = SL_NODE_HOST, .host = {fn, data}}, &e)) {
    sl__leave();
    return sl__keep(e);
  }
  // the function may tell the host that all work before it is done
  e = sl__stream_reached(stream);
  sl__leave();
  if (e) return sl__keep(e);
  sl__run_host(fn, data);
  return cudaSuccess;
}
