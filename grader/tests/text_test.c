// Hostile names and messages in every place where they are shown.
#include "util.h"

#include "compile/build.h"

typedef struct row {
  const char *in, *safe, *file, *html;
} row;

static const row rows[] = {
    {"alice", "alice", "alice", "alice"},
    {"", "", "%", ""},
    {"..", "..", "%2E.", ".."},
    {".hidden", ".hidden", "%2Ehidden", ".hidden"},
    {"a/b", "a/b", "a%2Fb", "a/b"},
    {"a\x1b[31m.cu", "a\\x1B[31m.cu", "a%1B%5B31m.cu", "a\\x1B[31m.cu"},
    {"=HYPERLINK(\"x\"),\"y", "=HYPERLINK(\"x\"),\"y", "%3DHYPERLINK%28%22x%22%29%2C%22y",
     "=HYPERLINK(&quot;x&quot;),&quot;y"},
    {"<img src=x onerror='a()'>&", "<img src=x onerror='a()'>&",
     "%3Cimg%20src%3Dx%20onerror%3D%27a%28%29%27%3E%26", "&lt;img src=x onerror=&#39;a()&#39;&gt;&amp;"},
    {"line\nbreak\t", "line\\x0Abreak\\x09", "line%0Abreak%09", "line\\x0Abreak\\x09"},
    {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9", "%C3%A9t%C3%A9", "\xc3\xa9t\xc3\xa9"},
    {"bad\xff\xc3", "bad\\xFF\\xC3", "bad%FF%C3", "bad\\xFF\\xC3"},
    {"\xc2\x9b"
     "2J",
     "\\xC2\\x9B2J", "%C2%9B2J", "\\xC2\\x9B2J"}, // a C1 control: terminals obey it
};

static char *html(const char *s) {
  char *text = NULL;
  FILE *f = sl_text_stream(&text);
  sl__html(f, s);
  fclose(f);
  return text;
}

TEST(names_are_harmless) {
  ARENA a = sl__arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    SL_FREED char *page = html(sl__safe(a, rows[i].in));
    assert_string_equal(sl__safe(a, rows[i].in), rows[i].safe);
    assert_string_equal(sl__safe_name(a, rows[i].in), rows[i].file);
    assert_string_equal(page, rows[i].html);
  }
}

// Tables stand straight whatever alphabet a name is written in.
TEST(columns_are_those_of_a_terminal) {
  size_t bytes;
  assert_int_equal(sl__columns("abc", SIZE_MAX, NULL), 3);
  assert_int_equal(sl__columns("M\xc3\xbcller", SIZE_MAX, &bytes), 6);
  assert_int_equal(bytes, 7);
  assert_int_equal(sl__columns("\xe7\x8e\x8b\xe5\xb0\x8f", SIZE_MAX, NULL), 4); // two wide characters
  assert_int_equal(sl__columns("\xe7\x8e\x8b\xe5\xb0\x8f", 3, &bytes), 2);      // the second does not fit
  assert_int_equal(bytes, 3);
  assert_int_equal(sl__columns("e\xcc\x81", SIZE_MAX, NULL), 1); // an accent of its own takes none
}

TEST(long_names_stay_short_and_different) {
  ARENA a = sl__arena_new();
  char one[300], two[300];
  memset(one, 'x', 299);
  one[299] = 0;
  strcpy(two, one);
  two[298] = 'y';
  assert_true(strlen(sl__safe_name(a, one)) <= 100);
  assert_string_not_equal(sl__safe_name(a, one), sl__safe_name(a, two));
}

TEST(points_are_short) {
  ARENA a = sl__arena_new();
  const struct {
    double v;
    const char *s;
  } p[] = {{0, "0"}, {100, "100"}, {2.5, "2.5"}, {70.0 / 3, "23.33"}, {600, "600"}};
  for (size_t i = 0; i < sizeof p / sizeof *p; i++) assert_string_equal(sl__points(a, p[i].v), p[i].s);
}

// CMake itself reads each argument back.
TEST(cmake_reads_its_arguments_back) {
  static const char *const odd[] = {"plain",      "a b",           "a;b", "${HOME}", "$ENV{PATH}",
                                    "\"quoted\"", "back\\slash\\", "]=]", "]==]=]",  "ends]",
                                    "ends]=",     "#no comment",   "(x)", "\nfirst", "last\n",
                                    "cr\r\nlf",   "@x@",           ""};
  ARENA a = sl__arena_new();
  test_make_dir();
  char *script =
      sl__str(a, "function(show v)\n  string(HEX \"${v}\" h)\n  message(\"hex:${h}:\")\nendfunction()\n");
  size_t n = sizeof odd / sizeof *odd;
  for (size_t i = 0; i < n; i++) script = sl__str(a, "%sshow(%s)\n", script, sl__cmake_arg(a, odd[i]));
  test_write("args.cmake", script);
  char *argv[] = {"cmake", "-P", sl__str(a, "%s/args.cmake", test_dir), NULL}, *out = NULL;
  sl_error e = {0};
  if (sl_run(argv, NULL, 60, 1 << 20, &out, &e).code != 0) fail_msg("cmake: %s", out);
  const char *at = out;
  for (size_t i = 0; i < n; i++) {
    char hex[128] = "";
    for (const char *c = odd[i]; *c; c++) sprintf(hex + strlen(hex), "%02x", (unsigned char)*c);
    at = strstr(at, "hex:");
    assert_non_null(at);
    at += 4;
    if (strncmp(at, hex, strlen(hex)) != 0 || at[strlen(hex)] != ':')
      fail_msg("argument %zu came back as %.60s", i, at);
  }
  free(out);
  test_clean();
}

TEST(first_compiler_message) {
  static const struct {
    const char *log, *first;
  } logs[] = {
      {"kernel.cu(3): warning: x\n\nkernel.cu(12): error: expected a \";\"\n  more\n",
       "kernel.cu(12): error: expected a \";\""},
      {"kernel.cu(9): warning #177-D: unused\n  static cudaError_t f() {\n\nptxas fatal   : no such "
       "function\n",
       "ptxas fatal   : no such function"},
      {"k.cu:1:10: fatal error: x.h: No such file\n", "k.cu:1:10: fatal error: x.h: No such file"},
      {"k.cu(2): warning #177-D: unused\n      printf(\"error: %d\", x);\n\nk.cu(9): error: y\n",
       "k.cu(9): error: y"},
      {"k.cu:1:2: warning: #warning error: none\n    1 | #warning error: none\nk.cu(9): error: y\n",
       "k.cu(9): error: y"},
      {"k.cu(9): error: no warning: y\n", "k.cu(9): error: no warning: y"},
      {"  return std::error::none;\nk.cu(2): error #20: x is undefined\n",
       "k.cu(2): error #20: x is undefined"},
      {"k.o: undefined reference to `entry'\n", "there is no definition of entry"},
      {"/usr/bin/ld: a.o: in function `main':\na.c: multiple definition of `main'; k.o: first defined here\n"
       "collect2: error: ld returned 1 exit status\n",
       "main has a definition in the course already: it needs another name"},
      {"something\nelse", NULL},
      {"", NULL},
  };
  for (size_t k = 0; k < sizeof logs / sizeof *logs; k++) {
    SL_FREED char *line = sl_first_error(logs[k].log);
    if (logs[k].first) assert_string_equal(line, logs[k].first);
    else assert_null(line);
  }
}
