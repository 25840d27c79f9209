// Launches in different streams: which of them are ordered.
//
// Every stream has a vector clock: for each stream, how many of its launches come before the next work in
// this one. An event keeps the clock of its stream. Work that the host has waited for comes before all that
// it begins later. The default stream and blocking streams wait for each other; so do different programs.
//
// A launch that is not in the list counts as ordered, so forgetting launches can only lose findings.
// Everything is forgotten when the host waits for all, and when one of the lists is full.
#include "observers/observers.h"

static void join_clock(sl_stream_clock *a, const sl_stream_clock *b) {
  for (int k = 0; k < SL_STREAMS; k++)
    if (b->of[k] > a->of[k]) a->of[k] = b->of[k];
}

static void forget(sl_streams *s) {
  s->n_streams = s->n_events = s->n_past = 0;
  s->host = (sl_stream_clock){0};
}

static bool waits_for(const sl_stream *a, const sl_stream *b) {
  bool blocking = !((a->id | b->id) & 1);
  return a->owner != b->owner || (blocking && (!a->id || !b->id));
}

// The stream; its clock has everything that comes before the work that begins in it now.
static sl_stream *stream_of(sl_streams *s, uint32_t owner, uint64_t id) {
  uint32_t k = 0;
  while (k < s->n_streams && (s->stream[k].id != id || s->stream[k].owner != owner)) k++;
  if (k == SL_STREAMS) forget(s), k = 0;
  if (k == s->n_streams) s->stream[s->n_streams++] = (sl_stream){.owner = owner, .id = id};
  sl_stream *at = &s->stream[k];
  join_clock(&at->clock, &s->host);
  for (uint32_t o = 0; o < s->n_streams; o++)
    if (o != k && waits_for(at, &s->stream[o])) join_clock(&at->clock, &s->stream[o].clock);
  return at;
}

static sl_stream *find_event(sl_streams *s, uint32_t owner, uint64_t id) {
  for (uint32_t k = 0; k < s->n_events; k++)
    if (s->event[k].id == id && s->event[k].owner == owner) return &s->event[k];
  return NULL;
}

static void record(sl_streams *s, uint32_t owner, uint64_t stream, uint64_t event) {
  if (s->n_events == SL_EVENTS && !find_event(s, owner, event)) forget(s);
  const sl_stream *from = stream_of(s, owner, stream);
  sl_stream *e = find_event(s, owner, event);
  if (!e) e = &s->event[s->n_events++];
  *e = (sl_stream){.owner = owner, .id = event, .clock = from->clock};
}

void sl_gpu_order(sl_gpu *g, uint32_t owner, sl_sequence what, uint64_t stream, uint64_t event) {
  sl_streams *s = &sl__watch_state(g)->streams;
  if (!s->n_past) return; // there is no launch to order
  const sl_stream *e = find_event(s, owner, event);
  switch (what) {
  case SL_SEQUENCE_STREAM: join_clock(&s->host, &stream_of(s, owner, stream)->clock); return;
  case SL_SEQUENCE_EVENT:
    if (e) join_clock(&s->host, &e->clock);
    return;
  case SL_SEQUENCE_WORK: stream_of(s, owner, stream); return;
  case SL_SEQUENCE_RECORD: record(s, owner, stream, event); return;
  case SL_SEQUENCE_WAIT:
    if (e) join_clock(&stream_of(s, owner, stream)->clock, &e->clock);
    return;
  default: forget(s);
  }
}

void sl__streams_forget(sl_gpu *g) { forget(&sl__watch_state(g)->streams); }

// Launches, copies and fills --------------------------------------------------------------------------------

// Puts the launches that the host has waited for before all that follows.
static void drop_past(sl_streams *s) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < s->n_past; k++)
    if (s->past[k].seq > s->host.of[s->past[k].stream]) s->past[kept++] = s->past[k];
  s->n_past = kept;
  if (kept == SL_PAST) forget(s);
}

static bool before_now(const sl_streams *s, const sl_past *p) {
  return p->seq <= s->stream[s->now].clock.of[p->stream];
}

const sl_past *sl__streams_begin(sl_gpu *g, uint32_t owner, uint64_t stream, const sl_past *p) {
  sl_streams *s = &sl__watch_state(g)->streams;
  drop_past(s);
  sl_stream *at = stream_of(s, owner, stream);
  s->now = (uint32_t)(at - s->stream);
  s->several |= stream != 0;
  sl_past *now = &s->past[s->n_past++];
  *now = *p;
  now->stream = s->now, now->seq = ++at->clock.of[s->now];
  return now;
}

void sl__streams_launch(sl_grid *g) {
  sl_streams *s = &sl__watch_state(g->gpu)->streams;
  sl_seen_grid *seen = sl__seen_grid(g);
  const sl_past *now = sl__streams_begin(g->gpu, g->l->owner, g->l->stream,
                                         &(sl_past){.first = seen->first,
                                                    .n_blocks = g->n_blocks,
                                                    .m = g->m,
                                                    .name = g->k->fn->ir->name,
                                                    .grid = g->l->grid,
                                                    .block = g->l->block,
                                                    .launch = g->gpu->launches - 1});
  if (s->n_past == 1 || !s->several) s->era = seen->first; // else the words' cells are still needed
  seen->era = s->era, seen->low = seen->first;
  for (const sl_past *p = now; p-- > s->past;) {
    if (before_now(s, p)) continue;
    seen->low = p->first;
    if (!p->m && seen->n_works < SL_WORKS) seen->works[seen->n_works++] = p;
  }
}

const sl_past *sl__streams_past(const sl_gpu *g, uint32_t block) {
  const sl_streams *s = &sl__watch_state(g)->streams;
  for (uint32_t k = s->n_past; k-- > 0;)
    if (block >= s->past[k].first) return block - s->past[k].first < s->past[k].n_blocks ? &s->past[k] : NULL;
  return NULL;
}

bool sl__streams_ordered(const sl_gpu *g, const sl_past *p) {
  return before_now(&sl__watch_state(g)->streams, p);
}

bool sl__streams_meet(const sl_gpu *g, uint32_t block) {
  const sl_past *p = sl__streams_past(g, block);
  return p && !sl__streams_ordered(g, p);
}

void sl__streams_heard(sl_gpu *g, uint32_t block) {
  sl_streams *s = &sl__watch_state(g)->streams;
  const sl_past *p = sl__streams_past(g, block);
  if (p) join_clock(&s->stream[s->now].clock, &s->stream[p->stream].clock);
}

void sl__streams_host_heard(sl_gpu *g, const sl_past *p) {
  sl_streams *s = &sl__watch_state(g)->streams;
  if (p->seq > s->host.of[p->stream]) s->host.of[p->stream] = p->seq;
}
