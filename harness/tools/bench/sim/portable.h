// CUDA, or HIP on the CPU (BENCH_HIP): the few runtime calls that the workloads need, under their CUDA names.
#pragma once
#ifdef BENCH_HIP
#include <hip/hip_runtime.h>
#define cudaMalloc hipMalloc
#define cudaMemcpy hipMemcpy
#define cudaMemset hipMemset
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaSuccess hipSuccess
#define LAUNCH(kernel, blocks, threads, ...)                                                                 \
  hipLaunchKernelGGL(kernel, dim3(blocks), dim3(threads), 0, 0, __VA_ARGS__)
static void finish() { fflush(stdout), _Exit(0); } // its threads need not be waited for
#else
#include <cuda_runtime.h>
#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
static void finish() { (void)cudaDeviceReset(); }
#endif
