// Requests that nobody waits for: launches and fills that sl-gpu cannot refuse. Where a judge looks at what a
// program did, and nobody between its calls, they leave together with the next request that has an answer.
//
// Interface: a caller marks such a request (sl_call.unanswered). sl__held_add keeps it, connect.c sends what
// is kept. A fill cannot be refused in memory that sl__held_knows: its own, not freed.
#include "libcudart/client.h"

#include <sys/uio.h>

enum { ROOM = 64 << 10, RANGES = 64 };
static uint8_t bytes[ROOM];
static size_t kept;
static struct { uint64_t from, size; } known[RANGES]; // the latest ones
static unsigned next_range;

bool sl__held_add(const struct iovec *piece, int n) {
  size_t len = 0;
  for (int k = 0; k < n; k++) len += piece[k].iov_len;
  if (len > ROOM - kept) return false;
  for (int k = 0; k < n; kept += piece[k++].iov_len)
    if (piece[k].iov_len) memcpy(bytes + kept, piece[k].iov_base, piece[k].iov_len);
  return true;
}

struct iovec sl__held_take(void) {
  const struct iovec all = {bytes, kept};
  kept = 0;
  return all;
}

static void know(uint64_t from, uint64_t size) {
  known[next_range].from = from, known[next_range].size = size;
  next_range = (next_range + 1) % RANGES;
}

static void forget(uint64_t from) {
  for (int k = 0; k < RANGES; k++)
    if (known[k].from == from) known[k].size = 0;
}

void sl__held_note(const sl_msg *request, const sl_msg *reply) {
  if (request->op == SL_MSG_RESET) memset(known, 0, sizeof known);
  if (request->op == SL_MSG_FREE) forget(request->arg[0]);
  if (reply->status) return;
  if (request->op == SL_MSG_ALLOC) know(reply->arg[0], request->arg[0]);
  if (request->op == SL_MSG_IMPORT) know(reply->arg[0], reply->arg[1]);
}

bool sl__held_knows(uint64_t at, uint64_t size) {
  for (int k = 0; k < RANGES; k++)
    if (at - known[k].from < known[k].size && size <= known[k].size - (at - known[k].from)) return true;
  return false;
}
