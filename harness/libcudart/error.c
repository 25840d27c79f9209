// Errors: names, texts, the last error of each thread.
//
// Names and texts are those of the toolkit's runtime (errors.def). cudaGetLastError returns an error once and
// forgets it. The error of a failed kernel comes back with every later call that needs the device.
#include "libcudart/client.h"

#include <stdarg.h>

static _Thread_local cudaError_t last;

cudaError_t sl__keep_of(const char *call, cudaError_t e) {
  if (e != cudaSuccess && e != cudaErrorNotReady) last = e, sl__failed(call, e);
  return e;
}

cudaError_t sl__swap_last(cudaError_t e) {
  const cudaError_t before = last;
  last = e;
  return before;
}

cudaError_t cudaPeekAtLastError(void) {
  sl__looked_at(cudaSuccess);
  return last;
}

cudaError_t cudaGetLastError(void) {
  cudaError_t e = cudaPeekAtLastError();
  last = cudaSuccess;
  return e;
}

typedef struct error_row {
  int code;
  const char *name, *text;
} error_row;
static const error_row rows[] = {
#define SL_CUDA_ERROR(name, text) {name, #name, text},
#include "libcudart/errors.def"
#undef SL_CUDA_ERROR
};

static const error_row *find_error(cudaError_t e) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].code == (int)e) return &rows[i];
  return NULL;
}

const char *sl__error_name(cudaError_t e) {
  const error_row *row = find_error(e);
  return row ? row->name : "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t e) {
  if (e) sl__looked_at(e);
  return sl__error_name(e);
}

const char *cudaGetErrorString(cudaError_t e) {
  if (e) sl__looked_at(e);
  const error_row *row = find_error(e);
  return row ? row->text : "unrecognized error code";
}

void sl__say(const char *fmt, ...) {
  char text[4096];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  for (char *p = text; *p; p++)
    if ((unsigned char)*p < 0x20 && *p != '\n') *p = '?';
  fflush(stdout);
  fprintf(stderr, "libcudart (simulated GPU): %s\n", text);
}
