// The bench of alu_rig.h: a decoder that gives every register a place of its own, and the comparison with an
// oracle.
#include "engine/form.h"
#include "engine/tests/alu_rig.h"
#include <stdlib.h>

#define REGS 32
#define SLOT 256
static _Alignas(64) uint8_t frame[REGS * SLOT], constants[16 * SLOT];
static unsigned n_constants;
static sl_ptx_module *module;
char rig_error[512];
sl_warp rig_warp;
sl_xinsn rig_insn;
uint32_t rig_converged;
unsigned rig_converge_calls;
sl_step rig_converge_step;

struct sl_decoder {
  const sl_ptx_func *f;
};

// The decoder's side (see engine.h).
unsigned sl__operand_bits(sl_decoder *dc, const sl_operand *o) {
  static const unsigned bits[] = {1, 16, 32, 64, 128};
  return o->kind == SL_O_REG ? bits[dc->f->regs[o->reg].cls] : 0;
}
// Register %r5 has place 5 of its class, whatever else the statement uses.
static uint32_t place(const char *name) {
  static const char classes[] = "phrd";
  return ((uint32_t)(strchr(classes, name[1]) - classes) * 8 + (uint32_t)(name[2] - '0')) * SLOT;
}
static uint32_t slot_of(const sl_decoder *dc, uint32_t reg) { return place(dc->f->regs[reg].name); }
bool sl__dst(sl_decoder *dc, const sl_operand *o, sl_slot *out) {
  *out = slot_of(dc, o->reg);
  return true;
}
bool sl__src(sl_decoder *dc, const sl_operand *o, sl_ptx_mod type, sl_slot *out) {
  if (o->kind == SL_O_REG) return sl__dst(dc, o, out);
  uint8_t *at = constants + n_constants * SLOT;
  *out = n_constants++ * SLOT | SL_BANK_CONST;
  for (int l = 0; l < SL_LANES; l++) {
    if (sl_ptx_type_bits(type) == 64) ((uint64_t *)at)[l] = (uint64_t)o->imm;
    else ((uint32_t *)at)[l] = (uint32_t)o->imm;
  }
  if (type == SL_M_pred) *(uint32_t *)at = o->imm ? SL_FULL : 0;
  return true;
}
bool sl__src_pred(sl_decoder *dc, const sl_operand *o, unsigned k, sl_xinsn *x) {
  x->neg |= (uint32_t)o->negated << k;
  return sl__src(dc, o, SL_M_pred, &x->s[k]);
}
bool sl__dst_pair(sl_decoder *dc, const sl_operand *o, sl_slot *out) {
  *out = o->pair && o->pair != UINT32_MAX ? slot_of(dc, o->pair - 1) : SL_NO_SLOT;
  return true;
}
const sl_operand *sl__elem(sl_decoder *dc, const sl_operand *vec, uint32_t k) {
  return &dc->f->elems[vec->first + k];
}
void *sl__decode_alloc(sl_decoder *dc, size_t bytes) {
  static _Alignas(16) uint8_t room[256];
  (void)dc;
  assert_true(bytes <= sizeof room);
  return memset(room, 0, sizeof room);
}
bool sl__refuse(sl_decoder *dc, const sl_ptx_insn *in, const char *fmt, ...) {
  (void)dc, (void)in;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(rig_error, sizeof rig_error, fmt, ap);
  va_end(ap);
  return false;
}
sl_step sl__converge(sl_warp *w, const sl_xinsn *i, uint32_t member) {
  (void)w, (void)i;
  rig_converged = member;
  rig_converge_calls++;
  return rig_converge_step;
}

static bool decode(sl_decoder *dc, const sl_ptx_insn *in) {
  static const sl_decode_fn families[] = {
      [SL_FAM_INT] = sl__decode_int,   [SL_FAM_VIDEO] = sl__decode_simd, [SL_FAM_FLOAT] = sl__decode_float,
      [SL_FAM_BITS] = sl__decode_bits, [SL_FAM_SET] = sl__decode_set,    [SL_FAM_CVT] = sl__decode_cvt,
      [SL_FAM_MOV] = sl__decode_mov,   [SL_FAM_WARP] = sl__decode_warp};
  memset(&rig_insn, 0, sizeof rig_insn);
  rig_insn.d = rig_insn.d2 = rig_insn.guard = SL_NO_SLOT;
  return sl__parts_fit(dc, in) && families[sl_ptx_family(in)](dc, in, &rig_insn);
}

bool rig_load(const char *statement) {
  static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                             ".reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n";
  char text[1024];
  sl_error e = {0};
  int n = snprintf(text, sizeof text, "%s%s;\nret;\n}\n", head, statement);
  sl_ptx_free(module);
  n_constants = 0;
  rig_error[0] = 0;
  module = sl_ptx_parse("test", text, (size_t)n, &e);
  if (!module) {
    snprintf(rig_error, sizeof rig_error, "parser: %.480s", e.text);
    return false;
  }
  sl_decoder dc = {&module->funcs[0]};
  return decode(&dc, &dc.f->insns[0]);
}

void rig_set(const char *reg, int lane, uint64_t v) {
  uint32_t *p = (uint32_t *)(frame + place(reg));
  switch (reg[1]) {
  case 'p':
    *p = (*p & ~(1u << lane)) | (uint32_t)(v & 1) << lane;
    break;
  case 'h':
    p[lane] = (uint32_t)(v & 0xffff) | (uint32_t)rig_random() << 16;
    break; // upper half: undefined
  case 'r':
    p[lane] = (uint32_t)v;
    break;
  default:
    memcpy(p + 2 * lane, &v, 8);
  }
}

uint64_t rig_get(const char *reg, int lane) {
  const uint32_t *p = (const uint32_t *)(frame + place(reg));
  uint64_t v;
  switch (reg[1]) {
  case 'p':
    return *p >> lane & 1;
  case 'h':
    return p[lane] & 0xffff;
  case 'r':
    return p[lane];
  default:
    memcpy(&v, p + 2 * lane, 8);
    return v;
  }
}

sl_step rig_run(uint32_t mask) {
  rig_warp.bank[SL_BANK_REG] = frame;
  rig_warp.bank[SL_BANK_CONST] = constants;
  rig_warp.mask = mask;
  rig_warp.full = mask == SL_FULL;
  for (int l = 0; l < SL_LANES; l++) rig_warp.lanes[l] = mask >> l & 1 ? SL_FULL : 0;
  return rig_insn.fn(&rig_warp, &rig_insn);
}

uint64_t rig_random(void) {
  static uint64_t s = 0x9e3779b97f4a7c15ull;
  s ^= s << 13, s ^= s >> 7, s ^= s << 17;
  return s * 0x2545f4914f6cdd1dull;
}

static const uint32_t edges_f32[] = {
    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
    0xbf800000, 0x3f800001, 0x3f800800, 0x3effffff, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000,
    0x4b000001, 0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5effffff,
    0x5f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
    0x33800000, 0x477fefff, 0x477ff000, 0x38800000, 0x33000000, 0x7e800000, 0x7e900000};
static const uint64_t edges_f64[] = {0,
                                     1ull << 63,
                                     1,
                                     0x000fffffffffffffull,
                                     0x0010000000000000ull,
                                     0x3ff0000000000000ull,
                                     0xbff0000000000000ull,
                                     0x3ff0000000000001ull,
                                     0x3fe0000000000000ull,
                                     0x3ff8000000000000ull,
                                     0x4004000000000000ull,
                                     0xc004000000000000ull,
                                     0x41dfffffffc00000ull,
                                     0x41e0000000000000ull,
                                     0xc1e0000000200000ull,
                                     0x43dfffffffffffffull,
                                     0x43e0000000000000ull,
                                     0x43f0000000000000ull,
                                     0x7fefffffffffffffull,
                                     0xffefffffffffffffull,
                                     0x7ff0000000000000ull,
                                     0xfff0000000000000ull,
                                     0x7ff8000000000000ull,
                                     0xfff8000000001234ull,
                                     0x7ff0000000000001ull,
                                     0x3690000000000000ull,
                                     0x36a0000000000000ull,
                                     0x47efffffefffffffull,
                                     0x47effffff0000000ull,
                                     0x40effdffffffffffull,
                                     0x40effe0000000000ull,
                                     0x3e50000000000000ull};
static const uint16_t edges_f16[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00,
                                     0x3c01, 0x3bff, 0x3800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
                                     0xfe01, 0x7c01, 0x1400, 0x6400, 0x5bff, 0x3555};
static const uint16_t edges_bf16[] = {0,      0x8000, 1,      0x8001, 0x007f, 0x0080, 0x3f80, 0xbf80,
                                      0x3f81, 0x3f7f, 0x3f00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0,
                                      0xffc1, 0x7f81, 0x4300, 0x4f00, 0x5f80, 0x1f80};
static const uint64_t edges_int[] = {0,
                                     1,
                                     ~0ull,
                                     2,
                                     3,
                                     7,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x100,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x10000,
                                     0x7fffff,
                                     0x800000,
                                     0x7fffffff,
                                     0x80000000,
                                     0x80000001,
                                     0xffffffff,
                                     0x100000000ull,
                                     0x7fffffffffffffffull,
                                     1ull << 63,
                                     0xaaaaaaaaaaaaaaaaull,
                                     0xffffffff00000000ull,
                                     0xfffffffffffffff9ull,
                                     0xffffffff80000000ull,
                                     0x12345678abcdef01ull};
#define N(table) (sizeof(table) / sizeof *(table))

unsigned rig_edges(char pool) {
  switch (pool) {
  case 'f':
    return N(edges_f32);
  case 'g':
    return N(edges_f64);
  case 'e':
  case 'P':
    return N(edges_f16);
  case 'b':
  case 'B':
    return N(edges_bf16);
  case 's':
    return 72;
  case 'p':
    return 2;
  default:
    return N(edges_int);
  }
}

// A float of any size near 1, or any bits at all.
static uint64_t random_f32(void) {
  uint64_t r = rig_random();
  return r & 1 ? r >> 32 : (r >> 32 & 0x80ffffff) | (uint64_t)(100 + r % 54) << 23;
}
static uint64_t random_f64(void) {
  uint64_t r = rig_random();
  return r & 1 ? rig_random() : (rig_random() & 0x800fffffffffffffull) | (1023 - 40 + r % 80) << 52;
}
static uint64_t random_value(char pool) {
  switch (pool) {
  case 'f':
    return random_f32();
  case 'g':
    return random_f64();
  case 's':
    return rig_random() % 40;
  default:
    return rig_random() >> (rig_random() & 2 ? rig_random() % 64 : 0);
  }
}

uint64_t rig_value(char pool, unsigned bits, uint64_t n) {
  uint64_t v;
  if (n >= rig_edges(pool)) v = random_value(pool);
  else switch (pool) {
    case 'f':
      v = edges_f32[n];
      break;
    case 'g':
      v = edges_f64[n];
      break;
    case 'e':
      v = edges_f16[n];
      break;
    case 'b':
      v = edges_bf16[n];
      break;
    case 'P':
      v = edges_f16[n] | (uint64_t)edges_f16[rig_random() % N(edges_f16)] << 16;
      break;
    case 'B':
      v = edges_bf16[n] | (uint64_t)edges_bf16[rig_random() % N(edges_bf16)] << 16;
      break;
    case 's':
      v = n < 70 ? n : n == 70 ? 0xff : 0xffffffff;
      break;
    case 'p':
      v = n;
      break;
    default:
      v = edges_int[n];
    }
  return bits == 64 ? v : v & ((1ull << bits) - 1);
}

static unsigned letter_bits(char c) { return c == 'p' ? 1 : c == 'h' ? 16 : c == 'r' ? 32 : 64; }

// Names of the registers of a case: destination (and second one), then sources %x1, %x2, ..
typedef struct regs {
  char dst[16], dst2[16], src[4][16];
  char letter[4];
  unsigned n;
  char statement[200];
} regs;

// in_place: the destination is source [in_place - 1].
static bool name_regs(const rig_case *c, unsigned in_place, regs *r) {
  const char *o = c->operands, *src = o[1] == '|' ? o + 3 : o + 1;
  memset(r, 0, sizeof *r);
  r->n = (unsigned)strlen(src);
  for (unsigned k = 0; k < r->n; k++) {
    r->letter[k] = src[k];
    snprintf(r->src[k], sizeof r->src[k], "%%%c%u", src[k], k + 1);
  }
  if (in_place && (in_place > r->n || src[in_place - 1] != o[0])) return false;
  snprintf(r->dst, sizeof r->dst, "%%%c%u", o[0], in_place);
  if (o[1] == '|') snprintf(r->dst2, sizeof r->dst2, "%%%c7", o[2]);
  int n = snprintf(r->statement, sizeof r->statement, "%s %s%s%s", c->op, r->dst, o[1] == '|' ? "|" : "",
                   r->dst2);
  for (unsigned k = 0; k < r->n; k++)
    n += snprintf(r->statement + n, sizeof r->statement - (size_t)n, ", %s", r->src[k]);
  return true;
}

// Runs one mask over lanes that hold [v], and compares.
static void check_lanes(const rig_case *c, const regs *r, uint32_t mask, uint64_t v[SL_LANES][4]) {
  uint64_t old[SL_LANES], old2[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) {
    rig_set(r->dst, l, rig_random());
    if (*r->dst2) rig_set(r->dst2, l, rig_random());
    for (unsigned k = 0; k < r->n; k++) rig_set(r->src[k], l, v[l][k]);
    old[l] = rig_get(r->dst, l);
    old2[l] = *r->dst2 ? rig_get(r->dst2, l) : 0;
  }
  assert_int_equal(rig_run(mask), SL_STEP);
  for (int l = 0; l < SL_LANES; l++) {
    bool on = mask >> l & 1;
    unsigned bits = letter_bits(c->operands[0]);
    uint64_t cut = bits == 64 ? ~0ull : (1ull << bits) - 1;
    uint64_t want = on ? c->want(v[l][0], v[l][1], v[l][2], v[l][3]) & cut : old[l], got = rig_get(r->dst, l);
    uint64_t want2 = !c->want2 ? 0 : on ? c->want2(v[l][0], v[l][1], v[l][2], v[l][3]) & 1 : old2[l];
    if (got != want)
      fail_msg("%s lane %d of mask %08x: operands %llx %llx %llx %llx give %llx, not %llx", r->statement, l,
               mask, (unsigned long long)v[l][0], (unsigned long long)v[l][1], (unsigned long long)v[l][2],
               (unsigned long long)v[l][3], (unsigned long long)got, (unsigned long long)want);
    if (c->want2 && rig_get(r->dst2, l) != want2)
      fail_msg("%s lane %d: operands %llx %llx %llx: second destination is not %llx", r->statement, l,
               (unsigned long long)v[l][0], (unsigned long long)v[l][1], (unsigned long long)v[l][2],
               (unsigned long long)want2);
  }
}

static void check_registers(const rig_case *c, const regs *r) {
  if (!rig_load(r->statement)) fail_msg("%s is refused: %s", r->statement, rig_error);
  uint64_t edges[4] = {1, 1, 1, 1}, all = 1;
  for (unsigned k = 0; k < r->n; k++) all *= edges[k] = rig_edges(c->pools[k]);
  uint64_t stride = all > 6000 ? all / 6000 | 1 : 1; // many operands: a sample of the combinations
  for (uint64_t at = 0, round = 0; at < all + 60 * 32 * stride; round++) {
    uint64_t v[SL_LANES][4] = {{0}};
    for (int l = 0; l < SL_LANES; l++, at += stride)
      for (uint64_t k = 0, rest = at; k < r->n; rest /= edges[k++])
        v[l][k] = rig_value(c->pools[k], letter_bits(r->letter[k]), at < all ? rest % edges[k] : ~0ull);
    static const uint32_t masks[] = {SL_FULL, 0x0000ffff, 0x80000001, 0x5a5a5a5a, 0x00000010};
    check_lanes(c, r, round % 2 ? masks[round / 2 % 5] : SL_FULL, v);
  }
}

void rig_check(const rig_case *c) {
  regs r;
  for (unsigned in_place = 0; in_place < 4; in_place++)
    if (name_regs(c, in_place, &r)) check_registers(c, &r);
}

void rig_check_all(const rig_case *c, size_t n) {
  for (size_t k = 0; k < n; k++) rig_check(&c[k]);
}

uint64_t rig_ulps(uint32_t a, uint32_t b) {
  int64_t x = a & 0x80000000 ? -(int64_t)(a & 0x7fffffff) : (int64_t)a,
          y = b & 0x80000000 ? -(int64_t)(b & 0x7fffffff) : (int64_t)b;
  return (uint64_t)llabs(x - y);
}

// Sum and product exact to where one rounding to double or float gives the nearest: odd when inexact.
f128 rig_fused(f128 a, f128 b, f128 c) {
  f128 p = a * b, s = p + c, t = s - p, lost = (p - (s - t)) + (c - t);
  u128 u;
  memcpy(&u, &s, 16);
  if (lost != 0 && lost == lost && s - s == 0 && !(u & 1)) u = (lost > 0) == (s > 0) ? u + 1 : u - 1;
  memcpy(&s, &u, 16);
  return s;
}
