// Results of a device: writes the operands to a file, from which the CUDA program of each capability
// (vectors.cu) makes a file of results. Interface: st_run, st_save, st_load.
#include "selftest/selftest_main.h"

const int st_archs[ST_ARCHS] = {75, 80, 90};
static const char *const profiles[ST_ARCHS] = {"t4", "a100", "h100"};
enum { NOT_THIS_GPU = 5, SECONDS = 300 }; // the program's status when the GPU lacks the capability

static size_t result_count(const st_work *w) {
  return w->forms.n * w->vectors.n * (size_t)w->forms.at[0].n_out;
}

static bool is_chosen(const st_work *w) {
  for (size_t k = 0; k < w->forms.n; k++)
    if (w->chosen[k]) return true;
  return false;
}

static st_row_head row_head(const st_work *w) {
  return (st_row_head){w->hash, st_row_id(w->row, w->group), (uint32_t)w->vectors.n, (uint32_t)w->forms.n,
                       (uint32_t)w->forms.at[0].n_out};
}

// Is [w] still to be run for capability [arch]?
static bool is_due(const st_work *w, int arch, bool gpu) {
  return w->row->arch == arch && is_chosen(w) && !w->failed[gpu] && !(gpu ? w->gpu : w->sim);
}

static uint32_t count_due(const st_works *ws, int arch, bool gpu) {
  uint32_t n = 0;
  for (size_t k = 0; k < ws->n; k++) n += is_due(&ws->at[k], arch, gpu);
  return n;
}

static bool write_operands(const st_works *ws, int arch, bool gpu, const char *path, sl_error *e) {
  sl_out *o = sl_open_atomic(path, e);
  st_head h = {.magic = ST_MAGIC, .rows = count_due(ws, arch, gpu), .arch = (uint32_t)arch};
  bool ok = o && sl_write(o, &h, sizeof h, e);
  for (size_t k = 0; k < ws->n && ok; k++) {
    const st_work *w = &ws->at[k];
    if (!is_due(w, arch, gpu)) continue;
    st_row_head r = row_head(w);
    ok = sl_write(o, &r, sizeof r, e) && sl_write(o, w->vectors.at, w->vectors.n * sizeof *w->vectors.at, e);
  }
  return sl_finish(o, ok, e);
}

// Takes the results of one row; they belong to the work with the same forms and operands.
static void take_row(st_works *ws, bool gpu, const st_row_head *r, const char *data) {
  for (size_t k = 0; k < ws->n; k++) {
    st_work *w = &ws->at[k];
    if (w->hash != r->vectors || !is_chosen(w) || w->vectors.n != r->n || w->forms.n != r->forms ||
        (uint32_t)w->forms.at[0].n_out != r->results)
      continue;
    uint64_t **place = gpu ? &w->gpu : &w->sim;
    size_t bytes = result_count(w) * sizeof **place;
    free(*place);
    *place = sl_must(malloc(bytes ? bytes : 1));
    memcpy(*place, data, bytes);
    return;
  }
}

// Takes all whole rows of a file of results, *[rows] of them. The last row may be cut short.
static bool read_results(st_works *ws, bool gpu, const char *path, uint32_t *rows, sl_error *e) {
  size_t len = 0, at = sizeof(st_head);
  SL_FREED char *data = sl_read_file(path, (size_t)4 << 30, &len, e);
  st_head h = {0};
  *rows = 0;
  if (!data) return false;
  if (len >= sizeof h) memcpy(&h, data, sizeof h);
  bool ok = h.magic == ST_MAGIC || sl_fail(e, SL_EXIT_INPUT, "name a file that --save wrote",
                                           "%s holds no results of selftest", path);
  for (st_row_head r; ok && len - at >= sizeof r; *rows += 1) {
    memcpy(&r, data + at, sizeof r);
    uint64_t bytes = (uint64_t)r.forms * r.n * 8, rest = len - at - sizeof r;
    if (r.results > ST_OUTS || bytes > rest || bytes * r.results > rest) break;
    take_row(ws, gpu, &r, data + at + sizeof r);
    at += sizeof r + bytes * r.results;
  }
  if (ok) snprintf(gpu ? ws->gpu_device : ws->sim_device, 64, "%.63s", h.device);
  return ok && (*rows == h.rows ||
                sl_fail(e, SL_EXIT_INPUT, NULL, "%s is cut short: %u rows of %u", path, *rows, h.rows));
}

// Starts the program of capability [a] through sl-sim, which finds either device.
static bool start_works(int a, bool gpu, const char *in, const char *out, sl_error *e, bool *absent) {
  char vectors[32];
  snprintf(vectors, sizeof vectors, "selftest_vectors_%d", st_archs[a]);
  SL_FREED char *sim = sl_tool_path("sl-sim"), *program = sl_tool_path(vectors), *text = NULL;
  const char *on_sim[] = {sim, "--no-checks", "--no-counters", "--profile", profiles[a], "--", program, in,
                          out, NULL};
  const char *on_gpu[] = {sim, "--gpu", "--", program, in, out, NULL};
  sl_exit_status st = sl_run_by_work((char *const *)(gpu ? on_gpu : on_sim), NULL, SECONDS, 65536, &text, e);
  *absent = gpu && !st.timed_out && st.code == NOT_THIS_GPU;
  bool ok = *absent || (!st.timed_out && st.code == 0);
  if (!ok)
    sl_fail(e, SL_EXIT_INFRA,
            gpu ? "leave --gpu out to compare the simulated GPU with the computed results alone" : NULL,
            "the vectors of capability %d.%d did not run on the %s GPU (%s %d): %.*s", st_archs[a] / 10,
            st_archs[a] % 10, gpu ? "real" : "simulated", st.timed_out ? "no end after" : "status",
            st.timed_out ? SECONDS : st.code, text ? (int)strcspn(text, "\n") : 0, text ? text : "");
  return ok;
}

// Leaves out the row whose turn it was when the program ended, and notes why.
static void note_trouble(st_works *ws, int arch, bool gpu, const sl_error *e) {
  for (size_t k = 0; k < ws->n; k++) {
    if (!is_due(&ws->at[k], arch, gpu)) continue;
    ws->at[k].failed[gpu] = true;
    sl_append(ws->trouble, sizeof ws->trouble, "", "%s: %.600s\n", ws->at[k].row->pattern, e->text);
    return;
  }
}

static void give_up(st_works *ws, int arch, bool gpu) {
  for (size_t k = 0; k < ws->n; k++)
    if (is_due(&ws->at[k], arch, gpu)) ws->at[k].failed[gpu] = true;
}

// Runs the rows that are due. After a failure again without the failed row, while others make progress.
static bool run_arch(st_works *ws, int a, bool gpu, const char *dir, sl_error *e) {
  SL_FREED char *in = sl_path("%s/operands", dir), *out = sl_path("%s/results", dir);
  bool any = false;
  for (uint32_t idle = 0, due; (due = count_due(ws, st_archs[a], gpu)) > 0 && idle < 2;) {
    sl_error why = {0}, cut = {0};
    bool absent = false;
    uint32_t rows = 0;
    unlink(out);
    if (!write_operands(ws, st_archs[a], gpu, in, e)) break;
    bool ran = start_works(a, gpu, in, out, &why, &absent);
    if (absent) {
      give_up(ws, st_archs[a], gpu);
      any = true;
      break;
    }
    if (sl_is_file(out)) read_results(ws, gpu, out, &rows, &cut);
    if (ran && cut.code) why = cut;
    if (rows == 0 && !any) *e = why;
    if (why.code) note_trouble(ws, st_archs[a], gpu, &why);
    idle = rows == 0 || count_due(ws, st_archs[a], gpu) >= due ? idle + 1 : 0;
    any |= rows > 0;
  }
  give_up(ws, st_archs[a], gpu);
  unlink(in);
  unlink(out);
  return any;
}

bool st_run(st_works *ws, bool gpu, sl_error *e) {
  const char *tmp = getenv("TMPDIR");
  SL_FREED char *dir = sl_path("%s/scanlab-selftest-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  bool ok = mkdtemp(dir) ||
            sl_fail(e, SL_EXIT_INFRA, "set TMPDIR to a folder with 200 MB free", "cannot make %s", dir),
       any = false;
  sl_error why = {0};
  for (int a = 0; a < ST_ARCHS && ok; a++)
    if (count_due(ws, st_archs[a], gpu)) any |= run_arch(ws, a, gpu, dir, &why);
  rmdir(dir);
  if (ok && !any) *e = why;
  return ok && any;
}

bool st_save(const st_works *ws, bool gpu, const char *path, sl_error *e) {
  st_head h = {.magic = ST_MAGIC};
  for (size_t k = 0; k < ws->n; k++) h.rows += (gpu ? ws->at[k].gpu : ws->at[k].sim) != NULL;
  snprintf(h.device, sizeof h.device, "%s", gpu ? ws->gpu_device : ws->sim_device);
  sl_out *o = sl_open_atomic(path, e);
  bool ok = o && sl_write(o, &h, sizeof h, e);
  for (size_t k = 0; k < ws->n && ok; k++) {
    const uint64_t *data = gpu ? ws->at[k].gpu : ws->at[k].sim;
    st_row_head r = row_head(&ws->at[k]);
    if (data)
      ok = sl_write(o, &r, sizeof r, e) && sl_write(o, data, result_count(&ws->at[k]) * sizeof *data, e);
  }
  return sl_finish(o, ok, e);
}

bool st_load(st_works *ws, const char *path, sl_error *e) {
  uint32_t rows;
  return read_results(ws, true, path, &rows, e);
}
