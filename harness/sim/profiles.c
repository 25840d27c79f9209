// Modelled devices: limits that a launch is checked against and how many blocks are resident. One row a
// device; the first is the default. Figures are those of the CUDA programming guide's table of compute
// capabilities.
#include "sim/core.h"

#define KIB 1024ull
#define GIB (1024ull * 1024 * 1024)

static const sl_profile PROFILES[] = {
    {"default", 75, 40, 16, 1024, 1024, 32, 48 * KIB, 64 * KIB, 64 * KIB, 16 * GIB, 64 * KIB, 65536, 4u << 20,
     1590000, 5001000, 256},
    {"t4", 75, 40, 16, 1024, 1024, 32, 48 * KIB, 64 * KIB, 64 * KIB, 16 * GIB, 64 * KIB, 65536, 4u << 20,
     1590000, 5001000, 256},
    {"a100", 80, 108, 32, 2048, 1024, 32, 48 * KIB, 163 * KIB, 164 * KIB, 40 * GIB, 64 * KIB, 65536,
     40u << 20, 1410000, 1215000, 5120},
    {"h100", 90, 132, 32, 2048, 1024, 32, 48 * KIB, 227 * KIB, 228 * KIB, 80 * GIB, 64 * KIB, 65536,
     50u << 20, 1980000, 2619000, 5120},
    {"small", 75, 2, 16, 1024, 1024, 32, 48 * KIB, 64 * KIB, 64 * KIB, 2 * GIB, 64 * KIB, 65536, 1u << 20,
     1000000, 1000000, 64},
};
enum { N_PROFILES = sizeof PROFILES / sizeof *PROFILES };

const sl_profile *sl_profile_find(const char *name) {
  for (size_t k = 0; k < N_PROFILES; k++)
    if (strcmp(PROFILES[k].name, name) == 0) return &PROFILES[k];
  return NULL;
}

const char *const *sl_profile_names(void) {
  static const char *names[N_PROFILES + 1];
  for (size_t k = 0; k < N_PROFILES; k++) names[k] = PROFILES[k].name;
  return names;
}
