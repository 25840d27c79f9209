// Inside sl-sim: looking at a program before it runs, running it, telling about findings.
#pragma once

#include "gpu/start/control.h"
#include "gpu/start/schedule.h"
#include "ptx/ir.h"

#include <pthread.h>

// program.c: What the file is. Nothing is run.
typedef struct sl_program {
  char *path;        // as execve gets it; malloc'ed
  bool has_kernels;  // holds device code (.nv_fatbin or __nv_relfatbin)
  bool needs_cudart; // the loader looks for a libcudart.so for it
  bool needs_ours;   // ours is the version that it needs
  bool needs_driver; // libcuda.so: driver calls
} sl_program;
// Finds [name] as a shell would and reads it. False with [e] set if it cannot run at all.
bool sl__program_find(const char *name, sl_program *p, sl_error *e);
// Can its kernels run on a simulated GPU of compute capability [sm] (75: 7.5)? Says how to rebuild it if not.
bool sl__program_check(const sl_program *p, unsigned sm, sl_error *e);
// Calls [each] for every PTX text of the program that a device of capability [sm] can run. False with [e]:
// there is none, or [each] has set [e].
bool sl__program_ptx(const sl_program *p, unsigned sm, bool (*each)(void *ctx, const sl_fatbin_ptx *ptx),
                     void *ctx, sl_error *e);
void sl__program_free(sl_program *p);

// disassemble.c: --disassemble: the kernels whose names have [kernel] in them, to stdout.
bool sl__disassemble(const sl_program *p, unsigned sm, const char *kernel, sl_error *e);

// run.c: Runs the program with [lib_dir] first in the library path and SCANLAB_GPU=[socket] (NULL: neither is
// set). Returns the exit code to pass on. Signals that stop sl-sim are held back when it returns.
typedef struct sl_run {
  char **argv;
  const char *lib_dir, *socket;
  sl_control *control;
  sl_stdio io;
} sl_run_args;
int sl__run_program(const sl_run_args *r, sl_error *e);
void sl__hold_signals(bool hold);
bool sl__stopped(void);                      // has a signal come? Then nothing more is begun
void sl__stop_with_us(pid_t group, bool on); // ends [group], too, when a signal comes

// input.c: The program's standard input when it runs several times.
typedef struct sl_kept_input {
  int was, copy, to; // the input itself; what was read of it; where the first run reads
  char path[160];    // the copy, which every other run reads; "": none
  pthread_t thread;  // hands on what comes through a pipe
  bool forwards;
} sl_kept_input;
// Puts this process between stdin and the first run. The copy lies in [dir]. False with [e]: it failed.
bool sl__input_begin(sl_kept_input *in, const char *dir, sl_error *e);
// After the first run: stdin is as before, and the copy is whole.
void sl__input_end(sl_kept_input *in);
// Another run's stdin: descriptor to read the copy at [path] from its start, -1 for "".
int sl__input_open(const char *path);

// print.c: Findings as a compiler would print them, and how many. Counters, a line for each launch.
// The command that runs [program] again with these options. words: "scanlab sim --check-repeat".
void sl__replay(const char *words, const sl_gpu_options *o, char *const *program, char *out, size_t cap);
void sl__print_findings(const sl_finding *f, size_t n, const sl_telling *t);
void sl__print_counters(const sl_launch_record *at, size_t n);

// schedules.c: --schedules. The first run is done; false: another did not start. Differences become findings.
enum { SL_FIX_ORDER = 1, SL_FIX_WARPS = 2, SL_FIX_VISIBILITY = 4, SL_FIX_RESIDENT = 8, SL_FIX_LANES = 16 };
typedef struct sl_schedules {
  char **program; // and its arguments
  sl_control *control;
  const char *digest;          // digest of the first run, as --digest writes it
  const char *checks;          // as --checks takes them
  const char *input;           // path of what it could read; "": nothing
  const sl_gpu_options *first; // its options; with its file of copies
  uint32_t fixed;              // settings that all runs share with the first
  int64_t timeout;
} sl_schedules;
// Adds those of [f] that the control's device has not found: they need this schedule, which [replay] names.
bool sl__add_new_findings(sl_control *c, sl_finding *f, size_t n, const char *replay, sl_error *e);
bool sl__run_schedules(const sl_schedules *a, int64_t count, sl_error *e);

// order.c: --check-order, after the first run. What is wrong becomes a finding; false: no run could start.
bool sl__check_order(const sl_schedules *a, sl_error *e);

// copies.c: Where two files of copies differ first: "copy 2, of 4096 bytes, differs first at byte 128 (.. )";
// "" where they do not.
char *sl__copies_differ(const char *a, const char *b, char *out, size_t cap);

// realgpu.c: Folder of the toolkit's libcudart (NULL: the loader's own choice), if it sees a GPU.
bool sl__real_gpu(const char **lib_dir, sl_error *e);
