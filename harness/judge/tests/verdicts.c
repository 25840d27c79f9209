// verdicts: prints the table of docs/reference/verdicts.md: a row a reason, with its text and hint.
#include <stdio.h>
#include "judge/reason.h"

// Fields as their names; what may be left out stays in angle brackets, which are no HTML here.
static void put_text(const char *text) {
  for (; *text; text++)
    if (*text == ':' && text[1] == '%')
      text += __builtin_strchr(text, '}') - text - 1; // the form of a number
    else if (*text == '<') fputs("&lt;", stdout);
    else if (*text == '|') fputs("\\|", stdout);
    else putchar(*text);
}

int main(void) {
  puts("| reason | message | what to do |\n|---|---|---|");
  for (int k = 0; k < SL_REASON_COUNT; k++) {
    const sl_reason_row *r = sl_reason_of((sl_reason)k);
    printf("| `%s` | ", r->id);
    put_text(r->text);
    printf(" | %s |\n", r->hint);
  }
  return 0;
}
