// Tests of the sandbox: what a student's program and a compiler can open, and what limits a compilation has.
//
// One folder stands for the grader's: with canary files that must stay as they are and whose text must turn
// up nowhere. Run as root and as an ordinary user: both must hold.

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include "base/unit.h"
#include "compile/build.h"
#include "judge/judge.h"
#include "jail/sandbox.h"

#define CANARY "canary-5fd1c3"

static char *dir, *cache, *canary; // the grader's folder, the cache in it, a file of its

static void write_text(const char *path, const char *text) {
  sl_error e = {0};
  if (!sl_write_file(path, text, strlen(text), &e)) fail_msg("%s", e.text);
}

static int set_up(void **) {
  char template[] = "/tmp/scanlab-sandbox-XXXXXX";
  if (!mkdtemp(template)) return -1;
  dir = sl_path("%s", template);
  cache = sl_path("%s/cache", dir);
  canary = sl_path("%s/probe-file", dir);
  write_text(canary, CANARY);
  return 0;
}

static int tear_down(void **) {
  sl_run(SL_ARGV("rm", "-rf", dir), NULL, 20, 0, NULL, NULL);
  free(dir);
  free(cache);
  free(canary);
  return 0;
}

// Builds [text] as lab 03. Returns the runner, or NULL with *[log] and [e].
static char *build(const char *text, double seconds, char **log, sl_error *e) {
  SL_FREED char *path = sl_path("%s/attack.cu", dir);
  char *runner;
  sl_build_config config = {.cache = cache, .timeout = seconds};
  write_text(path, text);
  sl_build_runner("03", path, &config, &runner, log, e);
  return runner;
}

// Programs --------------------------------------------------------------------------------------------------

static void judge_n(sl_verdict *v, const char *runner, uint64_t n) {
  sl_error e = {0};
  sl_case c;
  sl_case_init(&c, sl_lab_find("03", &e));
  c.n = n;
  c.timeout = 20;
  sl_judge_job job = {.lab = sl_lab_find("03", &e),
                      .c = &c,
                      .kind = SL_PART_CORRECT,
                      .runner = runner,
                      .backend = SL_BACKEND_SIM};
  sl_judge(&job, v);
}

static const char *chosen; // SCANLAB_SANDBOX at the start, or NULL

static void choose(const char *sandbox) {
  if (sandbox) setenv("SCANLAB_SANDBOX", sandbox, 1);
  else unsetenv("SCANLAB_SANDBOX");
}

static char *probe_source(void) {
  sl_error e = {0};
  SL_FREED char *file = sl_path("%s/probes.cu", SL_TEST_FOLDER),
                *body = sl_read_file(file, 1 << 20, NULL, &e);
  if (!body) fail_msg("%s", e.text);
  const char *home = getenv("HOME") && strcmp(getenv("HOME"), "/") ? getenv("HOME") : "/root";
  char *text = sl_path(
      "static const char *const reads[] = {\"%s\", \"%s/" SL_OTHER_KERNEL "\", "
      "\"%s/labs/03_blelloch/lab.json\", \"/etc/passwd\", \"/etc/shadow\", \"/etc/hostname\", 0};\n"
      "static const char *const folders[] = {\"/\", \"%s\", \"%s\", \"%s\", \"%s\", \"/tmp\", \"/etc\", "
      "\"/usr\", \"/home\", \"/var\", 0};\n"
      "static const char *const writes[] = {\"%s\", \"%s\", \"%s/bin\", \"/tmp\", \"/dev/shm\", \"/dev\", "
      "\"/var/tmp\", \"/run\", 0};\n#line 1 \"probes.cu\"\n%s",
      canary, SL_SOURCE_FOLDER, SL_SOURCE_FOLDER, dir, cache, SL_SOURCE_FOLDER, home, dir, cache,
      SL_BUILD_FOLDER, body);
  return text;
}

static void assert_canary_kept(void) {
  struct stat st;
  SL_FREED char *text = sl_read_file(canary, 1000, NULL, NULL);
  assert_non_null(text);
  assert_string_equal(text, CANARY);
  assert_int_equal(stat(canary, &st), 0);
  assert_int_not_equal(st.st_mode & 0777, 0777);
}

// bubblewrap shows empty folders, and the names of its first process and of the program's keeper.
static void forget_empty_tree(char *said) {
  static const char *const harmless[] = {"OPEN: list ", "OPEN: read /proc/1/cmdline",
                                         "OPEN: read /proc/2/cmdline"};
  for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
    for (char *at; (at = strstr(said, harmless[k])) != NULL;) memcpy(at, "seen", 4);
}

TEST(programs_can_open_nothing_of_the_graders) {
  if (sl_sandbox_find() == SL_SANDBOX_NONE) skip();
  SL_FREED char *text = probe_source(), *log = NULL;
  sl_error e = {0};
  SL_VERDICT v = {0};
  SL_FREED char *runner = build(text, 0, &log, &e);
  if (!runner) fail_msg("%s\n%s", e.text, log);
  judge_n(&v, runner, 1000);
  if (v.status != SL_PASS) fail_msg("%s\n%s", v.message, v.detail ? v.detail : "");
  assert_non_null(v.detail);
  bool mounts = sl_sandbox_find() == SL_SANDBOX_BUBBLEWRAP;
  if (mounts) forget_empty_tree(v.detail);
  if (strstr(v.detail, "OPEN:") || !strstr(v.detail, "probed 1")) fail_msg("not refused:\n%s", v.detail);
  const char *name = mounts ? "bubblewrap" : "landlock";
  assert_true(!strncmp(v.sandbox, name, strlen(name)));
  assert_canary_kept();
}

// The same program without the sandbox must get somewhere: else the test above would show nothing.
TEST(probes_see_what_is_open) {
  SL_FREED char *text = probe_source(), *log = NULL;
  sl_error e = {0};
  SL_VERDICT v = {0};
  SL_FREED char *runner = build(text, 0, &log, &e);
  assert_non_null(runner);
  choose("off");
  judge_n(&v, runner, 1000);
  setenv("SCANLAB_REQUIRE_SANDBOX", "1", 1);
  SL_VERDICT required = {0};
  judge_n(&required, runner, 5);
  choose(chosen);
  unsetenv("SCANLAB_REQUIRE_SANDBOX");
  assert_string_equal(v.sandbox, "none");
  assert_non_null(v.detail);
  assert_non_null(strstr(v.detail, "OPEN: read /etc/passwd"));
  assert_non_null(strstr(v.detail, "OPEN: create /tmp/probe-made"));
  assert_int_equal(required.status, SL_ERROR);
  assert_non_null(strstr(required.message, "there is no sandbox"));
  unlink("/tmp/probe-made");
  unlink("/dev/shm/probe-made");
  unlink("/dev/shm/probe-shm");
  unlink("/var/tmp/probe-made");
  unlink("/run/probe-made");
  unlink("/dev/probe-made");
  SL_FREED char *made = sl_path("%s/bin/probe-made", SL_BUILD_FOLDER);
  unlink(made);
  write_text(canary, CANARY);
}

// SCANLAB_SANDBOX=off changes nothing of the verdict.
TEST(programs_run_without_a_sandbox) {
  sl_error e = {0};
  SL_FREED char *log = NULL,
                *runner = build(
                    "#include \"scanlab/lab.h\"\n"
                    "cudaError_t lab03_blelloch_scan(const float *, float *, int) { return cudaSuccess; }\n",
                    0, &log, &e);
  assert_non_null(runner);
  for (int off = 0; off < 2; off++) {
    for (int n = 0; n < 2; n++) {
      SL_VERDICT v = {0};
      if (off) choose("off");
      judge_n(&v, runner, (uint64_t)n);
      choose(chosen);
      assert_int_equal(v.status, n ? SL_FAIL : SL_PASS); // it writes nothing, which is right for n = 0 alone
    }
  }
}

// Compilations ----------------------------------------------------------------------------------------------

#define ENTRY "\ncudaError_t lab03_blelloch_scan(const float *, float *, int) { return cudaSuccess; }\n"

// Seconds of processor time that ended children have had.
static double used(void) {
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return sl_used_seconds(&u);
}

// The source must not compile, for a reason that has [phrase], within [seconds] of processor time.
static void expect_refused(const char *text, double limit, const char *phrase, double seconds) {
  sl_error e = {0};
  SL_FREED char *log = NULL, *whole = sl_path("#include \"scanlab/lab.h\"\n%s" ENTRY, text);
  double begin = used();
  char *runner = build(whole, limit, &log, &e);
  if (runner) fail_msg("it compiled: %.200s", text);
  bool busy = e.code == SL_EXIT_INFRA && strstr(e.text, "too busy"); // it has said nothing of the source
  if (!busy && (e.code != SL_EXIT_INPUT || !strstr(e.text, phrase)))
    fail_msg("expected \"%s\", got %d: %s\n%.2000s", phrase, e.code, e.text, log);
  assert_null(strstr(log, CANARY));
  assert_null(strstr(e.text, CANARY));
  assert_null(strstr(log, "root:"));
  assert_true(strlen(log) < (64 << 10) + 200);
  assert_true(used() - begin < seconds);
}

// What the compiler says of a file that the sandbox keeps from it.
static const char *unopened(void) {
  return sl_sandbox_find() == SL_SANDBOX_LANDLOCK ? "ermission denied" : "fatal error: ";
}

TEST(sources_cannot_include_other_files) {
  if (sl_sandbox_find() == SL_SANDBOX_NONE) skip();
  static const char *const paths[] = {"/etc/passwd",
                                      SL_SOURCE_FOLDER "/" SL_OTHER_KERNEL,
                                      SL_SOURCE_FOLDER "/labs/03_blelloch/lab.json",
                                      "/dev/zero",
                                      "/proc/self/environ",
                                      "../../probe-file"};
  for (size_t k = 0; k <= sizeof paths / sizeof *paths; k++) {
    bool own = k && strstr(paths[k - 1], "/proc/self") && sl_sandbox_find() == SL_SANDBOX_BUBBLEWRAP;
    if (own) continue; // bubblewrap's compiler has an environment without the grader's variables
    SL_FREED char *text = sl_path("#include \"%s\"", k ? paths[k - 1] : canary);
    expect_refused(text, 30, k && strstr(paths[k - 1], "/proc/self") ? "environ" : unopened(), 30);
  }
  SL_FREED char *asked =
      sl_path("#if __has_include(\"%s\")\n#error seen\n#else\n#error unseen\n#endif", canary);
  expect_refused(asked, 30, sl_sandbox_find() == SL_SANDBOX_LANDLOCK ? unopened() : "unseen", 30);
}

TEST(assemblers_cannot_include_other_files) {
  if (sl_sandbox_find() == SL_SANDBOX_NONE) skip();
  SL_FREED char *own = sl_path("asm(\".incbin \\\"%s\\\"\");", canary);
  expect_refused(own, 30, "ile not found", 30);
  expect_refused("asm(\".incbin \\\"/etc/passwd\\\"\");", 30, "ile not found", 30);
}

TEST(compilations_end) {
  expect_refused(
      "template <int N, int M> struct F { static constexpr long v = F<N-1, 2*M>::v + F<N-1, 2*M+1>::v; };\n"
      "template <int M> struct F<0, M> { static constexpr long v = M; };\nlong x = F<26, 1>::v;",
      3, "more than 3 s of processor time", 40);
  expect_refused("char a[4ull << 30] = {1};\nchar *use() { return a; }", 60, "more than 64 MiB", 60);
  expect_refused("static char a[4ull << 30];\nchar *use() { return a; }", 60, "more than 2 GiB", 60);
}

// What a build says whose compiler is this script, which may take half a second of processor time.
static void build_by_script(const char *script, sl_error *e) {
  SL_FREED char *folder = sl_path("%s/slow", dir), *nvcc = sl_path("%s/slow/nvcc", dir),
                *kernel = sl_path("%s/attack.cu", dir), *runner = NULL, *log = NULL;
  sl_build_config config = {.cache = cache, .timeout = 0.5, .nvcc = nvcc};
  assert_true(sl_mkdirs(folder, e));
  write_text(nvcc, script);
  assert_int_equal(chmod(nvcc, 0700), 0);
  write_text(kernel, ENTRY);
  assert_false(sl_build_runner("03", kernel, &config, &runner, &log, e));
}

#define COMPUTES "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; "

// A compiler that gets no processor: one that is stopped stands for it. It is no fault of the source.
TEST(busy_machines_are_no_fault) {
  sl_error e = {0};
  build_by_script("#!/bin/sh\n" COMPUTES "kill -STOP $$\n", &e);
  if (e.code != SL_EXIT_INFRA || !strstr(e.text, "the machine is too busy"))
    fail_msg("%d: %s", e.code, e.text);
}

// One that gets some goes on, and is not begun anew after five seconds: what it had would be lost. The script
// runs twice, as it is asked for its plan first.
TEST(slow_machines_have_time) {
  sl_error e = {0};
  build_by_script(
      "#!/bin/sh\n(sleep 3.5; kill -CONT $$) &\nkill -STOP $$\necho 'attack.cu(1): error: none'\nexit 2\n",
      &e);
  if (e.code != SL_EXIT_INPUT || !strstr(e.text, "attack.cu(1): error: none"))
    fail_msg("%d: %s", e.code, e.text);
}

// A source may take processor time, but has nothing to wait for: that would cost ten times as long.
TEST(sources_do_not_wait) {
  sl_error e = {0};
  double begin = sl_now();
  build_by_script("#!/bin/sh\n" COMPUTES "exec sleep 30\n", &e);
  if (e.code != SL_EXIT_INPUT || !strstr(e.text, "makes the compiler wait"))
    fail_msg("%d: %s", e.code, e.text);
  assert_true(sl_now() - begin < 20);
}

// The time counts that all steps take together, those that have ended among them.
TEST(processor_time_is_counted) {
  sl_error e = {0};
  build_by_script("#!/bin/sh\nwhile :; do (" COMPUTES "); done\n", &e);
  if (e.code == SL_EXIT_INFRA && strstr(e.text, "too busy")) skip(); // it did not get half a second in five
  if (e.code != SL_EXIT_INPUT || !strstr(e.text, "more than 0.5 s of processor time"))
    fail_msg("%d: %s", e.code, e.text);
}

// Between the look at a file and its compilation it can be exchanged.
TEST(changed_sources_are_not_built) {
  SL_FREED char *kernel = sl_path("%s/attack.cu", dir), *runner = NULL, *log = NULL;
  sl_error e = {0};
  sl_build_config config = {
      .cache = cache, .hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" /* "" */};
  write_text(kernel, ENTRY);
  assert_false(sl_build_runner("03", kernel, &config, &runner, &log, &e));
  assert_int_equal(e.code, SL_EXIT_INFRA);
  assert_non_null(strstr(e.text, "has changed while it was graded"));
}

TEST(logs_are_cut) {
  char name[4001] = {0};
  memset(name, 'a', sizeof name - 1);
  char *text = sl_path("%s", "");
  for (int k = 0; k < 60; k++) {
    char *more = sl_path("%sint f%d() { return %s%d; }\n", text, k, name, k);
    free(text);
    text = more;
  }
  expect_refused(text, 60, "error", 60);
  free(text);
}

TEST(folders_of_builds_go) {
  SL_FREED char *out = NULL;
  sl_run(SL_ARGV("find", cache, "-name", "tmp.*"), NULL, 20, 4096, &out, NULL);
  assert_string_equal(out, "");
}

// As a real GPU's driver is let: [needs] as in SCANLAB_GPU_NEEDS. What the probe said, malloc'ed.
static char *probe_gpu_jail(const char *needs) {
  sl_error e = {0};
  sl_command c;
  sl_child child;
  int pair[2], end;
  SL_FREED char *probe = sl_path("%s/bin/jail_probe", SL_BUILD_FOLDER);
  char *said = calloc(1, 4096), *env[] = {"LD_LIBRARY_PATH=/nowhere", NULL};
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  if (needs) setenv("SCANLAB_GPU_NEEDS", needs, 1);
  sl_command_begin(&c);
  sl_command_add(&c, "run");
  sl_command_add(&c, "%d", pair[1]);
  sl_command_words(&c, SL_WORDS("5", "0"));
  sl_sandbox_gpu_needs(&c);
  sl_sandbox_program(&c, probe, env, true);
  sl_command_words(&c, SL_WORDS("--", probe));
  unsetenv("SCANLAB_GPU_NEEDS");
  int keep[] = {pair[1], -1};
  sl_process jail = {c.argv, env, "/", keep, SL_STDIO_CAPTURE};
  if (!sl_spawn(&child, &jail, &e)) fail_msg("%s", e.text);
  for (size_t have = 0; have < 4000 && (end = (int)read(child.out, said + have, 4000 - have)) > 0;)
    have += (size_t)end;
  sl_wait(&child, 5);
  sl_command_end(&c);
  close(pair[0]), close(pair[1]);
  return said;
}

TEST(programs_on_a_gpu_reach_no_service) {
  if (sl_sandbox_find() == SL_SANDBOX_NONE) skip();
  SL_FREED char *said = probe_gpu_jail(NULL);
  static const char all[] = "a socket allowed\nconnecting refused\na datagram socket refused\nthe network "
                            "refused\nshared memory refused\n"
                            "/dev/shm refused\na process refused\n";
  assert_string_equal(said, all);
  SL_FREED char *asked = probe_gpu_jail("sockets,shared,processes"); // where a driver asks for it
  static const char more[] = "a socket allowed\nconnecting allowed\na datagram socket allowed\nthe network "
                             "refused\nshared memory allowed\n"
                             "/dev/shm allowed\na process allowed\n";
  assert_string_equal(asked, more);
  unlink("/dev/shm/scanlab_probe");
}

int main(void) {
  prctl(PR_SET_DUMPABLE, 0); // as sl-judge does
  chosen = getenv("SCANLAB_SANDBOX");
  int failed = RUN_TESTS(set_up, tear_down);
  prctl(PR_SET_DUMPABLE, 1); // for leak checkers
  return failed;
}
