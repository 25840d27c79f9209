// Records of launches. Each holds only the phases that it has, so a thousand small launches stay small. After
// SL_MAX_RECORDS further launches are only counted.
#include "gpu/server/server.h"

// The first bytes of a record, up to the end of its last used phase.
struct sl_stored_record {
  size_t len;
  uint8_t bytes[];
};

static size_t used_bytes(const sl_launch_record *r) {
  size_t n = r->counters.n_phases < SL_MAX_PHASES ? r->counters.n_phases : SL_MAX_PHASES;
  return offsetof(sl_launch_record, counters) + offsetof(sl_counters, phases) + n * sizeof(sl_phase);
}

void sl__record(sl_server *s, const sl_launch_record *r) {
  sl_records *all = &s->records;
  uint64_t number = all->total++;
  if (all->n >= SL_MAX_RECORDS) return;
  if (!SL_ROOM(all->at, all->n)) return;
  sl_launch_record copy = *r;
  copy.launch = number;
  size_t len = used_bytes(&copy);
  sl_stored_record *kept = malloc(sizeof *kept + len);
  if (!kept) return;
  kept->len = len;
  memcpy(kept->bytes, &copy, len);
  all->at[all->n++] = kept;
}

void sl__record_get(const sl_server *s, size_t i, sl_launch_record *out) {
  memset(out, 0, sizeof *out);
  memcpy(out, s->records.at[i]->bytes, s->records.at[i]->len);
}

void sl__records_clear(sl_server *s) {
  for (size_t i = 0; i < s->records.n; i++) free(s->records.at[i]);
  free(s->records.at);
  s->records = (sl_records){0};
}
