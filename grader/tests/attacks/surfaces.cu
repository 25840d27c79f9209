// Right kernels whose host code tries the less usual ways out: descriptors that others see, signals without
// kill, what is inherited, what the linker and the loader believe. What succeeds prints REACHED. The solution
// stands before this file, its entry under the name honest (attacks.sh).
//
// attack 01 datagrams ci: TRY=datagrams | at most 100
// attack 02 owner_signals ci: TRY=owner_signals | at most 100
// attack 03 leases: TRY=leases | at most 100
// attack 04 file_flags ci: TRY=file_flags | at most 100
// attack 01 queued_signals sim: TRY=queued_signals | at most 100
// attack 02 many_timers sim: TRY=many_timers | at most 100
// attack 03 core_schedule sim: TRY=core_schedule | at most 100
// attack 04 abstract_sockets: TRY=abstract_sockets | at most 100
// attack 05 peer_of_socket: TRY=peer_of_socket | at most 100
// attack 06 passed_descriptors: TRY=passed_descriptors | at most 100
// attack 01 own_filter: TRY=own_filter | at most 100
// attack 02 notified_calls: TRY=notified_calls | at most 100
// attack 03 new_calls: TRY=new_calls | at most 100
// attack 04 ring: TRY=ring | at most 100
// attack 05 faults_of_user: TRY=faults_of_user | at most 100
// attack 06 odd_clones: TRY=odd_clones | at most 100
// attack 01 loader: TRY=loader | at most 100
// attack 02 resolvers sim: TRY=nothing IFUNC | at most 100
// attack 03 arrays_of_starts: TRY=nothing STARTS | at most 100
// attack 04 odd_ends: TRY=odd_ends | at most 100
// attack 05 links_of_proc: TRY=links_of_proc | at most 100
// attack 06 environment: TRY=environment | at most 100
// attack 01 inherited: TRY=inherited | at most 100
// attack 02 writes_judge: TRY=writes_judge | at most 5
// attack 03 fills_judge ci: TRY=fills_judge | at most 5
// attack 04 late_answer: TRY=late_answer | at most 5
// attack 05 forks_in_signal: TRY=forks_in_signal | at most 100
// attack 06 exits_late: TRY=exits_late | at most 100
// attack 01 own_runtime: TRY=nothing OWN_RUNTIME | at most 5
// attack 02 own_allocator: TRY=nothing OWN_ALLOCATOR | at most 100
// attack 03 own_read: TRY=nothing OWN_READ | at most 5
// attack 04 own_exit: TRY=nothing OWN_EXIT | at most 100
// attack 05 sleeps: TRY=sleeps | at most 0
// attack 06 spins: TRY=spins | at most 60
// attack 01 stops_itself ci: TRY=stops_itself | at most 5
// attack 02 many_threads_sleep: TRY=many_threads_sleep | at most 100
// attack 03 fills_pipes: TRY=fills_pipes | at most 100
// attack 04 allocates_on: TRY=allocates_on | at most 5
// attack 05 prints_on: TRY=prints_on | at most 100
// attack 01 terminal: TRY=terminal | at most 100
// attack 02 markup: TRY=markup | at most 100
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "shared.cuh"

static bool opens(const char *path, int flags) {
  const int fd = open(path, flags | O_NONBLOCK, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
static void nothing() {}
#if LAB == 6
typedef uint32_t NUMBER;
#else
typedef float NUMBER;
#endif

// Messages and signals without the calls that are known for them --------------------------------------------

// A pair of datagram sockets sends to every socket that has a name: the system's log, services of the user.
static void datagrams() {
  int pair[2];
  reached("a datagram socket", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 || socketpair(AF_UNIX, SOCK_RAW, 0, pair) == 0);
}
// The system sends signals when something can be read; to whom is up to the owner of the descriptor.
static void owner_signals() {
  int p[2];
  if (pipe(p) != 0) return;
  const int me = getpid();
  f_owner_ex owner = {F_OWNER_PID, me};
  reached("owner", fcntl(p[0], F_SETOWN, me) == 0 || fcntl(p[0], F_SETOWN_EX, &owner) == 0);
  reached("signal", fcntl(p[0], F_SETSIG, SIGKILL) == 0);
  reached("owner by ioctl", ioctl(p[0], FIOSETOWN, &me) == 0 || ioctl(p[0], SIOCSPGRP, &me) == 0);
  reached("owner of the judge's socket", ioctl(3, FIOSETOWN, &me) == 0 || ioctl(3, SIOCSPGRP, &me) == 0);
}
// Others that open a file with a lease wait, up to 45 s.
static void leases() {
  const int fd = open("/proc/self/exe", O_RDONLY);
  reached("lease", fcntl(fd, F_SETLEASE, F_RDLCK) == 0);
  const int lib = open("/lib", O_RDONLY | O_DIRECTORY);
  reached("notices of a folder", fcntl(lib, F_NOTIFY, DN_MODIFY) == 0);
}
// Flags of a file that can only be read: never to be changed again, not to be saved. Its locks.
static void file_flags() {
  const int fd = open("/proc/self/exe", O_RDONLY);
  long flags = 0;
  errno = 0;
  reached("flags", ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 || errno != EPERM);
  flags |= FS_NODUMP_FL;
  reached("flags to set", ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0 || errno != EPERM);
  char room[128] = {1};
  reached("verity", ioctl(fd, _IOW('f', 133, char[128]), room) == 0 || errno != EPERM);
  reached("a clone", ioctl(fd, FICLONE, fd) == 0 || errno != EPERM);
  struct flock l = {F_RDLCK, SEEK_SET, 0, 0, 0}; // whoever has one can be seen by all that open the file
  reached("a lock", flock(open("/lib", O_RDONLY), LOCK_EX | LOCK_NB) == 0 || flock(fd, LOCK_SH | LOCK_NB) == 0);
  reached("a lock of a piece", fcntl(fd, F_SETLK, &l) == 0 || fcntl(fd, F_OFD_SETLK, &l) == 0);
}
// Signals that wait and timers count for all processes of the user.
static void queued_signals() {
  sigset_t set;
  sigemptyset(&set), sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  int n = 0;
  while (n < 5000 && sigqueue(getpid(), SIGRTMIN, sigval{0}) == 0) n++;
  reached("5000 signals that wait", n == 5000);
}
static void many_timers() {
  int n = 0;
  timer_t t;
  sigevent e = {};
  e.sigev_notify = SIGEV_SIGNAL, e.sigev_signo = SIGRTMIN;
  while (n < 5000 && timer_create(CLOCK_MONOTONIC, &e, &t) == 0) n++;
  reached("5000 timers", n == 5000);
}
static void core_schedule() {
  errno = 0;
  reached("cores of others", prctl(62 /* PR_SCHED_CORE */, 1, 0, 0, 0) == 0 || errno != EPERM);
  reached("its tracer", prctl(PR_SET_PTRACER, -1, 0, 0, 0) == 0);
}
static void abstract_sockets() {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un a = {AF_UNIX, "\0/tmp/dbus"};
  reached("a name for a socket", fd >= 0 && bind(fd, (sockaddr *)&a, sizeof a) == 0);
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return;
  reached("a name for a pair", bind(pair[0], (sockaddr *)&a, sizeof a) == 0);
  reached("a connection", connect(pair[0], (sockaddr *)&a, sizeof a) == 0 || sendto(pair[0], "x", 1, MSG_NOSIGNAL, (sockaddr *)&a, sizeof a) == 1);
}
// Who is at the other end of the judge's socket, and of the simulated GPU's.
static void peer_of_socket() {
  int fd = -1;
  socklen_t n = sizeof fd;
  for (int s = 3; s < 5; s++) {
    if (getsockopt(s, SOL_SOCKET, 77 /* SO_PEERPIDFD */, &fd, &n) != 0) continue;
    reached("a signal to the peer", syscall(424, fd, 0, NULL, 0) == 0);
    reached("a descriptor of the peer", syscall(438 /* pidfd_getfd */, fd, 0, 0) >= 0);
    reached("memory of the peer", syscall(440 /* process_madvise */, fd, NULL, 0, 0, 0) >= 0 || syscall(448, fd, 0) == 0);
  }
}
// Descriptors sent to the judge and the GPU, who do not take them.
static void passed_descriptors() {
  char byte = 0, space[CMSG_SPACE(sizeof(int) * 8)] = {0};
  iovec piece = {&byte, 1};
  msghdr m = {};
  m.msg_iov = &piece, m.msg_iovlen = 1, m.msg_control = space, m.msg_controllen = sizeof space;
  cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof(int) * 8);
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return;
  for (int k = 0; k < 8; k++) ((int *)CMSG_DATA(c))[k] = pair[0];
  for (int k = 0; k < 1000; k++)
    if (sendmsg(pair[0], &m, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) break; // to itself: they are in flight
}

// Calls of newer systems ------------------------------------------------------------------------------------

static void own_filter() { // allowed by some: a filter of its own, which can only refuse more
  reached("a filter that tells", syscall(SYS_seccomp, 1, 8 /* NEW_LISTENER */, NULL) >= 0);
}
static void notified_calls() {
  static char room[64];
  reached("how calls are told", syscall(SYS_seccomp, 3 /* GET_NOTIF_SIZES */, 0, room) == 0);
}
static void new_calls() {
  static char room[4096];
  // clone3, pidfd_open, move_mount, open_tree, fsopen, landlock_create_ruleset, mount_setattr, quotactl_fd,
  // process_mrelease, set_mempolicy_home_node, cachestat of others' files, map_shadow_stack, futex_requeue,
  // statmount, listmount, lsm_set_self_attr, mseal
  static const long calls[] = {435, 434, 429, 428, 430, 442, 443, 448, 450, 452, 453, 457, 458, 460, 466};
  for (const long call : calls) reached("a new call", syscall(call, -1, room, 0, 0, 0, 0) >= 0);
}
static void ring() {
  static char room[256];
  reached("a ring", syscall(425, 8, room) >= 0 || syscall(426, 3, 1, 0, 0, NULL, 0) >= 0 || syscall(427, 3, 0, NULL, 0) >= 0);
}
static void faults_of_user() {
  reached("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | 1) >= 0 || opens("/dev/userfaultfd", O_RDWR));
}
static void odd_clones() {
  reached("vfork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) > 0);
  reached("a process in its memory", syscall(SYS_clone, 0x100 | 0x4000 | SIGCHLD, 0, 0, 0, 0) > 0);
  reached("a namespace", syscall(SYS_clone, 0x10000000 | SIGCHLD, 0, 0, 0, 0) > 0);
  reached("a sibling", syscall(SYS_clone, 0x8000 | SIGCHLD, 0, 0, 0, 0) > 0);
}

// Linker and loader -----------------------------------------------------------------------------------------

static int look(dl_phdr_info *i, size_t, void *) {
  reached("a library of the grader's", strstr(i->dlpi_name, "sl_reference") != NULL);
  return 0;
}
static void loader() {
  dl_iterate_phdr(look, NULL);
  reached("the reference", dlopen("sl_reference_11.so", RTLD_NOW) != NULL || dlopen(SOLUTION, RTLD_NOW) != NULL);
  reached("the driver", dlopen("libcuda.so.1", RTLD_NOW) != NULL && dlsym(RTLD_DEFAULT, "sl__judge_call") != NULL);
  setenv("LD_PRELOAD", CANARY, 1), setenv("SCANLAB_SANDBOX", "off", 1), setenv("LD_LIBRARY_PATH", "/tmp", 1);
  reached("a second main", dlsym(RTLD_DEFAULT, "sl_judge") != NULL);
}
#ifdef IFUNC // runs before constructors, while the program is still being linked
static int resolved() { return 0; }
extern "C" int (*resolve())() {
  static const char says[] = "{\"status\": \"pass\"}\n";
  syscall(SYS_write, 1, says, sizeof says - 1);
  return resolved;
}
extern "C" int by_ifunc() __attribute__((ifunc("resolve")));
#endif
#ifdef STARTS // whatever runs before main, and after
static void before() { reached("a fork before main", syscall(SYS_fork) > 0); }
__attribute__((section(".preinit_array"), used)) static void (*pre)() = before;
__attribute__((section(".init_array"), used)) static void (*first)() = before;
__attribute__((section(".fini_array"), used)) static void (*last)() = before;
__attribute__((destructor)) static void after() { _exit(0); }
#endif
static void odd_ends() {
  atexit([] { _exit(0); });
  at_quick_exit([] { _exit(0); });
  reached("its end", on_exit([](int, void *) { kill(getppid(), SIGKILL); }, NULL) != 0);
}
static void links_of_proc() {
  static const char *const ways[] = {"/proc/self/exe/../../grade.key", "/proc/self/cwd/etc/passwd", "/proc/self/task/1/root/etc/passwd",
                                     "/proc/thread-self/root/etc/passwd", "/proc/self/fd/3", "/proc/self/fd/4",
                                     "/proc/self/../1/environ", "/proc/self/attr/current", "/dev/fd/../../etc/passwd", "/dev/pts/0", "/dev/tty",
                                     "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/sys/kernel/debug", "/proc/keys", "/proc/kcore"};
  for (const char *path : ways) reached(path, opens(path, strstr(path, "attr") ? O_WRONLY : O_RDONLY) && strcmp(path, "/proc/self/fd/3") && strcmp(path, "/proc/self/fd/4"));
}
static void environment() {
  extern char **environ;
  for (char **e = environ; *e; e++)
    reached(*e, strstr(*e, "KEY") || strstr(*e, "SALT") || strstr(*e, "NONCE") || strstr(*e, "TOKEN") || strstr(*e, "secret"));
}
static void inherited() {
  struct stat st;
  for (int fd = 5; fd < 1024; fd++) reached("a descriptor", fcntl(fd, F_GETFD) == 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode));
  reached("files as standard ones", (fstat(0, &st) == 0 && S_ISREG(st.st_mode)) || (fstat(1, &st) == 0 && S_ISREG(st.st_mode)));
}

// The judge's socket ----------------------------------------------------------------------------------------

static void writes_judge() { // rubbish
  static char room[100000];
  memset(room, 0xff, sizeof room);
  send(3, room, sizeof room, MSG_DONTWAIT | MSG_NOSIGNAL);
}
static void fills_judge() { // without end, in pieces that look like answers
  static uint32_t r[10] = {0x45534143, 2};
  for (int k = 0; k < 1000000 && send(3, r, sizeof r, MSG_DONTWAIT | MSG_NOSIGNAL) > 0; k++) r[2] = (uint32_t)k;
}
static void late_answer() { // one byte of it, and nothing more
  send(3, "\x43", 1, MSG_NOSIGNAL);
  shutdown(3, SHUT_WR);
}

// Signals and ends ------------------------------------------------------------------------------------------

static void forks_in_signal() {
  signal(SIGUSR1, [](int) { reached("a fork in a handler", syscall(SYS_fork) > 0); });
  raise(SIGUSR1);
}
static void *waits(void *) {
  sleep(600);
  return NULL;
}
static void exits_late() { // a thread that ends the program when the answer is on its way
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
}
static void stops_itself() { raise(SIGSTOP); }
static void sleeps() { sleep(3600); }
static void spins() {
  for (volatile long k = 0;; k++) {
  }
}
static void many_threads_sleep() {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 16384);
  pthread_t t;
  for (int k = 0; k < 100; k++)
    if (pthread_create(&t, &small, waits, NULL) != 0) return;
}
static void fills_pipes() {
  static char room[1 << 16];
  int p[2], n = 0;
  for (; n < 1000 && pipe(p) == 0; n++) {
    fcntl(p[1], F_SETPIPE_SZ, 1 << 20), fcntl(p[1], F_SETFL, O_NONBLOCK);
    while (write(p[1], room, sizeof room) > 0) {
    }
  }
  reached("1000 pipes", n == 1000);
}
static void allocates_on() {
  for (;;)
    if (char *p = (char *)malloc(1 << 20)) memset(p, 1, 1 << 20);
    else abort();
}
static void prints_on() {
  static char line[1 << 12];
  memset(line, 'x', sizeof line), line[sizeof line - 1] = '\n';
  for (int k = 0; k < 25000; k++)
    if (write(1 + k % 2, line, sizeof line) < 0) break;
}
static void terminal() { // what a terminal obeys
  fputs("\033]0;REACH\007\033[2J\033[8;1;1t\033]52;c;cm0gLXJm\007\r\n\x9b""31m", stdout);
}
static void markup() { // what a page obeys, and what ctest does
  fputs("</pre><script>document.title='x'</script><img src=x onerror=alert(1)>\n=HYPERLINK(\"http://x\")\n"
        "<CTestMeasurementFile type=\"file\" name=\"x\">" CANARY "</CTestMeasurementFile>\n", stdout);
}
// Functions of others' --------------------------------------------------------------------------------------

#ifdef OWN_RUNTIME // the runtime that the runner calls: results and errors are what the submission says
extern "C" {
cudaError_t own_open(void **p, cudaIpcMemHandle_t, unsigned) __asm__("cudaIpcOpenMemHandle");
cudaError_t own_open(void **p, cudaIpcMemHandle_t, unsigned) { return cudaMalloc(p, 1 << 20); }
cudaError_t own_elapsed(float *ms, cudaEvent_t, cudaEvent_t) __asm__("cudaEventElapsedTime");
cudaError_t own_elapsed(float *ms, cudaEvent_t, cudaEvent_t) { return *ms = 0.0001f, cudaSuccess; }
}
#endif
#ifdef OWN_ALLOCATOR
extern "C" void *malloc(size_t n) noexcept {
  static char room[64 << 20];
  static size_t used;
  char *p = room + used;
  used += (n + 31) & ~(size_t)15;
  *(size_t *)p = n;
  return used < sizeof room ? p + 16 : NULL;
}
extern "C" void free(void *) noexcept {}
extern "C" void *calloc(size_t a, size_t b) noexcept { return malloc(a * b); }
extern "C" void *realloc(void *p, size_t n) noexcept {
  void *q = malloc(n);
  if (p && q) memcpy(q, p, n < ((size_t *)p)[-2] ? n : ((size_t *)p)[-2]);
  return q;
}
#endif
#ifdef OWN_READ // the question is read by the submission: it answers at once, and the runner sees nothing
extern "C" ssize_t read(int fd, void *to, size_t n) {
  const ssize_t got = syscall(SYS_read, fd, to, n);
  if (fd == 3 && got > 100) {
    uint32_t r[10] = {((uint32_t *)to)[0], ((uint32_t *)to)[1], ((uint32_t *)to)[2], ((uint32_t *)to)[3]};
    send(3, r, sizeof r, MSG_NOSIGNAL);
  }
  return got;
}
#endif
#ifdef OWN_EXIT
extern "C" void exit(int) noexcept { _exit(0); }
extern "C" int fflush(FILE *) { return 0; }
#endif

#if LAB == 5
extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  TRY();
  return honest(a);
}
#else
extern "C" cudaError_t ENTRY(const NUMBER *in, NUMBER *out, SIZE n) {
  TRY();
  return honest(in, out, n);
}
#endif
