// Kernels' names as written: "_Z4scanIfEvPKfPfi" is "scan<float>(const float*, float*, int)".
//
// Interface: sl_ptx_demangle. The part of the Itanium C++ ABI that kernels and device functions use: nested,
// local and template names, lambdas, built-in types, pointers, references, arrays, const, literals,
// substitutions. A name beyond that is given back as it is.
//
// __cxa_demangle of the C++ library is not used: it makes 285 MB of a hostile name of 240 characters, whose
// substitutions double each other, and writes "void scan<float>(float const*, ..)", which nobody wrote.
#include "ptx/ir.h"

enum { MOST = 200, POOL = 1 << 18, DEPTH = 64 };
typedef struct mangled {
  const char *p;
  const char *seen[MOST], *args[MOST]; // substitutions S_, S0_, ..; template arguments T_, T0_, ..
  int n_seen, n_args, depth;
  bool bad, templated; // templated: the name ends with template arguments
  size_t used;
  char pool[POOL]; // holds the texts
} mangled;

static const char *text(mangled *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static const char *text(mangled *d, const char *fmt, ...) {
  va_list ap;
  size_t room = POOL - d->used;
  char *at = d->pool + d->used;
  va_start(ap, fmt);
  int n = vsnprintf(at, room, fmt, ap);
  va_end(ap);
  if (n < 0 || (size_t)n >= room) {
    d->bad = true;
    return "";
  }
  d->used += (size_t)n + 1;
  return at;
}

static const char *fail(mangled *d) {
  d->bad = true;
  return "";
}

static const char *remember(mangled *d, const char *s) {
  if (d->n_seen < MOST) d->seen[d->n_seen++] = s;
  return s;
}

static bool eat(mangled *d, const char *s) {
  size_t n = strlen(s);
  if (strncmp(d->p, s, n) != 0) return false;
  d->p += n;
  return true;
}

static const char *type(mangled *d);
static const char *encoding(mangled *d, const char *end);
static const char *nested(mangled *d, bool outer);

// "4scan": a length and so many characters.
static const char *source_name(mangled *d) {
  char *end;
  unsigned long n = strtoul(d->p, &end, 10);
  if (end == d->p || n == 0 || n > strlen(end)) return fail(d);
  d->p = end + n;
  return n > 10 && !strncmp(end, "_GLOBAL__N", 10) ? "(anonymous namespace)" : text(d, "%.*s", (int)n, end);
}

// The number of S_ (0), S0_ (1), SZ_ (36), ..; the same for T.
static int sequence(mangled *d) {
  int v = 0;
  if (eat(d, "_")) return 0;
  for (; *d->p && *d->p != '_' && v < 10000; d->p++)
    v = v * 36 + (*d->p >= '0' && *d->p <= '9'   ? *d->p - '0'
                  : *d->p >= 'A' && *d->p <= 'Z' ? *d->p - 'A' + 10
                                                 : 10000);
  return eat(d, "_") ? v + 1 : MOST;
}

// A substitution of "T_" stands for the argument where it is used: a local name has others than its function.
enum { ARGUMENT = 1 };

static const char *argument(mangled *d, int k) { return k < d->n_args ? d->args[k] : fail(d); }

static const char *template_argument(mangled *d) {
  int k = sequence(d);
  if (k < MOST) remember(d, text(d, "%c%c", ARGUMENT, k + 1));
  return argument(d, k);
}

static const char *substitution(mangled *d) {
  int k = sequence(d);
  const char *s = k < d->n_seen ? d->seen[k] : fail(d);
  return *s == ARGUMENT ? argument(d, (unsigned char)s[1] - 1) : s;
}

// "Li5E", "Lb1E".
static const char *literal(mangled *d) {
  bool is_bool = *d->p == 'b';
  const char *t = type(d), *sign = eat(d, "n") ? "-" : "", *from = d->p;
  while (*d->p >= '0' && *d->p <= '9') d->p++;
  int n = (int)(d->p - from);
  if (!n || !eat(d, "E")) return fail(d);
  if (is_bool) return *from == '1' ? "true" : "false";
  return strcmp(t, "int") == 0 ? text(d, "%s%.*s", sign, n, from) : text(d, "(%s)%s%.*s", t, sign, n, from);
}

static const char *list(mangled *d, const char *end, const char **at, int *n) {
  const char *all = "";
  while (!d->bad && !(*end ? eat(d, end) : !*d->p)) {
    const char *one = eat(d, "L") ? literal(d) : eat(d, "J") ? list(d, "E", NULL, NULL) : type(d);
    if (at && *n < MOST) at[(*n)++] = one;
    all = *all && *one ? text(d, "%s, %s", all, one) : text(d, "%s%s", all, one);
  }
  return all;
}

static const char *with_args(mangled *d, const char *name, bool outer) {
  const char *args[MOST];
  int n = 0;
  if (!eat(d, "I")) return name;
  const char *all = list(d, "E", args, &n);
  if (outer) memcpy(d->args, args, sizeof d->args), d->n_args = n, d->templated = true;
  return text(d, "%s<%s>", name, all);
}

// "lEvE_", "lEvE0_" after "U": the first and second lambda without parameters. "t_": a type without a name.
static const char *unnamed(mangled *d) {
  bool lambda = eat(d, "l");
  if (!lambda && !eat(d, "t")) return fail(d);
  const char *params = lambda ? list(d, "E", NULL, NULL) : "";
  int which = sequence(d) + 1;
  return lambda ? text(d, "{lambda(%s)#%d}", strcmp(params, "void") == 0 ? "" : params, which)
                : text(d, "{unnamed type#%d}", which);
}

// A part of a nested name, or the whole of a local one.
static const char *part_name(mangled *d) {
  if (eat(d, "C1") || eat(d, "C2")) return "(constructor)";
  if (eat(d, "cl")) return "operator()";
  return eat(d, "U") ? unnamed(d) : source_name(d);
}

// After "Z": a name local to a function: "main::{lambda(int)#1}".
static const char *local_name(mangled *d) {
  const char *args[MOST]; // those of the function hold inside of it alone
  int n = d->n_args;
  memcpy(args, d->args, sizeof args);
  const char *in = encoding(d, "E");
  const char *own = eat(d, "N") ? nested(d, false) : part_name(d);
  if (*d->p == '_' && d->p[1] >= '0' && d->p[1] <= '9') d->p += 2; // which of several of that name
  memcpy(d->args, args, sizeof args), d->n_args = n;
  return text(d, "%s::%s", in, own);
}

static const char *standard(mangled *d) { return text(d, "std::%s", source_name(d)); }

// After "N": parts up to "E". outer: the name of the function itself.
static const char *nested(mangled *d, bool outer) {
  const char *all = "";
  while (!d->bad && (eat(d, "K") || eat(d, "V"))) continue;
  while (!d->bad && !eat(d, "E")) {
    const char *part;
    if (*d->p == 'S' && d->p[1] != 't') d->p++, all = substitution(d);
    else if (*d->p == 'I') {
      all = with_args(d, all, outer);
      if (*d->p != 'E') remember(d, all);
    } else if (eat(d, "St")) all = "std";
    else if (eat(d, "T")) all = template_argument(d); // a type of a template argument
    else {
      part = part_name(d);
      if (outer) d->templated = false;
      all = *all ? text(d, "%s::%s", all, part) : part;
      if (*d->p != 'E') remember(d, all);
    }
  }
  return all;
}

static const char *built_in(char c) {
  static const char *const names[UCHAR_MAX + 1] = {['v'] = "void",
                                                   ['b'] = "bool",
                                                   ['c'] = "char",
                                                   ['a'] = "signed char",
                                                   ['h'] = "unsigned char",
                                                   ['s'] = "short",
                                                   ['t'] = "unsigned short",
                                                   ['i'] = "int",
                                                   ['j'] = "unsigned int",
                                                   ['l'] = "long",
                                                   ['m'] = "unsigned long",
                                                   ['x'] = "long long",
                                                   ['y'] = "unsigned long long",
                                                   ['n'] = "__int128",
                                                   ['o'] = "unsigned __int128",
                                                   ['f'] = "float",
                                                   ['d'] = "double",
                                                   ['w'] = "wchar_t",
                                                   ['e'] = "long double",
                                                   ['z'] = "..."};
  return names[(unsigned char)c];
}

static const char *add_const(mangled *d, const char *t) {
  size_t n = strlen(t);
  bool behind = n && (t[n - 1] == '*' || t[n - 1] == '&');
  return behind ? text(d, "%s const", t) : text(d, "const %s", t);
}

static const char *function_type(mangled *d) {
  const char *result = type(d);
  const char *params = list(d, "E", NULL, NULL);
  return text(d, "%s (%s)", result, strcmp(params, "void") == 0 ? "" : params);
}

// "5_i": int[5].
static const char *array_type(mangled *d) {
  const char *from = d->p;
  while (*d->p >= '0' && *d->p <= '9') d->p++;
  int n = (int)(d->p - from);
  return eat(d, "_") ? text(d, "%s[%.*s]", type(d), n, from) : fail(d);
}

static const char *compound(mangled *d) {
  if (eat(d, "P")) return remember(d, text(d, "%s*", type(d)));
  if (eat(d, "R")) return remember(d, text(d, "%s&", type(d)));
  if (eat(d, "O")) return remember(d, text(d, "%s&&", type(d)));
  if (eat(d, "K")) return remember(d, add_const(d, type(d)));
  if (eat(d, "V")) return remember(d, text(d, "volatile %s", type(d)));
  if (eat(d, "F")) return remember(d, function_type(d));
  if (eat(d, "A")) return remember(d, array_type(d));
  if (eat(d, "Z")) return remember(d, local_name(d));
  if (eat(d, "Dp")) return type(d);
  if (eat(d, "Dn")) return "nullptr_t";
  if (eat(d, "N")) return remember(d, nested(d, false));
  if (eat(d, "T")) return template_argument(d);
  if (eat(d, "St")) return remember(d, standard(d));
  if (eat(d, "S")) return substitution(d);
  return *d->p >= '1' && *d->p <= '9' ? remember(d, source_name(d)) : fail(d);
}

static const char *type(mangled *d) {
  const char *t = built_in(*d->p);
  if (d->bad || ++d->depth > DEPTH) return fail(d);
  if (t) d->p++;
  else if (t = compound(d), *d->p == 'I') t = remember(d, with_args(d, t, false));
  d->depth--;
  return t;
}

// Name and parameters of a function, up to [end].
static const char *encoding(mangled *d, const char *end) {
  const char *name;
  if (++d->depth > DEPTH) return fail(d);
  d->templated = false;
  if (eat(d, "N")) name = nested(d, true);
  else if (eat(d, "Z")) name = local_name(d);
  else {
    name = eat(d, "St") ? standard(d) : source_name(d);
    if (*d->p == 'I') remember(d, name), name = with_args(d, name, true);
  }
  d->depth--;
  if (d->bad || (*end ? eat(d, end) : !*d->p)) return name;
  if (d->templated && (type(d), !*d->p)) return fail(d); // its result, and no parameters
  const char *params = list(d, end, NULL, NULL);
  return text(d, "%s(%s)", name, strcmp(params, "void") == 0 ? "" : params);
}

char *sl_ptx_demangle(const char *name, char *out, size_t cap) {
  SL_FREED mangled *d = strncmp(name, "_Z", 2) == 0 ? calloc(1, sizeof *d) : NULL;
  const char *plain = NULL;
  if (d) d->p = name + 2, plain = encoding(d, "");
  snprintf(out, cap, "%s", plain && !d->bad && !*d->p ? plain : name);
  return out;
}
