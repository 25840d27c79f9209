// The rules of the sandbox as tables, and the command lines that carry them to sl-jail.
//
// Interface: sandbox.h. A rule is a letter and a path (jail.h); sl-jail skips paths that do not exist. System
// folders are listed as narrowly as C compilers and GPU drivers allow: never /etc, /home, /tmp, /var or all
// of /usr or /proc, so that neither the course, wherever it lies, nor other people's files come with them.
#include "jail/sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

// Is there one ----------------------------------------------------------------------------------------------

bool sl_sandbox_is_off(void) {
  const char *env = getenv("SCANLAB_SANDBOX");
  return env && (!strcmp(env, "off") || !strcmp(env, "none") || !strcmp(env, "0"));
}

sl_sandbox sl_sandbox_find(void) {
  bool works = !sl_sandbox_is_off() && syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* version */) >= 1;
  return works ? SL_SANDBOX_LANDLOCK : SL_SANDBOX_NONE;
}

const char *sl_sandbox_name(sl_sandbox s, bool apart) {
  static const char *const names[][2] = {[SL_SANDBOX_NONE] = {"none", "namespaces"},
                                         [SL_SANDBOX_LANDLOCK] = {"landlock", "landlock+namespaces"}};
  return names[s][apart];
}

const char *sl_sandbox_why_none(void) {
  return sl_sandbox_is_off() ? "SCANLAB_SANDBOX turns it off"
                             : "this kernel has no Landlock (Linux 5.13 or newer, enabled)";
}

bool sl_sandbox_check(sl_error *e) {
  const char *env = getenv("SCANLAB_REQUIRE_SANDBOX");
  if (!env || !env[0] || !strcmp(env, "0") || sl_sandbox_find() != SL_SANDBOX_NONE) return true;
  return sl_fail(e, SL_EXIT_INFRA, "grade on a machine that has one, or do not require it",
                 "a sandbox is required and there is none: %s", sl_sandbox_why_none());
}

// Command lines ---------------------------------------------------------------------------------------------

void sl_command_begin(sl_command *c) {
  const char *bin = getenv("SCANLAB_BIN");
  char *own = sl_exe_dir();
  *c = (sl_command){0};
  sl_command_add(c, "%s/sl-jail", bin ? bin : own);
  free(own);
}

void sl_command_add(sl_command *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  if (c->n < SL_COMMAND_MAX && vasprintf(&c->argv[c->n], fmt, ap) >= 0) c->argv[++c->n] = NULL;
  va_end(ap);
}

void sl_command_end(sl_command *c) {
  for (int k = 0; k < c->n; k++) free(c->argv[k]);
  c->n = 0;
}

static void add_table(sl_command *c, const char *const *rules) {
  for (; *rules; rules++) sl_command_add(c, "%s", *rules);
}

// Adds a rule for each folder of [list], separated by ':'.
static void add_list(sl_command *c, char use, const char *list) {
  for (; list && *list; list += strcspn(list, ":")) {
    list += strspn(list, ":");
    int len = (int)strcspn(list, ":");
    if (len > 0 && list[0] == '/') sl_command_add(c, "%c%.*s", use, len, list);
  }
}

// Programs --------------------------------------------------------------------------------------------------

// Every program needs these to start: the loader, libraries, harmless devices.
static const char *const any_program[] = {
    "x/lib",      "x/lib64",      "x/usr/lib",     "x/usr/lib64", "r/etc/ld.so.cache",        "d/dev/null",
    "r/dev/zero", "r/dev/random", "r/dev/urandom", "r/proc/self", "r/sys/devices/system/cpu", NULL,
};

// CUDA's driver opens these, too. It writes the names of its threads to /proc/self/task.
static const char *const real_gpu[] = {
    "x/usr/bin",
    "x/usr/local/lib",
    "x/usr/local/cuda",
    "r/usr/share",
    "r/sys",
    "d/proc/self",
    "r/proc/driver",
    "r/proc/cpuinfo",
    "r/proc/meminfo",
    "r/proc/devices",
    "r/proc/modules",
    "r/proc/sys",
    "r/proc/stat",
    "r/proc/filesystems",
    "r/proc/version",
    "r/etc/nvidia",
    "r/etc/localtime",
    "d/dev/zero",
    "d/dev/nvidiactl",
    "d/dev/nvidia-uvm",
    "d/dev/nvidia-uvm-tools",
    "d/dev/nvidia-modeset",
    "d/dev/nvidia-caps",
    "d/dev/nvidia-caps-imex-channels",
    "d/dev/dri",
    "r/run/nvidia-persistenced",
    "r/tmp/nvidia-mps",
    NULL,
};

enum { MAX_GPUS = 16 };

static bool gpu_needs(const char *word) {
  const char *all = getenv("SCANLAB_GPU_NEEDS"), *at = all ? strstr(all, word) : NULL;
  return at != NULL || sl_sandbox_is_off();
}

void sl_sandbox_gpu_needs(sl_command *c) {
  static const char *const words[] = {"processes", "sockets", "shared", NULL};
  sl_command_add(c, "+own_sockets");
  for (int k = 0; words[k]; k++)
    if (gpu_needs(words[k])) sl_command_add(c, "+%s", words[k]);
}

// Adds the folder from which this process has loaded the driver: some machines keep it apart.
static void add_driver(sl_command *c) {
  struct link_map *map;
  char real[PATH_MAX];
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!driver) return;
  if (dlinfo(driver, RTLD_DI_LINKMAP, &map) == 0 && realpath(map->l_name, real) && strrchr(real, '/') != real)
    sl_command_add(c, "x%.*s", (int)(strrchr(real, '/') - real), real);
  dlclose(driver);
}

void sl_sandbox_program(sl_command *c, const char *runner, char *const env[], bool gpu) {
  static const char folders[] = "LD_LIBRARY_PATH=";
  add_table(c, any_program);
  sl_command_add(c, "x%s", runner);
  for (; *env; env++) {
    if (strncmp(*env, folders, sizeof folders - 1)) continue;
    if (gpu) add_list(c, 'x', *env + sizeof folders - 1);
    else sl_command_add(c, "x%s/libcudart.so.13", *env + sizeof folders - 1);
  }
  if (!gpu) return;
  add_table(c, real_gpu);
  if (gpu_needs("shared")) sl_command_add(c, "w/dev/shm");
  for (int k = 0; k < MAX_GPUS; k++) sl_command_add(c, "d/dev/nvidia%d", k);
  add_driver(c);
}

// Compilers -------------------------------------------------------------------------------------------------

// /etc/alternatives is not needed: the end of a link counts, not the link.
static const char *const any_compiler[] = {
    "x/bin",
    "x/usr/bin",
    "x/lib",
    "x/lib64",
    "x/lib32",
    "x/usr/lib",
    "x/usr/lib64",
    "x/usr/lib32",
    "x/usr/libexec",
    "x/usr/include",
    "x/usr/local/bin",
    "x/usr/local/lib",
    "r/usr/local/include",
    "r/etc/ld.so.cache",
    "d/dev/null",
    "r/dev/urandom",
    "r/proc/meminfo",
    "r/proc/cpuinfo",
    "r/sys/devices/system/cpu",
    NULL,
};

// Adds the toolkit that [nvcc] belongs to: the folder above nvcc's if the compiler's parts are there, else
// nvcc's folder.
static void add_toolkit(sl_command *c, const char *nvcc) {
  char real[PATH_MAX];
  if (!realpath(nvcc, real)) return;
  *strrchr(real, '/') = 0;
  sl_command_add(c, "x%s", real);
  char *up = strrchr(real, '/');
  if (!up) return;
  *up = 0;
  static const char *const parts[] = {"bin", "include", "lib", "lib64", "nvvm", "targets", NULL};
  for (int k = 0; parts[k]; k++) sl_command_add(c, "x%s/%s", real, parts[k]);
}

void sl_sandbox_compiler(sl_command *c, const char *nvcc, const char *object, const char *folder) {
  add_table(c, any_compiler);
  add_toolkit(c, nvcc);
  add_list(c, 'x', getenv("SCANLAB_TOOLCHAIN"));
  sl_command_add(c, "r%s", sl_include_folder());
  sl_command_add(c, "r%s", object);
  sl_command_add(c, "w%s", folder);
}
