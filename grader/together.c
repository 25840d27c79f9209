// Tests of a lab that one sl-judge judges together, with the option --many.
//
// Interface: one_test.h. The first of these tests judges them all, in as few processes of the student's as
// they need. A test that gets no record this way is judged when its turn comes.
#include "one_test.h"

#include <sys/mman.h>

// The names of the lab's tests that are judged together on the device of this one.
static const json_t *beside(const sl_one_test *t) {
  return json_object_get(json_object_get(t->jobs, "together"), sl_json_text(t->job, "backend"));
}

// What sl-judge is told of a test; NULL: the test is not run.
static json_t *case_of(const sl_one_test *t, const char *test) {
  const json_t *job = json_object_get(json_object_get(t->jobs, "tests"), test);
  const sl_ticket *ticket = sl__job_ticket(t, test);
  json_auto_t *by = sl__spared_by(t, job);
  if (!ticket || by) return NULL;
  SL_FREED char *record = sl__job_file(t, test, "json");
  return json_pack("{s:s, s:s, s:s, s:s}", "case", sl_json_text(job, "case"), "record", record, "nonce",
                   ticket->nonce, "salt", ticket->salt);
}

// A list of cases for sl-judge --many, in an unnamed memory file: no command line shows its secrets.
static int list_file(const sl_one_test *t) {
  json_auto_t *list = json_array();
  const json_t *name;
  size_t i;
  json_array_foreach(beside(t), i, name) {
    json_t *one = case_of(t, json_string_value(name));
    if (one) json_array_append_new(list, one);
  }
  SL_FREED char *text = json_dumps(list, 0); // json_dumpfd would write each word by a call of its own
  const size_t len = text ? strlen(text) : 0;
  int fd = memfd_create("cases", MFD_CLOEXEC);
  if (fd >= 0 && (!len || write(fd, text, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) != 0))
    close(fd), fd = -1;
  return fd;
}

void sl__judge_together(const sl_one_test *t) {
  sl_judge_words w = sl__judge_words(t);
  w.at[w.n++] = "--many";
  sl_child judge;
  sl_error e = {0};
  int list = list_file(t), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (list >= 0 && sl_spawn(&judge, &(sl_process){.argv = (char *const *)w.at, .io = {list, nowhere}}, &e))
    sl_wait(&judge, SL_TOGETHER_SECONDS);
  if (list >= 0) close(list);
  if (nowhere >= 0) close(nowhere);
}

bool sl__is_together(const sl_one_test *t, bool *first) {
  const json_t *all = beside(t), *one;
  size_t i;
  json_array_foreach(all, i, one) {
    *first = i == 0 && json_array_size(all) > 1;
    if (!strcmp(json_string_value(one), t->ticket->test)) return true;
  }
  return *first = false;
}
