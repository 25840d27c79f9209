// Runs nvcc on a student's source in the sandbox, within limits, and says in one line why it failed.
#pragma once

#include "base/base.h"

#define SL_NOT_COMPILED " does not compile: "          // between the file and the compiler's first error
#define SL_SLOW_TEXT "the preprocessor takes too long" // sl-steps says so in its messages

enum { SL_MAX_LOG = 64 << 10 }; // most bytes kept of the compiler's messages

typedef struct sl_compile {
  const char *kernel;  // the student's file, for messages
  const char *name;    // what its messages call the source
  const char *source;  // its text
  const char *nvcc;    // the compiler
  const char *object;  // the object that it links with
  const char *headers; // folder of the precompiled headers; "-": none; "--prepare": makes them in [folder]
  const char *folder;  // working folder: the only one it can write to
  char *const *argv;   // its command line
  double seconds;      // 0: 90
} sl_compile;

// *[log] (malloc'ed): its messages; of long ones SL_MAX_LOG bytes, with the first error. False with [e]: see
// sl_build_runner. *[fault] (malloc'ed): the first error of a wrong source; NULL: none, or another matter.
bool sl__compile(const sl_compile *c, char **log, char **fault, sl_error *e);
// Fails because of the first error [fault] of the source [kernel].
bool sl__fail_source(const char *kernel, const char *fault, sl_error *e);

// assembler.c: messages of the assembler in the form of the compiler's, about lines of the source.
void sl__name_assembler(const sl_compile *c, char **log);

// Compute capability of this machine's GPU times ten (90), by the toolkit's query; 0: none.
int sl__native_arch(const char *nvcc);
