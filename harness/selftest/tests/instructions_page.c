// Prints docs/reference/instructions.md: the instruction table (ptx/ops.def) with the forms that are known to
// run, those of the selftest and those of engine/tests/forms.def. docs/reference/instructions.sh calls it.

#include "engine/tests/forms.h"
#include "ptx/ir.h"
#include "selftest/selftest.h"

static const struct {
  sl_family family;
  const char *title;
} FAMILIES[] = {{SL_FAM_INT, "Integers, and arithmetic of floats by the same names"},
                {SL_FAM_VIDEO, "Video instructions"},
                {SL_FAM_FLOAT, "Floats"},
                {SL_FAM_BITS, "Bits"},
                {SL_FAM_SET, "Comparison and choice"},
                {SL_FAM_CVT, "Conversion"},
                {SL_FAM_ADDR, "Addresses"},
                {SL_FAM_MOV, "Moves"},
                {SL_FAM_MEM, "Memory"},
                {SL_FAM_ATOM, "Atomics"},
                {SL_FAM_WARP, "Lanes of a warp"},
                {SL_FAM_BAR, "Barriers and order"},
                {SL_FAM_CTL, "Control"},
                {SL_FAM_MISC, "The rest"}};

static bool has_name(const char *text, const char *name) {
  size_t n = strlen(name);
  return strncmp(text, name, n) == 0 && !strchr("abcdefghijklmnopqrstuvwxyz0123456789", text[n]);
}

// The forms that the selftest executes.
static char (*compared)[sizeof((st_form *)0)->text];
static size_t n_compared;

static void add_group(const st_forms *forms) {
  compared = realloc(compared, (n_compared + forms->n) * sizeof *compared);
  if (!compared) abort();
  for (size_t k = 0; k < forms->n; k++) memcpy(compared[n_compared++], forms->at[k].text, sizeof *compared);
}

static void list_compared(void) {
  for (size_t r = 0; r < st_n_rows; r++)
    for (unsigned group = 0; !st_rows[r].is_c; group++) {
      st_forms forms = st_expand(&st_rows[r], group);
      if (forms.n) add_group(&forms);
      free(forms.at);
      if (!forms.n) break;
    }
}

// The forms of forms.def that load.
static char *loads[400];
static size_t n_loads;

static void add_load(void *, const char *form) { loads[n_loads++] = sl_must(strdup(form)); }

static void list_loads(void) {
#define FORM(row) each_form(row, add_load, NULL);
#define REFUSED(row)
#include "engine/tests/forms.def"
}

static size_t count_compared(const char *name) {
  size_t n = 0;
  for (size_t k = 0; k < n_compared; k++) n += has_name(compared[k], name);
  return n;
}

// Do two statements begin with the same mnemonic and suffixes?
static bool same_form(const char *a, const char *b) {
  size_t n = strcspn(a, " ;");
  return n == strcspn(b, " ;") && memcmp(a, b, n) == 0;
}

// The mnemonic with its suffixes. A form of forms.def may have lines before it (a label's, a table's).
static const char *statement(const char *row, const char *name) {
  while (row && !has_name(row, name)) {
    row = strpbrk(row, ":;");
    if (row) row += 1 + strspn(row + 1, " ");
  }
  return row;
}

// Is form [k] of those that load, which is [s], among the compared ones or an earlier one?
static bool is_listed(size_t k, const char *s, const char *name) {
  for (size_t j = 0; j < n_compared; j++)
    if (same_form(s, compared[j])) return true;
  for (size_t j = 0; j < k; j++) {
    const char *other = statement(loads[j], name);
    if (other && same_form(s, other)) return true;
  }
  return false;
}

static size_t print_others(const char *name) {
  size_t n = 0;
  for (size_t k = 0; k < n_loads; k++) {
    const char *s = statement(loads[k], name);
    if (s && !is_listed(k, s, name)) printf("%s`%.*s`", n++ ? ", " : "", (int)strcspn(s, " ;"), s);
  }
  return n;
}

static void print_text(const char *s) {
  for (; *s; s++) printf(*s == '|' ? "\\|" : "%c", *s);
}

static void print_row(sl_ptx_op op) {
  const sl_ptx_op_row *r = &sl_ptx_ops[op];
  const char *name = sl_ptx_op_name(op);
  size_t n = count_compared(name);
  printf("| `%s", name);
  printf(r->operands[0] ? " " : "");
  print_text(r->operands);
  printf("` | ");
  print_text(r->synopsis);
  printf(" | %s | ", r->chapters);
  printf(n ? "%zu" : "", n);
  printf(" | ");
  if (!print_others(name) && !n) printf("refused");
  printf(" |\n");
}

int main(void) {
  list_compared();
  list_loads();
  printf("# PTX instructions\n\n"
         "What the simulated GPU executes. A form that is not known is refused when a program loads, with "
         "its text and its\n"
         "line. This page is made of the instruction table (`harness/ptx/ops.def`) by "
         "`docs/reference/instructions.sh`.\n\n"
         "* **Operands**: `d` a register for the result, `p` and `q` predicates, `[a]` memory at the address "
         "a, `d|p` two results, `{}` what may\n"
         "  be absent.\n"
         "* **Manual**: the chapters of the PTX ISA, version 9.1, that describe it.\n"
         "* **Compared**: how many forms the [selftest](selftest.md) executes and compares with computed "
         "results.\n"
         "* **Others that load**: forms beside those (`harness/engine/tests/forms.def`); programs of the "
         "tests execute most of them.\n"
         "  *refused*: no form loads.\n");
  for (size_t k = 0; k < sizeof FAMILIES / sizeof *FAMILIES; k++) {
    printf("\n## %s\n\n| instruction | what it does | manual | compared | others that load "
           "|\n|---|---|---|---|---|\n",
           FAMILIES[k].title);
    for (int op = 0; op < SL_OP_COUNT_; op++)
      if (sl_ptx_ops[op].family == FAMILIES[k].family) print_row((sl_ptx_op)op);
  }
  free(compared);
  return 0;
}
