// Builds runner programs with nvcc and caches them under the hash of everything that goes into them.
//
// Interface: build.h. A cache folder KEY holds kernel.cu (a copy under the student's file name, so that
// messages and line tables name it), the runner and the compiler's log. It is made under a temporary name and
// renamed once the runner is built, so another process sees it whole or not at all. A folder headers-KEY
// holds what is prepared of the headers (headers.c, sets.c). KEY.failed says why a source does not compile.
#include "compile/build.h"
#include "base/sha256.h"
#include "compile/compiler.h"
#include "compile/failure.h"
#include "compile/folders.h"
#include "compile/libraries.h"
#include "compile/sets.h"

#include <gnu/libc-version.h>
#include <pthread.h>
#include <sys/utsname.h>

enum { MAX_SOURCE = 1 << 20, MAX_ARGS = 64 };
#define ROOM (2ull << 30) // bytes that have to be free on the disk of the cache

typedef struct job {
  const sl_build_config *config;
  const char *lab, *kernel;
  char *source, *object, *nvcc, *root; // root: the cache
  char *headers;                       // the folder of the prepared headers
  char *library_headers;               // the one that holds those of libraries, too; NULL: it is not used
  int headers_in_use;                  // keeps the folder that is used; -1: nothing to close
  bool is_stale;                       // that folder is to be made anew
  sl_ahead ahead;                      // libraries' headers that the source begins with
  size_t len;
  unsigned libraries; // that the lab allows
  char flags[1024];   // all flags in one string: part of the key
  char *argv[MAX_ARGS];
  int argc;
  char key[65];
  char *fault; // the compiler's first error, where the source is at fault
} job;

// The source ------------------------------------------------------------------------------------------------

// SHA-256 of the parts as 64 digits.
static void hash_parts(const char *const *parts, const size_t *lens, size_t n, char out[static 65]) {
  struct sha256_ctx md;
  sha256_init(&md);
  for (size_t k = 0; k < n; k++) sl_sha256_add(&md, parts[k], lens[k]);
  sl_sha256_end(&md, out);
}

// What is built is what was looked at: a file can change meanwhile, or become a link to another.
static bool check_same(const job *b, sl_error *e) {
  char now[65];
  hash_parts((const char *[]){b->source}, &b->len, 1, now);
  return !b->config->hash || !strcmp(now, b->config->hash) ||
         sl_fail(e, SL_EXIT_INFRA, "grade it again", "%s: has changed while it was graded", b->kernel);
}

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
  if (sl_is_utf16(b->source, b->len))
    return sl_fail(e, SL_EXIT_INPUT, "save it as UTF-8", "%s: is encoded in UTF-16", b->kernel);
  const char *nul = memchr(b->source, 0, b->len);
  if (!nul) return check_same(b, e);
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
  SL_FREED char *bin = sl_exe_dir();
  b->object = sl_path("%s/../lib/sl_runner_%s.o", bin, b->lab);
  b->root = sl_path("%s", b->config->cache ? b->config->cache : sl_kernel_cache());
}

// The flags of the course: PTX for the simulated GPU, and, if wanted, machine code for this machine's GPU.
static void make_flags(job *b) {
  static const char generic[] = "-arch=compute_75";
  const char *at = strstr(SL_NVCC_FLAG_WORDS, generic);
  int arch = b->config->native && at ? sl__native_arch(b->nvcc) : 0;
  if (arch)
    snprintf(b->flags, sizeof b->flags,
             "%.*s-gencode arch=compute_75,code=compute_75 -gencode arch=compute_%d,code=sm_%d%s",
             (int)(at - SL_NVCC_FLAG_WORDS), SL_NVCC_FLAG_WORDS, arch, arch, at + strlen(generic));
  else snprintf(b->flags, sizeof b->flags, "%s", SL_NVCC_FLAG_WORDS);
  strncat(b->flags, " -Xcompiler -g1", sizeof b->flags - strlen(b->flags) - 1); // lines of the host's calls
}

// What every source is called where it is compiled: nvcc's plan and what is prepared of the headers hold it.
static const char usual_name[] = "kernel.cu";

// The source's name in messages: the student's own, if no part of it could be read as something else.
static const char *seen_name(const job *b) {
  enum { LONGEST = 100 };
  const char *name = sl_base_name(b->kernel);
  size_t len = strlen(name);
  bool plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == len &&
               name[0] != '-';
  return plain && len > 3 && len <= LONGEST && !strcmp(name + len - 3, ".cu") ? name : usual_name;
}

static void make_command(job *b) {
  add_words(b, b->flags);
  add_argument(b, "-I");
  add_argument(b, sl_include_folder());
  add_argument(b, "--keep");           // the preprocessed source, for libraries.c
  add_argument(b, "--no-device-link"); // no device code lies elsewhere
  add_argument(b, usual_name);
  add_argument(b, b->object);
  add_argument(b, "-o");
  add_argument(b, "runner");
}

// The key ---------------------------------------------------------------------------------------------------

static bool hash_job(job *b, sl_error *e) {
  size_t object_len;
  sl_error why = {0};
  SL_FREED char *object = sl_read_file(b->object, 16 << 20, &object_len, &why);
  if (!object) return sl_fail(e, SL_EXIT_INFRA, "build the course first: ./scanlab setup", "%s", why.text);
  SL_FREED char *head =
      sl_path("%s\n%s\n%s\n%s\n%s\n%u\n", SL_VERSION, b->lab, b->flags, b->nvcc, seen_name(b), b->libraries);
  const char *const parts[] = {head, object, b->source};
  hash_parts(parts, (size_t[]){strlen(head), object_len, b->len}, 3, b->key);
  return true;
}

// What tells one version of a file from another. [path] is freed; NULL: there is no such file.
static void write_version(FILE *f, char *path) {
  SL_FREED char *real = path ? realpath(path, NULL) : NULL;
  struct stat st = {0};
  if (real) stat(real, &st);
  fprintf(f, "%s %lld %lld\n", real ? real : "", (long long)st.st_size, (long long)st.st_mtime);
  free(path);
}

// The host's compiler, where nvcc looks for it; malloc'ed. NULL: there is none.
static char *host_compiler(void) {
  const char *folders = getenv("PATH"), *named = sl_nvcc_host();
  if (named) return sl_path("%s", named);
  for (size_t len; folders && *folders; folders += len + (folders[len] != 0)) {
    len = strcspn(folders, ":");
    char *path = sl_path("%.*s/gcc", (int)len, folders);
    if (access(path, X_OK) == 0) return path;
    free(path);
  }
  return NULL;
}

// Where the CUDA runtime's headers and those that are read ahead are kept prepared. They are compiled anew
// for other compilers or another system, and when the course's own header or what prepares them changes.
static char *name_headers(const job *b, const sl_ahead *ahead) {
  struct utsname system = {0};
  uname(&system);
  SL_FREED char *text = NULL;
  char key[65];
  size_t len = 0;
  FILE *f = sl_must(open_memstream(&text, &len));
  fprintf(f, "%s\n%s\n%s\n%s\n", SL_VERSION, b->flags, system.release, gnu_get_libc_version());
  write_version(f, sl_path("%s", b->nvcc));
  write_version(f, host_compiler());
  write_version(f, sl_path("%s/scanlab/lab.h", sl_include_folder()));
  write_version(f, sl_path("/usr/include/features.h"));
  write_version(f, sl_tool_path("sl-steps"));
  write_version(f, sl_tool_path("sl-resume.so"));
  for (unsigned k = 0; ahead && k < ahead->n; k++) fprintf(f, "%s\n", ahead->header[k]);
  fclose(f);
  hash_parts((const char *[]){text}, &len, 1, key);
  return sl_path("%s/headers-%.16s", b->root, key);
}

// Compiling -------------------------------------------------------------------------------------------------

static sl_compile compiler_of(const job *b, const char *folder) {
  const char *headers = b->library_headers ? b->library_headers : b->headers;
  return (sl_compile){.kernel = b->kernel,
                      .name = seen_name(b),
                      .source = b->source ? b->source : "",
                      .nvcc = b->nvcc,
                      .object = b->object,
                      .headers = sl_is_dir(headers) ? headers : "-",
                      .folder = folder,
                      .argv = b->argv,
                      .seconds = b->config->timeout};
}

// Writes the source under the name that all have, which the prepared headers go with. A line says whose lines
// the compilers name; a mark of the encoding stays in front of it.
static bool write_renamed(const job *b, const char *folder, sl_error *e) {
  static const char mark[] = "\xEF\xBB\xBF";
  const size_t marked = strncmp(b->source, mark, strlen(mark)) ? 0 : strlen(mark);
  SL_FREED char *path = sl_path("%s/%s", folder, usual_name),
                *text =
                    sl_path("%.*s#line 1 \"%s\"\n%s", (int)marked, mark, seen_name(b), b->source + marked);
  return sl_write_file(path, text, strlen(text), e);
}

static bool compile_kernel(job *b, const char *folder, char **log, sl_error *e) {
  SL_FREED char *source = sl_path("%s/%s", folder, seen_name(b)), *log_file = sl_path("%s/log", folder);
  const sl_compile c = compiler_of(b, folder);
  const char *const kept[] = {seen_name(b), "runner", "steps", NULL};
  SL_FREED char *fault = NULL;
  sl_error why = {0};
  bool ok = sl_write_file(source, b->source, b->len, e);
  if (ok && strcmp(seen_name(b), usual_name) != 0) ok = write_renamed(b, folder, e);
  const bool built = ok && sl__compile(&c, log, &fault, &why);
  SL_FREED char *stale = sl_path("%s/" SL_STALE, folder);
  b->is_stale = sl_is_file(stale);
  // what a library gave may also be what does not compile: the #include is the better message
  ok = ok && sl__libraries_check(folder, seen_name(b), b->lab, b->libraries, e);
  if (ok && !built) {
    ok = sl_fail(e, why.code, why.hint, "%s", why.text);
    b->fault = fault, fault = NULL;
  }
  sl__remove_files(folder, kept);
  ok = ok && sl_write_file(log_file, *log, strlen(*log), e);
  return ok;
}

// Compiles what kernels include. Where that fails, the folder stays empty and nobody uses it.
static bool compile_headers(job *b, const char *folder, char **log, sl_error *e) {
  static const char text[] = "#include \"scanlab/lab.h\"\nint sl_below_headers;\n";
  static const char *const nothing[] = {NULL};
  SL_FREED char *source = sl_path("%s/%s", folder, usual_name), *fault = NULL;
  sl_compile c = compiler_of(b, folder);
  c.headers = "--prepare";
  const bool ok = sl_write_passing(source, text, strlen(text), e);
  if (ok) sl__remove_files(folder, sl__compile(&c, log, &fault, NULL) ? sl__set_files : nothing);
  return ok;
}

// Fills a folder of this thread's own and moves that to its place. Another process's result is the same.
typedef bool fill_folder(job *b, const char *folder, char **log, sl_error *e);
static bool make_folder(job *b, const char *place, fill_folder *fill, char **log, sl_error *e) {
  SL_FREED char *tmp = sl_path("%s/tmp.%ld", b->root, (long)gettid());
  sl__remove_folder(tmp);
  bool ok = sl_mkdirs(tmp, e) && fill(b, tmp, log, e);
  if (ok && rename(tmp, place) != 0 && errno != EEXIST && errno != ENOTEMPTY)
    ok = sl_fail(e, SL_EXIT_INFRA, NULL, "%s: %s", place, strerror(errno));
  sl__remove_folder(tmp);
  return ok;
}

// Notes that a source could have used the set. Has one asked before? [by_another]: in another process.
static bool asked_before(const char *headers, bool by_another) {
  SL_FREED char *file = sl_path("%s" SL_ASKED, headers), *who = sl_path("%ld", (long)getpid());
  const int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) {
    const bool asked = errno == EEXIST;
    SL_FREED char *asker = by_another ? sl_read_file(file, 64, NULL, NULL) : NULL;
    return asked && (!by_another || (asker && strcmp(asker, who) != 0));
  }
  if (write(fd, who, strlen(who)) < 0) errno = 0; // as if another one had asked
  close(fd);
  return false;
}

// Is it worth preparing the libraries' headers? To prepare them takes as long as three compilations save,
// and about 400 MiB. A class says how many there are; if it has fewer, but an earlier one had some, more
// will follow. Else the second source that begins so lets expect more.
static bool is_worth(const job *b, const char *headers) {
  enum { ENOUGH = 3 };
  if (sl_disk_left(b->root) <= ROOM) return false;
  if (b->config->alike >= ENOUGH) return true;
  const bool few = b->config->alike > 0;
  return asked_before(headers, few) && (!few || sl__sets_have_room(b->root));
}

// Has nvcc read the libraries' headers ahead of the source.
static void read_ahead(job *b) {
  for (unsigned k = 0; k < b->ahead.n; k++) add_argument(b, "-include"), add_argument(b, b->ahead.header[k]);
}

// Takes the set of the libraries' headers, too, if it is there or worth making. One that failed is empty.
static void take_libraries(job *b) {
  SL_FREED char *headers = name_headers(b, &b->ahead), *log = NULL,
                *last = sl_path("%s/%s", headers, sl__set_files[0]);
  if (!b->ahead.n || (!sl_is_dir(headers) && !is_worth(b, headers))) return;
  const int argc = b->argc;
  read_ahead(b);
  if (!sl_is_dir(headers)) make_folder(b, headers, compile_headers, &log, NULL), sl__sets_trim(b->root);
  const int in_use = sl_is_file(last) ? sl__set_use(headers) : -1;
  if (in_use < 0) { // as if there were none
    while (b->argc > argc) free(b->argv[--b->argc]), b->argv[b->argc] = NULL;
    return;
  }
  b->library_headers = sl_path("%s", headers), b->headers_in_use = in_use;
}

// The sets of headers that the build needs, each made by the first that does. Threads wait for their maker.
static bool prepare_headers(job *b, sl_error *e) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, row[SL_BEGINNINGS]; // all 0: initialised
  pthread_mutex_t *ours = &row[sl__beginning_of(&b->ahead)];
  SL_FREED char *log = NULL;
  bool ok = true;
  pthread_mutex_lock(ours);
  take_libraries(b);
  pthread_mutex_unlock(ours);
  if (b->headers_in_use >= 0) return true;
  pthread_mutex_lock(&lock);
  b->headers_in_use = sl__set_use(b->headers);
  if (b->headers_in_use < 0) {
    ok = make_folder(b, b->headers, compile_headers, &log, e);
    b->headers_in_use = sl__set_use(b->headers);
    sl__sets_trim(b->root);
  }
  pthread_mutex_unlock(&lock);
  return ok;
}

static bool build(job *b, const char *place, char **log, sl_error *e) {
  SL_FREED char *file = sl_path("%s.failed", place);
  const sl_failed_build failed = {file, strrchr(b->headers, '/') + 1, b->kernel, seen_name(b)};
  sl_error why = {0};
  sl__sweep_folders(b->root);
  if (sl__recall_failure(&failed, log, e) || !prepare_headers(b, e)) return false;
  if (make_folder(b, place, compile_kernel, log, &why)) return true;
  if (*log && b->fault) sl__remember_failure(&failed, *log, b->fault);
  if (e) *e = why;
  return false;
}

static bool find_or_build(job *b, char **runner, char **log, sl_error *e) {
  SL_FREED char *place = sl_path("%s/%s", b->root, b->key), *log_file = sl_path("%s/log", place);
  *runner = sl_path("%s/runner", place);
  bool ok = true;
  if (sl_is_file(*runner) && access(*runner, X_OK) == 0)
    *log = sl_read_file(log_file, SL_MAX_LOG, NULL, NULL);
  else ok = build(b, place, log, e);
  return ok;
}

static void release_job(job *b) {
  if (b->headers_in_use >= 0) close(b->headers_in_use);
  if (b->is_stale) sl__set_remove(b->library_headers ? b->library_headers : b->headers);
  for (int k = 0; k < b->argc; k++) free(b->argv[k]);
  free(b->source);
  free(b->fault);
  free(b->object);
  free(b->headers);
  free(b->library_headers);
  free(b->nvcc);
  free(b->root);
}

static bool begin_job(job *b, sl_error *e) {
  if (!read_source(b, e) || !find_nvcc(b, e) || !sl__libraries_of(b->lab, &b->libraries, e)) return false;
  find_parts(b);
  make_flags(b);
  make_command(b);
  sl__headers_ahead(b->source, b->libraries, &b->ahead);
  b->headers = name_headers(b, NULL);
  return hash_job(b, e);
}

const char *sl_build_fault(const sl_error *e, const char *kernel_path) {
  SL_FREED char *head = sl_path("%s" SL_NOT_COMPILED, kernel_path);
  return strncmp(e->text, head, strlen(head)) ? NULL : e->text + strlen(head);
}

static const sl_build_config standard;

unsigned sl_build_beginning(const char *lab_number, const char *kernel_path, const sl_build_config *config) {
  job b = {
      .config = config ? config : &standard, .lab = lab_number, .kernel = kernel_path, .headers_in_use = -1};
  sl_error ignored = {0};
  const bool ok = begin_job(&b, &ignored);
  SL_FREED char *runner = ok ? sl_path("%s/%s/runner", b.root, b.key) : NULL;
  const unsigned which = ok && !sl_is_file(runner) ? sl__beginning_of(&b.ahead) : 0;
  release_job(&b);
  return which;
}

bool sl_build_runner(const char *lab_number, const char *kernel_path, const sl_build_config *config,
                     char **runner_path, char **log, sl_error *e) {
  job b = {
      .config = config ? config : &standard, .lab = lab_number, .kernel = kernel_path, .headers_in_use = -1};
  *runner_path = *log = NULL;
  const bool ok = begin_job(&b, e) && find_or_build(&b, runner_path, log, e);
  release_job(&b);
  if (!*log) *log = sl_path("%s", "");
  if (ok) return true;
  free(*runner_path);
  *runner_path = NULL;
  return false;
}
