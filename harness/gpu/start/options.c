// Options of the simulated GPU: a table with one row for each word of a schedule.
//
// Interface: sl_gpu_options_default, sl_gpu_cores, sl_gpu_option_set, sl_gpu_options_text (control.h).
// schedule.c reads whole schedules and device files.
#include "gpu/start/control.h"

#include <inttypes.h>

sl_gpu_options sl_gpu_options_default(void) {
  static const sl_gpu_options usual = {
      .order = SL_ORDER_IN, .counters = SL_COUNT_ALL, .checks = SL_CHECK_ALL, .cores = 1};
  return usual;
}

static int64_t cores_here(void) { return sl_cores() < SL_CORES_MAX ? sl_cores() : SL_CORES_MAX; }

bool sl_gpu_cores(sl_gpu_options *o, int64_t asked, bool all, sl_error *e) {
  int64_t n = asked ? asked : all ? cores_here() : 1;
  if (!asked && !sl_env_int(SL_CORES_ENV, 1, SL_CORES_MAX, &n, e)) return false;
  o->cores = (uint32_t)n;
  return true;
}

static const char *const ORDERS[] = {
    [SL_ORDER_IN] = "in", [SL_ORDER_REVERSE] = "reverse", [SL_ORDER_RANDOM] = "random", NULL};
static const char *const WARPS[] = {[SL_WARPS_GREEDY] = "greedy",
                                    [SL_WARPS_ROUND_ROBIN] = "round-robin",
                                    [SL_WARPS_RANDOM] = "random",
                                    [SL_WARPS_ONE_AHEAD] = "one-ahead",
                                    NULL};
static const char *const LANES[] = {
    [SL_LANES_IN] = "in", [SL_LANES_REVERSE] = "reverse", [SL_LANES_RANDOM] = "random", NULL};
static const char *const VISIBILITIES[] = {
    [SL_VISIBILITY_STRONG] = "strong", [SL_VISIBILITY_WEAK] = "weak", NULL};
static const char *const FRESH[] = {
    [SL_FRESH_MARKED] = "marked", [SL_FRESH_ZEROS] = "zeros", [SL_FRESH_RANDOM] = "random", NULL};

// The keys, in the order in which they are printed. words NULL: a number up to max; max 0: a name.
static const struct {
  const char *key, *what, *hint;
  const char *const *words;
  size_t at;
  int64_t max;
} ROWS[] = {
    {"order", "block order", "use in, reverse or random", ORDERS, offsetof(sl_gpu_options, order), 0},
    {"warps", "order of warps", "use greedy, round-robin, random or one-ahead", WARPS,
     offsetof(sl_gpu_options, warps), 0},
    {"lanes", "order of the lanes of an atomic", "use in, reverse or random", LANES,
     offsetof(sl_gpu_options, lanes), 0},
    {"visibility", "visibility of stores", "use strong or weak", VISIBILITIES,
     offsetof(sl_gpu_options, visibility), 0},
    {"resident", "number of resident blocks", NULL, NULL, offsetof(sl_gpu_options, resident), 1 << 20},
    {"memory", "content of new memory", "use marked, zeros or random", FRESH, offsetof(sl_gpu_options, fresh),
     0},
    {"seed", "seed", NULL, NULL, offsetof(sl_gpu_options, seed), INT64_MAX},
    {"device", "device", NULL, NULL, offsetof(sl_gpu_options, profile), 0},
};
enum { N_ROWS = sizeof ROWS / sizeof *ROWS };

static bool set_word(uint32_t *to, size_t row, const char *value, sl_error *e) {
  for (uint32_t i = 0; ROWS[row].words[i]; i++)
    if (strcmp(ROWS[row].words[i], value) == 0) {
      *to = i;
      return true;
    }
  const char *near = sl_nearest(value, ROWS[row].words);
  char mean[64];
  snprintf(mean, sizeof mean, "did you mean %s?", near ? near : "");
  return sl_fail(e, SL_EXIT_USAGE, near ? mean : ROWS[row].hint, "there is no %s '%s'", ROWS[row].what,
                 value);
}

static bool set_number(void *to, size_t row, const char *value, sl_error *e) {
  int64_t v = 0;
  if (!sl_parse_int(value, 0, ROWS[row].max, &v))
    return sl_fail(e, SL_EXIT_USAGE, NULL, "%s: expected a whole number from 0 to %lld, found '%s'",
                   ROWS[row].key, (long long)ROWS[row].max, value);
  if (ROWS[row].max > UINT32_MAX) *(uint64_t *)to = (uint64_t)v;
  else *(uint32_t *)to = (uint32_t)v;
  return true;
}

// Takes any name: the simulator knows which ones exist.
static bool set_device(sl_gpu_options *o, const char *name, sl_error *e) {
  if (strlen(name) >= sizeof o->profile)
    return sl_fail(e, SL_EXIT_USAGE, "--device list prints all", "there is no device '%.80s'", name);
  snprintf(o->profile, sizeof o->profile, "%s", name);
  memset(&o->own, 0, sizeof o->own);
  return true;
}

bool sl_gpu_option_set(sl_gpu_options *o, const char *key, const char *value, sl_error *e) {
  const char *keys[N_ROWS + 1] = {NULL};
  for (size_t k = 0; k < N_ROWS; k++) {
    void *to = (char *)o + ROWS[k].at;
    keys[k] = ROWS[k].key;
    if (strcmp(ROWS[k].key, key) != 0) continue;
    return ROWS[k].words ? set_word(to, k, value, e)
           : ROWS[k].max ? set_number(to, k, value, e)
                         : set_device(o, value, e);
  }
  const char *near = sl_nearest(key, keys);
  char hint[128];
  snprintf(hint, sizeof hint,
           near ? "did you mean %s?"
                : "keys are order, warps, lanes, visibility, resident, memory, seed, device",
           near);
  return sl_fail(e, SL_EXIT_USAGE, hint, "a schedule has no '%s'", key);
}

// The value of row [k] as text; numbers are written into [number].
static const char *value_text(const sl_gpu_options *o, size_t k, char number[static 24]) {
  const void *at = (const char *)o + ROWS[k].at;
  if (ROWS[k].words) return ROWS[k].words[*(const uint32_t *)at];
  if (!ROWS[k].max) return o->profile[0] ? o->profile : "default";
  uint64_t v = ROWS[k].max > UINT32_MAX ? *(const uint64_t *)at : *(const uint32_t *)at;
  snprintf(number, 24, "%" PRIu64, v);
  return number;
}

char *sl_gpu_options_text(const sl_gpu_options *o, char *out, size_t cap) {
  sl_gpu_options plain = sl_gpu_options_default();
  if (cap) *out = 0;
  for (size_t k = 0; cap && k < N_ROWS; k++) {
    char a[24], b[24];
    const char *text = value_text(o, k, a);
    if (strcmp(text, value_text(&plain, k, b)) != 0) sl_append(out, cap, ",", "%s=%s", ROWS[k].key, text);
  }
  return out;
}
