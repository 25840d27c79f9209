// Where control groups can be made; group.c and its test.
#pragma once

#include <limits.h>
#include <stdbool.h>

// The nearest group around [own], a path below the mount [top], in which groups with limits can be made.
bool sl__group_parent(const char *top, const char *own, char found[PATH_MAX]);
