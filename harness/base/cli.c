// Command lines: each tool has one table of options, for parsing, `--help` and the messages for misuse.
//
// Interface: sl_cli_parse parses a command line; it returns if that is right. Otherwise it prints one error
// with the nearest match to stderr and exits with 2. From then on, a program whose stdout could not be
// written says so at its end and exits with 4. sl_parse_int, sl_parse_decimal and sl_nearest also serve
// operands and names in files, sl_env_int environment variables.
#include "base/base.h"

#include <ctype.h>
#include <math.h>

// Numbers ---------------------------------------------------------------------------------------------------

// Reads the digits at [s] into *[out] and returns what follows; NULL: no digit, or more than 64 bits.
static const char *parse_digits(const char *s, int64_t *out) {
  int64_t v = 0;
  const char *p = s;
  for (; *p >= '0' && *p <= '9'; p++)
    if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *p - '0', &v)) return NULL;
  *out = v;
  return p == s ? NULL : p;
}

// Applies the power or suffix after a number to *[v]: "2^k", "k", "M", "G". False if [p] is anything else.
static bool apply_tail(const char *p, int64_t *v) {
  static const char suffix[] = "kMG";
  if (*p == '^' && *v == 2) {
    int64_t k;
    p = parse_digits(p + 1, &k);
    if (!p || k > 62) return false;
    *v = (int64_t)1 << k;
  } else if (*p && strchr(suffix, *p)) {
    int64_t factor = (int64_t)1 << (10 * (strchr(suffix, *p) - suffix + 1));
    if (__builtin_mul_overflow(*v, factor, v)) return false;
    p++;
  }
  return *p == 0;
}

bool sl_parse_int(const char *s, int64_t min, int64_t max, int64_t *out) {
  bool negative = *s == '-';
  int64_t v;
  const char *p = parse_digits(s + negative, &v);
  if (!p || !apply_tail(p, &v)) return false;
  if (negative) v = -v;
  if (v < min || v > max) return false;
  *out = v;
  return true;
}

bool sl_env_int(const char *name, int64_t min, int64_t max, int64_t *out, sl_error *e) {
  const char *set = getenv(name);
  return !set || !*set || sl_parse_int(set, min, max, out) ||
         sl_fail(e, SL_EXIT_USAGE, NULL,
                 "environment variable %s: expected a whole number from %lld to %lld, found '%.80s'", name,
                 (long long)min, (long long)max, set);
}

bool sl_parse_decimal(const char *s, double *out) {
  static const char digits[] = "0123456789";
  const char *p = s + (*s == '-' || *s == '+');
  const size_t whole = strspn(p, digits), point = p[whole] == '.', part = strspn(p + whole + point, digits);
  *out = strtod(s, NULL);
  return whole + part > 0 && !p[whole + point + part] && isfinite(*out);
}

// Nearest match ---------------------------------------------------------------------------------------------

enum { NEAR_MAX = 64 }; // longer names match nothing

static int min3(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

// The number of edits (insert, delete, replace, swap neighbours; case ignored) that turn [a] into [b].
static int edit_distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  if (n > NEAR_MAX || m > NEAR_MAX) return INT_MAX;
  int d[3][NEAR_MAX + 1];
  for (size_t j = 0; j <= m; j++) d[0][j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    int *row = d[i % 3], *up = d[(i + 2) % 3], *up2 = d[(i + 1) % 3];
    row[0] = (int)i;
    for (size_t j = 1; j <= m; j++) {
      int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      row[j] = min3(up[j] + 1, row[j - 1] + 1, up[j - 1] + !same);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && up2[j - 2] + 1 < row[j])
        row[j] = up2[j - 2] + 1;
    }
  }
  return d[n % 3][m];
}

const char *sl_nearest(const char *s, const char *const *names) {
  const char *best = NULL;
  int best_distance = INT_MAX;
  size_t len = strlen(s);
  for (; *names; names++) {
    int distance = edit_distance(s, *names);
    int limit = 1 + (int)strlen(*names) / 4;
    if (len >= 3 && strncmp(s, *names, len) == 0)
      distance = limit < distance ? limit : distance; // a beginning
    if (distance > limit || distance >= (int)strlen(*names)) continue;
    if (distance < best_distance) best = *names, best_distance = distance;
  }
  return best;
}

// Help and misuse -------------------------------------------------------------------------------------------

static int option_width(const sl_opt *o) {
  return (int)strlen(o->name) + (o->arg ? 1 + (int)strlen(o->arg) : 0);
}

void sl_print_words(FILE *f, const char *text, int column, int indent, int columns) {
  enum { LEAST = 24, FEW = 4 };
  const int width = sl_columns(STDOUT_FILENO, columns);
  if (width < columns && width - indent < LEAST) indent = FEW;
  if (width < columns && width - column < LEAST / 2) column = fprintf(f, "\n%*s", indent, "") - 1;
  columns = width;
  for (bool first = true; *text; first = false) {
    const int word = (int)strcspn(text, " ");
    if (!first && column + 1 + word > columns) column = fprintf(f, "\n%*s", indent, "") - 1;
    else if (!first) column += fprintf(f, " ");
    column += fprintf(f, "%.*s", word, text);
    text += word + (int)strspn(text + word, " ");
  }
  fputc('\n', f);
}

static void print_option(const char *name, const char *arg, const char *help, int width) {
  int used = printf("  %s%s%s", name, arg && *arg != '[' ? " " : "", arg ? arg : "");
  used += printf("%*s", width + 4 - used, "");
  sl_print_words(stdout, help, used, width + 4, SL_COLUMNS);
}

// What stands in front of the command's name where the course's own tree is used.
static const char *called_from(const char *tool) { return strncmp(tool, "scanlab ", 8) ? "" : "./"; }

static void print_help(const sl_cli *cli) {
  int width = (int)strlen("--help");
  for (const sl_opt *o = cli->opts; o && o->name; o++)
    if (option_width(o) > width) width = option_width(o);
  SL_FREED char *usage = sl_path("%s%s", called_from(cli->tool), cli->tool);
  SL_FREED char *example = sl_path("%s", cli->example ? cli->example : "");
  printf("usage: %s [OPTION...]%s%s\n\n", sl_as_called(usage), cli->operands ? " " : "",
         cli->operands ? cli->operands : "");
  sl_print_words(stdout, cli->purpose, 0, 0, SL_COLUMNS);
  if (cli->example) printf("\nexample:\n  %s\n", sl_as_called(example));
  printf("\noptions:\n");
  for (const sl_opt *o = cli->opts; o && o->name; o++) print_option(o->name, o->arg, o->help, width);
  print_option("--help", NULL, "show this help and exit", width);
}

static _Noreturn void misuse(const sl_cli *cli, const char *advice, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static _Noreturn void misuse(const sl_cli *cli, const char *advice, const char *fmt, ...) {
  sl_error e = {.code = SL_EXIT_USAGE};
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(e.text, sizeof e.text, fmt, ap);
  va_end(ap);
  if (advice) snprintf(e.hint, sizeof e.hint, "did you mean %s?", advice);
  else snprintf(e.hint, sizeof e.hint, "see %s%s --help", called_from(cli->tool), cli->tool);
  sl_as_called(e.hint);
  sl_error_print(cli->tool, &e);
  exit(SL_EXIT_USAGE);
}

static _Noreturn void unknown_option(const sl_cli *cli, const char *given, size_t len) {
  const char *names[128] = {"--help"};
  int n = 1;
  for (const sl_opt *o = cli->opts; o && o->name && n < 127; o++) names[n++] = o->name;
  char *name = sl_path("%.*s", (int)len, given);
  misuse(cli, sl_nearest(name, names), "unknown option '%s'", name);
}

// Parsing ---------------------------------------------------------------------------------------------------

static const sl_opt *find_option(const sl_cli *cli, const char *s, size_t len) {
  for (const sl_opt *o = cli->opts; o && o->name; o++)
    if (strlen(o->name) == len && strncmp(o->name, s, len) == 0) return o;
  return NULL;
}

static void append(sl_strings *list, const char *value) {
  if (!SL_ROOM(list->at, list->n)) abort();
  list->at[list->n++] = value;
}

static void store_option(const sl_cli *cli, const sl_opt *o, const char *value) {
  if (o->kind == SL_KIND_TEXT) *o->to.text = value;
  if (o->kind == SL_KIND_LIST) append(o->to.list, value);
  const char *form = o->max < 1 << 20 ? "" : " (such as 1000, 2^20 or 64k)";
  if (o->kind == SL_KIND_NUMBER && !sl_parse_int(value, o->min, o->max, o->to.number))
    misuse(cli, NULL, "option %s: expected a whole number from %lld to %lld%s, found '%s'", o->name,
           (long long)o->min, (long long)o->max, form, value);
}

// Handles the option at argv[*i], advancing *i over its argument.
static void take_option(const sl_cli *cli, int argc, char **argv, int *i) {
  const char *s = argv[*i];
  if (strcmp(s, "--help") == 0 || strcmp(s, "-h") == 0) {
    print_help(cli);
    exit(SL_EXIT_OK);
  }
  size_t len = s[1] == '-' ? strcspn(s, "=") : 2; // "-j4" and "-j 4", "--jobs=4" and "--jobs 4"
  const sl_opt *o = find_option(cli, s, len);
  if (!o) unknown_option(cli, s, s[1] == '-' ? len : strlen(s));
  const char *value = s[len] == 0 ? NULL : s[1] == '-' ? s + len + 1 : s + len;
  if (o->kind == SL_KIND_FLAG) {
    if (value) misuse(cli, NULL, "option %s takes no argument, found '%s'", o->name, value);
    *o->to.flag = true;
    return;
  }
  if (o->kind == SL_KIND_MAYBE) {
    *o->to.text = value ? value : "";
    return;
  }
  if (!value) {
    const char *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    if (!next || strcmp(next, "--") == 0 || find_option(cli, next, strcspn(next, "=")))
      misuse(cli, NULL, "option %s needs an argument: %s %s", o->name, o->name, o->arg ? o->arg : "VALUE");
    value = next;
    ++*i;
  }
  store_option(cli, o, value);
}

static const char *running_tool;

// Output that was lost is an error, whatever the program has found: at its end.
static void close_output(void) {
  bool flushed = fflush(stdout) == 0;
  if (flushed && !ferror(stdout)) return;
  fprintf(stderr, "%s: error: cannot write the output%s%s\n", running_tool, flushed ? "" : ": ",
          flushed ? "" : strerror(errno)); // why an earlier write failed nobody knows any more
  _exit(SL_EXIT_INFRA);
}

// How many operands a usage text allows: the fewest and the most of its alternatives. Whoever gives an option
// that stands in it gives fewer: the tool counts the words behind it.
static void count_operands(const char *usage, int *least, int *most) {
  *least = INT_MAX, *most = 0;
  for (const char *s = usage ? usage : "";; s++) {
    int needed = 0, allowed = 0, depth = 0;
    for (bool option = false; *s && *s != '|'; s += *s == ' ') {
      const char *end = s + strcspn(s, " |");
      option = option || strncmp(s, "--", 2) == 0;
      needed += !option && !depth && *s != '[';
      allowed += !option;
      for (; s < end; s++) {
        depth += (*s == '[') - (*s == ']');
        if (strncmp(s, "...", 3) == 0) allowed = INT_MAX / 2;
      }
    }
    if (needed < *least) *least = needed;
    if (allowed > *most) *most = allowed;
    if (!*s) return;
  }
}

void sl_cli_parse(const sl_cli *cli, int argc, char **argv, int *n_operands) {
  int n = 0, least, most;
  bool options = true;
  if (!running_tool) atexit(close_output);
  sl_fit_terminal();
  running_tool = cli->tool;
  for (int i = 1; i < argc; i++) {
    if (options && strcmp(argv[i], "--") == 0) options = false;
    else if (options && argv[i][0] == '-' && argv[i][1]) take_option(cli, argc, argv, &i);
    else argv[1 + n++] = argv[i];
  }
  count_operands(cli->operands, &least, &most);
  if (n < least)
    misuse(cli, NULL, "%s: expected %s", n ? "an argument is missing" : "missing argument", cli->operands);
  if (n > most) misuse(cli, NULL, "unexpected argument '%s'", argv[1 + most]);
  if (n_operands) *n_operands = n;
}

// Writes a word, quoted if the shell would change it.
static void put_word(FILE *f, const char *s) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
  if (*s && strspn(s, plain) == strlen(s)) {
    fputs(s, f);
    return;
  }
  fputc('\'', f);
  for (; *s; s++) *s == '\'' ? (void)fputs("'\\''", f) : (void)fputc(*s, f);
  fputc('\'', f);
}

// If the option at the start of [argv] is in [leave]: how many words it takes; else 0.
static size_t left_out(char *const *argv, const char *const *leave) {
  for (; leave && *leave; leave++) {
    size_t n = strcspn(*leave, "=");
    bool has_value = (*leave)[n] == '=';
    if (strncmp(argv[0], *leave, n) != 0) continue;
    if (argv[0][n] == '=' && has_value) return 1;
    if (argv[0][n] == 0) return has_value && argv[1] ? 2 : 1;
  }
  return 0;
}

char *sl_shell_line(char *const *argv, const char *const *leave) {
  char *text = NULL;
  size_t skip;
  bool first = true;
  FILE *f = sl_text_stream(&text);
  while (*argv) {
    if (!strcmp(*argv, "--")) leave = NULL;
    if ((skip = left_out(argv, leave))) {
      argv += skip;
      continue;
    }
    if (!first) fputc(' ', f);
    put_word(f, *argv++);
    first = false;
  }
  fclose(f);
  return text;
}
