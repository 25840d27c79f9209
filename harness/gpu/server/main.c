// sl-gpu: the simulated GPU as a process. Listens on a Unix socket for programs, takes orders from its
// starter on an inherited socket, and ends when that closes. See docs/internals/interfaces.md.
#include "gpu/server/server.h"
#include "jail/jail.h"

#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

typedef struct args {
  const char *listen, *lines, *report, *order, *profile, *checks, *program, *source;
  int64_t control_fd, seed, resident, timeout, max_instructions;
  bool no_counters, no_checks, enclosed;
} args;

static void read_args(int argc, char **argv, args *a) {
  *a = (args){.control_fd = -1, .order = "in", .profile = "default", .checks = "all"};
  const sl_opt opts[] = {
      SL_OPT_TEXT("--listen", &a->listen, "PATH", "socket to listen on (required)"),
      SL_OPT_NUMBER("--control-fd", &a->control_fd, "N", 0, 1 << 20,
                    "inherited socket of whoever controls this process"),
      SL_OPT_TEXT("--report", &a->report, "FILE", "write findings and counters as JSON at the end"),
      SL_OPT_TEXT("--program", &a->program, "FILE", "the report shows source lines no newer than FILE"),
      SL_OPT_TEXT("--source", &a->source, "FILE", "the report shows lines of this source file alone"),
      SL_OPT_TEXT("--lines", &a->lines, "FILE", "findings name lines of this program's host code"),
      SL_OPT_TEXT("--order", &a->order, "ORDER", "start order of blocks: in, reverse or random"),
      SL_OPT_NUMBER("--seed", &a->seed, "N", 0, INT64_MAX, "seed of the random order"),
      SL_OPT_NUMBER("--resident", &a->resident, "N", 0, 1 << 20,
                    "blocks resident at once (0: what the device holds)"),
      SL_OPT_TEXT("--profile", &a->profile, "NAME", "device to model"),
      SL_OPT_FLAG("--no-counters", &a->no_counters, "do not count (faster)"),
      SL_OPT_TEXT("--checks", &a->checks, "LIST", sl_checks_help),
      SL_OPT_FLAG("--no-checks", &a->no_checks, "only check bounds and alignment"),
      SL_OPT_FLAG("--enclosed", &a->enclosed, "open no other files, make no needless system calls"),
      SL_OPT_NUMBER("--timeout", &a->timeout, "S", 0, 86400,
                    "end a kernel without progress after S seconds (0: 60)"),
      SL_OPT_NUMBER("--max-instructions", &a->max_instructions, "N", 0, INT64_MAX,
                    "end a launch after N warp instructions (0: never)"),
      SL_OPT_END};
  const sl_cli cli = {"sl-gpu", "The simulated GPU as a process; started by sl-sim and sl-judge.",
                      "sl-gpu --listen /tmp/gpu.sock", NULL, opts};
  sl_cli_parse(&cli, argc, argv, NULL);
}

static bool fill_options(const args *a, sl_gpu_options *o, sl_error *e) {
  *o = sl_gpu_options_default();
  snprintf(o->profile, sizeof o->profile, "%s", a->profile);
  o->seed = (uint64_t)a->seed;
  o->resident = (uint32_t)a->resident;
  o->max_instructions = (uint64_t)a->max_instructions;
  o->counters = a->no_counters ? SL_COUNT_NOTHING : SL_COUNT_ALL;
  if (!sl_checks_read(a->no_checks ? "none" : a->checks, &o->checks, e)) return false;
  if (a->timeout) o->watchdog_seconds = (double)a->timeout;
  return sl_gpu_option_set(o, "order", a->order, e);
}

// From here on this process parses what strangers hand in. It still asks how much memory there is, reads the
// judged source, writes its report and removes its socket with the socket's folder.
static void enclose(const args *a) {
  SL_FREED char *socket = sl_folder_of(a->listen), *above = sl_folder_of(socket),
                *report = a->report ? sl_folder_of(a->report) : NULL;
  sl_jail_rule rules[] = {{'r', "/proc/meminfo"},
                          {'r', "/proc/self"},
                          {'r', "/sys/fs/cgroup"},
                          {'w', socket},
                          {'e', above},
                          {'r', a->source ? a->source : socket},
                          {'w', report ? report : socket}};
  sl_jail_files(rules, sizeof rules / sizeof *rules); // without Landlock the filter of calls is left
  sl_jail_calls(&(sl_jail_allowed){.who = SL_JAILED_SIMULATOR});
}

// Each launch takes memory and frees it. The system would take the end of the heap back every time, and clear
// it again for the next launch. What observers keep of many words soon takes more than a small launch needs:
// that part of the heap lies in large pages.
static void keep_heap(void) {
  enum { MIB = 1 << 20, AHEAD = 128 * MIB, SMALL = 4 * MIB, LARGE = 2 * MIB };
  mallopt(M_TRIM_THRESHOLD, AHEAD + 2 * MIB);
  mallopt(M_TOP_PAD, AHEAD);
  mallopt(M_MMAP_THRESHOLD, 4 * MIB); // fixed by the others, and else 128 KiB
  void *volatile more = malloc(MIB);  // than the heap has: it grows, and AHEAD beyond
  free(more);
  const uintptr_t end = (uintptr_t)sbrk(0),
                  from = (end - AHEAD + SMALL + LARGE - 1) & ~(uintptr_t)(LARGE - 1);
  madvise((void *)from, end - from, MADV_HUGEPAGE); // only advice: failure does no harm
}

static bool start_server(sl_server *s, const args *a, sl_error *e) {
  sl_gpu_options o;
  if (!a->listen) return sl_fail(e, SL_EXIT_USAGE, "see sl-gpu --help", "--listen PATH is missing");
  if (!fill_options(a, &o, e) || !sl__options_read(&o, &s->config, e)) return false;
  s->telling = (sl_telling){.source = a->source || a->program ? a->source : "", .program = a->program};
  if (a->report && !(s->report = sl_open_atomic(a->report, e))) return false;
  if (a->enclosed) s->most_memory = sl_memory_share();
  if (!sl__gpu_make(s, e)) return false;
  if (!sl__listen(s, a->listen, e)) return false;
  if (a->lines && !sl__lines_open(a->lines, e)) return false;
  if (a->enclosed) enclose(a);
  return sl__watcher_start(s, (int)a->control_fd, e); // a thread: it is enclosed, too
}

static bool adopt_control(sl_server *s, int fd, sl_error *e) {
  if (fd < 0) return true;
  if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || !sl__client_add(s, fd, true))
    return sl_fail(e, SL_EXIT_USAGE, NULL, "--control-fd %d is not an open descriptor", fd);
  return true;
}

// With a control connection, the end of that connection ends this process in order, with the socket's folder
// removed. Signals meant for the starter (Ctrl-C, a kill of its group as timeout(1) sends it) are ignored, so
// that they do not end it first, with all that it has found.
static void follow_control(void) {
  prctl(PR_SET_PDEATHSIG, 0);
  setpgid(0, getpgid(getppid()));
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
}

// Removes the socket and the starter's private folder. rmdir spares a folder that holds anything else.
static void remove_socket(const char *path) {
  SL_FREED char *folder = sl_folder_of(path);
  unlink(path);
  rmdir(folder);
}

static void finish_server(sl_server *s) {
  for (size_t i = 0; i < s->n_clients; i++) sl__client_free(s, s->clients[i]);
  sl__records_clear(s);
  free(s->tokens);
  sl__places_free(s);
  sl__lines_close();
  if (s->gpu) sl_gpu_destroy(s->gpu);
  if (s->listener >= 0) close(s->listener);
}

// Ends its processor time by a signal of its own, a second before the one that kills without saying why.
static void end_by_name(void) {
  struct rlimit most;
  if (getrlimit(RLIMIT_CPU, &most) || most.rlim_cur == RLIM_INFINITY || most.rlim_cur < most.rlim_max ||
      most.rlim_cur < 2)
    return;
  most.rlim_cur--;
  setrlimit(RLIMIT_CPU, &most);
}

int main(int argc, char **argv) {
  static sl_server s = {.listener = -1, .next_owner = 1};
  args a;
  sl_error e = {0};
  read_args(argc, argv, &a);
  keep_heap();
  end_by_name();
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_DUMPABLE, 0); // clients run as the same user: they cannot look in here through /proc
  if (a.control_fd >= 0) follow_control();
  if (adopt_control(&s, (int)a.control_fd, &e) && start_server(&s, &a, &e)) {
    sl__serve(&s);
    sl__report_write(&s, &e);
    if (a.control_fd >= 0) remove_socket(a.listen);
    else unlink(a.listen);
  } else if (s.report) {
    sl_abandon(s.report);
  }
  if (e.code) sl_error_print("sl-gpu", &e); // now: once the connection closes, the starter may not wait
  finish_server(&s);
  prctl(PR_SET_DUMPABLE, 1); // leak checkers need it
  return e.code;
}
