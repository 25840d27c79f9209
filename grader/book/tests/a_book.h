// For tests: a book in the test's folder, and classes that are imported into it.
#pragma once

#include "base/unit.h"
#include "a_class.h"
#include "base/test_folder.h"

#define IN_TIME "2026-11-20T12:00:00Z"

static const a_test full[] = {
    {"01.scan.a.sim", "pass", 60, 60, "right", NULL}, {"01.scan.b.sim", "pass", 40, 40, "right", NULL}, {0}};
static const a_test half[] = {{"01.scan.a.sim", "pass", 60, 60, "right", NULL},
                              {"01.scan.b.sim", "fail", 0, 40, "wrong", "race.shared"},
                              {0}};
static const a_test none[] = {
    {"01.scan.a.sim", "fail", 0, 60, "wrong", NULL}, {"01.scan.b.sim", "fail", 0, 40, "wrong", NULL}, {0}};
static const a_test broken[] = {{"01.scan.a.sim", "pass", 60, 60, "right", NULL},
                                {"01.scan.b.sim", "error", 0, 40, "no compiler", NULL},
                                {0}};

// Opens the test's book anew, empty.
static inline void new_book(sl_book *b) {
  sl_error e = {0};
  char *path = sl_path("%s/book.db", dir);
  remove(path);
  if (!sl__book_open(b, path, true, &e)) fail_msg("%s", e.text);
}

static inline void close_book(sl_book *b) {
  char *path = (char *)b->path;
  sl__book_close(b);
  free(path);
}
// A book that is closed at the end of its block.
#define BOOK __attribute__((cleanup(close_book))) sl_book

static inline sl_import_sum import_class(sl_book *b, const a_lab *labs, const char *manifest) {
  sl_error e = {0};
  sl_import_sum sum = {0};
  char *out = sl_path("%s/out", dir), *argv[] = {"rm", "-rf", "--", out, NULL};
  sl_run(argv, NULL, 10, 0, NULL, NULL);
  a_class_write(out, labs, manifest);
  if (!sl__import(b, out, NULL, &sum, &e)) fail_msg("%s", e.text);
  free(out);
  return sum;
}

static inline int64_t count(sl_book *b, const char *table) {
  sl_error e = {0};
  int64_t n = sl__value(b, &e, sl__str(b->a, "SELECT count(*) FROM %s", table), "");
  assert_int_equal(e.code, 0);
  return n;
}
