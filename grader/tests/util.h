// What the tests of the grader share: cmocka, a temporary folder, a grading of the course in tests/course.
#pragma once

#include "base/unit.h"
#include "grade.h"

extern char test_dir[]; // a temporary folder, removed by test_clean
void test_make_dir(void);
void test_clean(void);
int test_set_up(void **state); // these two, for groups of tests
int test_tear_down(void **state);
void test_write(const char *name, const char *text); // a file below test_dir; its folders are made
// A grading, or an arena, that is freed at the end of its block.
#define GRADING __attribute__((cleanup(forget))) sl_grading
#define ARENA __attribute__((cleanup(free_arena))) sl_arena *
sl_grading test_grading(const char *backend); // lab 01 of tests/course, fake judge, one planned submission
void forget(sl_grading *g);
void free_arena(sl_arena **a);
sl_test *test_find(sl_grading *g, const char *name); // a test of the first submission
