// Reads the file of reviewed mutants.
//
// Interface: reviews_read, reviews_find, reviews_free.
#include "mutants.h"

enum { MAX_REVIEWS = 1 << 20 };

// Cuts a line at its two tabs. False if there are not two.
static bool cut_line(review *r, char *line) {
  char *one = strchr(line, '\t'), *two = one ? strchr(one + 1, '\t') : NULL;
  if (!two || !two[1]) return false;
  *one = *two = 0;
  *r = (review){line, one + 1, two + 1};
  return true;
}

bool reviews_read(reviews *r, const char *path, sl_error *e) {
  *r = (reviews){0};
  size_t len, line_number = 0;
  if (!(r->text = sl_read_file(path, MAX_REVIEWS, &len, e))) return false;
  if (!(r->at = malloc((len + 1) * sizeof *r->at))) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
  for (char *line = r->text, *end; *line; line = end) {
    line_number++;
    end = strchrnul(line, '\n');
    if (*end) *end++ = 0;
    if (!*line || *line == '#') continue;
    if (!cut_line(&r->at[r->n++], line))
      return sl_fail(e, SL_EXIT_INPUT, "a line is ID, tab, change, tab, reason", "%s:%zu: not a review: %s",
                     path, line_number, line);
  }
  return true;
}

const review *reviews_find(const reviews *r, const char *id) {
  for (size_t i = 0; i < r->n; i++)
    if (!strcmp(r->at[i].id, id)) return &r->at[i];
  return NULL;
}

void reviews_free(reviews *r) {
  free(r->text);
  free(r->at);
  *r = (reviews){0};
}
