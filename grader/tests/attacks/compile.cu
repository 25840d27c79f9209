// What the compiler is made to do: to read files of the grader, to take all time and memory. The solution stands before this file, its
// entry under the name honest (attacks.sh).
//
// attack 01 includes_secret ci: INCLUDE=CANARY | at most 0
// attack 01 includes_passwords: INCLUDE="/etc/passwd" | at most 0
// attack 01 includes_solution: INCLUDE=SOLUTION | at most 0
// attack 01 includes_endless: INCLUDE="/dev/zero" | at most 0
// attack 01 includes_environment: INCLUDE="/proc/self/environ" | at most 0
// attack 01 assembles_secret: INCBIN | at most 0
// attack 01 asks_for_secret: ASKS | at most 0
// attack 01 tells_line: LINE | at most 0
// attack 01 finds_line: FINDING | at most 5
// attack 01 large_array: LARGE | at most 0
// attack 01 not_cuda: NOT_CUDA | at most 0
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
#ifdef FINDING // and so does the grader, of a race
__global__ void races(const float *in, float *out) {
  __shared__ float s[64];
#line 1 CANARY
  s[(threadIdx.x + 1) % 64] = in[0], out[0] = s[threadIdx.x];
}
#endif
#ifdef LARGE
char large[1ull << 31] = {1};
#endif
#ifdef NOT_CUDA
int x = ;
#endif
extern "C" cudaError_t ENTRY(const float *in, float *out, int n) {
#ifdef FINDING
  races<<<1, 64>>>(in, out);
  return n ? cudaGetLastError() : cudaErrorUnknown;
#else
  return honest(in, out, n);
#endif
}
