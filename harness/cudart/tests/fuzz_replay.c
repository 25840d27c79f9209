// Runs the fuzz target over the files named: the committed corpus as a test, without a fuzzer.
#include <stdio.h>
#include <stdlib.h>
#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int main(int argc, char **argv) {
  sl_error e = {0};
  for (int i = 1; i < argc; i++) {
    size_t len;
    uint8_t *data = sl_read_file(argv[i], 1 << 26, &len, &e);
    if (!data) break;
    LLVMFuzzerTestOneInput(data, len);
    free(data);
  }
  if (e.code) sl_error_print("fuzz_replay", &e);
  if (argc < 2) fprintf(stderr, "no corpus: this test has nothing to show\n");
  printf("%d files\n", argc - 1);
  return e.code || argc < 2;
}
