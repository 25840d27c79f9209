// Runs nvcc once, or its steps (steps.c), in its sandbox and says what its end means. Interface: compiler.h;
// sl_first_error (build.h). A compiler obeys the student's source: it opens the files that the source
// includes and works as long as templates go on. So it runs in sl-jail. It can open the toolkit, the
// system's compiler and the course's headers, write only to the folder of this build, and has limits of
// time, memory, file size and output.
#include "compile/build.h"
#include "compile/compiler.h"
#include "jail/sandbox.h"

#include <fnmatch.h>
#include <pthread.h>
#include <regex.h>

// A source may cost processor time, of one process and of all together. How long that takes is the machine's
// affair, so the clock is a last resort; but no source waits for anything.
enum { CPU_SECONDS = 60, ALL_CPU_SECONDS = 90, WALL_TIMES = 20, IDLE_SECONDS = 20 };
enum { MEMORY_MIB = 4096, JAIL_FAILED = 126 };
enum { MOST_SAID = 32 << 20 };       // bytes of messages in which the first error is looked for
enum { GROUP_MIB = 2 * MEMORY_MIB }; // for the compiler's programs together: two of them are large

// Removes variables that would lead the compiler away from this source and these flags.
static void clean_environment(void) {
  static const char *const names[] = {
      "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CPATH",         "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
      "LIBRARY_PATH",       "GCC_EXEC_PREFIX",   "COMPILER_PATH", "LD_PRELOAD",     "LD_AUDIT"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) unsetenv(names[k]);
}

// What went wrong -------------------------------------------------------------------------------------------

// Words of nvcc and its tools that mean that a limit was reached.
static const struct {
  const char *sign, *means;
} limits[] = {
    {SL_SLOW_TEXT,
     "its #include lines and macros take more than 10 s: does one name a file that is no text?"},
    {"signal 24", "it needs more than 60 s of CPU time to compile"},
    {"(Killed)", "it needs more time or memory to compile than there is"},
    {"signal 9", "it needs more than 60 s of CPU time to compile"},
    {"Killed signal terminated", "it needs more than 60 s of CPU time to compile"},
    {"CPU time limit exceeded", "it needs more than 60 s of CPU time to compile"},
    {"signal 25", "it makes a file of more than 64 MiB: is there a large array with initial values?"},
    {"File size limit exceeded",
     "it makes a file of more than 64 MiB: is there a large array with initial values?"},
    {"File too large", "it makes a file of more than 64 MiB: is there a large array with initial values?"},
    {"file truncated", "it makes a file of more than 64 MiB: is there a large array with initial values?"},
    {"relocation truncated to fit", "its static arrays take more than 2 GiB"},
    {"relocation overflows", "its static arrays take more than 2 GiB"},
    {"out of memory", "it needs more than 4 GiB of memory to compile"},
    {"memory exhausted", "it needs more than 4 GiB of memory to compile"},
    {"bad_alloc", "it needs more than 4 GiB of memory to compile"},
    {"Cannot allocate memory", "it needs more than 4 GiB of memory to compile"},
};

static const char *limit_of(const char *log) {
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
    if (strstr(log, limits[k].sign)) return limits[k].means;
  return NULL;
}

// Does this line tell an error: "k.cu(3): error: ..", "k.cu:3: fatal error: ..", "ptxas fatal   : ..": the
// word and its colon, not a name that holds the word? What the compiler repeats of the source is indented.
static bool tells_error(const regex_t *re, const char *line, size_t len) {
  regmatch_t at[3] = {{.rm_eo = (regoff_t)len}};
  if (line[0] == ' ' || line[0] == '\t' || regexec(re, line, 3, at, REG_STARTEND) != 0) return false;
  const char *warning = memmem(line, len, "warning", 7);
  return !warning || warning > line + at[2].rm_so;
}

// The line of the first error; NULL: none tells one.
static const char *error_in(const char *log) {
  static const char word[] = "(^|[^[:alnum:]_])(error|fatal)( *| #[0-9A-Z-]+):([^:]|$)";
  regex_t re;
  if (regcomp(&re, word, REG_EXTENDED)) return NULL;
  const char *line = log;
  for (size_t len; *line; line += len + (line[len] != 0)) {
    len = strcspn(line, "\n");
    if (tells_error(&re, line, len)) break;
  }
  regfree(&re);
  return *line ? line : strcasestr(log, "error");
}

// What the linker says of a name has no word "error": its last line, "ld returned 1 exit status", is vague.
static const struct {
  const char *sign, *before, *after;
} linker_says[] = {
    {"undefined reference to `", "there is no definition of ", ""},
    {"multiple definition of `", "", " has a definition in the course already: it needs another name"},
};
enum { LINKER_SAYS = sizeof linker_says / sizeof *linker_says };

static char *linker_error(const char *log) {
  for (size_t k = 0; k < LINKER_SAYS; k++) {
    const char *at = strstr(log, linker_says[k].sign);
    if (!at) continue;
    at += strlen(linker_says[k].sign);
    return sl_path("%s%.*s%s", linker_says[k].before, (int)strcspn(at, "'\n"), at, linker_says[k].after);
  }
  return NULL;
}

// The beginning of the line that holds [at].
static const char *line_of(const char *log, const char *at) {
  while (at > log && at[-1] != '\n') at--;
  return at;
}

// The line that tells of the first error; NULL: none does.
static const char *first_line(const char *log) {
  const char *at = NULL;
  for (size_t k = 0; !at && k < LINKER_SAYS; k++) at = strstr(log, linker_says[k].sign);
  if (!at) at = error_in(log);
  return at ? line_of(log, at) : NULL;
}

char *sl_first_error(const char *log) {
  char *said = linker_error(log);
  const char *line = said ? NULL : first_line(log);
  return line ? sl_path("%.*s", (int)strcspn(line, "\n"), line) : said;
}

// "kernel.cu(3): ..", "kernel.cu:3:5: ..": then no limit was reached, whatever words the source has.
static bool is_of_a_line(const char *error) {
  const size_t name = error ? strcspn(error, "(:") : 0;
  return name && error[name] && error[name + 1] >= '0' && error[name + 1] <= '9';
}

// Is the disk full? When the compiler says so, its temporary files are gone by now, so some room is left.
static bool disk_is_full(const char *folder, const char *log) {
  return sl_disk_left(folder) < (strstr(log, "No space left on device") ? 64 << 20 : 1 << 20);
}

static bool fail_machine(const sl_compile *c, const sl_exit_status *s, const char *log, sl_error *e) {
  char clean[512];
  // nvcc's shells end with 126, too: the name at the head of the message tells whose it is.
  if (s->code == JAIL_FAILED && strstr(log, "sl-jail:"))
    return sl_fail(e, SL_EXIT_INFRA, "SCANLAB_SANDBOX=off shows whether the sandbox is the cause",
                   "the compiler's sandbox could not be set up: %s", sl_printable(log, clean, sizeof clean));
  if (s->signal) return sl_fail(e, SL_EXIT_INFRA, NULL, "%s was ended by signal %d", c->nvcc, s->signal);
  SL_FREED char *line = sl_path("%.*s", (int)strcspn(log, "\n"), log);
  return sl_fail(e, SL_EXIT_INFRA, "./scanlab doctor tries the compiler",
                 "%s ended with code %d and named no error: %s", c->nvcc, s->code,
                 *line ? sl_printable(line, clean, sizeof clean) : "it said nothing");
}

// What to know of an error about a function that only later GPUs have. NULL: it is about something else.
static const char *later_gpu(const char *error) {
  static const char *const later[] = {"\"__reduce_*_sync\" is undefined", "no member \"this_cluster\""};
  for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
    SL_FREED char *pattern = sl_path("*%s*", later[i]);
    if (fnmatch(pattern, error, 0) == 0)
      return "kernels are compiled for compute capability 7.5 (compute_75), and this function needs a later "
             "one";
  }
  return NULL;
}

bool sl__fail_source(const char *kernel, const char *fault, sl_error *e) {
  char clean[1024];
  return sl_fail(e, SL_EXIT_INPUT, later_gpu(fault), "%s" SL_NOT_COMPILED "%s", kernel,
                 sl_printable(fault, clean, sizeof clean));
}

// It ended for a limit: by the clock alone, as on a busy machine; else the source is at fault.
static bool explain_end(const sl_compile *c, const sl_exit_status *s, const sl_limits *most, sl_error *e) {
  if (s->timed_out)
    return sl_fail(e, SL_EXIT_INFRA, "grade it again when the machine has less to do, or with a smaller -j",
                   "%s: the compiler had %.1f s of processor time in %g s: the machine is too busy",
                   c->kernel, s->cpu, most->wall);
  if (s->busy)
    return sl_fail(e, SL_EXIT_INPUT, NULL,
                   "%s does not compile: it needs more than %g s of processor time to compile", c->kernel,
                   most->busy);
  return sl_fail(e, SL_EXIT_INPUT, "include regular files: a pipe or a device may never end",
                 "%s does not compile: it makes the compiler wait, more than %g s without any work",
                 c->kernel, most->idle);
}

static bool explain(const sl_compile *c, const sl_exit_status *s, const sl_limits *most, const char *log,
                    char **fault, sl_error *e) {
  if (s->timed_out || s->busy || s->idle) return explain_end(c, s, most, e);
  if (s->code == 0) return true;
  if (disk_is_full(c->folder, log))
    return sl_fail(e, SL_EXIT_INFRA, "free some space", "%s: the disk is full", c->folder);
  SL_FREED char *line = sl_first_error(log);
  const char *limit = limit_of(is_of_a_line(line) ? line : log);
  if (limit) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s" SL_NOT_COMPILED "%s", c->kernel, limit);
  if (s->signal || s->code == 126 || s->code == 127) return fail_machine(c, s, log, e);
  if (!line && strlen(log) < MOST_SAID)
    return fail_machine(c, s, log, e); // of a wrong source it names an error
  sl__fail_source(c->kernel, line ? line : "the compiler says why", e);
  *fault = line, line = NULL;
  return false;
}

// The GPU's kind -------------------------------------------------------------------------------------------

int sl__native_arch(const char *nvcc) {
  const char *slash = strrchr(nvcc, '/');
  SL_FREED char *query = sl_path("%.*s__nvcc_device_query", slash ? (int)(slash + 1 - nvcc) : 0, nvcc),
                *out = NULL;
  sl_error ignored = {0};
  sl_exit_status s = sl_run(SL_ARGV(query), NULL, 30, 256, &out, &ignored);
  int64_t arch = 0;
  if (out) out[strcspn(out, ",\n")] = '\0';
  if (s.code != 0 || !out || !sl_parse_int(out, 50, 999, &arch)) arch = 0;
  return (int)arch;
}

// Running ---------------------------------------------------------------------------------------------------

// A program with AddressSanitizer reserves more addresses than a compiler may. Then nvcc does all steps.
#ifdef __SANITIZE_ADDRESS__
enum { BY_STEPS = 0 };
#else
enum { BY_STEPS = 1 };
#endif

static void make_command(const sl_compile *c, const char *folder, const sl_group *group,
                         sl_command *command) {
  SL_FREED char *steps = sl_tool_path("sl-steps"), *resume = sl_tool_path("sl-resume.so"),
                *headers = realpath(c->headers, NULL), *nvcc = realpath(c->nvcc, NULL);
  sl_command_begin(command);
  sl_command_add(command, strcmp(c->headers, "--prepare") ? "build" : "prepare");
  sl_command_add(command, "%s", folder);
  sl_command_add(command, "%d", CPU_SECONDS);
  sl_command_add(command, "%d", MEMORY_MIB);
  sl_command_off(command);
  if (sl_sandbox_find() != SL_SANDBOX_NONE) {
    sl_sandbox_compiler(command, c->nvcc, c->object, folder);
    sl_command_add(command, "x%s", steps);
    sl_command_add(command, "x%s", resume);
    if (headers) sl_command_add(command, "r%s", headers);
    // the list of the memory to store; the source is the course's own
    if (!strcmp(c->headers, "--prepare")) sl_command_add(command, "r/proc");
  }
  sl_command_add(command, "--");
  if (BY_STEPS) sl_command_words(command, SL_WORDS(steps, headers ? headers : c->headers));
  sl_command_add(command, "%s", nvcc ? nvcc : c->nvcc);
  if (sl_nvcc_host()) // not by the environment, which bubblewrap empties
    sl_command_words(command, SL_WORDS("-ccbin", sl_nvcc_host()));
  sl_command_words(command, (const char *const *)c->argv);
  sl_sandbox_wrap(command, NULL);
  sl_group_wrap(command, group);
}

// The length of [text], or of as many whole lines as [most] bytes hold.
static int whole_lines(const char *text, size_t most) {
  const size_t len = strnlen(text, most);
  const char *last = text[len] ? memrchr(text, '\n', len) : NULL;
  return (int)(last ? (size_t)(last + 1 - text) : len);
}

// Leaves of a long log its beginning, and the first error with what follows.
static void shorten(char **log) {
  enum { KEPT = SL_MAX_LOG - 1024 };
  if (strlen(*log) < SL_MAX_LOG) return;
  const char *error = first_line(*log);
  if (!error || error - *log < KEPT / 2) error = "";
  const int rest = whole_lines(error, KEPT / 2), head = whole_lines(*log, (size_t)(KEPT - rest));
  char *kept = sl_path("%.*s\n(the compiler said more, which is left out)\n%.*s", head, *log, rest, error);
  free(*log);
  *log = kept;
}

bool sl__compile(const sl_compile *c, char **log, char **fault, sl_error *e) {
  static pthread_once_t cleaned = PTHREAD_ONCE_INIT;
  const double seconds = c->seconds > 0 ? c->seconds : ALL_CPU_SECONDS;
  const sl_limits most = {
      .wall = WALL_TIMES * seconds, .busy = seconds, .idle = seconds < IDLE_SECONDS ? seconds : IDLE_SECONDS};
  char folder[PATH_MAX];
  sl_error why = {0};
  sl_command command;
  sl_group group;
  *fault = NULL;
  pthread_once(&cleaned, clean_environment);
  if (!sl_sandbox_check(e)) return false;
  if (!realpath(c->folder, folder)) return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: not there", c->folder);
  sl_group_open(&group, GROUP_MIB);
  make_command(c, folder, &group, &command);
  const sl_exit_status s = sl_run_within(command.argv, "/", &most, MOST_SAID, log, &why);
  sl_command_end(&command);
  bool greedy = sl_group_exceeded(&group), ok;
  sl_group_close(&group);
  if (why.code) ok = sl_fail(e, SL_EXIT_INFRA, why.hint, "%s", why.text);
  else if (greedy)
    ok =
        sl_fail(e, SL_EXIT_INPUT, NULL, "%s does not compile: it needs more than %d GiB of memory to compile",
                c->kernel, GROUP_MIB >> 10);
  else sl__name_assembler(c, log), ok = explain(c, &s, &most, *log, fault, e);
  shorten(log);
  return ok;
}
