// Which headers of libraries are read ahead of a source, and when a set of them is made.
#include "compile/libraries.h"
#include "base/unit.h"
#include "base/test_folder.h"
#include "compile/build.h"
#include "compile/sets.h"

#include <glob.h>
#include <sys/wait.h>

enum { ALL = ~0u };

static const struct {
  const char *source, *ahead; // the headers, each with a blank behind it
} rows[] = {
    {"", ""},
    {"#include \"scanlab/lab.h\"\nint n;\n", ""},
    {"#include \"scanlab/lab.h\"\n#include <cuda/atomic>\n", "cuda/atomic "},
    {"// of two\n// lines\n\n/* and\n * more */\n#include <cuda/atomic>\n#include "
     "<cooperative_groups.h>\nint n;\n",
     "cooperative_groups.h cuda/atomic "},
    {"#include <stdio.h>\n  #  include <cuda/atomic> // why\n", "cuda/atomic "},
    {"#include <cuda/atomic>\n#include <cuda/atomic>\n", "cuda/atomic "},
    {"#include <cuda/pipeline>\n#include <cooperative_groups.h>\n", "cooperative_groups.h cuda/pipeline "},
    {"#include <cuda/std/utility>\n#include <cuda/std/array>\n", "cuda/std/array cuda/std/utility "},
    {"#include <cuda/1>\n#include <cuda/2>\n#include <cuda/3>\n#include <cuda/4>\n#include <cuda/5>\n"
     "#include <cuda/6>\n#include <cuda/8>\n#include <cuda/7>\n#include <cuda/0>\n",
     "cuda/1 cuda/2 cuda/3 cuda/4 cuda/5 cuda/6 cuda/7 cuda/8 "},
    // what stands before could change what the header gives
    {"#define NDEBUG\n#include <cuda/atomic>\n", ""},
    {"namespace a {}\n#include <cuda/atomic>\n", ""},
    {"#if 0\n#include <cuda/atomic>\n#endif\n", ""},
    {"#include <cuda/atomic>\nint n;\n#include <cooperative_groups.h>\n", "cuda/atomic "},
    // no #include of that header
    {"// #include <cuda/atomic>\n", ""},
    {"// carried on \\\n#include <cuda/atomic>\n", ""},
    {"/* #include <cuda/atomic> */\n", ""},
    {"/* not ended #include <cuda/atomic>\n", ""},
    {"#include \"cuda/atomic\"\n", ""},
    {"#include <cuda/atomic\n", ""},
    {"#include <cuda_fp16.h>\n#include <vector>\n", ""},
    {"#include <cuda/../../secret>\n", ""},
    {"#include MACRO\n#include <cuda/atomic>\n", ""},
};

TEST(what_stands_before_anything_else_is_read_ahead) {
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    sl_ahead ahead;
    char all[SL_MAX_AHEAD * SL_HEADER_NAME] = "";
    sl__headers_ahead(rows[k].source, ALL, &ahead);
    for (unsigned j = 0; j < ahead.n; j++) strcat(strcat(all, ahead.header[j]), " ");
    if (strcmp(all, rows[k].ahead)) print_error("row %zu: %s\n", k, rows[k].source);
    assert_string_equal(all, rows[k].ahead);
  }
}

static unsigned beginning(const char *source, unsigned allowed) {
  sl_ahead ahead;
  sl__headers_ahead(source, allowed, &ahead);
  return sl__beginning_of(&ahead);
}

TEST(beginnings_differ) {
  const unsigned both = beginning("#include <cuda/barrier>\n#include <cooperative_groups.h>\n", ALL),
                 one = beginning("#include <cooperative_groups.h>\n", ALL);
  assert_int_equal(both, beginning("#include <cooperative_groups.h>\n#include <cuda/barrier>\n", ALL));
  assert_true(both != one && both > 0 && one > 0 && both < SL_BEGINNINGS && one < SL_BEGINNINGS);
  assert_int_equal(beginning("#include <vector>\n", ALL), 0);
}

TEST(a_library_that_the_lab_does_not_allow_is_left_where_it_stands) {
  assert_int_equal(beginning("#include <cuda/atomic>\n", 0), 0);
}

// The sets that have all their files.
static unsigned sets(void) {
  unsigned n = 0;
  SL_LISTED DIR *d = opendir(dir);
  for (struct dirent *f; d && (f = readdir(d));) {
    bool whole = !strncmp(f->d_name, "headers-", 8) && !strstr(f->d_name, SL_ASKED);
    for (const char *const *name = sl__set_files; whole && *name; name++) {
      SL_FREED char *path = sl_path("%s/%s/%s", dir, f->d_name, *name);
      whole = sl_is_file(path);
    }
    n += whole;
  }
  return n;
}

static size_t alike;                   // sl_build_config's
static const char *name = "kernel.cu"; // the student's file

// Builds a kernel of lab 06, whose text is one of a kind. Is there a program?
static bool builds(const char *includes, unsigned k) {
  SL_FREED char *file = sl_path("%s/%s", dir, name), *runner = NULL, *log = NULL;
  SL_FREED char *text =
      sl_path("%s#include \"scanlab/lab.h\"\n// %u\nstatic __device__ %s a;\n"
              "static __global__ void add() { ++a; }\n"
              "extern \"C\" cudaError_t lab06_single_pass_scan(const uint32_t *, uint32_t *, size_t) {\n"
              "  add<<<1, 1>>>();\n  return cudaGetLastError();\n}\n"
              "extern \"C\" cudaError_t lab06_sort(const lab06_args *) { return cudaSuccess; }\n",
              includes, k, strstr(includes, "cuda/atomic") ? "cuda::atomic<int>" : "int");
  const sl_build_config config = {.cache = dir, .alike = alike};
  sl_error e = {0};
  assert_true(sl_write_file(file, text, strlen(text), &e));
  const bool ok = sl_build_runner("06", file, &config, &runner, &log, &e);
  if (!ok) print_error("%s\n%s\n", e.text, log);
  return ok;
}

TEST(the_second_source_makes_a_set_and_the_third_uses_it) {
#ifdef __SANITIZE_ADDRESS__
  skip(); // no steps, no sets: compiler.c
#endif
  if (sl_disk_left(dir) < 3ull << 30) skip(); // nobody's last room is taken
  assert_true(builds("#include <cooperative_groups/scan.h>\n", 1));
  assert_int_equal(sets(), 1);
  assert_true(builds("#include <cooperative_groups/scan.h>\n", 2));
  assert_int_equal(sets(), 2);
  assert_true(builds("#include <cooperative_groups/scan.h>\n", 3));
  assert_int_equal(sets(), 2);
}

// Builds it in another process.
static bool another_builds(const char *includes, unsigned k) {
  int status = -1;
  const pid_t pid = fork();
  if (pid == 0) _exit(!builds(includes, k));
  return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

TEST(a_class_makes_a_set_at_once_or_leaves_it_to_the_next) {
  static const char few[] = "#include <cooperative_groups.h>\n",
                    many[] = "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n";
#ifdef __SANITIZE_ADDRESS__
  skip();
#endif
  if (sl_disk_left(dir) < 3ull << 30) skip();
  const unsigned before = sets();
  alike = 2;
  assert_true(builds(few, 10) && builds(few, 11));
  assert_int_equal(sets(), before);
  assert_true(another_builds(few, 12));
  assert_int_equal(sets(), before + 1);
  alike = 3;
  assert_true(builds(many, 13));
  assert_int_equal(sets(), before + 2);
  alike = 0;
}

// No set can be made of a header that is not there, and the compiler says so where it stands.
TEST(a_header_that_is_not_there_is_told_where_it_stands) {
  SL_FREED char *file = sl_path("%s/kernel.cu", dir), *runner = NULL, *log = NULL;
  static const char text[] = "#include \"scanlab/lab.h\"\n#include <cuda/no_such>\n";
  const sl_build_config config = {.cache = dir, .alike = 3};
  sl_error e = {0};
  assert_true(sl_write_file(file, text, strlen(text), &e));
  assert_false(sl_build_runner("06", file, &config, &runner, &log, &e));
  if (!strstr(log, "kernel.cu:2:10:") && !strstr(log, "kernel.cu(2)")) fail_msg("%s", log);
  assert_int_equal(e.code, SL_EXIT_INPUT);
}

// What tells that the memory is of this system stands at the image's beginning.
static void damage_images(void) {
  char command[256];
  snprintf(
      command, sizeof command,
      "for f in %s/headers-*/*.image; do dd if=/dev/zero of=$f bs=8 count=3 conv=notrunc status=none; done",
      dir);
  assert_int_equal(system(command), 0);
}

// Also found out by a source under another name, with a mark of its encoding: it uses the set as well.
TEST(a_set_of_another_system_is_made_anew) {
#ifdef __SANITIZE_ADDRESS__
  skip();
#endif
  assert_true(builds("", 4));
  const unsigned n = sets();
  assert_true(n > 0);
  damage_images();
  name = "scan.cu";
  assert_true(builds("\xEF\xBB\xBF", 5));
  name = "kernel.cu";
  assert_int_equal(sets(), n - 1);
  assert_true(builds("", 6));
  assert_int_equal(sets(), n);
  assert_true(builds("", 7));
  assert_int_equal(sets(), n);
}

// The folders of sets, also of one that could not be made.
static size_t folders(void) {
  SL_FREED char *pattern = sl_path("%s/headers-*[0-9a-f]", dir);
  glob_t found = {0};
  glob(pattern, 0, NULL, &found);
  const size_t n = found.gl_pathc;
  globfree(&found);
  return n;
}

// A program that is no compiler shows it: nothing of the set that another one has made is used.
TEST(another_host_compiler_has_a_set_of_its_own) {
#ifdef __SANITIZE_ADDRESS__
  skip();
#endif
  assert_true(builds("", 8));
  const size_t n = folders();
  SL_FREED char *before = sl_path("%s", getenv("PATH")), *folder = sl_path("%s/bin", dir),
                *path = sl_path("%s:%s", folder, before), *gcc = sl_path("%s/gcc", folder);
  assert_true(sl_mkdirs(folder, NULL) && sl_write_file(gcc, "#!/bin/false\n", 13, NULL));
  assert_int_equal(chmod(gcc, 0755), 0);
  setenv("PATH", path, 1);
  builds("", 9);
  setenv("PATH", before, 1);
  assert_int_equal(folders(), n + 1);
}

int main(void) { return RUN_TESTS(make_folder, remove_folder); }
