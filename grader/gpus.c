// The real GPUs of this machine: which tests use which.
//
// Interface: sl__gpus, sl__write_gpus, sl__use_gpu. A ctest has some of them as resources: a test takes a
// slot of one, a timed test all slots. CTest's ids are places in the list of visible GPUs:
// CUDA_VISIBLE_DEVICES, else all.
#include "grade.h"

#include <glob.h>

static const char *visible(void) { return getenv("CUDA_VISIBLE_DEVICES"); }

int sl__gpus(void) {
  int n = 0;
  glob_t all;
  if (visible()) {
    for (const char *at = visible(); *at; at += *at == ',') n++, at += strcspn(at, ",");
    return n > 0 ? n : 1;
  }
  if (glob("/dev/nvidia[0-9]*", 0, NULL, &all) == 0) {
    n = (int)all.gl_pathc;
    globfree(&all);
  }
  return n > 0 ? n : 1;
}

bool sl__write_gpus(const char *path, int first, int n, sl_error *e) {
  json_t *gpus = json_array();
  for (int k = first; k < first + n; k++) {
    char id[16];
    snprintf(id, sizeof id, "%d", k);
    json_array_append_new(gpus, json_pack("{s:s, s:i}", "id", id, "slots", SL_GPU_SLOTS));
  }
  json_t *all =
      json_pack("{s:{s:i, s:i}, s:[{s:o}]}", "version", "major", 1, "minor", 0, "local", "gpus", gpus);
  return sl_json_write(sl_write_passing, path, all, 0, e);
}

// The [k]-th name of a list with commas.
static char *name_at(const char *list, int k) {
  while (k-- > 0 && strchr(list, ',')) list = strchr(list, ',') + 1;
  return sl_path("%.*s", (int)strcspn(list, ","), list);
}

void sl__use_gpu(void) {
  const char *given = getenv("CTEST_RESOURCE_GROUP_0_GPUS");
  int k;
  if (!given || sscanf(given, "id:%d", &k) != 1) return;
  SL_FREED char *name = visible() ? name_at(visible(), k) : sl_path("%d", k);
  setenv("CUDA_VISIBLE_DEVICES", name, 1);
}
