// Prints findings and counters of a run on stderr, and makes the commands that show findings again.
#include "tools/sim/sim.h"

void sl__replay(const char *words, const sl_gpu_options *o, char *const *program, char *out, size_t cap) {
  char tool[SL_REPLAY_MAX];
  sl_schedule_replay(sl_schedule_tool(words, tool, sizeof tool), o, program, out, cap);
}

// "2 findings, 1 note"
static void put_count(FILE *to, const sl_finding *f, size_t n) {
  size_t notes = 0;
  for (size_t k = 0; k < n; k++) notes += sl_found_is_note(f[k].id);
  fprintf(to, "\nsl-sim: ");
  if (n > notes) fprintf(to, "%zu finding%s%s", n - notes, sl_plural(n - notes), notes ? ", " : "");
  if (notes) fprintf(to, "%zu note%s", notes, sl_plural(notes));
  fputc('\n', to);
}

void sl__print_findings(const sl_finding *f, size_t n, const sl_telling *t) {
  sl_telling told = *t;
  if (n == 0) return;
  told.colour = sl_wants_colour(STDERR_FILENO);
  char *text = NULL; // one write, as the program may write at the same time
  FILE *to = sl_text_stream(&text);
  sl_findings_print(to, f, n, &told);
  put_count(to, f, n);
  fclose(to);
  fputs(text, stderr);
  free(text);
}

static void print_extent(const uint32_t d[3]) {
  if (d[2] > 1) fprintf(stderr, "(%u,%u,%u)", d[0], d[1], d[2]);
  else if (d[1] > 1) fprintf(stderr, "(%u,%u)", d[0], d[1]);
  else fprintf(stderr, "%u", d[0]);
}

void sl__print_counters(const sl_launch_record *at, size_t n) {
  char name[256];
  for (const sl_launch_record *r = at; r < at + n; r++) {
    const sl_counters *c = &r->counters;
    fprintf(stderr, "%s<<<", sl_demangle(r->name, name, sizeof name));
    print_extent(r->grid);
    fputc(',', stderr);
    print_extent(r->block);
    fprintf(stderr, ">>>: sectors %llu loaded, %llu stored; replays %llu; atomics %llu; barriers %llu\n",
            (unsigned long long)c->global_ld_sectors, (unsigned long long)c->global_st_sectors,
            (unsigned long long)(c->shared_ld_replays + c->shared_st_replays), (unsigned long long)c->atomics,
            (unsigned long long)c->barriers);
  }
}
