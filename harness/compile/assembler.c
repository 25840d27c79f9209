// The assembler's messages: "kernel.cu:5: Error: no such instruction: `nonsense'". Of an asm outside of
// functions it names its own input instead, "./ccX5kQ2a.s:142:", another name each time.
//
// Interface: sl__name_assembler (compiler.h) makes the compiler's form of both: "kernel.cu(5): error: ..".
// The line of an asm outside of functions is the first one that holds the statement at fault.
#include "compile/compiler.h"

static const char head[] = ": Assembler messages:"; // behind the file's name, in front of all others

// Behind the name of a temporary file that the line begins with; NULL: it begins otherwise.
static const char *behind_temporary(const char *line) {
  const size_t len = strcspn(line, " \n");
  const char *end = memmem(line, len, ".s:", 3),
             *slash = end ? memrchr(line, '/', (size_t)(end - line)) : NULL;
  const char *name = slash ? slash + 1 : line;
  return end && end - name == 8 && !strncmp(name, "cc", 2) ? end + 2 : NULL;
}

// The line of [source] that first holds what stands in `..' in the message; 0: none does.
static unsigned line_of_statement(const char *source, const char *message, size_t len) {
  const char *from = memchr(message, '`', len),
             *to = from ? memrchr(from, '\'', len - (size_t)(from - message)) : NULL;
  const size_t n = to ? (size_t)(to - from - 1) : 0;
  const char *at = n ? memmem(source, strlen(source), from + 1, n) : NULL;
  unsigned line = at != NULL;
  for (const char *c = source; at && c < at; c++) line += *c == '\n';
  return line;
}

// Writes what the assembler says in the line behind its file's name, [rest]. False: it is not its message.
static bool tell(FILE *out, const sl_compile *c, const char *rest, bool own) {
  static const char error[] = ": Error: ";
  const size_t digits = *rest == ':' ? strspn(rest + 1, "0123456789") : 0, len = strcspn(rest, "\n");
  if (!strncmp(rest, head, strlen(head))) return true;
  if (!digits || strncmp(rest + 1 + digits, error, strlen(error)) != 0) return false;
  const char *message = rest + 1 + digits + strlen(error);
  const size_t left = len - (size_t)(message - rest);
  const unsigned line =
      own ? (unsigned)strtoul(rest + 1, NULL, 10) : line_of_statement(c->source, message, left);
  fputs(c->name, out);
  if (line) fprintf(out, "(%u)", line);
  fprintf(out, ": error: %.*s\n", (int)left, message);
  return true;
}

void sl__name_assembler(const sl_compile *c, char **log) {
  char *text = NULL;
  FILE *out = *log && strstr(*log, head) ? sl_text_stream(&text) : NULL;
  if (!out) return;
  for (const char *line = *log; *line; line = sl_next_line(line)) {
    const size_t name = strlen(c->name), len = strcspn(line, "\n");
    const char *temporary = behind_temporary(line);
    const bool own = !temporary && !strncmp(line, c->name, name);
    if ((temporary || own) && tell(out, c, temporary ? temporary : line + name, own)) continue;
    fprintf(out, "%.*s%s", (int)len, line, line[len] ? "\n" : "");
  }
  fclose(out);
  free(*log);
  *log = text;
}
