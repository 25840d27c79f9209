// expect_finding SL-SIM PROGRAM SOURCE REPORT: runs a wrong program on the simulated GPU and checks what was found.
//
// SOURCE says in its first line which finding must be made ("// expect: ID") and marks the line with "//
// here". The program itself must exit 0 (it checks the CUDA error that it gets), and the report must hold
// exactly that kind of finding, at that line of that file.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

static bool read_expectation(const char *source, char id[64], unsigned *line) {
  sl_error e = {0};
  char *text = sl_read_file(source, 1 << 20, NULL, &e);
  if (!text) {
    sl_error_print("expect_finding", &e);
    return false;
  }
  bool ok = sscanf(text, "// expect: %63s", id) == 1;
  *line = 0;
  unsigned at = 1;
  for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL, at++) {
    const char *mark = strstr(p, "// here"), *end = strchr(p, '\n');
    if (mark && end && mark < end) *line = at;
  }
  free(text);
  return ok && *line > 0;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool matches(json_t *f, const char *id, const char *source, unsigned line) {
  const char *got_id = json_string_value(json_object_get(f, "id"));
  const char *file = json_string_value(json_object_get(f, "file"));
  json_int_t got_line = json_integer_value(json_object_get(f, "line"));
  printf("finding %s at %s:%lld: %s\n", got_id ? got_id : "?", file ? file : "?", (long long)got_line,
         json_string_value(json_object_get(f, "message")));
  return got_id && file && !strcmp(got_id, id) && !strcmp(base_name(file), base_name(source)) &&
         got_line == line;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: expect_finding SL-SIM PROGRAM SOURCE REPORT\n");
    return 2;
  }
  char id[64];
  unsigned line;
  if (!read_expectation(argv[3], id, &line)) {
    printf("%s: no expectation\n", argv[3]);
    return 1;
  }
  remove(argv[4]);
  char *run[] = {argv[1], "--report", argv[4], "--", argv[2], NULL}, *out = NULL;
  sl_error e = {0};
  sl_exit_status st = sl_run(run, NULL, 60, 1 << 16, &out, &e);
  printf("%s", out ? out : "");
  free(out);
  if (st.timed_out || st.code != 0) {
    printf("the program ended with %d (timed out: %d)\n", st.code, st.timed_out);
    return 1;
  }
  json_error_t je;
  json_t *root = json_load_file(argv[4], 0, &je), *list = json_object_get(root, "findings"), *f;
  if (!json_is_array(list)) {
    printf("no report: %s\n", je.text);
    return 1;
  }
  size_t i, right = 0;
  json_array_foreach(list, i, f) right += matches(f, id, argv[3], line);
  printf("wanted %s at %s:%u: %zu of %zu findings\n", id, base_name(argv[3]), line, right,
         json_array_size(list));
  bool ok = right > 0 && right == json_array_size(list);
  json_decref(root);
  return ok ? 0 : 1;
}
