// What is wrong with the launches in a student's file, as far as its text tells: a kernel of the skeleton
// that is never launched, or arguments that stand in each other's places.
//
// Interface: sl__launch_fault (student.h). Asked where something failed: a kernel may be left out on purpose.
#include "student.h"

#include <ctype.h>

enum { MOST = 12 }; // parameters of a function

typedef struct words { // texts between commas, without what they are declared as
  size_t n;
  char at[MOST][64];
  bool pointer[MOST];
} words;

static uint32_t line_at(const char *text, const char *at) {
  uint32_t line = 1;
  for (; text < at; text++) line += *text == '\n';
  return line;
}

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

// The next place, from [at] on, where the word stands; NULL: none is there.
static const char *next_word(const char *text, const char *at, const char *word) {
  const size_t len = strlen(word);
  while ((at = strstr(at, word)) && ((at > text && sl_in_word(at[-1])) || sl_in_word(at[len]))) at++;
  return at;
}

// Takes "float *d_in" or "d_in" as d_in; an expression as "".
static void take_one(words *w, const char *from, const char *to, bool declared) {
  const char *name = to;
  if (w->n == MOST) return;
  while (to > from && isspace((unsigned char)to[-1])) to--;
  for (name = to; name > from && sl_in_word(name[-1]); name--) {
  }
  const bool plain = declared || name == skip_blanks(from);
  w->pointer[w->n] = memchr(from, '*', (size_t)(to - from)) != NULL;
  snprintf(w->at[w->n++], sizeof w->at[0], "%.*s",
           plain && !isdigit((unsigned char)*name) ? (int)(to - name) : 0, name);
}

// What stands between ( at [at] and its ).
static bool take_list(words *w, const char *at, bool declared) {
  const char *from = at + 1;
  int depth = 0;
  w->n = 0;
  if (*at != '(') return false;
  for (; *at; at++) {
    depth += strchr("([{", *at) ? 1 : 0, depth -= strchr(")]}", *at) ? 1 : 0;
    if (!(depth == 0 || (depth == 1 && *at == ','))) continue;
    take_one(w, from, at, declared);
    from = at + 1;
    if (depth == 0) return true;
  }
  return false;
}

// The kernel that is defined next: its name. Moves *[at] behind it.
static bool next_kernel(const char **at, char name[64]) {
  const char *global = strstr(*at, "__global__"), *list = global ? strchr(global, '(') : NULL, *from = list;
  if (!list) return false;
  while (from > global && sl_in_word(from[-1])) from--;
  snprintf(name, 64, "%.*s", (int)(list - from), from);
  *at = list;
  return true;
}

static bool is_parameter(const words *w, const char *name) {
  for (size_t k = 0; k < w->n; k++)
    if (*name && !strcmp(w->at[k], name)) return true;
  return false;
}

// The list of the function that begins last before [at], in the first column; NULL: there is none.
static const char *list_around(const char *text, const char *at) {
  const char *head = NULL;
  for (const char *line = text; line < at; line = sl_next_line(line)) {
    const char *list = strchr(line, '('), *end = line + strcspn(line, "\n");
    if ((isalpha((unsigned char)*line) || *line == '_') && list && list < end) head = list;
  }
  return head;
}

static words parameters_around(const char *text, const char *at) {
  words w = {0};
  const char *list = list_around(text, at);
  if (list && !take_list(&w, list, true)) w.n = 0;
  return w;
}

static bool function_around(const char *text, const char *at, char name[64]) {
  const char *list = list_around(text, at), *from = list;
  while (list && from > text && sl_in_word(from[-1])) from--;
  if (list) snprintf(name, 64, "%.*s", (int)(list - from), from);
  return list != NULL;
}

// Do two arguments stand in each other's places, or does another one stand where the kernel wants one that
// the function around the launch has, too?
static char *misplaced(const char *name, const words *wanted, const words *given, const words *around) {
  for (size_t k = 0; k < wanted->n && wanted->n == given->n; k++) {
    const char *want = wanted->at[k], *give = given->at[k];
    if (!*give || !strcmp(want, give)) continue;
    for (size_t i = 0; i < wanted->n; i++)
      if (i != k && !strcmp(wanted->at[i], give) && strcmp(given->at[i], give) != 0)
        return sl_path("the launch of %s gives %s where %s belongs", name, give, want);
    if (!wanted->pointer[k] && is_parameter(around, want))
      return sl_path("the launch of %s gives %s where %s belongs", name, give, want);
  }
  return NULL;
}

// The list behind <<<..>>> of a launch, whose name ends at [at]; NULL: it is none.
static const char *arguments_of(const char *at) {
  const char *open = strstr(at, "<<<"), *close = open ? strstr(open, ">>>") : NULL;
  for (const char *c = at; open && c < open; c++)
    if (strchr(";{}=()", *c)) return NULL;
  return close ? skip_blanks(close + 3) : NULL;
}

// Has the function that begins at [at] a region, with a statement in it if [written]?
static bool has_region(const sl_skeleton *s, const char *text, const char *at, bool written) {
  const char *end = strstr(at, "\n}");
  for (size_t k = 0; k < s->n; k++) {
    const char *from = text + s->at[k].begin, *to = text + s->at[k].end;
    if (from > at && end && to < end && (!written || memchr(from, ';', (size_t)(to - from)))) return true;
  }
  return false;
}

// A kernel of the skeleton, and the line of its first launch; 0: it has none.
typedef struct kernel {
  char name[64];
  uint32_t line;
} kernel;

// What is wrong with the launches of one kernel; malloc'ed, NULL: nothing.
static char *fault_of(const sl_skeleton *s, const char *text, kernel *k, uint32_t *line) {
  words wanted = {0}, given;
  bool used = false, written = false;
  for (const char *at = text; (at = next_word(text, at, k->name)); at++) {
    const char *behind = skip_blanks(at + strlen(k->name));
    if (*behind == '(' && !wanted.n && take_list(&wanted, behind, true)) {
      written = has_region(s, text, at, true);
      continue;
    }
    const char *list = arguments_of(behind);
    const words around = parameters_around(text, at);
    char *fault =
        list && take_list(&given, list, false) ? misplaced(k->name, &wanted, &given, &around) : NULL;
    used = true;
    *line = line_at(text, at);
    if (list && !k->line) k->line = *line;
    if (fault) return fault;
  }
  *line = 0;
  return written && !used ? sl_path("%s is never launched", k->name) : NULL;
}

// The first line with a launch, in a region; 0: there is none.
static uint32_t line_of_launch(const sl_skeleton *s, const char *text) {
  for (const char *at = text; (at = strstr(at, "<<<")); at++)
    if (sl_region_at(s, line_at(text, at))) return line_at(text, at);
  return 0;
}

// The skeleton defines its kernels in the order in which a region launches them. malloc'ed; NULL: so it is.
static char *out_of_order(const sl_skeleton *s, const kernel *before, const kernel *k, uint32_t *line) {
  const unsigned region = sl_region_at(s, k->line);
  if (!region || sl_region_at(s, before->line) != region || k->line >= before->line) return NULL;
  *line = k->line;
  return sl_path("%s is launched before %s", k->name, before->name);
}

// The fault of the launches in regions; malloc'ed, NULL: none. !all: those of arguments alone.
static char *find_fault(const sl_skeleton *s, const char *text, const char *kernels, bool all,
                        uint32_t *line) {
  kernel before = {0}, k = {0};
  for (const char *at = kernels; next_kernel(&at, k.name); before = k, k.line = 0) {
    char *fault = fault_of(s, text, &k, line);
    const bool missing = fault && !*line;
    if (missing) *line = line_of_launch(s, text);
    if (!fault && all) fault = out_of_order(s, &before, &k, line);
    if (fault && sl_region_at(s, *line) && (all || !missing)) return fault;
    free(fault);
  }
  return NULL;
}

static size_t count_kernels(const char *text) {
  char name[64];
  size_t n = 0;
  while (next_kernel(&text, name)) n++;
  return n;
}

// With kernels of one's own the skeleton's may be needless. Where a lab has sections, its launches are in
// several regions, and which of them lacks one is not known.
char *sl__launch_fault(const sl_ladder *l, const sl_skeleton *s, uint32_t *line) {
  SL_SKELETON original = {0};
  if (s->n_open || !sl_skeleton_original(l->lab->info, &original)) return NULL;
  SL_FREED char *text = sl_blank_comments(sl_path("%s", s->source));
  SL_FREED char *kernels = sl_blank_comments(sl_path("%s", original.source));
  const bool all = !l->lab->sections && count_kernels(text) == count_kernels(kernels);
  return find_fault(s, text, kernels, all, line);
}

unsigned sl__launch_region(const sl_skeleton *s, const char *name) {
  SL_FREED char *text = sl_blank_comments(sl_path("%s", s->source));
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "<("), name);
  for (int depth = 0; depth < 3 && *word; depth++) {
    const char *found = NULL;
    for (const char *at = text; !found && (at = next_word(text, at, word)); at++) {
      const unsigned region = sl_region_at(s, line_at(text, at));
      if (region) return region;
      if (!depth && *skip_blanks(at + strlen(word)) == '(' && has_region(s, text, at, false)) return 0;
      if (arguments_of(skip_blanks(at + strlen(word)))) found = at;
    }
    if (!found || !function_around(text, found, word)) return 0;
  }
  return 0;
}
