// The rules by which a result takes points of other cases.
//
// Interface: settle.h. Speed counts only for right results, which few threads may have computed, or of
// which too much may be counted. A part of kind "clean" is whole: one finding takes all of it, and so does a
// result that is right under the usual schedule and wrong under another. Any failure does in a part that says
// "whole". A part that "needs" a case of kind "counters" shows there that it
// does what it says, which it does as long as that case keeps some of its points: a bound has a margin, and
// no cliff behind it. That few threads do the work is no such thing where the part's own cases see it. A
// part that needs a case of kind "speed" must be right at that size, too, unless it shows the fault itself.
#include "judge/settle.h"

static bool is_needed(const sl_part *part, const sl_case *by) {
  size_t len = strlen(by->part->id);
  for (unsigned k = 0; k < part->n_needs; k++) {
    const char *name = part->needs[k];
    if (!strncmp(name, by->part->id, len) && name[len] == '.' && !strcmp(name + len + 1, by->id)) return true;
  }
  return false;
}

static bool is_in(sl_reason why, const sl_reason *list, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (list[k] == why) return true;
  return false;
}
#define IS_IN(why, list) is_in(why, list, sizeof(list) / sizeof *(list))

static const sl_reason FOUND[] = {SL_REASON_FINDINGS, SL_REASON_CUDA_FINDING, SL_REASON_LATE_FINDING,
                                  SL_REASON_UNSEEN};
static const sl_reason COUNTED[] = {SL_REASON_COUNTER_EXACT, SL_REASON_COUNTER_MOST, SL_REASON_COUNTER_LEAST,
                                    SL_REASON_COUNTER_OPERATIONS};
static const sl_reason TOO_MUCH[] = {SL_REASON_COUNTER_MOST, SL_REASON_COMPUTED_ONE_WARP};
static const sl_reason SLOW[] = {SL_REASON_SPEED_MODEL, SL_REASON_SPEED_TIMED, SL_REASON_LATE,
                                 SL_REASON_PROGRAM_BUSY};

static const sl_reason WRONG[] = {SL_REASON_RESULT_WRONG, SL_REASON_RESULT_UNSORTED,
                                  SL_REASON_RESULT_UNWRITTEN};

// Is the result wrong under a later schedule of its case alone? The usual one comes first.
static bool depends_on_order(const sl_outcome *o) {
  const char *schedule = json_string_value(json_object_get(o->fields, "schedule"));
  return IS_IN(o->why, WRONG) && !sl_schedule_is_usual(schedule);
}

// What a failure takes from the other cases of its part.
static sl_reason of_one_part(const sl_part *part, const sl_outcome *o) {
  if (part->kind == SL_PART_CLEAN && IS_IN(o->why, FOUND)) return SL_REASON_GRADE_FOUND;
  if (part->whole) return SL_REASON_GRADE_WHOLE;
  return part->kind == SL_PART_CLEAN && depends_on_order(o) ? SL_REASON_GRADE_ORDER : SL_REASON_COUNT;
}

sl_reason sl_taken_by(const sl_case *of, const sl_case *by, const sl_outcome *o) {
  const sl_part_kind kind = by->part->kind;
  const sl_reason why = o->why;
  if (o->status != SL_FAIL || of == by || sl_reason_is_leak(why)) return SL_REASON_COUNT;
  if (of->part == by->part) return of_one_part(by->part, o);
  if (of->part->kind == SL_PART_SPEED)
    return kind == SL_PART_CORRECT && !IS_IN(why, TOO_MUCH) ? SL_REASON_GRADE_WRONG : SL_REASON_COUNT;
  if (!is_needed(of->part, by)) return SL_REASON_COUNT;
  if (kind == SL_PART_SPEED) return IS_IN(why, SLOW) ? SL_REASON_COUNT : SL_REASON_GRADE_SIZE;
  const bool spread_unseen = of->part->kind != SL_PART_CORRECT && why == SL_REASON_COMPUTED_ONE_WARP;
  return o->points <= 0 && (IS_IN(why, COUNTED) || spread_unseen) ? SL_REASON_GRADE_OPEN : SL_REASON_COUNT;
}
