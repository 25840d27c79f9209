// One case while it is judged: for judge.c (the order), call.c (one call) and verdict.c (the verdict).
#pragma once

#include "judge/buffer.h"
#include "judge/input.h"
#include "judge/judge.h"
#include "judge/named.h"
#include "judge/runner.h"
#include "reference/reference.h"
#include "scanlab/reference.h"

enum { SL_MAX_PLAN = 1 + SL_MAX_ALSO + SL_MAX_DRAW + SL_MAX_CALLS + 256 };

// The buffers of one call.
typedef struct sl_buffers {
  sl_buffer at[SL_BUF_COUNT];
  bool used[SL_BUF_COUNT];
} sl_buffers;

// A call of a lab with its own entry point (own.c): what its reference.so says.
typedef struct sl_own {
  void *library; // from dlopen; NULL: the lab has none
  const sl_argument *in[SL_MOST_INPUTS], *out[SL_MOST_OUTPUTS];
  const sl_scalar *named; // the scalars' names and ranges; NULL: there are none
  bool sorts;             // the outputs are the sorted keys, and the place of each
  int64_t scalars[SL_MOST_SCALARS];
  void *more[SL_MOST_INPUTS]; // inputs behind the first, at their places
  void *want[SL_MOST_OUTPUTS];
  size_t written[SL_MOST_OUTPUTS]; // elements of [want] that count
} sl_own;

// One call: its input, the right result, its buffers.
typedef struct sl_case_call {
  unsigned number; // 0, 1, ..; of several in a row the last one's
  unsigned times;  // how many in a row, from 1
  uint64_t n;
  bool timed;
  sl_check check;
  sl_input in;
  sl_scan_ref scan;
  uint32_t *order; // sorts
  sl_own own;
  sl_buffers buffers;
} sl_case_call;

// Launches that a call may have at most: a sort's; a scan may have fewer (computed.c).
enum { SL_MOST_LAUNCHES = 2048 };

// What a call has left of the points of a case of kind "counters", and by which bound.
typedef struct sl_share {
  double left;
  const sl_expect *by; // NULL: nothing is lost
  bool operations;     // lost by operations on the data other than additions
  sl_allowed bound;    // in that call, and the value that breaks it
  uint64_t value;
  unsigned call;
  uint64_t n;
} sl_share;

// What the program has between two calls: bytes of memory; streams, events and graphs.
typedef struct sl_kept {
  uint64_t bytes, handles;
} sl_kept;

// The first call that left it more than it should have. All 0: there was none.
typedef struct sl_leak {
  uint64_t n;
  unsigned call;
  sl_kept before, after;
} sl_leak;

typedef struct sl_judging {
  const sl_judge_job *job;
  sl_verdict *v;
  sl_device *device;
  sl_source source;
  sl_student student;
  unsigned n_calls;        // made so far
  bool started, answered;  // answered: the last call, without a CUDA error
  sl_buffers open;         // the previous call's: the student's process may still have them open
  size_t launches;         // seen so far
  sl_counter_sum counters; // of this call
  sl_share least;          // of all calls so far
  sl_host_traffic traffic; // the same
  int failed_with;         // the CUDA error that the program answered; 0: none
  uint64_t last_n;         // n in the call before
  unsigned calls_of_n;     // that many had this n, in a row
  bool findings_only;      // no result of these calls is compared
  sl_kept kept;            // what the program had after it
  bool keeps;              // more than before it
  sl_leak leak;
  uint64_t most_n;            // the largest n so far
  sl_kept kept_by_most;       // what the program had after that call
  uint64_t secret;            // a new one in every run, for poison and guards
  const char *of;             // "PART.CASE" that the call is of; NULL: of the job's
  struct sl_contest *contest; // real GPU, while speed is measured
  double ms[SL_MAX_PLAN], device_ms[SL_MAX_PLAN];
  unsigned n_ms;
} sl_judging;

static inline bool sl__is_sort(const sl_judging *j) { return j->job->c->entry == SL_ENTRY_SORT; }

// call.c: one call from its input to its verdict. False: the verdict is not a pass.
bool sl__judge_call(sl_judging *j, sl_case_call *c);
void sl__buffers_free(sl_judging *j, sl_buffers *b);
void sl__call_free(sl_case_call *c);

// named.c: adds the sizes that the source beside the job's program names to those of [c]; the calls whose
// elements are about such numbers.
void sl__add_named(const sl_judge_job *job, sl_case *c);
void sl__find_about(const sl_judge_job *job, sl_about_calls *calls);
// Do two cases differ in their sizes alone, as far as a program can tell?
bool sl__alike(const sl_case *a, const sl_case *b);

// begin.c: lets a graded case of kind "clean" begin with the calls of a counted one.
void sl__begin_as_counted(sl_case *c);

// session.c, for jobs with a session
bool sl__session_take(sl_judging *j, sl_gpu_options *o,
                      sl_error *e); // [o]: the simulated GPU's for this case
bool sl__session_give(sl_judging *j);
double sl__session_seconds(const sl_session *s, double one); // [one] without a session

// kinds.c: kind [k] of the calls that follow a case with "kinds": [c], as messages name it. False: no more.
typedef char sl_kind_name[64];
bool sl__kind(const sl_case *of, unsigned k, sl_case *c, sl_kind_name name);

// own.c: a call of a lab with its own entry point. make: the other inputs and the right outputs.
bool sl__own_make(sl_judging *j, sl_case_call *c);
void sl__own_free(sl_own *o);
// The array at place [which] of the call's buffers, its name, length and element size; false: there is none.
bool sl__own_array(const sl_case_call *c, unsigned which, sl_buffer *b, size_t *bytes);
// "width 33": the scalars of a call, for messages. NULL: it has none. malloc'ed.
char *sl__own_scalars(const sl_case_call *c);
size_t sl__own_words(const sl_case_call *c); // elements that a right call writes
// Compares the outputs. False: the verdict is not a pass.
bool sl__own_check(sl_judging *j, sl_case_call *c, bool no_launch);

// check.c: compares everything that the device holds. False: the verdict is not a pass.
bool sl__check_buffers(sl_judging *j, sl_case_call *c);
// Each wrong one of [n] elements of a result, for a picture: [[index, "expected"], ..], and where the array
// begins on the device.
typedef bool sl_wrong_element(const void *of, size_t k, char *expected, size_t cap);
void sl__add_elements(const sl_buffer *b, size_t n, sl_wrong_element *wrong, const void *of, json_t *fields);

// computed.c: appends what kernels printed since then to the program's output; !keep: only counts.
void sl__take_printed(sl_judging *j, bool keep);
// computed.c: did kernels compute it, spread over threads? False: the verdict is not a pass.
bool sl__check_computed(sl_judging *j, const sl_case_call *c);
// computed.c: has a call left something behind? False: the verdict is not a pass.
bool sl__judge_leak(sl_judging *j);
// computed.c: are operations on the data counted in the job's case?
bool sl__counts_data(const sl_judge_job *job);
// computed.c: one thread does more than it may. Returns false. [c] NULL: not in a call.
bool sl__one_thread(sl_judging *j, const sl_case_call *c, uint64_t operations, uint64_t most);
// computed.c: notes in the verdict whether the host wrote or read the data of a call whose result is wrong.
void sl__note_host(sl_judging *j, const sl_case_call *c);

// bounds.c: has the case bounds that are judged? Looks at the counters of a call; and in the end: were all
// within the case's bounds? False: the verdict is not a pass.
bool sl__has_bounds(const sl_judge_job *job);
void sl__look_at_bounds(sl_judging *j, const sl_case_call *c);
bool sl__judge_bounds(sl_judging *j);
bool sl__bounds_adds(const sl_judge_job *job); // does the case bound additions?

// verdict.c. All return false, so that callers can `return`. [c] NULL: not in a call. Takes over [fields];
// NULL: the reason has none. [detail]: more lines, or NULL.
#define SL_INT(x) ((json_int_t)(x)) // for json_pack
bool sl__verdict_fail(sl_judging *j, const sl_case_call *c, sl_reason why, json_t *fields,
                      const char *detail);
bool sl__verdict_error(sl_judging *j, const sl_error *e);
// The same with an error made of the rest, as by sl_fail.
bool sl__verdict_cannot(sl_judging *j, int code, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
// The program gave no answer: finds the reason in how it ended.
bool sl__verdict_no_answer(sl_judging *j, const sl_case_call *c, sl_answer a);
// The program answered with CUDA errors: says which, or what the simulated GPU found.
bool sl__verdict_cuda(sl_judging *j, const sl_case_call *c, const sl_case_reply *r);
// A program that ended: [crashed] by a signal, else [ended] with an exit code.
bool sl__verdict_ended(sl_judging *j, const sl_case_call *c, const sl_exit_status *s, sl_reason crashed,
                       sl_reason ended, const char *detail);
void sl__verdict_add_detail(sl_verdict *v, const char *title, const char *text);
// Fetches the findings into the verdict, once.
void sl__fetch_findings(sl_judging *j);
// Fields of the first finding: finding, what and, where known, file and line; NULL: there is none.
json_t *sl__first_finding(sl_judging *j);
// After a CUDA error that no finding explains: adds the call that failed to the findings, for its author.
void sl__tell_failed_call(sl_judging *j);
// Tells the findings in place of a wrong result, which is added as a detail.
void sl__prefer_findings(sl_judging *j);
// Makes the message from reason and fields.
void sl__verdict_word(sl_verdict *v);
