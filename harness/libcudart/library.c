// Kernels and variables that a program loads by itself at run time: cudaLibraryLoadData,
// cudaLibraryLoadFromFile, cudaLibraryGetKernel, cudaLibraryGetGlobal, cudaLibraryUnload.
//
// A library is a module like those that nvcc registers (module.c): a fat binary container, as `nvcc -fatbin`
// writes it, or PTX as text, as NVRTC makes it. Its kernels are launched by their handles, which point to
// this library's records of functions. Compiler options are ignored; it has no managed variables.
#include "libcudart/client.h"

// The argument of __cudaRegisterFatBinary.
typedef struct image {
  uint32_t magic, version;
  const void *container;
  const void *const *originals;
} image;

typedef struct name { // a kernel or variable: the address of this record stands for the host's
  struct name *next;
  bool variable;
  char text[];
} name;

typedef struct library {
  void *file, *wrapped; // the file's contents, the container made around PTX; or NULL
  image image;
  void **module;
  name *names;
} library;

enum { IMAGE_MAGIC = 0x466243B1 };
#define CONTAINER_MAGIC 0xBA55ED50u

static void free_library(library *l) {
  for (name *n = l->names, *next; n; n = next) {
    next = n->next;
    free(n);
  }
  free(l->file);
  free(l->wrapped);
  free(l);
}

// Is it PTX as text, as NVRTC makes it? That begins with comments, then its version.
static bool is_ptx(const char *s) {
  while (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n' || (s[0] == '/' && s[1] == '/'))
    if (*s == '/') s += strcspn(s, "\n");
    else s++;
  return strncmp(s, ".version", 8) == 0;
}

// Makes a container around PTX, as harness/ptx/fatbin.c reads it: one stored entry for the text's .target.
static void *wrap(const char *text) {
  enum { HEAD = 16, ENTRY = 64, KIND_PTX = 1 };
  uint64_t len = strlen(text) + 1, body = ENTRY + (len + 7) / 8 * 8, payload = body - ENTRY;
  const char *target = strstr(text, ".target sm_");
  uint32_t arch = target ? (uint32_t)strtoul(target + strlen(".target sm_"), NULL, 10) : 0,
           entry_head = ENTRY;
  char *out = calloc(1, HEAD + body);
  if (!out) return NULL;
  memcpy(out, &(uint32_t){CONTAINER_MAGIC}, 4), memcpy(out + 4, &(uint16_t){1}, 2),
      memcpy(out + 6, &(uint16_t){HEAD}, 2);
  memcpy(out + 8, &body, 8);
  char *entry = out + HEAD;
  memcpy(entry, &(uint16_t){KIND_PTX}, 2), memcpy(entry + 4, &entry_head, 4), memcpy(entry + 8, &payload, 8);
  memcpy(entry + 0x1C, &arch, 4);
  memcpy(entry + ENTRY, text, len);
  return out;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *out, const void *code, enum cudaJitOption *, void **, unsigned,
                                enum cudaLibraryOption *, void **, unsigned) {
  if (!out || !code) SL_LOCKED(cudaErrorInvalidValue);
  uint32_t magic = 0;
  bool text = is_ptx(code);
  if (!text) memcpy(&magic, code, sizeof magic);
  if (!text && magic != CONTAINER_MAGIC && magic != IMAGE_MAGIC) SL_LOCKED(cudaErrorInvalidKernelImage);
  library *l = calloc(1, sizeof *l);
  if (l && text) l->wrapped = wrap(code);
  if (!l || (text && !l->wrapped)) {
    free(l);
    SL_LOCKED(cudaErrorMemoryAllocation);
  }
  l->image = (image){IMAGE_MAGIC, 1, text ? l->wrapped : code, NULL};
  if (magic == IMAGE_MAGIC) memcpy(&l->image, code, sizeof l->image);
  l->module = __cudaRegisterFatBinary(&l->image);
  *out = (cudaLibrary_t)l;
  return cudaSuccess;
}

// Is the container as long as its head says?
static bool is_whole(const char *data, size_t size) {
  uint16_t head;
  uint64_t body;
  if (size < 16) return false;
  memcpy(&head, data + 6, sizeof head);
  memcpy(&body, data + 8, sizeof body);
  return head <= size && body <= size - head;
}

// Reads the whole file, malloc'ed; NULL with *e set.
static void *read_file(const char *path, size_t *len, cudaError_t *e) {
  FILE *f = fopen(path, "rb");
  long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  void *all = size >= 0 ? malloc((size_t)size + 1) : NULL;
  bool good = all && fseek(f, 0, SEEK_SET) == 0 && fread(all, 1, (size_t)size, f) == (size_t)size;
  if (good) ((char *)all)[size] = 0; // the end of text
  *e = good ? cudaSuccess : !f ? cudaErrorFileNotFound : cudaErrorInvalidKernelImage;
  if (f) fclose(f);
  if (!good) free(all);
  *len = good ? (size_t)size : 0;
  return good ? all : NULL;
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *out, const char *path, enum cudaJitOption *jit,
                                    void **jit_values, unsigned n_jit, enum cudaLibraryOption *options,
                                    void **values, unsigned n) {
  cudaError_t e = out && path ? cudaSuccess : cudaErrorInvalidValue;
  size_t size = 0;
  void *all = e ? NULL : read_file(path, &size, &e);
  if (!e && !is_ptx(all) && !is_whole(all, size)) {
    free(all);
    e = cudaErrorInvalidKernelImage;
  }
  if (e) SL_LOCKED(e);
  e = cudaLibraryLoadData(out, all, jit, jit_values, n_jit, options, values, n);
  if (e) free(all);
  else ((library *)*out)->file = all;
  return e;
}

// Finds a kernel. The record of one that does not exist goes with the library.
static cudaError_t find_kernel(cudaKernel_t *out, const name *n) {
  sl_function *f;
  cudaError_t e = sl__function(n->text, &f);
  if (!e) *out = (cudaKernel_t)f;
  return e == cudaErrorInvalidDeviceFunction ? cudaErrorSymbolNotFound : e;
}

// The record of a name, made if need be; NULL: no memory.
static name *name_of(library *l, const char *text, bool variable) {
  name *n = l->names;
  while (n && (n->variable != variable || strcmp(n->text, text))) n = n->next;
  if (n || !(n = calloc(1, sizeof *n + strlen(text) + 1))) return n;
  strcpy(n->text, text);
  n->variable = variable;
  n->next = l->names;
  l->names = n;
  if (variable) __cudaRegisterVar(l->module, n->text, NULL, n->text, 0, 0, 0, 0);
  else __cudaRegisterFunction(l->module, n->text, NULL, n->text, -1, NULL, NULL, NULL, NULL, NULL);
  return n;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t lib, const char *text) {
  library *l = (library *)lib;
  if (!out || !l || !text) SL_LOCKED(l ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  name *n = name_of(l, text, false);
  SL_LOCKED(n ? find_kernel(out, n) : cudaErrorMemoryAllocation);
}

static cudaError_t find_variable(void **out, size_t *bytes, const name *n) {
  sl_variable *v = NULL;
  cudaError_t e = sl__variable(n->text, &v);
  if (e) return e == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound : e;
  if (out) *out = (void *)(uintptr_t)v->addr;
  if (bytes) *bytes = v->size;
  return cudaSuccess;
}

cudaError_t cudaLibraryGetGlobal(void **out, size_t *bytes, cudaLibrary_t lib, const char *text) {
  library *l = (library *)lib;
  if (!l || !text) SL_LOCKED(l ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  name *n = name_of(l, text, true);
  SL_LOCKED(n ? find_variable(out, bytes, n) : cudaErrorMemoryAllocation);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t lib) {
  if (!lib) SL_LOCKED(cudaErrorInvalidResourceHandle);
  library *l = (library *)lib;
  __cudaUnregisterFatBinary(l->module);
  free_library(l);
  return cudaSuccess;
}

// There is no cache here, so no line stays in one.
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }
