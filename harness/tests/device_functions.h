// The headers whose device functions are loaded.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
