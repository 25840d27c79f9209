// Which sandbox this machine has for other people's programs, and its words for people.
//
// Interface: sandbox.h. Landlock needs nothing but the kernel; bubblewrap (bwrap) builds a tree of files from
// mounts, where Landlock is missing and user namespaces are there. Both stand beside the filter of system
// calls, which sl-jail always sets.
#include "jail/sandbox.h"

#include <sys/wait.h>
#include "jail/jail.h"

static bool is_chosen(const char *name) {
  const char *env = getenv("SCANLAB_SANDBOX");
  return env && !strcmp(env, name);
}

bool sl_sandbox_is_off(void) { return is_chosen("off") || is_chosen("none") || is_chosen("0"); }

// Tried once a process: to start it takes some milliseconds.
static bool has_bubblewrap(void) {
  static int works = -1;
  char *argv[] = {"bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true", NULL};
  if (works < 0) works = sl_run(argv, NULL, 10, 1024, NULL, NULL).code == 0;
  return works;
}

sl_sandbox sl_sandbox_find(void) {
  if (sl_sandbox_is_off()) return SL_SANDBOX_NONE;
  if (!is_chosen("bubblewrap") && sl_jail_has_landlock()) return SL_SANDBOX_LANDLOCK;
  return !is_chosen("landlock") && has_bubblewrap() ? SL_SANDBOX_BUBBLEWRAP : SL_SANDBOX_NONE;
}

const char *sl_sandbox_name(sl_sandbox s, bool apart) {
  static const char *const names[][2] = {{"none", "none"},
                                         {"landlock", "landlock+cgroup"},
                                         {"bubblewrap", "bubblewrap+cgroup"},
                                         {"landlock+namespaces", "landlock+namespaces+cgroup"}};
  return names[apart && s == SL_SANDBOX_LANDLOCK ? 3 : s][s != SL_SANDBOX_NONE && sl_group_works()];
}

bool sl_sandbox_apart(void) {
  int status = -1;
  pid_t pid = sl_sandbox_is_off() ? -1 : fork();
  if (pid == 0) _exit(!sl_jail_spaces());
  return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

const char *sl_sandbox_why_none(void) {
  return sl_sandbox_is_off() ? "SCANLAB_SANDBOX turns it off"
                             : "this system has neither Landlock (Linux 5.13 or newer, enabled) nor a "
                               "bubblewrap that works (bwrap, and user namespaces)";
}

// A word that is mistyped would choose nothing, without a word.
static bool check_words(const char *name, const char *const *known, const char *expected, sl_error *e) {
  const char *set = getenv(name);
  SL_FREED char *copy = sl_path("%s", set ? set : "");
  for (char *rest, *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    int k = 0;
    while (known[k] && strcmp(known[k], word)) k++;
    if (!known[k])
      return sl_fail(e, SL_EXIT_USAGE, NULL, "environment variable %s: expected %s, found '%.80s'", name,
                     expected, word);
  }
  return true;
}

bool sl_sandbox_check(sl_error *e) {
  static const char *const kinds[] = {"off", "none", "0", "landlock", "bubblewrap", NULL};
  if (!check_words("SCANLAB_SANDBOX", kinds, "landlock, bubblewrap or off", e) ||
      !check_words(SL_GPU_NEEDS_ENV, sl_gpu_needs, "words of processes, sockets, shared", e))
    return false;
  const char *env = getenv(SL_REQUIRE_SANDBOX_ENV);
  if (!env || !env[0] || !strcmp(env, "0") || sl_sandbox_find() != SL_SANDBOX_NONE) return true;
  return sl_fail(e, SL_EXIT_INFRA, "grade on a machine that has one; --no-sandbox is for kernels of your own",
                 "there is no sandbox to keep submissions from the files of this user: %s",
                 sl_sandbox_why_none());
}

void sl_sandbox_note(const char *program) {
  if (sl_sandbox_find() == SL_SANDBOX_NONE && !sl_sandbox_is_off())
    fprintf(stderr, "%s: note: the kernel's file runs without a sandbox, as you: %s\n", program,
            sl_sandbox_why_none());
}
