// What sl-jail does about system calls: a seccomp filter, written from the tables below.
//
// Interface: sl__jail_calls (jail.h). Refused calls fail with EPERM, as if the program lacked a right.
#include "jail/jail.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "sl-jail knows x86-64 and arm64"
#endif

// Nothing that a compiler, a student's program or the GPU's driver needs.
static const int never[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_io_uring_setup,
    SYS_name_to_handle_at,
    SYS_chroot,
    SYS_open_by_handle_at,
    SYS_init_module,
    SYS_finit_module,
    SYS_kexec_load,
    SYS_acct,
    SYS_swapon,
    SYS_inotify_add_watch,
    SYS_fanotify_init,
};

// Nor these, for the student's program: leaving its process group, and changing files that it cannot open.
static const int never_student[] = {
    SYS_setsid,    SYS_setpgid,   SYS_tkill,     SYS_fchmodat,    452 /* fchmodat2 */, SYS_fchownat,
    SYS_setxattr,  SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,    SYS_fremovexattr,
    SYS_utimensat,
#ifdef SYS_chmod
    SYS_chmod,     SYS_chown,     SYS_lchown,    SYS_utime,       SYS_utimes,          SYS_futimesat,
#endif
};

// Nor these, where nothing is shared: memory that outlives its program, modes of files that it has open.
static const int never_alone[] = {SYS_fchmod, SYS_fchown, SYS_shmget, SYS_msgget, SYS_semget, SYS_mq_open};

// The simulated GPU's connection is made before.
static const int no_sockets[] = {SYS_socket};

// A real GPU's driver makes a Unix socket of its own to open memory of another process; it needs no
// connection to a socket that has a name in the file system, where other services of the machine are.
static const int no_connections[] = {SYS_connect};

typedef struct filter {
  struct sock_filter code[256];
  size_t n;
} filter;

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define IF(how, value, yes, no) BPF_JUMP(BPF_JMP | how | BPF_K, value, yes, no)
#define DENY RETURN(SECCOMP_RET_ERRNO | EPERM)

static void add(filter *f, struct sock_filter code) {
  if (f->n == sizeof f->code / sizeof *f->code) {
    errno = ENOSPC;
    sl__jail_refuse("the filter");
  }
  f->code[f->n++] = code;
}

static void add_never(filter *f, const int *calls, size_t n) {
  for (size_t k = 0; k < n; k++) {
    add(f, (struct sock_filter)IF(BPF_JEQ, (uint32_t)calls[k], 0, 1));
    add(f, (struct sock_filter)DENY);
  }
}

// Call [nr] is refused unless its first argument is [value] (how: BPF_JEQ) or has a bit of it (BPF_JSET).
static void add_only(filter *f, int nr, uint16_t how, uint32_t value) {
  add(f, (struct sock_filter)IF(BPF_JEQ, (uint32_t)nr, 0, 4));
  add(f, (struct sock_filter)LOAD(args[0]));
  add(f, (struct sock_filter)IF(how, value, 0, 1));
  add(f, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
  add(f, (struct sock_filter)DENY);
}

static void begin(filter *f) {
  f->n = 0;
  add(f, (struct sock_filter)LOAD(arch));
  add(f, (struct sock_filter)IF(BPF_JEQ, THIS_ARCH, 1, 0));
  add(f, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
  add(f, (struct sock_filter)LOAD(nr));
#ifdef __x86_64__
  add(f, (struct sock_filter)IF(BPF_JGE, 0x40000000, 0, 1)); // the x32 numbers of the same calls
  add(f, (struct sock_filter)DENY);
#endif
}

static void add_student(filter *f) {
  uint32_t me = (uint32_t)getpid(); // exec keeps the number
  add_never(f, never_student, sizeof never_student / sizeof *never_student);
  add_only(f, SYS_kill, BPF_JEQ, me);
  add_only(f, SYS_tgkill, BPF_JEQ, me);
  add_only(f, SYS_rt_sigqueueinfo, BPF_JEQ, me);
  add_only(f, SYS_rt_tgsigqueueinfo, BPF_JEQ, me);
  add_only(f, SYS_socket, BPF_JEQ, AF_UNIX);
  add_only(f, SYS_prlimit64, BPF_JEQ, 0); // getrlimit; raising a limit takes a capability
}

static void add_no_processes(filter *f) {
#ifdef SYS_fork
  static const int forks[] = {SYS_fork, SYS_vfork};
  add_never(f, forks, 2);
#endif
  // Its flags are out of a filter's reach; libc goes back to clone when there is no clone3.
  add(f, (struct sock_filter)IF(BPF_JEQ, SYS_clone3, 0, 1));
  add(f, (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | ENOSYS));
  add_only(f, SYS_clone, BPF_JSET, CLONE_THREAD);
}

// Datagrams need no connection.
static void add_streams_only(filter *f) {
  add(f, (struct sock_filter)IF(BPF_JEQ, SYS_socket, 0, 5));
  add(f, (struct sock_filter)LOAD(args[1]));
  add(f, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf));
  add(f, (struct sock_filter)IF(BPF_JEQ, SOCK_DGRAM, 0, 1));
  add(f, (struct sock_filter)DENY);
  add(f, (struct sock_filter)LOAD(nr));
}

void sl__jail_calls(const sl_jail_allowed *a) {
  filter f;
  begin(&f);
  add_never(&f, never, sizeof never / sizeof *never);
  if (!a->own_sockets) add_never(&f, no_sockets, 1);
  if (!a->sockets) add_streams_only(&f), add_never(&f, no_connections, 1);
  if (!a->shared) add_never(&f, never_alone, sizeof never_alone / sizeof *never_alone);
  if (!a->processes) add_no_processes(&f);
  if (a->student) add_student(&f);
  add(&f, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
  struct sock_fprog program = {(unsigned short)f.n, f.code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) sl__jail_refuse("no_new_privs");
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) sl__jail_refuse("seccomp");
}
