// A picture of an execution: rows of cells show an array from step to step, and where each value came from.
//
// load.c makes it from the events in a report (harness/observers/steps.c); text.c and svg.c show it.
#pragma once

#include <jansson.h>
#include "base/base.h"

enum { SL_PIC_FROM = 6, SL_PIC_ROWS = 400, SL_PIC_CELLS = 64 };

// What happened to a cell in its row.
typedef enum sl_pic_how {
  SL_PIC_UNKNOWN,
  SL_PIC_KEPT,
  SL_PIC_SET,
  SL_PIC_COPIED,
  SL_PIC_COMBINED
} sl_pic_how;

typedef struct sl_pic_cell {
  sl_pic_how how;
  bool race;        // two threads, one writes, no barrier between them
  bool unset;       // nobody has written the value, or it was computed from such a one
  unsigned way;     // bank conflict: number of passes of the request that wrote or read it
  uint64_t value;   // bits
  uint32_t element; // the element whose value it shows: the last one of its group
  unsigned n_from;  // number of cells that the value was computed from
  struct {
    int row, cell; // row -1: not in the picture
  } from[SL_PIC_FROM];
} sl_pic_cell;

// Was the value computed from SL_PIC_FROM cells or more? Then `from` lacks some.
static inline bool sl__from_many(const sl_pic_cell *c) { return c->n_from == SL_PIC_FROM; }

typedef struct sl_pic_row {
  char name[64]; // name of the array
  unsigned array;
  uint64_t time;            // launch, barriers passed, order within that
  uint32_t line, last_line; // lines of the writes; 0: the state at the start
  bool barrier;             // the threads have passed a barrier since the row above
  bool shared, is_float, is_signed;
  unsigned bytes, launch, bank; // bank of the array's first cell
  int first;                    // index of the first cell
  sl_pic_cell *cells;
} sl_pic_row;

typedef struct sl_picture {
  char title[160], note[120]; // note: which elements it shows, unless all
  sl_pic_row *rows;
  size_t n_rows, n_cells; // rows; cells in a row
  char **kernels;         // names by launch
  size_t n_kernels;
  bool too_many;     // rows were left out
  uint64_t group, n; // elements in a cell of a global array, 1: no grouping; elements of the input
  const json_t *findings;
} sl_picture;

typedef struct sl_pic_choice {
  const char *array; // names of the arrays to show, with commas; NULL: those with most cells touched
  int64_t block, first_launch, last_launch; // last -1: all
  size_t cells;      // the most cells to show; 0: what is touched, at most SL_PIC_CELLS
  uint64_t n;        // elements of the input
  int64_t group;     // elements in a cell, in global arrays that have more; 0: one
  const char *names; // the rows', with semicolons; NULL: the arrays' own
  bool shared;       // show shared arrays, too, when there are several launches
} sl_pic_choice;

// Says why there is nothing to show; false.
bool sl__no_events(sl_error *e);
// Makes the picture. [source]: the kernel's text, for parameters' names. False with [e]: nothing to draw.
bool sl__picture(const json_t *report, const char *source, const sl_pic_choice *c, sl_picture *p,
                 sl_error *e);
void sl__picture_free(sl_picture *p);

typedef enum sl_pic_format { SL_PIC_DEC, SL_PIC_BIN, SL_PIC_HEX } sl_pic_format;
typedef struct sl_pic_style {
  sl_pic_format format;
  bool banks, plain; // colour by bank; no line numbers
  bool split;        // colour row k by bit k of its keys, which the next row is sorted by
  int width;         // columns of the text
} sl_pic_style;
char *sl__line_text(const sl_pic_row *r, char out[40]); // "line 28", "lines 45-47"
char *sl__cell_text(const sl_pic_row *r, const sl_pic_cell *c, sl_pic_format f, char out[24]);
void sl__picture_text(FILE *f, const sl_picture *p, const sl_pic_style *s);
bool sl__picture_svg(const sl_picture *p, const sl_pic_style *s, const char *path, sl_error *e);
