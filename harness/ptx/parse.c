// The PTX parser: entry, module level, and what every part of it uses.
//
// Interface: sl_ptx_parse, sl_ptx_free, sl_ptx_bytes (ir.h); internally errors (sl__bad), memory (sl__alloc,
// SL__PUSH, sl__freeze) and tests of the current token (sl__is, sl__take, sl__want ...). The grammar is
// spread over parse_dir.c (directives of a file), parse_decl.c and parse_init.c (variables and registers),
// parse_func.c (functions), parse_stmt.c (bodies), parse_opnd.c (operands); check.c has the last word.
#include "ptx/ptx_int.h"

// Errors ----------------------------------------------------------------------------------------------------

static const char *const hint = "The simulator reads the PTX that nvcc 12 and 13 make for compute_75 to "
                                "compute_90, without tensor cores (mma), textures (tex) and surfaces. "
                                "Rebuild with -arch=compute_75; if the line comes from inline assembly, "
                                "write it in CUDA C.";

// The statement at [from], on one line, at most [cap] bytes.
static void quote(const sl__parser *p, uint32_t from, char *out, size_t cap) {
  size_t n = 0;
  bool space = false;
  for (const char *s = p->text + from; s < p->end && *s && n + 2 < cap; s++) {
    if (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r') {
      space = n > 0;
      continue;
    }
    if (space) out[n++] = ' ';
    space = false;
    out[n++] = *s;
    if (*s == ';' || (*s == '{' && n > 40)) break;
  }
  out[n] = 0;
}

// The name of file [n]. Its directive usually stands at the end of the text, so search the text itself.
static bool file_name(const sl__parser *p, uint32_t n, char *out, size_t cap) {
  for (const char *at = p->text; at && (at = strstr(at, ".file")); at += 5) {
    unsigned k = 0;
    int name = 0;
    if (sscanf(at + 5, " %9u \"%n", &k, &name) != 1 || k != n || !name) continue;
    const char *from = at + 5 + name;
    size_t len = strcspn(from, "\"\n");
    if (len >= cap) return false;
    memcpy(out, from, len);
    out[len] = 0;
    return true;
  }
  return false;
}

// The error is about the place of the current .loc, outside of the toolkit if it was inlined from there.
static void name_source_place(sl__parser *p) {
  char file[300];
  uint32_t next = p->func ? p->loc : 0;
  while (next && next <= p->locs.n) {
    const sl_ptx_loc *l = &SL__AT(p, locs, sl_ptx_loc, next - 1);
    next = l->inlined < next ? l->inlined : 0;
    if (!l->line || !file_name(p, l->file, file, sizeof file)) continue;
    sl_error_at(p->e, file, l->line);
    if (!sl_ptx_is_toolkit(file)) return;
  }
}

static void report_error(sl__parser *p, uint32_t line, uint32_t stmt, const char *fmt, va_list args) {
  char what[400], raw[400], text[600];
  vsnprintf(what, sizeof what, fmt, args);
  quote(p, stmt, raw, sizeof raw);
  name_source_place(p);
  sl_fail(p->e, SL_EXIT_INPUT, hint, "%s:%u: %s: %s", p->name, line, what,
          sl_printable(raw, text, sizeof text));
}

void sl__bad_at(sl__parser *p, uint32_t line, uint32_t stmt, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  report_error(p, line, stmt, fmt, args);
  va_end(args);
  longjmp(p->fail, 1);
}

void sl__bad(sl__parser *p, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  report_error(p, p->stmt_line ? p->stmt_line : p->line, p->stmt, fmt, args);
  va_end(args);
  longjmp(p->fail, 1);
}

// Memory ----------------------------------------------------------------------------------------------------

void *sl__alloc(sl__parser *p, size_t n) {
  void *at = sl_arena_get(p->arena, n);
  if (!at) sl__bad(p, "out of memory");
  return at;
}

void *sl__extend(sl__parser *p, sl__vec *v, size_t n, size_t size) {
  if (n > UINT32_MAX / 4 || v->n + n > UINT32_MAX / 2) sl__bad(p, "out of memory");
  if (v->n + n > v->cap) {
    uint32_t cap = v->cap ? v->cap : 8;
    while (cap < v->n + n) cap *= 2;
    void *at = realloc(v->at, (size_t)cap * size);
    if (!at) sl__bad(p, "out of memory");
    v->at = at;
    v->cap = cap;
  }
  void *first = (char *)v->at + (size_t)v->n * size;
  v->n += (uint32_t)n;
  return memset(first, 0, n * size);
}

void *sl__push(sl__parser *p, sl__vec *v, size_t size) { return sl__extend(p, v, 1, size); }

void *sl__freeze(sl__parser *p, sl__vec *v, size_t size) {
  void *at = sl__alloc(p, (size_t)v->n * size + 1);
  if (v->n) memcpy(at, v->at, (size_t)v->n * size);
  v->n = 0;
  return at;
}

char *sl__name(sl__parser *p, sl__word w) {
  char *s = sl__alloc(p, (size_t)w.len + 1);
  memcpy(s, w.at, w.len);
  return s;
}

// Tokens ----------------------------------------------------------------------------------------------------

bool sl__is(const sl__parser *p, char punct) { return p->tok.kind == SL_T_PUNCT && p->tok.ch == punct; }
bool sl__is_dot(const sl__parser *p, const char *word) {
  return p->tok.kind == SL_T_DOT && sl__word_is(p->tok.w, word);
}

bool sl__take(sl__parser *p, char punct) {
  bool yes = sl__is(p, punct);
  if (yes) sl__next(p);
  return yes;
}

bool sl__take_dot(sl__parser *p, const char *word) {
  bool yes = sl__is_dot(p, word);
  if (yes) sl__next(p);
  return yes;
}

// The current token as messages show it.
static const char *shown(const sl__parser *p, char out[64]) {
  if (p->tok.kind == SL_T_END) return "the end of the text";
  snprintf(out, 64, "'%s%.40s", p->tok.kind == SL_T_DOT ? "." : "", "");
  size_t n = strlen(out), len = p->tok.w.len < 40 ? p->tok.w.len : 40;
  memcpy(out + n, p->tok.w.at, len);
  out[n + len] = '\'';
  out[n + len + 1] = 0;
  return out;
}

void sl__want(sl__parser *p, char punct, const char *where) {
  char buf[64];
  if (!sl__take(p, punct)) sl__bad(p, "expected '%c' %s, found %s", punct, where, shown(p, buf));
}

sl__word sl__want_word(sl__parser *p, const char *what) {
  char buf[64];
  if (p->tok.kind != SL_T_WORD) sl__bad(p, "expected %s, found %s", what, shown(p, buf));
  sl__word w = p->tok.w;
  sl__next(p);
  return w;
}

uint64_t sl__want_uint(sl__parser *p, uint64_t max, const char *what) {
  char buf[64];
  if (p->tok.kind != SL_T_INT) sl__bad(p, "expected %s, found %s", what, shown(p, buf));
  uint64_t v = p->tok.value;
  if (v > max)
    sl__bad(p, "%s is %llu, at most %llu is possible", what, (unsigned long long)v, (unsigned long long)max);
  sl__next(p);
  return v;
}

int64_t sl__want_int(sl__parser *p, const char *what) {
  uint64_t sum = 0;
  do {
    bool minus = false, invert = false;
    for (;;) {
      if (sl__take(p, '-')) minus = !minus;
      else if (sl__take(p, '~')) invert = !invert;
      else if (!sl__take(p, '+')) break;
    }
    uint64_t v = sl__want_uint(p, UINT64_MAX, what);
    if (invert) v = ~v;
    sum += minus ? 0 - v : v;
  } while (sl__is(p, '+') || sl__is(p, '-'));
  return (int64_t)sum;
}

// The module ------------------------------------------------------------------------------------------------

static sl__linkage linkage(sl__parser *p) {
  sl__linkage l = {0};
  for (;;) {
    if (sl__take_dot(p, "extern")) l.is_extern = true;
    else if (sl__take_dot(p, "visible") || sl__take_dot(p, "weak") || sl__take_dot(p, "common"))
      l.visible = true;
    else return l;
  }
}

static void definition(sl__parser *p, sl__linkage l) {
  char buf[64];
  sl_space space;
  if (sl__is_dot(p, "entry") || sl__is_dot(p, "func")) {
    bool entry = sl__is_dot(p, "entry");
    sl__next(p);
    sl__function(p, entry, l);
  } else if ((space = sl__take_space(p)) != SL_SP_NONE) sl__variables(p, space, l);
  else sl__bad(p, "expected a directive, a variable or a function, found %s", shown(p, buf));
}

static void top_level(sl__parser *p) {
  p->stmt = p->tok.pos;
  p->stmt_line = p->tok.line;
  if (sl__take(p, ';') || sl__file_directive(p)) return;
  if (sl__take_dot(p, "loc")) sl__loc(p);
  else if (sl__take_dot(p, "alias")) sl__alias(p);
  else definition(p, linkage(p));
}

// Decides once whose the files are, as that means asking the file system.
static void know_files(sl__parser *p) {
  sl_ptx_module *m = p->m;
  bool *in_toolkit = sl__alloc(p, m->n_files);
  for (uint32_t k = 0; k < m->n_files; k++) in_toolkit[k] = m->files[k] && sl_ptx_is_toolkit(m->files[k]);
  m->in_toolkit = in_toolkit;
}

static void finish_module(sl__parser *p) {
  sl_ptx_module *m = p->m;
  if (!m->version_major) sl__bad(p, "no .version directive: this is no PTX");
  if (!m->sm) sl__bad(p, "no .target directive");
  sl__resolve_loc_names(p);
  m->n_vars = p->vars.n, m->vars = sl__freeze(p, &p->vars, sizeof(sl_ptx_var));
  m->n_funcs = p->funcs.n, m->funcs = sl__freeze(p, &p->funcs, sizeof(sl_ptx_func));
  m->n_locs = p->locs.n, m->locs = sl__freeze(p, &p->locs, sizeof(sl_ptx_loc));
  m->n_protos = p->protos.n, m->protos = sl__freeze(p, &p->protos, sizeof(sl_ptx_proto));
  m->n_files = p->files.n, m->files = sl__freeze(p, &p->files, sizeof(char *));
  know_files(p);
  sl__settle(p);
}

static void release_parser(sl__parser *p) {
  sl__vec *all[] = {&p->vars,  &p->funcs, &p->locs, &p->protos, &p->files,  &p->global_refs, &p->regs,
                    &p->insns, &p->elems, &p->refs, &p->bytes,  &p->relocs, &p->params};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]->at);
  free(p->syms.bucket);
  sl_arena_free(p->scratch);
}

// Makes the module with its own copy of the text, NUL-ended.
static bool start_parser(sl__parser *p, const char *text, size_t len) {
  p->arena = sl_arena_new();
  p->scratch = sl_arena_new();
  p->m = p->arena ? sl_arena_get(p->arena, sizeof *p->m) : NULL;
  char *copy = p->m && p->scratch ? sl_arena_get(p->arena, len + 8) : NULL;
  if (!copy) return sl_fail(p->e, SL_EXIT_INFRA, NULL, "%s: out of memory", p->name);
  memcpy(copy, text, len);
  p->m->arena = p->arena;
  p->m->text = p->text = p->at = copy;
  p->end = copy + len;
  p->line = 1;
  return true;
}

// Not inlined: it would share the function that calls setjmp, which keeps no variable.
static __attribute__((noinline)) void parse_all(sl__parser *p) {
  SL__PUSH(p, files, char *); // file 0 does not exist
  sl__next(p);
  while (p->tok.kind != SL_T_END) top_level(p);
  p->stmt = p->tok.pos;
  p->stmt_line = p->tok.line;
  finish_module(p);
}

static bool parse(sl__parser *p) {
  if (setjmp(p->fail)) return false;
  parse_all(p);
  return true;
}

sl_ptx_module *sl_ptx_parse(const char *name, const char *text, size_t len, sl_error *e) {
  if (len > SL__MAX_TEXT) {
    sl_fail(e, SL_EXIT_INPUT, NULL, "%s: %zu bytes of PTX, at most %d are read", name, len, SL__MAX_TEXT);
    return NULL;
  }
  SL_FREED sl__parser *p = calloc(1, sizeof *p);
  if (!p) {
    sl_fail(e, SL_EXIT_INFRA, NULL, "%s: out of memory", name);
    return NULL;
  }
  p->name = name;
  p->e = e;
  sl_ptx_module *m = start_parser(p, text, len) && parse(p) ? p->m : NULL;
  if (!m) sl_arena_free(p->arena);
  release_parser(p);
  return m;
}

void sl_ptx_free(sl_ptx_module *m) {
  if (m) sl_arena_free(m->arena);
}

size_t sl_ptx_bytes(const sl_ptx_module *m) { return sl_arena_bytes(m->arena); }
