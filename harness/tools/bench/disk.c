// The last table of `scanlab bench cpu`: how fast datasets reach the disk, beside the disk's own rate.
//
// Interface: sl__bench_disk. For the disk's own rate, a file of the same size is written in pieces of 16 MiB
// past the cache (O_DIRECT) and flushed. If the file system has no O_DIRECT, it is written through the cache.
// All ways take turns, since disks have good and bad moments. The best time of each counts, and its ratio.
#include "data.h"
#include "tools/bench/cpu.h"
#include "scanlab/npy.h"

#include <time.h>

typedef struct disk_job {
  const char *path;
  const uint32_t *data; // at a multiple of 4096 bytes
  size_t n;
  const sl_set *set;
  const sl_catalog_entry *entry;
} disk_job;

enum { DISK_PIECE = 16 << 20, TURNS = 3 };

static bool write_pieces(int fd, const char *p, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    size_t piece = bytes - done < DISK_PIECE ? bytes - done : DISK_PIECE;
    ssize_t put = write(fd, p + done, piece);
    if (put <= 0) return false;
    done += (size_t)put;
  }
  return fsync(fd) == 0;
}

static bool disk_itself(const disk_job *j, sl_error *e) {
  int fd = open(j->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_DIRECT, 0600);
  if (fd < 0) fd = open(j->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool ok = fd >= 0 && write_pieces(fd, (const char *)j->data, j->n * 4 / 4096 * 4096);
  if (fd >= 0) close(fd);
  return ok || sl_fail(e, SL_EXIT_INFRA, "name a folder with room in TMPDIR", "%s: cannot write %zu bytes",
                       j->path, j->n * 4);
}

static bool writer(const disk_job *j, sl_error *e) { return sl_npy_write(j->path, SL_U32, j->data, j->n, e); }
static bool whole_set(const disk_job *j, sl_error *e) {
  return sl__set_write(j->set, j->entry, j->path, NULL, e);
}

static const struct {
  const char *name;
  bool (*run)(const disk_job *j, sl_error *e);
} ways[] = {{"disk itself (O_DIRECT)", disk_itself},
            {".npy writer", writer},
            {"generate, hash and write", whole_set}};
enum { WAYS = sizeof ways / sizeof *ways };

static bool take_turns(const disk_job *j, double best[WAYS], sl_error *e) {
  for (int turn = 0; turn < TURNS; turn++)
    for (int k = 0; k < WAYS; k++) {
      double t = sl_clock(CLOCK_MONOTONIC);
      if (!ways[k].run(j, e)) return false;
      t = sl_clock(CLOCK_MONOTONIC) - t;
      if (turn == 0 || t < best[k]) best[k] = t;
      remove(j->path);
    }
  return true;
}

bool sl__bench_disk(const uint32_t *data, size_t n, sl_error *e) {
  SL_FREED char *path =
      sl_path("%s/scanlab_bench_%d.npy", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid());
  char hex[65];
  sl_set set = {.name = "bench", .spec = {.dist = "uniform", .type = SL_U32, .seed = 1, .n = n}};
  sl_catalog_entry entry = {.sha256 = hex};
  sl_array a;
  bool ok = sl__set_make(&set, &a, e);
  double best[WAYS];
  if (ok) entry.bytes = sl__set_hash(&a, hex), free(a.data);
  disk_job j = {path, data, n, &set, &entry};
  ok = ok && take_turns(&j, best, e);
  if (ok)
    printf("\ndatasets on the disk, %zu bytes to %s, flushed, best of %d\n%-24s %9s %12s\n", n * 4, path,
           TURNS, "way", "GB/s", "of the disk");
  for (int k = 0; ok && k < WAYS; k++)
    printf("%-24s %9.2f %12.2f\n", ways[k].name, 4e-9 * (double)n / best[k], best[0] / best[k]);
  remove(path);
  return ok;
}
