// Which of the libraries' headers a source includes before anything else. They take longer to read than the
// rest of a kernel, so that they are read once for all kernels that begin so (headers.c): nvcc is told to
// include them ahead of the source, whose own #include then finds them read.
//
// Interface: libraries.h. Whatever stands before an #include could change what it gives, a macro for example.
// So the look ends at the first line that is neither empty, nor a comment, nor an #include.
#include "compile/libraries.h"

#include <ctype.h>

// In the order in which nvcc reads them. Other headers are read where they stand.
static const char *const headers[SL_MAX_AHEAD] = {"cooperative_groups.h",
                                                  "cooperative_groups/reduce.h",
                                                  "cooperative_groups/scan.h",
                                                  "cuda/atomic",
                                                  "cuda/barrier",
                                                  "cuda/pipeline"};

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
static size_t read_include(const char *at, char name[static 64], char *bracket) {
  int used = 0;
  char close = 0;
  if (sscanf(at, "# include %1[<\"]%63[a-zA-Z0-9_./]%c%n", bracket, name, &close, &used) != 3) return 0;
  return close == (*bracket == '<' ? '>' : '"') ? (size_t)used : 0;
}

unsigned sl__headers_ahead(const char *source, unsigned allowed, const char *ahead[static SL_MAX_AHEAD]) {
  char name[64], bracket[2];
  bool found[SL_MAX_AHEAD] = {0};
  unsigned n = 0;
  const char *at = behind_blanks(source);
  for (size_t used; (used = read_include(at, name, bracket)); at = behind_blanks(at + used))
    for (unsigned k = 0; k < SL_MAX_AHEAD && *bracket == '<'; k++) found[k] |= !strcmp(name, headers[k]);
  for (unsigned k = 0; k < SL_MAX_AHEAD; k++)
    if (found[k] && sl__library_allowed(headers[k], allowed)) ahead[n++] = headers[k];
  return n;
}

unsigned sl__ahead_bits(const char *const *ahead, unsigned n) {
  unsigned bits = 0;
  for (unsigned k = 0; k < n; k++)
    for (unsigned h = 0; h < SL_MAX_AHEAD; h++) bits |= (unsigned)(ahead[k] == headers[h]) << h;
  return bits;
}
