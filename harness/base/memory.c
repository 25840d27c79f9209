// How much memory and disk there is to give, and how many programs fit beside each other.
//
// Interface: sl_memory_available, sl_memory_share, sl_oom_kills, sl_disk_left, sl_jobs (base.h). The
// machine says in /proc/meminfo what memory it has; a cgroup (a container's, a batch job's) may allow less,
// also of processor time. Both versions of cgroups are asked, where the process is in them and at their
// root, which is what a container sees of its own.
#include "base/base.h"

#include <sys/statvfs.h>

enum { JOB_MEMORY = 256 << 20 }; // what nvcc takes for a kernel, or a judge with its simulated GPU

// The number in a file; [otherwise] if there is none (no such file, "max").
static uint64_t number_in(const char *path, uint64_t otherwise) {
  SL_CLOSED FILE *f = fopen(path, "re");
  unsigned long long n;
  bool found = f && fscanf(f, "%llu", &n) == 1;
  return found ? n : otherwise;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Copies of files count as used, but the system gives them back.
static uint64_t files_in(const char *path) {
  char line[128];
  unsigned long long n, all = 0;
  SL_CLOSED FILE *f = fopen(path, "re");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "active_file %llu", &n) == 1 || sscanf(line, "inactive_file %llu", &n) == 1) all += n;
  return all;
}

uint64_t sl_oom_kills(void) {
  char line[128];
  unsigned long long n = 0;
  SL_CLOSED FILE *f = fopen("/proc/vmstat", "re");
  while (f && fgets(line, sizeof line, f) && sscanf(line, "oom_kill %llu", &n) != 1) {
  }
  return n;
}

// What the cgroup in folder [group] may still take.
static uint64_t left_in(const char *group, const char *most, const char *used) {
  SL_FREED char *limit = sl_path("%s/%s", group, most), *now = sl_path("%s/%s", group, used),
                *stat = sl_path("%s/memory.stat", group);
  uint64_t all = number_in(limit, UINT64_MAX), taken = all == UINT64_MAX ? 0 : number_in(now, 0),
           files = taken ? files_in(stat) : 0;
  taken -= least(taken, files);
  return all == UINT64_MAX ? all : all > taken ? all - taken : 0;
}

static uint64_t memory_in(const char *group, bool v2) {
  return v2 ? left_in(group, "memory.max", "memory.current")
            : left_in(group, "memory.limit_in_bytes", "memory.usage_in_bytes");
}

// The cores whose time the cgroup in folder [group] may use, rounded up.
static uint64_t cores_in(const char *group, bool v2) {
  SL_FREED char *quota = sl_path("%s/%s", group, v2 ? "cpu.max" : "cpu.cfs_quota_us"),
                *each = sl_path("%s/cpu.cfs_period_us", group);
  long long time = 0, period = 100000;
  FILE *f = fopen(quota, "re");
  bool limited = f && fscanf(f, "%lld %lld", &time, &period) >= 1 && time > 0; // no limit: "max" or -1
  if (f) fclose(f);
  if (!v2) period = (long long)number_in(each, 100000);
  return limited && period > 0 ? (uint64_t)((time + period - 1) / period) : UINT64_MAX;
}

// The least that a cgroup of this process allows of what [controller] gives out.
static uint64_t least_in_cgroups(const char *controller, uint64_t (*allowed)(const char *group, bool v2)) {
  static const char two[] = "/sys/fs/cgroup";
  SL_FREED char *one = sl_path("%s/%s", two, controller);
  size_t len = strlen(controller);
  char line[4096];
  uint64_t left = least(allowed(two, true), allowed(one, false));
  SL_CLOSED FILE *f = fopen("/proc/self/cgroup", "re");
  while (f && fgets(line, sizeof line, f)) { // 0::/PATH, or N:CONTROLLER,..:/PATH
    char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
    bool v2 = path == names + 1,
         ours = path && !strncmp(names + 1, controller, len) && strchr(":,", names[len + 1]);
    if (!path || (!v2 && !ours)) continue;
    path[1 + strcspn(path + 1, "\n")] = 0;
    SL_FREED char *group = sl_path("%s%s", v2 ? two : one, path + 1);
    left = least(left, allowed(group, v2));
  }
  return left;
}

uint64_t sl_memory_available(void) {
  unsigned long long kib = 0;
  char line[128];
  SL_CLOSED FILE *f = fopen("/proc/meminfo", "re");
  while (f && fgets(line, sizeof line, f) && sscanf(line, "MemAvailable: %llu kB", &kib) != 1) continue;
  return least(kib ? (uint64_t)kib << 10 : UINT64_MAX, least_in_cgroups("memory", memory_in));
}

uint64_t sl_memory_share(void) {
  const uint64_t half = sl_memory_available() / 2, fewest = 256ull << 20, most = 8ull << 30;
  return half < fewest ? fewest : least(half, most);
}

uint64_t sl_disk_left(const char *folder) {
  struct statvfs s;
  double left = statvfs(folder, &s) == 0 ? (double)s.f_bavail * (double)s.f_frsize : 0x1p64;
  return left < 0x1p60 ? (uint64_t)left : UINT64_MAX;
}

unsigned sl_jobs(void) {
  uint64_t jobs =
      least(least(sl_cores(), least_in_cgroups("cpu", cores_in)), sl_memory_available() / JOB_MEMORY);
  return jobs ? (unsigned)jobs : 1;
}
