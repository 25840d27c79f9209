// findings_agree REPORT.json TEXT: do the two forms in which findings are told hold the same facts?
//
// TEXT is what people see of the same run. Findings stand there in the order of the report. Forwards, each
// fact of the JSON object must stand in its block of text; backwards, each word and number of the block must
// stand in the object. Nothing is asked of blocks left out ("+3 more"). Says what differs; exits 1 then.
#include <ctype.h>
#include "base/json.h"

static int failures;

// Runs of blanks as one, so that wrapped text compares.
static void squeeze(char *s) {
  char *to = s;
  for (const char *p = s; *p; p++)
    if (!isspace((unsigned char)*p)) *to++ = *p;
    else if (to > s && to[-1] != ' ') *to++ = ' ';
  *to = 0;
}

static void must_have(const char *block, const char *id, const char *what, const char *fact) {
  SL_FREED char *clean = sl_path("%s", fact);
  squeeze(clean);
  if (clean[0] && !strstr(block, clean))
    printf("%s: the text lacks the %s: %s\n", id, what, clean), failures++;
}

// A long line is shown in part: what is at its column, else its beginning.
static void source_line(const char *block, const char *id, json_t *p) {
  enum { LONG = 70, PART = 24 };
  const char *line = sl_json_text(p, "source");
  size_t n = strlen(line),
         at = sl_json_int(p, "column") > 1 ? (size_t)sl_json_int(p, "column") - 1 : strspn(line, " ");
  char part[PART + 1];
  if (n > LONG && at < n) snprintf(part, sizeof part, "%s", line + at), line = part;
  must_have(block, id, "source line", line);
}

#define MUST(what, ...)                                                                                      \
  do {                                                                                                       \
    char *fact = sl_path(__VA_ARGS__);                                                                       \
    must_have(block, id, what, fact);                                                                        \
    free(fact);                                                                                              \
  } while (0)

static long long at(json_t *list, size_t k) { return json_integer_value(json_array_get(list, k)); }

// One who took part: a thread or a call of the host.
static void party(const char *block, const char *id, json_t *p) {
  json_t *b = json_object_get(p, "block"), *t = json_object_get(p, "thread");
  if (json_object_get(p, "host"))
    MUST("host's call", "%s %s", sl_json_text(p, "instruction"), sl_json_text(p, "host"));
  else
    MUST("thread", "block (%lld,%lld,%lld) thread (%lld,%lld,%lld)", at(b, 0), at(b, 1), at(b, 2), at(t, 0),
         at(t, 1), at(t, 2));
  must_have(block, id, "role", sl_json_text(p, "role"));
  must_have(block, id, "instruction", sl_json_text(p, "instruction"));
  source_line(block, id, p);
  if (sl_json_int(p, "trip")) MUST("trip", "loop trip %lld", sl_json_int(p, "trip"));
}

static void array(const char *block, const char *id, json_t *a, const char *what) {
  if (!a || !strstr(what, sl_json_text(a, "text")) || !sl_json_int(a, "size")) return;
  MUST("size", "%lld bytes", sl_json_int(a, "size"));
  if (sl_json_int(a, "argument")) MUST("argument", "argument %lld", sl_json_int(a, "argument"));
  if (sl_json_int(a, "allocation")) MUST("allocation", "allocation %lld", sl_json_int(a, "allocation"));
}

static void details(const char *block, const char *id, json_t *lines) {
  size_t k;
  json_t *line;
  json_array_foreach(lines, k, line) must_have(block, id, "detail", json_string_value(line));
}

static void forwards(const char *block, json_t *f) {
  const char *id = sl_json_text(f, "id"), *what = sl_json_text(f, "what");
  json_t *other = json_object_get(f, "other");
  bool told = strstr(block, "thread (") || json_object_get(f, "details");
  if (json_object_get(f, "thread") && !told) printf("%s: only the JSON form has a thread\n", id), failures++;
  MUST("kind", "%s[%s]: %s", sl_json_text(f, "severity"), id, what);
  if (sl_json_int(f, "column"))
    MUST("place", "%s:%lld:%lld: ", sl_json_text(f, "file"), sl_json_int(f, "line"),
         sl_json_int(f, "column"));
  else if (sl_json_int(f, "line"))
    MUST("place", "%s:%lld: ", sl_json_text(f, "file"), sl_json_int(f, "line"));
  if (json_object_get(f, "details")) details(block, id, json_object_get(f, "details"));
  else if (json_object_get(f, "grid") || json_object_get(f, "host")) party(block, id, f);
  if (!json_object_get(f, "details") && (sl_json_int(other, "line") || json_object_get(other, "host"))) {
    party(block, id, other);
    if (sl_json_int(other, "line")) MUST("other line", "%lld", sl_json_int(other, "line"));
  }
  array(block, id, json_object_get(f, "array"), what);
  if (!strcmp(id, "memory.bounds") && json_object_get(f, "thread") && !sl_json_text(f, "access")[0])
    printf("%s: \"access\" is missing\n", id), failures++;
  must_have(block, id, "kernel", sl_json_text(f, "kernel"));
  if (json_object_get(f, "grid")) MUST("launch", "launch %lld", sl_json_int(f, "launch"));
  if (sl_json_int(f, "count") > 1) MUST("count", "%lld at this place", sl_json_int(f, "count"));
  static const char *const keys[] = {"why", "advice", "page", "replay"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    must_have(block, id, keys[k], sl_json_text(f, keys[k]));
}

// Words of the text's own: labels, units, what stands for a value.
static bool is_form(const char *word) {
  static const char *const words[] = {"array",  "kernel",   "launch",   "times", "at",         "this",
                                      "place",  "why",      "do",       "read",  "replay",     "line",
                                      "bytes",  "elements", "of",       "loop",  "trip",       "block",
                                      "thread", "by",       "argument", "the",   "allocation", "host",
                                      "call",   "writer",   "reader",   "copy",  "sim",        "scanlab"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strcmp(word, words[k]) == 0) return true;
  return false;
}

static bool in_array(json_t *f, const char *word) {
  json_t *a = json_object_get(f, "array");
  long long each = sl_json_int(a, "element_bytes");
  return each && strtoll(word, NULL, 10) == sl_json_int(a, "size") / each;
}

static void backwards(char *block, json_t *f) {
  char *all = json_dumps(f, JSON_COMPACT | JSON_ENCODE_ANY), *save = NULL;
  for (char *w = strtok_r(block, " \t\n\"'`\\()[]{}<>,;:|^=", &save); all && w;
       w = strtok_r(NULL, " \t\n\"'`\\()[]{}<>,;:|^=", &save))
    if (!strstr(all, w) && !is_form(w) && !in_array(f, w) && !strstr(w, "...")) // the rest of a long line
      printf("%s: the JSON form lacks: %s\n", sl_json_text(f, "id"), w), failures++;
  free(all);
}

// The block of the finding that begins at [p]; *next: what follows.
static char *block_at(char *p, char **next) {
  char *end = strstr(p, "\n\n");
  *next = end ? end + 2 : p + strlen(p);
  return sl_path("%.*s", (int)(end ? end - p : (long)strlen(p)), p);
}

// The head is the first line with "KIND[id]:", so that what the program printed before it is passed over.
static char *head_of(char *text, json_t *f) {
  char *head = sl_path("%s[%s]:", sl_json_text(f, "severity"), sl_json_text(f, "id")),
       *p = strstr(text, head);
  while (p && p > text && p[-1] != '\n') p--;
  free(head);
  return p;
}

int main(int argc, char **argv) {
  sl_error e = {0};
  size_t i;
  json_t *root = argc == 3 ? json_load_file(argv[1], 0, NULL) : NULL, *f;
  char *text = argc == 3 ? sl_read_file(argv[2], 1 << 22, NULL, &e) : NULL, *p = text;
  if (!root || !text) return fprintf(stderr, "usage: findings_agree REPORT.json TEXT\n"), 2;
  json_t *findings = json_object_get(root, "findings");
  json_array_extend(findings, json_object_get(root, "notes")); // told last
  json_array_foreach(findings, i, f) {
    char *next, *from = head_of(p, f);
    if (!from) {
      if (!strstr(text, "more "))
        printf("%s: the text has no such finding\n", sl_json_text(f, "id")), failures++;
      continue;
    }
    SL_FREED char *whole = block_at(from, &next), *block = sl_path("%s", whole);
    squeeze(block);
    forwards(block, f);
    backwards(whole, f);
    p = next;
  }
  printf("%zu findings, %d differences\n", json_array_size(findings), failures);
  json_decref(root);
  free(text);
  return failures != 0;
}
