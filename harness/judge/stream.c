// Streams between device and host, in pieces. Interface: stream.h.
//
// There are two buffers: while one travels, a thread, which may use all cores, works on the other. So large
// arrays need no second copy on the host, and no page is touched for the first time. Two or more pieces use
// page-locked buffers: a GPU reaches these by itself, so they travel several times as fast. A single piece
// needs no thread. Pieces for the simulated GPU are copied by both processes: they are so small that they
// stay in the caches, and a thread would cost more than it saves.
#include "judge/stream.h"

#include <pthread.h>

enum { PIECE = 16 << 20, SIM_PIECE = 4 << 20 };

typedef struct stream {
  sl_device *device;
  size_t bytes, most; // most: of one piece
  bool threads;
  unsigned char *piece[2];
  sl_piece_fn *work;
  void *context;
  size_t from; // first byte of the piece that is worked on
  pthread_t thread;
  bool working;
} stream;

static size_t length_at(const stream *s, size_t from) {
  return s->bytes - from < s->most ? s->bytes - from : s->most;
}
static unsigned char *piece_at(const stream *s, size_t from) { return s->piece[from / s->most % 2]; }

static bool open_stream(stream *s, sl_error *e) {
  const bool sim = sl_device_control(s->device) != NULL;
  s->most = sim ? SIM_PIECE : PIECE;
  s->threads = !sim && s->bytes > s->most;
  size_t size = length_at(s, 0);
  s->piece[0] = sl_device_staging(s->device, 0, size);
  s->piece[1] = s->bytes > s->most ? sl_device_staging(s->device, 1, size) : s->piece[0];
  return (s->piece[0] && s->piece[1]) ||
         sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for a piece of %zu bytes", size);
}

static void work_on(stream *s, size_t from) {
  s->work(s->context, from, length_at(s, from), piece_at(s, from));
}

static void *work_there(void *arg) {
  stream *s = arg;
  work_on(s, s->from);
  return NULL;
}

// Works on a piece in a thread beside the caller, or in the caller if no thread can be made.
static void begin_work(stream *s, size_t from) {
  s->from = from;
  s->working = s->threads && pthread_create(&s->thread, NULL, work_there, s) == 0;
  if (!s->working) work_on(s, from);
}

static void end_work(stream *s) {
  if (s->working) pthread_join(s->thread, NULL);
  s->working = false;
}

bool sl_stream_read(sl_device *d, const void *from, size_t bytes, sl_piece_fn *visit, void *context,
                    sl_error *e) {
  stream s = {.device = d, .bytes = bytes, .work = visit, .context = context};
  bool ok = bytes == 0 || open_stream(&s, e);
  for (size_t at = 0; ok && at < bytes; at += s.most) {
    ok = sl_device_read(d, piece_at(&s, at), (const char *)from + at, length_at(&s, at), e);
    end_work(&s);
    if (ok) begin_work(&s, at);
  }
  end_work(&s);
  return ok;
}

bool sl_stream_write(sl_device *d, void *to, size_t bytes, sl_piece_fn *make, void *context, sl_error *e) {
  stream s = {.device = d, .bytes = bytes, .work = make, .context = context};
  bool ok = bytes == 0 || open_stream(&s, e);
  if (ok && bytes) work_on(&s, 0);
  for (size_t at = 0; ok && at < bytes; at += s.most) {
    if (at + s.most < bytes) begin_work(&s, at + s.most);
    ok = sl_device_write(d, (char *)to + at, piece_at(&s, at), length_at(&s, at), e);
    end_work(&s);
  }
  return ok;
}
