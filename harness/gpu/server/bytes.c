// Growing arrays of bytes: for messages that arrive and leave, and for what kernels print.
#include "gpu/server/server.h"

bool sl__bytes_reserve(sl_bytes *b, size_t cap) {
  if (cap <= b->cap) return true;
  uint8_t *p = realloc(b->at, cap);
  if (!p) return false;
  b->at = p;
  b->cap = cap;
  return true;
}

bool sl__bytes_add(sl_bytes *b, const void *data, size_t len) {
  size_t need = b->len + len;
  if (need > b->cap && !sl__bytes_reserve(b, need > 2 * b->cap ? need : 2 * b->cap)) return false;
  if (len > 0) memcpy(b->at + b->len, data, len);
  b->len = need;
  return true;
}

void sl__bytes_free(sl_bytes *b) {
  free(b->at);
  *b = (sl_bytes){0};
}
