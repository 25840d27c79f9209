// library FATBIN PTX: kernels from a file (nvcc -fatbin), by its name and by its bytes, and from PTX as text;
// a file that is cut off is refused.
#include "../../tests/programs/check.h"
#include <fstream>
#include <iterator>
#include <string>

static void use(cudaLibrary_t lib, const char *how) {
  const int n = 100;
  Dev<int> x(std::vector<int>(n, 5));
  cudaKernel_t kernel;
  CHECK(cudaLibraryGetKernel(&kernel, lib, "no_such_kernel") == cudaErrorSymbolNotFound, "%s: a kernel that is not there", how);
  (void)cudaGetLastError();
  void *at;
  size_t bytes;
  CHECK(cudaLibraryGetGlobal(&at, &bytes, lib, "no_such_variable") == cudaErrorSymbolNotFound, "%s: a variable that is not there", how);
  (void)cudaGetLastError();
  CUDA(cudaLibraryGetGlobal(&at, &bytes, lib, "scale"));
  const int two = 2;
  CHECK(bytes == sizeof two, "%s: %zu bytes", how, bytes);
  CUDA(cudaMemcpy(at, &two, sizeof two, cudaMemcpyHostToDevice));
  CUDA(cudaLibraryGetKernel(&kernel, lib, "add"));
  CUDA(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
  int *p = x, count = n, by = 7;
  void *args[] = {&p, &count, &by};
  CUDA(cudaLaunchKernel((void *)kernel, dim3(4), dim3(32), args, 0, 0));
  check_equal(how, x.get(), std::vector<int>(n, 19));
  int calls = 0;
  CUDA(cudaLibraryGetGlobal(&at, nullptr, lib, "calls"));
  CUDA(cudaMemcpy(&calls, at, sizeof calls, cudaMemcpyDeviceToHost));
  CHECK(calls == 1, "%s: %d calls", how, calls);
  CUDA(cudaLibraryUnload(lib));
}

int main(int argc, char **argv) {
  cudaLibrary_t lib;
  if (argc != 3) return 2;
  CUDA(cudaLibraryLoadFromFile(&lib, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0));
  use(lib, "from a file");
  std::ifstream in(argv[1], std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  CUDA(cudaLibraryLoadData(&lib, bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  use(lib, "from memory");
  for (size_t left : {bytes.size() - 1, (size_t)20, (size_t)15, (size_t)0}) {
    std::string cut = std::string(argv[1]) + ".cut";
    std::ofstream(cut, std::ios::binary).write(bytes.data(), (long)left);
    cudaError_t e = cudaLibraryLoadFromFile(&lib, cut.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    CHECK(e == cudaErrorInvalidKernelImage, "%zu bytes of it: %s", left, cudaGetErrorName(e));
    remove(cut.c_str());
  }
  CUDA(cudaLibraryLoadFromFile(&lib, argv[2], nullptr, nullptr, 0, nullptr, nullptr, 0));
  use(lib, "from a file of PTX");
  std::ifstream ptx(argv[2], std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(ptx), {}};
  CUDA(cudaLibraryLoadData(&lib, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  use(lib, "from text");
  return check_done("library");
}
