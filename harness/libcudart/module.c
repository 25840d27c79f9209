// Fat binaries, kernels and variables that the program registers before main, and loads at their first use.
//
// Interface: the __cudaRegister* calls that nvcc puts into every program; sl__function and sl__variable for
// the rest of the API. A wrapper of version 2 (relocatable device code) leads to the original containers;
// each becomes a module, and those without PTX (the toolkit's device runtime) are skipped. A module is sent
// to the device when something of it is used.
#include "libcudart/client.h"

typedef struct wrapper {
  uint32_t magic, version;
  const void *container;
  const void *const *originals;
} wrapper;
enum { WRAPPER_MAGIC = 0x466243B1, MAX_PARTS = 256, BUCKETS = 1024 };
#define CONTAINER_MAGIC 0xBA55ED50u

typedef struct part {
  uint64_t id;
  unsigned arch;
} part;
struct sl_module {
  const wrapper *from;
  bool loaded;
  cudaError_t state;   // whether it could be loaded
  cudaError_t missing; // why some of its parts could not be loaded, though others could
  part *parts;
  size_t n_parts;
  sl_module *next;
};

static sl_module *modules;
static sl_function *functions[BUCKETS], *all_functions;
static sl_variable *variables[BUCKETS];

static size_t bucket(const void *p) { return ((uintptr_t)p >> 3) * 0x9E3779B97F4A7C15ull >> 54; }

// Loading ---------------------------------------------------------------------------------------------------

static uint64_t container_size(const void *data) {
  const uint8_t *p = data;
  uint32_t magic;
  uint16_t header;
  uint64_t body;
  memcpy(&magic, p, 4);
  memcpy(&header, p + 6, 2);
  memcpy(&body, p + 8, 8);
  return magic == CONTAINER_MAGIC && body < SL_MAX_MODULE - header ? header + body : 0;
}

// Prints why loading failed. [text]: message NUL hint NUL.
static void say_why(const char *text, size_t len) {
  if (len < 2 || text[len - 1] != 0) return;
  const char *hint = text + strlen(text) + 1;
  if (hint < text + len && hint[0]) sl__say("error: %s\n  hint: %s", text, hint);
  else sl__say("error: %s", text);
}

static cudaError_t load_part(sl_module *m, const void *container, bool one_of_many) {
  uint64_t size = container_size(container);
  if (size == 0) return cudaErrorInvalidKernelImage;
  char why[4096];
  sl_call k = {.op = SL_MSG_LOAD,
               .arg = {one_of_many},
               .out = {container},
               .out_len = {size},
               .in = why,
               .in_cap = sizeof why};
  cudaError_t e = sl__call(&k);
  if (e) {
    if (!one_of_many || e != cudaErrorNoKernelImageForDevice) say_why(why, k.in_len);
    return e;
  }
  part *grown = realloc(m->parts, (m->n_parts + 1) * sizeof *grown);
  if (!grown) return cudaErrorMemoryAllocation;
  m->parts = grown;
  m->parts[m->n_parts++] = (part){k.arg[0], (unsigned)k.arg[1]};
  return cudaSuccess;
}

static cudaError_t load_all(sl_module *m) {
  if (m->from->magic != WRAPPER_MAGIC) return cudaErrorInvalidKernelImage;
  const void *const *list = m->from->version == 2 ? m->from->originals : NULL;
  if (!list || !list[0]) return load_part(m, m->from->container, false);
  m->missing = cudaSuccess;
  for (size_t i = 0; i < MAX_PARTS && list[i]; i++) {
    cudaError_t e = load_part(m, list[i], true);
    if (e && !m->missing) m->missing = e;
  }
  return m->n_parts > 0 ? cudaSuccess : m->missing;
}

// Might a later attempt succeed? Then the failure is not remembered.
static bool passing(cudaError_t e) { return e == cudaErrorNoDevice || e == cudaErrorInitializationError; }

static cudaError_t load_module(sl_module *m) {
  cudaError_t e = sl__ready();
  if (e || m->loaded) return e ? e : m->state;
  m->state = load_all(m);
  m->loaded = !passing(m->state);
  return m->state;
}

// Using -----------------------------------------------------------------------------------------------------

static cudaError_t ask_kernel(sl_function *f, const part *p) {
  size_t cap = sizeof f->info + 4096 * sizeof(sl_param_msg);
  char *answer = malloc(cap);
  sl_call k = {.op = SL_MSG_KERNEL,
               .arg = {p->id},
               .out = {f->name},
               .out_len = {strlen(f->name)},
               .in = answer,
               .in_cap = cap};
  cudaError_t e = answer ? sl__call(&k) : cudaErrorMemoryAllocation;
  size_t rest = k.in_len - sizeof f->info;
  if (!e && (k.in_len < sizeof f->info || !(f->params = malloc(rest + 1)))) e = cudaErrorMemoryAllocation;
  if (!e) {
    memcpy(&f->info, answer, sizeof f->info);
    memcpy(f->params, answer + sizeof f->info, rest);
    f->id = k.arg[0];
    f->arch = p->arch;
    uint64_t most = sl__device()->shared_per_block;
    f->max_dynamic = f->info.static_shared < most ? most - f->info.static_shared : 0;
  }
  free(answer);
  return e;
}

static cudaError_t resolve_function(sl_function *f) {
  cudaError_t e = load_module(f->module);
  if (e || f->resolved) return e ? e : f->state;
  e = cudaErrorInvalidDeviceFunction;
  for (size_t i = 0; i < f->module->n_parts && e == cudaErrorInvalidDeviceFunction; i++)
    e = ask_kernel(f, &f->module->parts[i]);
  if (e == cudaErrorInvalidDeviceFunction && f->module->missing) e = f->module->missing;
  f->state = e;
  f->resolved = e == cudaSuccess || e == cudaErrorInvalidDeviceFunction;
  return e;
}

sl_function *sl__registered(const void *host) {
  for (sl_function *f = functions[bucket(host)]; f; f = f->next)
    if (f->host == host) return f;
  for (sl_function *f = all_functions; f; f = f->all)
    if (f == host) return f;
  return NULL;
}

cudaError_t sl__function(const void *host, sl_function **out) {
  SL_TRY(sl__alive());
  if ((*out = sl__registered(host))) return resolve_function(*out);
  return host ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
}

static cudaError_t resolve_variable(sl_variable *v) {
  cudaError_t e = load_module(v->module);
  if (e || v->resolved) return e;
  e = cudaErrorInvalidSymbol;
  for (size_t i = 0; i < v->module->n_parts && e == cudaErrorInvalidSymbol; i++) {
    sl_call k = {
        .op = SL_MSG_SYMBOL, .arg = {v->module->parts[i].id}, .out = {v->name}, .out_len = {strlen(v->name)}};
    e = sl__call(&k);
    v->addr = k.arg[0];
    v->size = k.arg[1];
  }
  v->resolved = e == cudaSuccess;
  return e;
}

cudaError_t sl__variable(const void *host, sl_variable **out) {
  cudaError_t e = sl__alive();
  for (sl_variable *v = variables[bucket(host)]; v && !e; v = v->next)
    if (v->host == host) return resolve_variable(*out = v);
  // for a managed variable the program knows the address of its memory
  for (size_t i = 0; i < BUCKETS && !e; i++)
    for (sl_variable *v = variables[i]; v; v = v->next)
      if (v->managed && v->resolved && *v->managed == host) return *out = v, cudaSuccess;
  return e ? e : cudaErrorInvalidSymbol;
}

void sl__modules_forget(void) {
  for (sl_module *m = modules; m; m = m->next) {
    m->loaded = false;
    m->n_parts = 0;
  }
  for (sl_function *f = all_functions; f; f = f->all) {
    f->resolved = false;
    free(f->params);
    f->params = NULL;
  }
  for (size_t i = 0; i < BUCKETS; i++)
    for (sl_variable *v = variables[i]; v; v = v->next) v->resolved = false;
}

// Registration ----------------------------------------------------------------------------------------------

void **__cudaRegisterFatBinary(void *fat) {
  sl_module *m = calloc(1, sizeof *m);
  if (!m) abort();
  m->from = fat;
  sl__enter();
  m->next = modules;
  modules = m;
  sl__leave();
  return (void **)m;
}

void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaRegisterFunction(void **handle, const char *host, char *, const char *name, int, void *, void *,
                            void *, void *, int *) {
  sl_function *f = calloc(1, sizeof *f);
  if (!f) abort();
  f->host = host;
  f->name = name;
  f->module = (sl_module *)handle;
  f->carveout = -1;
  sl__enter();
  f->next = functions[bucket(host)];
  functions[bucket(host)] = f;
  f->all = all_functions;
  all_functions = f;
  sl__leave();
}

static sl_variable *add_variable(void **handle, const void *host, const char *name, size_t size) {
  sl_variable *v = calloc(1, sizeof *v);
  if (!v) abort();
  v->host = host;
  v->name = name;
  v->size = size;
  v->module = (sl_module *)handle;
  sl__enter();
  v->next = variables[bucket(host)];
  variables[bucket(host)] = v;
  sl__leave();
  return v;
}

void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int, size_t size, int, int) {
  add_variable(handle, host, name, size);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size) {
  add_variable(handle, host, name, size);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *, const char *name, int, size_t size, int,
                              int) {
  add_variable(handle, host, name, size)->managed = host;
}

// Makes the managed variables of a module visible to the host; the program calls this before it uses one.
char __cudaInitModule(void **handle) {
  cudaError_t e = cudaSuccess;
  sl__enter();
  for (size_t i = 0; i < BUCKETS; i++)
    for (sl_variable *v = variables[i]; v && !e; v = v->next) {
      if (!v->managed || v->module != (sl_module *)handle || sl__managed_has(v->resolved ? v->addr : 0))
        continue;
      e = resolve_variable(v);
      if (!e) e = sl__managed_map(v->addr, v->size);
      if (!e) *v->managed = (void *)(uintptr_t)v->addr;
    }
  sl__managed_close(); // kernels may have used them before the host does
  sl__leave();
  if (e) sl__say("cannot set up the program's __managed__ variables: %s", cudaGetErrorString(sl__keep(e)));
  return e == cudaSuccess;
}

// Unregistration (dlclose, or the end of the program) -------------------------------------------------------

static void drop_functions(const sl_module *m) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (sl_function **at = &functions[i]; *at;)
      if ((*at)->module == m) *at = (*at)->next;
      else at = &(*at)->next;
  for (sl_function **at = &all_functions; *at;) {
    sl_function *f = *at;
    if (f->module != m) {
      at = &f->all;
      continue;
    }
    *at = f->all;
    free(f->params);
    free(f);
  }
}

static void drop_variables(const sl_module *m) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (sl_variable **at = &variables[i]; *at;) {
      sl_variable *v = *at;
      if (v->module != m) {
        at = &v->next;
        continue;
      }
      *at = v->next;
      if (v->managed && v->resolved) sl__managed_drop(v->addr);
      free(v);
    }
}

void __cudaUnregisterFatBinary(void **handle) {
  sl_module *m = (sl_module *)handle;
  sl__enter();
  sl__print_text();
  for (size_t i = 0; i < m->n_parts && sl__connected(); i++) sl__call1(SL_MSG_UNLOAD, m->parts[i].id, 0, 0);
  drop_functions(m);
  drop_variables(m);
  *SL_LINK_TO(modules, m) = m->next;
  free(m->parts);
  free(m);
  sl__leave();
}

void __cudaRegisterUnifiedTable(void **handle, void *table);
void __cudaRegisterUnifiedTable(void **, void *) {}
