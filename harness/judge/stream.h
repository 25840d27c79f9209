// Much device memory, piece by piece: while one piece travels, the host works on another.
#ifndef SL_JUDGE_STREAM_H
#define SL_JUDGE_STREAM_H

#include "judge/device.h"

// Bytes [from, from + count) of what travels are at [piece]. To be called on any thread, but one piece at a
// time, in order.
typedef void sl_piece_fn(void *context, size_t from, size_t count, void *piece);

// Reads [bytes] from the device and shows them to [visit].
bool sl_stream_read(sl_device *d, const void *from, size_t bytes, sl_piece_fn *visit, void *context,
                    sl_error *e);
// Writes [bytes] to the device, as [make] fills them in.
bool sl_stream_write(sl_device *d, void *to, size_t bytes, sl_piece_fn *make, void *context, sl_error *e);

#endif
