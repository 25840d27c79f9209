// For tests: a folder of the test's own. make_folder and remove_folder serve a group as setup and teardown.
#pragma once

#include "base/base.h"

static char dir[] = "/tmp/sl_test_XXXXXX";

static int make_folder(void **) { return mkdtemp(dir) ? 0 : -1; }

static int remove_folder(void **) { return sl_run(SL_ARGV("rm", "-rf", dir), NULL, 10, 0, NULL, NULL).code; }
