// Sources that do not compile, remembered so that the next grading need not find it out again.
#pragma once

#include "base/base.h"

typedef struct sl_failed_build {
  const char *file;   // where it is remembered
  const char *with;   // names the compiler and headers: with others it may compile
  const char *kernel; // the file, as messages name it
  const char *name;   // the source's name for the compiler
} sl_failed_build;

// Keeps the first error [fault] and the compiler's messages if they tell of a line of the source itself.
void sl__remember_failure(const sl_failed_build *b, const char *log, const char *fault);

// Is it known to fail? Then [e] and *[log] (malloc'ed) are as they were then.
bool sl__recall_failure(const sl_failed_build *b, char **log, sl_error *e);
