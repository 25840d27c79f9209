// Elements and operators of every type: a table of operators with scans of arrays (words: vectors.c).
//
// Interface: sl_elem_* load, compare and print one element. sl_op_* say which (type, operator) pairs exist,
// what the identity is and what the operator does. The left operand always has the lower index.
#include "reference/reference.h"

#include <stdio.h>

// Elements --------------------------------------------------------------------------------------------------

char *sl_elem_text(sl_type type, sl_elem x, char *out, size_t cap) {
  if (type == SL_F32 && isnan(x.f)) snprintf(out, cap, "NaN (0x%08x)", x.u);
  if (type == SL_F32 && !isnan(x.f)) snprintf(out, cap, "%.9g", (double)x.f);
  if (type == SL_I32) snprintf(out, cap, "%d", x.i);
  if (type == SL_U32) snprintf(out, cap, "%u (0x%08x)", x.u, x.u);
  if (type == SL_AFFINE) snprintf(out, cap, "{%u, %u}", x.a.a, x.a.b);
  return out;
}

// Operators -------------------------------------------------------------------------------------------------

static sl_elem add_f32(sl_elem l, sl_elem r) { return (sl_elem){.f = l.f + r.f}; }
static sl_elem add_u32(sl_elem l, sl_elem r) { return (sl_elem){.u = l.u + r.u}; }
static sl_elem max_f32(sl_elem l, sl_elem r) { return l.f > r.f || isnan(r.f) ? l : r; }
static sl_elem max_i32(sl_elem l, sl_elem r) { return l.i < r.i ? r : l; }
static sl_elem max_u32(sl_elem l, sl_elem r) { return l.u < r.u ? r : l; }
static sl_elem compose_affine(sl_elem l, sl_elem r) {
  return (sl_elem){.a = {l.a.a * r.a.a, r.a.a * l.a.b + r.a.b}};
}

// Composes maps two at a time, which halves the chain of dependent steps. [out] NULL: only the total.
static void scan_compose(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out) {
  const sl_affine *x = in;
  sl_affine *y = out;
  size_t shift = kind == SL_INCLUSIVE ? 0 : 1, i = 0;
  sl_elem sum = *acc;
  if (y && shift && n) y[0] = sum.a;
  for (; i + 2 <= n; i += 2) {
    sl_elem first = {.a = x[i]}, pair = compose_affine(first, (sl_elem){.a = x[i + 1]});
    if (y) y[i + shift] = compose_affine(sum, first).a;
    sum = compose_affine(sum, pair);
    if (y && i + 1 + shift < n) y[i + 1 + shift] = sum.a;
  }
  if (i < n) sum = compose_affine(sum, (sl_elem){.a = x[i]});
  if (y && i < n && !shift) y[i] = sum.a;
  *acc = sum;
}

typedef struct op_row {
  sl_elem (*apply)(sl_elem left, sl_elem right);
  void (*scan)(sl_elem *acc, sl_kind kind, size_t n, const void *in, void *out); // NULL: sl__scan_doubles
  sl_elem identity;
} op_row;

// Signed sums use the unsigned row: the bits are the same modulo 2^32, and C leaves no overflow undefined.
static const op_row rows[SL_TYPE_COUNT][SL_OP_COUNT] = {
    [SL_F32] = {[SL_ADD] = {add_f32, NULL, {.f = 0}},
                [SL_MAX] = {max_f32, sl__scan_words_max_f32, {.f = -INFINITY}}},
    [SL_I32] = {[SL_ADD] = {add_u32, sl__scan_words_add_u32, {.u = 0}},
                [SL_MAX] = {max_i32, sl__scan_words_max_i32, {.i = INT32_MIN}}},
    [SL_U32] = {[SL_ADD] = {add_u32, sl__scan_words_add_u32, {.u = 0}},
                [SL_MAX] = {max_u32, sl__scan_words_max_u32, {.u = 0}}},
    [SL_AFFINE] = {[SL_COMPOSE] = {compose_affine, scan_compose, {.a = {1, 0}}}},
};

bool sl_op_valid(sl_type type, sl_op op) {
  return (unsigned)type < SL_TYPE_COUNT && (unsigned)op < SL_OP_COUNT && rows[type][op].apply;
}

sl_elem sl_op_identity(sl_type type, sl_op op) { return rows[type][op].identity; }

sl_elem sl_op_apply(sl_type type, sl_op op, sl_elem left, sl_elem right) {
  return rows[type][op].apply(left, right);
}

void sl__op_scan(const sl_scan_spec *s, sl_elem *acc, const void *in, void *out) {
  rows[s->type][s->op].scan(acc, s->kind, s->n, in, out);
}
