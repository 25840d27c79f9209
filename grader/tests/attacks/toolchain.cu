// What a source may say to the compiler, the assembler and the linker: names of the judge, files that they
// would write, messages that look like others. The solution stands before this file, its entry under the name
// honest (attacks.sh).
//
// attack 01 dumps_files: DUMPS | at most 100
// attack 02 renames_symbols: RENAMES | at most 100
// attack 03 label_of_runner: LABELS | at most 5
// attack 04 many_warnings: WARNS | at most 100
// attack 01 deep_conditions: CONDITIONS | at most 100
// attack 02 many_macros: MACROS | at most 100
// attack 03 includes_compiler: INCLUDED="/usr/local/cuda/bin/ptxas" | at most 0
// attack 04 includes_text_of_pass: INCLUDED="kernel.cpp1.ii" | at most 0
// attack 01 includes_log: INCLUDED="host.log" | at most 0
// attack 02 names_in_unicode: UNICODE | at most 100
// attack 03 looks_for_files: LOOKS | at most 0
// attack 04 section_of_judge: SECTIONS | at most 5
// attack 01 pushed_macros: PUSHES | at most 100
// attack 02 attributes_that_stop: STOPS | at most 100
// attack 03 includes_next: NEXT | at most 100
// attack 04 system_header: SYSTEM | at most 100
#ifdef DUMPS
#pragma GCC optimize("-fdump-tree-all", "-fprofile-generate", "-save-temps")
__attribute__((optimize("-fdump-rtl-all", "-fstack-usage"))) int dumped(int x) { return x + 1; }
#endif
#ifdef RENAMES
#pragma redefine_extname lab02_double_buffer other_entry
#pragma weak main
#pragma GCC visibility push(hidden)
#pragma GCC visibility pop
#endif
#ifdef LABELS
int mine(void) asm("sl_runner_go");
int mine(void) { return 1; }
asm(".symver sl_runner_go,read@GLIBC_2.2.5");
#endif
#ifdef WARNS
#define W _Pragma("GCC warning \"kernel.cu(1): error: forged\"") _Pragma("message \"Killed signal terminated\"")
#define W8 W W W W W W W W
W8 W8 W8 W8 W8 W8 W8 W8
#endif
#ifdef CONDITIONS
#define IF8(x) ((x) ? (x) : ((x) ? (x) : ((x) ? (x) : 1)))
static const int conditions = IF8(IF8(IF8(IF8(IF8(1)))));
#endif
#ifdef MACROS
#define M1(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7
#define M2(x) M1(x##0), M1(x##1), M1(x##2), M1(x##3), M1(x##4), M1(x##5), M1(x##6), M1(x##7)
#define M3(x) M2(x##0), M2(x##1), M2(x##2), M2(x##3), M2(x##4), M2(x##5), M2(x##6), M2(x##7)
#define M4(x) M3(x##0), M3(x##1), M3(x##2), M3(x##3), M3(x##4), M3(x##5), M3(x##6), M3(x##7)
enum { M4(many_) };
#endif
#ifdef INCLUDED
#if __has_include(INCLUDED)
#include INCLUDED
#endif
#endif
#ifdef UNICODE
static int v\u00e4lue = 1, сudaMalloc = 2; // the second begins with a Cyrillic letter
int sum_of_names() <% return v\u00e4lue + сudaMalloc; %>
#endif
#ifdef LOOKS
#if __has_include(CANARY)
#error the name of a file is there
#endif
#if __has_include("/root/.ssh") || __has_include("/home") && __has_include("/etc/shadow")
#error the name of a folder is there
#endif
#endif
#ifdef SECTIONS
asm(".pushsection .preinit_array,\"aw\"\n.quad 0\n.popsection");
asm(".pushsection .gnu.warning.read,\"a\"\n.asciz \"kernel.cu: error: forged\"\n.popsection");
#endif
#ifdef PUSHES
#pragma push_macro("cudaMalloc")
#define cudaMalloc(p, n) cudaErrorMemoryAllocation
#pragma pop_macro("cudaMalloc")
#undef SL_CUDA
#define SL_CUDA(call) (void)(call)
#endif
#ifdef STOPS
__attribute__((constructor(101))) static void early() {}
__attribute__((destructor(101))) static void late() { fputs("{\"status\": \"pass\"}\n", stderr); }
#endif
#ifdef NEXT
#include_next <scanlab/lab.h>
#endif
#ifdef SYSTEM
%:pragma GCC system_header
#pragma GCC poison sl_main
#endif
extern "C" cudaError_t ENTRY(const float *in, float *out, int n) { return honest(in, out, n); }
