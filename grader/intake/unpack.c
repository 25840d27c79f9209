// Reads an archive of a stranger in a process that can do nothing but read it and answer.
//
// Interface: sl__unpack runs in a child of the grader (archive.c). It opens no file, starts nothing, and has
// 10 s of processor time and 512 MiB. It tells its parent every .cu file as a frame, and every entry that it
// does not take: links, devices, paths that lead outside, files that are too large, what is encrypted or
// damaged. It writes no file.
#include "intake/intake.h"
#include "jail/jail.h"
#include "jail/sandbox.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum {
  MAX_ENTRIES = 20000,
  MAX_UNPACKED = 256 << 20, // bytes of all entries together
  MAX_TAKEN = 32 << 20,     // bytes of all .cu files
  MAX_SOURCES = 500,
  MAX_PATH = 1024,
  MAX_DEPTH = 16,
  END_SHOWN = 60, // bytes of each end of a long path
  MEMORY = 512 << 20
};

typedef struct reader {
  struct archive *archive;
  struct archive_entry *entry;
  int file, answer;
  size_t entries, unpacked, taken, sources;
  char path[MAX_PATH]; // this entry's, tidy
  char *text;          // SL_MAX_KERNEL + 1 bytes
} reader;

static void write_whole(int fd, const void *data, size_t len) {
  if (!sl_write_all(fd, data, len)) _exit(1); // nobody listens
}

static void tell(const reader *r, sl_told_kind kind, const char *path, const void *data, size_t len) {
  sl_told f = {kind, (uint32_t)strlen(path), (uint32_t)len};
  write_whole(r->answer, &f, sizeof f);
  write_whole(r->answer, path, f.path);
  write_whole(r->answer, data, len);
}

static _Noreturn void give_up(const reader *r, const char *why) {
  tell(r, SL_TOLD_PROBLEM, "", why, strlen(why));
  _exit(0);
}

// What libarchive says, one line of it; [otherwise] if it says nothing.
static const char *said_of(const reader *r, const char *otherwise, char *out, size_t cap) {
  const char *said = archive_error_string(r->archive);
  if (!said) said = otherwise;
  snprintf(out, cap, "%.*s", (int)strcspn(said, "\n"), said);
  return out;
}

static _Noreturn void give_up_damaged(const reader *r) {
  char said[300], why[400];
  snprintf(why, sizeof why, "the archive is damaged or cut short: %s",
           said_of(r, "it ends too early", said, sizeof said));
  give_up(r, why);
}

// Does the file begin as an archive does? libarchive wants more bytes than these to know a kind.
static bool begins_as_archive(const char *head, size_t len) {
  static const struct {
    size_t at, len;
    const char *bytes;
  } kinds[] = {
      {0, 2, "\037\213"}, {0, 6, "\3757zXZ\0"}, {0, 4, "PK\3\4"}, {0, 4, "PK\5\6"}, {257, 5, "ustar"},
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (len >= kinds[k].at + kinds[k].len && !memcmp(head + kinds[k].at, kinds[k].bytes, kinds[k].len))
      return true;
  return false;
}

// Does the file hold something whole, compressed alone, such as a kernel.cu.gz?
static bool is_compressed_file(const reader *r) {
  static char some[1 << 16];
  struct archive *a = archive_read_new();
  struct archive_entry *entry;
  ssize_t got = -1;
  archive_read_support_filter_gzip(a);
  archive_read_support_filter_xz(a);
  archive_read_support_format_raw(a);
  lseek(r->file, 0, SEEK_SET);
  if (archive_read_open_fd(a, r->file, sizeof some) == ARCHIVE_OK &&
      archive_read_next_header(a, &entry) == ARCHIVE_OK)
    for (size_t all = 0; all < MAX_UNPACKED && (got = archive_read_data(a, some, sizeof some)) > 0;)
      all += (size_t)got;
  return got == 0 && archive_filter_count(a) > 1;
}

// No entry could be read: is it an archive of a known kind at all? libarchive says "Unrecognized" if not.
static _Noreturn void give_up_unread(const reader *r) {
  const char *said = archive_error_string(r->archive);
  char head[512];
  ssize_t len = pread(r->file, head, sizeof head, 0);
  if (len == 0) give_up(r, "the file is empty");
  if (said && !strstr(said, "Unrecognized")) give_up_damaged(r);
  if (is_compressed_file(r))
    give_up(r, "it holds one compressed file and no archive: hand in the .cu file itself, or a zip");
  if (len > 0 && begins_as_archive(head, (size_t)len))
    give_up(r, "the archive is cut short: only its first bytes are there");
  give_up(r, "expected an archive of a kind that is read: zip, tar, tar.gz, tar.xz");
}

// Is this byte in the middle of a UTF-8 character?
static bool is_inside(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

// Shows both ends of a path that would fill the screen.
static void refuse(const reader *r, const char *path, const char *why) {
  char shown[2 * END_SHOWN + 5];
  size_t len = strlen(path), head = END_SHOWN, tail = len - END_SHOWN;
  if (len >= sizeof shown) {
    while (head > 0 && is_inside(path[head])) head--;
    while (is_inside(path[tail])) tail++;
    snprintf(shown, sizeof shown, "%.*s .. %s", (int)head, path, path + tail);
    path = shown;
  }
  tell(r, SL_TOLD_REFUSED, path, why, strlen(why));
}

// Names -----------------------------------------------------------------------------------------------------

// Appends the part [part] of [len] bytes to the tidy path. Why it cannot be one, NULL: it can.
static const char *add_part(reader *r, const char *part, size_t len, int *depth) {
  size_t used = strlen(r->path);
  if (len == 0 || (len == 1 && *part == '.')) return NULL;
  if (len == 2 && part[0] == '.' && part[1] == '.') return "its path leads outside with '..'";
  if (++*depth > MAX_DEPTH) return "it lies more than 16 folders deep";
  if (used + len + 2 > sizeof r->path) return "its path is longer than 1000 bytes";
  snprintf(r->path + used, sizeof r->path - used, "%s%.*s", used ? "/" : "", (int)len, part);
  return NULL;
}

// Makes the tidy path of an entry: slashes, no "." and no empty parts. Why it is none that can be taken.
static const char *tidy(reader *r, const char *name) {
  const char *why = NULL;
  int depth = 0;
  r->path[0] = 0;
  if (*name == '/' || *name == '\\' || (*name && name[1] == ':')) return "its path is absolute";
  for (const char *part = name; *part && !why;) {
    size_t len = strcspn(part, "/\\");
    why = add_part(r, part, len, &depth);
    part += len + (part[len] != 0);
  }
  return why;
}

// Is any part of the path hidden or left behind by a system?
static bool is_rubbish(const char *path) {
  for (char part[MAX_PATH]; *path; path += path[strlen(part)] ? strlen(part) + 1 : strlen(part)) {
    snprintf(part, sizeof part, "%.*s", (int)strcspn(path, "/"), path);
    if (sl__is_rubbish(part)) return true;
  }
  return false;
}

// Entries ---------------------------------------------------------------------------------------------------

static const char *wrong_kind(struct archive_entry *entry) {
  if (archive_entry_hardlink(entry)) return "it is a hard link; it must be a regular file";
  if (archive_entry_is_encrypted(entry)) return "it is encrypted";
  switch (archive_entry_filetype(entry)) {
  case AE_IFREG: return NULL;
  case AE_IFLNK: return "it is a symbolic link; it must be a regular file";
  case AE_IFIFO: return "it is a named pipe; it must be a regular file";
  case AE_IFSOCK: return "it is a socket; it must be a regular file";
  default: return "it is a device; it must be a regular file";
  }
}

// Reads the data of the entry to their end, so that a bomb shows, and keeps the first [keep] bytes.
// Returns how many there are; negative if they are damaged, and the archive is not.
static int64_t read_data(reader *r, size_t keep) {
  static char rest[1 << 16];
  size_t len = 0;
  for (;;) {
    bool kept = len < keep;
    ssize_t got = archive_read_data(r->archive, kept ? r->text + len : rest, kept ? keep - len : sizeof rest);
    if (got == ARCHIVE_FATAL) give_up_damaged(r);
    if (got < 0) return -1;
    if (got == 0) return (int64_t)len;
    len += (size_t)got;
    r->unpacked += (size_t)got;
    if (r->unpacked > MAX_UNPACKED) give_up(r, "its entries are larger than 256 MiB together: not unpacked");
  }
}

// A file that a tar keeps without its holes ends where the last one begins. A hole is zeros.
static int64_t fill_hole(reader *r, int64_t len) {
  int64_t size = archive_entry_size_is_set(r->entry) ? archive_entry_size(r->entry) : len;
  if (size > SL_MAX_KERNEL) size = SL_MAX_KERNEL + 1;
  if (len < 0 || size <= len) return len;
  memset(r->text + len, 0, (size_t)(size - len));
  return size;
}

static void take_source(reader *r) {
  if (++r->sources > MAX_SOURCES) give_up(r, "it has more than 500 .cu files: not unpacked");
  int64_t len = fill_hole(r, read_data(r, SL_MAX_KERNEL + 1));
  if (len < 0) {
    char said[300];
    refuse(r, r->path, said_of(r, "its data are damaged", said, sizeof said));
  } else if (len > SL_MAX_KERNEL) refuse(r, r->path, "it is larger than 1048576 bytes");
  else if ((r->taken += (size_t)len) > MAX_TAKEN)
    give_up(r, "its .cu files are larger than 32 MiB together: not unpacked");
  else tell(r, SL_TOLD_FILE, r->path, r->text, (size_t)len);
}

static void take_entry(reader *r) {
  const char *name = archive_entry_pathname(r->entry);
  if (++r->entries > MAX_ENTRIES) give_up(r, "it has more than 20000 entries: not unpacked");
  if (!name) name = archive_entry_pathname_utf8(r->entry);
  if (!name) {
    refuse(r, "(an entry)", "its name has an unknown encoding");
    return;
  }
  bool link = archive_entry_hardlink(r->entry) != NULL;
  if (archive_entry_filetype(r->entry) == AE_IFDIR && !link) return;
  const char *why = tidy(r, name);
  if (!why && is_rubbish(r->path)) return;
  if (!why) why = wrong_kind(r->entry);
  if (why) refuse(r, name, why);
  else if (sl__is_source(r->path)) take_source(r);
  else {
    read_data(r, 0);
    if (sl__archive_name(r->path))
      refuse(r, r->path, "archives inside an archive stay closed: hand in the .cu files that it holds");
  }
}

// The process -----------------------------------------------------------------------------------------------

static void limit(int what, rlim_t value) {
  struct rlimit r = {value, value};
  if (setrlimit(what, &r) != 0) sl_jail_refuse("a limit");
}

static void lock_up(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CPU, SL_UNPACK_SECONDS);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__ // its shadow is larger
  limit(RLIMIT_AS, MEMORY);
#endif
  if (sl_sandbox_is_off()) return;
  if (sl_sandbox_find() == SL_SANDBOX_LANDLOCK) sl_jail_files(NULL, 0);
  sl_jail_calls(&(sl_jail_allowed){.who = SL_JAILED_STUDENT});
}

static void open_archive(reader *r) {
  r->archive = archive_read_new();
  if (!r->archive) give_up(r, "out of memory");
  archive_read_support_filter_gzip(r->archive);
  archive_read_support_filter_xz(r->archive);
  archive_read_support_format_zip(r->archive);
  archive_read_support_format_tar(r->archive);
  if (archive_read_open_fd(r->archive, r->file, 1 << 16) != ARCHIVE_OK) give_up_unread(r);
}

void sl__unpack(int archive, int answer) {
  static char text[SL_MAX_KERNEL + 1];
  reader r = {.file = archive, .answer = answer, .text = text};
  setlocale(LC_CTYPE, "C.UTF-8");
  lock_up();
  open_archive(&r);
  int got;
  while ((got = archive_read_next_header(r.archive, &r.entry)) == ARCHIVE_OK || got == ARCHIVE_WARN ||
         got == ARCHIVE_RETRY)
    take_entry(&r);
  if (got != ARCHIVE_EOF) {
    if (!r.entries) give_up_unread(&r);
    give_up_damaged(&r);
  }
  if (!r.entries) give_up(&r, "the archive is empty");
  tell(&r, SL_TOLD_END, "", "", 0);
  _exit(0);
}
