// Sends and receives whole messages over a connected stream socket, blocking. For both kinds of client.
#pragma once

#include <stdbool.h>
#include <sys/uio.h>
#include "gpu/protocol.h"

// Sends all [n] pieces (at most 4; changes the array). False if the other side has gone.
bool sl__send_all(int fd, struct iovec *piece, int n);
// Receives exactly [len] bytes. False at the end of the stream or on an error.
bool sl__recv_all(int fd, void *to, size_t len);
// Connects to the listening socket at [path]; -1 with errno.
int sl__connect(const char *path);
// Is [reply] the answer to [request], with at most [cap] bytes of payload?
bool sl__is_reply(const sl_msg *reply, const sl_msg *request, size_t cap);
