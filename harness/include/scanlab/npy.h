// One-dimensional arrays as NumPy .npy files (format 1.0 and 2.0, little endian, C order).
//
// Element types: SL_F32 "<f4", SL_I32 "<i4", SL_U32 "<u4" of shape (n,), and SL_AFFINE "<u4" of shape (n, 2).
// The reader is strict: anything else is an error that names expected and found.
#ifndef SCANLAB_NPY_H
#define SCANLAB_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include "scanlab/types.h"

struct sl_error;

enum { SL_NPY_HEADER_MAX = 128 }; // a header written by sl_npy_header is never longer

// An array in memory. [data] is malloc'ed and owned by whoever holds the struct.
typedef struct sl_array {
  sl_type type;
  size_t n;
  void *data;
} sl_array;

// Where the array lies in the bytes of a file: n elements of [type] from byte [offset] to the end.
typedef struct sl_npy {
  sl_type type;
  size_t n;
  size_t offset;
} sl_npy;

// Bytes of one element of [type].
size_t sl_npy_item_size(sl_type type);

// "f32", "i32", "u32", "affine", and back. Another name: false, and [e] suggests the nearest.
const char *sl_npy_type_name(sl_type type);
bool sl_npy_type_parse(const char *name, sl_type *type, struct sl_error *e);

// Parses the [len] bytes of a file and never reads outside them. [name] is the file's name in errors.
bool sl_npy_parse(const char *name, const void *bytes, size_t len, sl_npy *out, struct sl_error *e);

// Reads a file of at most [max_bytes]. The caller frees out->data.
bool sl_npy_read(const char *path, size_t max_bytes, sl_array *out, struct sl_error *e);

// Writes the header of a version 1.0 file of [n] elements to [out]; returns its length, a multiple of 64.
size_t sl_npy_header(sl_type type, size_t n, char out[SL_NPY_HEADER_MAX]);

// Writes a file whole or not at all. Replaces an existing one.
bool sl_npy_write(const char *path, sl_type type, const void *data, size_t n, struct sl_error *e);

#endif
