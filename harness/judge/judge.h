// Judging one case: the input, the student's process, the comparison, the verdict.
#pragma once

#include "judge/cases.h"
#include "judge/counters.h"
#include "judge/device.h"
#include "judge/reason.h"
#include "judge/speed.h"

// session.c: one device and one student's process for several cases of kind `correct`, one after the other. A
// pass counts once the session has ended well; a case that did not pass in it is to be judged by itself.
typedef struct sl_session sl_session;
enum { SL_SESSION_END = 5 };                 // seconds that the process has to end
sl_session *sl_session_new(double seconds);  // processor time that the process may have in all
bool sl_session_broken(const sl_session *s); // it takes no more cases
bool sl_session_end(sl_session *s);          // frees it. Did the process end as it should?

typedef struct sl_judge_job {
  const sl_lab_info *lab;
  const sl_case *c;
  sl_part_kind kind;  // what is judged besides the results
  const char *runner; // the program to judge
  sl_backend backend;
  const char *data_dir; // NULL: the build's
  sl_device **spare; // where a case leaves its simulated GPU, and finds that of an earlier one; NULL: nowhere
  sl_session *session; // kind correct: where the case is judged; NULL: in a process of its own
  // real GPU: the reference solution's program, timed in turns with [runner]; NULL: there is none
  const char *reference;
  bool contest;           // real GPU: time batches of calls (contest.h), if the case can be timed so
  double contest_seconds; // no round begins after so many (0: 6); in doubt, four times as many
  unsigned repeats;       // timed calls after the case's own; 0: its own calls are the ones timed
  bool choose_check;      // ignore the case's check: exact where the input allows it, else rounding
  const char *schedule;   // as sl_schedule_read takes it; NULL: what the environment says
  bool results_only;      // count only what tells whether kernels did the work; the verdict has no counters
  bool observe;           // look for findings even if the kind does not ask for them
  const char *replay;     // the command that judges this again, up to its schedule; NULL: not known
  sl_telling telling;     // where source lines of findings come from; used as long as the verdict
  const char *gpu_report; // file for the simulated GPU's report, or NULL
  unsigned record;        // what the report shall hold besides: SL_RECORD_ bits
} sl_judge_job;

typedef struct sl_times {
  // lo, hi: 95 % interval of the median
  double median, lo, hi, min, max, spread, device_median, device_min, device_max;
  unsigned repeats;
} sl_times;

// Where the judge's time went, in seconds, over all calls of the case.
typedef struct sl_effort {
  double input, reference, upload, program, check;
} sl_effort;

typedef struct sl_verdict {
  sl_status status;
  sl_reason reason;
  json_t *fields;      // the reason's fields; NULL: none
  int exit_code;       // enum sl_exit, for sl-judge and sl-run
  char message[1536];  // reason and fields in words: one line, printable
  char *detail;        // more lines, printable; malloc'ed
  char hint[512];      // what to do about an error, or ""
  const char *sandbox; // what kept the program from other files: sl_sandbox_name
  double seconds, reference_ms;
  double processor;         // seconds of processor time, of the judge and of what it started and has seen end
  unsigned reference_cores; // cores that computed the reference
  sl_effort effort;
  sl_times times;          // milliseconds, measured by the judge from GO to DONE
  uint64_t n;              // elements of the first call
  sl_check check;          // as it was applied
  sl_counter_sum counters; // the first call's; simulator only
  sl_speed speed;          // kind speed, once results are right
  double credit;           // the share of the points that a failure keeps
  sl_finding *findings;    // simulator only
  size_t n_findings;
  bool from_host;      // the result passed through the host, or may have
  sl_error unreported; // why the simulated GPU's report could not be written, beside a verdict
  sl_telling telling;  // the job's
} sl_verdict;

// Cannot fail: the verdict says what went wrong.
void sl_judge(const sl_judge_job *job, sl_verdict *v);
void sl_verdict_free(sl_verdict *v);
#define SL_VERDICT __attribute__((cleanup(sl_verdict_free))) sl_verdict // freed at the end of its block

bool sl_contest_takes(const sl_case *c); // can batches of its calls be timed on a real GPU? (contest.h)

// record.c: the verdict as JSON, as docs/internals/interfaces.md has it.
typedef struct sl_record_head {
  const char *test, *lab, *part, *case_id, *backend, *nonce;
  double points;
  uint64_t seed;
} sl_record_head;
json_t *sl_record(const sl_verdict *v, const sl_record_head *head);
json_t *sl_error_record(const sl_error *e); // for a failure before there is a verdict
bool sl_record_write(const char *path, const json_t *record, sl_error *e); // one line, whole or not at all
