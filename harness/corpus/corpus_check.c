// corpus_check SL-SIM PROGRAM wrong|twin FILE.cu..: runs kernels of the corpus on the simulated GPU with all
// checks.
//
// wrong: each finding that the first line of FILE names (corpus.h) must be there, one of its two places being
// that line, and there must be no finding of another kind. Of a counter ("NAME above N at LINE") the total
// must be above N and no line may have more of it than that one. twin: no finding at all, no counter above N,
// and the right result. Every file that is not as it should be is named, with what was found. --list: prints
// one line of JSON a file instead, {"lab", "name", "variant", "expect", "found", "output"}, for the table of
// docs/results.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

enum { MAX_EXPECT = 6, LIMIT = 60 };

typedef struct expectation {
  char kind[MAX_EXPECT][32], with[128];
  int line[MAX_EXPECT];        // 0: none
  long long above[MAX_EXPECT]; // of a counter; -1: it is a finding
  int n;
} expectation;

typedef struct outcome {
  json_t *findings, *kernels;
  sl_exit_status how;
  char *said;
} outcome;

static bool judged(const char *kind) {
  return strcmp(kind, "output.differs") == 0;
} // by the result, not by a finding

// "KIND", "KIND at LINE", "COUNTER above N", "COUNTER above N at LINE"
static bool read_one(const char *p, expectation *x) {
  int k = x->n++;
  x->above[k] = -1;
  if (sscanf(p, " %31s above %lld at %d", x->kind[k], &x->above[k], &x->line[k]) >= 2) return true;
  return sscanf(p, " %31s at %d", x->kind[k], &x->line[k]) >= 1;
}

static bool read_expectation(const char *file, expectation *x) {
  static const char head[] = "// expect: ";
  sl_error e = {0};
  char *text = sl_read_file(file, 1 << 16, NULL, &e), *save = NULL;
  if (!text || strncmp(text, head, sizeof head - 1) != 0) return free(text), false;
  char *line = strtok_r(text, "\n", &save), *next = strtok_r(NULL, "\n", &save);
  if (next) sscanf(next, "// with: %127[^\n]", x->with);
  for (char *p = strtok_r(line + sizeof head - 1, ",", &save); p && x->n < MAX_EXPECT;
       p = strtok_r(NULL, ",", &save))
    if (!read_one(p, x)) return free(text), false;
  free(text);
  return x->n > 0;
}

static outcome run_case(char *sim, char *program, char *variant, const char *file, const expectation *x) {
  const char *slash = strrchr(file, '/');
  char *name = sl_path("%.*s", (int)strcspn(slash ? slash + 1 : file, "."), slash ? slash + 1 : file);
  char *report = sl_path("%s.%s.%s.json", program, variant, name), *with = sl_path("%s", x->with),
       *save = NULL;
  char *argv[24] = {sim, "--checks", "all", "--report", report, "--lines"};
  int n = 6;
  for (char *p = strtok_r(with, " ", &save); p && n < 18; p = strtok_r(NULL, " ", &save)) argv[n++] = p;
  char *rest[] = {"--", program, variant, name, NULL};
  memcpy(argv + n, rest, sizeof rest);
  outcome o = {0};
  sl_error e = {0};
  remove(report);
  o.how = sl_run(argv, NULL, LIMIT, 1 << 16, &o.said, &e);
  json_t *root = json_load_file(report, 0, NULL);
  o.findings = json_incref(json_object_get(root, "findings"));
  o.kernels = json_incref(json_object_get(root, "kernels"));
  json_decref(root);
  remove(report);
  free(name), free(report), free(with);
  return o;
}

// Reports name files from the working folder on, if they lie below it.
static bool same_file(const char *whole, const char *told) {
  size_t n = strlen(whole), k = strlen(told);
  return k > 0 && k <= n && strcmp(whole + n - k, told) == 0 && (k == n || whole[n - k - 1] == '/');
}

static bool at_line(json_t *place, const char *file, int line) {
  const char *f = json_string_value(json_object_get(place, "file"));
  return f && same_file(file, f) && json_integer_value(json_object_get(place, "line")) == line;
}

static json_int_t number(json_t *v, const char *key) { return json_integer_value(json_object_get(v, key)); }

static json_int_t total(const outcome *o, const char *counter) {
  size_t i;
  json_int_t sum = 0;
  json_t *k;
  json_array_foreach(o->kernels, i, k) sum += number(json_object_get(k, "counters"), counter);
  return sum;
}

// Does no line of any kernel have more of a counter than this one?
static bool worst_line(const outcome *o, const char *file, const char *counter, int line) {
  size_t i, j;
  json_t *k, *l;
  json_int_t here = 0, most = 0;
  json_array_foreach(o->kernels, i, k) json_array_foreach(json_object_get(k, "lines"), j, l) {
    json_int_t value = number(l, counter);
    if (value > most) most = value;
    if (at_line(l, file, line) && value > here) here = value;
  }
  return here > 0 && here == most;
}

static bool above(const outcome *o, const expectation *x, int k) {
  return x->above[k] >= 0 && total(o, x->kind[k]) > x->above[k];
}

static bool found(const outcome *o, const char *file, const char *kind, int line) {
  size_t i;
  json_t *f;
  json_array_foreach(o->findings, i, f) {
    const char *id = json_string_value(json_object_get(f, "id"));
    if (id && strcmp(id, kind) == 0 &&
        (!line || at_line(f, file, line) || at_line(json_object_get(f, "other"), file, line)))
      return true;
  }
  return judged(kind) && o->how.code != 0;
}

static bool expected(const expectation *x, const char *id) {
  for (int k = 0; k < x->n; k++)
    if (strcmp(x->kind[k], id) == 0) return true;
  return false;
}

static bool as_it_should(const outcome *o, const char *file, const expectation *x, bool twin) {
  size_t i;
  json_t *f;
  if (!json_is_array(o->findings) || o->how.timed_out) return false;
  for (int k = 0; k < x->n && twin; k++)
    if (above(o, x, k)) return false;
  if (twin) return json_array_size(o->findings) == 0 && o->how.code == 0;
  json_array_foreach(o->findings, i, f) {
    const char *id = json_string_value(json_object_get(f, "id"));
    if (!id || !expected(x, id)) return false;
  }
  for (int k = 0; k < x->n; k++)
    if (x->above[k] >= 0 && (!above(o, x, k) || (x->line[k] && !worst_line(o, file, x->kind[k], x->line[k]))))
      return false;
    else if (x->above[k] < 0 && !found(o, file, x->kind[k], x->line[k])) return false;
  return true;
}

static const char *output_of(const outcome *o) {
  return o->how.timed_out ? "hangs" : o->how.code == 0 ? "right" : o->how.code == 1 ? "differs" : "error";
}

static void explain(const outcome *o, const char *file, const expectation *x, bool twin) {
  size_t i;
  json_t *f;
  printf("%s, %s: expected", file, twin ? "corrected" : "wrong");
  for (int k = 0; k < x->n && !twin; k++) printf(" %s at line %d,", x->kind[k], x->line[k]);
  for (int k = 0; k < x->n; k++)
    if (x->above[k] >= 0) printf(" (%s: %lld)", x->kind[k], (long long)total(o, x->kind[k]));
  printf(" %s; output: %s; found:\n", twin ? "nothing" : "and no other kind", output_of(o));
  json_array_foreach(o->findings, i, f)
      printf("  %s at line %d, other line %d\n", json_string_value(json_object_get(f, "id")),
             (int)json_integer_value(json_object_get(f, "line")),
             (int)json_integer_value(json_object_get(json_object_get(f, "other"), "line")));
  if (json_array_size(o->findings) == 0) printf("  nothing\n");
  printf("%s\n", o->said ? o->said : "");
}

static void list(const outcome *o, const char *file, const expectation *x, bool twin, bool right) {
  const char *slash = strrchr(file, '/'), *lab = slash;
  while (lab && lab > file && lab[-1] != '/') lab--;
  printf("{\"lab\": \"%.2s\", \"name\": \"%.*s\", \"variant\": \"%s\", \"expect\": \"%s\", \"found\": %d, "
         "\"output\": \"%s\"}\n",
         lab ? lab : "", slash ? (int)strcspn(slash + 1, ".") : 0, slash ? slash + 1 : "",
         twin ? "twin" : "wrong", x->kind[0], twin ? json_array_size(o->findings) > 0 : right, output_of(o));
}

int main(int argc, char **argv) {
  bool listing = argc > 1 && strcmp(argv[1], "--list") == 0;
  int failed = 0, n = 0;
  argv += listing, argc -= listing;
  if (argc < 5)
    return fprintf(stderr, "usage: corpus_check [--list] SL-SIM PROGRAM wrong|twin FILE.cu..\n"), 2;
  bool twin = strcmp(argv[3], "twin") == 0;
  for (; n + 4 < argc; n++) {
    const char *file = argv[n + 4];
    expectation x = {0};
    if (!read_expectation(file, &x)) {
      printf("%s: the first line is not '// expect: KIND at LINE'\n", file), failed++;
      continue;
    }
    outcome o = run_case(argv[1], argv[2], argv[3], file, &x);
    bool right = as_it_should(&o, file, &x, twin);
    if (listing) list(&o, file, &x, twin, right);
    else if (!right) explain(&o, file, &x, twin);
    failed += !right;
    json_decref(o.findings), json_decref(o.kernels);
    free(o.said);
  }
  if (!listing) printf("%d of %d kernels are as they should be\n", n - failed, n);
  return !listing && failed > 0;
}
