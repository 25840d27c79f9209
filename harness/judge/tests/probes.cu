// A lab 03 kernel that is right, and whose host code tries everything that its sandbox must refuse.
//
// The test puts the lists of paths in front: `reads`, `folders`, `writes`, each ended by NULL. What succeeds
// is printed as "OPEN: .."; a program that printed "probed" and no OPEN has been refused everything.
#include "scanlab/lab.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__global__ void scan(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    out[i] = sum;
    sum += in[i];
  }
}

static int tried;

static void attempt(const char *what, const char *path, bool succeeded) {
  tried++;
  if (succeeded) printf("OPEN: %s %s\n", what, path);
}

// The process that started this one, by the number that /proc has for it: in a namespace getppid() is 0.
static pid_t starter() {
  int pid = getppid();
  FILE *f = fopen("/proc/self/stat", "r");
  if (f && fscanf(f, "%*d (%*[^)]) %*c %d", &pid) != 1) pid = getppid();
  if (f) fclose(f);
  return pid;
}

static bool opens(const char *path, int flags) {
  int fd = open(path, flags | O_NONBLOCK, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static bool lists(const char *path) {
  DIR *d = opendir(path);
  if (d) closedir(d);
  return d != NULL;
}

static void read_paths() {
  char path[600];
  for (int i = 0; reads[i]; i++) {
    attempt("read", reads[i], opens(reads[i], O_RDONLY));
    snprintf(path, sizeof path, "/proc/self/root%s", reads[i]);
    attempt("read", path, opens(path, O_RDONLY));
    snprintf(path, sizeof path, "/usr/lib/../..%s", reads[i]);
    attempt("read", path, opens(path, O_RDONLY));
  }
  for (int i = 0; folders[i]; i++) attempt("list", folders[i], lists(folders[i]));
}

static void write_in(const char *folder) {
  char path[600], other[600];
  snprintf(path, sizeof path, "%s/probe-made", folder);
  attempt("create", path, opens(path, O_WRONLY | O_CREAT));
  attempt("make a folder", path, mkdir(path, 0700) == 0);
  attempt("make a link", path, symlink("/etc/passwd", path) == 0);
  attempt("make a fifo", path, mkfifo(path, 0600) == 0);
  snprintf(other, sizeof other, "%s/probe-file", folder);
  attempt("rename", other, rename(other, path) == 0);
  attempt("link", other, link(other, path) == 0);
  attempt("append to", other, opens(other, O_WRONLY | O_APPEND));
  attempt("truncate", other, truncate(other, 0) == 0);
  attempt("change the mode of", other, chmod(other, 0777) == 0);
  attempt("change the mode of", other, fchmodat(AT_FDCWD, other, 0777, 0) == 0);
  attempt("change the owner of", other, chown(other, getuid(), getgid()) == 0);
  struct timespec times[2] = {{1, 0}, {1, 0}};
  attempt("change the time of", other, utimensat(AT_FDCWD, other, times, 0) == 0);
  attempt("remove", other, unlink(other) == 0);
}

static void judge_files() {
  static const char *const names[] = {"mem", "environ", "maps", "fd/3", "fd/4", "cmdline", "root/etc/passwd", "cwd/lab.json"};
  char path[128];
  pid_t of[] = {starter(), 1};
  for (pid_t pid : of) {
    for (auto name : names) {
      snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
      attempt("read", path, opens(path, O_RDONLY));
    }
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    attempt("list", path, lists(path));
  }
  attempt("list", "/proc", lists("/proc"));
}

static bool makes_socket(int family, int type) {
  int fd = socket(family, type, 0);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static void calls() {
  attempt("network", "IPv4", makes_socket(AF_INET, SOCK_STREAM));
  attempt("network", "IPv4 datagrams", makes_socket(AF_INET, SOCK_DGRAM));
  attempt("network", "IPv6", makes_socket(AF_INET6, SOCK_STREAM));
  attempt("network", "netlink", makes_socket(AF_NETLINK, SOCK_RAW));
  attempt("socket", "with a name", makes_socket(AF_UNIX, SOCK_STREAM));
  attempt("network", "vsock", makes_socket(AF_VSOCK, SOCK_STREAM));
  attempt("shared memory", "shmget", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0);
  attempt("shared memory", "shm_open", shm_open("/probe-shm", O_RDWR | O_CREAT, 0600) >= 0);
  attempt("call", "unshare", syscall(SYS_unshare, 0x10000000 /* a user namespace */) == 0);
  attempt("call", "io_uring_setup", syscall(SYS_io_uring_setup, 1, calloc(1, 4096)) >= 0);
  attempt("call", "ptrace of the judge", syscall(SYS_ptrace, 16 /* attach */, starter(), 0, 0) == 0);
  attempt("signal", "to the judge", starter() != getpid() && kill(starter(), 0) == 0); // in a namespace, 2 may be itself
}

static bool maps(int flags, size_t mib) {
  void *p = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p != MAP_FAILED) munmap(p, mib << 20);
  return p != MAP_FAILED;
}

// The program's memory and the number of its descriptors are limited; what that does not count is refused.
static void memory() {
  long open_files = 0;
  attempt("memory", "in a file without a name", syscall(SYS_memfd_create, "x", 0) >= 0);
  attempt("memory", "shared", maps(MAP_SHARED, 1));
  attempt("memory", "of 9 GiB", maps(MAP_PRIVATE, 9 << 10));
  while (open_files < 4096 && dup(0) >= 0) open_files++;
  attempt("descriptors", "4096 of them", open_files == 4096);
  for (int fd = 5; fd < 4096; fd++) close(fd);
}

// The schedule of others: the judge, all processes of the user, all of the group.
static void schedule() {
  static const int of[] = {starter(), 1};
  struct sched_param none = {0};
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  for (int pid : of) {
    attempt("schedule", "class of another", syscall(SYS_sched_setscheduler, pid, SCHED_IDLE, &none) == 0);
    attempt("schedule", "cores of another", syscall(SYS_sched_setaffinity, pid, sizeof one, &one) == 0);
    attempt("schedule", "parameters of another", syscall(SYS_sched_setparam, pid, &none) == 0);
    attempt("schedule", "disk of another", syscall(SYS_ioprio_set, 1, pid, 3 << 13) == 0);
    attempt("schedule", "niceness of another", setpriority(PRIO_PROCESS, pid, 5) == 0);
    attempt("limits", "of another", syscall(SYS_prlimit64, pid, RLIMIT_NOFILE, NULL, NULL) == 0);
  }
  attempt("schedule", "niceness of the group", setpriority(PRIO_PGRP, 0, 5) == 0);
  attempt("schedule", "niceness of the user", setpriority(PRIO_USER, 0, 5) == 0);
  attempt("schedule", "disk of the user", syscall(SYS_ioprio_set, 3, 0, 3 << 13) == 0);
  if (setpriority(PRIO_PROCESS, 0, 19)) attempt("its own", "niceness is refused", true);
}

cudaError_t lab03_blelloch_scan(const float *d_in, float *d_out, int n) {
  if (n == 1000) {
    read_paths();
    for (int i = 0; writes[i]; i++) write_in(writes[i]);
    judge_files();
    calls();
    memory();
    schedule();
    printf("probed %d\n", tried);
  }
  if (n > 0) scan<<<1, 1>>>(d_in, d_out, n);
  return cudaGetLastError();
}
