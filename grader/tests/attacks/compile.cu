// What the compiler is made to do: to read files of the grader, to take all time and memory. The solution
// stands before this file, its entry under the name honest (attacks.sh).
//
// attack 01 includes_secret ci: INCLUDE=CANARY | at most 0
// attack 01 includes_passwords: INCLUDE="/etc/passwd" | at most 0
// attack 01 includes_solution: INCLUDE=SOLUTION | at most 0
// attack 01 includes_endless: INCLUDE="/dev/zero" | at most 0
// attack 01 includes_environment: INCLUDE="/proc/self/environ" | at most 0
// attack 01 includes_program: INCLUDE="/proc/self/exe" | at most 0
// attack 01 assembles_secret: INCBIN | at most 0
// attack 01 asks_for_secret: ASKS | at most 0
// attack 01 tells_line: LINE | at most 0
// attack 01 finds_line: FINDING | at most 5
// attack 01 large_array: LARGE | at most 0
// attack 01 not_cuda: NOT_CUDA | at most 0
// attack 02 includes_output: INCLUDE="/dev/stdout" | at most 100
// attack 02 includes_input: INCLUDE="/dev/stdin" | at most 100
// attack 02 includes_itself: SELF | at most 0
// attack 02 templates: TEMPLATES | at most 0
// attack 02 expands: EXPANDS | at most 0
// attack 02 computes: COMPUTES | at most 0
// attack 02 unrolls: UNROLLS | at most 100
// attack 02 embeds: EMBEDS | at most 0
// attack 02 assembles_text: ASM_INCLUDE | at most 0
// attack 02 own_main: OWN_MAIN | at most 0
// attack 02 own_start: OWN_START | at most 0
// attack 02 own_loader: OWN_LOADER | at most 100
// attack 02 depends: DEPENDS | at most 100
// attack 02 precompiled: PRECOMPILED | at most 100
// attack 02 link_words: LINK_WORDS | at most 100
// attack 02 date_and_counter: DATE | at most 100
// attack 03 includes_command: INCLUDE="/proc/self/cmdline" | at most 0
// attack 03 includes_parent: INCLUDE="/proc/1/cmdline" | at most 0
// attack 03 includes_mounts: INCLUDE="/proc/self/mountinfo" | at most 0
// attack 03 includes_folder: INCLUDE="." | at most 0
// attack 03 includes_neighbour: INCLUDE="../../zz_honest/03_blelloch/kernel.cu" | at most 0
// attack 04 cub_behind_dots: INCLUDE=<thrust/../cub/cub.cuh> | at most 0
// attack 04 cub_by_part: INCLUDE=<cub/block/block_scan.cuh> | at most 0
// attack 04 cub_by_devices: INCLUDE="/dev/../usr/local/cuda/include/cccl/cub/version.cuh" | at most 0
// attack 04 cub_by_process: INCLUDE="/proc/self/root/usr/local/cuda/include/cccl/cub/version.cuh" | at most 0
// attack 04 cub_as_system: CUB AS_SYSTEM | at most 0
// attack 04 cub_under_other_name: CUB LINED | at most 0
// attack 04 cub_imported: IMPORTED | at most 0
// attack 04 cub_by_digraph: DIGRAPH | at most 0
// attack 04 cub_on_device: CUB ON_DEVICE | at most 0
// attack 04 cub_on_host: CUB ON_HOST | at most 0
// attack 03 finds_line_above: FINDING OTHER="../../../../../../../etc/hostname" | at most 5
// attack 03 finds_line_of_proc: FINDING OTHER="/proc/self/environ" | at most 5
// attack 03 finds_line_of_neighbour: FINDING OTHER="../zz_honest/kernel.cu" | at most 5
// attack 03 long_names: LONG_NAMES | at most 100
// attack 03 deep: DEEP | at most 100
#ifdef INCLUDE
#include INCLUDE
#endif
#ifdef INCBIN
asm(".incbin \"" CANARY "\"");
#endif
#if defined ASKS && __has_include(CANARY)
#error REACHED what is there
#elif defined ASKS
#error not there
#endif
#ifdef LINE // the message of the compiler shows the line that is at fault
static void wrong_line() {
#line 1 CANARY
  int x = "";
}
#endif
#ifndef OTHER
#define OTHER CANARY
#endif
#ifdef FINDING // and so does the grader, of a race
__global__ void races(const float *in, float *out) {
  __shared__ float s[64];
#line 1 OTHER
  s[(threadIdx.x + 1) % 64] = in[0], out[0] = s[threadIdx.x];
}
#endif
#ifdef LARGE
char large[1ull << 31] = {1};
#endif
#ifdef NOT_CUDA
int x = ;
#endif
#ifdef SELF // 2^200 times
#include __FILE__
#include __FILE__
#endif
#ifdef TEMPLATES
template <int N, int M> struct F { static constexpr long v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; };
template <int M> struct F<0, M> { static constexpr long v = M; };
long number = F<26, 1>::v;
#endif
#ifdef EXPANDS // 10^9 words
#define TEN(x) x x x x x x x x x x
#define THOUSAND(x) TEN(TEN(TEN(x)))
THOUSAND(THOUSAND(THOUSAND(int f();)))
#endif
#ifdef COMPUTES
constexpr long steps(long n) { return n < 2 ? n : steps(n - 1) + steps(n - 2); }
constexpr long many = steps(60);
#endif
#ifdef UNROLLS
__global__ void unrolled(float *p) {
#pragma unroll
  for (int a = 0; a < 60; a++)
#pragma unroll
    for (int b = 0; b < 60; b++)
#pragma unroll
      for (int c = 0; c < 60; c++) p[a * b * c] += p[a + b + c] * a;
}
#endif
#ifdef EMBEDS
const unsigned char embedded[] = {
#embed CANARY
};
#endif
#ifdef ASM_INCLUDE
asm(".include \"" CANARY "\"");
#endif
#ifdef OWN_MAIN
int main() { return 0; }
#endif
#ifdef OWN_START
asm(".globl _start\n_start: mov $60, %eax\nxor %edi, %edi\nsyscall");
#endif
#ifdef OWN_LOADER
asm(".pushsection .interp,\"a\"\n.asciz \"/bin/sh\"\n.popsection");
#endif
#ifdef DEPENDS
#pragma GCC dependency "/etc/hostname"
#endif
#ifdef PRECOMPILED
#pragma GCC pch_preprocess "/etc/hostname"
#endif
#ifdef LINK_WORDS
asm(".pushsection .note.dlopen\n.asciz \"" CANARY "\"\n.popsection");
#pragma comment(lib, CANARY)
#pragma comment(linker, "-T" CANARY)
#endif
#ifdef DATE
const char made[] = __DATE__ __TIME__ __FILE__;
int counted = __COUNTER__;
#endif
#ifdef AS_SYSTEM // as if a header of the system had opened it
# 1 "/usr/include/stdio.h" 1 3
#endif
#if defined ON_DEVICE && !defined __CUDA_ARCH__
#undef CUB
#elif defined ON_HOST && defined __CUDA_ARCH__
#undef CUB
#endif
#ifdef LINED
#line 1 "/usr/local/cuda/include/cuda/std/functional"
#endif
#ifdef CUB
#include <cub/block/block_scan.cuh>
#endif
#ifdef AS_SYSTEM
# 1 "kernel.cu" 2
#endif
#ifdef IMPORTED
#import <cub/block/block_scan.cuh>
#endif
#ifdef DIGRAPH
%:inc\
lude <cub/block/block_scan.cuh>
#endif
#ifdef LONG_NAMES // 8192 letters
#define JOIN(a, b, c, d, e, f, g, h) a##b##c##d##e##f##g##h
#define TIMES_8(x) JOIN(x, x, x, x, x, x, x, x)
#define LONGER(x) TIMES_8(x)
#define LONGEST(x) LONGER(x)
__global__ void LONGEST(LONGER(TIMES_8(aaaaaaaaaaaaaaaa)))(float *p) { p[threadIdx.x + (1 << 20)] = p[0]; }
#endif
#ifdef DEEP
#define P10(x) ((((((((((x))))))))))
#define P1000(x) P10(P10(P10(P10(P10(P10(P10(P10(P10(P10(x))))))))))
static const int deep = P1000(P1000(P1000(1)));
#endif
extern "C" cudaError_t ENTRY(const float *in, float *out, int n) {
#ifdef FINDING
  races<<<1, 64>>>(in, out);
  return n ? cudaGetLastError() : cudaErrorUnknown;
#else
  return honest(in, out, n);
#endif
}
