// Host side of the workloads, the same for CUDA, HIP and OpenCL: input, timing, checks.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

const int THREADS = 512, TILE = 2 * THREADS;
static size_t device_bytes;

// Floats are 0 to 7, and so few of them are not 0 that their sum stays below 2^24: every sum is exact.
struct Input {
  std::vector<float> f;
  std::vector<unsigned> u;
  explicit Input(int n) : f(n), u(n) {
    int every = n > 1 << 21 ? n >> 21 : 1;
    for (int i = 0; i < n; i++) {
      u[i] = i * 2654435761u ^ (i * 40503u << 7);
      f[i] = i % every ? 0 : u[i] >> 29;
    }
  }
};

static int wrong_scan(const Input &in, const std::vector<float> &got) {
  float sum = 0;
  int bad = 0;
  for (size_t i = 0; i < got.size(); i++) bad += !(got[i] == sum), sum += in.f[i];
  return bad;
}

static int wrong_split(const Input &in, const std::vector<unsigned> &got) {
  std::vector<unsigned> want = in.u;
  int bad = 0;
  std::stable_partition(want.begin(), want.end(), [](unsigned k) { return !(k & 1); });
  for (size_t i = 0; i < got.size(); i++) bad += got[i] != want[i];
  return bad;
}

// got: digit after digit, a counter for each block.
static int wrong_count(const Input &in, const std::vector<int> &got) {
  size_t blocks = in.u.size() / THREADS;
  std::vector<int> want(16 * blocks);
  int bad = 0;
  for (size_t i = 0; i < in.u.size(); i++) want[(in.u[i] & 15) * blocks + i / THREADS]++;
  for (size_t i = 0; i < got.size(); i++) bad += got[i] != want[i];
  return bad;
}

// [work] runs a workload and waits for its end; [wrong] counts wrong elements. Prints one line.
static void report(const char *name, int n, int reps, const std::function<void()> &work,
                   const std::function<int()> &wrong) {
  std::vector<double> ns;
  for (int r = 0; r < reps; r++) {
    auto start = std::chrono::steady_clock::now();
    work();
    ns.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() /
                 n);
  }
  std::sort(ns.begin(), ns.end());
  printf("%s %.3f %.3f %d\n", name, ns[reps / 2], ns[0], wrong());
}
