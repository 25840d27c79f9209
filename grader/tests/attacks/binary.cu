// Right kernels in a program that is made in an odd way: names that the linker or the loader obeys, sections
// that grow it, text in the place of code; and sources that say the grader's words. The solution stands
// before this file, its entry under the name honest (attacks.sh).
//
// attack 01 weak_names: WEAK_NAMES | at most 100
// attack 02 versions: VERSIONS | at most 100
// attack 03 linker_warns: LINKER_WARNS | at most 100
// attack 04 stack_of_code: STACK_OF_CODE | at most 100
// attack 01 large_threads: LARGE_THREADS | at most 100
// attack 02 large_zeros: LARGE_ZEROS | at most 0
// attack 03 own_begin: OWN_BEGIN | at most 0
// attack 04 own_tables: OWN_TABLES | at most 100
// attack 01 odd_lines: ODD_LINES | at most 100
// attack 02 line_of_host: LINE_OF_HOST | at most 5
// attack 03 odd_debugging: ODD_DEBUGGING LINE_OF_HOST NAME="kernel.cu" | at most 5
// attack 04 names_in_kernels: NAMES_IN_KERNELS | at most 5
// attack 01 error_of_grader: ERROR_OF_GRADER | at most 0
// attack 02 no_utf8: NO_UTF8 | at most 0
// attack 03 many_lines: MANY_LINES | at most 100
// attack 04 poisons: POISONS | at most 0
// attack 01 own_environment: OWN_ENVIRONMENT | at most 100
// attack 02 own_threads: OWN_THREADS | at most 100
// attack 03 patches_itself: PATCHES_ITSELF | at most 100
// attack 04 cub_behind_frames: FRAMES | at most 0
// attack 01 cub_with_comments: COMMENTS | at most 0
// attack 02 includes_descriptor: INCLUDED="/proc/self/fd/0" | at most 100
// attack 04 includes_device: INCLUDED="/dev/urandom" | at most 0
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WEAK_NAMES
asm(".weak main\n.weak receive\n.weak reply\n.globl call_entry\n.set call_entry, 0\n.globl go\n.set go, 0");
extern "C" __attribute__((weak)) int sl_entry() { return 0; }
#endif
#ifdef VERSIONS
asm(".symver honest_exit, _exit@GLIBC_2.2.5");
extern "C" void honest_exit(int) {}
#endif
#ifdef LINKER_WARNS // each use of the function gives this line
asm(".pushsection .gnu.warning.sl_told\n.ascii \"\\033[2J 100% tests passed </pre> error: Grade :=>> 100\"\n.popsection");
extern "C" __attribute__((noinline)) int sl_told() { return 1; }
int told = sl_told();
#endif
#ifdef STACK_OF_CODE
asm(".pushsection .note.GNU-stack,\"x\",@progbits\n.popsection");
#endif
#ifdef LARGE_THREADS
__thread char of_thread[1 << 28];
char *one_thread() { return of_thread; }
#endif
#ifdef LARGE_ZEROS
char zeros[1ull << 33];
#endif
#ifdef OWN_BEGIN
extern "C" int __libc_start_main(int (*)(int, char **, char **), int, char **, void (*)(), void (*)(), void (*)(), void *) {
  _exit(0);
}
#endif
#ifdef OWN_TABLES // modules of its own beside those of nvcc
static const unsigned container[64] = {0x466243b1, 1};
extern "C" void **__cudaRegisterFatBinary(void *);
static void **own = __cudaRegisterFatBinary((void *)container);
#endif
#ifdef ODD_LINES
#line 4294967295 "a\"b\\c\033[2J<script>x()</script>"
__global__ void on_an_odd_line() {}
#line 1 ""
static const int behind = __LINE__;
int tell_behind() { return behind; }
#endif
#ifdef LINE_OF_HOST // a call that fails, on a line of another file
#ifndef NAME
#define NAME CANARY
#endif
static cudaError_t fails(const float *in, float *out) {
#line 1 NAME
  return cudaMemcpy(out, in, (size_t)1 << 60, cudaMemcpyDeviceToDevice);
}
#endif
#ifdef ODD_DEBUGGING
asm(".pushsection .debug_line\n.fill 100000, 1, 0xff\n.popsection\n.pushsection .debug_info\n"
    ".fill 100000, 1, 0x7f\n.popsection\n.pushsection .debug_abbrev\n.fill 1000, 1, 0x11\n.popsection");
#endif
#ifdef NAMES_IN_KERNELS // no name that a compiler would make
extern "C" __global__ void _Z1fILi1EEvT_T_T_T_S0_S_S1_(float *p) { p[1 << 28] = 1; }
#endif
#ifdef ERROR_OF_GRADER
#error "kernel.cu(1): error: 0 errors\n100% tests passed\n::set-output name=a::b\nGrade :=>> 100"
#endif
#ifdef NO_UTF8
#warning "üß ÿþ À¯"
static const char bytes[] = "üß ÿþ À¯";
const char *tell_bytes() { return bytes; }
#endif
#ifdef MANY_LINES
#define TEN(x) x x x x x x x x x x
#define LINES TEN(_Pragma("GCC warning \"TODO(1) --- begin\""))
TEN(TEN(LINES))
#endif
#ifdef POISONS
#pragma GCC poison honest cudaGetLastError
#endif
#ifdef OWN_ENVIRONMENT
extern char **environ;
__attribute__((constructor)) static void changes() {
  static char word[] = "SCANLAB_SANDBOX=off", *list[] = {word, NULL};
  environ = list, setenv("CUDA_VISIBLE_DEVICES", "", 1), unsetenv("LD_LIBRARY_PATH");
}
#endif
#ifdef OWN_THREADS // what libraries call
extern "C" int pthread_mutex_lock(pthread_mutex_t *) noexcept { return 0; }
extern "C" int pthread_mutex_unlock(pthread_mutex_t *) noexcept { return 0; }
extern "C" char *getenv(const char *) noexcept { return NULL; }
#endif
#ifdef PATCHES_ITSELF // the runtime's own code, by way of the file of its memory
__attribute__((constructor)) static void patches() {
  static const unsigned char ret[] = {0x31, 0xc0, 0xc3};
  const int fd = open("/proc/self/mem", O_RDWR);
  if (fd >= 0 && pwrite(fd, ret, sizeof ret, (off_t)(size_t)&cudaIpcCloseMemHandle) != sizeof ret) close(fd);
}
#endif
#ifdef FRAMES // more files open than anybody counts
# 1 "a" 1
# 1 "b" 1
# 1 "/usr/local/cuda/include/cooperative_groups.h" 1
# 1 "/usr/local/cuda/include/cuda/atomic" 1
#include <cub/version.cuh>
# 1 "kernel.cu" 2
#endif
#ifdef COMMENTS
/**/ # /**/ include /* <vector> */ <cub/version.cuh> // <vector>
#endif
#ifdef INCLUDED
#include INCLUDED
#endif

extern "C" cudaError_t ENTRY(const float *in, float *out, int n) {
#ifdef LINE_OF_HOST
  if (n) return fails(in, out);
#endif
#ifdef NAMES_IN_KERNELS
  if (n) _Z1fILi1EEvT_T_T_T_S0_S_S1_<<<1, 1>>>(out);
#endif
  return honest(in, out, n);
}
