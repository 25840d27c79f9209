// Kernels that a program loads by itself at run time: cudaLibraryLoadData, cudaLibraryLoadFromFile, cudaLibraryGetKernel,
// cudaLibraryUnload.
//
// A library is a module like those that nvcc registers (module.c), around a fat binary container, as `nvcc -fatbin`
// writes it. Its kernels are launched by their handles, which are this library's records of functions. PTX as text,
// options of the compiler, and variables of a library are not supported.
#include "cudart/client/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What __cudaRegisterFatBinary takes.
typedef struct image {
  uint32_t magic, version;
  const void *container;
  const void *const *originals;
} image;

typedef struct name { // of a kernel: its address is what stands for a host function
  struct name *next;
  char text[];
} name;

typedef struct library {
  void *file; // what was read of one, or NULL
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
  free(l);
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *out, const void *code, enum cudaJitOption *jit, void **jit_values, unsigned n_jit,
                                enum cudaLibraryOption *options, void **values, unsigned n) {
  (void)jit, (void)jit_values, (void)options, (void)values, (void)n;
  uint32_t magic = 0;
  if (out && code) memcpy(&magic, code, sizeof magic);
  if (!out || !code || n_jit) SL_LOCKED(cudaErrorInvalidValue);
  if (magic != CONTAINER_MAGIC && magic != IMAGE_MAGIC) SL_LOCKED(cudaErrorInvalidKernelImage);
  library *l = calloc(1, sizeof *l);
  if (!l) SL_LOCKED(cudaErrorMemoryAllocation);
  l->image = (image){IMAGE_MAGIC, 1, code, NULL};
  if (magic == IMAGE_MAGIC) memcpy(&l->image, code, sizeof l->image);
  l->module = __cudaRegisterFatBinary(&l->image);
  *out = (cudaLibrary_t)l;
  return cudaSuccess;
}

// Are all bytes there of which the container's head speaks?
static bool whole(const char *data, size_t size) {
  uint16_t head;
  uint64_t body;
  if (size < 16) return false;
  memcpy(&head, data + 6, sizeof head);
  memcpy(&body, data + 8, sizeof body);
  return head <= size && body <= size - head;
}

// The whole file, malloc'ed; *e: why not.
static void *read_file(const char *path, cudaError_t *e) {
  FILE *f = fopen(path, "rb");
  long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  void *all = size >= 0 ? malloc((size_t)size + 1) : NULL;
  bool good = all && fseek(f, 0, SEEK_SET) == 0 && fread(all, 1, (size_t)size, f) == (size_t)size && whole(all, (size_t)size);
  *e = good ? cudaSuccess : !f ? cudaErrorFileNotFound : cudaErrorInvalidKernelImage;
  if (f) fclose(f);
  if (!good) free(all);
  return good ? all : NULL;
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *out, const char *path, enum cudaJitOption *jit, void **jit_values,
                                    unsigned n_jit, enum cudaLibraryOption *options, void **values, unsigned n) {
  cudaError_t e = out && path ? cudaSuccess : cudaErrorInvalidValue;
  void *all = e ? NULL : read_file(path, &e);
  if (e) SL_LOCKED(e);
  e = cudaLibraryLoadData(out, all, jit, jit_values, n_jit, options, values, n);
  if (e)
    free(all);
  else
    ((library *)*out)->file = all;
  return e;
}

// A kernel that is not there gets no record that stays: its name is forgotten with the library.
static cudaError_t find_kernel(cudaKernel_t *out, const name *n) {
  sl_function *f;
  cudaError_t e = sl__function(n->text, &f);
  if (!e) *out = (cudaKernel_t)f;
  return e == cudaErrorInvalidDeviceFunction ? cudaErrorSymbolNotFound : e;
}

static name *known_name(const library *l, const char *text) {
  name *n = l->names;
  while (n && strcmp(n->text, text)) n = n->next;
  return n;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t lib, const char *text) {
  library *l = (library *)lib;
  if (!out || !l || !text) SL_LOCKED(l ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  name *n = known_name(l, text);
  if (!n) {
    n = calloc(1, sizeof *n + strlen(text) + 1);
    if (!n) SL_LOCKED(cudaErrorMemoryAllocation);
    strcpy(n->text, text);
    n->next = l->names;
    l->names = n;
    __cudaRegisterFunction(l->module, n->text, NULL, n->text, -1, NULL, NULL, NULL, NULL, NULL);
  }
  SL_LOCKED(find_kernel(out, n));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t lib) {
  if (!lib) SL_LOCKED(cudaErrorInvalidResourceHandle);
  library *l = (library *)lib;
  __cudaUnregisterFatBinary(l->module);
  free_library(l);
  return cudaSuccess;
}

// There is no cache in which lines could stay.
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }
