// sl-test: the program of every CTest test of a grading (one_test.c). CTest starts it, people do not.
#include "grade.h"

int main(int argc, char **argv) {
  if (argc == 3) return sl__one_test(argv[1], argv[2]);
  fprintf(stderr, "usage: sl-test DIR NAME (started by sl-grade through CTest)\n");
  return SL_EXIT_USAGE;
}
