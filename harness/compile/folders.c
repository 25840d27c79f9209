// The folders of builds: what goes when one ends, or was interrupted. Interface: folders.h.
#include "compile/folders.h"

#include <signal.h>

void sl__remove_files(const char *path, const char *const *but) {
  SL_LISTED DIR *d = opendir(path);
  for (struct dirent *f; d && (f = readdir(d));) {
    const char *const *kept = but;
    while (*kept && strcmp(f->d_name, *kept)) kept++;
    if (!*kept) unlinkat(dirfd(d), f->d_name, 0);
  }
}

void sl__remove_folder(const char *path) {
  static const char *const nothing[] = {NULL};
  sl__remove_files(path, nothing);
  rmdir(path);
}

void sl__sweep_folders(const char *root) {
  SL_LISTED DIR *d = opendir(root);
  for (struct dirent *f; d && (f = readdir(d));) {
    char *end;
    if (strncmp(f->d_name, "tmp.", 4)) continue;
    long pid = strtol(f->d_name + 4, &end, 10);
    if (*end || pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH) continue;
    SL_FREED char *path = sl_path("%s/%s", root, f->d_name);
    sl__remove_folder(path);
  }
}
