// Requests NOTICE and BYE: findings about the host program, from what the client library tells (client/notice.c).
//
// host.error: an error that the program never looked at. memory.host: the host used a device address. memory.freed:
// device memory given back twice. memory.leak: memory that the program still has when it ends with status 0. A client can
// only speak about itself, and only where the checks are on, which they are not in grading. Places are offsets in the
// program's file; addr2line turns them into lines when the program was built with -g.
#include "cudart/server/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// From an offset to a line
// --------------------------------------------------------------------------------------

// "FILE:LINE" or "FILE:LINE (discriminator 1)"; false for "??:0" and the toolkit's own files.
static bool read_line(const char *text, sl_finding *f) {
  const char *colon = strrchr(text, ':');
  long line = colon ? strtol(colon + 1, NULL, 10) : 0;
  size_t n = colon ? (size_t)(colon - text) : 0;
  if (line <= 0 || n == 0 || n >= sizeof f->file || text[0] == '?') return false;
  char file[sizeof f->file];
  snprintf(file, sizeof file, "%.*s", (int)n, text);
  if (sl_ptx_is_toolkit(file) || strstr(file, ".stub.c")) return false;
  snprintf(f->file, sizeof f->file, "%s", file);
  f->line = (uint32_t)line;
  return true;
}

// What launches a kernel is made by the compiler: a stub, "__device_stub__Z4fillPi(int*)", and a function that has the
// kernel's name and line, "fill(int*)". Is [name] that of the kernel of [stub]?
static bool is_kernel_of(const char *name, const char *stub) {
  char part[300];
  size_t n = strcspn(name, "(<");
  snprintf(part, sizeof part, "%zu%.*s", n, (int)(n < 250 ? n : 250), name);
  return n && stub && strstr(stub, part);
}

// Pairs of lines, function and place.
static void first_place(char *text, sl_finding *f) {
  const char *stub = NULL;
  for (char *name = text, *place; name && *name; name = place ? strchr(place, '\0') + 1 : NULL) {
    place = strchr(name, '\n');
    if (!place) return;
    *place++ = 0;
    char *end = strchr(place, '\n');
    if (!end) return;
    *end = 0;
    if (strcmp(name, "_start") == 0) return;
    if (strstr(name, "__device_stub__"))
      stub = name;
    else if (!is_kernel_of(name, stub) && read_line(place, f))
      return;
  }
}

static void find_line(const sl_place *p, sl_finding *f) {
  char hex[SL_PLACE_DEPTH][24], object[sizeof p->object], *out = NULL;
  char *argv[SL_PLACE_DEPTH + 6] = {"addr2line", "-Cfi", "-e", object, NULL};
  sl_error e = {0};
  uint32_t n = p->n < SL_PLACE_DEPTH ? p->n : SL_PLACE_DEPTH;
  snprintf(object, sizeof object, "%.*s", (int)sizeof p->object - 1, p->object);
  if (!n || object[0] != '/') return;
  for (uint32_t k = 0; k < n; k++) {
    snprintf(hex[k], sizeof hex[k], "0x%llx", (unsigned long long)p->at[k]);
    argv[4 + k] = hex[k];
  }
  sl_exit_status st = sl_run(argv, NULL, 10, 1 << 16, &out, &e);
  if (out && st.code == 0 && !st.timed_out) first_place(out, f);
  free(out);
}

// " (called at PROGRAM+0x1234)" where no line is known.
static const char *offset_text(const sl_place *p, const sl_finding *f, char *out, size_t cap) {
  char object[sizeof p->object];
  snprintf(object, sizeof object, "%.*s", (int)sizeof p->object - 1, p->object);
  const char *slash = strrchr(object, '/');
  out[0] = 0;
  if (p->n && !f->line)
    snprintf(out, cap, " (called at %.100s+0x%llx; build with -g to see the line)", slash ? slash + 1 : object,
             (unsigned long long)p->at[0]);
  return out;
}

// Notices
// -------------------------------------------------------------------------------------------------------

static const struct {
  const char *id, *text, *fix;
} ROWS[SL_NOTICE_COUNT] = {
    [SL_NOTICE_LAUNCH] = {"host.error", "the kernel was not launched, and the program never asked: %s failed with %s",
                          "Call cudaGetLastError() after the launch and stop when it is not cudaSuccess"},
    [SL_NOTICE_ARGUMENT] = {"host.error", "nothing was copied or filled, and the program never asked: %s failed with %s",
                            "Test what the call returns, and mend its arguments"},
    [SL_NOTICE_CALL] = {"host.error", "an error that the program never looked at: %s failed with %s",
                        "Test what every call returns; an earlier kernel's failure shows there, too"},
    [SL_NOTICE_FREED] = {"memory.freed", "device memory given back twice: %s failed with %s",
                         "Free each allocation once, and set the pointer to null afterwards"},
    [SL_NOTICE_TOUCHED] = {"memory.host", "the host program used device memory at a device address",
                           "Copy it to the host with cudaMemcpy first, or allocate with cudaMallocManaged"}};

static void terminate(char *s, size_t cap) { s[cap - 1] = 0; }

static void compose(const sl_notice *n, sl_finding *f) {
  char text[400], offset[200];
  find_line(&n->place, f);
  snprintf(f->id, sizeof f->id, "%s", ROWS[n->kind].id);
  snprintf(f->kernel, sizeof f->kernel, "%s", n->kernel);
  snprintf(f->advice, sizeof f->advice, "%s", ROWS[n->kind].fix);
  if (n->kind == SL_NOTICE_TOUCHED)
    snprintf(text, sizeof text, "%s 0x%llx", ROWS[n->kind].text, (unsigned long long)n->addr);
  else
    snprintf(text, sizeof text, ROWS[n->kind].text, n->call, n->error_name);
  snprintf(f->message, sizeof f->message, "%s%s%s%s. %s", text, n->detail[0] ? ": " : "", n->detail,
           offset_text(&n->place, f, offset, sizeof offset), ROWS[n->kind].fix);
}

void sl__do_notice(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  (void)c, (void)r;
  sl_notice n;
  sl_finding f = {.count = 1};
  if (q->len != sizeof n || !(s->config.checks & SL_CHECK_HOST)) return;
  memcpy(&n, q->data, sizeof n);
  if (n.kind >= SL_NOTICE_COUNT) return;
  terminate(n.call, sizeof n.call), terminate(n.error_name, sizeof n.error_name);
  terminate(n.detail, sizeof n.detail), terminate(n.kernel, sizeof n.kernel);
  compose(&n, &f);
  sl_gpu_add_finding(s->gpu, &f);
}

// What is left at the end
// ---------------------------------------------------------------------------------------

typedef struct sl_kept_place {
  uint64_t addr;
  sl_place place;
  struct sl_kept_place *next;
} sl_kept_place;

void sl__keep_place(sl_client *c, uint64_t addr, const void *place) {
  sl_kept_place *k = c->n_places < SL_MAX_PLACES ? malloc(sizeof *k) : NULL;
  if (!k) return;
  k->addr = addr, k->next = c->places;
  memcpy(&k->place, place, sizeof k->place);
  c->places = k, c->n_places++;
}

void sl__drop_place(sl_client *c, uint64_t addr) {
  for (sl_kept_place **at = &c->places, *gone; *at;)
    if (!addr || (*at)->addr == addr)
      gone = *at, *at = gone->next, free(gone), c->n_places--;
    else
      at = &(*at)->next;
}

static void tell_leak(sl_server *s, const sl_client *c, const sl_holding *l) {
  sl_finding f = {.count = 1};
  char offset[200] = "";
  if (l->made) {
    f = *l->made;
  } else {
    for (const sl_kept_place *k = c->places; k; k = k->next)
      if (k->addr == l->addr) find_line(&k->place, &f), offset_text(&k->place, &f, offset, sizeof offset);
  }
  snprintf(f.id, sizeof f.id, "memory.leak");
  snprintf(f.message, sizeof f.message,
           "%llu bytes of device memory that %s allocated are never freed%s. A program that does this again and again runs out "
           "of memory. Give them back: %s",
           (unsigned long long)l->size, l->made ? "a kernel" : "the host", offset,
           l->made ? "free() in a kernel" : "cudaFree when they are no longer used, or cudaDeviceReset at the end");
  sl_gpu_add_finding(s->gpu, &f);
}

void sl__do_bye(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  (void)r;
  enum { MOST = 64 };
  sl_holding live[MOST];
  if (c->failed && !c->told && s->config.checks & SL_CHECK_HOST) {
    sl_finding f = {.id = "host.error", .count = 1};
    snprintf(f.kernel, sizeof f.kernel, "%s", c->failed_kernel);
    snprintf(f.message, sizeof f.message,
             "the kernel failed, and the program never asked: no call after the launch could tell. Call "
             "cudaDeviceSynchronize() after it and stop when that is not cudaSuccess");
    sl_gpu_add_finding(s->gpu, &f);
  }
  if (c->failed || q->msg->arg[0] || !(s->config.checks & SL_CHECK_LEAK)) return;
  size_t n = sl_gpu_live(s->gpu, c->owner, live, MOST);
  for (size_t k = 0; k < n && k < MOST; k++) tell_leak(s, c, &live[k]);
}
