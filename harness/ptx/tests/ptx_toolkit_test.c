// Which files are the toolkit's: toolkits' layouts as folders here, and the user's files beside them.

#include "base/unit.h"
#include "base/test_folder.h"
#include "ptx/ir.h"

// A file below the test's folder, and the folders that it takes.
static void make(const char *name) {
  sl_error e = {0};
  SL_FREED char *path = sl_path("%s/%s", dir, name),
                *folder = sl_path("%.*s", (int)(strrchr(path, '/') - path), path);
  assert_true(sl_mkdirs(folder, &e) && sl_write_file(path, "", 0, &e));
}

static void make_link(const char *to, const char *name) {
  SL_FREED char *path = sl_path("%s/%s", dir, name);
  assert_int_equal(symlink(to, path), 0);
}

static bool toolkits(const char *name) {
  SL_FREED char *path = sl_path("%s/%s", dir, name);
  return sl_ptx_is_toolkit(path);
}

TEST(whole_toolkit) {
  make("cuda-12/bin/nvcc");
  make("cuda-12/targets/x86_64-linux/include/cuda_runtime_api.h");
  make("cuda-12/targets/x86_64-linux/include/crt/sm_70_rt.hpp");
  make("cuda-12/targets/x86_64-linux/include/cub/block/scan.cuh");
  make_link("targets/x86_64-linux/include", "cuda-12/include");
  make_link("cuda-12", "cuda");
  assert_true(toolkits("cuda-12/include/crt/sm_70_rt.hpp"));
  assert_true(toolkits("cuda/bin/../targets/x86_64-linux/include/cub/block/scan.cuh"));
  assert_true(toolkits("cuda/bin/..//include/./cub/block/scan.cuh"));
  make("cuda-12/samples/include/scan.h");
  assert_false(toolkits("cuda/samples/include/scan.h"));
}

TEST(one_wheel) {
  make("site/nvidia/cu13/bin/nvcc");
  make("site/nvidia/cu13/include/cuda_runtime_api.h");
  make("site/nvidia/cu13/include/device_atomic_functions.hpp");
  make("site/nvidia/cu13/include/cccl/nv/target");
  make("site/nvidia/cu13/include/cccl/thrust/scan.h");
  assert_true(toolkits("site/nvidia/cu13/bin/..//include/device_atomic_functions.hpp"));
  assert_true(toolkits("site/nvidia/cu13/bin/..//include/cccl/thrust/scan.h"));
  make("site/nvidia/mine/scan.cu");
  assert_false(toolkits("site/nvidia/mine/scan.cu"));
}

TEST(split_wheels) {
  make("split/nvidia/cuda_runtime/include/cuda_runtime_api.h");
  make("split/nvidia/cuda_runtime/include/sm_30_intrinsics.hpp");
  make("split/nvidia/cuda_nvcc/include/crt/host_config.h");
  make("split/nvidia/cuda_nvcc/include/crt/sm_80_rt.hpp");
  make("split/nvidia/cuda_cccl/include/nv/target");
  make("split/nvidia/cuda_cccl/include/cub/warp/scan.cuh");
  assert_true(toolkits("split/nvidia/cuda_runtime/include/sm_30_intrinsics.hpp"));
  assert_true(toolkits("split/nvidia/cuda_nvcc/include/crt/sm_80_rt.hpp"));
  assert_true(toolkits("split/nvidia/cuda_cccl/include/cub/warp/scan.cuh"));
}

// The host compiler says that its folders are its own, among them Debian's for the toolkit.
TEST(host_compiler) {
  assert_true(sl_ptx_is_toolkit("/usr/include/stdio.h"));
  assert_true(sl_ptx_is_toolkit("/usr/include/sm_30_intrinsics.hpp"));
  assert_true(sl_ptx_is_toolkit("/usr/lib/x/..//../include/c++/./scan.h"));
}

// Files that are not on this machine: what our own toolkit has at the same place is a toolkit's.
TEST(compiled_elsewhere) {
  assert_true(sl_ptx_is_toolkit("/nowhere/include/sm_30_intrinsics.hpp"));
  assert_true(sl_ptx_is_toolkit("/nowhere/bin/..//include/crt/sm_70_rt.hpp"));
  assert_true(sl_ptx_is_toolkit("/nowhere/include/include/cooperative_groups.h"));
  assert_false(sl_ptx_is_toolkit("/nowhere/include/scan.h"));
  assert_false(sl_ptx_is_toolkit("/nowhere/include/crt/scan.h"));
  assert_false(sl_ptx_is_toolkit("/nowhere/include/"));
}

TEST(users_own) {
  static const char *const own[] = {"a/include/scan.h",
                                    "a/cuda/kernel.cu",
                                    "a/include/cuda/scan.cuh",
                                    "a/crt/crt/scan.cuh",
                                    "cub/thrust/include/cub/kernel.cu",
                                    "b/nvidia/cu13/include/scan.h",
                                    "b/cuda_runtime/include/scan.h",
                                    "b/targets/x86_64-linux/include/scan.h"};
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
    assert_false(toolkits(own[i]));
    make(own[i]);
    assert_false(toolkits(own[i]));
  }
  assert_false(sl_ptx_is_toolkit("kernel.cu"));
  assert_false(sl_ptx_is_toolkit(""));
  assert_false(sl_ptx_is_toolkit("/"));
  assert_false(sl_ptx_is_toolkit("/../.."));
}

TEST(too_long) {
  char path[10000];
  memset(path, 'a', sizeof path);
  memcpy(path, "/usr/include/", 13);
  path[sizeof path - 1] = 0;
  assert_false(sl_ptx_is_toolkit(path));
  path[4095] = 0;
  assert_true(sl_ptx_is_toolkit(path));
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
