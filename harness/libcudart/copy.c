// Copies and fills: cudaMemcpy, cudaMemset and their relatives.
//
// Every form becomes rows of bytes between the host and the device, and a row becomes pieces of SL_CHUNK. The
// addresses say what to copy; the kind is checked against them. The device copies at once; pending.c keeps
// what an Async form does not promise yet.
#include "libcudart/graph.h"

bool sl__on_device(const void *p) {
  const sl_device_info *d = sl__device();
  return (uint64_t)(uintptr_t)p - d->window_base < d->window_size;
}

// Pieces ----------------------------------------------------------------------------------------------------

static size_t piece_of(size_t left) { return left < SL_CHUNK ? left : SL_CHUNK; }

cudaError_t sl__write(uint64_t to, const void *from, size_t len) {
  cudaError_t e = cudaSuccess;
  sl__pinned_named(from, len, to);
  for (size_t at = 0, n; at < len && !e; at += n) {
    n = piece_of(len - at);
    sl_call k = {.op = SL_MSG_WRITE, .arg = {to + at}, .out = {(const char *)from + at}, .out_len = {n}};
    e = sl__call(&k);
  }
  return e;
}

// Numbers the program's threads in the order of their first copies from the device. Called under the lock.
static uint64_t host_thread(void) {
  static uint64_t threads;
  static __thread uint64_t mine;
  if (!mine) mine = ++threads;
  return mine;
}

static bool unwritten; // a word of what was read since this was cleared

cudaError_t sl__read(void *to, uint64_t from, size_t len) {
  cudaError_t e = cudaSuccess;
  for (size_t at = 0, n; at < len && !e; at += n) {
    n = piece_of(len - at);
    sl_call k = {.op = SL_MSG_READ, .arg = {from + at, n, host_thread()}, .in = (char *)to + at, .in_cap = n};
    e = sl__call(&k);
    if (!e && k.in_len != n) e = cudaErrorUnknown;
    unwritten |= !e && k.arg[0];
  }
  return e;
}

// Rows ------------------------------------------------------------------------------------------------------

typedef enum direction { HOST_HOST, HOST_DEVICE, DEVICE_HOST, DEVICE_DEVICE } direction;

static cudaError_t copy_row(direction d, char *to, const char *from, size_t len) {
  if (d == HOST_HOST) memmove(to, from, len);
  if (d == HOST_DEVICE) return sl__write((uintptr_t)to, from, len);
  if (d == DEVICE_HOST) return sl__read(to, (uintptr_t)from, len);
  if (d == DEVICE_DEVICE) return sl__call1(SL_MSG_COPY, (uintptr_t)to, (uintptr_t)from, len);
  return cudaSuccess;
}

// Where the addresses lie; false if that does not fit [kind]. Host and device share their addresses, so the
// kind says only which pointers the device must reach: ordinary host memory is what it does not.
static bool find_direction(const sl_rows *r, enum cudaMemcpyKind kind, direction *d) {
  static const struct {
    bool to, from;
  } device[] = {[cudaMemcpyHostToDevice] = {.to = true},
                [cudaMemcpyDeviceToHost] = {.from = true},
                [cudaMemcpyDeviceToDevice] = {true, true},
                [cudaMemcpyDefault] = {false, false}};
  bool to = sl__on_device(r->to), from = sl__on_device(r->from);
  *d = to ? (from ? DEVICE_DEVICE : HOST_DEVICE) : (from ? DEVICE_HOST : HOST_HOST);
  return (!device[kind].to || to || sl__is_pinned(r->to, 1)) &&
         (!device[kind].from || from || sl__is_pinned(r->from, 1));
}

// Notes why a copy is refused, in case the program does not look at the error.
static cudaError_t wrong_direction(const sl_rows *r, enum cudaMemcpyKind kind) {
  static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                      "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                      "cudaMemcpyDefault"};
  static const char *const where[] = {"host", "device"};
  if (!r->to || !r->from) sl__detail("the %s pointer is null", r->to ? "source" : "destination");
  else
    sl__detail("wrong direction: %s, but the destination is %s memory and the source is %s memory",
               names[kind], where[sl__on_device(r->to)], where[sl__on_device(r->from)]);
  return cudaErrorInvalidValue;
}

// Explains the error if fewer than [len] bytes lie between [p] and the end of its allocation.
static void explain_end(const char *which, const void *p, uint64_t len) {
  sl_call k = {.op = SL_MSG_RANGE, .arg = {(uintptr_t)p}};
  if (!sl__on_device(p)) return;
  if (sl__call(&k) != cudaSuccess) sl__detail("the %s is no live device allocation", which);
  else if (len > k.arg[0] + k.arg[1] - (uintptr_t)p)
    sl__detail("%llu bytes, but only %llu are left to the end of the %s's allocation of %llu bytes",
               (unsigned long long)len, (unsigned long long)(k.arg[0] + k.arg[1] - (uintptr_t)p), which,
               (unsigned long long)k.arg[1]);
}

static cudaError_t explain(const sl_rows *r, cudaError_t e) {
  if (e != cudaErrorInvalidValue) return e;
  uint64_t last = r->height - 1;
  if (r->from) explain_end("source", r->from, last * r->from_pitch + r->width);
  explain_end("destination", r->to, last * r->to_pitch + r->width);
  return e;
}

static sl_stream_work work_of(cudaStream_t s, const sl_rows *r, bool fill, bool waits) {
  sl_stream_work w = {.stream = sl__stream_number(s),
                      .width = r->width,
                      .height = r->height,
                      .kind = fill ? SL_STREAM_FILL : SL_STREAM_COPY,
                      .waits = waits};
  if (sl__on_device(r->to)) w.to = (uintptr_t)r->to, w.to_pitch = r->to_pitch;
  if (!fill && sl__on_device(r->from)) w.from = (uintptr_t)r->from, w.from_pitch = r->from_pitch;
  return w;
}

// Tells of a copy or fill in a stream: WORK, for the order of launches, or COPIED. [waits]: the host does.
static cudaError_t tell(uint16_t op, cudaStream_t s, const sl_rows *r, bool fill, bool waits) {
  const sl_stream_work w = work_of(s, r, fill, waits);
  sl_call k = {.op = op, .out = {&w}, .out_len = {sizeof w}};
  return sl__call_placed(&k);
}

// Does the host wait for the copy? It does in the default stream, and when the bytes go to pageable memory.
// For an Async form with pageable memory hardware promises less; programs rely on the other forms.
static bool host_waits(direction d, const sl_rows *r, bool later, cudaStream_t s) {
  if (later) return false;
  if (!r->async && (sl__managed_has((uintptr_t)r->to) || sl__managed_has((uintptr_t)r->from))) return true;
  return d == HOST_HOST || (d != DEVICE_DEVICE && !sl__stream_number(s)) ||
         (d == DEVICE_HOST && !sl__is_pinned(r->to, r->width));
}

// Is it an Async copy to or from pinned memory? Then the host goes on at once.
static bool is_later(direction d, const sl_rows *r) {
  size_t last = r->height - 1;
  if (!r->async || (d != HOST_DEVICE && d != DEVICE_HOST)) return false;
  return d == DEVICE_HOST ? sl__is_pinned(r->to, last * r->to_pitch + r->width)
                          : sl__is_pinned(r->from, last * r->from_pitch + r->width);
}

static cudaError_t copy_rows(direction d, const sl_rows *r) {
  cudaError_t e = cudaSuccess;
  for (size_t i = 0; i < r->height && !e; i++)
    e = copy_row(d, r->to + i * r->to_pitch, r->from + i * r->from_pitch, r->width);
  return e;
}

// Like copy_rows, but bytes for the host stay here until the program waits.
static cudaError_t copy_later(direction d, const sl_rows *r, cudaStream_t s) {
  sl_rows here = *r;
  char *bytes = d == DEVICE_HOST ? malloc(r->width * r->height) : NULL;
  if (bytes) here.to = bytes, here.to_pitch = r->width;
  cudaError_t e = copy_rows(d, &here);
  if (e) free(bytes);
  else if (bytes || d == HOST_DEVICE) sl__pending_begin(r, sl__stream_number(s), bytes);
  return e;
}

// Tells pending.c what this copy does to the host's memory.
static void settle_host(direction d, const sl_rows *r, cudaStream_t s) {
  size_t last = r->height - 1;
  uint64_t stream = sl__stream_works(s);
  sl__pending_work(stream);
  if (d == HOST_DEVICE || d == HOST_HOST)
    sl__pending_copy(stream, r->from, last * r->from_pitch + r->width, false, last);
  if (d == DEVICE_HOST || d == HOST_HOST)
    sl__pending_copy(stream, r->to, last * r->to_pitch + r->width, true, last);
}

// So many rows, of at most so many bytes each, end before the addresses do.
enum { MAX_PITCH = INT32_MAX /* cudaDevAttrMaxPitch */ };
#define MOST_ROWS (SIZE_MAX / 4 / MAX_PITCH)

static bool is_pitch(const sl_rows *r, size_t pitch) {
  return r->height <= 1 || (pitch >= r->width && pitch <= MAX_PITCH);
}

// Tells of rows that share bytes. A row copied to itself is harmless; rows of two pitches are left out.
static void look_for_overlap(direction d, const sl_rows *r) {
  const int64_t apart = r->to - r->from, width = (int64_t)r->width, pitch = (int64_t)r->to_pitch;
  const bool rows = r->height > 1;
  if (d != DEVICE_DEVICE || !apart || (rows && r->to_pitch != r->from_pitch)) return;
  const int64_t span = rows ? (int64_t)r->height * pitch : width,
                beside = rows ? llabs(apart) % pitch : llabs(apart);
  const bool meet = beside < width || (rows && pitch - beside < width);
  if (meet && llabs(apart) < span)
    sl__notice(SL_NOTICE_OVERLAP, "%lld bytes lie between their beginnings, and %llu are copied",
               llabs(apart), (unsigned long long)(r->width * r->height));
}

cudaError_t sl__copy(sl_rows r, enum cudaMemcpyKind kind, cudaStream_t stream) {
  direction d;
  cudaError_t e = sl__ready();
  if (e || r.width == 0 || r.height == 0) return e;
  if ((e = sl__alive())) return e;
  if ((unsigned)kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (!sl__stream_ok(stream)) return cudaErrorInvalidResourceHandle;
  if (!is_pitch(&r, r.to_pitch) || !is_pitch(&r, r.from_pitch)) return cudaErrorInvalidPitchValue;
  if (r.height > MOST_ROWS) return cudaErrorInvalidValue;
  if (!r.to || !r.from || !find_direction(&r, kind, &d)) return wrong_direction(&r, kind);
  if (sl__capture(stream, &(sl_node){.kind = SL_NODE_COPY, .copy = {r, kind}}, &e)) return e;
  if (r.height > 1 && r.to_pitch == r.width && r.from_pitch == r.width) r.width *= r.height, r.height = 1;
  bool later = is_later(d, &r), waits = host_waits(d, &r, later, stream);
  look_for_overlap(d, &r);
  sl__managed_open();
  settle_host(d, &r, stream);
  e = sl__managed_push_at(r.to);
  if (!e) e = sl__managed_push_at(r.from);
  unwritten = false;
  if (!e) e = later ? copy_later(d, &r, stream) : copy_rows(d, &r);
  if (!e && unwritten && d == DEVICE_HOST && !sl__has_failed())
    e = tell(SL_MSG_COPIED, stream, &r, false, waits);
  if (!e) e = sl__managed_pull_at(r.to);
  if (!e && !(waits && sl__idle())) e = tell(SL_MSG_WORK, stream, &r, false, waits);
  if (!e && waits) sl__pending_stream_done(sl__stream_number(stream));
  sl__managed_close();
  sl__print_text();
  return explain(&r, e);
}

// One row of n bytes, of a call that waits for its copy, or of an Async form.
static sl_rows row(void *to, const void *from, size_t n) { return (sl_rows){to, from, n, n, n, 1, false}; }
static sl_rows async_row(void *to, const void *from, size_t n) {
  return (sl_rows){to, from, n, n, n, 1, true};
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind) {
  SL_LOCKED(sl__copy(row(to, from, n), kind, NULL));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t s) {
  SL_LOCKED(sl__copy(async_row(to, from, n), kind, s));
}

cudaError_t cudaMemcpy2D(void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h,
                         enum cudaMemcpyKind kind) {
  SL_LOCKED(sl__copy((sl_rows){to, from, tp, fp, w, h, false}, kind, NULL));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h,
                              enum cudaMemcpyKind kind, cudaStream_t s) {
  SL_LOCKED(sl__copy((sl_rows){to, from, tp, fp, w, h, true}, kind, s));
}

// One device only: a copy between device 0 and device 0.
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t n) {
  if (to_device != 0 || from_device != 0) return sl__keep(cudaErrorInvalidDevice);
  SL_LOCKED(sl__copy(row(to, from, n), cudaMemcpyDeviceToDevice, NULL));
}
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t n,
                                cudaStream_t s) {
  if (to_device != 0 || from_device != 0) return sl__keep(cudaErrorInvalidDevice);
  SL_LOCKED(sl__copy(async_row(to, from, n), cudaMemcpyDeviceToDevice, s));
}

// Fills -----------------------------------------------------------------------------------------------------

static cudaError_t fill_host(char *to, int value, unsigned element, size_t width) {
  for (size_t i = 0; i < width; i++) to[i] = (char)((unsigned)value >> i % element * 8);
  return cudaSuccess;
}

// Fills one row with elements of 2 or 4 bytes whose bytes differ.
static cudaError_t fill_elements(char *to, int value, unsigned element, size_t width) {
  char *row = malloc(width);
  if (!row) return cudaErrorMemoryAllocation;
  fill_host(row, value, element, width);
  cudaError_t e = sl__write((uintptr_t)to, row, width);
  free(row);
  return e;
}

// Are all bytes of the elements alike?
static bool is_plain(int value, unsigned element) {
  bool plain = true;
  for (unsigned k = 1; k < element; k++)
    plain = plain && (((unsigned)value >> 8 * k) & 255) == ((unsigned)value & 255);
  return plain;
}

// The usual fill, of one row of memory that the device alone has: the work is told with it.
static bool fills_alone(const sl_rows *r, int value, unsigned element) {
  return r->height == 1 && sl__on_device(r->to) && is_plain(value, element) &&
         !sl__managed_has((uintptr_t)r->to);
}

static cudaError_t fill_and_tell(const sl_rows *r, int value, cudaStream_t s) {
  const sl_stream_work w = work_of(s, r, true, false);
  sl_call k = {.op = SL_MSG_FILL,
               .arg = {(uintptr_t)r->to, (unsigned char)value, r->width},
               .out = {&w},
               .out_len = {sizeof w},
               .unanswered = sl__held_knows((uintptr_t)r->to, r->width)};
  return sl__call_placed(&k);
}

static cudaError_t fill_row(char *to, int value, unsigned element, size_t width) {
  if (!sl__on_device(to)) return fill_host(to, value, element, width);
  return is_plain(value, element) ? sl__call1(SL_MSG_FILL, (uintptr_t)to, (unsigned char)value, width)
                                  : fill_elements(to, value, element, width);
}

cudaError_t sl__fill(sl_rows r, int value, unsigned element, cudaStream_t s) {
  cudaError_t e = sl__ready();
  if (e || r.width == 0 || r.height == 0) return e;
  if ((e = sl__alive())) return e;
  if (!sl__stream_ok(s)) return cudaErrorInvalidResourceHandle;
  if (!sl__on_device(r.to) && !sl__is_pinned(r.to, 1)) return cudaErrorInvalidValue;
  if (!is_pitch(&r, r.to_pitch) || r.height > MOST_ROWS)
    return cudaErrorInvalidValue; // a copy returns ..InvalidPitchValue instead
  if (sl__capture(s, &(sl_node){.kind = SL_NODE_FILL, .fill = {r, value, element}}, &e)) return e;
  if (r.height > 1 && r.to_pitch == r.width) r.width *= r.height, r.height = 1;
  sl__managed_open();
  sl__pending_work(sl__stream_works(s));
  if (!sl__on_device(r.to)) sl__pending_range(r.to, (r.height - 1) * r.to_pitch + r.width);
  if (fills_alone(&r, value, element)) {
    e = fill_and_tell(&r, value, s);
    sl__managed_close();
    return explain(&r, e);
  }
  e = sl__managed_push_at(r.to);
  for (size_t i = 0; i < r.height && !e; i++) e = fill_row(r.to + i * r.to_pitch, value, element, r.width);
  if (!e) e = sl__managed_pull_at(r.to);
  // a fill of device memory is for the host only begun, one of memory that it has, too, is complete
  if (!e)
    e = tell(SL_MSG_WORK, s, &r, true,
             !r.async && (!sl__on_device(r.to) || sl__managed_has((uintptr_t)r.to)));
  sl__managed_close();
  return explain(&r, e);
}

// Are they the same 4 bytes, or one that fits, signed or not?
static bool is_byte(int value) {
  return (value >= -128 && value <= 255) || (unsigned)value == ((unsigned)value & 255) * 0x01010101u;
}

static cudaError_t fill_bytes(sl_rows r, int value, cudaStream_t s) {
  cudaError_t e = sl__fill(r, value, 1, s);
  if (!e && r.width && !is_byte(value))
    sl__notice(SL_NOTICE_FILL, "of %d that is %d", value, (unsigned char)value);
  return e;
}

cudaError_t cudaMemset(void *to, int value, size_t n) {
  SL_LOCKED(fill_bytes(row(to, NULL, n), value, NULL));
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t s) {
  SL_LOCKED(fill_bytes(async_row(to, NULL, n), value, s));
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t w, size_t h) {
  SL_LOCKED(fill_bytes((sl_rows){to, NULL, pitch, 0, w, h, false}, value, NULL));
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t w, size_t h, cudaStream_t s) {
  SL_LOCKED(fill_bytes((sl_rows){to, NULL, pitch, 0, w, h, true}, value, s));
}

// Symbols ---------------------------------------------------------------------------------------------------

// The device address of bytes [offset, offset + n) of a variable.
static cudaError_t symbol_range(const void *symbol, size_t n, size_t offset, char **out) {
  sl_variable *v = NULL;
  SL_TRY(sl__variable(symbol, &v));
  if (n && (offset > v->size || n > v->size - offset)) return cudaErrorInvalidValue;
  *out = (char *)(uintptr_t)(v->addr + offset);
  return cudaSuccess;
}

// Copies to a variable, or back from it. [r]: the row, without its end in the variable.
static cudaError_t copy_symbol(bool back, const void *symbol, size_t offset, sl_rows r,
                               enum cudaMemcpyKind kind, cudaStream_t s) {
  char *at = NULL;
  SL_TRY(symbol_range(symbol, r.width, offset, &at));
  if (kind == (back ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost) || kind == cudaMemcpyHostToHost)
    return cudaErrorInvalidMemcpyDirection;
  if (back) r.from = at;
  else r.to = at;
  return sl__copy(r, kind, s);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset,
                               enum cudaMemcpyKind kind) {
  SL_LOCKED(copy_symbol(false, symbol, offset, row(NULL, from, n), kind, NULL));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t s) {
  SL_LOCKED(copy_symbol(false, symbol, offset, async_row(NULL, from, n), kind, s));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t n, size_t offset,
                                 enum cudaMemcpyKind kind) {
  SL_LOCKED(copy_symbol(true, symbol, offset, row(to, NULL, n), kind, NULL));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t s) {
  SL_LOCKED(copy_symbol(true, symbol, offset, async_row(to, NULL, n), kind, s));
}

SL_API(cudaGetSymbolAddress, (out, symbol), void **out, const void *symbol) {
  sl_variable *v = NULL;
  cudaError_t e = sl__variable(symbol, &v);
  if (!e && out) *out = (void *)(uintptr_t)v->addr;
  return e;
}

SL_API(cudaGetSymbolSize, (out, symbol), size_t *out, const void *symbol) {
  sl_variable *v = NULL;
  cudaError_t e = sl__variable(symbol, &v);
  if (!e && out) *out = v->size;
  return e;
}
