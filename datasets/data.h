// The parts of the datasets library, by file in reading order. Public: scanlab/npy.h, generate.h, dataset.h.
#pragma once

#include "base/json.h"
#include "scanlab/dataset.h"
#include "scanlab/generate.h"
#include "scanlab/npy.h"

// The finalizer of SplitMix64: all chance comes from it.
static inline uint64_t sl__mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// about.c ---------------------------------------------------------------------------------------------------

// Brings the numbers of [a] into elements [first, first + count) of the array that [spec] describes, which
// [out] holds as the distribution itself has them. Without numbers: nothing.
void sl__about_fill(const sl_gen_spec *spec, const sl_about *a, size_t first, size_t count, void *out);

// measure.c -------------------------------------------------------------------------------------------------

// A post-condition: the measure must lie in [min, max].
typedef struct sl_bound {
  const char *measure;
  double min, max;
} sl_bound;

// Name and help of measure [index]. [help] is NULL if the measure does not have [type]. False after the last.
bool sl__measure_at(size_t index, sl_type type, const char **name, const char **help);
// Does the measure [name] exist and have [type]? If not, [e] suggests the nearest.
bool sl__measure_check(const char *name, sl_type type, sl_error *e);
// The value of the measure [name], which must exist. NaN if it has none (the minimum of no elements, or of
// NaNs).
double sl__measure(const char *name, const sl_array *a);
// Does every bound hold? If not, [e] names the measure, what is expected and what is found.
bool sl__check_bounds(const char *set, const sl_array *a, const sl_bound *bounds, size_t n, sl_error *e);

// catalog.c -------------------------------------------------------------------------------------------------

// One public set. Strings belong to the catalog.
typedef struct sl_set {
  const char *name, *file, *about;
  sl_gen_spec spec;
  sl_bound *bounds;
  size_t n_bounds;
} sl_set;

typedef struct sl_catalog {
  json_t *json;
  sl_set *sets;
  size_t n;
} sl_catalog;

// What the manifest says about one file. Strings belong to the manifest.
typedef struct sl_catalog_entry {
  const char *name, *sha256;
  uint64_t bytes;
} sl_catalog_entry;

typedef struct sl_manifest {
  json_t *json;
  sl_catalog_entry *entries;
  size_t n;
} sl_manifest;

bool sl__catalog_load(const char *path, sl_catalog *out, sl_error *e);
void sl__catalog_free(sl_catalog *c);
const sl_set *sl__catalog_find(const sl_catalog *c, const char *name, sl_error *e);

bool sl__manifest_load(const char *path, sl_manifest *out, sl_error *e);
void sl__manifest_free(sl_manifest *m);
// The entry of [name]; NULL with an error that says how to add it.
const sl_catalog_entry *sl__manifest_find(const sl_manifest *m, const char *name, sl_error *e);
// The text of a manifest of [n] entries of [sets] (those with a NULL sha256 are left out). malloc'ed.
char *sl__manifest_text(const sl_set *const *sets, const sl_catalog_entry *entries, size_t n);

// dataset.c -------------------------------------------------------------------------------------------------

enum { SL_DATA_GENERATOR = 1 }; // version: raise it when any distribution changes a byte

typedef enum sl_set_state { SL_SET_OK, SL_SET_MISSING, SL_SET_BAD } sl_set_state;

// Generates [set] and checks its post-conditions. The caller frees out->data.
bool sl__set_make(const sl_set *set, sl_array *out, sl_error *e);
// Hashes the file that [a] would be written as. Returns its length, and its SHA-256 in [hex].
uint64_t sl__set_hash(const sl_array *a, char hex[65]);
// Compares the file at [path] with the manifest's [entry]. A good file is read into [out] unless that is
// NULL. For a bad one [e] says missing, unreadable, truncated, too long, mislabelled or corrupted, with
// expected and found.
sl_set_state sl__set_verify(const sl_set *set, const sl_catalog_entry *entry, const char *path, sl_array *out,
                            sl_error *e);
// Generates [set], compares it with [entry], and writes it to [path] if they agree.
bool sl__set_write(const sl_set *set, const sl_catalog_entry *entry, const char *path, sl_array *out,
                   sl_error *e);
// Default places; malloc'ed.
char *sl__default_path(const char *file);
char *sl__default_folder(void);
