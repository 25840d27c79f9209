// Compares the result of a sort with the reference, and says in which way it is wrong.
//
// Interface: sl_compare_sort. A result is right if keys and payloads equal the stable order's bit for bit. If
// not, the causes are tried in this order, the plainest first: unwritten, keys lost, not ascending, unstable.
#include "reference/reference.h"

#include "base/base.h"

#include <stdatomic.h>

enum { SORT_CHECK_GRAIN = 1 << 16 }; // a thread gets at least that many elements: each is a random access

static uint32_t want_key(const sl_sort_check *c, size_t i) { return c->keys_in[c->order[i]]; }
static uint32_t want_value(const sl_sort_check *c, size_t i) { return c->values_in[c->order[i]]; }

static bool right_at(const sl_sort_check *c, size_t i) {
  return c->keys_out[i] == want_key(c, i) && (!c->values_in || c->values_out[i] == want_value(c, i));
}

static char *key_text(const sl_sort_check *c, uint32_t bits, char *out, size_t cap) {
  return sl_elem_text(c->type, (sl_elem){.u = bits}, out, cap);
}

// What kind of wrong ----------------------------------------------------------------------------------------

static bool never_written(const sl_sort_check *c) {
  for (size_t i = 0; i < c->n; i++)
    if (!right_at(c, i) && (!c->poison || c->keys_out[i] != c->poison[i])) return false;
  return true;
}

static bool keys_right(const sl_sort_check *c) {
  for (size_t i = 0; i < c->n; i++)
    if (c->keys_out[i] != want_key(c, i)) return false;
  return true;
}

static bool is_input(const sl_sort_check *c) { return memcmp(c->keys_out, c->keys_in, c->n * 4) == 0; }

// Is keys_out a reordering of keys_in? Sorts it once more and compares. Without memory the answer is yes.
static bool is_permutation(const sl_sort_check *c) {
  SL_FREED uint32_t *order = malloc(c->n * sizeof *order + 1);
  bool same = true;
  if (order && sl_sort_order(c->type, c->keys_out, c->n, order, 0))
    for (size_t i = 0; i < c->n && same; i++) same = c->keys_out[order[i]] == want_key(c, i);
  return same;
}

// First place whose key is below the one before; n when the keys ascend.
static size_t first_descent(const sl_sort_check *c) {
  size_t i = 1;
  while (i < c->n && sl_sort_rank(c->type, c->keys_out[i - 1]) <= sl_sort_rank(c->type, c->keys_out[i])) i++;
  return i < c->n ? i : c->n;
}

// Is the descent between two keys of different sign? Then the transform of signed keys is missing or wrong.
static bool only_sign(const sl_sort_check *c) {
  if (c->type == SL_U32) return false;
  for (size_t i = 1; i < c->n; i++)
    if (c->keys_out[i - 1] > c->keys_out[i]) return false;
  return true;
}

// Is each key at its place, but for the bits that the transform of signed keys turns round? If zeros alone
// have the other sign, that has another cause.
static bool turned(const sl_sort_check *c) {
  bool beside_zero = false;
  if (c->type == SL_U32) return false;
  for (size_t i = 0; i < c->n; i++) {
    const uint32_t by = c->keys_out[i] ^ want_key(c, i);
    if (by && by != 0x80000000u && by != 0x7fffffffu && by != 0xffffffffu) return false;
    beside_zero |= by && want_key(c, i) << 1;
  }
  return beside_zero;
}

static int by_bits(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

// Are the keys those of the input, with the transform of signed keys undone that was never made?
static bool never_encoded(const sl_sort_check *c) {
  SL_FREED uint32_t *undone = malloc(c->n * sizeof *undone + 1), *out = malloc(c->n * sizeof *out + 1);
  if (c->type == SL_U32 || !undone || !out) return false;
  memcpy(out, c->keys_out, c->n * sizeof *out);
  for (size_t i = 0; i < c->n; i++)
    undone[i] = c->keys_in[i] ^ (c->type == SL_F32 && c->keys_in[i] >> 31 == 0 ? 0xffffffffu : 0x80000000u);
  qsort(undone, c->n, sizeof *undone, by_bits);
  qsort(out, c->n, sizeof *out, by_bits);
  return memcmp(undone, out, c->n * sizeof *out) == 0;
}

static sl_pattern pattern_of_lost(const sl_sort_check *c) {
  if (turned(c)) return SL_PATTERN_TURNED;
  return never_encoded(c) ? SL_PATTERN_NOT_ENCODED : SL_PATTERN_LOST_KEYS;
}

static bool same_key_other_value(const sl_sort_check *c) {
  for (size_t i = 0; i < c->n; i++) {
    bool twin = (i > 0 && c->keys_out[i - 1] == c->keys_out[i]) ||
                (i + 1 < c->n && c->keys_out[i + 1] == c->keys_out[i]);
    if (!right_at(c, i) && !twin) return false;
  }
  return true;
}

static bool payloads_stay(const sl_sort_check *c) {
  return c->values_in && !memcmp(c->values_out, c->values_in, c->n * sizeof *c->values_in);
}

// Are the payloads those of the input, in some order? As is_permutation.
static bool payloads_kept(const sl_sort_check *c) {
  SL_FREED uint32_t *order = malloc(c->n * sizeof *order + 1),
                    *order_in = malloc(c->n * sizeof *order_in + 1);
  bool same = true;
  if (order && order_in && sl_sort_order(SL_U32, c->values_out, c->n, order, 0) &&
      sl_sort_order(SL_U32, c->values_in, c->n, order_in, 0))
    for (size_t i = 0; i < c->n && same; i++) same = c->values_out[order[i]] == c->values_in[order_in[i]];
  return same;
}

static sl_pattern pattern_of(const sl_sort_check *c) {
  if (keys_right(c) && payloads_stay(c)) return SL_PATTERN_PAYLOADS_STAY;
  if (keys_right(c) && c->values_in && !payloads_kept(c)) return SL_PATTERN_PAYLOADS_LOST;
  if (keys_right(c)) return same_key_other_value(c) ? SL_PATTERN_UNSTABLE : SL_PATTERN_PAYLOADS;
  if (!is_permutation(c)) return pattern_of_lost(c);
  if (is_input(c)) return SL_PATTERN_UNSORTED;
  return only_sign(c) ? SL_PATTERN_SIGN : SL_PATTERN_DESCENT;
}

// The report ------------------------------------------------------------------------------------------------

static void describe_pair(const sl_sort_check *c, size_t i, char *out, size_t cap) {
  char a[64], b[64], value[96] = "";
  if (c->values_in)
    snprintf(value, sizeof value, "; value: got %u, expected %u", c->values_out[i], want_value(c, i));
  snprintf(out, cap, "keys_out[%zu]: got %s, expected %s%s", i, key_text(c, c->keys_out[i], a, sizeof a),
           key_text(c, want_key(c, i), b, sizeof b), value);
}

// Do all keys have lines of their own, which say what stands around [i], too?
static bool all_told(const sl_sort_check *c, size_t i) {
  if (c->n > SL_SHOWN_ELEMENTS) return false;
  for (size_t k = i >= 2 ? i - 2 : 0; k <= i + 2 && k < c->n; k++)
    if (right_at(c, k)) return false;
  return true;
}

static void add_detail(const sl_sort_check *c, size_t i, sl_mismatch *m) {
  char line[320], a[64], b[64];
  describe_pair(c, i, line, sizeof line);
  sl_append(m->detail, sizeof m->detail, "", "%s\n", line);
  if (all_told(c, i)) return;
  sl__neighbours_follow(m);
  sl_append(m->detail, sizeof m->detail, "", "  around it, got (expected):");
  for (size_t k = i >= 2 ? i - 2 : 0; k <= i + 2 && k < c->n; k++)
    sl_append(m->detail, sizeof m->detail, " ", "%s (%s)",
              sl__short_text(c->type, (sl_elem){.u = c->keys_out[k]}, a, sizeof a),
              sl__short_text(c->type, (sl_elem){.u = want_key(c, k)}, b, sizeof b));
  sl_append(m->detail, sizeof m->detail, "", "\n");
}

// Almost all answers are right: all cores compare first, the difference is searched only if needed.
typedef struct quick_check {
  const sl_sort_check *c;
  const uint32_t *array, *got; // got: from element [first] on
  size_t first;
  atomic_bool differs;
} quick_check;

static void compare_part(void *context, size_t from, size_t to) {
  quick_check *q = context;
  const uint32_t *order = q->c->order + q->first;
  size_t k = from;
  while (k < to && q->got[k] == q->array[order[k]]) k++;
  if (k < to) q->differs = true;
}

bool sl_sort_part_right(const sl_sort_check *c, bool values, size_t first, size_t count,
                        const uint32_t *got) {
  quick_check q = {.c = c, .array = values ? c->values_in : c->keys_in, .got = got, .first = first};
  sl_parallel(count, SORT_CHECK_GRAIN, compare_part, &q);
  return !q.differs;
}

static bool all_right(const sl_sort_check *c) {
  return sl_sort_part_right(c, false, 0, c->n, c->keys_out) &&
         (!c->values_in || sl_sort_part_right(c, true, 0, c->n, c->values_out));
}

static void summarize(const sl_sort_check *c, sl_mismatch *m) {
  m->pattern = pattern_of(c);
  if (m->pattern == SL_PATTERN_DESCENT) m->descent = first_descent(c);
  key_text(c, c->keys_out[m->first], m->got, sizeof m->got);
  key_text(c, want_key(c, m->first), m->expected, sizeof m->expected);
  m->payloads = c->values_in != NULL;
  if (!m->payloads) return;
  m->payload = c->values_out[m->first], m->payload_expected = want_value(c, m->first);
}

bool sl_compare_sort(const sl_sort_check *c, sl_mismatch *m) {
  *m = (sl_mismatch){.n = c->n};
  if (all_right(c)) return true;
  for (size_t i = 0; i < c->n; i++) {
    if (right_at(c, i)) continue;
    if (m->wrong == 0) m->first = i;
    if (m->wrong++ < SL_SHOWN_ELEMENTS) add_detail(c, i, m);
  }
  if (never_written(c)) m->unwritten = true, m->detail[0] = 0;
  else summarize(c, m);
  return false;
}
