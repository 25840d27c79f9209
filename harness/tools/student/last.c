// The score of the last check of each lab: BUILD/student/NN.json. Only `status` uses it.
//
// Interface: student.h, last.c. A file that cannot be written or read counts as no check.
#include "student.h"

#include <time.h>

static char *file_of(const sl_lab_info *lab) {
  return sl_path("%s/student/%s.json", sl_work_folder(), lab->number);
}

void sl__last_save(const sl_lab_info *lab, const sl_last *last) {
  SL_FREED char *folder = sl_path("%s/student", sl_work_folder()), *path = file_of(lab);
  SL_FREED char *text = sl_path("{\"score\": %.4f, \"max\": %.4f, \"left_out\": %.4f, \"time\": %lld}\n",
                                last->score, last->max, last->left_out, (long long)time(NULL));
  if (sl_mkdirs(folder, NULL)) sl_write_file(path, text, strlen(text), NULL);
}

sl_last sl__last_load(const sl_lab_info *lab) {
  sl_last last = {0};
  SL_FREED char *path = file_of(lab);
  json_auto_t *o = json_load_file(path, 0, NULL);
  const json_t *when = json_object_get(o, "time");
  last.score = json_number_value(json_object_get(o, "score"));
  last.max = json_number_value(json_object_get(o, "max"));
  last.left_out = json_number_value(json_object_get(o, "left_out"));
  last.time = json_integer_value(when);
  last.known = json_is_integer(when) && last.max > 0;
  return last;
}
