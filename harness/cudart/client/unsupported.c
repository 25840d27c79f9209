// What the toolkit's runtime offers and the simulated GPU does not: graphs, arrays and textures, memory
// pools, graphics, libraries from files. Each function says so once and returns
// cudaErrorNotSupported.
//
// Does not include the toolkit's headers: only the names matter, the arguments are not looked at.
#include <stdio.h>

enum { NOT_SUPPORTED = 801 };
int sl__keep_of(const char *call, int e);

static int refuse(const char *name, int *said) {
  if (!*said) {
    fflush(stdout);
    fprintf(stderr, "libcudart (simulated GPU): %s is not supported by the simulated GPU\n", name);
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
