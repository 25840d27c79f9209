// Feeds each file of the folders on the command line, and each of its beginnings, to LLVMFuzzerTestOneInput.
#include "base/base.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Every length, each in memory of exactly that size.
static void feed(const char *bytes, size_t len) {
  for (size_t n = 0; n <= len; n++) {
    uint8_t *copy = malloc(n ? n : 1);
    memcpy(copy, bytes, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
  }
}

static size_t feed_folder(const char *folder) {
  size_t files = 0;
  DIR *d = opendir(folder);
  for (struct dirent *f; d && (f = readdir(d));) {
    if (f->d_name[0] == '.') continue;
    char *path = sl_path("%s/%s", folder, f->d_name);
    size_t len;
    sl_error e = {0};
    char *bytes = sl_read_file(path, 1 << 20, &len, &e);
    if (!bytes) {
      sl_error_print("fuzz", &e);
      exit(1);
    }
    feed(bytes, len);
    free(bytes);
    free(path);
    files++;
  }
  if (d) closedir(d);
  return files;
}

int main(int argc, char **argv) {
  size_t files = 0;
  for (int i = 1; i < argc; i++) files += feed_folder(argv[i]);
  printf("%zu files\n", files);
  return files > 0 ? 0 : 1;
}
