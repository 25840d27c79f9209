// What the toolkit's runtime offers and the simulated GPU does not: graphs, arrays and textures, graphics,
// libraries from files. Each function says so once, with what to do instead, and returns
// cudaErrorNotSupported.
//
// Does not include the toolkit's headers: only the names matter, the arguments are not looked at.
#include <stdio.h>
#include <string.h>

enum { NOT_SUPPORTED = 801 };
int sl__keep_of(const char *call, int e);

// What to do instead, by what a name contains; the first row that fits counts.
static const struct {
  const char *part, *why;
} WAYS[] = {
    {"MemPool", "pools cannot be shared between processes; share an allocation by cudaIpcGetMemHandle"},
    {"Graphics", "there is nothing to share graphics memory with; copy with cudaMemcpy"},
    {"EGL", "there is nothing to share graphics memory with; copy with cudaMemcpy"},
    {"GL", "there is nothing to share graphics memory with; copy with cudaMemcpy"},
    {"VDPAU", "there is nothing to share graphics memory with; copy with cudaMemcpy"},
    {"External", "there is no memory of other devices to import; copy with cudaMemcpy"},
    {"Graph", "graphs are not simulated; launch the kernels on the stream one after the other"},
    {"Capture", "graphs are not simulated; launch the kernels on the stream one after the other"},
    {"Array", "arrays and textures are not simulated; use cudaMalloc and load through a pointer"},
    {"Texture", "arrays and textures are not simulated; use cudaMalloc and load through a pointer"},
    {"Surface", "arrays and textures are not simulated; use cudaMalloc and load through a pointer"},
    {"Mipmapped", "arrays and textures are not simulated; use cudaMalloc and load through a pointer"},
    {"Cluster", "clusters hold one block here; take 1 for their size"},
    {"Library", "kernels come from the program alone; link them into it with nvcc"},
    {"Attribute", "it changes speed alone, which is not simulated; go on without it"},
    {"", "go on without it where it returns cudaErrorNotSupported, or use another call"},
};

static const char *way(const char *name) {
  size_t k = 0;
  while (!strstr(name, WAYS[k].part)) k++;
  return WAYS[k].why;
}

static int refuse(const char *name, int *said) {
  if (!*said) {
    fflush(stdout);
    fprintf(stderr, "libcudart (simulated GPU): %s is not supported by the simulated GPU: %s\n", name,
            way(name));
  }
  *said = 1;
  return sl__keep_of(name, NOT_SUPPORTED);
}

#define SL_UNSUPPORTED(name)                                                                                 \
  int name(void);                                                                                            \
  int name(void) {                                                                                           \
    static int said;                                                                                         \
    return refuse(#name, &said);                                                                             \
  }
#include "cudart/client/unsupported.def"
