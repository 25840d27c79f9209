// Stands in for sl-judge in the tests of the grader: takes the same options and behaves as the case's id
// says. It decides nothing about kernels; the gradings from end to end use the real judge.
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *option(int argc, char **argv, const char *name) {
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], name) == 0) return argv[i + 1];
  return "";
}

typedef struct behaviour {
  const char *id, *status, *message;
  double points;
  const char *nonce, *part; // NULL: the right one
  int code;                 // exit code; negative: ended by that signal
  bool record;
} behaviour;

static const behaviour table[] = {
    {"pass", "pass", "all 1 right", 7, NULL, NULL, 0, true},
    {"fails", "fail", "2 of 2 wrong", 0, NULL, NULL, 1, true},
    {"hostile", "fail", "<script>alert(1)</script> \\u001b[31m red", 0, NULL, NULL, 1, true},
    {"silent", NULL, NULL, 0, NULL, NULL, 0, false},
    {"forged", "pass", "trust me", 7, "00", NULL, 0, true},
    {"crash", NULL, NULL, 0, NULL, NULL, -SIGABRT, false},
    {"infra", NULL, NULL, 0, NULL, NULL, 4, false},
    {"greedy", "pass", "more", 1000, NULL, NULL, 0, true},
    {"stranger", "pass", "other part", 7, NULL, "other", 0, true},
};

static double share = 1; // of its points

static void write_record(const behaviour *b, int argc, char **argv, const char *part) {
  const char *backend = option(argc, argv, "--backend");
  FILE *f = fopen(option(argc, argv, "--record"), "w");
  if (!f) exit(4);
  double points = strcmp(part, "work") == 0 ? 30 : b->points;
  const char *why =
      getenv("FAKE_JUDGE_HANGS") && strcmp(backend, "gpu") == 0 ? "\"reason\": \"late\", \"fields\": {}"
      : strcmp(b->status, "pass")
          ? "\"reason\": \"counter.most\", \"fields\": {\"counter\": \"adds\", \"value\": 3, \"bound\": 2}"
          : "\"reason\": \"right\", \"fields\": {}";
  fprintf(f,
          "{\"test\": \"01.%s.%s.%s\", \"lab\": \"01_naive_scan\", \"part\": \"%s\", \"case\": \"%s\", "
          "\"backend\": \"%s\", \"status\": \"%s\", %s, \"points\": %g, \"max\": %g, \"message\": \"%s\", "
          "\"detail\": \"a\\nb\", \"seconds\": 0.25, \"nonce\": \"%s\"}",
          part, b->id, backend, b->part ? b->part : part, b->id, backend, b->status, why, share * points,
          points, b->message, b->nonce ? b->nonce : option(argc, argv, "--nonce"));
  fclose(f);
}

// It sleeps for thirty seconds, one of which its watcher sees on a busy machine, too; or it is stopped for
// three, as a process to which a busy machine gives no processor time.
static void rest(const char *how) {
  enum { ASLEEP = 30, STOPPED = 3 };
  while (clock() < CLOCKS_PER_SEC / 20) continue; // some processor time, without which no limit counts
  if (strcmp(how, "asleep") == 0) {
    for (int left = ASLEEP; (left = (int)sleep((unsigned)left)) > 0;) continue;
  } else if (fork() == 0) {
    sleep(STOPPED);
    kill(getppid(), SIGCONT);
    _exit(0);
  } else raise(SIGSTOP);
}

// How often this test was judged before; a letter a call is kept.
static size_t tries_before(int argc, char **argv) {
  char path[512];
  snprintf(path, sizeof path, "%s.tries", option(argc, argv, "--record"));
  FILE *tries = fopen(path, "a");
  if (!tries) return 0;
  fseek(tries, 0, SEEK_END);
  const long before = ftell(tries);
  fputc('x', tries);
  fclose(tries);
  return (size_t)before;
}

// FAKE_JUDGE_TIMED: the points of a timed test, a character a try: '9' is all of them, 'x' no verdict.
static int timed(int argc, char **argv, const char *name, const char *id, size_t try) {
  const char *points = getenv("FAKE_JUDGE_TIMED");
  const char now = points[try < strlen(points) ? try : strlen(points) - 1];
  if (now == 'x') return 4;
  const int tenths = now - '0' + 1;
  const behaviour here = {id, tenths < 10 ? "fail" : "pass", "timed", 0, NULL, NULL, tenths < 10, true};
  share = tenths / 10.0;
  write_record(&here, argc, argv, name);
  return here.code;
}

int main(int argc, char **argv) {
  char name[64];
  snprintf(name, sizeof name, "%s", option(argc, argv, "--case"));
  char *id = strchr(name, '.');
  if (!id) return 2;
  *id++ = 0;
  char limit[512];
  snprintf(limit, sizeof limit, "%s.timeout", option(argc, argv, "--record"));
  FILE *told = fopen(limit, "w");
  if (told) fputs(option(argc, argv, "--timeout"), told), fclose(told);
  const size_t before = tries_before(argc, argv);
  if (getenv("FAKE_JUDGE_TIMED") && strcmp(name, "work") == 0) return timed(argc, argv, name, id, before);
  static const behaviour hangs = {"", "fail", "did not end", 0, NULL, NULL, 1, true};
  if (getenv("FAKE_JUDGE_HANGS") && strcmp(option(argc, argv, "--backend"), "gpu") == 0) {
    behaviour here = hangs;
    here.id = id;
    write_record(&here, argc, argv, name);
    return here.code;
  }
  if (getenv("FAKE_JUDGE_WAITS")) rest(getenv("FAKE_JUDGE_WAITS"));
  printf("<CTestMeasurement type=\"numeric/double\" name=\"score\">100</CTestMeasurement>\n");
  if (strcmp(id, "garbled") == 0) {
    FILE *f = fopen(option(argc, argv, "--record"), "w");
    if (!f) return 4;
    fputs("{\"test\": \"01.scan.garbled.sim\", \"status\": \"pa", f);
    fclose(f);
    return 0;
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const behaviour *b = &table[i];
    if (strcmp(b->id, id) != 0) continue;
    if (b->record) write_record(b, argc, argv, name);
    fflush(stdout);
    if (b->code < 0) kill(getpid(), -b->code);
    return b->code;
  }
  return 2;
}
