// Builds runner programs with nvcc and caches them under the hash of everything that goes into them.
//
// Interface: build.h. A cache folder KEY holds kernel.cu (a copy under the student's file name, so that
// messages and line tables name it), the runner and the compiler's log. It is made under a temporary name and
// renamed once the runner is built, so another process sees it whole or not at all.
#include "compile/build.h"
#include "compile/compiler.h"
#include "compile/libraries.h"

#include <dirent.h>
#include <errno.h>
#include <openssl/evp.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_SOURCE = 1 << 20, MAX_ARGS = 40 };

typedef struct job {
  const sl_build_config *config;
  const char *lab, *kernel;
  char *source, *object, *nvcc, *root; // root: the cache
  size_t len;
  unsigned libraries; // that the lab allows
  char flags[1024];   // all flags in one string: part of the key
  char *argv[MAX_ARGS];
  int argc;
  char key[65];
} job;

// The source ------------------------------------------------------------------------------------------------

static bool read_source(job *b, sl_error *e) {
  struct stat st;
  if (stat(b->kernel, &st) != 0)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: cannot open: %s", b->kernel, strerror(errno));
  b->source = sl_read_file(b->kernel, MAX_SOURCE, &b->len, e);
  if (!b->source) {
    if (e && e->code != SL_EXIT_INFRA) e->code = SL_EXIT_INPUT;
    return false;
  }
  if (b->len == 0) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: the file is empty", b->kernel);
  const char *nul = memchr(b->source, 0, b->len);
  if (!nul) return true;
  return sl_fail(e, SL_EXIT_INPUT, "give the CUDA C source, not a compiled program",
                 "%s: not a text file: there is a zero byte at offset %zu", b->kernel,
                 (size_t)(nul - b->source));
}

// The command -----------------------------------------------------------------------------------------------

static void add_argument(job *b, const char *arg) {
  if (b->argc < MAX_ARGS - 1) b->argv[b->argc++] = sl_path("%s", arg);
}

static void add_words(job *b, const char *words) {
  char word[256];
  while (*(words += strspn(words, " ;"))) {
    size_t len = strcspn(words, " ;");
    snprintf(word, sizeof word, "%.*s", (int)len, words);
    add_argument(b, word);
    words += len;
  }
}

// Finds nvcc: by the environment, else at the configured path.
static bool find_nvcc(job *b, sl_error *e) {
  const char *nvcc = b->config->nvcc ? b->config->nvcc : sl_nvcc();
  if (access(nvcc, X_OK) != 0 || sl_is_dir(nvcc))
    return sl_fail(e, SL_EXIT_INFRA, "run ./scanlab setup, or name the compiler with SCANLAB_NVCC",
                   "%s: no compiler: %s", nvcc, sl_is_dir(nvcc) ? "a directory" : strerror(errno));
  b->nvcc = sl_path("%s", nvcc);
  return true;
}

static void find_parts(job *b) {
  char *bin = sl_exe_dir();
  b->object = sl_path("%s/../lib/sl_runner_%s.o", bin, b->lab);
  b->root = sl_path("%s", b->config->cache ? b->config->cache : sl_kernel_cache());
  free(bin);
}

// Compute capability of this machine's GPU times ten (90), by the toolkit's own query beside nvcc; 0 when
// there is none.
static int native_arch(const job *b) {
  const char *slash = strrchr(b->nvcc, '/');
  char *query = sl_path("%.*s__nvcc_device_query", slash ? (int)(slash + 1 - b->nvcc) : 0, b->nvcc),
       *out = NULL;
  char *argv[] = {query, NULL};
  sl_error ignored = {0};
  sl_exit_status s = sl_run(argv, NULL, 30, 256, &out, &ignored);
  int64_t arch = 0;
  if (out) out[strcspn(out, ",\n")] = '\0';
  if (s.code != 0 || !out || !sl_parse_int(out, 50, 999, &arch)) arch = 0;
  free(out);
  free(query);
  return (int)arch;
}

// The flags of the course: PTX for the simulated GPU, and machine code for this machine's GPU beside it if
// that is wanted.
static void make_flags(job *b) {
  static const char generic[] = "-arch=compute_75";
  const char *at = strstr(SL_NVCC_FLAG_WORDS, generic);
  int arch = b->config->native && at ? native_arch(b) : 0;
  if (arch)
    snprintf(b->flags, sizeof b->flags,
             "%.*s-gencode arch=compute_75,code=compute_75 -gencode arch=compute_%d,code=sm_%d%s",
             (int)(at - SL_NVCC_FLAG_WORDS), SL_NVCC_FLAG_WORDS, arch, arch, at + strlen(generic));
  else snprintf(b->flags, sizeof b->flags, "%s", SL_NVCC_FLAG_WORDS);
}

// The source's name for the compiler: the student's own, if it is fit for a command line.
static const char *seen_name(const job *b) {
  const char *slash = strrchr(b->kernel, '/'), *name = slash ? slash + 1 : b->kernel;
  size_t len = strlen(name);
  bool plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == len &&
               name[0] != '-';
  return plain && len > 3 && !strcmp(name + len - 3, ".cu") ? name : "kernel.cu";
}

static void make_command(job *b) {
  add_argument(b, b->nvcc);
  add_words(b, b->flags);
  add_argument(b, "-I");
  add_argument(b, sl_include_folder());
  add_argument(b, "--keep");           // the preprocessed source, for libraries.c
  add_argument(b, "--no-device-link"); // no device code lies elsewhere
  add_argument(b, seen_name(b));
  add_argument(b, b->object);
  add_argument(b, "-o");
  add_argument(b, "runner");
}

// The key ---------------------------------------------------------------------------------------------------

static bool hash_job(job *b, sl_error *e) {
  size_t object_len;
  sl_error why = {0};
  char *object = sl_read_file(b->object, 16 << 20, &object_len, &why);
  if (!object) return sl_fail(e, SL_EXIT_INFRA, "build the course first: ./scanlab setup", "%s", why.text);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned len = 0;
  char *head =
      sl_path("%s\n%s\n%s\n%s\n%s\n%u\n", SL_VERSION, b->lab, b->flags, b->nvcc, seen_name(b), b->libraries);
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  bool ok = ctx && EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) && EVP_DigestUpdate(ctx, head, strlen(head)) &&
            EVP_DigestUpdate(ctx, object, object_len) && EVP_DigestUpdate(ctx, b->source, b->len) &&
            EVP_DigestFinal_ex(ctx, digest, &len);
  EVP_MD_CTX_free(ctx);
  free(head);
  free(object);
  if (!ok || len != 32) return sl_fail(e, SL_EXIT_INFRA, NULL, "SHA-256 failed");
  for (unsigned k = 0; k < 32; k++) snprintf(b->key + 2 * k, 3, "%02x", digest[k]);
  return true;
}

// Folders ---------------------------------------------------------------------------------------------------

// Removes the plain files in a folder but those called so.
static void remove_files(const char *path, const char *but, const char * or) {
  DIR *d = opendir(path);
  for (struct dirent *f; d && (f = readdir(d));)
    if (strcmp(f->d_name, but) && strcmp(f->d_name, or)) unlinkat(dirfd(d), f->d_name, 0);
  if (d) closedir(d);
}

static void remove_folder(const char *path) {
  remove_files(path, "", "");
  rmdir(path);
}

// Removes the leftovers of interrupted builds: folders tmp.PID of threads that are gone (PID: a thread id).
static void sweep(const char *root) {
  DIR *d = opendir(root);
  for (struct dirent *f; d && (f = readdir(d));) {
    char *end;
    if (strncmp(f->d_name, "tmp.", 4)) continue;
    long pid = strtol(f->d_name + 4, &end, 10);
    if (*end || pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH) continue;
    char *path = sl_path("%s/%s", root, f->d_name);
    remove_folder(path);
    free(path);
  }
  if (d) closedir(d);
}

// Compiling -------------------------------------------------------------------------------------------------

static bool compile(job *b, const char *folder, char **log, sl_error *e) {
  char *source = sl_path("%s/%s", folder, seen_name(b)), *log_file = sl_path("%s/log", folder);
  sl_compile c = {.kernel = b->kernel,
                  .nvcc = b->nvcc,
                  .object = b->object,
                  .folder = folder,
                  .argv = b->argv,
                  .seconds = b->config->timeout};
  sl_error why = {0};
  bool ok = sl_write_file(source, b->source, b->len, e), built = ok && sl__compile(&c, log, &why);
  // what a library gave may also be what does not compile: the #include is the better message
  ok = ok && sl__libraries_check(folder, seen_name(b), b->lab, b->libraries, e);
  if (ok && !built) ok = sl_fail(e, why.code, why.hint, "%s", why.text);
  remove_files(folder, seen_name(b), "runner");
  ok = ok && sl_write_file(log_file, *log, strlen(*log), e);
  free(source);
  free(log_file);
  return ok;
}

// Builds in this thread's own folder and moves that to its place. If another process was first, its result is
// the same.
static bool build(job *b, const char *place, char **log, sl_error *e) {
  char *tmp = sl_path("%s/tmp.%ld", b->root, (long)gettid());
  sweep(b->root);
  remove_folder(tmp);
  bool ok = sl_mkdirs(tmp, e) && compile(b, tmp, log, e);
  if (ok && rename(tmp, place) != 0 && errno != EEXIST && errno != ENOTEMPTY)
    ok = sl_fail(e, SL_EXIT_INFRA, NULL, "%s: %s", place, strerror(errno));
  remove_folder(tmp);
  free(tmp);
  return ok;
}

static bool find_or_build(job *b, char **runner, char **log, sl_error *e) {
  char *place = sl_path("%s/%s", b->root, b->key), *log_file = sl_path("%s/log", place);
  *runner = sl_path("%s/runner", place);
  bool ok = true;
  if (sl_is_file(*runner) && access(*runner, X_OK) == 0)
    *log = sl_read_file(log_file, SL_MAX_LOG, NULL, NULL);
  else ok = build(b, place, log, e);
  free(place);
  free(log_file);
  return ok;
}

static void release_job(job *b) {
  for (int k = 0; k < b->argc; k++) free(b->argv[k]);
  free(b->source);
  free(b->object);
  free(b->nvcc);
  free(b->root);
}

bool sl_build_runner(const char *lab_number, const char *kernel_path, const sl_build_config *config,
                     char **runner_path, char **log, sl_error *e) {
  static const sl_build_config standard;
  job b = {.config = config ? config : &standard, .lab = lab_number, .kernel = kernel_path};
  *runner_path = *log = NULL;
  bool ok = read_source(&b, e) && find_nvcc(&b, e) && sl__libraries_of(lab_number, &b.libraries, e);
  if (ok) {
    find_parts(&b);
    make_flags(&b);
    make_command(&b);
    ok = hash_job(&b, e) && find_or_build(&b, runner_path, log, e);
  }
  release_job(&b);
  if (!*log) *log = sl_path("%s", "");
  if (ok) return true;
  free(*runner_path);
  *runner_path = NULL;
  return false;
}
