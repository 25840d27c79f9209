// Right kernels whose host code tries to harm: files, other processes, their schedule, the machine's memory,
// the judge and the simulated GPU. What succeeds prints REACHED. The solution stands before this file, its
// entry under the name honest (attacks.sh).
//
// attack 01 reads_files ci: TRY=reads_files | at most 100
// attack 01 writes_files ci: TRY=writes_files | at most 100
// attack 01 lists_folders: TRY=lists_folders | at most 100
// attack 01 changes_modes: TRY=changes_modes | at most 100
// attack 01 reads_processes: TRY=reads_processes | at most 100
// attack 01 idle_class ci: TRY=idle_class | at most 100
// attack 01 deadline_class: TRY=deadline_class | at most 100
// attack 01 pins_others: TRY=pins_others | at most 100
// attack 01 nices_others: TRY=nices_others | at most 100
// attack 01 disk_of_others: TRY=disk_of_others | at most 100
// attack 01 limits_of_others: TRY=limits_of_others | at most 100
// attack 01 asks_machine sim: TRY=asks_machine | at most 100
// attack 01 signals ci: TRY=signals | at most 100
// attack 01 traces: TRY=traces | at most 100
// attack 01 starts_processes ci: TRY=starts_processes | at most 100
// attack 01 runs_programs: TRY=runs_programs | at most 100
// attack 01 outlives_judge: TRY=outlives_judge | at most 100
// attack 01 network: TRY=network | at most 100
// attack 01 shared_memory: TRY=shared_memory | at most 100
// attack 01 kernel_objects: TRY=kernel_objects | at most 100
// attack 01 namespaces: TRY=namespaces | at most 100
// attack 01 other_architecture: TRY=other_architecture | at most 0
// attack 01 host_memory sim: TRY=host_memory | at most 100
// attack 01 host_memory_used ci: TRY=host_memory_used | at most 100
// attack 01 anonymous_memory sim: TRY=anonymous_memory | at most 100
// attack 01 host_memory_in_pieces sim: TRY=host_memory_in_pieces | at most 100
// attack 01 memory_files sim: TRY=memory_files | at most 100
// attack 01 memory_files_used: TRY=memory_files_used | at most 100
// attack 01 device_memory_in_pieces: TRY=device_memory_in_pieces | at most 100
// attack 01 heap_memory: TRY=heap_memory | at most 100
// attack 01 threads: TRY=threads | at most 100
// attack 01 descriptors: TRY=descriptors | at most 100
// attack 01 prints_much: TRY=prints_much | at most 100
// attack 01 prints_while_idle ci: TRY=prints_while_idle | at most 5
// attack 01 shares_much ci: TRY=shares_much | at most 100
// attack 01 takes_device_memory sim: TRY=takes_device_memory | at most 100
// attack 01 prints_record: TRY=prints_record | at most 100
// attack 01 forges_answer ci: TRY=forges_answer | at most 5
// attack 01 orders_gpu ci: TRY=orders_gpu | at most 100
// attack 01 confuses_gpu: TRY=confuses_gpu | at most 100
// attack 01 closes_all: TRY=closes_all | at most 5
// attack 01 exits: TRY=exits | at most 5
// attack 01 exits_first: TRY=exits EXITS_FIRST | at most 0
// attack 01 owns_descriptors: TRY=owns_descriptors | at most 100
// attack 01 crashes: TRY=crashes | at most 5
// attack 01 closes_output: TRY=closes_output | at most 100
// attack 01 masks_signals: TRY=masks_signals | at most 100
// attack 01 resets_device: TRY=resets_device | at most 100
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include "shared.cuh"

// The process that started this one, by the number that /proc has for it: in a namespace getppid() is 0.
static pid_t starter() {
  int pid = getppid();
  FILE *f = fopen("/proc/self/stat", "r");
  if (f && fscanf(f, "%*d (%*[^)]) %*c %d", &pid) != 1) pid = getppid();
  if (f) fclose(f);
  return pid;
}
static bool opens(const char *path, int flags) {
  const int fd = open(path, flags, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static void reads_files() {
  static const char *const paths[] = {CANARY, "/etc/passwd", "/etc/hostname", "/proc/1/environ", SOLUTION, "/dev/mem", "/dev/kmsg"};
  char path[600];
  for (const char *p : paths) {
    reached(p, opens(p, O_RDONLY));
    snprintf(path, sizeof path, "/proc/self/root%s", p);
    reached(path, opens(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/self/cwd%s", p);
    reached(path, opens(path, O_RDONLY));
  }
}
static void writes_files() {
  static const char *const paths[] = {CANARY, "/tmp/attack-made", "/dev/shm/attack-made", "/var/tmp/attack-made", "/run/attack-made", SOLUTION};
  for (const char *p : paths) {
    reached(p, opens(p, O_WRONLY | O_CREAT | O_APPEND));
    reached("truncate", truncate(p, 0) == 0);
    reached("unlink", unlink(p) == 0);
    reached("rename", rename(p, "/tmp/attack-moved") == 0);
    reached("link", link(p, "/tmp/attack-linked") == 0);
    reached("folder", mkdir("/tmp/attack-folder", 0700) == 0);
    reached("symbolic link", symlink(p, "/tmp/attack-symlink") == 0);
  }
}
static void lists_folders() {
  static const char *const paths[] = {"/tmp", "/etc", "/home", "/root", "/var", "/proc"};
  for (const char *p : paths) {
    DIR *d = opendir(p);
    const bool real = d && (readdir(d), readdir(d), readdir(d)) && opens("/proc/self/maps", O_RDONLY) && !getenv("EMPTY_TREE");
    reached(p, real);
    if (d) closedir(d);
  }
}
static void changes_modes() {
  reached("mode", chmod(CANARY, 0777) == 0 || fchmodat(AT_FDCWD, CANARY, 0777, 0) == 0 || syscall(452, AT_FDCWD, CANARY, 0777, 0) == 0);
  reached("owner", chown(CANARY, getuid(), getgid()) == 0);
  reached("time", utimensat(AT_FDCWD, CANARY, NULL, 0) == 0);
}
static void reads_processes() {
  static const char *const names[] = {"mem", "environ", "maps", "fd/3", "fd/0", "root/etc/passwd"};
  char path[100];
  for (const char *name : names) {
    snprintf(path, sizeof path, "/proc/%d/%s", (int)starter(), name);
    reached(path, opens(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/1/%s", name);
    reached(path, opens(path, O_RDONLY));
  }
  char byte;
  iovec mine = {&byte, 1}, theirs = {(void *)0x400000, 1};
  reached("memory of the judge", syscall(SYS_process_vm_readv, starter(), &mine, 1, &theirs, 1, 0) == 1);
}

// Schedules: every process of the user has this parent's number, or is named by the user or the group.
static void idle_class() {
  sched_param none = {0};
  reached("class", sched_setscheduler(starter(), SCHED_IDLE, &none) == 0 || sched_setscheduler(1, SCHED_IDLE, &none) == 0);
  for (int pid = 2; pid < 4000; pid++)
    if (pid != getpid()) reached("class of some process", sched_setscheduler(pid, SCHED_IDLE, &none) == 0);
}
static void deadline_class() {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t times[3];
  } a = {48, SCHED_IDLE, 0, 0, 0, {0, 0, 0}};
  reached("attributes", syscall(SYS_sched_setattr, starter(), &a, 0) == 0);
}
static void pins_others() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  reached("cores", sched_setaffinity(starter(), sizeof one, &one) == 0);
}
static void nices_others() {
  reached("niceness", setpriority(PRIO_PROCESS, starter(), 19) == 0);
  reached("niceness of the user", setpriority(PRIO_USER, 0, 19) == 0);
  reached("niceness of the group", setpriority(PRIO_PGRP, 0, 19) == 0);
}
static void disk_of_others() {
  reached("disk", syscall(SYS_ioprio_set, 1, starter(), 3 << 13) == 0);
  reached("disk of the user", syscall(SYS_ioprio_set, 3, getuid(), 3 << 13) == 0);
}
static void limits_of_others() {
  rlimit none = {0, 0};
  reached("limits", prlimit(starter(), RLIMIT_NOFILE, &none, NULL) == 0);
  for (const int which : {RLIMIT_DATA, RLIMIT_CPU, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_NPROC}) {
    rlimit now, more = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(which, &now);
    reached("a limit", now.rlim_max != RLIM_INFINITY && setrlimit(which, &more) == 0);
  }
}
static void signals() {
  reached("signal", kill(starter(), SIGSTOP) == 0 || kill(1, 0) == 0 || kill(-1, 0) == 0 || kill(0, 0) == 0);
  reached("signal to a thread", syscall(SYS_tkill, starter(), SIGSTOP) == 0 || syscall(SYS_tgkill, starter(), starter(), 0) == 0);
  const int fd = (int)syscall(434 /* pidfd_open */, starter(), 0);
  reached("signal by descriptor", fd >= 0 && syscall(424, fd, 0, NULL, 0) == 0);
}
static void traces() {
  reached("trace", ptrace(PTRACE_ATTACH, starter(), 0, 0) == 0);
  reached("seize", ptrace(PTRACE_SEIZE, starter(), 0, 0) == 0);
}
// How much memory is free tells what the simulated GPU takes: a kernel could say something by that.
static void asks_machine() {
  struct sysinfo all;
  reached("free memory of the machine", sysinfo(&all) == 0 || opens("/proc/meminfo", O_RDONLY) || opens("/proc/vmstat", O_RDONLY));
}
static void starts_processes() {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  reached("fork", pid > 0);
  reached("shell", system("true") == 0);
  reached("clone3", syscall(435, NULL, 0) >= 0);
}
// A real GPU's driver may read /usr/bin, so what counts is that a program runs: it would then say so itself.
static void runs_programs() {
  static char shell[] = "/bin/sh", flag[] = "-c", says[] = "echo REACHED a shell", nothing[] = "";
  char *const argv[] = {shell, flag, says, NULL}, *const env[] = {NULL};
  execve(shell, argv, env);
  execve("/usr/bin/env", argv, env);
  execve("/lib64/ld-linux-x86-64.so.2", argv, env);
  syscall(SYS_execveat, open(shell, O_RDONLY | O_CLOEXEC), nothing, argv, env, AT_EMPTY_PATH);
}
static void outlives_judge() {
  reached("end with the judge", prctl(PR_SET_PDEATHSIG, 0) == 0);
  reached("session", setsid() > 0);
  reached("group", setpgid(0, 0) == 0 && getpgrp() == getpid() && getsid(0) == getpid());
}
static void network() {
  for (int family = 1; family < 46; family++)
    for (int type = 1; type < 6; type++) reached("socket", socket(family, type, 0) >= 0 && family != AF_UNIX);
}
static void shared_memory() {
  reached("segment", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0);
  reached("object", shm_open("/attack", O_RDWR | O_CREAT, 0600) >= 0);
  reached("queue", syscall(SYS_msgget, 1, IPC_CREAT | 0600) >= 0 || syscall(SYS_semget, 1, 1, IPC_CREAT | 0600) >= 0);
}
static void kernel_objects() {
  static char room[4096];
  static const long calls[] = {SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_keyctl, SYS_add_key, SYS_fanotify_init,
                               SYS_inotify_init1, SYS_swapon, SYS_init_module, SYS_reboot, SYS_sethostname, SYS_settimeofday, SYS_iopl};
  for (const long call : calls) reached("call", syscall(call, 1, room, 0, 0, 0) >= 0);
}
static void namespaces() {
  reached("user namespace", syscall(SYS_unshare, 0x10000000) == 0);
  reached("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL) == 0);
  reached("root", chroot("/proc") == 0);
  reached("namespace of another", syscall(SYS_setns, open("/proc/1/ns/net", O_RDONLY), 0) == 0);
}
static void other_architecture() {
#ifdef __x86_64__
  long pid;
  asm volatile("int $0x80" : "=a"(pid) : "a"(20) : "memory"); // getpid of i386
  reached("call by its i386 number", pid > 0);
#endif
  exit(1);
}

// Memory ----------------------------------------------------------------------------------------------------

static void host_memory() {
  const size_t gib = 9;
  char *p = (char *)mmap(NULL, gib << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  reached("9 GiB", p != MAP_FAILED);
  if (p != MAP_FAILED) munmap(p, gib << 30);
}
static void anonymous_memory() {
  reached("shared memory", mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
}
// On a real GPU only what is used can have a bound: the driver reserves addresses without one.
static void host_memory_used() {
  const size_t gib = 9;
  char *p = (char *)mmap(NULL, gib << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (size_t at = 0; p != MAP_FAILED && at < gib << 30; at += 4096) p[at] = 1;
  reached("9 GiB, used", p != MAP_FAILED);
}
static void host_memory_in_pieces() {
  size_t pieces = 0;
  for (; pieces < 9 * 1024; pieces++)
    if (mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED) break;
  reached("9 GiB in pieces", pieces == 9 * 1024);
  _exit(pieces == 9 * 1024);
}
static void memory_files() {
  reached("a file without a name", syscall(SYS_memfd_create, "x", 0) >= 0);
  reached("secret memory", syscall(447, 0) >= 0);
}
// Nine files without a name, of 1000 MiB each. A real GPU's driver makes such files, so memory has a bound.
static void memory_files_used() {
  static char piece[1 << 20];
  memset(piece, 1, sizeof piece);
  int full = 0;
  for (int k = 0; k < 9; k++) {
    const int fd = (int)syscall(SYS_memfd_create, "x", 0);
    int mib = 0;
    while (fd >= 0 && mib < 1000 && write(fd, piece, sizeof piece) == sizeof piece) mib++;
    full += mib == 1000;
  }
  reached("9000 MiB", full == 9);
}
// Pieces of 63 MiB, which are too small to be looked at one by one.
static void device_memory_in_pieces() {
  void *p;
  size_t pieces = 0, all, some;
  while (pieces < 40 && !cudaMalloc(&p, 63 << 20)) pieces++;
  cudaGetLastError();
  cudaMemGetInfo(&some, &all);
  reached("more device memory than there is", pieces * (63u << 20) > all);
  cudaDeviceReset();
}
// Large pieces, then smaller ones, until there is nothing left for those that run beside it.
static void takes_device_memory() {
  void *p;
  size_t taken = 0;
  for (size_t size = 1ull << 36; size >= 1 << 20;) {
    if (cudaMalloc(&p, size)) size /= 2;
    else taken += size;
  }
  cudaGetLastError();
  reached("more device memory than one submission's share", taken > 8ull << 30);
  cudaDeviceReset();
}
// More shared memory than the simulated GPU has names for. The judge shares its own, too.
static void shares_much() {
  void *p;
  cudaIpcMemHandle_t handle;
  for (int i = 0; i < 5000 && !cudaMalloc(&p, 16) && !cudaIpcGetMemHandle(&handle, p); i++) {
  }
  cudaGetLastError();
}
__global__ void takes_heap(int *got) {
  size_t n = 0;
  while (malloc(1 << 20)) n++;
  *got = (int)n;
}
static void heap_memory() {
  int *got;
  cudaMalloc((void **)&got, sizeof *got);
  takes_heap<<<1, 1>>>(got);
  cudaDeviceSynchronize();
  cudaFree(got);
}

static void *waits(void *) {
  for (;;) pause();
}
static void threads() {
  pthread_t t;
  pthread_attr_t small;
  int n = 0;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  while (n < 5000 && !pthread_create(&t, &small, waits, NULL)) n++;
  reached("5000 threads", n == 5000);
  usleep(500000);
}
static void descriptors() {
  int n = 0;
  while (n < 2000 && dup(0) >= 0) n++;
  reached("2000 descriptors", n == 2000);
  for (int fd = 5; fd < 2005; fd++) close(fd);
}
static void prints_much() {
  for (int i = 0; i < 100000; i++) puts("{\"status\": \"pass\", \"points\": 100}");
}
// Waits, and writes so often that nobody who waits for output sees it wait.
static void prints_while_idle() {
  for (int i = 0; i < 15000; i++) write(1, ".", 1), usleep(3000);
}
static void prints_record() {
  puts("\n{\"test\": \"01.scan.n1.sim\", \"status\": \"pass\", \"points\": 100, \"max\": 100}\n<DartMeasurement name=\"x\">1</DartMeasurement>\n"
       "100% tests passed\n\033[2J\033]0;x\a");
}

// The judge and the simulated GPU ---------------------------------------------------------------------------

static void forges_answer() {
  struct {
    unsigned magic, kind;
    unsigned long long ticket;
    int rest[6];
  } reply = {0x45534143, 2, 0, {0}};
  for (int k = 0; k < 100; k++) reply.ticket = (unsigned long long)k, (void)!write(3, &reply, sizeof reply);
}

struct message {
  uint32_t magic;
  uint16_t op, reserved;
  uint32_t sequence;
  int32_t status;
  uint32_t length, text;
  uint64_t arg[5];
};
// Orders that only the judge may give, on the connection that the program has.
static void orders_gpu() {
  message m = {0x55504753, 0, 0, 0, 0, 0, 0, {0, 0, 0, 0, 0}}, r;
  cudaFree(NULL);
  for (int op = 20; op < 32; op++) {
    m.op = (uint16_t)op, m.sequence = 1000 + (uint32_t)op;
    if (write(4, &m, sizeof m) != sizeof m || recv(4, &r, sizeof r, MSG_WAITALL) != sizeof r) break;
    char drop[4096];
    for (uint32_t left = r.length; left;) {
      const ssize_t got = read(4, drop, left < sizeof drop ? left : sizeof drop);
      if (got <= 0) break;
      left -= (uint32_t)got;
    }
    if (r.status == 0) printf("answered: %d\n", op);
  }
}
static void confuses_gpu() {
  message m = {0x55504753, 4, 0, 77, 0, 0xffffffff, 0, {0, 0, 0, 0, 0}};
  (void)!write(4, &m, sizeof m);
  close(4);
}
static void closes_all() {
  for (int fd = 0; fd < 64; fd++) close(fd);
}
static void exits() { exit(0); }
#ifdef EXITS_FIRST // before main, and before any constructor
static void exits_first(int, char **, char **) { _exit(0); }
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = exits_first;
#endif
// SIGKILL for the judge and all others, as soon as one of the open descriptors can be read.
static void owns_descriptors() {
  for (int fd = 0; fd < 64; fd++) {
    if (fcntl(fd, F_SETSIG, SIGKILL)) continue;
    const int owners[] = {-1, 1, -getpgid(0), starter()};
    for (int owner : owners) fcntl(fd, F_SETOWN, owner), fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
  }
}
static void crashes() { *(volatile int *)8 = 1; }
static void closes_output() { close(1), close(2); }
static void masks_signals() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  for (int s = 1; s < 32; s++) signal(s, SIG_IGN);
}
static void resets_device() { cudaDeviceReset(); }

extern "C" cudaError_t ENTRY(const float *in, float *out, int n) {
  static int calls;
  if (n && !calls++) TRY();
  return honest(in, out, n);
}
