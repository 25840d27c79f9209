// Which lines outside of TODO regions were changed: added, replaced, gone, before a region and behind it.

#include "base/unit.h"
#include "judge/skeleton.h"

static const char original[] = "// Lab 01\n"                      // 1
                               "#include \"scanlab/lab.h\"\n"     // 2
                               "\n"                               // 3
                               "__global__ void k() {\n"          // 4
                               "  // TODO(lab01.1, ~1 line): x\n" // 5
                               "  SL_TODO(\"lab01.1\");\n"        // 6
                               "  // END TODO(lab01.1)\n"         // 7
                               "}\n"                              // 8
                               "void f() {\n"                     // 9
                               "  g();\n"                         // 10
                               "}\n";                             // 11

static void read_text(const char *text, sl_skeleton *s) {
  char path[] = "/tmp/skeletonXXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  sl_error e = {0};
  if (!sl_skeleton_read(path, sl_lab_find("01", NULL), s, &e)) fail_msg("%s", e.text);
  unlink(path);
}

// The original with [from] replaced by [to] has the edits [lines]; NULL: none.
static void expect_edits(const char *from, const char *to, const char *lines) {
  const char *at = strstr(original, from);
  assert_non_null(at);
  SL_FREED char *text = sl_path("%.*s%s%s", (int)(at - original), original, to, at + strlen(from));
  SL_SKELETON was, is;
  read_text(original, &was);
  read_text(text, &is);
  SL_FREED char *found = sl_skeleton_edits(&is, &was);
  if (!lines) assert_null(found);
  else assert_string_equal(found ? found : "none", lines);
}

TEST(work_in_regions_is_no_edit) {
  expect_edits("  SL_TODO(\"lab01.1\");\n", "  a();\n\n  b();\n", NULL);
  expect_edits("  SL_TODO(\"lab01.1\");\n", "", NULL);
}

TEST(blanks_are_no_edit) {
  expect_edits("// Lab 01\n", "\n// Lab 01 \t\n\n", NULL);
  expect_edits("  g();\n", "  g();\r\n", NULL);
}

// Editors of Windows: a mark in front, and two characters at the end of each line.
TEST(other_ends_of_lines_are_no_edit) {
  expect_edits("// Lab 01\n", "\xEF\xBB\xBF// Lab 01\r\n", NULL);
  expect_edits("  // TODO(lab01.1, ~1 line): x\n", "  // TODO(lab01.1, ~1 line): x\r\n", NULL);
  SL_SKELETON s;
  read_text("// TODO(lab01.1, ~1 line): what to do\r\nx();\r\n// END TODO(lab01.1)\r\n", &s);
  assert_string_equal(s.at[0].text, "what to do");
}

TEST(added_lines) {
  expect_edits("// Lab 01\n", "// mine\n// Lab 01\n", "1");
  expect_edits("void f() {\n", "int a;\n\nint b;\nvoid f() {\n", "9-11");
  expect_edits("  g();\n}\n", "  g();\n}\nint a;\n", "12");
}

TEST(replaced_lines) {
  expect_edits("  g();\n", "  h();\n", "10");
  expect_edits("  g();\n", "  h();\n  i();\n", "10-11");
  expect_edits("~1 line): x", "~2 lines): y", "5");
}

TEST(lines_that_are_gone_count_for_the_next) {
  expect_edits("// Lab 01\n", "", "1");
  expect_edits("  g();\n", "", "10");
  expect_edits("void f() {\n  g();\n}\n", "", "8");
}

TEST(several_places) {
  expect_edits(
      "k() {\n  // TODO(lab01.1, ~1 line): x\n  SL_TODO(\"lab01.1\");\n  // END TODO(lab01.1)\n}\nvoid f",
      "q() {\n  // TODO(lab01.1, ~1 line): x\n  a();\n  b();\n  // END TODO(lab01.1)\n}\nint p;\nvoid h",
      "4, 10-11");
}
