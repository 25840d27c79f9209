// Reads what a wrong kernel says of itself.
//
// Interface: expectation.h. A header begins with an expectation, in the first line unless the mistake has a
// name, and ends with the first line of another kind.
#include "expectation.h"

// The rest of line [line] behind "// WORD: " (malloc'ed); NULL if it begins otherwise.
static char *header_value(const char *line, const char *word) {
  const size_t len = strlen(word);
  if (strncmp(line, "// ", 3) != 0 || strncmp(line + 3, word, len) != 0) return NULL;
  const char *at = line + 3 + len;
  return strncmp(at, ": ", 2) == 0 ? sl_path("%.*s", (int)strcspn(at + 2, "\n"), at + 2) : NULL;
}

static bool add_items(sl_expectation *x, char *list) {
  char *save = NULL;
  for (char *p = strtok_r(list, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
    if (x->n == SL_MAX_ITEMS) return false;
    p += strspn(p, " ");
    if (strcmp(p, "nothing") != 0) x->item[x->n++] = sl_path("%s", p);
  }
  return true;
}

// One line of the header that begins with [expect]: false if it is none, or holds too much.
static bool header_line(sl_expectation *x, const char *expect, const char *line) {
  const struct {
    const char *word;
    char **value;
  } fields[] = {{"with", &x->with}, {"says", &x->says}, {"exits", &x->exits}};
  char *value = header_value(line, expect);
  if (value) {
    const bool fits = add_items(x, value);
    free(value);
    return fits;
  }
  for (size_t k = 0; k < sizeof fields / sizeof *fields && !value; k++)
    if ((value = header_value(line, fields[k].word))) free(*fields[k].value), *fields[k].value = value;
  return value != NULL;
}

bool sl_expectation_read(const char *file, const char *name, sl_expectation *x, sl_error *e) {
  *x = (sl_expectation){.text = sl_read_file(file, 1 << 20, NULL, e)};
  x->with = calloc(1, 1), x->says = calloc(1, 1), x->exits = calloc(1, 1);
  if (!x->text) return false;
  SL_FREED char *line = name ? sl_path("// expect %s: ", name) : sl_path("// expect: ");
  SL_FREED char *word = sl_path("%.*s", (int)strlen(line) - 5, line + 3);
  const char *p = name ? strstr(x->text, line) : x->text;
  if (!p || strncmp(p, line, strlen(line)) != 0)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: the first line is not \"%s..\"", file, line);
  for (; p && header_line(x, word, p); p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
  }
  return true;
}

void sl_expectation_free(sl_expectation *x) {
  for (size_t k = 0; k < x->n; k++) free(x->item[k]);
  free(x->text), free(x->with), free(x->says), free(x->exits);
  *x = (sl_expectation){0};
}
