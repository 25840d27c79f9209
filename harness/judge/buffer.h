// One device buffer of a call: data with guard zones of random bytes around it.
#ifndef SL_JUDGE_BUFFER_H
#define SL_JUDGE_BUFFER_H

#include "judge/device.h"
#include "runner/case_protocol.h"

// The allocation is lead + bytes + trail long. `image` is what was uploaded, all of it.
typedef struct sl_buffer {
  const char *name; // "out", "keys_in", ...
  void *base;
  size_t lead, bytes, trail;
  unsigned char *image;
} sl_buffer;

// On the simulated GPU allocations end where the data ends: accesses beyond are errors with file and line. On
// a real one guard zones of at least 4 KiB tell of writes afterwards.
typedef struct sl_guards {
  size_t lead, trail;
} sl_guards;
sl_guards sl_guards_of(sl_backend backend, bool odd, size_t bytes);

// Allocates the buffer on the device and uploads the image: guards of random bytes from [seed], and [data]
// between them.
bool sl_buffer_make(sl_buffer *b, sl_device *d, sl_guards g, const void *data, size_t bytes, uint64_t seed,
                    sl_error *e);
// Fills in what the runner needs to find it.
bool sl_buffer_share(const sl_buffer *b, sl_device *d, sl_case_buffer *out, sl_error *e);
const void *sl_buffer_data(const sl_buffer *b); // the image's data
void sl_buffer_free(sl_buffer *b, sl_device *d);

// What the device holds now, read back whole. malloc'ed; data of the buffer begins at [b->lead].
unsigned char *sl_buffer_read(const sl_buffer *b, sl_device *d, sl_error *e);
// Says in [text] which guard byte of [now] was changed, as an element index. False if one was.
bool sl_buffer_guards_kept(const sl_buffer *b, const unsigned char *now, size_t elem, char *text, size_t cap);

// 64 random-looking bits from a counter (splitmix64).
uint64_t sl_mix(uint64_t x);

#endif
