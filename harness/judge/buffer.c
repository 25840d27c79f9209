// Device buffers with guard zones.
//
// Interface: buffer.h. The device's bytes are compared piece by piece (stream.h) with their value before the
// call, which is either made again from the seed or is the caller's input.
#include "judge/buffer.h"
#include "judge/stream.h"

#include <stdatomic.h>

// SHARED: a real GPU shares memory in units of this size; a smaller allocation would share its neighbours,
// too. GRAIN: a thread gets at least so many words or bytes.
enum { BEFORE = 4096, BEHIND = 256 << 10, UNALIGNED = 4, SHARED = 2 << 20 };
enum { WORD_GRAIN = 1 << 18, BYTE_GRAIN = 1 << 20 };

sl_guards sl_guards_of(sl_backend backend, bool unaligned, size_t bytes) {
  sl_guards g = {unaligned ? UNALIGNED : 0, 0};
  if (backend == SL_BACKEND_GPU) g.lead += BEFORE, g.trail = BEHIND;
  if (g.lead + bytes + g.trail == 0) g.lead = 256; // no data: the pointer leads to the end of an allocation
  return g;
}

// Filling ---------------------------------------------------------------------------------------------------

static bool no_memory(size_t bytes, sl_error *e) {
  return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for a guard zone of %zu bytes", bytes);
}

static void fill_random(unsigned char *at, size_t bytes, uint64_t seed) {
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t word = sl_mix(seed + i);
    memcpy(at + i, &word, bytes - i < 8 ? bytes - i : 8);
  }
}

typedef struct poison {
  uint32_t *words;
  uint64_t seed; // the seed of words[0]
} poison;

static void fill_poison(void *context, size_t from, size_t to) {
  const poison *p = context;
  for (size_t i = from; i < to; i++) p->words[i] = sl_poison_word(p->seed, i);
}

static void poison_piece(void *context, size_t from, size_t count, void *piece) {
  const sl_buffer *b = context;
  poison p = {piece, b->seed + 2 * from};
  sl_parallel(count / 4, WORD_GRAIN, fill_poison, &p);
}

uint32_t *sl_buffer_poison(const sl_buffer *b) {
  uint32_t *words = sl_alloc_array(b->bytes);
  if (words) poison_piece((void *)(uintptr_t)b, 0, b->bytes, words);
  return words;
}

void *sl_buffer_read(const sl_buffer *b, sl_device *d, sl_error *e) {
  void *now = sl_alloc_array(b->bytes);
  if (!now) sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for a result of %zu bytes", b->bytes);
  else if (sl_device_read(d, now, (const char *)b->base + b->lead, b->bytes, e)) return now;
  free(now);
  return NULL;
}

typedef struct byte_copy {
  const char *from;
  char *to;
} byte_copy;

static void copy_bytes(void *context, size_t from, size_t to) {
  const byte_copy *b = context;
  memcpy(b->to + from, b->from + from, to - from);
}

static void copy_piece(void *context, size_t from, size_t count, void *piece) {
  const sl_buffer *b = context;
  byte_copy all = {(const char *)b->data + from, piece};
  sl_parallel(count, BYTE_GRAIN, copy_bytes, &all);
}

// The guards that a buffer was made with: the one in front, then the one behind. malloc'ed.
static unsigned char *make_guards(const sl_buffer *b, sl_error *e) {
  unsigned char *both = malloc(b->lead + b->trail + 1);
  if (!both) return no_memory(b->lead + b->trail, e), NULL;
  fill_random(both, b->lead, b->seed);
  fill_random(both + b->lead, b->trail, ~b->seed);
  return both;
}

static void *data_at(const sl_buffer *b) { return (char *)b->base + b->lead; }
static void *trail_at(const sl_buffer *b) { return (char *)b->base + b->lead + b->bytes; }

// The simulated GPU takes the caller's bytes and makes poison itself; a real one likes page-locked memory.
static bool write_data(const sl_buffer *b, sl_device *d, sl_error *e) {
  sl_control *control = sl_device_control(d);
  if (control && !b->bytes) return true;
  if (control && b->data) return sl_device_write(d, data_at(b), b->data, b->bytes, e);
  if (control) return sl_control_poison(control, (uintptr_t)data_at(b), b->bytes, b->seed, e);
  return sl_stream_write(d, data_at(b), b->bytes, b->data ? copy_piece : poison_piece, (void *)b, e);
}

static bool fill(const sl_buffer *b, sl_device *d, sl_error *e) {
  SL_FREED unsigned char *guards = make_guards(b, e);
  return guards && (!b->lead || sl_device_write(d, b->base, guards, b->lead, e)) &&
         (!b->trail || sl_device_write(d, trail_at(b), guards + b->lead, b->trail, e)) &&
         write_data(b, d, e) && sl_device_settle(d, e);
}

static size_t room_for(sl_device *d, sl_guards g, size_t bytes) {
  const size_t used = g.lead + bytes + g.trail;
  return sl_device_control(d) ? used : (used + SHARED - 1) / SHARED * SHARED;
}

bool sl_buffer_fits(const sl_buffer *b, sl_device *d, sl_guards g, size_t bytes) {
  const size_t room = room_for(d, g, bytes);
  return b->base && (sl_device_control(d) ? room == b->room : room <= b->room);
}

bool sl_buffer_refill(sl_buffer *b, sl_device *d, sl_guards g, size_t bytes, sl_error *e) {
  b->lead = g.lead, b->bytes = bytes, b->trail = g.trail;
  return fill(b, d, e);
}

bool sl_buffer_make(sl_buffer *b, sl_device *d, sl_guards g, size_t bytes, sl_error *e) {
  b->room = room_for(d, g, bytes);
  return sl_device_alloc(d, b->room, &b->base, e) && sl_buffer_refill(b, d, g, bytes, e);
}

bool sl_buffer_share(sl_buffer *b, sl_device *d, sl_case_buffer *out, sl_error *e) {
  *out = (sl_case_buffer){.offset = b->lead, .present = 1};
  b->shared = b->shared || sl_device_handle(d, b->base, b->handle, e);
  memcpy(out->handle, b->handle, sizeof out->handle);
  return b->shared;
}

void sl_buffer_free(sl_buffer *b, sl_device *d) {
  sl_device_free(d, b->base);
  *b = (sl_buffer){.name = b->name};
}

// Comparing -------------------------------------------------------------------------------------------------

// The first place where [a] and [b] differ; [n] if they do not.
static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t n) {
  size_t i = 0;
  while (i < n && a[i] == b[i]) i++;
  return i;
}

bool sl_buffer_guards(const sl_buffer *b, sl_device *d, size_t elem, int64_t *at, sl_error *e) {
  SL_FREED unsigned char *was = make_guards(b, e), *now = malloc(b->lead + b->trail + 1);
  bool ok = was && (now || no_memory(b->lead + b->trail, e)) &&
            (!b->lead || sl_device_read(d, now, b->base, b->lead, e)) &&
            (!b->trail || sl_device_read(d, now + b->lead, trail_at(b), b->trail, e));
  size_t low = ok ? first_difference(was, now, b->lead) : 0,
         high = ok ? first_difference(was + b->lead, now + b->lead, b->trail) : 0;
  *at = SL_INTACT;
  if (ok && low < b->lead) *at = -(int64_t)((b->lead - low + elem - 1) / elem);
  else if (ok && high < b->trail) *at = (int64_t)((b->bytes + high) / elem);
  return ok;
}

typedef struct comparison {
  const unsigned char *was, *now;
  size_t from; // first byte of the piece that is compared now
  _Atomic size_t first_wrong;
} comparison;

static void compare_bytes(void *context, size_t from, size_t to) {
  comparison *c = context;
  if (!memcmp(c->was + c->from + from, c->now + from, to - from)) return;
  size_t at = c->from + from + first_difference(c->was + c->from + from, c->now + from, to - from),
         least = c->first_wrong;
  while (at < least && !atomic_compare_exchange_weak(&c->first_wrong, &least, at)) {
  }
}

static void compare_piece(void *context, size_t from, size_t count, void *piece) {
  comparison *c = context;
  c->now = piece, c->from = from;
  sl_parallel(count, BYTE_GRAIN, compare_bytes, c);
}

bool sl_buffer_changed(const sl_buffer *b, sl_device *d, size_t *at, sl_error *e) {
  comparison c = {.was = b->data, .first_wrong = b->bytes};
  bool ok = sl_stream_read(d, data_at(b), b->bytes, compare_piece, &c, e);
  *at = c.first_wrong;
  return ok;
}

bool sl_buffer_stored(const sl_buffer *b, sl_device *d, bool *stored, sl_error *e) {
  sl_control *control = sl_device_control(d);
  *stored = false;
  return !control || !b->bytes || sl_control_stored(control, (uintptr_t)b->base, stored, e);
}
