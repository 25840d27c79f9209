// Schedules in words, for every command that runs kernels:
// "order=random,warps=one-ahead,visibility=weak,seed=7". Linked into tools, not into the simulator (jansson).
#ifndef SL_START_SCHEDULE_H
#define SL_START_SCHEDULE_H

#include "gpu/start/control.h"

#define SL_SCHEDULE_ENV "SCANLAB_SCHEDULE"
#define SL_SCHEDULE_HELP                                                                                     \
  "order=, warps=, visibility=, resident=, memory=, seed=, device= with commas (see docs/reference/sim.md)"

// Changes in [o] what [text] names; NULL: nothing. device= also takes the path of a device file (.json).
bool sl_schedule_read(const char *text, sl_gpu_options *o, sl_error *e);
// One word; device files included.
bool sl_schedule_set(sl_gpu_options *o, const char *key, const char *value, sl_error *e);
// [text], else what the environment says (SCANLAB_SCHEDULE), else nothing.
bool sl_schedule_choose(const char *text, sl_gpu_options *o, sl_error *e);

// For commands that start others: checks [text] and puts it into the environment for them; NULL: what is
// there stays.
bool sl_schedule_export(const char *text, sl_error *e);

// "scanlab sim .." as it can be typed where this runs: with the project's folder when that is another one
// (SCANLAB_ROOT).
char *sl_schedule_tool(const char *words, char *out, size_t cap);
// A command line (its first word is replaced by [tool]) without its --schedule and what says where the answer
// goes, quoted for a shell: "scanlab run 03 --n 100".
char *sl_schedule_words(const char *tool, char *const *argv, char *out, size_t cap);
// The command that runs it again: WORDS [--schedule ..] [-- PROGRAM ARGUMENT..], quoted for a shell; words of
// the schedule that are the default are left out. One that is too long ends in "..".
char *sl_schedule_replay(const char *words, const sl_gpu_options *o, char *const *program, char *out,
                         size_t cap);

// device_file.c: a device of one's own. All keys are optional but "base", the device that it differs from.
bool sl_device_file_read(const char *path, sl_gpu_options *o, sl_error *e);
void sl_device_list(void); // a table on stdout

#endif
