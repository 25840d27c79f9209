// One execution that is played: used by player.c and steps.c.
#pragma once

#include "picture/events.h"

typedef struct sl_play {
  sl_evs evs;
  const json_t *report, *record;
  size_t *step;  // by event: its step
  size_t *first; // by step: its first event; one more at the end
  size_t n_steps;
  uint64_t *holds; // by cell: what it holds
  bool *known;
} sl_play;

// steps.c

void sl__steps_find(sl_play *p); // sets step, first and n_steps
json_t *sl__steps_json(sl_play *p);
void sl__steps_free(sl_play *p);
