// For tests: a graded class as a grading leaves it, made of a few facts.
#pragma once

#include "book.h"

typedef struct a_test {
  const char *name, *status;
  double points, max;
  const char *message, *finding; // finding: its kind; NULL: none
} a_test;

// One lab of one student. [tests] ends with a NULL name.
typedef struct a_lab {
  const char *student, *lab, *kernel; // kernel: any text, of which the hash is taken; NULL: nothing handed in
  const char *handed_in;              // NULL: not known
  const char *version;
  const a_test *tests;
} a_lab;

// Writes OUT: graded.json of each student, and manifest.json. [labs] ends with a NULL student; those of one
// student follow each other. [manifest]: more entries, JSON with a comma behind each; NULL: no manifest.
void a_class_write(const char *out, const a_lab *labs, const char *manifest);
