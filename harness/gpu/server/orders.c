// Control requests: CONFIGURE LAUNCHES FINDINGS NOTE CLEAR RENEW QUIT HOSTTRAFFIC DIGEST. Also: sl__gpu_make.
#include "gpu/server/server.h"
#include "observers/recorded.h"

#include <driver_types.h>

// The device of that name, or one made of the options' own values. NULL with [e] set if there is none.
static const sl_profile *profile_of(const sl_gpu_options *o, sl_error *e) {
  static sl_profile own; // one process is one device
  static char own_name[sizeof o->profile];
  char name[sizeof o->profile];
  snprintf(name, sizeof name, "%.*s", (int)sizeof name - 1, o->profile);
  if (o->own.sm) {
    if (!sl_profile_check(&o->own, e)) return NULL;
    own = o->own;
    own.name = strcpy(own_name, name);
    return &own;
  }
  const sl_profile *p = sl_profile_find(name[0] ? name : "default");
  const char *near = sl_nearest(name, sl_profile_names());
  char hint[128] = "";
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  if (!p) sl_fail(e, SL_EXIT_USAGE, hint, "there is no device profile '%s'", name);
  return p;
}

bool sl__options_read(const sl_gpu_options *o, sl_gpu_config *out, sl_error *e) {
  static char replay[SL_REPLAY_MAX]; // one process is one device
  *out = sl_gpu_defaults();
  if (!(out->profile = profile_of(o, e))) return false;
  out->order = (sl_order)o->order;
  out->warps = (sl_warps)o->warps;
  out->lanes = (sl_lane_order)o->lanes;
  out->visibility = (sl_visibility)o->visibility;
  out->fresh = (sl_fresh)o->fresh;
  out->seed = o->seed;
  snprintf(replay, sizeof replay, "%.*s", (int)sizeof replay - 1, o->replay);
  out->replay = replay;
  out->resident = o->resident;
  out->counters = o->counters == SL_COUNT_WORK ? SL_COUNT_WORK
                  : o->counters                ? SL_COUNT_ALL
                                               : SL_COUNT_NOTHING;
  out->repeat = o->repeat != 0;
  out->stop_at_first = o->stop_at_first != 0;
  out->checks = o->checks & SL_CHECK_EVERY;
  out->record = o->record & SL_RECORD_ALL;
  out->trace = o->trace;
  out->trace.kernel[sizeof o->trace.kernel - 1] = out->trace.file[sizeof o->trace.file - 1] = 0;
  out->watchdog_seconds = o->watchdog_seconds;
  out->max_instructions = o->max_instructions;
  out->cores = o->cores;
  if (o->order > SL_ORDER_RANDOM)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "there is no block order number %u", o->order);
  if (o->warps >= SL_WARPS_COUNT)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "there is no order of warps number %u", o->warps);
  if (o->lanes >= SL_LANES_COUNT)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "there is no order of lanes number %u", o->lanes);
  if (o->visibility >= SL_VISIBILITY_COUNT)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "there is no visibility of stores number %u", o->visibility);
  if (o->fresh >= SL_FRESH_COUNT)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "there is no content of new memory number %u", o->fresh);
  if (!(o->watchdog_seconds >= 0) || !(o->launch_seconds >= 0))
    return sl_fail(e, SL_EXIT_USAGE, NULL, "the time limit must not be negative");
  return true;
}

void sl__do_configure(sl_server *s, sl_client *, const sl_request *q, sl_reply *r) {
  sl_gpu_options o;
  sl_gpu_config config;
  sl_error e = {0};
  if (q->len != sizeof o) {
    r->status = cudaErrorInvalidValue;
    return;
  }
  memcpy(&o, q->data, sizeof o);
  if (sl__options_read(&o, &config, &e) && sl_gpu_configure(s->gpu, &config, &e)) {
    s->config = config;
    s->launch_seconds = o.launch_seconds;
    s->max_launches = o.max_launches;
    s->hold = o.hold_text != 0;
    o.copies[sizeof o.copies - 1] = 0;
    if (o.copies[0] && s->copies <= 0)
      s->copies = open(o.copies, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  } else {
    sl__reply_error(r, cudaErrorInvalidValue, &e);
  }
}

// How many entries of [size] bytes fit into one reply, from entry [first] of [n] on.
static size_t batch(uint64_t first, size_t n, size_t size) {
  size_t left = first < n ? n - first : 0, most = SL_CHUNK / size;
  return left < most ? left : most;
}

void sl__do_launches(sl_server *s, sl_client *, const sl_request *q, sl_reply *r) {
  uint64_t first = q->msg->arg[0];
  size_t n = batch(first, s->records.n, sizeof(sl_launch_record));
  sl_launch_record *all = calloc(n ? n : 1, sizeof *all);
  if (!all) {
    r->status = cudaErrorMemoryAllocation;
    return;
  }
  for (size_t i = 0; i < n; i++) sl__record_get(s, first + i, &all[i]);
  r->arg[0] = n;
  r->arg[1] = s->records.n;
  r->data = r->owned = all;
  r->len = n * sizeof *all;
}

void sl__do_findings(sl_server *s, sl_client *, const sl_request *q, sl_reply *r) {
  const sl_finding *all = NULL;
  size_t total = sl_gpu_findings(s->gpu, &all);
  uint64_t first = q->msg->arg[0];
  size_t n = batch(first, total, sizeof *all);
  sl_finding *told = n ? malloc(n * sizeof *told) : NULL;
  r->arg[0] = told ? n : 0;
  r->arg[1] = total;
  for (size_t k = 0; told && k < n; k++) told[k] = all[first + k], sl__tell_host(s, &told[k]);
  r->data = r->owned = told;
  r->len = r->arg[0] * sizeof *all;
}

void sl__do_note(sl_server *s, sl_client *, const sl_request *q, sl_reply *r) {
  static sl_finding f;
  if (q->len == sizeof f) memcpy(&f, q->data, sizeof f);
  if (q->len == sizeof f && sl_finding_accept(&f)) sl_gpu_add_finding(s->gpu, &f);
  else r->status = cudaErrorInvalidValue;
}

void sl__do_clear(sl_server *s, sl_client *, const sl_request *, sl_reply *) {
  sl__records_clear(s);
  sl_gpu_clear_findings(s->gpu);
  sl_gpu_clear_recorded(s->gpu);
}

bool sl__gpu_make(sl_server *s, sl_error *e) {
  s->gpu = sl_gpu_create(&s->config, e);
  if (!s->gpu) return false;
  sl_observe(s->gpu);
  sl_gpu_limit_memory(s->gpu, s->most_memory);
  return true;
}

static void forget_programs(sl_server *s) {
  sl__records_clear(s);
  sl__places_free(s);
  sl__bytes_free(&s->held);
  free(s->tokens);
  s->tokens = NULL, s->n_tokens = s->n_failed = 0;
  s->next_owner = 1;
  s->traffic = (sl_host_traffic){0};
  s->digest = (sl_digest){0};
}

// The next program is to find what a new process would have: no address, number or mark of another.
void sl__do_renew(sl_server *s, sl_client *c, const sl_request *, sl_reply *r) {
  sl_error e = {0};
  for (size_t k = 0; k < s->n_clients; k++)
    if (s->clients[k] != c) sl__client_free(s, s->clients[k]);
  s->clients[0] = c, s->n_clients = 1;
  forget_programs(s);
  sl_gpu_destroy(s->gpu);
  if (!sl__gpu_make(s, &e)) s->quit = true, sl__reply_error(r, cudaErrorMemoryAllocation, &e);
}

void sl__do_hosttraffic(sl_server *s, sl_client *, const sl_request *, sl_reply *r) {
  s->traffic.held = s->traffic.handles = 0;
  s->traffic.unseen = sl_gpu_not_observed(s->gpu), s->traffic.host_short = sl_gpu_host_short(s->gpu);
  for (size_t k = 0; k < s->n_clients; k++) {
    const sl_client *guest = s->clients[k];
    if (guest->guest)
      s->traffic.held += sl_gpu_held(s->gpu, guest->owner), s->traffic.handles += guest->handles;
  }
  r->data = &s->traffic, r->len = sizeof s->traffic;
}

void sl__do_digest(sl_server *s, sl_client *, const sl_request *, sl_reply *r) {
  r->arg[0] = s->digest.hash;
  r->arg[1] = s->digest.bytes;
}

void sl__do_quit(sl_server *s, sl_client *, const sl_request *, sl_reply *r) {
  sl_error e = {0};
  s->quit = true;
  if (sl_gpu_not_observed(s->gpu))
    fprintf(
        stderr,
        "sl-gpu: %llu accesses were not looked at for races: the records need 9 bytes of host memory for "
        "each byte of device memory that is touched by words of their own, and 36 where less is touched\n",
        (unsigned long long)sl_gpu_not_observed(s->gpu));
  if (!sl__report_write(s, &e)) sl__reply_error(r, cudaErrorOperatingSystem, &e);
}
