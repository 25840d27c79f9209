// scanlab status and scanlab list: where the student stands, and what there is.
#include "student.h"

#include <time.h>

typedef struct row {
  char work[64], score[64], next[96];
} row;

static void put_age(char *out, size_t cap, int64_t seconds) {
  static const struct {
    int64_t size;
    const char *name;
  } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  size_t k = 0;
  while (k < 3 && seconds < units[k].size) k++;
  long long count = seconds < 0 ? 0 : seconds / units[k].size;
  snprintf(out, cap, "%lld %s ago", count, units[k].name);
}

static void put_score(row *r, const sl_last *last, bool changed) {
  char got[16], max[16], age[32];
  if (!last->known) {
    snprintf(r->score, sizeof r->score, "not checked");
    return;
  }
  put_age(age, sizeof age, (int64_t)time(NULL) - last->time);
  snprintf(r->score, sizeof r->score, "%s / %s, %s%s", sl__points(last->score, got),
           sl__points(last->max, max), age, changed ? " *" : "");
}

// Are the points that lack those of the large cases, which only --all runs?
static bool lacks_large(const sl_last *last) {
  return last->left_out > 0 && last->score + last->left_out >= last->max - 0.005;
}

static void put_next(row *r, const sl_skeleton *s, const sl_last *last, bool changed) {
  const char *nn = s->lab->number;
  unsigned k = 1;
  while (k <= s->n && !s->at[k - 1].open) k++;
  if (s->n_open && s->n_untouched < s->n)
    snprintf(r->next, sizeof r->next, "%s hint %s.%u", sl_scanlab(), nn, k);
  else if (s->n_open) snprintf(r->next, sizeof r->next, "read labs/%s*/README.md", nn);
  else if (!last->known || changed || last->score < last->max)
    snprintf(r->next, sizeof r->next, "%s check %s%s", sl_scanlab(), nn,
             !changed && lacks_large(last) ? " --all" : "");
  else snprintf(r->next, sizeof r->next, "done");
}

// One lab. False when its file cannot be read: the row says why.
static bool fill_row(const sl_lab_info *lab, row *r) {
  SL_FREED char *path = sl_lab_kernel(lab->name);
  sl_error e = {0};
  SL_SKELETON s = {0};
  struct stat st;
  sl_last last = sl__last_load(lab);
  bool changed = last.known && stat(path, &st) == 0 && st.st_mtime > last.time;
  bool ok = sl_skeleton_read(path, lab, &s, &e);
  put_score(r, &last, changed);
  if (!ok) {
    snprintf(r->work, sizeof r->work, "damaged");
    snprintf(r->next, sizeof r->next, "%.95s", e.text);
    return false;
  }
  if (s.n_untouched == s.n) snprintf(r->work, sizeof r->work, "untouched");
  else if (s.n_open) snprintf(r->work, sizeof r->work, "%zu/%zu open", s.n_open, s.n);
  else snprintf(r->work, sizeof r->work, "no TODO");
  put_next(r, &s, &last, changed);
  return true;
}

// A long name takes its room from the column beside it. What to do next stands below where the line has no
// room for it, and in a narrow terminal each column has a line of its own.
static void print_row(const char *name, const row *r) {
  enum { NAME = 18, WORK = 11, SCORE = 24, BEFORE_NEXT = 56 };
  const int over = strlen(name) > NAME ? (int)strlen(name) - NAME : 0, left = sl__width() - BEFORE_NEXT;
  if (sl__width() < SL_COLUMNS) printf("%s: %s\n  %s\n", name, r->work, r->score);
  else if ((int)strlen(r->next) > left) printf("%-*s %-*s %s\n", NAME, name, WORK - over, r->work, r->score);
  else {
    printf("%-*s %-*s %-*s %s\n", NAME, name, WORK - over, r->work, SCORE, r->score, r->next);
    return;
  }
  sl__wrap(stdout, "  ", "  ", r->next);
}

// Has a file changed since its last check?
static bool print_rows(const sl_lab_info *lab) {
  bool changed = false, told = false;
  for (; lab->name; lab++) {
    row r;
    if (lab->own && !sl__has_kernel(lab)) continue;
    if (lab->own && !told) puts("optional");
    told = true;
    fill_row(lab, &r);
    changed |= strchr(r.score, '*') != NULL;
    print_row(lab->name, &r);
  }
  return changed;
}

int sl__status(int argc, char **argv) {
  const sl_cli cli = {
      "scanlab status",
      "Shows how far each lab is: open TODO regions, the last check's score, what to do next.",
      "./scanlab status", "", NULL};
  sl_cli_parse(&cli, argc, argv, NULL);
  print_row("lab", &(row){"kernel.cu", "last check", "next"});
  bool changed = print_rows(sl_labs);
  changed |= print_rows(sl_own_labs);
  if (changed) printf("* the file has changed since\n");
  return SL_EXIT_OK;
}

// Files in a column, and beside it what does not need a line of its own.
static bool list_labs(const sl_lab_info *first, sl_error *e) {
  int width = 0;
  for (const sl_lab_info *info = first; info->name; info++)
    if ((int)strlen(info->name) > width) width = (int)strlen(info->name);
  width += (int)strlen("labs//kernel.cu");
  for (const sl_lab_info *info = first; info->name; info++) {
    char points[16];
    SL_LAB_FREED sl_lab *lab = sl__load_lab(info->name, e);
    if (!lab) return false;
    SL_FREED char *file = sl_path("labs/%s/%s", info->name, lab->file);
    SL_FREED char *what = sl_path("%s points  %s", sl__points(lab->points, points), lab->title);
    if (sl__width() >= SL_COLUMNS && width + 2 + (int)strlen(what) <= sl__width())
      printf("%-*s  %s\n", width, file, what);
    else puts(file), sl__wrap(stdout, "  ", "  ", what);
  }
  return true;
}

int sl__list(int argc, char **argv) {
  const sl_cli cli = {"scanlab list", "Lists the labs: the file to edit, points, title.", "./scanlab list",
                      "", NULL};
  sl_cli_parse(&cli, argc, argv, NULL);
  sl_error e = {0};
  bool ok = list_labs(sl_labs, &e);
  if (ok && sl_own_labs->name) puts("optional, with points apart from these:");
  if (ok && list_labs(sl_own_labs, &e)) return SL_EXIT_OK;
  e.code = SL_EXIT_INFRA;
  return sl__stop("list", &e);
}
