// For LD_PRELOAD: the machine looks like WSL, whose kernel is called $WSL_RELEASE; with $WSL_DRIVE every
// folder is on a drive of Windows.
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

int uname(struct utsname *u) {
  memset(u, 0, sizeof *u);
  strcpy(u->sysname, "Linux");
  strcpy(u->machine, "x86_64");
  strncpy(u->release, getenv("WSL_RELEASE"), sizeof u->release - 1);
  return 0;
}

int statfs(const char *, struct statfs *fs) {
  memset(fs, 0, sizeof *fs);
  fs->f_type = getenv("WSL_DRIVE") ? 0x01021997 : 0xef53;
  return 0;
}
