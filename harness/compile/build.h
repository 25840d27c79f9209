// Builds a kernel.cu into a runner with nvcc, at most once for the same text, flags and course version.
#pragma once

#include "base/base.h"

typedef struct sl_build_config {
  const char *nvcc;  // compiler; NULL: $SCANLAB_NVCC, then the one found when the course was configured
  const char *cache; // folder of built runners; NULL: BUILD/cache
  bool native;       // also machine code for this machine's GPU (backend gpu)
  double timeout;    // seconds of processor time; 0: 90
  const char *hash;  // SHA-256 of the kernel as it was when it was looked at; NULL: it is not known
  size_t alike; // how many kernels, this one too, will be compiled that begin with its libraries; 0: unknown
} sl_build_config;

// Builds [kernel_path] for lab [lab_number] ("03"). True: *[runner_path] is the program (malloc'ed). False
// with [e]: SL_EXIT_INPUT if the kernel is at fault (missing, empty, a directory, binary, too large, does not
// compile), SL_EXIT_INFRA if the machine is (also if it is so busy that the compiler got little time).
// *[log] (malloc'ed, may be "") holds the compiler's messages, warnings included, with the student's own file
// name and line numbers. Several processes may call it at once.
bool sl_build_runner(const char *lab_number, const char *kernel_path, const sl_build_config *config,
                     char **runner_path, char **log, sl_error *e);

// Kernels that begin with the same libraries' headers have one number. 0: none, or nothing to compile.
enum { SL_BEGINNINGS = 64 };
unsigned sl_build_beginning(const char *lab_number, const char *kernel_path, const sl_build_config *config);

// Why it does not compile: the end of [e]'s text, without the kernel's name. NULL: about something else.
const char *sl_build_fault(const sl_error *e, const char *kernel_path);

// The compiler's first line that tells an error, or what the linker did not find; malloc'ed; NULL: none.
char *sl_first_error(const char *log);
