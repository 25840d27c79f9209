// One device buffer of a call: data with guard zones of random bytes around it.
#pragma once

#include "gpu/poison.h"
#include "judge/device.h"
#include "runner/case_protocol.h"

// lead + bytes + trail of the allocation are used, which has [room] bytes. Their contents before the call
// follow from `data` and `seed`, so the host keeps no copy.
typedef struct sl_buffer {
  const char *name; // "out", "keys_in", ...
  void *base;
  size_t room, lead, bytes, trail;
  const void *data; // an input's data, owned by the caller. NULL: an output, which holds poison
  uint64_t seed;    // seed of guards and poison
  bool shared;      // [handle] is known
  uint8_t handle[SL_CASE_HANDLE_BYTES];
} sl_buffer;

// On the simulated GPU allocations end where the data ends: an access beyond is an error with file and line.
// On a real GPU guard zones, 4 KiB in front and 256 KiB behind, show such writes afterwards.
typedef struct sl_guards {
  size_t lead, trail;
} sl_guards;
// [unaligned]: the data begins 4 bytes behind a multiple of 256, else at one.
sl_guards sl_guards_of(sl_backend backend, bool unaligned, size_t bytes);

// Allocates the buffer on the device and fills it: guards of random bytes, between them b->data or poison.
// The caller has set name, data and seed.
bool sl_buffer_make(sl_buffer *b, sl_device *d, sl_guards g, size_t bytes, sl_error *e);
// Can the allocation hold another array of so many bytes? On the simulated GPU its length must be the same.
bool sl_buffer_fits(const sl_buffer *b, sl_device *d, sl_guards g, size_t bytes);
// Fills it so, with the new b->data. On a real GPU to share another allocation takes much longer.
bool sl_buffer_refill(sl_buffer *b, sl_device *d, sl_guards g, size_t bytes, sl_error *e);
// Fills in what the runner needs to find the buffer.
bool sl_buffer_share(sl_buffer *b, sl_device *d, sl_case_buffer *out, sl_error *e);
void sl_buffer_free(sl_buffer *b, sl_device *d);

// What an output held before the call: NaN as floats, different in every run. malloc'ed; NULL: out of memory.
uint32_t *sl_buffer_poison(const sl_buffer *b);

// The data as the device holds it now, malloc'ed; NULL with [e].
void *sl_buffer_read(const sl_buffer *b, sl_device *d, sl_error *e);

// These three read what the device holds now. False with [e] if they cannot.
// *at: the element index of the first guard byte that was written; SL_INTACT if none was.
#define SL_INTACT INT64_MIN
bool sl_buffer_guards(const sl_buffer *b, sl_device *d, size_t elem, int64_t *at, sl_error *e);
// Compares the data with b->data. *at: the first byte that has changed; b->bytes if none has.
bool sl_buffer_changed(const sl_buffer *b, sl_device *d, size_t *at, sl_error *e);
// Has the program stored there, be it the same? Only the simulated GPU knows; false on a real one.
bool sl_buffer_stored(const sl_buffer *b, sl_device *d, bool *stored, sl_error *e);
