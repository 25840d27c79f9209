// Compares what the device holds after a call: guard zones, inputs, the result.
//
// Interface: sl__check_buffers (run.h). A write outside a buffer or to an input, of the same values, too,
// fails the case even when the result is right. All cores compare a result while it travels, and none of it
// is kept. A wrong result is read once more, as a whole, to say what is wrong with it.
#include "judge/run.h"
#include "judge/stream.h"

static size_t elem_of(const sl_judging *j, int which) {
  return which >= SL_BUF_VALUES_IN ? 4 : sl_elem_size(j->job->c->type);
}

static bool check_guards(sl_judging *j, const sl_case_call *c, int which) {
  const sl_buffer *b = &c->buffers.at[which];
  int64_t at;
  sl_error e = {0};
  if (!sl_buffer_guards(b, j->device, elem_of(j, which), &at, &e)) return sl__verdict_error(j, &e);
  return at == SL_INTACT ||
         sl__verdict_fail(
             j, c, SL_REASON_BUFFER_OUTSIDE,
             json_pack("{s:s, s:I, s:I}", "array", b->name, "index", SL_INT(at), "n", SL_INT(c->in.n)), NULL);
}

static bool check_unchanged(sl_judging *j, const sl_case_call *c, int which) {
  const sl_buffer *b = &c->buffers.at[which];
  size_t at;
  bool stored;
  sl_error e = {0};
  if (!sl_buffer_changed(b, j->device, &at, &e) || !sl_buffer_stored(b, j->device, &stored, &e))
    return sl__verdict_error(j, &e);
  if (at < b->bytes)
    return sl__verdict_fail(
        j, c, SL_REASON_BUFFER_INPUT,
        json_pack("{s:s, s:I}", "array", b->name, "index", SL_INT(at / elem_of(j, which))), NULL);
  return !stored ||
         sl__verdict_fail(j, c, SL_REASON_BUFFER_RESTORED, json_pack("{s:s}", "array", b->name), NULL);
}

// The result, as it travels ---------------------------------------------------------------------------------

typedef struct result {
  const sl_case_call *call;
  sl_scan_walk walk; // if call->scan holds no right result
  sl_sort_check sort;
  bool values, right;
  bool untouched; // the output still holds what it held before the call
} result;

static bool is_untouched(const sl_buffer *b, size_t from, size_t count, const uint32_t *piece) {
  for (size_t k = 0; k < count; k++)
    if (piece[k] != sl_poison_word(b->seed, from + k)) return false;
  return true;
}

static void scan_piece(void *context, size_t from, size_t count, void *piece) {
  result *r = context;
  const sl_scan_ref *ref = &r->call->scan;
  size_t size = sl_elem_size(ref->spec.type);
  r->untouched = r->untouched && is_untouched(&r->call->buffers.at[SL_BUF_OUT], from / 4, count / 4, piece);
  r->right = r->right && (ref->want ? sl_scan_part_right(ref, from / size, count / size, piece)
                                    : sl_scan_walk_right(&r->walk, count / size, piece));
}

static void sort_piece(void *context, size_t from, size_t count, void *piece) {
  result *r = context;
  r->right = r->right && sl_sort_part_right(&r->sort, r->values, from / 4, count / 4, piece);
}

static sl_sort_check sort_of(const sl_judging *j, const sl_case_call *c) {
  return (sl_sort_check){.type = j->job->c->type,
                         .n = c->in.n,
                         .keys_in = c->in.data,
                         .values_in = c->in.values,
                         .order = c->order};
}

static bool read_result(sl_judging *j, const sl_case_call *c, bool *right, bool *untouched, sl_error *e) {
  result r = {.call = c,
              .walk = sl_scan_walk_begin(&c->scan.spec, c->in.data),
              .sort = sort_of(j, c),
              .right = true,
              .untouched = !sl__is_sort(j)};
  static const int outputs[] = {SL_BUF_OUT, SL_BUF_VALUES_OUT};
  bool ok = true;
  for (int k = 0; k < 2 && ok; k++) {
    const sl_buffer *b = &c->buffers.at[outputs[k]];
    r.values = k == 1;
    if (c->buffers.used[outputs[k]])
      ok = sl_stream_read(j->device, (const char *)b->base + b->lead, b->bytes,
                          sl__is_sort(j) ? sort_piece : scan_piece, &r, e);
  }
  sl_scan_walk_end(&r.walk);
  *right = r.right, *untouched = r.untouched;
  return ok;
}

// A wrong one -----------------------------------------------------------------------------------------------

// NULL: there is no such output, or it failed with [e].
static void *read_whole(sl_judging *j, const sl_case_call *c, int which, sl_error *e) {
  return c->buffers.used[which] ? sl_buffer_read(&c->buffers.at[which], j->device, e) : NULL;
}

static bool compare_whole(sl_judging *j, const sl_case_call *c, const void *out, const uint32_t *values,
                          const uint32_t *poison, sl_mismatch *m) {
  sl_scan_check scan = {&c->scan, c->in.data, out, poison};
  sl_sort_check sort = sort_of(j, c);
  sort.keys_out = out, sort.values_out = values, sort.poison = poison;
  return sl__is_sort(j) ? sl_compare_sort(&sort, m) : sl_compare_scan(&scan, m);
}

// The launches of the call, malloc'ed. False: a real GPU does not count them.
static bool launches_of(sl_judging *j, sl_launch_record **at, size_t *n) {
  sl_control *control = sl_device_control(j->device);
  sl_error e = {0};
  return control && sl_control_launches(control, j->launches, at, n, &e);
}

// Nobody wrote the result: did the call launch no kernel at all?
static bool no_launch(sl_judging *j) {
  SL_FREED sl_launch_record *at = NULL;
  size_t n = 0;
  return launches_of(j, &at, &n) && n == 0;
}

// Do so many threads have the elements before [first] and no further ones? The largest n of a lab of one
// block says how many a thread has. Elsewhere it has one or two.
static bool end_at(const sl_judging *j, uint64_t threads, uint64_t first) {
  enum { OF_A_BLOCK = 1024 };
  const sl_lab_info *lab = j->job->lab;
  if (lab->one_block) return threads * (lab->max_n / OF_A_BLOCK) == first;
  return !j->job->c->one_block && (threads == first || 2 * threads == first);
}

// Has a launch of this call so few threads that the first element without one is [first]?
static uint64_t threads_before(sl_judging *j, uint64_t first) {
  SL_FREED sl_launch_record *at = NULL;
  size_t n = 0;
  if (!launches_of(j, &at, &n)) return 0;
  for (size_t k = 0; k < n; k++) {
    const uint32_t *g = at[k].grid, *b = at[k].block;
    const uint64_t threads = (uint64_t)g[0] * g[1] * g[2] * b[0] * b[1] * b[2];
    if (first && end_at(j, threads, first)) return threads;
  }
  return 0;
}

static void add_threads(sl_judging *j, const sl_mismatch *m, json_t *fields) {
  const uint64_t threads = m->unwritten ? threads_before(j, m->first) : 0;
  if (!threads) return;
  json_object_set_new(fields, "pattern", json_string(sl_pattern_id(SL_PATTERN_THREADS)));
  json_object_set_new(fields, "threads", json_integer(SL_INT(threads)));
}

static json_t *line_numbers(const unsigned *lines, size_t n) {
  json_t *list = json_array();
  for (size_t k = 0; k < n; k++) json_array_append_new(list, json_integer(lines[k]));
  return list;
}

static json_t *fields_of(const sl_mismatch *m, const char *array) {
  json_t *o = json_pack("{s:I, s:I, s:s, s:I}", "wrong", SL_INT(m->wrong), "n", SL_INT(m->n), "array", array,
                        "index", SL_INT(m->first));
  if (m->unwritten) return o;
  json_object_set_new(o, "got", json_string(m->got));
  json_object_set_new(o, "expected", json_string(m->expected));
  if (m->pattern) json_object_set_new(o, "pattern", json_string(sl_pattern_id(m->pattern)));
  if (m->pattern == SL_PATTERN_DESCENT) json_object_set_new(o, "descent", json_integer(SL_INT(m->descent)));
  if (m->n_around) json_object_set_new(o, "neighbours", line_numbers(m->around, m->n_around));
  if (!m->payloads) return o;
  json_object_set_new(o, "payload", json_integer(m->payload));
  json_object_set_new(o, "payload_expected", json_integer(m->payload_expected));
  return o;
}

void sl__add_elements(const sl_buffer *b, size_t n, sl_wrong_element *wrong, const void *of, json_t *fields) {
  enum { MOST_WRONG = 1024 };
  char expected[64];
  json_t *list = json_array();
  for (size_t k = 0; k < n && json_array_size(list) < MOST_WRONG; k++)
    if (wrong(of, k, expected, sizeof expected))
      json_array_append_new(list, json_pack("[I, s]", SL_INT(k), expected));
  json_object_set_new(fields, "elements", list);
  json_object_set_new(fields, "base", json_integer(SL_INT((uintptr_t)b->base + b->lead)));
}

typedef struct judged {
  const sl_judging *j;
  const sl_case_call *c;
  const void *out;
} judged;

static bool right_at(const judged *r, size_t k) {
  const char *got = (const char *)r->out + k * elem_of(r->j, SL_BUF_OUT);
  const sl_sort_check sort = sort_of(r->j, r->c);
  return sl__is_sort(r->j) ? sl_sort_part_right(&sort, false, k, 1, (const uint32_t *)got)
                           : sl_scan_part_right(&r->c->scan, k, 1, got);
}

static bool wrong_at(const void *of, size_t k, char *expected, size_t cap) {
  const judged *r = of;
  const sl_case_call *c = r->c;
  if (right_at(r, k)) return false;
  const sl_elem want = sl__is_sort(r->j) ? (sl_elem){.u = ((const uint32_t *)c->in.data)[c->order[k]]}
                                         : sl_elem_at(c->scan.want, c->scan.spec.type, k);
  sl_elem_text(r->j->job->c->type, want, expected, cap);
  return true;
}

// The whole right result, if it was not kept.
static bool make_whole(const sl_judging *j, sl_case_call *c, sl_error *e) {
  const sl_scan_spec spec = c->scan.spec;
  return sl__is_sort(j) || c->scan.want || sl_scan_ref_make(&c->scan, &spec, c->in.data, false, 1) ||
         sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for the reference of %zu elements", spec.n);
}

static bool fail_unwritten(sl_judging *j, sl_case_call *c, json_t *fields) {
  return sl__verdict_fail(j, c, no_launch(j) ? SL_REASON_RESULT_NO_LAUNCH : SL_REASON_RESULT_UNWRITTEN,
                          fields, NULL);
}

// Nobody has written the result, and the right one was not kept: both are made again in pieces, as memory
// for the whole of them costs more than all else. False: it is not so, or there is no memory.
static bool tell_untouched(sl_judging *j, sl_case_call *c) {
  enum { WORDS = 1 << 18 };
  const sl_buffer *b = &c->buffers.at[SL_BUF_OUT];
  const size_t all = b->bytes / 4, each = sl_elem_size(j->job->c->type) / 4;
  sl_mismatch m = {.n = c->in.n, .unwritten = true};
  if (c->scan.want || j->job->record & SL_RECORD_STEPS) return false;
  sl_scan_walk walk = sl_scan_walk_begin(&c->scan.spec, c->in.data);
  SL_FREED uint32_t *piece = sl_alloc_array(WORDS * sizeof *piece);
  bool ok = piece != NULL;
  for (size_t at = 0, n; at < all && ok; at += n) {
    n = all - at < WORDS ? all - at : WORDS;
    for (size_t k = 0; k < n; k++) piece[k] = sl_poison_word(b->seed, at + k);
    ok = sl_scan_walk_count(&walk, n / each, piece, &m.wrong, &m.first);
  }
  sl_scan_walk_end(&walk);
  if (!ok || !m.wrong) return false;
  json_t *fields = fields_of(&m, b->name);
  add_threads(j, &m, fields);
  fail_unwritten(j, c, fields);
  return true;
}

static bool tell_wrong(sl_judging *j, sl_case_call *c) {
  sl_error e = {0};
  sl_mismatch m;
  if (!make_whole(j, c, &e)) return sl__verdict_error(j, &e);
  SL_FREED void *out = read_whole(j, c, SL_BUF_OUT, &e);
  SL_FREED uint32_t *values = out ? read_whole(j, c, SL_BUF_VALUES_OUT, &e) : NULL,
                    *poison = sl_buffer_poison(&c->buffers.at[SL_BUF_OUT]);
  if (e.code) sl__verdict_error(j, &e);
  else if (compare_whole(j, c, out, values, poison, &m))
    sl__verdict_fail(j, c, SL_REASON_RESULT_CHANGED, NULL, NULL);
  else {
    json_t *fields = fields_of(&m, c->buffers.at[SL_BUF_OUT].name);
    add_threads(j, &m, fields);
    if (j->job->record & SL_RECORD_STEPS)
      sl__add_elements(&c->buffers.at[SL_BUF_OUT], c->in.n, wrong_at, &(judged){j, c, out}, fields);
    if (m.unwritten) fail_unwritten(j, c, fields);
    else
      sl__verdict_fail(j, c, sl__is_sort(j) ? SL_REASON_RESULT_UNSORTED : SL_REASON_RESULT_WRONG, fields,
                       m.detail);
  }
  return false;
}

bool sl__check_buffers(sl_judging *j, sl_case_call *c) {
  sl_error e = {0};
  bool right, untouched;
  for (int k = 0; k < SL_BUF_COUNT; k++)
    if (c->buffers.used[k] && !check_guards(j, c, k)) return false;
  for (int k = SL_BUF_IN; k < SL_BUF_COUNT; k += SL_BUF_VALUES_IN - SL_BUF_IN)
    if (c->buffers.used[k] && !check_unchanged(j, c, k)) return false;
  if (j->job->lab->own) return sl__own_check(j, c, no_launch(j));
  if (!read_result(j, c, &right, &untouched, &e)) return sl__verdict_error(j, &e);
  if (right) return true;
  return !(untouched && tell_untouched(j, c)) && tell_wrong(j, c);
}
