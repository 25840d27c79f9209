// Runs a fuzz target over files, and over each beginning of the small ones: the corpus as a test, no fuzzer.
//
// usage: PROGRAM FILE|FOLDER...
// Inputs lie in memory of their size: a sanitizer sees the first byte beyond.
#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { MAX_FILE = 1 << 26, EVERY_BEGINNING = 4096 };

static void feed(const uint8_t *bytes, size_t len) {
  SL_FREED uint8_t *copy = malloc(len ? len : 1);
  if (!copy) abort();
  memcpy(copy, bytes, len);
  LLVMFuzzerTestOneInput(copy, len);
}

static size_t feed_file(const char *path) {
  size_t len;
  sl_error e = {0};
  SL_FREED uint8_t *bytes = sl_read_file(path, MAX_FILE, &len, &e);
  if (!bytes) {
    sl_error_print("replay", &e);
    exit(1);
  }
  for (size_t n = 0; len <= EVERY_BEGINNING && n < len; n++) feed(bytes, n);
  feed(bytes, len);
  return 1;
}

static size_t feed_any(const char *path) {
  SL_LISTED DIR *d = opendir(path);
  if (!d) return feed_file(path);
  size_t files = 0;
  for (struct dirent *f; (f = readdir(d));) {
    if (f->d_name[0] == '.') continue;
    SL_FREED char *file = sl_path("%s/%s", path, f->d_name);
    files += feed_file(file);
  }
  return files;
}

int main(int argc, char **argv) {
  size_t files = 0;
  for (int i = 1; i < argc; i++) files += feed_any(argv[i]);
  printf("%zu files\n", files);
  if (!files) fprintf(stderr, "no corpus: this test has nothing to show\n");
  return files ? 0 : 1;
}
