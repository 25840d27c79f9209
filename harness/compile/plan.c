// nvcc's plan: the commands that it would run. It asks the host's compiler which one it is, which takes as
// long as a step. So its answer is kept with the prepared headers.
//
// Interface: steps.h. The file `plan` of a set holds the call that was answered, an empty line, and the
// answer. Two calls are the same if they differ in nothing but the object that is linked and the folder,
// which have marks in the file.
#include "compile/steps.h"

enum { MAX_PLAN = 1 << 20 };
static const char object_mark[] = "\1", folder_mark[] = "\2", plan_file[] = "plan";

char *sl__replaced(const char *text, const char *from, const char *to) {
  char *result = NULL;
  FILE *f = sl_text_stream(&result);
  for (const char *at; (at = strstr(text, from)); text = at + strlen(from))
    fprintf(f, "%.*s%s", (int)(at - text), text, to);
  fputs(text, f);
  fclose(f);
  return result;
}

static bool is_object(const char *word) {
  const size_t len = strlen(word);
  return len > 2 && !strcmp(word + len - 2, ".o");
}

// The words, the object with its mark, and what nvcc reads of the environment; malloc'ed.
static char *name_call(char *const *words, size_t n) {
  static const char *const names[] = {"PATH", "LD_LIBRARY_PATH", "NVCC_CCBIN", "NVCC_PREPEND_FLAGS",
                                      "NVCC_APPEND_FLAGS"};
  char *call = NULL;
  FILE *f = sl_text_stream(&call);
  for (size_t k = 0; k < n; k++) fprintf(f, "%s\n", is_object(words[k]) ? object_mark : words[k]);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    fprintf(f, "%s=%s\n", names[k], getenv(names[k]) ? getenv(names[k]) : "");
  fputc('\n', f);
  fclose(f);
  return call;
}

static char *ask(char *const *words, size_t n) {
  SL_FREED char **argv = sl_must(calloc(n + 2, sizeof *argv));
  char *plan = NULL;
  argv[0] = words[0];
  argv[1] = "--dryrun";
  for (size_t k = 1; k < n; k++) argv[k + 1] = words[k];
  if (sl_run_by_work(argv, NULL, 60, MAX_PLAN, &plan, NULL).code == 0) return plan;
  free(plan);
  return NULL;
}

static char *recall(const char *headers, const char *call, const char *object, const char *folder) {
  SL_FREED char *file = sl_path("%s/%s", headers, plan_file),
                *kept = sl_read_file(file, MAX_PLAN, NULL, NULL);
  const size_t len = strlen(call);
  if (!kept || strncmp(kept, call, len) != 0) return NULL;
  SL_FREED char *with_object = sl__replaced(kept + len, object_mark, object);
  return sl__replaced(with_object, folder_mark, folder);
}

static void keep(const char *plan, const char *call, const char *object, const char *folder) {
  SL_FREED char *with_mark = sl__replaced(plan, object, object_mark),
                *with_marks = sl__replaced(with_mark, folder, folder_mark),
                *kept = sl_path("%s%s", call, with_marks);
  sl_write_passing(plan_file, kept, strlen(kept), NULL);
}

char *sl__plan(const steps *s, char *const *words, size_t n) {
  char folder[PATH_MAX];
  const char *object = object_mark; // none: nothing is replaced
  for (size_t k = 0; k < n; k++)
    if (is_object(words[k])) object = words[k];
  if (!getcwd(folder, sizeof folder)) return ask(words, n);
  SL_FREED char *call = name_call(words, n);
  char *plan = s->headers ? recall(s->headers, call, object, folder) : NULL;
  if (!plan) plan = ask(words, n);
  if (plan && s->preparing) keep(plan, call, object, folder);
  return plan;
}
