// What is told of a file that does not build: the compiler's words, and the file that they are about.
#include "base/unit.h"
#include "tools/student/student.h"

static const char file[] = "labs/05_arbitrary_size/kernel.cu";

static char *told(const char *log, const char *source, unsigned line) {
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  assert_non_null(f);
  assert_int_equal(sl__said(f, log, file, source), line);
  fclose(f);
  size_t n = 0;
  for (size_t k = 0; k < len; k++) // broken lines are one
    if (!strchr(" \n", text[k]) || (n && text[n - 1] != ' ')) text[n++] = text[k] == '\n' ? ' ' : text[k];
  text[n] = 0;
  return text;
}

static void holds(const char *text, const char *words) {
  if (!strstr(text, words)) fail_msg("no \"%s\" in\n%s", words, text);
}

// An error at line 2, which is [line], in the log as the compiler shows that line.
static void says(const char *error, const char *shown, const char *line, const char *words) {
  SL_FREED char *log = sl_path("kernel.cu(2): error: %s\n%s\n", error, shown),
                *source = sl_path("template <class Op> int f();\n%s\n", line), *text = told(log, source, 2);
  holds(text, words);
}

#define NO_INSTANCE "no instance of function template \"launch\" matches the argument list"
#define FOR(OP)                                                                                              \
  "kernel.cu(2): error: " NO_INSTANCE "\n            argument types are: (" OP " *, T *)\n"                  \
  "    launch(sums, n);\n    ^\nkernel.cu(1): note #3327-D: candidate function template failed deduction\n"  \
  "          detected during:\n            instantiation of \"int f<Op>() [with Op=Add<" OP                  \
  ">]\" at line 9\n\n"

TEST(what_the_linker_misses_or_has_twice_is_named) {
  static const char log[] = "/usr/bin/ld: lib/sl_runner_05.o: in function `main':\n"
                            "runner_main.c:(.text.startup+0x162): undefined reference to `lab05_scan'\n"
                            "collect2: error: ld returned 1 exit status\n";
  SL_FREED char *text = NULL;
  FILE *f = sl_text_stream(&text);
  assert_true(sl__unlinked(f, log, file));
  assert_true(sl__unlinked(
      f, "runner_main.c:(.text.startup+0x0): multiple definition of `main'; kernel.o: first defined here\n",
      file));
  assert_false(sl__unlinked(f, "", file));
  fclose(f);
  holds(text, "kernel.cu: error: lab05_scan is called");
  holds(text, "kernel.cu: error: main is defined here");
}

TEST(an_error_of_several_types_is_told_once) {
  SL_FREED char *text = told(FOR("float") FOR("uint32_t") FOR("int"), "\n  launch(sums, n);\n", 2);
  holds(text, file);
  holds(text, ":2:3: error: no instance of function");
  holds(text, "(told 3 times)");
  holds(text, "do launch is a template: the call says for what, as in launch<Op>");
  assert_null(strstr(strstr(text, "error:") + 1, "error:"));
}

TEST(errors_at_two_places_are_two) {
  SL_FREED char *text = told("kernel.cu(1): error: identifier \"a\" is undefined\n  a + b;\n  ^\n\n"
                             "kernel.cu(1): error: identifier \"b\" is undefined\n  a + b;\n      ^\n\n",
                             "a + b;\n", 1);
  holds(text, ":1:1: error: identifier \"a\"");
  holds(text, ":1:5: error: identifier \"b\"");
}

TEST(arguments_of_the_wrong_types_are_no_missing_operator) {
  SL_FREED char *text =
      told("kernel.cu(2): error: " NO_INSTANCE "\n  launch<Op>(n);\n  ^\n", "\nlaunch<Op>(n);\n", 2);
  assert_null(strstr(text, "as in launch<Op>"));
  says(NO_INSTANCE, "  launch<<<1, n>>>(n);\n  ^", "launch<<<1, n>>>(n);", "as in launch<Op>");
}

TEST(the_column_is_that_of_the_students_line) {
  says("identifier \"cudaMaloc\" is undefined",
       "    do { cudaError_t sl_cuda_error_ = (cudaMaloc((void **)&sums, n)); if (sl_cuda_error_) return 1; "
       "} while (0);\n"
       "                                       ^",
       "  SL_CUDA(cudaMaloc((void **)&sums, n));", ":2:11: error: identifier");
  says("identifier \"cudaMaloc\" is undefined", "  (cudaMaloc(x));\n   ^", "SL_CUDA(cudaMaloc(x));",
       "did you mean cudaMalloc?");
}

TEST(what_lacks_stands_behind_the_statement_before) {
  SL_FREED char *text =
      told("kernel.cu(4): error: expected a \";\"\n    f();\n    ^\n", "{\n  a = 1 // one\n\n  f();\n}\n", 2);
  holds(text, ":2:8: error: expected a \";\"");
  SL_FREED char *same =
      told("kernel.cu(2): error: expected a \";\"\n  a := 1;\n    ^\n", "{\na := 1;\n}\n", 2);
  holds(same, ":2:3: error: expected a \";\"");
}

TEST(a_brace_that_lacks_is_found_by_the_indent) {
  SL_FREED char *text =
      told("kernel.cu(6): error: linkage specification is not allowed\n  extern \"C\" int f();\n  ^\n",
           "void g() {\n  for (;;) {\n    h(\"{\"); // {\n\n}\nextern \"C\" int f();\n", 6);
  holds(text, "do the { in line 2 has no }");
}

TEST(a_type_of_a_parameter_needs_typename) {
  says("nontype \"Op::T\" is not a type name", "  typedef Op::T T;\n          ^", "typedef Op::T T;",
       "write typename Op::T");
  says("incomplete type \"void\" is not allowed", "  void f(Op::T *s)\n         ^",
       "void f(Op::T *s, typename Op::T x)", "write typename Op::T");
}

TEST(what_to_do_stands_below) {
  static const struct {
    const char *error, *line, *words;
  } rows[] = {
      {"a __global__ function call must be configured", "k(d, n);", "name<<<blocks, threads>>>(..)"},
      {"expression must have integral or unscoped enum type", "k<<1, n>>(d, n);",
       "name<<<blocks, threads>>>(..)"},
      {"a host function call cannot be configured", "k<<<1, n>>>(d, n);", "begins with __global__ void"},
      {"no suitable conversion function from \"const uint3\" to \"const int\" exists", "int t = threadIdx;",
       "write .x"},
      {"no instance of overloaded function \"atomicAdd\" matches the argument list", "atomicAdd(n, 1);",
       "atomicAdd(&place, value)"},
      {"a value of type \"const float *\" cannot be assigned to an entity of type \"float\"", "s[t] = d;",
       "[index] picks the value"},
      {"a value of type \"float\" cannot be used to initialize an entity of type \"float *\"",
       "float *p = d[0];", "& takes an address"},
      {"a value of type \"const float *\" cannot be used to initialize an entity of type \"float *\"",
       "float *p = d;", "declare the new pointer const"},
      {"incomplete type \"float []\" is not allowed", "__shared__ float s[];", "extern __shared__"},
      {"identifier \"syncthreads\" is undefined", "syncthreads();", "did you mean __syncthreads?"},
      {"identifier \"blockidx\" is undefined", "blockidx.x;", "did you mean blockIdx?"},
      {"a variable length array cannot have static storage duration", "__shared__ float s[n];",
       "with [] and without"},
      {"return value type does not match the function type", "return 0;", "has return; alone"},
      {"identifier \"assert\" is undefined", "assert(n > 0);", "#include <assert.h>"},
      {"expected an expression", "<<<<<<< HEAD", "git has left two versions"},
      {"expected a declaration", "<<<<<<< HEAD", "git has left two versions"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    says(rows[k].error, "", rows[k].line, rows[k].words);
}

TEST(a_name_of_another_scope_is_found) {
  static const char *const logs[] = {
      "kernel.cu(3): error: identifier \"left\" is undefined\n  s = left;\n      ^\n"};
  SL_FREED char *above = told(logs[0], "if (t)\n  float left = 1;\n  s = left;\n", 3),
                *below = told(logs[0], "\n\n  s = left;\n float *left;\n", 3),
                *nowhere = told(logs[0], "x = left;\nreturn left;\n  s = left;\n", 3);
  holds(above, "line 2 declares it, but only for");
  holds(below, "it is declared in line 4, below");
  assert_null(strstr(nowhere, "declare"));
}

TEST(a_call_of_the_host_is_told_once) {
  SL_FREED char *text = told("kernel.cu(1): error: calling a __host__ function(\"cudaMemcpy\") from a "
                             "__global__ function(\"k\") is not allowed\n\n"
                             "kernel.cu(1): error: identifier \"cudaMemcpy\" is undefined in device code\n\n",
                             "  cudaMemcpy(a, b, n, c);\n", 1);
  holds(text, "do cudaMemcpy runs on the host");
  assert_null(strstr(text, "undefined"));
}

// A dash or a blank that was copied from a page is no quote.
TEST(characters_of_pages) {
  SL_FREED char *text =
      told("kernel.cu:1:7: error: extended character \xE2\x80\x93 is not valid in an identifier\n",
           "a = b \xE2\x80\x93 1;\n", 1);
  holds(text, "though it looks like one");
  assert_null(strstr(text, "quotes"));
}

TEST(of_many_errors_the_first_are_told) {
  SL_FREED char *log = sl_path("%s", "");
  for (int k = 1; k < 9; k++) {
    char *longer = sl_path("%skernel.cu(%d): error: expected a declaration\n  }\n  ^\n\n", log, k);
    free(log);
    log = longer;
  }
  SL_FREED char *text = told(log, "}\n}\n}\n}\n}\n}\n}\n}\n}\n", 1);
  holds(text, "(+5 more errors)");
}

TEST(what_the_host_compiler_says_has_a_column) {
  SL_FREED char *text = told("kernel.cu:2:10: fatal error: stdio: No such file or directory\n    2 | "
                             "#include <stdio>\n      |          ^~~~~~~\n",
                             "\n#include <stdio>\n", 2);
  holds(text, ":2:10: error: stdio: No such file");
}

TEST(what_is_of_no_line_is_left_to_others) {
  static const char *const logs[] = {"",
                                     "ptxas error : too much shared data\n",
                                     "other.cu(3): error: x\n",
                                     "kernel.cu(3): warning #1: x\n",
                                     "kernel.cu(",
                                     "kernel.cu(3): error",
                                     "kernel.cu(3): error:"};
  for (size_t k = 0; k < sizeof logs / sizeof *logs; k++) {
    SL_FREED char *text = told(logs[k], "a\n", 0);
    assert_string_equal(text, "");
  }
  SL_FREED char *beyond =
      told("kernel.cu(99): error: x\n  y\n  ^\n", "a\n", 99); // a line that the file does not have
  holds(beyond, ":99:1: error: x");
}
