// scanlab doctor: is this machine fit for the course? One line a thing: ok, missing or note, and what to do.
//
// Exit codes: 0 everything that is needed is there, 4 something is missing. A GPU, gnuplot and the sandbox
// are not needed to do the labs: without them a line says "note".
#include "student.h"

#include <dlfcn.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include "jail/sandbox.h"

enum { COMMAND_SECONDS = 90, OUTPUT_CAP = 64 << 10, MIN_DISK_MB = 2048, MIN_MEMORY_MB = 1024 };

static int missing;

static void line(const char *state, const char *what, const char *text, const char *advice) {
  char head[32];
  snprintf(head, sizeof head, "%-8s %-10s ", state, what);
  sl__wrap(stdout, head, "                    ", text);
  if (strcmp(state, "ok") != 0 && advice) {
    SL_FREED char *words = sl_path("%s", advice);
    sl__wrap(stdout, "                    -> ", "                       ", sl_as_called(words));
  }
  if (!strcmp(state, "missing")) missing++;
}

// The first line that [argv] prints and that holds [word]; NULL: it does not run or fails. malloc'ed.
static char *first_line(const char *const *argv, const char *word) {
  SL_FREED char *out = NULL;
  sl_error e = {0};
  sl_exit_status end = sl_run((char *const *)argv, NULL, COMMAND_SECONDS, OUTPUT_CAP, &out, &e);
  const char *at = out && !e.code && end.code == 0 ? strstr(out, word) : NULL;
  while (at && at > out && at[-1] != '\n') at--;
  return at ? sl_path("%.*s", (int)strcspn(at, "\n"), at) : NULL;
}

static void look_for_programs(void) {
  const char *host = sl_nvcc_host();
  const struct {
    const char *what, *program, *option, *word, *state, *advice;
  } rows[] = {
      {"nvcc", sl_nvcc(), "--version", "release", "missing", "./scanlab setup fetches NVIDIA's compiler"},
      {"compiler", "gcc", "--version", "gcc", "missing", "./scanlab setup installs it"},
      {"g++", host ? host : "g++", "--version", "", "missing", "./scanlab setup installs it; nvcc needs it"},
      {"cmake", "cmake", "--version", "version", "missing", "./scanlab setup installs it"},
      {"ninja", "ninja", "--version", ".", "missing", "./scanlab setup installs it"},
      {"gnuplot", "gnuplot", "--version", "gnuplot", "note",
       "./scanlab setup installs it; reports have no plots without it"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const char *argv[] = {rows[k].program, rows[k].option, NULL};
    SL_FREED char *text = first_line(argv, rows[k].word);
    line(text ? "ok" : rows[k].state, rows[k].what, text ? text : "does not run", rows[k].advice);
  }
}

enum { WINDOWS_DRIVE = 0x01021997 }; // 9p, by which WSL2 reaches the drives of Windows

// WSL2's kernel names itself; WSL1 has no kernel of Linux, and says "Microsoft".
static void look_at_system(void) {
  struct utsname u;
  struct statfs fs;
  if (uname(&u) != 0) return;
  const bool wsl2 = strstr(u.release, "microsoft") != NULL, wsl1 = strstr(u.release, "Microsoft") != NULL;
  const bool drive = wsl2 && statfs(sl_work_folder(), &fs) == 0 && fs.f_type == WINDOWS_DRIVE;
  SL_FREED char *text = sl_path("%s %s, %s%s%s", u.sysname, u.release, u.machine,
                                wsl1   ? ": WSL1, which lacks what the sandbox needs"
                                : wsl2 ? " (WSL2)"
                                       : "",
                                drive ? "; the build folder is on a drive of Windows, which is slow" : "");
  line(wsl1 || drive ? "note" : "ok", "system", text,
       wsl1 ? "`wsl --set-version NAME 2` in Windows makes it WSL2"
            : "move the course into your home folder of Linux");
}

static void look_at_machine(void) {
  char text[96];
  uint64_t left = sl_disk_left(sl_work_folder()), memory = sl_memory_available();
  const char *disk = left == UINT64_MAX ? "note" : left >> 20 >= MIN_DISK_MB ? "ok" : "missing";
  snprintf(text, sizeof text, "%.1f GiB free for the build folder", (double)left / 0x1p30);
  line(disk, "disk", left < UINT64_MAX ? text : "the build folder's file system does not say what is free",
       "the course needs about 2 GiB");
  snprintf(text, sizeof text, "%.1f GiB free", (double)memory / 0x1p30);
  line(memory >> 20 >= MIN_MEMORY_MB ? "ok" : "missing", "memory", text,
       "the course needs 1 GiB: end other programs, or give the container more");
  snprintf(text, sizeof text, "%u: %u kernel%s compiled or judged at once", sl_cores(), sl_jobs(),
           sl_jobs() == 1 ? " is" : "s are");
  line("ok", "cores", text, NULL);
}

static void look_for_gpu(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  bool device = access("/dev/nvidia0", F_OK) == 0;
  if (driver) dlclose(driver);
  line(device && driver ? "ok" : "note", "GPU",
       device && driver ? "a GPU and its driver"
       : device         ? "a GPU, but no driver library libcuda.so.1"
                        : "none: kernels run on the simulated GPU",
       device && !driver ? "install NVIDIA's driver" : NULL);
}

static void look_at_sandbox(void) {
  sl_sandbox found = sl_sandbox_find();
  SL_FREED char *text = sl_path("%s: other people's kernels open no files, reach no network and no process",
                                sl_sandbox_name(found, sl_sandbox_apart()));
  line(found ? "ok" : "note", "sandbox", found ? text : sl_sandbox_why_none(),
       "needed only to grade other people's files: install bubblewrap, or use Linux 5.13 or later");
}

static const char tiny[] = "#include <cstdio>\n"
                           "__global__ void add(int *x) { atomicAdd(x, (int)threadIdx.x); }\n"
                           "int main() {\n"
                           "  int *x, sum = 0;\n"
                           "  if (cudaMalloc((void **)&x, 4) || cudaMemset(x, 0, 4)) return 1;\n"
                           "  add<<<1, 64>>>(x);\n"
                           "  if (cudaMemcpy(&sum, x, 4, cudaMemcpyDeviceToHost)) return 1;\n"
                           "  std::printf(\"sum %d\\n\", sum);\n"
                           "  return cudaFree(x);\n"
                           "}\n";

// Compiles a tiny program and runs it on the simulated GPU.
static void try_simulator(void) {
  SL_FREED char *source = sl__scratch("doctor.cu", NULL), *program = sl__scratch("doctor", NULL),
                *sim = sl_tool_path("sl-sim"), *seen = NULL;
  const char *host = sl_nvcc_host();
  const char *compile[] = {sl_nvcc(), "-arch=compute_75",     "-cudart", "shared", source, "-o",
                           program,   host ? "-ccbin" : NULL, host,      NULL};
  const char *run[] = {sim, "--", program, NULL};
  const char *why = "the build folder cannot be written";
  if (source && sl_write_file(source, tiny, sizeof tiny - 1, NULL)) {
    free(first_line(compile, ""));
    why = access(program, X_OK) ? "nvcc could not compile a tiny program"
                                : "a tiny kernel gave no result or a wrong one";
    seen = access(program, X_OK) ? NULL : first_line(run, "sum 2016");
  }
  line(seen ? "ok" : "missing", "simulator", seen ? "a tiny kernel ran on the simulated GPU" : why,
       "./scanlab build, then ./scanlab test -R sim");
  if (source) unlink(source), unlink(program);
}

int sl__doctor(int argc, char **argv) {
  const sl_cli cli = {"scanlab doctor", "Checks whether this machine is fit for the course; says what to do.",
                      "./scanlab doctor", "", NULL};
  sl_cli_parse(&cli, argc, argv, NULL);
  look_for_programs();
  look_at_system();
  look_at_machine();
  look_for_gpu();
  look_at_sandbox();
  try_simulator();
  printf(missing ? "\n%d thing%s missing\n" : "\nready\n", missing, sl_plural(missing));
  return missing ? SL_EXIT_INFRA : SL_EXIT_OK;
}
