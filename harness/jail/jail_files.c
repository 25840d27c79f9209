// The files that a program may open: a Landlock domain in which only listed paths can be opened.  Interface:
// sl_jail_files (jail.h). Landlock needs neither privileges nor namespaces, costs a few microseconds a rule
// and holds for all that the program starts. It decides when a file is opened, by where the file really lies:
// links, `..` and /proc/self/root are no way around it. The same domain keeps the program from looking into
// processes outside of it (/proc/PID/fd, environ, mem). It does not hide that a file exists, and the
// filter of calls has to refuse changes of modes and owners. The numbers below are the kernel's; headers of
// older systems lack the newer ones.
#include "jail/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum { CREATE_VERSION = 1, RULE_PATH_BENEATH = 1 };

enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_DIR = 1 << 3,
  REMOVE_DIR = 1 << 4,
  TRUNCATE = 1 << 14,
  IOCTL_DEV = 1 << 15,
  FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV // all rights that a plain file has
};

// What each version of Landlock can refuse: files; TCP; unnamed sockets and signals to the outside.
static const struct {
  uint64_t files, net, scope;
} versions[] = {
    {0, 0, 0}, {0x1fff, 0, 0}, {0x3fff, 0, 0}, {0x7fff, 0, 0}, {0x7fff, 3, 0}, {0xffff, 3, 0}, {0xffff, 3, 3},
};

typedef struct ruleset_attr {
  uint64_t files, net, scope;
} ruleset_attr;

typedef struct __attribute__((packed)) path_rule {
  uint64_t allowed;
  int32_t parent;
} path_rule;

static uint64_t rights_of(char use) {
  static const struct {
    char use;
    uint64_t rights;
  } rows[] = {
      {'r', READ_FILE | READ_DIR},
      {'x', READ_FILE | READ_DIR | EXECUTE},
      // CUDA's driver truncates what it writes
      {'d', READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | IOCTL_DEV},
      {'w', 0xffff & ~(uint64_t)EXECUTE},
      {'e', REMOVE_DIR},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (rows[k].use == use) return rows[k].rights;
  errno = EINVAL;
  sl_jail_refuse("a rule for files");
}

// Adds a rule; a path that does not exist needs none.
static void allow(int ruleset, const sl_jail_rule *rule, uint64_t handled) {
  struct stat st;
  path_rule r = {.allowed = rights_of(rule->use) & handled, .parent = open(rule->path, O_PATH | O_CLOEXEC)};
  if (r.parent < 0 && (errno == ENOENT || errno == EACCES || errno == ENOTDIR)) return;
  if (r.parent < 0 || fstat(r.parent, &st) != 0) sl_jail_refuse(rule->path);
  if (!S_ISDIR(st.st_mode)) r.allowed &= FILE_RIGHTS;
  if (syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &r, 0) != 0) sl_jail_refuse(rule->path);
  close(r.parent);
}

static long newest_version(void) { return syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_VERSION); }

bool sl_jail_has_landlock(void) { return newest_version() >= 1; }

bool sl_jail_files(const sl_jail_rule *rules, size_t n) {
  long newest = sizeof versions / sizeof *versions - 1;
  long version = newest_version();
  if (version < 1) return false;
  if (version > newest) version = newest;
  ruleset_attr attr = {versions[version].files, versions[version].net, versions[version].scope};
  size_t size = version >= 6 ? sizeof attr : version >= 4 ? 16 : 8;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
  if (ruleset < 0) sl_jail_refuse("Landlock");
  for (size_t k = 0; k < n; k++) allow(ruleset, &rules[k], attr.files);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) sl_jail_refuse("no_new_privs");
  if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) sl_jail_refuse("Landlock");
  close(ruleset);
  return true;
}
