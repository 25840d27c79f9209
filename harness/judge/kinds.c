// The calls of every kind that a lab can take: other operators and types, inclusive or not; other keys,
// digits and values. A kernel that is wrong for one of them alone is called with it.
//
// Interface: sl__kind (run.h).
#include "judge/run.h"

static const struct {
  sl_op op;
  sl_type type;
} PAIRS[] = {{SL_ADD, SL_F32}, {SL_ADD, SL_U32}, {SL_ADD, SL_I32},       {SL_MAX, SL_F32},
             {SL_MAX, SL_U32}, {SL_MAX, SL_I32}, {SL_COMPOSE, SL_AFFINE}};
static const sl_type KEYS[] = {SL_U32, SL_I32, SL_F32};

enum { N_PAIRS = sizeof PAIRS / sizeof *PAIRS, N_KEYS = sizeof KEYS / sizeof *KEYS, MOST_BITS = 8 };

static bool scan_kind(sl_case *c, unsigned k, sl_kind_name name) {
  if (k >= 2 * N_PAIRS) return false;
  const unsigned pair = k % N_PAIRS; // each call has another operator or type than the one before
  c->op = PAIRS[pair].op, c->type = PAIRS[pair].type, c->kind = k / N_PAIRS ? SL_INCLUSIVE : SL_EXCLUSIVE;
  const bool exact = c->type == SL_F32 && c->op == SL_ADD; // else numbers of all bits
  snprintf(c->dist, sizeof c->dist, "%s",
           c->type == SL_AFFINE ? "affine_random"
           : exact              ? "uniform_int"
                                : "signed_uniform");
  snprintf(name, sizeof(sl_kind_name), "%s of %s, %s", sl_op_names[c->op], sl_type_names[c->type],
           sl_kind_names[c->kind]);
  return true;
}

// One bit a pass is another part than several: a case has either.
static bool sort_kind(sl_case *c, unsigned k, sl_kind_name name) {
  const unsigned widths = c->bits == 1 ? 1 : MOST_BITS - 1;
  if (k >= 2 * N_KEYS * widths) return false;
  c->type = KEYS[k / 2 % N_KEYS], c->values = k % 2, c->bits = c->bits == 1 ? 1 : 2 + k / (2 * N_KEYS);
  snprintf(name, sizeof(sl_kind_name), "%s%s by %u bit%s", sl_type_names[c->type],
           c->values ? " with values" : "", c->bits, sl_plural(c->bits));
  return true;
}

bool sl__kind(const sl_case *of, unsigned k, sl_case *c, sl_kind_name name) {
  *c = *of;
  c->calls = 1, c->n_also = c->n_draw = c->n_then = 0, c->kinds = false, c->named.to = 0;
  if (!(of->entry == SL_ENTRY_SORT ? sort_kind : scan_kind)(c, k, name)) return false;
  c->seed = sl_mix(of->seed + k) >> 11;
  sl_case drawn = *of;
  drawn.seed = c->seed;
  if (of->n_draw) c->n = sl_case_drawn(&drawn, 0);
  return true;
}
