// What to do about an error of the compiler: by its words and line (advice.def), or by the rest of the file.
//
// Interface: sl__advise, sl__code_of (said.h).
#include "said.h"

#include <fnmatch.h>

char *sl__code_of(sl_text t) {
  char *code = sl_path("%.*s", t.len, t.at);
  for (char *at = code; *at; at++) {
    const size_t quoted = sl_quoted_length(at);
    if (quoted) memset(at + 1, ' ', quoted - 1), at += quoted - 1;
    if (!quoted && sl_comment_length(at)) {
      *at = 0;
      break;
    }
  }
  for (size_t n = strlen(code); n > 0 && isspace((unsigned char)code[n - 1]); n--) code[n - 1] = 0;
  return code;
}

// The first name in quotes; malloc'ed.
static char *name_in(const char *words) {
  const char *from = strchr(words, '"'), *to = from ? strpbrk(from + 1, "\"(") : NULL;
  return to ? sl_path("%.*s", (int)(to - from - 1), from + 1) : sl_path("%s", "");
}

// A name of CUDA that is near to one that nobody declared; NULL: none is.
static const char *near_name(const char *name) {
  static const char *const names[] = {
      "__syncthreads", "__syncwarp",       "__threadfence",   "__shared__",      "__global__",
      "__device__",    "__shfl_up_sync",   "__shfl_sync",     "__ballot_sync",   "__match_any_sync",
      "threadIdx",     "blockIdx",         "blockDim",        "gridDim",         "warpSize",
      "atomicAdd",     "cudaMalloc",       "cudaFree",        "cudaMemset",      "cudaMemcpy",
      "cudaSuccess",   "cudaGetLastError", "cudaMemsetAsync", "cudaMemcpyAsync", "cudaDeviceSynchronize",
      "cudaError_t",   "size_t",           "uint32_t",        "unsigned",        NULL};
  if (!strncmp("syncthreads", name, 5) && strcasestr(name, "thread")) return names[0];
  for (size_t k = 0; names[k]; k++)
    if (!strcasecmp(names[k], name)) return names[k];
  return strlen(name) > 5 ? sl_nearest(name, names) : NULL;
}

// Does the text before position [at] of the line end with the word?
static bool ends_with(sl_text t, int at, const char *word) {
  const int len = (int)strlen(word);
  while (at > 0 && t.at[at - 1] == ' ') at--;
  return at >= len && !strncmp(t.at + at - len, word, (size_t)len) &&
         (at == len || !sl_in_word(t.at[at - len - 1]));
}

// "Op::T" in the line, of a parameter Op of a template, without "typename" before it; malloc'ed, or NULL.
static char *without_typename(const char *source, sl_text own) {
  for (int k = 1; k + 2 < own.len; k++) {
    int from = k, to = k + 2;
    if (strncmp(own.at + k, "::", 2) != 0) continue;
    while (from > 0 && sl_in_word(own.at[from - 1])) from--;
    while (to < own.len && sl_in_word(own.at[to])) to++;
    SL_FREED char *parameter = sl_path("class %.*s", k - from, own.at + from);
    if (from < k && to > k + 2 && own.at[to] != '(' && strstr(source, parameter) &&
        !ends_with(own, from, "typename"))
      return sl_path("%.*s", to - from, own.at + from);
  }
  return NULL;
}

// Is a template's argument missing at the name in the line? A launch's <<< is none.
static bool lacks_argument(sl_text own, const char *name) {
  const char *at = memmem(own.at, (size_t)own.len, name, strlen(name));
  if (!at || !*name) return false;
  at += strlen(name);
  return *at != '<' || !strncmp(at, "<<<", 3);
}

// The line of the last { before [line] that a } less far to the right has closed. 0: none.
static unsigned open_brace(const char *source, unsigned line) {
  enum { DEEPEST = 64 };
  struct {
    unsigned line;
    int indent;
  } open[DEEPEST];
  int depth = 0;
  sl_text t = sl__line_of(source);
  for (unsigned k = 1; k < line && *t.at; k++, t = sl__line_of(sl__behind(t))) {
    SL_FREED char *code = sl__code_of(t);
    const int indent = sl__indent_of(t);
    for (int i = 0; code[i]; i++) {
      if (code[i] == '{' && depth < DEEPEST) open[depth].line = k, open[depth++].indent = indent;
      if (code[i] != '}' || !depth) continue;
      depth--;
      if (i == indent && indent < open[depth].indent) return open[depth].line;
    }
  }
  return depth ? open[depth - 1].line : 0;
}

// Does the name that begins at [k] of the line get a type there, as in "float x = 1;"? Behind it ends, or
// begins, what it declares.
static bool declares_at(const char *code, size_t k, size_t len) {
  size_t before = k, behind = k + len + strspn(code + k + len, " ");
  while (before > 0 && strchr(" *&", code[before - 1])) before--;
  const bool typed = before > 0 && before < k && sl_in_word(code[before - 1]);
  const char *word = code + before;
  while (word > code && sl_in_word(word[-1])) word--;
  return typed && strchr("=;,[)", code[behind]) && code[behind] && strncmp(word, "return", 6) &&
         strncmp(word, "else", 4);
}

// The line that declares the name, other than [line]; 0: none does.
static unsigned declared_in(const char *source, const char *name, unsigned line) {
  const size_t len = strlen(name);
  sl_text t = sl__line_of(source);
  for (unsigned k = 1; *t.at; k++, t = sl__line_of(sl__behind(t))) {
    SL_FREED char *code = sl__code_of(t);
    for (char *at = strstr(code, name); at && k != line; at = strstr(at + 1, name))
      if (!sl_in_word(at[len]) && declares_at(code, (size_t)(at - code), len)) return k;
  }
  return 0;
}

// What to do about a name that nobody knows; malloc'ed, or NULL.
static char *advise_name(const char *source, unsigned line, const char *name) {
  const char *near = near_name(name);
  const unsigned other = near || !*name ? 0 : declared_in(source, name, line);
  if (near) return sl_path("did you mean %s?", near);
  if (other > line) return sl_path("it is declared in line %u, below", other);
  return other ? sl_path("line %u declares it, but only for the braces or the statement it stands in", other)
               : NULL;
}

static char *advice_of_table(const char *words, const char *line) {
  static const struct {
    const char *words, *source, *advice;
  } rows[] = {
#define ADVICE(WORDS, SOURCE, TEXT) {WORDS, SOURCE, TEXT},
#include "tools/student/advice.def"
#undef ADVICE
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    if (fnmatch(rows[k].words, words, 0) != 0 || fnmatch(rows[k].source, line, 0) != 0) continue;
    SL_FREED char *name = name_in(words);
    const char *at = strstr(rows[k].advice, "%1$s");
    if (!at) return sl_path("%s", rows[k].advice);
    return sl_path("%.*s%s%s", (int)(at - rows[k].advice), rows[k].advice, name, at + 4);
  }
  return NULL;
}

// The line from its first word on, with @ at the place of the error; malloc'ed.
static char *marked(sl_text own, int at) {
  const int from = sl__indent_of(own), place = at < from || at > own.len ? from : at;
  return sl_path("%.*s@%.*s", place - from, own.at + from, own.len - place, own.at + place);
}

// Errors whose advice depends on the rest of the file; each malloc'ed, or NULL.
static char *advise_brace(const char *source, unsigned line, const char *) {
  const unsigned open = open_brace(source, line);
  return open ? sl_path("the { in line %u has no }", open) : NULL;
}
static char *advise_argument(const char *source, unsigned line, const char *name) {
  if (!lacks_argument(sl__source_line(source, line), name)) return NULL;
  return sl_path("%s is a template: the call says for what, as in %s<Op>", name, name);
}
static char *advise_typename(const char *source, unsigned line, const char *) {
  SL_FREED char *type = without_typename(source, sl__source_line(source, line));
  return type ? sl_path("the compiler does not know yet that it is a type: write typename %s", type) : NULL;
}

char *sl__advise(const char *source, const char *words, unsigned line, unsigned column) {
  static const struct {
    const char *words;
    char *(*advise)(const char *source, unsigned line, const char *name);
  } rows[] = {{"linkage specification is not allowed", advise_brace},
              {"no instance of function template *", advise_argument},
              {"nontype * is not a type name", advise_typename},
              {"incomplete type \"void\" is not allowed", advise_typename},
              {"identifier * is undefined*", advise_name}};
  SL_FREED char *name = name_in(words), *at = marked(sl__source_line(source, line), (int)column - 1);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char *advice = fnmatch(rows[k].words, words, 0) ? NULL : rows[k].advise(source, line, name);
    if (advice) return advice;
  }
  return advice_of_table(words, at);
}
