// The private folder that holds the socket of a simulated GPU.
//
// Interface: folder.h. It is 0700 (mkdtemp), so only this user's programs can connect. Where both processes
// are killed nobody removes it: a later start does. A lock says that the starter is still there.
#include "gpu/start/folder.h"

#include <sys/file.h>
#include <time.h>

#define PREFIX "scanlab-gpu-"
#define UNKNOWN "XXXXXX"
enum { OLD_SECONDS = 60 }; // a new one may not be locked yet

// Removes the folder [fd] of [base] with its files, if it is this user's and nobody holds it.
static void sweep_folder(int base, const char *name, int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & 077) ||
      st.st_mtime > time(NULL) - OLD_SECONDS || flock(fd, LOCK_EX | LOCK_NB) != 0)
    return;
  const int own = dup(fd); // closedir closes it
  DIR *d = own < 0 ? NULL : fdopendir(own);
  for (struct dirent *f; d && (f = readdir(d));) unlinkat(fd, f->d_name, 0);
  if (d) closedir(d);
  unlinkat(base, name, AT_REMOVEDIR);
}

// Removes what earlier ones left in [base].
static void sweep(const char *base) {
  SL_LISTED DIR *d = opendir(base);
  for (struct dirent *f; d && (f = readdir(d));) {
    if (strncmp(f->d_name, PREFIX, strlen(PREFIX)) || strlen(f->d_name) != strlen(PREFIX UNKNOWN)) continue;
    const int fd = openat(dirfd(d), f->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) continue;
    sweep_folder(dirfd(d), f->d_name, fd);
    close(fd);
  }
}

bool sl__folder_make(sl_gpu_folder *f, sl_error *e) {
  const char *base = getenv("TMPDIR");
  if (!base || base[0] != '/' || strlen(base) > 60) base = "/tmp";
  sweep(base);
  snprintf(f->path, sizeof f->path, "%s/" PREFIX UNKNOWN, base);
  if (!mkdtemp(f->path)) {
    f->path[0] = 0;
    return sl_fail(e, SL_EXIT_INFRA, "set TMPDIR to a folder that can be written to",
                   "cannot make a folder in %s: %s", base, strerror(errno));
  }
  f->lock = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (f->lock >= 0) flock(f->lock, LOCK_SH);
  snprintf(f->socket, sizeof f->socket, "%s/gpu", f->path);
  f->slots[0] = sl_remove_on_signal(f->socket), f->slots[1] = sl_remove_on_signal(f->path);
  return true;
}

void sl__folder_remove(const sl_gpu_folder *f) {
  if (f->path[0] == 0) return;
  unlink(f->socket);
  rmdir(f->path);
}

void sl__folder_end(sl_gpu_folder *f) {
  sl__folder_remove(f);
  if (f->path[0] == 0) return;
  sl_keep_on_signal(f->slots[0]), sl_keep_on_signal(f->slots[1]);
  if (f->lock >= 0) close(f->lock);
}
