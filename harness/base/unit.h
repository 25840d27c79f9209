// For unit tests: cmocka, what its header needs, and the list of a program's tests. A program without a main
// function has the one of unit.c, which runs them all.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// The list of all files of the program; cmocka passes over the empty rest.
__attribute__((weak)) struct CMUnitTest unit_tests[128];
__attribute__((weak)) size_t n_unit_tests;

// TEST(name) { .. } is a test: a function that the list holds before main begins, so none is forgotten.
#define TEST(NAME)                                                                                           \
  static void NAME(void **state);                                                                            \
  __attribute__((constructor)) static void list_##NAME(void) {                                               \
    unit_tests[n_unit_tests++] = (struct CMUnitTest)cmocka_unit_test(NAME);                                  \
  }                                                                                                          \
  static void NAME(__attribute__((unused)) void **state)

// Has each test begin with [set_up].
static __attribute__((unused)) void begin_each_with(CMFixtureFunction set_up) {
  for (size_t k = 0; k < n_unit_tests; k++) unit_tests[k].setup_func = set_up;
}

// Runs the tests in their order, between setup and teardown of the group; NULL: none.
#define RUN_TESTS(SETUP, TEARDOWN) cmocka_run_group_tests(unit_tests, SETUP, TEARDOWN)

// JSON in a test: [text] with a " for each ', which needs no \ in C. Malloc'ed.
static __attribute__((unused)) char *json_text(const char *text) {
  char *out = strdup(text);
  assert_non_null(out);
  for (char *p = out; (p = strchr(p, '\''));) *p = '"';
  return out;
}
