// The public datasets of the course, by name.
//
// catalog.json describes each set, manifest.json has the hash of its file. A set is loaded from a folder of
// .npy files and verified against the manifest each time. A missing file is generated first.
#ifndef SCANLAB_DATASET_H
#define SCANLAB_DATASET_H

#include <stdbool.h>
#include "scanlab/npy.h"

struct sl_error;

// Where the datasets are. NULL means the course's own catalog and manifest, and the build's folder of files
// ($SCANLAB_BUILD/datasets, if that is set).
typedef struct sl_dataset_paths {
  const char *catalog, *manifest, *folder;
} sl_dataset_paths;

// Loads the set [name] into [out], whose data the caller frees. [sha256] (NULL: not wanted) gets the file's
// hash. A damaged file is an error and is not replaced; the error for an unknown name suggests the nearest.
bool sl_dataset_find(const sl_dataset_paths *paths, const char *name, sl_array *out, char sha256[65],
                     struct sl_error *e);

#endif
