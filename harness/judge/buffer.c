// Device buffers with guard zones.
//
// Interface: buffer.h. A buffer is uploaded and read back as one image, so what is compared is what the
// device held.
#include "judge/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// SHARED: what a real GPU shares at a time; of smaller allocations, neighbours would be shared as well.
enum { GUARD = 4096, ODD = 4, SHARED = 2 << 20 };

uint64_t sl_mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

sl_guards sl_guards_of(sl_backend backend, bool odd, size_t bytes) {
  sl_guards g = {odd ? ODD : 0, 0};
  if (backend == SL_BACKEND_GPU) {
    g.lead += GUARD;
    g.trail = GUARD;
    g.trail += (SHARED - (g.lead + bytes + g.trail) % SHARED) % SHARED;
  }
  if (g.lead + bytes + g.trail == 0)
    g.lead = 256; // nothing may be written: a pointer to the end of an allocation
  return g;
}

static void fill_random(unsigned char *at, size_t bytes, uint64_t seed) {
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t word = sl_mix(seed + i);
    memcpy(at + i, &word, bytes - i < 8 ? bytes - i : 8);
  }
}

bool sl_buffer_make(sl_buffer *b, sl_device *d, sl_guards g, const void *data, size_t bytes, uint64_t seed,
                    sl_error *e) {
  size_t all = g.lead + bytes + g.trail;
  b->lead = g.lead;
  b->bytes = bytes;
  b->trail = g.trail;
  b->image = malloc(all);
  if (!b->image) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for a buffer of %zu bytes", all);
  fill_random(b->image, g.lead, seed);
  if (bytes) memcpy(b->image + g.lead, data, bytes);
  fill_random(b->image + g.lead + bytes, g.trail, ~seed);
  return sl_device_alloc(d, all, &b->base, e) && sl_device_write(d, b->base, b->image, all, e);
}

bool sl_buffer_share(const sl_buffer *b, sl_device *d, sl_case_buffer *out, sl_error *e) {
  *out = (sl_case_buffer){.offset = b->lead, .present = 1};
  return sl_device_handle(d, b->base, out->handle, e);
}

const void *sl_buffer_data(const sl_buffer *b) { return b->image + b->lead; }

void sl_buffer_free(sl_buffer *b, sl_device *d) {
  sl_device_free(d, b->base);
  free(b->image);
  *b = (sl_buffer){.name = b->name};
}

unsigned char *sl_buffer_read(const sl_buffer *b, sl_device *d, sl_error *e) {
  size_t all = b->lead + b->bytes + b->trail;
  unsigned char *now = malloc(all);
  if (!now) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for a buffer of %zu bytes", all), NULL;
  if (sl_device_read(d, now, b->base, all, e)) return now;
  free(now);
  return NULL;
}

// The first place where [a] and [b] differ; [n] if they do not.
static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t n) {
  size_t i = 0;
  while (i < n && a[i] == b[i]) i++;
  return i;
}

bool sl_buffer_guards_kept(const sl_buffer *b, const unsigned char *now, size_t elem, char *text,
                           size_t cap) {
  size_t end = b->lead + b->bytes;
  size_t low = first_difference(b->image, now, b->lead);
  size_t high = first_difference(b->image + end, now + end, b->trail);
  if (low < b->lead) snprintf(text, cap, "%s[-%zu] was written", b->name, (b->lead - low + elem - 1) / elem);
  if (low == b->lead && high < b->trail)
    snprintf(text, cap, "%s[%zu] was written", b->name, (b->bytes + high) / elem);
  return low == b->lead && high == b->trail;
}
