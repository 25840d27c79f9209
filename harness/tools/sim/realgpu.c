// The real GPU instead of the simulated one: asks the toolkit's runtime whether there is one.
#include "tools/sim/sim.h"

#include <dlfcn.h>

bool sl__real_gpu(const char **lib_dir, sl_error *e) {
  char path[4096];
  *lib_dir = *sl_cuda_libraries() ? sl_cuda_libraries() : NULL;
  snprintf(path, sizeof path, "%s/libcudart.so.13", sl_cuda_libraries());
  void *lib = dlopen(*lib_dir ? path : "libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!lib)
    return sl_fail(e, SL_EXIT_INFRA, "install the CUDA toolkit, or leave --gpu out",
                   "the CUDA runtime was not found: %s", dlerror());
  int (*get_count)(int *) = (int (*)(int *))dlsym(lib, "cudaGetDeviceCount");
  const char *(*get_text)(int) = (const char *(*)(int))dlsym(lib, "cudaGetErrorString");
  int n = 0, rc = get_count ? get_count(&n) : -1;
  if (rc == 0 && n > 0) return true;
  return sl_fail(e, SL_EXIT_INFRA, "leave --gpu out to run on the simulated GPU",
                 "this machine has no GPU that CUDA can use: %s",
                 get_text && rc > 0 ? get_text(rc) : "no device found");
}
