// Requests about the device as a whole: HELLO SYNC TEXT RESET.
#include "gpu/server/server.h"

#include <driver_types.h>
#include <time.h>

static void fill_info(const sl_profile *p, uint32_t checks, sl_device_info *d) {
  *d = (sl_device_info){
      .sm = p->sm,
      .multiprocessors = p->multiprocessors,
      .max_blocks_per_sm = p->max_blocks_per_sm,
      .max_threads_per_sm = p->max_threads_per_sm,
      .max_threads_per_block = p->max_threads_per_block,
      .warp_size = p->warp_size,
      .regs_per_block = p->regs_per_block,
      .l2_bytes = p->l2_bytes,
      .clock_khz = p->clock_khz,
      .memory_clock_khz = p->memory_clock_khz,
      .bus_bits = p->bus_bits,
      .shared_per_block = p->shared_per_block,
      .shared_per_block_optin = p->shared_per_block_optin,
      .shared_per_sm = p->shared_per_sm,
      .shared_reserved = p->shared_reserved,
      .crowd = p->crowd ? p->crowd : 1,
      .total_memory = p->total_memory,
      .const_memory = p->const_memory,
      .host_checks =
          (checks & SL_CHECK_HOST_ERROR ? SL_HOST_ERRORS : 0) |
          (checks & SL_CHECK_HOST_ERROR && checks & SL_CHECK_MEMORY_UNINIT ? SL_HOST_UNWRITTEN : 0) |
          (checks & SL_CHECK_MEMORY_LEAK ? SL_HOST_LEAKS : 0) |
          (checks & SL_CHECK_RACE_HOST ? SL_HOST_RACES : 0) | (checks & SL_HOST_SIDE ? SL_HOST_PLACES : 0),
      .window_base = SL_GLOBAL_BASE,
      .window_size = SL_GLOBAL_SIZE};
  snprintf(d->name, sizeof d->name, "scanlab simulated GPU (%s)", p->name);
}

void sl__do_hello(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  if (q->msg->arg[0] != SL_PROTOCOL_VERSION) {
    r->status = cudaErrorSystemDriverMismatch;
    c->gone = true;
    return;
  }
  sl_device_info *d = malloc(sizeof *d);
  if (!d) {
    r->status = cudaErrorInitializationError;
    return;
  }
  const sl_profile *p = s->config.profile ? s->config.profile : sl_profile_find("default");
  fill_info(p, s->config.checks, d);
  if (s->hold) d->host_checks |= SL_HOST_SEALED;
  if (sl__lines_wanted()) d->host_checks |= SL_HOST_PLACES | SL_HOST_FAILED;
  c->greeted = true;
  r->data = r->owned = d;
  r->len = sizeof *d;
}

void sl__do_sync(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  const uint64_t *a = q->msg->arg;
  struct timespec t;
  sl_gpu_order(s->gpu, c->owner, a[0] <= SL_SEQUENCE_WAIT ? (sl_sequence)a[0] : SL_SEQUENCE_ALL, a[1], a[2]);
  if (a[0] == SL_SEQUENCE_ALL) c->handles = a[3];
  clock_gettime(CLOCK_MONOTONIC, &t);
  r->arg[0] = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool sl__work_read(const sl_server *s, const sl_client *c, const sl_request *q, sl_stream_work *out,
                   const void **place) {
  sl_stream_work w = {0};
  bool placed = q->len == sizeof w + sizeof(sl_place), known = placed || q->len == sizeof w;
  if (known) memcpy(&w, q->data, sizeof w);
  *place = placed ? q->data + sizeof w : NULL;
  uint64_t rows = w.height ? w.height - 1 : 0, most = UINT64_C(1) << 40,
           ends[] = {w.to, w.to_pitch, w.from, w.from_pitch};
  bool ok = known && w.kind <= SL_STREAM_FILL && w.width && w.height && w.width < most && w.height < most;
  for (int k = 0; k < 4 && ok; k += 2)
    ok =
        !ends[k] || (ends[k + 1] < most && (!rows || (ends[k + 1] >= w.width && ends[k + 1] < most / rows)) &&
                     sl_gpu_ptr(s->gpu, c->owner, ends[k], rows * ends[k + 1] + w.width, NULL));
  w.asked = 0;
  *out = w;
  return ok;
}

// Notes a copy or fill for the order of streams. Its bytes came by WRITE, READ, COPY or FILL.
void sl__do_work(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  sl_stream_work w;
  const void *place;
  if (!sl__work_read(s, c, q, &w, &place)) {
    r->status = cudaErrorInvalidValue;
    return;
  }
  if (place && sl__places_wanted(s)) w.asked = sl__keep_asked(s, place);
  sl_gpu_work(s->gpu, c->owner, &w);
}

// Moves what the client's kernels printed to the held texts: a program that saw it could learn its input.
void sl__hold_text(sl_server *s, sl_client *c) {
  if (!c->text.len) return;
  bool fits = s->held.len + c->text.len <= SL_MAX_TEXT;
  if (!fits || !sl__bytes_add(&s->held, c->text.at, c->text.len)) c->text_lost = true;
  s->traffic.printed += c->text.len;
  sl__bytes_free(&c->text);
}

void sl__do_printed(sl_server *s, sl_client *, const sl_request *, sl_reply *r) {
  r->data = r->owned = s->held.at;
  r->len = s->held.len;
  s->held = (sl_bytes){0};
}

void sl__do_text(sl_server *s, sl_client *c, const sl_request *, sl_reply *r) {
  static const char lost[] =
      "\n[device printf: more than 1 MiB between two synchronisations; the rest was dropped]\n";
  if (c->text_lost && !(s->hold && c->guest)) sl__bytes_add(&c->text, lost, sizeof lost - 1);
  if (c->guest) s->traffic.printed += c->text.len;
  r->data = r->owned = c->text.at;
  r->len = c->text.len;
  c->text = (sl_bytes){0};
  c->text_lost = false;
}

// Frees what the client has. After a kernel has failed only a new process gets the device back.
void sl__do_reset(sl_server *s, sl_client *c, const sl_request *, sl_reply *) {
  bool failed = c->failed != 0;
  sl__client_reset(s, c);
  if (failed) c->failed = cudaErrorDevicesUnavailable;
}
