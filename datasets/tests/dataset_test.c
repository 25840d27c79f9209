// Unit tests of catalog, manifest and sl_dataset_find: bad catalogs by the table, good and damaged files.

#include "base/unit.h"
#include "base/test_folder.h"
#include "data.h"

static char *catalog, *manifest;

#define SET(name, rest) "{'name': '" name "', 'file': '" name ".npy', 'about': 'x', " rest "}"
#define RAMP "'type': 'f32', 'n': 10, 'dist': 'ramp', 'seed': 1"
#define POST "'post': {'max': [7, 7]}"
static const char GOOD[] = "{'datasets': [" SET("ten", RAMP ", " POST) ", " SET(
    "keys", "'type': 'u32', 'n': 1000, 'dist': 'bits', 'seed': 2, 'post': {'distinct': [990, 1000]}") "]}";

static void put(const char *path, const char *text) {
  SL_FREED char *json = json_text(text);
  sl_error e = {0};
  if (!sl_write_file(path, json, strlen(json), &e)) fail_msg("%s", e.text);
}

static int setup(void **state) {
  if (make_folder(state)) return -1;
  catalog = sl_path("%s/catalog.json", dir);
  manifest = sl_path("%s/manifest.json", dir);
  return 0;
}

static int teardown(void **state) {
  free(catalog);
  free(manifest);
  return remove_folder(state);
}

TEST(bad_catalogs) {
  static const struct {
    const char *text, *says;
  } table[] = {
      {"", "catalog.json:1:0:"},
      {"{'datasets': [", "catalog.json:1:"},
      {"{'datasets': [], 'datasets': []}", "duplicate"},
      {"[]", "expected an object with a list \"datasets\""},
      {"{'datasets': {}}", "expected an object with a list"},
      {"{'datasets': [3]}", "dataset number 1: key \"name\": expected a string"},
      {"{'datasets': [{'name': '../x'}]}", "expected at most 63 of a-z, 0-9 and _"},
      {"{'datasets': [{'name': ''}]}", "expected at most 63"},
      {"{'datasets': [{'name': 'a', 'file': '../a.npy', 'about': ''}]}",
       "name of the dataset followed by .npy"},
      {"{'datasets': [" SET("a", RAMP) "]}", "dataset a: key \"post\": expected an object"},
      {"{'datasets': [" SET("a", RAMP ", 'post': {}") "]}", "an object with a post-condition or more"},
      {"{'datasets': [" SET("a", RAMP ", 'post': {'mox': [1, 2]}") "]}", "unknown post-condition 'mox'"},
      {"{'datasets': [" SET("a", RAMP ", 'post': {'max': [2, 1]}") "]}",
       "key \"max\": expected [least, largest]"},
      {"{'datasets': [" SET("a", RAMP ", 'post': {'max': [1]}") "]}", "expected [least, largest]"},
      {"{'datasets': [" SET("a", RAMP ", 'post': {'max': 7}") "]}", "expected [least, largest]"},
      {"{'datasets': [" SET("a", RAMP ", " POST ", 'sed': 1") "]}", "dataset a: unknown key \"sed\""},
      {"{'datasets': [" SET("a", RAMP ", " POST) "," SET("a", RAMP ", " POST) "]}",
       "expected each name once"},
      {"{'datasets': [" SET("a", "'type': 'f64', 'n': 1, 'dist': 'ramp', 'seed': 1, " POST) "]}",
       "unknown element type 'f64'"},
      {"{'datasets': [" SET("a", "'type': 'f32', 'n': 1, 'dist': 'rmap', 'seed': 1, " POST) "]}",
       "unknown distribution 'rmap'"},
      {"{'datasets': [" SET("a", "'type': 'affine', 'n': 1, 'dist': 'ramp', 'seed': 1, " POST) "]}",
       "expected type f32, i32, u32, found affine"},
      {"{'datasets': [" SET("a", "'type': 'f32', 'n': -1, 'dist': 'ramp', 'seed': 1, " POST) "]}",
       "key \"n\": expected a whole number from 0"},
      {"{'datasets': [" SET("a", "'type': 'f32', 'n': 1e9, 'dist': 'ramp', 'seed': 1, " POST) "]}",
       "key \"n\": expected a whole number"},
      {"{'datasets': [" SET("a", "'type': 'f32', 'n': 99999999999, 'dist': 'ramp', 'seed': 1, " POST) "]}",
       "from 0 to 268435456"},
      {"{'datasets': [" SET("a", "'type': 'f32', 'n': 1, 'dist': 'ramp', 'seed': 'x', " POST) "]}",
       "key \"seed\": expected a whole number"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    sl_error e = {0};
    sl_catalog c;
    put(catalog, table[i].text);
    bool ok = sl__catalog_load(catalog, &c, &e);
    if (ok || !strstr(e.text, table[i].says))
      fail_msg("row %zu: expected \"%s\", found %s", i, table[i].says, ok ? "success" : e.text);
    assert_int_equal(e.code, SL_EXIT_INPUT);
    assert_non_null(strstr(e.text, "catalog.json"));
  }
}

TEST(bad_manifests) {
  static const struct {
    const char *text, *says;
  } table[] = {
      {"{}", "expected an object with a list \"files\""},
      {"{'files': []}", "expected generator 1, found 0"},
      {"{'generator': 99, 'files': []}", "expected generator 1, found 99"},
      {"{'generator': 1, 'files': [{}]}", "file number 1: key \"name\""},
      {"{'generator': 1, 'files': [{'name': 'a', 'sha256': '12', 'bytes': 1}]}", "expected 64 digits"},
      {"{'generator': 1, 'files': [{'name': 'a', 'sha256': '12', 'bytes': -1}]}",
       "key \"bytes\": expected a whole"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    sl_error e = {0};
    sl_manifest m;
    put(manifest, table[i].text);
    bool ok = sl__manifest_load(manifest, &m, &e);
    if (ok || !strstr(e.text, table[i].says)) fail_msg("row %zu: %s", i, ok ? "success" : e.text);
  }
}

// Writes the good catalog and the manifest that belongs to it.
static void put_good(void) {
  sl_error e = {0};
  sl_catalog c;
  const sl_set *sets[2];
  sl_catalog_entry entries[2];
  char hex[2][65];
  put(catalog, GOOD);
  if (!sl__catalog_load(catalog, &c, &e)) fail_msg("%s", e.text);
  assert_int_equal(c.n, 2);
  for (int i = 0; i < 2; i++) {
    sl_array a;
    sets[i] = &c.sets[i];
    assert_true(sl__set_make(sets[i], &a, &e));
    entries[i] = (sl_catalog_entry){c.sets[i].name, hex[i], sl__set_hash(&a, hex[i])};
    free(a.data);
  }
  char *text = sl__manifest_text(sets, entries, 2);
  put(manifest, text);
  free(text);
  sl__catalog_free(&c);
}

TEST(find_generates_then_loads) {
  put_good();
  SL_FREED char *folder = sl_path("%s/new/data", dir), *file = sl_path("%s/keys.npy", folder);
  sl_dataset_paths paths = {catalog, manifest, folder};
  uint32_t expected[1000];
  sl_error e = {0};
  assert_true(sl_generate(&(sl_gen_spec){"bits", SL_U32, 1000, 2}, expected, &e));
  for (int turn = 0; turn < 2; turn++) {
    sl_array a;
    char hex[65];
    if (!sl_dataset_find(&paths, "keys", &a, hex, &e)) fail_msg("%s", e.text);
    assert_int_equal(a.type, SL_U32);
    assert_int_equal(a.n, 1000);
    assert_memory_equal(a.data, expected, sizeof expected);
    assert_int_equal(strlen(hex), 64);
    assert_true(sl_is_file(file));
    free(a.data);
  }
}

// Damages keys.npy in one way each, and expects the words; the damaged file must stay as it is.
TEST(damaged_files) {
  put_good();
  SL_FREED char *file = sl_path("%s/keys.npy", dir);
  sl_dataset_paths paths = {catalog, manifest, dir};
  static const struct {
    size_t cut;
    long flip;
    bool other_type;
    const char *says;
  } table[] = {
      {0, 2000, false, "keys.npy: corrupted: expected SHA-256 "},
      {0, 3, false, "corrupted header: "},
      {1, -1, false, "keys.npy: truncated: expected 4128 bytes, found 4127"},
      {4128, -1, false, "truncated: expected 4128 bytes, found 0"},
      {4100, -1, false, "truncated: expected 4128 bytes, found 28"},
      {0, -1, true, "keys.npy: mislabelled: expected 1000 elements of u32, found 1000 of i32"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char bytes[4128];
    sl_error e = {0};
    sl_array a;
    size_t head = sl_npy_header(table[i].other_type ? SL_I32 : SL_U32, 1000, bytes), len;
    assert_true(sl_generate(&(sl_gen_spec){"bits", SL_U32, 1000, 2}, bytes + head, &e));
    if (table[i].flip >= 0) bytes[table[i].flip] ^= 1;
    assert_true(sl_write_file(file, bytes, sizeof bytes - table[i].cut, &e));
    bool ok = sl_dataset_find(&paths, "keys", &a, NULL, &e);
    if (ok || !strstr(e.text, table[i].says))
      fail_msg("row %zu: expected \"%s\", found %s", i, table[i].says, ok ? "success" : e.text);
    assert_int_equal(e.code, SL_EXIT_INPUT);
    char *now = sl_read_file(file, 1 << 20, &len, NULL);
    assert_int_equal(len, sizeof bytes - table[i].cut);
    assert_memory_equal(now, bytes, len);
    free(now);
  }
}

TEST(refusals) {
  put_good();
  sl_dataset_paths paths = {catalog, manifest, dir};
  sl_array a;
  sl_error e = {0};
  assert_false(sl_dataset_find(&paths, "keyz", &a, NULL, &e));
  assert_string_equal(e.text, "unknown dataset 'keyz'");
  assert_string_equal(e.hint, "did you mean keys?");
  put(manifest, "{\"generator\": 1, \"files\": []}");
  e = (sl_error){0};
  assert_false(sl_dataset_find(&paths, "ten", &a, NULL, &e));
  assert_non_null(strstr(e.text, "expected an entry in the manifest"));
  paths.catalog = "/nonexistent/catalog.json";
  e = (sl_error){0};
  assert_false(sl_dataset_find(&paths, "ten", &a, NULL, &e));
  assert_non_null(strstr(e.text, "/nonexistent/catalog.json"));
}

// The course's own catalog and manifest belong together: every set is generated, checked and hashed.
TEST(course_catalog) {
  sl_error e = {0};
  sl_catalog c;
  sl_manifest m;
  char *catalog_path = sl__default_path("catalog.json"), *manifest_path = sl__default_path("manifest.json");
  if (!sl__catalog_load(catalog_path, &c, &e) || !sl__manifest_load(manifest_path, &m, &e))
    fail_msg("%s", e.text);
  assert_int_equal(m.n, c.n);
  size_t total = 0;
  for (size_t i = 0; i < c.n; i++) {
    sl_array a;
    char hex[65];
    const sl_catalog_entry *entry = sl__manifest_find(&m, c.sets[i].name, &e);
    if (!entry || !sl__set_make(&c.sets[i], &a, &e)) fail_msg("%s", e.text);
    total += sl__set_hash(&a, hex);
    assert_string_equal(hex, entry->sha256);
    free(a.data);
  }
  assert_true(c.n >= 14 && total < (64u << 20));
  sl__catalog_free(&c);
  sl__manifest_free(&m);
  free(catalog_path);
  free(manifest_path);
}

int main(void) { return RUN_TESTS(setup, teardown); }
