// sl-data, the program behind `scanlab datasets`: list, generate, verify, measure, manifest.
//
// Interface: sl-data COMMAND [options] [NAME...]; without names, all sets of the catalog. Each command is a
// row of COMMANDS. `generate` leaves good files alone and refuses to replace others unless --force is given;
// `verify` names every bad file. Exit codes: scanlab/exit.h (verify: 1 when a file is bad).
#include "data.h"

#include <math.h>

// The input of a command: options, catalog, manifest, and the sets that were named.
typedef struct job {
  const char *tool, *catalog_path, *manifest_path, *folder;
  bool force, json;
  sl_catalog catalog;
  sl_manifest manifest;
  const sl_set **sets;
  size_t n;
  bool all; // no set was named
} job;

static int report_job(const job *j, const sl_error *e) {
  sl_error_print(j->tool, e);
  return e->code;
}

static bool exists(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0;
}

// list ------------------------------------------------------------------------------------------------------

static int list_json(const job *j) {
  json_t *list = json_array();
  for (size_t i = 0; i < j->n; i++) {
    const sl_set *s = j->sets[i];
    json_array_append_new(list, json_pack("{ss ss ss sI ss sI ss}", "name", s->name, "file", s->file, "type",
                                          sl_npy_type_name(s->spec.type), "n", (json_int_t)s->spec.n, "dist",
                                          s->spec.dist, "seed", (json_int_t)s->spec.seed, "about", s->about));
  }
  SL_FREED char *text = json_dumps(list, JSON_INDENT(1));
  printf("%s\n", text);
  json_decref(list);
  return SL_EXIT_OK;
}

static int cmd_list(job *j) {
  enum { ABOUT = 61 }; // its column
  if (j->json) return list_json(j);
  printf("%-20s %-6s %8s  %-15s %4s  %s\n", "NAME", "TYPE", "N", "DISTRIBUTION", "SEED", "WHAT FOR");
  for (size_t i = 0; i < j->n; i++) {
    const sl_set *s = j->sets[i];
    printf("%-20s %-6s %8zu  %-15s %4llu  ", s->name, sl_npy_type_name(s->spec.type), s->spec.n, s->spec.dist,
           (unsigned long long)s->spec.seed);
    if (isatty(STDOUT_FILENO)) sl_print_words(stdout, s->about, ABOUT, ABOUT, SL_COLUMNS);
    else puts(s->about); // a line each, for programs
  }
  return SL_EXIT_OK;
}

// generate --------------------------------------------------------------------------------------------------

static bool keep_place(const char *path, const char *what, sl_error *e) {
  return sl_fail(e, SL_EXIT_INPUT, "remove it, or name another folder with --out",
                 "%s: is %s, no regular file: it stays as it is", path, what);
}

// What leads to no regular file is not opened: a pipe would wait for a reader, a device take the bytes.
static bool is_readable_place(const char *path, sl_error *e) {
  struct stat st;
  if (stat(path, &st) != 0 || S_ISREG(st.st_mode)) return true;
  return keep_place(path,
                    S_ISDIR(st.st_mode)    ? "a folder"
                    : S_ISFIFO(st.st_mode) ? "a named pipe"
                    : S_ISSOCK(st.st_mode) ? "a socket"
                                           : "a device",
                    e);
}

// A link leads to a file of somebody else: what it names is not written, and the link is not replaced.
static bool is_writable_place(const char *path, sl_error *e) {
  struct stat st;
  if (!is_readable_place(path, e)) return false;
  return lstat(path, &st) != 0 || !S_ISLNK(st.st_mode) || keep_place(path, "a link", e);
}

static bool generate_one(const job *j, const sl_set *set, sl_error *e) {
  const sl_catalog_entry *entry = sl__manifest_find(&j->manifest, set->name, e);
  if (!entry) return false;
  SL_FREED char *path = sl_path("%s/%s", j->folder, set->file);
  sl_error why = {0};
  sl_set_state state = sl__set_verify(set, entry, path, NULL, &why);
  bool write = state == SL_SET_MISSING || (state == SL_SET_BAD && j->force);
  bool ok =
      state == SL_SET_OK || (write && is_writable_place(path, e) && sl__set_write(set, entry, path, NULL, e));
  if (!ok && !write) sl_fail(e, why.code, why.hint, "%s", why.text);
  if (ok) printf("%-10s %s\n", !write ? "up to date" : state == SL_SET_BAD ? "rewritten" : "written", path);
  return ok;
}

static bool same_file(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// Replaces the contents of [path] by [text] if they differ. Unless [replaceable], that needs --force.
static bool write_text(const job *j, const char *path, const char *text, bool replaceable, sl_error *e) {
  size_t len;
  if (!is_readable_place(path, e)) return false;
  char *old = exists(path) ? sl_read_file(path, 4 << 20, &len, e) : NULL;
  bool same = old && strcmp(old, text) == 0;
  free(old);
  if (e->code) return false;
  if (same) return true;
  if (old && !replaceable && !j->force)
    return sl_fail(e, SL_EXIT_INPUT, "--force replaces it",
                   "%s: exists and differs from what would be written", path);
  return is_writable_place(path, e) && sl_write_file(path, text, strlen(text), e);
}

static bool is_manifest(const char *path) {
  sl_manifest m;
  if (!sl__manifest_load(path, &m, NULL)) return false;
  sl__manifest_free(&m);
  return true;
}

// Writes the manifest of the sets whose files are in the folder now.
static bool write_folder_manifest(const job *j, sl_error *e) {
  const sl_catalog *c = &j->catalog;
  SL_FREED char *path = sl_path("%s/manifest.json", j->folder);
  const sl_set **sets = calloc(c->n + 1, sizeof *sets);
  sl_catalog_entry *entries = calloc(c->n + 1, sizeof *entries);
  for (size_t i = 0; i < c->n; i++) {
    char *file = sl_path("%s/%s", j->folder, c->sets[i].file);
    const sl_catalog_entry *entry =
        exists(file) ? sl__manifest_find(&j->manifest, c->sets[i].name, NULL) : NULL;
    sets[i] = &c->sets[i];
    if (entry) entries[i] = *entry;
    free(file);
  }
  char *text = sl__manifest_text(sets, entries, c->n);
  bool ok = same_file(path, j->manifest_path) || write_text(j, path, text, is_manifest(path), e);
  free(text);
  free(entries);
  free(sets);
  return ok;
}

static int cmd_generate(job *j) {
  sl_error e = {0};
  int code = SL_EXIT_OK;
  if (!sl_mkdirs(j->folder, &e)) return report_job(j, &e);
  for (size_t i = 0; i < j->n && code != SL_EXIT_INFRA; i++) {
    e = (sl_error){0};
    if (!generate_one(j, j->sets[i], &e)) code = report_job(j, &e);
  }
  e = (sl_error){0};
  if (code == SL_EXIT_OK && !write_folder_manifest(j, &e)) code = report_job(j, &e);
  return code;
}

// verify ----------------------------------------------------------------------------------------------------

static bool verify_one(const job *j, const sl_set *set) {
  sl_error e = {0};
  const sl_catalog_entry *entry = sl__manifest_find(&j->manifest, set->name, &e);
  SL_FREED char *path = sl_path("%s/%s", j->folder, set->file);
  bool ok = entry && sl__set_verify(set, entry, path, NULL, &e) == SL_SET_OK;
  if (ok) printf("good  %s\n", path);
  else report_job(j, &e);
  return ok;
}

// Reports each .npy file of the folder that is in no catalog; returns their number.
static size_t find_extra(const job *j) {
  size_t extra = 0;
  DIR *d = opendir(j->folder);
  for (struct dirent *f; d && (f = readdir(d));) {
    const char *end = strrchr(f->d_name, '.');
    bool known = !end || strcmp(end, ".npy") != 0;
    for (size_t i = 0; i < j->catalog.n; i++) known |= strcmp(f->d_name, j->catalog.sets[i].file) == 0;
    if (known) continue;
    sl_error e = {0};
    sl_fail(&e, SL_EXIT_FAILED, "remove it, or add it to the catalog",
            "%s/%s: extra file: expected only files of the catalog", j->folder, f->d_name);
    report_job(j, &e);
    extra++;
  }
  if (d) closedir(d);
  return extra;
}

// Is there none of the files? Then one line says so, instead of one for each.
static bool has_none(const job *j) {
  for (size_t i = 0; i < j->n; i++) {
    SL_FREED char *path = sl_path("%s/%s", j->folder, j->sets[i]->file);
    if (exists(path)) return false;
  }
  return true;
}

static int report_none(const job *j) {
  sl_error e = {0};
  SL_FREED char *usual = sl__default_folder();
  SL_FREED char *out = sl_shell_line((char *const[]){"--out", (char *)j->folder, NULL}, NULL);
  SL_FREED char *hint = sl_path("./scanlab datasets generate%s%s makes them",
                                strcmp(j->folder, usual) ? " " : "", strcmp(j->folder, usual) ? out : "");
  sl_fail(&e, SL_EXIT_FAILED, hint, "%s: none of the %zu datasets is there", j->folder, j->n);
  return report_job(j, &e);
}

static int cmd_verify(job *j) {
  struct stat st;
  if (stat(j->folder, &st) != 0 || !S_ISDIR(st.st_mode)) {
    sl_error e = {0};
    sl_fail(&e, SL_EXIT_INPUT, "./scanlab datasets generate makes the files; --out names another folder",
            "%s: there is no such folder", j->folder);
    return report_job(j, &e);
  }
  size_t good = 0, extra = j->all ? find_extra(j) : 0;
  if (j->n > 1 && has_none(j)) return report_none(j);
  for (size_t i = 0; i < j->n; i++) good += verify_one(j, j->sets[i]);
  printf("%zu of %zu datasets good\n", good, j->n);
  return good == j->n && extra == 0 ? SL_EXIT_OK : SL_EXIT_FAILED;
}

// measure ---------------------------------------------------------------------------------------------------

static void print_measures(const sl_set *set, const sl_array *a) {
  const char *name, *help;
  printf("%s\n", set->name);
  for (size_t m = 0; sl__measure_at(m, a->type, &name, &help); m++)
    if (help) printf("  %-14s %24.17g  %s\n", name, sl__measure(name, a), help);
}

static int cmd_measure(job *j) {
  for (size_t i = 0; i < j->n; i++) {
    sl_error e = {0};
    sl_set free_set = *j->sets[i];
    free_set.n_bounds = 0; // shows the values even where they violate a bound
    sl_array a;
    if (!sl__set_make(&free_set, &a, &e)) return report_job(j, &e);
    print_measures(&free_set, &a);
    free(a.data);
  }
  return SL_EXIT_OK;
}

// manifest --------------------------------------------------------------------------------------------------

static int cmd_manifest(job *j) {
  sl_error e = {0};
  sl_catalog_entry *entries = calloc(j->n + 1, sizeof *entries);
  char(*hex)[65] = calloc(j->n + 1, sizeof *hex);
  bool ok = j->all || sl_fail(&e, SL_EXIT_USAGE, NULL, "manifest takes no names: it describes every set");
  for (size_t i = 0; ok && i < j->n; i++) {
    sl_array a;
    ok = sl__set_make(j->sets[i], &a, &e);
    if (!ok) break;
    entries[i] = (sl_catalog_entry){j->sets[i]->name, hex[i], sl__set_hash(&a, hex[i])};
    free(a.data);
  }
  if (ok) {
    char *text = sl__manifest_text(j->sets, entries, j->n);
    ok = write_text(j, j->manifest_path, text, false, &e);
    if (ok) printf("%s: hashes of %zu dataset%s\n", j->manifest_path, j->n, sl_plural(j->n));
    free(text);
  }
  free(hex);
  free(entries);
  return ok ? SL_EXIT_OK : report_job(j, &e);
}

// Program ---------------------------------------------------------------------------------------------------

static const struct command {
  const char *name, *tool, *purpose, *example;
  bool needs_manifest;
  int (*run)(job *j);
} COMMANDS[] = {
    {"list", "scanlab datasets list", "Shows the public datasets.", "./scanlab datasets list --json", false,
     cmd_list},
    {"generate", "scanlab datasets generate", "Writes the .npy files; replaces others only with --force.",
     "./scanlab datasets generate --out /tmp/data keys_u32", true, cmd_generate},
    {"verify", "scanlab datasets verify",
     "Compares every file with the manifest and names those that differ.", "./scanlab datasets verify", true,
     cmd_verify},
    {"measure", "scanlab datasets measure",
     "Prints measures of the sets: sums, inversions, digits and so on.",
     "./scanlab datasets measure keys_u32", false, cmd_measure},
    {"manifest", "scanlab datasets manifest", "Makes every set in memory and writes the manifest of hashes.",
     "./scanlab datasets manifest --force", false, cmd_manifest},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

static void print_overview(FILE *out) {
  fprintf(out,
          "usage: %s datasets COMMAND [OPTION...] [NAME...]\n\nLists, writes and checks the public datasets "
          "of the course.\n\n"
          "example:\n  %s datasets verify\n\ncommands:\n",
          sl_scanlab(), sl_scanlab());
  for (int c = 0; c < COMMAND_COUNT; c++) fprintf(out, "  %-9s %s\n", COMMANDS[c].name, COMMANDS[c].purpose);
  fprintf(out, "\n%s datasets COMMAND --help shows the options of one.\n", sl_scanlab());
}

static const struct command *find_command(const char *name) {
  const char *names[COMMAND_COUNT + 1] = {0};
  for (int c = 0; c < COMMAND_COUNT; c++) {
    names[c] = COMMANDS[c].name;
    if (strcmp(name, names[c]) == 0) return &COMMANDS[c];
  }
  const char *near = sl_nearest(name, names);
  sl_error e = {0};
  char hint[96];
  snprintf(hint, sizeof hint, near ? "did you mean %s?" : "see ./scanlab datasets --help%s",
           near ? near : "");
  sl_fail(&e, SL_EXIT_USAGE, hint, "unknown command '%s'", name);
  sl_error_print("scanlab datasets", &e);
  return NULL;
}

static void parse(job *j, const struct command *c, int argc, char **argv, int *names) {
  const sl_opt opts[] = {
      SL_OPT_TEXT("--catalog", &j->catalog_path, "FILE", "catalog of the sets (default: the course's)"),
      SL_OPT_TEXT("--manifest", &j->manifest_path, "FILE", "hashes of their files (default: the course's)"),
      SL_OPT_TEXT("--out", &j->folder, "DIR", "folder of the files (default: datasets in the build folder)"),
      SL_OPT_FLAG("--force", &j->force, "replace files that differ"),
      SL_OPT_FLAG("--json", &j->json, "list: write JSON"),
      SL_OPT_END};
  const sl_cli cli = {c->tool, c->purpose, c->example, "[NAME...]", opts};
  sl_cli_parse(&cli, argc, argv, names);
}

// Loads the catalog, the manifest and the named sets.
static bool load_job(job *j, const struct command *c, char **names, int n, sl_error *e) {
  if (!sl__catalog_load(j->catalog_path, &j->catalog, e)) return false;
  if (c->needs_manifest && !sl__manifest_load(j->manifest_path, &j->manifest, e)) return false;
  j->all = n == 0;
  j->n = n ? (size_t)n : j->catalog.n;
  j->sets = calloc(j->n + 1, sizeof *j->sets);
  for (size_t i = 0; i < j->n; i++) {
    j->sets[i] = n ? sl__catalog_find(&j->catalog, names[i], e) : &j->catalog.sets[i];
    if (!j->sets[i]) return false;
  }
  return true;
}

int main(int argc, char **argv) {
  sl_cli_parse(&(sl_cli){.tool = "scanlab datasets"}, 1, argv, NULL); // output that is lost is an error
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_overview(argc < 2 ? stderr : stdout);
    return argc < 2 ? SL_EXIT_USAGE : SL_EXIT_OK;
  }
  const struct command *c = find_command(argv[1]);
  if (!c) return SL_EXIT_USAGE;
  char *catalog = sl__default_path("catalog.json"), *manifest = sl__default_path("manifest.json");
  char *folder = sl__default_folder();
  job j = {.tool = c->tool, .catalog_path = catalog, .manifest_path = manifest, .folder = folder};
  int names = 0;
  sl_error e = {0};
  parse(&j, c, argc - 1, argv + 1, &names);
  int code = load_job(&j, c, argv + 2, names, &e) ? c->run(&j) : report_job(&j, &e);
  sl__catalog_free(&j.catalog);
  sl__manifest_free(&j.manifest);
  free(j.sets);
  free(catalog);
  free(manifest);
  free(folder);
  return code;
}
