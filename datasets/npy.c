// Reader and writer of .npy files.
//
// Interface: scanlab/npy.h. A file is the magic "\x93NUMPY", a version (major, minor), the length of the
// header (2 bytes in version 1, 4 in version 2), the header, and the elements. The header is the text of a
// Python dict,
//     {'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }
// padded with spaces to a multiple of 64 bytes and ended by a newline. The parser below reads that grammar
// with a cursor that never passes the end; each rule returns false after an error that says expected and
// found.
#include "scanlab/npy.h"
#include "base/base.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are written as they lie in memory");

static const char MAGIC[6] = "\x93NUMPY";
enum { MAGIC_LEN = 6, MAX_HEADER = 65536 };

// Types -----------------------------------------------------------------------------------------------------

static const struct {
  const char *name, *descr;
  size_t columns;
} TYPES[SL_TYPE_COUNT] = {
    [SL_F32] = {"f32", "<f4", 1},
    [SL_I32] = {"i32", "<i4", 1},
    [SL_U32] = {"u32", "<u4", 1},
    [SL_AFFINE] = {"affine", "<u4", 2},
};

size_t sl_npy_item_size(sl_type type) { return 4 * TYPES[type].columns; }

const char *sl_npy_type_name(sl_type type) { return (unsigned)type < SL_TYPE_COUNT ? TYPES[type].name : "?"; }

bool sl_npy_type_parse(const char *name, sl_type *type, sl_error *e) {
  const char *names[SL_TYPE_COUNT + 1] = {0};
  for (int t = 0; t < SL_TYPE_COUNT; t++) {
    names[t] = TYPES[t].name;
    if (strcmp(name, names[t]) == 0) return *type = (sl_type)t, true;
  }
  const char *near = sl_nearest(name, names);
  char hint[64];
  snprintf(hint, sizeof hint, near ? "did you mean %s?" : "types are f32, i32, u32, affine%s",
           near ? near : "");
  return sl_fail(e, SL_EXIT_INPUT, hint, "unknown element type '%s'", name);
}

// Parsing ---------------------------------------------------------------------------------------------------

typedef struct cursor {
  const char *name, *at, *end;
  sl_error *e;
} cursor;

// The contents of the dict. columns 0: shape (n,).
typedef struct header {
  char descr[8];
  bool has_descr, has_order, has_shape;
  uint64_t n, columns;
} header;

// Reports the text at the cursor: on one line, at most 24 bytes.
static bool unexpected(const cursor *c, const char *expected) {
  char found[25] = "";
  size_t len = 0;
  while (len < 24 && c->at + len < c->end && c->at[len] && c->at[len] != '\n') len++;
  memcpy(found, c->at, len);
  return sl_fail(c->e, SL_EXIT_INPUT, NULL, "%s: npy header: expected %s, found %s%s%s", c->name, expected,
                 len ? "\"" : "",
                 len              ? found
                 : c->at < c->end ? "a line end or NUL"
                                  : "the end of the header",
                 len ? "\"" : "");
}

static void skip_spaces(cursor *c) {
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t')) c->at++;
}

// If [token] comes next, moves the cursor behind it.
static bool accept(cursor *c, const char *token) {
  size_t len = strlen(token);
  skip_spaces(c);
  if ((size_t)(c->end - c->at) < len || memcmp(c->at, token, len) != 0) return false;
  c->at += len;
  return true;
}

static bool expect(cursor *c, const char *token, const char *what) {
  return accept(c, token) || unexpected(c, what);
}

// Reads a quoted string without escapes, shorter than [cap].
static bool parse_string(cursor *c, char *out, size_t cap, const char *what) {
  skip_spaces(c);
  const char *start = c->at;
  if (c->at >= c->end || (*c->at != '\'' && *c->at != '"')) return unexpected(c, what);
  const char *close = memchr(start + 1, *start, (size_t)(c->end - start - 1));
  if (!close || (size_t)(close - start) > cap) return unexpected(c, what);
  memcpy(out, start + 1, (size_t)(close - start - 1));
  out[close - start - 1] = 0;
  c->at = close + 1;
  return true;
}

static bool parse_count(cursor *c, uint64_t *out) {
  skip_spaces(c);
  const char *start = c->at;
  uint64_t v = 0;
  for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
    if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*c->at - '0'), &v)) {
      c->at = start;
      return unexpected(c, "a number of elements below 2^64");
    }
  }
  *out = v;
  return c->at > start || unexpected(c, "a number of elements");
}

static bool parse_descr(cursor *c, header *h) {
  h->has_descr = true;
  return parse_string(c, h->descr, sizeof h->descr, "a dtype such as '<f4'");
}

static bool parse_order(cursor *c, header *h) {
  h->has_order = true;
  return expect(c, "False", "fortran_order False (C order)");
}

static bool parse_shape(cursor *c, header *h) {
  h->has_shape = true;
  if (!expect(c, "(", "a shape such as (1000,)") || !parse_count(c, &h->n) ||
      !expect(c, ",", "',' in the shape"))
    return false;
  if (accept(c, ")")) return true;
  if (!parse_count(c, &h->columns)) return false;
  accept(c, ",");
  if (!expect(c, ")", "a shape of one or two dimensions")) return false;
  return h->columns == 2 || sl_fail(c->e, SL_EXIT_INPUT, NULL,
                                    "%s: npy header: expected shape (n,) or (n, 2), found (%llu, %llu)",
                                    c->name, (unsigned long long)h->n, (unsigned long long)h->columns);
}

static bool parse_entry(cursor *c, header *h) {
  const struct {
    const char *key;
    bool *seen;
    bool (*parse)(cursor *, header *);
  } keys[] = {
      {"descr", &h->has_descr, parse_descr},
      {"fortran_order", &h->has_order, parse_order},
      {"shape", &h->has_shape, parse_shape},
  };
  char key[16];
  skip_spaces(c);
  cursor before = *c;
  if (!parse_string(c, key, sizeof key, "a key: 'descr', 'fortran_order' or 'shape'")) return false;
  if (!expect(c, ":", "':' after the key")) return false;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(key, keys[i].key) == 0)
      return *keys[i].seen ? unexpected(&before, "each key once") : keys[i].parse(c, h);
  return unexpected(&before, "one of the keys 'descr', 'fortran_order', 'shape'");
}

static bool parse_dict(cursor *c, header *h) {
  if (!expect(c, "{", "'{'")) return false;
  while (!accept(c, "}")) {
    if (!parse_entry(c, h)) return false;
    if (accept(c, ",")) continue;
    if (!expect(c, "}", "',' or '}'")) return false;
    break;
  }
  skip_spaces(c);
  if (c->at >= c->end || *c->at != '\n' || c->at + 1 != c->end)
    return unexpected(c, "spaces and one newline after the dict");
  const char *missing = !h->has_descr   ? "descr"
                        : !h->has_order ? "fortran_order"
                        : !h->has_shape ? "shape"
                                        : NULL;
  return !missing || sl_fail(c->e, SL_EXIT_INPUT, NULL, "%s: npy header: expected the key '%s', found none",
                             c->name, missing);
}

// The element type of a dtype and shape.
static bool find_type(const cursor *c, const header *h, sl_type *type) {
  size_t columns = h->columns ? (size_t)h->columns : 1;
  bool known = false;
  for (int t = 0; t < SL_TYPE_COUNT; t++) {
    bool same = strcmp(h->descr, TYPES[t].descr) == 0;
    known |= same;
    if (same && columns == TYPES[t].columns) return *type = (sl_type)t, true;
  }
  if (known)
    return sl_fail(c->e, SL_EXIT_INPUT, NULL,
                   "%s: npy header: expected shape (n,) with dtype '%s', found (n, 2)", c->name, h->descr);
  return sl_fail(c->e, SL_EXIT_INPUT, "convert it with NumPy: a.astype('<f4')",
                 "%s: npy header: expected dtype '<f4', '<i4' or '<u4', found '%s'", c->name, h->descr);
}

// Magic, version and header length: sets the cursor to the header's text.
static bool parse_preamble(cursor *c, const char *bytes, size_t len) {
  if (len < MAGIC_LEN + 4 || memcmp(bytes, MAGIC, MAGIC_LEN) != 0)
    return len < MAGIC_LEN + 4
               ? sl_fail(c->e, SL_EXIT_INPUT, "numpy.save(FILE, array) writes one",
                         "%s: expected an .npy file of at least 10 bytes, found %zu bytes", c->name, len)
               : sl_fail(c->e, SL_EXIT_INPUT,
                         memcmp(bytes, "PK", 2) != 0
                             ? "numpy.save(FILE, array) writes one"
                             : "a .npz or zip holds several files: unpack it (unzip) and name one array",
                         "%s: expected the magic \\x93NUMPY of an .npy file, found others", c->name);
  const unsigned char *u = (const unsigned char *)bytes;
  if ((u[6] != 1 && u[6] != 2) || u[7] != 0)
    return sl_fail(c->e, SL_EXIT_INPUT, NULL, "%s: expected .npy version 1.0 or 2.0, found %u.%u", c->name,
                   u[6], u[7]);
  size_t start = u[6] == 1 ? 10 : 12, text = u[8] | (size_t)u[9] << 8;
  if (u[6] == 2 && len >= 12) text |= (size_t)u[10] << 16 | (size_t)u[11] << 24;
  if (len < start || text > len - start || text > MAX_HEADER)
    return sl_fail(c->e, SL_EXIT_INPUT, NULL, "%s: npy header: expected %zu bytes of header text, found %zu",
                   c->name, text, len < start ? 0 : len - start);
  c->at = bytes + start;
  c->end = c->at + text;
  return true;
}

bool sl_npy_parse(const char *name, const void *bytes, size_t len, sl_npy *out, sl_error *e) {
  cursor c = {.name = name, .e = e};
  header h = {0};
  sl_type type = SL_F32;
  if (!parse_preamble(&c, bytes, len) || !parse_dict(&c, &h) || !find_type(&c, &h, &type)) return false;
  size_t offset = (size_t)(c.end - (const char *)bytes), item = sl_npy_item_size(type), have = len - offset,
         want;
  if (__builtin_mul_overflow(h.n, item, &want) || want != have)
    return sl_fail(e, SL_EXIT_INPUT, NULL,
                   "%s: %s: the header says %llu elements of %s, expected %zu bytes of data, found %zu", name,
                   have < want ? "truncated" : "too long", (unsigned long long)h.n, sl_npy_type_name(type),
                   want, have);
  *out = (sl_npy){type, (size_t)h.n, offset};
  return true;
}

bool sl_npy_read(const char *path, size_t max_bytes, sl_array *out, sl_error *e) {
  size_t len;
  sl_npy at;
  char *bytes = sl_read_file(path, max_bytes, &len, e);
  if (!bytes) return false;
  if (!sl_npy_parse(path, bytes, len, &at, e)) {
    free(bytes);
    return false;
  }
  memmove(bytes, bytes + at.offset,
          len - at.offset); // malloc'ed memory is aligned for the elements; the file is not
  *out = (sl_array){at.type, at.n, bytes};
  return true;
}

// Writing ---------------------------------------------------------------------------------------------------

size_t sl_npy_header(sl_type type, size_t n, char out[SL_NPY_HEADER_MAX]) {
  char *text = out + 10;
  int len = sprintf(text, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,%s), }", TYPES[type].descr,
                    n, TYPES[type].columns == 2 ? " 2" : "");
  size_t total = ((size_t)len + 10 + 1 + 63) / 64 * 64;
  memset(text + len, ' ', total - 11 - (size_t)len);
  memcpy(out, MAGIC, MAGIC_LEN);
  out[6] = 1;
  out[7] = 0;
  out[8] = (char)((total - 10) & 0xFF);
  out[9] = (char)((total - 10) >> 8);
  out[total - 1] = '\n';
  return total;
}

bool sl_npy_write(const char *path, sl_type type, const void *data, size_t n, sl_error *e) {
  char head[SL_NPY_HEADER_MAX];
  sl_out *o = sl_open_atomic(path, e);
  if (!o) return false;
  const bool ok =
      sl_write(o, head, sl_npy_header(type, n, head), e) && sl_write(o, data, n * sl_npy_item_size(type), e);
  return sl_finish(o, ok, e);
}
