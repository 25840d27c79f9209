// Prints the findings of a run on stderr, and makes the commands that show them again.
#include "tools/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void sl__replay(const char *words, const sl_gpu_options *o, char *const *program, char *out, size_t cap) {
  char tool[SL_REPLAY_MAX];
  sl_schedule_replay(sl_schedule_tool(words, tool, sizeof tool), o, program, out, cap);
}

void sl__print_findings(const sl_finding *f, size_t n, const sl_telling *t) {
  sl_telling told = *t;
  if (n == 0) return;
  told.colour = sl_wants_colour(STDERR_FILENO);
  char *text = sl_findings_text(f, n, &told);
  if (text) fprintf(stderr, "%s\n", text);
  free(text);
  fprintf(stderr, "sl-sim: %zu finding%s\n", n, n == 1 ? "" : "s");
}
