// The student's process: the judge starts it in its jail, asks it over one socket, stops it at its deadline.
#pragma once

#include "jail/sandbox.h"
#include "judge/device.h"
#include "runner/case_protocol.h"

enum {
  SL_STUDENT_TEXT = 64 << 10,   // most bytes kept of the program's output
  SL_STUDENT_THREADS = 512,     // a program with more threads is ended
  SL_STUDENT_IDLE = 5,          // and one that waits for more seconds, while no kernel runs
  SL_STUDENT_LOOK_MS = 200,     // how often it is looked at
  SL_STUDENT_FIRST_LOOK_MS = 20 // and when for the first time in a case
};

typedef struct sl_student {
  sl_child child;
  int socket, pidfd;
  pid_t program;    // the process that runs the kernel's file: the child, or one that it has started
  double deadline;  // sl_now() at which the program is stopped
  double seconds;   // that it was given, and
  double used_from; // what it had used when it was
  double cpu_most;  // seconds that it may compute itself in a case. 0: no limit
  double cpu_from;  // seconds that it had computed when the case began
  pid_t device;     // the simulated GPU; 0: none
  double idle_most; // seconds that both may do nothing in a case
  double idle;      // that they have
  double waited;    // seconds that the judge has waited for it since that was looked at
  double done;      // what both had done then, in seconds; -1: nobody can tell
  bool seen;        // that was looked at since it was given time
  char *text;       // what it printed so far, NUL-ended
  size_t text_len, text_dropped;
  uint64_t oom_kills; // when it started
  sl_group group;
  int most_mib; // memory that it may use
  bool watched; // its memory is looked at: it has no limit of addresses
  bool crowded; // it was ended because it had too many threads
  bool greedy;  // or because it used too much memory
  bool busy;    // or because it computed itself for too long
  bool lazy;    // or because it waited for too long, while no kernel ran
  bool apart;   // it is in namespaces of its own
} sl_student;

// How a request ended.
typedef enum sl_answer {
  SL_ANSWERED,
  SL_LATE,    // the deadline passed
  SL_ENDED,   // the program ended
  SL_GARBAGE, // the socket brought something else than the answer
} sl_answer;

// runner.c
typedef struct sl_start {
  const char *runner;
  char *const *env;
  sl_backend backend;
  double seconds; // until its deadline
} sl_start;

// False with [e]: SL_EXIT_INFRA.
bool sl_student_start(sl_student *s, const sl_start *how, sl_error *e);
// Sends [m] with a fresh ticket and waits for its reply.
sl_answer sl_student_ask(sl_student *s, sl_case_msg *m, sl_case_reply *reply);
// Sends END and waits for the program's end. SL_ENDED if it ended in time and sent nothing more.
sl_answer sl_student_end(sl_student *s, sl_exit_status *how);
// Adds to s->text what its kernels printed.
void sl_student_add_text(sl_student *s, const char *text, size_t len);

// Stops it if it still runs, and frees everything but s->text.
sl_exit_status sl_student_stop(sl_student *s);

// limits.c
// Gives the program [seconds] from now on. On the simulated GPU its kernels run in another process, so its
// own code may compute for a small part of them only: an endless loop of the host is told after 3 s of 60.
void sl_student_give_time(sl_student *s, double seconds);
bool sl__student_is_late(const sl_student *s);
// Were it and its simulated GPU idle for too long, or has it too much of something? Then it is killed.
bool sl__student_is_lazy(sl_student *s);
int sl__student_look_ms(const sl_student *s); // when it is looked at next
bool sl__student_takes_too_much(sl_student *s);
