// Makes the inputs of calls.
//
// Interface: input.h. Call 0 has the case's own seed; later calls have seeds derived from it. A dataset has
// one content: later calls get it rotated, so that a result remembered from an earlier call is wrong.
#include "judge/input.h"

#include "judge/buffer.h"
#include "scanlab/dataset.h"
#include "scanlab/generate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool load(sl_source *s, const char *data_dir, sl_error *e) {
  const char *name = s->c->dataset, *dot = strrchr(name, '.');
  sl_dataset_paths paths = {.folder = data_dir};
  sl_error why = {0};
  size_t max = (size_t)8 << 30;
  bool file = dot && !strcmp(dot, ".npy");
  bool ok =
      file ? sl_npy_read(name, max, &s->whole, &why) : sl_dataset_find(&paths, name, &s->whole, NULL, &why);
  if (!ok) { // a dataset that is not there is an input that is not there, whatever its name
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
  return !c->dataset[0] || load(s, data_dir, e);
}

void sl_source_close(sl_source *s) {
  free(s->whole.data);
  s->whole.data = NULL;
}

// [n] elements of the dataset, beginning at a place that depends on [call].
static bool copy_rotated(const sl_source *s, unsigned call, sl_input *out, sl_error *e) {
  size_t size = sl_npy_item_size(s->c->type), all = s->whole.n;
  if (out->n > all)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "dataset %s has %zu elements, the case wants %zu", s->c->dataset,
                   all, out->n);
  size_t start = all ? (size_t)call * 7919 % all : 0, head = all - start < out->n ? all - start : out->n;
  memcpy(out->data, (char *)s->whole.data + start * size, head * size);
  memcpy((char *)out->data + head * size, s->whole.data, (out->n - head) * size);
  return true;
}

bool sl_source_take(const sl_source *s, uint64_t n, unsigned call, sl_input *out, sl_error *e) {
  const sl_case *c = s->c;
  uint64_t seed = call ? sl_mix(c->seed + call) >> 1 : c->seed;
  *out = (sl_input){.n = n == SL_WHOLE ? s->whole.n : (size_t)n};
  out->data = malloc(out->n * sl_npy_item_size(c->type) + 1);
  if (c->values) out->values = malloc(out->n * sizeof *out->values + 1);
  if (!out->data || (c->values && !out->values))
    return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory for %zu elements", out->n);
  for (size_t i = 0; c->values && i < out->n; i++)
    out->values[i] = (uint32_t)i * 2654435761u + (uint32_t)sl_mix(seed);
  if (c->dataset[0]) return copy_rotated(s, call, out, e);
  sl_gen_spec spec = {.dist = c->dist, .type = c->type, .n = out->n, .seed = seed};
  return sl_generate(&spec, out->data, e);
}

void sl_input_free(sl_input *in) {
  free(in->data);
  free(in->values);
  *in = (sl_input){0};
}

// The sum over any interval is a difference of two prefix sums: at most their range.
bool sl_input_exact(const float *x, size_t n) {
  double sum = 0, low = 0, high = 0;
  for (size_t i = 0; i < n; i++) {
    if (!(fabs((double)x[i]) < 0x1p24) || x[i] != truncf(x[i])) return false;
    sum += (double)x[i];
    low = sum < low ? sum : low;
    high = sum > high ? sum : high;
  }
  return high - low <= 0x1p24;
}
