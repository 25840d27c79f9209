// The words of verdicts: templates, and the messages of reasons that the other tests do not bring about.

#include "base/base.h"
#include "base/unit.h"
#include "judge/reason.h"

static char out[2048];

static const char *text_of(sl_reason why, const char *fields) {
  json_error_t at;
  SL_FREED char *json = json_text(fields);
  json_auto_t *o = json_loads(json, 0, &at);
  if (!o) fail_msg("%s: %s", fields, at.text);
  sl_reason_text(why, o, out, sizeof out);
  return out;
}

TEST(messages_are_made_of_fields) {
  static const struct {
    sl_reason why;
    const char *fields, *text;
  } rows[] = {
      {SL_REASON_RESULT_UNSORTED,
       "{'wrong': 2, 'n': 9, 'array': 'keys_out', 'index': 4, 'got': '7', 'expected': '3', 'pattern': "
       "'descent', 'descent': 5}",
       "2 of 9 elements wrong: all keys are there, but not in order: the first descent is at i = 5; first "
       "keys_out[4]: got 7, expected 3"},
      {SL_REASON_RESULT_UNSORTED,
       "{'wrong': 2, 'n': 9, 'array': 'keys_out', 'index': 4, 'got': '7', 'expected': '7', 'pattern': "
       "'unstable', 'payload': 1, 'payload_expected': 2}",
       "2 of 9 elements wrong: the keys are right, but not stable: equal keys changed their order; first "
       "keys_out[4]: got 7, expected 7; value: got 1, expected 2"},
      {SL_REASON_RESULT_WRONG,
       "{'wrong': 2, 'n': 9, 'array': 'out', 'index': 4, 'got': '7', 'expected': '3', 'call': 3, 'schedule': "
       "'order=reverse'}",
       "call 3 (n = 9): 2 of 9 elements wrong, first out[4]: got 7, expected 3 (under the schedule "
       "order=reverse)"},
      {SL_REASON_RESULT_CHANGED, "{'schedule': 'order=in'}",
       "the result changed after the call had ended: some work was still running"},
      {SL_REASON_BUFFER_OUTSIDE, "{'array': 'out', 'index': -1, 'n': 5}",
       "a write outside the buffer: out[-1] was written, n = 5"},
      {SL_REASON_BUFFER_OPEN, "{'error': 'cudaErrorUnknown'}",
       "the program could not open its buffers: cudaErrorUnknown; what ran before the entry point broke the "
       "device"},
      {SL_REASON_BUFFER_OPEN_TIMED, "{}", "the program could not open the buffers of timed calls"},
      {SL_REASON_FINDINGS,
       "{'findings': 1, 'finding': 'race.shared', 'what': 'race', 'file': 'k.cu', 'line': 3}",
       "1 finding; the first at k.cu:3: [race.shared] race"},
      {SL_REASON_FINDINGS, "{'findings': 2, 'finding': 'memory.leak', 'what': 'leak'}",
       "2 findings; the first: [memory.leak] leak"},
      {SL_REASON_SPEED_TIMED,
       "{'ratio': 0.5, 'ratio_lo': 0.49, 'ratio_hi': 0.514, 'own_ms': 0.25, 'gb_per_s': 800.4, "
       "'of_copy_rate': 0.4, 'reference_ms': 0.125, 'cache': 'cold', 'rounds': 10, 'calls': 256, 'percent': "
       "57.1}",
       "0.50 of the reference's speed (0.49 to 0.51): 0.25 ms a call (800 GB/s, 0.40 of a copy's rate), the "
       "reference 0.125 ms, cold cache, 10 rounds of 256 calls in turns: 57 % of the points"},
      {SL_REASON_MEMORY_KEPT, "{'bytes': 40}",
       "the result is right, but 40 bytes of device memory are not freed: the call leaves more than an "
       "earlier call of this size or a larger one did"},
      {SL_REASON_HANDLES_KEPT, "{'handles': 2}",
       "the result is right, but streams, events or graphs are not destroyed: the call leaves 2 more than an "
       "earlier call of this size or a larger one did"},
      {SL_REASON_CUDA_KERNEL, "{'entry': 'lab05_scan', 'error': 'cudaErrorAssert'}",
       "lab05_scan started a kernel that ended with cudaErrorAssert"},
      {SL_REASON_LATE_FINDING,
       "{'entry': 'lab05_scan', 'seconds': 2.0, 'finding': 'progress.timeout', 'what': 'loop'}",
       "stopped after 2 s: lab05_scan does not end; [progress.timeout] loop"},
      {SL_REASON_LATE_EXIT, "{}", "the program does not end after its last call"},
      {SL_REASON_EXIT_FAILED, "{'exit_code': 3}", "the program failed after its last call, with exit code 3"},
      {SL_REASON_BUILD_FAILED, "{'text': 'k.cu(3): error'}", "does not compile: k.cu(3): error"},
      {SL_REASON_BUILD_ERROR, "{'text': 'nvcc is missing'}", "nvcc is missing"},
      {SL_REASON_GRADE_LATE, "{'seconds': 60.2}", "stopped after 60 s without a result"},
      {SL_REASON_GRADE_FROM_HOST, "{'test': '05.a.b.sim', 'message': 'm'}",
       "no points, because 05.a.b.sim found on the simulated GPU that results pass through the host (m)"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    assert_string_equal(text_of(rows[k].why, rows[k].fields), rows[k].text);
}

TEST(briefs_leave_out_the_first_element) {
  json_auto_t *o = json_pack("{s:i, s:i, s:s}", "wrong", 2, "n", 9, "pattern", "zero");
  assert_string_equal(sl_reason_brief(SL_REASON_RESULT_WRONG, o, out, sizeof out),
                      "2 of 9 elements wrong: all wrong elements are zero");
  json_object_del(o, "pattern");
  assert_string_equal(sl_reason_brief(SL_REASON_RESULT_WRONG, o, out, sizeof out), "2 of 9 elements wrong");
}

// A record may come from anywhere: unknown reasons, fields of another type or none, long ones.
TEST(anything_can_be_worded) {
  char small[16];
  json_auto_t *o = json_pack("{s:[i], s:s, s:n}", "n", 1, "wrong", "%s%n{n}<", "index");
  for (int k = 0; k <= SL_REASON_COUNT; k++) {
    sl_reason_text((sl_reason)k, o, out, sizeof out);
    sl_reason_text((sl_reason)k, NULL, small, sizeof small);
    assert_true(memchr(small, 0, sizeof small));
  }
  assert_int_equal(sl_reason_find("no.such"), SL_REASON_COUNT);
  assert_int_equal(sl_reason_find(NULL), SL_REASON_COUNT);
  assert_int_equal(sl_reason_find("late"), SL_REASON_LATE);
  assert_int_equal(sl_status_find("pass"), SL_PASS);
  assert_int_equal(sl_status_find("passed"), SL_STATUS_COUNT);
}

TEST(what_computes_or_waits_until_it_is_stopped_is_endless) {
  for (int k = 0; k < SL_REASON_COUNT; k++) {
    const char *id = sl_reason_of((sl_reason)k)->id;
    const bool stopped = !strcmp(id, "program.busy") || !strcmp(id, "program.idle") || !strcmp(id, "late") ||
                         !strcmp(id, "late.exit");
    assert_int_equal(sl_reason_is_endless((sl_reason)k), stopped);
  }
}
