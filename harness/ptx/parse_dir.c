// Directives of the file (.version .target .address_size .file .section .pragma) and positions (.loc).
//
// Interface: sl__file_directive, sl__loc, sl__resolve_loc_names. Only one debug section is read: .debug_str
// holds the names of inlined functions, and stands at the end of the text, after every .loc that names them.
#include "ptx/ptx_int.h"

static void version(sl__parser *p) {
  char digits[16] = "";
  if (p->tok.w.len < sizeof digits) memcpy(digits, p->tok.w.at, p->tok.w.len);
  if (sscanf(digits, "%2u.%2u", &p->m->version_major, &p->m->version_minor) != 2 || !p->m->version_major)
    sl__bad(p, "a PTX version is two numbers with a dot");
  sl__next(p);
}

// "sm_75", "sm_90a", then texmode_independent, debug and the like.
static void target(sl__parser *p) {
  sl__word w = sl__want_word(p, "a target such as sm_75");
  char copy[sizeof p->m->target] = "";
  if (w.len < sizeof copy) memcpy(copy, w.at, w.len);
  unsigned sm = 0;
  if (sscanf(copy, "sm_%4u", &sm) != 1 || sm < 10) sl__bad(p, "the target is not of the form sm_75");
  p->m->sm = sm;
  memcpy(p->m->target, copy, sizeof copy);
  while (sl__take(p, ',')) sl__want_word(p, "a property of the target");
}

static void address_size(sl__parser *p) {
  if (sl__want_uint(p, 64, "the address size") != 64) sl__bad(p, "only 64-bit PTX runs");
}

// .file 1 "name" [, time, size]
static void file(sl__parser *p) {
  uint64_t index = sl__want_uint(p, SL__MAX_FILES, "the number of a file");
  if (p->tok.kind != SL_T_STR) sl__bad(p, "a .file without a name in quotes");
  while (p->files.n <= index) SL__PUSH(p, files, char *);
  SL__AT(p, files, const char *, index) = sl__name(p, p->tok.w);
  sl__next(p);
  while (sl__take(p, ',')) sl__want_uint(p, UINT64_MAX, "a time or a size");
}

static void pragma(sl__parser *p) {
  do {
    if (p->tok.kind != SL_T_STR) sl__bad(p, "a .pragma without a text in quotes");
    sl__next(p);
  } while (sl__take(p, ','));
  sl__want(p, ';', "after .pragma");
}

// One line of .debug_str: ".b8 1,2,3". Only bytes occur there.
static void bytes(sl__parser *p, sl__vec *v) {
  sl__next(p);
  do *(uint8_t *)sl__push(p, v, 1) = (uint8_t)sl__want_uint(p, 255, "a byte");
  while (sl__take(p, ','));
}

static void debug_str(sl__parser *p) {
  sl__vec *v = &p->bytes;
  while (!sl__is(p, '}')) {
    if (sl__is_dot(p, "b8")) bytes(p, v);
    else {
      sl__word label = sl__want_word(p, "a label or bytes in .debug_str");
      sl__want(p, ':', "behind a label");
      sl__define(p, label, SL_C_STR, SL_K_OTHER, 0)->index = v->n;
    }
  }
  p->debug_str_len = v->n;
  p->debug_str = sl__freeze(p, v, 1);
  sl__next(p);
}

static void section(sl__parser *p) {
  if (p->tok.kind != SL_T_DOT && p->tok.kind != SL_T_WORD) sl__bad(p, "a .section without a name");
  bool names = sl__is_dot(p, "debug_str") && !p->debug_str;
  sl__next(p);
  if (!sl__is(p, '{')) sl__bad(p, "a .section without '{'");
  if (!names) {
    sl__skip_block(p);
    return;
  }
  sl__next(p);
  debug_str(p);
}

static const struct {
  const char *word;
  void (*read)(sl__parser *);
} directives[] = {{"version", version}, {"target", target},   {"address_size", address_size},
                  {"file", file},       {"section", section}, {"pragma", pragma}};

bool sl__file_directive(sl__parser *p) {
  for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
    if (sl__take_dot(p, directives[i].word)) {
      directives[i].read(p);
      return true;
    }
  return false;
}

// Positions -------------------------------------------------------------------------------------------------

typedef struct place {
  uint32_t file, line, col;
} place;

static place read_place(sl__parser *p) {
  place at;
  at.file = (uint32_t)sl__want_uint(p, SL__MAX_FILES, "the file of a .loc");
  at.line = (uint32_t)sl__want_uint(p, UINT32_MAX, "the line of a .loc");
  at.col = p->tok.kind == SL_T_INT ? (uint32_t)sl__want_uint(p, UINT32_MAX, "the column of a .loc") : 0;
  return at;
}

// The newest .loc at a place. Its key is the place itself.
static sl__sym *loc_at(sl__parser *p, const place *at) {
  return sl__find(p, (sl__word){(const char *)at, sizeof *at}, SL_C_LOC);
}

static uint32_t add_loc(sl__parser *p, const place *at) {
  uint32_t index = p->locs.n;
  *SL__PUSH(p, locs, sl_ptx_loc) = (sl_ptx_loc){.file = at->file, .line = at->line, .col = at->col};
  sl__sym *s = loc_at(p, at);
  if (!s) {
    place *key = sl_arena_get(p->scratch, sizeof *key);
    if (!key) sl__bad(p, "out of memory");
    *key = *at;
    s = sl__define(p, (sl__word){(const char *)key, sizeof *key}, SL_C_LOC, SL_K_OTHER, 0);
  }
  s->index = index;
  return index;
}

// ", inlined_at FILE LINE COL": index+1 of the call site. An earlier .loc describes it; else it is made here.
static uint32_t call_site(sl__parser *p) {
  place at = read_place(p);
  const sl__sym *s = loc_at(p, &at);
  return (s ? s->index : add_loc(p, &at)) + 1;
}

// The place of the function's name in .debug_str, kept as a pointer into the text until .debug_str is read.
static const char *name_label(sl__parser *p) {
  sl__word w = p->tok.w;
  if (p->tok.kind != SL_T_WORD && p->tok.kind != SL_T_DOT) sl__bad(p, "a function_name without a label");
  sl__next(p);
  if (sl__take(p, '+')) sl__want_uint(p, UINT32_MAX, "an offset");
  return w.at;
}

void sl__loc(sl__parser *p) {
  place at = read_place(p);
  uint32_t inlined = 0;
  const char *func = NULL;
  while (sl__take(p, ',')) {
    sl__word w = sl__want_word(p, "function_name or inlined_at");
    if (sl__word_is(w, "function_name")) func = name_label(p);
    else if (sl__word_is(w, "inlined_at")) inlined = call_site(p);
    else sl__bad(p, "expected function_name or inlined_at in .loc");
  }
  uint32_t index = add_loc(p, &at);
  SL__AT(p, locs, sl_ptx_loc, index).inlined = inlined;
  SL__AT(p, locs, sl_ptx_loc, index).func = func;
  p->loc = index + 1;
}

static uint32_t label_length(const char *s) {
  return (uint32_t)strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%");
}

void sl__resolve_loc_names(sl__parser *p) {
  for (uint32_t i = 0; i < p->locs.n; i++) {
    sl_ptx_loc *l = &SL__AT(p, locs, sl_ptx_loc, i);
    if (!l->func) continue;
    const sl__sym *s = sl__find(p, (sl__word){l->func, label_length(l->func)}, SL_C_STR);
    l->func = s && s->index < p->debug_str_len ? (const char *)p->debug_str + s->index : NULL;
  }
}
