// Runs a fuzz target over files, so that the corpus is a test without a fuzzer: fuzz_replay FILE...
#include <stdio.h>
#include <stdlib.h>
#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int main(int argc, char **argv) {
  enum { MAX = 1 << 26 };
  if (argc < 2) {
    fprintf(stderr, "no corpus: this test has nothing to show\n");
    return 1;
  }
  for (int i = 1; i < argc; i++) {
    sl_error e = {0};
    size_t len;
    uint8_t *data = sl_read_file(argv[i], MAX, &len, &e);
    if (!data) {
      sl_error_print("replay", &e);
      return 1;
    }
    LLVMFuzzerTestOneInput(data, len);
    free(data);
  }
  printf("%d files\n", argc - 1);
  return 0;
}
