// The device: created, configured, destroyed. Its parts are in memory.c, module.c, launch.c, findings.c.
#include "engine/core.h"

sl_gpu_config sl_gpu_defaults(void) {
  return (sl_gpu_config){
      .profile = sl_profile_find("default"), .seed = 1, .counters = true, .watchdog_seconds = 60};
}

bool sl_gpu_configure(sl_gpu *g, const sl_gpu_config *c, sl_error *e) {
  if (c->order > SL_ORDER_RANDOM)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "unknown block order %d", (int)c->order);
  if (c->warps >= SL_WARPS_COUNT)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "unknown order of warps %d", (int)c->warps);
  if (c->lanes >= SL_LANES_COUNT)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "unknown order of lanes %d", (int)c->lanes);
  if (c->visibility >= SL_VISIBILITY_COUNT)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "unknown visibility of stores %d", (int)c->visibility);
  if (c->fresh >= SL_FRESH_COUNT)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "unknown contents of new memory %d", (int)c->fresh);
  if (c->watchdog_seconds < 0)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "the watchdog needs a positive number of seconds");
  g->cfg = *c;
  if (!g->cfg.profile) g->cfg.profile = sl_profile_find("default");
  if (g->cfg.watchdog_seconds == 0) g->cfg.watchdog_seconds = 60;
  return true;
}

sl_gpu *sl_gpu_create(const sl_gpu_config *c, sl_error *e) {
  sl_gpu *g = calloc(1, sizeof *g);
  sl_gpu_config d = sl_gpu_defaults();
  if (!g) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of host memory"), NULL;
  if (sl_gpu_configure(g, c ? c : &d, e) && sl__memory_init(&g->mem, e) &&
      sl__memory_alloc(g, 0, SL_PARAM_MAX, "(kernel parameters)", &g->param_addr, e) &&
      sl__memory_alloc(g, 0, SL_GRID_WORKSPACE, "(grid workspace)", &g->coop_addr, e)) {
    sl__memory_readonly(&g->mem, g->param_addr, false);
    g->mem.arena[0].used = 0;
    return g;
  }
  sl_gpu_destroy(g);
  return NULL;
}

void sl_gpu_destroy(sl_gpu *g) {
  if (!g) return;
  while (g->modules) sl_gpu_unload(g, g->modules);
  sl__suspects_forget(g, NULL);
  sl__probes_gone(g);
  sl__cores_gone(g);
  sl__path_gone(g);
  sl__memory_fini(&g->mem);
  free(g->weak);
  free(g->findings);
  free(g);
}
