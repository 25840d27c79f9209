// Time: clocks, and the processor time that processes have used.
//
// Interface: sl_clock, sl_now, sl_used_seconds, sl_active_seconds, sl_waits (base.h); sl__usage_of (usage.h).
#include "base/usage.h"
#include "base/base.h"

#include <sys/resource.h>
#include <time.h>

double sl_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double sl_now(void) { return sl_clock(CLOCK_MONOTONIC); }

double sl_used_seconds(const struct rusage *used) {
  return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
         1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

// What the system says of a process or thread: what follows its name, which may hold anything. NULL: nothing.
static const char *read_stat(const char *folder, const char *number, char *text, size_t cap) {
  SL_FREED char *path = sl_path("%s/%s/stat", folder, number);
  FILE *f = fopen(path, "re");
  const size_t len = f ? fread(text, 1, cap - 1, f) : 0;
  if (f) fclose(f);
  text[len] = 0;
  return strrchr(text, ')');
}

static bool is_watched(const sl_usage *u, int pid) {
  for (int k = 0; k < u->n; k++)
    if (u->pid[k] == pid) return true;
  return false;
}

// Adds a process, with its children that have ended. One that is ready to run, or waits for the disk, or was
// stopped from outside, does not wait. /proc lists parents first.
static void add_process(sl_usage *u, const char *name, pid_t group) {
  char text[1024], state = 0;
  int pid = atoi(name), parent = 0, its_group = 0;
  unsigned long t[4] = {0};
  const char *rest = read_stat("/proc", name, text, sizeof text);
  int found = rest ? sscanf(rest, ") %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", &state,
                            &parent, &its_group, &t[0], &t[1], &t[2], &t[3])
                   : 0;
  if (found != 7 || (its_group != group && !is_watched(u, parent))) return;
  if (u->n < SL_MOST_WATCHED) u->pid[u->n++] = pid;
  u->seconds += (double)(t[0] + t[1] + t[2] + t[3]) / (double)sysconf(_SC_CLK_TCK);
  u->waits &= strchr("SIZ", state) != NULL;
}

static sl_usage look(pid_t group) {
  SL_LISTED DIR *d = opendir("/proc");
  sl_usage u = {.waits = d != NULL};
  for (const struct dirent *f; d && (f = readdir(d));)
    if (f->d_name[0] >= '1' && f->d_name[0] <= '9') add_process(&u, f->d_name, group);
  return u;
}

// Processes go on during a look: one that was seen to wait for a child may have the processor when the child
// has gone. So all wait only if a second look finds the same.
sl_usage sl__usage_of(pid_t group) {
  const sl_usage first = look(group);
  if (!first.waits) return first;
  sl_usage again = look(group);
  again.waits &= again.n == first.n && again.seconds <= first.seconds;
  return again;
}

// Adds what one thread has run and waited to run. False: unknown; a system that keeps no count says 0 0 0.
static bool add_active(const char *threads, const char *name, double *seconds) {
  char text[512], state = 0;
  unsigned long long run = 0, ready = 0, turns = 0;
  const char *rest = read_stat(threads, name, text, sizeof text);
  SL_FREED char *path = sl_path("%s/%s/schedstat", threads, name);
  FILE *f = fopen(path, "re");
  const bool told = f && fscanf(f, "%llu %llu %llu", &run, &ready, &turns) == 3 && turns;
  if (f) fclose(f);
  *seconds += (double)(run + ready) / 1e9;
  return told && rest && sscanf(rest, ") %c", &state) == 1 && state != 'D';
}

double sl_active_seconds(pid_t pid) {
  SL_FREED char *threads = sl_path("/proc/%d/task", (int)pid);
  double seconds = 0;
  SL_LISTED DIR *d = opendir(threads);
  bool told = d != NULL;
  for (const struct dirent *f; told && (f = readdir(d));)
    if (f->d_name[0] != '.') told = add_active(threads, f->d_name, &seconds);
  return told ? seconds : -1;
}

bool sl_waits(pid_t pid) {
  SL_FREED char *threads = sl_path("/proc/%d/task", (int)pid);
  char text[512], state = 0;
  bool waits = true, seen = false;
  SL_LISTED DIR *d = opendir(threads);
  for (const struct dirent *f; waits && d && (f = readdir(d));) {
    if (f->d_name[0] == '.') continue;
    const char *rest = read_stat(threads, f->d_name, text, sizeof text);
    waits = rest && sscanf(rest, ") %c", &state) == 1 && strchr("SITtZ", state);
    seen = true;
  }
  return waits && seen;
}
