// Counters by name: one table of (name, place in sl_counters).
//
// Interface: sl_counter_names, sl_counter_add, sl_counter_value. "adds", "launches", "lone_warp": computed.
#include "judge/counters.h"
#include "judge/model.h"

#include <string.h>

typedef struct row {
  const char *name;
  size_t at;
} row;
#define ROW(member)                                                                                          \
  { #member, offsetof(sl_counters, member) }
static const row rows[] = {
    ROW(warp_instructions),
    ROW(thread_instructions),
    ROW(adds_float),
    ROW(adds_int),
    ROW(barriers),
    ROW(shared_ld_requests),
    ROW(shared_st_requests),
    ROW(shared_ld_replays),
    ROW(shared_st_replays),
    ROW(global_ld_requests),
    ROW(global_st_requests),
    ROW(global_ld_sectors),
    ROW(global_st_sectors),
    ROW(atomics),
    ROW(fmas),
    ROW(longest_warp),
    ROW(global_atomic_sectors),
    ROW(global_ld_bytes),
    ROW(global_st_bytes),
    ROW(mbarrier_phases),
    ROW(shared_bytes),
    ROW(data_ops),
    ROW(busiest_thread),
    ROW(adds_dropped),
};
enum { N_ROWS = sizeof rows / sizeof *rows };

const char *const *sl_counter_names(void) {
  static const char *names[N_ROWS + 4];
  for (size_t k = 0; k < N_ROWS; k++) names[k] = rows[k].name;
  names[N_ROWS] = "adds";
  names[N_ROWS + 1] = "launches";
  names[N_ROWS + 2] = "lone_warp";
  return names;
}

static uint64_t *counter_place(sl_counters *c, size_t at) { return (uint64_t *)((char *)c + at); }

// Do the threads of a block, on average, execute less together than so many times what the busiest warp does?
static bool works_alone(const sl_counters *launch) {
  enum { COMPANY = 8 };
  return launch->thread_instructions < COMPANY * launch->longest_warp * launch->blocks;
}

void sl_counter_add(sl_counter_sum *sum, const sl_counters *launch) {
  sl_counters copy = *launch;
  sum->launches++;
  if (works_alone(launch)) sum->lone_warp += launch->longest_warp;
  sum->kernel_ms += sl_model_kernel_ms(launch);
  for (size_t k = 0; k < N_ROWS; k++)
    *counter_place(&sum->total, rows[k].at) += *counter_place(&copy, rows[k].at);
  uint32_t phases = copy.n_phases < SL_MAX_PHASES ? copy.n_phases : SL_MAX_PHASES;
  for (uint32_t k = 0; k < phases; k++) {
    sl_phase *to = &sum->total.phases[k];
    to->adds_float += copy.phases[k].adds_float;
    to->adds_int += copy.phases[k].adds_int;
    to->shared_ld_replays += copy.phases[k].shared_ld_replays;
    to->shared_st_replays += copy.phases[k].shared_st_replays;
  }
  if (sum->total.n_phases < phases) sum->total.n_phases = phases;
}

const char *sl_counter_means(const char *name) {
  static const struct {
    const char *name, *means;
  } words[] = {
      {"adds", "additions that threads executed, of the data's type; fused ones and subtractions count"},
      {"barriers", "barriers that blocks passed; phases of an mbarrier count"},
      {"launches", "kernels started in the first call"},
      {"longest_warp", "instructions of the warp that executed most: is the work spread over all threads?"},
      {"lone_warp", "instructions of the busiest warp, of launches in which the threads of a block together "
                    "execute less than 8 times as many: one thread works, and the others wait"},
      {"shared_ld_replays", "extra passes of loads from shared memory, because of bank conflicts"},
      {"shared_st_replays", "extra passes of stores to shared memory, because of bank conflicts"},
      {"global_ld_sectors", "pieces of 32 bytes that loads touch, warp by warp: 4 for 32 neighbouring words, "
                            "up to 32 where each lane reads elsewhere"},
      {"global_st_sectors", "pieces of 32 bytes that stores touch, warp by warp: 4 for 32 neighbouring "
                            "words, up to 32 where each lane writes elsewhere"},
      {"global_ld_bytes", "bytes that threads load from global memory: how often are the keys read?"},
      {"global_st_bytes", "bytes that threads store to global memory: how often are the keys moved?"},
      {"shared_bytes", "shared memory of a block, static and dynamic, summed over the launches"},
      {"atomics", "atomic instructions"},
      {"data_ops", "operations on the data, of whatever kind; counted where additions are bounded"},
  };
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (!strcmp(words[k].name, name)) return words[k].means;
  return NULL;
}

uint64_t sl_counter_value(const sl_counter_sum *sum, const char *name) {
  sl_counters copy = sum->total;
  if (!strcmp(name, "launches")) return sum->launches;
  if (!strcmp(name, "lone_warp")) return sum->lone_warp;
  if (!strcmp(name, "barriers")) return copy.barriers + copy.mbarrier_phases;
  if (!strcmp(name, "adds")) {
    uint64_t floats = copy.adds_float + copy.fmas;
    return floats ? floats - copy.adds_dropped : copy.adds_int;
  }
  for (size_t k = 0; k < N_ROWS; k++)
    if (!strcmp(name, rows[k].name)) return *counter_place(&copy, rows[k].at);
  return 0;
}

uint64_t sl_phase_adds(const sl_counter_sum *sum, const sl_phase *phase) {
  return sum->total.adds_float ? phase->adds_float : phase->adds_int;
}
