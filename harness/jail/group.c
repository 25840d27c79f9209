// A control group of its own for a program: a limit for the memory and the number of all its processes
// together, where this machine has delegated control groups of version 2 to the user.
//
// Interface: sl_group_open, sl_group_wrap, sl_group_exceeded, sl_group_close, sl_group_works (sandbox.h). A
// user's own manager of services has such groups, and so has a scope or service with Delegate=yes. Elsewhere
// there are none, and limits hold for each process alone. A group whose processes are not all in groups below
// it can limit nothing below it: in a delegated group that this process shares with others, all of them move
// into a group "rest" first.
#include "jail/group.h"
#include "jail/sandbox.h"

#include <signal.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PROCESSES = 1024, TRIES = 100, END_MS = 1000, STALE_SECONDS = 600, MAX_FILE = 1 << 16 };
static const char group_name[] = "scanlab-";
static char parent[PATH_MAX]; // where groups are made; empty: nowhere

// Files -----------------------------------------------------------------------------------------------------

static bool put(const char *folder, const char *file, const char *text) {
  SL_FREED char *path = sl_path("%s/%s", folder, file);
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  if (fd >= 0) close(fd);
  return ok;
}

static char *text_of(const char *folder, const char *file) {
  SL_FREED char *path = sl_path("%s/%s", folder, file);
  return sl_read_file(path, MAX_FILE, NULL, NULL);
}

static bool lists_both(const char *folder, const char *file) {
  SL_FREED char *text = text_of(folder, file);
  return text && strstr(text, "memory") && strstr(text, "pids");
}

static bool may_change(const char *folder) {
  SL_FREED char *procs = sl_path("%s/cgroup.procs", folder);
  return access(folder, W_OK) == 0 && access(procs, W_OK) == 0;
}

// systemd's word for "not mine": without it, root changes nothing.
static bool is_marked(const char *folder) {
  char value[4] = "";
  return (getxattr(folder, "user.delegate", value, 1) == 1 ||
          getxattr(folder, "trusted.delegate", value, 1) == 1) &&
         value[0] == '1';
}

// The parent ------------------------------------------------------------------------------------------------

// Writes all numbers of [from]/cgroup.procs, one by one, to [to]/[file].
static void move_all(const char *from, const char *to) {
  SL_FREED char *text = text_of(from, "cgroup.procs");
  char *rest = text;
  for (char *pid; (pid = strsep(&rest, "\n"));)
    if (*pid) put(to, "cgroup.procs", pid);
}

// Lets groups below [folder] have limits. Processes that start meanwhile make it fail: once more.
static bool split(const char *folder) {
  SL_FREED char *rest = sl_path("%s/rest", folder);
  if (lists_both(folder, "cgroup.subtree_control")) return true;
  if (!lists_both(folder, "cgroup.controllers")) return false;
  if (mkdir(rest, 0755) != 0 && errno != EEXIST) return false;
  for (int k = 0; k < TRIES; k++) {
    move_all(folder, rest);
    if (put(folder, "cgroup.subtree_control", "+memory +pids")) return true;
  }
  return false;
}

// The nearest group around [own] in which groups with limits can be made; none above [top].
bool sl__group_parent(const char *top, const char *own, char found[PATH_MAX]) {
  char at[PATH_MAX];
  bool marked = false;
  found[0] = 0;
  if (snprintf(at, sizeof at, "%s%s", top, strcmp(own, "/") ? own : "") >= PATH_MAX) return false;
  SL_FREED char *leaf = strdup(at);
  if (is_marked(leaf) && may_change(leaf)) return split(strcpy(found, leaf));
  while (!marked && strlen(at) > strlen(top)) {
    *strrchr(at, '/') = 0;
    if (!may_change(at)) break;
    marked = is_marked(at);
    if (!found[0] && lists_both(at, "cgroup.subtree_control")) strcpy(found, at);
  }
  if (geteuid() == 0 && !marked) return false;
  return found[0] || (geteuid() != 0 && may_change(leaf) && split(strcpy(found, leaf)));
}

// The mount of version 2 whose root is this process's own.
static bool find_mount(char top[PATH_MAX]) {
  char line[2 * PATH_MAX], root[PATH_MAX];
  bool found = false;
  SL_CLOSED FILE *f = fopen("/proc/self/mountinfo", "re");
  while (f && !found && fgets(line, sizeof line, f))
    found = strstr(line, " - cgroup2 ") && sscanf(line, "%*s %*s %*s %4095s %4095s", root, top) == 2 &&
            !strcmp(root, "/");
  return found;
}

static bool find_own(char own[PATH_MAX]) {
  SL_FREED char *text = text_of("/proc/self", "cgroup");
  const char *at = !text ? NULL : !strncmp(text, "0::", 3) ? text : strstr(text, "\n0::");
  return at && sscanf(strchr(at, ':') + 2, "%4095[^\n]", own) == 1;
}

// Groups that judges have left which were killed. One that holds processes stays.
static void remove_stale(void) {
  SL_LISTED DIR *d = opendir(parent);
  struct stat st;
  for (struct dirent *f; d && (f = readdir(d));)
    if (!strncmp(f->d_name, group_name, strlen(group_name)) && fstatat(dirfd(d), f->d_name, &st, 0) == 0 &&
        st.st_mtime < time(NULL) - STALE_SECONDS)
      unlinkat(dirfd(d), f->d_name, AT_REMOVEDIR);
}

// Groups ----------------------------------------------------------------------------------------------------

static bool make_group(sl_group *g, int mib) {
  static atomic_int count;
  char limit[32], processes[16];
  snprintf(limit, sizeof limit, "%lld", (long long)mib << 20);
  snprintf(processes, sizeof processes, "%d", PROCESSES);
  g->path = sl_path("%s/%s%d-%d", parent, group_name, (int)getpid(), atomic_fetch_add(&count, 1));
  g->slot = sl_remove_on_signal(g->path);
  bool ok =
      mkdir(g->path, 0755) == 0 && put(g->path, "memory.max", limit) && put(g->path, "pids.max", processes);
  put(g->path, "memory.swap.max", "0");
  put(g->path, "memory.oom.group", "1");
  if (!ok) sl_group_close(g);
  return ok;
}

// Can a process enter a group that is made here?
static bool try_group(void) {
  sl_group g = {.slot = -1};
  int status = -1;
  if (!make_group(&g, 64)) return false;
  pid_t pid = fork();
  if (pid == 0) _exit(!put(g.path, "cgroup.procs", "0"));
  bool ok = pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
  sl_group_close(&g);
  return ok;
}

static bool works;

static void find_out(void) {
  char top[PATH_MAX], own[PATH_MAX];
  if (sl_sandbox_is_off() || !find_mount(top) || !find_own(own) || !sl__group_parent(top, own, parent))
    return;
  remove_stale();
  works = try_group();
}

bool sl_group_works(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_out);
  return works;
}

void sl_group_open(sl_group *g, int mib) {
  *g = (sl_group){.slot = -1};
  if (sl_group_works()) make_group(g, mib);
}

void sl_group_wrap(sl_command *c, const sl_group *g) {
  if (!g->path) return;
  sl_command old = *c;
  sl_command_begin(c);
  sl_command_words(c, SL_WORDS("in", g->path, "--"));
  sl_command_words(c, (const char *const *)old.argv);
  sl_command_end(&old);
}

bool sl_group_exceeded(const sl_group *g) {
  static const char word[] = "\noom_kill ";
  SL_FREED char *text = g->path ? text_of(g->path, "memory.events") : NULL;
  const char *at = text ? strstr(text, word) : NULL;
  return at && strtol(at + strlen(word), NULL, 10) > 0;
}

static void kill_all(const char *path) {
  SL_FREED char *text = NULL;
  if (put(path, "cgroup.kill", "1")) return;
  text = text_of(path, "cgroup.procs"); // before Linux 5.14
  char *rest = text;
  for (char *pid; (pid = strsep(&rest, "\n"));)
    if (atoi(pid) > 0) kill(atoi(pid), SIGKILL);
}

void sl_group_close(sl_group *g) {
  if (!g->path) return;
  for (int k = 0; k < END_MS && rmdir(g->path) != 0 && errno == EBUSY; k++) {
    kill_all(g->path);
    usleep(1000);
  }
  sl_keep_on_signal(g->slot);
  free(g->path);
  *g = (sl_group){.slot = -1};
}
