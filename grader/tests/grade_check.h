// What the files of grade_check share.
#pragma once

#include "base/json.h"
#include "corpus/expectation.h"

// grade_check.c
extern const char *grade_program, *root, *work; // arguments of the program

void problem(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void stop(const sl_error *e);

// Grades [dir] into WORK and returns the JSON. [want]: the exit code.
json_t *grade(const char *dir, const char *lab, int want);
// Calls [check] for every test of a submission; returns their number.
size_t each_test(const json_t *submission, void (*check)(const json_t *test, void *arg), void *arg);
// Every test has status [want], and all points or none.
void expect_status(const json_t *test, void *want);
// LAB or LAB:K. Returns LAB, malloc'ed.
char *every_kth(const char *which, int *every);
// Does an expectation say "maybe "? Then [item] leads behind that.
bool by_chance(const char **item);
// Makes a class of every K-th wrong kernel of a lab: WORK/class/KERNEL/LAB/kernel.cu. Returns their number.
int make_class(const char *class, const char *lab, int every);

// grade_own.c
void check_own(const char *which); // an optional lab
