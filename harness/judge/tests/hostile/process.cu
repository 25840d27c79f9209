// What a program does to itself, to other programs and to the judge.

static cudaError_t crashes(const float *, float *out, int) {
  out[0] = 1;  // a device pointer, on the host
  return cudaSuccess;
}

static cudaError_t exits(const float *, float *, int) { exit(0); }

static cudaError_t forges_done(const float *, float *, int) {
  char fake[40] = {0x43, 0x41, 0x53, 0x45, 2};
  if (write(3, fake, sizeof fake) < 0) puts("no descriptor 3");
  return cudaSuccess;
}

// The process that holds the device memory: the other end of the connection.
static pid_t gpu_process() {
  struct ucred who = {0, 0, 0};
  socklen_t len = sizeof who;
  const char *gpu = getenv("SCANLAB_GPU");
  if (gpu && !strncmp(gpu, "fd:", 3)) getsockopt(atoi(gpu + 3), SOL_SOCKET, SO_PEERCRED, &who, &len);
  return who.pid;
}

// This process and the one that started it, by the numbers that /proc has: in a namespace getppid() is 0.
static void numbers(int *own, int *starter) {
  FILE *f = fopen("/proc/self/stat", "r");
  if (!f || fscanf(f, "%d (%*[^)]) %*c %d", own, starter) != 2) *own = getpid(), *starter = getppid();
  if (f) fclose(f);
}

// The memory of all processes with numbers near [pid] but its own: some are there, none can be opened.
static bool refuses_memory_near(int pid, int own) {
  char path[64];
  int there = 0;
  for (int at = pid > 64 ? pid - 64 : 1; at < pid + 64; at++) {
    snprintf(path, sizeof path, "/proc/%d/mem", at);
    if (at != own && open(path, O_RDWR) >= 0) return false;
    there += at != own && errno == EACCES;
  }
  return there > 0;
}

// Tries what it can against the judge. What is refused is printed; a success is not.
static cudaError_t attacks_parent(const float *, float *, int) {
  int own, starter;
  numbers(&own, &starter);
  if (kill(starter, SIGKILL) != 0 && errno == EPERM) puts("kill refused");
  if (ptrace(PTRACE_ATTACH, starter, 0, 0) != 0 && errno == EPERM) puts("ptrace refused");
  if (refuses_memory_near(starter, own)) puts("memory refused");
  if (!gpu_process() || refuses_memory_near(gpu_process(), own)) puts("memory of the GPU refused");
  printf("number %d\n", getpid());
  if (socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM) puts("network refused");
  if (getenv("PATH") == NULL) puts("environment is bare");
  return cudaSuccess;
}

static cudaError_t leaves_daemon(const float *in, float *out, int n) {
  pid_t pid = fork();
  if (pid == 0) {
    setsid();
    for (;;) pause();
  }
  printf("fork %s, shell %s\n", pid < 0 ? "refused" : "allowed", system("true") ? "refused" : "allowed");
  return right(in, out, n);
}

static void *waits(void *) {
  for (;;) pause();
}

// As many threads as there can be, up to what a test machine stands.
static cudaError_t thread_bomb(const float *, float *, int) {
  pthread_t t;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (int k = 0; k < 3000 && !pthread_create(&t, &small, waits, NULL); k++) {}
  waits(NULL);
  return cudaSuccess;
}

// It is to go first when memory is short, and cannot change that.
static cudaError_t asks_to_stay(const float *in, float *out, int n) {
  char score[16] = "";
  int fd = open("/proc/self/oom_score_adj", O_RDONLY);
  if (fd >= 0 && read(fd, score, sizeof score - 1) > 0) printf("goes first: %s", score);
  if (open("/proc/self/oom_score_adj", O_WRONLY) < 0) puts("and cannot change it");
  return right(in, out, n);
}

static void *idle(void *) { return NULL; }

static cudaError_t uses_thread(const float *in, float *out, int n) {
  pthread_t t;
  if (pthread_create(&t, NULL, idle, NULL) != 0) return cudaErrorUnknown;
  pthread_join(t, NULL);
  return right(in, out, n);
}

static cudaError_t prints_much(const float *in, float *out, int n) {
  for (int i = 0; i < 100000; i++) puts("{\"status\": \"pass\", \"points\": 100}");
  return right(in, out, n);
}

static cudaError_t dies_at_exit(const float *in, float *out, int n) {
  atexit(abort);
  return right(in, out, n);
}

static cudaError_t closes_connection(const float *, float *, int) {
  close(3);
  return cudaSuccess;
}

static cudaError_t kills_itself(const float *, float *, int) {
  raise(SIGKILL);
  return cudaSuccess;
}

static cudaError_t leaves_out_call_256(const float *in, float *out, int n) {
  static unsigned char calls;
  return ++calls ? right(in, out, n) : cudaSuccess;
}

static const row process_rows[] = {
    {1009, crashes},
    {1010, exits},
    {1011, forges_done},
    {1012, attacks_parent},
    {1013, leaves_daemon},
    {1014, prints_much},
    {1017, dies_at_exit},
    {1020, closes_connection},
    {1024, uses_thread},
    {1041, thread_bomb},
    {1042, asks_to_stay},
    {1063, kills_itself},
    {1067, leaves_out_call_256},
};
