// A wrong access is found where it happens: the finding names the access, the array, the thread and the line.
#include "engine/tests/rig.h"

static const sl_finding *expect(rig *r, rig_launch l, const void *p, sl_launch_status st, sl_found id,
                                const char *mark) {
  assert_int_equal(rig_run(r, l, p), st);
  assert_true(r->e.code != 0);
  return rig_one_finding(r, id, mark);
}

static void tells(const sl_finding *f, const char *part) {
  if (!strstr(f->account, part)) fail_msg("\"%s\" is not in: %s", part, f->account);
}

TEST(global_bounds) {
  RIG r = rig_open(NULL);
  struct {
    uint64_t a;
    int n;
  } p = {rig_array(&r, 4096, NULL), 1024};
  rig_array(&r, 4096, NULL);
  const sl_finding *f = expect(&r, (rig_launch){.kernel = "out_of_bounds", .grid = 5, .block = 256}, &p,
                               SL_LAUNCH_FAULT, SL_FOUND_MEMORY_BOUNDS, "LINE_OOB");
  tells(f, "write of 4 bytes of global memory at element 1024 (byte 4096) of an allocation of 4096 bytes");
  assert_int_equal(f->block[0], 4);
  assert_int_equal(f->thread[0], 0);
  assert_string_equal(f->kernel, "out_of_bounds");
}

// The index counts from the array that the address is computed from, also where another one is nearer.
TEST(past_the_next_array) {
  RIG r = rig_open(NULL);
  struct {
    uint64_t a, next;
    int k;
  } p = {rig_array(&r, 20, NULL), rig_array(&r, 16, NULL), 0};
  assert_true(p.next > p.a);
  p.k = (int)(p.next + 16 - p.a) / 4;
  const sl_finding *f = expect(&r, (rig_launch){.kernel = "past_the_next_array", .grid = 1, .block = 1}, &p,
                               SL_LAUNCH_FAULT, SL_FOUND_MEMORY_BOUNDS, "LINE_PAST");
  assert_int_equal(f->object.argument, 1);
  assert_int_equal(f->object.index, p.k);
}

TEST(before_the_start) {
  RIG r = rig_open(NULL);
  rig_array(&r, 4096, NULL);
  const uint64_t p = rig_array(&r, 4096, NULL);
  tells(expect(&r, (rig_launch){.kernel = "before_the_start", .grid = 1, .block = 32}, &p, SL_LAUNCH_FAULT,
               SL_FOUND_MEMORY_BOUNDS, "LINE_BEFORE"),
        "element -3 (byte -12) of an allocation of 4096 bytes");
}

TEST(shared_bounds) {
  static const struct {
    int k;
    uint32_t thread;
    const char *element;
  } CASES[] = {{3, 61, "element 64 (byte 256) of shared array"},
               {-1, 0, "element -1 (byte -4) of shared array"}};
  for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
    RIG r = rig_open(NULL);
    struct {
      uint64_t out;
      int k;
    } p = {rig_array(&r, 256, NULL), CASES[k].k};
    const rig_launch l = {.kernel = "shared_out_of_bounds", .grid = 1, .block = 64};
    const sl_finding *f = expect(&r, l, &p, SL_LAUNCH_FAULT, SL_FOUND_MEMORY_BOUNDS, "LINE_SHARED");
    tells(f, CASES[k].element);
    assert_int_equal(f->thread[0], CASES[k].thread);
  }
}

// The checks that look at all lanes of a warp at once: loads and stores of shared and of global memory.
TEST(scattered) {
  static const struct {
    int off;
    sl_launch_status status;
    sl_found kind;
  } CASES[] = {{-400, SL_LAUNCH_FAULT, SL_FOUND_MEMORY_BOUNDS}, // the address wraps around
               {-16, SL_LAUNCH_FAULT, SL_FOUND_MEMORY_BOUNDS},  // a word before the first
               {244, SL_LAUNCH_FAULT, SL_FOUND_MEMORY_BOUNDS},  // a word behind the last
               {2, SL_LAUNCH_MISALIGNED, SL_FOUND_MEMORY_MISALIGNED},
               {240, SL_LAUNCH_OK, 0}}; // the last word
  for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++)
    for (int how = 0; how < 4; how++) {
      RIG r = rig_open(NULL);
      struct {
        uint64_t out;
        int off, how;
      } p = {rig_array(&r, 256, NULL), CASES[k].off, how};
      const rig_launch l = {.kernel = "scattered", .grid = 1, .block = 32};
      if (!CASES[k].kind) {
        assert_int_equal(rig_run(&r, l, &p), SL_LAUNCH_OK);
        continue;
      }
      assert_int_equal(expect(&r, l, &p, CASES[k].status, CASES[k].kind, NULL)->thread[0], 7);
    }
}

TEST(misaligned) {
  RIG r = rig_open(NULL);
  uint64_t a = rig_array(&r, 64, NULL);
  tells(expect(&r, (rig_launch){.kernel = "misaligned", .grid = 1, .block = 1}, &a, SL_LAUNCH_MISALIGNED,
               SL_FOUND_MEMORY_MISALIGNED, "LINE_MISALIGNED"),
        "misaligned write of 4 bytes");
}

static void read_of(uint64_t (*addr)(rig *), sl_found id, const char *part) {
  RIG r = rig_open(NULL);
  struct {
    uint64_t p, out;
  } p = {0, rig_array(&r, 64, NULL)};
  p.p = addr(&r);
  const rig_launch l = {.kernel = "read_through", .grid = 1, .block = 1};
  tells(expect(&r, l, &p, SL_LAUNCH_FAULT, id, "LINE_READ"), part);
}
static uint64_t null_address(rig *) { return 0; }
static uint64_t host_address(rig *r) { return (uint64_t)(uintptr_t)r & ~7ull; }
static uint64_t freed_address(rig *r) {
  uint64_t a = rig_array(r, 64, NULL);
  assert_true(sl_gpu_free(r->gpu, 1, a, &r->e));
  rig_array(r, 64, NULL);
  return a;
}
static uint64_t foreign_address(rig *r) {
  uint64_t a = 0;
  assert_true(sl_gpu_alloc(r->gpu, 2, 64, &a, &r->e));
  return a;
}

TEST(bad_pointers) {
  read_of(null_address, SL_FOUND_MEMORY_BOUNDS, "null pointer");
  read_of(host_address, SL_FOUND_MEMORY_HOST, "no device memory");
  read_of(freed_address, SL_FOUND_MEMORY_FREED, "freed memory");
  read_of(foreign_address, SL_FOUND_MEMORY_BOUNDS, "memory of another process");
}

TEST(shared_allocations) {
  RIG r = rig_open(NULL);
  struct {
    uint64_t p, out;
  } p = {foreign_address(&r), rig_array(&r, 64, NULL)};
  *(int *)sl_gpu_ptr(r.gpu, 2, p.p, 4, NULL) = 77;
  assert_true(sl_gpu_share(r.gpu, p.p, 1, &r.e));
  rig_run_ok(&r, (rig_launch){.kernel = "read_through", .grid = 1, .block = 1}, &p);
  assert_int_equal(*(int *)rig_at(&r, p.out, 4), 77);
  assert_false(sl_gpu_free(r.gpu, 1, p.p, &r.e));
}

TEST(assertions_and_traps) {
  int n = 5;
  RIG r = rig_open(NULL);
  const sl_finding *f = expect(&r, (rig_launch){.kernel = "asserts", .grid = 1, .block = 32}, &n,
                               SL_LAUNCH_ASSERT, SL_FOUND_KERNEL_ASSERT, "LINE_ASSERT");
  tells(f, "(int)threadIdx.x < n");
  assert_non_null(strstr(r.printed, "Assertion `(int)threadIdx.x < n` failed"));
  assert_int_equal(f->thread[0], 5);
  sl_gpu_clear_findings(r.gpu);
  expect(&r, (rig_launch){.kernel = "traps", .grid = 1, .block = 32}, NULL, SL_LAUNCH_TRAP,
         SL_FOUND_KERNEL_TRAP, "LINE_TRAP");
}

TEST(stack_overflow) {
  static const char *const RUNS[][2] = {{"endless_recursion", "calls nested too deep"},
                                        {"large_variables", "more local variables than the 512 KiB"}};
  for (int k = 0; k < 2; k++) {
    RIG r = rig_open(NULL);
    uint64_t out = rig_array(&r, 64, NULL);
    memset(sl_gpu_ptr(r.gpu, 1, out, 64, NULL), 0, 64);
    expect(&r, (rig_launch){.kernel = RUNS[k][0], .grid = 1, .block = 1}, &out, SL_LAUNCH_FAULT,
           SL_FOUND_STACK_OVERFLOW, NULL);
    tells(rig_one_finding(&r, SL_FOUND_STACK_OVERFLOW, NULL), RUNS[k][1]);
  }
}

TEST(bad_configurations) {
  RIG r = rig_open(NULL);
  int n = 0;
  static const rig_launch BAD[] = {{.kernel = "prints", .grid = 0, .block = 1},
                                   {.kernel = "prints", .grid = 1, .block = 0},
                                   {.kernel = "prints", .grid = 1, .block = 1025},
                                   {.kernel = "prints", .grid = 1, .block = 32, .shared = 65537},
                                   {.kernel = "prints", .grid3 = {1, 65536, 1}, .block = 1},
                                   {.kernel = "prints", .grid = 1, .block3 = {1, 1, 65}},
                                   {.kernel = "prints", .grid = 1, .block3 = {64, 64, 1}}};
  for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
    assert_int_equal(rig_run(&r, BAD[k], &n), SL_LAUNCH_BAD_CONFIG);
    assert_non_null(strstr(r.e.text, "invalid launch"));
  }
}

#define HEAD                                                                                                 \
  ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 "           \
  "%r<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<3>;\n"

TEST(refusals) {
  static const char *const BAD[][2] = {{"ld.global.b128 %d1, [%d2];", "ld.global.b128"},
                                       {"mapa.shared::cluster.u32 %r1, %r2;", "mapa"},
                                       {"atom.global.mul.u32 %r1, [%d1], 3;", "atom.global.mul"},
                                       {"mov.u32 %r1, %nosuchreg;", "%nosuchreg"},
                                       {"cp.async.bulk.global.global [%d1], [%d2], 16;", "bulk"}};
  for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s\nret;\n}\n", HEAD, BAD[k][0]);
    RIG r = rig_open_text(text);
    if (r.m) fail_msg("%s was taken", BAD[k][0]);
    if (!strstr(r.e.text, BAD[k][1])) fail_msg("\"%s\" is not in: %s", BAD[k][1], r.e.text);
  }
}

TEST(refusal_says_the_line) {
  RIG r = rig_open_text(".version 8.0\n.target sm_75\n.address_size 64\n.file 1 \"student.cu\"\n.visible "
                        ".entry k()\n{\n.reg .b32 %r<3>;\n"
                        ".loc 1 42 3\nld.global.b128 %r1, [4096];\nret;\n}\n");
  assert_null(r.m);
  assert_string_equal(r.e.file, "student.cu");
  assert_int_equal(r.e.line, 42);
  assert_non_null(strstr(r.e.text, ":9: unsupported"));
}

TEST(out_of_memory) {
  uint64_t a = 0;
  RIG r = rig_open(NULL);
  assert_false(sl_gpu_alloc(r.gpu, 1, 1ull << 45, &a, &r.e));
  assert_int_equal(a, 0);
  assert_non_null(strstr(r.e.text, "out of device memory"));
  assert_true(sl_gpu_alloc(r.gpu, 1, 0, &a, &r.e) && a == 0);
  a = rig_array(&r, 64, NULL);
  assert_false(sl_gpu_free(r.gpu, 1, a + 8, &r.e));
  assert_true(sl_gpu_free(r.gpu, 1, a, &r.e));
  memset(&r.e, 0, sizeof r.e);
  assert_false(sl_gpu_free(r.gpu, 1, a, &r.e));
  assert_non_null(strstr(r.e.text, "freed before"));
}

TEST(more_than_the_host_has) {
  sl_profile large = *sl_profile_find("default");
  uint64_t a = 0;
  large.total_memory = 1ull << 44;
  sl_gpu_config cfg = sl_gpu_defaults();
  cfg.profile = &large;
  RIG r = rig_open(&cfg);
  assert_false(sl_gpu_alloc(r.gpu, 1, 1ull << 43, &a, &r.e));
  assert_non_null(strstr(r.e.text, "this machine has"));
}

TEST(fresh_memory_is_poisoned) {
  uint64_t a = 0;
  RIG r = rig_open(NULL);
  for (int k = 0; k < 3; k++) {
    assert_true(sl_gpu_alloc(r.gpu, 1, 100000, &a, &r.e));
    uint8_t *p = rig_at(&r, a, 100000);
    for (int i = 0; i < 100000; i++) assert_int_equal(p[i], 0xCD);
    memset(p, k, 100000);
    assert_true(sl_gpu_free(r.gpu, 1, a, &r.e));
  }
}

// Random memory is memory that others have used: what was freed is given out again, to its owner, if it is
// large enough, and in the order of a stream to that stream alone.
TEST(freed_addresses_are_given_out_again) {
  uint64_t a = 0, b = 0;
  sl_gpu_config cfg = sl_gpu_defaults();
  cfg.fresh = SL_FRESH_RANDOM;
  RIG r = rig_open(&cfg);
  assert_true(sl_gpu_alloc(r.gpu, 1, 100, &a, &r.e) && sl_gpu_free(r.gpu, 1, a, &r.e));
  assert_true(sl_gpu_alloc(r.gpu, 1, 101, &b, &r.e) && a != b && sl_gpu_free(r.gpu, 1, b, &r.e));
  assert_true(sl_gpu_alloc(r.gpu, 2, 100, &b, &r.e) && a != b);
  assert_true(sl_gpu_alloc_pages(r.gpu, 1, 100, &b, &r.e) && a != b);
  assert_true(sl_gpu_alloc(r.gpu, 1, 10, &b, &r.e));
  assert_int_equal(a, b);
  assert_null(sl_gpu_ptr(r.gpu, 1, a + 10, 1, &r.e));
  assert_true(sl_gpu_free(r.gpu, 1, b, &r.e) && sl_gpu_alloc(r.gpu, 1, 100, &b, &r.e));
  assert_int_equal(a, b);
  sl_gpu_in_stream(r.gpu, 1);
  assert_true(sl_gpu_free(r.gpu, 1, a, &r.e));
  sl_gpu_in_stream(r.gpu, 2);
  assert_true(sl_gpu_alloc(r.gpu, 1, 100, &b, &r.e) && a != b);
  sl_gpu_in_stream(r.gpu, 1);
  assert_true(sl_gpu_alloc(r.gpu, 1, 100, &b, &r.e));
  assert_int_equal(a, b);
}
