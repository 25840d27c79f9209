// Unit tests of the .npy reader and writer: round trips, files of other writers, and a table of known-bad
// headers.

#include "base/unit.h"
#include "base/base.h"
#include "scanlab/npy.h"

TEST(round_trip) {
  char path[] = "/tmp/sl_npy_XXXXXX";
  close(mkstemp(path));
  uint32_t data[2000];
  for (uint32_t i = 0; i < 2000; i++) data[i] = i * 2654435761u;
  for (int t = 0; t < SL_TYPE_COUNT; t++) {
    static const size_t sizes[] = {0, 1, 2, 33, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      sl_error e = {0};
      sl_array a = {0};
      assert_true(sl_npy_write(path, (sl_type)t, data, sizes[s], &e));
      assert_true(sl_npy_read(path, 1 << 20, &a, &e));
      assert_int_equal(a.type, t);
      assert_int_equal(a.n, sizes[s]);
      assert_memory_equal(a.data, data, sizes[s] * sl_npy_item_size((sl_type)t));
      free(a.data);
    }
  }
  unlink(path);
}

TEST(header_bytes) {
  char head[SL_NPY_HEADER_MAX];
  assert_int_equal(sl_npy_header(SL_F32, 1000, head), 128);
  assert_memory_equal(
      head, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }  ", 72);
  assert_int_equal(head[127], '\n');
  assert_int_equal(sl_npy_header(SL_AFFINE, SIZE_MAX, head) % 64, 0);
}

// Builds a file: preamble of [version], the text (padded to a newline unless it has one), and [data] zero
// bytes.
static char *build(int version, const char *text, size_t data, size_t *len) {
  size_t text_len = strlen(text), pre = version == 1 ? 10 : 12;
  bool pad = !strchr(text, '\n');
  size_t total = text_len + (pad ? 1 : 0);
  char *f = calloc(1, pre + total + data + 1);
  memcpy(f, "\x93NUMPY", 6);
  f[6] = (char)version;
  f[8] = (char)(total & 255);
  f[9] = (char)(total >> 8);
  memcpy(f + pre, text, text_len);
  if (pad) f[pre + text_len] = '\n';
  *len = pre + total + data;
  return f;
}

// The parser gets exactly [len] bytes of heap, so that a sanitizer sees any read past the end.
static bool parse_copy(const char *bytes, size_t len, sl_npy *out, sl_error *e) {
  char *copy = malloc(len ? len : 1);
  memcpy(copy, bytes, len);
  bool ok = sl_npy_parse("f.npy", copy, len, out, e);
  free(copy);
  return ok;
}

TEST(good_headers) {
  static const struct {
    int version;
    const char *text;
    size_t data;
    sl_type type;
    size_t n;
  } table[] = {
      {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   ", 12, SL_F32, 3},
      {2, "{'descr': '<i4', 'fortran_order': False, 'shape': (0,)}", 0, SL_I32, 0},
      {1, "{\"shape\":(2,),\"descr\":\"<u4\",\"fortran_order\":False}", 8, SL_U32, 2},
      {1, "  { 'fortran_order' : False , 'shape' : ( 1 , 2 , ) , 'descr' : '<u4' , }", 8, SL_AFFINE, 1},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    size_t len;
    sl_error e = {0};
    sl_npy at = {0};
    char *f = build(table[i].version, table[i].text, table[i].data, &len);
    if (!parse_copy(f, len, &at, &e)) fail_msg("row %zu: %s", i, e.text);
    assert_int_equal(at.type, table[i].type);
    assert_int_equal(at.n, table[i].n);
    assert_int_equal(at.offset, len - table[i].data);
    free(f);
  }
}

TEST(bad_headers) {
#define ORDER "'fortran_order': False"
  static const struct {
    const char *text;
    size_t data;
    const char *says;
  } table[] = {
      {"{'descr': '<f4', " ORDER ", 'shape': (3,)}", 11,
       "truncated: the header says 3 elements of f32, expected 12 bytes of data, found 11"},
      {"{'descr': '<f4', " ORDER ", 'shape': (3,)}", 16,
       "too long: the header says 3 elements of f32, expected 12 bytes of data, found 16"},
      {"{'descr': '<f4', " ORDER ", 'shape': (4611686018427387905,)}", 4, "expected"},
      {"{'descr': '<f4', " ORDER ", 'shape': (99999999999999999999,)}", 4,
       "below 2^64, found \"99999999999999999999,)}\""},
      {"{'descr': '>f4', " ORDER ", 'shape': (1,)}", 4, "expected dtype '<f4', '<i4' or '<u4', found '>f4'"},
      {"{'descr': '<f8', " ORDER ", 'shape': (1,)}", 8, "found '<f8'"},
      {"{'descr': '|O', " ORDER ", 'shape': (1,)}", 4, "found '|O'"},
      {"{'descr': '', " ORDER ", 'shape': (1,)}", 4, "found ''"},
      {"{'descr': '<f4<f4<f4', " ORDER ", 'shape': (1,)}", 4, "expected a dtype such as '<f4', found"},
      {"{'descr': [('a', '<f4')], " ORDER ", 'shape': (1,)}", 4,
       "expected a dtype such as '<f4', found \"[('a', '<f4')]"},
      {"{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}", 4,
       "expected fortran_order False (C order), found \"True"},
      {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", 4, "expected fortran_order False"},
      {"{'descr': '<f4', " ORDER ", 'shape': ()}", 4, "expected a number of elements, found \")}\""},
      {"{'descr': '<f4', " ORDER ", 'shape': (1)}", 4, "expected ',' in the shape, found \")}\""},
      {"{'descr': '<f4', " ORDER ", 'shape': (-1,)}", 4, "expected a number of elements, found \"-1,)}\""},
      {"{'descr': '<f4', " ORDER ", 'shape': (1,2)}", 8,
       "expected shape (n,) with dtype '<f4', found (n, 2)"},
      {"{'descr': '<u4', " ORDER ", 'shape': (1,3)}", 12, "expected shape (n,) or (n, 2), found (1, 3)"},
      {"{'descr': '<u4', " ORDER ", 'shape': (1,0)}", 0, "found (1, 0)"},
      {"{'descr': '<u4', " ORDER ", 'shape': (1,2,3)}", 24, "one or two dimensions"},
      {"{'descr': '<u4', " ORDER ", 'shape': 1}", 4, "expected a shape such as (1000,), found \"1}\""},
      {"{'descr': '<f4', " ORDER "}", 4, "expected the key 'shape', found none"},
      {"{" ORDER ", 'shape': (1,)}", 4, "expected the key 'descr'"},
      {"{'descr': '<f4', 'shape': (1,)}", 4, "expected the key 'fortran_order'"},
      {"{}", 0, "expected the key 'descr'"},
      {"{'descr': '<f4', 'descr': '<f4', " ORDER ", 'shape': (1,)}", 4,
       "expected each key once, found \"'descr': '<f4'"},
      {"{'descr': '<f4', 'color': 1}", 4, "expected one of the keys"},
      {"{'descr' '<f4'}", 4, "expected ':' after the key"},
      {"{descr: '<f4'}", 4, "expected a key: 'descr'"},
      {"{'descr': '<f4", 4, "expected a dtype"},
      {"{'descr': '<f4' " ORDER "}", 4, "expected ',' or '}'"},
      {"{,}", 4, "expected a key"},
      {"[1]", 4, "expected '{', found \"[1]\""},
      {"", 4, "expected '{', found a line end or NUL"},
      {"{'descr': '<f4', " ORDER ", 'shape': (1,)} x", 4,
       "expected spaces and one newline after the dict, found \"x\""},
      {"{'descr': '<f4', " ORDER ", 'shape': (1,)}\n\n", 4, "one newline after the dict"},
      {"{'descr': '<f4', " ORDER ", 'shape': (1L,)}", 4, "expected ',' in the shape"},
      {"{'descr': '<f4', " ORDER ", 'shape': (0x1,)}", 4, "expected ',' in the shape"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    for (int version = 1; version <= 2; version++) {
      size_t len;
      sl_error e = {0};
      sl_npy at;
      char *f = build(version, table[i].text, table[i].data, &len);
      bool ok = parse_copy(f, len, &at, &e);
      free(f);
      if (ok || !strstr(e.text, table[i].says))
        fail_msg("row %zu: expected \"%s\", found %s", i, table[i].says, ok ? "success" : e.text);
      assert_int_equal(e.code, SL_EXIT_INPUT);
      assert_memory_equal(e.text, "f.npy: ", 7);
    }
}

TEST(bad_preambles) {
  static const struct {
    const char *bytes;
    size_t len;
    const char *says;
  } table[] = {
      {"", 0, "at least 10 bytes, found 0 bytes"},
      {"\x93NUMPY\x01\x00\x01", 9, "at least 10 bytes, found 9"},
      {"PK\x03\x04 a zip archive", 18, "expected the magic"},
      {"\x93NUMPY\x03\x00\x04\x00{} \n", 14, "expected .npy version 1.0 or 2.0, found 3.0"},
      {"\x93NUMPY\x01\x01\x04\x00{} \n", 14, "found 1.1"},
      {"\x93NUMPY\x01\x00\xFF\xFF{} \n", 14, "expected 65535 bytes of header text, found 4"},
      {"\x93NUMPY\x02\x00\x04\x00", 10, "found 0"},
      {"\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{}", 14, "expected 4294967295 bytes of header text, found 2"},
      {"\x93NUMPY\x01\x00\x00\x00", 10, "expected '{', found the end of the header"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    sl_error e = {0};
    sl_npy at;
    assert_false(parse_copy(table[i].bytes, table[i].len, &at, &e));
    if (!strstr(e.text, table[i].says)) fail_msg("row %zu: %s", i, e.text);
    if (table[i].bytes[0] == 'P') assert_non_null(strstr(e.hint, "unpack it"));
  }
}

// No beginning of a good file is a good file, and no single wrong byte of its header crashes the parser.
TEST(every_prefix_and_byte) {
  char file[SL_NPY_HEADER_MAX + 12];
  size_t head = sl_npy_header(SL_F32, 3, file);
  memset(file + head, 1, 12);
  sl_npy at;
  for (size_t len = 0; len < head + 12; len++) {
    sl_error e = {0};
    assert_false(parse_copy(file, len, &at, &e));
    assert_int_equal(e.code, SL_EXIT_INPUT);
  }
  sl_error none = {0};
  assert_true(parse_copy(file, head + 12, &at, &none));
  size_t refused = 0;
  for (size_t i = 0; i < head; i++)
    for (int b = 1; b < 256; b++) {
      file[i] ^= (char)b;
      sl_error e = {0};
      if (!parse_copy(file, head + 12, &at, &e)) refused++;
      else assert_true(at.n * sl_npy_item_size(at.type) == 12 && at.offset == head);
      file[i] ^= (char)b;
    }
  assert_true(refused > head * 200);
}

TEST(types) {
  sl_type t;
  sl_error e = {0};
  assert_true(sl_npy_type_parse("affine", &t, &e));
  assert_int_equal(t, SL_AFFINE);
  assert_string_equal(sl_npy_type_name(SL_U32), "u32");
  assert_false(sl_npy_type_parse("u23", &t, &e));
  assert_string_equal(e.hint, "did you mean u32?");
  e = (sl_error){0};
  assert_false(sl_npy_type_parse("double", &t, &e));
  assert_non_null(strstr(e.hint, "f32, i32, u32, affine"));
}
