// Warp-wide instructions: shfl vote match activemask redux elect. Interface: sl__decode_warp. The .sync forms
// first gather the lanes that their member mask names (sl__converge). A lane then exchanges values with the
// lanes that execute the instruction with the same member mask; without .sync, with the lanes that execute
// together with it. In PTX, reading a lane that takes no part is undefined: here the lane gets its own value.

// clang-format off
#include "engine/form.h"

// The member mask is source s[3] of every .sync form.
enum { MEMBER = 3, NO_SYNC = 1u << 31 };  // NO_SYNC: a bit of x->aux

// Lanes of [left] whose member mask is that of its first lane; *[member] is that mask.
static uint32_t same_member(const uint32_t *masks, uint32_t left, uint32_t *member) {
  *member = masks[__builtin_ctz(left)];
  uint32_t same = 0;
  for (int l = 0; l < SL_LANES; l++) same |= (uint32_t)(masks[l] == *member) << l;
  return same & left;
}

// Gathers the members; SL_STEP when the instruction can run.
static sl_step gather(sl_warp *w, const sl_xinsn *i) {
  if (i->aux & NO_SYNC) return SL_STEP;
  const uint32_t *masks = sl__u32(w, i->s[MEMBER]);
  for (uint32_t left = w->mask, member; left;) {
    uint32_t same = same_member(masks, left, &member);
    sl_step st = sl__converge(w, i, member);
    if (st != SL_STEP) return st;
    left &= ~same;
  }
  return SL_STEP;
}

// Takes from *[left] the next group of lanes that exchange values with each other.
static uint32_t next_group(const sl_warp *w, const sl_xinsn *i, uint32_t *left) {
  uint32_t member, group = *left;
  if (!(i->aux & NO_SYNC)) group = same_member(sl__u32(w, i->s[MEMBER]), *left, &member);
  *left &= ~group;
  return group;
}

// shfl: which lane each lane reads. [c]: bits 0..4 a limit, bits 8..12 the mask that cuts segments.
typedef struct shfl_source { uint32_t lane, in_range; } shfl_source;
static inline shfl_source shfl_up(uint32_t lane, uint32_t b, uint32_t c) {
  uint32_t seg = c >> 8 & 31, first = (lane & seg) | (c & 31 & ~seg);
  bool ok = lane >= b && lane - b >= first;
  return (shfl_source){ok ? lane - b : lane, ok};
}
static inline shfl_source shfl_at(uint32_t lane, uint32_t from, uint32_t c) {
  uint32_t seg = c >> 8 & 31, last = (lane & seg) | (c & 31 & ~seg);
  bool ok = from <= last;
  return (shfl_source){ok ? from : lane, ok};
}
static inline shfl_source shfl_down(uint32_t lane, uint32_t b, uint32_t c) { return shfl_at(lane, lane + b, c); }
static inline shfl_source shfl_bfly(uint32_t lane, uint32_t b, uint32_t c) { return shfl_at(lane, lane ^ b, c); }
static inline shfl_source shfl_idx(uint32_t lane, uint32_t b, uint32_t c) {
  uint32_t seg = c >> 8 & 31;
  return shfl_at(lane, (lane & seg) | (b & ~seg), c);
}

// Reads value [a] of the lanes [from] that take part.
static void shfl_read(sl_warp *w, const sl_xinsn *i, const uint32_t from[SL_LANES], uint32_t in_range) {
  const uint32_t *a = sl__u32(w, i->s[0]);
  uint32_t r[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) r[l] = a[w->mask >> from[l] & 1 ? from[l] : (uint32_t)l];
  sl__put32_opt(w, i->d, r);
  sl__set_pred_opt(w, i->d2, in_range);
}

// SOURCES: for every lane the one it reads [from]; returns the lanes whose source is in range.
#define SL_SHFL(NAME, SOURCE, SOURCES)                                                \
  static uint32_t SOURCES(const sl_warp *w, const sl_xinsn *i, uint32_t *from) {      \
    const uint32_t *b = sl__u32(w, i->s[1]), *c = sl__u32(w, i->s[2]);                \
    uint32_t ok = 0;                                                                  \
    for (uint32_t l = 0; l < SL_LANES; l++) {                                         \
      shfl_source s = SOURCE(l, b[l] & 31, c[l]);                                     \
      from[l] = s.lane;                                                               \
      ok |= s.in_range << l;                                                          \
    }                                                                                 \
    return ok;                                                                        \
  }                                                                                   \
  static sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                \
    uint32_t from[SL_LANES];                                                          \
    sl_step st = gather(w, i);                                                        \
    if (st != SL_STEP) return st;                                                     \
    uint32_t ok = SOURCES(w, i, from);                                                \
    shfl_read(w, i, from, ok);                                                        \
    return SL_STEP;                                                                   \
  }
// Opcode: shfl{.sync}.mode.b32 d|p, a, b, c, member   Synopsis: d = a of lane; p = that lane is in range
SL_SHFL(op_shfl_up, shfl_up, shfl_up_sources)
SL_SHFL(op_shfl_down, shfl_down, shfl_down_sources)
SL_SHFL(op_shfl_bfly, shfl_bfly, shfl_bfly_sources)
SL_SHFL(op_shfl_idx, shfl_idx, shfl_idx_sources)

uint32_t sl__shfl_sources(const sl_warp *w, const sl_xinsn *i, const sl_ptx_insn *in, uint32_t *from) {
  return sl_ptx_has_mod(in, SL_M_up)     ? shfl_up_sources(w, i, from)
         : sl_ptx_has_mod(in, SL_M_down) ? shfl_down_sources(w, i, from)
         : sl_ptx_has_mod(in, SL_M_bfly) ? shfl_bfly_sources(w, i, from)
                                         : shfl_idx_sources(w, i, from);
}

// What an instruction gives a [group] of lanes: their words in [r], where all are 0 before. Returns those of
// the group for which its predicate holds.
typedef uint32_t (*group_fn)(const sl_warp *w, const sl_xinsn *i, uint32_t group, uint32_t *r);

static inline void give(uint32_t *r, uint32_t group, uint32_t v) {
  for (int l = 0; l < SL_LANES; l++) r[l] = group >> l & 1 ? v : r[l];
}

static inline __attribute__((always_inline)) sl_step each_group(sl_warp *w, const sl_xinsn *i, group_fn fn, sl_slot words,
                                                                sl_slot lanes) {
  sl_step st = gather(w, i);
  if (st != SL_STEP) return st;
  uint32_t r[SL_LANES] = {0}, p = 0;
  for (uint32_t left = w->mask; left;) p |= fn(w, i, next_group(w, i, &left), r);
  sl__put32_opt(w, words, r);
  sl__set_pred_opt(w, lanes, p);
  return SL_STEP;
}
// The handler op_NAME of what NAME gives to each group; WORDS, LANES: where words and predicate go.
#define SL_GROUPS(NAME, WORDS, LANES) \
  static sl_step op_##NAME(sl_warp *w, const sl_xinsn *i) { return each_group(w, i, NAME, WORDS, LANES); }

// Opcode: vote{.sync}.all|any|uni.pred p, a, member   Synopsis: p = all (any, all or none) lanes have a
static uint32_t vote_all(const sl_warp *w, const sl_xinsn *i, uint32_t group, uint32_t *) {
  return group & ~sl__pred_src(w, i, 0) ? 0 : group;
}
static uint32_t vote_any(const sl_warp *w, const sl_xinsn *i, uint32_t group, uint32_t *) {
  return group & sl__pred_src(w, i, 0) ? group : 0;
}
static uint32_t vote_uni(const sl_warp *w, const sl_xinsn *i, uint32_t group, uint32_t *r) {
  return vote_all(w, i, group, r) | (group & ~vote_any(w, i, group, r));
}
SL_GROUPS(vote_all, SL_NO_SLOT, i->d)
SL_GROUPS(vote_any, SL_NO_SLOT, i->d)
SL_GROUPS(vote_uni, SL_NO_SLOT, i->d)

// Opcode: vote{.sync}.ballot.b32 d, a, member         Synopsis: d = mask of the lanes that have a
static uint32_t vote_ballot(const sl_warp *w, const sl_xinsn *i, uint32_t group, uint32_t *r) {
  give(r, group, group & sl__pred_src(w, i, 0));
  return 0;
}
SL_GROUPS(vote_ballot, i->d, SL_NO_SLOT)

// Opcode: activemask.b32 d          Synopsis: d = mask of the lanes that execute together
static SL_NULLARY(op_activemask, uint32_t, w->mask)

static inline uint64_t value_at(const sl_warp *w, const sl_xinsn *i, bool wide, int l) {
  return wide ? sl__u64(w, i->s[0])[l] : sl__u32(w, i->s[0])[l];
}
enum { MATCH_WIDE = 1 };  // x->aux: values of 64 bits

// Lanes of [group] that hold the value of lane [lane].
static uint32_t equal_lanes(const sl_warp *w, const sl_xinsn *i, uint32_t group, int lane) {
  bool wide = i->aux & MATCH_WIDE;
  uint64_t v = value_at(w, i, wide, lane);
  uint32_t m = 0;
  for (int l = 0; l < SL_LANES; l++) m |= (uint32_t)(value_at(w, i, wide, l) == v) << l;
  return m & group;
}

// The lanes of [group] with the same value, for each of its lanes. The same steps for all values.
#define SL_MATCH(NAME, T)                                                                              \
  static void NAME(const T *a, uint32_t group, uint32_t *r) {                                          \
    uint32_t same[SL_LANES] = {0};                                                                     \
    for (int k = 0; k < SL_LANES; k++) {                                                               \
      const uint32_t lane = group & 1u << k;                                                           \
      const T v = a[k];                                                                                \
      for (int l = 0; l < SL_LANES; l++) same[l] |= (0u - (uint32_t)(a[l] == v)) & lane;               \
    }                                                                                                  \
    for (int l = 0; l < SL_LANES; l++) r[l] = group >> l & 1 ? same[l] : r[l];                         \
  }
SL_MATCH(match_32, uint32_t)
SL_MATCH(match_64, uint64_t)

// Opcode: match.any.sync.type d, a, member     Synopsis: d = mask of the lanes with the same a
static uint32_t match_any(const sl_warp *w, const sl_xinsn *i, uint32_t group, uint32_t *r) {
  if (i->aux & MATCH_WIDE) match_64(sl__u64(w, i->s[0]), group, r);
  else match_32(sl__u32(w, i->s[0]), group, r);
  return 0;
}
SL_GROUPS(match_any, i->d, SL_NO_SLOT)

// Opcode: match.all.sync.type d|p, a, member
//   Synopsis: d = all lanes when all have the same a, else 0; p = they do
static uint32_t match_all(const sl_warp *w, const sl_xinsn *i, uint32_t group, uint32_t *r) {
  uint32_t all = equal_lanes(w, i, group, __builtin_ctz(group)) == group ? group : 0;
  give(r, all, all);
  return all;
}
SL_GROUPS(match_all, i->d, i->d2)

// A reduction NAME with EXPR of the values x and y of two lanes.
#define SL_REDUX(NAME, T, EXPR)                                                                       \
  static uint32_t NAME(const sl_warp *w, const sl_xinsn *i, uint32_t group, uint32_t *r) {            \
    const T *a = sl__at(w, i->s[0]);                                                                  \
    T x = a[__builtin_ctz(group)];                                                                    \
    for (uint32_t rest = group & (group - 1); rest; rest &= rest - 1) { T y = a[__builtin_ctz(rest)]; x = (EXPR); } \
    give(r, group, (uint32_t)x);                                                                      \
    return 0;                                                                                         \
  }                                                                                                   \
  SL_GROUPS(NAME, i->d, SL_NO_SLOT)
// Opcode: redux.sync.op.type d, a, member      Synopsis: d = a of all lanes combined
SL_REDUX(redux_add, uint32_t, x + y)
SL_REDUX(redux_min_u32, uint32_t, x < y ? x : y)
SL_REDUX(redux_min_s32, int32_t, x < y ? x : y)
SL_REDUX(redux_max_u32, uint32_t, x > y ? x : y)
SL_REDUX(redux_max_s32, int32_t, x > y ? x : y)
SL_REDUX(redux_and, uint32_t, x & y)
SL_REDUX(redux_or, uint32_t, x | y)
SL_REDUX(redux_xor, uint32_t, x ^ y)

// Opcode: elect.sync d|p, member  Synopsis: p = this lane is the first of the members; d = that lane
static uint32_t elect(const sl_warp *, const sl_xinsn *, uint32_t group, uint32_t *r) {
  uint32_t leader = (uint32_t)__builtin_ctz(group);
  give(r, group, leader);
  return 1u << leader;
}
SL_GROUPS(elect, i->d, i->d2)

// The letters leave out the member mask, which goes to s[MEMBER] in the .sync forms.
static const sl_form warp_forms[] = {
    {"shfl{,.sync}.up.b32", "vtuu", op_shfl_up, 0},
    {"shfl{,.sync}.down.b32", "vtuu", op_shfl_down, 0},
    {"shfl{,.sync}.bfly.b32", "vtuu", op_shfl_bfly, 0},
    {"shfl{,.sync}.idx.b32", "vtuu", op_shfl_idx, 0},
    {"vote{,.sync}.all.pred", "Pp", op_vote_all, 0},
    {"vote{,.sync}.any.pred", "Pp", op_vote_any, 0},
    {"vote{,.sync}.uni.pred", "Pp", op_vote_uni, 0},
    {"vote{,.sync}.ballot.b32", "wp", op_vote_ballot, 0},
    {"vote.ballot.sync.b32", "wp", op_vote_ballot, 0},  // CUB writes its suffixes in this order
    {"match.any.sync.{b32,b64}", "wt", op_match_any, 0},
    {"match.all.sync.{b32,b64}", "vt", op_match_all, 0},
    {"activemask.b32", "d", op_activemask, 0},
    {"redux.sync.add.{u32,s32}", "dt", op_redux_add, 0},
    {"redux.sync.min.u32", "dt", op_redux_min_u32, 0},
    {"redux.sync.min.s32", "dt", op_redux_min_s32, 0},
    {"redux.sync.max.u32", "dt", op_redux_max_u32, 0},
    {"redux.sync.max.s32", "dt", op_redux_max_s32, 0},
    {"redux.sync.and.b32", "dt", op_redux_and, 0},
    {"redux.sync.or.b32", "dt", op_redux_or, 0},
    {"redux.sync.xor.b32", "dt", op_redux_xor, 0},
    {"elect.sync", "v", op_elect, 0},
};

// The member mask: the last operand of a .sync form.
static bool decode_member(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  return sl__src_exact(dc, in, &in->ops[in->n_ops - 1], SL_M_b32, &x->s[MEMBER]);
}

bool sl__decode_warp(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  const sl_form *f = sl__find_form(in, warp_forms, SL_COUNT(warp_forms));
  if (!f) return sl__refuse(dc, in, "this form of %s is not supported", sl_ptx_op_name(in->op));
  sl_ptx_mod type = sl__form_type(in);
  bool sync = sl_ptx_has_mod(in, SL_M_sync);
  if (sync && in->n_ops < 2) return sl__refuse(dc, in, "the member mask is missing");
  sl_ptx_insn without = *in;
  without.n_ops -= sync;
  x->fn = f->fn;
  x->aux = (sync ? 0 : NO_SYNC) | (type == SL_M_b64 ? MATCH_WIDE : 0);
  if (!sl__decode_operands(dc, &without, x, f->operands, type)) return false;
  return !sync || decode_member(dc, in, x);
}
