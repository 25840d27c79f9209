// `--schedules K`: the program runs under K orders of blocks and warps. What it copies from the device and its
// exit status must be the same in all; where they are not, the program lacks a barrier, a fence or an atomic.
//
// The first run is an ordinary one. The others are runs of sl-sim itself with --digest, as many at once as there
// are cores, without input and output.
#include "cudart/sim/sim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct schedule {
  char seed[24], file[160];
  const char *order, *warps;
  sl_child child;
} schedule;

// Numbers from 1. Neighbours differ in both orders; seeds make those that come again new ones.
static void choose(schedule *s, const sl_schedules *a, int64_t k) {
  static const char *const ORDERS[] = {"reverse", "random", "in"};
  static const char *const WARPS[] = {"round-robin", "random", "one-ahead", "greedy"};
  s->order = ORDERS[(k - 1) % 3];
  s->warps = WARPS[(k - 1) % 4];
  snprintf(s->seed, sizeof s->seed, "%llu", (unsigned long long)(a->seed + (uint64_t)k));
  snprintf(s->file, sizeof s->file, "%s/run-%lld", a->dir, (long long)k);
}

static bool begin(schedule *s, const sl_schedules *a, int quiet, sl_error *e) {
  size_t words = 0, n = 0;
  while (a->program[words]) words++;
  char *bin = sl_exe_dir(), *sim = sl_path("%s/sl-sim", bin), **argv = calloc(words + 20, sizeof *argv);
  const char *const head[] = {sim,       "--order",  s->order,  "--warps",   s->warps,  "--seed",   s->seed,
                              "--profile", a->profile, "--resident", a->resident, "--timeout", a->timeout,
                              "--no-checks", "--no-counters", "--digest", s->file, "--"};
  bool ok = argv != NULL;
  for (; ok && n < sizeof head / sizeof *head; n++) argv[n] = (char *)head[n];
  for (size_t k = 0; ok && k < words; k++) argv[n++] = a->program[k];
  ok = ok && sl_spawn(&s->child, argv, NULL, NULL, NULL, quiet, e);
  free(argv), free(sim), free(bin);
  return ok;
}

// What the run wrote with --digest; "" when it wrote nothing.
static void finish(schedule *s, char *out, size_t cap) {
  size_t len = 0;
  sl_wait(&s->child, 0);
  char *text = sl_read_file(s->file, 1 << 12, &len, NULL);
  snprintf(out, cap, "%.*s", (int)len, text ? text : "");
  free(text);
  unlink(s->file);
}

static void tell(const sl_schedules *a, const schedule *s, const char *got) {
  fprintf(stderr,
          "error[schedule.differs]: the result depends on the order in which blocks and warps run\n"
          "  with --order %s --warps %s --seed %llu: %s\n  with --order %s --warps %s --seed %s: %s\n"
          "  run it again: sl-sim --order %s --warps %s --seed %s --resident %s --profile %s --",
          a->order, a->warps, (unsigned long long)a->seed, a->digest, s->order, s->warps, s->seed,
          *got ? got : "did not end", s->order, s->warps, s->seed, a->resident, a->profile);
  for (char **w = a->program; *w; w++) {
    char word[1024];
    fprintf(stderr, " %s", sl_printable(*w, word, sizeof word));
  }
  fputc('\n', stderr);
}

bool sl__run_schedules(const sl_schedules *a, int64_t count, sl_error *e) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int64_t at_once = cores < 1 ? 1 : cores > 64 ? 64 : cores, differ = 0;
  schedule run[64];
  int quiet = open("/dev/null", O_RDWR | O_CLOEXEC);
  bool ok = quiet >= 0 || sl_fail(e, SL_EXIT_INFRA, NULL, "cannot open /dev/null");
  for (int64_t k = 1; ok && k < count;) {
    int64_t n = 0;
    for (; n < at_once && k + n < count && ok; n += ok) {
      choose(&run[n], a, k + n);
      ok = begin(&run[n], a, quiet, e);
    }
    for (int64_t i = 0; i < n; i++) {
      char got[256];
      finish(&run[i], got, sizeof got);
      if (strcmp(got, a->digest) != 0 && differ++ == 0) tell(a, &run[i], got);
    }
    k += n;
  }
  if (quiet >= 0) close(quiet);
  if (ok)
    fprintf(stderr, "sl-sim: %lld schedules, %lld differ from the first\n", (long long)count, (long long)differ);
  return ok;
}
