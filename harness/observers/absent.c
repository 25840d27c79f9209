// barrier.mask: a shuffle reads a lane that takes no part: it has ended, or the mask does not name it. The
// value is undefined (PTX ISA, shfl.sync). That is no mistake yet: code often throws it away. So the value is
// marked as undefined, undefined.c follows it, and it is reported when it decides something.
//
// Interface: sl__absent_lanes, before the shuffle runs; sl__absent_mark, after it; sl__absent_tell.
#include "observers/undefined.h"

enum { NOT_NAMED, ENDED, ELSEWHERE }; // why the lane takes no part; origin.addr holds it and the lane

static bool all_take_part(const sl_warp *w, const uint32_t *member) {
  uint32_t differ = ~w->mask;
  for (int l = 0; l < SL_LANES; l++) differ |= ~member[l];
  return !differ;
}

static int why_absent(const sl_warp *w, uint32_t member, uint32_t lane) {
  return !(member >> lane & 1) ? NOT_NAMED : !(w->live >> lane & 1) ? ENDED : ELSEWHERE;
}

uint32_t sl__absent_lanes(const sl_warp *w, const sl_xinsn *i, const uint32_t *member, sl_origin *origin) {
  const sl_ptx_insn *in;
  uint32_t from[SL_LANES], lanes = 0, first;
  if (all_take_part(w, member)) return 0;
  in = sl__insn_of(w->grid->m, i, NULL);
  SL_FOR_LANES(l, w->mask & sl__shfl_sources(w, i, in, from)) {
    uint32_t s = from[l];
    bool there = w->mask >> s & 1 && member[s] == member[l] && member[l] >> s & 1;
    if (s != l && !there) lanes |= 1u << l;
  }
  if (!lanes) return 0;
  first = (uint32_t)__builtin_ctz(lanes);
  *origin = (sl_origin){.addr = from[first] | (uint64_t)why_absent(w, member[first], from[first]) << 8,
                        .pc = sl__pc(w, i),
                        .space = SL_SP_NONE,
                        .lane = (uint8_t)first,
                        .whole = true};
  return lanes;
}

void sl__absent_mark(sl_warp *w, const sl_xinsn *i, uint32_t lanes, const sl_origin *origin) {
  const sl_ptx_insn *in = sl__insn_of(w->grid->m, i, NULL);
  sl_undef u = {.lanes = lanes, .from = *origin};
  if (in->ops[0].kind != SL_O_REG) return;
  memset(u.bytes, SL_UNDEF_ALL, sizeof u.bytes);
  sl__see_inner(w->grid);
  sl__marks_set(&sl__seen_block(w->block)->undef, sl__split(w)->frame, in->ops[0].reg, w->mask, &u);
}

#define ADVICE                                                                                               \
  "Read only lanes that take part: the last element's lane, not the last lane of the warp. Or keep all "     \
  "lanes of the warp, and give lanes without an element a neutral value"

void sl__absent_tell(sl_warp *w, const sl_origin *o, const char *use, uint32_t line) {
  static const char *const WHY[] = {[NOT_NAMED] = "which the mask does not name",
                                    [ENDED] = "which has ended",
                                    [ELSEWHERE] = "which does not take part with the same mask"};
  uint32_t *told = sl__table_put(&sl__seen_grid(w->grid)->reports, o->pc, 5);
  sl_finding f;
  if (!told || (*told)++) return; // mask.c may have reported it
  sl__finding_begin(&f, w, &w->grid->code[o->pc], o->lane, SL_FOUND_BARRIER_MASK);
  snprintf(f.what, sizeof f.what, "lane %u reads the value of lane %u, %s", o->lane,
           (uint32_t)(o->addr & 0xff), WHY[o->addr >> 8]);
  snprintf(f.why, sizeof f.why,
           "A shuffle gets an undefined value from a lane that takes no part, and that value %s at line %u",
           use, line);
  snprintf(f.advice, sizeof f.advice, "%s", ADVICE);
  sl_gpu_add_finding(w->grid->gpu, &f);
}
