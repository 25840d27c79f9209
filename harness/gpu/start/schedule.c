// Reads a schedule from one word (of options, environment, lab.json); writes the command that repeats a run.
#include "gpu/start/schedule.h"

bool sl_schedule_set(sl_gpu_options *o, const char *key, const char *value, sl_error *e) {
  size_t n = strlen(value);
  bool device = strcmp(key, "device") == 0;
  if (device && n > 5 && strcmp(value + n - 5, ".json") == 0) return sl_device_file_read(value, o, e);
  if (!device || sl_profile_find(value)) return sl_gpu_option_set(o, key, value, e);
  const char *near = sl_nearest(value, sl_profile_names());
  char mean[128];
  snprintf(mean, sizeof mean, "did you mean %s? (sim --device list prints all)", near ? near : "");
  return sl_fail(e, SL_EXIT_USAGE,
                 near ? mean : "sim --device list prints all; a device of your own is a .json file",
                 "there is no device '%s'", value);
}

static bool read_pair(char *pair, sl_gpu_options *o, sl_error *e) {
  char *value = strchr(pair, '=');
  if (!value)
    return sl_fail(e, SL_EXIT_USAGE, "for example order=random,visibility=weak,seed=7",
                   "schedule: expected KEY=VALUE, found '%s'", pair);
  *value++ = 0;
  return sl_schedule_set(o, pair, value, e);
}

bool sl_schedule_read(const char *text, sl_gpu_options *o, sl_error *e) {
  SL_FREED char *copy = text ? strdup(text) : NULL;
  char *rest = NULL;
  bool ok = true;
  for (char *pair = copy ? strtok_r(copy, ",", &rest) : NULL; pair && ok; pair = strtok_r(NULL, ",", &rest))
    ok = read_pair(pair, o, e);
  return ok;
}

bool sl_schedule_choose(const char *text, sl_gpu_options *o, sl_error *e) {
  const char *env = getenv(SL_SCHEDULE_ENV);
  if (text) return sl_schedule_read(text, o, e);
  if (sl_schedule_read(env, o, e)) return true;
  char why[sizeof e->text];
  snprintf(why, sizeof why, "%s", e->text);
  snprintf(e->text, sizeof e->text, "environment variable %s: %.1400s", SL_SCHEDULE_ENV, why);
  return false;
}

bool sl_schedule_export(const char *text, sl_error *e) {
  sl_gpu_options o = sl_gpu_options_default();
  if (!sl_schedule_choose(text, &o, e)) return false;
  return !text || setenv(SL_SCHEDULE_ENV, text, 1) == 0 || sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
}

// Copies [text] to [out] and frees it. A text that is too long ends with " ..".
static char *take_word(char *text, char *out, size_t cap) {
  size_t len = strlen(text);
  snprintf(out, cap, "%s", text);
  if (len >= cap && cap > 4) strcpy(out + cap - 4, " ..");
  free(text);
  return out;
}

static bool is_here(const char *folder) {
  struct stat a, b;
  return stat(folder, &a) == 0 && stat(".", &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

char *sl_schedule_tool(const char *words, char *out, size_t cap) {
  static const char tool[] = "scanlab ";
  const char *root =
      getenv("SCANLAB_INSTALLED") ? NULL : getenv("SCANLAB_ROOT"); // installed: it is on the path
  if (!root || !*root || is_here(root) || strncmp(words, tool, sizeof tool - 1) != 0)
    return take_word(sl_path("%s", words), out, cap);
  SL_FREED char *path = sl_path("%s/scanlab", root),
                *quoted = sl_shell_line((char *const[]){path, NULL}, NULL);
  return take_word(sl_path("%s %s", quoted, words + sizeof tool - 1), out, cap);
}

char *sl_schedule_words(const char *tool, char *const *argv, char *out, size_t cap) {
  // options that the schedule repeats, and options that only name a file for the answer
  static const char *const LEAVE[] = {"--schedule=", "--json",  "--record=", "--colour=", "--repeats=",
                                      "--report=",   "--lines", "--steps",   NULL};
  SL_FREED char *words = sl_shell_line(argv + 1, LEAVE);
  return take_word(sl_path("%s%s%s", tool, *words ? " " : "", words), out, cap);
}

// " --schedule WORDS" for a shell; "" for the default, unless the environment sets another schedule.
static char *schedule_option(const sl_gpu_options *o) {
  char text[512], *const words[] = {sl_gpu_options_text(o, text, sizeof text), NULL};
  const char *env = getenv(SL_SCHEDULE_ENV);
  if (!*text) return sl_path("%s", env && *env ? " --schedule order=in" : "");
  SL_FREED char *quoted = sl_shell_line(words, NULL);
  return sl_path(" --schedule %s", quoted);
}

char *sl_schedule_replay(const char *words, const sl_gpu_options *o, char *const *program, char *out,
                         size_t cap) {
  SL_FREED char *option = schedule_option(o),
                *rest = program ? sl_shell_line(program, NULL) : sl_path("%s", "");
  char *line = sl_path("%s%s%s%s", words, option, program ? " -- " : "", rest);
  return take_word(line, out, cap);
}
