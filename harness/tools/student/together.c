// Small cases of a part, judged by one sl-judge in as few processes of the student's as they need: to start
// these takes longer than most cases do.
//
// Interface: sl__judge_command, sl__judge_together (student.h). What sl-judge --many has not judged, or not
// in time, is left as it was, and is judged by itself then.
#include "student.h"

#include <sys/mman.h>

enum { RECORD_CAP = 16 << 20 };

void sl__judge_command(const sl_ladder *l, const char *backend, sl_command *command) {
  SL_FREED char *judge = sl_tool_path("sl-judge"), *standard = sl_lab_kernel(l->lab->info->name),
                *lab = sl_path("%s/labs/%s/lab.json", sl_course_root(), l->lab->info->name),
                *timeout = sl_path("%d", l->timeout);
  *command = (sl_command){0};
  sl_command_words(command, SL_WORDS(judge, "--lab", lab, "--runner", l->runner, "--backend", backend,
                                     "--timeout", timeout, "--colour", l->colour ? "1" : "0"));
  if (strcmp(l->kernel, standard)) sl_command_words(command, SL_WORDS("--file", l->kernel));
}

static char *record_of(const sl_trial *t) {
  SL_FREED char *what = sl_path("%s.%s.json", t->c->part->id, t->c->id);
  sl_error ignored = {0};
  return sl__scratch(what, &ignored);
}

// The list that sl-judge reads, in a memory file. -1: there is none.
static int list_file(sl_trial *const *trials, size_t n) {
  json_auto_t *list = json_array();
  for (size_t k = 0; k < n; k++) {
    SL_FREED char *name = sl_path("%s.%s", trials[k]->c->part->id, trials[k]->c->id),
                  *record = record_of(trials[k]);
    if (record)
      json_array_append_new(
          list, json_pack("{s:s, s:s, s:s}", "case", name, "record", record, "nonce", SL_STUDENT_NONCE));
  }
  int fd = memfd_create("cases", MFD_CLOEXEC);
  if (fd >= 0 && (json_dumpfd(list, fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)) close(fd), fd = -1;
  return fd;
}

static void take_record(sl_trial *t) {
  SL_FREED char *path = record_of(t);
  json_t *record = path ? sl_json_read(path, RECORD_CAP, NULL) : NULL;
  const sl_status status = sl_status_find(json_string_value(json_object_get(record, "status")));
  if (path) unlink(path);
  if (!record || (status != SL_PASS && status != SL_FAIL)) return json_decref(record);
  t->record = record;
  t->status = status;
}

void sl__judge_together(const sl_ladder *l, sl_trial *const *trials, size_t n, double seconds) {
  sl_command command;
  sl_child judge;
  sl_error ignored = {0};
  const int list = list_file(trials, n), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  sl__judge_command(l, l->backend, &command);
  sl_command_add(&command, "--many");
  if (list >= 0 && sl_spawn(&judge, &(sl_process){.argv = command.argv, .io = {list, nowhere}}, &ignored))
    sl_wait(&judge, seconds);
  for (size_t k = 0; k < n; k++) take_record(trials[k]);
  if (list >= 0) close(list);
  if (nowhere >= 0) close(nowhere);
  sl_command_end(&command);
}
