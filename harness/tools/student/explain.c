// The first failure of a check: the message, what is wrong with which elements, the findings, the
// command that runs this one case again and the one that helps.
//
// Interface: student.h, explain.c. A case that was not judged under observation runs so once more.
#include "gpu/start/schedule.h"
#include "student.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OBSERVE_SECONDS = 30, OUTPUT_CAP = 4 << 20, MAX_FINDINGS = 3 };

static const char *text_of(const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  return s ? s : "";
}

// Commands --------------------------------------------------------------------------------------------------

// Writes the options that differ from the lab's defaults.
static void put_options(FILE *f, const sl_lab_info *lab, const sl_case *c) {
  sl_case usual;
  sl_case_init(&usual, lab);
  if (c->entry != usual.entry) fprintf(f, " --entry %s", sl_entry_names[c->entry]);
  if (c->type != usual.type) fprintf(f, " --type %s", sl_type_names[c->type]);
  if (c->op != usual.op) fprintf(f, " --op %s", sl_op_names[c->op]);
  if (c->kind != usual.kind) fprintf(f, " --scan %s", sl_kind_names[c->kind]);
  if (c->tile != usual.tile) fprintf(f, " --tile %s", sl_tile_names[c->tile]);
  if (c->unaligned) fputs(" --unaligned", f);
  if (c->entry == SL_ENTRY_SORT) fprintf(f, " --bits %u%s", c->bits, c->values ? " --values" : "");
}

static void put_case(FILE *f, const sl_lab_info *lab, const sl_case *c) {
  if (c->part->kind != SL_PART_CORRECT || sl_case_has_companions(c) ||
      c->schedules[0]) { // more than one call, or counters to judge
    fprintf(f, " --case %s.%s", c->part->id, c->id);
    return;
  }
  if (c->n != SL_WHOLE) fprintf(f, " --n %llu", (unsigned long long)c->n);
  fprintf(f, c->dataset[0] ? " --data %s" : " --dist %s", c->dataset[0] ? c->dataset : c->dist);
  if (!c->dataset[0]) fprintf(f, " --seed %llu", (unsigned long long)c->seed);
  put_options(f, lab, c);
}

void sl__put_file(FILE *f, const sl_lab_info *lab, const char *kernel) {
  char *standard = sl_lab_kernel(lab->name);
  if (strcmp(kernel, standard) != 0) {
    char *word = sl_shell_line((char *const[]){(char *)kernel, NULL}, NULL);
    fprintf(f, " --file %s", word);
    free(word);
  }
  free(standard);
}

char *sl__replay(const sl_ladder *l, const sl_case *c) {
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  if (!f) abort();
  fprintf(f, "%s run %s", sl_scanlab(), l->lab->info->number);
  put_case(f, l->lab->info, c);
  sl__put_file(f, l->lab->info, l->kernel);
  if (strcmp(l->backend, SL_DEFAULT_BACKEND) != 0) fprintf(f, " --backend %s", l->backend);
  const char *schedule = getenv(SL_SCHEDULE_ENV); // set by check --schedule
  if (schedule && *schedule) fprintf(f, " --schedule %s", schedule);
  fclose(f);
  return text;
}

// The first region that is still open, 0 if there is none.
static unsigned open_region(const sl_skeleton *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].open) return (unsigned)i + 1;
  return 0;
}

static sl_reason reason_of(const sl_ladder *l) {
  return l->failed ? sl_reason_find(text_of(l->failed->record, "reason")) : SL_REASON_COUNT;
}

static bool no_launch(sl_reason why) {
  return why == SL_REASON_RESULT_NO_LAUNCH || why == SL_REASON_COMPUTED_NOWHERE;
}

// Does the file have code that nothing launches, as the region for the launch is still open?
static bool lacks_launch(const sl_ladder *l, const sl_skeleton *s) {
  uint64_t k = l->lab->launch;
  return s->n_untouched < s->n && no_launch(reason_of(l)) && k > 0 && k <= s->n && s->at[k - 1].open;
}

// The hint for the region of [line]; else for the launch, if that is missing; else for the first open region;
// else the list of regions.
char *sl__hint_command(const sl_ladder *l, uint32_t line) {
  sl_skeleton s;
  unsigned k = 0;
  if (sl__skeleton_read(l->kernel, l->lab->info, &s, NULL)) {
    k = line ? sl__region_at(&s, line) : 0;
    if (!k) k = lacks_launch(l, &s) ? (unsigned)l->lab->launch : open_region(&s);
    sl__skeleton_free(&s);
  }
  return k ? sl_path("%s hint %s.%u", sl_scanlab(), l->lab->info->number, k)
           : sl_path("%s hint %s", sl_scanlab(), l->lab->info->number);
}

// Findings --------------------------------------------------------------------------------------------------

static json_t *observe(const sl_ladder *l) {
  char *run = sl_tool_path("sl-run"), *out = NULL;
  char *name = sl_path("%s.%s", l->failed->c->part->id, l->failed->c->id);
  sl_error e = {0};
  char *standard = sl_lab_kernel(l->lab->info->name);
  bool own = strcmp(l->kernel, standard) == 0;
  const char *colour = l->colour ? "1" : "0";
  const char *argv[] = {
      run,    l->lab->info->number,  "--case",  name, "--check", "--repeats", "0", "--json", "--colour",
      colour, own ? NULL : "--file", l->kernel, NULL};
  sl_run((char *const *)argv, NULL, OBSERVE_SECONDS, OUTPUT_CAP, &out, &e);
  json_t *record = out ? json_loads(out, 0, NULL) : NULL;
  json_t *list = json_incref(json_object_get(record, "findings"));
  json_decref(record);
  free(standard);
  free(name);
  free(out);
  free(run);
  return list;
}

// Findings of an observed run come first: they name causes. A plain run knows only where it ended.
json_t *sl__findings(const sl_ladder *l) {
  json_t *list = json_object_get(l->failed->record, "findings");
  bool clean = l->failed->c->part->kind == SL_PART_CLEAN, quick = l->failed->seconds < OBSERVE_SECONDS / 6.;
  json_t *seen = !clean && quick ? observe(l) : NULL;
  if (json_array_size(seen) > 0) return seen;
  json_decref(seen);
  return list ? json_incref(list) : json_array();
}

// The finding's line if it is in the student's file, else 0.
static uint32_t line_of_finding(const sl_ladder *l, const json_t *finding) {
  bool own = !strcmp(sl_base_name(text_of(finding, "file")), sl_base_name(l->kernel));
  return own ? (uint32_t)json_integer_value(json_object_get(finding, "line")) : 0;
}

// Prints the finding's text; !whole: only its first lines, which say where it is and what.
static void show_finding(const json_t *f, bool whole) {
  const char *text = text_of(f, "text");
  putchar('\n');
  for (int line = 0; *text && (whole || line < 3); line++) {
    size_t len = strcspn(text, "\n");
    printf("  %.*s\n", (int)len, text);
    text += len + (text[len] == '\n');
  }
}

// The failure -----------------------------------------------------------------------------------------------

static bool has_number(const json_t *list, json_int_t number) {
  for (size_t k = 0; k < json_array_size(list); k++)
    if (json_integer_value(json_array_get(list, k)) == number) return true;
  return false;
}

// The judge's detail within 80 columns. Only the first wrong element is shown with its neighbours, which stand
// in the lines that [neighbours] lists.
static void show_detail(const char *text, const json_t *neighbours) {
  bool shown = false;
  for (json_int_t k = 0; *text; k++) {
    size_t len = strcspn(text, "\n");
    char *line = sl_path("%.*s", (int)len, text), *words = line + strspn(line, " ");
    char *indent = sl_path("    %*s", (int)(words - line), "");
    char *deeper = sl_path("%s  ", indent);
    bool around = has_number(neighbours, k);
    if (!around || !shown) sl__wrap(stdout, indent, deeper, words);
    shown |= around;
    free(deeper);
    free(indent);
    free(line);
    text += len + (text[len] == '\n');
  }
}

static void show_log(const char *text) {
  while (*text) {
    size_t len = strcspn(text, "\n");
    printf(len ? "    %.*s\n" : "\n", (int)len, text);
    text += len + (text[len] == '\n');
  }
}

static bool nothing_to_see(sl_reason why) {
  static const sl_reason NO_END[] = {SL_REASON_LATE, SL_REASON_LATE_FINDING, SL_REASON_LATE_EXIT,
                                     SL_REASON_PROGRAM_CRASHED, SL_REASON_PROGRAM_EXITED};
  for (size_t k = 0; k < sizeof NO_END / sizeof *NO_END; k++)
    if (why == NO_END[k]) return true;
  return no_launch(why);
}

// Proposes a command: the profile for counters, a picture for a wrong result of few elements.
static void show_look(const sl_ladder *l, const sl_case *c) {
  enum { PICTURE = 64 };
  sl_case usual;
  sl_case_init(&usual, l->lab->info);
  bool counters = c->part->kind == SL_PART_COUNTERS;
  uint64_t n = c->n == 0 && c->n_also ? c->also[0] : c->n;
  if (nothing_to_see(reason_of(l))) return;
  if (strcmp(l->backend, "sim") != 0 || c->entry != usual.entry || n == SL_WHOLE) return;
  if (!counters && (c->part->kind != SL_PART_CORRECT || n == 0 || n > PICTURE)) return;
  printf("  look   %s %s %s --n %llu", sl_scanlab(), counters ? "profile" : "trace", l->lab->info->number,
         (unsigned long long)n);
  sl__put_file(stdout, l->lab->info, l->kernel);
  putchar('\n');
}

// Prints the short message if there is a detail, as that begins with the first wrong element.
static void show_message(const sl_ladder *l) {
  const json_t *record = l->failed->record, *fields = json_object_get(record, "fields");
  const char *detail = text_of(record, "detail");
  sl_reason why = reason_of(l);
  char brief[2048], text[4096];
  sl_reason_brief(why, fields, brief, sizeof brief);
  bool in_short = *detail && sl_reason_of(why)->brief[0];
  sl__wrap(stdout, "  ", "    ",
           in_short ? sl_printable(brief, text, sizeof text) : text_of(record, "message"));
  show_detail(detail, json_object_get(fields, "neighbours"));
}

// A case with several schedules begins with the usual one. If it hangs in a later one, the kernel has ended
// in the usual one.
static void show_order(const sl_case *c, const json_t *fields) {
  const char *schedule = text_of(fields, "schedule");
  bool deadlock = !strcmp(text_of(fields, "finding"), sl_found_name(SL_FOUND_PROGRESS_DEADLOCK));
  if (!deadlock || strncmp(c->schedules, "order=in;", 9) || !*schedule || !strcmp(schedule, "order=in"))
    return;
  putchar('\n');
  sl__wrap(stdout, "  ", "  ",
           "With blocks started in order of their index it does end: it relies on an order that the hardware "
           "does not promise "
           "(docs/reference/findings/progress.order.md).");
}

// Several calls of one process, the first ones right: they must have left something behind.
static void show_calls(const sl_case *c, const json_t *fields) {
  if (c->calls < 2 || c->n == 0 || json_integer_value(json_object_get(fields, "call")) < 2) return;
  putchar('\n');
  sl__wrap(stdout, "  ", "  ",
           "The calls before it, in the same process, were right: look at what a call leaves behind.");
}

// A compiler warning that may be the cause; not one about something declared and never used.
static const char *telling_warning(const char *log) {
  static const char *const unused[] = {"): warning #177-D", "): warning #550-D"};
  for (const char *at = log; (at = strstr(at, "): warning #")); at++) {
    bool tells = true;
    for (size_t k = 0; k < sizeof unused / sizeof *unused; k++)
      tells &= strncmp(at, unused[k], strlen(unused[k])) != 0;
    if (!tells) continue;
    while (at > log && at[-1] != '\n') at--;
    return at;
  }
  return NULL;
}

static void show_warning(const char *log) {
  const char *at = log ? telling_warning(log) : NULL;
  const char *end = at ? strstr(at, "\n\n") : NULL;
  if (!at) return;
  char *text = sl_path("%.*s", end ? (int)(end - at) : (int)strlen(at), at);
  printf("\n  the compiler warned:\n");
  show_log(text);
  free(text);
}

void sl__explain(const sl_ladder *l) {
  const sl_case *c = l->failed->c;
  const json_t *fields = json_object_get(l->failed->record, "fields");
  json_t *findings = sl__findings(l), *first = json_array_get(findings, 0);
  char *again = sl__replay(l, c), *hint = sl__hint_command(l, first ? line_of_finding(l, first) : 0);
  printf("\nfirst failure: %s.%s of \"%s\"\n", c->part->id, c->id, c->part->title);
  show_message(l);
  for (size_t k = 0; k < json_array_size(findings) && k < MAX_FINDINGS; k++)
    show_finding(json_array_get(findings, k), k == 0);
  if (json_array_size(findings) > MAX_FINDINGS)
    printf("\n  (+%zu more findings)\n", json_array_size(findings) - MAX_FINDINGS);
  show_order(c, fields);
  show_calls(c, fields);
  show_warning(l->log);
  printf("\n  again  %s\n", again);
  if (!first) show_look(l, c);
  printf("  hint   %s\n", hint);
  free(again);
  free(hint);
  json_decref(findings);
}

// The line of the first compiler message: "kernel.cu(31): error: ..", 0 if there is none.
static uint32_t error_line(const char *log) {
  const char *error = strstr(log, "): error");
  if (!error) return 0;
  while (error > log && error[-1] >= '0' && error[-1] <= '9') error--;
  return (uint32_t)strtoul(error, NULL, 10);
}

void sl__explain_build(const sl_ladder *l, const sl_error *why) {
  uint32_t line = error_line(l->log ? l->log : "");
  char *hint = sl__hint_command(l, line);
  printf("\nfirst failure: the file does not build\n");
  if (l->log && l->log[0]) show_log(l->log);
  else sl__wrap(stdout, "  ", "    ", why->text);
  printf("\n  hint   %s\n", hint);
  free(hint);
}
