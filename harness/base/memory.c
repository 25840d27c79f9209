// How much memory there is to give.  Interface: sl_memory_available (base.h). The machine says it in
// /proc/meminfo; a cgroup (a container's, a batch job's) may allow less. Both versions of cgroups are asked,
// where the process is in them and at their root, which is what a container sees of its own.
#include "base/base.h"

// The number in a file; [otherwise] if there is none (no such file, "max").
static uint64_t number_in(const char *path, uint64_t otherwise) {
  FILE *f = fopen(path, "re");
  unsigned long long n;
  bool found = f && fscanf(f, "%llu", &n) == 1;
  if (f) fclose(f);
  return found ? n : otherwise;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Copies of files count as used, but the system gives them back.
static uint64_t files_in(const char *path) {
  char line[128];
  unsigned long long n, all = 0;
  FILE *f = fopen(path, "re");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "active_file %llu", &n) == 1 || sscanf(line, "inactive_file %llu", &n) == 1) all += n;
  if (f) fclose(f);
  return all;
}

// What the cgroup in folder [group] may still take.
static uint64_t left_in(const char *group, const char *most, const char *used) {
  char *limit = sl_path("%s/%s", group, most), *now = sl_path("%s/%s", group, used),
       *stat = sl_path("%s/memory.stat", group);
  uint64_t all = number_in(limit, UINT64_MAX), taken = all == UINT64_MAX ? 0 : number_in(now, 0),
           files = taken ? files_in(stat) : 0;
  free(limit), free(now), free(stat);
  taken -= least(taken, files);
  return all == UINT64_MAX ? all : all > taken ? all - taken : 0;
}

static uint64_t left_in_cgroups(void) {
  static const char two[] = "/sys/fs/cgroup", one[] = "/sys/fs/cgroup/memory";
  char line[4096], *path;
  uint64_t left = least(left_in(two, "memory.max", "memory.current"),
                        left_in(one, "memory.limit_in_bytes", "memory.usage_in_bytes"));
  FILE *f = fopen("/proc/self/cgroup", "re");
  while (f && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    bool v2 = !strncmp(line, "0::", 3);
    if (!(path = strstr(line, v2 ? "::/" : ":memory:/"))) continue;
    SL_FREED char *group = sl_path("%s%s", v2 ? two : one, strchr(path, '/'));
    left = least(left, v2 ? left_in(group, "memory.max", "memory.current")
                          : left_in(group, "memory.limit_in_bytes", "memory.usage_in_bytes"));
  }
  if (f) fclose(f);
  return left;
}

uint64_t sl_memory_available(void) {
  unsigned long long kib = 0;
  char line[128];
  FILE *f = fopen("/proc/meminfo", "re");
  while (f && fgets(line, sizeof line, f) && sscanf(line, "MemAvailable: %llu kB", &kib) != 1) continue;
  if (f) fclose(f);
  return least(kib ? (uint64_t)kib << 10 : UINT64_MAX, left_in_cgroups());
}
