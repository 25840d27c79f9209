// Where an instruction comes from, as the user wants to hear it.
//
// Interface: sl_ptx_position, sl_ptx_is_toolkit. Inlined code has a chain of places: where the instruction
// stands, where that function was called, and so on outwards. The answer is the innermost place in a file
// that does not belong to the toolkit or the compiler; when there is none, the outermost.
#include <string.h>
#include "ptx/ir.h"

// Parts of paths by which the toolkit's own headers are known.
static const char *const toolkit[] = {"/include/cub/",
                                      "/include/thrust/",
                                      "/include/cuda/",
                                      "/include/nv/",
                                      "/include/crt/",
                                      "/include/cccl/",
                                      "/include/cooperative_groups",
                                      "/targets/x86_64-linux/include/",
                                      "/targets/sbsa-linux/include/",
                                      "/nvidia/cu13/include/",
                                      "/cuda_runtime/include/",
                                      "/cuda_cccl/include/",
                                      "crt/",
                                      "cooperative_groups.h",
                                      "/cuda/include/"};
static const char *const toolkit_prefix[] = {"/usr/include/", "/usr/local/cuda", "/usr/lib/gcc/"};

bool sl_ptx_is_toolkit(const char *file) {
  for (size_t i = 0; i < sizeof toolkit / sizeof toolkit[0]; i++) {
    const char *at = strstr(file, toolkit[i]);
    if (at && (toolkit[i][0] == '/' || at == file || at[-1] == '/')) return true;
  }
  for (size_t i = 0; i < sizeof toolkit_prefix / sizeof toolkit_prefix[0]; i++)
    if (strncmp(file, toolkit_prefix[i], strlen(toolkit_prefix[i])) == 0) return true;
  return false;
}

static const char *file_of(const sl_ptx_module *m, const sl_ptx_loc *l) {
  return l->file < m->n_files ? m->files[l->file] : NULL;
}

// The place in the chain that begins at [loc]. A call site stands earlier in the table than what it calls, so
// this ends.
static bool chain(const sl_ptx_module *m, uint32_t loc, sl_src_pos *out) {
  bool found = false;
  uint32_t next;
  for (uint32_t at = loc; at; at = next) {
    const sl_ptx_loc *l = &m->locs[at - 1];
    const char *file = file_of(m, l);
    next = l->inlined < at ? l->inlined : 0;
    if (!file || !l->line) continue;
    *out = (sl_src_pos){file, l->line, l->col};
    found = true;
    if (!sl_ptx_is_toolkit(file)) break;
  }
  return found;
}

// The compiler gives line 0 to what it made up itself (loop counters, say); the place before it is the best
// there is.
bool sl_ptx_position(const sl_ptx_module *m, const sl_ptx_insn *i, sl_src_pos *out) {
  enum { BACK = 8 };
  if (i->loc > m->n_locs) return false;
  for (uint32_t at = i->loc, n = 0; at && n < BACK; at--, n++) {
    if (chain(m, at, out)) return true;
    if (m->locs[at - 1].line) return false; // a line in a file that has no name
  }
  return false;
}
