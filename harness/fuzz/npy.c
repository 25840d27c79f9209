// Fuzz target of the .npy parser: any bytes are either refused with an error or describe data inside them.
//
// Interface: LLVMFuzzerTestOneInput.
#include "base/base.h"
#include "scanlab/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sl_npy at;
  sl_error e = {0};
  if (!sl_npy_parse("input", data, size, &at, &e)) {
    if (e.code != SL_EXIT_INPUT || !e.text[0]) abort();
    return 0;
  }
  if (at.offset > size || (size - at.offset) / sl_npy_item_size(at.type) != at.n ||
      (size - at.offset) % sl_npy_item_size(at.type) != 0)
    abort();
  return 0;
}
