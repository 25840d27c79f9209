// A library that is loaded into cudafe++ and cicc. Most of their work is reading the headers, which are the
// same for every kernel. So one process stops behind the headers and stores its memory in a file. Later ones
// map that file over their own memory and go on from there, with the text of their kernel.
//
// Interface: resume.h. A process is taken up by one of the same program, libraries and addresses alone,
// started with as much in its arguments and environment and without random addresses. If they differ, it ends
// with a code that is not 0, as when the file is damaged; the compiler is then run from the start. The memory
// is that of this system alone: glibc, private memory, one thread.
#include "compile/resume.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { MAX_AREAS = 1024, MAX_OBJECTS = 32, PAGE = 4096, PIECE = 1 << 20, SCRATCH_SIZE = 1 << 20 };
enum { LARGE_PAGE = 2 << 20, LARGE = 2 * LARGE_PAGE, SLOW_NS = 1000 * 1000 };

// Memory for when all other memory is exchanged. No program without random addresses uses this place.
#define SCRATCH ((void *)0x100000000000)

// What must be the same in both processes.
typedef struct likeness {
  uintptr_t kernel_code, random, library;
  size_t n;
  struct {
    uintptr_t base;
    uint64_t inode, size;
    int64_t changed;
  } objects[MAX_OBJECTS];
} likeness;

// A part of memory, and where it lies in the file. 0: it holds zeros.
typedef struct area {
  uintptr_t from, length;
  off_t place;
} area;

typedef struct stored {
  likeness like;
  uintptr_t heap_end, stack; // stack: its lowest address in use
  struct rlimit stack_limit;
  size_t n;
  area areas[MAX_AREAS];
} stored;

static jmp_buf behind_headers;
static const char *source; // NULL: there is nothing to do
static off_t headers, at;  // the length of the headers; how far the source has been read
static int input = -1;
static bool is_to_store;

static int take_object(struct dl_phdr_info *info, size_t, void *to) {
  likeness *l = to;
  struct stat st = {0};
  if (l->n == MAX_OBJECTS) return 1;
  if (info->dlpi_name[0]) stat(info->dlpi_name, &st);
  l->objects[l->n].base = info->dlpi_addr;
  l->objects[l->n].inode = st.st_ino;
  l->objects[l->n].size = (uint64_t)st.st_size;
  l->objects[l->n++].changed = st.st_mtime;
  return 0;
}

static void take_likeness(likeness *l) {
  memset(l, 0, sizeof *l);
  l->kernel_code = getauxval(AT_SYSINFO_EHDR);
  l->random = getauxval(AT_RANDOM); // lies above the arguments and the environment
  l->library = (uintptr_t)&behind_headers;
  dl_iterate_phdr(take_object, l);
}

// Storing ---------------------------------------------------------------------------------------------------

static void must(bool ok) {
  if (!ok) _exit(SL_RESUME_NOT_SO);
}

// Appends it at the next page. Where.
static off_t append(const void *from, size_t length) {
  const off_t end = (lseek(SL_RESUME_FD, 0, SEEK_END) + PAGE - 1) / PAGE * PAGE;
  for (size_t done = 0; done < length;) {
    const ssize_t n = pwrite(SL_RESUME_FD, (const char *)from + done, length - done, end + (off_t)done);
    must(n > 0);
    done += (size_t)n;
  }
  return end;
}

static bool is_filled(const unsigned char *p, size_t n, unsigned char with) {
  return *p == with && memcmp(p, p + 1, n - 1) == 0;
}

// The front end fills new memory with this value: 128 MiB, of which one piece is stored.
static off_t place_of_piece(const unsigned char *p, size_t n) {
  enum { NEW = 0xdb };
  static off_t filled;
  if (is_filled(p, n, 0)) return 0;
  if (n != PIECE || !is_filled(p, n, NEW)) return append(p, n);
  if (!filled) filled = append(p, n);
  return filled;
}

static void store_piece(stored *s, uintptr_t from, uintptr_t length) {
  const off_t place = place_of_piece((const unsigned char *)from, length);
  area *last = s->n ? &s->areas[s->n - 1] : NULL;
  const bool next = last && last->from + last->length == from &&
                    place == (last->place ? last->place + (off_t)last->length : 0);
  must(next || s->n < MAX_AREAS);
  if (next) last->length += length;
  else s->areas[s->n++] = (area){from, length, place};
}

// All memory that can be written. The list is read to its end first: storing may need memory itself.
static size_t list_memory(area *list, uintptr_t *stack) {
  char line[PATH_MAX + 256], rights[8], name[64];
  size_t n = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  must(f != NULL);
  while (fgets(line, sizeof line, f)) {
    uintptr_t from, to;
    *name = 0;
    must(n < MAX_AREAS && sscanf(line, "%lx-%lx %7s %*s %*s %*s %63s", &from, &to, rights, name) >= 3);
    if (!strcmp(name, "[stack]")) from = *stack = (uintptr_t)__builtin_frame_address(0) / PAGE * PAGE;
    if (rights[1] == 'w') list[n++] = (area){from, to - from, 0};
  }
  fclose(f);
  return n;
}

static void store(void) {
  static stored s;
  static area list[MAX_AREAS];
  fflush(NULL);
  take_likeness(&s.like);
  must(pwrite(SL_RESUME_FD, &s, sizeof s, 0) == sizeof s);
  const size_t n = list_memory(list, &s.stack);
  s.heap_end = (uintptr_t)sbrk(0);
  getrlimit(RLIMIT_STACK, &s.stack_limit);
  for (size_t k = 0; k < n; k++)
    for (uintptr_t done = 0; done < list[k].length; done += PIECE)
      store_piece(&s, list[k].from + done, list[k].length - done < PIECE ? list[k].length - done : PIECE);
  must(pwrite(SL_RESUME_FD, &s, sizeof s, 0) == sizeof s);
  _exit(0);
}

// Taking up -------------------------------------------------------------------------------------------------

// realloc may have the kernel enlarge what lies in a small area, and memory that maps the end of a file has
// nothing behind it. So small areas, with this function's variables, are copied and moved at once.
static bool copy_area(const area *a) {
  void *const copy = (char *)SCRATCH + SCRATCH_SIZE;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  // glibc's own mremap would miss its number in this thread's memory against overflows of the stack
  return mmap(copy, a->length, PROT_READ | PROT_WRITE, flags, -1, 0) == copy &&
         pread(SL_RESUME_FD, copy, a->length, a->place) == (ssize_t)a->length &&
         syscall(SYS_mremap, copy, a->length, a->length, MREMAP_MAYMOVE | MREMAP_FIXED, a->from) ==
             (long)a->from;
}

static bool map_area(const area *a, size_t from) {
  const int flags = MAP_PRIVATE | MAP_FIXED | (a->place ? 0 : MAP_ANONYMOUS),
            fd = a->place ? SL_RESUME_FD : -1;
  void *const to = (char *)a->from + from;
  return mmap(to, a->length - from, PROT_READ | PROT_WRITE, flags, fd, a->place + (off_t)from) == to;
}

static int64_t used_ns(void) {
  struct timespec t = {0};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// Compilers touch three quarters of their memory, and a fault for each page of a mapped file takes a third of
// their time. So what is large is read into large pages, while the system has some at hand: one that has to
// make room for them, or a virtual machine that has to get them, needs ten times as long. The rest is mapped.
static bool read_area(const area *a, bool *slow) {
  char *const to = (char *)a->from;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (mmap(to, a->length, PROT_READ | PROT_WRITE, flags, -1, 0) != to) return false;
  syscall(SYS_madvise, to, a->length, MADV_HUGEPAGE);
  for (size_t done = 0; done < a->length;) {
    const size_t to_border = LARGE_PAGE - (a->from + done) % LARGE_PAGE, rest = a->length - done,
                 n = rest < to_border ? rest : to_border;
    if (*slow) return map_area(a, done);
    const int64_t start = used_ns();
    if (pread(SL_RESUME_FD, to + done, n, a->place + (off_t)done) != (ssize_t)n) return false;
    *slow = used_ns() - start > SLOW_NS;
    done += n;
  }
  return true;
}

// The kernel keeps the stack where it is, so that it can grow.
static bool exchange(const stored *s, const area *a, bool *slow) {
  void *to = (void *)a->from;
  if (a->from < s->stack && a->place && a->length < PIECE) return copy_area(a);
  if (a->from < s->stack && a->place && a->length >= LARGE && !*slow) return read_area(a, slow);
  if (a->from < s->stack) return map_area(a, 0);
  if (!a->place) return memset(to, 0, a->length) != NULL;
  return pread(SL_RESUME_FD, to, a->length, a->place) == (ssize_t)a->length;
}

static void exchange_memory(void) {
  const stored *s = SCRATCH;
  bool slow = false;
  for (size_t k = 0; k < s->n; k++) must(exchange(s, &s->areas[k], &slow));
  _longjmp(behind_headers, 1);
}

static void take_up(void) {
  static likeness mine;
  static ucontext_t there;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
  stored *s = mmap(SCRATCH, SCRATCH_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
  take_likeness(&mine);
  must(s == SCRATCH && pread(SL_RESUME_FD, s, sizeof *s, 0) == sizeof *s && s->n);
  must(memcmp(&mine, &s->like, sizeof mine) == 0);
  must(syscall(SYS_brk, s->heap_end) == (long)s->heap_end);
  setrlimit(RLIMIT_STACK, &s->stack_limit);
  getcontext(&there);
  there.uc_stack.ss_sp = (char *)s + SCRATCH_SIZE / 2;
  there.uc_stack.ss_size = SCRATCH_SIZE / 2;
  makecontext(&there, exchange_memory, 0);
  setcontext(&there);
}

// In the compiler -------------------------------------------------------------------------------------------

// A process that is stored ends in here; one that is taken up returns.
static void stop_behind_headers(void) {
  close(input);
  input = -1;
  is_to_store = false;
  if (_setjmp(behind_headers) == 0) store();
}

// Reads the source, and stops where the headers end. Whoever is taken up has a source of its own.
static ssize_t read_source(void *, char *to, size_t n) {
  if (at < headers && (off_t)n > headers - at) n = (size_t)(headers - at);
  if (at == headers && is_to_store) stop_behind_headers();
  if (input < 0) input = open(source, O_RDONLY | O_CLOEXEC);
  const ssize_t got = pread(input, to, n, at);
  if (got > 0) at += got;
  return got;
}

FILE *fopen(const char *name, const char *mode) {
  typedef FILE *function(const char *, const char *);
  if (source && !strcmp(name, source) && *mode == 'r')
    return fopencookie(NULL, mode, (cookie_io_functions_t){.read = read_source});
  return ((function *)dlsym(RTLD_NEXT, "fopen"))(name, mode);
}

// Memory that is given back holds zeros afterwards. Memory that maps a file would hold the file.
int madvise(void *from, size_t length, int advice) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (advice != MADV_DONTNEED) return (int)syscall(SYS_madvise, from, length, advice);
  return mmap(from, length, PROT_READ | PROT_WRITE, flags, -1, 0) == from ? 0 : -1;
}

__attribute__((constructor)) static void begin(void) {
  struct stat st;
  const char *length = getenv(SL_RESUME_LENGTH);
  if (!length || fstat(SL_RESUME_FD, &st) != 0) return;
  source = getenv(SL_RESUME_INPUT);
  headers = atol(length);
  is_to_store = st.st_size == 0;
  if (!is_to_store) take_up();
}
