// The request LAUNCH: runs a kernel to its end and keeps a record of it.
//
// A launch with a wrong configuration fails at once and changes nothing. If a kernel fails while it runs, the
// client's later requests fail with that error, as in a CUDA context; the launch itself succeeds, because the
// real runtime's launches return before the kernel runs.
#include "gpu/server/server.h"
#include "observers/recorded.h"

#include <driver_types.h>

static const int status_errors[SL_LAUNCH_STATUS_COUNT] = {
    [SL_LAUNCH_OK] = cudaSuccess,
    [SL_LAUNCH_BAD_CONFIG] = cudaErrorInvalidValue,
    [SL_LAUNCH_FAULT] = cudaErrorIllegalAddress,
    [SL_LAUNCH_MISALIGNED] = cudaErrorMisalignedAddress,
    [SL_LAUNCH_SPACE] = cudaErrorInvalidAddressSpace,
    [SL_LAUNCH_ASSERT] = cudaErrorAssert,
    [SL_LAUNCH_TRAP] = cudaErrorLaunchFailure,
    [SL_LAUNCH_DEADLOCK] = cudaErrorLaunchTimeout,
    [SL_LAUNCH_TIMEOUT] = cudaErrorLaunchTimeout,
    [SL_LAUNCH_ILLEGAL] = cudaErrorIllegalInstruction,
};

static void keep_text(void *ctx, const char *text, size_t len) {
  sl_client *c = ctx;
  if (c->text_lost) return;
  c->text_lost = c->text.len + len > SL_MAX_TEXT || !sl__bytes_add(&c->text, text, len);
}

static sl_dim3 dim3_of(const uint32_t d[3]) { return (sl_dim3){d[0], d[1], d[2]}; }

// Reads the payload into [l], which points to the parameters in it. False if sizes do not agree.
static bool read_launch(const sl_request *q, sl_kernel *k, sl_launch_msg *m, sl_launch *l) {
  sl_kernel_info info;
  if (q->len < sizeof *m) return false;
  memcpy(m, q->data, sizeof *m);
  sl_kernel_get_info(k, &info);
  const size_t behind = q->len - sizeof *m - m->param_bytes; // the place of the call
  if (m->param_bytes != info.param_bytes || (behind && behind != sizeof(sl_place))) return false;
  *l = (sl_launch){.kernel = k,
                   .grid = dim3_of(m->grid),
                   .block = dim3_of(m->block),
                   .shared_bytes = m->shared_bytes,
                   .stack_bytes = m->stack_bytes,
                   .stream = m->stream,
                   .params = q->data + sizeof *m,
                   .cooperative = m->cooperative != 0};
  return true;
}

// Runs the launch. The record is static because it is large: it holds the counters of 64 phases.
static sl_launch_status run_launch(sl_server *s, sl_launch *l, sl_error *e) {
  static sl_launch_record record;
  const sl_recorded *recorded;
  memset(&record, 0, sizeof record);
  sl_kernel_info info;
  sl_kernel_get_info(l->kernel, &info);
  snprintf(record.name, sizeof record.name, "%s", info.name);
  memcpy(record.grid, &l->grid, sizeof record.grid);
  memcpy(record.block, &l->block, sizeof record.block);
  double start = sl_now();
  sl_launch_status status = sl_gpu_launch(s->gpu, l, &record.counters, e);
  record.seconds = sl_now() - start;
  record.status = status;
  record.recorded = (uint32_t)sl_gpu_recorded(s->gpu, &recorded);
  if (status != SL_LAUNCH_BAD_CONFIG) sl__record(s, &record);
  return status;
}

void sl__do_launch(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  uint64_t id = q->msg->arg[0];
  sl_kernel *k = id < c->n_kernels ? c->kernels[id].kernel : NULL;
  sl_launch_msg m;
  sl_launch l;
  sl_error e = {0};
  if (!k || !read_launch(q, k, &m, &l)) {
    r->status = k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction;
    return;
  }
  l.owner = c->owner;
  l.print = keep_text;
  l.print_ctx = c;
  l.cancel = &s->cancel;
  sl__watch_begin(s, c);
  if (s->max_launches && c->launches++ >= s->max_launches) s->cancel = SL_CANCEL_TOO_MANY;
  const sl_finding *found;
  const size_t before = sl_gpu_findings(s->gpu, &found);
  sl_launch_status status = run_launch(s, &l, &e);
  if (q->len > sizeof m + m.param_bytes && sl_gpu_findings(s->gpu, &found) > before)
    sl__keep_launch(s, found[before].launch, q->data + sizeof m + m.param_bytes);
  sl__watch_end();
  int error = status < SL_LAUNCH_STATUS_COUNT ? status_errors[status] : cudaErrorUnknown;
  if (status == SL_LAUNCH_BAD_CONFIG) sl__reply_error(r, error, &e);
  else c->failed = error;
  if (c->failed) {
    sl_kernel_info info;
    sl_kernel_get_info(k, &info);
    snprintf(c->failed_kernel, sizeof c->failed_kernel, "%s", info.name);
  }
}
