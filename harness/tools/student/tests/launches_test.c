// What the text of a file says of its launches: nothing in the solutions, the fault in a file with one.
#include "base/unit.h"
#include "tools/student/student.h"

// The solution with [to] in place of [from]; malloc'ed.
static char *edited(const sl_lab_info *lab, const char *from, const char *to) {
  SL_FREED char *path = sl_path("%s/solutions/%s/kernel.cu", sl_course_root(), lab->name);
  SL_FREED char *source = sl_read_file(path, 1 << 20, NULL, NULL);
  assert_non_null(source);
  const char *at = strstr(source, from);
  assert_non_null(at);
  return sl_path("%.*s%s%s", (int)(at - source), source, to, at + strlen(from));
}

// The fault of such a file; malloc'ed, NULL: none.
static char *fault_of(const sl_lab_info *info, const char *from, const char *to, uint32_t *line) {
  char path[] = "/tmp/launches_testXXXXXX";
  SL_SKELETON s = {0};
  const sl_lab lab = {.info = info};
  const sl_ladder ladder = {.lab = &lab};
  SL_FREED char *source = edited(info, from, to);
  const int fd = mkstemp(path);
  assert_true(fd >= 0 && write(fd, source, strlen(source)) == (ssize_t)strlen(source));
  close(fd);
  assert_true(sl_skeleton_read(path, info, &s, NULL));
  unlink(path);
  return sl__launch_fault(&ladder, &s, line);
}

TEST(the_solutions_have_none) {
  const sl_lab_info *const lists[] = {sl_labs, sl_own_labs};
  uint32_t line;
  for (size_t k = 0; k < 2; k++)
    for (const sl_lab_info *lab = lists[k]; lab->name; lab++) assert_null(fault_of(lab, "", "", &line));
}

TEST(a_whole_kernel_belongs_to_the_region_that_leads_to_it) {
  const sl_lab_info *lab = sl_lab_find("06", NULL);
  SL_FREED char *path = sl_path("%s/solutions/%s/kernel.cu", sl_course_root(), lab->name);
  SL_SKELETON s = {0};
  assert_true(sl_skeleton_read(path, lab, &s, NULL));
  assert_int_equal(sl__launch_region(&s, "recode_kernel"), 15);
  assert_int_equal(sl__launch_region(&s, "scatter_kernel"), 0); // it has regions of its own
}

static const struct {
  const char *lab, *from, *to, *fault;
} rows[] = {
    {"04", "(d_in, d_out, n, m);", "(d_in, d_out, m, n);",
     "the launch of padded_kernel gives m where n belongs"},
    {"15", "d_totals, n);\n  carries", "d_totals, tiles);\n  carries",
     "the launch of totals_kernel gives tiles where n belongs"},
    {"13", "  carries_kernel<<<", "  // carries_kernel<<<", "carries_kernel is never launched"},
    {"13", "  carries_kernel<<<", "  /* carries_kernel<<<1, BLOCK>>>(d_totals, tiles); */ //",
     "carries_kernel is never launched"},
    {"15",
     "  totals_kernel<<<(unsigned)tiles, BLOCK>>>(d_a, d_b, d_totals, n);\n  carries_kernel<<<1, "
     "BLOCK>>>(d_totals, tiles);",
     "  carries_kernel<<<1, BLOCK>>>(d_totals, tiles);\n  totals_kernel<<<(unsigned)tiles, BLOCK>>>(d_a, "
     "d_b, d_totals, n);",
     "carries_kernel is launched before totals_kernel"},
    {"06", "(from, to, n, shift, bits, index);", "(from, to, n, bits, shift, index);",
     "the launch of scatter_kernel gives bits where shift belongs"},
    {"13", "  carries_kernel<<<", "  __global__ void own(part *, size_t); own<<<",
     NULL}, // with a kernel of one's own
    {"04", "(d_in, d_out, n, m);", "(d_in, d_out, n + 0, m);", NULL},
    {"01", "(d_in, d_out, n);", "(d_out, d_out, n);", NULL}, // in place
    {"01", "naive_scan_kernel<<<", "auto kernel = naive_scan_kernel;\n  kernel<<<", NULL},
};

TEST(each_fault_is_told) {
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    uint32_t line = 0;
    const sl_lab_info *lab = sl_lab_find(rows[k].lab, NULL);
    assert_non_null(lab);
    SL_FREED char *fault = fault_of(lab, rows[k].from, rows[k].to, &line);
    if (!rows[k].fault) assert_null(fault);
    else assert_non_null(fault), assert_string_equal(fault, rows[k].fault), assert_true(line > 1);
  }
}
