// Requests about code: LOAD UNLOAD KERNEL SYMBOL. The program sends its fat binary as it is; it is unpacked,
// parsed and checked here. A module that cannot be loaded is a finding, too, so that reports show it.
#include "gpu/server/server.h"

#include <driver_types.h>

static void load_failed(sl_server *s, sl_reply *r, int status, sl_found id, const sl_error *e) {
  sl_finding f = {.id = id, .count = 1, .line = e->line};
  snprintf(f.file, sizeof f.file, "%s", e->file);
  snprintf(f.what, sizeof f.what, "%.*s", (int)sizeof f.what - 1, e->text);
  snprintf(f.advice, sizeof f.advice, "%.300s", e->hint);
  sl_gpu_add_finding(s->gpu, &f);
  sl__reply_error(r, status, e);
}

static bool keep_module(sl_client *c, sl_gmodule *m, uint64_t *id) {
  if (c->n_modules >= SL_MAX_MODULES || !SL_ROOM(c->modules, c->n_modules)) return false;
  *id = c->n_modules;
  c->modules[c->n_modules++] = m;
  return true;
}

void sl__do_load(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  sl_error e = {0};
  sl_fatbin_ptx ptx = {0};
  const sl_profile *p = s->config.profile ? s->config.profile : sl_profile_find("default");
  if (!sl_fatbin_read(q->data, q->len, p->sm, &ptx, &e)) {
    if (q->msg->arg[0]) sl__reply_error(r, cudaErrorNoKernelImageForDevice, &e);
    else load_failed(s, r, cudaErrorNoKernelImageForDevice, SL_FOUND_LOAD_IMAGE, &e);
    return;
  }
  sl_gmodule *m = sl_gpu_load(s->gpu, c->owner, "the program's PTX", ptx.text, ptx.len, &e);
  if (!m) {
    load_failed(s, r, cudaErrorInvalidPtx, SL_FOUND_LOAD_PTX, &e);
  } else if (!keep_module(c, m, &r->arg[0])) {
    sl_gpu_unload(s->gpu, m);
    r->status = cudaErrorMemoryAllocation;
  } else {
    r->arg[1] = ptx.arch;
  }
  free(ptx.text);
}

static sl_gmodule **find_module(sl_client *c, uint64_t id) {
  return id < c->n_modules && c->modules[id] ? &c->modules[id] : NULL;
}

void sl__do_unload(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  sl_gmodule **l = find_module(c, q->msg->arg[0]);
  if (!l) {
    r->status = cudaErrorInvalidResourceHandle;
    return;
  }
  for (size_t i = 0; i < c->n_kernels; i++)
    if (c->kernels[i].module == q->msg->arg[0]) c->kernels[i].kernel = NULL;
  sl_gpu_unload(s->gpu, *l);
  *l = NULL;
}

// The payload as a name, malloc'ed; NULL if it holds a NUL or is empty.
static char *take_name(const sl_request *q) {
  if (q->len == 0 || memchr(q->data, 0, q->len)) return NULL;
  return strndup((const char *)q->data, q->len);
}

static bool keep_kernel(sl_client *c, sl_kernel *k, uint32_t module, uint64_t *id) {
  if (c->n_kernels >= SL_MAX_KERNELS || !SL_ROOM(c->kernels, c->n_kernels)) return false;
  c->kernels[c->n_kernels] = (sl_named_kernel){k, module};
  *id = c->n_kernels++;
  return true;
}

// Makes the payload of the reply: the kernel's properties and the places of its parameters.
static bool describe_kernel(const sl_kernel *k, sl_reply *r) {
  sl_kernel_info info;
  sl_kernel_get_info(k, &info);
  r->len = sizeof(sl_kernel_msg) + info.n_params * sizeof(sl_param_msg);
  sl_kernel_msg *m = malloc(r->len);
  r->owned = m;
  r->data = m;
  if (!m) return false;
  *m = (sl_kernel_msg){info.static_shared, info.local_bytes, info.const_bytes, info.param_bytes,
                       info.n_params,      info.max_threads, info.regs};
  sl_param_msg *p = (sl_param_msg *)(m + 1);
  for (uint32_t i = 0; i < info.n_params; i++)
    if (!sl_kernel_param(k, i, &p[i].offset, &p[i].size)) return false;
  return true;
}

void sl__do_kernel(sl_server *, sl_client *c, const sl_request *q, sl_reply *r) {
  sl_gmodule **l = find_module(c, q->msg->arg[0]);
  SL_FREED char *name = take_name(q);
  sl_kernel *k = l && name ? sl_gpu_kernel(*l, name) : NULL;
  if (!k) {
    r->status = cudaErrorInvalidDeviceFunction;
  } else if (!keep_kernel(c, k, (uint32_t)q->msg->arg[0], &r->arg[0]) || !describe_kernel(k, r)) {
    r->status = cudaErrorMemoryAllocation;
    r->len = 0;
  }
}

void sl__do_symbol(sl_server *, sl_client *c, const sl_request *q, sl_reply *r) {
  sl_gmodule **l = find_module(c, q->msg->arg[0]);
  SL_FREED char *name = take_name(q);
  if (!l || !name || !sl_gpu_symbol(*l, name, &r->arg[0], &r->arg[1])) r->status = cudaErrorInvalidSymbol;
}
