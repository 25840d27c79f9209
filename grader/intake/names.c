// What the names of files say: whose they are, and what kind.
//
// Interface: sl__export_name knows the names of two systems' exports.
//   Canvas:  mullerbjorn_LATE_12345_67890_kernel.cu     name, late or not, student, number of the file
//   Moodle:  Björn Müller_4711_assignsubmission_file_   a folder, or a file with its own name behind it
// sl__archive_name, sl__is_source and sl__is_rubbish tell kinds by endings and by well-known names.
// sl__name_in_order and sl__each_order take a person's name apart, in whichever order a system wrote it.
#include "intake/intake.h"

#include <ctype.h>

// Archives that are read, and kinds that students hand in as well: those get the reader's reason.
static const char *const endings[] = {".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".tar.lzma", ".tgz",
                                      ".txz",    ".tbz",    ".tbz2",    ".zip",     ".tar",      ".rar",
                                      ".7z",     ".gz",     ".xz",      ".bz2",     ".zst",      NULL};

static bool ends_in(const char *name, const char *ending) {
  size_t n = strlen(name), k = strlen(ending);
  return n > k && !strcasecmp(name + n - k, ending);
}

bool sl__is_source(const char *name) { return ends_in(name, ".cu"); }

size_t sl__archive_name(const char *name) {
  for (int i = 0; endings[i]; i++)
    if (ends_in(name, endings[i])) return strlen(name) - strlen(endings[i]);
  return 0;
}

bool sl__is_archive(const char *path) {
  char begin[4096];
  SL_CLOSED FILE *f = fopen(path, "rb");
  size_t n = f ? fread(begin, 1, sizeof begin, f) : 0;
  return sl__archive_name(sl_base_name(path)) || memchr(begin, 0, n);
}

bool sl__is_rubbish(const char *name) {
  return name[0] == '.' || !strcmp(name, "__MACOSX") || !strcasecmp(name, "Thumbs.db") ||
         !strcasecmp(name, "desktop.ini");
}

// Is the word (or part between commas) one that stands behind a name?
static bool is_suffix(const char *s) {
  static const char *const suffixes[] = {"jr", "sr", "ii", "iii", "iv", "esq", "phd", NULL};
  char plain[64];
  sl__plain(s, plain, sizeof plain);
  for (int k = 0; strlen(s) <= 6 && suffixes[k]; k++)
    if (!strcmp(plain, suffixes[k])) return true;
  return false;
}

typedef struct parts {
  const char *first, *last, *suffix; // last is "" where nothing tells which part that is
} parts;

static const char *join(sl_arena *a, const char *s, const char *t) {
  return sl__str(a, "%s%s%s", s, *s && *t ? " " : "", t);
}

static parts split_name(sl_arena *a, const char *name) {
  parts n = {"", "", ""};
  const char *first_part = NULL;
  for (char *at = sl__str(a, "%s", name), *part; (part = strsep(&at, ","));) {
    part += strspn(part, " \t");
    for (size_t len = strlen(part); len && strchr(" \t", part[len - 1]);) part[--len] = 0;
    if (!*part) continue;
    if (first_part && is_suffix(part)) n.suffix = join(a, n.suffix, part);
    else if (!first_part) first_part = part;
    else n.first = join(a, n.first, part);
  }
  if (*n.first) n.last = first_part;
  else n.first = first_part ? first_part : "";
  const char *blank = strrchr(n.first, ' ');
  if (blank && is_suffix(blank + 1)) {
    n.suffix = join(a, blank + 1, n.suffix);
    n.first = sl__str(a, "%.*s", (int)(blank - n.first), n.first);
  }
  return n;
}

const char *sl__name_in_order(sl_arena *a, const char *name) {
  parts n = split_name(a, name);
  return join(a, join(a, n.first, n.last), n.suffix);
}

static void take_orders(sl_arena *a, const parts *n, sl_take_name *take, void *of) {
  take(of, sl__str(a, "%s%s%s", n->first, n->last, n->suffix));
  take(of, sl__str(a, "%s%s%s", n->last, n->first, n->suffix));
  if (*n->suffix) take(of, sl__str(a, "%s%s%s", n->last, n->suffix, n->first));
}

void sl__each_order(sl_arena *a, const char *name, sl_take_name *take, void *of) {
  const parts n = split_name(a, name);
  take_orders(a, &n, take, of);
  for (const char *blank = *n.last ? NULL : strchr(n.first, ' '); blank; blank = strchr(blank + 1, ' '))
    take_orders(a, &(parts){sl__str(a, "%.*s", (int)(blank - n.first), n.first), blank + 1, n.suffix}, take,
                of);
}

// The length of the number that [s] begins with, if an underscore follows; else 0.
static size_t number_at(const char *s) {
  size_t n = strspn(s, "0123456789");
  return n && s[n] == '_' ? n : 0;
}

static bool canvas_name(sl_arena *a, const char *name, sl_person *p) {
  for (const char *at = strchr(name, '_'); at && at != name; at = strchr(at + 1, '_')) {
    const char *user = strncmp(at, "_LATE_", 6) ? at + 1 : at + 6;
    size_t of_user = number_at(user), of_file = of_user ? number_at(user + of_user + 1) : 0;
    const char *file = user + of_user + of_file + 2;
    if (!of_file || !*file) continue;
    *p = (sl_person){.user = sl__str(a, "%.*s", (int)of_user, user),
                     .late = user != at + 1,
                     .full = sl__str(a, "%.*s", (int)(at - name), name),
                     .file = sl__str(a, "%s", file)};
    p->name = sl__str(a, "%s_%s", p->full, p->user);
    return true;
  }
  return false;
}

static bool moodle_name(sl_arena *a, const char *name, sl_person *p) {
  const char *word = strstr(name, "_assignsubmission_"), *number = word;
  while (number > name && isdigit((unsigned char)number[-1])) number--;
  if (!word || number == word || number < name + 2 || number[-1] != '_') return false;
  const char *kind = word + strlen("_assignsubmission_"), *file = strchr(kind, '_');
  *p = (sl_person){.name = sl__str(a, "%.*s", (int)(word - name), name),
                   .user = sl__str(a, "Participant %.*s", (int)(word - number), number),
                   .full = sl__str(a, "%.*s", (int)(number - 1 - name), name),
                   .file = file && file[1] ? sl__str(a, "%s", file + 1) : NULL};
  return true;
}

bool sl__export_name(sl_arena *a, const char *name, bool folder, sl_person *p) {
  return moodle_name(a, name, p) || (!folder && canvas_name(a, name, p));
}
