// sl-jail: starts the student's program, or the compiler, in a sandbox that protects judge and machine.
//
//   sl-jail run SOCKET CPU_SECONDS MEMORY_MIB [RULE..] -- PROGRAM
//       a student's program; MEMORY_MIB 0: on a real GPU
//   sl-jail build FOLDER CPU_SECONDS MEMORY_MIB [RULE..] -- COMMAND..
//       a compiler, whose files go to FOLDER
//   sl-jail prepare FOLDER ..
//       the same for a source of the course's own, whose compilers store their memory
//   sl-jail in GROUP -- COMMAND..
//       COMMAND in the control group whose folder is GROUP (group.c)
//
// RULE is a letter and a path that may be opened, as r/etc/ld.so.cache (jail.h); or +apart, for namespaces,
// and +within, if they must be there; or +processes, +own_sockets, +sockets, +shared, which allow a program
// what otherwise only compilers may, and +unfiltered (jail.h). Without rules for files every file can be
// opened: the judge gives none if the machine has no Landlock. A program's SOCKET becomes descriptor 3, a
// connection to the simulated GPU descriptor 4; all others but 0, 1, 2 are closed. There are no core files,
// only small files, and limits of CPU time, memory (not on a real GPU) and descriptors. All capabilities go,
// so that a program run by root cannot look into the judge, which is not dumpable. jail_calls.c allows the
// system calls that programs need: no new processes, only threads. If any of this cannot be done, sl-jail
// exits with 126 and the program does not run. The byte that says ready tells whether it got namespaces
// (jail_spaces.c); the process that sends it is the one that becomes the program.
#include "jail/jail.h"
#include "base/base.h"
#include "gpu/protocol.h"
#include "gpu/wire.h"
#include "runner/case_protocol.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum {
  MAX_RULES = 128,
  MIB = 1 << 20,
  BUILD_FILE_MIB = 64,
  PREPARED_FILE_MIB = 512,
  PROGRAM_FILE_MIB = 16,
  GPU_FILE_MIB = 1024
};
enum { GPU_FD = SL_CASE_FD + 1 };
// A pointer to managed memory is the same on the host and the device, whose 256 GiB of addresses the program
// reserves; only memory that can be written counts.
enum { ADDRESSES_MIB = 264 << 10, PROCESSES = 1024 };
// Signals that wait count for all of the user's processes together.
enum { SIGNALS = 1024 };
enum { BUILD_FILES = 256, PROGRAM_FILES = 64, GPU_FILES = 1024 };

typedef struct jail {
  bool build, apart, within; // within: bubblewrap has started this
  bool prepare;              // with build
  const char *where;         // SOCKET or FOLDER
  int64_t seconds, mib;
  sl_jail_rule rules[MAX_RULES];
  size_t n_rules;
  sl_jail_allowed allowed;
  char **command;
} jail;

static void limit(int what, uint64_t value, const char *name) {
  struct rlimit r = {value, value};
  struct rlimit old;
  if (getrlimit(what, &old) == 0 && old.rlim_max < value) r.rlim_cur = r.rlim_max = old.rlim_max;
  if (setrlimit(what, &r) != 0) sl_jail_refuse(name);
}

static void drop_capabilities(void) {
  for (int cap = 0; cap < 64; cap++)
    if (prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 1 && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0 &&
        errno != EPERM)
      sl_jail_refuse("capabilities");
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

static bool allow(jail *j, const char *word) {
  const struct {
    const char *word;
    bool *to;
  } rows[] = {{"apart", &j->apart},
              {"within", &j->within},
              {"processes", &j->allowed.processes},
              {"own_sockets", &j->allowed.own_sockets},
              {"sockets", &j->allowed.sockets},
              {"shared", &j->allowed.shared},
              {"unfiltered", &j->allowed.unfiltered}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (!strcmp(word, rows[k].word)) return *rows[k].to = true;
  return false;
}

static bool read_line(jail *j, int argc, char **argv) {
  if (argc < 7) return false;
  j->prepare = !strcmp(argv[1], "prepare");
  j->build = j->prepare || !strcmp(argv[1], "build");
  if (!j->build && strcmp(argv[1], "run")) return false;
  j->where = argv[2];
  if (!sl_parse_int(argv[3], 1, 1 << 20, &j->seconds) || !sl_parse_int(argv[4], 0, 1 << 20, &j->mib))
    return false;
  int k = 5;
  j->allowed.who = j->build ? SL_JAILED_COMPILER : SL_JAILED_STUDENT;
  if (j->build) j->allowed.processes = j->allowed.shared = true; // compilers set modes of files
  for (; argv[k] && strcmp(argv[k], "--"); k++) {
    if (argv[k][0] == '+') {
      if (!allow(j, argv[k] + 1)) return false;
      continue;
    }
    if (j->n_rules == MAX_RULES) return false;
    j->rules[j->n_rules++] = (sl_jail_rule){argv[k][0], argv[k][0] ? argv[k] + 1 : ""};
  }
  j->command = argv + k + 1;
  return argv[k] && argv[k + 1];
}

// Goes to the build's folder and puts the compiler's temporary files there, so that they go with it.
static void enter_folder(const jail *j) {
  if (!sl_jail_close_from(3)) sl_jail_refuse("closing descriptors");
  if (chdir(j->where) != 0) sl_jail_refuse(j->where);
  if (setenv("TMPDIR", ".", 1) != 0) sl_jail_refuse("the environment");
}

static void take_socket(const jail *j) {
  int64_t fd;
  errno = EBADF;
  if (!sl_parse_int(j->where, 3, 1 << 20, &fd)) sl_jail_refuse(j->where);
  if (fd != SL_CASE_FD && dup2((int)fd, SL_CASE_FD) < 0) sl_jail_refuse("socket");
  if (!sl_jail_close_from(SL_CASE_FD + 1)) sl_jail_refuse("closing descriptors");
}

// Connects to the simulated GPU before the program starts, so that the program needs no sockets.
static void connect_gpu(void) {
  const char *path = getenv(SL_GPU_ENV);
  char name[16];
  int fd = path ? sl__connect(path) : -1;
  if (!path) return;
  if (fd < 0 || dup2(fd, GPU_FD) < 0) sl_jail_refuse(path);
  if (fd != GPU_FD) close(fd);
  snprintf(name, sizeof name, "fd:%d", GPU_FD);
  if (fcntl(GPU_FD, F_SETFD, 0) != 0 || setenv(SL_GPU_ENV, name, 1) != 0) sl_jail_refuse("the environment");
}

// When memory is short, the system shall end this process, not the judge or the grader.
static void first_to_go(void) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd >= 0 && write(fd, "1000", 4) < 0) errno = 0; // some containers refuse: no harm
  if (fd >= 0) close(fd);
}

static void set_limits(const jail *j) {
  first_to_go();
  uint64_t mib = j->prepare ? PREPARED_FILE_MIB
                 : j->build ? BUILD_FILE_MIB
                 : j->mib   ? PROGRAM_FILE_MIB
                            : GPU_FILE_MIB;
  uint64_t files = j->build ? BUILD_FILES : j->mib ? PROGRAM_FILES : GPU_FILES;
  limit(RLIMIT_CORE, 0, "core files");
  limit(RLIMIT_FSIZE, mib * MIB, "file size");
  limit(RLIMIT_NOFILE, files, "descriptors");
  // gVisor lets nobody set this one, and does not count the signals of a user's processes together.
  const struct rlimit signals = {SIGNALS, SIGNALS};
  if (setrlimit(RLIMIT_SIGPENDING, &signals) != 0 && errno != EPERM) sl_jail_refuse("signals that wait");
  limit(RLIMIT_CPU, (uint64_t)j->seconds, "CPU time");
}

// Comes last: to make the filter of system calls takes memory.
static void set_memory_limit(const jail *j) {
  if (!j->mib) return;
  limit(RLIMIT_DATA, (uint64_t)j->mib * MIB, "memory");
  limit(RLIMIT_AS, (uint64_t)(j->mib + (j->build ? 0 : ADDRESSES_MIB)) * MIB, "addresses");
}

// Enters namespaces, in which the number of the user's processes starts at none. Within bubblewrap they must
// be there: they keep the program from the memory of bubblewrap's first process, which no filter holds.
static bool go_apart(const jail *j) {
  if (!j->apart) return false;
  if (!sl_jail_spaces()) return j->within ? (sl_jail_refuse("namespaces"), false) : false;
  limit(RLIMIT_NPROC, PROCESSES, "processes");
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) sl_jail_refuse("the end with the judge");
  sl_jail_fork();
  return true;
}

// Enters the group first, so that all that starts is in there.
static _Noreturn void enter_group(const char *group, char **command) {
  SL_FREED char *procs = sl_path("%s/cgroup.procs", group);
  int fd = open(procs, O_WRONLY | O_CLOEXEC);
  if (fd < 0 || write(fd, "0", 1) != 1) sl_jail_refuse(procs);
  execvp(command[0], command);
  sl_jail_refuse(command[0]);
}

int main(int argc, char **argv) {
  static jail j;
  if (argc > 4 && !strcmp(argv[1], "in") && !strcmp(argv[3], "--")) enter_group(argv[2], argv + 4);
  if (!read_line(&j, argc, argv)) {
    fprintf(stderr, "usage: sl-jail run SOCKET | build FOLDER  CPU_SECONDS MEMORY_MIB [RULE..] -- COMMAND.. "
                    "(started by the judge)\n");
    return SL_JAIL_REFUSED;
  }
  if (j.build) enter_folder(&j);
  else take_socket(&j);
  if (!j.build && j.mib) connect_gpu();
  set_limits(&j);
  if (!j.build)
    drop_capabilities(); // not for the compiler: it runs no student's code, and files may be another user's
  char ready = go_apart(&j) ? SL_JAIL_APART : SL_JAIL_READY;
  if (j.n_rules && !sl_jail_files(j.rules, j.n_rules)) sl_jail_refuse("Landlock");
  sl_jail_calls(&j.allowed);
  set_memory_limit(&j);
  if (!j.build && write(SL_CASE_FD, &ready, 1) != 1) sl_jail_refuse("socket");
  if (!j.build) j.command[1] = NULL;
  execv(j.command[0], j.command);
  sl_jail_refuse(j.command[0]);
}
