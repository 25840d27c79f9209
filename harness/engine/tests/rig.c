// See rig.h. SL_TEST_PTX is the PTX of tests/kernels.cu, SL_TEST_CU its source.
#include "engine/tests/rig.h"

static void keep_print(void *ctx, const char *text, size_t len) {
  rig *r = ctx;
  r->prints++, r->cancel = r->cancel_at_print;
  if (len > sizeof r->printed - 1 - r->n_printed) len = sizeof r->printed - 1 - r->n_printed;
  memcpy(r->printed + r->n_printed, text, len);
  r->n_printed += len;
}

static void open_device(rig *r, const sl_gpu_config *cfg) {
  memset(r, 0, sizeof *r);
  if (cfg) r->cfg = *cfg;
  else r->cfg = sl_gpu_defaults();
  r->gpu = sl_gpu_create(&r->cfg, &r->e);
  if (!r->gpu) fail_msg("%s", r->e.text);
}

rig rig_open(const sl_gpu_config *cfg) {
  rig r;
  size_t len;
  open_device(&r, cfg);
  SL_FREED char *ptx = sl_read_file(SL_TEST_PTX, 64u << 20, &len, &r.e);
  if (ptx) r.m = sl_gpu_load(r.gpu, 1, "kernels", ptx, len, &r.e);
  if (!r.m) fail_msg("%s", r.e.text);
  return r;
}

rig rig_open_text(const char *ptx) {
  rig r;
  open_device(&r, NULL);
  r.m = sl_gpu_load(r.gpu, 1, "text", ptx, strlen(ptx), &r.e);
  return r;
}

void rig_close(rig *r) { sl_gpu_destroy(r->gpu); }

uint64_t rig_array(rig *r, size_t bytes, const void *data) {
  uint64_t addr = 0;
  if (!sl_gpu_alloc(r->gpu, 1, bytes, &addr, &r->e)) fail_msg("%s", r->e.text);
  if (data) memcpy(rig_at(r, addr, bytes), data, bytes);
  else memset(rig_at(r, addr, bytes), 0, bytes);
  return addr;
}

void *rig_at(rig *r, uint64_t addr, size_t bytes) {
  void *p = sl_gpu_ptr(r->gpu, 1, addr, bytes, &r->e);
  if (!p) fail_msg("%s", r->e.text);
  return p;
}

sl_launch_status rig_run(rig *r, rig_launch l, const void *params) {
  static const char nothing[8];
  sl_launch s = {.kernel = sl_gpu_kernel(r->m, l.kernel),
                 .owner = 1,
                 .shared_bytes = l.shared,
                 .cooperative = l.cooperative,
                 .cancel = l.cancel,
                 .params = params ? params : nothing,
                 .grid = l.grid3.x ? l.grid3 : (sl_dim3){l.grid, 1, 1},
                 .block = l.block3.x ? l.block3 : (sl_dim3){l.block, 1, 1},
                 .print = keep_print,
                 .print_ctx = r};
  if (!s.kernel) fail_msg("no kernel %s", l.kernel);
  memset(&r->e, 0, sizeof r->e);
  return r->status = sl_gpu_launch(r->gpu, &s, &r->counters, &r->e);
}

void rig_run_ok(rig *r, rig_launch l, const void *params) {
  const sl_finding *f;
  if (rig_run(r, l, params) != SL_LAUNCH_OK) fail_msg("%s: %s", l.kernel, r->e.text);
  if (sl_gpu_findings(r->gpu, &f)) fail_msg("%s: %s: %s", l.kernel, sl_found_name(f->id), f->what);
}

uint32_t rig_line(const char *mark) {
  char line[512];
  uint32_t n = 0, found = 0;
  FILE *f = fopen(SL_TEST_CU, "r");
  if (!f) fail_msg("cannot read %s", SL_TEST_CU);
  while (fgets(line, sizeof line, f)) {
    n++;
    if (strstr(line, "// ") && strstr(line, mark) && strstr(line, "// LINE_")) found = n;
  }
  fclose(f);
  if (!found) fail_msg("no line is marked %s", mark);
  return found;
}

const sl_finding *rig_one_finding(rig *r, sl_found id, const char *mark) {
  const sl_finding *f;
  size_t n = sl_gpu_findings(r->gpu, &f);
  if (n != 1) fail_msg("%zu findings, 1 expected (%s)", n, sl_found_name(id));
  if (f->id != id) fail_msg("finding %s, expected %s: %s", sl_found_name(f->id), sl_found_name(id), f->what);
  if (mark && f->line != rig_line(mark))
    fail_msg("line %u, expected %u: %s", f->line, rig_line(mark), f->what);
  if (mark && !strstr(f->file, "kernels.cu")) fail_msg("file %s", f->file);
  return f;
}
