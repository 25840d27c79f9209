// The sandbox of a student's program and of a compiler: which one this machine has, and the command lines
// that start something in it. sl-jail does the work (jail.h). Environment: SCANLAB_SANDBOX=off allows
// everything, to find out whether the sandbox causes a failure; =landlock and =bubblewrap choose one.
// SCANLAB_TOOLCHAIN=DIR:DIR.. names folders of a host compiler outside the system's; SCANLAB_GPU_NEEDS=WORDS
// names what a real GPU's driver needs on this machine, of: processes, sockets, shared (/dev/shm).
#pragma once

#include "base/base.h"

// What keeps the files of this machine from the program.
typedef enum sl_sandbox { SL_SANDBOX_NONE, SL_SANDBOX_LANDLOCK, SL_SANDBOX_BUBBLEWRAP } sl_sandbox;
// 1: no program of a student and no compiler starts without a sandbox. The grader sets it.
#define SL_REQUIRE_SANDBOX_ENV "SCANLAB_REQUIRE_SANDBOX"
#define SL_GPU_NEEDS_ENV "SCANLAB_GPU_NEEDS"
extern const char *const sl_gpu_needs[]; // its words, ended by NULL

bool sl_sandbox_is_off(void); // by SCANLAB_SANDBOX
sl_sandbox sl_sandbox_find(void);
// As in records. [apart]: with namespaces, which sl-jail enters where it can. "+cgroup": sl_group_works.
const char *sl_sandbox_name(sl_sandbox s, bool apart);
bool sl_sandbox_apart(void);           // would sl-jail get namespaces here?
const char *sl_sandbox_why_none(void); // why sl_sandbox_find says none, in words
// False with [e] if a sandbox is required and there is none (SL_EXIT_INFRA), or if SCANLAB_SANDBOX or
// SCANLAB_GPU_NEEDS has a word that means nothing (SL_EXIT_USAGE).
bool sl_sandbox_check(sl_error *e);
// Says on stderr that the user's own file runs without one, if so.
void sl_sandbox_note(const char *program);

// A command line that grows: argv[0] is sl-jail.
enum { SL_COMMAND_MAX = 512 };
typedef struct sl_command {
  char *argv[SL_COMMAND_MAX + 1];
  int n;
} sl_command;
void sl_command_begin(sl_command *c);
void sl_command_add(sl_command *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sl_command_words(sl_command *c, const char *const *words); // ended by NULL, as SL_WORDS makes them
#define SL_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
void sl_command_off(sl_command *c); // with SCANLAB_SANDBOX=off, what that allows
void sl_command_end(sl_command *c);

// Adds what a real GPU's driver needs besides files: SCANLAB_GPU_NEEDS.
void sl_sandbox_gpu_needs(sl_command *c);
// Adds the rules for a student's program [runner] with environment [env].
void sl_sandbox_program(sl_command *c, const char *runner, char *const env[], bool gpu);
// Adds the rules for [nvcc]; it reads [object] and writes to [folder].
void sl_sandbox_compiler(sl_command *c, const char *nvcc, const char *object, const char *folder);

// A control group for a program and all that it starts, with limits for them together; group.c. Nothing where
// this machine has delegated none to the user.
typedef struct sl_group {
  char *path; // NULL: none
  int slot;
} sl_group;
bool sl_group_works(void);
void sl_group_open(sl_group *g, int mib);
void sl_group_wrap(sl_command *c, const sl_group *g); // behind sl_sandbox_wrap
bool sl_group_exceeded(const sl_group *g);            // was it ended because it took too much memory?
void sl_group_close(sl_group *g);                     // ends what is left in it

// The last step but sl_group_wrap: puts bubblewrap before a whole command, if that is the sandbox, and makes
// its rules mounts. [env]: the program's, or NULL.
void sl_sandbox_wrap(sl_command *c, char *const env[]);
