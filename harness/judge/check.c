// Reads every buffer of a call back from the device and compares: guard zones, inputs, the result.
//
// Interface: sl__check_buffers (run.h). A write outside a buffer or to an input fails the case even when the
// result is right.
#include "judge/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t elem_of(const sl_judging *j, int which) {
  return which >= SL_BUF_VALUES_IN ? 4 : sl_elem_size(j->job->c->type);
}

static bool check_guards(sl_judging *j, const sl_call *c, int which, const unsigned char *now) {
  char text[96];
  if (sl_buffer_guards_kept(&c->buffers.at[which], now, elem_of(j, which), text, sizeof text)) return true;
  return sl__verdict_fail(j, c, NULL, "a write outside of the buffer: %s, n = %zu", text, c->in.n);
}

static bool check_unchanged(sl_judging *j, const sl_call *c, int which, const unsigned char *now) {
  const sl_buffer *b = &c->buffers.at[which];
  size_t i = memcmp(b->image + b->lead, now + b->lead, b->bytes) ? 0 : b->bytes;
  while (i < b->bytes && b->image[b->lead + i] == now[b->lead + i]) i++;
  if (i == b->bytes) return true;
  return sl__verdict_fail(j, c, NULL, "the input was written: %s[%zu] is not what it was", b->name,
                          i / elem_of(j, which));
}

static bool wrong_result(sl_judging *j, const sl_call *c, const sl_mismatch *m) {
  return sl__verdict_fail(j, c, m->detail, "%s", m->summary);
}

static bool check_scan(sl_judging *j, const sl_call *c, unsigned char *const now[]) {
  sl_mismatch m;
  const sl_buffer *out = &c->buffers.at[SL_BUF_OUT];
  sl_scan_check check = {&c->scan, c->in.data, now[SL_BUF_OUT] + out->lead, sl_buffer_data(out)};
  return sl_compare_scan(&check, &m) || wrong_result(j, c, &m);
}

// Buffers may begin at any multiple of 4 in a malloc'ed block: aligned for 32-bit words.
static const uint32_t *words(const sl_call *c, unsigned char *const now[], int which) {
  return now[which] ? (const uint32_t *)(const void *)(now[which] + c->buffers.at[which].lead) : NULL;
}

static bool check_sort(sl_judging *j, const sl_call *c, unsigned char *const now[]) {
  sl_mismatch m;
  sl_sort_check check = {.type = j->job->c->type,
                         .n = c->in.n,
                         .keys_in = c->in.data,
                         .values_in = c->in.values,
                         .order = c->order,
                         .keys_out = words(c, now, SL_BUF_OUT),
                         .values_out = words(c, now, SL_BUF_VALUES_OUT),
                         .poison = sl_buffer_data(&c->buffers.at[SL_BUF_OUT])};
  return sl_compare_sort(&check, &m) || wrong_result(j, c, &m);
}

static bool check_all(sl_judging *j, const sl_call *c, unsigned char *const now[]) {
  for (int k = 0; k < SL_BUF_COUNT; k++)
    if (c->buffers.used[k] && !check_guards(j, c, k, now[k])) return false;
  for (int k = SL_BUF_IN; k < SL_BUF_COUNT; k += SL_BUF_VALUES_IN - SL_BUF_IN)
    if (c->buffers.used[k] && !check_unchanged(j, c, k, now[k])) return false;
  return (j->job->c->entry == SL_ENTRY_SORT ? check_sort : check_scan)(j, c, now);
}

bool sl__check_buffers(sl_judging *j, sl_call *c) {
  unsigned char *now[SL_BUF_COUNT] = {0};
  sl_error e = {0};
  bool ok = true;
  for (int k = 0; k < SL_BUF_COUNT && ok; k++)
    if (c->buffers.used[k]) ok = (now[k] = sl_buffer_read(&c->buffers.at[k], j->device, &e)) != NULL;
  ok = ok ? check_all(j, c, now) : sl__verdict_error(j, &e);
  for (int k = 0; k < SL_BUF_COUNT; k++) free(now[k]);
  return ok;
}
