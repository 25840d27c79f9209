// What the tests of taking in share: a class in a folder of its own for each test, and what was taken of it.
#pragma once

#include "intake/intake.h"
#include "util.h"

#define KERNEL "__global__ void k() {}\n"

// The class -------------------------------------------------------------------------------------------------

int new_class(void **state); // from here on another folder: the set-up of each test
const char *in_class(sl_arena *a, const char *name);
void hand_in(const char *name, const char *text);

typedef struct entry { // a file of an archive
  const char *path, *text;
  int type;         // AE_IFREG if 0
  const char *link; // target
  size_t zeros;     // text: so many zeros
  bool hole;        // which take no room in the archive
} entry;

// Writes an archive of the kind that its name says, into the class; "x.cu.gz" is a file compressed alone.
void make_archive(const char *name, const entry *entries, size_t n);
#define FILE_(p, t) ((entry){.path = (p), .text = (t)})
#define ODD(p, t, l) ((entry){.path = (p), .type = (t), .link = (l)})
#define ZEROS(p, n) ((entry){.path = (p), .zeros = (n)})
#define HOLE(p, n) ((entry){.path = (p), .zeros = (n), .hole = true})
#define MAKE(name, ...)                                                                                      \
  make_archive(name, (const entry[]){__VA_ARGS__}, sizeof((const entry[]){__VA_ARGS__}) / sizeof(entry))

// What was taken --------------------------------------------------------------------------------------------

// A grading of all labs ([options]->fresh: of lab 01), as far as what each submission's kernels are.
sl_grading taken(const char *dir, const sl_course *options);
sl_grading taken_class(const sl_course *options);
sl_submission *who(sl_grading *g, const char *name);
void assert_taken(sl_grading *g, const char *name, const char *labs); // [labs]: digits of the labs taken
void assert_reason(sl_grading *g, const char *name, int lab, const char *why);
void assert_unreadable(sl_grading *g, const char *name, const char *why);
