// Requests: ALLOC FREE WRITE READ COPY FILL RANGE MEMINFO UNWRITTEN IN_USE HEAP POISON STORED, EXPORT IMPORT.
//
// Every address comes from a client; the engine checks it against what that client may touch.
#include "gpu/server/server.h"
#include "gpu/poison.h"

#include <driver_types.h>
#include <sys/random.h>

enum { SMALL_FILL = 16 }; // bytes: a program could write a result by many such fills

// Notes that an allocation comes or goes: at once, with the host waiting, or in the order of a stream.
static void in_order(sl_server *s, const sl_client *c, const sl_request *q, sl_stream_kind kind,
                     uint64_t at) {
  sl_stream_work w = {.kind = kind, .to = at, .height = 1};
  if (!q->msg->arg[1]) {
    sl_gpu_order(s->gpu, c->owner, SL_SEQUENCE_ALL, 0, 0);
  } else if (sl_gpu_range(s->gpu, c->owner, at, &w.to, &w.width) && w.to == at) {
    w.to_pitch = w.width, w.stream = q->msg->arg[1] - 1;
    if (q->len == sizeof(sl_place) && sl__places_wanted(s)) w.asked = sl__keep_asked(s, q->data);
    sl_gpu_work(s->gpu, c->owner, &w);
  }
}

// Memory of the program itself: nobody waits.
static void alloc_for_host(sl_server *s, sl_client *c, uint64_t bytes, uint64_t host, sl_reply *r) {
  if (!sl_gpu_alloc(s->gpu, c->owner, bytes, &r->arg[0], NULL)) r->status = cudaErrorMemoryAllocation;
  else if (!sl_gpu_alias(s->gpu, c->owner, r->arg[0], host))
    sl_gpu_free(s->gpu, c->owner, r->arg[0], NULL), r->status = cudaErrorInvalidValue;
}

void sl__do_alloc(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  const uint64_t *a = q->msg->arg;
  sl_gpu_in_stream(s->gpu, a[1]);
  if (a[3]) {
    alloc_for_host(s, c, a[0], a[3], r);
    return;
  }
  bool ok = (a[2] ? sl_gpu_alloc_pages : sl_gpu_alloc)(s->gpu, c->owner, a[0], &r->arg[0], NULL);
  in_order(s, c, q, SL_STREAM_ALLOC, r->arg[0]);
  if (c->guest && !a[1]) s->traffic.allocs++;
  if (!ok) r->status = cudaErrorMemoryAllocation;
  else if (q->len == sizeof(sl_place) && sl__places_wanted(s))
    sl__keep_place(s, sl_gpu_number(s->gpu, r->arg[0]), q->data);
}

// Drops the IPC handles of an allocation that goes: another one may get the address.
void sl__drop_tokens(sl_server *s, uint32_t owner, uint64_t addr) {
  size_t kept = 0;
  for (size_t i = 0; i < s->n_tokens; i++) {
    const sl_token *t = &s->tokens[i];
    if (addr ? t->addr != addr : t->owner != owner) s->tokens[kept++] = *t;
  }
  s->n_tokens = kept;
}

void sl__do_free(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  if (!q->msg->arg[2]) in_order(s, c, q, SL_STREAM_FREE, q->msg->arg[0]);
  const uint32_t number = sl_gpu_number(s->gpu, q->msg->arg[0]);
  sl_gpu_in_stream(s->gpu, q->msg->arg[1]);
  if (sl_gpu_free(s->gpu, c->owner, q->msg->arg[0], NULL)) {
    sl__drop_tokens(s, c->owner, q->msg->arg[0]);
    if (q->len == sizeof(sl_place) && sl__places_wanted(s)) sl__keep_freed(s, number, q->data);
  } else r->status = cudaErrorInvalidValue, r->arg[0] = sl_gpu_was_freed(s->gpu, c->owner, q->msg->arg[0]);
}

static sl_token *token_of(sl_server *s, uint64_t addr) {
  for (size_t i = 0; i < s->n_tokens; i++)
    if (s->tokens[i].addr == addr) return &s->tokens[i];
  return NULL;
}

// Is this memory that another client has shared?
static bool is_shared(sl_server *s, const sl_client *c, uint64_t addr) {
  uint64_t base, size;
  const sl_token *t =
      s->n_tokens && sl_gpu_range(s->gpu, c->owner, addr, &base, &size) ? token_of(s, base) : NULL;
  return t && t->owner != c->owner;
}

void sl__do_write(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  void *p = sl_gpu_ptr(s->gpu, c->owner, q->msg->arg[0], q->len, NULL);
  if (!p) {
    r->status = cudaErrorInvalidValue;
    return;
  }
  memcpy(p, q->data, q->len);
  sl_gpu_wrote(s->gpu, q->msg->arg[0], q->len);
  if (is_shared(s, c, q->msg->arg[0])) s->traffic.written += q->len;
  if (c->guest) sl_gpu_note_stored(s->gpu, q->msg->arg[0]);
  if (c->guest) s->traffic.moved += q->len;
}

static uint64_t digest(uint64_t h, const uint8_t *p, uint64_t len) {
  for (uint64_t word; len; p += len < 8 ? len : 8, len -= len < 8 ? len : 8) {
    word = 0;
    memcpy(&word, p, len < 8 ? len : 8);
    h = (h ^ word) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 32;
  }
  return h;
}

// Adds a read to the digests. The server's is the sum of those of its clients' threads, whoever read first.
static void note_read(sl_server *s, sl_client *c, uint64_t thread, const uint8_t *p, uint64_t len) {
  uint64_t *mine = &c->digest[thread % SL_HOST_THREADS];
  s->digest.hash -= *mine;
  *mine = digest(*mine + len + 1, p, len);
  s->digest.hash += *mine;
  s->digest.bytes += len;
}

// Appends a copy to the file of copies, which holds those of the first client that reads.
static void keep_copy(sl_server *s, const sl_client *c, uint64_t addr, const void *p, uint64_t len) {
  if (!s->copies_of) s->copies_of = c->owner;
  if (s->copies_of != c->owner || len > SL_COPIES_MAX - s->copied) return;
  sl_copy_head h = {len, addr == s->copies_next};
  s->copies_next = len == SL_CHUNK ? addr + len : 0;
  s->copied += len;
  if (write(s->copies, &h, sizeof h) < 0 || write(s->copies, p, len) < 0) s->copied = SL_COPIES_MAX;
}

void sl__do_read(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  uint64_t len = q->msg->arg[1];
  void *p = len <= SL_CHUNK ? sl_gpu_ptr(s->gpu, c->owner, q->msg->arg[0], len, NULL) : NULL;
  if (!p) {
    r->status = cudaErrorInvalidValue;
    return;
  }
  r->data = p;
  r->len = len;
  r->arg[0] = sl__holes_wanted(s, c) && sl__has_holes(s, q->msg->arg[0], len);
  if (!s->hold) note_read(s, c, q->msg->arg[2], p, len); // a judge compares no runs
  if (c->guest) s->traffic.read += len, s->traffic.moved += len;
  if (s->copies > 0) keep_copy(s, c, q->msg->arg[0], p, len);
}

void sl__do_copy(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  const uint64_t *a = q->msg->arg;
  void *to = sl_gpu_ptr(s->gpu, c->owner, a[0], a[2], NULL);
  const void *from = sl_gpu_ptr(s->gpu, c->owner, a[1], a[2], NULL);
  if (!to || !from) r->status = cudaErrorInvalidValue;
  else memmove(to, from, a[2]), sl_gpu_copied(s->gpu, a[0], a[1], a[2]);
  if (r->status || !c->guest) return;
  s->traffic.moved += 2 * a[2], s->traffic.copies++;
  sl_gpu_note_stored(s->gpu, a[0]);
}

void sl__do_fill(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  const uint64_t *a = q->msg->arg;
  void *p = sl_gpu_ptr(s->gpu, c->owner, a[0], a[2], NULL);
  if (!p) {
    r->status = cudaErrorInvalidValue;
    return;
  }
  memset(p, (int)(a[1] & 0xff), a[2]);
  sl_gpu_wrote(s->gpu, a[0], a[2]);
  if (c->guest) s->traffic.moved += a[2], s->traffic.copies++, sl_gpu_note_stored(s->gpu, a[0]);
  if (a[2] <= SMALL_FILL && is_shared(s, c, a[0])) s->traffic.small_fills++;
  if (q->len) sl__do_work(s, c, q, r);
}

static void *host_memory(sl_server *s, uint64_t addr, uint64_t len) {
  void *p = NULL;
  for (size_t k = 0; k < s->n_clients && !p; k++)
    if (!s->clients[k]->guest && !s->clients[k]->control)
      p = sl_gpu_ptr(s->gpu, s->clients[k]->owner, addr, len, NULL);
  return p;
}

void sl__do_poison(sl_server *s, sl_client *, const sl_request *q, sl_reply *r) {
  const uint64_t *a = q->msg->arg;
  uint32_t *p = host_memory(s, a[0], a[1]);
  if (!p) {
    r->status = cudaErrorInvalidValue;
    return;
  }
  for (uint64_t k = 0; k < a[1] / sizeof *p; k++) p[k] = sl_poison_word(a[2], k);
  sl_gpu_wrote(s->gpu, a[0], a[1]);
}

void sl__do_stored(sl_server *s, sl_client *, const sl_request *q, sl_reply *r) {
  r->arg[0] = sl_gpu_stored(s->gpu, q->msg->arg[0], true);
}

// No guest learns where its kernels have stored: that may depend on others' data. What it fetches is counted.
void sl__do_range(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  if (!sl_gpu_range(s->gpu, c->owner, q->msg->arg[0], &r->arg[0], &r->arg[1]))
    r->status = cudaErrorInvalidValue;
  else r->arg[2] = sl_gpu_stored(s->gpu, q->msg->arg[0], !c->guest);
}

void sl__do_unwritten(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  const uint64_t *a = q->msg->arg;
  if (c->guest || !sl_gpu_ptr(s->gpu, c->owner, a[0], a[1], NULL)) r->status = cudaErrorInvalidValue;
  else sl_gpu_unwritten(s->gpu, a[0], a[1], &r->arg[0], &r->arg[1]);
}

void sl__do_in_use(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  const uint64_t *a = q->msg->arg;
  if (c->guest || a[0] - SL_GLOBAL_BASE >= SL_GLOBAL_SIZE || a[1] > SL_GLOBAL_BASE + SL_GLOBAL_SIZE - a[0]) {
    r->status = cudaErrorInvalidValue;
    return;
  }
  const sl_in_use u = sl_gpu_in_use(s->gpu, c->owner, a[0], a[1]);
  r->arg[0] = u.start, r->arg[1] = u.size, r->arg[2] = u.written;
}

void sl__do_heap(sl_server *s, sl_client *, const sl_request *q, sl_reply *) {
  sl_gpu_limit_heap(s->gpu, q->msg->arg[0]);
}

void sl__do_meminfo(sl_server *s, sl_client *, const sl_request *, sl_reply *r) {
  const sl_profile *p = s->config.profile ? s->config.profile : sl_profile_find("default");
  uint64_t used = sl_gpu_memory_used(s->gpu);
  r->arg[0] = used < p->total_memory ? p->total_memory - used : 0;
  r->arg[1] = p->total_memory;
}

// IPC handles -----------------------------------------------------------------------------------------------

static size_t tokens_of(const sl_server *s, uint32_t owner) {
  size_t n = 0;
  for (size_t i = 0; i < s->n_tokens; i++) n += s->tokens[i].owner == owner;
  return n;
}

static sl_token *new_token(sl_server *s, uint64_t addr, uint32_t owner) {
  sl_token t = {.addr = addr, .owner = owner};
  if (tokens_of(s, owner) >= SL_MAX_TOKENS || getrandom(t.word, sizeof t.word, 0) != sizeof t.word)
    return NULL;
  if (!SL_ROOM(s->tokens, s->n_tokens)) return NULL;
  s->tokens[s->n_tokens] = t;
  return &s->tokens[s->n_tokens++];
}

void sl__do_export(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  uint64_t base, size;
  if (!sl_gpu_range(s->gpu, c->owner, q->msg->arg[0], &base, &size)) {
    r->status = cudaErrorInvalidValue;
    return;
  }
  const sl_token *t = token_of(s, base);
  if (!t) t = new_token(s, base, c->owner);
  if (t) memcpy(r->arg, t->word, sizeof t->word);
  else r->status = cudaErrorMemoryAllocation;
}

void sl__do_import(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  r->status = cudaErrorInvalidResourceHandle;
  for (size_t i = 0; i < s->n_tokens; i++) {
    const sl_token *t = &s->tokens[i];
    if (t->word[0] != q->msg->arg[0] || t->word[1] != q->msg->arg[1]) continue;
    uint64_t base, size;
    if (!sl_gpu_share(s->gpu, t->addr, c->owner, NULL)) return;
    if (!sl_gpu_range(s->gpu, c->owner, t->addr, &base, &size)) return;
    r->status = cudaSuccess;
    c->guest |= t->owner != c->owner;
    r->arg[0] = base;
    r->arg[1] = size;
    return;
  }
}
