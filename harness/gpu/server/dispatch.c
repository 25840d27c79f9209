// From a message to its handler: the table of messages.def.
//
// Interface: sl__msg_ok looks at a header alone and decides whether the message may be read. sl__dispatch
// checks the client's state (control connection, greeting, an earlier failure), then calls the handler. A
// forbidden request gets an error as its reply. After a kernel has failed, all requests but the ALWAYS ones
// are answered with that failure, as a CUDA context does.
#include "gpu/server/server.h"

#include <driver_types.h>

typedef struct op_row {
  sl_handler handler;
  size_t max_payload;
  int flags;
} op_row;
static const op_row rows[SL_MSG_COUNT] = {
#define SL_MSG(name, handler, max_payload, flags) [SL_MSG_##name] = {handler, max_payload, flags},
#include "gpu/messages.def"
#undef SL_MSG
};

bool sl__msg_ok(const sl_msg *m) {
  return m->magic == SL_MSG_MAGIC && m->op < SL_MSG_COUNT && m->status == 0 && m->text == 0 &&
         m->unanswered <= (rows[m->op].flags & SL_SILENT ? 1 : 0) && m->length <= rows[m->op].max_payload;
}

void sl__dispatch(sl_server *s, sl_client *c, const sl_request *q, sl_reply *r) {
  const op_row *row = &rows[q->msg->op];
  if ((row->flags & SL_CONTROL) && !c->control) {
    r->status = cudaErrorNotPermitted;
  } else if (!c->control && !c->greeted && q->msg->op != SL_MSG_HELLO) {
    r->status = cudaErrorNotPermitted;
    c->gone = true;
  } else if (c->control && !(row->flags & SL_CONTROL)) {
    r->status = cudaErrorNotPermitted;
  } else if (c->failed && !(row->flags & SL_ALWAYS)) {
    r->status = c->failed;
    c->told = true;
  } else {
    row->handler(s, c, q, r);
  }
}

void sl__reply_error(sl_reply *r, int status, const sl_error *e) {
  char told[sizeof e->text];
  size_t text = strlen(sl_error_text(e, told, sizeof told)) + 1, hint = strlen(e->hint) + 1;
  char *p = malloc(text + hint);
  r->status = status;
  if (!p) return;
  memcpy(p, told, text);
  memcpy(p + text, e->hint, hint);
  r->owned = p;
  r->data = p;
  r->len = text + hint;
}
