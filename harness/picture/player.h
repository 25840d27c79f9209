// The moving picture: one HTML page, without network, that plays an execution.
#pragma once

#include "picture/picture.h"

// What stands above the picture.
typedef struct sl_player_head {
  const char *title, *file; // file: as it is shown
  const char *command;      // what makes the page again; "": nothing does
  const char *source;       // the kernel's text, as it is shown
} sl_player_head;

// Writes the page [path] of a report with steps and of the judge's record; [source]: the kernel's text. False
// with [e] if there is nothing to play.
bool sl__player(const json_t *report, const json_t *record, const char *source, const sl_player_head *h,
                const char *path, sl_error *e);

// page.c: writes the page with [data], which player/model.js reads.
bool sl__write_page(const char *path, const json_t *data, sl_error *e);
