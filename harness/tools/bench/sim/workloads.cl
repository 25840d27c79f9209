// The kernels of workloads.cu in OpenCL C, line by line. T: float or int.
#define THREADS 512
#define TILE (2 * THREADS)

#define SCAN(T)                                                                                              \
  __kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void scan_tiles_##T(                         \
      __global const T *in, __global T *out, __global T *sums) {                                             \
    __local T s[TILE];                                                                                       \
    int t = get_local_id(0), base = get_group_id(0) * TILE, step = 1;                                        \
    s[t] = in[base + t];                                                                                     \
    s[t + THREADS] = in[base + t + THREADS];                                                                 \
    for (int active = THREADS; active > 0; active /= 2, step *= 2) {                                         \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
      if (t < active) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];                                \
    }                                                                                                        \
    if (t == 0) {                                                                                            \
      sums[get_group_id(0)] = s[TILE - 1];                                                                   \
      s[TILE - 1] = 0;                                                                                       \
    }                                                                                                        \
    for (int active = 1; active < TILE; active *= 2) {                                                       \
      step /= 2;                                                                                             \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
      if (t < active) {                                                                                      \
        int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;                                          \
        T left = s[a];                                                                                       \
        s[a] = s[b];                                                                                         \
        s[b] += left;                                                                                        \
      }                                                                                                      \
    }                                                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    out[base + t] = s[t];                                                                                    \
    out[base + t + THREADS] = s[t + THREADS];                                                                \
  }                                                                                                          \
  __kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void add_offsets_##T(__global T *out,        \
                                                                                     __global const T *offsets) { \
    int i = get_group_id(0) * TILE + get_local_id(0);                                                        \
    T o = offsets[get_group_id(0)];                                                                          \
    out[i] += o;                                                                                             \
    out[i + THREADS] += o;                                                                                   \
  }
SCAN(float)
SCAN(int)

__kernel void flag_zeros(__global const uint *keys, __global int *flags, int bit) {
  int i = get_global_id(0);
  flags[i] = !((keys[i] >> bit) & 1);
}

__kernel void scatter_bit(__global const uint *keys, __global uint *out, __global const int *flags,
                          __global const int *before, int n) {
  int i = get_global_id(0);
  int zeros = before[n - 1] + flags[n - 1];
  out[flags[i] ? before[i] : i - before[i] + zeros] = keys[i];
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void count_digits(__global const uint *keys,
                                                                                __global int *counts, int shift) {
  __local int h[16];
  int t = get_local_id(0);
  if (t < 16) h[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&h[(keys[get_global_id(0)] >> shift) & 15], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 16) counts[t * get_num_groups(0) + get_group_id(0)] = h[t];
}
