// Fuzz target: any bytes as a fat binary container, as an ELF file, and as a container of unknown length that
// lies in memory of its announced size.
#include "ptx/elf.h"
#include "ptx/ir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
  sl_error e = {0};
  sl_fatbin_ptx x = {0};
  if (sl_fatbin_read(data, len, 90, &x, &e)) {
    if (!x.text || strlen(x.text) != x.len) abort();
    free(x.text);
  } else if (!e.code) abort(); // a failure without a reason
  size_t off, n;
  if (sl_elf_find_section(data, len, ".nv_fatbin", &off, &n) && (off > len || n > len - off)) abort();
  sl_elf_needs(data, len, "libcudart.so");
  return 0;
}
