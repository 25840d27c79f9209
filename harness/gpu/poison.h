// What an output holds before a call: words that no kernel computes, as each follows from a secret seed.
#pragma once

#include <stdint.h>

// 64 random-looking bits from a counter (splitmix64).
static inline uint64_t sl_mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Word [k]; a NaN as a float.
static inline uint32_t sl_poison_word(uint64_t seed, uint64_t k) {
  return 0xffa50000u | (uint16_t)sl_mix(seed + 8 * k);
}
