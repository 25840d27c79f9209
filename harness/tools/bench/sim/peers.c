// Other systems that run GPU kernels on a CPU: the same workloads, compiled when they are first needed. If a
// system is not installed, a line says how to get it; that is no error.
#include "tools/bench/sim/bench.h"

#define PIECES 14
typedef struct peer {
  const char *name, *program; // program: in the build folder
  const char *compile[PIECES], *run[PIECES];
  bool observed;
  int64_t most; // elements; slow ones get fewer, and one repetition
  const char *install;
} peer;

// {S}: folder of the sources, {H}: folder of HIP-CPU, {P}: the program, {N}, {R}: elements, repetitions.
#define COMPILE_CL                                                                                           \
  { "c++", "-std=c++17", "-O2", "{S}/workloads_cl.cpp", "-o", "{P}", "-lOpenCL" }
#define RUN_CL "{P}", "{N}", "{R}", "{S}/workloads.cl"
static const peer PEERS[] = {
    {"PoCL",
     "bench_cl",
     COMPILE_CL,
     {RUN_CL, "Portable"},
     false,
     1 << 20,
     "Debian: pocl-opencl-icd, ocl-icd-opencl-dev, opencl-headers"},
    {"HIP-CPU",
     "bench_hip",
     {"c++", "-x", "c++", "-DBENCH_HIP", "-std=c++17", "-O3", "-march=native", "-I{H}/include",
      "{S}/workloads.cu", "-o", "{P}", "-ltbb", "-lpthread"},
     {"{P}", "{N}", "{R}"},
     false,
     1 << 20,
     "clone ROCm/HIP-CPU from GitHub, install libtbb-dev and set SCANLAB_HIP_CPU to the clone"},
    {"Oclgrind",
     "bench_cl",
     COMPILE_CL,
     {"oclgrind", RUN_CL},
     false,
     1 << 15,
     "Debian: oclgrind, ocl-icd-opencl-dev, opencl-headers"},
    {"Oclgrind, races and uninitialized",
     "bench_cl",
     COMPILE_CL,
     {"oclgrind", "--data-races", "--uninitialized", RUN_CL},
     true,
     1 << 14,
     "as Oclgrind"},
};

// One word of a command with its places filled in; malloc'ed.
static char *fill_command(const char *word, const char *program, int64_t n, int64_t reps) {
  const char *hip = getenv("SCANLAB_HIP_CPU"), *at = strchr(word, '{');
  int before = at ? (int)(at - word) : 0;
  if (!at) return sl_path("%s", word);
  switch (at[1]) {
  case 'S': return sl_path("%.*s%s%s", before, word, SL_BENCH_SOURCE, at + 3);
  case 'H': return sl_path("%.*s%s%s", before, word, hip && *hip ? hip : "/usr", at + 3);
  case 'P': return sl_path("%s", program);
  case 'N': return sl_path("%lld", (long long)n);
  default: return sl_path("%lld", (long long)reps);
  }
}

static bool run_words(const char *const *words, const char *program, int64_t n, int64_t reps, char **out) {
  char *argv[PIECES + 1] = {0};
  sl_error e = {0};
  for (int k = 0; k < PIECES && words[k]; k++) argv[k] = fill_command(words[k], program, n, reps);
  sl_exit_status st = sl_run(argv, NULL, 300, 16384, out, &e);
  for (int k = 0; k < PIECES; k++) free(argv[k]);
  return !st.timed_out && st.code == 0 && *out;
}

static bool newer(const char *program, const char *source) {
  struct stat p, s;
  SL_FREED char *path = sl_path("%s/%s", SL_BENCH_SOURCE, source);
  return stat(program, &p) == 0 && stat(path, &s) == 0 && p.st_mtime >= s.st_mtime;
}

static bool compiled(const peer *p, const char *program) {
  static const char *const sources[] = {"workloads.cu", "workloads_cl.cpp", "host.h", "portable.h"};
  bool ready = true;
  SL_FREED char *text = NULL;
  for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) ready = ready && newer(program, sources[k]);
  ready = ready || run_words(p->compile, program, 0, 0, &text);
  return ready;
}

void bench_peers(int64_t n, int64_t reps, void (*found)(void *ctx, const bench_row *row), void *ctx) {
  for (size_t k = 0; k < sizeof PEERS / sizeof *PEERS; k++) {
    const peer *p = &PEERS[k];
    bench_row row = {
        .observed = p->observed, .n = n < p->most ? n : p->most, .reps = p->most < 1 << 20 ? 1 : reps};
    SL_FREED char *program = sl_tool_path(p->program), *text = NULL;
    sl_error e = {0};
    snprintf(row.system, sizeof row.system, "%s", p->name);
    if (compiled(p, program) && run_words(p->run, program, row.n, row.reps, &text) &&
        bench_parse(text, &row, &e))
      found(ctx, &row);
    else printf("%s: not found (%s)\n", p->name, p->install);
  }
}
