// What a program says about the order of its streams. The engine runs calls one after the other; the
// observers need the order to find what is not ordered on hardware. Part of the messages to the device.
#pragma once

#include <stdint.h>

// A stream as a number: twice its own, 0 for the default stream, plus 1 if it does not wait for that one.
#define SL_STREAM(number, non_blocking) (2 * (uint64_t)(number) + ((non_blocking) ? 1 : 0))

typedef enum sl_sequence {
  SL_SEQUENCE_ALL,    // the host waits for all that was begun
  SL_SEQUENCE_STREAM, // the host waits for a stream
  SL_SEQUENCE_EVENT,  // the host waits for an event
  SL_SEQUENCE_WORK,   // a copy or a fill in a stream
  SL_SEQUENCE_RECORD, // an event is recorded in a stream
  SL_SEQUENCE_WAIT    // a stream waits for an event
} sl_sequence;

typedef enum sl_stream_kind {
  SL_STREAM_COPY,
  SL_STREAM_FILL,
  SL_STREAM_FREE,  // an allocation goes: nobody may use it at the same time
  SL_STREAM_ALLOC, // an allocation comes: nobody may use it before
  SL_STREAM_KINDS
} sl_stream_kind;

// A copy or a fill in a stream: rows of bytes. Addresses are the device's, 0 where the host's memory is.
typedef struct sl_stream_work {
  uint64_t stream, to, to_pitch, from, from_pitch, width, height; // stream: SL_STREAM
  uint32_t kind, waits; // kind: sl_stream_kind; waits: the host goes on when it is done
  uint64_t asked;       // by whom: a number that whoever tells of the work gives it; 0: not known
} sl_stream_work;

// Where the host's program asked for a piece of work.
typedef struct sl_asked {
  char call[48], where[112], file[512]; // where: "call 17, in main()"
  uint32_t line, caller; // caller: the line in the same file that called the function; 0: not known
} sl_asked;
