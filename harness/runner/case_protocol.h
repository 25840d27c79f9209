// The messages between the judge and the student's process, on that process's descriptor 3.
//
// Per call: CASE -> READY, GO -> DONE; after the last one END, and the process exits with 0. A reply repeats
// the ticket of its request, a random number, so that nothing written ahead of time counts. Whatever a reply
// says, the judge reads the result from the device itself: a reply can fail a case, never pass it. Native
// byte order: both ends run on one machine.
#pragma once

#include <stdint.h>

enum { SL_CASE_FD = 3, SL_CASE_MAGIC = 0x45534143, SL_CASE_HANDLE_BYTES = 64, SL_CASE_SCALARS = 4 };
// The first byte that the judge gets: sl-jail is about to start the program, or does so in namespaces.
enum { SL_JAIL_READY = 'J', SL_JAIL_APART = 'N' };

// The buffers of a call, in the order of sl_case_msg.buffers: inputs at even places, outputs at odd ones.
enum {
  SL_BUF_IN,
  SL_BUF_OUT,
  SL_BUF_VALUES_IN,
  SL_BUF_VALUES_OUT,
  SL_BUF_THIRD_IN,
  SL_BUF_THIRD_OUT,
  SL_BUF_COUNT
};

typedef enum sl_case_kind {
  SL_CASE_OPEN = 1, // open the buffers of this call, close others of the one before; reply READY
  SL_CASE_GO = 2,   // call the entry point `calls` times, wait for the device; reply DONE
  SL_CASE_END = 3   // exit with 0; no reply
} sl_case_kind;

// A device buffer of the judge: the IPC handle of an allocation, and where in it the data begins.
typedef struct sl_case_buffer {
  uint8_t handle[SL_CASE_HANDLE_BYTES];
  uint64_t offset;
  uint32_t present, reserved; // present 0: the argument is NULL
} sl_case_buffer;

// Judge to runner. Everything after `calls` but `events` is for SL_CASE_OPEN. Call k of a batch has its
// arguments k * stride bytes further on in each buffer; there is no way to tell a timed batch from another.
typedef struct sl_case_msg {
  uint32_t magic, kind; // sl_case_kind
  uint64_t ticket;
  uint64_t calls;  // SL_CASE_GO: how many; 0: none, to time the handshake alone
  uint64_t stride; // bytes from the arguments of one call to those of the next
  uint64_t n;
  uint32_t type, op, scan, tile;    // enums of scanlab/types.h
  uint32_t bits, sort;              // sort 1: the entry lab06_sort
  uint32_t events, reserved;        // SL_CASE_GO, too; events 1: the time between two events is wanted
  int64_t scalars[SL_CASE_SCALARS]; // for a lab with its own entry point
  sl_case_buffer buffers[SL_BUF_COUNT];
} sl_case_msg;

// Runner to judge: READY and DONE. Errors are cudaError_t numbers.
typedef struct sl_case_reply {
  uint32_t magic, kind; // kind of the request
  uint64_t ticket;
  int32_t returned; // READY: result of opening the buffers; DONE: what the entry point returned
  int32_t sync;     // DONE: cudaDeviceSynchronize after it
  int32_t last;     // DONE: cudaGetLastError after both: an error that the entry point did not report
  int32_t reserved;
  double device_ms; // DONE: between two events around the call, negative if not wanted; information only
} sl_case_reply;

_Static_assert(sizeof(sl_case_msg) == 16 + 56 + SL_CASE_SCALARS * 8 + SL_BUF_COUNT * 80,
               "sl_case_msg has no holes");
_Static_assert(sizeof(sl_case_reply) == 40, "sl_case_reply has no holes");
