// Asynchronous copies between pinned memory and the device that the program has not waited for.
//
// The device does each piece of work at once, but a program may not rely on that before it has waited. So
// bytes for the host are kept, and delivered when the program waits for them by any call: for a stream, an
// event, the device, or in a blocking copy. A copy from the host is repeated before the device's next work if
// its source has changed by then. Hardware may do both; here they happen the same way every time.  When
// races of the host are looked for, pages that lie wholly in such memory are protected until then: the first
// touch is seen and reported with its line (race.host). A changed source is seen without protection, too.
// Interface: client.h, pending.c. Each copy keeps the set of streams and events that come after it.
#include "libcudart/client.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 128, BEHIND = 48 }; // most copies, most streams and events after one; beyond, it counts as done

typedef struct pending {
  sl_rows rows;
  uint64_t stream;
  bool used, to_host, taken; // taken: the device has gone on, so the source is not read again
  bool by_copy;              // another copy touched it
  char *bytes;               // to the host: the bytes that arrive; from the host: the source at the start
  uint64_t behind[BEHIND];
  unsigned n_behind;
  uintptr_t first, end;       // pages that are protected
  atomic_int touched, writes; // touched: TOUCHED once the rest of the touch is there, then TOLD
  size_t index;
  sl_place asked, place;
} pending;
enum { TOUCHING = 1, TOUCHED, TOLD };
static pending list[MOST]; // never moves: the fault handler reads it
static unsigned n_used, next_slot;

// Keys of sets: streams and events.
static uint64_t stream_key(uint64_t stream) { return 2 * stream; }
static uint64_t event_key(uint64_t event) { return 2 * event + 1; }
static bool is_blocking(uint64_t key) { return !(key & 3); }

#define EACH(p)                                                                                              \
  for (pending *p = list; n_used && p < list + MOST; p++)                                                    \
    if (p->used)

// Rows ------------------------------------------------------------------------------------------------------

static char *host_of(const pending *p) { return p->to_host ? p->rows.to : (char *)(uintptr_t)p->rows.from; }
static size_t pitch_of(const pending *p) { return p->to_host ? p->rows.to_pitch : p->rows.from_pitch; }
static size_t size_of(const pending *p) { return p->rows.width * p->rows.height; }
static size_t span_of(const pending *p) { return (p->rows.height - 1) * pitch_of(p) + p->rows.width; }

static bool has(const pending *p, uintptr_t addr, size_t *index) {
  uintptr_t off = addr - (uintptr_t)host_of(p);
  size_t row = p->rows.height > 1 ? off / pitch_of(p) : 0;
  *index = row * p->rows.width + (off - row * pitch_of(p));
  return off < span_of(p) && off - row * pitch_of(p) < p->rows.width;
}

// Protection ------------------------------------------------------------------------------------------------

static void protect(const pending *p, bool on) {
  int with = on ? (p->to_host ? PROT_NONE : PROT_READ) : PROT_READ | PROT_WRITE;
  if (p->first < p->end) mprotect((void *)p->first, p->end - p->first, with);
}

// Finds the pages that hold only bytes of the copy: no other code or system call may meet the protection.
static void find_pages(pending *p) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)host_of(p);
  p->first = p->end = 0;
  if (p->rows.height > 1 || !sl__races_seen()) return;
  p->first = (at + page - 1) / page * page;
  p->end = sl__pinned_end(host_of(p), p->rows.width, page) / page * page;
}

// Takes the protection off, unless another copy still needs it for the page.
static void unprotect(const pending *gone) {
  protect(gone, false);
  EACH(p) if (p != gone && p->first < gone->end && gone->first < p->end && !p->touched) protect(p, true);
}

static bool touch(pending *p, size_t index, bool writes) {
  int none = 0;
  if (!atomic_compare_exchange_strong(&p->touched, &none, TOUCHING)) return false;
  p->index = index;
  p->writes = writes;
  sl__place(&p->place);
  atomic_store(&p->touched, TOUCHED);
  return true;
}

static bool open_pages(const pending *p) {
  return mprotect((void *)p->first, p->end - p->first, PROT_READ | PROT_WRITE) == 0;
}

// Runs in the fault handler: takes no lock. Pages of copies that have just ended count, too.
bool sl__pending_fault(uintptr_t addr, bool writes, uintptr_t ip) {
  bool ours = false;
  for (pending *p = list; p < list + MOST; p++) {
    size_t index;
    if (addr < p->first || addr >= p->end) continue;
    ours |= open_pages(p);
    if (!p->used || !has(p, addr, &index) || (!p->to_host && !writes) || !touch(p, index, writes)) continue;
    if (((p->place.at[0] + 1) ^ ip) % 4096 == 0)
      p->place.at[0]++; // the instruction itself, not the byte before a return
    p->place.call[0] = 0, p->place.ordinal = 0;
  }
  return ours;
}

// Telling ---------------------------------------------------------------------------------------------------

static void tell_touched(pending *p) {
  if (p->touched != TOUCHED) return;
  p->touched = TOLD;
  sl_notice n = {
      .kind = SL_NOTICE_EARLY, .addr = p->index, .size = size_of(p), .place = p->place, .other = p->asked};
  char stream[48] = "the default stream";
  if (p->stream / 2) snprintf(stream, sizeof stream, "stream %llu", (unsigned long long)(p->stream / 2));
  const char *how = p->by_copy         ? (p->writes ? "written by this call" : "read by this call")
                    : p->place.call[0] ? "changed before this call"
                    : p->writes        ? "written here"
                                       : "read here";
  snprintf(n.detail, sizeof n.detail, "%s, while %s in %s may still be %s there", how, p->asked.call, stream,
           p->to_host ? "writing" : "reading");
  if (sl__races_wanted()) sl__send_notice(&n);
}

// The first byte of the source that has changed; size_of(p): none.
static size_t changed(const pending *p) {
  for (size_t r = 0; r < p->rows.height; r++) {
    const char *now = p->rows.from + r * p->rows.from_pitch, *was = p->bytes + r * p->rows.width;
    if (memcmp(now, was, p->rows.width) == 0) continue;
    size_t k = 0;
    while (now[k] == was[k]) k++;
    return r * p->rows.width + k;
  }
  return size_of(p);
}

static void look_at_source(pending *p) {
  size_t at = changed(p);
  if (at < size_of(p)) touch(p, at, true);
}

// The end of a copy -----------------------------------------------------------------------------------------

static void drop_pending(pending *p) {
  tell_touched(p);
  free(p->bytes);
  p->bytes = NULL;
  p->used = false;
  n_used--;
}

static void settle(pending *p) {
  sl__managed_open();
  unprotect(p);
  for (size_t r = 0; p->to_host && r < p->rows.height; r++)
    memcpy(p->rows.to + r * p->rows.to_pitch, p->bytes + r * p->rows.width, p->rows.width);
  if (!p->to_host) look_at_source(p);
  drop_pending(p);
}

void sl__pending_all(void) {
  sl__waited();
  EACH(p) settle(p);
}

// Forgets all copies: the program ends, or what it had on the device is gone.
void sl__pending_forget(void) { EACH(p) unprotect(p), drop_pending(p); }

static bool meets(const pending *p, const void *at, size_t len, bool writes) {
  uintptr_t from = (uintptr_t)host_of(p);
  return (writes || p->to_host) && (uintptr_t)at < from + span_of(p) && from < (uintptr_t)at + len;
}

void sl__pending_range(const void *at, size_t len) { EACH(p) if (meets(p, at, len, true)) settle(p); }

// Order -----------------------------------------------------------------------------------------------------

static bool is_behind(const pending *p, uint64_t key) {
  for (unsigned k = 0; k < p->n_behind; k++)
    if (p->behind[k] == key) return true;
  return false;
}

static bool blocking_behind(const pending *p) {
  for (unsigned k = 0; k < p->n_behind; k++)
    if (!(p->behind[k] & 1) && is_blocking(p->behind[k])) return true;
  return false;
}

static void put_behind(pending *p, uint64_t key) {
  if (is_behind(p, key)) return;
  if (p->n_behind == BEHIND) settle(p);
  else p->behind[p->n_behind++] = key;
}

static void not_behind(pending *p, uint64_t key) {
  for (unsigned k = 0; k < p->n_behind; k++)
    if (p->behind[k] == key) p->behind[k--] = p->behind[--p->n_behind];
}

// Work is put into a stream. The default stream and those that wait for it wait for each other.
static void pending_next(uint64_t stream) {
  uint64_t key = stream_key(stream), standard = stream_key(0);
  EACH(p)
  if (is_blocking(key) && (key == standard ? blocking_behind(p) : is_behind(p, standard))) put_behind(p, key);
}

// Copies with rows report nothing: the rows of one may lie between those of another.
void sl__pending_copy(uint64_t stream, const void *at, size_t len, bool writes, bool rows) {
  EACH(p) {
    if (!meets(p, at, len, writes)) continue;
    uintptr_t from = (uintptr_t)host_of(p), first = from > (uintptr_t)at ? from : (uintptr_t)at;
    if (!rows && p->rows.height == 1 && !is_behind(p, stream_key(stream)) && touch(p, first - from, writes))
      p->by_copy = true;
    settle(p);
  }
}

void sl__pending_work(uint64_t stream) {
  pending_next(stream);
  EACH(p) {
    if (p->to_host || p->taken) continue;
    p->taken = true;
    look_at_source(p);
    tell_touched(p); // before the work that meets the changed bytes
    for (size_t r = 0; p->touched && r < p->rows.height; r++)
      sl__write((uintptr_t)p->rows.to + r * p->rows.to_pitch, p->rows.from + r * p->rows.from_pitch,
                p->rows.width);
    if (p->touched) sl__managed_pull_at(p->rows.to);
  }
}

void sl__pending_record(uint64_t stream, uint64_t event) {
  pending_next(stream);
  EACH(p) {
    not_behind(p, event_key(event));
    if (is_behind(p, stream_key(stream))) put_behind(p, event_key(event));
  }
}

void sl__pending_wait(uint64_t stream, uint64_t event) {
  EACH(p) if (is_behind(p, event_key(event))) put_behind(p, stream_key(stream));
}

void sl__pending_stream_done(uint64_t stream) {
  sl__waited();
  pending_next(stream);
  EACH(p) if (is_behind(p, stream_key(stream))) settle(p);
}

void sl__pending_event_done(uint64_t event) {
  sl__waited();
  EACH(p) if (is_behind(p, event_key(event))) settle(p);
}

// Begin -----------------------------------------------------------------------------------------------------

static pending *free_slot(void) {
  if (n_used == MOST) settle(&list[next_slot % MOST]);
  while (list[next_slot % MOST].used) next_slot++;
  return &list[next_slot++ % MOST];
}

void sl__pending_begin(const sl_rows *r, uint64_t stream, char *arrives) {
  bool to_host = arrives;
  char *bytes = to_host ? arrives : malloc(r->width * r->height);
  if (!bytes) return;
  pending *p = free_slot();
  *p = (pending){.rows = *r,
                 .stream = stream,
                 .to_host = to_host,
                 .bytes = bytes,
                 .behind = {stream_key(stream)},
                 .n_behind = 1};
  for (size_t k = 0; !to_host && k < r->height; k++)
    memcpy(bytes + k * r->width, r->from + k * r->from_pitch, r->width);
  sl__place(&p->asked);
  p->used = true, n_used++;
  find_pages(p), protect(p, true);
}
