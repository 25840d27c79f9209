// Hashes, nonces and the key that authenticates kept records.
//
// Interface: sl__hash for data, sl__hash_file for files, sl__hmac for authentication; sl__store_key reads the
// key of the build folder or makes it, readable by its owner alone. SHA-256 and HMAC come from Nettle.
#include "grade.h"
#include "base/sha256.h"

#include <nettle/hmac.h>
#include <sys/random.h>

void sl__hash(const void *data, size_t len, char out[SL_HEX256]) {
  struct sha256_ctx md;
  sha256_init(&md);
  sl_sha256_add(&md, data, len);
  sl_sha256_end(&md, out);
}

bool sl__hash_file(const char *path, char out[SL_HEX256], sl_error *e) {
  size_t len;
  SL_FREED void *data = sl_read_file(path, (size_t)1 << 30, &len, e);
  if (!data) return false;
  sl__hash(data, len, out);
  return true;
}

void sl__hmac(const unsigned char key[32], const char *text, char out[SL_HEX256]) {
  struct hmac_sha256_ctx mac;
  unsigned char digest[SHA256_DIGEST_SIZE];
  hmac_sha256_set_key(&mac, 32, key);
  hmac_sha256_update(&mac, strlen(text), (const unsigned char *)text);
  hmac_sha256_digest(&mac, sizeof digest, digest);
  sl_hex(digest, sizeof digest, out);
}

bool sl__random(void *out, size_t len, sl_error *e) {
  if (getrandom(out, len, 0) == (ssize_t)len) return true;
  return sl_fail(e, SL_EXIT_INFRA, NULL, "the system gave no random bytes: %s", strerror(errno));
}

void sl__key_id(const unsigned char key[32], char out[SL_KEY_ID]) {
  char hex[SL_HEX256];
  sl__hmac(key, "name of this key", hex);
  snprintf(out, SL_KEY_ID, "%.16s", hex);
}

// Gives the file [tmp] the name [path] too, if nobody has it. Where there are no hard links it is moved;
// where a move cannot spare an older file either, the last one wins.
static bool name_key(const char *tmp, const char *path) {
  if (link(tmp, path) == 0 || errno == EEXIST) return true;
  if (renameat2(AT_FDCWD, tmp, AT_FDCWD, path, RENAME_NOREPLACE) == 0 || errno == EEXIST) return true;
  return (errno == EINVAL || errno == ENOSYS) && rename(tmp, path) == 0;
}

// Writes a new key beside [path] and gives it that name. Two graders that start at once use the first's.
static bool make_key(const char *path, sl_error *e) {
  unsigned char key[32];
  if (!sl__random(key, sizeof key, e)) return false;
  SL_FREED char *tmp = sl_path("%s.XXXXXX", path);
  int fd = mkostemp(tmp, O_CLOEXEC), err = errno; // mode 0600
  struct stat st;
  const bool is_open = fd >= 0 && fstat(fd, &st) == 0 && st.st_mode & 077; // as on exFAT, whatever the mode
  bool ok = fd >= 0 && !is_open && write(fd, key, sizeof key) == sizeof key && fsync(fd) == 0;
  if (fd >= 0) {
    ok = close(fd) == 0 && ok && name_key(tmp, path);
    err = errno;
    unlink(tmp);
  }
  if (is_open)
    return sl_fail(e, SL_EXIT_INFRA, "name a file on another disk with --key FILE",
                   "%s: the key of kept records cannot lie there: others may read every file of that disk",
                   path);
  return ok || sl_fail(e, sl_write_fault(err), NULL, "%s: cannot write the key of kept records: %s", path,
                       strerror(err));
}

// Why an open file is no key; NULL: it is one.
static const char *unfit_key(const struct stat *st) {
  if (!S_ISREG(st->st_mode)) return "it is no regular file";
  if (st->st_size == 33 || st->st_size == 34)
    return "it has a byte or two more than 32: was it opened in an editor, which added a line end?";
  if (st->st_size != 32) return "it does not have 32 bytes";
  if (st->st_uid != geteuid()) return "it belongs to another user";
  if (st->st_mode & 077) return "others may read or change it";
  return NULL;
}

// Reads the key. *missing: there is no file of that name.
static bool read_key(const char *path, unsigned char key[32], bool *missing, sl_error *e) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  *missing = fd < 0 && errno == ENOENT;
  const char *why = fd < 0 && errno == ELOOP        ? "it is a link"
                    : fd < 0 || fstat(fd, &st) != 0 ? strerror(errno)
                                                    : unfit_key(&st);
  if (!why && read(fd, key, 32) != 32) why = "it cannot be read";
  if (fd >= 0) close(fd);
  return !why || sl_fail(e, SL_EXIT_INPUT,
                         "a key is a file of 32 bytes that its owner alone may read (chmod 600); where there "
                         "is no file of that name a new key is made",
                         "%s: is no key: %s", path, why);
}

bool sl__store_key(const char *path, unsigned char key[32], sl_error *e) {
  bool missing;
  sl_error first = {0};
  if (read_key(path, key, &missing, &first)) return true;
  if (!missing) return *e = first, false;
  return make_key(path, e) && read_key(path, key, &missing, e);
}
