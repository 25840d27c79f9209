// Unit tests of the fat binary and ELF readers. Containers are written here byte by byte, so that each field
// can be wrong by itself; the choice among entries and every message are part of what is tested.
#include <elf.h>
#include <lz4.h>
#include <zstd.h>
#include "base/unit.h"
#include "ptx/elf.h"
#include "ptx/ir.h"

static const char text[] = "\n.version 9.0\n.target sm_75\n.address_size 64\n.entry k() { ret; }\n";
enum { F_NONE = 0x11, F_LZ4 = 0x2011, F_ZSTD = 0x8011, F_A = 0x100011, ENTRY = 0x40, PTX = 1, ELF = 2 };

// A container in a buffer of exactly its size, so that AddressSanitizer sees each byte read past it.
typedef struct box {
  uint8_t *at;
  size_t n;
} box;

static void put(uint8_t *to, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (uint8_t)(v >> 8 * i);
}

static box container(void) {
  box b = {calloc(1, 16), 16};
  put(b.at, 0xBA55ED50, 4), put(b.at + 4, 1, 2), put(b.at + 6, 16, 2);
  return b;
}

static size_t pack(uint32_t flags, char out[400]) {
  if (flags & 0x8000) return ZSTD_compress(out, 400, text, sizeof text, 3);
  if (flags & 0x2000) return (size_t)LZ4_compress_default(text, out, sizeof text, 400);
  memcpy(out, text, sizeof text);
  return sizeof text;
}

static void add(box *b, unsigned kind, unsigned arch, uint32_t flags) {
  char payload[400];
  size_t n = pack(flags, payload), padded = (n + 7) & ~(size_t)7;
  bool packed = flags & 0xA000;
  b->at = realloc(b->at, b->n + ENTRY + padded);
  uint8_t *e = b->at + b->n;
  memset(e, 0, ENTRY + padded);
  put(e, kind, 2), put(e + 2, 0x101, 2), put(e + 4, ENTRY, 4), put(e + 8, padded, 8);
  put(e + 0x10, packed ? n : 0, 4), put(e + 0x18, 0, 2), put(e + 0x1A, 9, 2), put(e + 0x1C, arch, 4);
  put(e + 0x28, flags, 8), put(e + 0x38, packed ? sizeof text : 0, 8);
  memcpy(e + ENTRY, payload, n);
  b->n += ENTRY + padded;
  put(b->at + 8, b->n - 16, 8);
}

static void reads(const box *b, size_t len, unsigned max_sm, unsigned arch) {
  sl_error e = {0};
  sl_fatbin_ptx x;
  if (!sl_fatbin_read(b->at, len, max_sm, &x, &e)) fail_msg("%s", e.text);
  assert_int_equal(x.arch, arch);
  assert_string_equal(x.text, text);
  assert_int_equal(x.len, strlen(text));
  free(x.text);
}

TEST(every_method) {
  static const uint32_t flags[] = {F_NONE, F_LZ4, F_ZSTD};
  for (int i = 0; i < 3; i++) {
    box b = container();
    add(&b, PTX, 75, flags[i]);
    reads(&b, b.n, 90, 75);
    reads(&b, SIZE_MAX, 90, 75); // only its own header says how long it is
    free(b.at);
  }
}

TEST(highest_plain_arch) {
  box b = container();
  add(&b, ELF, 75, F_NONE), add(&b, PTX, 75, F_ZSTD), add(&b, PTX, 90, F_LZ4), add(&b, PTX, 90, F_A);
  add(&b, PTX, 80, F_NONE), add(&b, PTX, 120, F_NONE);
  reads(&b, b.n, 90, 90);
  reads(&b, b.n, 89, 80);
  reads(&b, b.n, 79, 75);
  reads(&b, b.n, 200, 120);
  free(b.at);
}

static void refuses(const box *b, size_t len, const char *message, const char *hint) {
  sl_error e = {0};
  sl_fatbin_ptx x;
  if (sl_fatbin_read(b->at, len, 90, &x, &e)) fail_msg("accepted; expected '%s'", message);
  if (!strstr(e.text, message)) fail_msg("expected '%s', got '%s'", message, e.text);
  if (!strstr(e.hint, hint)) fail_msg("expected the hint '%s', got '%s'", hint, e.hint);
}

TEST(no_ptx) {
  box b = container();
  refuses(&b, b.n, "no PTX in the program; it has no code for the GPU at all", "compute_75");
  add(&b, ELF, 75, F_NONE), add(&b, ELF, 90, F_A);
  refuses(&b, b.n, "no PTX in the program; it has machine code for sm_75, machine code for sm_90a",
          "75-virtual");
  add(&b, PTX, 120, F_NONE), add(&b, PTX, 90, F_A);
  refuses(&b, b.n,
          "no PTX for compute_90 or below in the program; it has machine code for sm_75, machine code for "
          "sm_90a, PTX for compute_120, PTX for compute_90a",
          "-arch=compute_75");
  free(b.at);
}

TEST(size_of_container) {
  bool empty = false;
  box b = container();
  assert_true(sl_fatbin_size(b.at, SIZE_MAX, &empty) == 16 && empty);
  add(&b, PTX, 75, F_NONE);
  assert_true(sl_fatbin_size(b.at, b.n, &empty) == b.n && !empty);
  assert_true(sl_fatbin_size(b.at, b.n - 1, &empty) == 0 && !empty);
  free(b.at);
}

// One field of a good container overwritten: offset from its start, value, bytes.
static const struct {
  uint32_t flags;
  size_t at;
  uint64_t value;
  int bytes;
  const char *message;
} bad[] = {
    {F_NONE, 0, 0x466243B1, 4, "it begins with 466243B1"},
    {F_NONE, 4, 2, 2, "version 2"},
    {F_NONE, 6, 8, 2, "a header of 8 bytes"},
    {F_NONE, 6, 0xFFFF, 2, "cut off"},
    {F_NONE, 8, 1 << 20, 8, "cut off: its header announces 1048576 bytes"},
    {F_NONE, 8, UINT64_MAX, 8, "cut off"},
    {F_NONE, 8, 8, 8, "8 bytes behind the last entry"},
    {F_NONE, 8, 0, 8, "no code for the GPU at all"},
    {F_NONE, 16 + 4, 0, 4, "reaches past its end"},
    {F_NONE, 16 + 4, UINT32_MAX, 4, "reaches past its end"},
    {F_NONE, 16 + 8, UINT64_MAX - 0x3F, 8, "reaches past its end"},
    {F_NONE, 16 + 8, 0, 8, "reaches past its end"},
    {F_ZSTD, 16 + 0x10, 100000, 4, "100000 compressed bytes"},
    {F_ZSTD, 16 + 0x10, 0, 4, "are no PTX"},
    {F_ZSTD, 16 + 0x10, 20, 4, "cannot be unpacked"},
    {F_ZSTD, 16 + 0x38, sizeof text - 1, 8, "cannot be unpacked"},
    {F_ZSTD, 16 + 0x38, sizeof text + 1, 8, "cannot be unpacked"},
    {F_ZSTD, 16 + 0x38, 0, 8, "are no PTX"},
    {F_ZSTD, 16 + 0x38, UINT64_MAX, 8, "are no PTX"},
    {F_ZSTD, 16 + 0x38, 200 << 20, 8, "are no PTX"},
    {F_ZSTD, 16 + ENTRY, 0xDEADBEEF, 4, "cannot be unpacked"},
    {F_ZSTD, 16 + 0x28, F_LZ4, 8, "cannot be unpacked"},
    {F_LZ4, 16 + 0x28, F_ZSTD, 8, "cannot be unpacked"},
    {F_LZ4, 16 + 0x38, sizeof text - 1, 8, "cannot be unpacked"},
    {F_LZ4, 16 + 0x38, 1 << 20, 8, "are no PTX"},
    {F_LZ4, 16 + 0x10, 3, 4, "cannot be unpacked"},
};

TEST(bad_fields) {
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    box b = container();
    add(&b, PTX, 75, bad[i].flags);
    put(b.at + bad[i].at, bad[i].value, bad[i].bytes);
    refuses(&b, b.n, bad[i].message, "");
    free(b.at);
  }
}

// Cut anywhere, a container is refused; with any one byte changed it is read or refused.
TEST(cut_and_flipped) {
  static const uint32_t flags[] = {F_NONE, F_LZ4, F_ZSTD};
  for (int k = 0; k < 3; k++) {
    box b = container();
    add(&b, PTX, 75, flags[k]);
    for (size_t n = 0; n < b.n; n++) {
      SL_FREED uint8_t *exact = malloc(n + !n);
      memcpy(exact, b.at, n);
      refuses(&(box){exact, n}, n, n < 16 ? "too short" : "cut off", "Build it again");
    }
    for (size_t n = 0; n < b.n; n++) {
      b.at[n] ^= 0x41;
      sl_error e = {0};
      sl_fatbin_ptx x = {0};
      bool ok = sl_fatbin_read(b.at, b.n, 90, &x, &e);
      assert_true(ok == !e.code && ok == !!x.text);
      free(x.text);
      b.at[n] ^= 0x41;
    }
    free(b.at);
  }
}

// ELF -------------------------------------------------------------------------------------------------------

// A file with sections: none, names, .nv_fatbin, .dynamic, .dynstr, .rodata.
typedef struct file {
  Elf64_Ehdr head;
  Elf64_Shdr s[6];
  char names[64], body[16], strings[32], rodata[32];
  Elf64_Dyn dyn[3];
} file;

static void set(file *f, int i, uint32_t name, uint32_t type, size_t off, size_t size) {
  f->s[i] = (Elf64_Shdr){.sh_name = name, .sh_type = type, .sh_offset = off, .sh_size = size};
}

static file program(void) {
  file f = {.names = "\0.names\0.nv_fatbin\0.dynamic\0.dynstr\0.rodata",
            .strings = "\0libm.so.6\0libcudart.so.13"};
  memcpy(f.head.e_ident, ELFMAG, SELFMAG);
  f.head.e_ident[EI_CLASS] = ELFCLASS64, f.head.e_ident[EI_DATA] = ELFDATA2LSB;
  f.head.e_shoff = offsetof(file, s), f.head.e_shentsize = sizeof(Elf64_Shdr), f.head.e_shnum = 6,
  f.head.e_shstrndx = 1;
  set(&f, 1, 1, SHT_STRTAB, offsetof(file, names), sizeof f.names);
  set(&f, 2, 8, SHT_PROGBITS, offsetof(file, body), sizeof f.body);
  set(&f, 3, 19, SHT_DYNAMIC, offsetof(file, dyn), sizeof f.dyn);
  set(&f, 4, 28, SHT_STRTAB, offsetof(file, strings), sizeof f.strings);
  set(&f, 5, 36, SHT_PROGBITS, offsetof(file, rodata), sizeof f.rodata);
  f.s[3].sh_link = 4;
  f.dyn[0] = (Elf64_Dyn){.d_tag = DT_NEEDED, .d_un.d_val = 1};
  f.dyn[1] = (Elf64_Dyn){.d_tag = DT_NEEDED, .d_un.d_val = 11};
  return f;
}

TEST(elf_sections) {
  file f = program();
  size_t off = 0, n = 0;
  assert_true(sl_is_elf(&f, sizeof f) && sl_elf_find_section(&f, sizeof f, ".nv_fatbin", &off, &n));
  assert_true(off == offsetof(file, body) && n == sizeof f.body);
  assert_false(sl_elf_find_section(&f, sizeof f, ".nv", &off, &n));
  assert_false(sl_is_elf(&f, sizeof f.head - 1));
}

TEST(containers_of_a_program) {
  enum { N = 3 };
  file f = program();
  box b = container();
  add(&b, PTX, 75, F_LZ4);
  f.s[2].sh_offset = sizeof f, f.s[2].sh_size = N * b.n;
  SL_FREED uint8_t *whole = malloc(sizeof f + N * b.n);
  memcpy(whole, &f, sizeof f);
  for (size_t k = 0; k < N; k++) memcpy(whole + sizeof f + k * b.n, b.at, b.n);
  sl_ptx_visit all = {.sm = 90}, some = {.sm = 90, .most = 2};
  assert_int_equal(sl_program_ptx(whole, sizeof f + N * b.n, &all), N);
  assert_int_equal(sl_program_ptx(whole, sizeof f + N * b.n, &some), 2);
  free(b.at);
}

TEST(elf_needs) {
  file f = program();
  assert_true(sl_elf_needs(&f, sizeof f, "libcudart.so") && sl_elf_needs(&f, sizeof f, "libm.so"));
  assert_false(sl_elf_needs(&f, sizeof f, "libcuda.so"));
  f.dyn[1].d_tag = DT_NULL;
  assert_false(sl_elf_needs(&f, sizeof f, "libcudart.so"));
}

static const struct {
  size_t at;
  uint64_t value;
  int bytes;
} bad_elf[] = {{offsetof(file, head.e_shoff), UINT64_MAX - 64, 8},
               {offsetof(file, head.e_shoff), sizeof(file), 8},
               {offsetof(file, head.e_shstrndx), 0xFFFF, 2},
               {offsetof(file, head.e_shentsize), 1, 2},
               {offsetof(file, head.e_ident) + EI_CLASS, ELFCLASS32, 1},
               {offsetof(file, s[1].sh_offset), UINT64_MAX, 8},
               {offsetof(file, s[1].sh_size), 9, 8},
               {offsetof(file, s[1].sh_type), SHT_NOBITS, 4},
               {offsetof(file, s[2].sh_size), UINT64_MAX, 8},
               {offsetof(file, s[2].sh_offset), sizeof(file) - 3, 8},
               {offsetof(file, s[2].sh_name), UINT32_MAX, 4},
               {offsetof(file, s[2].sh_type), SHT_NOBITS, 4}};

TEST(bad_elf_files) {
  for (size_t i = 0; i < sizeof bad_elf / sizeof bad_elf[0]; i++) {
    file f = program();
    size_t off, n;
    put((uint8_t *)&f + bad_elf[i].at, bad_elf[i].value, bad_elf[i].bytes);
    if (sl_elf_find_section(&f, sizeof f, ".nv_fatbin", &off, &n)) fail_msg("found in bad file %zu", i);
    sl_elf_needs(&f, sizeof f, "libcudart.so");
  }
}
