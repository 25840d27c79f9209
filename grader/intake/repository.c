// Submissions in repositories: a file with one repository a line, and the commit of each that counts.
//
// Interface: a line is a URL or a path (relative to the file), and before it, if wanted, the student's name
// and a comma or a blank (a name with commas in quotes); without a name the repository's is taken. # begins a
// comment. sl__fetch_commit copies a folder's repository (local_copy.c), or clones without a work tree, hooks
// or submodules, takes the newest commit of the main line that is not later than the deadline, and writes it
// as a tar file, read like any other archive. Times of commits are those that the student's git wrote.
#include "intake/intake.h"

#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>

enum { CLONE_SECONDS = 300, GIT_SECONDS = 60, MAX_SAID = 4000, MAX_LINE = 2000 };

// The list --------------------------------------------------------------------------------------------------

static bool is_url(const char *s) {
  static const char *const schemes[] = {"https://", "http://", "ssh://", "git://", "file://", "git@", NULL};
  for (int i = 0; schemes[i]; i++)
    if (!strncasecmp(s, schemes[i], strlen(schemes[i]))) return true;
  return false;
}

static char *trim(char *s) {
  s += strspn(s, " \t\r");
  size_t n = strlen(s);
  while (n && strchr(" \t\r", s[n - 1])) s[--n] = 0;
  return s;
}

// The name of a repository: the last part of its URL, without ".git".
static const char *repository_name(sl_arena *a, const char *url) {
  char *copy = sl__str(a, "%s", url);
  size_t n = strlen(copy);
  while (n && copy[n - 1] == '/') copy[--n] = 0;
  if (n > 4 && !strcmp(copy + n - 4, ".git")) copy[n - 4] = 0;
  n = strlen(copy);
  while (n && copy[n - 1] == '/') copy[--n] = 0;
  const char *slash = strrchr(copy, '/'), *colon = strrchr(copy, ':');
  return slash ? slash + 1 : colon ? colon + 1 : copy;
}

typedef struct list_line {
  const char *name, *url;
} list_line;

// Where in [text] the repository begins, behind a name: after the first comma, semicolon or tab behind its
// quotes, if it has any, else after the last blank. [text] itself: there is no name.
static char *behind_name(char *text) {
  char *quote = *text == '"' ? strchr(text + 1, '"') : NULL, *mark = strpbrk(quote ? quote : text, ",;\t");
  if (!mark) mark = strrchr(text, ' ');
  return mark ? mark + 1 : text;
}

// "Smith, Jr." without its quotes.
static char *unquoted(char *name) {
  size_t n = strlen(name);
  if (n < 3 || name[0] != '"' || name[n - 1] != '"') return name;
  name[n - 1] = 0;
  return name + 1;
}

static const char *whole_path(sl_arena *a, const char *folder, const char *url) {
  return is_url(url) || *url == '/' ? url : sl__str(a, "%s/%s", folder, url);
}

// A path may have blanks in it if it is there as it stands.
static list_line split_line(sl_arena *a, const char *folder, char *line) {
  char *comment = strchr(line, '#');
  if (comment && (comment == line || comment[-1] == ' ' || comment[-1] == '\t')) *comment = 0;
  char *text = trim(line), *url = behind_name(text);
  if (!*text) return (list_line){NULL, NULL};
  if (url == text || sl_is_dir(whole_path(a, folder, text)))
    return (list_line){repository_name(a, text), whole_path(a, folder, text)};
  url[-1] = 0;
  url = trim(url), text = unquoted(trim(text));
  return (list_line){*text ? text : repository_name(a, url), whole_path(a, folder, url)};
}

static bool is_repository(const char *url) { return is_url(url) || sl_is_dir(url); }

static void take_line(sl_grading *g, const char *folder, char *line, size_t *real) {
  list_line l = split_line(g->arena, folder, line);
  if (!l.url) return;
  *real += is_repository(l.url);
  sl__add_submission(g, &(sl_person){.name = l.name},
                     (sl_handed_piece){SL_PIECE_REPOSITORY, sl__str(g->arena, "%s", l.url), "commit.tar"});
}

bool sl__take_list(sl_grading *g, const char *path, sl_error *e) {
  size_t real = 0;
  char *at = sl__read_text(g->arena, path, "class is a folder, or a list of repositories as text", e), *line;
  SL_FREED char *folder = sl_folder_of(path);
  if (!at) return false;
  size_t number = 0;
  while ((line = strsep(&at, "\n")))
    if (number++, strlen(line) < MAX_LINE) take_line(g, folder, sl__str(g->arena, "%s", line), &real);
    else sl__leave_out(g, sl__str(g->arena, "line %zu", number), "it is longer than 2000 bytes");
  g->is_class = true;
  g->class_dir = NULL;
  return real ||
         sl_fail(e, SL_EXIT_INPUT,
                 "a class is a folder of submissions, or a file with a URL or a path of a repository a line",
                 "%s: expected a folder of submissions, found a file that is no archive and names no "
                 "repository",
                 path);
}

// git -------------------------------------------------------------------------------------------------------

// Runs git, which may write files of SL_MAX_REPOSITORY bytes.
static sl_exit_status run_limited(char *const argv[], double seconds, char **said) {
  struct rlimit own, small;
  getrlimit(RLIMIT_FSIZE, &own);
  small = own;
  if (small.rlim_cur > SL_MAX_REPOSITORY) small.rlim_cur = SL_MAX_REPOSITORY;
  setrlimit(RLIMIT_FSIZE, &small);
  sl_exit_status end = sl_run(argv, NULL, seconds, MAX_SAID, said, NULL);
  setrlimit(RLIMIT_FSIZE, &own);
  return end;
}

// Runs git; *out gets what it said. Returns the first line that tells why it failed; NULL: it did not.
static const char *run_git(sl_arena *a, char *const argv[], double seconds, char **out) {
  char *said = NULL;
  sl_exit_status end = run_limited(argv, seconds, &said);
  const char *text = said ? sl__str(a, "%s", said) : "";
  free(said);
  *out = sl__str(a, "%.*s", (int)strcspn(text, "\n"), text);
  if (end.code == 0) return NULL;
  if (end.timed_out) return sl__str(a, "git took more than %.0f s", seconds);
  if (end.signal == SIGXFSZ) return "it is larger than 1 GiB";
  const char *fatal = strstr(text, "fatal: ");
  if (!fatal) fatal = *text ? text : "git is missing, or failed without a word";
  return sl__safe(a, sl__str(a, "%.*s", (int)strcspn(fatal, "\n"), fatal));
}

static int remove_entry(const char *path, const struct stat *, int, struct FTW *) { return remove(path); }

static void remove_clone(const char *clone) { nftw(clone, remove_entry, 32, FTW_DEPTH | FTW_PHYS); }

// The folder of a URL that is one on this machine; NULL: it is on another.
static const char *local_folder(const char *url) {
  const char *path = strncasecmp(url, "file://", 7) ? url : url + 7;
  return is_url(path) ? NULL : path;
}

// An empty repository with what is safe of the one in [folder].
static const char *copy_it(sl_arena *a, const char *folder, const char *clone) {
  char *out;
  const char *why =
      run_git(a, SL_ARGV("git", "init", "--quiet", "--bare", "--template=", clone), GIT_SECONDS, &out);
  return why ? why : sl__copy_repository(a, folder, clone);
}

static void prepare_git(void) {
  setenv("GIT_TERMINAL_PROMPT", "0", 1); // nobody is there to answer
  setenv("GIT_SSH_COMMAND", "ssh -o BatchMode=yes", 0);
  setenv("GIT_ALLOC_LIMIT", "1g", 0);
}

static const char *clone_it(sl_arena *a, const char *url, const char *clone) {
  char *out;
  char *const *argv =
      SL_ARGV("git", "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never", "-c",
              "core.fsmonitor=false", "clone", "--quiet", "--bare", "--no-tags", "--no-hardlinks",
              "--single-branch", "--no-recurse-submodules", "--", url, clone);
  return run_git(a, argv, CLONE_SECONDS, &out);
}

// The commit that counts: *hash, *time. Without a deadline git hears of one commit twice.
static const char *choose_commit(sl_grading *g, const char *clone, char **hash, const char **time) {
  const char *deadline = g->course.deadline,
             *until = deadline ? sl__str(g->arena, "--until=%s", deadline) : "-1";
  char *at;
  char *const *log = SL_ARGV("git", "--no-replace-objects", "--git-dir", clone, "log", "--first-parent",
                             "--format=%H %ct", "-1", until, "HEAD", "--");
  const char *why = run_git(g->arena, log, GIT_SECONDS, &at);
  if (why) return strstr(why, "'HEAD'") ? "it has no commit" : why; // that is how git says it
  if (strlen(at) < 42) return "it has no commit before the deadline";
  *hash = sl__str(g->arena, "%.*s", (int)strcspn(at, " "), at);
  *time = sl__utc(g->arena, (time_t)strtoll(at + strlen(*hash), NULL, 10));
  return NULL;
}

const char *sl__fetch_commit(sl_grading *g, sl_intake *in, const char *url, const char *tar) {
  char *clone = sl__str(g->arena, "%s.git", tar), *hash = NULL, *out;
  char *output = sl__str(g->arena, "--output=%s", tar);
  if (!is_repository(url)) return "there is no such folder";
  prepare_git();
  remove_clone(clone); // a killed grading has left it
  const char *folder = local_folder(url);
  const char *why = folder ? copy_it(g->arena, folder, clone) : clone_it(g->arena, url, clone);
  if (!why) why = choose_commit(g, clone, &hash, &in->handed_in);
  if (!why) {
    char *const *argv =
        SL_ARGV("git", "--no-replace-objects", "--git-dir", clone, "archive", "--format=tar", output, hash);
    why = run_git(g->arena, argv, GIT_SECONDS, &out);
    in->commit = hash;
  }
  remove_clone(clone);
  return why;
}
