// The model of cost, and the curve that turns a ratio into points.
//
// Interface: speed.h.
#include "judge/speed.h"
#include "device/profile.h"

const char *const sl_basis_names[] = {"none", "model", "time", NULL};

enum { SECTOR = 32 /* bytes */, CYCLES_IN_TURN = 4 };
static const double LAUNCH_MS = 2.5e-3;

double sl_speed_credit(double ratio, double full) {
  double credit = ratio / full;
  return credit >= 1 ? 1 : credit > 0 ? credit : 0;
}

uint64_t sl_counted_sectors(const sl_counter_sum *sum) {
  const sl_counters *c = &sum->total;
  return c->global_ld_sectors + c->global_st_sectors + c->global_atomic_sectors +
         (sum->moved + SECTOR - 1) / SECTOR;
}

double sl_traffic_ms(uint64_t launches, uint64_t sectors) {
  const sl_profile *d = sl_profile_find("default");
  double bytes_a_ms = 2.0 * d->memory_clock_khz * d->bus_bits / 8;
  return SECTOR * (double)sectors / bytes_a_ms + LAUNCH_MS * (double)launches;
}

double sl_longest_ms(uint64_t instructions) {
  return CYCLES_IN_TURN * (double)instructions / (double)sl_profile_find("default")->clock_khz;
}
