// Tables of mnemonics, suffixes and special registers, of the .def files, and from text back to number.
//
// Interface: sl_ptx_op_name, sl_ptx_mod_name, sl_ptx_sreg_name, sl_ptx_type_bits, sl_ptx_has_mod; internally
// sl__op_of, sl__mod_of, sl__sreg_of (-1: no such name) and sl__class_of. The way back is one hash table a
// kind, filled on first use.
#include <pthread.h>
#include "ptx/ptx_int.h"

static const char *const op_names[] = {
#define SL_PTX_OP(name, ...) #name,
#include "ptx/ops.def"
#undef SL_PTX_OP
};
static const char *const mod_names[] = {
    "",
#define SL_PTX_MOD(id, text) text,
#include "ptx/mods.def"
#undef SL_PTX_MOD
};
static const char *const sreg_names[] = {
#define SL_PTX_SREG(id, text, cls) text,
#include "ptx/sregs.def"
#undef SL_PTX_SREG
};

// Bits of a value of a type; not listed: no type.
static const uint8_t type_bits[SL_M_COUNT_] = {
    [SL_M_pred] = 1,    [SL_M_b8] = 8,     [SL_M_u8] = 8,      [SL_M_s8] = 8,     [SL_M_b16] = 16,
    [SL_M_u16] = 16,    [SL_M_s16] = 16,   [SL_M_f16] = 16,    [SL_M_bf16] = 16,  [SL_M_e4m3x2] = 16,
    [SL_M_e5m2x2] = 16, [SL_M_b32] = 32,   [SL_M_u32] = 32,    [SL_M_s32] = 32,   [SL_M_f32] = 32,
    [SL_M_tf32] = 32,   [SL_M_f16x2] = 32, [SL_M_bf16x2] = 32, [SL_M_u16x2] = 32, [SL_M_s16x2] = 32,
    [SL_M_b64] = 64,    [SL_M_u64] = 64,   [SL_M_s64] = 64,    [SL_M_f64] = 64,   [SL_M_b128] = 128};

enum { TABLE = 1024 }; // more than twice the longest list
typedef struct index {
  const char *const *names;
  int n;
  int16_t slot[TABLE];
} index_t;
static index_t ops = {op_names, SL_OP_COUNT_, {0}}, mods = {mod_names, SL_M_COUNT_, {0}},
               sregs = {sreg_names, SL_SR_COUNT_, {0}};
_Static_assert(SL_OP_COUNT_ < TABLE / 2 && SL_M_COUNT_ < TABLE / 2 && SL_SR_COUNT_ < TABLE / 2,
               "table too small");
_Static_assert(SL_M_COUNT_ <= 256, "sl_ptx_insn keeps suffixes in bytes");

static uint32_t hash_word(const char *s, size_t n) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < n; i++) h = (h ^ (uint8_t)s[i]) * 16777619u;
  return h ^ h >> 15;
}

static void fill_index(index_t *x) {
  for (int i = 0; i < x->n; i++) {
    uint32_t h = hash_word(x->names[i], strlen(x->names[i])) % TABLE;
    while (x->slot[h]) h = (h + 1) % TABLE;
    x->slot[h] = (int16_t)(i + 1);
  }
}

static void fill_all(void) { fill_index(&ops), fill_index(&mods), fill_index(&sregs); }

static int find_word(index_t *x, sl__word w) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_all);
  for (uint32_t h = hash_word(w.at, w.len) % TABLE; x->slot[h]; h = (h + 1) % TABLE)
    if (sl__word_is(w, x->names[x->slot[h] - 1])) return x->slot[h] - 1;
  return -1;
}

int sl__op_of(sl__word w) { return find_word(&ops, w); }
int sl__mod_of(sl__word w) { return w.len ? find_word(&mods, w) : -1; }
int sl__sreg_of(sl__word w) { return find_word(&sregs, w); }

const char *sl_ptx_op_name(sl_ptx_op op) { return op < SL_OP_COUNT_ ? op_names[op] : "?"; }
const char *sl_ptx_mod_name(sl_ptx_mod m) { return m < SL_M_COUNT_ ? mod_names[m] : "?"; }
const char *sl_ptx_sreg_name(sl_ptx_sreg s) { return s < SL_SR_COUNT_ ? sreg_names[s] : "?"; }
unsigned sl_ptx_type_bits(sl_ptx_mod type) { return type < SL_M_COUNT_ ? type_bits[type] : 0; }

bool sl_ptx_has_mod(const sl_ptx_insn *i, sl_ptx_mod m) { return memchr(i->mods, (int)m, i->n_mods) != NULL; }

sl_reg_class sl__class_of(sl_ptx_mod type) {
  unsigned bits = sl_ptx_type_bits(type);
  return bits == 1    ? SL_R_PRED
         : bits <= 16 ? SL_R_16
         : bits == 32 ? SL_R_32
         : bits == 64 ? SL_R_64
                      : SL_R_128;
}
