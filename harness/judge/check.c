// Compares what the device holds after a call: guard zones, inputs, the result.
//
// Interface: sl__check_buffers (run.h). A write outside a buffer or to an input fails the case even when the
// result is right. Results are compared as they travel, by all cores, and nothing of them is kept; only a
// wrong one is read once more, as a whole, to say what is wrong with it.
#include "judge/run.h"
#include "judge/stream.h"

#include <stdlib.h>

static size_t elem_of(const sl_judging *j, int which) {
  return which >= SL_BUF_VALUES_IN ? 4 : sl_elem_size(j->job->c->type);
}

static bool check_guards(sl_judging *j, const sl_call *c, int which) {
  char text[96];
  sl_error e = {0};
  if (!sl_buffer_guards(&c->buffers.at[which], j->device, elem_of(j, which), text, sizeof text, &e))
    return sl__verdict_error(j, &e);
  return !text[0] ||
         sl__verdict_fail(j, c, NULL, "a write outside of the buffer: %s, n = %zu", text, c->in.n);
}

static bool check_unchanged(sl_judging *j, const sl_call *c, int which) {
  const sl_buffer *b = &c->buffers.at[which];
  size_t at;
  sl_error e = {0};
  if (!sl_buffer_changed(b, j->device, &at, &e)) return sl__verdict_error(j, &e);
  return at == b->bytes || sl__verdict_fail(j, c, NULL, "the input was written: %s[%zu] is not what it was",
                                            b->name, at / elem_of(j, which));
}

// The result, as it travels ---------------------------------------------------------------------------------

typedef struct result {
  const sl_call *call;
  sl_sort_check sort;
  bool values, right;
} result;

static void scan_piece(void *context, size_t from, size_t count, void *piece) {
  result *r = context;
  const sl_scan_ref *ref = &r->call->scan;
  size_t size = sl_elem_size(ref->spec.type);
  r->right = r->right && sl_scan_part_right(ref, from / size, count / size, piece);
}

static void sort_piece(void *context, size_t from, size_t count, void *piece) {
  result *r = context;
  r->right = r->right && sl_sort_part_right(&r->sort, r->values, from / 4, count / 4, piece);
}

static bool is_sort(const sl_judging *j) { return j->job->c->entry == SL_ENTRY_SORT; }

static sl_sort_check sort_of(const sl_judging *j, const sl_call *c) {
  return (sl_sort_check){.type = j->job->c->type,
                         .n = c->in.n,
                         .keys_in = c->in.data,
                         .values_in = c->in.values,
                         .order = c->order};
}

static bool read_result(sl_judging *j, const sl_call *c, bool *right, sl_error *e) {
  result r = {.call = c, .sort = sort_of(j, c), .right = true};
  static const int outputs[] = {SL_BUF_OUT, SL_BUF_VALUES_OUT};
  bool ok = true;
  for (int k = 0; k < 2 && ok; k++) {
    const sl_buffer *b = &c->buffers.at[outputs[k]];
    r.values = k == 1;
    if (c->buffers.used[outputs[k]])
      ok = sl_stream_read(j->device, (const char *)b->base + b->lead, b->bytes,
                          is_sort(j) ? sort_piece : scan_piece, &r, e);
  }
  *right = r.right;
  return ok;
}

// A wrong one -----------------------------------------------------------------------------------------------

// An output as a whole, malloc'ed; NULL: there is none, or [e].
static void *read_whole(sl_judging *j, const sl_call *c, int which, sl_error *e) {
  const sl_buffer *b = &c->buffers.at[which];
  if (!c->buffers.used[which]) return NULL;
  void *now = sl_alloc_array(b->bytes);
  if (!now) sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for a result of %zu bytes", b->bytes);
  else if (sl_device_read(j->device, now, (const char *)b->base + b->lead, b->bytes, e)) return now;
  free(now);
  return NULL;
}

static bool compare_whole(sl_judging *j, const sl_call *c, const void *out, const uint32_t *values,
                          const uint32_t *poison, sl_mismatch *m) {
  sl_scan_check scan = {&c->scan, c->in.data, out, poison};
  sl_sort_check sort = sort_of(j, c);
  sort.keys_out = out, sort.values_out = values, sort.poison = poison;
  return is_sort(j) ? sl_compare_sort(&sort, m) : sl_compare_scan(&scan, m);
}

// Of a result that nobody wrote: was there a kernel at all? On a real GPU nobody counts.
static bool no_launch(sl_judging *j) {
  sl_control *control = sl_device_control(j->device);
  sl_launch_record *at = NULL;
  size_t n = 0;
  sl_error e = {0};
  bool none = control && sl_control_launches(control, &at, &n, &e) && n == j->launches;
  free(at);
  return none;
}

static bool tell_wrong(sl_judging *j, const sl_call *c) {
  sl_error e = {0};
  sl_mismatch m;
  void *out = read_whole(j, c, SL_BUF_OUT, &e);
  uint32_t *values = out ? read_whole(j, c, SL_BUF_VALUES_OUT, &e) : NULL,
           *poison = sl_buffer_poison(&c->buffers.at[SL_BUF_OUT]);
  if (e.code) sl__verdict_error(j, &e);
  else if (compare_whole(j, c, out, values, poison, &m))
    sl__verdict_fail(j, c, NULL, "the result changed after the call had ended: something still works on it");
  else
    sl__verdict_fail(j, c, m.detail, "%s%s", m.unwritten && no_launch(j) ? "no kernel was launched: " : "",
                     m.summary);
  free(out);
  free(values);
  free(poison);
  return false;
}

bool sl__check_buffers(sl_judging *j, sl_call *c) {
  sl_error e = {0};
  bool right;
  for (int k = 0; k < SL_BUF_COUNT; k++)
    if (c->buffers.used[k] && !check_guards(j, c, k)) return false;
  for (int k = SL_BUF_IN; k < SL_BUF_COUNT; k += SL_BUF_VALUES_IN - SL_BUF_IN)
    if (c->buffers.used[k] && !check_unchanged(j, c, k)) return false;
  if (!read_result(j, c, &right, &e)) return sl__verdict_error(j, &e);
  return right || tell_wrong(j, c);
}
