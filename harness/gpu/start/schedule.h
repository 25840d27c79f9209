// Schedules in words, for every command that runs kernels:
// "order=random,warps=one-ahead,visibility=weak,seed=7". Linked into tools, not into the simulator (jansson).
#pragma once

#include "gpu/start/control.h"

#define SL_SCHEDULE_ENV "SCANLAB_SCHEDULE"
#define SL_SCHEDULE_HELP                                                                                     \
  "order=, warps=, lanes=, visibility=, resident=, memory=, seed=, device= with commas (see "                \
  "docs/reference/sim.md)"

// Sets in [o] what [text] names (NULL: nothing). device= also takes the path of a device file (.json).
bool sl_schedule_read(const char *text, sl_gpu_options *o, sl_error *e);
// Sets one word; also reads a device file.
bool sl_schedule_set(sl_gpu_options *o, const char *key, const char *value, sl_error *e);
// Reads [text]; if that is NULL, the environment's SCANLAB_SCHEDULE, if set.
bool sl_schedule_choose(const char *text, sl_gpu_options *o, sl_error *e);

// For commands that start others: checks [text] and puts it into the environment for them. NULL: nothing.
bool sl_schedule_export(const char *text, sl_error *e);

// "scanlab sim .." as it can be typed here: with the project's folder (SCANLAB_ROOT) in front if elsewhere.
char *sl_schedule_tool(const char *words, char *out, size_t cap);
// A command line, quoted for a shell: "scanlab run 03 --n 100". [tool] replaces its first word; --schedule
// and options that name a file for the answer are left out.
char *sl_schedule_words(const char *tool, char *const *argv, char *out, size_t cap);
// The command that repeats a run: WORDS [--schedule ..] [-- PROGRAM ARGUMENT..], quoted for a shell. Words of
// the schedule that are the default are left out. A command that is too long ends in "..".
char *sl_schedule_replay(const char *words, const sl_gpu_options *o, char *const *program, char *out,
                         size_t cap);

// device_file.c: reads a device file. All keys are optional except "base", the built-in device.
bool sl_device_file_read(const char *path, sl_gpu_options *o, sl_error *e);
void sl_device_list(void); // a table on stdout
