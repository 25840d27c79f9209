// A picture while it is made: used by load.c, choose.c and marks.c.
#pragma once

#include "picture/events.h"

typedef struct sl_pic_origin { // cells of drawn arrays that an event's value came from
  unsigned n;
  bool several; // elements, which may be in one cell
  struct {
    int row, cell;
    uint32_t element;
    uint64_t value;
  } at[SL_PIC_FROM];
} sl_pic_origin;

typedef struct sl_maker {
  sl_evs evs;
  sl_picture *p;
  const sl_pic_choice *c;
  bool *drawn;            // by array
  int *half;              // by array: cells of one half if its steps write one half at a time, else 0
  sl_pic_origin *origins; // by event, if values are followed through arrays that are not drawn; else NULL
} sl_maker;

// load.c: rows and columns

// The last row before [time] that holds the event's array; -1: none.
int sl__row_before(const sl_maker *m, const sl_ev *v, uint64_t time);
uint64_t sl__time_of(const sl_maker *m, const sl_ev *v);
int sl__column(const sl_maker *m, const sl_ev *v); // the event's cell has it; -1: it is not drawn

// choose.c: which arrays are drawn

// Sets drawn, half and the number of columns. False: the kernel touches no array that is to be drawn.
bool sl__choose_arrays(sl_maker *m, sl_error *e);
// Do values pass through shared memory that is not drawn?
bool sl__hides_shared(const sl_maker *m);

// marks.c: conflicts and races

void sl__mark_cells(sl_maker *m);
