// Every function that the simulated GPU refuses says what it is, who refuses it, why, what to do instead;
// once; and returns cudaErrorNotSupported. The build lists them in unsupported.def; programs call them so.
#include <stdio.h>
#include <unistd.h>

#define SL_UNSUPPORTED(name) int name(void);
#include "base/unit.h"
#include "unsupported.def" // the build makes it
#undef SL_UNSUPPORTED

static const struct {
  const char *name;
  int (*call)(void);
} refused[] = {
#define SL_UNSUPPORTED(name) {#name, name},
#include "unsupported.def" // the build makes it
#undef SL_UNSUPPORTED
};

// What [call] writes to stderr.
static const char *said_by(int (*call)(void), int *result) {
  static char text[1024];
  FILE *to = tmpfile();
  int old = dup(2);
  assert_non_null(to);
  fflush(stderr);
  dup2(fileno(to), 2);
  *result = call();
  fflush(stderr);
  dup2(old, 2);
  close(old);
  rewind(to);
  text[fread(text, 1, sizeof text - 1, to)] = 0;
  fclose(to);
  return text;
}

// The reason and what to do stand behind the last colon, apart by "; "; the second begins with a verb.
static void check_text(const char *name, const char *text) {
  static const char *const verbs[] = {"use ",  "copy ", "share ", "allocate ", "capture ", "destroy ",
                                      "take ", "link ", "go ",    "leave ",    "wait ",    "read "};
  char who[200];
  snprintf(who, sizeof who, "libcudart (simulated GPU): %s is not supported by the simulated GPU: ", name);
  if (strncmp(text, who, strlen(who)) != 0) fail_msg("%s: what and who are missing: %s", name, text);
  const char *why = text + strlen(who), *instead = strstr(why, "; ");
  if (!instead || instead - why < 15) fail_msg("%s: no reason: %s", name, text);
  size_t k = 0;
  while (k < sizeof verbs / sizeof *verbs && strncmp(instead + 2, verbs[k], strlen(verbs[k])) != 0) k++;
  if (k == sizeof verbs / sizeof *verbs) fail_msg("%s: does not say what to do: %s", name, text);
  if (strstr(text, "nobody has needed it")) fail_msg("%s has no row of its own", name);
  const char *end = strchr(text, '\n');
  if (!end || end[1]) fail_msg("%s: not one line: %s", name, text);
}

TEST(test_refusals) {
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
    int e;
    check_text(refused[k].name, said_by(refused[k].call, &e));
    assert_int_equal(e, 801);
    assert_string_equal(said_by(refused[k].call, &e), "");
    assert_int_equal(e, 801);
  }
}
