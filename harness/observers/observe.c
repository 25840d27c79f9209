// The table of observers, from probes.def. Interface: sl_observe.
#include "observers/observe.h"
#include "observers/observers.h"

static const sl_probe *const PROBES[] = {
#define SL_PROBE(name) &sl__probe_##name,
#include "observers/probes.def"
#undef SL_PROBE
};
_Static_assert(sizeof PROBES / sizeof *PROBES <= SL_PROBES, "more probes than the engine has room for");

void sl_observe(sl_gpu *g) { sl_gpu_probes(g, PROBES, sizeof PROBES / sizeof *PROBES); }
