// sl-jail: starts the student's program with nothing that it could use against the judge.
//
//   sl-jail SOCKET CPU_SECONDS MEMORY_MIB PROGRAM
//
// SOCKET becomes descriptor 3, every other one but 0, 1, 2 is closed. Limits: no core files, small files, CPU
// time, address space (0: no limit, for a real GPU). All capabilities go, so that a program run by root
// cannot look into the judge, which is not dumpable. A seccomp filter refuses: signals to other processes,
// ptrace and its kin, leaving the process group, and sockets other than Unix ones, and, on the
// simulator, new processes (threads are free; a real GPU's driver may need a helper). Exits 126 when any of
// this cannot be done: then the program does not run.
#include "base/base.h"
#include "judge/student.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// A real GPU's driver makes large shared-memory files of its own.
enum { REFUSED = 126, FILE_BYTES = 16 << 20, FILE_BYTES_GPU = 1 << 30 };

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "sl-jail knows x86-64 and arm64"
#endif

static _Noreturn void refuse(const char *what) {
  fprintf(stderr, "sl-jail: %s: %s\n", what, strerror(errno));
  exit(REFUSED);
}

static void limit(int what, uint64_t value, const char *name) {
  struct rlimit r = {value, value};
  struct rlimit old;
  if (getrlimit(what, &old) == 0 && old.rlim_max < value) r.rlim_cur = r.rlim_max = old.rlim_max;
  if (setrlimit(what, &r) != 0) refuse(name);
}

static void drop_capabilities(void) {
  for (int cap = 0; cap < 64; cap++)
    if (prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 1 && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0 &&
        errno != EPERM)
      refuse("capabilities");
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

// The filter ------------------------------------------------------------------------------------------------

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define DENY RETURN(SECCOMP_RET_ERRNO | EPERM)
// Call [nr] is refused.
#define NEVER(nr) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), DENY
// Call [nr] is refused unless its first argument is [value].
#define ONLY(nr, value)                                                                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4), LOAD(args[0]),                                              \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), RETURN(SECCOMP_RET_ALLOW), DENY

// Call [nr] is refused unless its first argument has one of the bits [mask].
#define ONLY_WITH(nr, mask)                                                                                  \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4), LOAD(args[0]),                                              \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, mask, 0, 1), RETURN(SECCOMP_RET_ALLOW), DENY

static void install(struct sock_filter *code, size_t n) {
  struct sock_fprog program = {(unsigned short)n, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no_new_privs");
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) refuse("seccomp");
}

static void refuse_processes(void) {
  struct sock_filter code[] = {
      LOAD(nr),
#ifdef SYS_fork
      NEVER(SYS_fork),
      NEVER(SYS_vfork),
#endif
      // Its flags are out of a filter's reach; libc goes back to clone when there is no clone3.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      RETURN(SECCOMP_RET_ERRNO | ENOSYS),
      ONLY_WITH(SYS_clone, CLONE_THREAD),
      RETURN(SECCOMP_RET_ALLOW),
  };
  install(code, sizeof code / sizeof *code);
}

static void filter_calls(void) {
  uint32_t me = (uint32_t)getpid(); // exec keeps the number
  struct sock_filter code[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0),
      RETURN(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#ifdef __x86_64__
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), // the x32 numbers of the same calls
      DENY,
#endif
      NEVER(SYS_ptrace),
      NEVER(SYS_process_vm_readv),
      NEVER(SYS_process_vm_writev),
      NEVER(SYS_pidfd_getfd),
      NEVER(SYS_pidfd_send_signal),
      NEVER(SYS_setsid),
      NEVER(SYS_setpgid),
      NEVER(SYS_tkill),
      ONLY(SYS_kill, me),
      ONLY(SYS_tgkill, me),
      ONLY(SYS_rt_sigqueueinfo, me),
      ONLY(SYS_rt_tgsigqueueinfo, me),
      ONLY(SYS_socket, AF_UNIX),
      ONLY(SYS_prlimit64, 0), // getrlimit; raising a limit takes a capability
      RETURN(SECCOMP_RET_ALLOW),
  };
  install(code, sizeof code / sizeof *code);
}

int main(int argc, char **argv) {
  int64_t fd, seconds, mib;
  if (argc != 5 || !sl_parse_int(argv[1], 3, 1 << 20, &fd) || !sl_parse_int(argv[2], 1, 1 << 20, &seconds) ||
      !sl_parse_int(argv[3], 0, 1 << 20, &mib)) {
    fprintf(stderr, "usage: sl-jail SOCKET CPU_SECONDS MEMORY_MIB PROGRAM (started by sl-judge)\n");
    return REFUSED;
  }
  if (fd != SL_CASE_FD && dup2((int)fd, SL_CASE_FD) < 0) refuse("socket");
  if (syscall(SYS_close_range, SL_CASE_FD + 1, ~0u, 0) != 0) refuse("closing descriptors");
  limit(RLIMIT_CORE, 0, "core files");
  limit(RLIMIT_FSIZE, mib ? FILE_BYTES : FILE_BYTES_GPU, "file size");
  limit(RLIMIT_CPU, (uint64_t)seconds, "CPU time");
  if (mib) limit(RLIMIT_AS, (uint64_t)mib << 20, "memory");
  drop_capabilities();
  if (mib) refuse_processes();
  filter_calls();
  char ready = SL_JAIL_READY;
  if (write(SL_CASE_FD, &ready, 1) != 1) refuse("socket");
  execv(argv[4], &argv[4]);
  refuse(argv[4]);
}
