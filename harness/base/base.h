// What all programs of the project share: errors with a reason and a hint, command lines that suggest the
// nearest match, files written whole or not at all, child processes that leave nothing behind.
//
// Internal header: functions grouped by the file that defines them, in reading order. It brings the headers
// of the C library that many files need; what includes it, by whatever way, does not name them again.
#pragma once

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include "scanlab/exit.h"

// error.c ---------------------------------------------------------------------------------------------------

// One error: what went wrong, and what to do about it. `code` is an enum sl_exit (0: no error).
typedef struct sl_error {
  int code;
  char text[1536];
  char hint[512];
  char file[320]; // the source line that it is about; "": not known
  uint32_t line;
} sl_error;

// Fills [e] (if not NULL and empty: the first error wins) and returns false, so that callers can `return`.
bool sl_fail(sl_error *e, int code, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

// Says which source line the next sl_fail is about, if [e] is empty.
void sl_error_at(sl_error *e, const char *file, uint32_t line);

// The text, with " (from FILE:LINE)" if the source line is known. Returns [out].
char *sl_error_text(const sl_error *e, char *out, size_t cap);

// Prints "TOOL: error: text" and, if there is a hint, " hint: ..." to stderr. It escapes control characters.
void sl_error_print(const char *tool, const sl_error *e);

// Copies [s] to [out] and returns [out]. Control characters, newlines, invalid UTF-8 and characters that turn
// or hide text (U+202E ..) are escaped as \xNN.
char *sl_printable(const char *s, char *out, size_t cap);

// Memory ----------------------------------------------------------------------------------------------------

static inline void sl__free_at(void *at) { free(*(void **)at); }
// "SL_FREED char *path = ..;": free(path) at the end of the block, by whatever way it is left.
#define SL_FREED __attribute__((cleanup(sl__free_at)))

static inline void sl__close_file(FILE **f) {
  if (*f) fclose(*f);
}
static inline void sl__close_list(DIR **d) {
  if (*d) closedir(*d);
}
// The same for "SL_CLOSED FILE *f = fopen(..);" and "SL_LISTED DIR *d = opendir(..);", NULL or not.
#define SL_CLOSED __attribute__((cleanup(sl__close_file)))
#define SL_LISTED __attribute__((cleanup(sl__close_list)))

// Returns [at], what malloc, strdup, open_memstream .. have returned; aborts if there was no memory for it.
static inline void *sl_must(void *at) {
  if (!at) abort();
  return at;
}

// A stream that makes a text: *text is malloc'ed, and whole when the stream is closed.
static inline FILE *sl_text_stream(char **text) {
  static _Thread_local size_t unread;
  return sl_must(open_memstream(text, &unread));
}

static inline bool sl__room_at(void *at, size_t n, size_t size) {
  void *array;
  if (n & (n - 1)) return true;
  memcpy(&array, at, sizeof array);
  array = realloc(array, (n ? 2 * n : 1) * size);
  if (array) memcpy(at, &array, sizeof array);
  return array != NULL;
}
// Room for one element more than the [n] of [array], a pointer that is NULL at first: it doubles where n is a
// power of two. False: no memory, and the array stays as it is.
#define SL_ROOM(array, n) sl__room_at(&(array), n, sizeof *(array))
// The same; the program is aborted if there is no memory.
#define SL_GROW(array, n) (SL_ROOM(array, n) ? (void)0 : abort())

// arena.c ---------------------------------------------------------------------------------------------------

// Memory that is freed as a whole. NULL when memory is short.
typedef struct sl_arena sl_arena;
sl_arena *sl_arena_new(void);
void *sl_arena_get(sl_arena *a, size_t n); // zeroed, aligned for anything
size_t sl_arena_bytes(const sl_arena *a);
void sl_arena_free(sl_arena *a);

// cli.c -----------------------------------------------------------------------------------------------------

typedef struct sl_strings {
  const char **at;
  size_t n;
} sl_strings;

// One option of a command line; tables are written with the macros below: the compiler checks what each sets.
typedef struct sl_opt {
  enum { SL_KIND_FLAG, SL_KIND_TEXT, SL_KIND_MAYBE, SL_KIND_LIST, SL_KIND_NUMBER } kind;
  const char *name; // "--seed"; NULL ends a table
  const char *arg;  // name of the argument in the help, NULL for a flag
  const char *help; // one line
  union {
    bool *flag;
    const char **text;
    sl_strings *list;
    int64_t *number;
  } to;
  int64_t min, max; // the bounds of a number
} sl_opt;

// Sets *var to true.
#define SL_OPT_FLAG(name, var, help)                                                                         \
  { SL_KIND_FLAG, name, NULL, help, {.flag = (var)}, 0, 0 }
#define SL_OPT_TEXT(name, var, arg, help)                                                                    \
  { SL_KIND_TEXT, name, arg, help, {.text = (var)}, 0, 0 }
// A text that may be left out, "" then: only "--opt=TEXT" gives one.
#define SL_OPT_MAYBE(name, var, arg, help)                                                                   \
  { SL_KIND_MAYBE, name, arg, help, {.text = (var)}, 0, 0 }
// May be given several times: appends to *var.
#define SL_OPT_LIST(name, var, arg, help)                                                                    \
  { SL_KIND_LIST, name, arg, help, {.list = (var)}, 0, 0 }
#define SL_OPT_NUMBER(name, var, arg, min, max, help)                                                        \
  { SL_KIND_NUMBER, name, arg, help, {.number = (var)}, min, max }
#define SL_OPT_END                                                                                           \
  { .name = NULL }

// A command line: purpose, one example, options (NULL: none). `operands` is the usage text of the rest (NULL:
// none), and says how many there may be: "LAB A.cu B.cu|LAB LAB", "[[FROM] TO]", "-- PROGRAM [ARGUMENT...]".
typedef struct sl_cli {
  const char *tool, *purpose, *example, *operands;
  const sl_opt *opts;
} sl_cli;

// Parses [argv] (options anywhere; "--opt V" and "--opt=V"; "--" ends them). Operands are moved to the
// front of argv[1..] and counted in *[n_operands]. `--help` prints the help to stdout and exits 0; misuse
// prints one error with the nearest match to stderr and exits 2. It also sees to it that the program ends
// with SL_EXIT_INFRA and an error if not all of stdout could be written.
void sl_cli_parse(const sl_cli *cli, int argc, char **argv, int *n_operands);

// Reads a whole decimal (or 2^k, or with suffix k/M/G of 1024) integer from [s]. False on anything else.
bool sl_parse_int(const char *s, int64_t min, int64_t max, int64_t *out);
// The same of the environment variable [name], if it is set and not empty; else *[out] stays as it is.
bool sl_env_int(const char *name, int64_t min, int64_t max, int64_t *out, sl_error *e);
// Reads a number as people write points: a sign or none, digits with at most one point among them. False on
// anything else that strtod takes: blanks, 0x10, 1e3, inf, nan.
bool sl_parse_decimal(const char *s, double *out);

// The entry of [names] (ended by NULL) nearest to [s] by edit distance, NULL when none is near.
const char *sl_nearest(const char *s, const char *const *names);
// What stands behind a noun of which there are [n]: "s", or "" for 1.
static inline const char *sl_plural(uint64_t n) { return n == 1 ? "" : "s"; }
// The [n] lowest bits; all, from 64 on.
static inline uint64_t sl_low_bits(unsigned n) { return n > 63 ? ~0ull : (1ull << n) - 1; }

// Prints words in lines of at most [columns] characters, and none wider than the terminal. The first line has
// [column] characters already, the others begin with [indent] blanks, or with few where that leaves no room.
enum { SL_COLUMNS = 80 };
void sl_print_words(FILE *f, const char *text, int column, int indent, int columns);

// Turns [argv], ended by NULL, into one line that a shell reads as the same words. Options in [leave] (NULL:
// none) that stand before a "--" are left out: "--json", or "--report=" for one with an argument. malloc'ed.
char *sl_shell_line(char *const *argv, const char *const *leave);

// text.c ----------------------------------------------------------------------------------------------------

// Appends to the text in [out], with [between] before it unless that is still empty; what has no room is cut.
void sl_append(char *out, size_t cap, const char *between, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
bool sl_in_word(char c); // a letter, a digit or _
// Does the text begin with the mark of UTF-16, little or big end first?
bool sl_is_utf16(const char *text, size_t len);
// The line behind the one that [text] points to; at the end of the text its NUL.
static inline const char *sl_next_line(const char *text) {
  text += strcspn(text, "\n");
  return text + (*text == '\n');
}
// Line [number] of [text], from 1; its end where there is none.
const char *sl_line_at(const char *text, uint32_t number);
size_t sl_comment_length(const char *s); // the comment that [s] begins with, 0: none
size_t sl_quoted_length(const char *s);  // the string or character that [s] begins with
char *sl_blank_comments(char *text);     // makes blanks of them; lines stay. Returns [text]

// terminal.c ------------------------------------------------------------------------------------------------

// The width of its terminal ($COLUMNS if set), at most [most]. Without one [most], or what a program says in
// this variable that shows the text at a terminal of its own.
#define SL_COLUMNS_OF_PARENT "SCANLAB_COLUMNS"
int sl_columns(int fd, int most);
bool sl_is_terminal(FILE *f);
// From now on no line of stdout and stderr is wider than the terminal: sl_cli_parse calls it.
void sl_fit_terminal(void);
// The next line of [f] is the heading of a table, which an empty line ends. In a terminal that is too narrow
// for it each row becomes a list, with the words of the heading before its cells.
void sl_heading(FILE *f);

// place.c ---------------------------------------------------------------------------------------------------

const char *sl_course_root(void); // labs, datasets, docs: $SCANLAB_ROOT, else the tree of this program
// For what commands write: $SCANLAB_BUILD, else the build folder or the user's cache.
const char *sl_work_folder(void);
const char *sl_kernel_cache(void);   // kernels that were built, for this program's tree
const char *sl_include_folder(void); // what a kernel.cu includes, of the tree of this program
const char *sl_nvcc(void);           // the compiler: $SCANLAB_NVCC, else the one of the build, else "nvcc"
const char *sl_nvcc_host(void); // the g++ that it calls: $NVCC_CCBIN, else of the build; NULL: the machine's
const char *sl_cuda_libraries(void); // folder of that toolkit's libcudart.so.13, "" where there is none
// The user's file of a lab, of $SCANLAB_LABS or of the course; malloc'ed.
char *sl_lab_kernel(const char *lab);
char *sl_tool_path(const char *name); // a program beside this one; malloc'ed
const char *sl_scanlab(void);   // how the user calls scanlab: "./scanlab"; where it is installed "scanlab"
char *sl_as_called(char *text); // writes every "./scanlab" in [text] like that; returns [text]

// file.c ----------------------------------------------------------------------------------------------------

// A whole regular file of at most [max] bytes, malloc'ed with a NUL after it; NULL with [e].
void *sl_read_file(const char *path, size_t max, size_t *len, sl_error *e);

// Removes [path] (a file, or a folder that is empty by then) if SIGINT, SIGTERM or SIGHUP ends the process.
// Whoever removes it earlier gives the slot back.
int sl_remove_on_signal(const char *path); // slot; -1: too many
void sl_keep_on_signal(int slot);

// A file that appears under its name whole or not at all: written to PATH.tmp.PID, fsync'ed and renamed by
// sl_commit; sl_abandon removes the temporary file. Also removed when the process ends by SIGINT or SIGTERM.
typedef struct sl_out sl_out;
sl_out *sl_open_atomic(const char *path, sl_error *e);
bool sl_write(sl_out *o, const void *data, size_t len, sl_error *e);
bool sl_printf(sl_out *o, sl_error *e, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool sl_commit(sl_out *o, sl_error *e);
void sl_abandon(sl_out *o);
// Commits [o], or abandons it and returns false where something is not [ok]. NULL: false.
bool sl_finish(sl_out *o, bool ok, sl_error *e);
bool sl_write_file(const char *path, const void *data, size_t len, sl_error *e); // opens, writes, commits
// The same for a file that may be lost or torn when the machine stops: it does not wait for the disk.
bool sl_write_passing(const char *path, const void *data, size_t len, sl_error *e);

bool sl_write_all(int fd, const void *data, size_t len); // false: errno says why
bool sl_mkdirs(const char *path, sl_error *e);           // like mkdir -p
int sl_write_fault(int err); // the exit code of what could not be written, by errno
bool sl_is_dir(const char *path);
bool sl_is_file(const char *path);
// malloc'ed, like asprintf; never NULL
char *sl_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
const char *sl_base_name(const char *path); // what follows the last slash; "" for NULL
char *sl_folder_of(const char *path);       // what stands before it; "." without one; malloc'ed
char *sl_exe_dir(void);                     // folder of the running program, malloc'ed

// process.c -------------------------------------------------------------------------------------------------

// How a child ended.
typedef struct sl_exit_status {
  bool timed_out;
  int code;   // exit code, -1 if a signal ended it
  int signal; // 0 if it exited
  double cpu; // ended for a limit by sl_run_within: seconds of processor time that all of them have had
  bool busy;  // they needed more processor time than they may
  bool idle;  // all of them waited, for longer than they may
} sl_exit_status;

// What a run may take, in seconds; 0: any. With [busy], the time that passes is a fault of the machine.
typedef struct sl_limits {
  double wall; // by the clock
  double busy; // processor time, of it and all that it started
  double idle; // while none of them computes, or waits for the processor or the disk
} sl_limits;

// A child process in its own process group. It is killed when its parent ends.
typedef struct sl_child {
  pid_t pid;
  int out;
} sl_child;

// Descriptors of a child: [in] for its stdin (-1: inherited, or /dev/null where its output is not), [out] for
// its stdout and stderr (-1: inherited; SL_CAPTURED: a pipe, whose read end is child->out).
typedef struct sl_stdio {
  int in, out;
} sl_stdio;
enum { SL_CAPTURED = -2 };
#define SL_STDIO_SAME ((sl_stdio){-1, -1})
#define SL_STDIO_CAPTURE ((sl_stdio){-1, SL_CAPTURED})

// A program to start. What is NULL is as the parent has it.
typedef struct sl_process {
  char *const *argv; // argv[0] is looked up in PATH
  char *const *env;
  const char *cwd;
  const int *keep; // -1-ended list of descriptors that stay open (NULL: only 0, 1, 2)
  sl_stdio io;
} sl_process;

bool sl_spawn(sl_child *c, const sl_process *p, sl_error *e);
bool sl_has_ended(pid_t pid); // a child; it stays to be reaped
// Waits at most [seconds] (<= 0: for ever) for the child's end, then kills what is left of its group.
sl_exit_status sl_wait(sl_child *c, double seconds);
// Kills the child's whole group and reaps it.
void sl_kill(sl_child *c);
// What the following run: SL_ARGV("rm", "-rf", "--", folder).
#define SL_ARGV(...) ((char *const *)(const char *const[]){__VA_ARGS__, NULL})
// Runs argv to its end and collects at most [cap] bytes of stdout+stderr in *[out] (malloc'ed, NUL-ended).
sl_exit_status sl_run(char *const argv[], const char *cwd, double seconds, size_t cap, char **out,
                      sl_error *e);
sl_exit_status sl_run_within(char *const argv[], const char *cwd, const sl_limits *most, size_t cap,
                             char **out, sl_error *e);
// As sl_run, but the [seconds] are of processor time, or of time in which all of them wait: a busy machine
// ends nothing early. By the clock it may take SL_CLOCK_TIMES as long.
enum { SL_CLOCK_TIMES = 8 };
sl_exit_status sl_run_by_work(char *const argv[], const char *cwd, double seconds, size_t cap, char **out,
                              sl_error *e);

// usage.c ---------------------------------------------------------------------------------------------------

double sl_clock(clockid_t clock); // seconds of CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, ..
double sl_now(void);              // those of CLOCK_MONOTONIC
struct rusage;
double sl_used_seconds(const struct rusage *used); // processor time, of programs and of the system for them
// Seconds for which its threads have run or were ready to run. -1: one waits for disk or memory, or unknown.
double sl_active_seconds(pid_t pid);
bool sl_waits(pid_t pid); // do all threads of the process wait, or are stopped?

// parallel.c ------------------------------------------------------------------------------------------------

// Calls run(context, from, to) on all cores for parts of 0..n, each at least [grain] long; waits for all.
void sl_parallel(size_t n, size_t grain, void (*run)(void *context, size_t from, size_t to), void *context);
unsigned sl_cores(void); // cores that this process may use, at least 1
// Keeps this thread, and the programs that it starts from now on, on the core it is on. For programs that
// take turns: to wake one on another core costs more than a short answer takes to make. The system starts a
// program on the core with the least to do.
void sl_stay(void);

// malloc for arrays. From a few MiB on it uses large pages, whose first touch costs a tenth. Freed by free.
void *sl_alloc_array(size_t bytes);

// memory.c --------------------------------------------------------------------------------------------------

uint64_t sl_memory_available(void); // bytes that this machine, or this process's cgroup, can still give
// Half of that, from 256 MiB to 8 GiB: what code of others may take, so that all beside it keep enough.
uint64_t sl_memory_share(void);
// How many programs the system has killed for lack of memory since it started; 0: it does not say.
uint64_t sl_oom_kills(void);
// Bytes that [folder]'s file system has left for this user; UINT64_MAX: unknown (gVisor's has 2^63).
uint64_t sl_disk_left(const char *folder);
// Compilers or judges to run at once: as many as there are cores for (a cgroup's quota counts), and memory.
unsigned sl_jobs(void);
