// The folder into which a grading writes; out.c.
#pragma once

#include "grade.h"

// The absolute name of the folder [path]. Makes the folder if it is missing.
const char *sl__absolute_folder(sl_arena *a, const char *path, sl_error *e);
// Sets the folder of the grading and of each submission, and locks it until the process ends. [out]: the one
// that was asked for, or NULL; [only]: one submission of the class [dir] alone.
bool sl__set_out(sl_grading *g, const char *out, bool only, const char *dir, sl_error *e);
