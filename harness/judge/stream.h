// Moves large device memory piece by piece: while one piece travels, the host works on another.
#pragma once

#include "judge/device.h"

// Called with bytes [from, from + count) at [piece]: on any thread, one piece at a time, in order.
typedef void sl_piece_fn(void *context, size_t from, size_t count, void *piece);

// Reads [bytes] from the device and shows them to [visit].
bool sl_stream_read(sl_device *d, const void *from, size_t bytes, sl_piece_fn *visit, void *context,
                    sl_error *e);
// Writes [bytes] that [make] fills in to the device.
bool sl_stream_write(sl_device *d, void *to, size_t bytes, sl_piece_fn *make, void *context, sl_error *e);
