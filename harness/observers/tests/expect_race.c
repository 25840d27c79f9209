// expect_race SL-SIM PROGRAM SOURCE REPORT [OPTION]: runs a program on the simulated GPU with all checks and looks at
// the findings.
//
// SOURCE says in its first line which finding must be made ("// expect: ID") and marks lines with "// here":
// a finding of that kind must name such a line as one of its two places, and every finding must be of that
// kind or of one that follows from it; "// here, trip N": in that trip of the loop, by the thread that it was
// found with ("// also: ID" in the second line; "// expect: ID each": every marked line must be found). A
// SOURCE without expectation must run clean and exit 0; so must a program whose SOURCE is "-".
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

enum { RUN_SECONDS = 240 }; // under the test's own limit; a busy machine needs more than a quiet one

typedef struct expectation {
  char id[64], also[64];
  const char *file; // name of SOURCE
  bool line[1000];
  unsigned trip[1000];    // 0: any
  bool found[1000], each; // each: every marked line must be found
} expectation;

static bool read_expectation(const char *source, expectation *x) {
  sl_error e = {0};
  if (strcmp(source, "-") == 0) return true;
  char *text = sl_read_file(source, 1 << 20, NULL, &e);
  if (!text) return false;
  sscanf(text, "// expect: %63s%*[^\n]", x->id);
  const char *second = strchr(text, '\n');
  if (second) sscanf(second, "\n// also: %63s", x->also);
  const char *each = strstr(text, " each\n");
  x->each = each && each < strchr(text, '\n');
  unsigned at = 1;
  for (const char *p = text; p && at < 1000; p = strchr(p, '\n'), p = p ? p + 1 : NULL, at++) {
    const char *mark = strstr(p, "// here"), *end = strchr(p, '\n');
    x->line[at] = mark && end && mark < end;
    if (x->line[at]) sscanf(mark, "// here, trip %u", &x->trip[at]);
  }
  free(text);
  return true;
}

static const char *base_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path ? path : "";
}

static bool marked(expectation *x, json_t *place) {
  if (strcmp(base_name(json_string_value(json_object_get(place, "file"))), x->file) != 0) return false;
  json_int_t line = json_integer_value(json_object_get(place, "line"));
  if (line <= 0 || line >= 1000 || !x->line[line]) return false;
  bool here = !x->trip[line] || json_integer_value(json_object_get(place, "trip")) == x->trip[line];
  x->found[line] |= here;
  return here;
}

static bool all_found(const expectation *x) {
  for (unsigned k = 0; x->each && k < 1000; k++)
    if (x->line[k] && !x->found[k]) return printf("nothing at line %u\n", k), false;
  return true;
}

int main(int argc, char **argv) {
  static expectation x;
  if (argc < 5 || argc > 6) return 2;
  if (!read_expectation(argv[3], &x)) return 2;
  x.file = base_name(argv[3]);
  remove(argv[4]);
  char *run[] = {argv[1], "--checks", "all", "--report", argv[4], argc > 5 ? argv[5] : "--", argv[2], NULL},
       *out = NULL;
  sl_error e = {0};
  sl_exit_status st = sl_run(run, NULL, RUN_SECONDS, 1 << 16, &out, &e);
  printf("%s", out ? out : "");
  free(out);
  if (st.timed_out) return printf("the program did not end within %d s\n", RUN_SECONDS), 1;
  json_error_t je;
  json_t *root = json_load_file(argv[4], 0, &je), *list = json_object_get(root, "findings"), *f;
  if (!json_is_array(list)) return printf("no report: %s\n", je.text), 1;
  size_t i, right = 0, wrong = 0;
  json_array_foreach(list, i, f) {
    const char *id = json_string_value(json_object_get(f, "id"));
    bool same = id && strcmp(id, x.id) == 0;
    right += same && (marked(&x, f) | marked(&x, json_object_get(f, "other"))); // both
    wrong += !same && !(id && x.also[0] && strcmp(id, x.also) == 0);
  }
  json_decref(root);
  printf("wanted %s: %zu at a marked line, %zu of another kind\n", x.id[0] ? x.id : "nothing", right, wrong);
  if (!x.id[0]) return wrong || st.timed_out || st.code != 0;
  return right == 0 || wrong || st.timed_out || !all_found(&x);
}
