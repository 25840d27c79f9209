// The filter of system calls: libseccomp makes it from the tables below.  Interface: sl__jail_calls (jail.h).
// A call is allowed unless a table refuses it. Refused calls fail with EPERM, as if the program lacked a
// right. libseccomp leaves out calls that an architecture does not have; calls by the numbers of another
// architecture (i386, x32) end the program.
#include "jail/jail.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FCHMODAT2 = 452 }; // on every architecture; newer than the headers of Debian 12

// Refused to all: neither compilers nor students' programs nor the GPU's driver need them.
static const int never[] = {
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(chroot),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(acct),
    SCMP_SYS(swapon),
    SCMP_SYS(inotify_add_watch),
    SCMP_SYS(fanotify_init),
};

// Refused to students' programs: leaving the process group, changing files that they cannot open.
static const int never_student[] = {
    SCMP_SYS(setsid),    SCMP_SYS(setpgid),     SCMP_SYS(tkill),        SCMP_SYS(fchmodat),
    FCHMODAT2,           SCMP_SYS(fchownat),    SCMP_SYS(setxattr),     SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr),
    SCMP_SYS(utimensat), SCMP_SYS(chmod),       SCMP_SYS(chown),        SCMP_SYS(lchown),
    SCMP_SYS(utime),     SCMP_SYS(utimes),      SCMP_SYS(futimesat),
};

// Refused without `shared`: memory that outlives its program, modes of files that it has open.
static const int never_alone[] = {SCMP_SYS(fchmod), SCMP_SYS(fchown), SCMP_SYS(shmget),
                                  SCMP_SYS(msgget), SCMP_SYS(semget), SCMP_SYS(mq_open)};

// Refused without `sockets`: the connection to the simulated GPU exists already.
static const int no_sockets[] = {SCMP_SYS(socket)};

// Refused without `processes`. Threads are made with clone, which refuse_processes looks at more closely.
static const int no_processes[] = {SCMP_SYS(fork), SCMP_SYS(vfork)};

// A real GPU's driver makes a Unix socket of its own to open memory of another process; it needs no
// connection to a socket that has a name in the file system, where other services of the machine are.
static const int no_connections[] = {SCMP_SYS(connect)};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void check_rule(int rc) {
  errno = -rc;
  if (rc != 0) sl__jail_refuse("seccomp");
}

static void refuse_calls(scmp_filter_ctx f, const int *calls, size_t n) {
  for (size_t k = 0; k < n; k++) check_rule(seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), calls[k], 0));
}

static void refuse_when(scmp_filter_ctx f, int call, struct scmp_arg_cmp argument) {
  check_rule(seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), call, 1, argument));
}

// Refuses calls by their first argument: whom they signal, which family of sockets they make, whose limits
// they set.
static void refuse_to_students(scmp_filter_ctx f) {
  const unsigned me = (unsigned)getpid(); // exec keeps the number
  const struct {
    int call;
    unsigned only;
  } rows[] = {
      {SCMP_SYS(kill), me},
      {SCMP_SYS(tgkill), me},
      {SCMP_SYS(rt_sigqueueinfo), me},
      {SCMP_SYS(rt_tgsigqueueinfo), me},
      {SCMP_SYS(socket), AF_UNIX},
      {SCMP_SYS(prlimit64), 0}, // getrlimit; raising a limit takes a capability
  };
  refuse_calls(f, never_student, COUNT(never_student));
  for (size_t k = 0; k < COUNT(rows); k++)
    refuse_when(f, rows[k].call, SCMP_A0_32(SCMP_CMP_NE, rows[k].only));
}

// Refuses new processes. A filter cannot see the flags of clone3, so that is refused, too: libc then uses
// clone.
static void refuse_processes(scmp_filter_ctx f) {
  refuse_calls(f, no_processes, COUNT(no_processes));
  refuse_when(f, SCMP_SYS(clone), SCMP_A0_32(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  check_rule(seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
}

// Refuses connections, and sending datagrams, which need none.
static void refuse_connections(scmp_filter_ctx f) {
  refuse_calls(f, no_connections, COUNT(no_connections));
  refuse_when(f, SCMP_SYS(socket), SCMP_A1_32(SCMP_CMP_MASKED_EQ, 0xf, SOCK_DGRAM));
}

void sl__jail_calls(const sl_jail_allowed *a) {
  errno = ENOMEM;
  scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
  if (!f) sl__jail_refuse("seccomp");
  check_rule(seccomp_attr_set(f, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
  refuse_calls(f, never, COUNT(never));
  if (!a->own_sockets) refuse_calls(f, no_sockets, COUNT(no_sockets));
  if (!a->sockets) refuse_connections(f);
  if (!a->shared) refuse_calls(f, never_alone, COUNT(never_alone));
  if (!a->processes) refuse_processes(f);
  if (a->student) refuse_to_students(f);
  check_rule(seccomp_load(f)); // with no_new_privs
  seccomp_release(f);
}
