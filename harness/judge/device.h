// The device as the judge uses it: memory on the simulated or the real GPU, through the CUDA runtime API.
//
// The runtime library is loaded at run time, so that one judge serves both backends. On the simulator,
// opening starts an sl-gpu of the judge's own.
#pragma once

#include "gpu/start/control.h"

typedef enum sl_backend { SL_BACKEND_SIM, SL_BACKEND_GPU } sl_backend;
extern const char *const sl_backend_names[]; // ended by NULL

typedef struct sl_device sl_device;

// [options] are the simulated GPU's, NULL on the real one. [report]: file for sl-gpu's report, or NULL.
sl_device *sl_device_open(sl_backend backend, const sl_gpu_options *options, const sl_report_to *report,
                          sl_error *e);
// Leaves a simulated one at *spare for sl_device_renew. False: there is no room, or [d] is a real one.
bool sl_device_leave(sl_device *d, sl_device **spare);
// Makes a simulated one as good as new, with other options. What was allocated is gone.
bool sl_device_renew(sl_device *d, const sl_gpu_options *options, sl_error *e);
// Ends it. False with [e] if the simulated GPU's report could not be written.
bool sl_device_close(sl_device *d, sl_error *e);
sl_control *sl_device_control(sl_device *d);    // NULL on the real GPU
char *const *sl_device_env(const sl_device *d); // environment for programs that are to use this device

// Memory. Errors are SL_EXIT_INFRA: it is the judge's own.
bool sl_device_alloc(sl_device *d, size_t bytes, void **out, sl_error *e);
void sl_device_free(sl_device *d, void *p);
bool sl_device_write(sl_device *d, void *to, const void *from, size_t bytes, sl_error *e);
bool sl_device_read(sl_device *d, void *to, const void *from, size_t bytes, sl_error *e);
// Waits until what was written is there: a real GPU may get small copies after the call that makes them.
bool sl_device_settle(sl_device *d, sl_error *e);
// Host memory for copies, at least [bytes] long; [which]: 0 or 1. It is valid until the next call with the
// same [which], or until the device is closed. For a real GPU large memory is page-locked if the machine
// allows it. NULL: out of memory.
void *sl_device_staging(sl_device *d, int which, size_t bytes);
bool sl_device_handle(sl_device *d, void *p, uint8_t handle[64], sl_error *e);

// The function [name] of the device's CUDA runtime library; NULL if there is none.
void *sl_device_symbol(const sl_device *d, const char *name);

// "cudaErrorIllegalAddress (an illegal memory access was encountered)" into [out]. Returns [out].
char *sl_device_error_text(const sl_device *d, int code, char *out, size_t cap);
