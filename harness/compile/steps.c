// sl-steps: does what one call of nvcc does, in less time. nvcc itself says which commands it would run
// (--dryrun). The host's front end and the device compiler run side by side, and all compilers are spared the
// text of the headers, which is the same for every kernel (headers.c).
//
// Interface: sl-steps HEADERS|- NVCC ARGS.. runs in the folder of the source. HEADERS is a folder that a
// call with --prepare in place of HEADERS has filled from a source that includes what kernels include.
// Messages come in nvcc's order, and the exit code says what nvcc's says. The file `steps` tells the time of
// each step; `stale` is there if HEADERS should be made anew. SL_NAMED_FROM, where it is set, is the folder
// that the names of sources begin from in the device's code, in place of the current one. If the commands
// are not those that this program knows, nvcc does it all.
#include "compile/steps.h"
#include "compile/compiler.h"
#include "compile/resume.h"
#include "compile/sets.h"

#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>

// What a command of nvcc holds, and where its time is counted.
static const struct {
  const char *sign, *name, *stage;
} kinds[N_STEPS] = {
    [HOST_TEXT] = {" -E ", "gcc", "front_end"},
    [HOST_FRONT] = {"cudafe++ ", "cudafe++", "front_end"},
    [DEVICE_TEXT] = {" -E ", "gcc", "device_compiler"},
    [DEVICE] = {"cicc\" ", "cicc", "device_compiler"},
    [PACK] = {"fatbinary ", "fatbinary", "device_compiler"},
    [HOST] = {" -c ", "gcc", "host_compiler"},
    [LINK] = {" -o ", "g++", "link"},
};

// The plan --------------------------------------------------------------------------------------------------

char *sl__with(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  return at ? sl_path("%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) : NULL;
}

// Takes one line of the plan: a variable of the environment, or a command.
static bool take_line(steps *s, char *line) {
  if (strncmp(line, "#$ ", 3)) return false;
  line += 3;
  const size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  if (line[name] == '=') {
    line[name] = 0;
    return setenv(line, line + name + 1, 1) == 0;
  }
  if (s->n == N_STEPS || !strstr(line, kinds[s->n].sign)) return false;
  s->command[s->n++] = line;
  return true;
}

// Takes nvcc's plan. False: it is another than the one that this program knows.
static bool read_plan(steps *s, char *const *words, size_t n) {
  char *plan = sl__plan(s, words, n); // what is taken points into it
  bool ok = plan != NULL;
  for (char *line = plan; ok && *line;) {
    char *end = strchrnul(line, '\n');
    const bool last = !*end;
    *end = 0;
    ok = take_line(s, line);
    line = end + !last;
  }
  return ok && s->n == N_STEPS;
}

// Running ---------------------------------------------------------------------------------------------------

// Seconds that a process which is taken up may compute: many times what one needs. If it takes more, the step
// is run from the start, and a source that is slow itself has its time there. The preprocessor, too, needs a
// tenth of its seconds: more it takes for a file that is no text, or for macros that never end.
enum { RESUMED_SECONDS = 10, TEXT_SECONDS = 10 };

static bool is_text(unsigned kind) { return kind == HOST_TEXT || kind == DEVICE_TEXT; }
static void allow_seconds(rlim_t seconds) { setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds}); }

// A process is taken up at the same addresses, with as much in its environment, as the one that was stored.
static void be_alike(int image) {
  static const char *const names[] = {"_HERE_", "CICC_PATH", "NVVMIR_LIBRARY_DIR"};
  const char *values[3];
  for (unsigned k = 0; k < 3; k++) values[k] = getenv(names[k]);
  clearenv();
  for (unsigned k = 0; k < 3; k++)
    if (values[k]) setenv(k ? names[k] : "PATH", values[k], 1);
  setenv("TMPDIR", ".", 1);
  dup2(image, SL_RESUME_FD);
  personality(ADDR_NO_RANDOMIZE);
  allow_seconds(RESUMED_SECONDS);
}

ended sl__run_step(unsigned kind, const char *command, const char *log, int image) {
  const double start = sl_now();
  struct rusage used = {0};
  int status = 0;
  const pid_t pid = fork();
  if (pid == 0) {
    const int fd = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
    if (fd >= 0) dup2(fd, 1), dup2(fd, 2);
    if (image >= 0) be_alike(image);
    if (is_text(kind)) allow_seconds(TEXT_SECONDS);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(NO_PROGRAM);
  }
  while (pid > 0 && wait4(pid, &status, 0, &used) < 0 && errno == EINTR) {
  }
  ended e = {.code = pid < 0 ? NO_PROGRAM : WEXITSTATUS(status), .seconds = sl_now() - start};
  e.cpu = sl_used_seconds(&used);
  const int by = WIFSIGNALED(status) ? WTERMSIG(status) : e.code > 128 && e.code < 160 ? e.code - 128 : 0;
  const bool slow = e.code && is_text(kind) && e.cpu >= TEXT_SECONDS;
  if (!by && !slow) return e;
  FILE *f = log ? fopen(log, "a") : stdout;
  if (f && slow) fputs("nvcc error   : " SL_SLOW_TEXT "\n", f);
  else if (f) fprintf(f, "nvcc error   : '%s' died due to signal %d\n", kinds[kind].name, by);
  if (f && log) fclose(f);
  e.code = 1;
  return e;
}

static void write_time(unsigned kind, const ended *e) {
  SL_CLOSED FILE *f = fopen("steps", "a");
  if (!f) return;
  fprintf(f, "%s %.4f %.4f\n", kinds[kind].stage, e->seconds, e->cpu);
}

// Runs a step in the shortest way that works. A file says that the headers' memory is of no use.
static ended run_shortest(const steps *s, unsigned kind, const char *log) {
  ended e = {0};
  if (sl__preprocess_below(s, kind, &e) || sl__resume(s, kind, log, &e)) return e;
  if (e.code == SL_RESUME_NOT_SO) sl_write_passing(SL_STALE, "", 0, NULL);
  return sl__run_whole(s, kind, log);
}

// The device compiler makes names whole with the current folder. Who has moved the source says from where.
static void name_from_there(void) {
  static const char ptx[] = "kernel.ptx";
  const char *there = getenv("SL_NAMED_FROM");
  char here[PATH_MAX];
  SL_FREED char *text = there && getcwd(here, sizeof here) ? sl_read_file(ptx, MAX_TEXT, NULL, NULL) : NULL;
  if (!text) return;
  SL_FREED char *from = sl_path("\"%s/", here), *to = sl_path("\"%s/", there),
                *named = sl__replaced(text, from, to);
  sl_write_passing(ptx, named, strlen(named), NULL);
}

// Runs the steps [from] to [to], until one fails. Its exit code.
static int run_steps(const steps *s, unsigned from, unsigned to, const char *log) {
  int code = 0;
  for (unsigned k = from; !code && k <= to; k++) {
    const ended e = run_shortest(s, k, log);
    write_time(k, &e);
    code = e.code;
    if (k == DEVICE && !code) name_from_there();
  }
  fflush(stdout);
  return code;
}

static void show_log(const char *log) {
  SL_FREED char *text = sl_read_file(log, MAX_TEXT, NULL, NULL);
  if (text) fputs(text, stdout), fflush(stdout);
}

// What the front ends share is a suffix for the source's own names, "_HASH_LENGTH_NAME_HASH". nvcc has the
// host's make it, for which the device compiler would have to wait. With one source, any hash will do.
static bool write_module_id(steps *s) {
  static const char made[] = "--gen_module_id_file ", option[] = "--module_id_file_name \"",
                    ending[] = ".module_id";
  char *front = sl__with(s->command[HOST_FRONT], made, "");
  const char *at = front ? strstr(front, option) : NULL, *name = at ? at + strlen(option) : "",
             *end = strstr(name, ending);
  if (!end) return false;
  const int len = (int)(end - name);
  SL_FREED char *path = sl_path("%.*s%s", len, name, ending), *source = sl_path("%.*s_cu", len, name);
  for (char *c = source; *c; c++)
    if (*c == '.' || *c == '-') *c = '_';
  SL_FREED char *id = sl_path("_5ca11ab0_%zu_%s_5ca11ab0", strlen(source), source);
  s->command[HOST_FRONT] = front;
  return sl_write_passing(path, id, strlen(id), NULL);
}

// All of it -------------------------------------------------------------------------------------------------

static int run_both_sides(const steps *s) {
  int status = 0;
  const pid_t device = fork();
  if (device == 0) _exit(run_steps(s, DEVICE_TEXT, PACK, "device.log"));
  const int code = run_steps(s, HOST_TEXT, HOST_FRONT, "host.log");
  show_log("host.log");
  if (code) return code; // whoever waits for this program ends what it has started
  if (device < 0) return run_steps(s, DEVICE_TEXT, PACK, NULL);
  while (waitpid(device, &status, 0) < 0 && errno == EINTR) {
  }
  show_log("device.log");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// The gold linker takes half the time, and a program that holds what it uses of libstdc++ starts in a
// millisecond less: each test starts it. If that cannot be linked, or the linker says anything or is not
// there, nvcc's own command links, so that its messages are the ones that people read.
static int link_program(const steps *s) {
  static const char log[] = "gold.log";
  SL_FREED char *command = sl__with(s->command[LINK], "g++ ",
                                    "g++ -fuse-ld=gold -fno-use-linker-plugin -Wl,--no-threads "
                                    "-static-libstdc++ -static-libgcc ");
  const ended e = command ? sl__run_step(LINK, command, log, -1) : (ended){.code = NO_PROGRAM};
  struct stat said;
  if (e.code || stat(log, &said) != 0 || said.st_size) return run_steps(s, LINK, LINK, NULL);
  write_time(LINK, &e);
  return 0;
}

// With -g the text would begin with the folder's name, which is another one for each kernel.
static void leave_folder_out(steps *s, unsigned kind) {
  char *command = sl__with(s->command[kind], " -E ", " -E -fno-working-directory ");
  if (command) s->command[kind] = command;
}

static int run_all(steps *s) {
  leave_folder_out(s, HOST_TEXT);
  leave_folder_out(s, DEVICE_TEXT);
  if (s->preparing) return sl__prepare_headers(s);
  int code = run_both_sides(s);
  if (code) return code;
  sl__spare_headers(s);
  code = run_steps(s, HOST, HOST, NULL);
  return code ? code : link_program(s);
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: sl-steps HEADERS|-|--prepare NVCC ARGS..\n"), SL_EXIT_USAGE;
  static steps s;
  s.preparing = !strcmp(argv[1], "--prepare");
  s.headers = argv[1][0] == '-' ? NULL : argv[1];
  if (read_plan(&s, argv + 2, (size_t)argc - 2) && write_module_id(&s)) return run_all(&s);
  if (s.preparing) return SL_EXIT_FAILED;
  execv(argv[2], argv + 2);
  perror(argv[2]);
  return NO_PROGRAM;
}
