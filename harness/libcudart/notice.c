// Reports to sl-gpu, if that asks for it (host checks of HELLO's reply), what only the program's side can
// see: errors that the program never looked at, device addresses that the host touched, where memory was
// allocated.  The library cannot see whether a program tests the value that a call returned. So an error
// counts as looked at when the program asks for it afterwards, by cudaGetLastError, cudaPeekAtLastError,
// cudaGetErrorName or cudaGetErrorString. The others are reported at the end: a failed launch always, because
// <<<>>> returns nothing; a copy or fill with wrong arguments always, because nobody makes one on purpose;
// any other failed copy, fill, free, synchronisation or graph, and any call for a stream or event that is not
// there, if the program ends with status 0.
#include "libcudart/client.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

static uint32_t wanted; // sl_host_check bits
static int exit_status = -1;
static const char *call_name = "";
static uint32_t calls;
static __thread bool empty;
static __thread char detail[sizeof((sl_notice *)0)->detail], kernel[sizeof((sl_notice *)0)->kernel];

// Places ----------------------------------------------------------------------------------------------------

// A file that is loaded: where it begins, and its name as the loader knows it.
typedef struct object {
  const void *base;
  const char *name;
} object;

// Finds the loaded file of an address. Skips the search for a symbol where it can: this runs at every copy.
static bool find_object(const void *p, object *o) {
#if defined DLFO_STRUCT_HAS_EH_DBASE
  struct dl_find_object found;
  if (_dl_find_object((void *)(uintptr_t)p, &found) != 0) return false;
  *o = (object){found.dlfo_map_start, found.dlfo_link_map->l_name};
#else
  Dl_info found;
  if (!dladdr(p, &found)) return false;
  *o = (object){found.dli_fbase, found.dli_fname};
#endif
  return o->base && o->name;
}

// The offset of an address in its file. A file of fixed addresses is not moved: they are its offsets.
static uint64_t offset_in(const object *o, const void *p) {
  const Elf64_Ehdr *h = o->base;
  return h->e_type == ET_EXEC ? (uintptr_t)p : (uintptr_t)p - (uintptr_t)o->base;
}

// Is it this library or the C library? Their frames lie between a signal and the code that it interrupted.
static bool is_runtime(const object *o) {
  static object own, libc;
  if (!own.base) find_object((const void *)&is_runtime, &own), find_object((const void *)&abort, &libc);
  return o->base == own.base || o->base == libc.base;
}

// Sets the name of the file; the loader's name for the program is the one that it was started by.
static void name_object(const char *name, sl_place *p) {
  ssize_t n = name[0] == '/' ? -1 : readlink("/proc/self/exe", p->object, sizeof p->object - 1);
  if (n < 0) snprintf(p->object, sizeof p->object, "%s", name);
}

void sl__called(const char *name) {
  if (!sl__within_call()) call_name = name, calls++;
}

void sl__place(sl_place *p) {
  void *frame[40];
  const void *base = NULL;
  object o;
  memset(p, 0, sizeof *p);
  if (!wanted) return;
  snprintf(p->call, sizeof p->call, "%s", call_name);
  p->ordinal = calls;
  int n = backtrace(frame, 40);
  for (int k = 0; k < n && p->n < SL_PLACE_DEPTH; k++) {
    const char *at = (const char *)frame[k] - 1; // in the call: a frame holds the address after it
    if (!find_object(at, &o) || is_runtime(&o)) continue;
    if (!p->n) name_object(o.name, p), base = o.base;
    if (o.base == base) p->at[p->n++] = offset_in(&o, at);
  }
}

// Errors ----------------------------------------------------------------------------------------------------

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct {
  sl_notice notice;
  bool set;
} kept[SL_NOTICE_COUNT]; // the first of each kind that was not looked at

void sl__detail(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(detail, sizeof detail, fmt, ap);
  va_end(ap);
}

void sl__about_empty_launch(void) { empty = true; }
void sl__about_kernel(const char *name) { snprintf(kernel, sizeof kernel, "%s", name); }

static uint32_t notice_kind_of(const char *call, cudaError_t e) {
  static const char *const works[] = {"cudaMemcpy",
                                      "cudaMemset",
                                      "cudaFree",
                                      "cudaHostUnregister",
                                      "cudaSetDevice",
                                      "cudaDeviceSynchronize",
                                      "cudaStreamSynchronize",
                                      "cudaEventSynchronize",
                                      "cudaStreamEndCapture",
                                      "cudaGraphInstantiate",
                                      "cudaGraphLaunch"};
  if (strstr(call, "LaunchKernel") || strstr(call, "LaunchCooperativeKernel")) return SL_NOTICE_LAUNCH;
  for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
    if (strncmp(call, works[k], strlen(works[k])) != 0) continue;
    bool wrong = k < 2 && (e == cudaErrorInvalidValue || e == cudaErrorInvalidMemcpyDirection);
    return wrong ? SL_NOTICE_ARGUMENT : SL_NOTICE_CALL;
  }
  return e == cudaErrorInvalidResourceHandle ? SL_NOTICE_CALL : SL_NOTICE_COUNT;
}

static void fill_notice(sl_notice *n, const char *call, cudaError_t e) {
  n->error = (int)e;
  snprintf(n->call, sizeof n->call, "%s", call);
  snprintf(n->error_name, sizeof n->error_name, "%s", sl__error_name(e));
  snprintf(n->detail, sizeof n->detail, "%s", detail);
  n->empty = empty;
  snprintf(n->kernel, sizeof n->kernel, "%s", n->kind == SL_NOTICE_LAUNCH ? kernel : "");
  sl__place(&n->place);
  snprintf(n->place.call, sizeof n->place.call, "%s", call);
}

bool sl__failures_told(void) { return wanted & SL_HOST_FAILED; }

static void tell_failure(const char *call, cudaError_t e) {
  const bool launch = notice_kind_of(call, e) == SL_NOTICE_LAUNCH;
  sl_notice n = {.kind = SL_NOTICE_FAILED};
  sl__enter();
  fill_notice(&n, call, e);
  if (launch) snprintf(n.kernel, sizeof n.kernel, "%s", kernel);
  if (sl__connected()) sl__send_notice(&n);
  sl__leave();
}

void sl__failed(const char *call, cudaError_t e) {
  if (sl__failures_told()) tell_failure(call, e);
  uint32_t kind = wanted & SL_HOST_ERRORS ? notice_kind_of(call, e) : SL_NOTICE_COUNT;
  if (kind < SL_NOTICE_COUNT) {
    pthread_mutex_lock(&guard);
    if (!kept[kind].set) {
      kept[kind].notice = (sl_notice){.kind = kind};
      fill_notice(&kept[kind].notice, call, e);
      kept[kind].set = true;
    }
    pthread_mutex_unlock(&guard);
  }
  detail[0] = 0, empty = false;
}

void sl__unready(void) {
  if (!(wanted & SL_HOST_ERRORS)) return;
  pthread_mutex_lock(&guard);
  kept[SL_NOTICE_UNREADY].notice = (sl_notice){.kind = SL_NOTICE_UNREADY};
  fill_notice(&kept[SL_NOTICE_UNREADY].notice, call_name, cudaErrorNotReady);
  kept[SL_NOTICE_UNREADY].set = true;
  pthread_mutex_unlock(&guard);
}

void sl__timed(void) { kept[SL_NOTICE_UNREADY].set = false; }

void sl__looked_at(cudaError_t e) {
  if (!wanted) return;
  pthread_mutex_lock(&guard);
  for (size_t k = 0; k < SL_NOTICE_COUNT; k++)
    if (e == cudaSuccess || kept[k].notice.error == (int)e) kept[k].set = false;
  pthread_mutex_unlock(&guard);
}

bool sl__has_failed(void) {
  bool any = false;
  pthread_mutex_lock(&guard);
  for (size_t k = 0; k < SL_NOTICE_COUNT; k++) any |= kept[k].set;
  pthread_mutex_unlock(&guard);
  return any;
}

void sl__send_notice(const sl_notice *n) {
  sl_call k = {.op = SL_MSG_NOTICE, .out = {n}, .out_len = {sizeof *n}};
  sl__call(&k);
}

void sl__notice(uint32_t kind, const char *fmt, ...) {
  sl_notice n = {.kind = kind};
  va_list ap;
  if (!(wanted & SL_HOST_ERRORS)) return;
  sl__place(&n.place);
  snprintf(n.call, sizeof n.call, "%s", n.place.call);
  va_start(ap, fmt);
  vsnprintf(n.detail, sizeof n.detail, fmt, ap);
  va_end(ap);
  sl__send_notice(&n);
}

void sl__freed_twice(const void *p) {
  sl_notice n = {.kind = SL_NOTICE_FREED, .addr = (uintptr_t)p};
  if (!(wanted & SL_HOST_ERRORS)) return;
  fill_notice(&n, "cudaFree", cudaErrorInvalidValue);
  sl__send_notice(&n);
}

// Touching the device's memory ------------------------------------------------------------------------------

#if defined __aarch64__
// Does an instruction of arm64 that reaches memory write there? Only forms that compilers and libraries use.
static bool stores(uint32_t i) {
  const bool load = i >> 22 & 1, vector = i >> 26 & 1;
  if ((i & 0xffffffe0) == 0xd50b7420) return true;                                    // dc zva
  if ((i & 0x3a000000) == 0x28000000) return !load;                                   // pairs
  if ((i & 0x3f000000) == 0x08000000 || (i & 0xbe000000) == 0x0c000000) return !load; // exclusive; structures
  if ((i & 0x3f200c00) == 0x38200000) return true;                                    // atomics
  return (i & 0x3a000000) == 0x38000000 && !load && (vector || !(i >> 23 & 1));       // one register
}

// Was a write refused? The kernel says so in a record behind the registers, which qemu leaves out.
static bool was_write(const mcontext_t *m) {
  const struct _aarch64_ctx *head = (const void *)m->__reserved;
  while (head->magic && head->magic != ESR_MAGIC) head = (const void *)((const char *)head + head->size);
  return head->magic ? ((const struct esr_context *)head)->esr >> 6 & 1 : stores(*(const uint32_t *)m->pc);
}
#endif

// Returns where the program was when it faulted, and whether it was about to write.
static uintptr_t where(const void *context, bool *writes) {
  const ucontext_t *c = context;
#if defined __x86_64__
  *writes = c->uc_mcontext.gregs[REG_ERR] & 2;
  return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  *writes = was_write(&c->uc_mcontext);
  return c->uc_mcontext.pc;
#else
  (void)c;
  *writes = false;
  return 0;
#endif
}

static void place_of_fault(sl_place *p) {
  sl__place(p);
  p->call[0] = 0, p->ordinal = 0; // none
  p->at[0]++; // the instruction itself: the place of a call is the byte before its return address
}

static void send_from_fault(sl_notice *n) {
  place_of_fault(&n->place);
  sl__send_notice(n);
}

void sl__read_unwritten(uint64_t index, uint64_t size) {
  sl_notice n = {.kind = SL_NOTICE_UNWRITTEN, .addr = index, .size = size};
  send_from_fault(&n);
}

void sl__touched_early(uint64_t addr, bool writes) {
  sl_place place;
  place_of_fault(&place);
  sl_call k = {.op = SL_MSG_EARLY, .arg = {addr, writes}, .out = {&place}, .out_len = {sizeof place}};
  sl__call(&k);
}

// Handles a fault. In managed memory that is to be fetched, and in host memory that a copy has not finished
// with, the program goes on. Otherwise it dies; an address of the device is reported first, which is safe:
// nothing else of the program runs any more. A fault within a request (a wrong host pointer) is not reported.
static void on_fault(int sig, siginfo_t *info, void *context) {
  bool writes;
  uintptr_t ip = where(context, &writes);
  bool ours = sl__managed_fault((uintptr_t)info->si_addr, writes);
  if (sl__pending_fault((uintptr_t)info->si_addr, writes, ip) || ours) return;
  signal(sig, SIG_DFL);
  sl_notice n = {.kind = SL_NOTICE_TOUCHED, .addr = (uintptr_t)info->si_addr};
  if (!(wanted & SL_HOST_ERRORS) || !sl__on_device(info->si_addr) || sl__managed_has(n.addr)) return;
  send_from_fault(&n);
}

void sl__catch_faults(void) {
  struct sigaction old, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  void *frame[1];
  if (sigaction(SIGSEGV, NULL, &old) != 0 || old.sa_handler != SIG_DFL) return;
  backtrace(frame, 1); // loads now what the handler must not load
  sigaction(SIGSEGV, &ours, NULL);
}

bool sl__races_wanted(void) { return wanted & SL_HOST_RACES; }

static bool faults_seen(void) {
  struct sigaction now;
  return sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fault;
}

bool sl__races_seen(void) { return sl__races_wanted() && faults_seen(); }

bool sl__reads_seen(void) {
#if defined __x86_64__ || defined __aarch64__
  return wanted & SL_HOST_UNWRITTEN && faults_seen();
#else
  return false; // a read cannot be told from a write
#endif
}

// Begin and end ---------------------------------------------------------------------------------------------

static void keep_status(int status, void *) { exit_status = status; }

void sl__notices_begin(uint32_t checks) {
  wanted = checks;
  // the judge, which unloads this library before it ends, is asked for no more than these
  if (!(wanted & ~(uint32_t)(SL_HOST_PLACES | SL_HOST_FAILED))) return;
  on_exit(keep_status, NULL);
  if (wanted & (SL_HOST_ERRORS | SL_HOST_RACES)) sl__catch_faults();
}

bool sl__leaks_wanted(void) { return wanted & SL_HOST_LEAKS; }

static void tell_pinned(const sl_place *made, size_t size) {
  sl_notice n = {.kind = SL_NOTICE_PINNED, .place = *made};
  snprintf(n.call, sizeof n.call, "%s", made->call);
  snprintf(n.detail, sizeof n.detail, "%zu bytes", size);
  sl__send_notice(&n);
}

void sl__notices_end(void) {
  if (!wanted || exit_status < 0) return;
  for (size_t k = 0; k < SL_NOTICE_COUNT; k++)
    if (kept[k].set && (k != SL_NOTICE_CALL || exit_status == 0)) sl__send_notice(&kept[k].notice);
  if (exit_status == 0) sl__pinned_left(tell_pinned);
  sl__call1(SL_MSG_BYE, (uint64_t)exit_status, 0, 0);
}
