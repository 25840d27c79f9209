// make_class OUT STUDENTS LABS TESTS VERSION: a graded class without kernels, for tests of the gradebook:
// every third test of every second student fails.
#include "a_class.h"

int main(int argc, char **argv) {
  if (argc != 6) return fprintf(stderr, "usage: make_class OUT STUDENTS LABS TESTS VERSION\n"), SL_EXIT_USAGE;
  int students = atoi(argv[2]), labs = atoi(argv[3]), n = atoi(argv[4]);
  sl_arena *a = sl__arena_new();
  a_lab *all = sl__alloc(a, ((size_t)(students * labs) + 1) * sizeof *all);
  for (int k = 0; k < students * labs; k++) {
    a_test *tests = sl__alloc(a, ((size_t)n + 1) * sizeof *tests);
    const char *lab = sl_labs[k % labs].name;
    for (int i = 0; i < n; i++) {
      bool fails = k / labs % 2 && i % 3 == 0;
      tests[i] = (a_test){sl__str(a, "%.2s.scan.n%d.sim", lab, i),
                          fails ? "fail" : "pass",
                          fails ? 0 : 2,
                          2,
                          fails ? "wrong" : "right",
                          fails ? "race.shared" : NULL};
    }
    all[k] = (a_lab){sl__str(a, "student%03d", k / labs),
                     lab,
                     sl__str(a, "%d", k),
                     "2026-11-20T10:00:00Z",
                     argv[5],
                     tests};
  }
  a_class_write(argv[1], all, "");
  sl_arena_free(a);
  return 0;
}
