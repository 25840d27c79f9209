// Findings for people, in the form that editors know: FILE:LINE: error[id]: message.
#include "cudart/sim/sim.h"

#include <stdio.h>

static void print_where(const sl_finding *f) {
  char kernel[1024];
  if (!f->kernel[0]) return;
  fprintf(stderr, "  in kernel %s, block (%u,%u,%u), thread (%u,%u,%u)\n",
          sl_printable(f->kernel, kernel, sizeof kernel), f->block[0], f->block[1], f->block[2], f->thread[0],
          f->thread[1], f->thread[2]);
}

static void print_one(const sl_finding *f) {
  char file[2048], message[4096], id[128];
  sl_printable(f->file, file, sizeof file);
  sl_printable(f->message, message, sizeof message);
  sl_printable(f->id, id, sizeof id);
  if (f->file[0]) fprintf(stderr, "%s:%u: ", file, f->line);
  fprintf(stderr, "error[%s]: %s\n", id, message);
  print_where(f);
  if (f->other_file[0])
    fprintf(stderr, "  the other access: %s:%u\n", sl_printable(f->other_file, file, sizeof file),
            f->other_line);
  if (f->replay[0]) fprintf(stderr, "  replay: %s\n", sl_printable(f->replay, message, sizeof message));
  if (f->count > 1) fprintf(stderr, "  (%llu times)\n", (unsigned long long)f->count);
}

void sl__print_findings(const sl_finding *f, size_t n) {
  if (n == 0) return;
  for (size_t i = 0; i < n; i++) print_one(&f[i]);
  fprintf(stderr, "sl-sim: %zu finding%s\n", n, n == 1 ? "" : "s");
}
