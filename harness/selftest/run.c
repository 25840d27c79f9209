// Results of a device: the operands go into a file, the CUDA program of each capability (vectors.cu) turns it into one of
// results. Interface: st_run, st_save, st_load.
#include "selftest/selftest_main.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const int st_archs[ST_ARCHS] = {75, 80, 90};
static const char *const profiles[ST_ARCHS] = {"t4", "a100", "h100"};
enum { NOT_THIS_GPU = 5, SECONDS = 300 };  // the program's status when the GPU lacks the capability

static size_t result_count(const st_work *w) { return w->forms.n * w->vectors.n * (size_t)w->forms.at[0].n_out; }

static bool is_chosen(const st_work *w) {
  for (size_t k = 0; k < w->forms.n; k++)
    if (w->chosen[k]) return true;
  return false;
}

static st_row_head row_head(const st_work *w) {
  return (st_row_head){st_row_id(w->row, w->group), (uint32_t)w->vectors.n, (uint32_t)w->forms.n, (uint32_t)w->forms.at[0].n_out};
}

static uint32_t count_rows(const st_works *ws, int arch) {
  uint32_t n = 0;
  for (size_t k = 0; k < ws->n; k++) n += ws->at[k].row->arch == arch && is_chosen(&ws->at[k]);
  return n;
}

static bool write_operands(const st_works *ws, int arch, const char *path, sl_error *e) {
  sl_out *o = sl_open_atomic(path, e);
  st_head h = {.magic = ST_MAGIC, .vectors = ws->hash, .rows = count_rows(ws, arch), .arch = (uint32_t)arch};
  bool ok = o && sl_write(o, &h, sizeof h, e);
  for (size_t k = 0; k < ws->n && ok; k++) {
    const st_work *w = &ws->at[k];
    if (w->row->arch != arch || !is_chosen(w)) continue;
    st_row_head r = row_head(w);
    ok = sl_write(o, &r, sizeof r, e) && sl_write(o, w->vectors.at, w->vectors.n * sizeof *w->vectors.at, e);
  }
  if (ok) return sl_commit(o, e);
  if (o) sl_abandon(o);
  return false;
}

// Takes the results of one row; they belong to the work with the same row.
static bool take_row(st_works *ws, bool gpu, const st_row_head *r, const char *data) {
  for (size_t k = 0; k < ws->n; k++) {
    st_work *w = &ws->at[k];
    st_row_head mine = row_head(w);
    if (memcmp(&mine, r, sizeof mine) != 0) continue;
    uint64_t **place = gpu ? &w->gpu : &w->sim;
    size_t bytes = result_count(w) * sizeof **place;
    free(*place);
    *place = malloc(bytes ? bytes : 1);
    if (!*place) abort();
    memcpy(*place, data, bytes);
    return true;
  }
  return false;
}

static bool read_results(st_works *ws, bool gpu, const char *path, sl_error *e) {
  size_t len = 0, at = sizeof(st_head);
  char *data = sl_read_file(path, (size_t)4 << 30, &len, e);
  st_head h = {0};
  if (!data) return false;
  if (len >= sizeof h) memcpy(&h, data, sizeof h);
  bool ok = h.magic == ST_MAGIC || sl_fail(e, SL_EXIT_INPUT, "name a file that --save wrote", "%s holds no results of selftest", path);
  ok = ok && (h.vectors == ws->hash || sl_fail(e, SL_EXIT_INPUT, "use the same version, --seed and --form on both machines",
                                               "%s holds results of other vectors", path));
  for (uint32_t k = 0; k < h.rows && ok; k++) {
    st_row_head r;
    if (len - at < sizeof r) { ok = sl_fail(e, SL_EXIT_INPUT, NULL, "%s is cut short", path); break; }
    memcpy(&r, data + at, sizeof r);
    at += sizeof r;
    size_t bytes = (size_t)r.forms * r.n * r.results * 8;
    ok = (len - at >= bytes && take_row(ws, gpu, &r, data + at)) ||
         sl_fail(e, SL_EXIT_INPUT, NULL, "%s is cut short or does not fit the table of forms", path);
    at += ok ? bytes : 0;
  }
  if (ok) snprintf(gpu ? ws->gpu_device : ws->sim_device, 64, "%.63s", h.device);
  free(data);
  return ok;
}

// Starts the program of capability [a] through sl-sim, which finds either device.
static bool start(int a, bool gpu, const char *in, const char *out, sl_error *e, bool *absent) {
  const char *build = getenv("SCANLAB_BUILD");
  char *bin = build && *build ? sl_path("%s/bin", build) : sl_exe_dir(), *text = NULL;
  char *sim = sl_path("%s/sl-sim", bin), *program = sl_path("%s/selftest_vectors_%d", bin, st_archs[a]);
  const char *on_sim[] = {sim, "--no-checks", "--no-counters", "--profile", profiles[a], "--", program, in, out, NULL};
  const char *on_gpu[] = {sim, "--gpu", "--", program, in, out, NULL};
  sl_exit_status st = sl_run((char *const *)(gpu ? on_gpu : on_sim), NULL, SECONDS, 65536, &text, e);
  *absent = gpu && !st.timed_out && st.code == NOT_THIS_GPU;
  bool ok = *absent || (!st.timed_out && st.code == 0);
  if (!ok && gpu && text && strstr(text, "no GPU"))
    sl_fail(e, SL_EXIT_INFRA, "leave --gpu out to compare the simulated GPU with the computed results alone",
            "this machine has no GPU that CUDA can use");
  else if (!ok)
    sl_fail(e, SL_EXIT_INFRA, NULL, "the vectors of capability %d.%d did not run on the %s GPU (%s %d): %.900s", st_archs[a] / 10,
            st_archs[a] % 10, gpu ? "real" : "simulated", st.timed_out ? "no end after" : "status", st.timed_out ? SECONDS : st.code,
            text ? text : "");
  free(text);
  free(bin);
  free(sim);
  free(program);
  return ok;
}

static bool run_arch(st_works *ws, int a, bool gpu, const char *dir, sl_error *e) {
  char *in = sl_path("%s/operands", dir), *out = sl_path("%s/results", dir);
  bool absent = false, ok = true;
  if (count_rows(ws, st_archs[a]))
    ok = write_operands(ws, st_archs[a], in, e) && start(a, gpu, in, out, e, &absent) && (absent || read_results(ws, gpu, out, e));
  unlink(in);
  unlink(out);
  free(in);
  free(out);
  return ok;
}

bool st_run(st_works *ws, bool gpu, sl_error *e) {
  const char *tmp = getenv("TMPDIR");
  char *dir = sl_path("%s/scanlab-selftest-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  bool ok = mkdtemp(dir) || sl_fail(e, SL_EXIT_INFRA, "set TMPDIR to a folder with 200 MB free", "cannot make %s", dir);
  for (int a = 0; a < ST_ARCHS && ok; a++) ok = run_arch(ws, a, gpu, dir, e);
  rmdir(dir);
  free(dir);
  return ok;
}

bool st_save(const st_works *ws, bool gpu, const char *path, sl_error *e) {
  st_head h = {.magic = ST_MAGIC, .vectors = ws->hash};
  for (size_t k = 0; k < ws->n; k++) h.rows += (gpu ? ws->at[k].gpu : ws->at[k].sim) != NULL;
  snprintf(h.device, sizeof h.device, "%s", gpu ? ws->gpu_device : ws->sim_device);
  sl_out *o = sl_open_atomic(path, e);
  bool ok = o && sl_write(o, &h, sizeof h, e);
  for (size_t k = 0; k < ws->n && ok; k++) {
    const uint64_t *data = gpu ? ws->at[k].gpu : ws->at[k].sim;
    st_row_head r = row_head(&ws->at[k]);
    if (data) ok = sl_write(o, &r, sizeof r, e) && sl_write(o, data, result_count(&ws->at[k]) * sizeof *data, e);
  }
  if (ok) return sl_commit(o, e);
  if (o) sl_abandon(o);
  return false;
}

bool st_load(st_works *ws, const char *path, sl_error *e) { return read_results(ws, true, path, e); }
