// Reads the fat binary container in which nvcc embeds PTX and machine code.
//
// Interface: sl_fatbin_read, sl_fatbin_size, sl_program_ptx (ir.h). Layout, little endian:
//   container  00 u32 magic BA55ED50 | 04 u16 version 1 | 06 u16 header size | 08 u64 bytes of all entries
//   entry      00 u16 kind (1 PTX, 2 machine code) | 04 u32 header size | 08 u64 payload bytes, padded
//              10 u32 compressed bytes (0: stored) | 18 u16 minor, 1A u16 major | 1C u32 arch | 28 u64 flags
//              38 u64 uncompressed bytes
// Entries follow each other. A container may come from a student's program: every field is checked before it
// is used, and nothing is allocated that the payload could not fill.
#include <lz4.h>
#include <zstd.h>
#include "ptx/elf.h"
#include "ptx/ir.h"

#define MAGIC 0xBA55ED50u
#define MAX_CONTAINER ((uint64_t)1 << 31)
#define MAX_PTX ((uint64_t)256 << 20)
// The best that each method can pack: LZ4 255 bytes into one, zstd a block of 128 KiB into 3 bytes.
#define MAX_RATIO_LZ4 255u
#define MAX_RATIO_ZSTD 44000u

enum { KIND_PTX = 1, KIND_ELF = 2, MIN_HEADER = 16, MIN_ENTRY = 0x40 };
enum { F_LZ4 = 0x2000, F_ZSTD = 0x8000, F_ARCH_A = 0x100000, F_ARCH_F = 0x200000 };

static const char *const rebuild =
    "Rebuild it with -arch=compute_75 or -gencode arch=compute_75,code=compute_75 (CMake: "
    "CUDA_ARCHITECTURES 75-virtual), so that it carries PTX.";
static const char *const damaged = "The program is damaged or was not made by nvcc 12 or 13. Build it again.";

typedef struct entry {
  unsigned kind, arch;
  uint64_t flags, packed, unpacked; // packed: bytes of the payload that are used
  const uint8_t *payload;
} entry;

static uint16_t u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static uint32_t u32(const uint8_t *p) { return u16(p) | (uint32_t)u16(p + 2) << 16; }
static uint64_t u64(const uint8_t *p) { return u32(p) | (uint64_t)u32(p + 4) << 32; }

// The entries of the container: [at, end).
static bool open_container(const uint8_t *d, size_t len, const uint8_t **at, const uint8_t **end,
                           sl_error *e) {
  if (len < MIN_HEADER)
    return sl_fail(e, SL_EXIT_INPUT, damaged, "fat binary of %zu bytes: too short for its header", len);
  if (u32(d) != MAGIC)
    return sl_fail(e, SL_EXIT_INPUT, damaged, "no fat binary: it begins with %08X, not %08X", u32(d), MAGIC);
  if (u16(d + 4) != 1)
    return sl_fail(e, SL_EXIT_INPUT, damaged, "fat binary of version %u; version 1 is read", u16(d + 4));
  uint64_t head = u16(d + 6), body = u64(d + 8);
  if (head < MIN_HEADER)
    return sl_fail(e, SL_EXIT_INPUT, damaged, "fat binary with a header of %u bytes", (unsigned)head);
  if (body > MAX_CONTAINER || head + body > len)
    return sl_fail(e, SL_EXIT_INPUT, damaged,
                   "fat binary cut off: its header announces %llu bytes, there are %zu",
                   (unsigned long long)body, len > head ? len - (size_t)head : 0);
  *at = d + head;
  *end = d + head + body;
  return true;
}

size_t sl_fatbin_size(const void *data, size_t len, bool *empty) {
  const uint8_t *at = NULL, *end = NULL;
  bool ok = open_container(data, len, &at, &end, NULL);
  if (empty) *empty = ok && at == end;
  return ok ? (size_t)(end - (const uint8_t *)data) : 0;
}

// Reads the entry at *[at] and moves on to the next.
static bool next_entry(const uint8_t **at, const uint8_t *end, entry *x, sl_error *e) {
  const uint8_t *d = *at;
  uint64_t left = (uint64_t)(end - d);
  if (left < MIN_ENTRY)
    return sl_fail(e, SL_EXIT_INPUT, damaged, "fat binary: %llu bytes behind the last entry",
                   (unsigned long long)left);
  uint64_t head = u32(d + 4), payload = u64(d + 8);
  *x = (entry){u16(d), u32(d + 0x1C), u64(d + 0x28), u32(d + 0x10), u64(d + 0x38), d + head};
  if (head < MIN_ENTRY || head > left || payload > left - head)
    return sl_fail(e, SL_EXIT_INPUT, damaged,
                   "fat binary: an entry (header %llu, payload %llu bytes) reaches past its end (%llu left)",
                   (unsigned long long)head, (unsigned long long)payload, (unsigned long long)left);
  if (!(x->flags & (F_LZ4 | F_ZSTD))) x->packed = x->unpacked = payload;
  if (x->packed > payload)
    return sl_fail(e, SL_EXIT_INPUT, damaged, "fat binary: %llu compressed bytes in a payload of %llu",
                   (unsigned long long)x->packed, (unsigned long long)payload);
  *at = d + head + payload;
  return true;
}

static char suffix(const entry *x) { return x->flags & F_ARCH_A ? 'a' : x->flags & F_ARCH_F ? 'f' : 0; }

// Appends "PTX for compute_90a" to a list for a message.
static void describe_entry(char *list, size_t cap, const entry *x) {
  size_t n = strlen(list);
  char s[2] = {suffix(x), 0};
  if (n + 64 > cap) return;
  const char *kind = x->kind == KIND_PTX   ? "PTX for compute_"
                     : x->kind == KIND_ELF ? "machine code for sm_"
                                           : "an unknown kind for sm_";
  snprintf(list + n, cap - n, "%s%s%u%s", n ? ", " : "", kind, x->arch, s);
}

static bool better(const entry *x, const entry *best, unsigned max_sm) {
  return x->kind == KIND_PTX && !suffix(x) && x->arch <= max_sm && (!best->kind || x->arch > best->arch);
}

static bool choose_entry(const uint8_t *at, const uint8_t *end, unsigned max_sm, entry *best,
                         sl_fatbin_ptx *out, sl_error *e) {
  char list[400] = "";
  *best = (entry){0};
  while (at < end) {
    entry x = {0};
    if (!next_entry(&at, end, &x, e)) return false;
    out->any |= x.kind == KIND_PTX;
    describe_entry(list, sizeof list, &x);
    if (better(&x, best, max_sm)) *best = x;
  }
  if (best->kind) return true;
  out->newer = out->any;
  if (out->any)
    return sl_fail(e, SL_EXIT_INPUT, rebuild, "no PTX for compute_%u or below in the program; it has %s",
                   max_sm, list);
  return sl_fail(e, SL_EXIT_INPUT, rebuild, "no PTX in the program; it has %s",
                 list[0] ? list : "no code for the GPU at all");
}

// Unpacks into [to], which has room for x->unpacked bytes. True if exactly so many came out.
static bool unpack(const entry *x, char *to) {
  if (x->flags & F_ZSTD) return ZSTD_decompress(to, x->unpacked, x->payload, x->packed) == x->unpacked;
  if (x->flags & F_LZ4)
    return (uint64_t)LZ4_decompress_safe((const char *)x->payload, to, (int)x->packed, (int)x->unpacked) ==
           x->unpacked;
  memcpy(to, x->payload, x->unpacked);
  return true;
}

static bool plausible(const entry *x) {
  uint64_t ratio = x->flags & F_ZSTD ? MAX_RATIO_ZSTD : x->flags & F_LZ4 ? MAX_RATIO_LZ4 : 1;
  return x->unpacked && x->unpacked <= MAX_PTX && x->packed && x->unpacked / ratio <= x->packed;
}

bool sl_fatbin_read(const void *data, size_t len, unsigned max_sm, sl_fatbin_ptx *out, sl_error *e) {
  const uint8_t *at = NULL, *end = NULL;
  entry x;
  *out = (sl_fatbin_ptx){0};
  if (!open_container(data, len, &at, &end, e) || !choose_entry(at, end, max_sm, &x, out, e)) return false;
  if (!plausible(&x))
    return sl_fail(e, SL_EXIT_INPUT, damaged, "fat binary: %llu bytes that unpack to %llu are no PTX",
                   (unsigned long long)x.packed, (unsigned long long)x.unpacked);
  char *text = malloc(x.unpacked + 1);
  if (!text)
    return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for %llu bytes of PTX",
                   (unsigned long long)x.unpacked);
  if (!unpack(&x, text)) {
    free(text);
    return sl_fail(e, SL_EXIT_INPUT, damaged, "fat binary: the PTX for compute_%u cannot be unpacked",
                   x.arch);
  }
  text[x.unpacked] = 0;
  *out = (sl_fatbin_ptx){.arch = x.arch, .text = text, .len = strlen(text), .any = true};
  return true;
}

// Programs --------------------------------------------------------------------------------------------------

// Tries every container of a section; counts those with PTX that the device can run.
static size_t visit_section(const uint8_t *at, size_t len, sl_ptx_visit *v) {
  size_t good = 0;
  unsigned read = 0;
  for (size_t i = 0; i + MIN_HEADER <= len && (!v->most || read < v->most);) {
    const uint64_t header = u16(at + i + 6), body = u64(at + i + 8);
    if (u32(at + i) != MAGIC || body > len - i) {
      i += 8;
      continue;
    }
    sl_fatbin_ptx ptx;
    sl_error one = {0};
    read++;
    if (sl_fatbin_read(at + i, len - i, v->sm, &ptx, &one)) good += !v->each || v->each(v->context, &ptx);
    else if (!v->any) v->why = one, v->any = ptx.any, v->newer = ptx.newer;
    free(ptx.text);
    i += (header + body + 7) / 8 * 8;
  }
  return good;
}

size_t sl_program_ptx(const void *data, size_t len, sl_ptx_visit *v) {
  static const char *const names[] = {".nv_fatbin", "__nv_relfatbin"};
  size_t good = 0, off, n;
  for (size_t k = 0; k < 2; k++)
    if (sl_elf_find_section(data, len, names[k], &off, &n))
      good += visit_section((const uint8_t *)data + off, n, v);
  return good;
}
