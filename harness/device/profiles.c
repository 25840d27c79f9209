// Modelled devices: limits of launches and of resident blocks. A row a device; the first is the default.
//
// Where each column is from. Blocks, threads, registers and shared memory: the CUDA C++ programming guide,
// table "Technical specifications per compute capability" (7.5, 8.0, 9.0), and the tuning guides of Turing,
// Ampere and Hopper for the 1 KiB that the system takes of each block from 8.0 on. The rest, as
// cudaGetDeviceProperties reports it:
//   t4     NVIDIA Turing GPU architecture whitepaper (TU104, 40 of 48 SMs, 256 bits, 4 MiB);
//          sizes and clocks: deviceQuery
//   a100   NVIDIA A100 Tensor Core GPU architecture whitepaper: SXM4 of 40 GB (108 SMs, 40 MiB,
//          5120 bits, 1410 and 1215 MHz)
//   h100   NVIDIA H100 Tensor Core GPU architecture whitepaper: SXM5 of 80 GB (132 SMs, 50 MiB,
//          5120 bits); memory nominal
//   h200   read from one, with driver 580.159.04: every number of the row
//   narrow no product: it says that it has two multiprocessors of t4, and holds as many blocks as its forty
//   small  no product: a laptop's share of Turing, two multiprocessors of capability 7.5
//
// FIELDS is the one list of what a device has: for checks, tables and device files.
#include "device/profile.h"

#define KIB 1024ull
#define MIB (1024ull * 1024)
#define GIB (1024ull * 1024 * 1024)

static const sl_profile PROFILES[] = {
    {"default", 75, 40, 16, 1024, 1024, 32, 48 * KIB, 64 * KIB, 64 * KIB, 15843721216, 64 * KIB, 65536,
     4u << 20, 1590000, 5001000, 256, 0, 0},
    {"t4", 75, 40, 16, 1024, 1024, 32, 48 * KIB, 64 * KIB, 64 * KIB, 15843721216, 64 * KIB, 65536, 4u << 20,
     1590000, 5001000, 256, 0, 0},
    {"a100", 80, 108, 32, 2048, 1024, 32, 48 * KIB, 163 * KIB, 164 * KIB, 40 * GIB, 64 * KIB, 65536,
     40u << 20, 1410000, 1215000, 5120, KIB, 0},
    {"h100", 90, 132, 32, 2048, 1024, 32, 48 * KIB, 227 * KIB, 228 * KIB, 80 * GIB, 64 * KIB, 65536,
     50u << 20, 1980000, 2619000, 5120, KIB, 0},
    {"h200", 90, 132, 32, 2048, 1024, 32, 48 * KIB, 227 * KIB, 228 * KIB, 150109880320, 64 * KIB, 65536,
     60u << 20, 1980000, 3201000, 6016, KIB, 0},
    {"narrow", 75, 2, 16, 1024, 1024, 32, 48 * KIB, 64 * KIB, 64 * KIB, 15843721216, 64 * KIB, 65536,
     4u << 20, 1590000, 5001000, 256, 0, 20},
    {"small", 75, 2, 16, 1024, 1024, 32, 48 * KIB, 64 * KIB, 64 * KIB, 2 * GIB, 64 * KIB, 65536, 1u << 20,
     1000000, 1000000, 64, 0, 0},
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

#define FIELD(name, min, max, help)                                                                          \
  { #name, help, offsetof(sl_profile, name), sizeof(((sl_profile *)0)->name), min, max }
static const sl_profile_field FIELDS[] = {
    FIELD(sm, 75, 129, "compute capability times ten"),
    FIELD(multiprocessors, 1, 1024, "multiprocessors"),
    FIELD(max_blocks_per_sm, 1, 64, "blocks of a multiprocessor"),
    FIELD(max_threads_per_sm, 32, 4096, "threads of a multiprocessor"),
    FIELD(max_threads_per_block, 32, 1024, "threads of a block"),
    FIELD(shared_per_block, KIB, 256 * KIB, "bytes of shared memory of a block"),
    FIELD(shared_per_block_optin, KIB, 256 * KIB, "the same, when the kernel asks for it"),
    FIELD(shared_per_sm, KIB, 256 * KIB, "bytes of shared memory of a multiprocessor"),
    FIELD(total_memory, MIB, 256 * GIB, "bytes of device memory"),
    FIELD(const_memory, 64 * KIB, 64 * KIB, "bytes of constant memory"),
    FIELD(regs_per_block, 1024, 262144, "registers of a block"),
    FIELD(l2_bytes, 0, 1 << 30, "bytes of level 2 cache"),
    FIELD(clock_khz, 1000, 10000000, "clock of the multiprocessors, kHz"),
    FIELD(memory_clock_khz, 1000, 10000000, "clock of the memory, kHz"),
    FIELD(bus_bits, 8, 16384, "bits of the memory bus"),
    FIELD(shared_reserved, 0, 4096, "bytes of shared memory that the system takes for each block"),
    FIELD(crowd, 0, 64, "so many times the blocks stay together that it says"),
};

const sl_profile_field *sl_profile_fields(size_t *n) {
  *n = sizeof FIELDS / sizeof *FIELDS;
  return FIELDS;
}

uint64_t sl_profile_get(const sl_profile *p, const sl_profile_field *f) {
  const char *at = (const char *)p + f->at;
  return f->bytes == 8 ? *(const uint64_t *)(const void *)at : *(const unsigned *)(const void *)at;
}

void sl_profile_set(sl_profile *p, const sl_profile_field *f, uint64_t v) {
  char *at = (char *)p + f->at;
  if (f->bytes == 8) *(uint64_t *)(void *)at = v;
  else *(unsigned *)(void *)at = (unsigned)v;
}

bool sl_profile_check(const sl_profile *p, sl_error *e) {
  for (const sl_profile_field *f = FIELDS; f < FIELDS + sizeof FIELDS / sizeof *FIELDS; f++) {
    uint64_t v = sl_profile_get(p, f);
    if (v < f->min || v > f->max)
      return sl_fail(e, SL_EXIT_INPUT, NULL, "device: %s (%s) is %llu, expected %llu to %llu", f->name,
                     f->help, (unsigned long long)v, (unsigned long long)f->min, (unsigned long long)f->max);
  }
  if (p->warp_size != SL_LANES)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "device: warps of %u lanes, expected %d", p->warp_size, SL_LANES);
  if (p->max_threads_per_block > p->max_threads_per_sm)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "device: max_threads_per_block is larger than max_threads_per_sm");
  if (p->shared_per_block > p->shared_per_block_optin ||
      p->shared_per_block_optin + p->shared_reserved > p->shared_per_sm)
    return sl_fail(e, SL_EXIT_INPUT,
                   "shared_per_block <= shared_per_block_optin <= shared_per_sm - shared_reserved",
                   "device: a block has more shared memory than it could get");
  return true;
}
