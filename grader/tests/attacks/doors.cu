// Right kernels whose host code knocks where nobody should be at home: old calls of the system, files by
// number, what goes through the judge's socket beside bytes. What succeeds prints REACHED. The solution
// stands before this file, its entry under the name honest (attacks.sh).
//
// attack 01 handles_of_files: TRY=handles_of_files | at most 100
// attack 02 old_calls: TRY=old_calls | at most 100
// attack 03 sends_descriptors: TRY=sends_descriptors | at most 100
// attack 04 out_of_band: TRY=out_of_band | at most 100
// attack 01 forges_sender: TRY=forges_sender | at most 5
// attack 02 own_core_file sim: TRY=own_core_file | at most 5
// attack 03 runs_memory sim: TRY=runs_memory | at most 100
// attack 04 others_memory: TRY=others_memory | at most 100
// attack 01 places_of_memory sim: TRY=places_of_memory | at most 100
// attack 02 clocks_of_machine: TRY=clocks_of_machine | at most 100
// attack 03 locks_memory: TRY=locks_memory | at most 100
// attack 04 reads_ahead_of_judge: TRY=reads_ahead_of_judge | at most 5
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "shared.cuh"

static void handles_of_files() {
  struct {
    unsigned bytes;
    int type;
    unsigned char at[128];
  } h = {128, 0, {0}};
  int mount = 0;
  reached("a handle of a file", syscall(SYS_name_to_handle_at, AT_FDCWD, CANARY, &h, &mount, 0) == 0);
  reached("a file by its handle", syscall(SYS_open_by_handle_at, 3, &h, O_RDONLY) >= 0);
  reached("a file by openat2", syscall(437, AT_FDCWD, CANARY, (const uint64_t[3]){O_RDONLY, 0, 0}, 24) >= 0);
}
static void old_calls() {
  static char room[4096];
  static const long calls[] = {SYS_personality, SYS_acct,           SYS_quotactl,     SYS_syslog,      SYS_kcmp,         SYS_pivot_root,
                               SYS_kexec_load,  SYS_delete_module,  SYS_vhangup,      SYS_swapoff,     SYS_adjtimex,     SYS_setdomainname,
                               SYS_clock_settime, SYS_remap_file_pages, SYS_migrate_pages, SYS_umount2, SYS_mknodat,      SYS_sync,
                               SYS_setuid,      SYS_setgroups,      SYS_capset,       SYS_vmsplice};
  for (const long call : calls) {
    errno = 0;
    const long got = syscall(call, 4, room, 0, 0, 0, 0);
    reached("an old call", call != SYS_vmsplice && (got >= 0 || (errno != EPERM && errno != ENOSYS && errno != EACCES)));
  }
}
// Descriptors for the judge and the simulated GPU, who read bytes alone: those in flight count for the user.
static void sends_descriptors() {
  char byte = 0, space[CMSG_SPACE(sizeof(int) * 60)] = {0};
  iovec piece = {&byte, 0};
  msghdr m = {};
  m.msg_iov = &piece, m.msg_iovlen = 1, m.msg_control = space, m.msg_controllen = sizeof space;
  cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof(int) * 60);
  for (int k = 0; k < 60; k++) ((int *)CMSG_DATA(c))[k] = 0;
  for (int fd = 3; fd < 5; fd++)
    for (int k = 0; k < 100; k++) sendmsg(fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
}
static void out_of_band() {
  for (int fd = 3; fd < 5; fd++) send(fd, "x", 1, MSG_OOB | MSG_NOSIGNAL);
}
// As if somebody else had sent it.
static void forges_sender() {
  char space[CMSG_SPACE(12)] = {0}, byte = 'J';
  iovec piece = {&byte, 1};
  msghdr m = {};
  m.msg_iov = &piece, m.msg_iovlen = 1, m.msg_control = space, m.msg_controllen = sizeof space;
  cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET, c->cmsg_type = 2 /* SCM_CREDENTIALS */, c->cmsg_len = CMSG_LEN(12);
  ((int *)CMSG_DATA(c))[0] = getppid(), ((int *)CMSG_DATA(c))[1] = 0, ((int *)CMSG_DATA(c))[2] = 0;
  reached("another sender", sendmsg(3, &m, MSG_NOSIGNAL) == 1);
  send(3, "J", 1, MSG_NOSIGNAL);
}
static void own_core_file() {
  const rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
  reached("a core file", setrlimit(RLIMIT_CORE, &all) == 0);
  abort();
}
// A program without a file.
static void runs_memory() {
  const int fd = (int)syscall(SYS_memfd_create, "x", 0);
  reached("a file in memory", fd >= 0);
  static char flag[] = "-c", says[] = "echo REACHED a shell", name[] = "sh", nothing[] = "";
  char *const argv[] = {name, flag, says, NULL}, *const env[] = {NULL};
  syscall(SYS_execveat, fd < 0 ? 0 : fd, nothing, argv, env, 0x1000);
  execve("/proc/self/exe", argv, env), execve("/proc/self/fd/0", argv, env);
}
static void others_memory() {
  char byte = 0;
  iovec mine = {&byte, 1}, theirs = {(void *)0x400000, 1};
  for (int pid = 1; pid < 400; pid++)
    if (pid != getpid()) reached("memory of another", syscall(SYS_process_vm_writev, pid, &mine, 1, &theirs, 1, 0) == 1);
}
static void places_of_memory() {
  static char room[4096];
  void *pages[] = {room};
  int status = 0;
  reached("places of pages", syscall(SYS_move_pages, 1, 1, pages, NULL, &status, 0) == 0);
  reached("policy", syscall(SYS_set_mempolicy, 0, NULL, 0) == 0 || syscall(SYS_get_mempolicy, &status, NULL, 0, NULL, 0) == 0);
}
static void clocks_of_machine() {
  timespec t = {0, 0};
  timeval v = {0, 0};
  reached("the clock", clock_settime(CLOCK_REALTIME, &t) == 0 || syscall(SYS_settimeofday, &v, NULL) == 0);
  clockid_t other = 0; // processor time of the judge
  reached("another's time", clock_getcpuclockid(getppid() ? getppid() : 1, &other) == 0 && getpid() != 1 && clock_gettime(other, &t) == 0 && getppid());
}
static void locks_memory() {
  for (size_t mib = 1 << 14; mib; mib /= 2) {
    void *p = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) continue;
    reached("8 GiB that stay", mlock(p, mib << 20) == 0 && mib >= 8192);
    munmap(p, mib << 20);
  }
}
// Another reader of the judge's questions than the runner.
static void reads_ahead_of_judge() {
  static char room[4096];
  shutdown(3, SHUT_RD);
  recv(3, room, sizeof room, MSG_DONTWAIT);
}

extern "C" cudaError_t ENTRY(const float *in, float *out, int n) {
  static int calls;
  if (n && !calls++) TRY();
  return honest(in, out, n);
}
