// Which of the libraries' headers a source includes before anything else. They take longer to read than the
// rest of a kernel, so that they are read once for all kernels that begin so (headers.c): nvcc is told to
// include them ahead of the source, whose own #include then finds them read.
//
// Interface: libraries.h. Whatever stands before an #include could change what it gives, a macro for example.
// So the look ends at the first line that is neither empty, nor a comment, nor an #include. Headers that no
// library of the toolkit has are read where they stand, as are those behind the first SL_MAX_AHEAD.
#include "compile/libraries.h"
#include "compile/build.h"

#include <ctype.h>

// Behind blanks and comments, also those of several lines.
static const char *behind_blanks(const char *at) {
  for (size_t n;; at += n) {
    while (isspace((unsigned char)*at)) at++;
    if (!(n = sl_comment_length(at))) return at;
    // a comment that a backslash carries on
    while (at[1] == '/' && at[n] && at[n - 1] == '\\') n += 1 + strcspn(at + n + 1, "\n");
  }
}

// The length of "#include <name>" or "#include "name"", and its name. 0: there is none.
static size_t read_include(const char *at, char name[static SL_HEADER_NAME], char *bracket) {
  int used = 0;
  char close = 0;
  if (sscanf(at, "# include %1[<\"]%63[a-zA-Z0-9_./]%c%n", bracket, name, &close, &used) != 3) return 0;
  return close == (*bracket == '<' ? '>' : '"') ? (size_t)used : 0;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void add_ahead(sl_ahead *ahead, const char *header) {
  for (unsigned k = 0; k < ahead->n; k++)
    if (!strcmp(ahead->header[k], header)) return;
  if (ahead->n < SL_MAX_AHEAD) strcpy(ahead->header[ahead->n++], header);
}

void sl__headers_ahead(const char *source, unsigned allowed, sl_ahead *ahead) {
  char name[SL_HEADER_NAME], bracket[2];
  const char *at = behind_blanks(source);
  ahead->n = 0;
  for (size_t used; (used = read_include(at, name, bracket)); at = behind_blanks(at + used))
    if (*bracket == '<' && !strstr(name, "..") && sl__library_allowed(name, allowed)) add_ahead(ahead, name);
  qsort(ahead->header, ahead->n, sizeof *ahead->header, by_name);
}

unsigned sl__beginning_of(const sl_ahead *ahead) {
  uint32_t hash = 2166136261; // FNV-1a
  for (unsigned k = 0; k < ahead->n; k++)
    for (const char *c = ahead->header[k]; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619;
  return ahead->n ? 1 + hash % (SL_BEGINNINGS - 1) : 0;
}
