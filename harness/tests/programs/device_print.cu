// Device printf: every conversion, flag, width, precision and size that the programming guide lists ("%.*f"
// and "%hhd" are not among them), more arguments than a line, the value that it returns, order within a
// thread. What arrives at stdout is compared with the host's printf of the same.
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include "check.h"

#define LINES(P)                                                                                          \
  P("%d %i|%5d|%-5d|%05d|%+d|% d\n", n, -n, n, n, n, n, n)                                                \
  P("%u %o %x %X|%#x %#o|%8x|%-8X|\n", 3000000000u, 8u, 255u, 0xBEEFu, 255u, 8u, 0xabcu, 0xabcu)          \
  P("%f %.2f %10.3f|%-10.1f|%+.0f|%e %.3E|%g %G\n", 1.5, x, x, x, 2.5, 12345.678, x, 0.0001, 1e20)        \
  P("%a %5.1f%%\n", 1.0, 99.5)                                                                            \
  P("%c%c%c %s|%10s|%-10s|%.3s\n", 'a', 66, 'z', "text", "right", "left", "truncated")                    \
  P("%lld %llu %llx|%20lld|%ld %lu\n", -1ll << 40, ~0ull, 1ull << 60, 123456789012345ll, -5l, 5ul)         \
  P("%hd %hu\n", (short)-3, (unsigned short)65535)                                                        \
  P("%*d|%-*d|%*d\n", 6, n, 6, n, -6, n)                                                                  \
  P("%p %p|%12p|%-8p|\n", (void *)0x1234, (void *)0, (void *)0, (void *)16)                             \
  P("no arguments\n")                                                                                     \
  P("%d %d %d %d %d %d %d %d %d %d %d %d %s %f %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "many", 0.5, 14, 15)

#define CALL(...) printf(__VA_ARGS__);
__global__ void lines(int n, double x) { LINES(CALL) }
__global__ void values(int *out) {
  out[0] = printf("%d %d\n", 1, 2), out[1] = printf("plain\n");
  for (int k = 0; k < 20; k++) printf("k%d ", k);
  printf("\n");
}
__global__ void lanes() { if (threadIdx.x % 11 == 0) printf("lane %d of block %d: %s\n", threadIdx.x, blockIdx.x, threadIdx.x ? "others" : "first"); }

// What [run] writes to stdout.
template <typename F> static std::string captured(F run) {
  char name[] = "/tmp/device_print_XXXXXX", buf[8192];
  fflush(stdout);
  int file = mkstemp(name), old = dup(1);
  dup2(file, 1);
  run();
  CUDA(cudaDeviceSynchronize());
  fflush(stdout);
  dup2(old, 1), close(old);
  ssize_t n = pread(file, buf, sizeof buf, 0);
  close(file), unlink(name);
  return std::string(buf, n > 0 ? (size_t)n : 0);
}

static void compare(const char *what, const std::string &got, const std::string &want) {
  size_t at = 0;
  while (at < got.size() && at < want.size() && got[at] == want[at]) at++;
  CHECK(got == want, "%s differ at %zu: got\n%s\nwant\n%s", what, at, got.substr(at, 60).c_str(), want.substr(at, 60).c_str());
}

int main() {
  int n = 42;
  double x = 3.14159265358979;
  char line[512];
  std::string want;
#define EXPECT(...) snprintf(line, sizeof line, __VA_ARGS__); want += line;
  LINES(EXPECT)
  compare("conversions", captured([&] { lines<<<1, 1>>>(n, x); }), want);
  Dev<int> out(2);
  want = "1 2\nplain\n";
  for (int k = 0; k < 20; k++) want += "k" + std::to_string(k) + " ";
  compare("lines of one thread", captured([&] { values<<<1, 1>>>(out); }), want + "\n");
  check_equal("values of printf", out.get(), std::vector<int>{2, 0});
  std::string got = captured([] { lanes<<<2, 32>>>(); });
  size_t found = 0;
  for (int b = 0; b < 2; b++)
    for (int t = 0; t < 32; t += 11) {
      snprintf(line, sizeof line, "lane %d of block %d: %s\n", t, b, t ? "others" : "first");
      found += got.find(line) != std::string::npos;
    }
  CHECK(found == 6, "%zu of 6 lines in %s", found, got.c_str());
  return check_done("device_print");
}
