// The TODO regions of a kernel.cu: "// TODO(labNN.K, ~S lines): text", anything, "// END TODO(labNN.K)".
//
// Interface: skeleton.h. A region that has not been worked on holds SL_TODO("labNN.K"); alone. The regions
// are numbered from 1 in the order of the file; anything else is an error that names the line. What the file
// was before anybody worked on it, the original, helps then: it lies beside kernel.cu in the tree that
// students get (.skeleton), it is the course's kernel.cu where scanlab is installed, and follows from the
// solution where there is one.
#include "judge/skeleton.h"

enum { MAX_SOURCE = 4 << 20, MAX_TABLE = 4 << 20 };

static const char *without(const char *path, const char *folder) {
  size_t len = strlen(folder);
  return len && !strncmp(path, folder, len) && path[len] == '/' ? path + len + 1 : path;
}

const char *sl_short_path(const char *path) {
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here)) here[0] = 0;
  const char *shorter = without(path, sl_course_root());
  return shorter == path ? without(path, here) : shorter;
}

typedef struct scan {
  sl_skeleton *s;
  const char *path;
  uint32_t line;
  bool inside;
  sl_error *e;
} scan;

static bool refused(const scan *c, const char *what) {
  return sl_fail(c->e, SL_EXIT_INPUT,
                 "put the line back as the handout's skeleton has it; edit only between the two",
                 "%s:%u:1: %s", sl_short_path(c->path), c->line, what);
}

static bool damaged(const scan *c, const char *what) {
  c->s->wrong = what, c->s->wrong_at = c->line;
  return refused(c, what);
}

static bool add_region(scan *c) {
  sl_skeleton *s = c->s;
  if (!SL_ROOM(s->at, s->n)) return sl_fail(c->e, SL_EXIT_INFRA, NULL, "out of memory");
  s->at[s->n++] = (sl_region){.first = c->line};
  return c->inside = true;
}

// Is [s] the marker [word]labNN.K, with K the number of the last region? [after]: what follows.
static bool is_marker(const scan *c, const char *s, const char *word, const char **after) {
  char want[64];
  int len = snprintf(want, sizeof want, "%slab%s.%zu", word, c->s->lab->number, c->s->n);
  *after = s + len;
  return !strncmp(s, want, (size_t)len);
}

static bool begin_region(scan *c, const char *text, size_t len, unsigned indent, size_t next) {
  if (c->inside) return damaged(c, "a TODO inside of another");
  if (!add_region(c)) return false;
  const char *after, *colon = memchr(text, ':', len);
  if (!is_marker(c, text, "// TODO(", &after) || *after != ',' || !colon)
    return damaged(c, "not the TODO of this place");
  sl_region *r = &c->s->at[c->s->n - 1];
  r->indent = indent;
  r->begin = next;
  colon += 1 + strspn(colon + 1, " ");
  while (text + len > colon && strchr(" \t\r", text[len - 1])) len--;
  r->text = sl_path("%.*s", (int)(text + len - colon), colon);
  return true;
}

static void classify(sl_skeleton *s, sl_region *r) {
  char want[64];
  const char *body = s->source + r->begin, *end = s->source + r->end;
  int len = snprintf(want, sizeof want, "SL_TODO(\"lab%s.%zu\");", s->lab->number, s->n);
  r->open = memmem(body, r->end - r->begin, "SL_TODO(", 8) != NULL;
  while (body < end && strchr(" \t\r\n", *body)) body++;
  while (end > body && strchr(" \t\r\n", end[-1])) end--;
  r->untouched = end - body == len && !memcmp(body, want, (size_t)len);
  s->n_open += r->open;
  s->n_untouched += r->untouched;
}

static bool end_region(scan *c, const char *text, size_t start) {
  const char *after;
  if (!c->inside) return damaged(c, "an END TODO without its TODO");
  if (!is_marker(c, text, "// END TODO(", &after) || *after != ')')
    return damaged(c, "not the END TODO of this place");
  sl_region *r = &c->s->at[c->s->n - 1];
  r->last = c->line;
  r->end = start;
  classify(c->s, r);
  c->inside = false;
  return true;
}

static bool take_line(scan *c, size_t start, size_t len) {
  const char *line = c->s->source + start, *text = line + strspn(line, " \t");
  size_t blank = (size_t)(text - line);
  if (blank >= len) return true;
  if (!strncmp(text, "// TODO(", 8))
    return begin_region(c, text, len - blank, (unsigned)blank, start + len + 1);
  return strncmp(text, "// END TODO(", 12) != 0 || end_region(c, text, start);
}

// Finds the regions of s->source.
static bool find_regions(sl_skeleton *s, const char *path, sl_error *e) {
  scan c = {s, path, 0, false, e};
  const size_t size = strlen(s->source);
  bool ok = true;
  for (size_t at = 0; ok && at < size;) {
    size_t len = strcspn(s->source + at, "\n");
    c.line++;
    ok = take_line(&c, at, len);
    at += len + 1;
  }
  if (ok && c.inside) ok = damaged(&c, "the file ends inside a TODO region");
  if (ok && s->n == 0) ok = refused(&c, "the file has no TODO region");
  if (!ok) sl_skeleton_free(s);
  return ok;
}

bool sl_skeleton_read(const char *path, const sl_lab_info *lab, sl_skeleton *s, sl_error *e) {
  *s = (sl_skeleton){.lab = lab, .source = sl_read_file(path, MAX_SOURCE, NULL, e)};
  return s->source && find_regions(s, path, e);
}

// The original ----------------------------------------------------------------------------------------------

static bool read_original(const char *path, const sl_lab_info *lab, sl_skeleton *s) {
  SL_SKELETON kept = {0};
  if (!sl_skeleton_read(path, lab, &kept, NULL)) return false;
  *s = (sl_skeleton){.lab = lab, .source = sl_skeleton_text(&kept)};
  return find_regions(s, path, NULL);
}

bool sl_skeleton_original(const sl_lab_info *lab, sl_skeleton *s) {
  static const char *const places[] = {"labs/%s/.skeleton", "labs/%s/kernel.cu", "solutions/%s/kernel.cu"};
  SL_FREED char *own = sl_lab_kernel(lab->name);
  bool found = false;
  for (size_t k = 0; !found && k < sizeof places / sizeof *places; k++) {
    SL_FREED char *place = sl_path(places[k], lab->name), *path = sl_path("%s/%s", sl_course_root(), place);
    found = strcmp(path, own) != 0 && read_original(path, lab, s);
  }
  return found;
}

bool sl_skeleton_mend(const char *path, const sl_lab_info *lab, sl_skeleton *s, sl_error *why, sl_error *e) {
  if (sl_skeleton_read(path, lab, s, why)) return true;
  char *source = sl_read_file(path, MAX_SOURCE, NULL, NULL), want[64];
  if (!source || !sl_skeleton_original(lab, s)) {
    free(source);
    return sl_fail(e, why->code, why->hint, "%s", why->text);
  }
  s->n_open = s->n_untouched = 0;
  for (size_t k = 0; k < s->n; k++) {
    snprintf(want, sizeof want, "SL_TODO(\"lab%s.%zu\")", lab->number, k + 1);
    s->at[k].open = s->at[k].untouched = strstr(source, want) != NULL;
    s->n_open += s->at[k].open;
  }
  free(s->source);
  s->source = source;
  return true;
}

// Outside of the regions ------------------------------------------------------------------------------------

// Behind the mark that some editors write in front of UTF-8.
static const char *behind_mark(const char *text) { return text + (strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3); }

// The lines outside of the regions, without those that are empty.
typedef struct outside {
  const char *text;
  size_t len;
  uint32_t line;
} outside;

static size_t list_outside(const sl_skeleton *s, outside **list) {
  size_t n = 0;
  uint32_t line = 0;
  *list = NULL;
  for (const char *at = behind_mark(s->source), *end; *at; at = end + (*end != 0)) {
    const unsigned in = sl_region_at(s, ++line);
    end = strchrnul(at, '\n');
    size_t len = (size_t)(end - at);
    while (len && strchr(" \t\r", at[len - 1])) len--;
    const bool marker = in && (line == s->at[in - 1].first || line == s->at[in - 1].last);
    if (!len || (in && !marker)) continue;
    SL_GROW(*list, n);
    (*list)[n++] = (outside){at, len, line};
  }
  return n;
}

static bool same_text(const outside *a, const outside *b) {
  return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

// Lengths of longest common sequences of lines from a[i] and b[k] on, at [i * (m + 1) + k]. NULL: too long.
static uint32_t *common_lengths(const outside *a, size_t n, const outside *b, size_t m) {
  const size_t row = m + 1;
  uint32_t *best = n < MAX_TABLE / row ? calloc((n + 1) * row, sizeof *best) : NULL;
  for (size_t i = n; best && i-- > 0;)
    for (size_t k = m; k-- > 0;) {
      const uint32_t down = best[(i + 1) * row + k], right = best[i * row + k + 1];
      best[i * row + k] = same_text(&a[i], &b[k]) ? 1 + best[(i + 1) * row + k + 1]
                          : down > right          ? down
                                                  : right;
    }
  return best;
}

// Marks the lines of [a] that are not [b]'s, and those in front of which lines of [b] are gone without others
// in their place. Returns whether that is so behind the last.
static bool mark_between(const outside *a, size_t n, const outside *b, size_t m, bool *mark) {
  const size_t row = m + 1;
  SL_FREED uint32_t *best = common_lengths(a, n, b, m);
  bool gone = false, more = false;
  for (size_t i = 0, k = 0; best && (i < n || k < m);) {
    if (i < n && k < m && same_text(&a[i], &b[k])) {
      mark[i++] = gone && !more;
      gone = more = false;
      k++;
    } else if (k == m || (i < n && best[(i + 1) * row + k] >= best[i * row + k + 1])) mark[i++] = more = true;
    else gone = true, k++;
  }
  if (!best) memset(mark, true, n);
  return gone && !more;
}

static void mark_edited(const outside *a, size_t n, const outside *b, size_t m, bool *mark) {
  size_t head = 0, tail = 0;
  while (head < n && head < m && same_text(&a[head], &b[head])) head++;
  while (head + tail < n && head + tail < m && same_text(&a[n - 1 - tail], &b[m - 1 - tail])) tail++;
  if (mark_between(a + head, n - head - tail, b + head, m - head - tail, mark + head))
    mark[tail ? n - tail : n - 1] = true;
}

char *sl_skeleton_edits(const sl_skeleton *s, const sl_skeleton *original) {
  SL_FREED outside *a = NULL, *b = NULL;
  const size_t n = list_outside(s, &a), m = list_outside(original, &b);
  SL_FREED bool *mark = sl_must(calloc(n + 1, sizeof *mark));
  char *text = NULL;
  size_t len = 0;
  FILE *f = sl_must(open_memstream(&text, &len));
  mark_edited(a, n, b, m, mark);
  for (size_t i = 0, last; i < n; i = last + 1) {
    for (last = i; mark[last] && mark[last + 1];) last++;
    if (mark[i]) fprintf(f, ftell(f) > 0 ? ", %u" : "%u", a[i].line);
    if (last > i) fprintf(f, "-%u", a[last].line);
  }
  fclose(f);
  if (len) return text;
  free(text);
  return NULL;
}

void sl_skeleton_free(sl_skeleton *s) {
  for (size_t k = 0; k < s->n; k++) free(s->at[k].text);
  free(s->at);
  free(s->source);
  *s = (sl_skeleton){.wrong = s->wrong, .wrong_at = s->wrong_at};
}

typedef void write_region(FILE *f, const sl_skeleton *s, size_t k);

// The source with what [write] puts in the place of each region.
static char *with_regions(const sl_skeleton *s, write_region *write) {
  char *text = NULL;
  size_t at = 0;
  FILE *f = sl_text_stream(&text);
  for (size_t k = 0; k < s->n; k++) {
    fwrite(s->source + at, 1, s->at[k].begin - at, f);
    write(f, s, k);
    at = s->at[k].end;
  }
  fputs(s->source + at, f);
  fclose(f);
  return text;
}

static void write_todo(FILE *f, const sl_skeleton *s, size_t k) {
  fprintf(f, "%*sSL_TODO(\"lab%s.%zu\");\n", (int)s->at[k].indent, "", s->lab->number, k + 1);
}

// As many lines as the region has.
static void write_closed(FILE *f, const sl_skeleton *s, size_t k) {
  const sl_region *r = &s->at[k];
  if (r->end > r->begin) fprintf(f, "%*s// yours to write", (int)r->indent, "");
  for (size_t at = r->begin; at < r->end; at++)
    if (s->source[at] == '\n') fputc('\n', f);
}

char *sl_skeleton_text(const sl_skeleton *s) { return with_regions(s, write_todo); }
char *sl_skeleton_closed(const sl_skeleton *s) { return with_regions(s, write_closed); }

unsigned sl_region_at(const sl_skeleton *s, uint32_t line) {
  for (size_t k = 0; k < s->n; k++)
    if (s->at[k].first <= line && line <= s->at[k].last) return (unsigned)k + 1;
  return 0;
}
