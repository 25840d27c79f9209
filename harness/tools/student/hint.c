// scanlab hint NN lists a lab's TODO regions; scanlab hint NN.K helps with region K. Hints stand in lab.json.
#include "student.h"

// Damaged markers: the regions that are shown are the skeleton's.
static void show_damage(const sl_error *why) {
  if (why->code) sl__wrap(stdout, "  note   ", "         ", why->text);
}

static int list_regions(const sl_lab *lab) {
  SL_FREED char *path = sl_lab_kernel(lab->info->name);
  char head[32];
  SL_SKELETON s = {0};
  sl_error e = {0}, why = {0};
  bool ok = sl_skeleton_mend(path, lab->info, &s, &why, &e);
  if (ok) printf("%s\n", sl_short_path(path));
  if (!ok) return sl__stop("hint", &e);
  show_damage(&why);
  for (size_t k = 0; k < s.n; k++) {
    snprintf(head, sizeof head, "  %s.%-3zu %-6s ", lab->info->number, k + 1,
             s.at[k].open ? "open" : "edited");
    sl__wrap(stdout, head, "                ", s.at[k].text);
  }
  size_t first = 0; // the first open one
  while (first + 1 < s.n && !s.at[first].open) first++;
  SL_FREED char *last = sl_path("%zu of %zu open. A hint for one: %s hint %s.%zu", s.n_open, s.n,
                                sl_scanlab(), lab->info->number, s.n_open ? first + 1 : 1);
  putchar('\n');
  sl__wrap(stdout, "", "  ", last);
  return SL_EXIT_OK;
}

static int show_hint(const sl_lab *lab, const char *number) {
  SL_FREED char *path = sl_lab_kernel(lab->info->name);
  char advice[64];
  int64_t k;
  SL_SKELETON s = {0};
  sl_error e = {0}, why = {0};
  if (!sl_parse_int(number, 1, (int64_t)lab->n_hints, &k)) {
    snprintf(advice, sizeof advice, "./scanlab hint %s lists them", lab->info->number);
    sl_fail(&e, SL_EXIT_USAGE, advice, "lab %s has regions %s.1 to %s.%zu, and no \"%s.%s\"", lab->info->name,
            lab->info->number, lab->info->number, lab->n_hints, lab->info->number, number);
  } else {
    if (sl_skeleton_mend(path, lab->info, &s, &why, NULL) && (size_t)k <= s.n) {
      if (why.code) show_damage(&why);
      else printf("%s:%u:1\n", sl_short_path(path), s.at[k - 1].first);
      sl__wrap(stdout, "  task  ", "        ", s.at[k - 1].text);
    }
    sl__wrap(stdout, "  hint  ", "        ", lab->hints[k - 1]);
  }
  return e.code ? sl__stop("hint", &e) : SL_EXIT_OK;
}

int sl__hint(int argc, char **argv) {
  const sl_cli cli = {"scanlab hint",
                      "Shows the TODO regions of a lab (LAB), or a hint for one of them (LAB.K).",
                      "./scanlab hint 03.2", "LAB[.K]", NULL};
  sl_error e = {0};
  sl_cli_parse(&cli, argc, argv, NULL);
  SL_FREED char *name = sl_path("%s", argv[1]);
  char *slash = strrchr(name, '/'), *dot = strchr(slash ? slash : name, '.');
  if (dot && (!strcmp(dot, ".cu") || dot == name)) dot = NULL; // labs/03_blelloch/kernel.cu, or this folder
  if (dot) *dot = 0;
  SL_LAB_FREED sl_lab *lab = sl__load_lab(name, &e);
  return !lab ? sl__stop("hint", &e) : dot ? show_hint(lab, dot + 1) : list_regions(lab);
}
