// Calls of labs with their own entry point: arrays and right results come from the lab's reference.c.
//
// Interface: sl__own_make, _array, _words, _check, _free (run.h). The build makes sl_reference_NN.so of
// reference.c, and only the judge loads it. All else is as in any lab.
#include "judge/run.h"
#include "scanlab/generate.h"

#include <dlfcn.h>

_Static_assert((int)SL_MOST_SCALARS == SL_CASE_SCALARS && (int)SL_MOST_SCALARS == SL_MAX_SCALARS,
               "a reference, a case and a message hold as many scalars");

typedef void reference_fn(size_t n, const int64_t scalars[], const void *const in[], void *const out[],
                          size_t written[]);

static bool own_error(sl_judging *j, const char *what, const char *why) {
  return sl__verdict_cannot(j, SL_EXIT_INFRA, "build the course again: ./scanlab build", "lab %s: %s: %s",
                            j->job->lab->name, what, why);
}

static size_t length_of(const sl_argument *a, const sl_case_call *c) { return a->fixed ? a->fixed : c->in.n; }

static size_t own_bytes(const sl_argument *a, const sl_case_call *c) {
  return length_of(a, c) * sl_elem_size(a->type);
}

// The arguments ---------------------------------------------------------------------------------------------

static bool sort_arguments(sl_judging *j, sl_own *o, const sl_argument *a) {
  size_t ins = 0, outs = 0;
  for (; a->role != SL_END; a++) {
    bool in = a->role == SL_IN;
    if (a->type > SL_U32 || !a->name)
      return own_error(j, "reference.c", "an argument has no name, or no type of 4 bytes");
    if (in ? ins == SL_MOST_INPUTS : outs == SL_MOST_OUTPUTS)
      return own_error(j, "reference.c", "at most three inputs and three outputs");
    if (in) o->in[ins++] = a;
    else o->out[outs++] = a;
  }
  if (!ins || !outs) return own_error(j, "reference.c", "an input and an output are needed");
  if (o->in[0]->type != j->job->c->type || o->in[0]->fixed)
    return own_error(j, "lab.json and reference.c",
                     "the first input has the type of the case and its n elements");
  return true;
}

// Scalars ---------------------------------------------------------------------------------------------------

// A case gives all scalars or none, each in its range.
static bool take_scalars(sl_judging *j, sl_own *o, unsigned call) {
  const sl_case *c = j->job->c;
  unsigned n = 0;
  for (; o->named && o->named[n].name && n < SL_MOST_SCALARS; n++) {
    const sl_scalar *s = &o->named[n];
    o->scalars[n] = n < c->n_scalars ? sl_case_scalar(c, n, call) : s->usual;
    if (n < c->n_scalars && (o->scalars[n] < s->least || o->scalars[n] > s->most))
      return sl__verdict_cannot(
          j, SL_EXIT_INPUT, NULL,
          "scalar \"%s\" of lab %s: expected a whole number from %lld to %lld, found %lld", s->name,
          j->job->lab->name, (long long)s->least, (long long)s->most, (long long)o->scalars[n]);
  }
  if (!c->n_scalars || c->n_scalars == n) return true;
  return sl__verdict_cannot(j, SL_EXIT_INPUT, "give all of them or none, in the order of reference.c",
                            "lab %s takes %u scalar%s, the case gives %u", j->job->lab->name, n, sl_plural(n),
                            c->n_scalars);
}

char *sl__own_scalars(const sl_case_call *c) {
  char *text = NULL;
  const sl_own *o = &c->own;
  if (!o->named || !o->named[0].name) return NULL;
  FILE *f = sl_text_stream(&text);
  for (unsigned k = 0; k < SL_MOST_SCALARS && o->named[k].name; k++)
    fprintf(f, "%s%s %lld", k ? ", " : "", o->named[k].name, (long long)o->scalars[k]);
  fclose(f);
  return text;
}

static bool own_open(sl_judging *j, sl_own *o, unsigned call, reference_fn **reference) {
  SL_FREED char *name = sl_path("../lib/sl_reference_%s.so", j->job->lab->number);
  SL_FREED char *path = sl_tool_path(name);
  o->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const sl_argument *a = o->library ? dlsym(o->library, "sl_arguments") : NULL;
  *reference = a ? (reference_fn *)dlsym(o->library, "sl_reference") : NULL;
  o->named = a ? dlsym(o->library, "sl_scalars") : NULL;
  o->sorts = a && dlsym(o->library, "sl_sorts");
  return *reference ? sort_arguments(j, o, a) && take_scalars(j, o, call)
                    : own_error(j, "its reference cannot be loaded", dlerror());
}

// Inputs and right outputs ----------------------------------------------------------------------------------

// The distribution of input [a] of a case, in [dist]. Beside chosen numbers stand plain ones.
static const char *dist_of(const sl_case *c, const sl_argument *a, char dist[sizeof c->dist]) {
  const char *all = a->dist ? a->dist : "uniform_int", *its = NULL, *at = all;
  const size_t first = strcspn(c->dist, "@"); // all inputs are about the same numbers
  if (c->dataset[0] || !strcmp(c->dist, "example")) return "example";
  while (!its && (at = strchr(at, ' ')))
    if (!strncmp(++at, c->dist, first) && at[first] == ':') its = at + first + 1;
  if (!its) its = all;
  snprintf(dist, sizeof c->dist, "%.*s%s", (int)strcspn(its, " "), its, c->dist + first);
  return dist;
}

static bool make_input_at(sl_judging *j, sl_case_call *c, unsigned k) {
  const sl_argument *a = c->own.in[k];
  sl_error why = {0};
  char dist[sizeof j->job->c->dist];
  const uint64_t seed = sl_mix(j->job->c->seed + ((uint64_t)c->number << 8) + k) >> 1;
  sl_gen_spec spec = {dist_of(j->job->c, a, dist), a->type, length_of(a, c), seed};
  c->own.more[k] = sl_alloc_array(own_bytes(a, c));
  if (!c->own.more[k]) return own_error(j, a->name, "out of memory");
  return sl_generate(&spec, c->own.more[k], &why) ||
         sl__verdict_cannot(j, SL_EXIT_INFRA, why.hint, "reference.c, %s: %s", a->name, why.text);
}

bool sl__own_make(sl_judging *j, sl_case_call *c) {
  sl_own *o = &c->own;
  reference_fn *reference;
  const void *in[SL_MOST_INPUTS] = {c->in.data};
  if (!own_open(j, o, c->number, &reference)) return false;
  for (unsigned k = 1; k < SL_MOST_INPUTS && o->in[k]; k++) {
    if (!make_input_at(j, c, k)) return false;
    in[k] = o->more[k];
  }
  for (unsigned k = 0; k < SL_MOST_OUTPUTS && o->out[k]; k++) {
    o->written[k] = length_of(o->out[k], c);
    o->want[k] = calloc(own_bytes(o->out[k], c) + 1, 1);
    if (!o->want[k]) return own_error(j, o->out[k]->name, "out of memory");
  }
  reference(c->in.n, o->scalars, in, o->want, o->written);
  for (unsigned k = 0; k < SL_MOST_OUTPUTS && o->out[k]; k++)
    if (o->written[k] > length_of(o->out[k], c))
      return own_error(j, o->out[k]->name, "more written than it holds");
  return true;
}

void sl__own_free(sl_own *o) {
  for (unsigned k = 0; k < SL_MOST_INPUTS; k++) free(o->more[k]);
  for (unsigned k = 0; k < SL_MOST_OUTPUTS; k++) free(o->want[k]);
  if (o->library) dlclose(o->library);
  *o = (sl_own){0};
}

size_t sl__own_words(const sl_case_call *c) {
  size_t words = 0;
  for (unsigned k = 0; k < SL_MOST_OUTPUTS; k++) words += c->own.written[k];
  return words;
}

bool sl__own_array(const sl_case_call *c, unsigned which, sl_buffer *b, size_t *bytes) {
  const bool out = which % 2;
  const sl_argument *a = out ? c->own.out[which / 2] : c->own.in[which / 2];
  if (!a) return false;
  *b = (sl_buffer){.name = a->name, .data = out ? NULL : which ? c->own.more[which / 2] : c->in.data};
  *bytes = own_bytes(a, c);
  return true;
}

// The result ------------------------------------------------------------------------------------------------

static bool is_near(const sl_argument *a, sl_elem got, sl_elem want) {
  if (sl_elem_same(a->type, got, want)) return true;
  if (a->type != SL_F32 || a->tolerance <= 0) return false;
  double w = want.f, most = a->tolerance * fmax(1, fabs(w));
  return fabs((double)got.f - w) <= most;
}

static void *read_output(sl_judging *j, const sl_case_call *c, unsigned k, sl_error *e) {
  return sl_buffer_read(&c->buffers.at[2 * k + 1], j->device, e);
}

// What is wrong with a sort whose payloads are the places of the keys, if it can be named.
static void add_pattern(sl_judging *j, const sl_case_call *c, json_t *fields) {
  sl_error e = {0};
  sl_mismatch m;
  if (!c->own.sorts) return;
  SL_FREED uint32_t *keys = read_output(j, c, 0, &e), *places = read_output(j, c, 1, &e),
                    *input = malloc(c->in.n * sizeof *input + 1);
  if (!keys || !places || !input) return;
  for (size_t i = 0; i < c->in.n; i++) input[i] = (uint32_t)i;
  const sl_sort_check check = {.type = c->own.out[0]->type,
                               .n = c->in.n,
                               .keys_in = c->in.data,
                               .values_in = input,
                               .order = c->own.want[1],
                               .keys_out = keys,
                               .values_out = places};
  if (sl_compare_sort(&check, &m) || !m.pattern) return;
  const bool of_places = m.pattern == SL_PATTERN_PAYLOADS || m.pattern == SL_PATTERN_PAYLOADS_STAY ||
                         m.pattern == SL_PATTERN_PAYLOADS_LOST;
  json_object_set_new(fields, "pattern",
                      json_string(sl_pattern_id(of_places ? SL_PATTERN_PLACES : m.pattern)));
  if (m.pattern == SL_PATTERN_DESCENT)
    json_object_set_new(fields, "descent", json_integer(SL_INT(m.descent)));
}

// Which elements the wrong sums of output [k] hold, where the one input of the lab shows it: "out[2]: got
// in[1], expected in[0] + in[1]", a line each. Otherwise empty.
static void tell_summands(const sl_case_call *c, unsigned k, const void *got, char *out, size_t cap) {
  const sl_argument *a = c->own.out[k], *in = c->own.in[0];
  const sl_scan_ref ref = {.spec = {.type = a->type, .op = SL_ADD, .n = c->in.n}};
  const sl_scan_check check = {.ref = &ref, .in = c->in.data};
  size_t told = 0;
  char is[160], right[160];
  *out = 0;
  if (c->own.in[1] || c->own.sorts || in->type != a->type || strcmp(in->name, "in") != 0) return;
  for (size_t i = 0; i < c->own.written[k] && told < SL_SHOWN_ELEMENTS; i++) {
    const sl_elem x = sl_elem_at(got, a->type, i), want = sl_elem_at(c->own.want[k], a->type, i);
    if (is_near(a, x, want) || !sl_summands(&check, x, is, sizeof is) ||
        !sl_summands(&check, want, right, sizeof right))
      continue;
    sl_append(out, cap, "", "%s[%zu]: got %s, expected %s\n", a->name, i, is, right);
    told++;
  }
}

typedef struct output {
  const sl_argument *a;
  const void *got, *want;
} output;

static bool wrong_at(const void *of, size_t k, char *expected, size_t cap) {
  const output *o = of;
  const sl_elem want = sl_elem_at(o->want, o->a->type, k);
  sl_elem_text(o->a->type, want, expected, cap);
  return !is_near(o->a, sl_elem_at(o->got, o->a->type, k), want);
}

// The wrong elements of an output.
typedef struct sl_own_wrong {
  size_t first, n;
} sl_own_wrong;

static bool tell_own(sl_judging *j, sl_case_call *c, unsigned k, const void *got, sl_own_wrong wrong,
                     bool no_launch) {
  const sl_argument *a = c->own.out[k];
  const sl_buffer *b = &c->buffers.at[2 * k + 1];
  SL_FREED uint32_t *poison = sl_buffer_poison(b);
  const sl_elem is = sl_elem_at(got, a->type, wrong.first),
                right = sl_elem_at(c->own.want[k], a->type, wrong.first);
  const bool unwritten = poison && is.u == poison[wrong.first];
  char have[64], want[64], summands[1024] = "";
  json_t *fields = json_pack("{s:I, s:I, s:s, s:I}", "wrong", SL_INT(wrong.n), "n", SL_INT(c->own.written[k]),
                             "array", a->name, "index", SL_INT(wrong.first));
  if (j->job->record & SL_RECORD_STEPS)
    sl__add_elements(b, c->own.written[k], wrong_at, &(output){a, got, c->own.want[k]}, fields);
  if (!unwritten) {
    json_object_set_new(fields, "got", json_string(sl_elem_text(a->type, is, have, sizeof have)));
    json_object_set_new(fields, "expected", json_string(sl_elem_text(a->type, right, want, sizeof want)));
    add_pattern(j, c, fields);
    tell_summands(c, k, got, summands, sizeof summands);
  }
  return sl__verdict_fail(j, c,
                          !unwritten  ? SL_REASON_RESULT_WRONG
                          : no_launch ? SL_REASON_RESULT_NO_LAUNCH
                                      : SL_REASON_RESULT_UNWRITTEN,
                          fields, *summands ? summands : NULL);
}

// A call without elements writes nothing, not even to an output whose length does not follow n.
static bool check_untouched(sl_judging *j, const sl_case_call *c, unsigned k, const void *got) {
  const sl_buffer *b = &c->buffers.at[2 * k + 1];
  SL_FREED uint32_t *poison = sl_buffer_poison(b);
  if (c->in.n || !poison || !memcmp(got, poison, b->bytes)) return true;
  return sl__verdict_fail(j, c, SL_REASON_BUFFER_OUTSIDE,
                          json_pack("{s:s, s:i, s:i}", "array", b->name, "index", 0, "n", 0), NULL);
}

static bool check_output(sl_judging *j, sl_case_call *c, unsigned k, bool no_launch) {
  const sl_argument *a = c->own.out[k];
  sl_own_wrong wrong = {0};
  sl_error e = {0};
  SL_FREED void *got = read_output(j, c, k, &e);
  if (!got) return sl__verdict_error(j, &e);
  for (size_t i = c->own.written[k]; i-- > 0;)
    if (!is_near(a, sl_elem_at(got, a->type, i), sl_elem_at(c->own.want[k], a->type, i)))
      wrong.n++, wrong.first = i;
  if (wrong.n) return tell_own(j, c, k, got, wrong, no_launch);
  return check_untouched(j, c, k, got);
}

// Outputs are compared from the last to the first: a wrong count says more than the elements behind it.
bool sl__own_check(sl_judging *j, sl_case_call *c, bool no_launch) {
  for (unsigned k = SL_MOST_OUTPUTS; k-- > 0;)
    if (c->own.out[k] && !check_output(j, c, k, no_launch)) return false;
  return true;
}
