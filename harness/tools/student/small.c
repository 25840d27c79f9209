// The input of a picture: small numbers that can be added by eye, as a .npy file.
#include "observe.h"
#include "scanlab/npy.h"

enum { NUMBERS = 16 };
static const unsigned char digits[NUMBERS] = {3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 1, 4, 0, 2, 8, 1};
static const unsigned char keys[NUMBERS] = {11, 5, 14, 2, 7, 0, 13, 9, 4, 15, 1, 8, 6, 12, 3, 10};
// Labs whose first input means something else than numbers to be added: the examples of their handouts.
static const struct {
  const char *lab, *scalars; // scalars: for labs that have some
  unsigned char numbers[NUMBERS];
} examples[] = {
    {"11", NULL, {3, 1, 0, 0, 4, 0, 6, 3, 0, 5, 1, 0, 0, 2, 8, 0}},
    {"12", NULL, {7, 7, 7, 2, 5, 5, 7, 7, 7, 1, 1, 1, 1, 0, 4, 4}},
    {"13", NULL, {1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
    {"14", "4", {3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 1, 4, 0, 2, 8, 1}},
    {"15", NULL, {1, 2, 1, 3, 1, 2, 1, 1, 0, 1, 2, 1, 1, 3, 1, 2}},
};
static const size_t n_examples = sizeof examples / sizeof *examples;

static const unsigned char *numbers_of(const sl_lab_info *lab, const sl_input_choice *c) {
  for (size_t k = 0; k < n_examples; k++)
    if (!strcmp(examples[k].lab, lab->number)) return examples[k].numbers;
  return lab->sort && c->entry && !strcmp(c->entry, "sort") ? keys : digits;
}

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
    const uint32_t v = from[k % NUMBERS];
    const float real = (float)v;
    memcpy(&out[k], type == SL_F32 ? (const void *)&real : (const void *)&v, sizeof *out);
  }
  return out;
}

const char *sl__small_scalars(const sl_lab_info *lab) {
  for (size_t k = 0; k < n_examples; k++)
    if (!strcmp(examples[k].lab, lab->number)) return examples[k].scalars;
  return NULL;
}

char *sl__small_input(const char *lab, const sl_input_choice *c, uint64_t n, sl_error *e) {
  const sl_lab_info *info = sl_lab_find(lab, e);
  if (!info) return NULL;
  const sl_type type = type_of(info, c);
  char *path = sl__scratch("input.npy", e);
  SL_FREED uint32_t *numbers = path ? repeated(numbers_of(info, c), n, type, e) : NULL;
  const bool ok = numbers && sl_npy_write(path, type, numbers, n, e);
  if (ok) return path;
  free(path);
  return NULL;
}
