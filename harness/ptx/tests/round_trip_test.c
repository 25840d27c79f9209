// Program: round_trip FILE...   Every file (PTX text, fat binary, object) is read, printed, read again and
// compared. All files named with "same=" before them must hold the same text.
#include "ptx/elf.h"
#include "ptx/tests/round_trip.h"

static char *text_of(const char *path, sl_error *e) {
  size_t len, off = 0, n;
  char *data = sl_read_file(path, 1 << 28, &len, e);
  if (!data || !sl_is_elf(data, len)) return data;
  sl_fatbin_ptx x = {0};
  if (!sl_elf_find_section(data, len, ".nv_fatbin", &off, &n))
    sl_fail(e, SL_EXIT_INPUT, NULL, "%s: no .nv_fatbin", path);
  else sl_fatbin_read(data + off, n, 90, &x, e);
  free(data);
  return x.text;
}

static bool check(const char *path, const char *text) {
  sl_error e = {0};
  sl_ptx_module *m = sl_ptx_parse(path, text, strlen(text), &e);
  if (!m) {
    sl_error_print("round_trip", &e);
    return false;
  }
  unsigned long n = 0;
  for (uint32_t i = 0; i < m->n_funcs; i++) n += m->funcs[i].n_insns;
  const char *why = n ? sl__round_trip(m) : "there are no instructions";
  printf("%s: %lu instructions%s%s\n", path, n, why ? ": " : "", why ? why : "");
  sl_ptx_free(m);
  return !why;
}

int main(int argc, char **argv) {
  SL_FREED char *first = NULL;
  bool ok = argc > 1;
  for (int i = 1; i < argc; i++) {
    char *path = strncmp(argv[i], "same=", 5) == 0 ? argv[i] + 5 : argv[i];
    sl_error e = {0};
    char *text = text_of(path, &e);
    if (!text) sl_error_print("round_trip", &e);
    bool good = text && check(path, text);
    if (good && path != argv[i] && first && strcmp(text, first))
      good = printf("%s: the text differs\n", path) < 0;
    ok &= good;
    if (path != argv[i] && !first) first = text;
    else free(text);
  }
  return !ok;
}
