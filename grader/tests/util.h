// What the tests of the grader share: cmocka, a temporary folder, and a grading of the small course in
// tests/course.
#ifndef SL_TESTS_UTIL_H
#define SL_TESTS_UTIL_H

#include "base/unit.h"
#include "grade.h"

extern char test_dir[]; // a temporary folder, removed by test_clean
void test_make_dir(void);
void test_clean(void);
int test_set_up(void **state); // these two, for groups of tests
int test_tear_down(void **state);
void test_write(const char *name, const char *text); // a file below test_dir; its folders are made
void test_grading(sl_grading *g); // lab 01 of tests/course, fake judge, one planned submission
void test_grading_on(sl_grading *g, const char *backend);
void test_release(sl_grading *g);
sl_test *test_find(sl_grading *g, const char *name); // a test of the first submission

#endif
