// Initial values of variables: numbers, floats, addresses of variables and functions, bytes of addresses.
//
// Interface: sl__initialiser. The bytes go to var->init; each address leaves zeros there and a sl_ptx_reloc.
// Bytes of one address that follow each other (0xFF(x), 0xFF00(x), ...), as in packed structures, become one.
#include "ptx/ptx_int.h"

typedef struct init {
  uint32_t elem_bytes;
  uint64_t at, size; // bytes written so far; bytes of the variable, 0: as many as come
  const uint64_t *dims;
  uint32_t n_dims;
  uint64_t mask; // mask of the byte of an address; 0: the whole address
} init;

// Room for one more element; only unsized arrays grow, in the vector that becomes their bytes.
static uint8_t *room(sl__parser *p, init *x) {
  if (x->size && x->at + x->elem_bytes > x->size) sl__bad(p, "more values than the variable has elements");
  if (x->at + x->elem_bytes > SL__MAX_INIT) sl__bad(p, "more than %d bytes of initial values", SL__MAX_INIT);
  if (p->bytes.n < x->at + x->elem_bytes) sl__extend(p, &p->bytes, x->at + x->elem_bytes - p->bytes.n, 1);
  uint8_t *to = (uint8_t *)p->bytes.at + x->at;
  x->at += x->elem_bytes;
  return to;
}

static void store_bits(sl__parser *p, init *x, uint64_t bits) {
  uint8_t *to = room(p, x);
  memcpy(to, &bits, x->elem_bytes < 8 ? x->elem_bytes : 8); // little endian, as on the device
}

static uint64_t float_value(sl__parser *p, const init *x, bool negative) {
  uint64_t bits = p->tok.value;
  if (p->tok.kind == SL_T_F64 && x->elem_bytes == 4) {
    double d;
    memcpy(&d, &bits, sizeof d);
    float f = (float)d;
    uint32_t small;
    memcpy(&small, &f, sizeof small);
    bits = small;
  } else if (x->elem_bytes != (p->tok.kind == SL_T_F32 ? 4u : 8u))
    sl__bad(p, "a float that does not fit the variable");
  sl__next(p);
  return negative ? bits ^ (uint64_t)1 << (x->elem_bytes * 8 - 1) : bits;
}

// Adds the byte to the previous relocation if it is the next byte of the same address.
static bool joins_reloc(const sl_ptx_reloc *last, const sl_ptx_reloc *r, const sl__global_ref *g,
                        sl__word w) {
  return r->size == 1 && last->offset + last->size == r->offset && last->shift + 8 * last->size == r->shift &&
         last->addend == r->addend && last->generic == r->generic && g->w.len == w.len &&
         memcmp(g->w.at, w.at, w.len) == 0;
}

static uint32_t mask_shift(sl__parser *p, const init *x) {
  uint32_t shift = (uint32_t)__builtin_ctzll(x->mask);
  if (x->elem_bytes != 1 || shift % 8 || x->mask >> shift != 0xFF)
    sl__bad(p, "a mask selects one byte for a .b8 variable");
  return shift;
}

static void address(sl__parser *p, init *x, sl__word w, bool generic) {
  sl_ptx_reloc r = {.offset = x->at, .size = x->elem_bytes, .generic = generic};
  if (x->mask) r.shift = mask_shift(p, x);
  else if (x->elem_bytes < 4) sl__bad(p, "an address does not fit this variable");
  if (sl__is(p, '+') || sl__is(p, '-')) r.addend = sl__want_int(p, "an offset");
  room(p, x);
  uint32_t n = p->relocs.n;
  if (n && x->mask &&
      joins_reloc(&SL__AT(p, relocs, sl_ptx_reloc, n - 1), &r,
                  &SL__AT(p, global_refs, sl__global_ref, p->global_refs.n - 1), w)) {
    SL__AT(p, relocs, sl_ptx_reloc, n - 1).size++;
    return;
  }
  *SL__PUSH(p, relocs, sl_ptx_reloc) = r;
  *SL__PUSH(p, global_refs, sl__global_ref) = (sl__global_ref){.w = w, .line = p->stmt_line, .stmt = p->stmt};
}

// name, generic(name), with "+4" inside or behind.
static void symbol(sl__parser *p, init *x) {
  sl__word w = sl__want_word(p, "a value");
  bool generic = sl__word_is(w, "generic") && sl__take(p, '(');
  if (generic) {
    w = sl__want_word(p, "a name inside generic()");
    sl__want(p, ')', "after the name");
  }
  address(p, x, w, generic);
}

// A number, or the mask of 0xFF00(name).
static void integer(sl__parser *p, init *x) {
  int64_t v = sl__want_int(p, "a value");
  if (!sl__take(p, '(')) {
    store_bits(p, x, (uint64_t)v);
    return;
  }
  if (!v) sl__bad(p, "a mask without bits");
  x->mask = (uint64_t)v;
  symbol(p, x);
  x->mask = 0;
  sl__want(p, ')', "after the name under a mask");
}

static void parse_value(sl__parser *p, init *x) {
  if (p->tok.kind == SL_T_WORD) {
    symbol(p, x);
    return;
  }
  bool negative = false;
  sl__tok first = p->tok;
  if (sl__is(p, '-')) {
    const char *at = p->at;
    uint32_t line = p->line;
    sl__next(p);
    negative = true;
    if (p->tok.kind == SL_T_INT) p->at = at, p->line = line, p->tok = first;
  }
  if (p->tok.kind == SL_T_F32 || p->tok.kind == SL_T_F64) store_bits(p, x, float_value(p, x, negative));
  else integer(p, x);
}

// The bytes of one element of the array at nesting [level].
static uint64_t stride(const init *x, uint32_t level) {
  uint64_t n = x->elem_bytes;
  for (uint32_t i = level + 1; i < x->n_dims; i++) n *= x->dims[i];
  return n;
}

static void list(sl__parser *p, init *x, uint32_t level) {
  sl__want(p, '{', "before values");
  while (!sl__is(p, '}')) {
    if (sl__is(p, '{')) {
      if (level + 1 >= x->n_dims) sl__bad(p, "more nested '{' than dimensions");
      uint64_t begin = x->at, whole = stride(x, level);
      list(p, x, level + 1);
      if (x->at - begin > whole) sl__bad(p, "more values than the row has elements");
      x->at = begin + whole;
    } else parse_value(p, x);
    if (!sl__take(p, ',')) break;
  }
  sl__want(p, '}', "after values");
}

// Points the references of the last [n] addresses to their final places.
static void bind(sl__parser *p, sl_ptx_reloc *relocs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    SL__AT(p, global_refs, sl__global_ref, p->global_refs.n - n + i).r = &relocs[i];
}

void sl__initialiser(sl__parser *p, uint32_t var, const uint64_t *dims, uint32_t n_dims) {
  sl_ptx_var *v = &SL__AT(p, vars, sl_ptx_var, var);
  init x = {.elem_bytes = sl_ptx_type_bits(v->type) / 8, .size = v->size, .dims = dims, .n_dims = n_dims};
  p->bytes.n = p->relocs.n = 0;
  if (sl__is(p, '{')) list(p, &x, 0);
  else parse_value(p, &x);
  uint64_t size = v->size ? v->size : x.at > p->bytes.n ? x.at : p->bytes.n;
  p->init_bytes += size;
  if (size > SL__MAX_INIT || p->init_bytes > SL__MAX_INIT)
    sl__bad(p, "more than %d bytes of initial values", SL__MAX_INIT);
  uint8_t *init_bytes = sl__alloc(p, size + 1);
  if (p->bytes.n) memcpy(init_bytes, p->bytes.at, p->bytes.n < size ? p->bytes.n : size);
  v->n_relocs = p->relocs.n;
  sl_ptx_reloc *relocs = sl__freeze(p, &p->relocs, sizeof(sl_ptx_reloc));
  bind(p, relocs, v->n_relocs);
  v->init = init_bytes;
  v->relocs = relocs;
  v->size = size;
  v->is_unsized = false;
}
