// What sl-steps prepares once of the headers that all kernels include: a precompiled header for the
// host compiler, and for the host's front end and the device compiler the memory of a process that
// has read them (resume.c), but for what is left out (left_out.c).
//
// Interface: steps.h. headers.h and headers.h.gch are the host compiler's; NAME.text is what a compiler has
// read, NAME.image its memory; NAME.names is what a kernel must not name. They are used for a kernel whose
// text begins so; whatever goes wrong, the step is run from the start with the whole text.
#include "compile/resume.h"
#include "compile/steps.h"

#include <sys/wait.h>

const char *const sl__side_names[N_STEPS] = {
    [HOST_TEXT] = "front", [HOST_FRONT] = "front", [DEVICE_TEXT] = "device", [DEVICE] = "device"};

// The steps that are taken up behind the headers: how their source's name ends, and which step writes it.
static const struct {
  const char *source;
  unsigned text;
} resumed[N_STEPS] = {[HOST_FRONT] = {".cpp4.ii\"", HOST_TEXT}, [DEVICE] = {".cpp1.ii\"", DEVICE_TEXT}};

// The name in the command that ends so, in quotes; malloc'ed. NULL: there is none.
static char *quoted_name(const char *command, const char *ending) {
  const char *end = strstr(command, ending), *start = end;
  while (start && start > command && *start != '"') start--;
  return start && *start == '"' ? sl_path("%.*s%s", (int)(end - start), start, ending) : NULL;
}

static char *host_source(const steps *s) { return quoted_name(s->command[HOST], ".cudafe1.cpp\""); }

static char *unquoted(const char *quoted) {
  return quoted ? sl_path("%.*s", (int)strlen(quoted) - 2, quoted + 1) : NULL;
}

static char *read_quoted(const char *quoted) {
  SL_FREED char *path = unquoted(quoted);
  return path ? sl_read_file(path, MAX_TEXT, NULL, NULL) : NULL;
}

const char *sl__end_of_headers(const char *text) {
  const char *name = strchr(text, '"'), *at = strchr(text, '\n');
  const int len = name && at && name < at ? (int)(at - name) : 0;
  while (len && at && (at = strstr(at, "\n# "))) {
    const char *here = at + 3 + strspn(at + 3, "0123456789");
    if (*here == ' ' && !strncmp(here + 1, name, (size_t)len)) return at + 1;
    at += 3;
  }
  return NULL;
}

// Taken up behind the headers -------------------------------------------------------------------------------

// The command as resume.c wants it. The folder's name, in an option and in PWD, would make one process larger
// than another. The loader would take a blank in the library's path for the end of its name, so that a link
// in this folder stands for it.
static char *resumed_command(const char *command, const char *source, size_t length) {
  static const char option[] = "--orig_src_path_name \"";
  static const char link_name[] = "./sl-resume.so";
  SL_FREED char *library = sl_tool_path("sl-resume.so");
  const char *at = strstr(command, option), *path = at ? at + strlen(option) : "", *end = strchr(path, '"');
  const char *name = end ? memrchr(path, '/', (size_t)(end - path)) : NULL;
  if (!name || (symlink(library, link_name) != 0 && errno != EEXIST)) return NULL;
  return sl_path("PWD=. LD_PRELOAD=%s " SL_RESUME_INPUT "=%s " SL_RESUME_LENGTH "=%zu exec %.*s%s", link_name,
                 source, length, (int)(path - command), command, name + 1);
}

static void store(const steps *s, unsigned kind) {
  SL_FREED char *source = quoted_name(s->command[kind], resumed[kind].source), *text = read_quoted(source);
  const char *end = text ? sl__end_of_headers(text) : NULL;
  SL_FREED char *command = end ? resumed_command(s->command[kind], source, (size_t)(end - text)) : NULL,
                *text_file = sl_path("%s.text", sl__side_names[kind]),
                *image = sl_path("%s.image", sl__side_names[kind]);
  const int fd = command ? open(image, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
  const bool ok = fd >= 0 && sl__run_step(kind, command, "stored.log", fd).code == 0 &&
                  sl_write_passing(text_file, text, (size_t)(end - text), NULL);
  struct stat st = {0};
  if (fd >= 0) fstat(fd, &st), close(fd);
  if (!ok || !st.st_size) unlink(image);
  if (!ok) return;
  text[end - text] = 0;
  sl__prepare_text(s, resumed[kind].text, text);
}

// The length of the headers if the kernel's text begins with those that were stored; 0: it does not.
static size_t stored_headers(const char *text_file, const char *text) {
  size_t len = 0;
  SL_FREED char *headers = sl_read_file(text_file, MAX_TEXT, &len, NULL);
  return headers && text && !strncmp(text, headers, len) ? len : 0;
}

static void append_log(const char *from, const char *log) {
  SL_FREED char *text = sl_read_file(from, MAX_TEXT, NULL, NULL);
  FILE *f = log ? fopen(log, "a") : stdout;
  if (text && f) fputs(text, f);
  if (f && log) fclose(f);
}

bool sl__resume(const steps *s, unsigned kind, const char *log, ended *e) {
  if (!resumed[kind].source || !s->headers) return false;
  SL_FREED char *source = quoted_name(s->command[kind], resumed[kind].source), *text = read_quoted(source),
                *text_file = sl_path("%s/%s.text", s->headers, sl__side_names[kind]),
                *image = sl_path("%s/%s.image", s->headers, sl__side_names[kind]),
                *said = sl_path("%s.resumed", sl__side_names[kind]);
  const size_t len = stored_headers(text_file, text);
  SL_FREED char *command = len ? resumed_command(s->command[kind], source, len) : NULL;
  const int fd = command ? open(image, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return false;
  *e = sl__run_step(kind, command, said, fd);
  close(fd);
  if (e->code == 0) append_log(said, log);
  else unlink(said);
  return e->code == 0;
}

ended sl__run_whole(const steps *s, unsigned kind, const char *log) {
  const unsigned text = resumed[kind].text;
  ended e = {0};
  if (resumed[kind].source && s->headers) e = sl__run_step(text, s->command[text], log, -1);
  return e.code ? e : sl__run_step(kind, s->command[kind], log, -1);
}

// Takes the step up from what has just been stored, which gives its output, too. The exit code. Memory that
// cannot be taken up on this system is not kept: every kernel would try it in vain.
static int try_out(const steps *s, unsigned kind) {
  steps here = *s;
  ended e = {0};
  SL_FREED char *image = sl_path("%s.image", sl__side_names[kind]);
  here.headers = ".";
  if (sl__resume(&here, kind, "stored.log", &e)) return 0;
  unlink(image);
  return sl__run_step(kind, s->command[kind], "stored.log", -1).code;
}

// The precompiled header ------------------------------------------------------------------------------------

// Splits the headers off and compiles them. The exit code.
static int precompile(const steps *s) {
  SL_FREED char *quoted = host_source(s), *text = read_quoted(quoted);
  const char *end = text ? sl__end_of_headers(text) : NULL, *start = end ? strchr(text, '\n') + 1 : NULL;
  SL_FREED char *first = quoted ? sl__with(s->command[HOST], " -c -x c++ ", " -x c++-header ") : NULL,
                *named = first ? sl__with(first, quoted, "\"headers.h\"") : NULL;
  char *to = named ? strrchr(named, '"') : NULL;
  while (to && to > named && *--to != '"') {
  }
  SL_FREED char *command = to ? sl_path("%.*s\"headers.h.gch\"", (int)(to - named), named) : NULL;
  if (!start || !command || !sl_write_passing("headers.h", start, (size_t)(end - start), NULL)) return 1;
  return sl__run_step(HOST, command, NULL, -1).code;
}

void sl__spare_headers(steps *s) {
  SL_FREED char *path = s->headers ? sl_path("%s/headers.h", s->headers) : NULL, *quoted = host_source(s),
                *text = read_quoted(quoted);
  const char *start = text ? strchr(text, '\n') : NULL;
  const size_t len = path && start ? stored_headers(path, start + 1) : 0;
  if (!len) return;
  SL_FREED char *words = sl_path("-include \"%s\" \"below.cpp\"", path);
  char *command = sl__with(s->command[HOST], quoted, words);
  const char *below = start + 1 + len;
  if (command && sl_write_passing("below.cpp", below, strlen(below), NULL)) s->command[HOST] = command;
}

// Takes out of the step's source what is left out.
static bool leave_out(const steps *s, unsigned kind) {
  SL_FREED char *source = quoted_name(s->command[kind], resumed[kind].source), *path = unquoted(source),
                *text = read_quoted(source), *names = NULL, *kept = text ? sl__leave_out(text, &names) : NULL,
                *names_file = sl_path("%s.names", sl__side_names[kind]);
  return kept && sl_write_passing(path, kept, strlen(kept), NULL) &&
         sl_write_passing(names_file, names, strlen(names), NULL);
}

static int prepare_side(const steps *s, unsigned kind) {
  const unsigned text = resumed[kind].text;
  const int code = sl__run_step(text, s->command[text], "stored.log", -1).code;
  if (code) return code;
  if (!leave_out(s, kind)) return 1;
  store(s, kind);
  return try_out(s, kind);
}

int sl__prepare_headers(const steps *s) {
  int status = 0;
  const pid_t device = fork();
  if (device == 0) _exit(prepare_side(s, DEVICE));
  const int code = prepare_side(s, HOST_FRONT);
  while (device > 0 && waitpid(device, &status, 0) < 0 && errno == EINTR) {
  }
  return code ? code : precompile(s);
}
