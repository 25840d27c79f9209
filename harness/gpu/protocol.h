// The messages between programs (libcudart, sl_control) and the simulated GPU's process (sl-gpu).
//
// Both directions: one sl_msg of 64 bytes, then `length` bytes of payload. A connection carries one request
// at a time, every request gets one reply with the same op and sequence, unless its sender renounces it
// (unanswered): any number of these may come before the next one. messages.def lists the requests,
// with what their arguments and payloads mean and how long a payload may be. A message that breaks these
// rules ends the connection. Native byte order: both ends run on one machine. Copies are cut into pieces of
// SL_CHUNK bytes, so that each end holds at most one piece.
#pragma once

#include <stddef.h>
#include "device/streams.h"

#define SL_MSG_MAGIC 0x55504753u // "SGPU"
#define SL_PROTOCOL_VERSION 1u
#define SL_CHUNK (1u << 20)       // most bytes of one WRITE or READ
#define SL_MAX_MODULE (64u << 20) // most bytes of one fat binary
#define SL_MAX_NAME 65536u        // most bytes of a kernel's or variable's name
#define SL_MAX_PARAMS 32764u      // most bytes of kernel parameters
#define SL_MAX_TEXT (1u << 20)    // most bytes of device printf kept for a client
#define SL_MSG_ARGS 5

// The environment variable with the path of the socket, or "fd:N": descriptor N is connected already.
#define SL_GPU_ENV "SCANLAB_GPU"

typedef struct sl_msg {
  uint32_t magic;
  uint16_t op;         // enum sl_op_code
  uint16_t unanswered; // 1: no reply; an error is the next reply's. Only with the flag SILENT; reply: 0
  uint32_t sequence;   // counts up from 1 on each connection; the reply repeats it
  int32_t status;      // reply: a cudaError_t; request: 0
  uint32_t length;     // bytes of payload that follow
  uint32_t text;       // reply: bytes of device printf waiting (SL_MSG_TEXT fetches them); request: 0
  uint64_t arg[SL_MSG_ARGS];
} sl_msg;
_Static_assert(sizeof(sl_msg) == 64, "sl_msg is 64 bytes on the wire");

typedef enum sl_op_code {
#define SL_MSG(name, handler, max_payload, flags) SL_MSG_##name,
#include "gpu/messages.def"
#undef SL_MSG
  SL_MSG_COUNT
} sl_op_code;

// Payload of HELLO's reply: the device.
typedef struct sl_device_info {
  char name[64];
  uint32_t sm, multiprocessors, max_blocks_per_sm, max_threads_per_sm, max_threads_per_block, warp_size;
  uint32_t regs_per_block, l2_bytes, clock_khz, memory_clock_khz, bus_bits, shared_reserved, crowd;
  uint32_t host_checks; // sl_host_check
  uint64_t shared_per_block, shared_per_block_optin, shared_per_sm, total_memory, const_memory;
  uint64_t window_base, window_size; // all device addresses lie in here, no host address does
} sl_device_info;

// What sl-gpu asks the program's side to report, by NOTICE and BYE.
// SEALED: what the host learns of the device's memory is counted, so managed memory comes to the host page by
// page, when it is touched.
enum sl_host_check {
  SL_HOST_ERRORS = 1,
  SL_HOST_LEAKS = 2,
  SL_HOST_RACES = 4,
  SL_HOST_PLACES = 8,
  SL_HOST_SEALED = 16,
  SL_HOST_UNWRITTEN = 32, // reads of managed memory that nobody has written
  SL_HOST_FAILED = 64     // every call that fails, at once
};

// The place of a call in the program: offsets, innermost first, in one file (the program or one of its
// libraries). Payload of ALLOC and FREE, and behind that of WORK and LAUNCH; it may be left out.
#define SL_PLACE_DEPTH 16
typedef struct sl_place {
  char object[512], call[48]; // call: name of the function of the API
  uint32_t n, ordinal;        // ordinal: number of the API call, from 1
  uint64_t at[SL_PLACE_DEPTH];
} sl_place;

// Payload of NOTICE.
enum sl_notice_kind {
#define SL_NOTICE(name, ...) SL_NOTICE_##name,
#include "gpu/notices.def"
#undef SL_NOTICE
  SL_NOTICE_COUNT
};
typedef struct sl_notice {
  uint32_t kind;
  int32_t error;
  uint64_t addr, size; // EARLY: index of the byte, bytes of the copy
  uint64_t empty;      // 1: the call launches no block or no thread
  char call[64], error_name[64], detail[256], kernel[256];
  sl_place place, other;
} sl_notice;

// Payload of KERNEL's reply; n_params pairs {offset, size} follow.
typedef struct sl_kernel_msg {
  uint64_t static_shared, local_bytes, const_bytes;
  uint32_t param_bytes, n_params, max_threads, regs;
} sl_kernel_msg;
typedef struct sl_param_msg {
  uint32_t offset, size;
} sl_param_msg;

// Payload of LAUNCH; the parameters follow, then the place of the call, or not.
typedef struct sl_launch_msg {
  uint32_t grid[3], block[3];
  uint64_t shared_bytes, stack_bytes, stream; // stream: SL_STREAM
  uint32_t cooperative, param_bytes;
} sl_launch_msg;
