// Requests NOTICE, EARLY and BYE: findings about the host program, from what the client library reports
// (libcudart/notice.c).  host.error: an error that the program never looked at. memory.host: the host used a
// device address. memory.uninit: it read managed memory that nobody had written. memory.freed: device memory
// freed twice. race.host: the host used memory that an asynchronous copy, or (EARLY) any work, had not
// finished with. memory.leak: memory that the program still has when it ends with status 0. notices.def has
// the rows. A client can speak only about itself, and only while the checks are on; in grading they are off.
// places.c turns places into lines.
#include "gpu/server/server.h"

// Notices ---------------------------------------------------------------------------------------------------

static const struct {
  sl_found id;
  uint32_t check; // 0: the kind has no switch
  const char *text, *why, *fix;
} ROWS[SL_NOTICE_COUNT] = {
#define SL_NOTICE(name, finding, text, why, fix)                                                             \
  [SL_NOTICE_##name] = {SL_FOUND_##finding, SL_CHECK_##finding, text, why, fix},
#include "gpu/notices.def"
#undef SL_NOTICE
};

static void terminate(char *s, size_t cap) { s[cap - 1] = 0; }

static void put_what(const sl_notice *n, char *out, size_t cap) {
  char text[380];
  const bool launch = n->kind == SL_NOTICE_FAILED && strstr(n->call, "aunchKernel");
  if (n->kind == SL_NOTICE_TOUCHED)
    snprintf(text, sizeof text, "%s 0x%llx", ROWS[n->kind].text, (unsigned long long)n->addr);
  else if (n->kind == SL_NOTICE_EARLY) snprintf(text, sizeof text, "race on " SL_THE_OBJECT);
  else snprintf(text, sizeof text, ROWS[n->kind].text, launch ? "the launch" : n->call, n->error_name);
  snprintf(out, cap, "%s%s%s", text, n->detail[0] ? ": " : "", n->detail);
}

static void compose_notice(const sl_notice *n, sl_finding *f) {
  sl_asked other;
  const bool early = n->kind == SL_NOTICE_EARLY;
  sl__asked_here(&n->place, early || n->kind == SL_NOTICE_UNWRITTEN ? "host" : "call", f);
  put_what(n, f->what, sizeof f->what);
  if (early) {
    f->object = (sl_object){.space = "host", .index = (int64_t)n->addr, .bytes = 1, .size = n->size};
    sl__asked(&n->other, &other);
    sl__host_party(&other, "copy", &f->other);
    snprintf(f->other_file, sizeof f->other_file, "%s", other.file);
    f->other_line = other.line;
  }
  if (n->kind == SL_NOTICE_FAILED && f->line) {
    sl__asked(&n->place, &other);
    snprintf(f->other.role, sizeof f->other.role, "from");
    snprintf(f->other.host, sizeof f->other.host, "the function is called");
    snprintf(f->other_file, sizeof f->other_file, "%s", f->file);
    f->other_line = other.caller;
    if (!other.caller) f->other = (sl_party){0};
  }
  if (n->kind == SL_NOTICE_UNWRITTEN)
    f->object = (sl_object){.space = "managed", .index = (int64_t)n->addr, .bytes = 1, .size = n->size};
  f->id = ROWS[n->kind].id;
  snprintf(f->why, sizeof f->why, "%s", ROWS[n->kind].why);
  snprintf(f->kernel, sizeof f->kernel, "%s", n->kernel);
  snprintf(f->advice, sizeof f->advice, "%s",
           n->empty ? "Leave the launch out where it has nothing to do, or correct how the number is computed"
                    : ROWS[n->kind].fix);
}

static const sl_notice *failed_with(const sl_server *s, int error) {
  for (size_t k = 0; k < s->n_failed; k++)
    if (s->failed[k].error == error) return &s->failed[k];
  return NULL;
}

static void keep_failed(sl_server *s, const sl_notice *n) {
  if (s->n_failed < SL_MAX_FAILED && !failed_with(s, n->error)) s->failed[s->n_failed++] = *n;
}

void sl__do_notice(sl_server *s, sl_client *c, const sl_request *q, sl_reply *) {
  sl_notice n;
  sl_finding f = {.count = 1};
  const uint32_t any = SL_CHECK_HOST_ERROR | SL_CHECK_MEMORY_LEAK;
  if (q->len != sizeof n || !(s->config.checks & any || sl__lines_wanted())) return;
  memcpy(&n, q->data, sizeof n);
  if (n.kind >= SL_NOTICE_COUNT) return;
  const uint32_t check = n.kind == SL_NOTICE_FAILED ? 0 : ROWS[n.kind].check;
  if ((check && !(s->config.checks & check)) || (n.kind == SL_NOTICE_PINNED && c->failed)) return;
  terminate(n.call, sizeof n.call), terminate(n.error_name, sizeof n.error_name);
  terminate(n.detail, sizeof n.detail), terminate(n.kernel, sizeof n.kernel);
  terminate(n.place.call, sizeof n.place.call), terminate(n.other.call, sizeof n.other.call);
  if (n.kind == SL_NOTICE_FAILED) {
    if (c->guest) keep_failed(s, &n);
    return;
  }
  compose_notice(&n, &f);
  sl_gpu_add_finding(s->gpu, &f);
}

void sl__do_early(sl_server *s, sl_client *c, const sl_request *q, sl_reply *) {
  sl_finding f;
  sl_place place;
  sl_asked a;
  if (q->len != sizeof place || c->guest || !(s->config.checks & SL_CHECK_RACE_HOST)) return;
  if (!sl_gpu_touched(s->gpu, c->owner, q->msg->arg[0], q->msg->arg[1], &f)) return;
  memcpy(&place, q->data, sizeof place);
  terminate(place.call, sizeof place.call);
  sl__asked(&place, &a);
  if (f.id == SL_FOUND_ORDER_FENCE) sl__host_behind(&a, "reader", &f);
  else sl__host_first(&a, "host", &f);
  sl_gpu_add_finding(s->gpu, &f);
}

void sl__do_failed(sl_server *s, sl_client *, const sl_request *q, sl_reply *) {
  const sl_notice *n = failed_with(s, (int)q->msg->arg[0]);
  sl_finding f = {.count = 1};
  if (!n) return;
  compose_notice(n, &f);
  sl_gpu_add_finding(s->gpu, &f);
}

// What is left at the end -----------------------------------------------------------------------------------

static void tell_leak(sl_server *s, const sl_holding *l) {
  sl_finding f = {.count = 1};
  const sl_kept_place *place = sl__place_of(s, sl_gpu_number(s->gpu, l->addr));
  if (l->made) f = *l->made;
  else if (place) sl__asked_here(&place->made, "call", &f);
  f.id = SL_FOUND_MEMORY_LEAK;
  snprintf(f.what, sizeof f.what, "%llu bytes of device memory that %s allocated are never freed",
           (unsigned long long)l->size, l->made ? "a kernel" : "the host");
  if (l->made) snprintf(f.advice, sizeof f.advice, "Call free() in a kernel, once for each malloc()");
  sl_gpu_add_finding(s->gpu, &f);
}

void sl__do_bye(sl_server *s, sl_client *c, const sl_request *q, sl_reply *) {
  enum { MOST = 64 };
  sl_holding live[MOST];
  if (c->failed && !c->told && s->config.checks & SL_CHECK_HOST_ERROR) {
    sl_finding f = {.id = SL_FOUND_HOST_ERROR, .count = 1};
    snprintf(f.kernel, sizeof f.kernel, "%s", c->failed_kernel);
    snprintf(
        f.what, sizeof f.what,
        "the kernel failed, and the program never looked at the error: no call after the launch returned it");
    snprintf(f.advice, sizeof f.advice,
             "Call cudaDeviceSynchronize() after the launch and stop if that is not cudaSuccess");
    sl_gpu_add_finding(s->gpu, &f);
  }
  if (c->failed || q->msg->arg[0] || !(s->config.checks & SL_CHECK_MEMORY_LEAK)) return;
  size_t n = sl_gpu_live(s->gpu, c->owner, live, MOST);
  for (size_t k = 0; k < n && k < MOST; k++) tell_leak(s, &live[k]);
}
