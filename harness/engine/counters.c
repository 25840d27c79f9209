// Counters of memory accesses, as Nsight Compute counts them.
//
// Shared memory has 32 banks of 32-bit words. A request of 32-bit accesses takes as many wavefronts as the
// most different words that fall into one bank; 64-bit accesses are served by half-warps, 128-bit ones by
// quarter-warps, and loads by two of these at once when lanes read alike in pairs (i and i^1, or i and i^2).
// Replays are wavefronts beyond what a conflict-free request takes. A global request touches sectors of 32
// bytes, each counted once a request.
#include "engine/core.h"

// Most distinct words in one bank among the words of the lanes in m.
static uint32_t wavefronts(const uint32_t *off, uint32_t bytes, uint32_t m) {
  uint32_t words[32][32], n[32] = {0}, most = 0;
  for (; m; m &= m - 1) {
    uint32_t first = off[__builtin_ctz(m)] / 4, last = (off[__builtin_ctz(m)] + bytes - 1) / 4;
    for (uint32_t w = first; w <= last; w++) {
      uint32_t b = w % 32, k = 0;
      while (k < n[b] && words[b][k] != w) k++;
      if (k < n[b]) continue;
      words[b][n[b]++] = w;
      if (n[b] > most) most = n[b];
    }
  }
  return most;
}

// The same for a word a lane: in each round, every bank gives one word to all lanes that want it. The first
// round has the most lanes, and does the same for each of the 32.
static uint32_t word_wavefronts(const uint32_t *off, uint32_t m) {
  enum { NO_BANK = 32 };
  uint32_t given[NO_BANK + 1], bank[SL_LANES], word[SL_LANES], left = 0, rounds = 1;
  for (uint32_t l = 0; l < SL_LANES; l++) word[l] = off[l] >> 2;
  for (uint32_t l = 0; l < SL_LANES; l++) bank[l] = m >> l & 1 ? word[l] & 31 : NO_BANK;
  for (uint32_t l = 0; l < SL_LANES; l++) given[bank[l]] = word[l];
  for (uint32_t l = 0; l < SL_LANES; l++) left |= (uint32_t)(given[bank[l]] != word[l]) << l;
  for (m &= left; m; m = left, rounds++) {
    left = 0;
    for (uint32_t r = m; r; r &= r - 1) given[bank[__builtin_ctz(r)]] = word[__builtin_ctz(r)];
    for (uint32_t r = m; r; r &= r - 1) {
      const uint32_t l = (uint32_t)__builtin_ctz(r);
      left |= (uint32_t)(given[bank[l]] != word[l]) << l;
    }
  }
  return rounds;
}

// Does each lane of the mask access the same as its partner, the lane d away?
static bool alike(const uint32_t *off, uint32_t mask, uint32_t d) {
  uint32_t differ = 0;
  for (uint32_t l = 0; l < SL_LANES; l++)
    differ |= (uint32_t)(off[l] != off[l ^ d]) & (mask >> l) & (mask >> (l ^ d)) & 1;
  return !differ;
}

// How many lanes are served at once: twice as many if neighbours or next neighbours read the same in pairs.
static uint32_t part_of(const uint32_t *off, uint32_t bytes, uint32_t mask, bool write) {
  if (bytes <= 4) return 32;
  uint32_t part = bytes == 8 ? 16 : 8;
  return !write && (alike(off, mask, 1) || alike(off, mask, 2)) ? 2 * part : part;
}

// Wavefronts of a request, and in *parts how many it takes without conflicts.
static uint32_t all_wavefronts(const uint32_t *off, uint32_t bytes, uint32_t mask, bool write,
                               uint32_t *parts) {
  uint32_t part = part_of(off, bytes, mask, write), sum = 0;
  *parts = 0;
  for (uint32_t at = 0; at < 32; at += part) {
    uint32_t m = mask & (uint32_t)(((1ull << part) - 1) << at);
    if (m) sum += wavefronts(off, bytes, m), ++*parts;
  }
  return sum;
}

uint32_t sl__shared_parts(const uint32_t *off, uint32_t bytes, uint32_t mask, bool write) {
  uint32_t parts;
  all_wavefronts(off, bytes, mask, write, &parts);
  return parts;
}

uint32_t sl__shared_wavefronts(const uint32_t *off, uint32_t bytes, uint32_t mask) {
  uint32_t parts;
  return all_wavefronts(off, bytes, mask, true, &parts);
}

// Do all lanes of the mask, which is not empty, access the same place?
static bool one_place(const uint32_t *off, uint32_t mask) {
  uint32_t first = off[__builtin_ctz(mask)], differ = 0;
  for (uint32_t l = 0; l < SL_LANES; l++) differ |= (off[l] ^ first) & (0u - ((mask >> l) & 1u));
  return !differ;
}

// Replays of accesses wider than a word. Lanes that all read one vector have no conflicts.
static uint32_t part_replays(const uint32_t *off, uint32_t bytes, uint32_t mask, bool write) {
  if (one_place(off, mask)) return 0;
  uint32_t parts, all = all_wavefronts(off, bytes, mask, write, &parts);
  return all - parts;
}

// Lanes 0 .. n-1 with a constant distance of s words: how many of them fall into one bank.
static uint32_t stride_wavefronts(uint32_t s, uint32_t n) {
  if (s == 0) return 1;
  uint32_t power = (uint32_t)__builtin_ctz(s), period = power >= 5 ? 1 : 32u >> power;
  return (n + period - 1) / period;
}

// Words or smaller. Quick answers first: every lane in a bank of its own; lanes a constant distance apart.
static uint32_t word_replays(const uint32_t *off, uint32_t mask) {
  uint32_t banks = 0, odd = 0, n = sl__n_lanes(mask), step = n > 1 ? off[1] - off[0] : 0;
  for (int l = 0; l < SL_LANES; l++) banks |= ((mask >> l) & 1u) << ((off[l] >> 2) & 31);
  if (banks == SL_FULL || (n < SL_LANES && sl__ones(banks) == n)) return 0;
  if (mask & (mask + 1)) return word_wavefronts(off, mask) - 1;
  for (uint32_t l = 0; l < SL_LANES; l++) odd |= (off[l] ^ (off[0] + l * step)) & (0u - ((mask >> l) & 1u));
  return (odd || step & 3 ? word_wavefronts(off, mask) : stride_wavefronts(step >> 2, n)) - 1;
}

// [off] is set in every lane, also outside of the mask.
void sl__count_shared(sl_warp *w, const uint32_t *off, uint32_t bytes, bool write) {
  sl_counters *c = w->grid->cnt;
  uint32_t r = bytes <= 4 ? word_replays(off, w->mask) : part_replays(off, bytes, w->mask, write);
  sl_phase *ph = sl__phase(w);
  *(write ? &c->shared_st_requests : &c->shared_ld_requests) += 1;
  *(write ? &c->shared_st_replays : &c->shared_ld_replays) += r;
  *(write ? &ph->shared_st_replays : &ph->shared_ld_replays) += r;
  if (r) sl__core(w)->base += r;
}

void sl__count_shared_row(sl_warp *w, bool write) {
  sl_counters *c = w->grid->cnt;
  *(write ? &c->shared_st_requests : &c->shared_ld_requests) += 1;
}

static void add_sectors(sl_warp *w, uint32_t sectors, uint32_t bytes, bool write) {
  sl_counters *c = w->grid->cnt;
  *(write ? &c->global_st_bytes : &c->global_ld_bytes) += bytes;
  *(write ? &c->global_st_requests : &c->global_ld_requests) += 1;
  *(write ? &c->global_st_sectors : &c->global_ld_sectors) += sectors;
}

void sl__count_global_row(sl_warp *w, uint64_t first, uint32_t bytes, bool write) {
  if (!write && !w->grid->detailed) return;
  add_sectors(w, (uint32_t)((first + 32ull * bytes - 1) / 32 - first / 32 + 1), 32 * bytes, write);
}

// Stands for no sector: a lane outside of the mask, or one that has been counted.
#define NO_SECTOR UINT32_MAX

// Counts the different sectors among the lowest of [s] and the 63 behind it, a bit each, and takes them out.
static uint32_t take_near_sectors(uint32_t *s) {
  uint32_t lowest = NO_SECTOR;
  uint64_t touched = 0;
  for (uint32_t l = 0; l < SL_LANES; l++) lowest = s[l] < lowest ? s[l] : lowest;
  if (lowest == NO_SECTOR) return 0;
  for (uint32_t l = 0; l < SL_LANES; l++) {
    const uint32_t behind = s[l] - lowest, near = 0u - (behind < 64);
    touched |= (uint64_t)(near & 1) << (behind & 63);
    s[l] |= near;
  }
  return sl__ones64(touched);
}

// A lane counts unless an earlier one touched the same sector: each is compared with the one before, the
// second before, and so on. Scattered lanes leave nothing to predict, so there is no branch.
static uint32_t count_far_sectors(const uint32_t *sectors) {
  uint32_t all[2 * SL_LANES], *s = all + SL_LANES, seen[SL_LANES] = {0}, n = 0;
  for (uint32_t l = 0; l < SL_LANES; l++) all[l] = NO_SECTOR, s[l] = sectors[l];
  for (ptrdiff_t d = 1; d < SL_LANES; d++)
    for (ptrdiff_t l = 0; l < SL_LANES; l++) seen[l] |= s[l] == s[l - d];
  for (uint32_t l = 0; l < SL_LANES; l++) n += (s[l] != NO_SECTOR) & !seen[l];
  return n;
}

static uint32_t lanes_left(const uint32_t *s) {
  uint32_t n = 0;
  for (uint32_t l = 0; l < SL_LANES; l++) n += s[l] != NO_SECTOR;
  return n;
}

// How many different sectors the lanes touch. Mostly they lie in one place, or in two where a pass of one bit
// writes. If the first one holds few lanes, there are many.
uint32_t sl__sectors(const uint64_t *addr, uint32_t mask) {
  uint32_t s[SL_LANES];
  for (uint32_t l = 0; l < SL_LANES; l++) s[l] = (mask >> l) & 1 ? (uint32_t)(addr[l] >> 5) : NO_SECTOR;
  uint32_t near = take_near_sectors(s), left = lanes_left(s);
  if (left && left <= SL_LANES - 8) near += take_near_sectors(s), left = lanes_left(s);
  return left ? near + count_far_sectors(s) : near;
}

// Accesses are aligned, so those of up to 32 bytes lie in one sector.
void sl__count_global(sl_warp *w, const uint64_t *addr, uint32_t bytes, bool write) {
  if (!write && !w->grid->detailed) return;
  uint32_t n = sl__sectors(addr, w->mask);
  add_sectors(w, bytes > 32 ? n * (bytes / 32) : n, sl__n_lanes(w->mask) * bytes, write);
}
