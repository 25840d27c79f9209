// Forms: the rows of forms.def, and the instructions that each spells. {a,b} in a pattern stands for its
// alternatives (an empty one, too). is_legal leaves out combinations that PTX does not allow. Interface:
// st_rows, st_expand, st_has, st_kind_text and its neighbours.
#include "selftest/selftest.h"

#include <math.h>

// clang-format off
#define ROW(arch, pattern, operands, code, oracle) {arch, pattern, operands, code, false, oracle, NULL, 1, NULL, ST_BOUND_NONE, 0, 0, 0},
#define WARP(arch, pattern, operands, code, fn) {arch, pattern, operands, code, false, NULL, fn, ST_WARP, NULL, ST_BOUND_NONE, 0, 0, 0},
#define BLOCK(arch, pattern, operands, code, fn) {arch, pattern, operands, code, false, NULL, fn, ST_BLOCK, NULL, ST_BOUND_NONE, 0, 0, 0},
#define NEAR(arch, pattern, operands, fn, bound, limit, ...) {arch, pattern, operands, NULL, false, NULL, NULL, 1, fn, bound, limit, __VA_ARGS__},
#define CNEAR(name, operands, fn, bound, limit, ...) {75, name, operands, NULL, true, NULL, NULL, 1, fn, bound, limit, __VA_ARGS__},
#define CFUN(name, operands, fn, limit, ...) {75, name, operands, NULL, true, NULL, NULL, 1, fn, ST_ULP, limit, __VA_ARGS__},
#define CINT(name, operands) {75, name, operands, NULL, true, st_o_function, NULL, 1, NULL, ST_BOUND_NONE, 0, 0, 0},
const st_row st_rows[] = {
#include "selftest/forms.def"
};
// clang-format on
const size_t st_n_rows = sizeof st_rows / sizeof *st_rows;

static const struct kind_info {
  const char *text;
  unsigned bits, reg;
} kinds[] = {
#define KIND_INFO(id, text, bits, reg) {text, bits, reg},
    ST_KINDS(KIND_INFO){"", 0, 0}};

const char *st_kind_text(st_kind k) { return kinds[k].text; }
unsigned st_bits(st_kind k) { return kinds[k].bits; }
unsigned st_register_bits(st_kind k) { return kinds[k].reg; }
bool st_is_signed(st_kind k) { return k == ST_S8 || k == ST_S16 || k == ST_S32 || k == ST_S64; }
bool st_is_float(st_kind k) {
  return k == ST_F16 || k == ST_BF16 || k == ST_F32 || k == ST_F64 || k == ST_TF32;
}
bool st_is_pair(st_kind k) { return k >= ST_F16X2 && k <= ST_S16X2; }
st_kind st_half_of(st_kind pair) {
  static const st_kind half[] = {ST_F16, ST_BF16, ST_U16, ST_S16};
  return st_is_pair(pair) ? half[pair - ST_F16X2] : pair;
}

// The length of the suffix at [p], behind its dot.
static size_t suffix_length(const char *p) { return strcspn(p, ". ,;|"); }

bool st_has(const st_form *f, const char *mod) {
  size_t len = strlen(mod);
  for (const char *p = f->text; p && *p != ' '; p = strpbrk(p, ". ")) {
    if (*p == ' ') break;
    if (*p == '.') p++;
    if (suffix_length(p) == len && memcmp(p, mod, len) == 0) return true;
  }
  return false;
}

bool st_is(const st_form *f, const char *op) {
  size_t len = strlen(op);
  return strncmp(f->text, op, len) == 0 && (f->text[len] == '.' || !f->text[len] || f->text[len] == ' ');
}

static void find_types(st_form *f) {
  f->type = f->type2 = ST_NONE;
  for (const char *p = strchr(f->text, '.'); p; p = strchr(p, '.')) {
    size_t len = suffix_length(++p);
    for (st_kind k = 0; k < ST_NONE; k++)
      if (strlen(kinds[k].text) == len && memcmp(p, kinds[k].text, len) == 0) {
        f->type2 = f->type == ST_NONE ? k : f->type;
        f->type = k;
      }
  }
}

static st_kind twice(st_kind k) {
  static const struct {
    st_kind from, to;
  } wider[] = {{ST_U16, ST_U32}, {ST_S16, ST_S32}, {ST_U32, ST_U64}, {ST_S32, ST_S64}};
  for (size_t i = 0; i < 4; i++)
    if (wider[i].from == k) return wider[i].to;
  return k;
}

// The letters of forms.def: t the last type, y the one before it, W twice the last one, o a type of the last
// one's size that is all small whole numbers, v few different values; h w l plain bits of 16, 32, 64; i s32;
// j s64; p predicate; u a shift count; M a member mask, C a clamp of shfl, U a small number: the same for a
// group; f d g: f32, f64, f16.
static st_kind operand_kind(const st_form *f, char letter) {
  switch (letter) {
  case 't':
  case 'o':
  case 'v':
  case 'U': return f->type;
  case 'y': return f->type2;
  case 'W': return twice(f->type);
  case 'h': return ST_B16;
  case 'l': return ST_B64;
  case 'i': return ST_S32;
  case 'j': return ST_S64;
  case 'p': return ST_PRED;
  case 'f': return ST_F32;
  case 'd': return ST_F64;
  case 'g': return ST_F16;
  default: return ST_B32;
  }
}

static void find_operands(st_form *f) {
  const char *p = f->row->operands;
  for (; *p != ':'; p++) f->out[f->n_out++] = operand_kind(f, *p);
  for (p++; *p; p++) {
    f->letter[f->n_in] = *p;
    f->in[f->n_in++] = operand_kind(f, *p);
  }
}

// The assembler refuses saturation that can never happen, and a conversion that rounds without need.
static bool is_legal(const st_form *f) {
  if (!st_is(f, "cvt") || st_is_float(f->type) || st_is_float(f->type2) || !f->sat) return true;
  bool from = st_is_signed(f->type), to = st_is_signed(f->type2);
  unsigned a = st_bits(f->type), b = st_bits(f->type2);
  return from ? !to || b < a : b < a || (to && b == a);
}

static void add_form(st_forms *fs, const st_row *row, const char *text) {
  static const struct {
    const char *mod;
    st_round round;
  } modes[] = {{"rna", ST_RNA}, {"rz", ST_RZ}, {"rzi", ST_RZ}, {"rm", ST_RM},
               {"rmi", ST_RM},  {"rp", ST_RP}, {"rpi", ST_RP}};
  st_form f = {.row = row};
  snprintf(f.text, sizeof f.text, "%s", text);
  find_types(&f);
  f.ftz = st_has(&f, "ftz");
  f.sat = st_has(&f, "sat");
  f.relu = st_has(&f, "relu");
  for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
    if (st_has(&f, modes[k].mod)) f.round = modes[k].round;
  find_operands(&f);
  if (!is_legal(&f)) return;
  if (!SL_ROOM(fs->at, fs->n)) abort();
  fs->at[fs->n++] = f;
}

// Replaces the first {..} of [text] by each of its alternatives in turn.
static void expand(st_forms *fs, const st_row *row, const char *text) {
  const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
  char next[512];
  if (!close) {
    add_form(fs, row, text);
    return;
  }
  for (const char *p = open + 1; p <= close;) {
    size_t len = strcspn(p, ",}");
    snprintf(next, sizeof next, "%.*s%.*s%s", (int)(open - text), text, (int)len, p, close + 1);
    expand(fs, row, next);
    p += len + 1;
  }
}

// Operands of two forms can be the same bits: they agree in size, and in being floats or not.
static bool same_operands(const st_form *a, const st_form *b) {
  if (a->n_in != b->n_in || a->n_out != b->n_out) return false;
  for (int k = 0; k < a->n_in; k++) {
    st_kind x = a->in[k], y = b->in[k];
    bool plain = !st_is_float(st_half_of(x)) && !st_is_float(st_half_of(y)) && st_is_pair(x) == st_is_pair(y);
    if (x != y && !(plain && st_bits(x) == st_bits(y))) return false;
  }
  return true;
}

// The group of form [i]: how many forms before it begin a group.
static unsigned group_of(const st_forms *all, size_t i) {
  unsigned n = 0;
  for (size_t first = 0; first < i; first++) {
    bool begins = true;
    for (size_t k = 0; k < first; k++) begins &= !same_operands(&all->at[k], &all->at[first]);
    if (!begins) continue;
    if (same_operands(&all->at[first], &all->at[i])) return n;
    n++;
  }
  return n;
}

st_forms st_expand(const st_row *row, unsigned group) {
  st_forms all = {0};
  size_t kept = 0;
  expand(&all, row, row->pattern);
  SL_FREED unsigned *groups = sl_must(calloc(all.n + 1, sizeof *groups));
  for (size_t i = 0; i < all.n; i++) groups[i] = group_of(&all, i);
  for (size_t i = 0; i < all.n; i++)
    if (groups[i] == group) all.at[kept++] = all.at[i];
  all.n = kept;
  return all;
}
