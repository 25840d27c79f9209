// Which failed case has taken long, by processor time: by the clock a short case may, on a busy machine.
//
// Interface: sl__took_long (student.h).
#include "findings/findings.h"
#include "student.h"

enum { LONG = 10 }; // seconds of processor time: five by the clock of two cores

// What ended because its time was up, whatever it computed in that time.
static bool was_stopped(const json_t *record) {
  const sl_reason why = sl__reason_of(record);
  const char *found = sl_json_text(json_object_get(record, "fields"), "finding");
  return sl_reason_is_endless(why) || why == SL_REASON_LATE_FINDING ||
         !strcmp(found, sl_found_name(SL_FOUND_PROGRESS_TIMEOUT));
}

// Was it stopped as it had launched too many kernels? That is soon so, unless each takes long.
static bool launches_too_many(const json_t *record) {
  const char *cause = sl_json_text(json_object_get(record, "fields"), sl_trait_keys[SL_TRAIT_CAUSE]);
  return !strcmp(cause, sl_trait_word(SL_TRAIT_CAUSE, SL_CAUSE_LAUNCHES));
}

bool sl__took_long(const json_t *record) {
  return json_number_value(json_object_get(record, "processor_seconds")) > LONG ||
         (was_stopped(record) && !launches_too_many(record));
}
