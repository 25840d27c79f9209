// The first failure of a check, in words: first the cause and the line to edit, then what follows from it,
// and the commands that run this case again and that help.
//
// Interface: student.h, explain.c. What is told is found out by failure.c.
#include "findings/findings.h"
#include "student.h"

enum { MAX_FINDINGS = 3 };

// What of a text stands behind the colours that it begins with.
static const char *past_colours(const char *text) {
  while (*text == '\033') text += strcspn(text, "m"), text += *text == 'm';
  return text;
}

// Prints the finding's text, its first line broken to the width; !whole: only its first lines, which say
// where it is and what. A finding names the kernel's file alone: with a path, it opens at a click.
static void show_finding(const sl_ladder *l, const json_t *f, bool whole) {
  const char *text = sl_json_text(f, "text"), *at = past_colours(text), *name = sl_base_name(l->kernel);
  const size_t known = !strncmp(at, name, strlen(name)) && at[strlen(name)] == ':' ? strlen(name) : 0;
  for (int line = 0; *text && (whole || line < 3); line++) {
    size_t len = strcspn(text, "\n");
    SL_FREED char *head =
        line ? NULL
             : sl_path("%.*s%s%.*s", (int)(at - text), text, known ? sl_short_path(l->kernel) : "",
                       (int)(len - (size_t)(at - text) - known), at + known);
    if (head) sl__wrap(stdout, "  ", "    ", head);
    else printf("  %.*s\n", (int)len, text);
    text = sl_next_line(text);
  }
}

// The failure -----------------------------------------------------------------------------------------------

static bool has_number(const json_t *list, json_int_t number) {
  for (size_t k = 0; k < json_array_size(list); k++)
    if (json_integer_value(json_array_get(list, k)) == number) return true;
  return false;
}

// The judge's detail within 80 columns. Only the first wrong element is shown with its neighbours, which
// stand in the lines that [neighbours] lists.
static void show_detail(const char *text, const json_t *neighbours) {
  bool shown = false;
  for (json_int_t k = 0; *text; k++) {
    size_t len = strcspn(text, "\n");
    char *line = sl_path("%.*s", (int)len, text), *words = line + strspn(line, " ");
    SL_FREED char *indent = sl_path("    %*s", (int)(words - line), "");
    SL_FREED char *deeper = sl_path("%s  ", indent);
    bool around = has_number(neighbours, k);
    if (!around || !shown) sl__wrap(stdout, indent, deeper, words);
    shown |= around;
    free(line);
    text = sl_next_line(text);
  }
}

// The column that the caret below a message names; 1: there is none. The compiler moves the source by two.
static unsigned column_of(const char *message) {
  const char *caret = sl_next_line(sl_next_line(message));
  const size_t blanks = strspn(caret, " ");
  return caret[blanks] == '^' && blanks > 2 ? (unsigned)blanks - 1 : 1;
}

// "kernel.cu(31): error: .." as "labs/03_blelloch/kernel.cu:31:5:", which editors and terminals open at a
// click; NULL: the line names no place. [rest]: what of the line is left. malloc'ed.
static char *place_of(const sl_ladder *l, const char *line, const char **rest) {
  const char *name = sl_base_name(l->kernel);
  const size_t len = strlen(name);
  unsigned number;
  int used = 0;
  *rest = line;
  if (strncmp(line, name, len) || sscanf(line + len, "(%u): %n", &number, &used) != 1 || !used) return NULL;
  *rest = line + len + used;
  return sl_path("%s:%u:%u: ", sl_short_path(l->kernel), number, column_of(line));
}

// What the compiler says. Its messages are broken, the source below them is not.
static void show_log(const sl_ladder *l, const char *text) {
  for (; *text; text = sl_next_line(text)) {
    const char *rest;
    SL_FREED char *place = place_of(l, text, &rest);
    SL_FREED char *words = sl_path("%.*s", (int)strcspn(rest, "\n"), rest),
                  *first = sl_path("    %s", place ? place : "");
    if (!place) printf("%s%s\n", *words ? "    " : "", words);
    else sl__wrap(stdout, first, "        ", words);
  }
}

static bool nothing_to_see(sl_reason why) {
  static const sl_reason NO_RESULT[] = {SL_REASON_LATE_FINDING, SL_REASON_PROGRAM_CRASHED,
                                        SL_REASON_PROGRAM_EXITED, SL_REASON_RESULT_NO_LAUNCH,
                                        SL_REASON_COMPUTED_NOWHERE};
  for (size_t k = 0; k < sizeof NO_RESULT / sizeof *NO_RESULT; k++)
    if (why == NO_RESULT[k]) return true;
  return sl_reason_is_endless(why);
}

// Proposes a command: the profile for counters, a picture for few wrong elements, of the same input.
static void show_look(const sl_ladder *l, const sl_failure *x) {
  enum { PICTURE = 64 };
  const sl_case *c = &x->shown;
  sl_case usual;
  sl_case_init(&usual, l->lab->info);
  bool counters = c->part->kind == SL_PART_COUNTERS;
  uint64_t n = c->n == 0 && c->n_also ? c->also[0] : c->n;
  if (nothing_to_see(sl__reason_of(x->record))) return;
  if (strcmp(l->backend, "sim") != 0 || c->entry != usual.entry || n == SL_WHOLE) return;
  if (!counters && (c->part->kind != SL_PART_CORRECT || n == 0 || n > PICTURE)) return;
  printf("  look   %s %s %s --n %llu", sl_scanlab(), counters ? "profile" : "trace", l->lab->info->number,
         (unsigned long long)n);
  sl__put_options(stdout, l->lab->info, c);
  if (!counters && !c->dataset[0]) printf(" --dist %s --seed %llu", c->dist, (unsigned long long)c->seed);
  sl__put_file(stdout, l->lab->info, l->kernel);
  putchar('\n');
}

// Does the detail begin with the first wrong element? It may hold no more than what the program printed.
static bool shows_elements(const json_t *record) {
  const char *array = sl_json_text(json_object_get(record, "fields"), "array"),
             *detail = sl_json_text(record, "detail");
  const size_t len = strlen(array);
  return len > 0 && !strncmp(detail, array, len) && detail[len] == '[';
}

// The message, in short if the detail shows the first wrong element.
static char *message_of(const json_t *record) {
  const sl_reason why = sl__reason_of(record);
  char brief[2048], text[4096];
  if (!shows_elements(record) || !sl_reason_of(why)->brief[0])
    return sl_path("%s", sl_json_text(record, "message"));
  sl_reason_brief(why, json_object_get(record, "fields"), brief, sizeof brief);
  return sl_path("%s", sl_printable(brief, text, sizeof text));
}

// The input of an optional lab may be flags, heads or one of several arrays.
static char *size_of(const sl_ladder *l, const sl_failure *x) {
  if (!x->smaller) return sl_path("%s", "");
  return sl_path("made smaller: n = %llu %s %s: ", (unsigned long long)x->shown.n,
                 l->lab->info->own ? "with --dist" : "of", x->shown.dist);
}

// "labs/03_blelloch/kernel.cu:37:1: made smaller: n = 2 of ones: 2 of 2 elements wrong: ..": what failed, at
// the line to edit.
static char *first_line(const sl_ladder *l, const sl_failure *x) {
  SL_FREED char *message = message_of(x->record), *size = size_of(l, x),
                *line = x->line ? sl_path(":%u:1", x->line) : sl_path("%s", "");
  return sl_path("%s%s: %s%s", sl_short_path(l->kernel), line, size, message);
}

// Does the message say no more than the finding?
static bool is_finding(const json_t *record) {
  const sl_reason why = sl__reason_of(record);
  return why == SL_REASON_FINDINGS || why == SL_REASON_CUDA_FINDING || why == SL_REASON_LATE_FINDING;
}

static void show_result(const sl_failure *x) {
  SL_FREED char *message = message_of(x->record);
  if (!is_finding(x->record)) putchar('\n'), sl__wrap(stdout, "  so: ", "    ", message);
  if (!is_finding(x->record))
    show_detail(sl_json_text(x->record, "detail"),
                json_object_get(json_object_get(x->record, "fields"), "neighbours"));
}

static void show_findings(const sl_ladder *l, const sl_failure *x) {
  const size_t n = json_array_size(x->findings);
  for (size_t k = 0; k < n && k < MAX_FINDINGS; k++) {
    if (k) putchar('\n');
    show_finding(l, json_array_get(x->findings, k), k == 0);
  }
  if (n > MAX_FINDINGS) printf("\n  (+%zu more finding%s)\n", n - MAX_FINDINGS, sl_plural(n - MAX_FINDINGS));
}

// What follows the elements, such as how the call was made, stands above already.
static void show_summands(const sl_failure *x) {
  const char *array = sl_json_text(json_object_get(x->summands, "fields"), "array"),
             *detail = sl_json_text(x->summands, "detail"), *end = detail;
  if (!shows_elements(x->summands)) return;
  while (!strncmp(end, array, strlen(array)) || *end == ' ') end = sl_next_line(end);
  SL_FREED char *elements = sl_path("%.*s", (int)(end - detail), detail);
  printf("    which elements these sums hold:\n");
  show_detail(elements, NULL);
}

static void show_reals(const sl_ladder *l) {
  if (sl__only_reals_fail(l))
    sl__wrap(stdout, "    ", "    ",
             "Sums of whole numbers are right: is a value kept as a whole number, or in fewer bits (int, "
             "half), or a sum made by taking away from another?");
}

// "labs/13_segmented_scan/kernel.cu:96:1: carries_kernel is never launched"; NULL: no fault is known.
static char *launch_line(const sl_ladder *l, const sl_failure *x) {
  return x->launch ? sl_path("%s:%u:1: %s", sl_short_path(l->kernel), x->line, x->launch) : NULL;
}

static void show_first(const sl_ladder *l, const sl_failure *x) {
  SL_FREED char *launch = launch_line(l, x);
  if (launch) sl__wrap(stdout, "  ", "    ", launch), putchar('\n');
  if (json_array_size(x->findings) > 0) {
    show_findings(l, x);
    show_result(x);
    return;
  }
  SL_FREED char *line = first_line(l, x);
  sl__wrap(stdout, "  ", "    ", line);
  show_detail(sl_json_text(x->record, "detail"),
              json_object_get(json_object_get(x->record, "fields"), "neighbours"));
  show_summands(x);
  show_reals(l);
}

// A case with several schedules begins with the usual one. If it hangs later, the kernel has ended in that.
static void show_order(const sl_case *c, const json_t *fields) {
  const char *schedule = sl_json_text(fields, "schedule");
  bool deadlock = !strcmp(sl_json_text(fields, "finding"), sl_found_name(SL_FOUND_PROGRESS_DEADLOCK));
  if (!deadlock || json_integer_value(json_object_get(fields, "call")) > 1 ||
      strncmp(c->schedules, "order=in;", 9) || sl_schedule_is_usual(schedule))
    return;
  putchar('\n');
  sl__wrap(stdout, "  ", "  ",
           "With blocks started in order of their index it does end: it relies on an order that the hardware "
           "does not promise (docs/reference/findings/progress.order.md).");
}

// Several calls of one process, the first ones right: they must have left something behind.
static void show_calls(const sl_case *c, const json_t *fields) {
  if ((c->calls < 2 && !c->n_then) || c->n == 0 || json_integer_value(json_object_get(fields, "call")) < 2)
    return;
  putchar('\n');
  sl__wrap(stdout, "  ", "  ",
           "The calls before it, in the same process, were right: look at what a call leaves behind.");
}

// What is computed in a region that is filled in, and never used, is often the cause; NULL: there is none.
static const char *unused_warning(const sl_ladder *l) {
  SL_SKELETON s = {0};
  const char *found = NULL;
  uint32_t line;
  if (!sl_skeleton_read(l->kernel, l->lab->info, &s, NULL)) return NULL;
  for (const char *at = l->log; !found && (at = sl__unused_variable(at, &line)); at++) {
    const unsigned k = sl_region_at(&s, line);
    if (k && !s.at[k - 1].open) found = at;
  }
  while (found && found > l->log && found[-1] != '\n') found--;
  return found;
}

static void show_warning(const sl_ladder *l) {
  uint32_t line;
  const char *at = sl__telling_warning(l->log, &line);
  if (!at) at = unused_warning(l);
  const char *end = at ? strstr(at, "\n\n") : NULL;
  if (!at) return;
  SL_FREED char *text = sl_path("%.*s", end ? (int)(end - at) : (int)strlen(at), at);
  printf("\n  the compiler warned:\n");
  show_log(l, text);
}

static void show_place(const sl_ladder *l, const sl_failure *x) {
  if (!x->task) return;
  SL_FREED char *lines = x->first < x->last    ? sl_path("lines %u to %u", x->first, x->last)
                         : x->first == x->last ? sl_path("line %u", x->first)
                                               : sl_path("after line %u", x->last);
  SL_FREED char *head = x->region
                            ? sl_path("  edit   %s, TODO %s.%u: ", lines, l->lab->info->number, x->region)
                            : sl_path("  edit   %s: ", lines);
  sl__wrap(stdout, head, "         ", x->task);
}

// A finding of another case: it need not be the cause, but it is a fault.
static void show_elsewhere(const sl_ladder *l, const sl_failure *x) {
  if (!x->elsewhere) return;
  printf("\n  also, in %s.%s:\n", x->elsewhere->c->part->id, x->elsewhere->c->id);
  show_finding(l, json_array_get(json_object_get(x->elsewhere->record, "findings"), 0), true);
}

// The case that failed; of several calls, which, and its size, for a case is named by its first.
static void show_head(const sl_ladder *l) {
  const sl_trial *t = l->failed;
  const json_t *fields = json_object_get(t->record, "fields");
  const json_int_t call = json_integer_value(json_object_get(fields, "call"));
  const char *of = sl_json_text(fields, "of");
  const sl_case *c = t->c;
  SL_FREED char *of_part = sl__section_title(l->lab, l->only, c->part->title);
  SL_FREED char *title = sl_path("%s.%s of \"%s\"", c->part->id, c->id, of_part);
  putchar('\n');
  sl__wrap(stdout, "first failure: ", "  ", title);
  if (call)
    printf("  in call %lld of this case, n = %lld%s%s\n", (long long)call,
           (long long)json_integer_value(json_object_get(fields, "n")), *of ? ", as in " : "", of);
}

void sl__explain(const sl_ladder *l) {
  sl_failure x;
  sl__failure_find(l, &x);
  const sl_case *c = l->failed->c;
  const json_t *fields = json_object_get(x.record, "fields");
  SL_FREED char *again = sl__replay(l, &x.shown), *hint = sl__hint_command(l, x.region ? x.first : 0);
  show_head(l);
  show_first(l, &x);
  show_order(c, fields);
  show_calls(c, fields);
  show_elsewhere(l, &x);
  show_warning(l);
  putchar('\n');
  show_place(l, &x);
  if (!*sl_json_text(json_array_get(x.findings, 0), "replay")) printf("  again  %s\n", again);
  if (json_array_size(x.findings) == 0) show_look(l, &x);
  printf("  hint   %s\n", hint);
  sl__failure_free(&x);
}

static const char *what_of(const sl_failure *x) {
  const json_t *fields = json_object_get(x->record, "fields");
  const char *names[] = {x->launch ? "launch" : "", sl_json_text(json_array_get(x->findings, 0), "id"),
                         sl_json_text(fields, "pattern"), sl_json_text(fields, "counter"),
                         sl_json_text(x->record, "reason")};
  size_t k = 0;
  while (k < 4 && !*names[k]) k++;
  return names[k];
}

// What is told first: "what" is "launch", a finding, a pattern, a counter or a reason.
json_t *sl__first_json(const sl_ladder *l, const sl_failure *x) {
  const json_t *finding = json_array_get(x->findings, 0);
  SL_FREED char *launch = launch_line(l, x);
  SL_FREED char *line = launch    ? sl_path("%s", launch)
                        : finding ? sl_path("%.*s", (int)strcspn(sl_json_text(finding, "text"), "\n"),
                                            sl_json_text(finding, "text"))
                                  : first_line(l, x);
  json_t *o = json_pack("{s:s, s:s, s:I, s:I}", "what", what_of(x), "text", line, "line", (json_int_t)x->line,
                        "region", (json_int_t)x->region);
  return o;
}

// The line of the first compiler message: "kernel.cu(31): error: ..", 0 if there is none.
static uint32_t error_line(const char *log) {
  const char *error = strstr(log, "): error");
  if (!error) return 0;
  while (error > log && error[-1] >= '0' && error[-1] <= '9') error--;
  return (uint32_t)strtoul(error, NULL, 10);
}

// Shows the compiler's errors; the line of the first, 0: it is not known.
static uint32_t show_errors(const sl_ladder *l, const sl_error *why) {
  SL_FREED char *source = sl_read_file(l->kernel, 1 << 20, NULL, NULL);
  const char *log = l->log ? l->log : "";
  const uint32_t line = source ? sl__said(stdout, log, sl_short_path(l->kernel), source) : 0;
  if (line) return line;
  if (sl__unlinked(stdout, log, sl_short_path(l->kernel))) return 0;
  if (*log) show_log(l, log);
  else sl__wrap(stdout, "  ", "    ", why->text);
  return error_line(log);
}

void sl__explain_build(const sl_ladder *l, const sl_error *why) {
  printf("\nfirst failure: the file does not build\n");
  const uint32_t line = show_errors(l, why);
  SL_FREED char *hint = sl__hint_command(l, line);
  if (why->hint[0]) sl__wrap(stdout, "  note   ", "         ", why->hint);
  printf("  hint   %s\n", hint);
}
