// The words for facts of a finding that are one of a few. Programs compare these and no sentences.
//
// Interface: sl_trait_keys, sl_trait_word, sl_trait_of, sl_trait_exists (findings.h).
#include "findings/findings.h"

#include <fnmatch.h>

enum { MOST = 8 }; // words of a fact

const char *const sl_trait_keys[SL_TRAITS] = {"access", "cause", "mend"};

static const char *const WORDS[SL_TRAITS][MOST] = {
    [SL_TRAIT_ACCESS] = {[SL_DID_READ] = "read", [SL_DID_WRITE] = "write"},
    [SL_TRAIT_CAUSE] = {[SL_CAUSE_LAUNCHES] = "launches",
                        [SL_CAUSE_UNSTARTED] = "unstarted",
                        [SL_CAUSE_FAR] = "far",
                        [SL_CAUSE_STREAM] = "stream",
                        [SL_CAUSE_STREAM_COPY] = "stream.copy"},
    [SL_TRAIT_MEND] = {[SL_MEND_BARRIER] = "barrier",
                       [SL_MEND_LOOP_START] = "barrier.loop_start",
                       [SL_MEND_LOOP_END] = "barrier.loop_end",
                       [SL_MEND_SPLIT] = "split",
                       [SL_MEND_INDEX] = "writer"},
};

const char *sl_trait_word(sl_trait which, uint32_t value) {
  return value < MOST && WORDS[which][value] ? WORDS[which][value] : "";
}

uint32_t sl_trait_of(const sl_finding *f, sl_trait which) {
  const uint32_t values[SL_TRAITS] = {f->object.access, f->cause, f->mend.how};
  return values[which];
}

bool sl_trait_exists(sl_trait which, const char *wildcards) {
  for (uint32_t k = 0; k < MOST; k++)
    if (WORDS[which][k] && !fnmatch(wildcards, WORDS[which][k], 0)) return true;
  return false;
}
