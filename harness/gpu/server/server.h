// Inside sl-gpu: clients, their modules and kernels, records of launches.
#pragma once

#include <stdatomic.h>
#include "gpu/start/control.h"
#include "gpu/protocol.h"
#include "observers/observe.h"

enum { SL_CONTROL = 1, SL_ALWAYS = 2, SL_SILENT = 4 }; // flags of messages.def
// Checks whose findings name calls of the host. Grading turns them off: sl-gpu then reads no program's file.
enum { SL_HOST_SIDE = SL_CHECK_EVERY & ~SL_CHECK_ALL };
enum {
  SL_MAX_CLIENTS = 64,
  SL_MAX_MODULES = 4096,
  SL_MAX_KERNELS = 65536,
  SL_MAX_RECORDS = 65536,
  SL_MAX_TOKENS = 4096, // of one client: another has its own
  SL_MAX_PLACES = 4096,
  SL_MAX_LAUNCHES = 64,
  SL_MAX_FAILED = 4,
  SL_MAX_ASKED = 1024
};

// A growing array of bytes.
typedef struct sl_bytes {
  uint8_t *at;
  size_t len, cap;
} sl_bytes;
bool sl__bytes_reserve(sl_bytes *b, size_t cap);
bool sl__bytes_add(sl_bytes *b, const void *data, size_t len);
void sl__bytes_free(sl_bytes *b);

typedef struct sl_named_kernel {
  sl_kernel *kernel; // NULL: unloaded with its module
  uint32_t module;
} sl_named_kernel;

// One connection.
#define SL_HOST_THREADS 64 // with more threads, some share a digest
typedef struct sl_client {
  int fd;
  uint32_t owner; // number of the owner of device memory; 0: the control connection
  bool control, gone, greeted;
  bool guest;      // it has opened memory of another client
  uint32_t watch;  // its number in the watcher's set, which no other ever gets; 0: it is not there
  unsigned missed; // so often had sockets reported when that was last looked at
  uint64_t launches;
  uint64_t handles; // streams, events and graphs that it had when it last waited for the device
  uint64_t digest[SL_HOST_THREADS]; // the bytes that each of its threads has read, in order
  int failed;                       // cudaError_t of the kernel that failed; 0: none
  int owed;  // cudaError_t of a request without a reply: the next reply has it; 0: none
  bool told; // a request was answered with that failure
  char failed_kernel[256];
  sl_bytes in, out; // the message that is arriving, the reply that is leaving
  size_t sent;      // bytes of `out` that have left
  sl_bytes text;    // device printf
  bool text_lost;
  sl_gmodule **modules; // NULL: unloaded
  size_t n_modules;
  sl_named_kernel *kernels;
  size_t n_kernels;
} sl_client;

typedef struct sl_token {
  uint64_t word[2], addr;
  uint32_t owner;
} sl_token; // an IPC handle; addr: start of the allocation, the exporter's or shared with it

// A record without its unused phases.
typedef struct sl_stored_record sl_stored_record;
typedef struct sl_records {
  sl_stored_record **at;
  size_t n;
  uint64_t total;
} sl_records;

// Where the host made an allocation, and where it freed it.
typedef struct sl_kept_place {
  uint32_t number; // the allocation's, from 1
  sl_place made, freed;
} sl_kept_place;

// Where the host launched a kernel that has findings.
typedef struct sl_kept_launch {
  uint64_t launch;
  sl_place *place; // NULL: none yet
} sl_kept_launch;

typedef struct sl_server {
  sl_gpu *gpu;
  sl_gpu_config config;
  int listener;
  sl_client *clients[SL_MAX_CLIENTS];
  size_t n_clients;
  uint32_t next_owner;
  sl_token *tokens;
  size_t n_tokens;
  sl_records records;
  sl_out *report;
  sl_telling telling; // where the report takes source lines from
  bool quit;
  volatile int cancel; // ends the running launch: sl_launch.cancel
  int watch, timer;    // epoll and timer descriptors of the watcher
  double launch_seconds;
  uint64_t most_memory;  // of all allocations together; 0: no limit
  uint64_t max_launches; // a client may have so many; 0: no limit
  sl_host_traffic traffic;
  bool hold;                    // option hold_text
  sl_bytes held;                // text printed by guests' kernels, for the control connection
  int copies;                   // file of copies, -1: none
  uint64_t copied, copies_next; // bytes in it; address at which a copy in pieces would go on
  uint32_t copies_of;           // the client whose copies it holds
  sl_digest digest;             // all clients and threads, whatever their order
  sl_place *asked;              // places of the latest work in streams; NULL: none yet
  uint64_t n_asked;
  sl_kept_place *kept; // the latest allocations, each at its number modulo SL_MAX_PLACES; NULL: none yet
  sl_kept_launch launches[SL_MAX_LAUNCHES];
  sl_notice failed[SL_MAX_FAILED]; // calls of guests that failed: the first of each error
  size_t n_failed;
} sl_server;

// A handler's answer. [data] lives as long as the client; [owned] is freed after sending.
typedef struct sl_reply {
  int status;
  uint64_t arg[SL_MSG_ARGS];
  const void *data;
  size_t len;
  void *owned;
} sl_reply;

typedef struct sl_request {
  const sl_msg *msg;
  const uint8_t *data;
  size_t len;
} sl_request;
typedef void (*sl_handler)(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r);
// device.c: moves what the kernels of [c] printed to the held text, for the control connection.
void sl__hold_text(sl_server *s, sl_client *c);
#define SL_MSG(name, handler, max_payload, flags)                                                            \
  void handler(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r);
#include "gpu/messages.def"
#undef SL_MSG
// Reads the payload of WORK or COPIED; *place: a sl_place, or NULL. False: it is not as it should be.
bool sl__work_read(const sl_server *s, const sl_client *c, const sl_request *q, sl_stream_work *out,
                   const void **place);

// main.c, control.c
// Turns options into the engine's configuration; false on an unknown profile or order.
bool sl__options_read(const sl_gpu_options *o, sl_gpu_config *out, sl_error *e);

// orders.c
bool sl__gpu_make(sl_server *s, sl_error *e); // the device, as the configuration has it

// client.c
sl_client *sl__client_add(sl_server *s, int fd, bool control);
void sl__client_free(sl_server *s, sl_client *c);
void sl__client_reset(sl_server *s, sl_client *c);    // frees its modules and memory
void sl__client_readable(sl_server *s, sl_client *c); // reads what has arrived, answers a complete message
void sl__client_writable(sl_client *c);               // sends the rest of a reply

// memory.c
void sl__drop_tokens(sl_server *s, uint32_t owner,
                     uint64_t addr); // handles of one allocation; addr 0: of all the owner's

// lines.c: which functions and lines addresses belong to
bool sl__lines_open(const char *program, sl_error *e); // before this process is enclosed
bool sl__lines_wanted(void);                           // was it opened?
void sl__lines_close(void);
// addr2line's pairs of lines, function and place, for addresses in the file [object]; malloc'ed; NULL: none
char *sl__lines_ask(const char *object, const uint64_t *at, uint32_t n);

// places.c
static inline bool sl__places_wanted(const sl_server *s) {
  return s->config.checks & SL_HOST_SIDE || sl__lines_wanted();
}
void sl__asked(const sl_place *p, sl_asked *out);
void sl__host_party(const sl_asked *a, const char *role, sl_party *p);
void sl__asked_here(const sl_place *p, const char *role, sl_finding *f); // sets line and first party
// [place]: a sl_place, from a client
void sl__keep_place(sl_server *s, uint32_t allocation, const void *place);
void sl__keep_freed(sl_server *s, uint32_t allocation, const void *place);
const sl_kept_place *sl__place_of(const sl_server *s, uint32_t allocation); // NULL: not known
void sl__keep_launch(sl_server *s, uint64_t launch, const void *place);
const sl_place *sl__launch_place(const sl_server *s, uint64_t launch); // NULL: not known
void sl__places_free(sl_server *s);
uint64_t sl__keep_asked(sl_server *s, const void *place); // a sl_place -> sl_stream_work.asked

// copied.c: copies to the host of memory that nobody has written
bool sl__holes_wanted(const sl_server *s, const sl_client *c);
bool sl__has_holes(const sl_server *s, uint64_t addr, uint64_t len); // a word of it

// host.c: names the call of the host that a finding in a kernel goes back to: which freed the memory, asked
// for too little, or launched with too little
void sl__tell_host(const sl_server *s, sl_finding *f);
// Puts a place of the host behind the finding's first party, or in front of it.
void sl__host_behind(const sl_asked *a, const char *role, sl_finding *f);
void sl__host_first(const sl_asked *a, const char *role, sl_finding *f);

// dispatch.c
// Is the header of a message acceptable? (magic, known op, bounded length.)
bool sl__msg_ok(const sl_msg *m);
void sl__dispatch(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r);
void sl__reply_error(sl_reply *r, int status, const sl_error *e); // with message and hint as payload

// records.c
void sl__record(sl_server *s, const sl_launch_record *r);
void sl__record_get(const sl_server *s, size_t i, sl_launch_record *out);
void sl__records_clear(sl_server *s);

// report.c
bool sl__report_write(sl_server *s, sl_error *e);

// loop.c
bool sl__listen(sl_server *s, const char *path, sl_error *e);
void sl__serve(sl_server *s);

// watcher.c: a thread that ends a running launch when its client or the control connection goes.
bool sl__watcher_start(sl_server *s, int control_fd, sl_error *e);
void sl__watch_begin(sl_server *s, sl_client *c);
void sl__watch_end(void);
