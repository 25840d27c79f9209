// Where an instruction comes from, as the user wants to hear it.
//
// Interface: sl_ptx_position. Inlined code has a chain of places: where the instruction stands, where that
// function was called, and so on outwards. The answer is the innermost place in a file that does not belong
// to the toolkit or the compiler (toolkit.c); when there is none, the outermost.
#include "ptx/ir.h"

static const char *file_of(const sl_ptx_module *m, const sl_ptx_loc *l) {
  return l->file < m->n_files ? m->files[l->file] : NULL;
}

// The place in the chain that begins at [loc]. It ends: call sites stand earlier than what they call.
static bool chain(const sl_ptx_module *m, uint32_t loc, sl_src_pos *out) {
  bool found = false;
  uint32_t next;
  for (uint32_t at = loc; at; at = next) {
    const sl_ptx_loc *l = &m->locs[at - 1];
    const char *file = file_of(m, l);
    next = l->inlined < at ? l->inlined : 0;
    if (!file || !l->line) continue;
    *out = (sl_src_pos){file, l->line, l->col, m->in_toolkit[l->file]};
    found = true;
    if (!out->in_toolkit) break;
  }
  return found;
}

// The compiler gives line 0 to code of its own (loop counters, say). The place before it is the best known.
bool sl_ptx_position(const sl_ptx_module *m, const sl_ptx_insn *i, sl_src_pos *out) {
  enum { BACK = 8 };
  if (i->loc > m->n_locs) return false;
  for (uint32_t at = i->loc, n = 0; at && n < BACK; at--, n++) {
    if (chain(m, at, out)) return true;
    if (m->locs[at - 1].line) return false; // a line in a file that has no name
  }
  return false;
}
