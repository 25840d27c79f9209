// The command that runs one case again, and running it: with findings, or smaller than it is.
//
// Interface: student.h, again.c.
#include "gpu/start/schedule.h"
#include "student.h"

enum { SECONDS = 30, OUTPUT_CAP = 4 << 20, MOST_WORDS = 32 };

static void put_scalars(FILE *f, const sl_case *c) {
  for (unsigned k = 0; k < c->n_scalars; k++)
    fprintf(f, "%s%lld", k ? "," : " --scalars ", (long long)c->scalars[k]);
}

void sl__put_options(FILE *f, const sl_lab_info *lab, const sl_case *c) {
  sl_case usual;
  sl_case_init(&usual, lab);
  if (c->entry != usual.entry) fprintf(f, " --entry %s", sl_entry_names[c->entry]);
  if (c->type != usual.type) fprintf(f, " --type %s", sl_type_names[c->type]);
  if (c->op != usual.op) fprintf(f, " --op %s", sl_op_names[c->op]);
  if (c->kind != usual.kind) fprintf(f, " --scan %s", sl_kind_names[c->kind]);
  if (c->tile != usual.tile) fprintf(f, " --tile %s", sl_tile_names[c->tile]);
  put_scalars(f, c);
  if (c->entry == SL_ENTRY_SORT) fprintf(f, " --bits %u%s", c->bits, c->values ? " --values" : "");
}

void sl__put_case(FILE *f, const sl_lab_info *lab, const sl_case *c) {
  if (c->part->kind != SL_PART_CORRECT || sl_case_has_companions(c) || c->rotated ||
      c->schedules[0]) { // more than one call, counters to judge, or a dataset that begins elsewhere
    fprintf(f, " --case %s.%s", c->part->id, c->id);
    return;
  }
  if (c->unaligned) fputs(" --unaligned", f);
  if (c->n != SL_WHOLE) fprintf(f, " --n %llu", (unsigned long long)c->n);
  fprintf(f, c->dataset[0] ? " --data %s" : " --dist %s", c->dataset[0] ? c->dataset : c->dist);
  if (!c->dataset[0]) fprintf(f, " --seed %llu", (unsigned long long)c->seed);
  sl__put_options(f, lab, c);
}

void sl__put_file(FILE *f, const sl_lab_info *lab, const char *kernel) {
  SL_FREED char *standard = sl_lab_kernel(lab->name);
  if (strcmp(kernel, standard) != 0) {
    SL_FREED char *word = sl_shell_line((char *const[]){(char *)kernel, NULL}, NULL);
    fprintf(f, " --file %s", word);
  }
}

void sl__put_all(FILE *f, const sl_ladder *l) {
  fprintf(f, "%s check %s", sl_scanlab(), l->lab->info->number);
  if (l->only) fprintf(f, " --part %s", l->only);
  sl__put_file(f, l->lab->info, l->kernel);
  if (strcmp(l->backend, SL_DEFAULT_BACKEND) != 0) fprintf(f, " --backend %s", l->backend);
  fputs(" --all\n", f);
}

char *sl__replay(const sl_ladder *l, const sl_case *c) {
  char *text = NULL;
  FILE *f = sl_text_stream(&text);
  fprintf(f, "%s run %s", sl_scanlab(), l->lab->info->number);
  sl__put_case(f, l->lab->info, c);
  sl__put_file(f, l->lab->info, l->kernel);
  if (strcmp(l->backend, SL_DEFAULT_BACKEND) != 0) fprintf(f, " --backend %s", l->backend);
  const char *schedule = getenv(SL_SCHEDULE_ENV); // set by check --schedule
  if (schedule && *schedule) fprintf(f, " --schedule %s", schedule);
  fclose(f);
  return text;
}

// Splits at blanks: options and names of cases have none of their own.
static size_t split(char *text, const char *out[MOST_WORDS]) {
  size_t n = 0;
  for (char *rest, *word = strtok_r(text, " ", &rest); word && n < MOST_WORDS;
       word = strtok_r(NULL, " ", &rest))
    out[n++] = word;
  return n;
}

json_t *sl__run_again(const sl_ladder *l, const char *options) {
  enum { FIXED = 12 };
  SL_FREED char *run = sl_tool_path("sl-run"), *out = NULL, *words = sl_path("%s", options);
  SL_FREED char *standard = sl_lab_kernel(l->lab->info->name);
  const bool own = strcmp(l->kernel, standard) == 0;
  const char *argv[MOST_WORDS + FIXED] = {
      run, l->lab->info->number, "--check", "--json", "--repeats", "0", "--colour", l->colour ? "1" : "0"};
  sl_error e = {0};
  size_t n = 8;
  n += split(words, argv + n);
  if (!own) argv[n++] = "--file", argv[n++] = l->kernel;
  sl_run_by_work((char *const *)argv, NULL, SECONDS, OUTPUT_CAP, &out, &e);
  return out ? json_loads(out, 0, NULL) : NULL;
}
