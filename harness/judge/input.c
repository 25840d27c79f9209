// Makes the inputs of calls.
//
// Interface: input.h. Call 0 has the case's own seed; later calls have seeds derived from it. Later calls get
// a dataset rotated, so that a result remembered from an earlier call is wrong; in a case of lab.json the
// first call gets it rotated, too, by the seed.
#include "judge/input.h"

#include "judge/buffer.h"
#include "scanlab/dataset.h"
#include "scanlab/generate.h"

#include <math.h>

// The datasets of this process: to load and verify one takes longer than most cases that take it.
typedef struct loaded {
  struct loaded *next;
  char *name, *folder;
  sl_array whole;
} loaded;
static loaded *all_loaded;

static bool find_set(const char *name, const char *data_dir, sl_array *out, sl_error *e) {
  const sl_dataset_paths paths = {.folder = data_dir};
  const char *folder = data_dir ? data_dir : "";
  for (const loaded *l = all_loaded; l; l = l->next)
    if (!strcmp(l->name, name) && !strcmp(l->folder, folder)) return *out = l->whole, true;
  if (!sl_dataset_find(&paths, name, out, NULL, e)) return false;
  loaded *l = sl_must(malloc(sizeof *l));
  *l = (loaded){all_loaded, sl_path("%s", name), sl_path("%s", folder), *out};
  all_loaded = l;
  return true;
}

static bool load_source(sl_source *s, const char *data_dir, sl_error *e) {
  const char *name = s->c->dataset, *dot = strrchr(name, '.');
  sl_error why = {0};
  size_t max = (size_t)8 << 30;
  bool file = dot && !strcmp(dot, ".npy");
  if (dot && !strcasecmp(dot, ".npz"))
    return sl_fail(e, SL_EXIT_INPUT,
                   "unpack it (unzip FILE.npz) and name one of its arrays, or numpy.save one",
                   "%s: is a .npz, which holds several arrays; a .npy file holds one", name);
  if (!file && (strchr(name, '/') || access(name, F_OK) == 0))
    return sl_fail(e, SL_EXIT_INPUT,
                   "numpy.save('NAME.npy', array) writes one; ./scanlab datasets list shows the names",
                   "%s: is no .npy file, and no name of a dataset", name);
  bool ok = file ? sl_npy_read(name, max, &s->whole, &why) : find_set(name, data_dir, &s->whole, &why);
  s->own = ok && file;
  if (!ok) { // a missing dataset is a missing input
    bool machine = why.code == SL_EXIT_INFRA;
    return sl_fail(e, machine ? SL_EXIT_INFRA : SL_EXIT_INPUT, why.hint, "%s", why.text);
  }
  if (s->whole.type == s->c->type) return true;
  char hint[64];
  snprintf(hint, sizeof hint, "ask for type %s", sl_type_names[s->whole.type]);
  return sl_fail(e, SL_EXIT_INPUT, hint, "dataset %s holds %s, the case wants %s", name,
                 sl_type_names[s->whole.type], sl_type_names[s->c->type]);
}

bool sl_source_open(sl_source *s, const sl_case *c, const char *data_dir, sl_error *e) {
  *s = (sl_source){.c = c};
  return !c->dataset[0] || load_source(s, data_dir, e);
}

void sl_source_close(sl_source *s) {
  if (s->own) free(s->whole.data);
  s->whole.data = NULL;
}

// Copies [n] elements of the dataset, from a place that depends on [call] and, if graded, on the seed.
static bool copy_rotated(const sl_source *s, unsigned call, sl_input *out, sl_error *e) {
  size_t size = sl_npy_item_size(s->c->type), all = s->whole.n;
  if (out->n > all)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "dataset %s has %zu elements, the case wants %zu", s->c->dataset,
                   all, out->n);
  uint64_t first = s->c->rotated ? sl_mix(s->c->seed) : 0;
  size_t start = all ? (first % all + (size_t)call * 7919) % all : 0,
         head = all - start < out->n ? all - start : out->n;
  memcpy(out->data, (char *)s->whole.data + start * size, head * size);
  memcpy((char *)out->data + head * size, s->whole.data, (out->n - head) * size);
  return true;
}

enum { PAYLOAD_GRAIN = 1 << 20 };
typedef struct payloads {
  uint32_t *values, offset;
} payloads;

static void fill_payloads(void *context, size_t from, size_t to) {
  const payloads *p = context;
  for (size_t i = from; i < to; i++) p->values[i] = (uint32_t)i * 2654435761u + p->offset;
}

// Payloads are different multiples of an odd number and an offset: so each place has one, and a payload one
// place. Numbers that the input is about are among them.
static void add_payloads_about(const char *dist, const payloads *p, size_t n) {
  enum { INVERSE = 244002641 }; // of the factor, modulo 2^32
  sl_about a;
  if (!sl_about_read(dist, &a, NULL)) return;
  for (unsigned k = 0; k < a.n && n / 2 + k < n; k++)
    if ((a.at[k] - p->offset) * INVERSE >= n) p->values[n / 2 + k] = a.at[k];
}

bool sl_source_take(const sl_source *s, uint64_t n, unsigned call, sl_input *out, sl_error *e) {
  const sl_case *c = s->c;
  uint64_t seed = call ? sl_mix(c->seed + call) >> 1 : c->seed;
  *out = (sl_input){.n = n == SL_WHOLE ? s->whole.n : (size_t)n};
  out->data = sl_alloc_array(out->n * sl_npy_item_size(c->type));
  if (c->values) out->values = sl_alloc_array(out->n * sizeof *out->values);
  if (!out->data || (c->values && !out->values))
    return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for %zu elements", out->n);
  payloads p = {out->values, (uint32_t)sl_mix(seed)};
  if (c->values) sl_parallel(out->n, PAYLOAD_GRAIN, fill_payloads, &p);
  if (c->values) add_payloads_about(c->dist, &p, out->n);
  if (c->dataset[0]) return copy_rotated(s, call, out, e);
  sl_gen_spec spec = {.dist = c->dist, .type = c->type, .n = out->n, .seed = seed};
  return sl_generate(&spec, out->data, e);
}

void sl_input_free(sl_input *in) {
  free(in->data);
  free(in->values);
  *in = (sl_input){0};
}

// What one part of an array of floats holds; all cores work on parts.
typedef struct part {
  bool whole;            // all are whole numbers, none too large
  double sum, low, high; // the sum of the part; the lowest and highest of its prefix sums
  size_t nan;            // index of the first NaN, n if none
} part;

enum { PART = 1 << 20 };
typedef struct parts {
  const float *x;
  size_t n;
  part *at;
} parts;

static void look_for_whole(void *context, size_t from, size_t to) {
  const parts *p = context;
  for (size_t k = from; k < to; k++) {
    part now = {.whole = true};
    size_t end = p->n - k * PART < PART ? p->n : (k + 1) * PART;
    for (size_t i = k * PART; i < end && now.whole; i++) {
      float x = p->x[i];
      now.whole = fabsf(x) <= 0x1p24f && x == truncf(x);
      now.sum += (double)x;
      now.low = now.sum < now.low ? now.sum : now.low;
      now.high = now.sum > now.high ? now.sum : now.high;
    }
    p->at[k] = now;
  }
}

static void look_for_nan(void *context, size_t from, size_t to) {
  const parts *p = context;
  for (size_t k = from; k < to; k++) {
    size_t i = k * PART, end = p->n - i < PART ? p->n : i + PART;
    while (i < end && !isnan(p->x[i])) i++;
    p->at[k].nan = i < end ? i : p->n;
  }
}

// Calls [look] for each part of PART numbers. Returns *count results, malloc'ed; NULL: out of memory.
static part *look_at_parts(const float *x, size_t n, void (*look)(void *context, size_t from, size_t to),
                           size_t *count) {
  parts p = {x, n, NULL};
  *count = (n + PART - 1) / PART;
  p.at = calloc(*count + 1, sizeof *p.at);
  if (p.at) sl_parallel(*count, 1, look, &p);
  return p.at;
}

// The sum over any interval is the difference of two prefix sums, so their range bounds it. Whole numbers
// up to 2^24 add up without rounding, up to 2^29 of them.
bool sl_input_exact(const float *x, size_t n) {
  size_t count;
  SL_FREED part *at = look_at_parts(x, n, look_for_whole, &count);
  double sum = 0, low = 0, high = 0;
  bool whole = at != NULL;
  for (size_t k = 0; k < count && whole; k++) {
    whole = at[k].whole;
    low = fmin(low, sum + at[k].low);
    high = fmax(high, sum + at[k].high);
    sum += at[k].sum;
  }
  return whole && high - low <= 0x1p24;
}

size_t sl_input_nan(const float *x, size_t n) {
  size_t count, first = n;
  SL_FREED part *at = look_at_parts(x, n, look_for_nan, &count);
  for (size_t k = 0; k < count && at && first == n; k++) first = at[k].nan;
  return first;
}
