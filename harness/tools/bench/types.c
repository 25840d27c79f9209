// What is scanned: the types and operators of lab 05, and the table that compares them at one size.
//
// Interface: measure.h. lines.c measures the points of the table, for one kind of elements after the other.
#include "tools/bench/measure.h"
#include "reference/reference.h"

const sl_elements sl__elements[] = {{"u32 add", "u32", SL_U32, SL_ADD, 4},
                                    {"i32 add", "i32", SL_I32, SL_ADD, 4},
                                    {"f32 add", "f32", SL_F32, SL_ADD, 4},
                                    {"u32 max", "u32", SL_U32, SL_MAX, 4},
                                    {"i32 max", "i32", SL_I32, SL_MAX, 4},
                                    {"f32 max", "f32", SL_F32, SL_MAX, 4},
                                    {"affine compose", "affine", SL_AFFINE, SL_COMPOSE, 8},
                                    {"u64 add", "u64", SL_TYPE_COUNT, SL_ADD, 8},
                                    {"f64 add", "f64", SL_TYPE_COUNT, SL_ADD, 8},
                                    {0}};

const sl_elements *sl__elements_of(sl_type type, sl_op op) {
  const sl_elements *x = sl__elements;
  while (x->name && (x->type != type || x->op != op)) x++;
  return x->name ? x : NULL;
}

const sl_elements *sl__elements_named(const char *type, const char *op, sl_error *e) {
  for (const sl_elements *x = sl__elements; x->name; x++)
    if ((!type || !strcmp(type, x->key)) && (!op || !strcmp(op, sl_op_names[x->op]))) return x;
  sl_fail(e, SL_EXIT_USAGE,
          "there are u32, i32 and f32 with add and max, affine with compose, u64 and f64 with add",
          "there is no scan of %s with %s", type ? type : "any type", op ? op : "any operator");
  return NULL;
}

bool sl__elements_run_on(const sl_elements *x, sl_backend backend) {
  return backend == SL_BACKEND_GPU || x->type != SL_TYPE_COUNT;
}

size_t sl__elements_bytes(const char *name) {
  for (const sl_elements *x = sl__elements; x->name; x++)
    if (!strcmp(name, x->name)) return x->bytes;
  return 4; // keys of a sort
}

static void scan_u64(size_t n, const uint64_t *in, uint64_t *out) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) out[i] = sum, sum += in[i];
}

static void scan_f64(size_t n, const double *in, double *out) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) out[i] = sum, sum += in[i];
}

void sl__elements_scan(const sl_elements *x, size_t n, const void *in, void *out) {
  const sl_scan_spec spec = {x->type, x->op, SL_EXCLUSIVE, n};
  if (x->type != SL_TYPE_COUNT) sl_scan_run(&spec, in, out);
  else if (x->key[0] == 'u') scan_u64(n, in, out);
  else scan_f64(n, in, out);
}

// The lab whose entry point takes every pair of type and operator.
static const char *lab_of_all_types(void) {
  const sl_lab_info *lab = sl_labs;
  while (lab->name && !lab->any_pair) lab++;
  return lab->number;
}

bool sl__measure_types(sl_backend backend, unsigned log, unsigned repeats, sl_points *p, sl_error *e) {
  size_t first = p->n;
  bool ok = true;
  for (const sl_elements *x = sl__elements; x->name && ok; x++) {
    if (!sl__elements_run_on(x, backend)) continue;
    sl_sizes r = {log, log, 1, repeats, x};
    ok = (x->type == SL_TYPE_COUNT || sl__measure_lab(lab_of_all_types(), backend, &r, p, e)) &&
         sl__measure_cpu_lines(&r, false, p, e) &&
         (backend == SL_BACKEND_SIM ? sl__measure_ladder(SL_FURTHER_05, &r, p, e)
                                    : sl__measure_further(&r, "scan", p, e));
  }
  for (size_t k = first; k < p->n; k++) p->at[k].family = "types";
  return ok;
}

static const sl_point *find_point(const sl_points *p, const char *name, const char *elements) {
  for (size_t k = 0; k < p->n; k++)
    if (!strcmp(p->at[k].family, "types") && !strcmp(p->at[k].name, name) &&
        !strcmp(p->at[k].elements, elements))
      return &p->at[k];
  return NULL;
}

static bool was_measured(const sl_points *p, const sl_elements *x) {
  for (size_t k = 0; k < p->n; k++)
    if (!strcmp(p->at[k].family, "types") && !strcmp(p->at[k].elements, x->name)) return true;
  return false;
}

enum { KINDS = 3 }; // in a table: what 80 columns hold

static void print_row(const sl_points *p, const char *name, const sl_elements *const kinds[], int n) {
  printf("  %-28s", name);
  for (int k = 0; k < n; k++) {
    const sl_point *point = find_point(p, name, kinds[k]->name);
    if (point) printf(" %14.4f", point->ms);
    else printf(" %14s", "-");
  }
  printf("\n");
}

static void print_kinds(const sl_points *p, const char *unit, const sl_elements *const kinds[], int n) {
  bool any = false;
  for (size_t k = 0; k < p->n; k++) {
    const sl_point *x = &p->at[k];
    if (strcmp(x->family, "types") || find_point(p, x->name, x->elements) != x) continue;
    if (strcmp(x->elements, sl__elements[0].name)) break; // every line has the first kind
    if (!any) {
      sl_heading(stdout);
      printf("%llu elements, %-12s", (unsigned long long)x->n, unit);
      for (int i = 0; i < n; i++) printf(" %14s", kinds[i]->name);
      printf("\n");
    }
    any = true;
    print_row(p, x->name, kinds, n);
  }
}

void sl__types_print(const sl_points *p, const char *unit) {
  const sl_elements *kinds[KINDS];
  int n = 0;
  bool any = false;
  for (const sl_elements *x = sl__elements; x->name; x++) {
    if (was_measured(p, x)) kinds[n++] = x;
    if (n == 0 || (n < KINDS && x[1].name)) continue;
    if (!any) printf("\n");
    print_kinds(p, unit, kinds, n);
    n = 0, any = true;
  }
}
