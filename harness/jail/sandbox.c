// The rules of the sandbox as tables, and the command lines that carry them to sl-jail.
//
// Interface: sandbox.h. A rule is a letter and a path (jail.h); sl-jail skips paths that do not exist. System
// folders are listed as narrowly as C compilers and GPU drivers allow: never /etc, /home, /tmp, /var or all
// of /usr or /proc, so that neither the course, wherever it lies, nor other people's files come with them.
#include "jail/sandbox.h"
#include "gpu/protocol.h"

#include <dlfcn.h>
#include <link.h>

// Command lines ---------------------------------------------------------------------------------------------

void sl_command_begin(sl_command *c) {
  SL_FREED char *jail = sl_tool_path("sl-jail");
  *c = (sl_command){0};
  sl_command_add(c, "%s", jail);
}

void sl_command_add(sl_command *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  if (c->n < SL_COMMAND_MAX && vasprintf(&c->argv[c->n], fmt, ap) >= 0) c->argv[++c->n] = NULL;
  va_end(ap);
}

void sl_command_words(sl_command *c, const char *const *words) {
  for (; *words; words++) sl_command_add(c, "%s", *words);
}

void sl_command_end(sl_command *c) {
  for (int k = 0; k < c->n; k++) free(c->argv[k]);
  c->n = 0;
}

void sl_command_off(sl_command *c) {
  if (sl_sandbox_is_off()) sl_command_add(c, "+unfiltered");
}

// Adds each word of [words].
static void add_words(sl_command *c, const char *words) {
  for (size_t n; (n = strcspn(words, " ")); words += n + strspn(words + n, " "))
    sl_command_add(c, "%.*s", (int)n, words);
}

// Lets programs be run from each folder of [list], separated by ':'.
static void add_list(sl_command *c, const char *list) {
  for (; list && *list; list += strcspn(list, ":")) {
    list += strspn(list, ":");
    int len = (int)strcspn(list, ":");
    if (len > 0 && list[0] == '/') sl_command_add(c, "x%.*s", len, list);
  }
}

// Bubblewrap ------------------------------------------------------------------------------------------------

// How a rule becomes a mount; paths that do not exist are left out, and /proc is new.
static void add_mount(sl_command *c, const char *rule) {
  static const struct {
    char use;
    const char *how;
  } rows[] = {{'r', "--ro-bind-try"}, {'x', "--ro-bind-try"}, {'d', "--dev-bind-try"}, {'w', "--bind-try"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (rows[k].use == rule[0] && strncmp(rule + 1, "/proc", 5))
      sl_command_words(c, SL_WORDS(rows[k].how, rule + 1, rule + 1));
}

// Mounts the folder of a file, to be read.
static void add_folder(sl_command *c, const char *file) {
  char rule[PATH_MAX + 1];
  snprintf(rule, sizeof rule, "r%.*s", (int)(strrchr(file, '/') - file), file);
  add_mount(c, rule);
}

static bool is_file_rule(const char *word) { return strchr("rxdw", word[0]) && word[1] == '/'; }

// The program by its real path: links to it are not in the tree.
static void add_program(sl_command *c, const char *path) {
  char real[PATH_MAX];
  sl_command_add(c, "%s", realpath(path, real) ? real : path);
}

// A compiler can read its own environment in /proc, and put it into a message: it gets none of the grader's.
static void add_bare_environment(sl_command *c) {
  const char *path = getenv("PATH");
  add_words(c, "--clearenv --setenv PATH");
  sl_command_add(c, "%s", path ? path : "/usr/bin:/bin");
}

void sl_sandbox_wrap(sl_command *c, char *const env[]) {
  static const char socket[] = SL_GPU_ENV "=";
  sl_command old = *c;
  bool program = false;
  int rules = 5, end = rules;
  if (sl_sandbox_find() != SL_SANDBOX_BUBBLEWRAP) return;
  *c = (sl_command){0};
  add_words(c, "bwrap --unshare-all --die-with-parent --cap-drop ALL --proc /proc --dir /tmp");
  if (!env) add_bare_environment(c);
  while (strcmp(old.argv[end], "--") != 0) end++;
  for (int k = rules; k < end; k++) add_mount(c, old.argv[k]);
  add_mount(c, "r/etc/alternatives");
  for (; env && *env; env++) // sl-jail connects to the simulated GPU in there
    if (!strncmp(*env, socket, sizeof socket - 1)) add_folder(c, *env + sizeof socket - 1);
  add_folder(c, old.argv[0]);
  add_words(c, "--remount-ro / --"); // what is left of the tree is memory, which no limit counts
  for (int k = 0; k < old.n; k++) {
    if (k == end) sl_command_add(c, "+within");
    if (k >= rules && k < end && is_file_rule(old.argv[k])) continue;
    if (program) add_program(c, old.argv[k]);
    else sl_command_add(c, "%s", old.argv[k]);
    program = k == end;
  }
  sl_command_end(&old);
}

// Programs --------------------------------------------------------------------------------------------------

// Every program needs these to start: the loader, libraries, harmless devices.
static const char any_program[] =
    "x/lib x/lib64 x/usr/lib x/usr/lib64 r/etc/ld.so.cache d/dev/null r/dev/zero r/dev/random "
    "r/dev/urandom r/proc/self r/sys/devices/system/cpu";

// CUDA's driver opens these, too. It writes the names of its threads to /proc/self/task.
static const char real_gpu[] =
    "x/usr/local/lib x/usr/local/cuda r/usr/share r/sys d/proc/self r/proc/driver "
    "r/proc/cpuinfo r/proc/meminfo r/proc/devices r/proc/modules r/proc/sys r/proc/stat "
    "r/proc/filesystems r/proc/version r/etc/nvidia r/etc/localtime d/dev/zero d/dev/nvidiactl "
    "d/dev/nvidia-uvm d/dev/nvidia-uvm-tools d/dev/nvidia-modeset d/dev/nvidia-caps "
    "d/dev/nvidia-caps-imex-channels d/dev/dri r/run/nvidia-persistenced r/tmp/nvidia-mps";

enum { MAX_GPUS = 16 };

const char *const sl_gpu_needs[] = {"processes", "sockets", "shared", NULL};

static bool gpu_needs(const char *word) {
  const char *all = getenv(SL_GPU_NEEDS_ENV);
  return sl_sandbox_is_off() || (all && strstr(all, word));
}

void sl_sandbox_gpu_needs(sl_command *c) {
  sl_command_add(c, "+own_sockets");
  for (const char *const *word = sl_gpu_needs; *word; word++)
    if (gpu_needs(*word)) sl_command_add(c, "+%s", *word);
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
  add_words(c, any_program);
  sl_command_add(c, "x%s", runner);
  for (; *env; env++) {
    if (strncmp(*env, folders, sizeof folders - 1)) continue;
    if (gpu) add_list(c, *env + sizeof folders - 1);
    else sl_command_add(c, "x%s/libcudart.so.13", *env + sizeof folders - 1);
  }
  if (!gpu) return;
  add_words(c, real_gpu);
  if (gpu_needs("shared")) sl_command_add(c, "w/dev/shm");
  for (int k = 0; k < MAX_GPUS; k++) sl_command_add(c, "d/dev/nvidia%d", k);
  add_driver(c);
}

// Compilers -------------------------------------------------------------------------------------------------

// /etc/alternatives is not needed: the end of a link counts, not the link.
static const char any_compiler[] =
    "x/bin x/usr/bin x/lib x/lib64 x/lib32 x/usr/lib x/usr/lib64 x/usr/lib32 x/usr/libexec "
    "x/usr/include x/usr/local/bin x/usr/local/lib r/usr/local/include r/etc/ld.so.cache d/dev/null "
    "r/dev/urandom r/proc/meminfo r/proc/cpuinfo r/sys/devices/system/cpu";

// Adds the toolkit that [nvcc] belongs to: the folder above nvcc's if it has the compiler's parts, or nvcc's.
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
  add_words(c, any_compiler);
  add_toolkit(c, nvcc);
  add_list(c, getenv("SCANLAB_TOOLCHAIN"));
  sl_command_add(c, "r%s", sl_include_folder());
  sl_command_add(c, "r%s", object);
  sl_command_add(c, "w%s", folder);
}
