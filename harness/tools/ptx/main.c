// sl-ptx: shows the PTX of a program, as the simulator reads it.
//
//   sl-ptx FILE                 the functions and the number of their instructions
//   sl-ptx FILE --list          also counts of instructions by form
//   sl-ptx FILE --disassemble   everything, in canonical form
//
// FILE is PTX text, a fat binary container, or an ELF program or object that holds containers.
#include "ptx/elf.h"
#include "ptx/print.h"

enum { MAX_FILE = 1 << 30, MAX_SM = 90 };
static const uint32_t container_magic = 0xBA55ED50u;

typedef struct options {
  bool list, disassemble;
  int64_t max_sm;
  const char *file;
} options;

// Counts of instructions by mnemonic and suffixes -----------------------------------------------------------

typedef struct form {
  char text[96];
  unsigned long n;
} form;
typedef struct forms {
  form *at;
  size_t n;
} forms;

static void add_form(forms *all, const sl_ptx_insn *i) {
  char text[sizeof all->at->text];
  size_t n = (size_t)snprintf(text, sizeof text, "%s", sl_ptx_op_name(i->op));
  for (unsigned k = 0; k < i->n_mods && n + 24 < sizeof text; k++)
    n += (size_t)snprintf(text + n, sizeof text - n, ".%s", sl_ptx_mod_name(i->mods[k]));
  for (size_t k = 0; k < all->n; k++)
    if (strcmp(all->at[k].text, text) == 0) {
      all->at[k].n++;
      return;
    }
  if (!SL_ROOM(all->at, all->n)) abort();
  memcpy(all->at[all->n].text, text, sizeof text);
  all->at[all->n++].n = 1;
}

static int by_count(const void *a, const void *b) {
  const form *x = a, *y = b;
  return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->text, y->text);
}

static void list_forms(const sl_ptx_module *m) {
  forms all = {0};
  for (uint32_t f = 0; f < m->n_funcs; f++)
    for (uint32_t i = 0; i < m->funcs[f].n_insns; i++) add_form(&all, &m->funcs[f].insns[i]);
  if (all.n) qsort(all.at, all.n, sizeof *all.at, by_count);
  for (size_t i = 0; i < all.n; i++) printf("%7lu %s\n", all.at[i].n, all.at[i].text);
  free(all.at);
}

// One PTX text ----------------------------------------------------------------------------------------------

static void summary(const sl_ptx_module *m) {
  unsigned long total = 0;
  for (uint32_t f = 0; f < m->n_funcs; f++) {
    const sl_ptx_func *x = &m->funcs[f];
    total += x->n_insns;
    printf("%-6s %7u instructions  %s\n",
           x->is_entry    ? "entry"
           : x->is_extern ? "extern"
                          : "func",
           x->n_insns, x->name);
  }
  printf("PTX %u.%u for %s: %u functions, %lu instructions\n", m->version_major, m->version_minor, m->target,
         m->n_funcs, total);
}

static bool show_text(const options *o, const char *text, size_t len, sl_error *e) {
  sl_ptx_module *m = sl_ptx_parse(o->file, text, len, e);
  if (!m) return false;
  if (o->disassemble) sl_ptx_print(m, stdout);
  else summary(m);
  if (o->list) list_forms(m);
  sl_ptx_free(m);
  return true;
}

static bool show_container(const options *o, const char *data, size_t len, sl_error *e) {
  sl_fatbin_ptx x;
  if (!sl_fatbin_read(data, len, (unsigned)o->max_sm, &x, e)) return false;
  bool ok = show_text(o, x.text, x.len, e);
  free(x.text);
  return ok;
}

// Containers follow each other, each padded to 8 bytes. The toolkit's own (empty, or for other devices) are
// among them, so one without PTX is an error only if no other has any.
static bool show_containers(const options *o, const char *data, size_t len, sl_error *e) {
  sl_error first = {0};
  unsigned shown = 0;
  for (size_t at = 0, size; len - at >= 16 && at < len; at += size) {
    bool empty;
    size = sl_fatbin_size(data + at, len - at, &empty);
    if (!size) size = 8;
    else if (!empty) shown += show_container(o, data + at, size, &first);
    size = (size + 7) & ~(size_t)7;
  }
  if (shown) return true;
  if (first.code) *e = first;
  return first.code
             ? false
             : sl_fail(e, SL_EXIT_INPUT, "Was it built by nvcc?", "%s holds no code for the GPU", o->file);
}

static bool show_elf(const options *o, const char *data, size_t len, sl_error *e) {
  static const char *const sections[] = {"__nv_relfatbin", ".nv_fatbin"};
  size_t off, n;
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
    if (sl_elf_find_section(data, len, sections[i], &off, &n)) return show_containers(o, data + off, n, e);
  return sl_fail(e, SL_EXIT_INPUT, "Was it built by nvcc?", "%s holds no code for the GPU", o->file);
}

// Shows an ELF file, a container (by its magic number) or PTX text. sl_fatbin_read says what is broken.
static bool show_module(const options *o, const char *data, size_t len, sl_error *e) {
  if (sl_is_elf(data, len)) return show_elf(o, data, len, e);
  if (len >= 4 && memcmp(data, &container_magic, 4) == 0) return show_container(o, data, len, e);
  return show_text(o, data, len, e);
}

int main(int argc, char **argv) {
  options o = {.max_sm = MAX_SM};
  const sl_opt opts[] = {SL_OPT_FLAG("--list", &o.list, "count instructions by form"),
                         SL_OPT_FLAG("--disassemble", &o.disassemble, "print everything in canonical form"),
                         SL_OPT_NUMBER("--max-sm", &o.max_sm, "N", 10, 1000,
                                       "highest architecture to choose from a fat binary (default 90)"),
                         SL_OPT_END};
  const sl_cli cli = {"sl-ptx", "shows the PTX of a program, as the simulator reads it",
                      "sl-ptx build/sim/bin/my_scan --list", "FILE", opts};
  sl_cli_parse(&cli, argc, argv, NULL);
  o.file = argv[1];
  sl_error e = {0};
  size_t len = 0;
  SL_FREED char *data = sl_read_file(o.file, MAX_FILE, &len, &e);
  bool ok = data && show_module(&o, data, len, &e);
  if (!ok) sl_error_print("sl-ptx", &e);
  return ok ? SL_EXIT_OK : e.code;
}
