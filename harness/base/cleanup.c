// Removes temporary files and ends child processes when a signal ends the process.
//
// Interface: cleanup.h. Handlers for SIGINT, SIGTERM and SIGHUP are installed at the first registration, and
// only where the program has no handler of its own. The handler uses async-signal-safe calls alone: unlink,
// rmdir, kill, _exit. SIGXFSZ (file size limit) is ignored, so that write() reports a file that grows too
// large as it reports a full disk. The tables have a fixed size and each slot an atomic state: any thread may
// register while a signal arrives.
#include "base/cleanup.h"
#include "base/base.h"

#include <signal.h>
#include <stdatomic.h>
#include <pthread.h>

enum { MAX_FILES = 64, MAX_GROUPS = 1024, FREE = 0, CLAIMED = 1, USED = 2 };

static struct {
  atomic_int state;
  char path[PATH_MAX];
} files[MAX_FILES];
static _Atomic pid_t groups[MAX_GROUPS];

static void on_signal(int) {
  for (int i = 0; i < MAX_GROUPS; i++) {
    pid_t group = atomic_load(&groups[i]);
    if (group > 0) kill(-group, SIGKILL);
  }
  for (int i = 0; i < MAX_FILES; i++)
    if (atomic_load(&files[i].state) == USED) unlink(files[i].path);
  for (int i = 0; i < MAX_FILES; i++) // folders: empty now
    if (atomic_load(&files[i].state) == USED) rmdir(files[i].path);
  _exit(SL_EXIT_INTERRUPTED);
}

static void replace_default(int sig, void (*handler)(int)) {
  struct sigaction old;
  if (sigaction(sig, NULL, &old) != 0 || (old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL) return;
  struct sigaction act = {.sa_handler = handler};
  sigfillset(&act.sa_mask);
  sigaction(sig, &act, NULL);
}

static void install_handlers(void) {
  replace_default(SIGINT, on_signal);
  replace_default(SIGTERM, on_signal);
  replace_default(SIGHUP, on_signal);
  replace_default(SIGXFSZ, SIG_IGN);
}

static void install_once(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_handlers);
}

int sl_remove_on_signal(const char *path) {
  install_once();
  if (strlen(path) >= PATH_MAX) return -1;
  for (int i = 0; i < MAX_FILES; i++) {
    int expected = FREE;
    if (!atomic_compare_exchange_strong(&files[i].state, &expected, CLAIMED)) continue;
    strcpy(files[i].path, path);
    atomic_store(&files[i].state, USED);
    return i;
  }
  return -1;
}

void sl_keep_on_signal(int slot) {
  if (slot >= 0) atomic_store(&files[slot].state, FREE);
}

bool sl__cleanup_add_group(pid_t group) {
  install_once();
  for (int i = 0; i < MAX_GROUPS; i++) {
    pid_t expected = 0;
    if (atomic_compare_exchange_strong(&groups[i], &expected, group)) return true;
  }
  return false;
}

void sl__cleanup_drop_group(pid_t group) {
  for (int i = 0; i < MAX_GROUPS; i++) {
    pid_t expected = group;
    if (atomic_compare_exchange_strong(&groups[i], &expected, 0)) return;
  }
}
