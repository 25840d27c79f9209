// The filter of system calls: libseccomp makes it from the tables below. Interface: sl_jail_calls (jail.h). A
// call is refused unless a table allows it. Refused calls fail with EPERM, as for lack of a right; clone3
// with ENOSYS, so that libc takes clone, whose flags a filter can see. libseccomp leaves out calls that an
// architecture does not have; calls by the numbers of another architecture (i386, x32) end the program.
#include "jail/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define S(name) SCMP_SYS(name)
#ifndef __SNR_futex_waitv // libseccomp of Ubuntu 22.04 does not name it; x86-64 and arm64 have one number
#define __SNR_futex_waitv 449
#endif

// What every program may: its own memory, its own threads, the descriptors that it has, files to read (which
// Landlock chooses), clocks, questions about itself.
static const int everybody[] = {
    // descriptors
    S(read), S(readv), S(pread64), S(preadv), S(preadv2), S(write), S(writev), S(pwrite64), S(pwritev),
    S(pwritev2), S(lseek), S(close), S(close_range), S(dup), S(dup2), S(dup3), S(poll), S(ppoll), S(select),
    S(pselect6), S(epoll_create), S(epoll_create1), S(epoll_ctl), S(epoll_wait), S(epoll_pwait),
    S(epoll_pwait2), S(eventfd), S(eventfd2), S(pipe), S(pipe2), S(signalfd), S(signalfd4), S(timerfd_create),
    S(timerfd_settime), S(timerfd_gettime), S(sendfile), S(splice), S(tee), S(vmsplice), S(copy_file_range),
    S(fsync), S(fdatasync), S(ftruncate), S(fallocate), S(sync_file_range), S(fadvise64), S(readahead),
    S(sendto), S(sendmsg), S(sendmmsg), S(recvfrom), S(recvmsg), S(recvmmsg), S(shutdown), S(getsockopt),
    S(setsockopt), S(getsockname), S(getpeername),
    // files
    S(open), S(openat), S(openat2), S(stat), S(fstat), S(lstat), S(newfstatat), S(statx), S(statfs),
    S(fstatfs), S(access), S(faccessat), S(faccessat2), S(readlink), S(readlinkat), S(getdents),
    S(getdents64), S(getcwd), S(chdir), S(fchdir), S(umask),
    // memory
    S(munmap), S(mremap), S(mprotect), S(madvise), S(msync), S(mincore), S(brk), S(mlock), S(mlock2),
    S(munlock), S(mlockall), S(munlockall), S(membarrier), S(pkey_alloc), S(pkey_free), S(pkey_mprotect),
    // threads, signals, ends
    S(futex), S(futex_waitv), S(set_robust_list), S(get_robust_list), S(rseq), S(set_tid_address), S(exit),
    S(exit_group), S(wait4), S(waitid), S(sched_yield), S(sched_getaffinity), S(sched_getparam),
    S(sched_getscheduler), S(sched_getattr), S(sched_get_priority_max), S(sched_get_priority_min),
    S(sched_rr_get_interval), S(getpriority), S(ioprio_get), S(getcpu), S(rt_sigaction), S(rt_sigprocmask),
    S(rt_sigpending), S(rt_sigreturn), S(rt_sigsuspend), S(rt_sigtimedwait), S(sigaltstack), S(pause),
    S(restart_syscall), S(arch_prctl),
    // clocks
    S(nanosleep), S(clock_nanosleep), S(clock_gettime), S(clock_getres), S(gettimeofday), S(time), S(times),
    S(getitimer), S(setitimer), S(alarm), S(timer_create), S(timer_settime), S(timer_gettime),
    S(timer_getoverrun), S(timer_delete),
    // questions
    S(gettid), S(getpid), S(getppid), S(getpgid), S(getpgrp), S(getsid), S(getuid), S(geteuid), S(getgid),
    S(getegid), S(getgroups), S(getresuid), S(getresgid), S(capget), S(getrlimit), S(setrlimit), S(getrusage),
    S(uname), S(getrandom)};

// What changes folders, which Landlock chooses.
static const int files[] = {S(creat),     S(mkdir),    S(mkdirat),   S(rmdir),  S(unlink), S(unlinkat),
                            S(rename),    S(renameat), S(renameat2), S(link),   S(linkat), S(symlink),
                            S(symlinkat), S(truncate), S(mknod),     S(mknodat)};

// What Landlock does not choose: changing the modes, owners and times of files.
static const int attributes[] = {S(chmod),     S(fchmod),    S(fchmodat), S(chown),    S(fchown),
                                 S(lchown),    S(fchownat),  S(utime),    S(utimes),   S(futimesat),
                                 S(utimensat), S(fsetxattr), S(setxattr), S(getxattr), S(lgetxattr),
                                 S(fgetxattr), S(listxattr)};

// Locks of files, also of those that can only be read: a program sees whether another one has such a lock.
static const int locks[] = {S(flock)};
static const unsigned lock_commands[] = {F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW};

// Whose arguments decide, for those who may do all of it.
static const int many[] = {S(fcntl), S(ioctl), S(socketpair)};

// Processes of its own.
static const int processes[] = {S(fork), S(vfork), S(clone), S(execveat)};

// Memory that outlives its program.
static const int shared[] = {S(shmget), S(shmat), S(shmctl), S(shmdt), S(fchmod), S(fchown)};

// What others on the machine do shows there: how much memory is free says how much the simulated GPU takes,
// and so what a kernel wants the host to know.
static const int machine[] = {S(sysinfo)};

// A real GPU's driver asks for the place of memory, and makes sockets of its own to open memory of another
// process; it needs no connection to a socket that has a name in the file system, where services are.
static const int driver[] = {S(bind),       S(listen),        S(accept),        S(accept4), S(memfd_create),
                             S(pidfd_open), S(get_mempolicy), S(set_mempolicy), S(mbind),   S(mmap)};

// Calls that name a process, or whose argument decides: allowed with these values alone.
typedef struct rule {
  int call;
  unsigned n;
  struct scmp_arg_cmp at[2];
} rule;

#define IS(k, value) SCMP_CMP(k, SCMP_CMP_EQ, value)
#define HAS(k, mask, value) SCMP_CMP(k, SCMP_CMP_MASKED_EQ, mask, value)
#define INT_IS(k, value) HAS(k, 0xffffffffu, value) // the kernel looks at the lower half alone
#define COUNT(table) (sizeof(table) / sizeof *(table))

static void check_rule(int rc) {
  errno = -rc;
  if (rc != 0) sl_jail_refuse("seccomp");
}

static void allow_calls(scmp_filter_ctx f, const int *calls, size_t n) {
  for (size_t k = 0; k < n; k++) check_rule(seccomp_rule_add(f, SCMP_ACT_ALLOW, calls[k], 0));
}

static void allow_rules(scmp_filter_ctx f, const rule *r, size_t n) {
  for (size_t k = 0; k < n; k++)
    check_rule(seccomp_rule_add_array(f, SCMP_ACT_ALLOW, r[k].call, r[k].n, r[k].at));
}

// Signals to itself, its own limits and its own place in the schedule: other processes of the user, the
// grader among them, are out of reach. [me]: exec keeps the number.
static void allow_itself(scmp_filter_ctx f, unsigned me) {
  const rule rows[] = {
      {S(kill), 1, {IS(0, me)}},
      {S(tgkill), 1, {IS(0, me)}},
      {S(rt_sigqueueinfo), 1, {IS(0, me)}},
      {S(rt_tgsigqueueinfo), 1, {IS(0, me)}},
      {S(prlimit64), 1, {IS(0, 0)}},
      {S(sched_setaffinity), 1, {IS(0, 0)}},
      {S(sched_setscheduler), 1, {IS(0, 0)}},
      {S(sched_setparam), 1, {IS(0, 0)}},
      {S(sched_setattr), 1, {IS(0, 0)}},
      {S(setpriority), 2, {IS(0, PRIO_PROCESS), IS(1, 0)}},
      {S(ioprio_set), 2, {IS(0, IOPRIO_WHO_PROCESS), IS(1, 0)}},
      {S(clone), 1, {HAS(0, CLONE_THREAD, CLONE_THREAD)}},
  };
  allow_rules(f, rows, COUNT(rows));
}

static void allow_words(scmp_filter_ctx f, int call, unsigned at, const unsigned *words, size_t n) {
  for (size_t k = 0; k < n; k++) {
    const rule row = {call, 1, {INT_IS(at, words[k])}};
    allow_rules(f, &row, 1);
  }
}

// What a program may do with a descriptor. Others would have the system send signals to any process of the
// user (F_SETOWN, FIOSETOWN), hold up those who open a file (F_SETLEASE), or change read-only files.
static void allow_descriptors(scmp_filter_ctx f) {
  static const unsigned commands[] = {F_DUPFD,         F_GETFD,      F_SETFD,      F_GETFL,     F_SETFL,
                                      F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_SETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS};
  static const unsigned requests[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};
  // A pair of datagram sockets could send to any socket that has a name.
  static const rule pairs[] = {{S(socketpair), 2, {INT_IS(0, AF_UNIX), HAS(1, 0xf, SOCK_STREAM)}},
                               {S(socketpair), 2, {INT_IS(0, AF_UNIX), HAS(1, 0xf, SOCK_SEQPACKET)}}};
  allow_words(f, S(fcntl), 1, commands, COUNT(commands));
  allow_words(f, S(ioctl), 1, requests, COUNT(requests));
  allow_rules(f, pairs, COUNT(pairs));
}

// Requests to the devices of a real GPU: the driver's, those of unified memory, of displays.
static void allow_gpu_requests(scmp_filter_ctx f) {
  static const char kinds[] = {'F', 0, 'm', 'd'};
  for (size_t k = 0; k < COUNT(kinds); k++) {
    const rule row = {S(ioctl), 1, {HAS(1, 0xff00, (unsigned)kinds[k] << 8)}};
    allow_rules(f, &row, 1);
  }
}

// It ends with the judge: PR_SET_PDEATHSIG is not among them. Core scheduling would keep others from a core.
static void allow_own_words(scmp_filter_ctx f) {
  static const unsigned words[] = {
      PR_SET_NAME,       PR_GET_NAME,       PR_GET_DUMPABLE,     PR_SET_DUMPABLE,    PR_GET_NO_NEW_PRIVS,
      PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_SET_THP_DISABLE,  PR_GET_THP_DISABLE, PR_GET_PDEATHSIG,
      PR_CAPBSET_READ,   PR_GET_SECCOMP,    PR_SET_NO_NEW_PRIVS, 0x53564d41 /* names of memory */};
  allow_words(f, S(prctl), 0, words, COUNT(words));
}

// Memory that is shared is not counted against a program's limit.
static void allow_private_memory(scmp_filter_ctx f) {
  const rule row = {S(mmap), 1, {HAS(3, MAP_SHARED, 0)}};
  allow_rules(f, &row, 1);
}

// Unix sockets of the program's own. Datagrams need no connection, so only who may connect gets them.
static void allow_sockets(scmp_filter_ctx f, bool connections) {
  const rule own[] = {{S(socket), 2, {IS(0, AF_UNIX), HAS(1, 0xf, SOCK_STREAM)}},
                      {S(socket), 2, {IS(0, AF_UNIX), HAS(1, 0xf, SOCK_SEQPACKET)}}},
             named[] = {{S(socket), 1, {IS(0, AF_UNIX)}}, {S(connect), 0, {{0}}}};
  allow_rules(f, own, COUNT(own));
  if (connections) allow_rules(f, named, COUNT(named));
}

static void allow_compiler(scmp_filter_ctx f, const sl_jail_allowed *) {
  static const int more[] = {S(execve), S(mmap),        S(kill),         S(tgkill),
                             S(tkill),  S(prctl),       S(prlimit64),    S(sched_setaffinity),
                             S(setsid), S(personality), S(memfd_create), S(setpgid)};
  allow_calls(f, more, COUNT(more));
  allow_calls(f, many, COUNT(many));
  allow_calls(f, files, COUNT(files));
  allow_calls(f, attributes, COUNT(attributes));
  allow_calls(f, machine, COUNT(machine));
  allow_calls(f, locks, COUNT(locks));
}

static void allow_student(scmp_filter_ctx f, const sl_jail_allowed *a) {
  const int start[] = {S(execve)}; // sl-jail's own, of the program; Landlock chooses which files can be run
  allow_calls(f, start, COUNT(start));
  allow_itself(f, (unsigned)getpid());
  allow_descriptors(f);
  if (a->own_sockets) {
    const rule any = {S(prctl), 1, {SCMP_A0_32(SCMP_CMP_NE, PR_SET_PDEATHSIG)}};
    allow_rules(f, &any, 1);
    allow_gpu_requests(f);
    allow_calls(f, driver, COUNT(driver));
    allow_calls(f, files, COUNT(files));
    allow_calls(f, machine, COUNT(machine));
    allow_calls(f, locks, COUNT(locks));
    allow_words(f, S(fcntl), 1, lock_commands, COUNT(lock_commands));
    allow_sockets(f, a->sockets);
  } else {
    allow_own_words(f);
    allow_private_memory(f);
  }
}

// It takes connections to the socket that it has, and removes that and its folder at the end.
static void allow_simulator(scmp_filter_ctx f, const sl_jail_allowed *) {
  static const int more[] = {S(accept4), S(unlink), S(unlinkat), S(rmdir), S(rename), S(renameat)};
  allow_itself(f, (unsigned)getpid());
  allow_own_words(f);
  allow_descriptors(f);
  allow_private_memory(f);
  allow_calls(f, more, COUNT(more));
  allow_calls(f, machine, COUNT(machine));
}

void sl_jail_calls(const sl_jail_allowed *a) {
  errno = ENOMEM;
  scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!f) sl_jail_refuse("seccomp");
  // Where the system, as gVisor, cannot end the process for it, the thread ends: libseccomp does so unasked.
  (void)seccomp_attr_set(f, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  allow_calls(f, everybody, COUNT(everybody));
  static void (*const allow[])(scmp_filter_ctx, const sl_jail_allowed *) = {
      [SL_JAILED_STUDENT] = allow_student,
      [SL_JAILED_COMPILER] = allow_compiler,
      [SL_JAILED_SIMULATOR] = allow_simulator,
  };
  allow[a->who](f, a);
  if (a->processes) allow_calls(f, processes, COUNT(processes));
  if (a->shared) allow_calls(f, shared, COUNT(shared));
  check_rule(seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), S(clone3), 0));
  const int rc = seccomp_load(f); // with no_new_privs
  if (rc != 0 && !a->unfiltered) {
    errno = ENOSYS; // libseccomp says "canceled", whatever the kernel says
    sl_jail_refuse("a filter of system calls (seccomp)");
  }
  seccomp_release(f);
}
