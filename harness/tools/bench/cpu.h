// What the two files of `scanlab bench cpu` share.
#pragma once

#include "base/base.h"

bool sl__bench_disk(const uint32_t *data, size_t n, sl_error *e); // disk.c; data: whole pages
