// Loads the CUDA runtime of the chosen backend and wraps the few calls that the judge makes.
//
// Interface: device.h. Our runtime is lib/libcudart.so.13 beside the programs; it finds the simulated GPU by
// SCANLAB_GPU. The real one is the toolkit's that the course was configured with, else the loader's.
#include "judge/device.h"

#include "gpu/protocol.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <signal.h>

const char *const sl_backend_names[] = {"sim", "gpu", NULL};

enum { MAX_ENV = 8 };

struct sl_device {
  sl_backend backend;
  sl_control *control;
  void *library;
  char *env[MAX_ENV + 1];
  cudaError_t (*malloc)(void **p, size_t bytes);
  cudaError_t (*free)(void *p);
  cudaError_t (*memcpy)(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
  cudaError_t (*synchronize)(void);
  cudaError_t (*ipc_handle)(cudaIpcMemHandle_t *handle, void *p);
  cudaError_t (*malloc_host)(void **p, size_t bytes);
  cudaError_t (*free_host)(void *p);
  struct staging {
    void *at;
    size_t bytes;
    bool locked;
  } staging[2];
  cudaError_t (*device_count)(int *n);
  const char *(*error_name)(cudaError_t code);
  const char *(*error_string)(cudaError_t code);
};

// Loading ---------------------------------------------------------------------------------------------------

static bool load_functions(sl_device *d, sl_error *e) {
  const struct {
    const char *name;
    size_t at;
  } rows[] = {
      {"cudaMalloc", offsetof(sl_device, malloc)},
      {"cudaFree", offsetof(sl_device, free)},
      {"cudaMemcpy", offsetof(sl_device, memcpy)},
      {"cudaDeviceSynchronize", offsetof(sl_device, synchronize)},
      {"cudaIpcGetMemHandle", offsetof(sl_device, ipc_handle)},
      {"cudaMallocHost", offsetof(sl_device, malloc_host)},
      {"cudaFreeHost", offsetof(sl_device, free_host)},
      {"cudaGetDeviceCount", offsetof(sl_device, device_count)},
      {"cudaGetErrorName", offsetof(sl_device, error_name)},
      {"cudaGetErrorString", offsetof(sl_device, error_string)},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    void *f = dlsym(d->library, rows[k].name);
    if (!f) return sl_fail(e, SL_EXIT_INFRA, NULL, "the CUDA runtime library lacks %s", rows[k].name);
    memcpy((char *)d + rows[k].at, &f, sizeof f);
  }
  return true;
}

// The folder of a backend's runtime library, malloc'ed; "": let the loader search.
static char *library_folder(sl_backend backend) {
  if (backend == SL_BACKEND_GPU) return sl_path("%s", sl_cuda_libraries());
  return sl_tool_path("../lib");
}

static bool load_library(sl_device *d, const char *folder, sl_error *e) {
  SL_FREED char *file = sl_path("%s%slibcudart.so.13", folder, folder[0] ? "/" : "");
  d->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!d->library)
    sl_fail(e, SL_EXIT_INFRA,
            d->backend == SL_BACKEND_GPU ? "install the CUDA toolkit's runtime library"
                                         : "build the course first: ./scanlab setup",
            "cannot load the CUDA runtime: %s", dlerror());
  return d->library && load_functions(d, e);
}

// Interruption ----------------------------------------------------------------------------------------------

static sl_control *volatile running; // the simulated GPU whose folder a signal must remove
static struct sigaction before[3];
static const int stopping[3] = {SIGINT, SIGTERM, SIGHUP};

// Removes the simulated GPU, then lets the earlier handler act.
static void on_stop(int sig) {
  if (running) sl_control_abort(running);
  for (int k = 0; k < 3; k++)
    if (stopping[k] == sig && before[k].sa_handler != SIG_DFL && before[k].sa_handler != SIG_IGN)
      before[k].sa_handler(sig);
  _exit(SL_EXIT_INTERRUPTED);
}

static void watch_signals(sl_control *control) {
  struct sigaction act = {.sa_handler = on_stop};
  sigfillset(&act.sa_mask);
  running = control;
  for (int k = 0; k < 3; k++) {
    struct sigaction now;
    if (sigaction(stopping[k], NULL, &now) != 0 || now.sa_handler == on_stop || now.sa_handler == SIG_IGN)
      continue;
    before[k] = now;
    sigaction(stopping[k], &act, NULL);
  }
}

// Opening ---------------------------------------------------------------------------------------------------

static void add_env(sl_device *d, char *entry) {
  int k = 0;
  while (d->env[k]) k++;
  if (k < MAX_ENV) d->env[k] = entry;
  else free(entry);
}

static void make_env(sl_device *d, const char *folder) {
  const char *path = getenv("LD_LIBRARY_PATH"), *visible = getenv("CUDA_VISIBLE_DEVICES");
  add_env(d, sl_path("HOME=/nonexistent"));
  add_env(d, sl_path("LANG=C"));
  if (d->backend == SL_BACKEND_SIM) {
    add_env(d, sl_path("LD_LIBRARY_PATH=%s", folder));
    // lets the runtime say why it refuses a launch: the program only returns an error number
    add_env(d, sl_path("SCANLAB_EXPLAIN=1"));
    add_env(d, sl_path("%s=%s", SL_GPU_ENV, sl_control_socket(d->control)));
  } else {
    add_env(d, sl_path("LD_LIBRARY_PATH=%s%s%s", folder, path ? ":" : "", path ? path : ""));
    if (visible) add_env(d, sl_path("CUDA_VISIBLE_DEVICES=%s", visible));
  }
}

static bool find_device(sl_device *d, sl_error *e) {
  int n = 0;
  cudaError_t err = d->device_count(&n);
  char text[160];
  if (err == cudaSuccess && n > 0) return true;
  return sl_fail(e, SL_EXIT_INFRA,
                 d->backend == SL_BACKEND_GPU ? "use --backend sim on a machine without a GPU" : NULL,
                 "no usable GPU: %s", sl_device_error_text(d, (int)err, text, sizeof text));
}

sl_device *sl_device_open(sl_backend backend, const sl_gpu_options *options, const sl_report_to *report,
                          sl_error *e) {
  sl_device *d = calloc(1, sizeof *d);
  if (!d) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory"), NULL;
  SL_FREED char *folder = library_folder(backend);
  d->backend = backend;
  bool ok = true;
  if (backend == SL_BACKEND_SIM) {
    d->control = sl_control_start(options, report, e);
    if (d->control) watch_signals(d->control);
    ok = d->control && (setenv(SL_GPU_ENV, sl_control_socket(d->control), 1) == 0 ||
                        sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory"));
  }
  ok = ok && load_library(d, folder, e);
  if (ok) make_env(d, folder);
  ok = ok && find_device(d, e);
  if (ok) return d;
  sl_device_close(d, e);
  return NULL;
}

bool sl_device_leave(sl_device *d, sl_device **spare) {
  if (!d || !d->control || !spare || *spare) return false;
  *spare = d;
  return true;
}

bool sl_device_renew(sl_device *d, const sl_gpu_options *options, sl_error *e) {
  SL_FREED char *folder = library_folder(d->backend);
  dlclose(d->library); // its connection ends
  d->library = NULL;
  return sl_control_renew(d->control, options, e) && load_library(d, folder, e) && find_device(d, e);
}

static void free_staging(sl_device *d, struct staging *s) {
  if (s->locked) d->free_host(s->at);
  else free(s->at);
  *s = (struct staging){0};
}

bool sl_device_close(sl_device *d, sl_error *e) {
  bool ok = true;
  if (!d) return true;
  running = NULL;
  for (int k = 0; k < 2; k++) free_staging(d, &d->staging[k]);
  if (d->control) ok = sl_control_stop(d->control, 10, e);
  for (int k = 0; d->env[k]; k++) free(d->env[k]);
  // Unloads our library: the next device gets a connection of its own. The real one has threads: it stays.
  if (d->library && d->backend == SL_BACKEND_SIM) dlclose(d->library);
  free(d);
  return ok;
}

sl_control *sl_device_control(sl_device *d) { return d->control; }
char *const *sl_device_env(const sl_device *d) { return d->env; }

void *sl_device_symbol(const sl_device *d, const char *name) { return dlsym(d->library, name); }

// Calls -----------------------------------------------------------------------------------------------------

char *sl_device_error_text(const sl_device *d, int code, char *out, size_t cap) {
  snprintf(out, cap, "%s (%s)", d->error_name((cudaError_t)code), d->error_string((cudaError_t)code));
  return out;
}

static bool check_call(sl_device *d, cudaError_t err, const char *doing, size_t bytes, sl_error *e) {
  char text[160];
  if (err == cudaSuccess) return true;
  return sl_fail(e, SL_EXIT_INFRA, NULL, "the judge cannot %s (%zu bytes): %s", doing, bytes,
                 sl_device_error_text(d, (int)err, text, sizeof text));
}

bool sl_device_alloc(sl_device *d, size_t bytes, void **out, sl_error *e) {
  return check_call(d, d->malloc(out, bytes), "allocate device memory", bytes, e);
}

void sl_device_free(sl_device *d, void *p) {
  if (p) d->free(p);
}

bool sl_device_write(sl_device *d, void *to, const void *from, size_t bytes, sl_error *e) {
  return check_call(d, d->memcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device", bytes, e);
}

bool sl_device_read(sl_device *d, void *to, const void *from, size_t bytes, sl_error *e) {
  return check_call(d, d->memcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device", bytes, e);
}

bool sl_device_settle(sl_device *d, sl_error *e) {
  return d->control || check_call(d, d->synchronize(), "wait for the device", 0, e);
}

void *sl_device_staging(sl_device *d, int which, size_t bytes) {
  enum { LARGE = 4 << 20 }; // bytes from which page-locking pays
  struct staging *s = &d->staging[which];
  if (s->bytes >= bytes && s->at) return s->at;
  free_staging(d, s);
  s->bytes = bytes;
  s->locked = d->backend == SL_BACKEND_GPU && bytes >= LARGE && d->malloc_host(&s->at, bytes) == cudaSuccess;
  if (!s->locked) s->at = sl_alloc_array(bytes);
  return s->at;
}

bool sl_device_handle(sl_device *d, void *p, uint8_t handle[64], sl_error *e) {
  cudaIpcMemHandle_t h;
  if (!check_call(d, d->ipc_handle(&h, p), "share device memory", 0, e)) return false;
  memcpy(handle, &h, sizeof h);
  return true;
}
