// Names with block scope, and the labels that a scope settles when it ends.
//
// Interface: sl__find, sl__define, sl__find_reg, sl__scope_open, sl__scope_close. One hash table for all
// scopes; the innermost entry of a name comes first in its chain, and a scope that closes takes its own out.
//
// A register is made when an instruction first uses it, so ".reg .b32 %r<1000000>" alone costs nothing.
#include "ptx/ptx_int.h"

static uint32_t hash_symbol(sl__word w, sl__sym_class c) {
  uint64_t h = 0x9E3779B97F4A7C15u * (c + 1u);
  for (uint32_t i = 0; i < w.len; i++) h = (h ^ (uint8_t)w.at[i]) * 0x100000001B3u;
  return (uint32_t)(h ^ h >> 32);
}

static bool same(const sl__sym *s, uint32_t h, sl__word w, sl__sym_class c) {
  return s->hash == h && s->cls == c && s->w.len == w.len && memcmp(s->w.at, w.at, w.len) == 0;
}

sl__sym *sl__find(sl__parser *p, sl__word w, sl__sym_class c) {
  if (!p->syms.n_buckets) return NULL;
  uint32_t h = hash_symbol(w, c);
  for (sl__sym *s = p->syms.bucket[h % p->syms.n_buckets]; s; s = s->chain)
    if (same(s, h, w, c)) return s;
  return NULL;
}

// Doubles the table. Entries of one name stay in order because chains are walked from their end.
static void grow(sl__parser *p) {
  sl__symtab *t = &p->syms;
  uint32_t n = t->n_buckets ? t->n_buckets * 2 : 256;
  sl__sym **bucket = calloc(n, sizeof *bucket);
  if (!bucket) sl__bad(p, "out of memory");
  for (uint32_t i = 0; i < t->n_buckets; i++) {
    sl__sym *reversed = NULL;
    for (sl__sym *s = t->bucket[i], *next; s; s = next) next = s->chain, s->chain = reversed, reversed = s;
    for (sl__sym *s = reversed, *next; s; s = next) {
      next = s->chain;
      s->chain = bucket[s->hash % n];
      bucket[s->hash % n] = s;
    }
  }
  free(t->bucket);
  t->bucket = bucket;
  t->n_buckets = n;
}

sl__sym *sl__define(sl__parser *p, sl__word w, sl__sym_class c, sl__sym_kind k, uint32_t depth) {
  sl__sym *old = sl__find(p, w, c);
  if (old && old->depth == depth) sl__bad(p, "'%.*s' is declared twice", (int)w.len, w.at);
  if (p->syms.n >= p->syms.n_buckets) grow(p);
  sl__sym *s = sl_arena_get(p->scratch, sizeof *s);
  if (!s) sl__bad(p, "out of memory");
  *s = (sl__sym){.w = w, .hash = hash_symbol(w, c), .cls = c, .kind = k, .depth = (uint16_t)depth};
  sl__sym **head = &p->syms.bucket[s->hash % p->syms.n_buckets];
  s->chain = *head;
  *head = s;
  s->in_scope = p->scopes[depth].syms;
  p->scopes[depth].syms = s;
  p->syms.n++;
  return s;
}

void sl__scope_open(sl__parser *p) {
  if (p->depth + 1 >= SL__MAX_DEPTH) sl__bad(p, "more than %d nested '{'", SL__MAX_DEPTH - 2);
  p->scopes[++p->depth] =
      (sl__scope){.param_top = p->param_top, .local_top = p->local_top, .first_ref = p->refs.n};
}

static sl_operand *operand_of(sl__parser *p, const sl__ref *r) {
  return r->slot.elem ? &SL__AT(p, elems, sl_operand, r->slot.at)
                      : &SL__AT(p, insns, sl_ptx_insn, r->insn).ops[r->slot.at];
}

// Settles the labels that were used since the scope opened and that it defines. The outer one gets the rest.
static void settle_labels(sl__parser *p, uint32_t first) {
  uint32_t kept = first;
  for (uint32_t i = first; i < p->refs.n; i++) {
    sl__ref r = SL__AT(p, refs, sl__ref, i);
    const sl__sym *s = r.label ? sl__find(p, r.w, SL_C_NAME) : NULL;
    if (s && s->depth == p->depth && s->kind == SL_K_LABEL) operand_of(p, &r)->label = s->index;
    else SL__AT(p, refs, sl__ref, kept++) = r;
  }
  p->refs.n = kept;
}

static void take_out(sl__parser *p, sl__sym *s) {
  sl__sym **at = &p->syms.bucket[s->hash % p->syms.n_buckets];
  while (*at != s) at = &(*at)->chain;
  *at = s->chain;
  p->syms.n--;
}

void sl__scope_close(sl__parser *p) {
  sl__scope *s = &p->scopes[p->depth];
  settle_labels(p, s->first_ref);
  for (sl__sym *y = s->syms; y; y = y->in_scope) take_out(p, y);
  p->param_top = s->param_top;
  p->local_top = s->local_top;
  p->depth--;
}

// Depth of the innermost scope with ranges that could hide a register at [depth]; 0: none.
static uint32_t ranges_inside(const sl__parser *p, uint32_t depth) {
  uint32_t d = p->depth;
  while (d > depth && !p->scopes[d].has_ranges) d--;
  return d > depth ? d : 0;
}

// The innermost range "prefix<n>" with n > number.
static sl__sym *range_with(sl__parser *p, sl__word prefix, uint64_t number) {
  sl__sym *s = sl__find(p, prefix, SL_C_RANGE);
  while (s && (number >= s->count || !same(s, hash_symbol(prefix, SL_C_RANGE), prefix, SL_C_RANGE)))
    s = s->chain;
  return s;
}

// The range that declares [w] ("%r12": "%r" with more than 12), innermost scope first.
static sl__sym *range_of(sl__parser *p, sl__word w) {
  sl__sym *best = NULL;
  uint64_t number = 0, scale = 1;
  for (uint32_t n = w.len; n > 1 && w.len - n < 10 && w.at[n - 1] >= '0' && w.at[n - 1] <= '9'; n--) {
    number += scale * (uint64_t)(w.at[n - 1] - '0');
    scale *= 10;
    bool canonical = w.at[n - 1] != '0' || n == w.len;
    sl__sym *s = canonical ? range_with(p, (sl__word){w.at, n - 1}, number) : NULL;
    if (s && (!best || s->depth > best->depth)) best = s;
  }
  return best;
}

static uint32_t new_reg(sl__parser *p, sl__word w, uint32_t type) {
  uint32_t index = p->regs.n;
  const char *name = sl__name(p, w);
  *SL__PUSH(p, regs, sl_ptx_reg) = (sl_ptx_reg){name, (uint8_t)sl__class_of(type), (uint8_t)type};
  return index;
}

bool sl__find_reg(sl__parser *p, sl__word w, uint32_t *reg) {
  sl__sym *s = sl__find(p, w, SL_C_NAME);
  if (!s || (s->kind == SL_K_REG && ranges_inside(p, s->depth))) {
    sl__sym *range = range_of(p, w);
    if (range && (!s || range->depth > s->depth)) {
      s = sl__define(p, w, SL_C_NAME, SL_K_REG, range->depth);
      s->type = range->type;
      s->index = SL__NO_REG;
    }
  }
  if (!s || s->kind != SL_K_REG) return false;
  if (s->index == SL__NO_REG) s->index = new_reg(p, w, s->type);
  *reg = s->index;
  return true;
}
