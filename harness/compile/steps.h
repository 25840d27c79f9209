// What sl-steps is made of: the commands of nvcc's plan (plan.c) and how one of them is run (steps.c), and
// what it prepares of the headers that all kernels include (headers.c, text.c, left_out.c).
#pragma once

#include "base/base.h"

enum { HOST_TEXT, HOST_FRONT, DEVICE_TEXT, DEVICE, PACK, HOST, LINK, N_STEPS };
enum { MAX_TEXT = 64 << 20, NO_PROGRAM = 126 };

typedef struct steps {
  const char *headers; // the folder of what is prepared; NULL: there is none
  bool preparing;
  char *command[N_STEPS];
  unsigned n;
} steps;

typedef struct ended {
  int code;
  double seconds, cpu;
} ended;

// plan.c: what nvcc answers to the call with --dryrun; malloc'ed. NULL: nothing, or that it failed.
char *sl__plan(const steps *s, char *const *words, size_t n);
char *sl__replaced(const char *text, const char *from, const char *to); // with all [from] replaced; malloc'ed

// steps.c: the text with the first [from] replaced by [to]; malloc'ed. NULL: there is no [from].
char *sl__with(const char *text, const char *from, const char *to);
// Runs a command to its end, with its messages in the file [log]; NULL: on this program's own output.
// [image]: the descriptor that resume.c takes up or fills; -1: none.
ended sl__run_step(unsigned kind, const char *command, const char *log, int image);

// headers.c
extern const char *const sl__side_names[N_STEPS]; // "front" or "device"; NULL for the others
// Where the text of the headers ends: at the second line that names the kernel's source. NULL: nowhere.
const char *sl__end_of_headers(const char *text);
int sl__prepare_headers(const steps *s); // fills the current folder; an exit code
void sl__spare_headers(steps *s);        // makes the host compiler use them, if they are those of the kernel
// Runs the step from behind the headers on. False: run it from the start; [e] says how it ended, if tried.
bool sl__resume(const steps *s, unsigned kind, const char *log, ended *e);

// Runs the step from the start, with the whole text of the headers.
ended sl__run_whole(const steps *s, unsigned kind, const char *log);

// left_out.c
// The text without what the compilers are spared. *[names]: declared there alone. Both malloc'ed.
char *sl__leave_out(const char *text, char **names);
bool sl__has_one_of(const char *text, const char *names);

// text.c
// Fills the current folder. [text]: what the step makes of the headers.
void sl__prepare_text(const steps *s, unsigned kind, const char *text);
// Preprocesses the kernel without reading the headers. False: the step has to be run from the start.
bool sl__preprocess_below(const steps *s, unsigned kind, ended *e);
