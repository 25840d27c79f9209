// Compares what two runs have copied from the device, copy by copy (files of sl_copy_head and bytes).
#include "tools/sim/sim.h"

typedef struct reader {
  FILE *file;
  uint8_t *data;
  sl_copy_head head;
} reader;

// The next copy, its pieces put together. False at the end.
static bool next(reader *r) {
  sl_copy_head piece;
  r->head.bytes = 0;
  for (bool first = true; fread(&piece, sizeof piece, 1, r->file) == 1; first = false) {
    if (!first && !piece.goes_on) {
      fseek(r->file, -(long)sizeof piece, SEEK_CUR);
      return true;
    }
    uint8_t *grown = piece.bytes <= SL_COPIES_MAX ? realloc(r->data, r->head.bytes + piece.bytes + 1) : NULL;
    if (!grown) return false;
    r->data = grown;
    if (fread(grown + r->head.bytes, 1, piece.bytes, r->file) != piece.bytes) return false;
    r->head.bytes += piece.bytes;
  }
  return r->head.bytes > 0;
}

static uint64_t first_difference(const reader *a, const reader *b) {
  uint64_t n = a->head.bytes < b->head.bytes ? a->head.bytes : b->head.bytes, at = 0;
  while (at < n && a->data[at] == b->data[at]) at++;
  return at;
}

static void compare_copies(reader *a, reader *b, char *out, size_t cap) {
  for (uint64_t copy = 1;; copy++) {
    bool more = next(a), other = next(b);
    if (!more && !other) return;
    if (more != other) {
      snprintf(out, cap, "one of them copies %s than the other", other ? "less" : "more");
      return;
    }
    uint64_t at = first_difference(a, b), bytes = a->head.bytes;
    if (at == bytes && b->head.bytes == bytes) continue;
    if (b->head.bytes != bytes)
      snprintf(out, cap, "copy %llu from the device has %llu or %llu bytes", (unsigned long long)copy,
               (unsigned long long)bytes, (unsigned long long)b->head.bytes);
    else
      snprintf(out, cap,
               "copy %llu from the device, of %llu bytes, differs first at byte %llu (0x%02x, 0x%02x)",
               (unsigned long long)copy, (unsigned long long)bytes, (unsigned long long)at, a->data[at],
               b->data[at]);
    return;
  }
}

char *sl__copies_differ(const char *a, const char *b, char *out, size_t cap) {
  reader one = {.file = fopen(a, "rbe")}, two = {.file = fopen(b, "rbe")};
  out[0] = 0;
  if (one.file && two.file) compare_copies(&one, &two, out, cap);
  if (one.file) fclose(one.file);
  if (two.file) fclose(two.file);
  free(one.data), free(two.data);
  return out;
}
