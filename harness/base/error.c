// Errors with a reason and a hint.
//
// Interface: sl_fail fills an sl_error once (the first error of a chain of calls is the cause, later ones are
// consequences), sl_error_at before it adds the source line; sl_error_print writes it for a person.
// sl_printable makes any bytes safe for a terminal: messages quote names of files and contents of bad inputs,
// which must not move the cursor or forge a line.
#include "base/base.h"

bool sl_fail(sl_error *e, int code, const char *hint, const char *fmt, ...) {
  if (!e || e->code) return false;
  e->code = code ? code : SL_EXIT_INFRA;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(e->text, sizeof e->text, fmt, ap);
  va_end(ap);
  snprintf(e->hint, sizeof e->hint, "%s", hint ? hint : "");
  sl_as_called(e->hint);
  return false;
}

void sl_error_at(sl_error *e, const char *file, uint32_t line) {
  if (!e || e->code) return;
  snprintf(e->file, sizeof e->file, "%s", file);
  e->line = line;
}

char *sl_error_text(const sl_error *e, char *out, size_t cap) {
  snprintf(out, cap, e->file[0] ? "%s (from %s:%u)" : "%s", e->text, e->file, e->line);
  return out;
}

// Does [s] begin with a character that turns text round or is invisible? It could disguise names and lines.
static bool misleads(const unsigned char *s) {
  if (s[0] == 0xEF) return s[1] == 0xBB && s[2] == 0xBF;                                   // U+FEFF
  if (s[0] != 0xE2 || (s[1] != 0x80 && s[1] != 0x81)) return s[0] == 0xD8 && s[1] == 0x9C; // U+061C
  // U+200B, U+200E.., U+2028..
  return s[1] == 0x80 ? s[2] == 0x8B || s[2] == 0x8E || s[2] == 0x8F || (s[2] >= 0xA8 && s[2] <= 0xAE)
                      // U+2060..
                      : s[2] >= 0xA0 && s[2] <= 0xAF;
}

// Length of the valid UTF-8 sequence at [s] (shortest form, no surrogates, no C1 controls, nothing that
// misleads), 0 if there is none.
static size_t utf8_len(const unsigned char *s) {
  if (s[0] < 0x80) return 1;
  size_t len = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
  if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
  for (size_t i = 1; i < len; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  bool bad = (s[0] == 0xC2 && s[1] < 0xA0) || (s[0] == 0xE0 && s[1] < 0xA0) ||
             (s[0] == 0xED && s[1] >= 0xA0) || (s[0] == 0xF0 && s[1] < 0x90) ||
             (s[0] == 0xF4 && s[1] >= 0x90);
  return bad || misleads(s) ? 0 : len;
}

char *sl_printable(const char *s, char *out, size_t cap) {
  const unsigned char *p = (const unsigned char *)s;
  size_t used = 0;
  if (cap == 0) return out;
  while (*p) {
    size_t len = utf8_len(p);
    bool escape = len == 0 || *p < 0x20 || *p == 0x7F;
    if (used + (escape ? 4 : len) >= cap) break;
    if (escape) {
      snprintf(out + used, cap - used, "\\x%02X", *p++);
      used += 4;
    } else {
      memcpy(out + used, p, len);
      used += len;
      p += len;
    }
  }
  out[used] = 0;
  return out;
}

// In lines of at most SL_COLUMNS on a terminal; elsewhere in one line, which programs can search.
static void put_words(FILE *to, const char *tool, const char *label, const char *text, int indent) {
  SL_FREED char *words = sl_path(" %s", text);
  const int column = fprintf(to, "%s%s", tool, label);
  if (isatty(STDERR_FILENO)) sl_print_words(to, words, column, indent, sl_columns(STDERR_FILENO, SL_COLUMNS));
  else fprintf(to, "%s\n", words);
}

void sl_error_print(const char *tool, const sl_error *e) {
  char raw[sizeof e->text + sizeof e->file + 32], text[4 * sizeof raw], hint[4 * sizeof e->hint];
  sl_printable(sl_error_text(e, raw, sizeof raw), text, sizeof text);
  sl_printable(e->hint, hint, sizeof hint);
  fflush(stdout);
  char *whole = NULL; // one write, as several processes may share stderr
  FILE *to = sl_text_stream(&whole);
  put_words(to, tool, ": error:", text, 2);
  if (hint[0]) put_words(to, "", "  hint:", hint, (int)strlen("  hint: "));
  fclose(to);
  fputs(whole, stderr);
  free(whole);
}
