// The input of a picture: small numbers that can be added by eye, as a .npy file.
#include "observe.h"
#include "scanlab/npy.h"

static const unsigned char digits[] = {3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 1, 4, 0, 2, 8, 1};
static const unsigned char keys[] = {11, 5, 14, 2, 7, 0, 13, 9, 4, 15, 1, 8, 6, 12, 3, 10};

static sl_type type_of(const sl_lab_info *lab, const sl_input_choice *c) {
  for (int k = 0; c->type && sl_type_names[k]; k++)
    if (!strcmp(c->type, sl_type_names[k])) return (sl_type)k;
  return lab->type;
}

// Repeats the numbers at [from], up to [n] elements of [type]; malloc'ed.
static uint32_t *repeated(const unsigned char *from, uint64_t n, sl_type type, sl_error *e) {
  uint32_t *out = malloc((n + 1) * sizeof *out);
  if (!out) sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
  for (uint64_t k = 0; k < n && out; k++) {
    const uint32_t v = from[k % sizeof digits];
    const float real = (float)v;
    memcpy(&out[k], type == SL_F32 ? (const void *)&real : (const void *)&v, sizeof *out);
  }
  return out;
}

char *sl__small_input(const char *lab, const sl_input_choice *c, uint64_t n, sl_error *e) {
  const sl_lab_info *info = sl_lab_find(lab, e);
  if (!info) return NULL;
  const bool sorts = info->sort && c->entry && !strcmp(c->entry, "sort");
  const sl_type type = type_of(info, c);
  char *path = sl__scratch("input.npy", e);
  SL_FREED uint32_t *numbers = path ? repeated(sorts ? keys : digits, n, type, e) : NULL;
  const bool ok = numbers && sl_npy_write(path, type, numbers, n, e);
  if (ok) return path;
  free(path);
  return NULL;
}
