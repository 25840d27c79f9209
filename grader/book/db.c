// The file of a gradebook: opened, asked and changed through SQLite, with every fault in plain words.
//
// Interface: sl__book_open refuses what is no gradebook and changes nothing of it. sl__begin .. sl__end
// bracket a change: SQLite's journal makes it whole or nothing, also when the program is killed in between or
// the disk is full; the next program that opens the book rolls back what was left half done. A second program
// waits at most WAIT_MS for the first.
#include "book.h"

// SCANLAB_BOOK_WAIT_MS: another time
enum { WAIT_MS = 20000, NAP_MS = 50, TOLD_AFTER_MS = 1500 };

// Faults ----------------------------------------------------------------------------------------------------

#define AGAIN "give the command again afterwards: nothing was changed"
static const struct {
  int code, exit;
  const char *text, *hint;
} faults[] = {
    {SQLITE_BUSY, SL_EXIT_INFRA, "another program is using the gradebook",
     "wait until it has ended, and " AGAIN},
    {SQLITE_LOCKED, SL_EXIT_INFRA, "another program is using the gradebook",
     "wait until it has ended, and " AGAIN},
    {SQLITE_FULL, SL_EXIT_INFRA, "the disk is full", "free some space, and " AGAIN},
    {SQLITE_IOERR, SL_EXIT_INFRA, "the disk cannot be read or written",
     "see to the disk (is it full?), and " AGAIN},
    {SQLITE_NOMEM, SL_EXIT_INFRA, "there is not enough memory", AGAIN},
    {SQLITE_CORRUPT, SL_EXIT_INPUT, "the gradebook is damaged",
     "take the last copy of it, and import the classes graded since then once more: what is known is not "
     "added twice"},
    {SQLITE_NOTADB, SL_EXIT_INPUT, "it is no gradebook",
     "name the file that `./scanlab gradebook import` made"},
    {SQLITE_READONLY, SL_EXIT_INPUT, "the gradebook cannot be written",
     "see to its permissions and its folder's"},
    {SQLITE_PERM, SL_EXIT_INPUT, "the gradebook cannot be written",
     "see to its permissions and its folder's"},
    {SQLITE_CANTOPEN, SL_EXIT_INPUT, "the file cannot be opened", "see to the folder and its permissions"},
};

static bool fail_sql(sl_book *b, int code, sl_error *e) {
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
    if (faults[k].code == (code & 0xff))
      return sl_fail(e, faults[k].exit, faults[k].hint, "%s: %s", b->path, faults[k].text);
  return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: %s", b->path,
                 b->db ? sqlite3_errmsg(b->db) : sqlite3_errstr(code));
}

// Statements ------------------------------------------------------------------------------------------------

static bool bind_all(sqlite3_stmt *st, const char *kinds, va_list ap) {
  int code = SQLITE_OK;
  for (int k = 1; code == SQLITE_OK && *kinds; k++, kinds++)
    code = *kinds == 't'   ? sqlite3_bind_text(st, k, va_arg(ap, const char *), -1, SQLITE_TRANSIENT)
           : *kinds == 'i' ? sqlite3_bind_int64(st, k, va_arg(ap, int64_t))
                           : sqlite3_bind_double(st, k, va_arg(ap, double));
  return code == SQLITE_OK;
}

static sqlite3_stmt *prepare(sl_book *b, sl_error *e, const char *sql, const char *kinds, va_list ap) {
  sqlite3_stmt *st = NULL;
  int code = sqlite3_prepare_v2(b->db, sql, -1, &st, NULL);
  if (code == SQLITE_OK && bind_all(st, kinds, ap)) return st;
  fail_sql(b, code ? code : sqlite3_errcode(b->db), e);
  sqlite3_finalize(st);
  return NULL;
}

sqlite3_stmt *sl__query(sl_book *b, sl_error *e, const char *sql, const char *kinds, ...) {
  va_list ap;
  va_start(ap, kinds);
  sqlite3_stmt *st = prepare(b, e, sql, kinds, ap);
  va_end(ap);
  return st;
}

bool sl__next(sl_book *b, sqlite3_stmt *st, sl_error *e) {
  int code = st ? sqlite3_step(st) : SQLITE_DONE;
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) fail_sql(b, code, e);
  sqlite3_finalize(st);
  return false;
}

bool sl__do(sl_book *b, sl_error *e, const char *sql, const char *kinds, ...) {
  va_list ap;
  va_start(ap, kinds);
  sqlite3_stmt *st = prepare(b, e, sql, kinds, ap);
  va_end(ap);
  int code = st ? sqlite3_step(st) : SQLITE_ERROR;
  if (st && code != SQLITE_DONE && code != SQLITE_ROW) fail_sql(b, code, e);
  sqlite3_finalize(st);
  return st && (code == SQLITE_DONE || code == SQLITE_ROW);
}

int64_t sl__value(sl_book *b, sl_error *e, const char *sql, const char *kinds, ...) {
  va_list ap;
  va_start(ap, kinds);
  sqlite3_stmt *st = prepare(b, e, sql, kinds, ap);
  va_end(ap);
  if (!sl__next(b, st, e)) return 0;
  int64_t v = sqlite3_column_int64(st, 0);
  sqlite3_finalize(st);
  return v;
}

const char *sl__text(sl_book *b, sqlite3_stmt *st, int column) {
  const char *s = (const char *)sqlite3_column_text(st, column);
  return s ? sl__str(b->a, "%s", s) : NULL;
}

bool sl__begin(sl_book *b, sl_error *e) {
  if (!sl__do(b, e, "BEGIN IMMEDIATE", "")) return false;
  b->naps = 0;
  return true;
}

bool sl__end(sl_book *b, bool keep, sl_error *e) {
  if (keep && sl__do(b, e, "COMMIT", "")) return true;
  if (!sqlite3_get_autocommit(b->db)) sl__do(b, NULL, "ROLLBACK", "");
  return !keep;
}

// The file --------------------------------------------------------------------------------------------------

static bool make_tables(sl_book *b, sl_error *e) {
  SL_FREED char *ids =
      sl_path("PRAGMA application_id = %d; PRAGMA user_version = %d;", SL_BOOK_ID, SL_BOOK_VERSION);
  bool ok = sl__begin(b, e);
  // Another program may have made them while this one waited.
  bool mine = ok && !sl__value(b, e, "SELECT count(*) FROM sqlite_schema", "") && !e->code;
  int code = mine ? sqlite3_exec(b->db, sl__schema, NULL, NULL, NULL) : SQLITE_OK;
  if (mine && code == SQLITE_OK) code = sqlite3_exec(b->db, ids, NULL, NULL, NULL);
  if (code != SQLITE_OK) ok = fail_sql(b, code, e);
  return ok && sl__end(b, !e->code, e);
}

// Is the open file a book of a form that this program knows? [empty]: it has no tables at all.
static bool check_form(sl_book *b, bool *empty, sl_error *e) {
  int64_t tables = sl__value(b, e, "SELECT count(*) FROM sqlite_schema", "");
  int64_t id = sl__value(b, e, "PRAGMA application_id", ""),
          version = sl__value(b, e, "PRAGMA user_version", "");
  *empty = !tables && !id && !version;
  if (e->code || *empty) return !e->code;
  if (id != SL_BOOK_ID) return fail_sql(b, SQLITE_NOTADB, e);
  return (version >= 1 && version <= SL_BOOK_VERSION) ||
         sl_fail(e, SL_EXIT_INPUT, "use the scanlab that wrote it, or a newer one",
                 "%s: a gradebook of form %lld, and this scanlab knows form %d", b->path, (long long)version,
                 SL_BOOK_VERSION);
}

// A damaged book is refused before anything is taken from it or added to it.
static bool check_whole(sl_book *b, sl_error *e) {
  sqlite3_stmt *st = sl__query(b, e, "PRAGMA quick_check(1)", "");
  bool whole = sl__next(b, st, e) && !strcmp((const char *)sqlite3_column_text(st, 0), "ok");
  if (!e->code) sqlite3_finalize(st);
  return whole || e->code ? whole : fail_sql(b, SQLITE_CORRUPT, e);
}

// A book of form 1 gets the column that it lacks: its rows stay, and have no value there.
static bool renew_form(sl_book *b, sl_error *e) {
  bool ok = sl__begin(b, e);
  // Another program may have done it while this one waited.
  if (ok && sl__value(b, e, "PRAGMA user_version", "") == 1)
    ok = sl__do(b, e, "ALTER TABLE gradings ADD COLUMN edited TEXT", "") &&
         sl__do(b, e, "PRAGMA user_version = 2", "");
  return sl__end(b, ok && !e->code, e) && ok;
}

// A book of form 1 is read through a view that has the column. The file stays as it is.
static bool view_form(sl_book *b, sl_error *e) {
  return sl__do(b, e, "CREATE TEMP VIEW gradings AS SELECT *, NULL AS edited FROM main.gradings", "");
}

// [renew]: rows will be added to gradings.
static bool meet_form(sl_book *b, bool renew, sl_error *e) {
  if (sl__value(b, e, "PRAGMA user_version", "") == SL_BOOK_VERSION || e->code) return !e->code;
  return renew ? renew_form(b, e) : view_form(b, e);
}

// Looks at the file before SQLite does, which would wait for a named pipe, and make what is missing.
static bool check_file(const char *path, bool make, sl_error *e) {
  struct stat st;
  if (!*path) return sl_fail(e, SL_EXIT_INPUT, "name a file with --book", "the gradebook's name is empty");
  if (stat(path, &st) != 0)
    return make ||
           sl_fail(e, SL_EXIT_INPUT, "`./scanlab gradebook import OUT` makes it; --book names another",
                   "%s: there is no such gradebook", path);
  return S_ISREG(st.st_mode) || sl_fail(e, SL_EXIT_INPUT, "name a file with --book",
                                        "%s: expected a gradebook, found no regular file", path);
}

// SQLite takes a file system without locks for a busy one, and would wait. The byte is none that it locks.
static bool check_locks(const char *path, sl_error *e) {
  struct flock one = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0x50000000, .l_len = 1};
  int fd = open(path, O_RDONLY | O_CLOEXEC), why = fd < 0 || fcntl(fd, F_SETLK, &one) == 0 ? 0 : errno;
  if (fd >= 0) close(fd);
  if (why != ENOLCK && why != ENOSYS && why != EOPNOTSUPP) return true;
  return sl_fail(e, SL_EXIT_INFRA, "keep the gradebook on another disk, with --book FILE",
                 "%s: its file system has no locks (%s), and the gradebook needs them", path, strerror(why));
}

// SQLite asks whether to wait. After a long wait this says why, once, however many statements wait in turn.
static int wait_on(void *book, int) {
  sl_book *b = book;
  const int nap = b->naps++;
  if (nap >= b->wait_ms / NAP_MS) return 0;
  if (nap == TOLD_AFTER_MS / NAP_MS)
    fprintf(stderr, "%s: another program is using the gradebook; waiting for it, at most %d s\n", b->path,
            (int)b->wait_ms / 1000);
  usleep(NAP_MS * 1000);
  return 1;
}

static bool set_up(sl_book *b, sl_error *e) {
  sqlite3_extended_result_codes(b->db, 0);
  sqlite3_busy_handler(b->db, wait_on, b);
  return sl__do(b, e, "PRAGMA foreign_keys = ON", "") && sl__do(b, e, "PRAGMA temp_store = MEMORY", "");
}

// With a folder before it a name is that of a file. SQLite would keep the books ":memory:" and
// "file:..?mode=memory" in memory, and they would be gone with the program.
static int open_file(sl_book *b, bool make) {
  SL_FREED char *path = sl_path("%s%s", *b->path == '/' ? "" : "./", b->path);
  return sqlite3_open_v2(path, &b->db, SQLITE_OPEN_READWRITE | (make ? SQLITE_OPEN_CREATE : 0), NULL);
}

bool sl__book_open(sl_book *b, const char *path, bool make, sl_error *e) {
  bool empty = false;
  *b = (sl_book){.path = path, .a = sl__arena_new(), .wait_ms = WAIT_MS};
  if (!sl_env_int("SCANLAB_BOOK_WAIT_MS", 0, 3600000, &b->wait_ms, e) || !check_file(path, make, e))
    return false;
  int code = open_file(b, make);
  if (code != SQLITE_OK) return fail_sql(b, code, e);
  if (!check_locks(path, e) || !set_up(b, e) || !check_form(b, &empty, e)) return false;
  if (empty && make) return make_tables(b, e) && check_form(b, &empty, e);
  if (empty) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: the gradebook is empty", path);
  return check_whole(b, e) && meet_form(b, make, e);
}

void sl__book_close(sl_book *b) {
  sqlite3_close(b->db);
  sl_arena_free(b->a);
}
