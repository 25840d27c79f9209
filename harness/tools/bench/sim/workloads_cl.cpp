// The workloads of workloads.cu on an OpenCL device: the same input, launches, checks and output.
// Usage: workloads_cl N REPS KERNELS.cl [PLATFORM]. PLATFORM: a part of the platform's name, else the first is taken. Exit status
// 3: there is no such platform. n: at most 2^20.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include "host.h"

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void need(cl_int code, const char *what) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "OpenCL: %s failed with %d\n", what, code);
  exit(1);
}

static cl_device_id find_device(const char *name) {
  cl_platform_id platforms[16];
  cl_uint n = 0;
  if (clGetPlatformIDs(16, platforms, &n) != CL_SUCCESS) n = 0;
  for (cl_uint k = 0; k < n; k++) {
    char text[256] = "";
    cl_device_id d;
    clGetPlatformInfo(platforms[k], CL_PLATFORM_NAME, sizeof text, text, NULL);
    if (name && !strstr(text, name)) continue;
    if (clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, 1, &d, NULL) == CL_SUCCESS) return d;
  }
  fprintf(stderr, "no OpenCL platform%s%s\n", name ? " named " : "", name ? name : "");
  exit(3);
}

static void build_program(cl_device_id d, const char *path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::string source = text.str();
  const char *at = source.c_str();
  cl_int code;
  context = clCreateContext(NULL, 1, &d, NULL, NULL, &code);
  need(code, "clCreateContext");
  queue = clCreateCommandQueue(context, d, 0, &code);
  need(code, "clCreateCommandQueue");
  program = clCreateProgramWithSource(context, 1, &at, NULL, &code);
  need(code, "clCreateProgramWithSource");
  need(clBuildProgram(program, 1, &d, "", NULL, NULL), "clBuildProgram");
}

static cl_mem device(size_t n, const void *from = nullptr) {
  std::vector<char> zero(from ? 0 : n * 4);
  cl_int code;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, n * 4,
                            const_cast<void *>(from ? from : zero.data()), &code);
  need(code, "clCreateBuffer");
  device_bytes += n * 4;
  return m;
}

template <typename A> static void set(cl_kernel k, cl_uint &at, const A &a) { need(clSetKernelArg(k, at++, sizeof a, &a), "clSetKernelArg"); }

template <typename... A> static void launch(const char *name, int blocks, A... args) {
  cl_int code;
  cl_kernel k = clCreateKernel(program, name, &code);
  need(code, name);
  cl_uint at = 0;
  (set(k, at, args), ...);
  size_t global = (size_t)blocks * THREADS, local = THREADS;
  need(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL), name);
  clReleaseKernel(k);
}

struct Scan {
  std::string tiles, add;
  cl_mem sums = device(TILE), offsets = device(TILE), total = device(1);
  explicit Scan(const char *type) : tiles(std::string("scan_tiles_") + type), add(std::string("add_offsets_") + type) {}
  void operator()(cl_mem in, cl_mem out, int n) {
    launch(tiles.c_str(), n / TILE, in, out, sums);
    launch(tiles.c_str(), 1, sums, offsets, total);
    launch(add.c_str(), n / TILE, out, offsets);
  }
};

static void wait() { need(clFinish(queue), "clFinish"); }

template <typename T> static std::vector<T> fetch(cl_mem m, int n) {
  std::vector<T> h(n);
  need(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, n * sizeof(T), h.data(), 0, NULL, NULL), "clEnqueueReadBuffer");
  return h;
}

int main(int argc, char **argv) {
  int n = argc > 3 ? atoi(argv[1]) : 0, reps = argc > 3 ? atoi(argv[2]) : 0;
  if (n < TILE || n > TILE * TILE || n % TILE || reps < 1) { fprintf(stderr, "usage: workloads_cl N REPS KERNELS.cl [PLATFORM]\n"); return 2; }
  build_program(find_device(argc > 4 ? argv[4] : nullptr), argv[3]);
  Input input(n);
  cl_mem fin = device(n, input.f.data()), fout = device(n), keys = device(n, input.u.data()), out = device(n);
  cl_mem flags = device(n), before = device(n);
  int blocks = n / THREADS;
  Scan scan_float("float"), scan_int("int");

  report("scan", n, reps, [&] { scan_float(fin, fout, n), wait(); },
         [&] { return wrong_scan(input, fetch<float>(fout, n)); });
  report("split", n, reps, [&] {
    launch("flag_zeros", blocks, keys, flags, 0);
    scan_int(flags, before, n);
    launch("scatter_bit", blocks, keys, out, flags, before, n);
    wait();
  }, [&] { return wrong_split(input, fetch<unsigned>(out, n)); });
  report("count", n, reps, [&] { launch("count_digits", blocks, keys, flags, 0), wait(); },
         [&] { return wrong_count(input, fetch<int>(flags, 16 * blocks)); });
  printf("device_bytes %zu\n", device_bytes);
}
