// Did kernels compute the result of a call, and with many threads? Does the call leave memory behind?
//
// Interface: sl__check_computed (run.h), called when the result is right; sl__note_host, when it is wrong.
// The simulated GPU counts launches, stores, the instructions of the busiest warp, and every byte that passes
// between the host and the device. A real GPU counts nothing, so nothing is judged there. grader/README.md
// says which attack each check stops.
#include "judge/run.h"

// The most words that the stores of the launches can have written.
static uint64_t words_stored(const sl_launch_record *at, size_t n) {
  uint64_t words = 0;
  for (size_t k = 0; k < n; k++)
    words += (at[k].counters.global_st_sectors + at[k].counters.global_atomic_sectors) * 8;
  return words;
}

// The device must have computed the result: launches of this call have stored at least that many words. One
// element is exempt, as a copy is a fair way to write it, or a fill, if it is a count of 0.
static bool check_launches(sl_judging *j, const sl_case_call *c, const sl_launch_record *at, size_t n) {
  const size_t words = j->job->lab->own ? sl__own_words(c) : c->in.n;
  enum { FAIR_WORDS = 1 };
  const bool nowhere = n == 0, less = words_stored(at, n) + FAIR_WORDS < words;
  if (c->in.n <= 1 || !(nowhere || less)) return true;
  j->v->from_host = true; // no kernel computed it, so the host did
  return sl__verdict_fail(j, c, nowhere ? SL_REASON_COMPUTED_NOWHERE : SL_REASON_COMPUTED_LESS, NULL, NULL);
}

// A kernel that failed has told the program, which can leave the error out.
static bool check_ends(sl_judging *j, const sl_case_call *c, const sl_launch_record *at, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (at[k].status != SL_LAUNCH_OK)
      return sl__verdict_fail(j, c, SL_REASON_COMPUTED_FAILED, json_pack("{s:s}", "kernel", at[k].name),
                              NULL);
  return true;
}

// What passed between the host and the device in a call.
static bool take_traffic(sl_judging *j, sl_host_traffic *in, sl_error *e) {
  sl_host_traffic now, before = j->traffic;
  if (!sl_control_host_traffic(sl_device_control(j->device), &now, e)) return false;
  j->traffic = now;
  *in = (sl_host_traffic){.written = now.written - before.written,
                          .read = now.read - before.read,
                          .printed = now.printed - before.printed,
                          .small_fills = now.small_fills - before.small_fills,
                          .moved = now.moved - before.moved,
                          .copies = now.copies - before.copies,
                          .allocs = now.allocs - before.allocs};
  return true;
}

// The host must not have written the result, neither at once nor byte by byte. It may write one element, the
// first of an exclusive scan, and it may clear a buffer.
static bool writes_much(const sl_judging *j, const sl_case_call *c, const sl_host_traffic *in) {
  enum { FAIR_FILLS = 64 };
  return c->in.n > 1 && (in->written > c->times * sl_elem_size(j->job->c->type) ||
                         in->small_fills > (uint64_t)c->times * FAIR_FILLS);
}

// The host must not have computed the result either: it cannot without reading the input.
static bool reads_much(const sl_judging *j, const sl_case_call *c, const sl_host_traffic *in) {
  unsigned allowed = j->job->c->host_bytes;
  return allowed != SL_ANY && c->in.n > 1 && in->read > (uint64_t)c->times * allowed;
}

// Bounds on launches and on the busiest warp. Thousands of launches may leak the input: a program that
// measures how long each takes learns a few bits from it. An honest scan that launches a kernel for each
// step, up and down, needs two launches for each bit of n. The bound on instructions keeps one warp from
// doing all the work, in one launch or in many.
enum {
  LAUNCHES = 8,
  LAUNCHES_A_BIT = 3 /* each bit of n */,
  FREE_INSTRUCTIONS = 16384,
  FREE_IN_BLOCK = 512,
  FREE_IN_GRID = 2048,
  ELEMENTS_A_THREAD = 96,
  ELEMENTS_IN_GRID = 128,
  ELEMENTS_IN_SORT = 512, // a thread for each digit of 2 bits, in tiles of 2048
  A_SHARE = 32,
  ELEMENTS_AN_INSTRUCTION = 4,
  FREE_OPERATIONS = 128,
  PIECES = 2
};

static bool check_number(sl_judging *j, const sl_case_call *c, size_t n) {
  size_t allowed = LAUNCHES;
  for (size_t k = c->in.n; k; k /= 2) allowed += LAUNCHES_A_BIT;
  if (sl__is_sort(j)) allowed = SL_MOST_LAUNCHES;
  if (j->job->c->host_bytes == SL_ANY || n <= c->times * allowed) return true;
  return sl__verdict_fail(j, c, SL_REASON_COMPUTED_LAUNCHES,
                          json_pack("{s:I, s:I}", "launches", SL_INT(n), "most", SL_INT(allowed)), NULL);
}

// All threads together execute at least n / [elements] times what the busiest warp does. One thread that does
// it all has no company, while warps that wait for others in a loop are all long. [free] are few.
static uint64_t most_in_company(const sl_case_call *c, const sl_counters *all, uint64_t elements,
                                uint64_t free) {
  const uint64_t most = all->thread_instructions * elements / (c->in.n ? c->in.n : 1);
  return most < free ? free : most;
}

// The most instructions of one warp of a launch. What one block can take is the work of its threads.
static uint64_t most_of_one_warp(const sl_judging *j, const sl_case_call *c, const sl_counters *launch) {
  if (j->job->c->one_block) return most_in_company(c, launch, ELEMENTS_A_THREAD, FREE_IN_BLOCK);
  return FREE_INSTRUCTIONS + c->in.n / ELEMENTS_AN_INSTRUCTION;
}

// A sort takes several passes, each of which is a scan and more. One launch may make them all.
static uint64_t passes_of(const sl_case *c) {
  const uint64_t bits = c->bits;
  return c->entry == SL_ENTRY_SORT && bits ? (32 + bits - 1) / bits : 1;
}

static uint64_t most_of_a_launch(const sl_judging *j, const sl_case_call *c, const sl_counters *launch) {
  return most_of_one_warp(j, c, launch) * passes_of(j->job->c);
}

// The same of all launches of a call: one thread that does it all could otherwise do it in pieces.
static uint64_t most_of_a_call(const sl_judging *j, const sl_case_call *c, const sl_counters *all) {
  if (j->job->c->one_block) return most_of_a_launch(j, c, all);
  const uint64_t most = PIECES * most_of_a_launch(j, c, all),
                 free = (FREE_IN_GRID + c->in.n / A_SHARE) * passes_of(j->job->c),
                 company =
                     most_in_company(c, all, sl__is_sort(j) ? ELEMENTS_IN_SORT : ELEMENTS_IN_GRID, free);
  return most < company ? most : company;
}

// [launches]: how many together; 0: one.
static bool is_spread(sl_judging *j, const sl_case_call *c, uint64_t longest, uint64_t most,
                      size_t launches) {
  if (longest <= most) return true;
  json_t *fields = json_pack("{s:I, s:I, s:I}", "instructions", SL_INT(longest), "n", SL_INT(c->in.n), "most",
                             SL_INT(most));
  if (launches) json_object_set_new(fields, "launches", json_integer(SL_INT(launches)));
  return sl__verdict_fail(j, c, SL_REASON_COMPUTED_ONE_WARP, fields, NULL);
}

// In what one block can take, all threads together operate on the data at least n / 96 times as often as the
// busiest one does. Others that compute something else for as long are no company.
static bool check_threads(sl_judging *j, const sl_case_call *c, const sl_counters *all) {
  uint64_t most = all->data_ops * ELEMENTS_A_THREAD / (c->in.n ? c->in.n : 1);
  if (most < FREE_OPERATIONS) most = FREE_OPERATIONS;
  return !j->job->c->one_block || all->busiest_thread <= most ||
         sl__one_thread(j, c, all->busiest_thread, most);
}

bool sl__one_thread(sl_judging *j, const sl_case_call *c, uint64_t operations, uint64_t most) {
  return sl__verdict_fail(j, c, SL_REASON_COMPUTED_ONE_THREAD,
                          json_pack("{s:I, s:I, s:I}", "operations", SL_INT(operations), "n", SL_INT(j->v->n),
                                    "most", SL_INT(most)),
                          NULL);
}

bool sl__counts_data(const sl_judge_job *job) {
  const bool results = job->kind == SL_PART_CORRECT || job->kind == SL_PART_COUNTERS;
  return sl__bounds_adds(job) ||
         (job->backend == SL_BACKEND_SIM && job->c->one_block && results && !job->c->sequential);
}

// Several blocks are judged only in the standard schedule: in others a warp may wait long for another one.
static bool check_spread(sl_judging *j, const sl_case_call *c, const sl_launch_record *at, size_t n) {
  sl_counters all = {0};
  if ((!sl_schedule_is_usual(j->job->schedule) && !j->job->c->one_block) || j->job->c->host_bytes == SL_ANY)
    return true;
  if (j->job->c->sequential) return true;
  for (size_t k = 0; k < n; k++) {
    const sl_counters *one = &at[k].counters;
    if (!is_spread(j, c, one->longest_warp, most_of_a_launch(j, c, one), 0)) return false;
    all.longest_warp += one->longest_warp, all.thread_instructions += one->thread_instructions;
    all.busiest_thread += one->busiest_thread, all.data_ops += one->data_ops;
  }
  // calls in a row do the same: what one of them does
  all.longest_warp /= c->times, all.thread_instructions /= c->times;
  all.busiest_thread /= c->times, all.data_ops /= c->times;
  return is_spread(j, c, all.longest_warp, most_of_a_call(j, c, &all), n) && check_threads(j, c, &all);
}

static bool check_host(sl_judging *j, const sl_case_call *c) {
  sl_host_traffic in;
  sl_error e = {0};
  if (!sl_device_control(j->device)) return true;
  if (!take_traffic(j, &in, &e)) return sl__verdict_error(j, &e);
  if (c->number == 0) {
    j->v->counters.moved = in.moved;
    j->v->counters.copies = in.copies;
    j->v->counters.allocs = in.allocs;
  }
  const bool wrote = writes_much(j, c, &in);
  j->v->from_host |= wrote || reads_much(j, c, &in);
  if (wrote)
    return sl__verdict_fail(
        j, c, SL_REASON_COMPUTED_COPIED,
        json_pack("{s:I, s:I}", "bytes", SL_INT(in.written), "fills", SL_INT(in.small_fills)), NULL);
  if (!reads_much(j, c, &in)) return true;
  return sl__verdict_fail(
      j, c, SL_REASON_COMPUTED_READ,
      json_pack("{s:I, s:I}", "bytes", SL_INT(in.read), "most", SL_INT(j->job->c->host_bytes)), NULL);
}

// A result that is wrong here can be right on a real GPU, where nobody counts what the host did, and where
// the program can read what its kernels print.
void sl__note_host(sl_judging *j, const sl_case_call *c) {
  sl_host_traffic in;
  sl_error e = {0};
  if (!sl_device_control(j->device) || !take_traffic(j, &in, &e)) return;
  in.read += in.printed;
  j->v->from_host |= writes_much(j, c, &in) || reads_much(j, c, &in);
}

// Those of this call.
static bool take_launches(sl_judging *j, const sl_case_call *c) {
  SL_FREED sl_launch_record *at = NULL;
  size_t n = 0;
  sl_error e = {0};
  sl_control *control = sl_device_control(j->device);
  if (!control) return true;
  if (!sl_control_launches(control, j->launches, &at, &n, &e)) return sl__verdict_error(j, &e);
  j->counters = (sl_counter_sum){0};
  for (size_t k = 0; k < n; k++) sl_counter_add(&j->counters, &at[k].counters);
  if (c->number == 0 && !j->job->results_only) j->v->counters = j->counters;
  bool ok = check_ends(j, c, at, n) && check_launches(j, c, at, n) && check_number(j, c, n) &&
            check_spread(j, c, at, n);
  j->launches += n;
  return ok;
}

static bool is_more(const sl_kept *a, const sl_kept *b) {
  return a->bytes > b->bytes || a->handles > b->handles;
}

// What a call allocates or makes it gives back, or keeps for the next ones: a call that is no larger than one
// before has no more afterwards. Whether a call keeps things shows when it is made again (judge.c).
static void look_at_kept(sl_judging *j, const sl_case_call *c) {
  const sl_kept now = {j->traffic.held, j->traffic.handles}, last = j->kept;
  const bool again = c->number > 0 && c->n == j->last_n, larger = c->number == 0 || c->n > j->most_n;
  const sl_kept before = again ? last : j->kept_by_most;
  j->calls_of_n = c->n == j->last_n ? j->calls_of_n + 1 : 1;
  j->kept = now, j->last_n = c->n;
  j->keeps = is_more(&now, &last);
  if (larger) j->kept_by_most = now, j->most_n = c->n;
  if ((larger && !again) || is_more(&j->leak.after, &j->leak.before)) return;
  if (is_more(&now, &before))
    j->leak = (sl_leak){.n = c->in.n, .call = c->number, .before = before, .after = now};
}

// Nothing else is wrong: the case keeps a share of its points.
bool sl__judge_leak(sl_judging *j) {
  const sl_leak *l = &j->leak;
  const sl_case_call c = {.number = l->call, .n = l->n, .in = {.n = l->n}};
  if (!is_more(&l->after, &l->before)) return true;
  j->v->credit = 0.5;
  if (l->after.bytes > l->before.bytes)
    return sl__verdict_fail(j, &c, SL_REASON_MEMORY_KEPT,
                            json_pack("{s:I}", "bytes", SL_INT(l->after.bytes - l->before.bytes)), NULL);
  return sl__verdict_fail(j, &c, SL_REASON_HANDLES_KEPT,
                          json_pack("{s:I}", "handles", SL_INT(l->after.handles - l->before.handles)), NULL);
}

// What kernels print never passes through the program, which could learn its input from it.
void sl__take_printed(sl_judging *j, bool keep) {
  sl_control *control = j->device ? sl_device_control(j->device) : NULL;
  sl_error e = {0};
  SL_FREED char *text = NULL;
  size_t len = 0;
  if (!control || !j->student.text || !sl_control_printed(control, &text, &len, &e)) return;
  if (keep && len) sl_student_add_text(&j->student, text, len);
  else j->student.text_dropped += len;
}

bool sl__check_computed(sl_judging *j, const sl_case_call *c) {
  const uint64_t printed = j->traffic.printed;
  bool ok = take_launches(j, c) && check_host(j, c);
  if (ok) look_at_kept(j, c);
  if (ok && j->traffic.printed != printed)
    sl__take_printed(j, c->number == 0 || !c->timed); // repeated calls say the same again
  return ok;
}
